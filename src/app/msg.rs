//! Messages: every input of the app.

use std::path::PathBuf;

use super::themes::{FewColours, ThemeOffer};
use crate::base::clock::Time;
use crate::base::id::{CallId, SeatId};
use crate::domain::image::NoImage;
use crate::keys::Key;
use crate::protocol::Event;

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Msg {
    // --- the person ---
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
    /// The time of a `WakeAt` has come.
    Tick {
        at: Time,
    },
    Done(OpResult),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MouseKind {
    Press,
    Drag,
    Release,
    ScrollUp,
    ScrollDown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TerminalFacts {
    /// The terminal confirmed the kitty keyboard protocol, so `Alt+y` cannot be `Esc` followed by `y`.
    pub(crate) kitty: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopiedTo {
    Clipboard,
    /// The tmux buffer, and the clipboard if tmux may set it.
    Tmux,
    /// The terminal, which does not confirm it.
    Terminal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OpResult {
    Copied {
        what: String,
        to: Result<CopiedTo, String>,
    },
    Image {
        seat: SeatId,
        taken: Result<PathBuf, NoImage>,
    },
    /// The editor was closed. `Ok(None)` if the text is unchanged.
    Edited {
        seat: SeatId,
        ticket: EditTicket,
        text: Result<Option<String>, String>,
    },
    FileLeft(Result<(), String>),
    Log(Result<Option<String>, String>),
    Themes {
        offers: Vec<ThemeOffer>,
        /// Set if the terminal does not support all colours of the themes.
        few: Option<FewColours>,
    },
}

/// The purpose and seat of the edited text, so that a late result goes to the right place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EditTicket {
    Prompt,
    /// The conversation, read only.
    Transcript,
    Summary,
    Plan,
    Proposal {
        call: CallId,
        file: usize,
    },
}
