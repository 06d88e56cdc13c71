//! The read-only conversation of a subagent, shown in place of its parent's.

use super::panes::conversation::{ChosenChild, Conversation};
use crate::base::id::{SeatId, SessionId};

pub(crate) struct Watched {
    pub(crate) session: SessionId,
    /// The seat that reports the subagent while it works.
    pub(crate) seat: Option<SeatId>,
    pub(crate) title: String,
    pub(crate) parents: Conversation,
}

impl Watched {
    /// Replaces the conversation with an empty one for the subagent.
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

    pub(super) fn swap(&mut self, shown: &mut Conversation) {
        std::mem::swap(&mut self.parents, shown);
    }
}
