//! What git says of the folder: asked once when a session begins, beside everything else, and told with its first prompt.

use std::path::Path;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::context::repository;
use crate::domain::history::History;
use crate::files::git;
use crate::orchestrator::engine::Engine;

/// How long a first prompt waits for an answer that is not there yet.
const PATIENCE: Duration = Duration::from_millis(300);

pub(super) enum Repository {
    /// The answer is on its way.
    Asked(oneshot::Receiver<String>),
    /// It is here, and goes along with the next prompt that is taken.
    Known(String),
    /// There is none, or it was told.
    Nothing,
}

impl Repository {
    pub(super) fn ask(engine: &Engine, history: &History) -> Self {
        let root = engine.setup.workspace.root();
        let wanted = history.title().is_none() && git::top(root).is_some();
        if wanted {
            Self::Asked(asked(root))
        } else {
            Self::Nothing
        }
    }

    /// Whether a first prompt has it to take along.
    pub(super) fn is_due(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    pub(super) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Nothing)
    }

    pub(super) async fn note(self) -> Option<String> {
        match self {
            Self::Asked(answer) => tokio::time::timeout(PATIENCE, answer).await.ok()?.ok(),
            Self::Known(note) => Some(note),
            Self::Nothing => None,
        }
    }
}

fn asked(root: &Path) -> oneshot::Receiver<String> {
    let (answer, note) = oneshot::channel();
    let root = root.to_path_buf();
    tokio::task::spawn_blocking(move || {
        if let Some(state) = git::state(&root) {
            // The session may be gone meanwhile.
            let _ = answer.send(repository::note(state.branch.as_deref(), state.marks.files()));
        }
    });
    note
}
