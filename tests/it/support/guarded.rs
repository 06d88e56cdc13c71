//! A second wall around what runs hostile commands: should the one under test fall, only the home of the test is behind it.

use std::process::{Command, Stdio};

use super::home::Home;

/// Namespaces of their own, without the rights that reach the whole machine.
const GUARD: [&str; 12] = [
    "unshare",
    "--mount",
    "--pid",
    "--uts",
    "--ipc",
    "--fork",
    "--kill-child",
    "--mount-proc",
    "setpriv",
    "--bounding-set",
    "-sys_time,-sys_module,-sys_rawio,-sys_boot,-syslog,-mknod",
    "--",
];

impl Home {
    /// The binary runs behind the guard where there is one to be had; without rights nobody needs it.
    pub fn guarded(mut self) -> Self {
        let guard = GUARD.iter().chain(&["sh", "-c", "\"$@\"; exit $?", "sh"]);
        let guard: Vec<String> = guard.map(|word| (*word).to_owned()).collect();
        let (program, rest) = guard.split_first().expect("a program");
        let tried = Command::new(program)
            .args(rest)
            .arg("true")
            .stderr(Stdio::null())
            .status();
        if tried.is_ok_and(|status| status.success()) {
            self.program.splice(0..0, guard);
        }
        self
    }
}
