//! Seats in worktrees: creates or finds a worktree, and opens a session in it.

use std::path::{Path, PathBuf};

use super::seats::Seats;
use super::{Engine, FolderId, OpenWhat, ProjectLayer, Report};
use crate::input::Happened;
use crate::seat::Begin;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_context::rules::ProjectRules;
use benchdog_domain::notice::Notice;
use benchdog_domain::worktree::{NoWorktree, Worktree, WorktreeNotice};
use benchdog_files::worktree::{Changes, Filters, Made, Repository};
use benchdog_protocol::{Answer, Event, Live};

pub(crate) enum WorktreeCame {
    Opened(Result<Made, NoWorktree>),
    Compared(Result<Changes, NoWorktree>),
    Removed {
        name: String,
        result: Result<(), NotRemoved>,
    },
}

pub(crate) enum NotRemoved {
    Changed,
    No(NoWorktree),
}

impl Engine {
    fn repository(&self, of: FolderId) -> impl FnOnce() -> Result<Repository, NoWorktree> + Send + 'static {
        let (root, kept) = (self.at(of).root().to_path_buf(), self.setup.folders.worktrees());
        move || Repository::of(&root, &kept)
    }

    pub(super) fn make_worktree(&self, (seat, of): (SeatId, FolderId), name: Option<String>) {
        let trusted = self.at(of).project == ProjectRules::Counted || self.setup.project == ProjectLayer::Trust;
        let filters = if trusted { Filters::Run } else { Filters::Refuse };
        let (repository, reports) = (self.repository(of), self.reports());
        tokio::task::spawn_blocking(move || {
            let made = repository().and_then(|repository| repository.open(name.as_deref(), filters));
            let came = WorktreeCame::Opened(made);
            let _ = reports.blocking_send(Report::Worktree { seat, came });
        });
    }

    pub(super) fn compare_worktree(&self, (seat, of): (SeatId, FolderId), name: Option<String>) {
        let name = name.or_else(|| self.worktree(of)).ok_or(NoWorktree::NotInOne);
        let (repository, reports) = (self.repository(of), self.reports());
        tokio::task::spawn_blocking(move || {
            let came = WorktreeCame::Compared(name.and_then(|name| repository()?.changes(&name)));
            let _ = reports.blocking_send(Report::Worktree { seat, came });
        });
    }

    pub(super) fn list_worktrees(&self, (seat, of): (SeatId, FolderId)) {
        let (repository, line) = (self.repository(of), self.line(seat));
        tokio::task::spawn_blocking(move || match repository().and_then(|repository| repository.list()) {
            Ok(worktrees) => line.tell_blocking(Answer::Worktrees(worktrees)),
            Err(why) => line.say_blocking(Live::Notice(Notice::Worktree(WorktreeNotice::No(why)))),
        });
    }

    /// Fails if the worktree has changed since the person confirmed.
    fn remove_worktree(&self, (seat, of): (SeatId, FolderId), shown: Worktree) {
        let (repository, reports) = (self.repository(of), self.reports());
        tokio::task::spawn_blocking(move || {
            let result = repository()
                .and_then(|repository| Ok((repository.list()?, repository)))
                .map_err(NotRemoved::No)
                .and_then(|(now, repository)| {
                    if !now.contains(&shown) {
                        return Err(NotRemoved::Changed);
                    }
                    repository.remove(&shown).map_err(NotRemoved::No)
                });
            let came = WorktreeCame::Removed {
                name: shown.name,
                result,
            };
            let _ = reports.blocking_send(Report::Worktree { seat, came });
        });
    }

    pub(super) fn open_folder(&mut self, root: &Path) -> Result<FolderId, NoWorktree> {
        if let Some(of) = self.folders.find(root) {
            return Ok(of);
        }
        let setup = (self.setup.open_folder)(root).map_err(|said| NoWorktree::Failed { said })?;
        Ok(self.folders.add(setup))
    }

    pub(crate) fn worktree(&self, of: FolderId) -> Option<String> {
        let root = self.at(of).root();
        let kept = std::fs::canonicalize(self.setup.folders.worktrees()).ok()?;
        let name = root.starts_with(kept).then(|| root.file_name()).flatten()?;
        Some(name.to_string_lossy().into_owned())
    }

    /// Returns the folder in which to open a stored session. This is the session's own folder if it is open or an
    /// existing worktree, and otherwise `from`.
    pub(super) async fn folder_of_session(&mut self, session: &SessionId, from: FolderId) -> FolderId {
        let listed = self.setup.storage.list().await.unwrap_or_default();
        let Some(meta) = listed.into_iter().find(|meta| meta.id == *session) else {
            return from;
        };
        let root = PathBuf::from(meta.workspace);
        if let Some(of) = self.folders.find(&root) {
            return of;
        }
        let kept = std::fs::canonicalize(self.setup.folders.worktrees());
        if kept.is_ok_and(|kept| root.starts_with(kept)) && root.is_dir() {
            return self.open_folder(&root).unwrap_or(from);
        }
        from
    }
}

impl Seats {
    pub(super) async fn on_worktree(&mut self, engine: &mut Engine, seat: SeatId, came: WorktreeCame) {
        match came {
            WorktreeCame::Opened(Ok(made)) => self.open_in_worktree(engine, seat, made).await,
            WorktreeCame::Opened(Err(why)) => engine.notice(seat, Notice::Worktree(WorktreeNotice::No(why))).await,
            WorktreeCame::Compared(Ok(changes)) => self.propose(engine, seat, changes).await,
            WorktreeCame::Compared(Err(why)) => engine.notice(seat, Notice::Worktree(WorktreeNotice::No(why))).await,
            WorktreeCame::Removed { name: worktree, result } => {
                let notice = match result {
                    Ok(()) => Notice::Worktree(WorktreeNotice::Removed { worktree }),
                    Err(NotRemoved::Changed) => Notice::Worktree(WorktreeNotice::Changed { worktree }),
                    Err(NotRemoved::No(why)) => Notice::Worktree(WorktreeNotice::No(why)),
                };
                engine.notice(seat, notice).await;
            }
        }
    }

    async fn open_in_worktree(&mut self, engine: &mut Engine, from: SeatId, made: Made) {
        let of = match engine.open_folder(&made.path) {
            Ok(of) => of,
            Err(why) => return engine.notice(from, Notice::Worktree(WorktreeNotice::No(why))).await,
        };
        if let Some(open) = self.in_folder(of) {
            return engine.answer(from, Answer::Beside(open)).await;
        }
        let newest = engine
            .setup
            .storage
            .newest_in(&engine.at(of).name(), None)
            .await
            .ok()
            .flatten();
        let what = newest.map_or(OpenWhat::New, |meta| OpenWhat::Exactly(meta.id));
        let opened = self.open_in((engine, of), from, what).await;
        if let (Some(id), Some(left_out)) = (opened, made.left_out) {
            let (worktree, branch) = (made.name, made.branch);
            let notice = Notice::Worktree(WorktreeNotice::Made {
                worktree,
                branch,
                left_out,
            });
            engine.notice(id, notice).await;
        }
    }

    async fn propose(&mut self, engine: &mut Engine, from: SeatId, changes: Changes) {
        let Changes {
            branch,
            main,
            patch,
            binary: files,
        } = changes;
        if patch.is_empty() {
            let notice = if files.is_empty() {
                Notice::Worktree(WorktreeNotice::NothingToMerge { branch })
            } else {
                Notice::Worktree(WorktreeNotice::NotMerged { files })
            };
            return engine.notice(from, notice).await;
        }
        let of = match engine.open_folder(&main) {
            Ok(of) => of,
            Err(why) => return engine.notice(from, Notice::Worktree(WorktreeNotice::No(why))).await,
        };
        let seat = match self.in_folder_at_rest(engine, of, from) {
            Some(open) if open == from => Some(open),
            Some(open) => {
                engine.answer(from, Answer::Beside(open)).await;
                Some(open)
            }
            None => self.open_in((engine, of), from, OpenWhat::New).await,
        };
        let Some(id) = seat else { return };
        if id != from {
            let (branch, folder) = (branch.clone(), main.display().to_string());
            let notice = Notice::Worktree(WorktreeNotice::MergedHere { branch, folder });
            engine.notice(id, notice).await;
        }
        if !files.is_empty() {
            engine
                .notice(id, Notice::Worktree(WorktreeNotice::NotMerged { files }))
                .await;
        }
        if let Some(seat) = self.get(id) {
            let line = ["merge", &branch].join(" ");
            seat.feed(engine, Happened::Merge { line, patch }).await;
        }
    }

    pub(super) async fn open_in(
        &mut self,
        (engine, of): (&mut Engine, FolderId),
        from: SeatId,
        what: OpenWhat,
    ) -> Option<SeatId> {
        if !self.has_room(engine, from).await {
            return None;
        }
        let model = self.model_for(engine, from, of);
        let id = self.next();
        // The trust in a new folder must be decided before anything uses the folder.
        let is_new = engine.at(of).survey.is_none();
        let mut wrong = None;
        if is_new {
            engine.answer(from, Answer::Beside(id)).await;
            wrong = engine.settle_trust(id, of).await;
        }
        let begin = match Begin::by((engine, of), id, what, model).await {
            Ok(begin) => begin,
            Err(error) => {
                engine.storage_failed(from, &error).await;
                if is_new {
                    engine.answer(id, Answer::Closed).await;
                }
                return None;
            }
        };
        if !is_new {
            engine.answer(from, Answer::Beside(id)).await;
        }
        self.take(engine, id, begin).await;
        if let Some(seat) = self.get(id) {
            seat.warm_up(engine);
        }
        if let Some(wrong) = wrong {
            engine.notice(id, Notice::Config(wrong)).await;
        }
        Some(id)
    }

    pub(super) async fn remove_worktree(&mut self, engine: &mut Engine, id: SeatId, shown: Worktree) {
        let Some(of) = self.get(id).map(|seat| seat.folder()) else {
            return;
        };
        let path = PathBuf::from(&shown.path);
        let used = self.all().any(|seat| engine.at(seat.folder()).root() == path);
        if used {
            let name = shown.name;
            let notice = Notice::Worktree(WorktreeNotice::No(NoWorktree::InUse { name }));
            return engine.tell(id, Event::Live(Live::Notice(notice))).await;
        }
        engine.remove_worktree((id, of), shown);
    }
}
