//! File paths and permissions: folders 0700, files 0600, regardless of the umask.

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::error::StorageError;
use benchdog_base::id::{BlobId, SessionId};

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

const SESSIONS: &str = "sessions";

/// Paths below the data folder. Computing a path does not access the disk.
#[derive(Debug, Clone)]
pub(super) struct Folder {
    data: PathBuf,
    sessions: PathBuf,
}

#[derive(Debug, Default)]
pub(super) struct Listing {
    pub(super) written: BTreeSet<SessionId>,
    pub(super) locked: BTreeSet<SessionId>,
}

/// Extension of the files with the prompts of sessions without a log.
pub(super) const FIRST_PROMPT: &str = "first";

impl Folder {
    pub(super) fn prepare(data: &Path) -> Result<Self, StorageError> {
        let sessions = data.join(SESSIONS);
        for folder in [data, &sessions] {
            close_to_others(folder).map_err(|error| StorageError::io("prepare the folder", folder, error))?;
        }
        Ok(Self {
            data: data.to_path_buf(),
            sessions,
        })
    }

    pub(super) fn index(&self) -> PathBuf {
        self.data.join("index.redb")
    }

    /// Returns the path of a lock between processes. It serialises creation, move and rebuild of the index.
    pub(super) fn index_lock(&self) -> PathBuf {
        self.data.join("index.lock")
    }

    pub(super) fn draft_lock(&self, workspace: &str) -> PathBuf {
        let BlobId(name) = BlobId::of(workspace.as_bytes());
        self.data.join(format!("draft-{name}.lock"))
    }

    pub(super) fn first_prompt(&self, draft: &str) -> PathBuf {
        self.draft_lock(draft).with_extension(FIRST_PROMPT)
    }

    pub(super) fn session(&self, id: &SessionId) -> PathBuf {
        self.sessions.join(format!("{id}.redb"))
    }

    pub(super) fn unborn(&self, id: &SessionId) -> PathBuf {
        self.sessions.join(format!("{id}.redb.new"))
    }

    pub(super) fn sidecar(&self, id: &SessionId, extension: &str) -> PathBuf {
        self.sessions.join(format!("{id}.{extension}"))
    }

    pub(super) fn lock(&self, id: &SessionId) -> PathBuf {
        self.sessions.join(format!("{id}.lock"))
    }

    pub(super) fn sessions(&self) -> &Path {
        &self.sessions
    }

    pub(super) fn data(&self) -> &Path {
        &self.data
    }

    /// Lists the names of session and lock files. Takes about 1 ms for thousands of sessions, so it is not called at
    /// startup.
    pub(super) fn listing(&self) -> Result<Listing, StorageError> {
        let failed = |error| StorageError::io("list", &self.sessions, error);
        let (mut written, mut locked) = (Vec::new(), Vec::new());
        for item in fs::read_dir(&self.sessions).map_err(failed)? {
            let name = item.map_err(failed)?.file_name();
            let Some(name) = name.to_str() else { continue };
            if let Some(id) = name.strip_suffix(".redb") {
                written.push(SessionId(id.to_owned()));
            } else if let Some(id) = name.strip_suffix(".lock") {
                locked.push(SessionId(id.to_owned()));
            }
        }
        // A set is built faster from a list than by single insertions.
        Ok(Listing {
            written: written.into_iter().collect(),
            locked: locked.into_iter().collect(),
        })
    }
}

pub(super) fn is_name(id: &SessionId) -> bool {
    let letters =
        id.0.chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    letters && !id.0.is_empty()
}

pub(super) fn is_session(path: &Path) -> bool {
    path.parent().is_some_and(|folder| folder.ends_with(SESSIONS))
}

fn close_to_others(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)?;
    if fs::metadata(folder)?.permissions().mode() & 0o777 != FOLDER_MODE {
        fs::set_permissions(folder, Permissions::from_mode(FOLDER_MODE))?;
    }
    Ok(())
}

pub(super) fn open_private(path: &Path, presence: Presence) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(FILE_MODE);
    match presence {
        Presence::Must => {}
        Presence::May => {
            options.create(true).truncate(false);
        }
        Presence::Anew => {
            options.create(true).truncate(true);
        }
    }
    let file = options.open(path)?;
    if file.metadata()?.permissions().mode() & 0o777 != FILE_MODE {
        file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    }
    Ok(file)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    Must,
    May,
    Anew,
}

pub(super) fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
