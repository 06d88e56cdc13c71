//! Watches the files of a pending proposal. If a file changes, the proposal is rebuilt.
//!
//! If the proposal no longer fits the file, the old proposal stays on screen, but cannot be applied.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use crate::engine::{Engine, Line};
use crate::input::{Happened, ProposedAnew};
use crate::seat::Seat;
use crate::seat::calls::approver::Approver;
use crate::seat::calls::understood;
use benchdog_base::id::CallId;
use benchdog_domain::permission::{DecidedBy, Decision};
use benchdog_domain::review::FileNow;
use benchdog_files::watch::Watch;
use benchdog_protocol::{ApprovalRequest, Event, Live, OnDisk};
use benchdog_security::workspace::Workspace;
use benchdog_tools::{Prepared, Refusal, Stop, ToolContext, changed_since, read_now};

/// Delay after a file event, because an editor causes several events when it saves.
const GATHER: Duration = Duration::from_millis(200);
/// Minimum interval between two rebuilds of a proposal.
pub const PAUSE: Duration = Duration::from_secs(1);
/// Minimum interval between two rebuilds while the files keep changing.
pub const LONG_PAUSE: Duration = Duration::from_secs(10);
/// Number of changes in quick succession after which `LONG_PAUSE` applies.
pub const OFTEN: u32 = 5;
pub const SOON: Duration = Duration::from_secs(3);
/// Maximum time that a decision waits for a check of the files. Afterwards, only the write checks them.
pub const LOOK: Duration = Duration::from_millis(500);

/// Returns the context with the list of files that have changed since `first`. The tool uses this list.
pub(in crate::seat) fn against(cx: ToolContext, first: &[FileNow]) -> ToolContext {
    let saved_meanwhile = Arc::new(changed_since(&cx.workspace, first));
    ToolContext { saved_meanwhile, ..cx }
}

pub(in crate::seat) struct WatchedFiles {
    first: Vec<FileNow>,
    shown: Vec<FileNow>,
    /// Number of checks of the files so far. Only the result of the latest check is used.
    looks: u64,
    /// The person's decision about the shown edition. Set while the files are being checked.
    decided: Option<Decision>,
    changes: Changes,
    _watch: JoinSet<()>,
}

#[derive(Default, Clone, Copy)]
struct Changes {
    count: u32,
    last: Option<Instant>,
}

impl Changes {
    fn one_more(&mut self) {
        let soon = if self.never_end() { LONG_PAUSE + SOON } else { SOON };
        let is_soon = self.last.is_some_and(|last| last.elapsed() < soon);
        self.count = if is_soon { self.count + 1 } else { 1 };
        self.last = Some(Instant::now());
    }

    fn never_end(self) -> bool {
        self.count > OFTEN
    }

    fn pause(self) -> Duration {
        match self.last {
            None => Duration::ZERO,
            Some(_) if self.never_end() => LONG_PAUSE,
            Some(_) => PAUSE,
        }
    }
}

pub(crate) struct MadeAnew {
    call: CallId,
    look: u64,
    result: Result<Prepared, Refusal>,
}

impl Seat {
    /// Watches the files of a request from the time when it is shown until the decision.
    pub(in crate::seat) fn watch_asked(&mut self, engine: &Engine, event: &Event) {
        if let Event::Live(Live::ApprovalRequested(request)) = event
            && engine.setup.approver == Approver::Person
        {
            self.watch_files(engine, request);
        }
    }

    fn watch_files(&mut self, engine: &Engine, request: &ApprovalRequest) {
        let shown = request.review.files_now();
        if shown.is_empty() {
            return;
        }
        let workspace = self.workspace_with_buffers(engine);
        let (line, call) = (engine.line(self.id), request.call.clone());
        let Some(slot) = self.calls.get_mut(&request.call) else {
            return;
        };
        let Some(pending) = &mut slot.pending else {
            return;
        };
        let (first, looks, changes) = match pending.files.take() {
            Some(before) => (before.first, before.looks, before.changes),
            None if slot.previewed.is_empty() => (shown.clone(), 0, Changes::default()),
            None => (slot.previewed.clone(), 0, Changes::default()),
        };
        let mut watch = JoinSet::new();
        watch.spawn(look_after(workspace, shown.clone(), (line, call), changes));
        pending.files = Some(WatchedFiles {
            first,
            shown,
            looks,
            decided: None,
            changes,
            _watch: watch,
        });
    }

    /// Applies the person's decision. Ignores an approval of an outdated edition.
    ///
    /// If the files have changed, the proposal is rebuilt first. If that changes the proposal, the approval is not
    /// applied, and the new edition is shown.
    pub(crate) async fn decide(&mut self, engine: &mut Engine, call: CallId, edition: u32, decision: Decision) {
        let allows = matches!(
            decision,
            Decision::Once { .. } | Decision::Confined | Decision::Always { .. }
        );
        let asked = self.calls.request(&call).filter(|_| allows);
        if asked.is_some_and(|asked| asked.edition != edition) {
            return;
        }
        if asked.is_some() && self.is_another_on_disk(engine, &call).await {
            return self.make_anew(engine, &call, Some(decision));
        }
        let by = DecidedBy::User;
        self.feed(engine, Happened::Decided { call, decision, by }).await;
    }

    pub(crate) async fn expire(&mut self, engine: &mut Engine, call: CallId) {
        let decision = Decision::Deny { reason: None };
        if self.is_of_server(&call) {
            return self.answer_server(engine, &call, decision).await;
        }
        let by = DecidedBy::Timeout;
        self.feed(engine, Happened::Decided { call, decision, by }).await;
    }

    async fn is_another_on_disk(&self, engine: &Engine, call: &CallId) -> bool {
        let Some(watched) = self.calls.files(call) else {
            return false;
        };
        let (workspace, shown) = (self.workspace_with_buffers(engine), watched.shown.clone());
        let look = spawn_blocking(move || !changed_since(&workspace, &shown).is_empty());
        matches!(timeout(LOOK, look).await, Ok(Ok(true)))
    }

    pub(crate) fn on_files_saved(&mut self, engine: &Engine, call: &CallId) {
        if let Some(watched) = self.calls.files_mut(call) {
            watched.changes.one_more();
            self.make_anew(engine, call, None);
        }
    }

    /// Rebuilds the proposal for the current files. The decision `decided` applies if the proposal stays the same.
    fn make_anew(&mut self, engine: &Engine, id: &CallId, decided: Option<Decision>) {
        let Some(call) = self.machine.asked_about(id) else {
            return;
        };
        let (stopper, stop) = Stop::pair();
        let cx = self.tool_context(engine, stop, call.origin);
        let Some(watched) = self.calls.files_mut(id) else {
            return;
        };
        watched.looks += 1;
        watched.decided = decided.or(watched.decided.take());
        let (look, first) = (watched.looks, watched.first.clone());
        let (line, tools, call_id) = (engine.line(self.id), self.tools.clone(), id.clone());
        tokio::spawn(async move {
            let made = spawn_blocking(move || understood(&tools, call, &against(cx, &first)).1);
            let result = made
                .await
                .unwrap_or_else(|_| Err(Refusal::from(crate::seat::calls::broken())));
            let call = call_id;
            line.made_anew(MadeAnew { call, look, result }).await;
            drop(stopper);
        });
    }

    pub(crate) async fn on_made_anew(&mut self, engine: &mut Engine, made: MadeAnew) {
        let MadeAnew { call, look, result } = made;
        let Some(asked) = self.calls.request(&call).cloned() else {
            return;
        };
        let Some(watched) = self.calls.files_mut(&call).filter(|watched| watched.looks == look) else {
            return;
        };
        let (decided, changes) = (watched.decided.take(), watched.changes);
        let stands = match asked.edition {
            _ if changes.never_end() => OnDisk::KeepsChanging,
            0 => OnDisk::AsShown,
            _ => OnDisk::Newer,
        };
        match (result, decided) {
            (Ok(prepared), Some(decision)) if *prepared.review == asked.review => {
                self.decided(engine, call, decision).await
            }
            (Ok(prepared), None) if *prepared.review == asked.review => self.tell_stands(engine, &asked, stands).await,
            (Ok(prepared), _) if changes.never_end() => {
                self.show_anew(engine, prepared, OnDisk::KeepsChanging).await;
            }
            (Ok(prepared), _) => self.show_anew(engine, prepared, OnDisk::Newer).await,
            // Let the tool run: it reports the mismatch to the model, together with the current text.
            (Err(_), Some(decision)) => self.decided(engine, call, decision).await,
            (Err(_), None) => self.tell_stands(engine, &asked, OnDisk::FitsNot).await,
        }
    }

    async fn decided(&mut self, engine: &mut Engine, call: CallId, decision: Decision) {
        let by = DecidedBy::User;
        self.feed(engine, Happened::Decided { call, decision, by }).await;
    }

    async fn show_anew(&mut self, engine: &mut Engine, prepared: Prepared, on_disk: OnDisk) {
        let verdict = self.verdict(engine, &prepared).await;
        let proposed = ProposedAnew {
            call: prepared.call.clone(),
            review: Arc::clone(&prepared.review),
            verdict,
            understood: self.understood(&prepared),
            on_disk,
        };
        let call = prepared.call.clone();
        self.calls.slot(&call).prepared = Some(prepared);
        self.feed(engine, Happened::ProposedAnew(proposed)).await;
    }

    /// Sends the same proposal with a changed note about the files on disk. Hooks do not run again, because the
    /// proposal did not change.
    async fn tell_stands(&mut self, engine: &Engine, asked: &ApprovalRequest, on_disk: OnDisk) {
        if asked.on_disk != on_disk {
            let request = ApprovalRequest {
                on_disk,
                ..asked.clone()
            };
            let event = Event::Live(Live::ApprovalRequested(request.into()));
            self.note(&event);
            engine.tell(self.id, event).await;
        }
    }
}

/// Reports changes of the files until this future is dropped. If the folders cannot be watched, the files are checked
/// only when the person decides.
///
/// Counts all changes, so that `LONG_PAUSE` also applies if no new proposal is shown.
async fn look_after(
    workspace: Arc<Workspace>,
    shown: Vec<FileNow>,
    (line, call): (Line, CallId),
    mut changes: Changes,
) {
    sleep(changes.pause()).await;
    let Ok(watch) = Watch::of(workspace.root()) else { return };
    let mut known = shown;
    let (there, files) = (Arc::clone(&workspace), known.clone());
    for folder in spawn_blocking(move || folders(&there, &files))
        .await
        .unwrap_or_default()
    {
        let _ = watch.add(&folder);
    }
    loop {
        let (there, files) = (Arc::clone(&workspace), known.clone());
        let Ok(now) = spawn_blocking(move || read_now(&there, &files)).await else {
            return;
        };
        if now == known {
            if watch.changed().await.is_err() {
                return;
            }
            sleep(GATHER).await;
        } else {
            known = now;
            changes.one_more();
            line.files_saved(call.clone()).await;
            sleep(changes.pause()).await;
        }
    }
}

fn folders(workspace: &Workspace, files: &[FileNow]) -> BTreeSet<String> {
    let above = |path: &Path| path.parent().and_then(Path::to_str).map(str::to_owned);
    let of = |(path, _): &FileNow| {
        let real = workspace.resolve(path).ok().map(|found| found.absolute());
        [above(Path::new(path)), real.and_then(|real| above(&real))]
    };
    files.iter().flat_map(of).flatten().collect()
}

#[cfg(test)]
mod tests;
