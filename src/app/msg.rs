//! Everything that can reach the app.

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
    /// What the terminal turned out to be able to do.
    Terminal(TerminalFacts),

    // --- the engine ---
    Agent {
        seat: SeatId,
        event: Event,
        at: Time,
    },

    // --- answers to our own `Op`s ---
    /// The moment a `WakeAt` named has come.
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
    /// The kitty keyboard protocol was confirmed by the terminal itself: `Alt+y` cannot be `Esc` then `y`.
    pub(crate) kitty: bool,
}

/// Who took a copied text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopiedTo {
    Clipboard,
    /// Its buffer, and the clipboard where it may.
    Tmux,
    /// It does not confirm it.
    Terminal,
}

/// The result of an `Op` that has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum OpResult {
    /// Where the copied text went, or why it went nowhere.
    Copied { what: String, to: Result<CopiedTo, String> },
    /// The file with the image that was on the clipboard.
    Image {
        seat: SeatId,
        taken: Result<PathBuf, NoImage>,
    },
    /// The editor was left. `Ok(None)`: the text was not changed.
    Edited {
        seat: SeatId,
        ticket: EditTicket,
        text: Result<Option<String>, String>,
    },
    /// The editor with a file of the folder was left.
    FileLeft(Result<(), String>),
    /// `Ok(None)`: there is no log.
    Log(Result<Option<String>, String>),
    Themes {
        offers: Vec<ThemeOffer>,
        /// This terminal does not show all their colours.
        few: Option<FewColours>,
    },
}

/// Whose text of a seat is in the editor, so that a late answer cannot land elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum EditTicket {
    Prompt,
    /// The conversation, to be read.
    Transcript,
    /// The summary that is shown.
    Summary,
    /// The plan of the session.
    Plan,
    /// One file of a proposal.
    Proposal {
        call: CallId,
        /// The place of the file when it was opened.
        file: usize,
    },
}
