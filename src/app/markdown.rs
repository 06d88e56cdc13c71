//! Markdown as rows of spans with meaning, for a width. One document is laid out segment by segment, so that what is
//! still streaming costs only its last segment.

mod inline;
mod render;
mod split;
mod table;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::line::Line;
pub(crate) use split::Splitter;

/// A fenced block, for highlighting.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct CodeBlock {
    /// `rust`; empty when the fence names none.
    pub(crate) lang: String,
    pub(crate) lines: Vec<String>,
}

/// The laid-out form of a document that may still grow. Equal to a fresh layout of the same text at every moment.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document {
    splitter: Splitter,
    width: usize,
    /// Rows of finished segments, then rows of the open one.
    rows: Vec<Line>,
    codes: Vec<CodeBlock>,
    /// How much of `rows` and `codes` is final.
    final_rows: usize,
    final_codes: usize,
    /// Lines of the open fence that are already in the final rows.
    fence: Option<OpenFence>,
    /// The byte up to which segments, and parts of the open one, are laid out for good.
    done: usize,
    /// The bytes of the text when it grew last.
    grown: usize,
    /// Rows of the open segment are among the final ones.
    begun: bool,
    /// What comes next goes on with the list that was laid out last.
    in_list: bool,
}

/// A fenced block that is still being written: its finished lines are final too.
#[derive(Debug, Clone, Default)]
struct OpenFence {
    /// The byte of the text after the last line that is laid out.
    upto: usize,
}

impl Document {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    /// The whole text at once.
    pub(crate) fn of(text: &str, width: usize) -> Self {
        let mut document = Self::new(width);
        document.grow(text);
        document
    }

    pub(crate) fn rows(&self) -> &[Line] {
        &self.rows
    }

    /// How many bytes of the text the rows show.
    pub(crate) fn grown(&self) -> usize {
        self.grown
    }

    pub(crate) fn codes(&self) -> &[CodeBlock] {
        &self.codes
    }

    pub(crate) fn into_parts(self) -> (Vec<Line>, Vec<CodeBlock>) {
        (self.rows, self.codes)
    }

    /// Lays out what was appended to `text` since the last call; what was there before must not have changed.
    pub(crate) fn grow(&mut self, text: &str) {
        self.rows.truncate(self.final_rows);
        self.codes.truncate(self.final_codes);
        self.grown = text.len();
        let ends = self.splitter.feed(text);
        for end in ends {
            let segment = text.get(self.done..end.at).unwrap_or_default();
            if self.fence.take().is_some() {
                // The fence was laid out line by line; lay its whole out again once, so that both ways agree.
                self.drop_open_fence();
            }
            self.lay(segment);
            self.finish(end.at);
            self.begun = false;
            self.in_list = end.in_list;
        }
        if self.splitter.in_top_fence() {
            self.grow_fence(text);
        } else {
            self.grow_parts(text);
            let open = text.get(self.done..).unwrap_or_default();
            self.lay(open);
        }
    }

    /// All rows there are belong to the text up to this byte, and are final.
    fn finish(&mut self, upto: usize) {
        self.final_rows = self.rows.len();
        self.final_codes = self.codes.len();
        self.done = upto;
    }

    /// Lays out the parts of the open segment that stay as they are: of a very long one only the last part is laid out anew.
    fn grow_parts(&mut self, text: &str) {
        while let Some((part, _)) = render::first_part(text.get(self.done..).unwrap_or_default()) {
            let upto = self.done + part.len();
            if upto > self.splitter.settled() {
                return;
            }
            self.lay(part);
            self.begun |= !part.trim().is_empty();
            self.finish(upto);
        }
    }

    fn lay(&mut self, segment: &str) {
        if segment.trim().is_empty() {
            return;
        }
        if !self.rows.is_empty() && !self.in_list && !self.begun {
            self.rows.push(Line::default());
        }
        render::segment(segment, self.width, &mut self.rows, &mut self.codes);
    }

    /// Lays out an open fence at the top level: complete lines become final, only the last one is laid out anew.
    fn grow_fence(&mut self, text: &str) {
        if self.fence.is_none() {
            let open = text.get(self.done..).unwrap_or_default();
            let Some((info, _)) = open.split_once('\n') else {
                // The line with the fence itself is not complete; nothing to show yet.
                return;
            };
            if !self.rows.is_empty() {
                self.rows.push(Line::default());
            }
            self.codes.push(CodeBlock {
                lang: split::language(info),
                lines: Vec::new(),
            });
            self.fence = Some(OpenFence {
                upto: self.done + info.len() + 1,
            });
            self.final_rows = self.rows.len();
            self.final_codes = self.codes.len();
        }
        let Some(fence) = self.fence.as_mut() else { return };
        let which = self.final_codes - 1;
        let Some(code) = self.codes.get_mut(which) else { return };
        let rest = text.get(fence.upto..).unwrap_or_default();
        let complete = rest.rfind('\n').map_or(0, |n| n + 1);
        let (complete, last) = rest.split_at_checked(complete).unwrap_or_default();
        // The unfinished line of the last call is not among the final ones.
        let known = code_lines(&self.rows, self.final_rows, which);
        code.lines.truncate(known);
        for line in complete.lines() {
            render::code_line(line, which, code, self.width, &mut self.rows);
        }
        fence.upto += complete.len();
        self.final_rows = self.rows.len();
        // What may become the end of the fence is no code yet, and at the end of an answer it is that end.
        if !last.is_empty() && !self.splitter.may_close(last) {
            render::code_line(last, which, code, self.width, &mut self.rows);
        }
    }

    /// Removes the rows of the fence that was laid out line by line, and the blank row before them.
    fn drop_open_fence(&mut self) {
        let which = self.final_codes.saturating_sub(1);
        let of_fence = |line: &Line| line.code.is_some_and(|place| place.fence == which);
        while self.rows.last().is_some_and(of_fence) {
            self.rows.pop();
        }
        if self.rows.last().is_some_and(|line| line.spans.is_empty()) {
            self.rows.pop();
        }
        self.codes.truncate(which);
        self.final_rows = self.rows.len();
        self.final_codes = self.codes.len();
    }
}

/// How many lines of the fenced block `which` are among the first `rows` rows.
fn code_lines(rows: &[Line], upto: usize, which: usize) -> usize {
    let last = rows.get(..upto).and_then(<[Line]>::last).and_then(|line| line.code);
    last.filter(|place| place.fence == which)
        .map_or(0, |place| place.line + 1)
}

/// The fenced and indented blocks of code in a text, exactly as they are written.
pub(crate) fn code_of(text: &str) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    let mut inside = false;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(_)) => {
                inside = true;
                codes.push(String::new());
            }
            Event::End(TagEnd::CodeBlock) => inside = false,
            Event::Text(text) if inside => {
                if let Some(code) = codes.last_mut() {
                    code.push_str(&text);
                }
            }
            _ => {}
        }
    }
    codes
}

#[cfg(test)]
mod tests;
