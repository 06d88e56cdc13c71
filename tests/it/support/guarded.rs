//! A second barrier around hostile commands. If the tested barrier fails, only the test's home is exposed.

use std::process::{Command, Stdio};

use super::home::Home;

/// Creates new namespaces without rights on the machine.
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
    /// Uses the guard if it is available. Without root rights, it is not needed.
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
