//! Hooks before and after calls, and at the end of a turn. Effects request hooks, and inputs return their answers.

use serde_json::{Map, Value};

use super::Machine;
use super::turn::{Call, Phase};
use crate::effect::{Effect, HookPoint};
use crate::input::HookAnswer;
use benchdog_base::id::CallId;
use benchdog_domain::call::{Origin, Wanted};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::hook::{HookEvent, HookFailed, HookSaid, Understood};
use benchdog_domain::image::Picture;
use benchdog_domain::message::Arguments;
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Action, Because, Verdict};
use benchdog_domain::review::Review;
use benchdog_domain::tool::Outcome;
use benchdog_protocol::TurnState;
use std::sync::Arc;

const MOST_SENT_ON: u32 = 3;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Hooked {
    pub before_tool: bool,
    pub after_tool: bool,
    pub turn_end: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct AtEnd {
    asked: Option<u64>,
    is_over: bool,
    sent_on: u32,
}

impl AtEnd {
    pub(super) fn is_asked(self) -> bool {
        self.asked.is_some()
    }
}

impl Machine {
    fn ask_hooks(&mut self, point: HookPoint) -> u64 {
        self.last_hook += 1;
        let number = self.last_hook;
        self.out.push(Effect::Hook { number, point });
        number
    }

    /// Whether hooks must run before the call: a rule does not deny it, and no hooks have run for it yet.
    pub(super) fn asks_before(&self, id: &CallId, verdict: &Verdict) -> bool {
        let asks = self.rules.hooks.before_tool && verdict.action != Action::Deny;
        let call = self.turn.as_ref().filter(|_| asks).and_then(|turn| turn.call(id));
        call.is_some_and(|call| !call.was_asked && is_of_others(call))
    }

    pub(super) fn note_understood(&mut self, id: &CallId, understood: Option<Arc<Understood>>) {
        if let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) {
            call.understood = understood;
        }
    }

    pub(super) fn ask_before(&mut self, id: &CallId, review: Arc<Review>, verdict: Verdict) {
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        call.was_asked = true;
        let point = HookPoint::BeforeTool {
            call: id.clone(),
            tool: call.tool.clone(),
            understood: call.understood.clone(),
        };
        let number = self.ask_hooks(point);
        if let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) {
            call.phase = Phase::BeforeHooks {
                number,
                review,
                verdict,
            };
        }
    }

    /// Requests the hooks for a finished call. Returns the outcome at once if no hook must run.
    pub(super) fn ask_after(&mut self, id: &CallId, mut outcome: Outcome, took_ms: u64) -> Option<Outcome> {
        let turn = self.turn.as_mut()?;
        let (turn_id, ending) = (turn.id, turn.ending);
        let call = turn.call_mut(id)?;
        if !self.rules.hooks.after_tool || !is_of_others(call) || ending.is_some() {
            return Some(outcome);
        }
        let point = HookPoint::AfterTool {
            call: id.clone(),
            tool: call.tool.clone(),
            understood: call.understood.clone(),
            status: outcome.status,
            output: outcome.output.clone(),
            took_ms,
        };
        let by = (call.call.origin, call.effect);
        let over = call.is_asked_after().then(|| over(call, &outcome, took_ms));
        self.keep_effects(turn_id, id, by, &mut outcome);
        if let Some(over) = over {
            self.keep_images(&outcome);
            self.log(turn_id, over);
        }
        let number = self.ask_hooks(point);
        if let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) {
            call.phase = Phase::AfterHooks {
                number,
                outcome,
                took_ms,
            };
        }
        None
    }

    pub(super) fn ask_at_end(&mut self) -> bool {
        let Some(turn) = &mut self.turn else { return false };
        let asks = self.rules.hooks.turn_end && turn.start == super::turn::Start::Prompt && !turn.at_end.is_over;
        if !asks || turn.ending.is_some() {
            return false;
        }
        turn.calls.clear();
        let again = turn.at_end.sent_on;
        self.move_to(TurnState::Planning);
        let number = self.ask_hooks(HookPoint::TurnEnd {
            outcome: TurnOutcome::Done,
            again,
        });
        if let Some(turn) = &mut self.turn {
            turn.at_end.asked = Some(number);
        }
        true
    }

    pub(super) fn on_hooked(&mut self, number: u64, answer: HookAnswer) {
        let Some(turn) = &mut self.turn else { return };
        if turn.at_end.asked == Some(number) {
            return self.after_end(answer);
        }
        let asked = turn.calls.iter().find_map(|call| match &call.phase {
            Phase::BeforeHooks { number: asked, .. } if *asked == number => Some((call.call.id.clone(), true)),
            Phase::AfterHooks { number: asked, .. } if *asked == number => Some((call.call.id.clone(), false)),
            _ => None,
        });
        match asked {
            Some((id, true)) => self.after_before(&id, answer),
            Some((id, false)) => self.after_after(&id, answer),
            None => return,
        }
        self.advance();
    }

    fn after_before(&mut self, id: &CallId, answer: HookAnswer) {
        let HookAnswer {
            denied,
            arguments,
            notes,
            told,
        } = answer;
        told.into_iter().for_each(|notice| self.notice(notice));
        if let Some((hook, reason)) = denied {
            return self.deny_by_policy(id, Because::Hook { hook, reason });
        }
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        call.notes.extend(notes.into_iter().map(Note::from));
        match (arguments, std::mem::replace(&mut call.phase, Phase::Waiting)) {
            (Some((hook, arguments)), _) => {
                rewrite(call, arguments);
                call.rewritten_by = Some(hook);
                // Clear the effect, so that front ends show the row of the call again with the new arguments.
                call.effect = None;
                self.out.push(Effect::Drop(id.clone()));
            }
            (None, Phase::BeforeHooks { review, verdict, .. }) => call.phase = Phase::Held { review, verdict },
            (None, _) => {}
        }
    }

    /// If a hook changed the arguments of an invalid call, adds this to the error, and tells the person. The returned
    /// flag is set if a hook changed the arguments.
    pub(super) fn blame_hook(&mut self, id: &CallId, outcome: Outcome) -> (Outcome, bool) {
        let call = self.turn.as_mut().and_then(|turn| turn.call_mut(id));
        let Some(hook) = call.and_then(|call| call.rewritten_by.clone()) else {
            return (outcome, false);
        };
        let error = outcome.output.lines().next().unwrap_or_default().to_owned();
        let output = format!(
            "The hook `{hook}` of the user changed the arguments of this call, and what it made of them is not taken. What you had written was not the cause: {}",
            outcome.output
        );
        self.notice(Notice::Hook {
            hook,
            event: HookEvent::BeforeTool,
            said: HookSaid::Failed {
                why: HookFailed::NotTaken { error },
                denies: false,
            },
        });
        (Outcome { output, ..outcome }, true)
    }

    fn after_after(&mut self, id: &CallId, answer: HookAnswer) {
        answer.told.into_iter().for_each(|notice| self.notice(notice));
        let Some(call) = self.turn.as_mut().and_then(|turn| turn.call_mut(id)) else {
            return;
        };
        call.notes.extend(answer.notes.into_iter().map(Note::from));
        let refused = answer.denied.map(|(hook, reason)| objection(&hook, &reason));
        call.notes.extend(refused.map(Note::from));
        if let Phase::AfterHooks { outcome, took_ms, .. } = std::mem::replace(&mut call.phase, Phase::Stored) {
            call.phase = Phase::Over { outcome, took_ms };
        }
    }

    fn after_end(&mut self, answer: HookAnswer) {
        answer.told.into_iter().for_each(|notice| self.notice(notice));
        let Some(turn) = &mut self.turn else { return };
        turn.at_end.asked = None;
        let objection = answer.denied.map(|(hook, reason)| objection(&hook, &reason));
        let said: Vec<Note> = answer.notes.into_iter().chain(objection).map(Note::from).collect();
        let sends_on = !said.is_empty() && turn.at_end.sent_on < MOST_SENT_ON;
        if !sends_on && turn.steering.is_empty() {
            turn.at_end.is_over = true;
            return self.finish_by_itself();
        }
        if sends_on {
            turn.at_end.sent_on += 1;
            let id = turn.id;
            // The prompt has no text. The hook's notice explains it to the person.
            self.log(
                id,
                Body::User {
                    text: String::new(),
                    mentions: Vec::new(),
                    notes: said,
                },
            );
        }
        self.call_model();
    }
}

pub(super) fn over(call: &Call, outcome: &Outcome, took_ms: u64) -> Body {
    Body::CallEnded {
        call: call.call.id.clone(),
        tool: call.tool.clone(),
        title: match &call.call.wanted {
            Wanted::Command(line) => line.clone(),
            Wanted::Tool { .. }
            | Wanted::Patch { .. }
            | Wanted::Undo { .. }
            | Wanted::Review { .. }
            | Wanted::Question(_) => call.title.clone(),
        },
        status: outcome.status,
        summary: outcome.summary.clone(),
        output: outcome.output.clone(),
        truncated: outcome.truncated,
        notes: outcome.notes.iter().chain(&call.notes).cloned().collect(),
        places: outcome.places.clone(),
        images: outcome.images.iter().map(Picture::image).collect(),
        took_ms,
    }
}

fn is_of_others(call: &Call) -> bool {
    matches!(call.call.origin, Origin::Model | Origin::OwnCommand)
}

/// The argument under which hooks receive a command line.
const COMMAND: &str = "command";

fn rewrite(call: &mut Call, new: Map<String, Value>) {
    match &mut call.call.wanted {
        Wanted::Tool { name, arguments } => {
            name.clone_from(&call.tool);
            *arguments = Arguments::Object(new);
        }
        Wanted::Command(line) => {
            let written = new.get(COMMAND).and_then(Value::as_str).unwrap_or_default();
            *line = written.to_owned();
        }
        Wanted::Patch { .. } | Wanted::Undo { .. } | Wanted::Review { .. } | Wanted::Question(_) => {}
    }
}

fn objection(hook: &str, reason: &str) -> String {
    format!("The hook `{hook}` of the user objects: {reason}")
}
