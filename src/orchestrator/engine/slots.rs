//! Slots of a model server, which answers one request in each at a time.
//!
//! Each session keeps its own slot of a llama.cpp server, so that sessions do not evict each other's prompt cache. Subagents are
//! limited to the number of slots, so that none spends its time in the server's queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Engine;
use benchdog_base::id::SeatId;
use benchdog_config::settings::Settings;
use benchdog_domain::agent::{ModelRef, Program};

/// The provider and slot of each open session.
#[derive(Default)]
pub(super) struct Slots(BTreeMap<SeatId, (String, u64)>);

impl Slots {
    /// Returns the session's slot: its own, else the one that the fewest others have.
    fn take(&mut self, seat: SeatId, provider: &str, count: u64) -> u64 {
        if let Some((of, slot)) = self.0.get(&seat)
            && of == provider
            && *slot < count
        {
            return *slot;
        }
        self.0.remove(&seat);
        let users = |slot: &u64| {
            self.0
                .values()
                .filter(|(of, used)| of == provider && used == slot)
                .count()
        };
        let slot = (0..count).min_by_key(users).unwrap_or(0);
        self.0.insert(seat, (provider.to_owned(), slot));
        slot
    }
}

impl Engine {
    /// Returns the configured or reported number of requests that the model's server answers at once.
    pub(crate) fn slots_of(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<u64> {
        let configured = settings.provider(&model.provider).and_then(|provider| provider.slots);
        configured.or_else(|| self.known(settings, model)?.slots)
    }

    /// Returns the slot for requests of a session. `None` if the server is not known to have several.
    pub(crate) fn take_slot(&mut self, seat: SeatId, settings: &Arc<Settings>, model: &ModelRef) -> Option<u64> {
        let is_llama_cpp = self
            .known(settings, model)
            .is_some_and(|known| known.is(Program::LlamaCpp));
        let count = self
            .slots_of(settings, model)
            .filter(|count| is_llama_cpp && *count > 1)?;
        Some(self.slots.take(seat, &model.provider, count))
    }

    pub(crate) fn free_slot(&mut self, seat: SeatId) {
        self.slots.0.remove(&seat);
    }
}

#[cfg(test)]
mod tests;
