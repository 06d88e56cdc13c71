//! Requests to the model, and the handling of its answers.

use super::Machine;
use super::turn::{Call, Steered, Stream};
use crate::effect::Effect;
use crate::input::Along;
use benchdog_domain::call::{self, Origin, Wanted};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::{Cut, Failure};
use benchdog_domain::message::{Delta, Finish, Reply, ToolCall};
use benchdog_domain::notice::{Limit, Notice};
use benchdog_protocol::{Live, TurnState};

const EMPTY_REPLIES: u32 = 2;

const UNPROVEN_ANSWERS: u32 = 2;

/// Number of consecutive replies with malformed calls after which the temperature is raised.
const MALFORMED_REPLIES: u32 = 3;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    NotWanted,
    Missing,
    /// The answer still has no evidence after several reminders. It is accepted with a notice.
    WentWithout,
}

impl Machine {
    pub(super) fn call_model(&mut self) {
        if self.turn.is_none() {
            return;
        }
        if let Some(pause) = self.due_pause() {
            self.pause(pause);
            return;
        }
        if let Some(limit) = self.budget_spent() {
            self.notice(Notice::Limit(limit));
            self.finish(TurnOutcome::Limit);
            return;
        }
        self.move_to(TurnState::Planning);
        // After an empty answer, the same request is sent again. A new log entry would change its last message.
        if self.turn.as_ref().is_some_and(|turn| turn.empty_replies == 0) {
            self.tell_beside();
        }
        self.log_steering();
        self.last_request += 1;
        let request = self.last_request;
        let room = self.filling.room();
        if let Some(turn) = &mut self.turn {
            turn.steps += 1;
            turn.room = room;
            turn.overflow = None;
            turn.calls.clear();
            turn.stream = Some(Stream {
                request,
                model: self.model.clone(),
                stands_in_for: None,
                text: String::new(),
                reasoning: String::new(),
            });
        }
        self.out.push(Effect::CallModel {
            request,
            model: self.model.clone(),
            agent: self.rules.agent.agent.clone(),
            upto: self.last_entry,
            room,
            nudge: self.nudge(),
        });
    }

    /// Returns the number of steps by which the temperature is raised. Without a change, the model would repeat its
    /// unusable answer.
    pub(super) fn nudge(&self) -> u8 {
        let Some(turn) = &self.turn else { return 0 };
        let times = turn.empty_replies + (turn.malformed + 1).saturating_sub(MALFORMED_REPLIES);
        u8::try_from(times).unwrap_or(u8::MAX)
    }

    fn log_steering(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        let steering = std::mem::take(&mut turn.steering);
        if steering.is_empty() {
            return;
        }
        let id = turn.id;
        for Steered { text, along } in steering {
            let Along {
                text: sent,
                mentions,
                notes,
                told,
            } = along;
            told.into_iter().for_each(|notice| self.notice(notice));
            let text = sent.unwrap_or(text);
            let user = Body::User { text, mentions, notes };
            self.log(id, user);
        }
        self.tell_queue();
    }

    fn budget_spent(&self) -> Option<Limit> {
        let used = self.session_usage.total.saturating_add(self.uncounted);
        if let Some(most) = self.rules.max_tokens
            && used >= most
        {
            return Some(Limit::Tokens { used, most });
        }
        let spent = self.session_cost;
        match self.rules.max_cost {
            Some(most) if spent >= most => Some(Limit::Cost { spent, most }),
            Some(_) | None => None,
        }
    }

    pub(super) fn on_delta(&mut self, request: u64, delta: Delta) {
        let Some(stream) = self.stream_of(request) else { return };
        match &delta {
            Delta::Text(text) => stream.text.push_str(text),
            Delta::Reasoning(text) => stream.reasoning.push_str(text),
        }
        self.move_to(TurnState::Generating);
        self.live(delta.into());
    }

    pub(super) fn stream_of(&mut self, request: u64) -> Option<&mut Stream> {
        self.turn
            .as_mut()?
            .stream
            .as_mut()
            .filter(|stream| stream.request == request)
    }

    pub(super) fn on_replied(&mut self, request: u64, mut reply: Reply) {
        let Some(stream) = self.stream_of(request) else { return };
        let model = stream.model.clone();
        self.spend(reply.usage, &model);
        // The session keeps the text in memory, so free the spare capacity of the string.
        reply.text.shrink_to_fit();
        let Some(turn) = &mut self.turn else { return };
        let Some(stream) = turn.stream.take() else { return };
        turn.first_failure = None;
        // Continue with the fallback model, unless the person has chosen another model in the meantime.
        if stream.stands_in_for.as_ref() == Some(&self.model) {
            self.on_model_chosen(stream.model.clone(), None);
        }
        let Some(turn) = &mut self.turn else { return };
        turn.filtered = reply.finish == Finish::Filtered;
        let nothing = reply.text.trim().is_empty() && reply.calls.is_empty();
        if nothing && !turn.filtered {
            self.on_empty_reply(&reply.finish);
            return;
        }
        turn.empty_replies = 0;
        let id = turn.id;
        let calls = self.with_unique_ids(reply.calls);
        let proof = match calls.is_empty() {
            true => self.proof(&reply.finish),
            false => Proof::NotWanted,
        };
        let taken = proof != Proof::Missing;
        if !nothing {
            self.log(
                id,
                Body::Assistant {
                    text: reply.text,
                    reasoning: reply.reasoning,
                    seals: reply.seals,
                    calls: calls.clone(),
                    model: stream.model,
                    usage: reply.usage,
                    error: (!taken).then_some(Cut::Unproven),
                },
            );
        }
        if proof == Proof::WentWithout {
            self.notice(Notice::Unproven);
        }
        match reply.finish {
            Finish::Length => self.notice(Notice::OutputLimit),
            Finish::Window => self.notice(Notice::WindowEnd),
            Finish::Filtered => self.notice(Notice::Filtered),
            _ => {}
        }
        if !taken {
            self.call_model();
        } else if calls.is_empty() {
            self.on_answer();
        } else {
            if let Some(turn) = &mut self.turn {
                turn.calls = calls.into_iter().map(of_model).collect();
            }
            self.advance();
        }
    }

    /// Handles an answer without calls: sends new prompts, runs the check, asks for a submission, or ends the turn.
    fn on_answer(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        turn.calls.clear();
        if !turn.steering.is_empty() {
            self.call_model();
        } else if turn.unvalidated && self.rules.validate {
            self.plan_check();
        } else if !self.misses_handover() {
            self.finish_by_itself();
        }
    }

    fn proof(&mut self, finish: &Finish) -> Proof {
        let wanted = self.rules.wants_proof(&self.model)
            && !matches!(finish, Finish::Length | Finish::Window | Finish::Filtered);
        let Some(turn) = self.turn.as_mut().filter(|_| wanted) else {
            return Proof::NotWanted;
        };
        turn.unproven += 1;
        if turn.unproven <= UNPROVEN_ANSWERS {
            Proof::Missing
        } else {
            Proof::WentWithout
        }
    }

    pub(super) fn after_reply(&mut self) {
        let answered = self.turn.as_mut().and_then(|turn| {
            turn.reply_over();
            turn.answered.take()
        });
        match answered {
            Some(text) => self.on_handed_over(text),
            None => self.call_model(),
        }
    }

    /// Logs the submitted text of a tool call as an answer of the model, to keep the history valid.
    fn on_handed_over(&mut self, text: String) {
        let id = self.last_turn;
        self.log(
            id,
            Body::Assistant {
                text,
                reasoning: String::new(),
                seals: Vec::new(),
                calls: Vec::new(),
                model: self.model.clone(),
                usage: None,
                error: None,
            },
        );
        self.on_answer();
    }

    fn on_empty_reply(&mut self, finish: &Finish) {
        let Some(turn) = &mut self.turn else { return };
        turn.empty_replies += 1;
        if turn.empty_replies <= EMPTY_REPLIES {
            if turn.empty_replies == 1 {
                self.notice(Notice::EmptyReply);
            }
            self.call_model();
            return;
        }
        self.live(Live::Error(Failure::EmptyReply {
            times: EMPTY_REPLIES + 1,
            finish: finish.word().map(str::to_owned),
        }));
        self.finish(TurnOutcome::Error);
    }

    /// Returns the calls with unique ids. Replaces ids from the server that are invalid or already used.
    fn with_unique_ids(&mut self, calls: Vec<ToolCall>) -> Vec<ToolCall> {
        calls
            .into_iter()
            .map(|call| {
                let usable =
                    !call.id.0.is_empty() && call.id.0.len() <= 128 && self.known_calls.insert(call.id.clone());
                if usable {
                    call
                } else {
                    ToolCall {
                        id: self.fresh_call_id(),
                        ..call
                    }
                }
            })
            .collect()
    }
}

pub(super) fn of_model(call: ToolCall) -> Call {
    Call::new(call::Call {
        id: call.id,
        origin: Origin::Model,
        wanted: Wanted::Tool {
            name: call.name,
            arguments: call.arguments,
        },
    })
}
