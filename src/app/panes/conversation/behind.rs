//! Background jobs, shown on the row of the tool call that started them.

use super::Conversation;
use super::block::Source;
use benchdog_base::text::clean;
use benchdog_domain::job::Job;
use benchdog_domain::summary::Summary;
use benchdog_lang as lang;
use benchdog_transcript::Mark;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Behind {
    pub(super) last: String,
    pub(super) ended: Option<Summary>,
}

impl Conversation {
    pub(crate) fn jobs_stand(&mut self, jobs: &[Job]) {
        for job in jobs {
            let Some(index) = self.calls.get(&job.call).copied() else {
                continue;
            };
            let behind = Some(Behind {
                last: clean(job.last.trim()).into_owned(),
                ended: job.ended.clone(),
            });
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

impl Behind {
    /// Returns the row of a background job, such as `▸ … in the background as bg_1` or `✗ … bg_1 exit 3 2.1s`.
    pub(super) fn head(&self, began: &Summary) -> (Mark, String) {
        let Some(ended) = &self.ended else {
            return (Mark::Running, lang::summary(began).into_owned());
        };
        let mark = ended_as(ended);
        let how = lang::summary(ended);
        match began {
            Summary::Background { job } => (mark, format!("{job} {how}")),
            _ => (mark, how.into_owned()),
        }
    }

    pub(super) fn last(&self) -> Option<&str> {
        let counts = self.ended.as_ref().is_none_or(|ended| ended_as(ended) == Mark::Failed);
        (counts && !self.last.is_empty()).then_some(self.last.as_str())
    }
}

fn ended_as(ended: &Summary) -> Mark {
    match ended {
        Summary::Exit { code: 0, .. } => Mark::Ok,
        Summary::Stopped { .. } => Mark::Stopped,
        _ => Mark::Failed,
    }
}
