//! A server that the person had started from here. It belongs to them: it goes on when we end, and no call reaches it.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use tokio::process::{Child, Command};

use super::exec::EXEC_CHILD;
use super::launch::own;

/// As the first argument of `exec-child`: nothing of the child is bound to us.
pub(super) const SERVICE: &str = "--service";

/// Service to start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// The whole environment.
    pub variables: Vec<(String, String)>,
}

/// A started server. Dropping it lets it go on.
pub struct Started(Child);

impl Started {
    /// Returns the exit status once the process has ended.
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }
}

/// `launcher`: our own executable.
pub fn start_service(launcher: &Path, service: &Service) -> io::Result<Started> {
    let arguments = [
        OsString::from(EXEC_CHILD),
        SERVICE.into(),
        service.program.clone().into(),
    ];
    let mut command = Command::new(launcher);
    command
        .args(arguments)
        .args(&service.arguments)
        .env_clear()
        .envs(service.variables.iter().map(|(name, value)| (name, value)))
        .current_dir("/")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    // Before it can be seen, so that it is never taken for what a call left behind.
    let mut own = own();
    let child = command.spawn()?;
    own.extend(child.id());
    let name = service.program.file_name().unwrap_or_default().to_string_lossy();
    tracing::info!(program = %name, child = child.id(), "server started");
    Ok(Started(child))
}
