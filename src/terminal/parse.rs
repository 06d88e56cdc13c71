//! Parses terminal bytes into keys, pastes, mouse events and answers to queries. Accepts pieces of any size. Pure.
//!
//! The usual event library would block while waiting for answers to queries, such as `CSI ? u` and `OSC 11`.
//!
//! `Esc` and a character in one read are Alt with that character. A lone `Esc` becomes a key after a pause, or when
//! another character arrives. Unknown sequences are skipped. An incomplete sequence is dropped after a pause.

use std::time::Duration;

use benchdog_app::msg::MouseKind;
use benchdog_keys::{Key, KeyCode};

mod csi;
mod text;

/// The maximum length in bytes of a control string. An answer to one of Benchdog's queries is never longer.
const LONGEST_STRING: usize = 4096;

/// The maximum length of a control sequence, in bytes before the final byte.
const LONGEST_CSI: usize = 64;

pub const LONGEST_PASTE: usize = 8 << 20;

/// The pause after which a lone `Esc` becomes a key. Terminals write a sequence at once, but ssh may split it.
const ESC_WAIT: Duration = Duration::from_millis(20);

/// The pause after which an incomplete sequence is dropped.
const HALF_WAIT: Duration = Duration::from_millis(500);

const PASTE_WAIT: Duration = Duration::from_secs(1);

/// The pause, in addition to `PASTE_WAIT`, after which the end mark of a paste counts as lost.
const PASTE_END_WAIT: Duration = Duration::from_secs(2);

const ESC: u8 = 0x1b;
const PASTE_END: &[u8] = b"\x1b[201~";

/// `Ctrl+C` and `Esc`, each in the usual and in the kitty encoding. They end a paste whose end mark was lost.
const WAYS_OUT: [&[u8]; 4] = [b"\x03", b"\x1b", b"\x1b[99;5u", b"\x1b[27u"];

#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    Key(Key),
    /// Pasted text, with `\n` line ends and without other control characters.
    Paste(String),
    Mouse {
        kind: MouseKind,
        x: u16,
        y: u16,
    },
    Focus(bool),
    Kitty,
    /// The answer to the device attributes query, which every terminal sends after all earlier answers.
    Attributes,
    /// The background colour as red, green and blue, from 0 to 1.
    Ground(f32, f32, f32),
}

#[derive(Debug, Default)]
pub struct Parser {
    pending: Vec<u8>,
    within: Within,
    /// Whether the last part of a paste ended with `\r`. A following `\n` belongs to the same line end.
    returned: bool,
}

#[derive(Debug, Default)]
enum Within {
    #[default]
    Nothing,
    Paste(Vec<u8>),
    /// A pause has occurred within a paste. Contains the first bytes of an incomplete character. The paste may
    /// continue, so line ends must not become Enter yet.
    Stalled(Vec<u8>),
    Junk(Junk),
}

#[derive(Debug, Clone, Copy)]
enum Junk {
    Csi,
    String,
}

enum Step {
    /// The number of parsed bytes, and their meaning. The meaning is `None` if the bytes have none.
    Took(usize, Option<Input>),
    PasteBegins(usize),
    JunkBegins(usize, Junk),
    Wait,
}

fn key(code: KeyCode) -> Option<Input> {
    Some(Input::Key(Key::plain(code)))
}

fn part(paste: &mut Vec<u8>, stay: usize, returned: &mut bool) -> Input {
    let stays = paste.split_off(paste.len().saturating_sub(stay));
    let whole = std::mem::replace(paste, stays);
    let rest = whole.strip_prefix(b"\n").filter(|_| *returned);
    *returned = whole.ends_with(b"\r");
    Input::Paste(text::pasted(rest.unwrap_or(&whole)))
}

impl Parser {
    pub fn feed(&mut self, bytes: &[u8], out: &mut Vec<Input>) {
        if let Within::Stalled(front) = &mut self.within {
            self.within = if WAYS_OUT.contains(&bytes) {
                self.pending.clear();
                Within::Nothing
            } else {
                Within::Paste(std::mem::take(front))
            };
        }
        // `Esc` and a character are Alt only if they arrive in one read.
        let held_esc = matches!(self.within, Within::Nothing) && matches!(self.pending.as_slice(), [ESC] | [ESC, ESC]);
        if held_esc && bytes.first().is_some_and(|byte| !begins_sequence(*byte)) {
            self.settle(out);
        }
        self.pending.extend_from_slice(bytes);
        self.run(out);
    }

    /// Returns the pause after which buffered bytes are resolved. `None` if no bytes are buffered.
    pub fn patience(&self) -> Option<Duration> {
        match (&self.within, self.pending.as_slice()) {
            (Within::Nothing, []) => None,
            (Within::Paste(_), _) => Some(PASTE_WAIT),
            (Within::Stalled(_), _) => Some(PASTE_END_WAIT),
            (Within::Nothing, pending) if lone(pending).is_some() => Some(ESC_WAIT),
            (Within::Nothing | Within::Junk(_), _) => Some(HALF_WAIT),
        }
    }

    /// Resolves buffered bytes after the pause: a lone `Esc` is a key, and an incomplete sequence is dropped.
    pub fn settle(&mut self, out: &mut Vec<Input>) {
        match std::mem::take(&mut self.within) {
            Within::Nothing => {
                let keys = lone(&self.pending).into_iter().flatten().flatten();
                out.extend(keys.map(Input::Key));
            }
            Within::Paste(mut bytes) => {
                // Buffer the first bytes of an incomplete character. Keep `pending`, which may begin the end mark.
                let front = text::front_of_letter(&bytes);
                if bytes.len() > front {
                    out.push(part(&mut bytes, front, &mut self.returned));
                }
                self.within = Within::Stalled(bytes);
                return;
            }
            Within::Stalled(_) | Within::Junk(_) => {}
        }
        self.pending.clear();
    }

    fn run(&mut self, out: &mut Vec<Input>) {
        let mut pending = std::mem::take(&mut self.pending);
        let mut at = 0;
        while let Some(rest) = pending.get(at..).filter(|rest| !rest.is_empty()) {
            match &mut self.within {
                Within::Paste(paste) => {
                    let Some(end) = take_paste(paste, rest) else {
                        let held = text::held_back(rest, PASTE_END);
                        at = pending.len() - held;
                        paste.truncate(paste.len() - held);
                        if paste.len() >= LONGEST_PASTE {
                            let front = text::front_of_letter(paste);
                            out.push(part(paste, front, &mut self.returned));
                        }
                        break;
                    };
                    at += end;
                    out.push(part(paste, 0, &mut self.returned));
                    self.within = Within::Nothing;
                    continue;
                }
                Within::Junk(junk) => {
                    let Some(end) = junk_end(*junk, rest) else {
                        // Buffer a final `Esc`, which may begin the end mark of a string.
                        at = pending.len() - usize::from(rest.last() == Some(&ESC));
                        break;
                    };
                    at += end;
                    self.within = Within::Nothing;
                    continue;
                }
                Within::Nothing | Within::Stalled(_) => {}
            }
            match step(rest) {
                Step::Took(count, input) => {
                    at += count;
                    out.extend(input);
                }
                Step::PasteBegins(count) => {
                    at += count;
                    self.within = Within::Paste(Vec::new());
                    self.returned = false;
                }
                Step::JunkBegins(count, junk) => {
                    at += count;
                    self.within = Within::Junk(junk);
                }
                Step::Wait => break,
            }
        }
        pending.drain(..at.min(pending.len()));
        self.pending = pending;
    }
}

/// Whether this byte continues a sequence after `Esc`. The connection may have split the sequence into two reads.
fn begins_sequence(byte: u8) -> bool {
    matches!(byte, ESC | b'[' | b'O' | b']' | b'P')
}

/// Returns the keys for the buffered bytes if no more bytes arrive. `None` for an incomplete sequence.
fn lone(pending: &[u8]) -> Option<[Option<Key>; 2]> {
    let esc = Key::plain(KeyCode::Esc);
    let alt = |byte: u8| Key {
        alt: true,
        ..Key::char(char::from(byte))
    };
    Some(match pending {
        [ESC] => [Some(esc), None],
        [ESC, ESC] => [Some(esc), Some(esc)],
        [ESC, byte @ (b'[' | b'O' | b']' | b'P')] => [Some(alt(*byte)), None],
        [ESC, ESC, b'['] => [Some(esc), Some(alt(b'['))],
        _ => return None,
    })
}

fn junk_end(junk: Junk, rest: &[u8]) -> Option<usize> {
    match junk {
        Junk::Csi => {
            let end = rest.iter().position(|byte| !is_parameter(*byte))?;
            Some(end + usize::from(rest.get(end).is_some_and(|byte| is_final(*byte))))
        }
        Junk::String => string_end(rest).map(|(end, mark)| end + mark),
    }
}

/// Returns the end of a control string and the length of its end mark. Another control character or sequence ends the
/// string without being consumed.
fn string_end(rest: &[u8]) -> Option<(usize, usize)> {
    let end = rest.iter().position(|byte| *byte < 0x20)?;
    match rest.get(end..)? {
        [0x07, ..] => Some((end, 1)),
        [ESC, b'\\', ..] => Some((end, 2)),
        [ESC] => None,
        _ => Some((end, 0)),
    }
}

fn is_parameter(byte: u8) -> bool {
    (0x20..=0x3f).contains(&byte)
}

fn is_final(byte: u8) -> bool {
    (0x40..=0x7e).contains(&byte)
}

/// Moves pasted bytes to `paste`. Returns the number of bytes including the end mark. `None` without an end mark.
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
        // Some terminals add an `Esc` before the sequence for Alt.
        [ESC, ESC, b'[', rest @ ..] => csi_step(rest, true),
        [ESC, ESC] => Step::Wait,
        [ESC, ESC, ..] => Step::Took(1, key(KeyCode::Esc)),
        [ESC, rest @ ..] => match step(rest) {
            Step::Took(count, Some(Input::Key(key))) => Step::Took(count + 1, Some(alt(key))),
            Step::Took(count, other) => Step::Took(count + 1, other),
            Step::PasteBegins(count) => Step::PasteBegins(count + 1),
            Step::JunkBegins(count, junk) => Step::JunkBegins(count + 1, junk),
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

fn csi_step(rest: &[u8], with_alt: bool) -> Step {
    let before = if with_alt { 3 } else { 2 };
    // F1 to F5 on the Linux console.
    if let [b'[', tail @ ..] = rest {
        return match tail {
            [] => Step::Wait,
            [c @ b'A'..=b'E', ..] => Step::Took(before + 2, key(KeyCode::F(c - b'A' + 1))),
            _ => Step::Took(before + 1, None),
        };
    }
    // The oldest mouse report has three raw bytes after `M`.
    if let [b'M', tail @ ..] = rest {
        return if tail.len() < 3 {
            Step::Wait
        } else {
            Step::Took(before + 4, None)
        };
    }
    let end = rest.iter().position(|byte| !is_parameter(*byte));
    if end.unwrap_or(rest.len()) > LONGEST_CSI {
        return Step::JunkBegins(before, Junk::Csi);
    }
    let Some(end) = end else { return Step::Wait };
    let (parameters, tail) = rest.split_at(end);
    let Some(last) = tail.first().filter(|byte| is_final(**byte)) else {
        // Another byte ends the sequence and is parsed next.
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
        // Alt+Shift+O, followed by another key.
        None => Step::Took(2, Some(alt(Key::char('O')))),
    }
}

fn string_step(rest: &[u8], introducer: u8) -> Step {
    match rest.first() {
        None => return Step::Wait,
        Some(b'0'..=b'9' | b'>' | b'!' | b'|' | b'$' | b'+') => {}
        Some(_) => return Step::Took(2, Some(alt(Key::char(char::from(introducer))))),
    }
    let end = string_end(rest);
    if end.map_or(rest.len(), |(end, _)| end) > LONGEST_STRING {
        return Step::JunkBegins(2, Junk::String);
    }
    match end {
        Some((end, 0)) => Step::Took(2 + end, None),
        Some((end, mark)) => Step::Took(2 + end + mark, text::ground(rest.get(..end).unwrap_or_default())),
        None => Step::Wait,
    }
}

#[cfg(test)]
mod tests;
