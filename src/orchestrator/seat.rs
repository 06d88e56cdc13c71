//! One open session, and the code that performs the effects of its state machine. Each session that is opened gets a
//! new `Seat`, so that no state of the previous session remains.

mod agent;
mod begin;
mod buffers;
pub(crate) mod calls;
mod child;
mod confined;
mod effects;
mod end;
mod folder_states;
mod front_end;
mod hooks;
mod live_snapshot;
mod log;
mod prompt;
mod recovery;
mod requests;
mod scratch;
mod servers;
mod settings_reload;
mod status;
mod status_line;
#[cfg(test)]
mod tests;
mod traces;
pub(crate) mod voice;
mod watch;

pub(crate) use begin::Begin;
pub(crate) use begin::drafts_beside;
pub use calls::approver::Approver;
pub(crate) use calls::preview::LookedAhead;
pub use calls::watched_files;
pub(crate) use calls::watched_files::MadeAnew;
pub(crate) use child::Given;
pub use servers::MOST_DECLARED;
pub(crate) use watch::{OutsideChanges, WatchReport};

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::engine::{Engine, FolderId, IfShut};
use super::input::{Happened, Input};
use super::machine::Machine;
use benchdog_agent::Profile;
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, CallId, EntryId, SeatId, SessionId};
use benchdog_config::settings::Settings;
use benchdog_context::assembly::Assembly;
use benchdog_context::ledger::Estimator;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::call::Origin;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::tool::ToolFacts;
use benchdog_security::policy::{Grants, Policy};
use benchdog_security::workspace::Workspace;
use benchdog_tools::scratch::Scratch;
use benchdog_tools::{Registry, Stopper};
use calls::checks::Checks;
use calls::jobs::Background;
use calls::slot::CallSlots;
use calls::undo::ProposedConflicts;
use child::Authority;
use confined::Unasked;
use folder_states::FolderNotes;
use hooks::Hooking;
use live_snapshot::LiveSnapshot;
use log::Log;
use prompt::nested_rules::Near;
use prompt::pastes::Pastes;
use prompt::pictures::Pictures;
use prompt::prefix::{Parts, Untold, lay_out, recall};
use prompt::repository::{Map, Repository};
use prompt::skills::Instructed;
use prompt::temporary_agent::Lent;
use recovery::output::PrintedKeeper;
use recovery::unsent_prompts::Keeper;
use requests::call_protocol::Holding;
use requests::summary::Summaries;
use requests::title::Titling;
use requests::{Counted, Stream};
use servers::forms::Elicited;
use servers::{Served, Switches};
use status_line::StatusLine;
use traces::Traces;
use voice::Voice;
use watch::Watch;

pub(crate) struct Seat {
    id: SeatId,
    of: FolderId,
    session: SessionMeta,
    /// The configuration of the session. A reload changes only some settings of an open session.
    settings: Arc<Settings>,
    access: Access,
    /// The name under which the unsent prompt is saved.
    draft: String,
    live_snapshot: LiveSnapshot,
    status_line: StatusLine,
    agent: Arc<Profile>,
    machine: Machine,
    hooking: Hooking,
    /// The agent and model to restore after this turn. Set only while a custom command uses another agent or model.
    lent: Option<Lent>,
    /// Whether there is a usable model. Without a usable model, prompts cannot be sent.
    has_model: bool,
    /// The model to use if the agent does not set one.
    own_model: Option<ModelRef>,
    /// Whether a request was sent since the session was opened. The next request must then begin with the same bytes.
    has_asked: bool,
    log: Log,
    assembly: Assembly,
    estimator: Estimator,
    untold: Untold,
    policy: Policy,
    /// The permissions of the parent, if this is a subagent.
    above: Option<Authority>,
    /// "Always allow" rules that were given in this session.
    grants: Grants,
    /// Hashes of the files that the session has read, by path in the workspace.
    seen: Arc<Mutex<BTreeMap<String, BlobId>>>,
    /// The rule files of subfolders.
    near: Near,
    instructed: Instructed,
    /// The note about the git repository. Empty as soon as the log contains a prompt with the note.
    repository: Repository,
    pictures: Pictures,
    /// Forms of MCP servers that the person must fill in.
    elicited: Elicited,
    checks: Checks,
    /// The tools in the order in which requests declare them.
    tools: Registry,
    facts: Arc<[ToolFacts]>,
    served: Served,
    origins: BTreeMap<CallId, Origin>,
    calls: CallSlots,
    unasked: Unasked,
    background: Background,
    /// A folder in which files can be written without approval. `None` if the folder could not be created. A subagent
    /// uses the folder of its parent.
    scratch: Option<Arc<Scratch>>,
    /// The folders that tools may use: the folders that the program was started with, and the session's scratch folder.
    workspace: Arc<Workspace>,
    /// Tasks that read the mentions of prompts. They are stopped when the seat is dropped.
    readings: JoinSet<()>,
    reading_stops: Vec<Stopper>,
    /// The newest search for files for an `@` mention. It is stopped when the seat is dropped, as is `tree_lookup`.
    pub(crate) mention_lookup: JoinSet<()>,
    pub(crate) tree_lookup: JoinSet<()>,
    /// Positions of pasted and folded text in the prompts.
    pastes: Pastes,
    /// Number of turns that were interrupted so far.
    stops: u64,
    /// Resolves when the newest task in `readings` has sent its report.
    last_reading: Option<oneshot::Receiver<()>>,
    stream: Option<Stream>,
    summaries: Summaries,
    titling: Titling,
    /// The format of tool calls in requests.
    terms: Holding,
    /// A model, with the size in tokens of a request that its server rejected as too large.
    refused: Option<(ModelRef, u64)>,
    /// The model whose server truncates prompts. Set when the person was told about this.
    told_of_cut: Option<ModelRef>,
    /// The token count of the server's last answer, with the model and the first log entry of the request.
    read_before: Option<(ModelRef, EntryId, Usage)>,
    /// The model whose server has sent at least one call in its native format.
    calls_itself: Option<ModelRef>,
    writes_calls: bool,
    /// The model whose real context window the server was asked for.
    asked_what_runs: Option<ModelRef>,
    unsent: Keeper,
    printed: PrintedKeeper,
    traces: Traces,
    folder_notes: FolderNotes,
    proposed_conflicts: ProposedConflicts,
    watch: Watch,
    voice: Voice,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// The session's lease is held by this process, so entries can be written.
    Writable,
    /// The lease could not be taken. Benchdog tries to take the lease again when the next entry is logged.
    NotBegun,
    /// The requested session could not be opened. This placeholder is shown until the person chooses another session.
    Shut,
}

impl Seat {
    #[expect(clippy::too_many_lines, reason = "a flat list, a line for each field")]
    pub(super) fn new(id: SeatId, mut begin: Begin, engine: &Engine) -> Self {
        begin.history.extend(begin.arrived.clone());
        let folder = engine.at(begin.of);
        let settings = begin.settings(folder);
        let (scratch, workspace) = scratch::of(engine, folder, &begin);
        let (has_model, model) = (begin.model).map_or_else(|| (false, ModelRef::none()), |model| (true, model));
        let agent = match &begin.given {
            Some(given) => Arc::clone(&given.agent),
            None => folder.agents.working(&begin.meta.agent),
        };
        begin.meta.agent = agent.name.clone();
        let mut rules = confined::rules(&settings, folder, &agent);
        let (instructed, mut tools) = Instructed::of(folder, &begin.history);
        let mut policy = agent::policy_of(folder, &agent);
        if let Some(given) = &begin.given {
            (rules, policy) = (given.rules(rules), given.policy());
            tools = given.tools(&tools);
        }
        let switches = Switches::for_seat(begin.given.as_ref(), &settings);
        let rules = scratch::told(rules, scratch.as_deref());
        let parts = Parts {
            folder,
            settings: &settings,
            model: &model,
            meta: &begin.meta,
            tools: &tools,
            skills: &instructed.skills,
        };
        let mut laid = lay_out(engine, &parts);
        recall(&begin.history, &model, &mut laid.assembly, &mut laid.estimator);
        let (mut machine, repairs) = Machine::resumed(rules, model, &begin.history, &begin.left_behind, Time::now());
        let unsent = Keeper::new(!begin.unsent.is_empty());
        machine.recall(begin.unsent);
        Self {
            instructed,
            checks: Checks::new(&begin.history),
            near: Near::of(Arc::clone(&folder.nearer), &begin.history),
            repository: Repository::ask(
                folder.root(),
                &begin.history,
                settings.retrieval.map_tokens.map(|tokens| Map {
                    workspace: Arc::clone(&workspace),
                    tokens,
                }),
            ),
            pictures: Pictures::default(),
            elicited: Elicited::default(),
            background: Background::of(engine, id, &begin.history),
            scratch,
            workspace,
            id,
            of: begin.of,
            access: begin.access,
            unsent,
            printed: PrintedKeeper::default(),
            draft: begin::draft_of(begin.draft, &begin.meta, &begin.history),
            live_snapshot: LiveSnapshot::default(),
            status_line: StatusLine::default(),
            folder_notes: FolderNotes::default(),
            proposed_conflicts: ProposedConflicts::default(),
            watch: Watch::default(),
            voice: Voice::default(),
            traces: Traces::of(engine.telemetry.clone(), id, &begin.meta, &begin.history),
            machine,
            has_model,
            own_model: begin.own_model,
            has_asked: false,
            log: Log::new(begin.history, begin.arrived, repairs),
            assembly: laid.assembly,
            estimator: laid.estimator,
            untold: laid.untold,
            policy,
            above: begin.given.map(|given| given.authority),
            agent,
            lent: None,
            hooking: Hooking::default(),
            grants: Grants::default(),
            seen: Arc::default(),
            facts: laid.tools.facts(),
            tools: laid.tools,
            served: Served::of(folder.servers.clone(), switches),
            origins: BTreeMap::new(),
            calls: CallSlots::default(),
            unasked: Unasked::default(),
            readings: JoinSet::new(),
            reading_stops: Vec::new(),
            mention_lookup: JoinSet::new(),
            tree_lookup: JoinSet::new(),
            pastes: Pastes::default(),
            stops: 0,
            last_reading: None,
            stream: None,
            summaries: Summaries::default(),
            titling: Titling::default(),
            terms: Holding::default(),
            refused: None,
            told_of_cut: None,
            asked_what_runs: None,
            read_before: None,
            calls_itself: None,
            writes_calls: false,
            session: begin.meta,
            settings,
        }
    }

    #[cfg(test)]
    pub(super) fn entries(&self) -> &[Arc<benchdog_domain::entry::Entry>] {
        self.log.history().entries()
    }

    pub(super) fn id(&self) -> SeatId {
        self.id
    }

    pub(super) fn session(&self) -> &SessionId {
        &self.session.id
    }

    pub(super) fn draft(&self) -> &str {
        &self.draft
    }

    pub(super) fn review_draft(&self) -> String {
        begin::review_draft(&self.session)
    }

    /// Moves the saved draft from the folder's name to a separate name for the session, once a prompt was sent. Returns
    /// the previous name if it changed.
    pub(super) fn own_draft(&mut self) -> Option<String> {
        let own = begin::draft_of(None, &self.session, self.log.history());
        let moves = own != self.draft && self.draft == self.session.workspace;
        moves.then(|| std::mem::replace(&mut self.draft, own))
    }

    pub(super) fn model(&self) -> Option<ModelRef> {
        self.has_model.then(|| self.machine.model().clone())
    }

    pub(super) fn is_busy(&self) -> bool {
        self.machine.is_busy()
    }

    pub(super) fn is_shut(&self) -> bool {
        self.access == Access::Shut
    }

    pub(super) fn has_begun(&self) -> bool {
        self.log.history().title().is_some() || self.is_busy()
    }

    pub(super) fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    pub(super) fn uses(&self, settings: &Arc<Settings>, model: &ModelRef) -> bool {
        self.has_model && self.machine.model() == model && Arc::ptr_eq(&self.settings, settings)
    }

    pub(super) fn warm_up(&self, engine: &mut Engine) {
        if self.has_model {
            engine.warm_up(&self.settings, self.machine.model());
        }
    }

    pub(super) fn load_ahead(&self, engine: &mut Engine) {
        if self.has_model && !self.has_asked && !self.is_shut() {
            engine.load_ahead(&self.settings, self.machine.model());
        }
    }

    // --- inputs ---

    /// Records that a command of a front end has arrived. A failure of the log is reported again after each command.
    pub(super) fn heard(&mut self) {
        self.log.heard();
    }

    /// Feeds an input to the machine and performs the resulting effects, until no more inputs follow.
    pub(super) async fn feed(&mut self, engine: &mut Engine, happened: Happened) {
        if matches!(happened, Happened::Interrupt | Happened::OutOfTime) {
            self.stops += 1;
            self.reading_stops.drain(..).for_each(|stopper| stopper.stop());
        }
        let mut next = VecDeque::from([happened]);
        while let Some(happened) = next.pop_front() {
            let effects = self.machine.handle(Input {
                at: Time::now(),
                happened,
            });
            next.extend(self.perform(engine, effects).await);
            for happened in self.given_back(engine).into_iter().rev() {
                next.push_front(happened);
            }
            self.keep_unsent(engine);
        }
    }

    /// Stores the prompts that are not logged yet. Called after all effects, because effects may log prompts.
    fn keep_unsent(&mut self, engine: &Engine) {
        if let Some(unlogged) = self.machine.take_unlogged() {
            let after = self.log.history().last_entry();
            let storage = &engine.setup.storage;
            let is_workbench = engine.setup.if_shut == IfShut::Stay && self.above.is_none();
            let draft = (after == EntryId(0)).then_some(&*self.draft);
            if draft.is_none() || is_workbench {
                self.unsent.note(storage, (&self.session.id, draft), after, unlogged);
            }
        }
    }

    pub(super) async fn on_happened(&mut self, engine: &mut Engine, mut happened: Happened) {
        if let Happened::Output(chunk) = &happened {
            self.keep_printed(engine, chunk);
        }
        if let Happened::Finished { call, outcome, took_ms } = &happened {
            self.calls.take(call, |slot| slot.running.take());
            self.traces.call_over(call, outcome, *took_ms);
        }
        if let Happened::Finished { outcome, .. } = &happened
            && let Some(next) = outcome.planned.as_ref().and_then(|planned| planned.next.clone())
        {
            self.choose_agent(engine, &next).await;
        }
        self.with_rules(engine, &mut happened);
        self.fit_pictures(&mut happened);
        let counted = self.note_reply(engine, &happened).await;
        match counted {
            Counted::Told { used, room } => self.feed(engine, Happened::Filled { used, room }).await,
            Counted::Uncounted { tokens } => self.feed(engine, Happened::Uncounted { tokens }).await,
            Counted::NotTold | Counted::NothingNew => {}
        }
        self.feed(engine, happened).await;
        if matches!(counted, Counted::NotTold | Counted::Uncounted { .. }) {
            // The log contains the answer now, so the tokens of the answer can be estimated.
            self.tell_context(engine).await;
        }
    }

    /// Shows the approval request again that was pending when the session ended, if the session is writable.
    pub(super) async fn take_up(&mut self, engine: &mut Engine) {
        if self.access == Access::Writable {
            self.feed(engine, Happened::TakenUp).await;
        }
    }

    pub(super) async fn choose_model(&mut self, engine: &mut Engine, model: ModelRef) {
        self.has_model = true;
        self.session.model = Some(model.clone());
        if let Some(lent) = &mut self.lent {
            lent.model = Some(model.clone());
        }
        self.feed(engine, Happened::ModelChosen { model }).await;
    }

    pub(crate) async fn rename(&mut self, engine: &Engine, title: String) {
        self.stop_title();
        self.session.title = title;
        let _ = engine.setup.storage.describe(self.session.clone()).await;
    }

    // --- the index ---

    /// Updates the session's row in the index. Never called between a key press and the resulting request.
    pub(super) async fn describe(&self, engine: &Engine) {
        if self.access == Access::Writable && self.session.entries > 0 {
            let model = self.model();
            let window = model.map(|model| {
                let tokens = engine.window(&self.settings, &model);
                Box::new((model, tokens))
            });
            let meta = SessionMeta {
                window: window.or_else(|| self.session.window.clone()),
                ..self.session.clone()
            };
            let _ = engine.setup.storage.describe(meta).await;
        }
    }
}
