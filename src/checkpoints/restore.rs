//! Restores files to their states in a checkpoint: all of them, or none.
//!
//! New files are prepared next to their targets. Then a journal lists all renames, and they are performed. If a kill
//! comes before the journal is complete, `recover` removes the temporary files. Otherwise `recover` performs the
//! remaining renames.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

use crate::checkpoints::Checkpoints;
use crate::error::{CheckpointError, Damage};
use crate::state::{FileState, NotCovered};
use crate::store::lock;

mod disk;
mod journal;
mod plan;

use disk::{Applied, Disk};
use journal::Journal;
use plan::Plan;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub path: PathBuf,
    /// Required state of the file on disk. If any file has another state, the whole plan is refused.
    pub expected: Option<FileState>,
    pub wanted: Wanted,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// No file. A folder is removed only if it is empty at the end.
    Absent,
    /// A state from a checkpoint, with saved content.
    State(FileState),
    /// Bytes that no checkpoint has, such as a merge of two versions.
    Bytes { bytes: Vec<u8>, mode: u16 },
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restored {
    /// Number of files, links and folders that were written or whose mode changed.
    pub written: usize,
    pub removed: usize,
    /// Folders that stay because they contain files outside the plan.
    pub kept: Vec<PathBuf>,
    /// Paths that changed between a kill and the recovery. The recovery left them unchanged.
    pub conflicts: Vec<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
pub enum RestoreError {
    #[error("nothing was restored, because these files changed meanwhile: {}", names(paths))]
    Changed { paths: Vec<PathBuf> },
    #[error("nothing was restored, because the checkpoint does not have the bytes of `{}`", path.display())]
    NotCovered { path: PathBuf, why: NotCovered },
    #[error("nothing was restored, because the folder `{}` has files that the plan does not name", path.display())]
    NotEmpty { path: PathBuf },
    #[error("nothing was restored, because `{}` is not a folder", path.display())]
    Blocked { path: PathBuf },
    #[error("nothing was restored, because the path `{}` {reason}", path.display())]
    Invalid { path: PathBuf, reason: &'static str },
    #[error("nothing was restored, because another process restores files here: try again")]
    Busy,
    #[error("nothing was restored, because `{}` cannot be read from the store: {source}", path.display())]
    Damage { path: PathBuf, source: Damage },
    #[error("nothing was restored: could not {action} `{}`: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("the restore stopped at `{}`: {source}. The next start finishes it", path.display())]
    Interrupted { path: PathBuf, source: io::Error },
    #[error("nothing was restored: {0}")]
    Store(#[from] CheckpointError),
}

pub(crate) fn is_interrupted(folder: &Path) -> bool {
    journal::is_there(folder)
}

fn names(paths: &[PathBuf]) -> String {
    let names: Vec<String> = paths.iter().map(|path| format!("`{}`", path.display())).collect();
    names.join(", ")
}

const LOCK_ATTEMPTS: usize = 25;
const LOCK_PAUSE: Duration = Duration::from_millis(10);

/// Test callback before each change on disk. Its argument names the change. An error makes the change fail.
pub(crate) type Hook<'h> = &'h (dyn Fn(&'static str) -> io::Result<()> + Sync);

impl RestoreError {
    fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self + use<> {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}

impl Checkpoints {
    pub(crate) fn restore_with(&self, steps: &[Step], hook: Hook<'_>) -> Result<Restored, RestoreError> {
        let _captures_wait = lock(&self.state);
        let _alone = self.restore_lock()?.ok_or(RestoreError::Busy)?;
        self.recover_alone(hook)?;
        let root = self.open_root()?;
        let mut plan = Plan::new(&root, steps)?;
        if plan.is_empty() {
            return Ok(Restored::default());
        }
        let disk = Disk { root: &root, hook };
        let mut journal = Journal::new(&self.store.folder, hook);
        let prepared = journal
            .write_intent(&plan.temporaries())
            .map_err(RestoreError::io("write the journal in", &self.store.folder))
            .and_then(|()| plan.prepare(self, &disk))
            .and_then(|()| plan.check(&disk))
            .and_then(|()| {
                let written = journal.write(&plan.ops, &plan.folders);
                written.map_err(RestoreError::io("write the journal in", &self.store.folder))
            });
        if let Err(error) = prepared {
            let temporaries = plan.temporaries();
            if disk.remove_temporaries(&temporaries, &[]).is_ok() {
                let _ = journal.remove();
            }
            return Err(error);
        }
        self.apply(&plan, &disk, &journal)
    }

    fn apply(&self, plan: &Plan, disk: &Disk<'_>, journal: &Journal<'_>) -> Result<Restored, RestoreError> {
        for (at, op) in plan.ops.iter().enumerate() {
            let failure = match disk.apply(op) {
                Ok(Applied::Done) => continue,
                Ok(Applied::Conflict) => RestoreError::Changed { paths: vec![op.path()] },
                Err(error) => RestoreError::io("restore", &op.path())(error),
            };
            let done = plan.ops.get(..=at).unwrap_or_default();
            let undone = done.iter().rev().try_for_each(|op| disk.revert(op));
            let undone = undone.and_then(|()| disk.remove_temporaries(&plan.temporaries(), &plan.ops));
            let undone = undone.and_then(|()| journal.remove());
            return Err(match undone {
                Ok(()) => failure,
                Err(source) => RestoreError::Interrupted {
                    path: op.path(),
                    source,
                },
            });
        }
        let stopped = |source| RestoreError::Interrupted {
            path: self.root.clone(),
            source,
        };
        disk.sync(&plan.ops).map_err(stopped)?;
        let mut restored = plan.counts();
        restored.kept = disk.clean(&plan.ops, &plan.folders).map_err(stopped)?;
        journal.remove().map_err(stopped)?;
        Ok(restored)
    }

    /// Finishes an interrupted restore, or removes the temporary files of the restore. Returns `None` if no restore was
    /// interrupted, or if another process is already recovering the restore.
    pub(crate) fn recover_with(&self, hook: Hook<'_>) -> Result<Option<Restored>, RestoreError> {
        match self.restore_lock()? {
            Some(_alone) => self.recover_alone(hook),
            None => Ok(None),
        }
    }

    fn recover_alone(&self, hook: Hook<'_>) -> Result<Option<Restored>, RestoreError> {
        let journal = Journal::new(&self.store.folder, hook);
        let stopped = |source| RestoreError::Interrupted {
            path: self.root.clone(),
            source,
        };
        let Some(intent) = journal.read_intent().map_err(stopped)? else {
            return Ok(None);
        };
        let root = self.open_root()?;
        let disk = Disk { root: &root, hook };
        let Some((ops, folders)) = journal.read().map_err(stopped)? else {
            disk.remove_temporaries(&intent, &[]).map_err(stopped)?;
            journal.remove().map_err(stopped)?;
            return Ok(None);
        };
        let mut restored = plan::counts(&ops, &folders);
        for op in &ops {
            let applied = disk.apply(op).map_err(|source| RestoreError::Interrupted {
                path: op.path(),
                source,
            })?;
            if applied == Applied::Conflict {
                restored.conflicts.push(op.path());
            }
        }
        disk.sync(&ops).map_err(stopped)?;
        restored.kept = disk.clean(&ops, &folders).map_err(stopped)?;
        disk.remove_temporaries(&intent, &ops).map_err(stopped)?;
        journal.remove().map_err(stopped)?;
        Ok(Some(restored))
    }

    /// Takes the restore lock, which the system releases when the process ends. Returns `None` if another process has
    /// the lock.
    ///
    /// Retries a few times, because a starting child process holds a copy of the locked file until its `exec`.
    fn restore_lock(&self) -> Result<Option<File>, RestoreError> {
        let path = self.store.folder.join("restore.lock");
        let file = crate::store::open_lock(&path).map_err(RestoreError::io("open", &path))?;
        for _ in 0..LOCK_ATTEMPTS {
            match flock(&file, FlockOperation::NonBlockingLockExclusive) {
                Ok(()) => return Ok(Some(file)),
                Err(Errno::WOULDBLOCK) => std::thread::sleep(LOCK_PAUSE),
                Err(error) => return Err(RestoreError::io("lock", &path)(error.into())),
            }
        }
        Ok(None)
    }
}
