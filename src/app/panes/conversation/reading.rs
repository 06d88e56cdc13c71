//! Movement in the conversation by prompts and by code blocks.

use super::block::{Block, ErrorOf, Source};
use super::found::spot;
use super::{Conversation, ConversationRow};
use crate::line::Role;
use crate::markdown::code_of;
use benchdog_base::id::EntryId;
use benchdog_base::spot::Spot;
use benchdog_base::text::{clean, width};
use benchdog_domain::entry::Body;
use benchdog_lang as lang;

pub(crate) struct CopiedCode {
    pub text: String,
    pub at: usize,
    pub of: usize,
}

impl Conversation {
    pub(crate) fn last_answer(&self) -> Option<String> {
        let is_answer = |block: &&Block| matches!(&block.source, Source::Entry(entry) if matches!(entry.body, Body::Assistant { .. }));
        let answers = self.blocks.iter().rev().filter(is_answer);
        answers.map(Block::text).find(|text| !text.is_empty())
    }

    pub(crate) fn step_prompt(&mut self, by: isize) {
        let is_prompt = |block: &Block| {
            block
                .entry()
                .is_some_and(|entry| matches!(entry.body, Body::User { .. }))
        };
        let prompts: Vec<usize> = self
            .blocks
            .iter()
            .enumerate()
            .filter(|(_, block)| is_prompt(block))
            .map(|(index, _)| index)
            .collect();
        let block_of = |row: Option<&ConversationRow>| row.map_or(0, |row| row.block);
        let next = if by < 0 {
            let here = self.selected.unwrap_or(block_of(self.rows.last()) + 1);
            prompts.iter().rfind(|prompt| **prompt < here)
        } else {
            let here = self.selected.unwrap_or(block_of(self.rows.first()));
            prompts.iter().find(|prompt| **prompt > here)
        };
        if let Some(next) = next.copied() {
            self.selected = Some(next);
            self.show_at_top(next);
            self.stale = true;
        }
    }

    /// Returns the code of the selected block, or else of the last visible block. Repeated calls return the next code.
    pub(crate) fn copy_code(&mut self) -> Option<CopiedCode> {
        let has_code = |index: &usize| self.blocks.get(*index).is_some_and(|block| !block.codes().is_empty());
        let index = match self.selected.filter(has_code) {
            Some(index) => index,
            None => self.rows.iter().rev().map(|row| row.block).find(has_code)?,
        };
        // Use the original code, because tabs are expanded in the rendered rows.
        let mut codes = code_of(&self.blocks.get(index)?.text());
        let of = codes.len();
        let at = match self.copied_code {
            Some((copied, at)) if copied == index && at < of => at,
            _ => 0,
        };
        let text = codes.drain(..).nth(at)?;
        self.copied_code = Some((index, at + 1));
        Some(CopiedCode { text, at: at + 1, of })
    }

    /// Returns a file position in the selected or last visible block. Each further call returns the next position.
    pub(crate) fn next_spot(&mut self) -> Option<Spot> {
        let spots = |index: usize| {
            self.blocks
                .get(index)
                .map(|block| block.spots(self.selected == Some(index)))
                .unwrap_or_default()
        };
        let mut blocks = self
            .selected
            .into_iter()
            .chain(self.rows.iter().rev().map(|row| row.block));
        let (index, spots) =
            blocks.find_map(|index| Some((index, spots(index))).filter(|(_, spots)| !spots.is_empty()))?;
        let at = match self.opened_spot {
            Some((opened, at)) if opened == index && at < spots.len() => at,
            _ => 0,
        };
        self.opened_spot = Some((index, at + 1));
        spots.into_iter().nth(at)
    }

    /// Moves the cursor to the block of an entry. If the entry has no block, moves to the block before it. Returns
    /// `false` if the entry must be loaded first.
    pub(crate) fn go_to(&mut self, entry: EntryId) -> bool {
        if self.want(entry) {
            return false;
        }
        let exact = self.blocks.iter().position(|block| block.is_of(entry));
        let before = |block: &Block| block.entry().is_some_and(|of| of.id <= entry);
        if let Some(index) = exact.or_else(|| self.blocks.iter().rposition(before)) {
            self.selected = Some(index);
            self.show_at_top(index);
            self.stale = true;
        }
        true
    }

    pub(crate) fn text_of(&self, entry: EntryId) -> Option<String> {
        let blocks = self.blocks.iter().filter(|block| block.is_of(entry));
        let texts: Vec<String> = blocks.map(Block::text).collect();
        (!texts.is_empty()).then(|| texts.join("\n"))
    }

    pub(crate) fn is_selected(&self, row: u16) -> bool {
        let block = self.rows.get(usize::from(row)).map(|row| row.block);
        block.is_some() && block == self.selected
    }

    pub(crate) fn spot_at(&self, x: u16, row: u16) -> Option<Spot> {
        let row = self.rows.get(usize::from(row))?;
        let finding = self.blocks.get(row.block).and_then(Block::finding);
        let line = &row.line;
        let mut end = 0;
        let clicked = line.spans.iter().find(|span| {
            end += width(&span.text);
            usize::from(x) < end
        });
        clicked
            .filter(|span| span.role == Role::InlineCode)
            .and_then(|span| match finding {
                // Use the original path, because a long path is truncated on screen.
                Some(finding) => Some(spot(finding)),
                None => Spot::of(span.text.trim()),
            })
    }

    /// Returns the last line of text, but not of errors about other actions, such as opening a session.
    pub(crate) fn last_line(&self) -> String {
        let of_screen = |block: &&Block| {
            matches!(
                block.source,
                Source::Error {
                    of: ErrorOf::Screen,
                    ..
                }
            )
        };
        let texts = self
            .blocks
            .iter()
            .rev()
            .filter(|block| !of_screen(block))
            .map(Block::text);
        let lines = texts.filter_map(|text| {
            text.lines()
                .rev()
                .find(|line| !line.trim().is_empty())
                .map(str::to_owned)
        });
        lines.map(|line| line.trim().to_owned()).next().unwrap_or_default()
    }

    pub(crate) fn transcript(&self) -> String {
        let mut text = String::new();
        if self.gone.turns > 0 {
            text.push_str(&format!("┄ {}\n\n", lang::message::shown_earlier(self.gone.turns)));
        }
        for block in self.blocks.iter().filter(|block| !block.is_gone()) {
            if let Some(label) = block.label() {
                text.push_str(&format!("## {}\n", lang::label(label)));
            }
            text.push_str(clean(&block.text()).trim_end());
            text.push_str("\n\n");
        }
        text
    }
}
