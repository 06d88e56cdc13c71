//! The checkpoints of one workspace.

use std::fmt;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use benchdog_base::clock::Time;
use benchdog_files::beneath::Held;

use crate::capture::{Captured, State, Watching};
use crate::compare::{self, Compared};
use crate::error::{CheckpointError, Damage};
use crate::folders::Inode;
use crate::gc::{Collected, Figures};
use crate::id::{ContentId, Id, TreeId};
use crate::limits::Limits;
use crate::restore::{RestoreError, Restored, Step};
use crate::state::FileState;
use crate::store::{self, Store, lock};
use crate::walk::inode_of;

/// Captures, compares and restores the files below one folder.
///
/// All functions block. Any thread may call them. A capture waits for a running capture. Reads do not wait.
pub struct Checkpoints {
    pub(crate) root: PathBuf,
    pub(crate) limits: Limits,
    pub(crate) store: Store,
    /// Inode of the folder that contains all stores. The folder is never captured, even if it is below the root.
    pub(crate) excluded: Inode,
    pub(crate) state: Mutex<State>,
    recovered: Result<Option<Restored>, RestoreError>,
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Checkpoints")
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

pub(crate) const FOLDER: &str = "checkpoints";

fn name_of(root: &Path) -> String {
    let id = Id::of(root.as_os_str().as_bytes()).to_string();
    id.chars().take(32).collect()
}

impl Checkpoints {
    /// Opens the store of a workspace root below `data`, or creates it.
    ///
    /// Finishes a restore that a kill interrupted. `recovered` returns the result.
    pub fn open(data: &Path, root: &Path, limits: Limits) -> Result<Self, CheckpointError> {
        let mut opened = Self::open_unrecovered(data, root, limits)?;
        opened.recovered = opened.recover_with(&|_| Ok(()));
        Ok(opened)
    }

    pub(crate) fn open_unrecovered(data: &Path, root: &Path, limits: Limits) -> Result<Self, CheckpointError> {
        let root = root
            .canonicalize()
            .map_err(CheckpointError::io("open the folder", root))?;
        let all = data.join(FOLDER);
        store::create_folder(&all)?;
        let all = all
            .canonicalize()
            .map_err(CheckpointError::io("open the folder", &all))?;
        let excluded = Held::open(&all).map_err(CheckpointError::io("open the folder", &all))?;
        let excluded = inode_of(&excluded).map_err(CheckpointError::io("open the folder", &all))?;
        let folder = all.join(name_of(&root));
        store::create_folder(&folder)?;
        // This file shows people which root the store belongs to.
        let label = folder.join("root");
        if !label.exists() {
            let _ = std::fs::write(&label, root.as_os_str().as_bytes());
        }
        Ok(Self {
            recovered: Ok(None),
            state: Mutex::new(State::new(&folder)),
            store: Store::open(folder)?,
            root,
            limits,
            excluded,
        })
    }

    pub fn is_interrupted(data: &Path, root: &Path) -> bool {
        let folder = root.canonicalize().map(|root| data.join(FOLDER).join(name_of(&root)));
        folder.is_ok_and(|folder| crate::restore::is_interrupted(&folder))
    }

    /// Returns the result of the interrupted restore that `open` finished. `None` if there was none.
    ///
    /// After an error, the journal remains, so that the next start tries again.
    pub fn recovered(&self) -> Result<Option<&Restored>, &RestoreError> {
        self.recovered.as_ref().map(Option::as_ref)
    }

    /// Returns the workspace root as an absolute path without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Saves the state of all files below the root. When the function returns, the state is safely on disk.
    pub fn capture(&self) -> Result<Captured, CheckpointError> {
        let mut state = lock(&self.state);
        let captured = self.capture_locked(&mut state);
        if captured.is_err() {
            // After an error, the state may wrongly list files as stored, so the next capture walks again.
            state.forget();
        }
        captured
    }

    /// Starts the watcher, so that later captures examine only changed files. Walks all folders once, so call this
    /// function in the background after the first capture.
    pub fn watch(&self) -> Result<Watching, CheckpointError> {
        let mut state = lock(&self.state);
        let watching = self.watch_locked(&mut state);
        if watching.is_err() {
            state.forget();
        }
        watching
    }

    /// Returns a descriptor that is readable while changes are queued for the next capture. `None` without the watcher.
    ///
    /// Callers may wait until the descriptor is readable, but must never read from it.
    pub fn events(&self) -> Option<OwnedFd> {
        Self::events_locked(&lock(&self.state))
    }

    /// Returns all paths with different states, and the folders that are damaged in the store. Does not read equal
    /// subtrees.
    pub fn compare(&self, before: &TreeId, after: &TreeId) -> Compared {
        compare::compare(&self.store, before, after)
    }

    /// Returns the state of one path, relative to the root. `None` if the path does not exist in the tree.
    pub fn state(&self, tree: &TreeId, path: &Path) -> Result<Option<FileState>, Damage> {
        compare::find(&self.store, tree, path)
    }

    pub fn content(&self, id: &ContentId) -> Result<Vec<u8>, Damage> {
        self.store.read(&id.0)
    }

    /// Restores all paths to their wanted states, or none. Waits for a running capture.
    pub fn restore(&self, steps: &[Step]) -> Result<Restored, RestoreError> {
        self.restore_with(steps, &|_| Ok(()))
    }

    /// Removes the objects that none of the given checkpoints needs. If these checkpoints exceed the quota, also
    /// removes the oldest of them.
    ///
    /// Trees that were captured within the last hour always stay.
    pub fn gc(&self, keep: &[(Time, TreeId)]) -> Result<Collected, CheckpointError> {
        self.collect(keep, Time::now())
    }

    pub fn figures(&self) -> Figures {
        self.figures_now()
    }

    pub(crate) fn open_root(&self) -> Result<Arc<Held>, CheckpointError> {
        let root = Held::open(&self.root).map_err(CheckpointError::io("open the folder", &self.root))?;
        Ok(Arc::new(root))
    }
}
