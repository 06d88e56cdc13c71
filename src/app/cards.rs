//! What lies between conversation and prompt and blocks no typing, as rows: trust, the first start, queued prompts.

use super::state::State;
use crate::base::text::{clean, fit, width as columns, wrap};
use crate::lang::{Word, word};
use crate::protocol::Delivery;

/// Queued prompts shown at most.
const QUEUED: usize = 3;

/// The rows of all cards for a width; `true`: a sentence to be read, `false`: what goes with it.
pub(crate) fn cards(state: &State, width: u16) -> Vec<(String, bool)> {
    let mut rows = Vec::new();
    let trust = state.trust.as_ref().map(|card| card.rows()).unwrap_or_default();
    let first_start = state.first_start.as_ref().map(|card| card.rows()).unwrap_or_default();
    let service = state.service.as_ref().map(|card| card.rows()).unwrap_or_default();
    for card in [trust, first_start, service] {
        for (place, sentence) in card.iter().enumerate() {
            let sentence = clean(sentence);
            for range in wrap(&sentence, usize::from(width.max(1))) {
                rows.push((sentence.get(range).unwrap_or_default().to_owned(), place == 0));
            }
        }
    }
    let label = |delivery| match delivery {
        Delivery::Queue => word(Word::Queued),
        Delivery::Steer => word(Word::Steers),
    };
    let queued = state.prompt.queued.iter().take(QUEUED);
    let widest = queued.clone().map(|prompt| columns(label(prompt.delivery))).max();
    rows.extend(queued.map(|prompt| {
        let first = clean(prompt.text.lines().next().unwrap_or_default());
        let label = fit(label(prompt.delivery), widest.unwrap_or(0));
        (format!("{label}  {first}"), false)
    }));
    rows
}
