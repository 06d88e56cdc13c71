//! A program that the person uses on the terminal, such as an editor. The program stays in Benchdog's session and job
//! to use the terminal. Its descendants may outlive it. Benchdog kills the program only if Benchdog ends first.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};

use super::launch::log_exit;
use super::process_tree;

/// Time for an editor to save before it is killed.
const GRACE: Duration = Duration::from_secs(1);

/// A started program. Drop ends the program and its descendants, and returns after they have ended.
#[derive(Debug)]
pub struct Foreground {
    child: Child,
    began: Instant,
}

impl Foreground {
    /// Starts the program `words[0]` with the remaining words as arguments. The program inherits the environment except
    /// the variables in `without`.
    pub fn start(words: &[OsString], without: &[String]) -> io::Result<Self> {
        let Some((program, arguments)) = words.split_first() else {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "there is no program to start",
            ));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        for name in without {
            command.env_remove(name);
        }
        let child = command.spawn()?;
        let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy();
        tracing::debug!(program = %name, child = child.id(), "program started");
        Ok(Self {
            child,
            began: Instant::now(),
        })
    }

    pub async fn ended(&mut self) -> io::Result<ExitStatus> {
        let child = self.child.id().unwrap_or_default();
        let status = self.child.wait().await;
        log_exit(child, &status, self.began);
        status
    }
}

impl Drop for Foreground {
    fn drop(&mut self) {
        // After the process was waited for, `id` returns `None`, because another process may reuse the number.
        if let Some(pid) = self.child.id() {
            let asked = process_tree::with_descendants(BTreeSet::from([pid]));
            let started = Instant::now();
            process_tree::end(GRACE, || {
                // During the grace period, new child processes are spared, because they may be saving data.
                if started.elapsed() <= GRACE {
                    asked.clone()
                } else {
                    process_tree::with_descendants(asked.clone())
                }
            });
        }
    }
}

#[cfg(test)]
mod tests;
