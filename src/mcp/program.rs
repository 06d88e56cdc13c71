//! Servers that are local programs.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::net::unix::pipe;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::definition::{Definition, Program};
use super::stderr_log::StderrLog;
use super::stdio::{Faults, StdioTransport};
use benchdog_children::{self as children, Launch, Running, Spoken};
use benchdog_domain::pin::Differs;
use benchdog_domain::server::{ServerEnd, ServerTrouble};
use benchdog_security::pins;

/// Maximum wait for the exit of a server that has closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub(super) struct Process {
    ended: watch::Receiver<Option<ServerEnd>>,
    stderr: StderrLog,
    pub(super) faults: Arc<Faults>,
}

impl Process {
    /// Starts the program. Dropping the returned tasks ends the program.
    pub(super) async fn start(
        definition: &Definition,
        program: &Program,
        logs: &Path,
    ) -> Result<(StdioTransport, Self, JoinSet<()>), ServerTrouble> {
        check_pins(definition).await?;
        let (running, spoken) = start(program).await?;
        let broken = |error: io::Error| ServerTrouble::NotStarted {
            words: error.to_string(),
        };
        let stderr = StderrLog::start(spoken.aside, definition, logs).map_err(broken)?;
        let reads = pipe::Receiver::from_owned_fd(spoken.from.into()).map_err(broken)?;
        let writes = pipe::Sender::from_owned_fd(spoken.to.into()).map_err(broken)?;
        let (wire, faults) = StdioTransport::new(reads, writes);
        let (tell, ended) = watch::channel(None);
        let mut process = JoinSet::new();
        process.spawn(wait_for_exit(running, tell));
        Ok((wire, Self { ended, stderr, faults }, process))
    }

    /// Waits for the exit. Returns an error with the exit status and the last lines of stderr.
    pub(super) async fn wait_for_end(&self) -> ServerTrouble {
        let mut ended = self.ended.clone();
        let end = match ended.wait_for(Option::is_some).await {
            Ok(end) => end.unwrap_or_default(),
            Err(_) => ServerEnd::default(),
        };
        self.exit_error(end).await
    }

    pub(super) fn is_over(&self) -> bool {
        self.ended.borrow().is_some()
    }

    pub(super) fn last_stderr(&self) -> String {
        self.stderr.last()
    }

    async fn exit_error(&self, end: ServerEnd) -> ServerTrouble {
        self.stderr.wait_for_output().await;
        ServerTrouble::Ended {
            code: end.code,
            signal: end.signal,
            said: self.stderr.last(),
        }
    }

    /// Returns the error to report after the server closed its output.
    pub(super) async fn closed_error(&self) -> ServerTrouble {
        let mut ended = self.ended.clone();
        let end = timeout(EXIT_TIMEOUT, ended.wait_for(Option::is_some)).await;
        let end = end.ok().and_then(Result::ok).and_then(|end| *end);
        self.exit_error(end.unwrap_or_default()).await
    }
}

async fn check_pins(definition: &Definition) -> Result<(), ServerTrouble> {
    if definition.pinned.is_empty() {
        return Ok(());
    }
    let (folder, pinned) = (definition.folder.clone(), definition.pinned.clone());
    let compared = tokio::task::spawn_blocking(move || pins::same(&folder, &pinned)).await;
    match compared {
        Ok(Ok(())) => Ok(()),
        Ok(Err(Differs::Changed { file })) => Err(ServerTrouble::Changed { file }),
        Ok(Err(Differs::Unknown { file, error })) => Err(ServerTrouble::Unpinned { file, error }),
        Err(error) => Err(ServerTrouble::NotStarted {
            words: error.to_string(),
        }),
    }
}

async fn start(wanted: &Program) -> Result<(Running, Spoken), ServerTrouble> {
    let found = wanted.clone();
    let variables = tokio::task::spawn_blocking(move || found.whole_environment()).await;
    let variables = variables.map_err(|error| ServerTrouble::NotStarted {
        words: error.to_string(),
    })?;
    let path = variables.iter().find(|(name, _)| name == "PATH");
    let path = path.map_or("/usr/local/bin:/usr/bin:/bin", |(_, path)| path.as_str());
    let name = wanted.program.as_str();
    if !wanted.cwd.is_dir() {
        let folder = wanted.cwd.display().to_string();
        return Err(ServerTrouble::NoFolder { folder });
    }
    let program = if name.contains('/') {
        Some(wanted.cwd.join(name)).filter(|file| file.is_file())
    } else {
        children::find_program(name, path)
    };
    let Some(program) = program else {
        let program = name.to_owned();
        return Err(ServerTrouble::NotFound { program });
    };
    let launch = Launch {
        launcher: wanted.launcher.clone(),
        program,
        arguments: wanted.arguments.clone(),
        folder: wanted.cwd.clone(),
        variables,
        confined: None,
        then: None,
    };
    let started = children::start_with_pipes(launch).await;
    started.map_err(|error| ServerTrouble::NotStarted {
        words: error.to_string(),
    })
}

async fn wait_for_exit(mut running: Running, tell: watch::Sender<Option<ServerEnd>>) {
    let end = match (&mut running.exited).await {
        Ok(Ok(status)) => ServerEnd {
            code: status.code(),
            signal: status.signal(),
        },
        _ => ServerEnd::default(),
    };
    tell.send_replace(Some(end));
    running.finish().await;
}
