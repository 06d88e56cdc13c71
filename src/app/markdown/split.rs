//! Where a growing markdown text can be cut, so that what lies before the cut never changes again.
//!
//! Cuts are made at the start of a line that follows a blank line outside fences and is not indented, before a fence at
//! the left edge, and after its end. Link definitions and raw HTML that reach over a blank line are not followed.

/// Reads each line once, when it is complete.
#[derive(Debug, Clone, Default)]
pub(crate) struct Splitter {
    /// The byte up to which complete lines were read.
    read: usize,
    /// The byte at which the open segment begins.
    open: usize,
    fence: Option<Fence>,
    after_blank: bool,
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    mark: char,
    length: usize,
    /// At the left edge: a segment of its own.
    top: bool,
}

impl Splitter {
    /// The ends of segments that became final, given the whole text so far.
    pub(super) fn feed(&mut self, text: &str) -> Vec<usize> {
        let mut ends = Vec::new();
        while let Some(rest) = text.get(self.read..)
            && let Some(length) = rest.find('\n')
        {
            let line = rest.get(..length).unwrap_or_default();
            self.line(line, &mut ends);
            self.read += length + 1;
            if self.fence.is_none() && ends.last() == Some(&usize::MAX) {
                // The line closed a fence at the top level: the segment ends after it.
                ends.pop();
                self.cut(self.read, &mut ends);
            }
        }
        ends
    }

    fn cut(&mut self, at: usize, ends: &mut Vec<usize>) {
        if at > self.open {
            self.open = at;
            ends.push(at);
        }
    }

    fn line(&mut self, line: &str, ends: &mut Vec<usize>) {
        if let Some(fence) = self.fence {
            if closes(line, fence) {
                self.fence = None;
                self.after_blank = false;
                if fence.top {
                    ends.push(usize::MAX);
                }
            }
            return;
        }
        if line.trim().is_empty() {
            self.after_blank = true;
            return;
        }
        let indented = line.starts_with(' ') || line.starts_with('\t');
        if let Some(mut fence) = opens(line) {
            fence.top = !indented;
            if fence.top {
                self.cut(self.read, ends);
            }
            self.fence = Some(fence);
        } else if self.after_blank && !indented {
            self.cut(self.read, ends);
        }
        self.after_blank = false;
    }

    /// Whether the open segment is a fenced block at the left edge.
    pub(super) fn in_top_fence(&self) -> bool {
        self.fence.is_some_and(|fence| fence.top)
    }
}

fn opens(line: &str) -> Option<Fence> {
    let text = line.trim_start().trim_start_matches("> ");
    let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let length = text.chars().take_while(|c| *c == mark).count();
    let info = text.trim_start_matches(mark);
    // Three backquotes and more of them in one line are inline code.
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some(Fence {
        mark,
        length,
        top: false,
    })
}

fn closes(line: &str, fence: Fence) -> bool {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let text = line.trim_start().trim_start_matches("> ").trim_end();
    (indent <= 3 || !fence.top) && text.chars().count() >= fence.length && text.chars().all(|c| c == fence.mark)
}

/// The language a fence names: the first word after the marks.
pub(super) fn language(info: &str) -> String {
    info.trim_start_matches(['`', '~'])
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .trim_matches(['{', '}', '.'])
        .to_owned()
}
