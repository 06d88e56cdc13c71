//! The newest messages since the user's last action, shown while a request covers the conversation.

use super::block::{Block, Source, ToolState};
use super::{Conversation, lay};
use crate::line::Line;
use benchdog_domain::call::SHELL;
use benchdog_domain::entry::Body;

const MOST_TOLD: usize = 2;

impl Conversation {
    pub(crate) fn sent(&mut self) {
        self.sent_at = Some(self.blocks.len());
        self.follow();
    }

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
