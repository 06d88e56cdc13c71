//! Everything the app can ask its driver to do. `update` only returns these; nothing here is done by the app itself.

use std::sync::Arc;

use super::msg::EditTicket;
use crate::base::clock::Time;
use crate::base::id::SeatId;
use crate::protocol::{Command, Order};

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Op {
    // --- the engine ---
    /// To the seat that is shown.
    Send(Command),
    SendTo(SeatId, Command),

    // --- the terminal ---
    /// Put `text` where the person can paste it from; answered by `OpResult::Copied` with the same `what`.
    Copy {
        text: Arc<str>,
        what: String,
    },
    /// Put the image that is on the clipboard into a file; answered by `OpResult::Image`.
    TakeImage {
        /// For the prompt of this one.
        seat: SeatId,
    },
    /// Hand the terminal to `$EDITOR` with `text` in a file called `name`; answered by `OpResult::Edited`.
    OpenEditor {
        /// Where the text is from, and goes back to.
        seat: SeatId,
        ticket: EditTicket,
        name: String,
        text: String,
        /// The line that is meant, from 1.
        line: Option<usize>,
    },
    /// Hand the terminal to `$EDITOR` with the file at this path itself; answered by `OpResult::FileLeft`.
    EditFile {
        path: String,
    },
    /// Ring, in these words where the terminal shows any: something waits for the person, or has ended.
    Ring(String),
    /// The window's title.
    Title(String),
    /// Capture the mouse, or leave it to the terminal's own selection.
    Mouse {
        capture: bool,
    },
    /// Colours by the theme of this name.
    Theme(String),
    /// Which themes there are; answered by `OpResult::Themes`.
    ListThemes,
    /// The last lines of the program's log; answered by `OpResult::Log`.
    ReadLog,
    Suspend,
    Quit,

    // --- time ---
    /// Send `Msg::Tick` at this moment; several may be under way, the earliest counts.
    WakeAt(Time),
}

impl Op {
    /// What it asks of the engine, while this seat is shown.
    pub(crate) fn order(self, shown: SeatId) -> Option<Order> {
        match self {
            Self::Send(command) => Some(Order { seat: shown, command }),
            Self::SendTo(seat, command) => Some(Order { seat, command }),
            _ => None,
        }
    }
}
