//! Small files next to a session file. After a crash, they restore data that was not yet in the log.
//!
//! A file is replaced through a temporary file, or grows by appended lines. Readers ignore a file that is damaged,
//! belongs to another session or is not a regular file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::marker::PhantomData;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;

use rustix::fs::OFlags;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::arriving::Arriving;
use super::folder::Folder;
use super::printed::AllPrinted;
use super::unsent::Unsent;
use benchdog_base::id::SessionId;
use benchdog_domain::folder::FolderStates;

pub(super) const MOST: usize = 32 << 20;

/// Content of a replaced file, or the first line of a growing file.
pub(super) trait Content: Serialize + DeserializeOwned {
    const EXTENSION: &'static str;

    fn session(&self) -> &SessionId;

    /// Whether there is nothing to recover. If so, the file is removed instead of written.
    fn is_empty(&self) -> bool {
        false
    }
}

#[derive(Debug)]
pub(super) struct Sidecar<T> {
    path: PathBuf,
    draft: PathBuf,
    session: SessionId,
    content: PhantomData<fn() -> T>,
}

impl<T: Content> Sidecar<T> {
    pub(super) fn of(folder: &Folder, session: &SessionId) -> Self {
        Self::at(folder.sidecar(session, T::EXTENSION), session)
    }

    pub(super) fn at(path: PathBuf, session: &SessionId) -> Self {
        Self {
            draft: path.with_added_extension("new"),
            path,
            session: session.clone(),
            content: PhantomData,
        }
    }

    #[cfg(test)]
    pub(super) fn path(&self) -> &std::path::Path {
        &self.path
    }

    pub(super) fn exists(&self) -> bool {
        self.path.exists()
    }

    /// Replaces the file atomically: after a crash, it has either the old or the new content.
    pub(super) fn write(&self, content: &T) -> io::Result<()> {
        if content.is_empty() {
            self.remove();
            return Ok(());
        }
        let bytes = serde_json::to_vec(content)?;
        if bytes.len() > MOST {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        // Delete an existing temporary file, because it may be a symbolic link.
        let _ = fs::remove_file(&self.draft);
        let mut draft = new_file().open(&self.draft)?;
        draft
            .write_all(&bytes)
            .and_then(|()| fs::rename(&self.draft, &self.path))
            .inspect_err(|_| {
                let _ = fs::remove_file(&self.draft);
            })
    }

    pub(super) fn read(&self) -> Option<T> {
        self.read_any().filter(|content| self.is_own(content))
    }

    /// Reads the file, even if it belongs to another session.
    pub(super) fn read_any(&self) -> Option<T> {
        let mut bytes = Vec::new();
        self.open()?.read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn create(&self) -> io::Result<File> {
        self.remove();
        new_file().append(true).open(&self.path)
    }

    pub(super) fn open(&self) -> Option<impl Read + use<T>> {
        // Follow no link, and do not block on a FIFO.
        let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).ok()?;
        let file = OpenOptions::new()
            .read(true)
            .custom_flags(flags)
            .open(&self.path)
            .ok()?;
        let is_file = file.metadata().ok()?.is_file();
        is_file.then(|| file.take(MOST as u64))
    }

    pub(super) fn parse(&self, bytes: &[u8]) -> Option<T> {
        let content = serde_json::from_slice(bytes).ok();
        content.filter(|content| self.is_own(content))
    }

    fn is_own(&self, content: &T) -> bool {
        *content.session() == self.session
    }

    /// Removes the file. Ignores errors, because readers compare a remaining file with the log.
    pub(super) fn remove(&self) {
        let _ = fs::remove_file(&self.path);
        let _ = fs::remove_file(&self.draft);
    }
}

pub(super) fn remove_all(folder: &Folder, session: &SessionId) {
    Sidecar::<Arriving>::of(folder, session).remove();
    Sidecar::<Unsent>::of(folder, session).remove();
    Sidecar::<AllPrinted>::of(folder, session).remove();
    Sidecar::<FolderStates>::of(folder, session).remove();
}

fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).mode(0o600);
    options
}
