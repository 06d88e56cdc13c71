//! Pauses of a turn: at the step limit, in a loop, or after repeated denials. It continues when the person confirms.

use super::turn::Call;
use super::{AtPause, Machine};
use benchdog_domain::call::{self, Origin, Wanted};
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::notice::{Limit, Notice};
use benchdog_domain::review::{Pause, Question};

impl Machine {
    /// Returns the reason to pause before the next request, if there is one. A prompt of the person during the turn
    /// resets the counts of loops and denials, but not the number of steps.
    pub(super) fn due_pause(&mut self) -> Option<Pause> {
        let turn = self.turn.as_mut()?;
        if !turn.steering.is_empty() {
            turn.guard = super::guard::Guard::default();
        }
        let stuck = turn.guard.pause().cloned();
        stuck.or_else(|| (turn.steps >= turn.step_limit).then_some(Pause::Steps { steps: turn.steps }))
    }

    /// Asks the person whether to continue. Ends the turn if no person can be asked.
    pub(super) fn pause(&mut self, pause: Pause) {
        match self.rules.at_pause {
            AtPause::End => {
                let outcome = outcome(&pause);
                self.notice(notice(pause));
                self.finish(outcome);
            }
            AtPause::Ask => {
                let id = self.fresh_call_id();
                if let Some(turn) = &mut self.turn {
                    turn.goes_on = false;
                    turn.pause = Some(pause.clone());
                    turn.calls = vec![Call::new(call::Call {
                        id,
                        origin: Origin::Limit,
                        wanted: Wanted::Question(Question::GoOn(pause)),
                    })];
                }
                self.advance();
            }
        }
    }

    pub(super) fn after_pause(&mut self) {
        let Some(turn) = &mut self.turn else { return };
        turn.calls.clear();
        let Some(pause) = turn.pause.take() else { return };
        if !turn.goes_on {
            self.finish(outcome(&pause));
            return;
        }
        match pause {
            Pause::Steps { .. } => turn.step_limit = turn.steps + self.rules.steps(),
            Pause::Loop { .. } | Pause::Denials { .. } => turn.guard = super::guard::Guard::default(),
        }
        self.call_model();
    }
}

fn outcome(pause: &Pause) -> TurnOutcome {
    match pause {
        Pause::Steps { .. } => TurnOutcome::Limit,
        Pause::Loop { .. } => TurnOutcome::Loop,
        Pause::Denials { .. } => TurnOutcome::Denied,
    }
}

fn notice(pause: Pause) -> Notice {
    match pause {
        Pause::Steps { steps } => Notice::Limit(Limit::Steps { steps }),
        Pause::Loop { tool, title, times } => Notice::Loop { tool, title, times },
        Pause::Denials { times } => Notice::Denials { times },
    }
}
