//! Answers of the model. They are streamed, and then replaced by their log entry.

use std::sync::Arc;

use super::block::{Laid, Source};
use super::{Conversation, lay};
use crate::markdown::Document;
use benchdog_base::text::clean;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::tool::{EffectClass, ToolFacts};
use benchdog_transcript::label_of_answer;

impl Conversation {
    pub(super) fn replied(&mut self, entry: &Arc<Entry>) {
        let Body::Assistant {
            text,
            reasoning,
            calls,
            error,
            ..
        } = &entry.body
        else {
            return;
        };
        self.retry_is_over();
        let mut facts = calls.iter().filter_map(|call| ToolFacts::find(&self.tools, &call.name));
        self.shows_code |= facts.any(|facts| facts.effect == EffectClass::Writes);
        if !reasoning.trim().is_empty() {
            match self.live_thought.take() {
                Some(index) => self.put(index, Source::Thought(Arc::clone(entry))),
                None if self.live.is_none() => self.push(Source::Thought(Arc::clone(entry))),
                None => {}
            }
        }
        self.end_thought();
        let shows = !text.trim().is_empty() || error.is_some();
        match self.live.take() {
            Some(index) if shows => self.settle(index, entry, text),
            Some(index) => self.put(index, Source::Gone),
            None if shows => self.push(Source::Entry(Arc::clone(entry))),
            None => {}
        }
    }

    /// Replaces a streamed block by its log entry. Keeps the laid-out rows if the text is the same.
    fn settle(&mut self, index: usize, entry: &Arc<Entry>, whole: &str) {
        let old = self
            .blocks
            .get_mut(index)
            .map(|block| std::mem::replace(&mut block.source, Source::Entry(Arc::clone(entry))));
        let Some(block) = self.blocks.get_mut(index) else {
            return;
        };
        block.changed();
        if let (Some(Source::Live { text, mut document }), Body::Assistant { calls, error: None, .. }) =
            (old, &entry.body)
            && text == clean(whole)
            && self.width > 0
        {
            document.grow(&text);
            let (body, codes) = document.into_parts();
            let mut rows = vec![lay::label(label_of_answer(calls.is_empty()))];
            rows.extend(body);
            let height = rows.len();
            block.laid = Some(Laid { rows, codes });
            block.measured = true;
            self.laid += height;
            // The text that arrived only with the log entry is not rendered yet.
            self.heights.set(index, self.gap(index) + height);
            self.stale = true;
            return;
        }
        self.reset_laid(index);
    }

    pub(crate) fn text_delta(&mut self, delta: &str) {
        self.retry_is_over();
        self.end_thought();
        let index = match self.live {
            Some(index) => index,
            None => {
                self.push(Source::Live {
                    text: String::new(),
                    document: Document::new(self.width.max(1)),
                });
                let index = self.blocks.len() - 1;
                self.live = Some(index);
                index
            }
        };
        if let Some(Source::Live { text, .. }) = self.blocks.get_mut(index).map(|block| &mut block.source) {
            text.push_str(&clean(delta));
        }
        self.stale = true;
        self.outdate_find();
    }

    pub(crate) fn reasoning_delta(&mut self, delta: &str) {
        self.retry_is_over();
        let index = match self.live_thought {
            Some(index) => index,
            None => {
                self.push(Source::LiveThought {
                    text: String::new(),
                    over: false,
                });
                let index = self.blocks.len() - 1;
                self.live_thought = Some(index);
                index
            }
        };
        if let Some(block) = self.blocks.get_mut(index) {
            if let Source::LiveThought { text, .. } = &mut block.source {
                text.push_str(delta);
            }
            block.changed();
        }
        self.stale = true;
        self.outdate_find();
    }

    pub(super) fn end_thought(&mut self) {
        let Some(block) = self.live_thought.take().and_then(|index| self.blocks.get_mut(index)) else {
            return;
        };
        if let Source::LiveThought { over, .. } = &mut block.source {
            *over = true;
        }
        block.changed();
        self.stale = true;
    }

    pub(super) fn end_live(&mut self) {
        self.end_thought();
        if let Some(index) = self.live.take() {
            self.put(index, Source::Gone);
        }
    }
}
