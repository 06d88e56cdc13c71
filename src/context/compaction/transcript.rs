//! Builds the requests for a summary: the conversation as text, in pieces that fit the context window.

use std::borrow::Cow;

use super::Plan;
use crate::assembly::text_of;
use crate::tokens::estimate;
use benchdog_domain::budget::Window;
use benchdog_domain::entry::Body;
use benchdog_domain::history::Part;
use benchdog_domain::message::{Arguments, ChatMessage, Messages};

const PROMPT: &str = include_str!("../../../assets/prompts/summary.md");

/// Maximum number of requests for one summary. Longer conversations are shortened.
const REQUESTS: usize = 12;

const LEAST: u64 = 500;

const LEAST_SHARE: u64 = 24;

const ARGUMENTS: usize = 400;

/// The requests for one summary. Each request also contains the summary of the earlier pieces.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    system: String,
    pub pieces: Vec<String>,
    instructions: String,
    pub most: u64,
    pub output: u64,
    /// Number of summarised tokens, and the total. `None` unless much was omitted.
    pub read_in_part: Option<(u64, u64)>,
}

impl Task {
    pub fn of_one_piece(piece: &str, most: u64) -> Self {
        Self {
            system: String::new(),
            pieces: vec![piece.to_owned()],
            instructions: String::new(),
            most,
            output: most,
            read_in_part: None,
        }
    }

    /// Builds the request for one piece. `so_far` is the summary of the previous pieces.
    pub fn messages(&self, piece: &str, so_far: &str) -> Messages {
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

pub fn requests(plan: &Plan, window: Window, instructions: &str) -> Task {
    let most = plan.most.min(window.room() / 4);
    // Use only half of the window, because the estimate is not calibrated for this model.
    let room = window
        .room()
        .saturating_sub(most * 2 + estimate(PROMPT) + estimate(instructions) + 64);
    let piece = (room * 2 / 3).max(LEAST);
    let words = most * 2 / 3;
    let texts: Vec<Told> = plan.parts.iter().filter_map(Told::of).collect();
    let whole = texts.iter().map(|text| text.tokens).sum();
    let pieces = fitting(&texts, piece);
    let read = pieces.iter().map(|piece| estimate(piece)).sum();
    Task {
        system: PROMPT.replace("{words}", &words.to_string()),
        pieces,
        instructions: instructions.to_owned(),
        most,
        output: (most * 2).min(window.tokens / 4).max(most),
        read_in_part: (read * 10 < whole * 9).then_some((read, whole)),
    }
}

struct Told {
    text: String,
    tokens: u64,
    is_earlier: bool,
}

impl Told {
    fn of(part: &Part) -> Option<Self> {
        let text = told(part)?;
        Some(Self {
            tokens: estimate(&text),
            text,
            is_earlier: matches!(part, Part::Replaced(_)),
        })
    }
}

/// Splits texts into the pieces for the requests. To stay within the maximum number of requests, first shortens long
/// texts, and then omits texts evenly.
fn fitting(texts: &[Told], most: u64) -> Vec<String> {
    let count = u64::try_from(REQUESTS).unwrap_or(1);
    let mut budget = most * count;
    loop {
        let pieces = pieces(texts, most, budget);
        // Each piece wastes space at its end. Shrink the budget until the number of pieces fits.
        if pieces.len() <= REQUESTS || budget < most {
            return pieces;
        }
        budget = budget * 9 / 10;
    }
}

fn pieces(texts: &[Told], most: u64, budget: u64) -> Vec<String> {
    let (earlier, rest): (Vec<&Told>, Vec<&Told>) = texts.iter().partition(|text| text.is_earlier);
    let taken: u64 = earlier.iter().map(|text| text.tokens.min(most)).sum();
    let budget = budget.saturating_sub(taken);
    let longest = share(&rest, budget).min(most);
    let stride = if longest < LEAST_SHARE {
        let count = (budget / LEAST_SHARE).max(1);
        u64::try_from(rest.len()).unwrap_or(u64::MAX).div_ceil(count).max(1)
    } else {
        1
    };
    let mut packed = Packed::new(most);
    for text in earlier {
        packed.push(&shortened(&text.text, text.tokens, most));
    }
    let mut left_out = 0;
    for (place, text) in (0..).zip(rest) {
        if place % stride == 0 {
            packed.gap(left_out);
            packed.push(&shortened(&text.text, text.tokens, longest.max(LEAST_SHARE)));
            left_out = 0;
        } else {
            left_out += 1;
        }
    }
    packed.gap(left_out);
    packed.pieces
}

fn share(texts: &[&Told], budget: u64) -> u64 {
    let mut sizes: Vec<u64> = texts.iter().map(|text| text.tokens).collect();
    sizes.sort_unstable();
    let (mut left, mut count) = (budget, u64::try_from(sizes.len()).unwrap_or(u64::MAX));
    for size in sizes {
        if size * count > left {
            return left / count;
        }
        left -= size;
        count -= 1;
    }
    u64::MAX
}

struct Packed {
    pieces: Vec<String>,
    most: u64,
    filled: u64,
}

impl Packed {
    fn new(most: u64) -> Self {
        Self {
            pieces: Vec::new(),
            most,
            filled: 0,
        }
    }

    fn push(&mut self, text: &str) {
        let tokens = estimate(text);
        match self.pieces.last_mut() {
            Some(piece) if self.filled + tokens <= self.most => {
                piece.push_str("\n\n");
                piece.push_str(text);
                self.filled += tokens;
            }
            _ => {
                self.pieces.push(text.to_owned());
                self.filled = tokens;
            }
        }
    }

    fn gap(&mut self, left_out: u64) {
        if left_out > 0 {
            self.push(&format!("[… {left_out} more left out here]"));
        }
    }
}

fn shortened(text: &str, tokens: u64, most: u64) -> Cow<'_, str> {
    if tokens <= most {
        return text.into();
    }
    let bytes = u64::try_from(text.len()).unwrap_or(u64::MAX);
    let half = usize::try_from(bytes * most / tokens.max(1) / 2).unwrap_or(0);
    let head = text.get(..text.floor_char_boundary(half)).unwrap_or_default();
    let tail = text
        .get(text.ceil_char_boundary(text.len() - half)..)
        .unwrap_or_default();
    format!("{head}\n[…]\n{tail}").into()
}

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
