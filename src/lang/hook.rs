//! What hooks said, and how they stand.

use super::{Word, say, word};
use crate::domain::hook::{HookEvent, HookFailed, HookOffer, HookRun, HookSaid};

/// One remark of a hook.
pub(super) fn hook(name: &str, event: HookEvent, said: &HookSaid) -> String {
    let with = |id: &str, key: &str, value: &str| say(id, &[("hook", name), ("event", event.name()), (key, value)]);
    match said {
        HookSaid::Denied { reason } => with("notice-hook-denied", "reason", reason),
        HookSaid::Rewrote { arguments } => with("notice-hook-rewrote", "arguments", arguments),
        HookSaid::Noted { text } => with("notice-hook-noted", "text", text),
        HookSaid::Told { text } => with("notice-hook-told", "text", text),
        HookSaid::Failed { why, denies: false } => with("notice-hook-failed", "why", &failed(why)),
        HookSaid::Failed { why, denies: true } => with("notice-hook-failed-strict", "why", &failed(why)),
    }
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
        HookFailed::Stopped => say("hook-stopped", &[]),
    }
}

/// A row of what is said of hooks.
pub(crate) enum HookRow {
    /// Which it is.
    Hook(String),
    /// What there is to say of it, or that there is none.
    Said(String),
}

/// All that are configured, in the order they are asked, with what came of each the last time.
pub(crate) fn hooks(offers: &[HookOffer]) -> Vec<HookRow> {
    if offers.is_empty() {
        return vec![HookRow::Said(word(Word::NoHooks).to_owned())];
    }
    let rows = |offer| [HookRow::Hook(line(offer)), HookRow::Said(last(offer))];
    offers.iter().flat_map(rows).collect()
}

fn line(offer: &HookOffer) -> String {
    let tools = offer.tools.join("|");
    let command = offer.command.join(" ");
    let parts = [offer.event.name(), &offer.name, &tools, &command, &offer.origin];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("  ")
}

fn last(offer: &HookOffer) -> String {
    match &offer.last {
        None => word(Word::HookNotAsked).to_owned(),
        Some(HookRun { at, took_ms, said }) => {
            let said: Vec<String> = said.iter().map(|said| hook(&offer.name, offer.event, said)).collect();
            let said = if said.is_empty() {
                word(Word::HookSaidNothing).to_owned()
            } else {
                said.join(" ")
            };
            say(
                "hook-last",
                &[("at", &at.local_hh_mm()), ("ms", &took_ms.to_string()), ("said", &said)],
            )
        }
    }
}
