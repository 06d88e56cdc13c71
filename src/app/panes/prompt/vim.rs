//! Vi key bindings for the prompt: counts, motions, `d`, `c`, `y`, text objects, one register, visual mode, and `.`.

mod motion;
mod repeat;
mod visual;

use super::buffer::Buffer;
use benchdog_base::text::{grapheme_after, grapheme_before};
use motion::{Motion, Sought, around, line_end, line_start};
use repeat::Repeat;
use visual::Visual;

#[derive(Debug, Default)]
pub(crate) struct Vim {
    normal: bool,
    command: Command,
    sought: Option<Sought>,
    register: Register,
    repeat: Repeat,
    visual: Option<Visual>,
}

#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Command {
    count: Option<usize>,
    times: Option<usize>,
    operator: Option<Operator>,
    /// The first character of a command that consists of two characters.
    prefix: Option<char>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Delete,
    Change,
    Yank,
}

#[derive(Debug, Default)]
struct Register {
    text: String,
    lines: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Did {
    /// The keys have no effect, or the command is incomplete.
    Nothing,
    Moved,
    Changed,
    /// Move up or down by a row. At the first or last row, this may show another prompt of the history.
    Up,
    Down,
}

/// Maximum count before a command. A larger count is probably a typo.
const MOST: usize = 10_000;

impl Vim {
    pub(crate) fn is_normal(&self) -> bool {
        self.normal
    }

    pub(crate) fn escape(&mut self, buffer: &mut Buffer) {
        self.normal = true;
        self.command = Command::default();
        self.repeat.written(buffer);
        if buffer.caret() > line_start(buffer.text(), buffer.caret()) {
            buffer.go_to(grapheme_before(buffer.text(), buffer.caret()));
        }
    }

    pub(crate) fn insert(&mut self) {
        self.normal = false;
        self.command = Command::default();
        self.visual = None;
    }

    pub(crate) fn key(&mut self, c: char, buffer: &mut Buffer) -> Did {
        if self.selects(buffer) {
            return self.select(c, buffer);
        }
        if c == '.' && self.command.operator.is_none() && self.command.prefix.is_none() {
            return self.again(buffer);
        }
        self.repeat.hears(c);
        let did = self.letter(c, buffer);
        if self.command == Command::default() {
            self.repeat.whole(did, self.normal, buffer);
        }
        did
    }

    fn letter(&mut self, c: char, buffer: &mut Buffer) -> Did {
        let command = std::mem::take(&mut self.command);
        match (c, command.prefix) {
            ('1'..='9', None) => self.digit(c, command),
            ('0', None) if command.count.is_some() => self.digit(c, command),
            ('d' | 'c' | 'y', None) if command.operator.is_none() => {
                let operator = OPERATORS.iter().find(|(letter, _)| *letter == c).map(|(_, by)| *by);
                self.command = Command {
                    operator,
                    times: command.count,
                    ..Command::default()
                };
                Did::Nothing
            }
            ('g' | 'f' | 'F' | 't' | 'T' | 'r', None) => self.wait(c, command),
            ('i' | 'a', None) if command.operator.is_some() => self.wait(c, command),
            _ => self.act(c, &command, buffer),
        }
    }

    fn digit(&mut self, c: char, command: Command) -> Did {
        let digit = c.to_digit(10).unwrap_or(0) as usize;
        let count = command.count.unwrap_or(0) * 10 + digit;
        self.command = Command {
            count: Some(count.min(MOST)),
            ..command
        };
        Did::Nothing
    }

    fn wait(&mut self, c: char, command: Command) -> Did {
        self.command = Command {
            prefix: Some(c),
            ..command
        };
        Did::Nothing
    }

    fn act(&mut self, c: char, command: &Command, buffer: &mut Buffer) -> Did {
        let said = [command.times, command.count];
        let count = said.into_iter().flatten().product::<usize>().clamp(1, MOST);
        match (command.operator, command.prefix) {
            (Some(by), Some(kind @ ('i' | 'a'))) => match around(buffer.text(), buffer.caret(), c, kind == 'a') {
                Some(range) => self.operate(by, range, false, buffer),
                None => Did::Nothing,
            },
            (Some(by), None) if OPERATORS.contains(&(c, by)) => self.lines(by, count, buffer),
            (None, Some('r')) => overwrite(c, count, buffer),
            (None, None) => match self.single(c, count, buffer) {
                Some(did) => did,
                None => self.go(c, command, count, buffer),
            },
            _ => self.go(c, command, count, buffer),
        }
    }

    fn single(&mut self, c: char, count: usize, buffer: &mut Buffer) -> Option<Did> {
        let (text, at) = (buffer.text(), buffer.caret());
        let (start, end) = (line_start(text, at), line_end(text, at));
        let some = |letters: usize| (0..letters).fold(at, |to, _| if to < end { grapheme_after(text, to) } else { to });
        Some(match c {
            'k' => Did::Up,
            'j' => Did::Down,
            'v' | 'V' => self.begin_selecting(c == 'V', buffer),
            'i' => self.write(at, buffer),
            'a' => {
                let to = some(1);
                self.write(to, buffer)
            }
            'I' => {
                let to = motion::first_letter(text, start);
                self.write(to, buffer)
            }
            'A' => self.write(end, buffer),
            'o' => self.open(end, "\n", 1, buffer),
            'O' => self.open(start, "\n", 0, buffer),
            'x' => self.operate(Operator::Delete, at..some(count), false, buffer),
            'X' => {
                let from = (0..count).fold(at, |to, _| if to > start { grapheme_before(text, to) } else { to });
                self.operate(Operator::Delete, from..at, false, buffer)
            }
            's' => self.operate(Operator::Change, at..some(count), false, buffer),
            'D' => self.operate(Operator::Delete, at..end, false, buffer),
            'C' => self.operate(Operator::Change, at..end, false, buffer),
            'S' => self.lines(Operator::Change, count, buffer),
            'Y' => self.lines(Operator::Yank, count, buffer),
            'J' => join(end, buffer),
            'u' => history(Buffer::undo, buffer),
            'U' => history(Buffer::redo, buffer),
            'p' | 'P' => self.put(c == 'p', count, buffer),
            '~' => swap_case(some(1), buffer),
            _ => return None,
        })
    }

    fn go(&mut self, c: char, command: &Command, count: usize, buffer: &mut Buffer) -> Did {
        let (text, at) = (buffer.text(), buffer.caret());
        if let Some(kind @ ('f' | 'F' | 't' | 'T')) = command.prefix {
            self.sought = Some(Sought::of(kind, c));
        }
        let wanted = match (command.prefix, c) {
            (Some('f' | 'F' | 't' | 'T') | None, ';') | (Some('f' | 'F' | 't' | 'T'), _) => self.sought,
            (None, ',') => self.sought.map(Sought::back),
            _ => None,
        };
        let motion = match wanted {
            Some(sought) => sought.find(text, at, count),
            // `cw` changes the text up to the end of the word, not up to the start of the next word.
            None if command.operator == Some(Operator::Change)
                && matches!(c, 'w' | 'W')
                && !motion::on_blank(text, at) =>
            {
                Motion::of(if c == 'w' { 'e' } else { 'E' }, None, text, at, count)
            }
            None => Motion::of(
                c,
                command.prefix,
                text,
                at,
                command.count.or(command.times).map_or(0, |_| count),
            ),
        };
        let Some(motion) = motion else { return Did::Nothing };
        let Some(operator) = command.operator else {
            buffer.go_to(motion.to);
            onto_letter(buffer);
            return Did::Moved;
        };
        if motion.lines {
            let (from, to) = (at.min(motion.to), at.max(motion.to));
            let range = line_start(text, from)..line_end(text, to);
            return self.operate(operator, range, true, buffer);
        }
        let (from, mut to) = (at.min(motion.to), at.max(motion.to));
        if motion.inclusive {
            to = grapheme_after(text, to);
        }
        // On the last word of a line, do not include the line break.
        if matches!(c, 'w' | 'W') && text.get(from..to).is_some_and(|range| range.contains('\n')) {
            to = to.min(line_end(text, from).max(from));
        }
        self.operate(operator, from..to, false, buffer)
    }

    fn lines(&mut self, operator: Operator, count: usize, buffer: &mut Buffer) -> Did {
        let (text, at) = (buffer.text(), buffer.caret());
        let mut end = line_end(text, at);
        for _ in 1..count {
            if end < text.len() {
                end = line_end(text, end + 1);
            }
        }
        let range = line_start(text, at)..end;
        self.operate(operator, range, true, buffer)
    }

    fn operate(&mut self, operator: Operator, range: std::ops::Range<usize>, lines: bool, buffer: &mut Buffer) -> Did {
        let text = buffer.text();
        if let Some(taken) = text.get(range.clone()).filter(|taken| lines || !taken.is_empty()) {
            self.register = Register {
                text: taken.to_owned(),
                lines,
            };
        }
        if operator == Operator::Yank {
            buffer.go_to(range.start);
            return Did::Moved;
        }
        let range = match operator {
            // A line is deleted with its line break. The last line is deleted with the line break before it.
            Operator::Delete if lines && range.end < text.len() => range.start..range.end + 1,
            Operator::Delete if lines => range.start.saturating_sub(1)..range.end,
            _ => range,
        };
        buffer.seal();
        buffer.replace(range, "");
        buffer.seal();
        if operator == Operator::Change {
            self.insert();
        } else if lines {
            buffer.go_to(line_start(buffer.text(), buffer.caret()));
        } else {
            onto_letter(buffer);
        }
        Did::Changed
    }

    fn put(&self, after: bool, count: usize, buffer: &mut Buffer) -> Did {
        if self.register.text.is_empty() {
            return Did::Nothing;
        }
        let (text, at) = (buffer.text(), buffer.caret());
        let put = self.register.text.as_str();
        let (to, put, caret) = match (self.register.lines, after) {
            (true, true) => (line_end(text, at), format!("\n{put}").repeat(count), Some(1)),
            (true, false) => (line_start(text, at), format!("{put}\n").repeat(count), Some(0)),
            (false, true) => {
                let to = if at < line_end(text, at) {
                    grapheme_after(text, at)
                } else {
                    at
                };
                (to, put.repeat(count), None)
            }
            (false, false) => (at, put.repeat(count), None),
        };
        buffer.seal();
        buffer.replace(to..to, &put);
        buffer.seal();
        buffer.go_to(match caret {
            Some(within) => to + within,
            None => grapheme_before(buffer.text(), buffer.caret()),
        });
        Did::Changed
    }

    fn write(&mut self, at: usize, buffer: &mut Buffer) -> Did {
        self.insert();
        buffer.go_to(at);
        Did::Moved
    }

    fn open(&mut self, at: usize, line: &str, caret: usize, buffer: &mut Buffer) -> Did {
        self.insert();
        buffer.seal();
        buffer.replace(at..at, line);
        buffer.go_to(at + caret);
        Did::Changed
    }
}

const OPERATORS: [(char, Operator); 3] = [('d', Operator::Delete), ('c', Operator::Change), ('y', Operator::Yank)];

pub(super) fn onto_letter(buffer: &mut Buffer) {
    let (text, at) = (buffer.text(), buffer.caret());
    let is_selected = buffer.selection().is_some();
    if !is_selected && at == line_end(text, at) && at > line_start(text, at) {
        buffer.stand_at(grapheme_before(text, at));
    }
}

fn overwrite(c: char, count: usize, buffer: &mut Buffer) -> Did {
    let (text, at) = (buffer.text(), buffer.caret());
    let mut to = at;
    for _ in 0..count {
        if to == line_end(text, at) {
            return Did::Nothing;
        }
        to = grapheme_after(text, to);
    }
    buffer.seal();
    buffer.replace(at..to, &c.to_string().repeat(count));
    buffer.seal();
    buffer.go_to(grapheme_before(buffer.text(), buffer.caret()));
    Did::Changed
}

fn swap_case(to: usize, buffer: &mut Buffer) -> Did {
    let at = buffer.caret();
    let Some(letter) = buffer.text().get(at..to).filter(|letter| !letter.is_empty()) else {
        return Did::Nothing;
    };
    let swapped = other_case(letter);
    buffer.seal();
    buffer.replace(at..to, &swapped);
    buffer.seal();
    Did::Changed
}

fn other_case(letter: &str) -> String {
    let upper = letter.to_uppercase();
    if upper == letter { letter.to_lowercase() } else { upper }
}

fn join(end: usize, buffer: &mut Buffer) -> Did {
    let text = buffer.text();
    if end == text.len() {
        return Did::Nothing;
    }
    let next = motion::first_letter(text, end + 1);
    buffer.seal();
    buffer.replace(end..next, " ");
    buffer.seal();
    buffer.go_to(end);
    Did::Changed
}

fn history(way: fn(&mut Buffer), buffer: &mut Buffer) -> Did {
    way(buffer);
    onto_letter(buffer);
    Did::Changed
}

#[cfg(test)]
mod tests;
