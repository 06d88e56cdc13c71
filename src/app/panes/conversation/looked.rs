//! The mark on the row of a call while several requests are pending. The mark shows the call of the visible request.

use super::Conversation;
use super::block::Source;
use benchdog_base::id::CallId;

impl Conversation {
    /// Sets the marked call. `None` if at most one request is pending.
    pub(crate) fn looked_at(&mut self, call: Option<CallId>) {
        let before = self.looked.clone().filter(|before| Some(before) != call.as_ref());
        self.mark(before.as_ref(), false);
        self.mark(call.as_ref(), true);
        self.looked = call;
    }

    fn mark(&mut self, call: Option<&CallId>, is_looked_at: bool) {
        let Some(index) = call.and_then(|call| self.calls.get(call)).copied() else {
            return;
        };
        let is_news = matches!(
            self.blocks.get(index).map(|block| &block.source),
            Some(Source::Tool(tool)) if tool.is_looked_at != is_looked_at
        );
        if is_news {
            self.change_tool(index, |tool| tool.is_looked_at = is_looked_at);
        }
    }
}
