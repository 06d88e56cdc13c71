//! The hooks of one session: asked in tasks of their own, ended with the turn that waits for them, and told at the points nobody waits at.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio::task::JoinSet;

use super::Seat;
use crate::domain::hook::{Hook, HookEvent};
use crate::domain::permission::ToolRules;
use crate::domain::tool::CallStatus;
use crate::orchestrator::effect::HookPoint;
use crate::orchestrator::engine::Engine;
use crate::orchestrator::hooks::{Asked, Asker, Runs};
use crate::orchestrator::input::{Happened, HookAnswer};
use crate::orchestrator::machine::Hooked;
use crate::protocol::{Answer, Event, Live};
use crate::tools::program::Around;
use crate::tools::{Stop, Stopper};

/// Of those that nobody waits for, so many at once.
const MOST_BESIDE: usize = 16;

/// How long the end of a session waits for its hooks, whatever they are.
const LAST: Duration = Duration::from_secs(2);

pub(super) struct Hooking {
    runs: Runs,
    stopper: Stopper,
    stop: Stop,
    tasks: JoinSet<()>,
    /// Those of the beginning were asked.
    has_begun: bool,
}

impl Default for Hooking {
    fn default() -> Self {
        let (stopper, stop) = Stop::pair();
        Self {
            runs: Runs::default(),
            stopper,
            stop,
            tasks: JoinSet::new(),
            has_begun: false,
        }
    }
}

/// What the machine is told of the configured ones.
pub(super) fn hooked(hooks: &[Hook]) -> Hooked {
    let has = |event| hooks.iter().any(|hook| hook.event == event);
    Hooked {
        before_tool: has(HookEvent::BeforeTool),
        after_tool: has(HookEvent::AfterTool),
        turn_end: has(HookEvent::TurnEnd),
    }
}

/// What is asked with a prompt, before it is sent.
pub(super) struct AtPrompt {
    asker: Asker,
    stop: Stop,
    asked: Vec<Asked>,
}

impl AtPrompt {
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
    /// `None`: there are none, and nothing is made for them.
    fn asker(&self, engine: &Engine) -> Option<Asker> {
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
            around: Around {
                launcher: setup.launcher.clone(),
                keys: crate::config::key_variables(&self.settings, &setup.environment).into(),
                passed: self.settings.sandbox.pass_env.clone().into(),
            },
            root,
            home: setup.environment.get("HOME").map(Into::into),
            redactor: self.redactor(engine),
            session,
        })
    }

    fn rules_of(&self, tool: &str) -> Option<ToolRules> {
        self.tools.rules().into_iter().find(|rules| rules.name == tool)
    }

    /// What the machine asks at one point; where no hook is about it, it is answered at once.
    pub(super) fn ask_hooks(&mut self, engine: &Engine, number: u64, point: HookPoint) -> Option<Happened> {
        while self.hooking.tasks.try_join_next().is_some() {}
        let asked = self.asked_at(point);
        let asker = self.asker(engine);
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
        let (event, tool, arguments) = match point {
            HookPoint::BeforeTool { call, tool, arguments } => {
                tell("tool_name", json!(tool));
                tell("tool_call_id", json!(call.0));
                (HookEvent::BeforeTool, Some(tool), Some(arguments))
            }
            HookPoint::AfterTool {
                call,
                tool,
                arguments,
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
                (HookEvent::AfterTool, Some(tool), Some(arguments))
            }
            HookPoint::TurnEnd { outcome, again } => {
                tell("outcome", json!(outcome));
                tell("sent_on", json!(again));
                (HookEvent::TurnEnd, None, None)
            }
        };
        Asked {
            event,
            tool: tool.and_then(|tool| self.rules_of(&tool)),
            about,
            arguments,
        }
    }

    /// What is asked before this prompt is sent; `None`: nothing.
    pub(super) fn asked_at_prompt(&mut self, engine: &Engine, prompt: &str) -> Option<AtPrompt> {
        let asker = self.asker(engine)?;
        let mut asked = Vec::new();
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

    /// What is told to hooks that nobody waits for, as it happens.
    pub(super) fn tell_hooks(&mut self, engine: &Engine, event: &Event) {
        if self.settings.hooks.is_empty() {
            return;
        }
        if let Event::Live(Live::ApprovalRequested(request)) = event {
            let mut asked = about(HookEvent::Approval, "tool_name", json!(request.tool));
            asked.about.insert("tool_call_id".to_owned(), json!(request.call.0));
            asked.about.insert("title".to_owned(), json!(request.title));
            asked.tool = self.rules_of(&request.tool);
            self.tell_beside(engine, asked);
        }
    }

    /// Room is about to be made in the window.
    pub(super) fn tell_of_room(&mut self, engine: &Engine, trigger: &str) {
        if !self.settings.hooks.is_empty() {
            self.tell_beside(engine, about(HookEvent::BeforeCompact, "trigger", json!(trigger)));
        }
    }

    fn tell_beside(&mut self, engine: &Engine, asked: Asked) {
        while self.hooking.tasks.try_join_next().is_some() {}
        let asker = self.asker(engine);
        let Some(asker) = asker.filter(|asker| asker.has(asked.event, asked.tool.as_ref())) else {
            return;
        };
        if self.hooking.tasks.len() >= MOST_BESIDE {
            return;
        }
        let (line, stop) = (engine.line(self.id), self.hooking.stop.clone());
        self.hooking.tasks.spawn(async move {
            for notice in asker.ask(asked, &stop).await.told {
                line.tell(Event::Live(Live::Notice(notice))).await;
            }
        });
    }

    /// The turn is being ended: what is asked about it ends, too, with all it started.
    pub(super) fn stop_hooks(&mut self) {
        self.hooking.stopper.stop();
        (self.hooking.stopper, self.hooking.stop) = Stop::pair();
    }

    /// The session is closed.
    pub(super) async fn end_hooks(&mut self, engine: &Engine) {
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

    pub(in crate::orchestrator) async fn list_hooks(&self, engine: &Engine) {
        let offers = Asker::offers(&self.settings.hooks, &self.hooking.runs);
        engine.answer(self.id, Answer::Hooks(offers)).await;
    }
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
