//! Messages: every input of the app.

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
    /// `true` if the terminal window gained the focus.
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
    /// The terminal confirmed the kitty keyboard protocol, so `Alt+y` cannot be `Esc` followed by `y`.
    pub kitty: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CopiedTo {
    Clipboard,
    /// The tmux buffer, and the clipboard if tmux may set it.
    Tmux,
    /// The terminal, which does not confirm it.
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
    /// `Ok(None)` if the user closed the editor without a change.
    Edited {
        seat: SeatId,
        ticket: EditTicket,
        text: Result<Option<String>, String>,
    },
    FileLeft(Result<(), String>),
    /// The workbench ends with its terminal.
    CannotDetach,
    Log(Result<Option<String>, String>),
    Themes {
        offers: Vec<ThemeOffer>,
        /// Set if the terminal does not support all colours of the themes.
        few: Option<FewColours>,
    },
}

/// Purpose and session of an edited text, so that a late result goes to the right place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EditTicket {
    Prompt,
    /// Read only.
    Transcript,
    Summary,
    Plan,
    Proposal {
        call: CallId,
        file: usize,
    },
}
