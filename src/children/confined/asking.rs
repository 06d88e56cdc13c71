//! Our end: the plan goes out with the start of a child, and what became of it is read when the child has ended.

use std::ffi::OsString;
use std::io::{self, Read};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::PROBE;
use super::plan::{Plan, Said, hand, heard};
use crate::{EXEC_CHILD, Left};
use benchdog_domain::confinement::{Missing, Part};

/// A child that is to be confined.
pub(crate) struct Confining {
    ours: UnixStream,
    plan: Plan,
}

/// How a confined child ended.
pub(crate) struct End {
    pub status: io::Result<ExitStatus>,
    pub left: Vec<Left>,
}

impl Confining {
    /// Adds to the command how it is told.
    pub(crate) fn of(command: &mut Command, plan: Plan, mark: &str) -> io::Result<Self> {
        let (ours, theirs) = UnixStream::pair()?;
        command.arg(mark).stdin(Stdio::from(OwnedFd::from(theirs)));
        Ok(Self { ours, plan })
    }

    /// The child runs: it waits for its plan. One that died before will say how by its end.
    pub(crate) fn begin(&mut self) {
        let _ = hand(&mut self.ours, &self.plan);
    }

    /// The child has ended with `status`, which is that of the process outside.
    pub(crate) fn end(self, status: io::Result<ExitStatus>) -> End {
        let mut end = End {
            status,
            left: Vec::new(),
        };
        for said in self.all_said() {
            match said {
                Said::Ready | Said::Stands { .. } => {}
                Said::Refused { why } => end.status = Err(io::Error::new(io::ErrorKind::Unsupported, why)),
                Said::Ended { status, left } => {
                    end.status = Ok(ExitStatus::from_raw(status));
                    end.left = left
                        .into_iter()
                        .map(|(pid, name)| Left { pid, name, ended: true })
                        .collect();
                }
            }
        }
        end
    }

    fn all_said(mut self) -> Vec<Said> {
        let mut bytes = Vec::new();
        let _ = self.ours.read_to_end(&mut bytes);
        heard(&bytes)
    }
}

/// Tries a plan on this system, without a program. Answers what cannot be had.
pub fn probe(launcher: &Path, mut plan: Plan, folder: &Path) -> Vec<Missing> {
    plan.accepted = Part::ALL.into_iter().collect();
    let wanted = plan.parts();
    tried_out(launcher, plan, folder).unwrap_or_else(|error| {
        let all = wanted.into_iter();
        all.map(|part| Missing {
            part,
            why: error.to_string(),
        })
        .collect()
    })
}

fn tried_out(launcher: &Path, plan: Plan, folder: &Path) -> io::Result<Vec<Missing>> {
    let mut command = Command::new(launcher);
    command.arg(EXEC_CHILD);
    let mut confining = Confining::of(&mut command, plan, PROBE)?;
    command
        .args([OsString::from(std::process::id().to_string()), OsString::from("-")])
        .current_dir(folder)
        .env_clear()
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn()?;
    drop(command);
    confining.begin();
    child.wait()?;
    let stands = confining.all_said().into_iter().find_map(|said| match said {
        Said::Stands { missing } => Some(missing),
        Said::Ready | Said::Refused { .. } | Said::Ended { .. } => None,
    });
    stands.ok_or_else(|| io::Error::other("what can be had was not told"))
}
