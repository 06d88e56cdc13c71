//! Agents that must submit their result with a certain tool before a turn ends.

use super::Machine;
use super::turn::Start;
use benchdog_base::id::{CallId, TurnId};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::finding::Finding;
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_protocol::Live;

const REMINDERS: u32 = 2;

impl Machine {
    pub(super) fn on_findings(&mut self, turn: TurnId, call: &CallId, findings: Vec<Finding>) {
        let call = call.clone();
        self.log(turn, Body::Findings { call, findings });
        if let Some(turn) = &mut self.turn {
            turn.handed_over = true;
        }
    }

    /// Handles an answer of an agent that must submit its result. Without a submission, reminds the model, or ends the
    /// turn after too many reminders. Returns `false` if nothing is missing.
    pub(super) fn misses_handover(&mut self) -> bool {
        let Some(tool) = self.rules.agent.hands_over.clone() else {
            return false;
        };
        let Some(turn) = &mut self.turn else { return false };
        if turn.handed_over || turn.start != Start::Prompt || turn.filtered {
            return false;
        }
        turn.reminders += 1;
        let (id, times) = (turn.id, turn.reminders);
        if times > REMINDERS {
            self.live(Live::Error(Failure::NotHandedOver { tool, times }));
            self.finish(TurnOutcome::Error);
            return true;
        }
        let told = format!(
            "Nothing was handed over yet, and the turn counts only with it. Call `{tool}` with all you found, or with an empty list where nothing is wrong."
        );
        self.notice(Notice::NotHandedOver { tool });
        self.log(
            id,
            Body::User {
                text: String::new(),
                mentions: Vec::new(),
                notes: vec![Note::from(told)],
            },
        );
        self.call_model();
        true
    }
}
