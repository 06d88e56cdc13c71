//! The read-only conversation of a subagent, shown in place of the parent's conversation.

use super::panes::conversation::{ChosenChild, Conversation};
use benchdog_base::id::{SeatId, SessionId};

pub struct Watched {
    pub session: SessionId,
    /// The seat under which the subagent sends events while it works.
    pub seat: Option<SeatId>,
    pub title: String,
    pub parents: Conversation,
}

impl Watched {
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
