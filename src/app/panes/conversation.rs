//! The conversation: one block per log entry, and text that is being streamed.

mod bar;
mod behind;
mod beside;
mod block;
mod child;
mod decided;
mod earlier;
mod ends;
mod find;
mod found;
mod heights;
mod lay;
mod looked;
mod marking;
mod place;
mod reading;
mod reply;
mod retrying;
mod view;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use crate::markdown::CodeBlock;
use crate::panes::prompt::Pasted;
use benchdog_base::clock::{Time, Zone};
use benchdog_base::id::CallId;
use benchdog_base::text::clean;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::history::LetGo;
use benchdog_domain::tool::{CallStatus, OutputChunk, ToolFacts};
use block::{Block, Source, ToolBlock, ToolState};
pub(crate) use child::ChosenChild;
use decided::Decided;
use earlier::Folded;
use find::Find;
pub(crate) use find::FindFrom;
pub use find::{BETWEEN_COUNTS, MOST_BLOCKS, Sought};
use heights::Heights;
use place::Place;
use view::Pin;
pub use view::{ConversationRow, WIDEST};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Asks {
    #[default]
    Person,
    /// The agent that started the subagent wrote the prompt.
    Agent,
}

#[derive(Default)]
pub struct Conversation {
    pub find: Option<Find>,
    /// The focus before the find line was opened. Restored when the find line is closed.
    pub find_from: Option<FindFrom>,
    pub selected: Option<usize>,
    /// Number of new rows below the view while the view is pinned. `None` while the view follows the end.
    pub new_lines: Option<usize>,
    /// The tools of this session. They are kept when another log is shown.
    pub tools: Arc<[ToolFacts]>,
    blocks: Vec<Block>,
    /// Groups of turns that were folded by compactions, newest last.
    folded: Vec<Folded>,
    has_top: bool,
    /// The turns before the first block. They are no longer in memory.
    gone: LetGo,
    wants_gone: bool,
    /// Whether the search waits for turns that must be loaded. The search continues when they arrive.
    search_waits: bool,
    heights: Heights,
    calls: HashMap<CallId, usize>,
    /// Blocks of running calls, which are rendered again to show the elapsed time. The next tick removes ended calls.
    running: BTreeSet<usize>,
    /// Whether the model has requested a file change. If so, syntax highlighting is loaded in advance.
    pub shows_code: bool,
    looked: Option<CallId>,
    decided: HashMap<CallId, Decided>,
    /// The block of the newest compaction, if the compaction can be undone.
    undoable: Option<usize>,
    /// The block of the answer that is being streamed.
    live: Option<usize>,
    live_thought: Option<usize>,
    retrying: Option<usize>,
    rows: Vec<ConversationRow>,
    /// The block from which code was copied last, and how many of its code blocks were copied.
    copied_code: Option<(usize, usize)>,
    /// The block whose file positions are being opened, and the index of the next position.
    opened_spot: Option<(usize, usize)>,
    open_key: String,
    /// Number of blocks when the user last sent something.
    sent_at: Option<usize>,
    asks: Asks,
    /// Long pastes in the newest prompts. They are folded, as in the prompt.
    pastes: Vec<Pasted>,
    width: usize,
    height: usize,
    top: Place,
    pin: Option<Pin>,
    now: Time,
    zone: Zone,
    stale: bool,
    /// Number of rows that are laid out. `let_go` is the value of `laid` after the last eviction.
    laid: usize,
    let_go: usize,
}

impl Conversation {
    pub fn rows(&self) -> &[ConversationRow] {
        &self.rows
    }

    pub fn code(&self, block: usize, fence: usize) -> Option<&CodeBlock> {
        self.blocks.get(block)?.codes().get(fence)
    }

    pub(crate) fn pasted(&mut self, pastes: &[Pasted]) {
        self.pastes = pastes.to_vec();
    }

    pub(crate) fn open(&mut self, entries: &[Arc<Entry>], gone: LetGo) {
        let (width, height) = (self.width, self.height);
        *self = Self {
            open_key: std::mem::take(&mut self.open_key),
            tools: Arc::clone(&self.tools),
            asks: self.asks,
            zone: std::mem::take(&mut self.zone),
            width,
            height,
            stale: true,
            gone,
            ..Self::default()
        };
        for entry in entries.iter().filter(|entry| entry.id > gone.upto) {
            self.entry(entry);
        }
        self.tell_of_gone();
        // If a call has no logged result, its effect is unknown.
        for index in self.calls.values() {
            if let Some(Source::Tool(tool)) = self.blocks.get_mut(*index).map(|block| &mut block.source)
                && matches!(tool.state, ToolState::Running)
            {
                tool.state = ToolState::Unknown;
            }
        }
    }

    pub(crate) fn entry(&mut self, entry: &Arc<Entry>) {
        self.stale = true;
        self.outdate_find();
        match &entry.body {
            Body::Assistant { .. } => self.replied(entry),
            Body::CallStarted { call, tool, title, .. } => self.tool_started(call, tool, title, entry.time),
            Body::ToolResult { call, tool, title, .. } => {
                let index = self.tool(call, tool, title);
                self.change_tool(index, |tool| {
                    tool.state = ToolState::Finished(Arc::clone(entry));
                    tool.tail = String::new();
                });
                self.place_decision(call, index);
            }
            Body::TurnEnded { outcome, .. } => {
                self.retry_is_over();
                self.end_live();
                if *outcome != TurnOutcome::Done && !self.has_told_end(*outcome) {
                    self.push(Source::Entry(Arc::clone(entry)));
                }
            }
            Body::Approval { .. } => self.note_decision(entry),
            Body::CallEnded { .. } => self.call_ended(entry),
            Body::Change {
                call, added, removed, ..
            } => {
                if let Some(index) = self.calls.get(call).copied() {
                    self.change_tool(index, |tool| tool.files.count(*added, *removed));
                }
            }
            Body::Todo { .. } | Body::Plan(_) | Body::Pinned { .. } | Body::Terms { .. } | Body::Spent(_) => {}
            // A notice already says that the check was not allowed.
            Body::Validation {
                call,
                unfinished: Some(CallStatus::Denied),
                ..
            } => {
                if let Some(index) = self.calls.get(call).copied() {
                    self.put(index, Source::Gone);
                }
            }
            // The result replaces the row of the running call.
            Body::Validation { call, .. } | Body::Shell { call: Some(call), .. } => {
                match self.calls.get(call).copied() {
                    Some(index) => self.put(index, Source::Entry(Arc::clone(entry))),
                    None => self.push(Source::Entry(Arc::clone(entry))),
                }
                let index = self.calls.get(call).copied();
                self.place_decision(call, index.unwrap_or(self.blocks.len().saturating_sub(1)));
                self.found(entry);
            }
            Body::Findings { .. } => self.found(entry),
            Body::Child(child) => self.child_of(child),
            Body::Agent { .. } => self.agent_chosen(entry),
            Body::Compaction(compaction) => self.compacted(entry, compaction),
            Body::CompactionUndone { compaction } => self.taken_back(entry, *compaction),
            // Benchdog wrote this empty prompt. Another message explains why.
            Body::User { text, mentions, .. } if text.is_empty() && mentions.is_empty() => {}
            Body::User { .. }
            | Body::Model { .. }
            | Body::Sampling(_)
            | Body::Retried
            | Body::Shell { .. }
            | Body::Notice(_)
            | Body::Unknown(_) => self.push(Source::Entry(Arc::clone(entry))),
        }
    }

    /// Whether the session has no prompt, answer or command yet. Notices and changes of model or agent do not count.
    pub(crate) fn is_unspoken(&self) -> bool {
        let is_aside = |block: &Block| match &block.source {
            Source::Remark(_) | Source::Gone => true,
            Source::Entry(entry) => matches!(entry.body, Body::Model { .. } | Body::Agent { .. } | Body::Notice(_)),
            _ => false,
        };
        self.blocks.iter().all(is_aside)
    }

    pub(crate) fn remark(&mut self, text: &str) {
        self.push(Source::Remark(clean(text).into_owned()));
    }

    pub(crate) fn tool_waits(&mut self, call: &CallId, tool: &str, title: &str) {
        let index = self.tool(call, tool, title);
        self.change_tool(index, |tool| {
            if matches!(tool.state, ToolState::Running) {
                tool.state = ToolState::Waiting;
            }
        });
    }

    pub(crate) fn tool_decided(&mut self, call: &CallId) {
        if let Some(index) = self.calls.get(call).copied() {
            self.change_tool(index, |tool| {
                if matches!(tool.state, ToolState::Waiting) {
                    tool.state = ToolState::Running;
                    // Restart the elapsed time, so that it does not include the wait for approval.
                    tool.started = None;
                }
            });
        }
    }

    pub(crate) fn tool_started(&mut self, call: &CallId, tool: &str, title: &str, at: Time) {
        let index = self.tool(call, tool, title);
        self.change_tool(index, |tool| {
            if matches!(tool.state, ToolState::Waiting) {
                tool.state = ToolState::Running;
            }
            tool.started.get_or_insert(at);
        });
    }

    pub(crate) fn tool_output(&mut self, chunk: &OutputChunk) {
        if let Some(index) = self.calls.get(&chunk.call).copied() {
            self.change_tool(index, |tool| tool.wrote(chunk));
        }
    }

    pub(crate) fn tick(&mut self, now: Time) {
        self.now = now;
        let mut running = std::mem::take(&mut self.running);
        running.retain(|index| self.blocks.get(*index).is_some_and(Block::is_running));
        running.iter().for_each(|index| self.reset_laid(*index));
        self.running = running;
    }

    fn tool(&mut self, call: &CallId, tool: &str, title: &str) -> usize {
        let facts = ToolFacts::find(&self.tools, tool);
        if let Some(index) = self.calls.get(call).copied() {
            if let Some(Source::Tool(block)) = self.blocks.get_mut(index).map(|block| &mut block.source) {
                // A hook may have changed the arguments of the call.
                block.name(tool, title, facts);
            }
            return index;
        }
        self.push(Source::Tool(Box::new(ToolBlock::new(tool, title, facts))));
        let index = self.blocks.len() - 1;
        self.calls.insert(call.clone(), index);
        index
    }

    fn change_tool(&mut self, index: usize, change: impl FnOnce(&mut ToolBlock)) {
        if let Some(block) = self.blocks.get_mut(index) {
            if let Source::Tool(tool) = &mut block.source {
                change(tool);
            }
            block.changed();
            if block.is_running() {
                self.running.insert(index);
            }
        }
        self.stale = true;
        self.outdate_find();
    }

    fn push(&mut self, source: Source) {
        self.outdate_find();
        let block = Block::new(source);
        let estimate = block.estimate(self.width.max(1));
        if block.is_running() {
            self.running.insert(self.blocks.len());
        }
        self.blocks.push(block);
        let gap = self.gap(self.blocks.len() - 1);
        self.heights.push(gap + estimate);
        self.stale = true;
    }

    fn put(&mut self, index: usize, source: Source) {
        let air_below = self.gap(index + 1);
        if let Some(block) = self.blocks.get_mut(index) {
            block.source = source;
        }
        self.outdate_find();
        self.reset_laid(index);
        // The height of a block includes the blank row above the block, so a change of this gap affects the next block.
        if self.gap(index + 1) != air_below {
            self.reset_laid(index + 1);
        }
    }

    pub(crate) fn opens_with(&mut self, key: String) {
        if self.open_key != key {
            self.open_key = key;
            self.blocks.iter_mut().for_each(Block::changed);
            self.stale = true;
        }
    }

    pub(crate) fn in_zone(&mut self, zone: &Zone) {
        if self.zone != *zone {
            self.zone = zone.clone();
            self.blocks.iter_mut().for_each(Block::changed);
            self.stale = true;
        }
    }

    /// Folds or opens the output of the block under the cursor. Without a cursor, chooses the last visible output. If
    /// the view is pinned, chooses the first visible output instead.
    pub(crate) fn toggle(&mut self) {
        self.set_open(|open| !open);
    }

    pub(crate) fn fold(&mut self) {
        self.set_open(|_| false);
    }

    pub(crate) fn unfold(&mut self) {
        self.set_open(|_| true);
    }

    fn set_open(&mut self, next: impl FnOnce(bool) -> bool) {
        let folds = |index: &usize| self.blocks.get(*index).is_some_and(Block::folds);
        let index = match self.selected.filter(folds) {
            Some(index) => Some(index),
            None if self.follows() => self.rows.iter().rev().map(|row| row.block).find(folds),
            None => self.rows.iter().map(|row| row.block).find(folds),
        };
        let Some(block) = index.and_then(|index| self.blocks.get_mut(index)) else {
            return;
        };
        block.open = next(block.open);
        let (open, all) = (block.open, matches!(block.source, Source::Earlier { .. }));
        let is_prompt = block
            .entry()
            .is_some_and(|entry| matches!(entry.body, Body::User { .. }));
        match index {
            Some(_) if all => {
                self.wants_gone = open;
                self.open_earlier(open);
            }
            Some(index) => {
                self.reset_laid(index);
                // Keep the visible rows in place, because a prompt is read from its start. Output is read from its end.
                if is_prompt {
                    self.stay();
                }
            }
            None => {}
        }
    }

    pub(crate) fn click(&mut self, row: u16) {
        if let Some(row) = self.rows.get(usize::from(row)) {
            self.selected = Some(row.block);
            self.stale = true;
        }
    }

    /// Returns the original text of the block under the cursor, or else of the last answer.
    pub(crate) fn copy(&self) -> Option<String> {
        let chosen = self.selected.map(|index| self.blocks.get(index).map(Block::text));
        let text = chosen.unwrap_or_else(|| self.last_answer());
        text.filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests;
