//! Errors of captures and of the store. Each message gives the path, the problem, and the remedy.

use std::io;
use std::path::{Path, PathBuf};

use benchdog_base::disk::bytes_text;

#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("could not {action} `{}`: {source}", path.display())]
    Io {
        action: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("the files in `{}` changed too fast for a checkpoint: try again", path.display())]
    Raced { path: PathBuf },
    #[error(
        "the files of the workspace need more than {} in `{}`: let git ignore large folders",
        bytes_text(*quota),
        path.display()
    )]
    Quota { quota: u64, path: PathBuf },
    #[error(transparent)]
    Damage(#[from] Damage),
}

/// An object that cannot be read from the store. All other objects are still usable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    #[error("the checkpoint store has no object {id}: its pack was removed")]
    Missing { id: String },
    #[error("the object {id} in `{}` is damaged ({reason}): this file cannot be restored to this checkpoint", pack.display())]
    Damaged {
        id: String,
        pack: PathBuf,
        reason: &'static str,
    },
    #[error("could not read `{}`: {reason}", pack.display())]
    Unreadable { pack: PathBuf, reason: String },
}

impl CheckpointError {
    pub(crate) fn io<E: Into<io::Error>>(action: &'static str, path: &Path) -> impl FnOnce(E) -> Self {
        let path = path.to_owned();
        move |source| Self::Io {
            action,
            path,
            source: source.into(),
        }
    }
}
