//! Servers that are programs: start, end and diagnosis.

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
use super::stderr_log::Aside;
use super::stdio::{Faults, Wire};
use benchdog_children::{self as children, Launch, Running, Spoken};
use benchdog_domain::pin::Differs;
use benchdog_domain::server::{ServerEnd, ServerTrouble};
use benchdog_security::pins;

/// Timeout between closed output and exit.
const LAST_BREATH: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub(super) struct Process {
    ended: watch::Receiver<Option<ServerEnd>>,
    aside: Aside,
    pub(super) faults: Arc<Faults>,
}

impl Process {
    /// Drop of the returned tasks ends the program.
    pub(super) async fn start(
        definition: &Definition,
        program: &Program,
        logs: &Path,
    ) -> Result<(Wire, Self, JoinSet<()>), ServerTrouble> {
        are_trusted(definition).await?;
        let (running, spoken) = start(program).await?;
        let broken = |error: io::Error| ServerTrouble::NotStarted {
            words: error.to_string(),
        };
        let aside = Aside::listen(spoken.aside, definition, logs).map_err(broken)?;
        let reads = pipe::Receiver::from_owned_fd(spoken.from.into()).map_err(broken)?;
        let writes = pipe::Sender::from_owned_fd(spoken.to.into()).map_err(broken)?;
        let (wire, faults) = Wire::new(reads, writes);
        let (tell, ended) = watch::channel(None);
        let mut process = JoinSet::new();
        process.spawn(attend(running, tell));
        Ok((wire, Self { ended, aside, faults }, process))
    }

    /// Waits for the exit. Returns the exit status and the last stderr output.
    pub(super) async fn over(&self) -> ServerTrouble {
        let mut ended = self.ended.clone();
        let how = match ended.wait_for(Option::is_some).await {
            Ok(how) => how.unwrap_or_default(),
            Err(_) => ServerEnd::default(),
        };
        self.ended_by(how).await
    }

    pub(super) fn is_over(&self) -> bool {
        self.ended.borrow().is_some()
    }

    pub(super) fn last(&self) -> String {
        self.aside.last()
    }

    async fn ended_by(&self, how: ServerEnd) -> ServerTrouble {
        self.aside.read_out().await;
        ServerTrouble::Ended {
            code: how.code,
            signal: how.signal,
            said: self.aside.last(),
        }
    }

    /// Returns the error after the server closed its output.
    pub(super) async fn gone(&self) -> ServerTrouble {
        let mut ended = self.ended.clone();
        let how = timeout(LAST_BREATH, ended.wait_for(Option::is_some)).await;
        let how = how.ok().and_then(Result::ok).and_then(|how| *how);
        self.ended_by(how.unwrap_or_default()).await
    }
}

async fn are_trusted(definition: &Definition) -> Result<(), ServerTrouble> {
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
    let started = children::start_spoken(launch).await;
    started.map_err(|error| ServerTrouble::NotStarted {
        words: error.to_string(),
    })
}

async fn attend(mut running: Running, tell: watch::Sender<Option<ServerEnd>>) {
    let how = match (&mut running.exited).await {
        Ok(Ok(status)) => ServerEnd {
            code: status.code(),
            signal: status.signal(),
        },
        _ => ServerEnd::default(),
    };
    tell.send_replace(Some(how));
    running.finish().await;
}
