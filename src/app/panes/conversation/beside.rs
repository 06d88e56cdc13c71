//! What came for the person since they sent something, as few rows: they stand elsewhere while a request lies over the conversation.

use super::block::{Block, Source, ToolState};
use super::{Conversation, lay};
use crate::app::line::Line;
use crate::domain::call::SHELL;
use crate::domain::entry::Body;

/// Rows of what was told; how a command ran is one.
const MOST_TOLD: usize = 2;

impl Conversation {
    /// The person sent something, and what comes of it is to be seen.
    pub(crate) fn sent(&mut self) {
        self.sent_at = Some(self.blocks.len());
        self.follow();
    }

    /// The newest of what came since, where that is how a command of theirs runs or ran, or what they were told; calls that wait for
    /// them are no news.
    pub(crate) fn told_since_sent(&self, width: usize) -> Vec<String> {
        let since = self.sent_at.and_then(|at| self.blocks.get(at..)).unwrap_or_default();
        let newest = since.iter().rev().find(|block| !block.is_gone() && !waits(block));
        let Some((block, most)) = newest.and_then(|block| Some((block, rows_of(&block.source)?))) else {
            return Vec::new();
        };
        let rows = lay::head_of(block, width, (self.asks, &self.zone), self.now);
        rows.iter().take(most).map(Line::text).collect()
    }
}

fn waits(block: &Block) -> bool {
    matches!(&block.source, Source::Tool(tool) if matches!(tool.state, ToolState::Waiting))
}

/// `None`: it is no news for the person.
fn rows_of(source: &Source) -> Option<usize> {
    match source {
        Source::Tool(tool) if tool.tool == SHELL => Some(1),
        Source::Entry(entry) if matches!(entry.body, Body::Shell { .. }) => Some(1),
        Source::Remark(_) | Source::Error { .. } => Some(MOST_TOLD),
        Source::Tool(_)
        | Source::Entry(_)
        | Source::Thought(_)
        | Source::Finding { .. }
        | Source::Live { .. }
        | Source::LiveThought { .. }
        | Source::Earlier { .. }
        | Source::Gone => None,
    }
}
