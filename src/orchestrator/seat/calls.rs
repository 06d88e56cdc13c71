//! Runs calls of all origins: prepares them, checks permissions, runs them, and reports results.

pub(super) mod approver;
pub(super) mod bodies;
pub(super) mod checks;
pub(crate) mod command_changes;
pub(super) mod grants;
pub(super) mod jobs;
pub(super) mod preview;
mod retrieval;
pub(super) mod slot;
pub(super) mod undo;
pub mod watched_files;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures::FutureExt;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tracing::Instrument;

use super::servers::forms::Person;
use super::{Seat, confined, traces};
use crate::engine::{Engine, Line};
use crate::input::Happened;
use approver::Approver;
use benchdog_agent::HandsOver;
use benchdog_base::clock::Time;
use benchdog_base::environment::Environment;
use benchdog_base::id::CallId;
use benchdog_config::{Settings, key_variables, keys};
use benchdog_domain::call::{Call, Origin, Wanted};
use benchdog_domain::confinement::Level;
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Action, Because, DecidedBy, Decision, Layer, OnlyOnce, Verdict};
use benchdog_domain::review::{Pause, Question, Review};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome, OutputChunk, Success, ToolFacts};
use benchdog_domain::undo::UndoNotice;
use benchdog_lsp::Servers;
use benchdog_protocol::{Event, Live};
use benchdog_security::policy::{Grants, of_person};
use benchdog_security::redact::Redactor;
use benchdog_security::sandbox::Granted;
use benchdog_tools::outputs::Outputs;
use benchdog_tools::write_set::WriteSet;
use benchdog_tools::{Limits, Prepared, Refusal, Registry, Stop, Stopper, ToolContext, cancelled};
use benchdog_web::Web;
use command_changes::OwnerJob;
use watched_files::against;

/// Maximum time in which a stopped call may report its result.
const LAST_WORDS: Duration = Duration::from_millis(1_500);

/// Timeout of a check. It is longer than that of a command, because no person waits for the check.
const CHECK_TIMEOUT_MS: u64 = 600_000;

impl Seat {
    pub(super) fn tool_context(&self, engine: &Engine, stop: Stop, origin: Origin) -> ToolContext {
        let setup = &engine.setup;
        ToolContext {
            workspace: self.workspace_with_buffers(engine),
            seen: Arc::clone(&self.seen),
            saved_meanwhile: Arc::default(),
            todo: self.machine.todo().clone(),
            limits: Limits {
                result_bytes: self.result_bytes(engine),
                timeout_ms: None,
                checkpoint_max_file: self.settings.checkpoint_max_file,
            },
            plans: self.agent.hands_over == HandsOver::Plan && self.above.is_none(),
            skills: Arc::clone(&self.instructed.skills),
            loaded: Arc::clone(&self.instructed.loaded),
            jobs: self.background.jobs.clone(),
            cache: setup.folders.cache.clone(),
            outputs: Outputs::of(&setup.folders.cache, &self.session.id).kept_for(self.settings.cache_days),
            launcher: setup.launcher.clone(),
            hidden_variables: key_variables(&self.settings, &setup.environment).into(),
            redactor: self.redactor(engine),
            confines: self.confines_of(engine, origin),
            children: self.delegates(engine),
            outside: self.served.door(self.person(engine)),
            web: web(&self.settings, &setup.environment),
            retrieval: retrieval::of(&self.settings, &self.policy, setup),
            // An undo needs no diagnostics. The next edit reports the files to the language servers.
            languages: match origin {
                Origin::Model => engine.at(self.folder()).languages.clone(),
                _ => Servers::default(),
            },
            write_set: (origin == Origin::Undo)
                .then(|| Arc::new(engine.at(self.folder()).command_changes.clone()) as Arc<dyn WriteSet>),
            sees: engine.vision(&self.settings, self.machine.model()).unwrap_or_default(),
            witnessed: Arc::default(),
            began: self.session.created,
            port_offset: engine.at(self.folder()).port_offset,
            stop,
        }
    }

    /// Returns access to the person, for questions of MCP servers. `None` for a subagent, or without a person.
    fn person(&self, engine: &Engine) -> Option<Person> {
        let is_there = engine.setup.approver == Approver::Person && self.above.is_none();
        is_there.then(|| Person {
            seat: self.id,
            reports: engine.reports(),
        })
    }

    /// Returns the maximum number of bytes in a call's result. This maximum also applies to a file of rules.
    pub(super) fn result_bytes(&self, engine: &Engine) -> usize {
        result_bytes(engine.window(&self.settings, self.machine.model()))
    }

    /// Returns the filter for secrets: keys of configured endpoints, stored keys, and secrets that MCP servers receive.
    pub(crate) fn redactor(&self, engine: &Engine) -> Redactor {
        let providers = self.settings.provider.iter();
        let in_use = providers.flat_map(|(_, provider)| keys(provider, &engine.setup.environment));
        let stored = self.settings.stored_keys.iter().cloned();
        Redactor::new(in_use.chain(stored).chain(self.served.secrets()))
    }

    pub(super) fn prepare(&mut self, engine: &Engine, call: Call) {
        let (stopper, stop) = Stop::pair();
        let cx = self.tool_context(engine, stop, call.origin);
        let line = engine.line(self.id);
        self.origins.insert(call.id.clone(), call.origin);
        let (id, tools) = (call.id.clone(), self.tools.clone());
        let before = self.calls.previewed(&id);
        let task = tokio::spawn(async move {
            let named = named(&call);
            let understood = tokio::task::spawn_blocking(move || understood(&tools, call, &against(cx, &before)));
            let broke = || (named, Err(Refusal::from(broken())));
            let (call, result) = understood.await.unwrap_or_else(|_| broke());
            line.prepared(call, result).await;
        });
        let task = task.abort_handle();
        self.calls.slot(&id).running = Some(Running { task, stopper });
    }

    pub(crate) async fn on_prepared(&mut self, engine: &mut Engine, call: ToolCall, result: Result<Prepared, Refusal>) {
        self.calls.take(&call.id, |slot| slot.running.take());
        let happened = match result {
            Err(refusal) => {
                self.origins.remove(&call.id);
                self.traces.refused(&call.id, refusal.outcome.code.as_deref());
                Happened::Refused {
                    call: call.id,
                    tool: call.name,
                    outcome: *refusal.outcome,
                }
            }
            Ok(prepared) => {
                let verdict = self.verdict(engine, &prepared).await;
                self.tell_missing_sandbox(engine).await;
                self.traces.prepared(&call.id, &prepared.tool, &verdict);
                if prepared.effect == EffectClass::Executes && !prepared.reads_only() {
                    engine.at(self.folder()).command_changes.prepare();
                }
                let happened = Happened::Prepared {
                    call: call.id.clone(),
                    tool: prepared.tool.to_string(),
                    title: prepared.title.clone(),
                    effect: prepared.effect,
                    review: Arc::clone(&prepared.review),
                    verdict,
                    understood: self.understood(&prepared),
                };
                self.calls.slot(&call.id).prepared = Some(prepared);
                happened
            }
        };
        self.feed(engine, happened).await;
    }

    /// Adjusts the policy's verdict to the origin of the call.
    pub(super) fn judge(&mut self, engine: &Engine, prepared: &Prepared, grants: &Grants) -> Verdict {
        let judged = self.by_rules(grants, prepared);
        let origin = self.origins.get(&prepared.call).copied().unwrap_or(Origin::Model);
        let judged = match origin {
            Origin::Check => self.judge_check(engine, prepared, judged),
            Origin::Limit => at_pause(judged, &prepared.review),
            Origin::Typed => of_person(judged, &prepared.subjects),
            // Allow a submission of the agent's work. It has no side effects, and a denial would lose the work.
            Origin::Model if self.agent.hands_over_by(&prepared.tool) => wished(judged),
            Origin::Model | Origin::OwnCommand => self.judge_tool(engine, prepared, judged),
            Origin::Person => judged,
            Origin::Merge => asked_about(judged, OnlyOnce::Branch),
            Origin::Undo => asked_about(judged, OnlyOnce::Undone),
            Origin::Review => wished(judged),
        };
        let judged = if prepared.review.is_against_newer() {
            seen_first(judged)
        } else {
            judged
        };
        self.judge_confinement(engine, prepared, origin, judged)
    }

    pub(super) fn run(&mut self, engine: &Engine, call: CallId, decision: Decision, by: DecidedBy) {
        let Some(prepared) = self.calls.take(&call, |slot| slot.prepared.take()) else {
            return;
        };
        self.look_at_checks(engine);
        let origin = self.origins.remove(&call).unwrap_or(Origin::Model);
        match origin {
            Origin::Check => self.checks.runs(&call),
            Origin::Model => self.note_what_is_read(&call, &prepared),
            Origin::Person
            | Origin::Typed
            | Origin::OwnCommand
            | Origin::Merge
            | Origin::Undo
            | Origin::Review
            | Origin::Limit => {}
        }
        let (stopper, stop) = Stop::pair();
        let mut cx = self.tool_context(engine, stop.clone(), origin);
        let granted = self.unasked.granted.remove(&call).unwrap_or_default();
        // A typed command counts as approved. It does not use the sandbox for unapproved calls.
        if decision == Decision::Confined {
            cx.confines = cx.confines.unasked(confined::CHOSEN);
        } else if by != DecidedBy::User && origin != Origin::Typed {
            cx.confines = confined::unasked(cx.confines, granted);
        }
        if ToolFacts::success_of(&self.facts, &prepared.tool) == Success::Answered {
            cx.witnessed = Arc::new(self.log.history().witnessed().clone());
        }
        let command_changes = engine.at(self.folder()).command_changes.clone();
        let may_change = prepared.effect == EffectClass::Executes && cx.confines.wanted.level != Level::ReadOnly;
        let changes_of_jobs = self.background.changes.clone();
        let line = engine.line(self.id);
        let id = call.clone();
        let span = self.traces.call(&call, &prepared.tool);
        let patience = last_words(prepared.effect);
        let work = async move {
            let (output, mut chunks) = mpsc::channel::<OutputChunk>(64);
            let started = Time::now();
            let forward = async {
                while let Some(chunk) = chunks.recv().await {
                    line.happened(Happened::Output(chunk)).await;
                }
            };
            let work = async {
                let (watched, notice) = tokio::select! {
                    biased;
                    () = stop.stopped(), if may_change => (None, None),
                    begun = command_changes.begin(), if may_change => begun,
                    else => (None, None),
                };
                tell_undo(&line, notice).await;
                let writes = prepared.effect == EffectClass::Writes;
                if writes {
                    command_changes.before_tool().await;
                }
                let mut outcome = tokio::select! {
                    biased;
                    outcome = prepared.run(&decision, &cx, output) => outcome,
                    // After this time, the future of the work is dropped, which ends everything it has started.
                    () = overdue(&stop, patience) => cancelled(""),
                };
                if let Some(watched) = watched {
                    let (changes, notice) = match outcome.summary {
                        Summary::Background { job } => {
                            let (line, redactor) = (line.clone(), cx.redactor.clone());
                            let owner = OwnerJob { job, line, redactor };
                            changes_of_jobs.begin(watched, owner, &cx.jobs).await
                        }
                        _ => watched.end(cx.redactor.clone()).await,
                    };
                    outcome.changes.extend(changes);
                    tell_undo(&line, notice).await;
                } else if writes {
                    command_changes.after_tool().await;
                }
                outcome
            };
            // If a tool panics, its call ends with an error and the turn continues.
            let work = AssertUnwindSafe(work).catch_unwind();
            let (outcome, ()) = tokio::join!(work, forward);
            let outcome = outcome.unwrap_or_else(|_| broken());
            for notice in cx.languages.take_notices() {
                line.tell(Event::Live(Live::Notice(Notice::Language(notice)))).await;
            }
            let took_ms = Time::now().since(started);
            traces::call_ended(&outcome, took_ms);
            line.happened(Happened::Finished { call, outcome, took_ms }).await;
        };
        let task = tokio::spawn(work.instrument(span)).abort_handle();
        self.calls.slot(&id).running = Some(Running { task, stopper });
    }

    pub(super) fn forget(&mut self, call: &CallId) {
        self.unasked.granted.remove(call);
        self.origins.remove(call);
        let running = self.calls.take(call, |slot| {
            slot.prepared = None;
            slot.running.take()
        });
        if let Some(running) = running {
            running.task.abort();
        }
    }

    /// Stops a running call. The result of the call follows as the input `Finished`.
    pub(super) fn cancel(&self, call: &CallId) {
        if let Some(running) = self.calls.get(call).and_then(|slot| slot.running.as_ref()) {
            running.stopper.stop();
        }
    }
}

impl Seat {
    /// Stops a call that runs a subagent. The person can stop other calls only together with the turn.
    pub(crate) fn stop_child(&self, call: &CallId) {
        if self.machine.has_child(call) {
            self.cancel(call);
        }
    }
}

pub(super) struct Running {
    pub(super) task: AbortHandle,
    stopper: Stopper,
}

/// Returns the time in which a stopped call may report its result. A call with a subagent gets twice the time, because
/// the subagent's calls must report first.
fn last_words(effect: EffectClass) -> Duration {
    match effect {
        EffectClass::Delegates => LAST_WORDS * 2,
        _ => LAST_WORDS,
    }
}

async fn tell_undo(line: &Line, notice: Option<UndoNotice>) {
    if let Some(notice) = notice {
        line.tell(Event::Live(Live::Notice(Notice::Undo(notice)))).await;
    }
}

/// Waits for the stop signal of a call, and then for the time in which the call may report.
async fn overdue(stop: &Stop, patience: Duration) {
    stop.stopped().await;
    tokio::time::sleep(patience).await;
}

/// Returns the maximum number of bytes in a result: a quarter of the context window, at three bytes per token. A single
/// result thus cannot fill the whole window.
pub(super) fn result_bytes(window: u64) -> usize {
    usize::try_from(window.saturating_mul(3) / 4)
        .unwrap_or(usize::MAX)
        .max(4096)
}

fn web(settings: &Settings, environment: &Environment) -> Option<Arc<Web>> {
    let web = settings.web()?;
    Some(Arc::new(Web::new(web, &settings.network, environment)))
}

/// Prepares a call. Returns the call in the form that its tool accepts, and either the preparation or the error.
pub(super) fn understood(tools: &Registry, call: Call, cx: &ToolContext) -> (ToolCall, Result<Prepared, Refusal>) {
    let unnamed = named(&call);
    let made = match call.wanted {
        Wanted::Tool { name, arguments } => Ok(ToolCall {
            id: call.id.clone(),
            name,
            arguments,
        }),
        Wanted::Command(line) => {
            let limit = (call.origin == Origin::Check).then_some(CHECK_TIMEOUT_MS);
            tools.command_call(call.id.clone(), &line, limit)
        }
        Wanted::Patch { patch, .. } => return (unnamed, tools.merge(call.id, &patch, cx)),
        Wanted::Undo { files, .. } => return (unnamed, tools.undo(call.id, &files, cx)),
        Wanted::Review { line, review } => return (unnamed, tools.review(call.id, line, review, cx)),
        Wanted::Question(question) => return (unnamed, tools.question(call.id, question)),
    };
    match made {
        Ok(call) => {
            let prepared = tools.prepare(&call, cx);
            if prepared.as_ref().is_ok_and(Prepared::runs_command) {
                // Test the sandbox now, so that the verdict need not wait for the result.
                cx.confines.standing(&cx.workspace);
                cx.confines.clone().unasked(Granted::default()).standing(&cx.workspace);
            }
            (call, prepared)
        }
        // The session has no tool for this kind of call.
        Err(refusal) => (unnamed, Err(refusal)),
    }
}

/// Returns the call with its name but without arguments. Used for errors before a tool has parsed them.
fn named(call: &Call) -> ToolCall {
    let name = match &call.wanted {
        Wanted::Tool { name, .. } => name.clone(),
        Wanted::Command(_)
        | Wanted::Patch { .. }
        | Wanted::Undo { .. }
        | Wanted::Review { .. }
        | Wanted::Question(_) => String::new(),
    };
    ToolCall {
        id: call.id.clone(),
        name,
        arguments: Arguments::Raw(String::new()),
    }
}

pub(super) fn broken() -> Outcome {
    Outcome::error(
        "internal",
        "The tool has an error in itself and broke. What it did until then stays: look before you go on.",
    )
}

/// Changes the verdict on the question whether a paused turn continues. The person must answer this question, even if
/// the rules allow or deny questions.
fn at_pause(judged: Verdict, review: &Review) -> Verdict {
    let because = match review {
        Review::Question(Question::GoOn(Pause::Loop { .. })) => Because::Loop,
        Review::Question(Question::GoOn(Pause::Denials { .. })) => Because::Denials,
        _ => Because::StepLimit,
    };
    Verdict {
        action: Action::Ask,
        because,
        layer: Layer::Guard,
        scopes: Vec::new(),
        needs_person: true,
        ..judged
    }
}

/// Requires approval to merge a branch or undo a change, even if the rules allow edits.
fn asked_about(judged: Verdict, why: OnlyOnce) -> Verdict {
    if judged.action == Action::Deny {
        return judged;
    }
    Verdict {
        action: Action::Ask,
        scopes: Vec::new(),
        only_once: Some(why),
        needs_person: true,
        ..judged
    }
}

/// Requires approval for a change of file content that the model has not seen, even if the rules allow edits.
fn seen_first(judged: Verdict) -> Verdict {
    match judged.action {
        Action::Allow => Verdict {
            action: Action::Ask,
            needs_person: true,
            ..judged
        },
        Action::Ask | Action::Deny => judged,
    }
}

/// Allows a call that the person requested, unless a rule denies it. Further calls are checked separately.
fn wished(judged: Verdict) -> Verdict {
    if judged.action == Action::Deny {
        return judged;
    }
    Verdict {
        action: Action::Allow,
        because: Because::Typed,
        ..judged
    }
}
