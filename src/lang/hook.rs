//! Messages about hooks and their results.

use super::{Word, say, word};
use benchdog_base::clock::Zone;
use benchdog_domain::hook::{HookEvent, HookFailed, HookOffer, HookRun, HookSaid};

pub(super) fn hook(name: &str, event: HookEvent, said: &HookSaid) -> String {
    let with = |id: &str, key: &str, value: &str| {
        let value = beneath(value);
        say(id, &[("hook", name), ("event", event.name()), (key, &value)])
    };
    match said {
        // The call already ran or the answer stands. The reason goes to the model.
        HookSaid::Denied { reason } if matches!(event, HookEvent::AfterTool | HookEvent::TurnEnd) => {
            with("notice-hook-objects", "reason", reason)
        }
        HookSaid::Denied { reason } => with("notice-hook-denied", "reason", reason),
        HookSaid::Rewrote { arguments } => with("notice-hook-rewrote", "arguments", arguments),
        HookSaid::Noted { text } => with("notice-hook-noted", "text", text),
        HookSaid::Told { text } => with("notice-hook-told", "text", text),
        HookSaid::Failed {
            why: HookFailed::NotTaken { error },
            ..
        } => with("notice-hook-not-taken", "error", error),
        HookSaid::Failed { why, denies: false } => with("notice-hook-failed", "why", &failed(why)),
        HookSaid::Failed { why, denies: true } => with("notice-hook-failed-strict", "why", &failed(why)),
    }
}

/// Indents continuation lines, so that they visibly belong to the hook.
fn beneath(text: &str) -> String {
    text.replace('\n', "\n  ")
}

fn failed(why: &HookFailed) -> String {
    match why {
        HookFailed::NotStarted { error } => say("hook-not-started", &[("error", error)]),
        HookFailed::Changed { file } => say("hook-changed", &[("file", file)]),
        HookFailed::Unpinned { file, error } => say("hook-unpinned", &[("file", file), ("error", error)]),
        HookFailed::TooMany { most } => say("hook-too-many", &[("most", &most.to_string())]),
        HookFailed::TimedOut { after_ms } => say("hook-timed-out", &[("ms", &after_ms.to_string())]),
        HookFailed::Exited { how, said } if said.is_empty() => how.clone(),
        HookFailed::Exited { how, said } => format!("{how}: {said}"),
        HookFailed::Endless { most } => say("hook-endless", &[("most", &most.to_string())]),
        HookFailed::Unreadable { error } => say("hook-unreadable", &[("error", error)]),
        HookFailed::NotTaken { error } => error.clone(),
        HookFailed::Stopped => say("hook-stopped", &[]),
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
            let asked = say("hook-last", &[("at", &at.hh_mm(zone)), ("ms", &took_ms.to_string())]);
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
