//! Text styles, and the shortest escape sequence that changes one style to another.

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Look {
    pub(super) fg: Color,
    pub(super) bg: Color,
    pub(super) modifier: Modifier,
}

impl Look {
    pub(super) fn of(cell: &Cell) -> Self {
        Self {
            fg: cell.fg,
            bg: cell.bg,
            modifier: cell.modifier,
        }
    }
}

/// The text attributes, each with the codes to set and to unset it. Bold and dim share the code to unset.
const WEIGHTS: [(Modifier, u16, u16); 7] = [
    (Modifier::BOLD, 1, 22),
    (Modifier::DIM, 2, 22),
    (Modifier::ITALIC, 3, 23),
    (Modifier::UNDERLINED, 4, 24),
    (Modifier::REVERSED, 7, 27),
    (Modifier::HIDDEN, 8, 28),
    (Modifier::CROSSED_OUT, 9, 29),
];

pub(super) fn change(out: &mut Vec<u8>, from: Option<Look>, to: Look) {
    let start = out.len();
    out.extend_from_slice(b"\x1b[");
    let from = match from {
        Some(from) => from,
        None => {
            out.extend_from_slice(b"0;");
            Look::default()
        }
    };
    weights(out, from.modifier, to.modifier);
    if from.fg != to.fg {
        colour(out, to.fg, 30);
    }
    if from.bg != to.bg {
        colour(out, to.bg, 40);
    }
    if out.last() == Some(&b';') {
        out.pop();
        out.push(b'm');
    } else {
        out.truncate(start);
    }
}

fn weights(out: &mut Vec<u8>, from: Modifier, to: Modifier) {
    let mut now = from;
    for (modifier, _, unset) in WEIGHTS {
        if now.contains(modifier) && !to.contains(modifier) {
            parameter(out, unset);
            for (other, _, same) in WEIGHTS {
                if same == unset {
                    now.remove(other);
                }
            }
        }
    }
    for (modifier, set, _) in WEIGHTS {
        if to.contains(modifier) && !now.contains(modifier) {
            parameter(out, set);
        }
    }
}

fn colour(out: &mut Vec<u8>, colour: Color, base: u16) {
    let named = |n: u16| if n < 8 { base + n } else { base + 60 + n - 8 };
    let number = match colour {
        Color::Reset => base + 9,
        Color::Black => named(0),
        Color::Red => named(1),
        Color::Green => named(2),
        Color::Yellow => named(3),
        Color::Blue => named(4),
        Color::Magenta => named(5),
        Color::Cyan => named(6),
        Color::Gray => named(7),
        Color::DarkGray => named(8),
        Color::LightRed => named(9),
        Color::LightGreen => named(10),
        Color::LightYellow => named(11),
        Color::LightBlue => named(12),
        Color::LightMagenta => named(13),
        Color::LightCyan => named(14),
        Color::White => named(15),
        Color::Indexed(index) => {
            parameter(out, base + 8);
            parameter(out, 5);
            u16::from(index)
        }
        Color::Rgb(red, green, blue) => {
            parameter(out, base + 8);
            parameter(out, 2);
            parameter(out, u16::from(red));
            parameter(out, u16::from(green));
            u16::from(blue)
        }
    };
    parameter(out, number);
}

fn parameter(out: &mut Vec<u8>, value: u16) {
    number(out, value);
    out.push(b';');
}

/// Appends a decimal number. Called for every run of cells, where the standard formatting would be too slow.
pub(super) fn number(out: &mut Vec<u8>, value: u16) {
    let mut digits = [0_u8; 5];
    let mut left = value;
    let mut count = 0;
    for digit in digits.iter_mut().rev() {
        // A remainder of a division by ten fits into a byte.
        *digit = b'0' + u8::try_from(left % 10).unwrap_or(0);
        left /= 10;
        count += 1;
        if left == 0 {
            break;
        }
    }
    out.extend_from_slice(digits.get(5 - count..).unwrap_or_default());
}
