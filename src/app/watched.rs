//! The session of a child, in place of the conversation whose call it does: to read, as long as the keyboard is there.

use super::panes::conversation::{ChosenChild, Conversation};
use crate::base::id::{SeatId, SessionId};

/// The child whose conversation is shown.
pub(crate) struct Watched {
    pub(crate) session: SessionId,
    /// The seat that tells of it, while it works; `None` where none is known.
    pub(crate) seat: Option<SeatId>,
    /// Who it is, and what it does.
    pub(crate) title: String,
    /// The conversation that is put aside.
    pub(crate) parents: Conversation,
}

impl Watched {
    /// Puts the conversation of the child, of which nothing was told yet, in the place of its parent's.
    pub(super) fn begin(shown: &mut Conversation, child: ChosenChild, session: SessionId) -> Self {
        let parents = std::mem::take(shown);
        *shown = parents.another();
        Self {
            session,
            seat: child.seat,
            title: child.title,
            parents,
        }
    }

    /// Changes places with what is shown.
    pub(super) fn swap(&mut self, shown: &mut Conversation) {
        std::mem::swap(&mut self.parents, shown);
    }
}
