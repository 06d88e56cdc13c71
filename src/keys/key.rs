//! Key presses, independent of terminal libraries.

use std::fmt;
use std::str::FromStr;

use benchdog_base::text::{half_width, is_hostile};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum KeyCode {
    Char(char),
    Enter,
    Esc,
    Tab,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

/// A key with its modifiers. `shift` is never set for a `Char`, because the character includes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    pub code: KeyCode,
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a key")]
pub struct KeyError(pub String);

/// Names of keys that are not characters. Of two names, the first is for configurations, the second for display.
const NAMES: &[(&str, KeyCode)] = &[
    ("enter", KeyCode::Enter),
    ("esc", KeyCode::Esc),
    ("tab", KeyCode::Tab),
    ("backspace", KeyCode::Backspace),
    ("delete", KeyCode::Delete),
    ("insert", KeyCode::Insert),
    ("up", KeyCode::Up),
    ("down", KeyCode::Down),
    ("left", KeyCode::Left),
    ("right", KeyCode::Right),
    ("home", KeyCode::Home),
    ("end", KeyCode::End),
    ("pageup", KeyCode::PageUp),
    ("pagedown", KeyCode::PageDown),
    ("pgup", KeyCode::PageUp),
    ("pgdn", KeyCode::PageDown),
    ("space", KeyCode::Char(' ')),
];

impl Key {
    pub const fn plain(code: KeyCode) -> Self {
        Self {
            code,
            ctrl: false,
            alt: false,
            shift: false,
        }
    }

    pub const fn char(c: char) -> Self {
        Self::plain(KeyCode::Char(c))
    }

    pub const fn ctrl(c: char) -> Self {
        Self {
            ctrl: true,
            ..Self::char(c)
        }
    }

    /// Returns the canonical form. Terminals report Shift+A as `A`, as `a` with shift, or as `A` with shift.
    pub fn normal(mut self) -> Self {
        if let KeyCode::Char(c) = self.code {
            if self.shift && c.is_lowercase() {
                let mut upper = c.to_uppercase();
                if let (Some(single), None) = (upper.next(), upper.next()) {
                    self.code = KeyCode::Char(single);
                }
            }
            self.shift = false;
        }
        self
    }

    pub fn printable(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt && !c.is_control() => Some(c),
            _ => None,
        }
    }

    pub fn half_width(self) -> Self {
        match self.code {
            KeyCode::Char(c) => Self {
                code: KeyCode::Char(half_width(c)),
                ..self
            },
            _ => self,
        }
    }

    /// Returns the display form: `Ctrl+P`, `Alt+1`, `F1`, `Esc`.
    pub fn shown(self) -> String {
        let mut out = String::new();
        for (on, name) in [(self.ctrl, "Ctrl+"), (self.alt, "Alt+"), (self.shift, "Shift+")] {
            if on {
                out.push_str(name);
            }
        }
        match self.code {
            KeyCode::Char(' ') => out.push_str("Space"),
            KeyCode::Char(c) if (self.ctrl || self.alt) && c.is_lowercase() => out.extend(c.to_uppercase()),
            KeyCode::Char(c) if (self.ctrl || self.alt) && c.is_uppercase() => {
                out.push_str("Shift+");
                out.push(c);
            }
            KeyCode::Char(c) => out.push(c),
            KeyCode::F(n) => out.push_str(&format!("F{n}")),
            KeyCode::PageUp => out.push_str("PgUp"),
            KeyCode::PageDown => out.push_str("PgDn"),
            code => {
                let name = code.name();
                let mut chars = name.chars();
                out.extend(chars.next().into_iter().flat_map(char::to_uppercase));
                out.push_str(chars.as_str());
            }
        }
        out
    }
}

fn small(c: char) -> char {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}

impl KeyCode {
    fn name(self) -> &'static str {
        NAMES
            .iter()
            .find(|(_, code)| *code == self)
            .map_or("?", |(name, _)| name)
    }
}

fn without_modifier<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let before = text.get(..name.len())?;
    let rest = text.get(name.len()..)?.strip_prefix(['-', '+'])?;
    (before.eq_ignore_ascii_case(name) && !rest.is_empty()).then_some(rest)
}

/// Parses a key as written in configurations (`ctrl-p`) or on screen (`Ctrl+P`). After Ctrl or Alt, letters ignore
/// case, so Shift must be written as a modifier.
impl FromStr for Key {
    type Err = KeyError;

    fn from_str(text: &str) -> Result<Self, KeyError> {
        let wrong = || KeyError(text.to_owned());
        let mut key = Self::char(' ');
        let mut rest = text;
        loop {
            if let Some(behind) = without_modifier(rest, "ctrl") {
                (key.ctrl, rest) = (true, behind);
            } else if let Some(behind) = without_modifier(rest, "alt") {
                (key.alt, rest) = (true, behind);
            } else if let Some(behind) = without_modifier(rest, "shift") {
                (key.shift, rest) = (true, behind);
            } else {
                break;
            }
        }
        let mut chars = rest.chars();
        key.code = match (chars.next(), chars.next()) {
            (Some(c), None) if is_hostile(c) => return Err(wrong()),
            (Some(c), None) if key.ctrl || key.alt => KeyCode::Char(small(c)),
            (Some(c), None) => KeyCode::Char(c),
            _ => {
                let lower = rest.to_ascii_lowercase();
                let function = lower.strip_prefix('f').and_then(|n| n.parse::<u8>().ok());
                match function {
                    Some(n @ 1..=24) => KeyCode::F(n),
                    _ => NAMES
                        .iter()
                        .find(|(name, _)| *name == lower)
                        .map(|(_, code)| *code)
                        .ok_or_else(wrong)?,
                }
            }
        };
        Ok(key.normal())
    }
}

/// Formats the key for configurations: `ctrl-p`, `alt-1`, `f1`.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (on, name) in [(self.ctrl, "ctrl-"), (self.alt, "alt-"), (self.shift, "shift-")] {
            if on {
                f.write_str(name)?;
            }
        }
        match self.code {
            KeyCode::Char(' ') => f.write_str("space"),
            KeyCode::Char(c) if (self.ctrl || self.alt) && c.is_uppercase() => write!(f, "shift-{}", small(c)),
            KeyCode::Char(c) => write!(f, "{c}"),
            KeyCode::F(n) => write!(f, "f{n}"),
            code => f.write_str(code.name()),
        }
    }
}

#[cfg(test)]
mod tests;
