//! Splits growing Markdown text into segments. A segment never changes once it has ended.
//!
//! A segment ends before and after a top-level code block, and between top-level list items. A segment also ends before
//! an unindented line that follows a blank line. Link definitions and raw HTML that continue after a blank line are not
//! supported.

/// Number of bytes at the start of a line that suffice to identify the type of the line.
const BEGINNING: usize = 16 * 1024;

#[derive(Debug, Clone, Default)]
pub(crate) struct Splitter {
    read: usize,
    begun: bool,
    open: usize,
    fence: Option<Fence>,
    after_blank: bool,
    so_far: SoFar,
}

#[derive(Debug, Clone, Copy, Default)]
enum SoFar {
    /// Unindented lines of a paragraph, heading or table. A following list item would end them.
    #[default]
    Lines,
    /// A list item with text, and nested list items with text.
    Item(Item),
    /// Other text. A line in such text may or may not start a list item.
    Other,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    pub(super) at: usize,
    pub(super) in_list: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Item {
    Bullet(char),
    Number(u64, char),
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// Whether the code block is at top level, and therefore a segment of its own.
    top: bool,
}

impl Splitter {
    /// Returns the ends of segments that became final. `text` is the whole text so far.
    pub(super) fn feed(&mut self, text: &str) -> Vec<End> {
        let mut ends = Vec::new();
        while let Some(rest) = text.get(self.read..) {
            let length = rest.find('\n');
            let line = rest.get(..length.unwrap_or(rest.len())).unwrap_or_default();
            let is_long = self.fence.is_none() && line.len() > BEGINNING;
            let mut closed = false;
            if !self.begun && (length.is_some() || is_long) {
                let most = if is_long { BEGINNING } else { line.len() };
                let beginning = line.get(..line.floor_char_boundary(most)).unwrap_or_default();
                closed = self.line(beginning, &mut ends);
                self.begun = true;
            }
            let Some(length) = length else { break };
            self.begun = false;
            self.read += length + 1;
            if closed {
                self.cut(self.read, false, &mut ends);
            }
        }
        ends
    }

    /// Returns a position before which no later segment can end.
    pub(super) fn settled(&self) -> usize {
        if self.begun || self.open == self.read {
            usize::MAX
        } else {
            self.read
        }
    }

    fn cut(&mut self, at: usize, in_list: bool, ends: &mut Vec<End>) {
        if at > self.open {
            self.open = at;
            ends.push(End { at, in_list });
        }
    }

    fn line(&mut self, line: &str, ends: &mut Vec<End>) -> bool {
        if let Some(fence) = self.fence {
            let closed = closes(line, fence);
            if closed {
                self.fence = None;
                self.after_blank = false;
            }
            return closed && fence.top;
        }
        if line.trim().is_empty() {
            self.after_blank = true;
            return false;
        }
        let indented = line.starts_with(' ') || line.starts_with('\t');
        if let Some(mut fence) = opens(line) {
            fence.top = !indented;
            if fence.top {
                self.cut(self.read, false, ends);
            }
            self.so_far = SoFar::Other;
            self.fence = Some(fence);
        } else if !indented {
            let item = item(line);
            match (self.so_far, item) {
                _ if self.after_blank => self.cut(self.read, false, ends),
                (SoFar::Item(before), Some(item)) if before.precedes(item) => self.cut(self.read, true, ends),
                (SoFar::Lines, Some(Item::Bullet(_) | Item::Number(1, _))) => self.cut(self.read, false, ends),
                _ => {}
            }
            let first = self.open == self.read;
            self.so_far = match (self.so_far, item) {
                (_, Some(item)) if first && is_text(line) => SoFar::Item(item),
                (_, None) if first && !line.starts_with('<') => SoFar::Lines,
                (SoFar::Lines, None) => SoFar::Lines,
                _ => SoFar::Other,
            };
        } else {
            let text = line.trim_start();
            let inside = matches!(self.so_far, SoFar::Item(item) if line.len() - text.len() >= item.columns());
            if self.open == self.read || !is_text(text) || !inside && item(text).is_some() {
                self.so_far = SoFar::Other;
            }
        }
        self.after_blank = false;
        false
    }

    pub(super) fn may_close(&self, line: &str) -> bool {
        let marks = line.trim();
        self.fence
            .is_some_and(|fence| !marks.is_empty() && marks.chars().all(|c| c == fence.mark))
    }

    pub(super) fn in_top_fence(&self) -> bool {
        self.fence.is_some_and(|fence| fence.top)
    }
}

impl Item {
    /// Returns the number of columns of the marker. Text with a smaller indent is not part of the item.
    fn columns(self) -> usize {
        match self {
            Self::Bullet(_) => 2,
            Self::Number(value, _) => value.to_string().len() + 2,
        }
    }

    fn precedes(self, next: Self) -> bool {
        match (self, next) {
            (Self::Bullet(a), Self::Bullet(b)) => a == b,
            // A list whose numbers are not consecutive is rendered as a whole, because Markdown renumbers its items.
            (Self::Number(a, mark), Self::Number(b, same)) => mark == same && b == a + 1,
            (Self::Bullet(_), Self::Number(..)) | (Self::Number(..), Self::Bullet(_)) => false,
        }
    }
}

/// Parses a list item whose text has no additional indent.
fn item(line: &str) -> Option<Item> {
    let (mark, text) = line.split_once(' ')?;
    let rule = line.chars().all(|c| matches!(c, '-' | '*' | '+' | ' '));
    if text.trim().is_empty() || rule {
        return None;
    }
    let number = mark.trim_end_matches(['.', ')']);
    match (mark, number.parse()) {
        ("-" | "*" | "+", _) => mark.chars().next().map(Item::Bullet),
        (_, Ok(value)) if mark.len() == number.len() + 1 && number.len() <= 9 => {
            Some(Item::Number(value, mark.chars().next_back()?))
        }
        _ => None,
    }
}

/// Whether a line is plain text, or a list item with text. There is never a blank row after such a line.
fn is_text(line: &str) -> bool {
    let text = match item(line) {
        Some(_) => line.split_once(' ').map_or("", |(_, text)| text.trim_start()),
        None => line,
    };
    item(text).is_none() && !text.starts_with(['>', '#', '|', '<', '-', '+', '=', '~', ':'])
}

fn opens(line: &str) -> Option<Fence> {
    let text = line.trim_start().trim_start_matches("> ");
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == mark).count();
    let info = text.trim_start_matches(mark);
    // Backquotes that occur again later in the line are inline code, not a fence.
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Fence {
        mark,
        length,
        top: false,
    })
}

pub(super) fn begins_fence(text: &str) -> bool {
    text.starts_with(['`', '~']) && opens(text.lines().next().unwrap_or_default()).is_some()
}

fn closes(line: &str, fence: Fence) -> bool {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let text = line.trim_start().trim_start_matches("> ").trim_end();
    (indent <= 3 || !fence.top) && text.chars().count() >= fence.length && text.chars().all(|c| c == fence.mark)
}

pub(super) fn language(info: &str) -> String {
    info.trim_start_matches(['`', '~'])
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_matches(['{', '}', '.'])
        .to_owned()
}
