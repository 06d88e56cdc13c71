//! Child processes in tests: a launcher, and functions that wait.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Creates a script that replaces `benchdog exec-child` in tests.
pub fn launcher(folder: &Path) -> PathBuf {
    let file = folder.join("launcher");
    // `setsid` is sufficient for most tests. Others run the real `exec-child`.
    let script = "#!/bin/sh\n[ \"$1\" = exec-child ] || exit 125\nshift 2\nexec setsid \"$@\"\n";
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

/// Waits until `done` returns true. After 20 seconds, enough for a busy machine, panics with `what`.
pub async fn until(what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(20);
    while !done() {
        assert!(Instant::now() < end, "waited in vain: {what}");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

pub fn processes_with(word: &str) -> Vec<u32> {
    std::fs::read_dir("/proc")
        .unwrap()
        .flatten()
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(word)
        })
        .collect()
}
