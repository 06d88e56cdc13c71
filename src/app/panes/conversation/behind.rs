//! What goes on behind calls that are over: the row of each says what its command wrote last.

use super::Conversation;
use super::block::Source;
use crate::base::text::clean;
use crate::domain::job::Job;

impl Conversation {
    /// What calls have started goes on behind them: the row of each says what it wrote last.
    pub(crate) fn jobs_stand(&mut self, jobs: &[Job]) {
        for job in jobs {
            let Some(index) = self.calls.get(&job.call).copied() else {
                continue;
            };
            let behind = job.ended.is_none().then(|| clean(job.last.trim()).into_owned());
            let is_news = matches!(
                self.blocks.get(index).map(|block| &block.source),
                Some(Source::Tool(tool)) if tool.behind != behind
            );
            if is_news {
                self.change_tool(index, |tool| tool.behind = behind);
            }
        }
    }
}
