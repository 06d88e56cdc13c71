//! A machine for tests. It feeds inputs to the machine, stores the log, and answers size checks.

use std::sync::Arc;

use serde_json::json;

use crate::effect::Effect;
use crate::input::{Along, Happened, Input, Weighed};
use crate::machine::{AtPause, Hooked, Machine, Rules};
use benchdog_base::clock::Time;
use benchdog_base::id::CallId;
use benchdog_domain::agent::{Briefed, ModelRef};
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::failure::{Failure, Overweight};
use benchdog_domain::message::{Arguments, Reply, ToolCall};
use benchdog_domain::permission::{Action, Because, DecidedBy, Decision, Kept, Layer, Scope, Verdict};
use benchdog_domain::review::Review;
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome};
use benchdog_protocol::{Answer, ApprovalRequest, Delivery, Live};

pub(super) struct Bench {
    pub(super) machine: Machine,
    pub(super) log: Vec<Arc<Entry>>,
    pub(super) live: Vec<Live>,
    pub(super) answers: Vec<Answer>,
    /// If set, the size check rejects the next prompt as too large by this amount.
    pub(super) over: Option<Overweight>,
    pub(super) request: u64,
    started: Vec<String>,
    clock: i64,
}

pub(super) fn rules() -> Rules {
    Rules {
        agent: Briefed::default(),
        max_steps: 50,
        insisted_steps: None,
        at_pause: AtPause::End,
        max_tokens: None,
        max_cost: None,
        prices: Vec::new(),
        validate: true,
        validation_rounds: 3,
        opens_list: true,
        fallback: Vec::new(),
        held: (Level::Off, Network::Inherit),
        scratch: None,
        subagents: Vec::new(),
        warn: vec![50, 80],
        proving: Vec::new(),
        hooks: Hooked::default(),
        tools: benchdog_tools::Registry::builtin().facts(),
    }
}

pub(super) fn model() -> ModelRef {
    ModelRef {
        provider: "p".to_owned(),
        id: "m".to_owned(),
    }
}

pub(super) fn call(id: &str, name: &str) -> ToolCall {
    let Some(arguments) = json!({"path": id}).as_object().cloned() else {
        unreachable!("an object")
    };
    ToolCall {
        id: CallId(id.to_owned()),
        name: name.to_owned(),
        arguments: Arguments::Object(arguments),
    }
}

pub(super) fn id(text: &str) -> CallId {
    CallId(text.to_owned())
}

pub(super) fn verdict(action: Action) -> Verdict {
    let scope = Scope {
        key: "edit".to_owned(),
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    };
    Verdict {
        action,
        because: Because::Words("edit: ask".to_owned()),
        layer: Layer::Default,
        class: None,
        scopes: vec![scope],
        only_once: None,
        network: false,
        needs_person: false,
        confinable: false,
    }
}

pub(super) fn once() -> Decision {
    Decision::Once { kept: Kept::All }
}

pub(super) fn deny() -> Decision {
    Decision::Deny {
        reason: Some("not like this".to_owned()),
    }
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with(rules())
    }

    pub(super) fn with(rules: Rules) -> Self {
        let machine = Machine::new(rules, model());
        Self {
            machine,
            log: Vec::new(),
            live: Vec::new(),
            answers: Vec::new(),
            over: None,
            request: 0,
            started: Vec::new(),
            clock: 1_000,
        }
    }

    pub(super) fn feed(&mut self, happened: Happened) -> Vec<Effect> {
        self.clock += 10;
        let effects = self.machine.handle(Input {
            at: Time(self.clock),
            happened,
        });
        self.keep(&effects);
        let mut all = effects;
        let weighing = all.iter().find_map(|effect| match effect {
            Effect::Weigh { weighing, .. } => Some(*weighing),
            _ => None,
        });
        if let Some(weighing) = weighing {
            let weighed = self.over.take().map_or(Weighed::Fits(Along::default()), Weighed::Over);
            all.extend(self.feed(Happened::Weighed { weighing, weighed }));
        }
        all
    }

    pub(super) fn cancelled(&mut self, call: &str, output: &str) -> Vec<Effect> {
        let outcome = Outcome {
            status: CallStatus::Cancelled,
            ..Outcome::error("cancelled", output)
        };
        self.finished(call, outcome)
    }

    /// Returns the calls for which a start or a stop was requested.
    pub(super) fn running(&self) -> Vec<String> {
        self.started.clone()
    }

    pub(super) fn asked(&self) -> Option<&ApprovalRequest> {
        self.live.iter().rev().find_map(|live| match live {
            Live::ApprovalRequested(request) => Some(&**request),
            _ => None,
        })
    }

    pub(super) fn keep(&mut self, effects: &[Effect]) {
        for effect in effects {
            match effect {
                Effect::Persist(entry) => self.log.push(Arc::clone(entry)),
                Effect::Live(live) => self.live.push(live.clone()),
                Effect::Answer(answer) => self.answers.push(answer.clone()),
                Effect::CallModel { request, .. } => self.request = *request,
                Effect::Run { call, .. } => self.started.push(call.0.clone()),
                _ => {}
            }
        }
    }

    /// Sends a prompt, but does not answer the size check.
    pub(super) fn begins(&mut self, text: &str) {
        let effects = self.machine.handle(Input {
            at: Time(self.clock),
            happened: Happened::Prompt {
                text: text.to_owned(),
                along: Along::default(),
                delivery: Delivery::Queue,
            },
        });
        self.keep(&effects);
    }

    pub(super) fn prompt(&mut self, text: &str) -> Vec<Effect> {
        self.feed(Happened::Prompt {
            text: text.to_owned(),
            along: Along::default(),
            delivery: Delivery::Queue,
        })
    }

    pub(super) fn reply(&mut self, text: &str, calls: Vec<ToolCall>) -> Vec<Effect> {
        let reply = Reply {
            text: text.to_owned(),
            calls,
            ..Reply::default()
        };
        self.feed(Happened::Replied {
            request: self.request,
            reply,
        })
    }

    /// Feeds the failure of the running request. `elsewhere` tells whether another model may be able to answer.
    pub(super) fn failed(&mut self, failure: Failure, elsewhere: bool) -> Vec<Effect> {
        self.feed(Happened::Failed {
            request: self.request,
            failure,
            spent: None,
            elsewhere,
        })
    }

    pub(super) fn prepared(&mut self, call: &str, effect: EffectClass, action: Action) -> Vec<Effect> {
        self.prepared_as(call, "tool", effect, action)
    }

    pub(super) fn prepared_as(&mut self, call: &str, tool: &str, effect: EffectClass, action: Action) -> Vec<Effect> {
        self.feed(Happened::Prepared {
            call: id(call),
            tool: tool.to_owned(),
            title: call.to_owned(),
            effect,
            review: Review::Fields(Vec::new()).into(),
            verdict: verdict(action),
            understood: None,
        })
    }

    pub(super) fn finished(&mut self, call: &str, outcome: Outcome) -> Vec<Effect> {
        self.feed(Happened::Finished {
            call: id(call),
            outcome,
            took_ms: 5,
        })
    }

    pub(super) fn decided(&mut self, call: &str, decision: Decision) -> Vec<Effect> {
        self.feed(Happened::Decided {
            call: id(call),
            decision,
            by: DecidedBy::User,
        })
    }

    pub(super) fn results(&self) -> Vec<(String, CallStatus)> {
        let results = self.log.iter().filter_map(|entry| match &entry.body {
            Body::ToolResult { call, status, .. } => Some((call.0.clone(), *status)),
            _ => None,
        });
        results.collect()
    }

    pub(super) fn outcome(&self) -> Option<TurnOutcome> {
        self.log.iter().rev().find_map(|entry| match &entry.body {
            Body::TurnEnded { outcome, .. } => Some(*outcome),
            _ => None,
        })
    }

    pub(super) fn has_notice(&self, wanted: &str) -> bool {
        self.log
            .iter()
            .any(|entry| matches!(&entry.body, Body::Notice(notice) if notice.code() == wanted))
    }
}

/// Returns the model in the newest request to call the model, and its number of unusable answers.
pub(super) fn order(effects: &[Effect]) -> Option<(ModelRef, u8)> {
    effects.iter().rev().find_map(|effect| match effect {
        Effect::CallModel { model, nudge, .. } => Some((model.clone(), *nudge)),
        _ => None,
    })
}

pub(super) fn ran(effects: &[Effect]) -> Vec<String> {
    let runs = effects.iter().filter_map(|effect| match effect {
        Effect::Run { call, .. } => Some(call.0.clone()),
        _ => None,
    });
    runs.collect()
}

pub(super) fn prepares(effects: &[Effect]) -> Vec<String> {
    let prepares = effects.iter().filter_map(|effect| match effect {
        Effect::Prepare(call) => Some(call.id.0.clone()),
        _ => None,
    });
    prepares.collect()
}

pub(super) fn calls_model(effects: &[Effect]) -> bool {
    effects.iter().any(|effect| matches!(effect, Effect::CallModel { .. }))
}

pub(super) fn position(effects: &[Effect], wanted: impl Fn(&Effect) -> bool) -> Option<usize> {
    effects.iter().position(wanted)
}
