//! One open session: its engine, the running prompt, pending approval requests, and updates to the client.
//!
//! Each session is a task. It sends the responses itself, so that responses and updates stay in the right order.

mod events;
mod open;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Duration;

use agent_client_protocol_schema::v1::{
    CurrentModeUpdate, Error, ErrorCode, PromptResponse, RequestPermissionRequest, SessionNotification, SessionUpdate,
    SetSessionConfigOptionResponse, SetSessionModeResponse, StopReason,
};
use serde_json::Value;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::calls::Calls;
use super::elicitation;
use super::options::{Change, Options};
use super::outbox::{Outbox, Reply, Sent};
use super::permission::{Asking, Outcome, denied};
use super::prompt::Prompt;
use super::trouble::{failed, wrong};
use benchdog_base::id::{CallId, SeatId, SessionId};
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::permission::{Decision, Scope};
use benchdog_domain::skill::SkillOffer;
use benchdog_lang::{Word, message, word};
use benchdog_protocol::{Command, Delivery, Order, Told};
pub(crate) use open::Opening;

pub(crate) const WAITING: usize = 32;

const TURN_PATIENCE: Duration = Duration::from_secs(2);
const ENGINE_PATIENCE: Duration = Duration::from_secs(4);
/// Time for which new output of commands is collected before it is sent.
const OUTPUT_PAUSE: Duration = Duration::from_millis(100);
/// Time limit for computing the diffs of a turn after the turn has ended.
const DIFF_PATIENCE: Duration = Duration::from_secs(2);

/// Reason for the model if the client cannot ask the person.
const NO_ANSWER: &str = "the editor cannot ask the user this question";

pub(crate) enum ToSession {
    Prompt {
        id: Value,
        prompt: Prompt,
    },
    Cancel,
    CancelRequest {
        id: Value,
    },
    Change {
        id: Value,
        option: String,
        value: String,
        answer: ChangeAnswer,
    },
    /// Sends a message through `is_idle` if no prompt is running. Otherwise drops `is_idle`.
    Idle {
        is_idle: oneshot::Sender<()>,
    },
    /// Stops the prompt and ends the engine. `done` is dropped at the end.
    Close {
        done: oneshot::Sender<()>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChangeAnswer {
    Mode,
    Options,
}

pub(crate) struct Session {
    id: SessionId,
    root: PathBuf,
    seat: SeatId,
    orders: mpsc::Sender<Order>,
    told: mpsc::Receiver<Told>,
    engine: tokio::task::JoinHandle<()>,
    outbox: Outbox,
    commands: VecDeque<Command>,
    running: Option<Running>,
    calls: Calls,
    asking: Vec<(CallId, Asked)>,
    replies: JoinSet<(u64, Option<Reply>)>,
    /// Scopes that the person has denied for the whole session.
    rejected: Vec<Scope>,
    options: Options,
    changes: VecDeque<(Value, Change, ChangeAnswer)>,
    skills: Vec<SkillOffer>,
    title: String,
    /// The text of the newest prompt.
    prompted: String,
    /// State changes that happened while no prompt was running. They are reported when the next prompt runs.
    held: Held,
    flush_at: Option<Instant>,
    /// Calls whose diffs are being computed.
    comparing: VecDeque<CallId>,
    is_closing: bool,
    has_forms: bool,
}

struct Asked {
    asking: Asking,
    number: u64,
    form: Form,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Permission,
    Elicitation,
}

struct Running {
    id: Value,
    what: What,
    is_cancelled: bool,
    has_begun: bool,
    error: Option<Error>,
    stop: Option<StopReason>,
    /// Number of bytes of the current answer that were already sent.
    streamed: usize,
    /// The outcome of the turn, and the deadline for its pending diffs. Set once the turn has ended. The response is
    /// sent when the diffs are complete or the deadline has passed.
    ended: Option<(TurnOutcome, Instant)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
    Turn,
    Compaction,
}

#[derive(Default)]
struct Held {
    usage: Option<SessionUpdate>,
    info: Option<SessionUpdate>,
    notes: Vec<String>,
}

impl Session {
    pub(crate) fn id(&self) -> &SessionId {
        &self.id
    }

    pub(crate) async fn run(mut self, mut inbox: mpsc::Receiver<ToSession>) {
        let done = loop {
            self.finish_if_done().await;
            let sends = !self.commands.is_empty();
            let ended = self.running.as_ref().and_then(|running| running.ended);
            tokio::select! {
                told = self.told.recv() => match told {
                    Some(Told { seat, event }) if seat == self.seat => self.event(event).await,
                    Some(_) => {}
                    None => {
                        self.fail(word(Word::AcpEngineGone)).await;
                        break None;
                    }
                },
                message = inbox.recv() => match message {
                    Some(ToSession::Close { done }) => break Some(done),
                    Some(message) => self.message(message).await,
                    None => break None,
                },
                Some(Ok((number, reply))) = self.replies.join_next() => self.replied(number, reply).await,
                room = self.orders.clone().reserve_owned(), if sends => match (room, self.commands.pop_front()) {
                    (Ok(room), Some(command)) => {
                        room.send(Order { seat: self.seat, command });
                    }
                    _ => self.commands.clear(),
                },
                () = reached(self.flush_at) => self.flush().await,
                () = reached(ended.map(|(_, until)| until)) => self.comparing.clear(),
                () = self.outbox.is_over() => break None,
            }
        };
        self.close().await;
        drop(done);
    }

    async fn message(&mut self, message: ToSession) {
        match message {
            ToSession::Prompt { id, prompt } => self.prompt(id, prompt).await,
            ToSession::Cancel => self.cancel(),
            ToSession::CancelRequest { id } => {
                if self.running.as_ref().is_some_and(|running| running.id == id) {
                    self.cancel();
                }
            }
            ToSession::Change {
                id,
                option,
                value,
                answer,
            } => match self.options.change(&option, &value) {
                Some(change) => self.change(id, change, answer),
                None => {
                    let error = wrong(&message::acp_no_value(&option, &value));
                    self.outbox.respond::<Value>(&id, Err(error)).await;
                }
            },
            ToSession::Idle { is_idle } if self.running.is_none() => {
                let _ = is_idle.send(());
            }
            ToSession::Idle { .. } | ToSession::Close { .. } => {}
        }
    }

    // --- the prompt ---

    async fn prompt(&mut self, id: Value, prompt: Prompt) {
        if self.running.is_some() {
            let error = wrong(word(Word::AcpRunning));
            return self.outbox.respond::<Value>(&id, Err(error)).await;
        }
        let what = match prompt
            .text
            .trim()
            .strip_prefix('/')
            .and_then(|rest| rest.strip_prefix(super::options::COMPACT))
        {
            Some(rest) if rest.is_empty() || rest.starts_with(char::is_whitespace) => {
                let instructions = rest.trim().to_owned();
                self.send(Command::Compact { instructions });
                What::Compaction
            }
            _ => {
                self.send(Command::Prompt {
                    text: prompt.text,
                    pasted: prompt.pasted,
                    delivery: Delivery::Queue,
                });
                What::Turn
            }
        };
        self.running = Some(Running {
            id,
            what,
            is_cancelled: false,
            has_begun: false,
            error: None,
            stop: None,
            streamed: 0,
            ended: None,
        });
        self.tell_held().await;
    }

    fn cancel(&mut self) {
        let Some(running) = &mut self.running else { return };
        running.is_cancelled = true;
        match running.what {
            What::Turn => self.send(Command::Interrupt),
            What::Compaction => self.send(Command::DropCompaction),
        }
    }

    fn ended(&mut self, outcome: TurnOutcome) {
        if let Some(running) = &mut self.running {
            running.ended = Some((outcome, Instant::now() + DIFF_PATIENCE));
        }
    }

    async fn finish_if_done(&mut self) {
        let is_done = |running: &Running| running.ended.is_some();
        if !self.running.as_ref().is_some_and(is_done) || !self.comparing.is_empty() {
            return;
        }
        let Some(running) = self.running.take() else { return };
        self.flush().await;
        self.withdraw_all().await;
        self.calls.forget();
        let outcome = running.ended.map_or(TurnOutcome::Error, |(outcome, _)| outcome);
        let result = match outcome {
            _ if running.is_cancelled => Ok(StopReason::Cancelled),
            TurnOutcome::Interrupted => Ok(StopReason::Cancelled),
            TurnOutcome::Error => Err(running.error.unwrap_or_else(|| failed(word(Word::AcpTurnFailed)))),
            TurnOutcome::Filtered => Ok(StopReason::Refusal),
            TurnOutcome::Limit => match running.error {
                Some(error) => Err(error),
                None => Ok(running.stop.unwrap_or(StopReason::MaxTurnRequests)),
            },
            TurnOutcome::Done | TurnOutcome::Denied | TurnOutcome::Loop | TurnOutcome::ValidationFailed => {
                Ok(running.stop.unwrap_or(StopReason::EndTurn))
            }
        };
        self.outbox.respond(&running.id, result.map(PromptResponse::new)).await;
    }

    async fn fail(&mut self, text: &str) {
        let error = failed(text);
        for (id, _, _) in std::mem::take(&mut self.changes) {
            self.outbox.respond::<Value>(&id, Err(error.clone())).await;
        }
        if let Some(running) = self.running.take() {
            let result = match running.is_cancelled {
                true => Ok(PromptResponse::new(StopReason::Cancelled)),
                false => Err(running.error.unwrap_or(error)),
            };
            self.outbox.respond(&running.id, result).await;
        }
    }

    // --- options ---

    /// Sends the change to the engine. The next status shows whether it was applied.
    fn change(&mut self, id: Value, change: Change, answer: ChangeAnswer) {
        self.send(match change.clone() {
            Change::Agent(name) => Command::SetAgent { name },
            Change::Model(id) => Command::SetModel { id },
            Change::Thinking(level) => Command::SetThinking { level },
        });
        self.changes.push_back((id, change, answer));
        self.send(Command::ShowStatus);
    }

    async fn changed(&mut self) {
        let Some((id, change, answer)) = self.changes.pop_front() else {
            return;
        };
        if !self.options.has(&change) {
            let error = failed(word(Word::AcpNotChanged));
            return self.outbox.respond::<Value>(&id, Err(error)).await;
        }
        match answer {
            ChangeAnswer::Mode => self.outbox.respond(&id, Ok(SetSessionModeResponse::new())).await,
            ChangeAnswer::Options => {
                let list = SetSessionConfigOptionResponse::new(self.options.list());
                self.outbox.respond(&id, Ok(list)).await;
            }
        }
    }

    async fn tell_mode(&mut self) {
        let mode = CurrentModeUpdate::new(self.options.agent.0.clone());
        self.update(SessionUpdate::CurrentModeUpdate(mode)).await;
    }

    // --- approval requests ---

    async fn ask(&mut self, mut asking: Asking) {
        if self.is_closing {
            return;
        }
        let call = asking.request.call.clone();
        self.withdraw(&call).await;
        let scope = asking.request.verdict.scopes.first();
        if scope.is_some_and(|scope| self.rejected.contains(scope)) {
            return self.decide(&asking, Decision::Deny { reason: None });
        }
        if self.has_forms
            && let Some(request) = elicitation::request(&self.id.0, &asking.request)
        {
            let sent = self.outbox.request("elicitation/create", request).await;
            return self.await_reply(asking, sent, Form::Elicitation);
        }
        let options = asking.options();
        if options.is_empty() {
            let reason = Some(NO_ANSWER.to_owned());
            return self.decide(&asking, Decision::Deny { reason });
        }
        let (shown, mut asked) = self.calls.asked(&asking.request);
        if let Some(shown) = shown {
            self.update(shown).await;
        }
        if let Some(question) = asking.question() {
            asked.fields.title = Some(question);
        }
        let request = RequestPermissionRequest::new(self.id.0.clone(), asked, options).meta(asking.hunks());
        let sent = self.outbox.request("session/request_permission", request).await;
        self.await_reply(asking, sent, Form::Permission);
    }

    /// Waits for the answer in a task. If the request could not be sent, denies the call.
    fn await_reply(&mut self, asking: Asking, sent: Option<Sent>, form: Form) {
        let Some(sent) = sent else {
            return self.decide(&asking, Decision::Deny { reason: None });
        };
        let (call, number) = (asking.request.call.clone(), sent.number);
        self.asking.push((call, Asked { asking, number, form }));
        self.replies.spawn(async move { (number, sent.reply().await) });
    }

    /// Handles the client's answer. If the request was withdrawn, the answer has no effect.
    async fn replied(&mut self, number: u64, reply: Option<Reply>) {
        let Some(at) = self.asking.iter().position(|(_, asked)| asked.number == number) else {
            return;
        };
        let (_, Asked { mut asking, form, .. }) = self.asking.remove(at);
        let lacks_method = |error: &Error| error.code == ErrorCode::MethodNotFound;
        if form == Form::Elicitation && matches!(&reply, Some(Err(error)) if lacks_method(error)) {
            // Some clients declare support for forms but do not implement the method.
            self.has_forms = false;
            return self.ask(asking).await;
        }
        // An error, a malformed answer and a missing answer are all denials.
        let reply = reply.and_then(Result::ok);
        let outcome = match form {
            Form::Permission => {
                let answer = reply.and_then(|reply| serde_json::from_value(reply).ok());
                answer.map_or_else(|| denied(None), |answer| asking.answered(&answer))
            }
            Form::Elicitation => {
                let answer = reply.and_then(|reply| serde_json::from_value(reply).ok());
                answer.map_or_else(|| denied(None), |answer| asking.filled(answer))
            }
        };
        match outcome {
            Outcome::Decided(decision) => self.decide(&asking, decision),
            Outcome::DeniedFor(scope) => {
                self.rejected.push(scope);
                self.decide(&asking, Decision::Deny { reason: None });
            }
            Outcome::AsksOn => self.ask(asking).await,
        }
    }

    fn decide(&mut self, asking: &Asking, decision: Decision) {
        self.send(Command::Decide {
            call: asking.request.call.clone(),
            edition: asking.request.edition,
            decision,
        });
    }

    async fn withdraw(&mut self, call: &CallId) {
        while let Some(at) = self.asking.iter().position(|(asked, _)| asked == call) {
            let (_, asked) = self.asking.remove(at);
            self.outbox.withdraw(asked.number).await;
        }
    }

    async fn withdraw_all(&mut self) {
        for (_, asked) in std::mem::take(&mut self.asking) {
            self.outbox.withdraw(asked.number).await;
        }
    }

    // --- updates ---

    async fn update(&self, update: SessionUpdate) {
        let notification = SessionNotification::new(self.id.0.clone(), update);
        self.outbox.notify("session/update", notification).await;
    }

    async fn flush(&mut self) {
        self.flush_at = None;
        for update in self.calls.printed() {
            self.update(update).await;
        }
    }

    async fn tell_held(&mut self) {
        let held = std::mem::take(&mut self.held);
        for update in held.usage.into_iter().chain(held.info) {
            self.update(update).await;
        }
        for note in held.notes {
            self.note(&note).await;
        }
    }

    fn send(&mut self, command: Command) {
        self.commands.push_back(command);
    }

    // --- the end ---

    /// Interrupts the turn and ends the engine. Pending approval requests get no answer, so their calls do not run.
    async fn close(mut self) {
        self.is_closing = true;
        self.withdraw_all().await;
        if self.running.is_some() {
            self.cancel();
            let until = Instant::now() + TURN_PATIENCE;
            let _ = tokio::time::timeout_at(until, self.until_turn_ends()).await;
            self.comparing.clear();
            self.finish_if_done().await;
        }
        self.fail(word(Word::AcpClosed)).await;
        drop(self.orders);
        let mut told = self.told;
        let ends = async {
            while told.recv().await.is_some() {}
            let _ = self.engine.await;
        };
        let _ = tokio::time::timeout(ENGINE_PATIENCE, ends).await;
    }

    async fn until_turn_ends(&mut self) {
        while self.running.as_ref().is_some_and(|running| running.ended.is_none()) {
            while let Some(command) = self.commands.pop_front() {
                let seat = self.seat;
                if self.orders.send(Order { seat, command }).await.is_err() {
                    return;
                }
            }
            match self.told.recv().await {
                Some(Told { seat, event }) if seat == self.seat => self.event(event).await,
                Some(_) => {}
                None => return,
            }
        }
    }
}

async fn reached(moment: Option<Instant>) {
    match moment {
        Some(moment) => tokio::time::sleep_until(moment).await,
        None => std::future::pending().await,
    }
}
