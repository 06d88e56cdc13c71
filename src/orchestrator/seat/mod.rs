//! One open session: everything it owns, and the code that does what its machine orders. It is always made anew, so
//! nothing of another session can be left in it.

mod agent;
mod ahead;
mod anew;
mod approver;
mod asked;
mod begin;
mod bodies;
mod calls;
mod checks;
mod child;
mod committing;
mod confined;
mod effects;
mod elicited;
mod end;
mod grants;
mod hooks;
mod invoked;
mod jobs;
mod kept;
mod laid;
mod left_behind;
mod lent;
mod log;
mod meant;
mod mentions;
mod near;
pub(crate) mod on_disk;
mod outside;
mod pastes;
mod pictures;
mod printed;
mod reading;
mod repository;
mod requests;
mod resources;
mod room;
mod scratch;
mod served;
mod shown;
mod skills;
mod spoken;
mod status;
mod summary;
mod terms;
#[cfg(test)]
mod tests;
mod traces;
mod under_way;
mod undo;
mod unread;
mod unsent;
mod waits;

pub(in crate::orchestrator) use ahead::LookedAhead;
pub(crate) use approver::Approver;
pub(crate) use begin::Begin;
pub(in crate::orchestrator) use begin::drafts_beside;
pub(in crate::orchestrator) use child::Given;
pub(in crate::orchestrator) use on_disk::MadeAnew;
pub(crate) use outside::MOST_DECLARED;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::engine::{Engine, FolderId};
use super::input::{Happened, Input};
use super::machine::Machine;
use crate::agent::Profile;
use crate::base::clock::Time;
use crate::base::id::{BlobId, CallId, EntryId, SeatId, SessionId};
use crate::config::settings::Settings;
use crate::context::assembly::Assembly;
use crate::context::ledger::Estimator;
use crate::domain::agent::ModelRef;
use crate::domain::budget::Usage;
use crate::domain::call::Origin;
use crate::domain::session::SessionMeta;
use crate::domain::tool::ToolFacts;
use crate::security::policy::{Grants, Policy};
use crate::security::workspace::Workspace;
use crate::tools::scratch::Scratch;
use crate::tools::{Prepared, Registry, Stopper};
use calls::Running;
use checks::Checks;
use child::Authority;
use confined::Unasked;
use elicited::Elicited;
use hooks::Hooking;
use jobs::Background;
use laid::{Parts, Untold, lay_out, recall};
use lent::Lent;
use log::Log;
use near::Near;
use on_disk::Watched;
use outside::{Served, Switches};
use pastes::Pastes;
use pictures::Pictures;
use printed::PrintedKeeper;
use repository::Repository;
use requests::{Counted, Stream};
use skills::Instructed;
use summary::Summaries;
use terms::Holding;
use traces::Traces;
use under_way::UnderWay;
use unsent::Keeper;

pub(crate) struct Seat {
    id: SeatId,
    /// The folder it works in.
    of: FolderId,
    session: SessionMeta,
    /// The configuration as it was when the session was opened.
    settings: Arc<Settings>,
    access: Access,
    /// What its unsent draft is kept under.
    draft: String,
    /// What a front end that comes late has to be told.
    under_way: UnderWay,
    /// Who works.
    agent: Arc<Profile>,
    machine: Machine,
    hooking: Hooking,
    /// Who works again after this turn.
    lent: Option<Lent>,
    /// `None`: the next prompt cannot be sent. Else the machine's.
    has_model: bool,
    /// The model it has where no agent brings another along.
    own_model: Option<ModelRef>,
    /// A request was sent since it was opened: the next one begins with the same bytes.
    has_asked: bool,
    log: Log,
    assembly: Assembly,
    estimator: Estimator,
    untold: Untold,
    policy: Policy,
    /// What its parent may, where it is a child.
    above: Option<Authority>,
    /// The "always" answers of this session.
    grants: Grants,
    /// What this session has read, by workspace path, with the hash of the bytes it saw.
    seen: Arc<Mutex<BTreeMap<String, BlobId>>>,
    /// Rules that come with the first file of their folder.
    near: Near,
    instructed: Instructed,
    /// What git says, until the first prompt takes it along.
    repository: Repository,
    /// The images that prompts named.
    pictures: Pictures,
    /// What servers ask.
    elicited: Elicited,
    checks: Checks,
    /// The tools of this session, in the order they are declared in.
    tools: Registry,
    /// What others may know of them.
    facts: Arc<[ToolFacts]>,
    /// Its servers of tools.
    served: Served,
    /// The origin of each call that is not over.
    origins: BTreeMap<CallId, Origin>,
    prepared: BTreeMap<CallId, Prepared>,
    unasked: Unasked,
    /// What waits for the person and would change files.
    watched: Watched,
    running: BTreeMap<CallId, Running>,
    /// What goes on behind calls that are over.
    background: Background,
    /// Where it may be written without a question, if that could be made. A child has its parent's.
    scratch: Option<Arc<Scratch>>,
    /// The folders of this session: those of the program, and its own.
    workspace: Arc<Workspace>,
    /// What prompts name is being read. They end with the seat.
    readings: JoinSet<()>,
    /// They end what those wait for.
    reading_stops: Vec<Stopper>,
    /// What was pasted into prompts and folded there.
    pastes: Pastes,
    /// How often a turn was stopped before its time.
    stops: u64,
    /// Ends when the newest of them has reported.
    last_reading: Option<oneshot::Receiver<()>>,
    /// The request under way.
    stream: Option<Stream>,
    summaries: Summaries,
    /// How calls travel.
    terms: Holding,
    /// The tokens beyond which a model's server refused a request.
    refused: Option<(ModelRef, u64)>,
    /// The model whose server was already reported to cut prompts.
    told_of_cut: Option<ModelRef>,
    /// What the server counted of the last request: of which model, and begun where.
    read_before: Option<(ModelRef, EntryId, Usage)>,
    /// The model whose server has sent calls of its own.
    calls_itself: Option<ModelRef>,
    /// The model has written calls as text.
    writes_calls: bool,
    /// The model whose server was asked with which window it runs.
    asked_what_runs: Option<ModelRef>,
    unsent: Keeper,
    printed: PrintedKeeper,
    traces: Traces,
}

/// Whether anything may be written into the session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    /// It has its lease.
    Writable,
    /// Its lease could not be had; it is tried again with the first entry.
    NotBegun,
    /// The session that was asked for could not be opened, and the person has not chosen another yet.
    Shut,
}

impl Seat {
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
            repository: Repository::ask(folder.root(), &begin.history),
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
            under_way: UnderWay::default(),
            traces: Traces::of(id, &begin.meta.id, &begin.history),
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
            facts: tools.facts(),
            tools,
            served: Served::of(folder.servers.clone(), switches),
            origins: BTreeMap::new(),
            prepared: BTreeMap::new(),
            unasked: Unasked::default(),
            watched: Watched::default(),
            running: BTreeMap::new(),
            readings: JoinSet::new(),
            reading_stops: Vec::new(),
            pastes: Pastes::default(),
            stops: 0,
            last_reading: None,
            stream: None,
            summaries: Summaries::default(),
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
    pub(super) fn entries(&self) -> &[Arc<crate::domain::entry::Entry>] {
        self.log.history().entries()
    }

    pub(super) fn id(&self) -> SeatId {
        self.id
    }

    pub(super) fn session(&self) -> &SessionId {
        &self.session.id
    }

    /// What its unsent draft is kept under.
    pub(super) fn draft(&self) -> &str {
        &self.draft
    }

    /// The name under which texts for its requests are saved.
    pub(super) fn review_draft(&self) -> String {
        begin::review_draft(&self.session)
    }

    /// Once something was sent, the draft belongs to this session and comes back in no other. Returns the name that it was kept under before.
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

    /// Whether anything was said in it.
    pub(super) fn has_begun(&self) -> bool {
        self.log.history().title().is_some() || self.is_busy()
    }

    pub(super) fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    pub(super) fn uses(&self, settings: &Arc<Settings>, model: &ModelRef) -> bool {
        self.has_model && self.machine.model() == model && Arc::ptr_eq(&self.settings, settings)
    }

    /// Makes the endpoint of the model ready for the first prompt.
    pub(super) fn warm_up(&self, engine: &mut Engine) {
        if self.has_model {
            engine.warm_up(&self.settings, self.machine.model());
        }
    }

    /// Has the server load the model for the first request, while that is written.
    pub(super) fn load_ahead(&self, engine: &mut Engine) {
        if self.has_model && !self.has_asked && !self.is_shut() {
            engine.load_ahead(&self.settings, self.machine.model());
        }
    }

    // --- what happens ---

    /// A front end asked for something: what was said of a lost log may be said again.
    pub(super) fn heard(&mut self) {
        self.log.heard();
    }

    /// Tells the machine, and does what it orders, until it orders nothing more.
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

    /// Called when what the machine ordered was done, so that what is in the log now is not kept beside it.
    fn keep_unsent(&mut self, engine: &Engine) {
        if let Some(unlogged) = self.machine.take_unlogged() {
            let after = self.log.history().last_entry();
            let storage = &engine.setup.storage;
            self.unsent.note(storage, &self.session.id, after, unlogged);
        }
    }

    /// What a task of this seat reports.
    pub(super) async fn on_happened(&mut self, engine: &mut Engine, mut happened: Happened) {
        if let Happened::Output(chunk) = &happened {
            self.keep_printed(engine, chunk);
        }
        if let Happened::Finished { call, took_ms, .. } = &happened {
            self.running.remove(call);
            self.traces.call_over(*took_ms);
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
            // The answer is in the log now and can be guessed with the rest.
            self.tell_context(engine).await;
        }
    }

    /// What was asked when the session ended suddenly is asked again, where the answer can be written.
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

    // --- what is told ---

    /// The session's row in the index; never on the way between a key and a request.
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
