//! Handles a prompt before it is logged: its mentions are read and its size is checked. A prompt that does not fit the
//! context window is not logged.

use super::Machine;
use crate::effect::Effect;
use crate::input::{Along, Weighed};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::note::Note;
use benchdog_protocol::{Answer, TurnState};

impl Machine {
    pub(super) fn weigh(&mut self, prompt: String, ran_first: bool) {
        self.last_weighing += 1;
        self.out.push(Effect::Weigh {
            weighing: self.last_weighing,
            prompt,
            ran_first,
            notes: self.pending_notes.clone(),
        });
    }

    pub(super) fn on_weighed(&mut self, weighing: u64, weighed: Weighed) {
        let Some(turn) = &mut self.turn else { return };
        let begun = turn.id == self.last_turn;
        if (begun && turn.first.is_none()) || weighing != self.last_weighing {
            return;
        }
        let (id, prompt) = (turn.id, turn.prompt.clone());
        self.unlogged_changed = true;
        let refused = match weighed {
            Weighed::First { lines, told } => return self.run_first(lines, told),
            Weighed::Fits(Along {
                text,
                mentions,
                notes,
                told,
            }) => {
                let text = text.unwrap_or(prompt);
                turn.prompt.clone_from(&text);
                turn.first = None;
                self.last_turn = id;
                let notes: Vec<Note> = std::mem::take(&mut self.pending_notes)
                    .into_iter()
                    .chain(notes)
                    .collect();
                self.noted(&notes);
                self.log_first_agent(id);
                told.into_iter().for_each(|notice| self.notice(notice));
                let user = Body::User { text, mentions, notes };
                self.log(id, user);
                // Set this state even if a limit ends the turn before its first request.
                self.move_to(TurnState::Planning);
                self.call_model();
                return;
            }
            Weighed::Over(over) => Answer::TooLarge { prompt, over },
            Weighed::Unread(mentions) => Answer::Unread { prompt, mentions },
        };
        self.out.push(Effect::Answer(refused));
        if begun {
            return self.finish(TurnOutcome::Error);
        }
        self.turn = None;
        self.start_queued();
    }
}
