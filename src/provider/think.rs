//! Splits a `<think>` span off the start of a text, as reasoning models without a server-side parser write it.
//!
//! Only at the very start: a `<think>` further on is text that talks about it.

/// The tags around thoughts, as families of models have them.
const TAGS: [(&str, &str); 4] = [
    ("<think>", "</think>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel>thought", "<channel|>"),
];

#[derive(Debug)]
pub(crate) enum Think {
    /// Nothing but white space and perhaps the beginning of `<think>` so far.
    Undecided {
        held: String,
    },
    /// `held` could be the beginning of `</think>`, with the white space before it. `said`: reasoning was handed on.
    Inside {
        close: &'static str,
        held: String,
        said: bool,
    },
    /// After `</think>`, before the first visible character.
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
    /// Hands what is certain of `text` to `say`.
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
                    // The server took the thought out and left its end mark behind.
                    let rest = rest.to_owned();
                    *self = Self::Closed;
                    self.push(&rest, say);
                } else if let Some((close, rest)) = opened(start) {
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
                let rest = held.split_off(certain(held, close));
                let thought = if *said { held.as_str() } else { held.trim_start() };
                if !thought.is_empty() {
                    say(Side::Reasoning, thought);
                    *said = true;
                }
                *held = rest;
            }
        }
    }

    /// Hands on what was held back when no more comes.
    pub(crate) fn finish(&mut self, say: &mut impl FnMut(Side, &str)) {
        match std::mem::replace(self, Self::Text) {
            Self::Undecided { held } if !held.is_empty() => say(Side::Text, &held),
            Self::Inside { held, .. } if !held.trim().is_empty() => say(Side::Reasoning, held.trim_end()),
            _ => {}
        }
    }
}

/// The tag that closes the thought with whose opening tag a text begins, and what follows.
fn opened(start: &str) -> Option<(&'static str, &str)> {
    TAGS.iter()
        .find_map(|(open, close)| Some((*close, start.strip_prefix(open)?)))
}

fn may_become_tag(start: &str) -> bool {
    TAGS.iter()
        .any(|(open, close)| open.starts_with(start) || close.starts_with(start))
}

/// How many bytes of a thought cannot belong to the tag that closes it or to the white space before it.
fn certain(held: &str, close: &str) -> usize {
    let tail = (1..close.len())
        .rev()
        .filter_map(|length| close.get(..length))
        .find(|start| held.ends_with(start))
        .unwrap_or("");
    held.strip_suffix(tail).unwrap_or(held).trim_end().len()
}

#[cfg(test)]
mod tests;
