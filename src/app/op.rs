//! Operations that `update` requests. The driver runs them.

use std::sync::Arc;

use super::msg::EditTicket;
use benchdog_base::clock::Time;
use benchdog_base::id::SeatId;
use benchdog_protocol::{Command, Order};

#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    // --- the engine ---
    Send(Command),
    SendTo(SeatId, Command),

    // --- the terminal ---
    /// Copies the text to the clipboard. Answered by `OpResult::Copied` with the same `what`.
    Copy {
        text: Arc<str>,
        what: String,
    },
    /// Saves the image in the clipboard to a file. Answered by `OpResult::Image`.
    TakeImage {
        seat: SeatId,
    },
    /// Opens `$EDITOR` with `text` in a temporary file called `name`. Answered by `OpResult::Edited`.
    OpenEditor {
        seat: SeatId,
        ticket: EditTicket,
        name: String,
        text: String,
        /// The line to open (1-based).
        line: Option<usize>,
    },
    /// Opens `$EDITOR` with the file at this path. Answered by `OpResult::FileLeft`.
    EditFile {
        path: String,
    },
    /// Rings the bell, or shows a notification with this text if the terminal supports it.
    Ring(String),
    Title(String),
    /// Enables or disables mouse reports. While they are disabled, the terminal's own selection works.
    Mouse {
        capture: bool,
    },
    Theme(String),
    SetLanguage(&'static str),
    ListThemes,
    /// Reads the last lines of the program's log. Answered by `OpResult::Log`.
    ReadLog,
    Suspend,
    /// Restores the terminal, and continues without a terminal.
    Detach,
    Quit,

    // --- time ---
    /// Requests `Msg::Tick` at this time. If there are several requests, the earliest request counts.
    WakeAt(Time),
}

impl Op {
    pub fn order(self, shown: SeatId) -> Option<Order> {
        match self {
            Self::Send(command) => Some(Order { seat: shown, command }),
            Self::SendTo(seat, command) => Some(Order { seat, command }),
            _ => None,
        }
    }
}
