//! A form that goes while the person writes in it: what stood in it is told, and the keys that were meant for it reach nothing else.

use super::{Approvals, QUIET_MS, RequestView};
use crate::base::clock::Time;
use crate::base::id::CallId;
use crate::domain::review::{Question, Review};
use crate::domain::server::ServerName;
use crate::keys::Key;

/// The form that went last.
#[derive(Default)]
pub(super) struct Gone {
    /// Since when no key came that was meant for it; `None`: nobody wrote there, or they have paused since.
    quiet_since: Option<Time>,
    /// What was typed since, and what had not counted yet.
    typed: String,
}

impl Approvals {
    /// A form of a server goes unanswered. Returns whose it was and what the person had answered there, if anything. A letter that
    /// waited to count in it is typed too late.
    pub(crate) fn form_goes(&mut self, call: &CallId, at: Time) -> Option<(ServerName, String)> {
        let writes = self.has_keyboard() && self.front().is_some_and(|front| front.request.call == *call);
        let waiting = self.waiting.iter().find(|waiting| waiting.request.call == *call)?;
        let Review::Question(Question::Server(form)) = &waiting.request.review else {
            return None;
        };
        let written = match &waiting.view {
            RequestView::Question(view) => view.written(),
            RequestView::Unseen | RequestView::Files(_) | RequestView::Rows { .. } => Vec::new(),
        };
        let server = form.server.clone();
        if writes {
            self.gone.quiet_since = Some(at);
            if let Some(waited) = self.take_pressed()
                && let Some(letter) = waited.key.printable()
            {
                let times = usize::from(waited.times());
                self.gone.typed.extend(std::iter::repeat_n(letter, times));
            }
        }
        (!written.is_empty()).then(|| (server, written.join(" · ")))
    }

    /// Takes a key that was meant for the form that has just gone: the person has not paused since. Says whether it was.
    pub(crate) fn take_for_gone(&mut self, key: Key, at: Time) -> bool {
        let is_meant = |since: &Time| at.since(*since) < QUIET_MS && !key.ctrl && !key.alt;
        if self.gone.quiet_since.filter(is_meant).is_none() {
            return false;
        }
        self.gone.quiet_since = Some(at);
        self.gone.typed.extend(key.printable());
        true
    }

    /// What was typed for it after it was gone, once the person has paused.
    pub(crate) fn typed_late(&mut self, at: Time) -> Option<String> {
        self.gone.quiet_since.take_if(|since| at.since(*since) >= QUIET_MS)?;
        let typed = std::mem::take(&mut self.gone.typed);
        (!typed.is_empty()).then_some(typed)
    }

    /// When that is.
    pub(super) fn paused_at(&self) -> Option<Time> {
        let since = self.gone.quiet_since?;
        Some(Time(since.0.saturating_add_unsigned(QUIET_MS)))
    }
}
