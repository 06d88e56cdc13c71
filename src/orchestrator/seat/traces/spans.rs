//! The spans of a turn for telemetry, without content. Names follow the OpenTelemetry conventions for generative AI.

use std::collections::BTreeMap;

use super::short;
use crate::engine::telemetry::Telemetry;
use crate::engine::telemetry::otlp::{Kind, Span, SpanId, TraceId, Value};
use crate::input::Happened;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SessionId, TurnId};
use benchdog_base::text::last_part;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::tool::{CallStatus, Outcome};

const CANCELLED: &str = "cancelled";

pub(super) struct Spans {
    telemetry: Telemetry,
    session: SessionId,
    agent: String,
    turn: Option<Turn>,
}

struct Turn {
    trace: TraceId,
    began: Time,
    /// Number of spans so far. The turn itself has number 0.
    spans: u64,
    model: Option<ModelRef>,
    request: Option<Request>,
    calls: BTreeMap<CallId, (String, Time)>,
}

struct Request {
    number: u64,
    model: ModelRef,
    began: Time,
}

impl Turn {
    fn next(&mut self) -> SpanId {
        self.spans += 1;
        self.trace.span(self.spans)
    }
}

impl Spans {
    pub(super) fn new(telemetry: Telemetry, session: &SessionId, agent: &str) -> Self {
        Self {
            telemetry,
            session: session.clone(),
            agent: agent.to_owned(),
            turn: None,
        }
    }

    pub(super) fn choose_agent(&mut self, agent: &str) {
        agent.clone_into(&mut self.agent);
    }

    pub(super) fn begin_turn(&mut self, turn: TurnId) {
        self.turn = self.telemetry.is_on().then(|| Turn {
            trace: TraceId::of(&self.session.0, u64::from(turn.0)),
            began: Time::now(),
            spans: 0,
            model: None,
            request: None,
            calls: BTreeMap::new(),
        });
    }

    pub(super) fn end_turn(&mut self, outcome: TurnOutcome, usage: Usage) {
        let Some(turn) = self.turn.take() else { return };
        let mut attributes = self.attributes("invoke_agent");
        attributes.push(("gen_ai.agent.name", self.agent.as_str().into()));
        if let Some(model) = &turn.model {
            attributes.extend(of_model(model));
        }
        attributes.extend(of_usage(usage));
        self.telemetry.send(Span {
            id: turn.trace.span(0),
            trace: turn.trace,
            parent: None,
            name: format!("invoke_agent {}", self.agent),
            kind: Kind::Internal,
            began: turn.began,
            ended: Time::now(),
            attributes,
            error: code_of(outcome).map(str::to_owned),
        });
    }

    pub(super) fn begin_request(&mut self, number: u64, model: &ModelRef) {
        if let Some(turn) = &mut self.turn {
            turn.model = Some(model.clone());
            turn.request = Some(Request {
                number,
                model: model.clone(),
                began: Time::now(),
            });
        }
    }

    /// Ends the span of a request. `end` is the input that ended the request, or `None` if the request was stopped.
    pub(super) fn end_request(&mut self, number: u64, end: Option<&Happened>) {
        let mut attributes = self.attributes("chat");
        let Some(turn) = &mut self.turn else { return };
        let Some(request) = turn.request.take_if(|request| request.number == number) else {
            return;
        };
        attributes.extend(of_model(&request.model));
        let error = match end {
            Some(Happened::Replied { reply, .. }) => {
                attributes.extend(reply.usage.map(of_usage).into_iter().flatten());
                None
            }
            Some(Happened::Failed { failure, .. }) => Some(failure.code().to_owned()),
            _ => Some(CANCELLED.to_owned()),
        };
        let span = Span {
            id: turn.next(),
            trace: turn.trace.clone(),
            parent: Some(turn.trace.span(0)),
            name: format!("chat {}", name_of(&request.model)),
            kind: Kind::Client,
            began: request.began,
            ended: Time::now(),
            attributes,
            error,
        };
        self.telemetry.send(span);
    }

    pub(super) fn begin_call(&mut self, call: &CallId, tool: &str) {
        if let Some(turn) = &mut self.turn {
            turn.calls.insert(call.clone(), (tool.to_owned(), Time::now()));
        }
    }

    pub(super) fn end_call(&mut self, call: &CallId, outcome: &Outcome) {
        let mut attributes = self.attributes("execute_tool");
        let Some(turn) = &mut self.turn else { return };
        let Some((tool, began)) = turn.calls.remove(call) else {
            return;
        };
        attributes.extend([
            ("gen_ai.tool.name", tool.as_str().into()),
            ("gen_ai.tool.call.id", short(&call.0).into()),
            ("gen_ai.tool.type", "function".into()),
        ]);
        let code = || outcome.code.clone();
        let error = match outcome.status {
            CallStatus::Ok => None,
            CallStatus::Error => Some(code().unwrap_or_else(|| "error".to_owned())),
            CallStatus::Denied => Some("denied".to_owned()),
            CallStatus::Cancelled => Some(CANCELLED.to_owned()),
        };
        let span = Span {
            id: turn.next(),
            trace: turn.trace.clone(),
            parent: Some(turn.trace.span(0)),
            name: format!("execute_tool {tool}"),
            kind: Kind::Internal,
            began,
            ended: Time::now(),
            attributes,
            error,
        };
        self.telemetry.send(span);
    }

    fn attributes(&self, operation: &'static str) -> Vec<(&'static str, Value)> {
        vec![
            ("gen_ai.operation.name", operation.into()),
            ("gen_ai.conversation.id", self.session.0.as_str().into()),
        ]
    }
}

fn of_model(model: &ModelRef) -> [(&'static str, Value); 2] {
    [
        ("gen_ai.provider.name", model.provider.as_str().into()),
        ("gen_ai.request.model", name_of(model).into()),
    ]
}

/// Returns the id of a model. If the id is a file path, as on some servers, returns only the file name, because paths
/// must not be exported.
fn name_of(model: &ModelRef) -> &str {
    match model.id.starts_with(['/', '~', '.']) {
        true => last_part(&model.id),
        false => &model.id,
    }
}

fn of_usage(usage: Usage) -> impl Iterator<Item = (&'static str, Value)> {
    let tokens = [
        ("gen_ai.usage.input_tokens", Some(usage.prompt)),
        ("gen_ai.usage.output_tokens", Some(usage.completion)),
        ("gen_ai.usage.cache_read.input_tokens", usage.cached),
    ];
    tokens
        .into_iter()
        .filter_map(|(key, tokens)| Some((key, tokens?.into())))
}

fn code_of(outcome: TurnOutcome) -> Option<&'static str> {
    Some(match outcome {
        TurnOutcome::Done => return None,
        TurnOutcome::Error => "error",
        TurnOutcome::Interrupted => CANCELLED,
        TurnOutcome::Limit => "limit",
        TurnOutcome::Denied => "denied",
        TurnOutcome::Loop => "loop",
        TurnOutcome::ValidationFailed => "validation_failed",
        TurnOutcome::Filtered => "filtered",
    })
}
