//! Errors of task folders, results and runs.

use std::io;
use std::path::{Path, PathBuf};

use super::task::Flaw;

/// A folder that looks like a task but cannot be run.
#[derive(Debug, thiserror::Error)]
#[error("`{}`: {flaw}", folder.display())]
pub struct TaskError {
    folder: PathBuf,
    flaw: Flaw,
}

impl TaskError {
    pub(crate) fn new(folder: &Path, flaw: Flaw) -> Self {
        Self {
            folder: folder.to_path_buf(),
            flaw,
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum SkipReason {
    #[error("needs `{0}`, which is not in `PATH`")]
    Programs(String),
    #[error("needs a container, and only tasks in a plain folder run here")]
    Container,
}

/// A reason why a run has no result.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("`{}` cannot be used: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("`{}` is a link or a special file, which is not copied", .0.display())]
    Special(PathBuf),
    #[error("`{}` has more than {most} files or 1 GiB", folder.display())]
    Large { folder: PathBuf, most: u64 },
    #[error("the sandbox of the check is not available: {0}")]
    Sandbox(String),
    #[error("the check did not start: {0}")]
    Check(String),
    #[error("the agent did not start: {0}")]
    Start(String),
    #[error("the agent ended before its answer{}", said(.0))]
    NoAnswer(String),
    #[error("the agent answered with an error: {0}")]
    Answer(String),
    #[error("the agent is not signed in: {0}")]
    NotSignedIn(String),
    #[error("the agent wrote a line of more than 16 MiB")]
    LongLine,
}

impl RunError {
    /// Adds the path to an I/O error.
    pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        |error| Self::File { path, error }
    }
}

fn said(errors: &str) -> String {
    let last = errors.trim().lines().last().unwrap_or_default();
    if last.is_empty() {
        String::new()
    } else {
        format!(": {last}")
    }
}
