//! The state of the app. `ui` reads the state, and only `update` changes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::dialogs::palette::Choice;
use super::diff_view::DiffLayouts;
use super::layout::Layout;
use super::msg::TerminalFacts;
use super::pointer::Pointer;
use super::screen::{Lasts, SessionScreen, Toast, ToastPlace};
use super::themes::Themes;
use benchdog_base::clock::{Time, Zone};
use benchdog_base::id::{CallId, EntryId, SeatId, SessionId};
use benchdog_base::text::width as columns;
use benchdog_domain::failure::Failure;
use benchdog_keys::{Key, Keymap};
use benchdog_lang as lang;

const TOAST_MS: i64 = 2_000;
/// Minimum time in ms for which an error is shown. Afterwards, the next key press removes the error.
const FAILED_MS: i64 = 4_000;
/// Number of columns in the status line that the state of a waiting turn takes. A notification follows the state.
const WAITS: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AfterOpen {
    List,
    /// Move the cursor to this search hit, if the opened session has this id.
    Entry(SessionId, EntryId),
}

pub struct State {
    // --- the window ---
    pub width: u16,
    pub height: u16,
    pub layout: Layout,
    pub terminal: TerminalFacts,
    /// Whether the terminal window has the focus. The bell rings only without the focus.
    pub window_focused: bool,
    pub mouse: bool,
    /// The home directory, which paths show as `~`.
    pub home: Option<String>,
    pub zone: Zone,
    /// The setting `ui.confirm_exit`: an exit that would stop work needs a confirmation.
    pub confirm_exit: bool,
    /// The setting `ui.alt_decides`: `Alt+Y` and `Alt+N` decide a request that does not have the focus.
    pub alt_decides: bool,
    /// Whether `/merge` was sent. The review of the merge may open in another session of this window.
    pub merge_asked: bool,
    pub themes: Themes,
    pub now: Time,
    pub keymap: Keymap,
    /// The first key of a two-key binding, if it was just pressed. The status line shows the possible second keys.
    pub stroke: Option<Key>,
    pub shown: Shown,
    pub diff_layouts: DiffLayouts,
    /// A message to show when the first session opens.
    pub greeting: Option<String>,
    pub after_open: Option<AfterOpen>,
    /// The text that was copied last. Used for pasting, because Benchdog cannot read the clipboard.
    pub(super) copied: Arc<str>,
    pub(super) lately: Vec<Choice>,
    pub(super) pointer: Pointer,
    pub(super) title: String,
    pub(super) woken: Option<Time>,
    pub(super) dirty: bool,
    /// Whether a character was typed into the prompt since the last frame.
    pub(super) wrote: bool,

    // --- the sessions ---
    pub screen: SessionScreen,
    /// The other sessions of the window, with their requests, drafts and scroll positions.
    pub parked: BTreeMap<SeatId, Box<SessionScreen>>,
    /// Maps the id of each replaced seat to the id of its successor.
    pub(super) replaced: BTreeMap<SeatId, SeatId>,
    pub(super) sight: Sight,
}

/// The foldable panes that should be visible. `layout` decides whether they fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    pub files: bool,
    pub side: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    Shown,
    /// The session in `screen` only handles an event. Such a session must not open dialogs or change the window title.
    Background,
}

impl State {
    pub fn new(keymap: Keymap, width: u16, height: u16, now: Time) -> Self {
        Self {
            width,
            height,
            layout: Layout::default(),
            terminal: TerminalFacts::default(),
            window_focused: true,
            mouse: true,
            home: None,
            zone: Zone::default(),
            confirm_exit: true,
            alt_decides: true,
            merge_asked: false,
            themes: Themes::default(),
            now,
            keymap,
            stroke: None,
            shown: Shown {
                files: true,
                side: true,
            },
            diff_layouts: DiffLayouts::default(),
            greeting: None,
            after_open: None,
            copied: Arc::default(),
            lately: Vec::new(),
            pointer: Pointer::default(),
            title: String::new(),
            woken: None,
            dirty: true,
            wrote: false,
            screen: SessionScreen::new(SeatId(1), now),
            parked: BTreeMap::new(),
            replaced: BTreeMap::new(),
            sight: Sight::Shown,
        }
    }

    pub(super) fn failed(&mut self, failure: &Failure) {
        let words = lang::failure(failure);
        match self.screen.turn.busy() {
            true => self.screen.conversation.error(&words.text, &words.hint),
            false => self.screen.conversation.refuse(&words.text, &words.hint),
        }
    }

    /// Returns the number of columns that the status line guarantees to a notification.
    pub(super) fn readable(&self) -> usize {
        usize::from(self.width / 2).max(40)
    }

    /// Shows a notification for some seconds, or an error or a long text until the next key press.
    pub(super) fn say(&mut self, text: impl Into<String>, error: bool) {
        let text = text.into();
        let waits = self.screen.turn.waits_for_person(&self.screen.approvals);
        let room = usize::from(self.width / 2).saturating_sub(if waits { WAITS } else { 0 });
        // A dialog covers the rows above the prompt.
        let place = if columns(&text) > room && self.screen.dialog.is_none() {
            ToastPlace::AbovePrompt
        } else {
            ToastPlace::StatusLine
        };
        self.screen.toast = Some(Toast {
            until: Time(self.now.0 + if error { FAILED_MS } else { TOAST_MS }),
            lasts: match error || place == ToastPlace::AbovePrompt {
                true => Lasts::UntilKey,
                false => Lasts::ItsTime,
            },
            text,
            error,
            place,
            child: None,
        });
    }

    pub(super) fn say_of_child(&mut self, child: CallId, text: impl Into<String>) {
        self.say(text, false);
        if let Some(toast) = &mut self.screen.toast {
            toast.child = Some(child);
        }
    }

    /// Shows a hint about the next key, or the reason why the last key had no effect. Any key press removes the text.
    pub(super) fn offer(&mut self, text: impl Into<String>, error: bool) {
        self.say(text, error);
        if let Some(toast) = &mut self.screen.toast {
            toast.lasts = Lasts::OneKey;
        }
    }

    /// Asks the user to read the request to its end. Uses `brief` if the text would cover a part of the request.
    pub(super) fn ask_to_read(&mut self, text: impl Into<String>, brief: Option<String>) {
        self.say(text, true);
        if let Some(toast) = &mut self.screen.toast {
            toast.lasts = Lasts::UntilRead;
            if let Some(brief) = brief.filter(|_| toast.place == ToastPlace::AbovePrompt) {
                (toast.text, toast.place) = (brief, ToastPlace::StatusLine);
            }
        }
    }

    pub(super) fn says_unread(&self) -> bool {
        self.screen
            .toast
            .as_ref()
            .is_some_and(|toast| toast.lasts == Lasts::UntilRead)
    }

    /// Shows a notification above the prompt until the next key press.
    pub(super) fn tell(&mut self, text: impl Into<String>) {
        self.say(text, false);
        if let Some(toast) = &mut self.screen.toast {
            (toast.lasts, toast.place) = (Lasts::UntilKey, ToastPlace::AbovePrompt);
        }
    }

    /// Handles a key press or mouse event: the notification counts as seen, so it may be removed.
    pub(super) fn seen(&mut self) {
        let of_key = |toast: &mut Toast| matches!(toast.lasts, Lasts::OneKey | Lasts::UntilRead);
        if self.screen.toast.take_if(of_key).is_some() {
            self.dirty = true;
        }
        if let Some(toast) = &mut self.screen.toast {
            toast.lasts = Lasts::ItsTime;
        }
        self.forget_said();
    }

    pub(super) fn forget_said(&mut self) {
        let now = self.now;
        if self
            .screen
            .toast
            .take_if(|toast| toast.lasts != Lasts::UntilKey && toast.until <= now)
            .is_some()
        {
            self.dirty = true;
        }
    }
}
