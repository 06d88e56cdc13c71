//! Operations that the app requests from its driver. `update` only returns them.

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
    /// Answered by `OpResult::Copied` with the same `what`.
    Copy {
        text: Arc<str>,
        what: String,
    },
    /// Saves the image on the clipboard to a file. Answered by `OpResult::Image`.
    TakeImage {
        seat: SeatId,
    },
    /// Opens `$EDITOR` with `text` in a file called `name`. Answered by `OpResult::Edited`.
    OpenEditor {
        seat: SeatId,
        ticket: EditTicket,
        name: String,
        text: String,
        /// 1-based.
        line: Option<usize>,
    },
    /// Opens `$EDITOR` with the file at this path. Answered by `OpResult::FileLeft`.
    EditFile {
        path: String,
    },
    /// Rings the bell and shows a notification with this text, if supported.
    Ring(String),
    Title(String),
    /// Without capture, the terminal's own selection works.
    Mouse {
        capture: bool,
    },
    Theme(String),
    /// Changes the language of all messages.
    SetLanguage(&'static str),
    ListThemes,
    /// Reads the last lines of the program's log. Answered by `OpResult::Log`.
    ReadLog,
    Suspend,
    /// Gives the terminal back and goes on without one. Answered by `OpResult::CannotDetach` without a host.
    Detach,
    Quit,

    // --- time ---
    /// Sends `Msg::Tick` at this time. The earliest of several counts.
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
