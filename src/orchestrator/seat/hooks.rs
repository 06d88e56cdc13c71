//! Hooks of one session, run in separate tasks. Stopping a turn also stops the hooks that it waits for.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use super::Seat;
use super::prompt::custom_command::Called;
use crate::effect::HookPoint;
use crate::engine::{Engine, Mentioned, Named, WhatFor};
use crate::hooks::{Asked, Asker, Runs, has};
use crate::input::{Happened, HookAnswer, Weighed};
use crate::machine::Hooked;
use benchdog_config::settings::Settings;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::hook::{Hook, HookEvent, HookSaid, Understood};
use benchdog_domain::mention::{Unreadable, WhyUnreadable};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Layer, ToolRules};
use benchdog_domain::tool::CallStatus;
use benchdog_files::worktree;
use benchdog_protocol::{Answer, Event, Live};
use benchdog_tools::program::Around;
use benchdog_tools::{Prepared, Stop, Stopper};

/// Maximum number of hooks that run in parallel without a turn waiting for them.
const MOST_UNAWAITED: usize = 16;

/// Maximum time that the end of a session waits for hooks.
const LAST: Duration = Duration::from_secs(2);

pub(super) struct Hooking {
    runs: Runs,
    stopper: Stopper,
    stop: Stop,
    tasks: JoinSet<()>,
    /// Whether the hooks for the start of the session have run.
    has_begun: bool,
    /// Stops the hooks of the folder when trust in the folder is revoked.
    withdrawer: Stopper,
    withdrawn: Stop,
    /// The hooks' answer about a prompt with command lines. Set while these lines are running.
    first: Option<First>,
    /// Whether the person was told that hooks are skipped.
    told_full: bool,
    /// Whether hooks were started for the end of a failed turn.
    told_of_end: bool,
}

/// The hooks' answer about a prompt with command lines, which run before the prompt is sent.
struct First {
    text: String,
    answer: HookAnswer,
}

impl Default for Hooking {
    fn default() -> Self {
        let (stopper, stop) = Stop::pair();
        let (withdrawer, withdrawn) = Stop::pair();
        Self {
            runs: Runs::default(),
            stopper,
            stop,
            tasks: JoinSet::new(),
            has_begun: false,
            withdrawer,
            withdrawn,
            first: None,
            told_full: false,
            told_of_end: false,
        }
    }
}

/// Returns which of the machine's hook events have configured hooks.
pub(super) fn hooked(hooks: &[Hook]) -> Hooked {
    let has = |event| hooks.iter().any(|hook| hook.event == event);
    Hooked {
        before_tool: has(HookEvent::BeforeTool),
        after_tool: has(HookEvent::AfterTool),
        turn_end: has(HookEvent::TurnEnd),
    }
}

/// Hooks that run before a prompt is sent.
pub(super) struct AtPrompt {
    asker: Asker,
    stop: Stop,
    asked: Vec<Asked>,
}

impl AtPrompt {
    /// Passes `text` to the hooks in place of the prompt. `text` is the expanded custom command that will be sent.
    pub(super) fn about(&mut self, text: &str) {
        let of_prompt = self
            .asked
            .iter_mut()
            .filter(|asked| asked.event == HookEvent::UserPrompt);
        for asked in of_prompt {
            asked.about.insert("prompt".to_owned(), json!(text));
        }
    }

    pub(super) async fn ask(self) -> HookAnswer {
        let mut whole = HookAnswer::default();
        for asked in self.asked {
            let answer = self.asker.ask(asked, &self.stop).await;
            whole.notes.extend(answer.notes);
            whole.told.extend(answer.told);
            whole.denied = answer.denied;
            if whole.denied.is_some() {
                break;
            }
        }
        whole
    }
}

impl Seat {
    pub(super) fn asker(&self, engine: &Engine) -> Option<Asker> {
        if self.settings.hooks.is_empty() {
            return None;
        }
        let setup = &engine.setup;
        let mut session = Map::new();
        session.insert("session_id".to_owned(), json!(self.session.id.to_string()));
        if let Some(parent) = &self.session.parent {
            session.insert("parent_session_id".to_owned(), json!(parent.session.to_string()));
        }
        let root = self.workspace.root().to_path_buf();
        session.insert("cwd".to_owned(), json!(root.display().to_string()));
        Some(Asker {
            hooks: self.settings.hooks.clone().into(),
            runs: Arc::clone(&self.hooking.runs),
            withdrawn: self.hooking.withdrawn.clone(),
            around: self.around(engine),
            sandbox: (self.confines_of_hooks(engine), Arc::clone(&self.workspace)),
            root,
            home: setup.environment.get("HOME").map(Into::into),
            redactor: self.redactor(engine),
            session,
            line: None,
        })
    }

    /// Returns the environment of programs that the person configured.
    pub(super) fn around(&self, engine: &Engine) -> Around {
        Around {
            launcher: engine.setup.launcher.clone(),
            keys: benchdog_config::key_variables(&self.settings, &engine.setup.environment).into(),
            passed: self.settings.sandbox.pass_env.clone().into(),
            port_offset: engine.at(self.folder()).port_offset,
        }
    }

    /// Returns a runner for hooks that also shows the person which hook the turn waits for.
    fn awaited_asker(&self, engine: &Engine) -> Option<Asker> {
        let line = Some(engine.line(self.id));
        self.asker(engine).map(|asker| Asker { line, ..asker })
    }

    fn rules_of(&self, tool: &str) -> Option<ToolRules> {
        self.tools.rules().into_iter().find(|rules| rules.name == tool)
    }

    /// Returns facts about a prepared call for hooks. `None` if no hooks about calls are configured.
    pub(super) fn understood(&self, prepared: &Prepared) -> Option<Arc<Understood>> {
        let hooked = hooked(&self.settings.hooks);
        (hooked.before_tool || hooked.after_tool).then(|| {
            let rules = self.rules_as_known(prepared);
            Arc::new(Understood {
                is_asked_after: has(&self.settings.hooks, HookEvent::AfterTool, Some(&rules)),
                rules,
                arguments: prepared.arguments().clone(),
            })
        })
    }

    pub(crate) async fn take_hooks(&mut self, engine: &mut Engine, hooks: &[Hook]) {
        if self.settings.hooks != hooks {
            let hooks = hooks.to_vec();
            self.settings = Arc::new(Settings {
                hooks,
                ..Settings::clone(&self.settings)
            });
        }
        self.begin_hooks_anew();
        let hooked = hooked(&self.settings.hooks);
        self.feed(engine, Happened::Hooks(hooked)).await;
    }

    /// Clears the records of earlier runs. Stops the folder's hooks if none are configured any more.
    pub(super) fn begin_hooks_anew(&mut self) {
        self.hooking.runs = Runs::default();
        self.status_line.end_hooks();
        if !self.settings.hooks.iter().any(|hook| hook.layer == Layer::Project) {
            self.hooking.withdrawer.stop();
            (self.hooking.withdrawer, self.hooking.withdrawn) = Stop::pair();
        }
    }

    /// Starts the hooks of an event. Returns an empty answer at once if no hook applies.
    pub(super) fn ask_hooks(&mut self, engine: &Engine, number: u64, point: HookPoint) -> Option<Happened> {
        while self.hooking.tasks.try_join_next().is_some() {}
        let asked = self.asked_at(point);
        let asker = self.awaited_asker(engine);
        let Some(asker) = asker.filter(|asker| asker.has(asked.event, asked.tool.as_ref())) else {
            let answer = HookAnswer::default();
            return Some(Happened::Hooked { number, answer });
        };
        let (line, stop) = (engine.line(self.id), self.hooking.stop.clone());
        self.hooking.tasks.spawn(async move {
            let answer = asker.ask(asked, &stop).await;
            line.happened(Happened::Hooked { number, answer }).await;
        });
        None
    }

    fn asked_at(&self, point: HookPoint) -> Asked {
        let mut about = Map::new();
        let mut tell = |name: &str, value: Value| drop(about.insert(name.to_owned(), value));
        let (event, tool, understood) = match point {
            HookPoint::BeforeTool { call, tool, understood } => {
                tell("tool_name", json!(tool));
                tell("tool_call_id", json!(call.0));
                (HookEvent::BeforeTool, Some(tool), understood)
            }
            HookPoint::AfterTool {
                call,
                tool,
                understood,
                status,
                output,
                took_ms,
            } => {
                tell("tool_name", json!(tool));
                tell("tool_call_id", json!(call.0));
                tell("tool_status", json!(status_word(status)));
                let output_name = if status == CallStatus::Ok {
                    "tool_output_text"
                } else {
                    "tool_error"
                };
                tell(output_name, json!(output));
                tell("duration_ms", json!(took_ms));
                (HookEvent::AfterTool, Some(tool), understood)
            }
            HookPoint::TurnEnd { outcome, again } => {
                tell("outcome", json!(outcome));
                tell("sent_on", json!(again));
                (HookEvent::TurnEnd, None, None)
            }
        };
        let (rules, arguments) = understood.map(|it| (it.rules.clone(), it.arguments.clone())).unzip();
        Asked {
            event,
            tool: rules.or_else(|| self.rules_of(&tool?)),
            about,
            arguments,
        }
    }

    /// Returns the hooks' answer about this prompt, if the hooks ran before its command lines.
    pub(super) fn said_before(&mut self, text: &str) -> Option<HookAnswer> {
        let first = self.hooking.first.take_if(|first| first.text == text)?;
        Some(first.answer)
    }

    /// Starts the hooks about a prompt before its command lines run. Returns `false` if no hook applies.
    pub(super) fn ask_first(&mut self, engine: &Engine, weighing: u64, prompt: &str, called: &Called) -> bool {
        let (text, lines) = (called.expansion.text.clone(), called.expansion.lines.clone());
        self.hooking.first = None;
        let Some(at_prompt) = self.asked_at_prompt(engine, &text) else {
            return false;
        };
        let (line, prompt) = (engine.line(self.id), prompt.to_owned());
        self.readings.spawn(async move {
            let mentioned = Mentioned {
                prompt,
                text: Some(text),
                read: Ok(Named::default()),
                hooked: at_prompt.ask().await,
                repository: None,
                outside: None,
                what_for: WhatFor::First { weighing, lines },
            };
            line.mentioned(mentioned).await;
        });
        true
    }

    /// Handles the hooks' answer about a prompt with command lines. If the hooks deny the prompt, no command line runs.
    pub(super) async fn on_asked_first(
        &mut self,
        engine: &mut Engine,
        of: (u64, Vec<String>),
        text: String,
        mut hooked: HookAnswer,
    ) {
        let (weighing, lines) = of;
        let told = std::mem::take(&mut hooked.told);
        let weighed = match hooked.denied.take() {
            Some(denied) => {
                self.tell_unlogged(engine, told).await;
                Weighed::Unread(vec![refused(denied)])
            }
            None => {
                self.hooking.first = Some(First { text, answer: hooked });
                let lines = lines.into();
                Weighed::First { lines, told }
            }
        };
        self.feed(engine, Happened::Weighed { weighing, weighed }).await;
    }

    /// Sends the notices of hooks about an unlogged prompt. Omits the denial, which the returned prompt shows.
    pub(super) async fn tell_unlogged(&self, engine: &Engine, told: Vec<Notice>) {
        let is_refusal = |notice: &Notice| {
            let said = |said: &HookSaid| matches!(said, HookSaid::Denied { .. });
            matches!(notice, Notice::Hook { said: it, .. } if said(it))
        };
        for notice in told.into_iter().filter(|notice| !is_refusal(notice)) {
            engine.notice(self.id, notice).await;
        }
    }

    pub(super) fn asked_at_prompt(&mut self, engine: &Engine, prompt: &str) -> Option<AtPrompt> {
        let asker = self.awaited_asker(engine)?;
        let mut asked = Vec::new();
        let root = self.workspace.root();
        if asker.has(HookEvent::WorktreeSetup, None) && worktree::take_new_mark(root) {
            let name = root.file_name().unwrap_or_default().to_string_lossy();
            asked.push(about(HookEvent::WorktreeSetup, "worktree", json!(name)));
        }
        if !std::mem::replace(&mut self.hooking.has_begun, true) {
            let source = if self.log.history().title().is_some() {
                "resumed"
            } else {
                "new"
            };
            asked.push(about(HookEvent::SessionStart, "source", json!(source)));
        }
        asked.push(about(HookEvent::UserPrompt, "prompt", json!(prompt)));
        asked.retain(|asked| asker.has(asked.event, None));
        (!asked.is_empty()).then(|| AtPrompt {
            asker,
            stop: self.hooking.stop.clone(),
            asked,
        })
    }

    /// Starts the hooks for an event. The turn does not wait for them.
    pub(super) fn tell_hooks(&mut self, engine: &Engine, event: &Event) {
        if self.settings.hooks.is_empty() {
            return;
        }
        if let Event::Live(Live::ApprovalRequested(request)) = event {
            let prepared = self.calls.prepared(&request.call);
            // The request contains the tool name that the person sees. Hooks get the name of the actual tool.
            let tool = prepared.map_or(&*request.tool, |prepared| &*prepared.tool);
            let mut asked = about(HookEvent::Approval, "tool_name", json!(tool));
            asked.about.insert("tool_call_id".to_owned(), json!(request.call.0));
            asked.about.insert("title".to_owned(), json!(request.title));
            let rules = prepared.map(|prepared| self.rules_as_known(prepared));
            asked.tool = rules.or_else(|| self.rules_of(&request.tool));
            self.ask_unawaited(engine, asked);
        }
        if let Event::Fact(entry) = event {
            self.tell_of_end(engine, &entry.body);
        }
    }

    /// Starts the hooks for the end of an unsuccessful turn. Nothing waits for these hooks, because such a turn cannot
    /// be continued. Starts no hooks if a crash ended the turn.
    fn tell_of_end(&mut self, engine: &Engine, body: &Body) {
        let Body::TurnEnded { outcome, .. } = body else { return };
        if *outcome != TurnOutcome::Done && self.hooking.has_begun {
            self.hooking.told_of_end = true;
            let point = HookPoint::TurnEnd {
                outcome: *outcome,
                again: 0,
            };
            let asked = self.asked_at(point);
            self.ask_unawaited(engine, asked);
        }
    }

    pub(super) fn tell_of_room(&mut self, engine: &Engine, trigger: &str) {
        if !self.settings.hooks.is_empty() {
            self.ask_unawaited(engine, about(HookEvent::BeforeCompact, "trigger", json!(trigger)));
        }
    }

    fn ask_unawaited(&mut self, engine: &Engine, asked: Asked) {
        while self.hooking.tasks.try_join_next().is_some() {}
        let asker = self.asker(engine);
        let Some(asker) = asker.filter(|asker| asker.has(asked.event, asked.tool.as_ref())) else {
            return;
        };
        let (line, stop) = (engine.line(self.id), self.hooking.stop.clone());
        if self.hooking.tasks.len() >= MOST_UNAWAITED {
            // Report skipped hooks once. Report them again only if hooks could run in the meantime.
            if !std::mem::replace(&mut self.hooking.told_full, true) {
                let left_out = asker.left_out(&asked, MOST_UNAWAITED);
                self.hooking.tasks.spawn(async move {
                    for notice in left_out {
                        line.tell(Event::Live(Live::Notice(notice))).await;
                    }
                });
            }
            return;
        }
        self.hooking.told_full = false;
        self.hooking.tasks.spawn(async move {
            for notice in asker.ask(asked, &stop).await.told {
                line.tell(Event::Live(Live::Notice(notice))).await;
            }
        });
    }

    /// Stops the hooks that the turn waits for, with their processes.
    pub(super) fn stop_hooks(&mut self) {
        self.hooking.stopper.stop();
        (self.hooking.stopper, self.hooking.stop) = Stop::pair();
    }

    pub(super) async fn end_hooks(&mut self, engine: &Engine) {
        self.status_line.end_hooks();
        if self.hooking.told_of_end {
            // In a run without a person, the session ends with the turn. Give hooks for the end of the turn as much
            // time as hooks for the end of the session.
            let tasks = &mut self.hooking.tasks;
            let last = async { while tasks.join_next().await.is_some() {} };
            let _ = tokio::time::timeout(LAST, last).await;
        }
        self.stop_hooks();
        let asker = self.asker(engine).filter(|_| self.hooking.has_begun);
        let Some(asker) = asker.filter(|asker| asker.has(HookEvent::SessionEnd, None)) else {
            return;
        };
        let asked = Asked {
            event: HookEvent::SessionEnd,
            tool: None,
            about: Map::new(),
            arguments: None,
        };
        let answer = tokio::time::timeout(LAST, asker.ask(asked, &self.hooking.stop)).await;
        for notice in answer.unwrap_or_default().told {
            engine.notice(self.id, notice).await;
        }
    }

    pub(crate) async fn list_hooks(&self, engine: &Engine) {
        let offers = Asker::offers(&self.settings.hooks, &self.hooking.runs);
        engine.answer(self.id, Answer::Hooks(offers)).await;
    }
}

pub(super) fn refused((path, reason): (String, String)) -> Unreadable {
    let why = WhyUnreadable::Hook { reason };
    Unreadable { path, why }
}

fn about(event: HookEvent, name: &str, value: Value) -> Asked {
    Asked {
        event,
        tool: None,
        about: Map::from_iter([(name.to_owned(), value)]),
        arguments: None,
    }
}

fn status_word(status: CallStatus) -> &'static str {
    match status {
        CallStatus::Ok => "success",
        CallStatus::Error | CallStatus::Denied => "failure",
        CallStatus::Cancelled => "cancelled",
    }
}
