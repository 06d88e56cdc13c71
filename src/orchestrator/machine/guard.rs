//! Detects turns without progress: repeated calls with the same result, or only denials.
//!
//! A new call with side effects that succeeds resets the counts. Cycles are thus detected, but a test may run after
//! each change. Equal calls within one reply are counted as one.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::Value;

use super::results::Finished;
use benchdog_domain::message::Arguments;
use benchdog_domain::review::Pause;
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome, ToolFacts};

/// Number of equal calls after which the turn is stopped. The model is warned one call earlier.
const MOST: u32 = 3;

/// Maximum number of compactions without progress after which the model may read the same files again.
const MOST_EMPTIED: u32 = 2;

type Print = u64;

#[derive(Debug, Default)]
pub(super) struct Guard {
    seen: BTreeMap<Print, Seen>,
    /// Hashes of successful calls with side effects. Repeating such a call with the same result is no progress.
    done: BTreeSet<Print>,
    refused: u32,
    reply: Reply,
    pause: Option<Pause>,
    /// Number of compactions since the last progress.
    emptied: u32,
}

#[derive(Debug, Default)]
struct Seen {
    times: u32,
    step: u32,
    kind: Kind,
    /// Whether the call succeeded. The model may need the output of a successful call again after a compaction.
    ok: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Same,
    /// A change that fails. It is recognised again even if its new content differs.
    Fails,
}

#[derive(Debug, Default)]
struct Reply {
    denied: bool,
    ran: bool,
}

impl Guard {
    pub(super) fn result(
        &mut self,
        step: u32,
        call: &Finished,
        outcome: &Outcome,
        tools: &[ToolFacts],
    ) -> Option<String> {
        match outcome.status {
            CallStatus::Denied => self.reply.denied = true,
            CallStatus::Ok | CallStatus::Error => self.reply.ran = true,
            CallStatus::Cancelled => {}
        }
        if matches!(outcome.status, CallStatus::Denied | CallStatus::Cancelled) {
            return None;
        }
        if call.effect == Some(EffectClass::Asks) {
            // An answer of the person counts as progress.
            self.seen.clear();
            return None;
        }
        let (kind, print) = print(call, outcome, tools);
        if outcome.status == CallStatus::Ok && acts(call.effect) && self.done.insert(print) {
            let changed = !outcome.changes.is_empty() && call.effect != Some(EffectClass::Executes);
            self.seen.retain(|_, seen| seen.kind == Kind::Fails && !changed);
            self.emptied = 0;
        }
        let seen = self.seen.entry(print).or_default();
        if seen.step == step {
            return None;
        }
        *seen = Seen {
            times: seen.times + 1,
            step,
            kind,
            ok: outcome.status == CallStatus::Ok,
        };
        let times = seen.times;
        if times >= MOST {
            let (tool, title) = (call.tool.clone(), call.title.clone());
            self.pause = Some(Pause::Loop { tool, title, times });
        }
        (times + 1 >= MOST).then(|| hint(kind, times))
    }

    pub(super) fn window_emptied(&mut self) {
        self.emptied += 1;
        if self.emptied <= MOST_EMPTIED {
            self.seen.retain(|_, seen| !seen.ok);
        }
    }

    pub(super) fn reply_over(&mut self) {
        let reply = std::mem::take(&mut self.reply);
        match reply {
            Reply { ran: true, .. } => self.refused = 0,
            Reply { denied: true, .. } => self.refused += 1,
            Reply { .. } => {}
        }
        if self.refused >= MOST {
            let times = self.refused;
            self.pause.get_or_insert(Pause::Denials { times });
        }
    }

    pub(super) fn pause(&self) -> Option<&Pause> {
        self.pause.as_ref()
    }
}

fn acts(effect: Option<EffectClass>) -> bool {
    matches!(
        effect,
        Some(EffectClass::Writes | EffectClass::Executes | EffectClass::Network)
    )
}

fn print(call: &Finished, outcome: &Outcome, tools: &[ToolFacts]) -> (Kind, Print) {
    let mut hasher = DefaultHasher::new();
    let contents = ToolFacts::find(tools, &call.tool).map_or(&[][..], |tool| tool.contents);
    let fails = outcome.status == CallStatus::Error && !contents.is_empty();
    call.tool.hash(&mut hasher);
    fails.hash(&mut hasher);
    match &call.arguments {
        Some(Arguments::Object(map)) => {
            let left_out = if fails { contents } else { &[] };
            hash_object(map, left_out, &mut hasher);
        }
        Some(Arguments::Raw(text)) => text.hash(&mut hasher),
        None => {}
    }
    if fails {
        return (Kind::Fails, hasher.finish());
    }
    (outcome.status == CallStatus::Ok).hash(&mut hasher);
    without_durations(&outcome.output, |piece| piece.hash(&mut hasher));
    (Kind::Same, hasher.finish())
}

/// Hashes a JSON object, independently of the order of its keys.
fn hash_object(map: &serde_json::Map<String, Value>, left_out: &[&str], hasher: &mut DefaultHasher) {
    let mut pairs: Vec<(&String, &Value)> = map
        .iter()
        .filter(|(key, _)| !left_out.contains(&key.as_str()))
        .collect();
    pairs.sort_by_key(|(key, _)| *key);
    pairs.len().hash(hasher);
    for (key, value) in pairs {
        key.hash(hasher);
        hash_value(value, left_out, hasher);
    }
}

fn hash_value(value: &Value, left_out: &[&str], hasher: &mut DefaultHasher) {
    match value {
        Value::Object(map) => hash_object(map, left_out, hasher),
        Value::Array(items) => {
            items.len().hash(hasher);
            items.iter().for_each(|item| hash_value(item, left_out, hasher));
        }
        plain => plain.to_string().hash(hasher),
    }
}

/// Passes the text to `piece` in several parts, without durations such as `0.03s`.
fn without_durations(text: &str, mut piece: impl FnMut(&str)) {
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let end = number
            .find(|letter: char| !letter.is_ascii_digit() && letter != '.')
            .unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        let unit = after.strip_prefix(' ').unwrap_or(after);
        let unit = ["ms", "s"].iter().find_map(|name| unit.strip_prefix(name));
        let is_duration = number.trim_end_matches('.').contains('.')
            && unit.is_some_and(|after| !after.starts_with(|letter: char| letter.is_alphanumeric()));
        piece(before);
        if !is_duration {
            piece(number);
        }
        rest = after;
    }
    piece(rest);
}

fn hint(kind: Kind, times: u32) -> String {
    match kind {
        Kind::Same => format!(
            "This call has now given the same result {times} times, and it will again. Use what you know, try something else, or \
             say what keeps you from going on."
        ),
        Kind::Fails => format!(
            "This change has now failed {times} times at the same place. Do not send it again: read the file and copy the text \
             from there, or make the change in another way."
        ),
    }
}
