//! States of a session's folder: recorded at each prompt and end of a turn, and compared after a resume.
//!
//! The states are used only for reports. Separate tasks read git and the disk. Only the exit waits for them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::timeout;

use super::{Access, Seat};
use crate::engine::{Engine, IfShut};
use crate::seat::calls::command_changes::CommandChanges;
use benchdog_base::id::EntryId;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::folder::{CheckpointAt, FolderChanges, FolderStates, Head, HeadMoved};
use benchdog_domain::notice::Notice;
use benchdog_domain::rewind;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::tool::CallStatus;
use benchdog_domain::undo::UndoNotice;
use benchdog_files::git;
use benchdog_protocol::{Event, Live};
use benchdog_storage::Storage;

/// Maximum time that the exit waits for the checkpoint after the last turn. Without that checkpoint, the next resume
/// cannot report changed files.
const LAST_CHECKPOINT: Duration = Duration::from_secs(1);

/// Time limit for comparing the folder with its stored state when a session is resumed.
const PATIENCE: Duration = Duration::from_secs(30);

/// The stored folder states of a session, read at first use. Clones share the data.
#[derive(Clone)]
struct Shared {
    storage: Storage,
    session: SessionMeta,
    root: PathBuf,
    states: Arc<Mutex<Option<FolderStates>>>,
}

#[derive(Default)]
pub(super) struct FolderNotes {
    states: Arc<Mutex<Option<FolderStates>>>,
    tasks: JoinSet<()>,
    /// Whether a prompt was sent after the session was opened.
    has_begun: Arc<AtomicBool>,
}

impl FolderNotes {
    pub(super) async fn end(&mut self) {
        let all = async { while self.tasks.join_next().await.is_some() {} };
        let _ = timeout(LAST_CHECKPOINT, all).await;
    }
}

impl Shared {
    /// Changes the stored states. Changes to the states of one session run one after the other.
    async fn change(&self, change: impl FnOnce(&mut FolderStates)) {
        let mut held = self.states.lock().await;
        let states = self.read(&mut held).await;
        let before = states.clone();
        change(states);
        if *states != before {
            self.storage.keep_folder_states(states.clone()).await;
        }
    }

    async fn get(&self) -> FolderStates {
        let mut held = self.states.lock().await;
        self.read(&mut held).await.clone()
    }

    async fn read<'h>(&self, held: &'h mut Option<FolderStates>) -> &'h mut FolderStates {
        if held.is_none() {
            *held = self.stored().await;
        }
        let root = self.root.to_string_lossy().into_owned();
        held.get_or_insert_with(|| FolderStates::new(self.session.id.clone(), root))
    }

    /// Returns the stored states of the session. For a copied session without states, returns those of the original
    /// session. `None` if the states describe another folder.
    async fn stored(&self) -> Option<FolderStates> {
        let own = self.storage.folder_states(&self.session.id).await;
        let states = match (own, &self.session.forked_from) {
            (Some(own), _) => Some(own),
            (None, Some(from)) => {
                let states = self.storage.folder_states(&from.session).await;
                states.map(|mut states| {
                    states
                        .heads
                        .retain(|at| from.entry.is_none_or(|entry| at.after <= entry));
                    FolderStates {
                        session: self.session.id.clone(),
                        checkpoint: None,
                        rewind_after: None,
                        ..states
                    }
                })
            }
            (None, None) => None,
        };
        states.filter(|states| *states.root == *self.root.to_string_lossy())
    }
}

/// Recorded positions of `HEAD`, to compare with the current position.
pub(super) struct Heads {
    root: PathBuf,
    states: FolderStates,
}

impl Heads {
    /// Returns for each entry how `HEAD` has moved since the entry was logged.
    pub(super) async fn moved_since(self, entries: Vec<EntryId>) -> Vec<Option<HeadMoved>> {
        let look = move || {
            let is = git::head(&self.root);
            let mut known: Vec<(Head, Option<HeadMoved>)> = Vec::new();
            let mut moved = |head: &Head| {
                if let Some((_, moved)) = known.iter().find(|(of, _)| of == head) {
                    return moved.clone();
                }
                let moved = is.as_ref().and_then(|is| git::head_moved(&self.root, head, is));
                known.push((head.clone(), moved.clone()));
                moved
            };
            let heads = entries.iter().map(|entry| self.states.head_at(*entry));
            heads.map(|head| head.and_then(&mut moved)).collect()
        };
        spawn_blocking(look).await.unwrap_or_default()
    }
}

impl Seat {
    fn folder_states(&self, engine: &Engine) -> Shared {
        Shared {
            storage: engine.setup.storage.clone(),
            session: self.session.clone(),
            root: engine.at(self.folder()).root().to_owned(),
            states: Arc::clone(&self.folder_notes.states),
        }
    }

    pub(super) fn heads(&self, engine: &Engine) -> impl Future<Output = Heads> + Send + use<> {
        let shared = self.folder_states(engine);
        async move {
            Heads {
                states: shared.get().await,
                root: shared.root,
            }
        }
    }

    /// Records `HEAD` at a prompt, and `HEAD` with a checkpoint at the end of a turn. Does nothing for a subagent,
    /// whose work is part of the parent's turn.
    pub(super) fn note_folder(&mut self, engine: &Engine, event: &Event) {
        let Event::Fact(entry) = event else { return };
        let is_end = match entry.body {
            Body::User { .. } => false,
            Body::TurnEnded { .. } => true,
            _ => return,
        };
        if self.above.is_some() || self.access != Access::Writable {
            return;
        }
        self.folder_notes.has_begun.store(true, Ordering::Relaxed);
        let (shared, after) = (self.folder_states(engine), entry.id);
        let newest = self.log.history().entries().iter().rev();
        let mut of_turn = newest.take_while(|other| other.turn == entry.turn);
        let has_changed = of_turn.any(|entry| matches!(entry.body, Body::Change { .. }));
        let checkpoints = is_end.then(|| engine.at(self.folder()).command_changes.clone());
        while self.folder_notes.tasks.try_join_next().is_some() {}
        self.folder_notes.tasks.spawn(async move {
            let root = shared.root.clone();
            let head = spawn_blocking(move || git::head(&root)).await.ok().flatten();
            let tree = match checkpoints {
                Some(checkpoints) => checkpoints.checkpoint(has_changed).await,
                None => None,
            };
            let change = |states: &mut FolderStates| {
                if let Some(head) = head {
                    states.note_head(after, head);
                }
                if let Some(tree) = tree {
                    states.checkpoint = Some(CheckpointAt { after, tree });
                }
            };
            shared.change(change).await;
        });
    }

    /// Reports the files that have changed since the session's last checkpoint, and whether `HEAD` has moved.
    pub(crate) fn report_folder_changes(&self, engine: &Engine) {
        let entries = self.log.history().entries();
        if engine.setup.if_shut == IfShut::End || self.above.is_some() || entries.is_empty() {
            return;
        }
        let last_change = entries
            .iter()
            .rev()
            .find(|entry| may_change(entry))
            .map(|entry| entry.id);
        let (shared, line) = (self.folder_states(engine), engine.line(self.id));
        let checkpoints = engine.at(self.folder()).command_changes.clone();
        let has_begun = Arc::clone(&self.folder_notes.has_begun);
        tokio::spawn(async move {
            let found = timeout(PATIENCE, folder_changes(&shared, &checkpoints, last_change)).await;
            // After a prompt, the agent may have changed the files itself, so report nothing.
            if let Ok(Some(changes)) = found
                && !has_begun.load(Ordering::Relaxed)
            {
                line.tell(Event::Live(Live::Notice(Notice::Folder(changes)))).await;
            }
        });
    }
}

impl Seat {
    /// Stores the beginning or the end of a rewind of files and conversation.
    pub(crate) async fn note_rewind(&self, engine: &Engine, after: Option<EntryId>) {
        let change = |states: &mut FolderStates| states.rewind_after = after;
        self.folder_states(engine).change(change).await;
    }

    /// Reports a rewind that restored the files but not the conversation. Reports nothing after the next prompt.
    pub(crate) fn report_unfinished_rewind(&self, engine: &Engine) {
        let undos = rewind::undos_since_prompt(self.log.history().entries());
        if undos.is_empty() {
            return;
        }
        let (shared, line) = (self.folder_states(engine), engine.line(self.id));
        tokio::spawn(async move {
            let Some(after) = shared.get().await.rewind_after else {
                return;
            };
            // The first undo since the rewind began is part of it. After a crash, the result of the undo may be
            // unknown.
            let first = undos.into_iter().rfind(|(undo, _)| *undo > after);
            if first.is_some_and(|(_, status)| matches!(status, CallStatus::Ok | CallStatus::Cancelled)) {
                let notice = Notice::Undo(UndoNotice::RewindUnfinished);
                line.tell(Event::Live(Live::Notice(notice))).await;
            }
        });
    }
}

fn may_change(entry: &Entry) -> bool {
    matches!(
        entry.body,
        Body::Change { .. } | Body::CallStarted { .. } | Body::Shell { .. }
    )
}

async fn folder_changes(
    shared: &Shared,
    checkpoints: &CommandChanges,
    last_change: Option<EntryId>,
) -> Option<FolderChanges> {
    let states = shared.get().await;
    let (root, was) = (shared.root.clone(), states.last_head().cloned());
    let head = spawn_blocking(move || git::head_moved(&root, &was?, &git::head(&root)?))
        .await
        .ok()
        .flatten();
    // After a crash, the last checkpoint may be older than the session's own changes. Ignore such a checkpoint.
    let checkpoint = states
        .checkpoint
        .filter(|at| last_change.is_none_or(|last| last <= at.after));
    let files = match checkpoint {
        Some(at) => checkpoints.changed_since(&at.tree).await,
        None => None,
    };
    let (files, names) = files.unwrap_or_default();
    (files > 0 || head.is_some()).then_some(FolderChanges { files, names, head })
}
