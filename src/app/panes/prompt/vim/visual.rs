//! `v`: what lies between a letter and the caret, both included, is selected, until something is done with it.

use super::motion::{Motion, Sought, around};
use super::{Buffer, Command, Did, OPERATORS, Operator, Vim};
use crate::base::text::{grapheme_after, grapheme_before};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visual {
    /// The letter it began on.
    from: usize,
    /// The letter the caret is on.
    at: usize,
}

impl Visual {
    fn range(self, text: &str) -> std::ops::Range<usize> {
        self.from.min(self.at)..grapheme_after(text, self.from.max(self.at))
    }
}

impl Vim {
    pub(super) fn begin_selecting(&mut self, buffer: &mut Buffer) -> Did {
        let at = buffer.caret();
        self.shows(Visual { from: at, at }, buffer)
    }

    /// Whether letters are about what is selected. Whatever else ended the selection has ended this as well.
    pub(super) fn selects(&mut self, buffer: &Buffer) -> bool {
        let range = self.visual.map(|visual| visual.range(buffer.text()));
        if range.is_some() && buffer.selection() != range.filter(|range| !range.is_empty()) {
            self.visual = None;
        }
        self.visual.is_some()
    }

    /// Esc: nothing is selected any more. `false`: nothing was.
    pub(crate) fn stops_selecting(&mut self, buffer: &mut Buffer) -> bool {
        let selects = self.selects(buffer);
        if let Some(visual) = self.visual.take() {
            self.command = Command::default();
            buffer.go_to(visual.at);
        }
        selects
    }

    fn shows(&mut self, visual: Visual, buffer: &mut Buffer) -> Did {
        let range = visual.range(buffer.text());
        match visual.at < visual.from {
            true => buffer.select_from(range.end, range.start),
            false => buffer.select_from(range.start, range.end),
        }
        self.visual = Some(visual);
        Did::Moved
    }

    pub(super) fn select(&mut self, c: char, buffer: &mut Buffer) -> Did {
        let Some(visual) = self.visual else { return Did::Nothing };
        let command = std::mem::take(&mut self.command);
        let Visual { from, at } = visual;
        match (c, command.prefix) {
            ('1'..='9', None) => self.digit(c, command),
            ('0', None) if command.count.is_some() => self.digit(c, command),
            ('g' | 'f' | 'F' | 't' | 'T' | 'i' | 'a', None) => self.wait(c, command),
            (_, Some(kind @ ('i' | 'a'))) => match around(buffer.text(), at, c, kind == 'a') {
                Some(range) if !range.is_empty() => {
                    let at = grapheme_before(buffer.text(), range.end);
                    self.shows(Visual { from: range.start, at }, buffer)
                }
                Some(_) | None => Did::Nothing,
            },
            ('v', None) => {
                self.stops_selecting(buffer);
                Did::Moved
            }
            ('o', None) => self.shows(Visual { from: at, at: from }, buffer),
            ('d' | 'x' | 'c' | 's' | 'y', None) => self.take_selected(c, visual, buffer),
            _ => self.select_to(c, &command, visual, buffer),
        }
    }

    fn take_selected(&mut self, c: char, visual: Visual, buffer: &mut Buffer) -> Did {
        let range = visual.range(buffer.text());
        let letter = match c {
            'x' => 'd',
            's' => 'c',
            c => c,
        };
        let Some((_, operator)) = OPERATORS.iter().find(|(known, _)| *known == letter) else {
            return Did::Nothing;
        };
        let taken = buffer.text().get(range.clone()).unwrap_or_default();
        let letters = crate::base::text::graphemes(taken).count();
        let lines = taken.contains('\n');
        self.visual = None;
        let did = self.operate(*operator, range, false, buffer);
        // Once more: as many letters from the caret on.
        match operator {
            Operator::Yank => {}
            _ if lines => self.repeat.change(String::new()),
            Operator::Delete => self.repeat.change(format!("{letters}x")),
            Operator::Change => {
                format!("{letters}s").chars().for_each(|c| self.repeat.hears(c));
                self.repeat.whole(did, false, buffer);
            }
        }
        did
    }

    fn select_to(&mut self, c: char, command: &Command, visual: Visual, buffer: &mut Buffer) -> Did {
        let text = buffer.text();
        let count = command.count.unwrap_or(0);
        if let Some(kind @ ('f' | 'F' | 't' | 'T')) = command.prefix {
            self.sought = Some(Sought::of(kind, c));
        }
        let motion = match (command.prefix, c) {
            (Some('f' | 'F' | 't' | 'T'), _) | (None, ';') => self
                .sought
                .and_then(|sought| sought.find(text, visual.at, count.max(1))),
            (None, ',') => self
                .sought
                .and_then(|sought| sought.back().find(text, visual.at, count.max(1))),
            (prefix, c) => Motion::of(c, prefix, text, visual.at, count),
        };
        let Some(motion) = motion else { return Did::Nothing };
        // Behind the last letter there is none to be on.
        let at = match motion.to {
            to if to >= text.len() => grapheme_before(text, text.len()),
            to => to,
        };
        self.shows(Visual { at, ..visual }, buffer)
    }
}
