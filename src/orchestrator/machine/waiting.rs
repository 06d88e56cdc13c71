//! Prompts that are not in the log yet. Front ends show these prompts, and a file keeps them in case of a crash.

use super::Machine;
use super::turn::{Queued, Start, Steered};
use benchdog_domain::waiting::{WaitingPrompt, WaitsFor};
use benchdog_protocol::Live;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Unlogged {
    /// The prompt of a turn that is starting. Usually set for only a few milliseconds.
    pub begins: Option<String>,
    pub waits: Vec<String>,
}

impl Machine {
    pub(super) fn tell_queue(&mut self) {
        self.unlogged_changed = true;
        let prompts = self.waiting_prompts();
        self.live(Live::Queued(prompts));
    }

    /// Returns the queued prompts in order, and then the unsent prompts of an earlier run.
    pub(crate) fn waiting_prompts(&self) -> Vec<WaitingPrompt> {
        let waits = |waits_for| move |text| WaitingPrompt { text, waits_for };
        let for_command = self.runs_own_command();
        let turn = self.turn.iter();
        let steering = turn.flat_map(|turn| turn.steering.iter().map(|steered| steered.text.clone()));
        let queue = self.queue.iter().map(|queued| WaitingPrompt {
            waits_for: match queued.start {
                Start::Shell(_) if for_command => WaitsFor::Command,
                Start::Shell(_) | Start::Prompt => WaitsFor::TurnEnd,
            },
            text: queued.clone().into_typed(),
        });
        let unsent = self.unsent.iter().cloned();
        steering
            .map(waits(WaitsFor::Request))
            .chain(queue)
            .chain(unsent.map(waits(WaitsFor::Person)))
            .collect()
    }

    /// Adds unsent prompts of an earlier run. They are not sent until the person sends them again.
    pub(crate) fn recall(&mut self, unsent: Vec<String>) {
        self.unsent.extend(unsent);
    }

    /// Returns the prompts to store. `None` if they have not changed since the last call.
    pub(crate) fn take_unlogged(&mut self) -> Option<Unlogged> {
        if !std::mem::take(&mut self.unlogged_changed) {
            return None;
        }
        let unsent = self.unsent.iter().cloned();
        let turn = self.turn.as_ref();
        let begins =
            turn.filter(|turn| turn.start == Start::Prompt && (turn.id != self.last_turn || turn.first.is_some()));
        let steering = turn.into_iter().flat_map(|turn| turn.steering.iter().cloned());
        Some(Unlogged {
            begins: begins.map(|turn| turn.prompt.clone()),
            waits: unsent
                .chain(self.unbegun_commands())
                .chain(steering.map(Steered::into_typed))
                .chain(self.queue.iter().cloned().map(Queued::into_typed))
                .collect(),
        })
    }
}
