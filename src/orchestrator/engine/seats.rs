//! Holds the open seats, routes commands and reports to them, and replaces the session of a seat.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

use super::children::Children;
use super::models::Asking;
use super::{Engine, FolderId, IfShut, OpenWhat, Report};
use crate::seat::{Begin, Seat, voice};
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, SeatId, SessionId};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::entry::Body;
use benchdog_domain::notice::Notice;
use benchdog_domain::watch::NotWatched;
use benchdog_protocol::{Answer, Command, IfBusy, Order};
use benchdog_storage::{DraftOf, StorageError, trash};
use benchdog_tools::scratch;

pub(super) const FIRST: SeatId = SeatId(1);

const HOME: FolderId = FolderId::HOME;

/// Maximum number of seats, because each seat holds a session in memory.
const MOST: usize = 16;

/// Maximum time that the exit waits for running calls to end.
const LAST_WORDS: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(crate) struct Seats {
    open: BTreeMap<SeatId, Seat>,
    /// The id of the newest seat. Ids are not reused.
    last: Option<SeatId>,
    /// Maps each replaced seat to its successor. Commands to a replaced seat are forwarded.
    replaced: BTreeMap<SeatId, SeatId>,
    pub(super) children: Children,
    closing: BTreeSet<SeatId>,
    /// For each seat, the latest unfinished check of a model that the person named.
    pub(super) asking: BTreeMap<SeatId, Asking>,
}

impl Seats {
    /// Opens the first seat. Returns an error only if no person is present who can choose another session.
    pub(super) async fn open_first(&mut self, engine: &mut Engine) -> Result<(), StorageError> {
        self.last = Some(FIRST);
        let wrong = engine.settle_trust(FIRST, HOME).await;
        // Send the display settings first, because the first frame needs them.
        engine.tell_look(FIRST).await;
        let what = engine.setup.open.clone();
        let model = engine.model.clone();
        match Begin::by((engine, HOME), FIRST, what, model.clone()).await {
            Ok(begin) => self.take(engine, FIRST, begin).await,
            Err(error) if engine.setup.if_shut == IfShut::End => {
                engine.storage_failed(FIRST, &error).await;
                return Err(error);
            }
            Err(error) => {
                // Show an empty session. Benchdog writes nothing until the person chooses a session.
                let begin = Begin::shut(engine, HOME, model).await;
                self.take(engine, FIRST, begin).await;
                engine.storage_failed(FIRST, &error).await;
            }
        }
        self.look_for_a_model(engine, FIRST);
        // Send the warnings after the session, because a new session clears earlier messages on screen.
        let warnings = std::mem::take(&mut engine.setup.warnings);
        for warning in warnings.into_iter().chain(wrong.map(Notice::Config)) {
            engine.notice(FIRST, warning).await;
        }
        engine.tell_refused(FIRST, HOME).await;
        // Only an interactive front end has a prompt history.
        if engine.setup.if_shut == IfShut::Stay {
            let shown = self.get(FIRST).map(|seat| seat.draft().to_owned()).unwrap_or_default();
            engine.remember_drafts(&engine.at(HOME).name(), &shown).await;
            engine.load_history(FIRST).await;
        }
        engine.tell_notices(FIRST).await;
        let folders = engine.setup.folders.clone();
        tokio::task::spawn_blocking(move || {
            voice::remove_left(&folders.voice());
            scratch::remove_left(&folders.data);
            trash::empty(&folders.data);
        });
        Ok(())
    }

    /// Opens another session in place of a seat. The old session's lease is released only when the new session is open.
    pub(super) async fn replace(&mut self, engine: &mut Engine, old: SeatId, what: OpenWhat) {
        let Some(seat) = self.open.get_mut(&old) else { return };
        if seat.is_busy() {
            engine.notice(old, Notice::Busy).await;
            return;
        }
        if matches!(&what, OpenWhat::Exactly(id) if *id == *seat.session()) {
            return;
        }
        seat.describe(engine).await;
        let here = seat.folder();
        if let OpenWhat::Exactly(session) = &what {
            let of = engine.folder_of_session(session, here).await;
            // A session of a worktree is opened in that worktree.
            if of != here {
                self.open_in((engine, of), old, what).await;
                return;
            }
        }
        let Some(seat) = self.open.get(&old) else { return };
        let (model, draft, of) = (goes_on_with(seat, engine), seat.draft().to_owned(), seat.folder());
        let id = self.next();
        match Begin::by((engine, of), id, what, model).await {
            Ok(mut begin) => {
                // If the folder stays the same, the unsent prompt also stays on screen.
                begin.draft = Some(draft).filter(|draft| draft == begin.folder());
                engine.answer(old, Answer::Replaced(id)).await;
                self.replaced.insert(old, id);
                self.take(engine, id, begin).await;
                if let Some(seat) = self.open.get(&id) {
                    seat.warm_up(engine);
                }
                if let Some(left) = self.open.remove(&old) {
                    let jobs = left.leave(engine).await;
                    if !jobs.is_empty() {
                        engine.notice(id, Notice::JobsEnded { jobs }).await;
                    }
                }
            }
            Err(error) => engine.storage_failed(old, &error).await,
        }
    }

    /// Replaces the session with a copy that ends before the given prompt. Returns the prompt to the front end.
    pub(super) async fn rewind_conversation(&mut self, engine: &mut Engine, id: SeatId, prompt: EntryId) {
        let Some(seat) = self.open.get(&id) else { return };
        if seat.is_busy() {
            return engine.notice(id, Notice::Busy).await;
        }
        let session = seat.session().clone();
        match engine.fork_before(&session, prompt).await {
            Ok((fork, text)) => {
                seat.note_rewind(engine, None).await;
                self.replace(engine, id, OpenWhat::Exactly(fork)).await;
                engine.answer(self.meant(id), Answer::Unqueued { text }).await;
            }
            Err(error) => engine.storage_failed(id, &error).await,
        }
    }

    /// Opens a copy of a session in an additional seat. Refuses while a turn is running, because the copy would contain
    /// an unfinished turn.
    pub(super) async fn fork(&mut self, engine: &mut Engine, from: SeatId) {
        let Some(seat) = self.open.get(&from) else { return };
        if seat.is_busy() {
            return engine.notice(from, Notice::Busy).await;
        }
        let session = seat.session().clone();
        if !self.has_room(engine, from).await {
            return;
        }
        match engine.setup.storage.fork_of(&session.0, None).await {
            Ok(copy) => self.open_beside(engine, from, Some(copy)).await,
            Err(error) => engine.storage_failed(from, &error).await,
        }
    }

    pub(super) async fn open_beside(&mut self, engine: &mut Engine, from: SeatId, session: Option<SessionId>) {
        let mut open = self.open.values_mut();
        if let Some(seat) = open.find(|seat| session.as_ref() == Some(seat.session())) {
            engine.answer(from, Answer::Beside(seat.id())).await;
            return seat.show(engine).await;
        }
        let Some(here) = self.open.get(&from).map(Seat::folder) else {
            return;
        };
        let of = match &session {
            Some(session) => engine.folder_of_session(session, here).await,
            None => here,
        };
        let what = session.map_or(OpenWhat::New, OpenWhat::Exactly);
        self.open_in((engine, of), from, what).await;
    }

    pub(super) fn has_open(&self, session: &SessionId) -> bool {
        self.open.values().any(|seat| seat.session() == session)
    }

    pub(super) fn in_folder(&self, of: FolderId) -> Option<SeatId> {
        self.open.values().find(|seat| seat.folder() == of).map(Seat::id)
    }

    pub(super) fn in_folder_at_rest(&self, engine: &Engine, of: FolderId, first: SeatId) -> Option<SeatId> {
        let rests = |seat: &&Seat| {
            let is_own = !engine.is_child(seat.id()) && !self.closing.contains(&seat.id());
            seat.folder() == of && !seat.is_busy() && !seat.is_shut() && is_own
        };
        let first = self.open.get(&first).filter(rests);
        first.or_else(|| self.open.values().find(rests)).map(Seat::id)
    }

    fn own(&self, engine: &Engine) -> usize {
        let stays = |id: &&SeatId| !engine.is_child(**id) && !self.closing.contains(id);
        self.open.keys().filter(stays).count()
    }

    /// Whether another seat can be opened. If not, sends a notice.
    pub(super) async fn has_room(&self, engine: &Engine, from: SeatId) -> bool {
        let has = self.own(engine) < MOST;
        if !has {
            engine.notice(from, Notice::SeatsFull { most: MOST as u64 }).await;
        }
        has
    }

    pub(super) fn model_for(&self, engine: &Engine, from: SeatId, of: FolderId) -> Option<ModelRef> {
        match self.open.get(&from) {
            Some(seat) if seat.folder() == of => goes_on_with(seat, engine),
            // The configuration of the other folder may not contain the seat's provider.
            Some(seat) => {
                let own = seat
                    .model()
                    .filter(|model| engine.at(of).settings.provider(&model.provider).is_some());
                engine.at(of).model.clone().or(own).or_else(|| engine.model.clone())
            }
            None => engine.model_in(of),
        }
    }

    pub(super) async fn close_one(&mut self, engine: &mut Engine, id: SeatId, if_busy: IfBusy) {
        if engine.is_child(id) || self.own(engine) <= 1 {
            return engine.notice(id, Notice::OnlySeat).await;
        }
        let Some(seat) = self.open.get_mut(&id) else { return };
        if seat.is_busy() {
            match if_busy {
                IfBusy::Stay => return engine.notice(id, Notice::Busy).await,
                IfBusy::Stop => seat.interrupt(engine).await,
            }
        }
        self.closing.insert(id);
        self.close_those_at_rest(engine).await;
    }

    async fn close_those_at_rest(&mut self, engine: &mut Engine) {
        if self.closing.is_empty() {
            return;
        }
        for id in self.closing.clone() {
            if self.open.get(&id).is_some_and(Seat::is_busy) {
                continue;
            }
            self.closing.remove(&id);
            if let Some(seat) = self.open.remove(&id) {
                seat.leave(engine).await;
                engine.answer(id, Answer::Closed).await;
            }
        }
        self.let_folders_go(engine);
    }

    /// Whether another seat or process already saves the unsent prompt of this folder.
    fn draft_is_kept(&self, engine: &Engine, folder: &str) -> bool {
        let is_written = engine.setup.if_shut == IfShut::Stay;
        self.open.values().any(|seat| seat.draft() == folder)
            || is_written && engine.setup.storage.claim_draft(folder) == DraftOf::Another
    }

    fn let_folders_go(&self, engine: &mut Engine) {
        let used: BTreeSet<FolderId> = self.open.values().map(Seat::folder).collect();
        engine.folders.keep(|id| used.contains(&id));
    }

    pub(super) async fn take(&mut self, engine: &mut Engine, id: SeatId, mut begin: Begin) {
        if begin.draft.is_none() && self.draft_is_kept(engine, begin.folder()) {
            begin.keep_own_draft();
        }
        let trouble = begin.trouble.take();
        if let Some((model, tokens)) = begin.window() {
            let settings = Arc::clone(&engine.at(begin.of).settings);
            engine.recall_window(&settings, model, tokens);
        }
        let named = begin.agent();
        let mut seat = Seat::new(id, begin, engine);
        seat.announce(engine).await;
        if *seat.agent() != named {
            let instead = seat.agent().clone();
            engine.notice(id, Notice::AgentGone { agent: named, instead }).await;
        }
        // Send the error after the session, because a new session clears earlier messages on screen.
        if let Some(error) = trouble {
            engine.storage_failed(id, &error).await;
        }
        let changes = &engine.at(seat.folder()).command_changes;
        changes.report_recovery(&engine.line(id)).await;
        seat.report_folder_changes(engine);
        seat.report_unfinished_rewind(engine);
        seat.take_up(engine).await;
        self.open.insert(id, seat);
    }

    pub(super) fn next(&mut self) -> SeatId {
        let next = SeatId(self.last.map_or(FIRST.0, |last| last.0 + 1));
        self.last = Some(next);
        next
    }

    pub(super) fn meant(&self, mut id: SeatId) -> SeatId {
        while let Some(next) = self.replaced.get(&id) {
            id = *next;
        }
        id
    }

    pub(super) fn look(&self, id: SeatId) -> Option<&Seat> {
        self.open.get(&id)
    }

    pub(crate) fn get(&mut self, id: SeatId) -> Option<&mut Seat> {
        self.open.get_mut(&id)
    }

    pub(super) fn put(&mut self, seat: Seat) {
        self.open.insert(seat.id(), seat);
    }

    pub(super) fn remove(&mut self, id: SeatId) -> Option<Seat> {
        self.open.remove(&id)
    }

    fn agent_of(&self, id: Option<SeatId>) -> Option<AgentName> {
        self.open.get(&id?).map(|seat| seat.agent().clone())
    }

    pub(super) fn all(&mut self) -> impl Iterator<Item = &mut Seat> {
        self.open.values_mut()
    }

    pub(super) fn model_of(&self, id: SeatId) -> Option<ModelRef> {
        self.open.get(&id).and_then(Seat::model)
    }

    pub(super) async fn on_report(&mut self, engine: &mut Engine, report: Report) {
        let seat = report.seat();
        seat.into_iter().for_each(|seat| self.obeys(seat));
        let agent = self.agent_of(seat);
        self.take_report(engine, report).await;
        self.after(engine, seat, agent).await;
    }

    pub(crate) async fn on_order(&mut self, engine: &mut Engine, order: Order) {
        let seat = self.meant(order.seat);
        self.obeys(seat);
        let agent = self.agent_of(Some(seat));
        match order.command {
            Command::Decide {
                call,
                edition,
                decision,
            } if self.asks_for_child(seat, &call) => {
                self.decide_for_child(engine, (seat, &call), edition, decision).await;
            }
            Command::Expire { call } if self.asks_for_child(seat, &call) => {
                self.expire_for_child(engine, (seat, &call)).await;
            }
            _ => self.take_order(engine, order).await,
        }
        self.after(engine, Some(seat), agent).await;
    }

    async fn after(&mut self, engine: &mut Engine, seat: Option<SeatId>, before: Option<AgentName>) {
        if let Some(seat) = seat.filter(|seat| self.agent_of(Some(*seat)) != before) {
            self.obey_anew(engine, seat).await;
        }
        self.look_after_children(engine).await;
        self.ask_titles(engine);
    }

    /// Requests titles for sessions one at a time, and none while a session works: a server may have only one slot.
    fn ask_titles(&mut self, engine: &mut Engine) {
        if self.open.values().any(Seat::is_busy) {
            return self.open.values_mut().for_each(Seat::stop_title);
        }
        for seat in self.open.values_mut() {
            if seat.ask_title(engine) {
                return;
            }
        }
    }

    async fn of_servers(&mut self, engine: &Engine, report: Report) {
        let Some(seat) = report.seat().and_then(|seat| self.open.get_mut(&seat)) else {
            return;
        };
        match report {
            Report::ServerAsks { call, asking, .. } => seat.on_server_asks(engine, call, asking).await,
            Report::ServersSettled { .. } => seat.on_servers_settled(engine).await,
            _ => seat.on_signed_in(engine).await,
        }
    }

    async fn of_requests(&mut self, engine: &mut Engine, report: Report) {
        let Some(seat) = report.seat().and_then(|seat| self.open.get_mut(&seat)) else {
            return;
        };
        match report {
            Report::LookedAhead { ahead, .. } => seat.on_looked_ahead(engine, ahead).await,
            Report::MadeAnew { made, .. } => seat.on_made_anew(engine, made).await,
            Report::FilesSaved { call, .. } => seat.on_files_saved(engine, &call),
            Report::Mentioned { mentioned, .. } => seat.on_mentioned(engine, mentioned).await,
            Report::Watch { report, .. } => seat.on_watch(engine, report).await,
            Report::Titled { number, title, .. } => seat.on_titled(engine, number, title).await,
            _ => {}
        }
    }

    async fn take_report(&mut self, engine: &mut Engine, report: Report) {
        match report {
            Report::Happened { seat, happened } => {
                if let Some(seat) = self.open.get_mut(&seat) {
                    seat.on_happened(engine, happened).await;
                }
            }
            Report::Prepared { seat, call, result } => {
                if let Some(seat) = self.open.get_mut(&seat) {
                    seat.on_prepared(engine, call, result).await;
                }
            }
            asked @ (Report::LookedAhead { .. }
            | Report::FilesSaved { .. }
            | Report::MadeAnew { .. }
            | Report::Mentioned { .. }
            | Report::Watch { .. }
            | Report::Titled { .. }) => self.of_requests(engine, asked).await,
            Report::Known { settings, model, known } => {
                let before = engine.window(&settings, &model);
                let notice = engine.learn(&settings, &model, known.clone());
                let changed = engine.window(&settings, &model) != before;
                for seat in self.open.values_mut().filter(|seat| seat.uses(&settings, &model)) {
                    if let Some(notice) = &notice {
                        engine.notice(seat.id(), notice.clone()).await;
                    }
                    if changed {
                        seat.lay_out_anew(engine);
                        seat.tell_context(engine).await;
                    }
                    seat.take_known(engine, &known);
                }
            }
            Report::RunsWith {
                settings,
                model,
                tokens,
            } => {
                let Some(notice) = engine.learn_smaller(&settings, &model, tokens) else {
                    return;
                };
                for seat in self.open.values_mut().filter(|seat| seat.uses(&settings, &model)) {
                    engine.notice(seat.id(), notice.clone()).await;
                    seat.tell_context(engine).await;
                }
            }
            Report::Tokenized { seat, messages, tokens } => {
                if let Some(seat) = self.open.get_mut(&seat) {
                    seat.on_tokenized(engine, &messages, tokens).await;
                }
            }
            Report::Summarised { seat, number, result } => {
                if let Some(seat) = self.open.get_mut(&seat) {
                    seat.on_summarised(engine, number, result).await;
                }
            }
            Report::Listed { seat, request, listed } => {
                if let Some(seat) = self.open.get_mut(&seat) {
                    seat.on_listed(engine, request, listed).await;
                }
            }
            servers @ (Report::ServerAsks { .. } | Report::SignedIn { .. } | Report::ServersSettled { .. }) => {
                self.of_servers(engine, servers).await;
            }
            Report::Worktree { seat, came } => self.on_worktree(engine, seat, came).await,
            Report::FoldersChanged { of, paths } => {
                engine.forget_marks(of);
                for seat in self
                    .open
                    .values()
                    .filter(|seat| seat.folder() == of && !engine.is_child(seat.id()))
                {
                    engine.list_again((seat.id(), of), paths.clone());
                }
            }
            Report::Presence { seat, model, presence } => self.on_presence(engine, seat, model, presence).await,
            Report::ServiceStarted { seat } => self.look_for_a_model(engine, seat),
            Report::Delegated(delegation) => self.delegated(engine, *delegation).await,
            Report::ChildIsOver { seat, how } => self.child_is_over(engine, seat, how).await,
            Report::ChildLeaves { seat, jobs } => self.child_leaves(engine, seat, jobs).await,
            Report::LookAtChildren => self.looks_at_children(),
            Report::ServerFound { seat, chosen } => self.use_found(engine, seat, chosen).await,
            Report::ModelFound(model) => self.on_model_found(engine, model).await,
            Report::ModelNamed { seat, model, checked } => self.on_model_named(engine, seat, model, checked).await,
        }
        self.close_those_at_rest(engine).await;
    }

    async fn on_model_found(&mut self, engine: &mut Engine, model: ModelRef) {
        engine.model.get_or_insert_with(|| model.clone());
        let waits = |seat: &&mut Seat| seat.model().is_none() && !seat.is_shut();
        for seat in self.open.values_mut().filter(waits) {
            seat.choose_model(engine, model.clone()).await;
            seat.warm_up(engine);
        }
    }

    /// Starts or stops watching a folder for comments to the model. At most one session watches a folder, so that each
    /// comment is sent once.
    pub(super) async fn switch_watch(&mut self, engine: &Engine, id: SeatId, to: Option<Switched>) {
        let Some(of) = self.open.get(&id).map(Seat::folder) else {
            return;
        };
        let mut others = self
            .open
            .iter()
            .filter(|(other, seat)| **other != id && seat.folder() == of);
        if to == Some(Switched::On) && others.any(|(_, seat)| seat.is_watching()) {
            return engine.answer(id, Answer::Watching(Err(NotWatched::Elsewhere))).await;
        }
        if let Some(seat) = self.open.get_mut(&id) {
            seat.switch_watch(engine, to).await;
        }
    }

    pub(super) async fn close(&mut self, engine: &mut Engine, reported: &mut mpsc::Receiver<Report>) {
        for seat in self.open.values_mut() {
            seat.end(engine).await;
        }
        self.look_after_children(engine).await;
        let deadline = tokio::time::Instant::now() + LAST_WORDS;
        while self
            .open
            .values()
            .any(|seat| seat.is_busy() && !seat.waits_to_be_taken_up())
        {
            match tokio::time::timeout_at(deadline, reported.recv()).await {
                Ok(Some(report)) => self.on_report(engine, report).await,
                Ok(None) | Err(_) => break,
            }
        }
        let leaving = self.take_leaving();
        for seat in std::mem::take(&mut self.open).into_values().chain(leaving) {
            // Ignore the returned jobs. The log already contains their end.
            let _ = seat.leave(engine).await;
        }
    }
}

/// Returns the model for the next session in a seat: that of the previous session, or of a new configuration.
fn goes_on_with(seat: &Seat, engine: &Engine) -> Option<ModelRef> {
    let same = Arc::ptr_eq(seat.settings(), &engine.at(seat.folder()).settings);
    let (own, configured) = (seat.model(), engine.model_in(seat.folder()));
    if same { own.or(configured) } else { configured.or(own) }
}

impl Engine {
    /// Copies the log before a prompt to a new session. Returns the new session's id, and the text of the prompt.
    async fn fork_before(&self, session: &SessionId, prompt: EntryId) -> Result<(SessionId, String), StorageError> {
        let storage = &self.setup.storage;
        let (meta, log) = storage.read_session(session).await?;
        let text = log.iter().find_map(|entry| match &entry.body {
            Body::User { text, .. } if entry.id == prompt => Some(text.clone()),
            _ => None,
        });
        let before = EntryId(prompt.0.saturating_sub(1));
        let fork = meta.fork(Time::now(), Some(before), &storage.list_all().await?);
        storage.fork(session, Some(before), fork.clone()).await?;
        Ok((fork.id, text.unwrap_or_default()))
    }
}
