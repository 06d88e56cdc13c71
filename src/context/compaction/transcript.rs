//! What is asked of the model that summarises: the conversation as one text, in as many requests as its window needs.

use super::Plan;
use crate::context::assembly::text_of;
use crate::context::tokens::estimate;
use crate::domain::budget::Window;
use crate::domain::entry::Body;
use crate::domain::history::Part;
use crate::domain::message::{Arguments, ChatMessage, Messages};

const PROMPT: &str = include_str!("../../../assets/prompts/summary.md");

/// Requests one summary may take. What lies before is cut down to fit.
const REQUESTS: usize = 12;

/// Bytes of a call's arguments that tell what it was.
const ARGUMENTS: usize = 400;

/// The requests that make one summary, each with the summary of those before it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Task {
    system: String,
    /// Pieces of the conversation, oldest first.
    pub(crate) pieces: Vec<String>,
    instructions: String,
    pub(crate) most: u64,
}

impl Task {
    /// The messages for a piece; `so_far` is the summary of what lies before it.
    pub(crate) fn messages(&self, piece: &str, so_far: &str) -> Messages {
        let mut text = String::new();
        if !so_far.is_empty() {
            text.push_str("# Summary of what lies before; take all of it over\n\n");
            text.push_str(so_far);
            text.push_str("\n\n");
        }
        text.push_str("# The conversation\n\n");
        text.push_str(piece);
        if !self.instructions.is_empty() {
            text.push_str("\n\n# What the user wants of the summary\n\n");
            text.push_str(&self.instructions);
        }
        text.push_str("\n\nWrite the summary now.");
        vec![ChatMessage::System(self.system.clone()), ChatMessage::User(text.into())].into()
    }
}

/// What summarises the plan, for a model with this window.
pub(crate) fn requests(plan: &Plan, window: Window, instructions: &str) -> Task {
    // Half the estimate is left for its error, which nothing has corrected for this model.
    let room = window
        .room()
        .saturating_sub(plan.most * 2 + estimate(PROMPT) + estimate(instructions) + 64);
    let piece = (room * 2 / 3).max(500);
    let words = plan.most * 2 / 3;
    Task {
        system: PROMPT.replace("{words}", &words.to_string()),
        pieces: pieces(&plan.parts, piece),
        instructions: instructions.to_owned(),
        most: plan.most,
    }
}

/// The texts of the parts, gathered to pieces of at most so many tokens.
fn pieces(parts: &[Part], most: u64) -> Vec<String> {
    let texts: Vec<String> = parts.iter().filter_map(told).collect();
    let total: u64 = texts.iter().map(|text| estimate(text)).sum();
    let whole = most * u64::try_from(REQUESTS).unwrap_or(1);
    // What is too much even for many requests is told by its beginnings and ends.
    let longest = if total > whole {
        most * whole / total.max(1)
    } else {
        most
    };
    let mut pieces: Vec<String> = Vec::new();
    let mut filled = 0;
    for text in texts {
        let text = shortened(text, longest);
        let tokens = estimate(&text);
        match pieces.last_mut() {
            Some(piece) if filled + tokens <= most => {
                piece.push_str("\n\n");
                piece.push_str(&text);
                filled += tokens;
            }
            _ => {
                pieces.push(text);
                filled = tokens;
            }
        }
    }
    let excess = pieces.len().saturating_sub(REQUESTS);
    pieces.split_off(excess)
}

fn shortened(text: String, most: u64) -> String {
    let tokens = estimate(&text);
    if tokens <= most {
        return text;
    }
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let half = usize::try_from(bytes * most / tokens.max(1) / 2).unwrap_or(0);
    let head = text.get(..text.floor_char_boundary(half)).unwrap_or_default();
    let tail = text
        .get(text.ceil_char_boundary(text.len() - half)..)
        .unwrap_or_default();
    format!("{head}\n[…]\n{tail}")
}

/// A part in the words of somebody who tells of it.
fn told(part: &Part) -> Option<String> {
    let text = text_of(part);
    Some(match &part.entry().body {
        Body::User { .. } => format!("## User\n{}", &*text),
        Body::Assistant { calls, .. } => {
            let mut said = format!("## Assistant\n{}", &*text);
            for call in calls {
                let arguments = match &call.arguments {
                    Arguments::Object(map) => serde_json::to_string(map).unwrap_or_default(),
                    Arguments::Raw(raw) => raw.clone(),
                };
                let end = arguments.floor_char_boundary(ARGUMENTS);
                let arguments = arguments.get(..end).unwrap_or_default();
                said.push_str(&format!("\n→ {} {arguments}", call.name));
            }
            said
        }
        Body::ToolResult { tool, title, .. } => format!("## Result of {tool} {title}\n{}", &*text),
        Body::Shell { command, .. } => format!("## The user ran {command}\n{}", &*text),
        Body::Validation { .. } => format!("## Check\n{}", &*text),
        Body::Compaction(_) => format!("## Earlier\n{}", &*text),
        _ => return None,
    })
}
