//! Prompts to which a session can be rewound, with the changes since each prompt.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::entry::{Body, Entry};
use super::folder::HeadMoved;
use super::tool::CallStatus;
use super::undo::of_line;
use benchdog_base::clock::Time;
use benchdog_base::id::EntryId;

/// Part of a session that a rewind restores to the state before a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rewind {
    /// Opens a new session with the entries before the prompt. This session stays unchanged.
    Conversation,
    /// Proposes to undo every change since the prompt.
    Files,
    /// Like `Files`, and then the front end rewinds the conversation. If Benchdog exits between these steps, the next
    /// start reports it.
    Both,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RewindPoint {
    pub prompt: EntryId,
    pub text: String,
    pub time: Time,
    pub files: usize,
    pub added: u64,
    pub removed: u64,
    pub head: Option<HeadMoved>,
}

pub fn points(log: &[Arc<Entry>]) -> Vec<RewindPoint> {
    let mut points: Vec<RewindPoint> = Vec::new();
    let mut changed = BTreeSet::new();
    for entry in log {
        match &entry.body {
            Body::User { text, .. } => {
                changed.clear();
                points.push(RewindPoint {
                    prompt: entry.id,
                    text: text.clone(),
                    time: entry.time,
                    files: 0,
                    added: 0,
                    removed: 0,
                    head: None,
                });
            }
            Body::Change {
                path, added, removed, ..
            } => {
                if let Some(point) = points.last_mut() {
                    changed.insert(path.as_str());
                    point.files = changed.len();
                    point.added += u64::from(*added);
                    point.removed += u64::from(*removed);
                }
            }
            _ => {}
        }
    }
    points.reverse();
    points
}

/// Returns results of undos since the last prompt, newest first.
pub fn undos_since_prompt(log: &[Arc<Entry>]) -> Vec<(EntryId, CallStatus)> {
    let since = log.iter().rev();
    let since = since.take_while(|entry| !matches!(entry.body, Body::User { .. }));
    let undos = since.filter_map(|entry| match &entry.body {
        Body::Shell { command, status, .. } if of_line(command).is_some() => Some((entry.id, *status)),
        _ => None,
    });
    undos.collect()
}

#[cfg(test)]
mod tests;
