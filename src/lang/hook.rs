//! Messages about hooks and their results.

use super::{Word, message, word};
use benchdog_base::clock::Zone;
use benchdog_domain::hook::{HookEvent, HookFailed, HookOffer, HookRun, HookSaid};

pub(super) fn hook(name: &str, event: HookEvent, said: &HookSaid) -> String {
    // All of these messages have the same three values: the event, the name of the hook, and `value`.
    let with = |said: fn(&str, &str, &str) -> String, value: &str| said(event.name(), name, &indent(value));
    match said {
        // At these events, a denial has no effect: the call has run, or the answer is shown. The model still receives
        // the reason.
        HookSaid::Denied { reason } if matches!(event, HookEvent::AfterTool | HookEvent::TurnEnd) => {
            with(message::notice_hook_objects, reason)
        }
        HookSaid::Denied { reason } => with(message::notice_hook_denied, reason),
        HookSaid::Rewrote { arguments } => message::notice_hook_rewrote(&indent(arguments), event.name(), name),
        HookSaid::Noted { text } => with(message::notice_hook_noted, text),
        HookSaid::Told { text } => with(message::notice_hook_told, text),
        HookSaid::Failed {
            why: HookFailed::NotTaken { error },
            ..
        } => message::notice_hook_not_taken(&indent(error), event.name(), name),
        HookSaid::Failed { why, denies: false } => with(message::notice_hook_failed, &failed(why)),
        HookSaid::Failed { why, denies: true } => with(message::notice_hook_failed_strict, &failed(why)),
    }
}

/// Indents all lines but the first, to show that they belong to the hook.
fn indent(text: &str) -> String {
    text.replace('\n', "\n  ")
}

fn failed(why: &HookFailed) -> String {
    match why {
        HookFailed::NotStarted { error } => message::hook_not_started(error),
        HookFailed::Changed { file } => message::hook_changed(file),
        HookFailed::Unpinned { file, error } => message::hook_unpinned(error, file),
        HookFailed::TooMany { most } => message::hook_too_many(&most.to_string()),
        HookFailed::TimedOut { after_ms } => message::hook_timed_out(&after_ms.to_string()),
        HookFailed::Exited { how, said } if said.is_empty() => how.clone(),
        HookFailed::Exited { how, said } => format!("{how}: {said}"),
        HookFailed::Endless { most } => message::hook_endless(&most.to_string()),
        HookFailed::Unreadable { error } => message::hook_unreadable(error),
        HookFailed::NotTaken { error } => error.clone(),
        HookFailed::Stopped => word(Word::HookStopped).to_owned(),
    }
}

#[derive(Debug, PartialEq, Eq)]
pub enum HookRow {
    Hook(String),
    /// The command, its place in the configuration, and its event.
    Of(&'static str, String),
    /// The last result, or a note that there is none.
    Said(String),
    Wrong(String),
}

/// Lists all hooks in the order they run, each with its last result.
pub fn hooks(offers: &[HookOffer], zone: &Zone) -> Vec<HookRow> {
    if offers.is_empty() {
        return vec![HookRow::Said(word(Word::NoHooks).to_owned())];
    }
    offers.iter().flat_map(|offer| rows(offer, zone)).collect()
}

fn rows(offer: &HookOffer, zone: &Zone) -> Vec<HookRow> {
    let tools = offer.tools.join("|");
    let which = [&offer.name, offer.event.name(), &tools];
    let which: Vec<&str> = which.into_iter().filter(|part| !part.is_empty()).collect();
    let mut rows = vec![
        HookRow::Hook(which.join("  ")),
        HookRow::Of(word(Word::HookRuns), offer.command.join(" ")),
        HookRow::Of(word(Word::HookFrom), offer.origin.clone()),
    ];
    let last = match &offer.last {
        None => word(Word::HookNotAsked).to_owned(),
        Some(HookRun { at, took_ms, said }) => {
            let asked = message::hook_last(&at.hh_mm(zone), &took_ms.to_string());
            match said.is_empty() {
                true => format!("{asked}, {}", word(Word::HookSaidNothing)),
                false => asked,
            }
        }
    };
    rows.push(HookRow::Of(word(Word::HookAsked), last));
    let said = offer.last.iter().flat_map(|last| &last.said);
    rows.extend(said.map(|said| {
        let row = hook(&offer.name, offer.event, said);
        match said {
            HookSaid::Denied { .. } | HookSaid::Failed { .. } => HookRow::Wrong(row),
            HookSaid::Rewrote { .. } | HookSaid::Noted { .. } | HookSaid::Told { .. } => HookRow::Said(row),
        }
    }));
    rows
}
