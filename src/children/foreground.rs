//! A program of the person's own on the terminal, such as their editor. It stays in our session and our job, or it could not have the
//! terminal, and keeps what it started when it ends by itself. It is ended only when we end before it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use tokio::process::{Child, Command};

use super::launch::log_exit;
use super::process_tree;

/// An editor that is asked to end saves what it can first.
const GRACE: Duration = Duration::from_secs(1);

/// A started program. Dropping it ends the program and its descendants, and returns when that is done.
#[derive(Debug)]
pub struct Foreground {
    child: Child,
    began: Instant,
}

impl Foreground {
    /// `words`: the program, then its arguments. It gets our environment but for the variables named in `without`.
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
        // There is no id once the process was waited for: it may belong to another one by then.
        if let Some(pid) = self.child.id() {
            let asked = process_tree::with_descendants(BTreeSet::from([pid]));
            let started = Instant::now();
            process_tree::end(GRACE, || {
                // Programs that it starts in order to save are left alone while it may still save.
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
