//! Vi visual mode: `v` selects characters, `V` selects lines.

use super::motion::{Motion, Sought, around, line_end, line_start};
use super::{Buffer, Command, Did, OPERATORS, Operator, Register, Vim, onto_letter, other_case};
use benchdog_base::text::{grapheme_after, grapheme_before};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Visual {
    from: usize,
    at: usize,
    lines: bool,
}

impl Visual {
    fn range(self, text: &str) -> std::ops::Range<usize> {
        let (first, last) = (self.from.min(self.at), self.from.max(self.at));
        match self.lines {
            true => line_start(text, first)..line_end(text, last),
            false => first..grapheme_after(text, last),
        }
    }
}

impl Vim {
    pub(super) fn begin_selecting(&mut self, lines: bool, buffer: &mut Buffer) -> Did {
        let at = buffer.caret();
        self.show(Visual { from: at, at, lines }, buffer)
    }

    pub(crate) fn is_visual(&self, buffer: &Buffer) -> bool {
        let range = self.visual.map(|visual| visual.range(buffer.text()));
        range.is_some_and(|range| buffer.selection() == Some(range).filter(|range| !range.is_empty()))
    }

    /// Whether visual mode is active. Leaves visual mode if the buffer no longer has a selection.
    pub(super) fn selects(&mut self, buffer: &Buffer) -> bool {
        if !self.is_visual(buffer) {
            self.visual = None;
        }
        self.visual.is_some()
    }

    pub(crate) fn stops_selecting(&mut self, buffer: &mut Buffer) -> bool {
        let selects = self.selects(buffer);
        if let Some(visual) = self.visual.take() {
            self.command = Command::default();
            buffer.go_to(visual.at);
        }
        selects
    }

    fn show(&mut self, visual: Visual, buffer: &mut Buffer) -> Did {
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
        let Visual { from, at, lines } = visual;
        match (c, command.prefix) {
            ('1'..='9', None) => self.digit(c, command),
            ('0', None) if command.count.is_some() => self.digit(c, command),
            ('g' | 'f' | 'F' | 't' | 'T' | 'i' | 'a', None) => self.wait(c, command),
            (_, Some(kind @ ('i' | 'a'))) => match around(buffer.text(), at, c, kind == 'a') {
                Some(range) if !range.is_empty() => {
                    let at = grapheme_before(buffer.text(), range.end);
                    let from = range.start;
                    self.show(Visual { from, at, lines }, buffer)
                }
                Some(_) | None => Did::Nothing,
            },
            ('v' | 'V', None) if lines == (c == 'V') => {
                self.stops_selecting(buffer);
                Did::Moved
            }
            ('v' | 'V', None) => self.show(
                Visual {
                    lines: !lines,
                    ..visual
                },
                buffer,
            ),
            ('o', None) => self.show(
                Visual {
                    from: at,
                    at: from,
                    lines,
                },
                buffer,
            ),
            ('d' | 'x' | 'c' | 's' | 'y', None) => self.take_selected(c, visual, buffer),
            ('p' | 'P', None) => self.put_over(visual, buffer),
            ('~' | 'u' | 'U', None) => self.recase(c, visual, buffer),
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
        let letters = benchdog_base::text::graphemes(taken).count();
        let (rows, has_lines) = (taken.split('\n').count(), taken.contains('\n'));
        self.visual = None;
        let did = self.operate(*operator, range, visual.lines, buffer);
        // `.` repeats the change for the same number of lines, or for the same number of characters from the cursor.
        match operator {
            Operator::Yank => {}
            Operator::Delete if visual.lines => self.repeat.change(format!("{rows}dd")),
            Operator::Change if visual.lines => self.writes_behind(&format!("{rows}cc"), did, buffer),
            _ if has_lines => self.repeat.change(String::new()),
            Operator::Delete => self.repeat.change(format!("{letters}x")),
            Operator::Change => self.writes_behind(&format!("{letters}s"), did, buffer),
        }
        did
    }

    fn writes_behind(&mut self, letters: &str, did: Did, buffer: &Buffer) {
        letters.chars().for_each(|c| self.repeat.hears(c));
        self.repeat.whole(did, false, buffer);
    }

    fn put_over(&mut self, visual: Visual, buffer: &mut Buffer) -> Did {
        let range = visual.range(buffer.text());
        let text = buffer.text().get(range.clone()).unwrap_or_default().to_owned();
        let taken = Register {
            text,
            lines: visual.lines,
        };
        let put = std::mem::replace(&mut self.register, taken);
        let put = match put.lines && !visual.lines {
            true => format!("\n{}\n", put.text),
            false => put.text,
        };
        self.replace_selected(visual, &put, buffer);
        let last = grapheme_before(buffer.text(), range.start + put.len());
        buffer.go_to(if visual.lines {
            range.start
        } else {
            last.max(range.start)
        });
        onto_letter(buffer);
        Did::Changed
    }

    fn recase(&mut self, c: char, visual: Visual, buffer: &mut Buffer) -> Did {
        let range = visual.range(buffer.text());
        let text = buffer.text().get(range.clone()).unwrap_or_default();
        let text: String = match c {
            'u' => text.to_lowercase(),
            'U' => text.to_uppercase(),
            _ => benchdog_base::text::graphemes(text)
                .map(|(_, letter)| other_case(letter))
                .collect(),
        };
        self.replace_selected(visual, &text, buffer);
        buffer.go_to(range.start);
        Did::Changed
    }

    fn replace_selected(&mut self, visual: Visual, text: &str, buffer: &mut Buffer) {
        self.visual = None;
        self.repeat.change(String::new());
        buffer.seal();
        buffer.replace(visual.range(buffer.text()), text);
        buffer.seal();
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
        // The position at the end of the text has no character, so stay on the last character.
        let at = match motion.to {
            to if to >= text.len() => grapheme_before(text, text.len()),
            to => to,
        };
        self.show(Visual { at, ..visual }, buffer)
    }
}
