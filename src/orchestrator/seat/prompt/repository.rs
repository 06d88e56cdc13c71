//! The note to the model about the repository: git status, folder contents and the configured map. The note is built
//! once per session and sent with the first prompt.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use tokio::sync::oneshot;

use benchdog_context::repository::{self, State};
use benchdog_context::tokens;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::note::Note;
use benchdog_files::git;
use benchdog_search::workspace::Scope;
use benchdog_security::secrets::is_secret_path;
use benchdog_security::workspace::Workspace;
use benchdog_tools::search_semantic::holds_home;

/// Maximum time that a first prompt waits for each part of the note about the repository, except the map.
const PATIENCE: Duration = Duration::from_millis(300);

const COMMITS: usize = 5;

/// Maximum number of names read from a folder. Further names are ignored.
const MOST_NAMES: usize = 1_000;

pub(in crate::seat) enum Repository {
    Asked(Answers),
    Known(String),
    /// There is no note about the repository, or the note was already sent.
    Nothing,
}

/// Maximum time that a first prompt waits for the map, which is built from the time when the session opens.
const MAP_PATIENCE: Duration = Duration::from_secs(2);

pub(in crate::seat) struct Map {
    pub(in crate::seat) workspace: Arc<Workspace>,
    pub(in crate::seat) tokens: u64,
}

/// The parts of the note that are being built. Separate channels keep a slow part from delaying others.
pub(in crate::seat) struct Answers {
    state: oneshot::Receiver<State>,
    commits: oneshot::Receiver<Vec<String>>,
    names: oneshot::Receiver<Vec<String>>,
    map: Option<oneshot::Receiver<String>>,
}

impl Repository {
    pub(in crate::seat) fn ask(root: &Path, history: &History, map: Option<Map>) -> Self {
        let has_git = git::top(root).is_some();
        if history.title().is_some() || (!has_git && map.is_none()) {
            return Self::Nothing;
        }
        Self::Asked(Answers {
            state: asked(root, move |root| has_git.then(|| state(root)).flatten()),
            commits: asked(root, move |root| has_git.then(|| git::commits(root, COMMITS))),
            names: asked(root, move |root| has_git.then(|| names(root)).flatten()),
            map: map.map(|map| asked(root, move |root| map.drawn(root))),
        })
    }

    pub(in crate::seat) fn is_due(&self) -> bool {
        !matches!(self, Self::Nothing)
    }

    /// Marks the note as sent if this log entry contains the note.
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
                let map = async {
                    let drawn = tokio::time::timeout(MAP_PATIENCE, answers.map?).await;
                    drawn.ok()?.ok()
                };
                let (state, commits, names, map) = tokio::join!(
                    in_time(answers.state),
                    in_time(answers.commits),
                    in_time(answers.names),
                    map
                );
                repository::note(&repository::Repository {
                    state,
                    commits: commits.unwrap_or_default(),
                    names: names.unwrap_or_default(),
                    map,
                })
            }
            Self::Known(note) => Some(note),
            Self::Nothing => None,
        }
    }
}

impl Map {
    fn drawn(&self, root: &Path) -> Option<String> {
        if holds_home(root) {
            return None;
        }
        let folder = self.workspace.resolve(".").ok()?;
        let scope = Scope {
            root,
            cache: root,
            charset: folder.charset(),
            is_secret: &is_secret_path,
            is_secret_link: &|path| folder.is_secret_below(path),
            is_denied: &|_| false,
            embeddings: None,
            stop: &AtomicBool::new(false),
        };
        benchdog_search::map(&scope, self.tokens, &tokens::estimate)
    }
}

async fn in_time<T>(answer: oneshot::Receiver<T>) -> Option<T> {
    tokio::time::timeout(PATIENCE, answer).await.ok()?.ok()
}

fn asked<T: Send + 'static>(
    root: &Path,
    ask: impl FnOnce(&Path) -> Option<T> + Send + 'static,
) -> oneshot::Receiver<T> {
    let (answer, receiver) = oneshot::channel();
    let root = root.to_path_buf();
    tokio::task::spawn_blocking(move || {
        if let Some(said) = ask(&root) {
            // The receiver is gone if the session was closed.
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

fn names(root: &Path) -> Option<Vec<String>> {
    if holds_home(root) {
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
