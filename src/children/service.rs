//! A server that Benchdog starts for the person. The server outlives Benchdog, and no call can stop the server.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use tokio::process::{Child, Command};

use super::exec::EXEC_CHILD;
use super::launch::own;

/// First argument of `exec-child` for a child that is not bound to Benchdog.
pub(super) const SERVICE: &str = "--service";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    pub program: PathBuf,
    pub arguments: Vec<String>,
    /// All environment variables.
    pub variables: Vec<(String, String)>,
}

/// A started server. Drop does not end it.
pub struct Started(Child);

impl Started {
    pub fn ended(&mut self) -> Option<ExitStatus> {
        self.0.try_wait().ok().flatten()
    }
}

/// `launcher` is Benchdog's own executable.
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
    // Hold the lock during the start, so that the process is never mistaken for a leftover of a call.
    let mut own = own();
    let child = command.spawn()?;
    own.extend(child.id());
    let name = service.program.file_name().unwrap_or_default().to_string_lossy();
    tracing::info!(program = %name, child = child.id(), "server started");
    Ok(Started(child))
}
