//! Texts of files that are open in an editor and may have unsaved changes. A file has a buffer only if tools may write
//! it and the rules allow reading it. Secret files have none.

use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;

use rustix::fs::{Mode, OFlags};

use super::open::{Parents, open_file, parent_of};
use super::{Access, PathError, WorkPath, Workspace};

pub type Reply<T> = Pin<Box<dyn Future<Output = Result<T, Unanswered>> + Send>>;

/// Access to the files of an editor. Dropping a reply withdraws its request.
pub trait Buffers: Send + Sync {
    /// An editor may refuse if the file is not open in it.
    fn read(&self, path: PathBuf) -> Reply<String>;

    fn write(&self, path: PathBuf, text: String) -> Reply<()>;

    fn can_write(&self) -> bool;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unanswered {
    /// No answer in time, or the connection ended.
    Silent,
    Refused(String),
    /// The reason why the answer cannot be used.
    Unusable(String),
}

type May = dyn Fn(&WorkPath) -> bool + Send + Sync;

#[derive(Clone)]
pub(super) struct Guarded {
    buffers: Arc<dyn Buffers>,
    may_read: Arc<May>,
}

pub struct Buffer {
    buffers: Arc<dyn Buffers>,
    path: WorkPath,
}

impl Workspace {
    /// `may_read` returns whether the rules allow reading a file.
    #[must_use]
    pub fn with_buffers(
        &self,
        buffers: Arc<dyn Buffers>,
        may_read: impl Fn(&WorkPath) -> bool + Send + Sync + 'static,
    ) -> Self {
        let may_read = Arc::new(may_read);
        Self {
            buffers: Some(Guarded { buffers, may_read }),
            ..self.clone()
        }
    }
}

impl WorkPath {
    /// Returns the file's buffer if the editor may be asked about the file.
    pub fn buffer(&self) -> Option<Buffer> {
        let guarded = self.workspace.buffers.as_ref()?;
        let is_ours = |root: usize| {
            let root = self.workspace.roots.get(root);
            root.is_some_and(|root| matches!(root.access, Access::Write))
        };
        let is_asked = is_ours(self.named.root)
            && is_ours(self.real.root)
            && self.check_links().is_ok()
            && !self.is_secret()
            && (guarded.may_read)(self);
        is_asked.then(|| Buffer {
            buffers: Arc::clone(&guarded.buffers),
            path: self.clone(),
        })
    }

    /// Checks that tools may write the file, without writing it.
    pub fn may_be_written(&self) -> Result<(), PathError> {
        self.check_links()?;
        self.check_writable(&self.named)?;
        self.check_writable(&self.real)
    }

    /// Syncs the file to disk after another program has written it.
    pub fn sync(&self) -> Result<(), PathError> {
        self.check_links()?;
        let found = parent_of(&self.workspace, &self.real, Parents::Expect, self.shown())?;
        let (dir, name) = found.ok_or_else(|| self.error("not_a_file"))?;
        self.check_regular(&dir, &name)?;
        let file = open_file(&dir, &name, OFlags::RDONLY, Mode::empty()).map_err(|error| self.system(error))?;
        file.sync_all().map_err(|error| self.system(error))?;
        // Some file systems cannot sync a folder.
        let _ = rustix::fs::fsync(&dir);
        Ok(())
    }
}

impl Buffer {
    pub async fn read(&self) -> Result<String, Unanswered> {
        let text = self.buffers.read(self.path.absolute()).await?;
        self.check().map(|()| text)
    }

    pub async fn write(&self, text: String) -> Result<(), Unanswered> {
        self.buffers.write(self.path.absolute(), text).await?;
        self.check()
    }

    /// Checks that the path still leads to the same file, because the editor opened the file by its path.
    fn check(&self) -> Result<(), Unanswered> {
        match self.path.check_links().is_ok() && !self.path.is_secret() {
            true => Ok(()),
            false => Err(Unanswered::Unusable("the path leads to another file now".to_owned())),
        }
    }

    pub fn can_write(&self) -> bool {
        self.buffers.can_write()
    }
}
