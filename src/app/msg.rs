//! Messages: all inputs of the app.

use std::path::PathBuf;

use super::themes::{FewColours, ThemeOffer};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::image::NoImage;
use benchdog_keys::Key;
use benchdog_protocol::Event;

#[derive(Debug, Clone, PartialEq)]
pub enum Msg {
    // --- the user ---
    Key {
        key: Key,
        at: Time,
    },
    Paste {
        text: String,
        at: Time,
    },
    Mouse {
        kind: MouseKind,
        x: u16,
        y: u16,
        at: Time,
    },

    // --- the terminal ---
    Resize {
        width: u16,
        height: u16,
    },
    /// The terminal window gained (`true`) or lost the focus.
    Focus(bool),
    Terminal(TerminalFacts),

    // --- the engine ---
    Agent {
        seat: SeatId,
        event: Event,
        at: Time,
    },

    // --- results of `Op`s ---
    Tick {
        at: Time,
    },
    Done(OpResult),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MouseKind {
    Press,
    Drag,
    Release,
    ScrollUp,
    ScrollDown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TerminalFacts {
    /// Whether the terminal supports the kitty keyboard protocol, and so never sends `Alt+y` as `Esc` and `y`.
    pub kitty: bool,
    /// Whether the workbench has a host, and so can continue without the terminal.
    pub can_detach: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopiedTo {
    Clipboard,
    /// The tmux buffer, and the system clipboard if tmux is allowed to set it.
    Tmux,
    /// The terminal, which does not confirm the copy.
    Terminal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OpResult {
    Copied {
        what: String,
        to: Result<CopiedTo, String>,
    },
    Image {
        seat: SeatId,
        taken: Result<PathBuf, NoImage>,
    },
    /// The user closed the external editor. `Ok(None)` if the text has not changed.
    Edited {
        seat: SeatId,
        ticket: EditTicket,
        text: Result<Option<String>, String>,
    },
    FileLeft(Result<(), String>),
    Log(Result<Option<String>, String>),
    Themes {
        offers: Vec<ThemeOffer>,
        /// The number of colours, if the terminal does not support all colours of the themes.
        few: Option<FewColours>,
    },
}

/// The purpose of a text in the external editor, so that a late result is assigned correctly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditTicket {
    Prompt,
    /// The transcript was only viewed, so no text is returned.
    Transcript,
    Summary,
    Plan,
    Proposal {
        call: CallId,
        file: usize,
    },
}
