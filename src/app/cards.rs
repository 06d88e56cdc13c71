//! What lies between conversation and prompt and blocks no typing, as rows: what was said, trust, the first start, prompts that wait.

use super::state::{State, ToastPlace};
use crate::base::text::{clean, fit, width as columns, wrap};
use crate::domain::waiting::WaitsFor;
use crate::keys::Action;
use crate::keys::action::PromptAction;
use crate::lang::{self, Word, word};

/// Queued prompts shown at most.
const QUEUED: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CardRole {
    /// A sentence to be read.
    Says,
    /// A sentence about what failed.
    Failed,
    /// What goes with it.
    Beside,
}

/// The rows of all cards for a width.
pub(crate) fn cards(state: &State, width: u16) -> Vec<(String, CardRole)> {
    let mut rows = said(state, width);
    let trust = state.trust.as_ref().map(|card| card.rows()).unwrap_or_default();
    let first_start = state.first_start.as_ref().map(|card| card.rows()).unwrap_or_default();
    let service = state.service.as_ref().map(|card| card.rows()).unwrap_or_default();
    for card in [trust, first_start, service] {
        for (place, sentence) in card.iter().enumerate() {
            let sentence = clean(sentence);
            for range in wrap(&sentence, usize::from(width.max(1))) {
                let role = if place == 0 { CardRole::Says } else { CardRole::Beside };
                rows.push((sentence.get(range).unwrap_or_default().to_owned(), role));
            }
        }
    }
    rows.extend(returned(state));
    rows.extend(waiting(state, width));
    rows
}

/// The prompts that came back and are not in the prompt, as one row: how many, the key that shows them, and the one it shows first.
fn returned(state: &State) -> Option<(String, CardRole)> {
    let mut returned = state.prompt.returned();
    let first = clean(returned.next()?.lines().next().unwrap_or_default());
    let key = state.keymap.hint(Action::Prompt(PromptAction::Up));
    let label = lang::taken_back(1 + returned.count(), &key);
    Some((format!("{label}  {first}"), CardRole::Beside))
}

/// A sentence that the status line has no room for.
fn said(state: &State, width: u16) -> Vec<(String, CardRole)> {
    let toast = state.toast.as_ref();
    let Some(toast) = toast.filter(|toast| toast.place == ToastPlace::AbovePrompt) else {
        return Vec::new();
    };
    let text = clean(&toast.text);
    let role = if toast.error { CardRole::Failed } else { CardRole::Says };
    let rows = text.lines().flat_map(|line| {
        wrap(line, usize::from(width.max(1)))
            .into_iter()
            .map(|range| line.get(range))
    });
    rows.map(|row| (row.unwrap_or_default().to_owned(), role)).collect()
}

/// The prompts that wait; before those that were never sent, why they stand here. What is asked about comes before them: they are one
/// row meanwhile.
fn waiting(state: &State, width: u16) -> Vec<(String, CardRole)> {
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
        let row = |range: std::ops::Range<usize>| (sentence.get(range).unwrap_or_default().to_owned(), CardRole::Says);
        rows.extend(wrap(&sentence, usize::from(width.max(1))).into_iter().map(row));
    }
    rows.extend(shown.map(|prompt| {
        let first = clean(prompt.text.lines().next().unwrap_or_default());
        let label = fit(label(prompt.waits_for), widest.unwrap_or(0));
        (format!("{label}  {first}"), CardRole::Beside)
    }));
    if prompts.len() > QUEUED && !is_asked {
        rows.push((lang::more_wait(prompts.len() - QUEUED), CardRole::Beside));
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
