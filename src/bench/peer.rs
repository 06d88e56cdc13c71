//! An agent process that reads and writes lines. Its process group is killed at the end.

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe::{Receiver, Sender};
use tokio::task::JoinHandle;

use super::trouble::RunError;
use benchdog_children::{Launch, Running, start_with_pipes};

/// The maximum length of a line in bytes.
const LONGEST_LINE: u64 = 16 << 20;
/// Size of each read of standard error, and of the stored end of standard error, in bytes.
const ERRORS: usize = 16 << 10;
/// The time that the agent has to exit after its input is closed.
const LAST_MOMENT: Duration = Duration::from_secs(3);

pub(crate) struct AgentProcess {
    running: Running,
    to: Option<Sender>,
    from: BufReader<Receiver>,
    errors: JoinHandle<String>,
}

impl AgentProcess {
    /// Starts a program. The first word is the program.
    pub(crate) async fn start(
        launcher: &Path,
        words: &[String],
        folder: &Path,
        variables: Vec<(String, String)>,
    ) -> Result<Self, RunError> {
        let (program, arguments) = words.split_first().ok_or_else(|| RunError::Start(String::new()))?;
        let launch = Launch {
            launcher: launcher.to_path_buf(),
            program: PathBuf::from(program),
            arguments: arguments.to_vec(),
            folder: folder.to_path_buf(),
            variables,
            confined: None,
            then: None,
        };
        let started = async {
            let (running, spoken) = start_with_pipes(launch).await?;
            let errors = Receiver::from_owned_fd(OwnedFd::from(spoken.aside))?;
            Ok::<_, io::Error>(Self {
                running,
                to: Some(Sender::from_owned_fd(OwnedFd::from(spoken.to))?),
                from: BufReader::new(Receiver::from_owned_fd(OwnedFd::from(spoken.from))?),
                errors: tokio::spawn(last_errors(errors)),
            })
        };
        started.await.map_err(|error| RunError::Start(error.to_string()))
    }

    /// Writes to standard input. Ignores errors, because the output of an agent that no longer reads also ends.
    pub(crate) async fn send(&mut self, text: &str) {
        if let Some(to) = &mut self.to {
            let _ = to.write_all(text.as_bytes()).await;
        }
    }

    pub(crate) fn close(&mut self) {
        self.to = None;
    }

    /// Returns the next line, or `None` at the end of the output.
    pub(crate) async fn line(&mut self) -> Result<Option<Vec<u8>>, RunError> {
        let mut line = Vec::new();
        let read = (&mut self.from).take(LONGEST_LINE).read_until(b'\n', &mut line).await;
        match read {
            Ok(0) | Err(_) => Ok(None),
            Ok(_) if line.last() == Some(&b'\n') => Ok(Some(line)),
            Ok(count) if count as u64 >= LONGEST_LINE => Err(RunError::LongLine),
            // A line without an end is incomplete.
            Ok(_) => Ok(None),
        }
    }

    /// Waits for the exit, at most `LAST_MOMENT`.
    pub(crate) async fn exit(&mut self) {
        let _ = tokio::time::timeout(LAST_MOMENT, &mut self.running.exited).await;
    }

    /// Kills all remaining processes of the agent. Returns the end of standard error.
    pub(crate) async fn end(self) -> String {
        self.running.stop();
        self.running.finish().await;
        match tokio::time::timeout(LAST_MOMENT, self.errors).await {
            Ok(Ok(errors)) => errors,
            _ => String::new(),
        }
    }
}

async fn last_errors(mut pipe: Receiver) -> String {
    let (mut kept, mut read) = (Vec::new(), vec![0; ERRORS]);
    while let Ok(count @ 1..) = pipe.read(&mut read).await {
        kept.extend_from_slice(read.get(..count).unwrap_or_default());
        kept.drain(..kept.len().saturating_sub(ERRORS));
    }
    String::from_utf8_lossy(&kept).into_owned()
}
