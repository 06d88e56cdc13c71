//! The agent as a pure state machine: inputs in, effects out. The machine does not wait, read the clock or do I/O.
//!
//! Every call gets exactly one result in the log, so the history is always valid.

mod ahead;
mod asked;
mod beside;
mod briefing;
mod calls;
mod check;
mod children;
mod failed;
mod finish;
mod first;
mod guard;
mod handover;
mod held;
mod hooks;
mod jobs;
mod left_open;
mod model;
mod pause;
mod plan;
mod refusal;
mod results;
mod retry;
mod room;
mod rules;
mod scratch;
mod standing;
pub(crate) mod states;
mod subagents;
mod taken_up;
#[cfg(test)]
mod tests;
mod told;
mod turn;
mod waiting;
mod weighed;

pub use hooks::Hooked;
pub(crate) use jobs::last_job;
pub(crate) use left_open::about;
pub use rules::{AtPause, Rules};
pub(crate) use waiting::Unlogged;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use super::effect::Effect;
use super::input::{Happened, Input, LeftBehind};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, TurnId};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::budget::Usage;
use benchdog_domain::call::{self, Origin, Wanted};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::history::History;
use benchdog_domain::job::JobId;
use benchdog_domain::message::ToolCall;
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_domain::plan::Plan;
use benchdog_domain::todo::{TodoError, TodoList};
use benchdog_domain::undo::for_shell;
use benchdog_protocol::{Answer, Delivery, Live, TurnState};
use retry::Left;
use room::Filling;
use turn::{Queued, Start, Steered, Turn};

pub(crate) struct Machine {
    rules: Rules,
    model: ModelRef,
    told_agent: Option<AgentName>,
    state: TurnState,
    last_entry: EntryId,
    last_turn: TurnId,
    last_request: u64,
    last_weighing: u64,
    last_own_call: u64,
    last_hook: u64,
    /// All call ids in the session. Each id may be used only once.
    known_calls: BTreeSet<CallId>,
    todo: TodoList,
    pointed_out: Vec<String>,
    plan: Option<Plan>,
    /// The session's background jobs. Each title is set only while the job is running.
    jobs: BTreeMap<JobId, Option<String>>,
    queue: VecDeque<Queued>,
    unsent: VecDeque<String>,
    /// Whether the unlogged prompts have changed since the last call of `take_unlogged`.
    unlogged_changed: bool,
    turn: Option<Turn>,
    left: Option<Left>,
    /// Calls that were waiting for approval or for earlier calls when a crash occurred. None of them had started.
    waiting: Vec<ToolCall>,
    /// Results of the person's commands during a turn that a crash interrupted.
    left_beside: Vec<Body>,
    session_usage: Usage,
    uncounted: u64,
    /// Cost of the session in US dollars.
    session_cost: f64,
    filling: Filling,
    pending_notes: Vec<Note>,
    /// The agent and model to restore after the turn of a custom command. Set while the command uses another one.
    lending: Option<(AgentName, ModelRef)>,
    told_no_check: bool,
    now: Time,
    out: Vec<Effect>,
}

impl Machine {
    pub(crate) fn new(rules: Rules, model: ModelRef) -> Self {
        Self {
            rules,
            model,
            told_agent: Some(AgentName::default()),
            state: TurnState::Idle,
            last_entry: EntryId(0),
            last_turn: TurnId(0),
            last_request: 0,
            last_weighing: 0,
            last_own_call: 0,
            last_hook: 0,
            known_calls: BTreeSet::new(),
            todo: TodoList::default(),
            pointed_out: Vec::new(),
            plan: None,
            jobs: BTreeMap::new(),
            queue: VecDeque::new(),
            unsent: VecDeque::new(),
            unlogged_changed: false,
            turn: None,
            left: None,
            waiting: Vec::new(),
            left_beside: Vec::new(),
            session_usage: Usage::default(),
            uncounted: 0,
            session_cost: 0.0,
            filling: Filling::default(),
            pending_notes: Vec::new(),
            lending: None,
            told_no_check: false,
            now: Time(0),
            out: Vec::new(),
        }
    }

    /// Creates the machine of a resumed session. The returned effects complete interrupted calls and turns.
    pub(crate) fn resumed(
        rules: Rules,
        model: ModelRef,
        history: &History,
        left_behind: &[LeftBehind],
        at: Time,
    ) -> (Self, Vec<Effect>) {
        let mut machine = Self {
            told_agent: briefing::told(history),
            last_entry: history.last_entry(),
            last_turn: history.last_turn(),
            last_own_call: history.known_calls().len() as u64,
            known_calls: history.known_calls().clone(),
            todo: history.todo().cloned().unwrap_or_default(),
            plan: history.plan().cloned(),
            session_usage: history.usage(),
            session_cost: rules.cost_of(history.totals()),
            filling: Filling::of(history),
            left: Left::of_session(history),
            now: at,
            ..Self::new(rules, model)
        };
        machine.waiting = machine.can_be_taken_up(history);
        if machine.waiting.is_empty() {
            machine.close_what_was_left_open(history, left_behind);
        } else {
            machine.left_beside = left_open::own_ends(history, left_behind);
        }
        let (level, network) = machine.rules.held;
        machine
            .pending_notes
            .extend(held::news(level, network, history).map(Note::from));
        let scratch = scratch::news(&machine.rules, history);
        machine.pending_notes.extend(scratch.map(Note::from));
        let subagents = subagents::news(&machine.rules, history);
        machine.pending_notes.extend(subagents.map(Note::from));
        machine.pending_notes.extend(Filling::untold(history).map(Note::from));
        machine.end_jobs_of_earlier_run(history);
        // The agent that was chosen at startup may differ from the agent in the log.
        let working = &machine.rules.agent.agent;
        let before = history.agent().cloned().unwrap_or_default();
        let changed = before != *working;
        if history.last_entry() > EntryId(0) && changed {
            let agent = working.clone();
            let until_then = None;
            machine.log(machine.last_turn, Body::Agent { agent, until_then });
        }
        // After a crash, the last model in the log may be one that a custom command used for one turn.
        if history.last_entry() > EntryId(0) && (changed || history.model() != history.standing_model()) {
            machine.log_model_of_agent(machine.last_turn, history.model());
        }
        machine.tell_agent();
        let effects = std::mem::take(&mut machine.out);
        (machine, effects)
    }

    pub(crate) fn model(&self) -> &ModelRef {
        &self.model
    }

    pub(crate) fn todo(&self) -> &TodoList {
        &self.todo
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.turn.is_some()
    }

    pub(crate) fn next_turn(&self) -> TurnId {
        TurnId(self.last_turn.0 + 1)
    }

    pub(crate) fn turn_under_way(&self) -> Option<TurnId> {
        self.turn.as_ref().map(|turn| turn.id)
    }

    pub(crate) fn handle(&mut self, input: Input) -> Vec<Effect> {
        self.now = input.at;
        match input.happened {
            Happened::Prompt { text, along, delivery } => self.on_prompt(Steered { text, along }, delivery),
            Happened::Shell { command, typed } => {
                self.on_shell(for_shell(command), if typed { Origin::Typed } else { Origin::Person });
            }
            Happened::Merge { line, patch } => {
                self.on_own_call(Origin::Merge, line.clone(), Wanted::Patch { line, patch })
            }
            Happened::Undo { line, undoes, files } => {
                self.on_own_call(Origin::Undo, line.clone(), Wanted::Undo { line, undoes, files });
            }
            Happened::Review { line, review } => {
                self.on_own_call(Origin::Review, line.clone(), Wanted::Review { line, review });
            }
            Happened::Decided { call, decision, by } => self.on_decided(&call, decision, by),
            Happened::ServerAnswered {
                call,
                server,
                decision,
                came_to,
            } => self.on_server_answered(call, server, decision, came_to),
            Happened::Retry => self.on_retry(),
            Happened::Interrupt => self.on_interrupt(),
            Happened::LogLost => self.on_log_lost(),
            Happened::Unqueue => self.on_unqueue(),
            Happened::ModelChosen { model } => self.on_model_chosen(model, None),
            Happened::AgentChosen { chosen, model } => self.on_agent_chosen(chosen, model),
            Happened::Subagents { subagents } => self.on_subagents(subagents),
            Happened::TakenUp => self.on_taken_up(),
            Happened::PlanAccepted => self.on_plan_accepted(),
            Happened::PlanEdited { text } => self.on_plan_edited(text),
            Happened::PlanOpened { path, text } => self.on_plan_opened(path, text),
            Happened::Judged { call, verdict } => self.on_judged(&call, verdict),
            Happened::TermsFixed { model, terms } => self.log(self.last_turn, Body::Terms { model, terms }),
            Happened::Spent(spent) => self.log(self.last_turn, Body::Spent(spent)),
            Happened::SamplingChosen { sampling } => self.log(self.last_turn, Body::Sampling(sampling)),
            Happened::TodoEdited { edit } => self.on_todo_edited(&edit),
            Happened::Compacted { compaction } => self.on_compacted(*compaction),
            Happened::CompactionUndone { compaction } => self.on_compaction_undone(compaction),
            Happened::Pinned { entry, pinned } => self.on_pinned(entry, pinned),
            Happened::Delta { request, delta } => self.on_delta(request, delta),
            Happened::Replied { request, reply } => self.on_replied(request, reply),
            Happened::Failed {
                request,
                failure,
                spent,
                elsewhere,
            } => self.on_failed(request, failure, spent, elsewhere),
            Happened::RoomMade { request, compaction } => self.on_room_made(request, *compaction),
            Happened::Summarising { request } => self.on_summarising(request),
            Happened::NotSummarised { request, why } => self.on_not_summarised(request, why),
            Happened::Uncounted { tokens } => self.uncounted = self.uncounted.saturating_add(tokens),
            Happened::Filled { used, room } => self.on_filled(used, room),
            Happened::OverWindow { request, over } => self.on_over_window(request, over),
            Happened::Prepared {
                call,
                tool,
                title,
                effect,
                review,
                verdict,
                understood,
            } => {
                self.note_understood(&call, understood);
                self.on_prepared(&call, tool, title, effect, review, verdict);
            }
            Happened::ProposedAnew(proposed) => self.on_proposed_anew(proposed),
            Happened::Refused { call, tool, outcome } => self.on_refused(&call, &tool, outcome),
            Happened::Weighed { weighing, weighed } => self.on_weighed(weighing, weighed),
            Happened::Lending => self.lending = Some((self.rules.agent.agent.clone(), self.model.clone())),
            Happened::Lent => self.lending = None,
            Happened::Hooks(hooked) => self.rules.hooks = hooked,
            Happened::CheckSwitched(to) => self.rules.validate = to == Switched::On,
            Happened::Hooked { number, answer } => self.on_hooked(number, answer),
            Happened::Output(chunk) => self.on_output(chunk),
            Happened::Finished { call, outcome, took_ms } => self.on_finished(&call, outcome, took_ms),
            Happened::JobEnded(end) => self.on_job_ended(end),
            Happened::JobsEnded(jobs) => self.on_jobs_ended(jobs),
            Happened::JobChanged { job, changes } => self.on_job_changed(job, changes),
            Happened::Child(child) => self.on_child(child),
            Happened::ChildChanged { call, changes } => self.log_changes(self.last_turn, &call, changes),
            Happened::CheckPlanned { command } => self.on_check_planned(command),
            Happened::CheckSkipped => self.on_check_skipped(),
            Happened::OutOfTime => self.on_out_of_time(),
        }
        std::mem::take(&mut self.out)
    }

    // --- from the person ---

    fn on_prompt(&mut self, prompt: Steered, delivery: Delivery) {
        self.close_unanswered();
        let Some(turn) = &mut self.turn else {
            // Discard the mentions of the prompt. They are read again, because the files may have changed.
            self.start_turn(Start::Prompt, prompt.text);
            return;
        };
        match delivery {
            Delivery::Steer if turn.start == Start::Prompt && turn.ending.is_none() => {
                turn.steering.push(prompt);
            }
            Delivery::Steer | Delivery::Queue => {
                self.queue.push_back(Queued {
                    text: prompt.text,
                    start: Start::Prompt,
                });
            }
        }
        self.tell_queue();
    }

    /// Starts a turn with a single call that the person requested. Rejects the call if a turn is running, because the
    /// proposal could become outdated before it runs.
    fn on_own_call(&mut self, origin: Origin, line: String, wanted: Wanted) {
        if self.turn.is_some() {
            if origin == Origin::Review {
                let text = format!("/{line}");
                self.out.push(Effect::Answer(Answer::Unqueued { text }));
            }
            return self.live(Live::Notice(Notice::Busy));
        }
        self.close_unanswered();
        let id = TurnId(self.last_turn.0 + 1);
        self.turn = Some(Turn::new(id, Start::Shell(origin), line, self.rules.max_steps));
        self.start_call(id, origin, wanted);
    }

    fn on_unqueue(&mut self) {
        let steering = self.turn.as_mut().and_then(|turn| turn.steering.pop());
        let text = steering
            .map(Steered::into_typed)
            .or_else(|| self.queue.pop_back().map(Queued::into_typed))
            .or_else(|| self.unsent.pop_front());
        if let Some(text) = text {
            self.out.push(Effect::Answer(Answer::Unqueued { text }));
            self.tell_queue();
        }
    }

    /// Changes the model. `with` is set if the model was chosen together with an agent.
    fn on_model_chosen(&mut self, model: ModelRef, with: Option<AgentName>) {
        if model != self.model {
            self.model = model.clone();
            self.filling.ask_again();
            let until_then = self.lending.as_ref().map(|(_, model)| model.clone());
            let body = Body::Model {
                model,
                with,
                until_then,
            };
            self.log(self.last_turn, body);
        }
    }

    fn on_todo_edited(&mut self, edit: &benchdog_domain::todo::TodoEdit) {
        match self.todo.edited(edit) {
            Ok(list) => {
                let note = format!("The user edited the todo list. It now reads:\n{}", list.lines());
                self.pending_notes.push(note.into());
                self.set_todo(list);
            }
            Err(TodoError::UnknownItem { id, known }) => self.live(Live::Notice(Notice::Todo { item: id, known })),
        }
    }

    // --- the turn ---

    /// Starts a turn. `text` is the prompt, or the shell command without `!`.
    fn start_turn(&mut self, start: Start, text: String) {
        let id = TurnId(self.last_turn.0 + 1);
        self.turn = Some(Turn::new(id, start, text.clone(), self.rules.steps()));
        self.unlogged_changed = true;
        match start {
            // Check the size before logging, because every later request contains a logged prompt.
            Start::Prompt => self.weigh(text, false),
            Start::Shell(origin) => self.start_call(id, origin, Wanted::Command(text)),
        }
    }

    fn start_call(&mut self, turn: TurnId, origin: Origin, wanted: Wanted) {
        self.last_turn = turn;
        self.move_to(TurnState::Planning);
        let id = self.fresh_call_id();
        if let Some(turn) = &mut self.turn {
            turn.calls = vec![turn::Call::new(call::Call { id, origin, wanted })];
        }
        self.advance();
    }

    fn start_queued(&mut self) {
        let Some(next) = self.queue.pop_front() else { return };
        self.tell_queue();
        self.start_turn(next.start, next.text);
    }

    // --- helpers ---

    fn move_to(&mut self, state: TurnState) {
        if self.state == state {
            return;
        }
        debug_assert!(
            states::may_move(self.state, state),
            "{:?} to {state:?} is not a legal move",
            self.state
        );
        self.state = state;
        self.live(Live::State(state));
    }

    fn live(&mut self, live: Live) {
        self.out.push(Effect::Live(live));
    }

    fn log(&mut self, turn: TurnId, mut body: Body) {
        body.shrink();
        self.last_entry = EntryId(self.last_entry.0 + 1);
        let entry = Entry {
            id: self.last_entry,
            turn,
            time: self.now,
            body,
        };
        self.out.push(Effect::Persist(Arc::new(entry)));
    }

    fn notice(&mut self, notice: Notice) {
        self.log(self.last_turn, Body::Notice(notice));
    }

    fn set_todo(&mut self, list: TodoList) {
        self.todo = list.clone();
        self.log(self.last_turn, Body::Todo { items: list });
    }

    fn fresh_call_id(&mut self) -> CallId {
        loop {
            self.last_own_call += 1;
            let id = CallId(format!("call_{}", self.last_own_call));
            if self.known_calls.insert(id.clone()) {
                return id;
            }
        }
    }
}

impl Steered {
    pub(super) fn into_typed(self) -> String {
        format!("/steer {}", self.text)
    }
}

impl Queued {
    fn into_typed(self) -> String {
        match self.start {
            Start::Shell(_) => format!("!{}", self.text),
            Start::Prompt => self.text,
        }
    }
}
