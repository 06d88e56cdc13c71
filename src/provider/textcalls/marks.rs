//! Matches marks at the beginning of a text, which may be incomplete.

use super::families::Fenced;
use super::spent;

pub(super) const MOST_LABEL: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Start {
    With(&'static str),
    Partly,
    No,
}

pub(super) fn starts(text: &str, marks: &[&'static str]) -> Start {
    if let Some(mark) = marks.iter().find(|mark| text.starts_with(**mark)) {
        return Start::With(mark);
    }
    if marks.iter().any(|mark| mark.starts_with(text)) {
        Start::Partly
    } else {
        Start::No
    }
}

/// Whether a text begins with a call fence. `With` contains the length of the fence's first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opens {
    With(usize),
    Partly,
    No,
}

impl Fenced {
    fn labels(self) -> &'static [&'static str] {
        match self {
            Self::Json => &["json", ""],
            Self::Call => &["tool_call", "tool_calls", "toolcall", "tool", "function_call"],
            Self::Code => &["tool_code"],
        }
    }

    pub(super) fn opens(self, text: &str) -> Opens {
        let Some(behind) = text.strip_prefix("```") else {
            return if "```".starts_with(text) {
                Opens::Partly
            } else {
                Opens::No
            };
        };
        let line = beginning(behind, 0, MOST_LABEL);
        let Some((label, _)) = line.split_once('\n') else {
            let label = line.trim_end();
            let partly = self.labels().iter().any(|known| known.starts_with(label));
            return if partly && behind.len() < MOST_LABEL {
                Opens::Partly
            } else {
                Opens::No
            };
        };
        if self.labels().contains(&label.trim()) {
            Opens::With("```".len() + label.len() + 1)
        } else {
            Opens::No
        }
    }
}

pub(super) fn beginning(text: &str, from: usize, most: usize) -> &str {
    let to = text.floor_char_boundary(text.len().min(from + most));
    text.get(from..to).unwrap_or_default()
}

pub(super) fn skip_blank(text: &str, from: usize) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    let count = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    spent(count + 1);
    from + count
}

pub(super) fn blank(text: &str, from: usize, to: usize) -> bool {
    text.get(from..to).is_some_and(|text| text.trim().is_empty())
}
