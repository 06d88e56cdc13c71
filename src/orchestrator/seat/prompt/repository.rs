//! The repository note: git status and folder contents, read once per session and sent with the first prompt.

use std::path::Path;
use std::time::Duration;

use tokio::sync::oneshot;

use benchdog_base::environment::Environment;
use benchdog_context::repository::{self, State};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::note::Note;
use benchdog_files::git;

/// Maximum wait of a first prompt for the note.
const PATIENCE: Duration = Duration::from_millis(300);

const COMMITS: usize = 5;

/// Maximum names read from a folder. More are not counted.
const MOST_NAMES: usize = 1_000;

pub(in crate::seat) enum Repository {
    Asked(Answers),
    Known(String),
    /// There is no note, or it was sent.
    Nothing,
}

/// Separate answers, so that a late one delays no other.
pub(in crate::seat) struct Answers {
    state: oneshot::Receiver<State>,
    commits: oneshot::Receiver<Vec<String>>,
    names: oneshot::Receiver<Vec<String>>,
}

impl Repository {
    pub(in crate::seat) fn ask(root: &Path, history: &History) -> Self {
        if history.title().is_some() || git::top(root).is_none() {
            return Self::Nothing;
        }
        Self::Asked(Answers {
            state: asked(root, state),
            commits: asked(root, |root| Some(git::commits(root, COMMITS))),
            names: asked(root, names),
        })
    }

    pub(in crate::seat) fn is_due(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// Marks the note as sent if the entry contains it.
    pub(in crate::seat) fn logged(&mut self, entry: &Entry) {
        if let (Self::Known(note), Body::User { notes, .. }) = (&*self, &entry.body)
            && notes.contains(&Note::repository(note.clone()))
        {
            *self = Self::Nothing;
        }
    }

    pub(in crate::seat) fn known(&self) -> Option<String> {
        match self {
            Self::Known(note) => Some(note.clone()),
            Self::Asked(_) | Self::Nothing => None,
        }
    }

    pub(in crate::seat) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::Nothing)
    }

    pub(in crate::seat) async fn note(self) -> Option<String> {
        match self {
            Self::Asked(answers) => {
                let (state, commits, names) =
                    tokio::join!(in_time(answers.state), in_time(answers.commits), in_time(answers.names));
                repository::note(&repository::Repository {
                    state,
                    commits: commits.unwrap_or_default(),
                    names: names.unwrap_or_default(),
                })
            }
            Self::Known(note) => Some(note),
            Self::Nothing => None,
        }
    }
}

async fn in_time<T>(answer: oneshot::Receiver<T>) -> Option<T> {
    tokio::time::timeout(PATIENCE, answer).await.ok()?.ok()
}

fn asked<T: Send + 'static>(root: &Path, ask: fn(&Path) -> Option<T>) -> oneshot::Receiver<T> {
    let (answer, receiver) = oneshot::channel();
    let root = root.to_path_buf();
    tokio::task::spawn_blocking(move || {
        if let Some(said) = ask(&root) {
            // The session may be closed.
            let _ = answer.send(said);
        }
    });
    receiver
}

fn state(root: &Path) -> Option<State> {
    let git::State { branch, marks } = git::state(root)?;
    let files = marks.files().map(|(path, letter)| format!("{letter} {path}"));
    Some(State {
        branch,
        files: files.collect(),
    })
}

/// Returns `None` for the home folder and above, which hold several projects.
fn names(root: &Path) -> Option<Vec<String>> {
    let environment = Environment::of_process();
    let home = environment
        .get("HOME")
        .and_then(|home| std::fs::canonicalize(home).ok());
    if home.is_some_and(|home| home.starts_with(root)) {
        return None;
    }
    let entries = std::fs::read_dir(root).ok()?.flatten().take(MOST_NAMES);
    let shown = entries.filter_map(|entry| {
        let name = entry
            .file_name()
            .into_string()
            .ok()
            .filter(|name| !name.starts_with('.'))?;
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        Some(if is_folder { format!("{name}/") } else { name })
    });
    let mut names: Vec<String> = shown.collect();
    names.sort_unstable();
    Some(names)
}
