//! Renders Markdown as rows of spans. While text is streamed, only the last segment is rendered again.

mod inline;
mod render;
mod split;
mod table;

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

use super::line::Line;
pub(crate) use split::Splitter;

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CodeBlock {
    pub lang: String,
    pub lines: Vec<String>,
}

/// A Markdown document that grows. Its rows always equal the rows of the whole text rendered at once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Document {
    splitter: Splitter,
    width: usize,
    rows: Vec<Line>,
    codes: Vec<CodeBlock>,
    final_rows: usize,
    final_codes: usize,
    fence: Option<OpenFence>,
    /// Byte offset up to which the rendering is final.
    done: usize,
    grown: usize,
    begun: bool,
    in_list: bool,
}

#[derive(Debug, Clone, Default)]
struct OpenFence {
    upto: usize,
}

impl Document {
    pub(crate) fn new(width: usize) -> Self {
        Self {
            width,
            ..Self::default()
        }
    }

    pub(crate) fn of(text: &str, width: usize) -> Self {
        let mut document = Self::new(width);
        document.grow(text);
        document
    }

    pub fn rows(&self) -> &[Line] {
        &self.rows
    }

    pub(crate) fn grown(&self) -> usize {
        self.grown
    }

    pub(crate) fn codes(&self) -> &[CodeBlock] {
        &self.codes
    }

    pub(crate) fn into_parts(self) -> (Vec<Line>, Vec<CodeBlock>) {
        (self.rows, self.codes)
    }

    /// Renders appended text. The earlier text must not have changed.
    pub(crate) fn grow(&mut self, text: &str) {
        self.rows.truncate(self.final_rows);
        self.codes.truncate(self.final_codes);
        self.grown = text.len();
        let ends = self.splitter.feed(text);
        for end in ends {
            let segment = text.get(self.done..end.at).unwrap_or_default();
            if self.fence.take().is_some() {
                // Render a streamed code block again as a whole when the block is closed. The result then equals that
                // of rendering the whole text at once.
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

    fn finish(&mut self, upto: usize) {
        self.final_rows = self.rows.len();
        self.final_codes = self.codes.len();
        self.done = upto;
    }

    /// Splits a very long open segment into parts. All but the last part become final.
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

    /// Renders an open top-level code block. Complete lines become final. The last line is rendered again.
    fn grow_fence(&mut self, text: &str) {
        if self.fence.is_none() {
            let open = text.get(self.done..).unwrap_or_default();
            let Some((info, _)) = open.split_once('\n') else {
                // The opening line is incomplete, so there is nothing to show yet.
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
        // Remove the code line of the previous call that was still incomplete.
        let known = code_lines(&self.rows, self.final_rows, which);
        code.lines.truncate(known);
        for line in complete.lines() {
            render::code_line(line, which, code, self.width, &mut self.rows);
        }
        fence.upto += complete.len();
        self.final_rows = self.rows.len();
        // The last line may become the closing fence, so the line is not code yet.
        if !last.is_empty() && !self.splitter.may_close(last) {
            render::code_line(last, which, code, self.width, &mut self.rows);
        }
    }

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

fn code_lines(rows: &[Line], upto: usize, which: usize) -> usize {
    let last = rows.get(..upto).and_then(<[Line]>::last).and_then(|line| line.code);
    last.filter(|place| place.fence == which)
        .map_or(0, |place| place.line + 1)
}

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
