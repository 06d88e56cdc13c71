//! Log messages about turns, requests and calls of a seat. They never contain content.

mod spans;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tracing::{Span, debug, debug_span, info, info_span, trace, warn};

use crate::engine::telemetry::Telemetry;
use crate::input::Happened;
use benchdog_base::id::{CallId, EntryId, SeatId, TurnId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::history::History;
use benchdog_domain::message::Reply;
use benchdog_domain::permission::{Decision, Verdict};
use benchdog_domain::server::{ServerName, ServerTrouble};
use benchdog_domain::session::SessionMeta;
use benchdog_domain::tool::Outcome;
use benchdog_protocol::{Event, Live};
use benchdog_provider::failure::ProviderError;
use spans::Spans;

pub(super) struct Traces {
    seat: SeatId,
    session: String,
    last: TurnId,
    turn: Option<Turn>,
    spans: Spans,
}

struct Turn {
    span: Span,
    began: Instant,
    requests: Spent,
    calls: Spent,
    asked: Spent,
    commits: Spent,
    waiting: BTreeMap<CallId, Instant>,
}

#[derive(Default)]
struct Spent {
    times: u32,
    took: Duration,
}

impl Spent {
    fn add(&mut self, took: Duration) {
        self.times += 1;
        self.took += took;
    }
}

fn ms(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

/// Truncates a name from a model or a server to 48 characters, which are enough to recognise it.
fn short(name: &str) -> &str {
    name.char_indices()
        .nth(48)
        .and_then(|(end, _)| name.get(..end))
        .unwrap_or(name)
}

impl Traces {
    pub(super) fn of(telemetry: Telemetry, seat: SeatId, session: &SessionMeta, history: &History) -> Self {
        info!(seat = seat.0, session = session.id.short(), "session taken");
        Self {
            spans: Spans::new(telemetry, &session.id, &session.agent.0),
            seat,
            session: session.id.short().to_owned(),
            last: history.entries().last().map(|entry| entry.turn).unwrap_or_default(),
            turn: None,
        }
    }

    pub(super) fn span(&self) -> Span {
        self.turn.as_ref().map_or_else(Span::none, |turn| turn.span.clone())
    }

    /// Logs that an MCP server cannot be used. Omits the text of the error, which may contain content.
    pub(super) fn server_failed(&self, server: &ServerName, trouble: &ServerTrouble) {
        let words = format!("{trouble:?}");
        let end = words.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(words.len());
        let kind = words.get(..end).unwrap_or_default();
        warn!(seat = self.seat.0, session = %self.session, server = short(&server.0), kind, "MCP server failed");
    }

    // --- the turn ---

    /// Logs an entry. The first entry of a turn also begins the turn's span.
    pub(super) fn logged(&mut self, entry: &Entry) {
        if let Body::Agent { agent, .. } = &entry.body {
            self.spans.choose_agent(&agent.0);
        }
        if entry.turn <= self.last {
            return;
        }
        self.last = entry.turn;
        self.spans.begin_turn(entry.turn);
        let span = info_span!("turn", seat = self.seat.0, session = self.session, turn = entry.turn.0);
        info!(parent: &span, "turn started");
        self.turn = Some(Turn {
            span,
            began: Instant::now(),
            requests: Spent::default(),
            calls: Spent::default(),
            asked: Spent::default(),
            commits: Spent::default(),
            waiting: BTreeMap::new(),
        });
    }

    pub(super) fn committed(&mut self, took: Duration) {
        if let Some(turn) = &mut self.turn {
            turn.commits.add(took);
        }
    }

    pub(super) fn note(&mut self, event: &Event) {
        match event {
            Event::Live(Live::ApprovalRequested(request)) => self.note_asked(&request.call, &request.tool),
            Event::Live(Live::State(state)) => trace!(parent: &self.span(), ?state, "state"),
            Event::Live(_) | Event::Answer(_) => {}
            Event::Fact(entry) => match &entry.body {
                Body::Approval { call, decision, by, .. } => self.decided(call, decision, &format!("{by:?}")),
                Body::TurnEnded { outcome, steps, usage } => self.turn_ended(*outcome, *steps, *usage),
                _ => {}
            },
        }
    }

    fn turn_ended(&mut self, outcome: TurnOutcome, steps: u32, usage: Usage) {
        self.spans.end_turn(outcome, usage);
        let Some(mut turn) = self.turn.take() else { return };
        // The turn ended before these approval requests were answered.
        for since in turn.waiting.values() {
            turn.asked.add(since.elapsed());
        }
        info!(
            parent: &turn.span,
            ?outcome,
            took_ms = ms(turn.began.elapsed()),
            steps,
            tokens = usage.total,
            requests = turn.requests.times,
            model_ms = ms(turn.requests.took),
            calls = turn.calls.times,
            tools_ms = ms(turn.calls.took),
            asked = turn.asked.times,
            asked_ms = ms(turn.asked.took),
            commits = turn.commits.times,
            commits_ms = ms(turn.commits.took),
            "turn ended"
        );
    }

    // --- approvals ---

    fn note_asked(&mut self, call: &CallId, tool: &str) {
        debug!(parent: &self.span(), call = short(&call.0), tool = short(tool), "approval asked");
        if let Some(turn) = &mut self.turn {
            turn.waiting.entry(call.clone()).or_insert_with(Instant::now);
        }
    }

    fn decided(&mut self, call: &CallId, decision: &Decision, by: &str) {
        let asked = self.turn.as_mut().and_then(|turn| {
            let waited = turn.waiting.remove(call)?.elapsed();
            turn.asked.add(waited);
            Some(ms(waited))
        });
        let decision = match decision {
            Decision::Once { .. } => "once",
            Decision::Confined => "confined",
            Decision::Always { .. } => "always",
            Decision::Deny { .. } => "deny",
            Decision::Answer { .. } => "answer",
        };
        debug!(
            parent: &self.span(),
            call = short(&call.0),
            decision,
            by,
            // A decision by a rule has no waiting time.
            waited_ms = asked.unwrap_or(0),
            "approval decided"
        );
    }

    // --- requests ---

    /// Logs a request. `assembled` is the time that building and measuring the messages took.
    pub(super) fn request(
        &mut self,
        number: u64,
        model: &ModelRef,
        upto: EntryId,
        tokens: u64,
        assembled: Duration,
    ) -> Span {
        self.spans.begin_request(number, model);
        let span = debug_span!(parent: &self.span(), "request", request = number, %model);
        let assembled_us = u64::try_from(assembled.as_micros()).unwrap_or(u64::MAX);
        debug!(parent: &span, upto = upto.0, tokens, assembled_us, "request sent");
        span
    }

    pub(super) fn request_stopped(&mut self, number: u64, took: Duration) {
        debug!(parent: &self.span(), request = number, took_ms = ms(took), "request stopped");
        self.spans.end_request(number, None);
        self.add_request(took);
    }

    pub(super) fn request_over(&mut self, end: &Happened, number: u64, took: Duration) {
        self.spans.end_request(number, Some(end));
        self.add_request(took);
    }

    fn add_request(&mut self, took: Duration) {
        if let Some(turn) = &mut self.turn {
            turn.requests.add(took);
        }
    }

    // --- calls ---

    pub(super) fn prepared(&self, call: &CallId, tool: &str, verdict: &Verdict) {
        let (action, class) = (verdict.action, verdict.class);
        debug!(parent: &self.span(), call = short(&call.0), tool, ?action, ?class, "call prepared");
    }

    /// Logs an invalid call. Omits the name of the tool, because a model may write any text as the name.
    pub(super) fn refused(&self, call: &CallId, code: Option<&str>) {
        debug!(parent: &self.span(), call = short(&call.0), code, "call refused");
    }

    pub(super) fn call(&mut self, call: &CallId, tool: &str) -> Span {
        self.spans.begin_call(call, tool);
        let span = debug_span!(parent: &self.span(), "call", call = short(&call.0), tool);
        debug!(parent: &span, "call started");
        span
    }

    pub(super) fn call_over(&mut self, call: &CallId, outcome: &Outcome, took_ms: u64) {
        self.spans.end_call(call, outcome);
        if let Some(turn) = &mut self.turn {
            turn.calls.add(Duration::from_millis(took_ms));
        }
    }
}

pub(super) fn call_ended(outcome: &Outcome, took_ms: u64) {
    debug!(
        status = ?outcome.status,
        code = outcome.code.as_deref(),
        took_ms,
        bytes = outcome.output.len(),
        changes = outcome.changes.len(),
        "call ended"
    );
}

pub(super) struct Pace {
    began: Instant,
    heard: bool,
}

impl Pace {
    pub(super) fn begin() -> Self {
        Self {
            began: Instant::now(),
            heard: false,
        }
    }

    pub(super) fn heard(&mut self) {
        if !self.heard {
            self.heard = true;
            debug!(after_ms = ms(self.began.elapsed()), "first token");
        }
    }

    pub(super) fn retrying(&self, attempt: u32, wait_ms: u64) {
        debug!(
            attempt,
            wait_ms,
            after_ms = ms(self.began.elapsed()),
            "request tried again"
        );
    }

    pub(super) fn ended(&self, answer: &Result<Reply, ProviderError>) {
        let took_ms = ms(self.began.elapsed());
        match answer {
            Ok(reply) => debug!(
                took_ms,
                bytes = reply.text.len() + reply.reasoning.len(),
                calls = reply.calls.len(),
                prompt_tokens = reply.usage.map(|usage| usage.prompt),
                answer_tokens = reply.usage.map(|usage| usage.completion),
                "request ended"
            ),
            Err(error) if error.failure() == Failure::RecordingEnded => debug!(took_ms, "recording ended"),
            Err(error) => warn!(took_ms, code = error.code(), status = error.status, "request failed"),
        }
    }
}
