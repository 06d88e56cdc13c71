//! The meanings of control sequences: keys in the usual or kitty encoding, mouse, focus, and answers to queries.

use super::Input;
use benchdog_app::msg::MouseKind;
use benchdog_keys::{Key, KeyCode};

/// Parses a control sequence: `parameters` are the bytes between `CSI` and the final byte `last`.
pub(super) fn meaning(parameters: &[u8], last: u8) -> Option<Input> {
    let parameters = std::str::from_utf8(parameters).ok()?;
    match (parameters.as_bytes().first(), last) {
        (Some(b'<'), b'M' | b'm') => return mouse(parameters.get(1..)?, last),
        (Some(b'?'), b'u') => return Some(Input::Kitty),
        (Some(b'?'), b'c') => return Some(Input::Attributes),
        (Some(b'?' | b'>' | b'<' | b'='), _) => return None,
        (None, b'I') => return Some(Input::Focus(true)),
        (None, b'O') => return Some(Input::Focus(false)),
        _ => {}
    }
    let fields = Fields::of(parameters);
    let modifiers = fields.modifiers();
    if modifiers.released {
        return None;
    }
    let code = match last {
        b'~' => tilde(&fields)?,
        b'u' => kitty(fields.number(0)?)?,
        b'Z' => {
            return Some(Input::Key(Key {
                shift: true,
                ..modifiers.on(KeyCode::Tab)
            }));
        }
        // A cursor report resembles F3 with modifiers, but only the sequence of F3 begins with 1.
        b'R' if fields.number(0) != Some(1) => return None,
        b'P' | b'Q' | b'R' | b'S' => KeyCode::F(last - b'P' + 1),
        _ => letter(last)?,
    };
    Some(Input::Key(modifiers.on(code).normal()))
}

pub(super) fn letter(byte: u8) -> Option<KeyCode> {
    Some(match byte {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'F' => KeyCode::End,
        b'H' => KeyCode::Home,
        _ => return None,
    })
}

fn tilde(fields: &Fields) -> Option<KeyCode> {
    Some(match fields.number(0)? {
        1 | 7 => KeyCode::Home,
        2 => KeyCode::Insert,
        3 => KeyCode::Delete,
        4 | 8 => KeyCode::End,
        5 => KeyCode::PageUp,
        6 => KeyCode::PageDown,
        n @ 11..=15 => function(n - 10)?,
        n @ 17..=21 => function(n - 11)?,
        n @ 23..=26 => function(n - 12)?,
        n @ 28..=29 => function(n - 13)?,
        n @ 31..=34 => function(n - 14)?,
        // xterm's modifyOtherKeys: `CSI 27 ; modifiers ; code ~`.
        27 => kitty(fields.number(2)?)?,
        _ => return None,
    })
}

fn function(n: u32) -> Option<KeyCode> {
    u8::try_from(n).ok().map(KeyCode::F)
}

/// Returns the key of a kitty key code. Codes in the private range of Unicode are keys without a character.
fn kitty(code: u32) -> Option<KeyCode> {
    Some(match code {
        9 => KeyCode::Tab,
        13 | 57414 => KeyCode::Enter,
        27 => KeyCode::Esc,
        8 | 127 => KeyCode::Backspace,
        57376..=57398 => function(code - 57376 + 13)?,
        57399..=57408 => KeyCode::Char(char::from_digit(code - 57399, 10)?),
        57409 => KeyCode::Char('.'),
        57410 => KeyCode::Char('/'),
        57411 => KeyCode::Char('*'),
        57412 => KeyCode::Char('-'),
        57413 => KeyCode::Char('+'),
        57415 => KeyCode::Char('='),
        57416 => KeyCode::Char(','),
        57417 => KeyCode::Left,
        57418 => KeyCode::Right,
        57419 => KeyCode::Up,
        57420 => KeyCode::Down,
        57421 => KeyCode::PageUp,
        57422 => KeyCode::PageDown,
        57423 => KeyCode::Home,
        57424 => KeyCode::End,
        57425 => KeyCode::Insert,
        57426 => KeyCode::Delete,
        // Lock, media and lone modifier keys.
        57344..=63743 => return None,
        _ => KeyCode::Char(char::from_u32(code).filter(|c| !c.is_control())?),
    })
}

/// Parses `CSI < button ; column ; row M`. The final byte is `m` if the button was released.
fn mouse(parameters: &str, last: u8) -> Option<Input> {
    let mut numbers = parameters.split(';').map(str::parse::<u16>);
    let mut next = || numbers.next()?.ok();
    let (button, column, row) = (next()?, next()?, next()?);
    let kind = match (button & 0b1110_0011, last) {
        (64, _) => MouseKind::ScrollUp,
        (65, _) => MouseKind::ScrollDown,
        (0, b'm') => MouseKind::Release,
        (0, _) => MouseKind::Press,
        (32, b'M') => MouseKind::Drag,
        _ => return None,
    };
    Some(Input::Mouse {
        kind,
        x: column.saturating_sub(1),
        y: row.saturating_sub(1),
    })
}

struct Fields<'a>(Vec<&'a str>);

impl<'a> Fields<'a> {
    fn of(parameters: &'a str) -> Self {
        Self(parameters.split(';').collect())
    }

    fn part(&self, field: usize, part: usize) -> Option<u32> {
        self.0.get(field)?.split(':').nth(part)?.parse().ok()
    }

    fn number(&self, field: usize) -> Option<u32> {
        self.part(field, 0)
    }

    fn modifiers(&self) -> Modifiers {
        let bits = self.part(1, 0).unwrap_or(1).saturating_sub(1);
        Modifiers {
            shift: bits & 1 != 0,
            // Super and hyper are ignored. Meta counts as Alt.
            alt: bits & (2 | 32) != 0,
            ctrl: bits & 4 != 0,
            released: self.part(1, 1) == Some(3),
        }
    }
}

struct Modifiers {
    shift: bool,
    alt: bool,
    ctrl: bool,
    released: bool,
}

impl Modifiers {
    fn on(&self, code: KeyCode) -> Key {
        Key {
            code,
            ctrl: self.ctrl,
            alt: self.alt,
            shift: self.shift,
        }
    }
}
