//! Recovers the output of running commands from `<id>.printed`. After a crash, the output becomes part of the commands'
//! results. The file is deleted when the results are logged.

use std::io;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::folder::Folder;
use super::sidecar::{Content, Sidecar};
use benchdog_base::disk;
use benchdog_base::id::{CallId, SessionId};
use benchdog_domain::entry::Entry;

pub const MOST: usize = 30_000;
/// Minimum free space in bytes on the disk. With less, the output is not saved.
const BETWEEN: u64 = 1 << 20;

/// Output of a running call. The middle of a long output is omitted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    pub call: CallId,
    pub text: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct AllPrinted {
    pub(super) session: SessionId,
    pub(super) calls: Vec<Printed>,
}

impl Content for AllPrinted {
    const EXTENSION: &'static str = "printed";

    fn session(&self) -> &SessionId {
        &self.session
    }

    fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }
}

pub(super) fn keep(folder: &Folder, printed: &AllPrinted) -> io::Result<()> {
    if !printed.is_empty() && !disk::has_room(folder.sessions(), BETWEEN) {
        return Ok(());
    }
    Sidecar::of(folder, &printed.session).write(printed)
}

pub(super) fn settle(folder: &Folder, session: &SessionId, entries: &[Arc<Entry>]) -> io::Result<()> {
    let ended: Vec<&CallId> = entries.iter().filter_map(|entry| entry.body.ends()).collect();
    if ended.is_empty() {
        return Ok(());
    }
    match Sidecar::<AllPrinted>::of(folder, session).read() {
        Some(mut printed) if !printed.is_empty() => {
            printed.calls.retain(|printed| !ended.contains(&&printed.call));
            keep(folder, &printed)
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
