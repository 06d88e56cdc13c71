//! Tests with real processes. The launcher is this test program, with a variable that makes it act as `exec-child`.

use std::ffi::OsString;
use std::io::{self, PipeReader};
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Instant;

use super::launch::Running;
use super::*;
use benchdog_testing::{launcher, processes_with, until};

/// Writes a launcher script that runs the real `exec_child`.
fn real_launcher(folder: &Path) -> PathBuf {
    let file = folder.join("real-launcher");
    let this = fs_path("/proc/self/exe");
    let script = format!(
        "#!/bin/sh\nshift\nBENCHDOG_TEST_ARGUMENTS=$(printf '%s\\n' \"$@\")\nexport BENCHDOG_TEST_ARGUMENTS\n\
         exec '{}' --exact tests::becomes_what_it_is_told --ignored --nocapture --test-threads=1\n",
        this.display()
    );
    std::fs::write(&file, script).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    file
}

fn fs_path(link: &str) -> PathBuf {
    std::fs::read_link(link).unwrap()
}

#[test]
#[ignore = "not a test: `real_launcher` starts it"]
fn becomes_what_it_is_told() {
    let told = benchdog_base::environment::Environment::of_process();
    let arguments: Vec<OsString> = told
        .get("BENCHDOG_TEST_ARGUMENTS")
        .unwrap()
        .lines()
        .map(OsString::from)
        .collect();
    panic!("{:?}", exec_child(&arguments));
}

async fn start_script(folder: &Path, launcher: PathBuf, script: &str) -> io::Result<(Running, PipeReader)> {
    become_subreaper().unwrap();
    start(Launch {
        launcher,
        program: PathBuf::from("/bin/sh"),
        arguments: vec!["-c".to_owned(), script.to_owned()],
        folder: folder.to_path_buf(),
        variables: vec![("PATH".to_owned(), "/usr/local/bin:/usr/bin:/bin".to_owned())],
        confined: None,
        then: None,
    })
    .await
}

async fn output_of(folder: &Path, launcher: PathBuf, script: &str) -> (ExitStatus, String) {
    let (mut running, mut reader) = start_script(folder, launcher, script).await.unwrap();
    let text = tokio::task::spawn_blocking(move || io::read_to_string(&mut reader).unwrap())
        .await
        .unwrap();
    let status = (&mut running.exited).await.unwrap().unwrap();
    running.finish().await;
    (status, text)
}

#[tokio::test]
async fn exec_child_leads_a_session_of_its_own_and_becomes_the_program() {
    let folder = tempfile::tempdir().unwrap();
    // The fields 1, 5 and 6 of `stat` are process id, group and session.
    let script =
        "read -r id name state parent group session rest < /proc/$$/stat; echo; echo ids $id $group $session; exit 3";
    let (status, text) = output_of(folder.path(), real_launcher(folder.path()), script).await;
    let line = text
        .lines()
        .find(|line| line.starts_with("ids "))
        .unwrap_or_else(|| panic!("{text}"));
    let ids: Vec<&str> = line.split(' ').skip(1).collect();
    assert_eq!(status.code(), Some(3));
    assert!(ids.iter().all(|id| *id == ids[0]), "{line}");
}

#[tokio::test]
async fn a_child_of_exec_child_is_ended_with_the_thread_that_started_it() {
    let folder = tempfile::tempdir().unwrap();
    // The script creates a file to show that it runs. Then the thread that started the script ends.
    let sign = folder.path().join("runs");
    let script = format!("touch {}; exec sleep 61.0271", sign.display());
    let launcher = real_launcher(folder.path());
    let home = folder.path().to_path_buf();
    let thread = std::thread::spawn(move || {
        let child = Command::new(&launcher)
            .arg(EXEC_CHILD)
            .arg(std::process::id().to_string())
            .args(["/bin/sh", "-c", &script])
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let end = Instant::now() + Duration::from_secs(20);
        while !sign.exists() && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(5));
        }
        child
    });
    let mut child = tokio::task::spawn_blocking(move || thread.join().unwrap())
        .await
        .unwrap();
    let status = tokio::task::spawn_blocking(move || child.wait().unwrap())
        .await
        .unwrap();
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(9));
}

#[test]
fn exec_child_refuses_when_its_parent_is_another() {
    // Run in a separate process, because the test creates a session.
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(real_launcher(folder.path()))
        .args([EXEC_CHILD, "1", "/bin/true"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(said.contains("the program that started this is gone"), "{said}");
}

#[test]
fn exec_child_without_a_program_says_how_it_is_used() {
    assert!(exec_child(&[]).unwrap_err().to_string().contains("usage"));
}

#[tokio::test]
async fn a_broken_pipe_ends_a_child_as_it_would_in_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let script = "( yes; echo left with $? >&2 ) | head -n 1";
    let (_, text) = output_of(folder.path(), real_launcher(folder.path()), script).await;
    assert!(text.contains("left with 141"), "SIGPIPE was not at its default: {text}");
}

#[tokio::test]
async fn a_launcher_that_does_not_exist_is_an_error_not_a_hang() {
    let folder = tempfile::tempdir().unwrap();
    let started = start_script(folder.path(), folder.path().join("nothing"), "true").await;
    assert_eq!(started.err().map(|error| error.kind()), Some(io::ErrorKind::NotFound));
}

#[tokio::test]
async fn one_call_ends_without_ending_another() {
    let folder = tempfile::tempdir().unwrap();
    let launcher = launcher(folder.path());
    let (mut first, _out) = start_script(folder.path(), launcher.clone(), "setsid sleep 61.0301 & true")
        .await
        .unwrap();
    let (second, _out) = start_script(folder.path(), launcher, "setsid sleep 61.0302 & sleep 61.0303")
        .await
        .unwrap();
    until("both run", || {
        !processes_with("sleep\x0061.0301").is_empty() && !processes_with("sleep\x0061.0302").is_empty()
    })
    .await;
    (&mut first.exited).await.unwrap().unwrap();
    let left = first.finish().await;
    // The process may be listed before its `exec`.
    assert!(
        left.len() == 1 && left[0].ended && left[0].name.ends_with("sleep 61.0301"),
        "{left:?}"
    );
    assert_eq!(processes_with("sleep\x0061.0301"), [0_u32; 0]);
    assert!(
        !processes_with("sleep\x0061.0302").is_empty(),
        "the other call's process was ended"
    );
    drop(second);
    until("the other is gone too", || processes_with("sleep\x0061.030").is_empty()).await;
}

#[tokio::test]
async fn a_start_that_nobody_waits_for_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let launcher = launcher(folder.path());
    let starting = tokio::spawn({
        let folder = folder.path().to_path_buf();
        async move {
            start_script(&folder, launcher, "sleep 61.0304 & sleep 61.0304")
                .await
                .map(|_| ())
        }
    });
    starting.abort();
    let _ = starting.await;
    until("nothing is left", || processes_with("61.0304").is_empty()).await;
    wait_for_exits(Duration::from_secs(20));
    assert!(processes_with("61.0304").is_empty());
}

#[test]
fn programs_are_found_in_absolute_folders_of_the_path_only() {
    assert_eq!(find_program("sh", "/nowhere:/bin"), Some(PathBuf::from("/bin/sh")));
    assert_eq!(find_program("sh", ".:bin"), None);
    assert_eq!(find_program("passwd", "/etc"), None, "not executable");
}

#[tokio::test]
async fn a_child_has_given_up_every_right_to_read_another_process() {
    let folder = tempfile::tempdir().unwrap();
    let (status, text) = output_of(folder.path(), real_launcher(folder.path()), "cat /proc/self/status").await;
    assert!(status.success(), "{text}");
    // Numbers of SYS_MODULE, SYS_RAWIO, SYS_PTRACE, SYS_ADMIN and PERFMON in capabilities(7).
    let reading: u64 = [16, 17, 19, 21, 38].iter().map(|bit| 1_u64 << bit).sum();
    let root = rustix::process::geteuid().is_root();
    let sets: Vec<(&str, u64)> = text
        .lines()
        .filter_map(|line| line.strip_prefix("Cap")?.split_once(":\t"))
        .map(|(set, bits)| (set, u64::from_str_radix(bits, 16).unwrap()))
        .filter(|(set, _)| root || *set != "Bnd")
        .collect();
    assert!(sets.len() >= 4, "{text}");
    for (set, bits) in sets {
        assert_eq!(bits & reading, 0, "{set}");
    }
}
