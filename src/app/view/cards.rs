//! Cards: short boxes above the prompt for notices, trust, first start and queued prompts. They never block typing.

use ratatui::layout::Rect;

use crate::layout::Pane;
use crate::screen::ToastPlace;
use crate::state::State;
use benchdog_base::text::{clean, wrap};
use benchdog_domain::waiting::{WaitingPrompt, WaitsFor};
use benchdog_keys::Action;
use benchdog_keys::action::{GlobalAction, PromptAction};
use benchdog_lang::{self as lang, Word, word};

const BETWEEN: &str = " · ";
/// Maximum number of queued prompts that are shown.
const QUEUED: usize = 3;
/// Maximum window height at which queued prompts share rows while a request is pending.
const LOW: u16 = 24;
/// Maximum window height at which the cards have only one row while a request is pending.
const LOWEST: u16 = 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardRole {
    Says,
    Failed,
    Beside,
}

pub fn cards(state: &State, width: u16) -> Vec<(String, CardRole)> {
    let mut rows = said(state, width);
    let screen = &state.screen;
    let cards = [
        screen.trust.as_ref().map(|card| card.rows()),
        screen.first_start.as_ref().map(|card| card.rows()),
        screen.service.as_ref().map(|card| card.rows()),
        screen
            .pull
            .as_ref()
            .map(|card| card.rows(&state.keymap.hint(Action::Global(GlobalAction::PullModel)))),
    ];
    for card in cards.into_iter().flatten() {
        for (place, sentence) in card.iter().enumerate() {
            let sentence = clean(sentence);
            for range in wrap(&sentence, usize::from(width.max(1))) {
                let role = if place == 0 { CardRole::Says } else { CardRole::Beside };
                rows.push((sentence.get(range).unwrap_or_default().to_owned(), role));
            }
        }
    }
    rows.extend(behind_request(state, width));
    rows.extend(returned(state));
    rows.extend(waiting(state, width));
    rows
}

/// Returns the conversation's notices about the user's last action, if a request covers the conversation.
fn behind_request(state: &State, width: u16) -> Vec<(String, CardRole)> {
    let covers = |conversation: Rect| state.layout.approval.is_some_and(|over| over.intersects(conversation));
    let is_covered = state.height <= LOWEST || state.layout.conversation.is_none_or(covers);
    let reads = state.screen.focus != Pane::Prompt && !state.screen.approvals.has_focus();
    if !state.screen.approvals.asks() || !is_covered || reads {
        return Vec::new();
    }
    let told = state
        .screen
        .own_conversation()
        .told_since_sent(usize::from(width.max(1)));
    told.into_iter().map(|row| (row, CardRole::Beside)).collect()
}

fn returned(state: &State) -> Option<(String, CardRole)> {
    let mut returned = state.screen.prompt.returned();
    let first = clean(returned.next()?.lines().next().unwrap_or_default());
    let key = state.keymap.hint(Action::Prompt(PromptAction::Up));
    let label = lang::taken_back(1 + returned.count(), &key);
    Some((format!("{label}  {first}"), CardRole::Beside))
}

fn said(state: &State, width: u16) -> Vec<(String, CardRole)> {
    let toast = state.screen.toast.as_ref();
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

/// Returns the rows for queued prompts. If a request needs the space, prompts with the same wait share a row.
fn waiting(state: &State, width: u16) -> Vec<(String, CardRole)> {
    let mut rows = Vec::new();
    let prompts = &state.screen.prompt.queued;
    let has_unsent = prompts.iter().any(|prompt| prompt.waits_for == WaitsFor::Person);
    let is_asked = state.screen.approvals.asks();
    if is_asked && (has_unsent || state.height <= LOW) {
        let kinds: Vec<_> = (prompts.chunk_by(|one, next| one.waits_for == next.waits_for))
            .filter_map(kind)
            .collect();
        let is_one_row = state.height <= LOWEST && kinds.len() > 1;
        let row = |row: String| (row, CardRole::Beside);
        return if is_one_row {
            let counted: Vec<String> = kinds.into_iter().map(|(counted, _)| counted).collect();
            vec![row(counted.join(BETWEEN))]
        } else {
            let whole = |(counted, text): (String, String)| row(format!("{counted}  {text}"));
            kinds.into_iter().map(whole).collect()
        };
    }
    let shown = prompts.iter().take(QUEUED);
    if has_unsent {
        let keys = [PromptAction::Up, PromptAction::Unqueue];
        let mut hints = keys.iter().map(|action| state.keymap.hint(Action::Prompt(*action)));
        let sentence = lang::message::card_unsent_why(&hints.find(|key| !key.is_empty()).unwrap_or_default());
        let row = |range: std::ops::Range<usize>| (sentence.get(range).unwrap_or_default().to_owned(), CardRole::Says);
        rows.extend(wrap(&sentence, usize::from(width.max(1))).into_iter().map(row));
    }
    rows.extend(shown.map(|prompt| {
        let first = clean(prompt.text.lines().next().unwrap_or_default());
        (format!("{}  {first}", label(prompt.waits_for)), CardRole::Beside)
    }));
    if prompts.len() > QUEUED {
        rows.push((lang::message::card_more(prompts.len() - QUEUED), CardRole::Beside));
    }
    rows
}

fn kind(prompts: &[WaitingPrompt]) -> Option<(String, String)> {
    let of = prompts.first()?.waits_for;
    let next = match of {
        WaitsFor::Request | WaitsFor::TurnEnd | WaitsFor::Command => prompts.last(),
        WaitsFor::Person => prompts.first(),
    };
    let text = clean(next?.text.lines().next().unwrap_or_default());
    let label = match prompts.len() {
        1 => label(of).to_owned(),
        several => lang::several_wait(several, label(of)),
    };
    Some((label, text.into_owned()))
}

fn label(waits_for: WaitsFor) -> &'static str {
    word(match waits_for {
        WaitsFor::Request => Word::Steers,
        WaitsFor::TurnEnd => Word::Queued,
        WaitsFor::Command => Word::BehindCommand,
        WaitsFor::Person => Word::Unsent,
    })
}
