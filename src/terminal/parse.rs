//! Bytes of the terminal to key presses, pastes, mouse events and answers. Pure, and whole however the bytes are split.
//!
//! Our own, because the questions to the terminal (`CSI ? u`, `OSC 11`) are asked after the first frame and their
//! answers arrive among what the person types; the event library blocks for them instead. Rules:
//! - `Esc` and a character that arrive together are Alt and that character. A lone `Esc` is one only after a moment in
//!   which nothing followed (`settle`, called by the reader).
//! - Nothing unknown ever reaches the app as text: a sequence we do not know is swallowed whole.

use crate::app::msg::MouseKind;
use crate::keys::{Key, KeyCode};

mod csi;
mod text;

/// A control string (an answer in an OSC or DCS) longer than this is no answer to a question of ours.
const LONGEST_STRING: usize = 4096;

/// A control sequence has at most this many bytes before its final one.
const LONGEST_CSI: usize = 64;

const ESC: u8 = 0x1b;
const PASTE_END: &[u8] = b"\x1b[201~";

/// One thing the terminal told us.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Input {
    Key(Key),
    /// Line ends are `\n`, other control characters are gone.
    Paste(String),
    Mouse {
        kind: MouseKind,
        x: u16,
        y: u16,
    },
    Focus(bool),
    /// The terminal speaks the kitty keyboard protocol.
    Kitty,
    /// It answered the question every terminal answers: what was asked before and is not answered yet, never will be.
    Attributes,
    /// Its ground, channels from 0 to 1.
    Ground(f32, f32, f32),
}

#[derive(Debug, Default)]
pub(crate) struct Parser {
    pending: Vec<u8>,
    /// What a bracketed paste brought so far.
    paste: Option<Vec<u8>>,
}

/// What the front of the pending bytes is.
enum Step {
    /// So many bytes are done; they meant this, or nothing.
    Took(usize, Option<Input>),
    PasteBegins(usize),
    /// More bytes are needed to tell.
    Wait,
}

fn key(code: KeyCode) -> Option<Input> {
    Some(Input::Key(Key::plain(code)))
}

impl Parser {
    /// Takes what was read and appends what it meant.
    pub(crate) fn feed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        self.pending.extend_from_slice(bytes);
        self.run(out);
    }

    /// Whether bytes are held that a moment of silence would decide.
    pub(crate) fn undecided(&self) -> bool {
        self.paste.is_none() && matches!(self.pending.as_slice(), [ESC] | [ESC, ESC | b'[' | b'O' | b']' | b'P'])
    }

    /// Nothing followed for a moment: an `Esc` held back was one.
    pub(crate) fn settle(&mut self, out: &mut Vec<Input>) {
        if !self.undecided() {
            return;
        }
        match self.pending.as_slice() {
            [ESC, ESC] => out.extend([key(KeyCode::Esc), key(KeyCode::Esc)].into_iter().flatten()),
            [ESC, other] => out.push(alt(Key::char(char::from(*other)))),
            _ => out.extend(key(KeyCode::Esc)),
        }
        self.pending.clear();
    }

    fn run(&mut self, out: &mut Vec<Input>) {
        let mut pending = std::mem::take(&mut self.pending);
        let mut at = 0;
        loop {
            let rest = pending.get(at..).unwrap_or_default();
            if rest.is_empty() {
                break;
            }
            if let Some(paste) = &mut self.paste {
                let Some(end) = take_paste(paste, rest) else {
                    at = pending.len() - text::held_back(rest, PASTE_END);
                    let kept = pending.get(at..).unwrap_or_default().len();
                    paste.truncate(paste.len() - kept);
                    break;
                };
                at += end;
                let bytes = self.paste.take().unwrap_or_default();
                out.push(Input::Paste(text::pasted(&bytes)));
                continue;
            }
            match step(rest) {
                Step::Took(count, input) => {
                    at += count;
                    out.extend(input);
                }
                Step::PasteBegins(count) => {
                    at += count;
                    self.paste = Some(Vec::new());
                }
                Step::Wait => break,
            }
        }
        pending.drain(..at.min(pending.len()));
        self.pending = pending;
    }
}

/// Moves pasted bytes over. The number of bytes up to and with the end mark, or `None` when it is not there yet.
fn take_paste(paste: &mut Vec<u8>, rest: &[u8]) -> Option<usize> {
    match text::find(rest, PASTE_END) {
        Some(end) => {
            paste.extend_from_slice(rest.get(..end).unwrap_or_default());
            Some(end + PASTE_END.len())
        }
        None => {
            paste.extend_from_slice(rest);
            None
        }
    }
}

fn step(bytes: &[u8]) -> Step {
    match bytes {
        [ESC] => Step::Wait,
        [ESC, b'[', rest @ ..] => csi_step(rest, false),
        [ESC, b'O', rest @ ..] => ss3_step(rest),
        [ESC, b']', rest @ ..] => string_step(rest, b']'),
        [ESC, b'P', rest @ ..] => string_step(rest, b'P'),
        // Some terminals put one more `Esc` before the sequence for Alt.
        [ESC, ESC, b'[', rest @ ..] => csi_step(rest, true),
        [ESC, ESC] => Step::Wait,
        [ESC, ESC, ..] => Step::Took(1, key(KeyCode::Esc)),
        [ESC, rest @ ..] => match step(rest) {
            Step::Took(count, Some(Input::Key(key))) => Step::Took(count + 1, Some(alt(key))),
            Step::Took(count, other) => Step::Took(count + 1, other),
            Step::PasteBegins(count) => Step::PasteBegins(count + 1),
            Step::Wait => Step::Wait,
        },
        [first, ..] if *first < 0x20 || *first == 0x7f => Step::Took(1, control(*first).map(Input::Key)),
        _ => match text::character(bytes) {
            text::Utf8::Char(c, count) => Step::Took(count, key(KeyCode::Char(c))),
            text::Utf8::Invalid => Step::Took(1, None),
            text::Utf8::Incomplete => Step::Wait,
        },
    }
}

fn alt(key: Key) -> Input {
    Input::Key(Key { alt: true, ..key })
}

/// A control byte as the key that types it. `0x08` is what Backspace sends on terminals that keep `0x7f` for Delete.
fn control(byte: u8) -> Option<Key> {
    Some(match byte {
        0x00 => Key::ctrl(' '),
        b'\t' => Key::plain(KeyCode::Tab),
        b'\r' => Key::plain(KeyCode::Enter),
        0x08 | 0x7f => Key::plain(KeyCode::Backspace),
        0x01..=0x1a => Key::ctrl(char::from(byte - 1 + b'a')),
        0x1c => Key::ctrl('\\'),
        0x1d => Key::ctrl(']'),
        0x1e => Key::ctrl('^'),
        0x1f => Key::ctrl('_'),
        _ => return None,
    })
}

/// After `Esc [`.
fn csi_step(rest: &[u8], with_alt: bool) -> Step {
    let before = if with_alt { 3 } else { 2 };
    // The Linux console's F1 to F5.
    if let [b'[', tail @ ..] = rest {
        return match tail {
            [] => Step::Wait,
            [c @ b'A'..=b'E', ..] => Step::Took(before + 2, key(KeyCode::F(c - b'A' + 1))),
            _ => Step::Took(before + 1, None),
        };
    }
    // The oldest mouse report has three raw bytes after its `M`.
    if let [b'M', tail @ ..] = rest {
        return if tail.len() < 3 {
            Step::Wait
        } else {
            Step::Took(before + 4, None)
        };
    }
    let Some(end) = rest.iter().position(|byte| !(0x20..=0x3f).contains(byte)) else {
        return if rest.len() > LONGEST_CSI {
            Step::Took(before + rest.len(), None)
        } else {
            Step::Wait
        };
    };
    let (parameters, tail) = rest.split_at(end);
    let Some(last @ 0x40..=0x7e) = tail.first() else {
        // Cut short by something else, which counts for itself.
        return Step::Took(before + end, None);
    };
    let count = before + end + 1;
    if parameters == b"200" && *last == b'~' {
        return Step::PasteBegins(count);
    }
    match csi::meaning(parameters, *last) {
        Some(Input::Key(key)) if with_alt => Step::Took(count, Some(alt(key))),
        meaning => Step::Took(count, meaning),
    }
}

/// After `Esc O`: keys in application mode, and the keypad.
fn ss3_step(rest: &[u8]) -> Step {
    let Some(byte) = rest.first() else {
        return Step::Wait;
    };
    let input = match byte {
        b'M' => key(KeyCode::Enter),
        b'j'..=b'y' => key(KeyCode::Char(char::from(byte - 0x40))),
        b'P'..=b'S' => key(KeyCode::F(byte - b'P' + 1)),
        _ => csi::letter(*byte).map(|code| Input::Key(Key::plain(code))),
    };
    match input {
        Some(input) => Step::Took(3, Some(input)),
        // Alt and a capital O, and then something else.
        None => Step::Took(2, Some(alt(Key::char('O')))),
    }
}

/// After `Esc ]` or `Esc P`: an answer in a control string, or Alt and that character.
fn string_step(rest: &[u8], introducer: u8) -> Step {
    match rest.first() {
        None => return Step::Wait,
        Some(b'0'..=b'9' | b'>' | b'!' | b'|' | b'$' | b'+') => {}
        Some(_) => return Step::Took(2, Some(alt(Key::char(char::from(introducer))))),
    }
    let bell = rest.iter().position(|byte| *byte == 0x07).map(|end| (end, 1));
    let string_end = text::find(rest, b"\x1b\\").map(|end| (end, 2));
    let nearest = [bell, string_end].into_iter().flatten().min();
    match nearest {
        Some((end, mark)) => Step::Took(2 + end + mark, text::ground(rest.get(..end).unwrap_or_default())),
        None if rest.len() > LONGEST_STRING => Step::Took(2, None),
        None => Step::Wait,
    }
}

#[cfg(test)]
mod tests;
