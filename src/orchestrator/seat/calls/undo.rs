//! Undo, redo and rewind. Finds the changes that still apply, compares them with the files, and proposes the reversal.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::engine::Engine;
use crate::input::Happened;
use crate::seat::Seat;
use crate::seat::calls::bodies::body;
use benchdog_base::id::{BlobId, EntryId, SessionId};
use benchdog_domain::entry::Entry;
use benchdog_domain::job::JobId;
use benchdog_domain::notice::Notice;
use benchdog_domain::rewind::{self, Rewind};
use benchdog_domain::session::ForkedFrom;
use benchdog_domain::undo::{self, FileBack, FileBytes, NotUndone, Step, UndoNotice};
use benchdog_protocol::{Answer, Event, Live};
use benchdog_security::workspace::Workspace;
use benchdog_storage::Storage;
use benchdog_tools::undo::{Undoable, combined, look};

/// Maximum number of sessions to go back along a chain of copied sessions, in the search for changes.
const MOST_COPIES: usize = 16;

impl Seat {
    pub(crate) async fn undo(&mut self, engine: &mut Engine, path: Option<String>) {
        self.log_changes_of_jobs(engine).await;
        // Use the same form of the path as the log.
        let path = path.map(|path| {
            let found = self.workspace.resolve(&path);
            found.map_or(path, |found| found.shown().to_owned())
        });
        let steps = undo::steps(self.log.history().entries(), path.as_deref());
        self.search(engine, |search| search.first(undo::steps, steps, path))
            .await;
    }

    pub(crate) async fn redo(&mut self, engine: &mut Engine) {
        self.log_changes_of_jobs(engine).await;
        let find: Find = |log, _| undo::undone(log);
        let steps = find(self.log.history().entries(), None);
        self.search(engine, move |search| search.first(find, steps, None)).await;
    }

    pub(crate) async fn rewind_files(&mut self, engine: &mut Engine, prompt: EntryId, what: Rewind) {
        self.log_changes_of_jobs(engine).await;
        if what == Rewind::Both {
            let last = self.log.history().entries().last().map(|entry| entry.id);
            self.note_rewind(engine, last).await;
        }
        let mut steps = undo::steps(self.log.history().entries(), None);
        steps.retain(|step| step.entries.iter().all(|entry| *entry > prompt));
        self.search(engine, |search| search.all(steps)).await;
    }

    pub(crate) async fn list_rewind_points(&self, engine: &Engine) {
        let mut points = rewind::points(self.log.history().entries());
        let (heads, line) = (self.heads(engine), engine.line(self.id));
        tokio::spawn(async move {
            let prompts = points.iter().map(|point| point.prompt).collect();
            let moved = heads.await.moved_since(prompts).await;
            for (point, moved) in points.iter_mut().zip(moved) {
                point.head = moved;
            }
            line.tell(Event::Answer(Answer::RewindPoints(points))).await;
        });
    }

    /// Searches for changes on a separate task, which sends the notice and the proposal.
    async fn search<F>(&mut self, engine: &Engine, search: impl FnOnce(Search) -> F)
    where
        F: Future<Output = Found> + Send + 'static,
    {
        if self.machine.is_busy() {
            return engine.notice(self.id, Notice::Undo(UndoNotice::Busy)).await;
        }
        // After a failed write, the log on disk may lack some changes.
        if !self.log.is_saved() {
            let _ = self.commit(engine, &[], Vec::new()).await;
        }
        let found = search(Search {
            storage: engine.setup.storage.clone(),
            session: self.session.id.clone(),
            forked_from: self.session.forked_from.clone(),
            workspace: Arc::clone(&self.workspace),
            proposed: Arc::clone(&self.proposed_conflicts),
        });
        let (heads, line) = (self.heads(engine), engine.line(self.id));
        tokio::spawn(async move {
            let (notices, found) = found.await;
            if let Some(Happened::Undo { undoes, .. }) = &found {
                let oldest = undoes.iter().min().copied();
                let moved = heads.await.moved_since(oldest.into_iter().collect()).await;
                if let Some(moved) = moved.into_iter().flatten().next() {
                    line.tell(Event::Live(Live::Notice(Notice::Undo(UndoNotice::HeadMoved(moved)))))
                        .await;
                }
            }
            for notice in notices {
                line.tell(Event::Live(Live::Notice(Notice::Undo(notice)))).await;
            }
            if let Some(found) = found {
                line.happened(found).await;
            }
        });
    }
}

/// Adds files that cannot be undone to `stay`. A file that is already in `stay` keeps its first reason.
fn extend(stay: &mut Vec<(String, NotUndone)>, more: impl IntoIterator<Item = (String, NotUndone)>) {
    for (path, why) in more {
        if stay.iter().all(|(known, _)| *known != path) {
            stay.push((path, why));
        }
    }
}

/// Adds to `stay` the files that a background job changed. An undo leaves these files unchanged.
fn stay_of_job(stay: &mut Vec<(String, NotUndone)>, looked: Undoable, job: JobId) {
    if let Undoable::Yes { back, .. } = looked {
        extend(stay, back.into_iter().map(|path| (path, NotUndone::ByJob { job })));
    }
}

/// Finds the changes to undo in a log, for all files or for one file.
type Find = fn(&[Arc<Entry>], Option<&str>) -> Vec<Step>;

type Found = (Vec<UndoNotice>, Option<Happened>);

struct Search {
    storage: Storage,
    session: SessionId,
    forked_from: Option<Box<ForkedFrom>>,
    workspace: Arc<Workspace>,
    proposed: ProposedConflicts,
}

/// The changes for which a conflicting undo was proposed since the session was opened.
pub(in crate::seat) type ProposedConflicts = Arc<Mutex<BTreeSet<EntryId>>>;

/// A change that cannot be undone without replacing later changes.
struct Conflict {
    found: Happened,
    back: Vec<String>,
    entries: Vec<EntryId>,
    was_proposed: bool,
}

impl Search {
    /// Finds the newest change that can be undone, at least in part. Skips changes that were already undone.
    ///
    /// A change that cannot be undone also blocks older changes of its files, unless its conflicts were proposed
    /// before. If no change can be undone, proposes the newest change whose conflicts were not proposed before.
    ///
    /// If nothing is found, `find` searches the sessions from which this session was copied.
    async fn first(self, find: Find, steps: Vec<Step>, path: Option<String>) -> Found {
        let (mut stay, mut names) = (Vec::new(), BTreeSet::new());
        let mut conflict = None::<Conflict>;
        for step in steps {
            let named = step.names();
            if !named.is_disjoint(&names) {
                names.extend(named);
                continue;
            }
            let (files, not_kept) = self.with_bytes(step.files).await;
            let (files, looked) = self.looked(files).await;
            // The person may have made the changes during a job. Undo them only if the person named the file.
            if let Some(job) = step.job.filter(|_| path.is_none()) {
                stay_of_job(&mut stay, looked, job);
                continue;
            }
            let (left, back) = match looked {
                Undoable::IsBack if not_kept.is_empty() => continue,
                Undoable::IsBack => (Vec::new(), Vec::new()),
                Undoable::No(left) => (left, Vec::new()),
                Undoable::Yes { back, left } => (left, back),
                Undoable::Conflicts { back, left } => {
                    let this = self.conflict(&step.entries, files, back);
                    let named = if this.was_proposed { BTreeSet::new() } else { named };
                    names.extend(named);
                    let changed = this.back.iter().map(|path| (path.clone(), NotUndone::Changed));
                    extend(&mut stay, changed.chain(left).chain(not_kept));
                    if conflict
                        .as_ref()
                        .is_none_or(|newer| newer.was_proposed && !this.was_proposed)
                    {
                        conflict = Some(this);
                    }
                    continue;
                }
            };
            let is_older = !stay.is_empty();
            // A change of file permissions does not prevent undoing an older change of lines.
            let has_lines = |(_, why): &(String, NotUndone)| !matches!(why, NotUndone::ModeAlone { .. });
            let is_in_the_way = left.iter().chain(&not_kept).any(has_lines);
            extend(&mut stay, left.into_iter().chain(not_kept));
            if back.is_empty() {
                names.extend(named.into_iter().filter(|_| is_in_the_way));
                continue;
            }
            let notice = match (is_older, stay.is_empty()) {
                (true, _) => Some(UndoNotice::Older { files: stay }),
                (false, true) => None,
                (false, false) => Some(UndoNotice::Without { files: stay }),
            };
            let of_command = step.is_of_command.then_some(UndoNotice::DuringCommand);
            let notices = of_command.into_iter().chain(notice).collect();
            let back: Vec<&str> = back.iter().map(String::as_str).collect();
            let (line, undoes) = (undo::line(&back), step.entries);
            return (notices, Some(Happened::Undo { line, undoes, files }));
        }
        if let Some(conflict) = conflict {
            stay.retain(|(path, _)| !conflict.back.contains(path));
            self.proposed().extend(conflict.entries);
            let notice = (!stay.is_empty()).then_some(UndoNotice::Without { files: stay });
            return (notice.into_iter().collect(), Some(conflict.found));
        }
        let earlier = self.earlier_session(find, path.as_deref()).await;
        let notice = match stay.is_empty() {
            true => UndoNotice::Nothing { path },
            false => UndoNotice::No { files: stay },
        };
        ([notice].into_iter().chain(earlier).collect(), None)
    }

    fn conflict(&self, entries: &[EntryId], files: Vec<FileBytes>, back: Vec<String>) -> Conflict {
        let names: Vec<&str> = back.iter().map(String::as_str).collect();
        let entries = entries.to_vec();
        Conflict {
            was_proposed: entries.iter().all(|entry| self.proposed().contains(entry)),
            found: Happened::Undo {
                line: undo::line(&names),
                undoes: entries.clone(),
                files,
            },
            back,
            entries,
        }
    }

    fn proposed(&self) -> MutexGuard<'_, BTreeSet<EntryId>> {
        self.proposed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Finds a session from which this session was copied, and which has later changes.
    async fn earlier_session(&self, find: Find, path: Option<&str>) -> Option<UndoNotice> {
        let mut from = self.forked_from.clone();
        // The links in a damaged file may form a cycle.
        for _ in 0..MOST_COPIES {
            let ForkedFrom { session, entry } = *from?;
            let (meta, mut log) = self.storage.read_session(&session).await.ok()?;
            log.retain(|later| entry.is_some_and(|last| later.id > last));
            if !find(&log, path).is_empty() {
                let title = meta.title;
                return Some(UndoNotice::EarlierSession { session, title });
            }
            from = meta.forked_from;
        }
        None
    }

    async fn all(self, steps: Vec<Step>) -> Found {
        let (mut changes, mut undoes, mut stay) = (Vec::new(), Vec::new(), Vec::new());
        let mut of_command = None;
        for step in steps {
            let (files, not_kept) = self.with_bytes(step.files).await;
            if let Some(job) = step.job {
                stay_of_job(&mut stay, self.looked(files).await.1, job);
                continue;
            }
            of_command = of_command.or(step.is_of_command.then_some(UndoNotice::DuringCommand));
            undoes.extend(step.entries);
            changes.push(files);
            extend(&mut stay, not_kept);
        }
        let (files, left) = tokio::task::spawn_blocking(move || combined(changes))
            .await
            .unwrap_or_default();
        extend(&mut stay, left);
        let (files, looked) = self.looked(files).await;
        let (left, back) = match looked {
            Undoable::IsBack => (Vec::new(), Vec::new()),
            Undoable::No(left) => (left, Vec::new()),
            Undoable::Yes { back, left } | Undoable::Conflicts { back, left } => (left, back),
        };
        extend(&mut stay, left);
        let notice = match (back.is_empty(), stay.is_empty()) {
            (true, true) => Some(UndoNotice::Nothing { path: None }),
            (true, false) => Some(UndoNotice::No { files: stay }),
            (false, true) => None,
            (false, false) => Some(UndoNotice::Without { files: stay }),
        };
        let names: Vec<&str> = back.iter().map(String::as_str).collect();
        let line = undo::line(&names);
        let found = (!back.is_empty()).then_some(Happened::Undo { line, undoes, files });
        let of_command = of_command.filter(|_| found.is_some());
        (of_command.into_iter().chain(notice).collect(), found)
    }

    async fn with_bytes(&self, files: Vec<FileBack<BlobId>>) -> (Vec<FileBytes>, Vec<(String, NotUndone)>) {
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for file in files {
            let was = body(&self.storage, &self.session, file.was.as_ref()).await;
            let became = body(&self.storage, &self.session, file.became.as_ref()).await;
            match (was, became) {
                (Ok(was), Ok(became)) => found.push(FileBytes {
                    path: file.path,
                    moved_to: file.moved_to,
                    was,
                    became,
                    mode_before: file.mode_before,
                }),
                _ => missing.push((file.path, NotUndone::NotKept)),
            }
        }
        (found, missing)
    }

    async fn looked(&self, files: Vec<FileBytes>) -> (Vec<FileBytes>, Undoable) {
        let workspace = Arc::clone(&self.workspace);
        let paths: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        let looked = tokio::task::spawn_blocking(move || {
            let looked = look(&files, &workspace);
            (files, looked)
        });
        looked.await.unwrap_or_else(|broke| {
            let error = broke.to_string();
            let unread = |path| (path, NotUndone::Unreadable { error: error.clone() });
            (Vec::new(), Undoable::No(paths.into_iter().map(unread).collect()))
        })
    }
}
