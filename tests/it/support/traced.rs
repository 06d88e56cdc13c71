//! Records system calls of a program with strace.

use std::path::Path;
use std::process::{Command, Stdio};

use super::home::Home;

/// Returns a command prefix that records socket calls in `file`. If tracing is impossible, prints the reason and
/// returns `None`.
pub fn tracer(file: &Path) -> Option<Vec<String>> {
    starter(&["-f", "-e", "trace=network", "-s", "200", "-o", &file.to_string_lossy()])
}

/// Returns a command prefix that records opened files, started programs and connections.
pub fn recorder(file: &Path) -> Option<Vec<String>> {
    let calls = "trace=execve,execveat,open,openat,openat2,connect";
    starter(&["-f", "-qq", "-e", calls, "-s", "400", "-o", &file.to_string_lossy()])
}

/// Returns a command prefix that kills the program at its first call of the system call `call`.
pub fn killer(call: &str) -> Option<Vec<String>> {
    starter(&[
        "-f",
        "-qq",
        "-o",
        "/dev/null",
        "-e",
        &format!("inject={call}:signal=KILL"),
    ])
}

#[expect(
    clippy::print_stdout,
    reason = "a check that is left out says so in the report of its test"
)]
fn starter(options: &[&str]) -> Option<Vec<String>> {
    let tracer = ["strace"].iter().chain(options).map(|word| (*word).to_owned());
    let tracer: Vec<String> = tracer.collect();
    let (program, rest) = tracer.split_first()?;
    let probe = Command::new(program)
        .args(rest)
        .arg("true")
        .stderr(Stdio::null())
        .status();
    if !probe.is_ok_and(|status| status.success()) {
        println!("not checked: there is no strace that may trace");
        return None;
    }
    Some(tracer)
}

impl Home {
    pub fn traced(mut self, file: &Path) -> Option<Self> {
        let mut program = tracer(file)?;
        program.append(&mut self.program);
        self.program = program;
        Some(self)
    }
}
