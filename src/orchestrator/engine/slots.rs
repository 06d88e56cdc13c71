//! Slots of a model server. The server answers one request per slot at a time.
//!
//! Each session keeps its slot of a llama.cpp server, so that sessions do not evict each other's prompt cache. The
//! number of running subagents is limited to the number of slots. Otherwise a subagent's time limit would elapse in the
//! server's queue.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Engine;
use benchdog_base::id::SeatId;
use benchdog_config::settings::Settings;
use benchdog_domain::agent::{Knowledge, ModelRef, Program};

/// The provider and slot number of each open session. Clones share the data.
#[derive(Clone, Default)]
pub(super) struct Slots(Arc<Mutex<BTreeMap<SeatId, (String, u64)>>>);

impl Slots {
    /// Returns the session's slot. A session without a slot gets the slot that the fewest sessions use.
    fn take(&self, seat: SeatId, provider: &str, count: u64) -> u64 {
        let mut taken = self.lock();
        if let Some((of, slot)) = taken.get(&seat)
            && of == provider
            && *slot < count
        {
            return *slot;
        }
        taken.remove(&seat);
        let users = |slot: &u64| {
            let used = taken.values().filter(|(of, used)| of == provider && used == slot);
            used.count()
        };
        let slot = (0..count).min_by_key(users).unwrap_or(0);
        taken.insert(seat, (provider.to_owned(), slot));
        slot
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<SeatId, (String, u64)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Chooses the slot of a session when the facts about the server are known.
pub(crate) struct SlotOfSeat {
    slots: Slots,
    seat: SeatId,
    provider: String,
    count: Option<u64>,
}

impl SlotOfSeat {
    /// Returns the number of the session's slot. `None` if the server has no numbered slots.
    pub(crate) fn take(&self, known: &Knowledge) -> Option<u64> {
        let count = self.count.or(known.slots);
        let count = count.filter(|count| known.is(Program::LlamaCpp) && *count > 1)?;
        Some(self.slots.take(self.seat, &self.provider, count))
    }
}

impl Engine {
    pub(crate) fn slots_of(&self, settings: &Arc<Settings>, model: &ModelRef) -> Option<u64> {
        let configured = settings.provider(&model.provider).and_then(|provider| provider.slots);
        configured.or_else(|| self.known(settings, model)?.slots)
    }

    pub(crate) fn slot_of_seat(&self, seat: SeatId, settings: &Settings, model: &ModelRef) -> SlotOfSeat {
        SlotOfSeat {
            slots: self.slots.clone(),
            seat,
            provider: model.provider.clone(),
            count: settings.provider(&model.provider).and_then(|provider| provider.slots),
        }
    }

    pub(crate) fn free_slot(&self, seat: SeatId) {
        self.slots.lock().remove(&seat);
    }
}

#[cfg(test)]
mod tests;
