//! Handles failed requests: tells the model, tries another model, or ends the turn.

use super::Machine;
use crate::effect::Room;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::{Cut, Failure};
use benchdog_domain::notice::Notice;
use benchdog_protocol::Live;

/// Maximum number of times per turn that the model is told about a truncated call.
const CUT_CALLS: u32 = 1;

impl Machine {
    pub(super) fn on_failed(&mut self, request: u64, failure: Failure, spent: Option<Usage>, elsewhere: bool) {
        let Some(stream) = self.stream_of(request) else { return };
        let model = stream.model.clone();
        self.spend(spent, &model);
        if matches!(failure, Failure::ContextOverflow { .. }) && self.on_overflow(&failure) {
            return;
        }
        if elsewhere && self.fall_back(&failure) {
            return;
        }
        let failure = self.first_failure(failure);
        let failure = self.after_room(failure);
        self.keep_partial(Cut::Failed(failure.clone()), spent);
        match failure {
            Failure::RecordingEnded => {
                self.notice(Notice::RecordingEnded);
                self.finish(TurnOutcome::Done);
            }
            Failure::CallCut {
                tool: Some(tool),
                tokens,
                ..
            } if self.count_cut() => {
                self.notice(Notice::CallCut { tool, tokens });
                self.call_model();
            }
            failure => {
                self.live(Live::Error(failure));
                self.finish(TurnOutcome::Error);
            }
        }
    }

    pub(super) fn spend(&mut self, usage: Option<Usage>, model: &ModelRef) {
        let usage = usage.unwrap_or_default();
        self.session_usage = self.session_usage.plus(usage);
        self.session_cost += self.rules.price(model).map_or(0.0, |price| price.of(usage));
        if let Some(turn) = &mut self.turn {
            turn.usage = turn.usage.plus(usage);
        }
    }

    fn count_cut(&mut self) -> bool {
        let Some(turn) = &mut self.turn else { return false };
        turn.cut_calls += 1;
        turn.cut_calls <= CUT_CALLS
    }

    /// Sends the request to the next fallback model. Each fallback is tried once per turn. Returns `false` if no
    /// fallback is left, or if text was already shown.
    fn fall_back(&mut self, failure: &Failure) -> bool {
        if self.answer_began() {
            return false;
        }
        let Some(turn) = &mut self.turn else { return false };
        let Some(stream) = &mut turn.stream else { return false };
        let mut list = self.rules.fallback.iter();
        let Some(to) = list.find(|model| **model != stream.model && !turn.fallen_back.contains(model)) else {
            return false;
        };
        let from = std::mem::replace(&mut stream.model, to.clone());
        stream.stands_in_for.get_or_insert_with(|| from.clone());
        turn.fallen_back.push(to.clone());
        turn.first_failure.get_or_insert_with(|| failure.clone());
        let (to, failure) = (to.clone(), failure.clone());
        self.notice(Notice::FellBack { from, to, failure });
        self.filling.ask_again();
        self.send_again(|room| *room = Room::default());
        true
    }

    fn first_failure(&mut self, failure: Failure) -> Failure {
        let first = self.turn.as_mut().and_then(|turn| turn.first_failure.take());
        first.unwrap_or(failure)
    }

    pub(super) fn keep_partial(&mut self, cut: Cut, usage: Option<Usage>) {
        let Some(turn) = &mut self.turn else { return };
        let Some(stream) = turn.stream.take() else { return };
        let nothing = stream.text.is_empty() && stream.reasoning.is_empty();
        if nothing && cut.told().is_none() {
            return;
        }
        let id = turn.id;
        self.log(
            id,
            Body::Assistant {
                text: stream.text,
                reasoning: stream.reasoning,
                seals: Vec::new(),
                calls: Vec::new(),
                model: stream.model,
                usage,
                error: Some(cut),
            },
        );
    }
}
