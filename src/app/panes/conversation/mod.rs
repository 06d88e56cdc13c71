//! The conversation: blocks projected from the log, and a live tail for what is still arriving.

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

use crate::app::markdown::CodeBlock;
use crate::app::panes::prompt::Pasted;
use crate::base::clock::{Time, Zone};
use crate::base::id::CallId;
use crate::base::text::clean;
use crate::domain::entry::{Body, Entry, TurnOutcome};
use crate::domain::history::LetGo;
use crate::domain::tool::{CallStatus, OutputChunk, ToolFacts};
use block::{Block, Source, ToolBlock, ToolState};
pub(crate) use child::ChosenChild;
use decided::Decided;
use earlier::Folded;
use find::Find;
pub(crate) use find::FindFrom;
pub(crate) use find::{BETWEEN_COUNTS, MOST_BLOCKS, Sought};
use heights::Heights;
use place::Place;
use view::Pin;
pub(crate) use view::{ConversationRow, WIDEST};

/// Whose words the prompts of a conversation are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Asks {
    #[default]
    Person,
    /// The agent whose call it does.
    Agent,
}

#[derive(Default)]
pub(crate) struct Conversation {
    pub(crate) find: Option<Find>,
    /// The focus from which the find line was opened; it returns there.
    pub(crate) find_from: Option<FindFrom>,
    /// The block the cursor is on, while the pane has the keyboard.
    pub(crate) selected: Option<usize>,
    /// Rows that came below the view since it was pinned; `None` while following.
    pub(crate) new_lines: Option<usize>,
    /// What is known of the tools of this session; outlives a change of the log.
    pub(crate) tools: Arc<[ToolFacts]>,
    blocks: Vec<Block>,
    /// What compactions folded; the newest counts.
    folded: Vec<Folded>,
    /// The first block is there to tell of what is folded.
    has_top: bool,
    /// What stood in front of the other blocks and is not in memory any more.
    gone: LetGo,
    /// Somebody wants to see it.
    wants_gone: bool,
    /// The search does, and goes on when it is there.
    search_waits: bool,
    heights: Heights,
    calls: HashMap<CallId, usize>,
    /// The blocks of the calls that run: time shows in them. Some may have ended since the last tick.
    running: BTreeSet<usize>,
    /// The model has asked to change a file: code will be on screen.
    pub(crate) shows_code: bool,
    /// The one of several calls that is on screen.
    looked: Option<CallId>,
    /// What was decided about calls whose result is not there yet.
    decided: HashMap<CallId, Decided>,
    /// The block of the newest compaction, where it can be taken back.
    undoable: Option<usize>,
    /// The block of the answer that is arriving.
    live: Option<usize>,
    live_thought: Option<usize>,
    /// The row that says why the server is asked again.
    retrying: Option<usize>,
    rows: Vec<ConversationRow>,
    /// The block whose code was copied last, and how many of its blocks of code were.
    copied_code: Option<(usize, usize)>,
    /// The block whose places are opened, and which of them is next.
    opened_spot: Option<(usize, usize)>,
    /// What opens a folded block, as people read it.
    open_key: String,
    /// How many blocks stood there when the person sent something last.
    sent_at: Option<usize>,
    /// Who says what it is asked to do.
    asks: Asks,
    /// Long pastes of the newest prompts, which stand in them as they stood in the prompt.
    pastes: Vec<Pasted>,
    width: usize,
    height: usize,
    top: Place,
    pin: Option<Pin>,
    now: Time,
    zone: Zone,
    stale: bool,
    /// Rows laid out so far, and how many of them when rows were last let go of.
    laid: usize,
    let_go: usize,
}

impl Conversation {
    /// The rows in view, top to bottom, as many as the pane is high at most. Filled by `arrange`.
    pub(crate) fn rows(&self) -> &[ConversationRow] {
        &self.rows
    }

    /// The fenced block that `CodePlace::fence` of a row of this block names.
    pub(crate) fn code(&self, block: usize, fence: usize) -> Option<&CodeBlock> {
        self.blocks.get(block)?.codes().get(fence)
    }

    /// A prompt was sent: what was pasted into the newest ones.
    pub(crate) fn pasted(&mut self, pastes: &[Pasted]) {
        self.pastes = pastes.to_vec();
    }

    // --- what the engine tells ---

    /// What is live of a session, in place of what was here.
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
        // What a call did whose result was never written is not known.
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
            Body::Change { .. } | Body::Todo { .. } | Body::Plan(_) | Body::Pinned { .. } | Body::Terms { .. } => {}
            // That the check was not allowed is said in a notice.
            Body::Validation {
                call,
                unfinished: Some(CallStatus::Denied),
                ..
            } => {
                if let Some(index) = self.calls.get(call).copied() {
                    self.put(index, Source::Gone);
                }
            }
            // The row that showed it running becomes the row of its result.
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
            // Ours alone: a remark beside it says so.
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

    /// Whether the session has no prompt, answer or command yet. Notices, and the choice of model and agent, do not count.
    pub(crate) fn is_unspoken(&self) -> bool {
        let is_aside = |block: &Block| match &block.source {
            Source::Remark(_) | Source::Gone => true,
            Source::Entry(entry) => matches!(entry.body, Body::Model { .. } | Body::Agent { .. } | Body::Notice(_)),
            _ => false,
        };
        self.blocks.iter().all(is_aside)
    }

    /// What is told of the session and would not be read whole elsewhere.
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

    /// The person or the policy decided; what follows tells the rest.
    pub(crate) fn tool_decided(&mut self, call: &CallId) {
        if let Some(index) = self.calls.get(call).copied() {
            self.change_tool(index, |tool| {
                if matches!(tool.state, ToolState::Waiting) {
                    tool.state = ToolState::Running;
                    // The time it waited for the person is not the time it runs.
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

    /// Time passed: rows of running calls show it.
    pub(crate) fn tick(&mut self, now: Time) {
        self.now = now;
        let mut running = std::mem::take(&mut self.running);
        running.retain(|index| self.blocks.get(*index).is_some_and(Block::is_running));
        running.iter().for_each(|index| self.reset_laid(*index));
        self.running = running;
    }

    /// The block of a call, made where there is none yet.
    fn tool(&mut self, call: &CallId, tool: &str, title: &str) -> usize {
        let facts = ToolFacts::find(&self.tools, tool);
        if let Some(index) = self.calls.get(call).copied() {
            if let Some(Source::Tool(block)) = self.blocks.get_mut(index).map(|block| &mut block.source) {
                // A hook may have made another call of it.
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
        // The height of the next block counts the air above it.
        if self.gap(index + 1) != air_below {
            self.reset_laid(index + 1);
        }
    }

    // --- the cursor of the pane ---

    /// Names the key that opens a folded block, in the rows that tell of one.
    pub(crate) fn opens_with(&mut self, key: String) {
        if self.open_key != key {
            self.open_key = key;
            self.blocks.iter_mut().for_each(Block::changed);
            self.stale = true;
        }
    }

    /// Where the clock of the person is read who looks at it.
    pub(crate) fn in_zone(&mut self, zone: &Zone) {
        if self.zone != *zone {
            self.zone = zone.clone();
            self.blocks.iter_mut().for_each(Block::changed);
            self.stale = true;
        }
    }

    /// Opens or folds the output under the cursor, else the last one in view that has any; for who reads further up, the first.
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
                // It is read from its beginning on, unlike what a call printed.
                if is_prompt {
                    self.stay();
                }
            }
            None => {}
        }
    }

    /// The block under a row of the view.
    pub(crate) fn click(&mut self, row: u16) {
        if let Some(row) = self.rows.get(usize::from(row)) {
            self.selected = Some(row.block);
            self.stale = true;
        }
    }

    /// The logical text under the cursor, else of the last answer.
    pub(crate) fn copy(&self) -> Option<String> {
        let chosen = self.selected.map(|index| self.blocks.get(index).map(Block::text));
        let text = chosen.unwrap_or_else(|| self.last_answer());
        text.filter(|text| !text.is_empty())
    }
}

#[cfg(test)]
mod tests;
