//! What lies between conversation and prompt and blocks no typing, as rows: trust, the first start, prompts that wait.

use super::state::State;
use crate::base::text::{clean, fit, width as columns, wrap};
use crate::domain::waiting::WaitsFor;
use crate::keys::Action;
use crate::keys::action::PromptAction;
use crate::lang::{self, Word, word};

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
    rows.extend(waiting(state, width));
    rows
}

/// The prompts that wait; before those that were never sent, why they stand here. What is asked about comes before them: they are one
/// row meanwhile.
fn waiting(state: &State, width: u16) -> Vec<(String, bool)> {
    let mut rows = Vec::new();
    let prompts = &state.prompt.queued;
    let unsent = prompts.iter().position(|prompt| prompt.waits_for == WaitsFor::Person);
    let is_asked = !state.approvals.waiting.is_empty();
    let most = match unsent {
        Some(first) if is_asked => QUEUED.min(first + 1),
        _ => QUEUED,
    };
    let shown = prompts.iter().take(most);
    let widest = shown.clone().map(|prompt| columns(label(prompt.waits_for))).max();
    if unsent.is_some() && !is_asked {
        let keys = [PromptAction::Up, PromptAction::Unqueue];
        let mut hints = keys.iter().map(|action| state.keymap.hint(Action::Prompt(*action)));
        let sentence = lang::unsent(&hints.find(|key| !key.is_empty()).unwrap_or_default());
        let row = |range: std::ops::Range<usize>| (sentence.get(range).unwrap_or_default().to_owned(), true);
        rows.extend(wrap(&sentence, usize::from(width.max(1))).into_iter().map(row));
    }
    rows.extend(shown.map(|prompt| {
        let first = clean(prompt.text.lines().next().unwrap_or_default());
        let label = fit(label(prompt.waits_for), widest.unwrap_or(0));
        (format!("{label}  {first}"), false)
    }));
    if prompts.len() > QUEUED && !is_asked {
        rows.push((lang::more_wait(prompts.len() - QUEUED), false));
    }
    rows
}

fn label(waits_for: WaitsFor) -> &'static str {
    word(match waits_for {
        WaitsFor::Request => Word::Steers,
        WaitsFor::TurnEnd => Word::Queued,
        WaitsFor::Person => Word::Unsent,
    })
}
