//! Separates reasoning in `<think>` tags at the start of an answer, for servers that do not separate it. A later
//! `<think>` is plain text.

const TAGS: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel>thought", "<channel|>"),
];

#[derive(Debug)]
pub(crate) enum Think {
    /// Only whitespace so far, possibly followed by the start of a tag.
    Undecided {
        held: String,
    },
    /// Inside reasoning. `held` may be the start of the closing tag, with whitespace before it. `said` is set once some
    /// reasoning was returned.
    Inside {
        close: &'static str,
        held: String,
        said: bool,
    },
    Closed,
    Text,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Text,
    Reasoning,
}

impl Default for Think {
    fn default() -> Self {
        Self::Undecided { held: String::new() }
    }
}

impl Think {
    pub(crate) fn push(&mut self, text: &str, say: &mut impl FnMut(Side, &str)) {
        match self {
            Self::Text => say(Side::Text, text),
            Self::Closed => {
                let text = text.trim_start();
                if !text.is_empty() {
                    *self = Self::Text;
                    say(Side::Text, text);
                }
            }
            Self::Undecided { held } => {
                held.push_str(text);
                let start = held.trim_start();
                if let Some(rest) = TAGS.iter().find_map(|(_, close)| start.strip_prefix(close)) {
                    // The server removed the reasoning, but left its closing tag.
                    let rest = rest.to_owned();
                    *self = Self::Closed;
                    self.push(&rest, say);
                } else if let Some((close, rest)) = opening_tag(start) {
                    let rest = rest.to_owned();
                    *self = Self::Inside {
                        close,
                        held: String::new(),
                        said: false,
                    };
                    self.push(&rest, say);
                } else if !may_become_tag(start) {
                    say(Side::Text, held);
                    *self = Self::Text;
                }
            }
            Self::Inside { close, held, said } => {
                held.push_str(text);
                if let Some((thought, rest)) = held.split_once(*close) {
                    let thought = if *said { thought } else { thought.trim_start() }.trim_end();
                    if !thought.is_empty() {
                        say(Side::Reasoning, thought);
                    }
                    let rest = rest.to_owned();
                    *self = Self::Closed;
                    self.push(&rest, say);
                    return;
                }
                let rest = held.split_off(certain_length(held, close));
                let thought = if *said { held.as_str() } else { held.trim_start() };
                if !thought.is_empty() {
                    say(Side::Reasoning, thought);
                    *said = true;
                }
                *held = rest;
            }
        }
    }

    pub(crate) fn finish(&mut self, say: &mut impl FnMut(Side, &str)) {
        match std::mem::replace(self, Self::Text) {
            Self::Undecided { held } if !held.is_empty() => say(Side::Text, &held),
            Self::Inside { held, .. } if !held.trim().is_empty() => say(Side::Reasoning, held.trim_end()),
            _ => {}
        }
    }
}

fn opening_tag(start: &str) -> Option<(&'static str, &str)> {
    TAGS.iter()
        .find_map(|(open, close)| Some((*close, start.strip_prefix(open)?)))
}

fn may_become_tag(start: &str) -> bool {
    TAGS.iter()
        .any(|(open, close)| open.starts_with(start) || close.starts_with(start))
}

/// Returns the length of the start of `held` that cannot belong to the closing tag or to whitespace before it.
fn certain_length(held: &str, close: &str) -> usize {
    let tail = (1..close.len())
        .rev()
        .filter_map(|length| close.get(..length))
        .find(|start| held.ends_with(start))
        .unwrap_or("");
    held.strip_suffix(tail).unwrap_or(held).trim_end().len()
}

#[cfg(test)]
mod tests;
