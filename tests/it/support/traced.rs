//! Programs with all they say to the network written down by the kernel's own account.

use std::path::Path;
use std::process::{Command, Stdio};

use super::home::Home;

/// What a program is started with so that everything it and its children ask of sockets goes into `file`. `None`, with the reason printed, where nothing
/// can be traced.
pub fn tracer(file: &Path) -> Option<Vec<String>> {
    starter(&["-f", "-e", "trace=network", "-s", "200", "-o", &file.to_string_lossy()])
}

/// The same of the files it opens and the programs that it and its children become.
pub fn recorder(file: &Path) -> Option<Vec<String>> {
    let calls = "trace=execve,execveat,open,openat,openat2,connect";
    starter(&["-f", "-qq", "-e", calls, "-s", "400", "-o", &file.to_string_lossy()])
}

/// What a program is started with so that it is killed when it asks this of the system for the first time.
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
    /// The binary is traced into `file`.
    pub fn traced(mut self, file: &Path) -> Option<Self> {
        let mut program = tracer(file)?;
        program.append(&mut self.program);
        self.program = program;
        Some(self)
    }
}
