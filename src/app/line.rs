//! Laid-out text: lines of spans with a role each. Roles name meaning; `ui` turns them into colours.

use crate::base::link::Link;

/// What a piece of text is. Nothing here is a colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Role {
    #[default]
    Text,
    /// Less important than what stands beside it.
    Dim,
    Bold,
    Italic,
    BoldItalic,
    Strike,
    Heading1,
    Heading2,
    Heading3,
    InlineCode,
    /// A line of a fenced block; `Line::code` says which.
    Code,
    Link,
    Quote,
    ListMark,
    TableRule,
    /// The name of a block: `you`, `plan`.
    Label,
    /// What the person wrote.
    User,
    /// The name of a tool in its row.
    Tool,
    /// Output of a tool or a command.
    Output,
    Ok,
    Warning,
    Error,
    /// Waiting for the person.
    Waiting,
    /// A hit of the search.
    Hit,
    /// The model's reasoning.
    Thought,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) role: Role,
    /// What a click on it opens, where the terminal can.
    pub(crate) link: Option<Link>,
}

impl Span {
    pub(crate) fn of(role: Role, text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            role,
            link: None,
        }
    }
}

/// One row of the screen, already no wider than it may be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line {
    pub(crate) spans: Vec<Span>,
    /// How many spans at the front, and at the end, are not its text: an indent, a bar, a time.
    pub(crate) lead: usize,
    pub(crate) tail: usize,
    /// It goes on with the line of the row above, from which the break took so many spaces.
    pub(crate) goes_on: Option<usize>,
    /// Where in which fenced block this row is, for highlighting.
    pub(crate) code: Option<CodePlace>,
}

/// A row of a fenced code block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodePlace {
    /// The n-th fenced code block of that conversation block.
    pub(crate) fence: usize,
    /// The line of the code, from 0.
    pub(crate) line: usize,
    /// The byte of that line at which this row begins, where a long line was wrapped.
    pub(crate) start: usize,
}

impl Line {
    pub(crate) fn of(role: Role, text: impl Into<String>) -> Self {
        Self {
            spans: vec![Span::of(role, text)],
            ..Self::default()
        }
    }

    pub(crate) fn push(&mut self, role: Role, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.spans.push(Span::of(role, text));
        }
    }

    /// Columns the row takes.
    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| crate::base::text::width(&span.text)).sum()
    }

    /// Puts `text` at the right edge of a row `columns` wide.
    pub(crate) fn right(&mut self, role: Role, text: &str, columns: usize) {
        let gap = columns.saturating_sub(self.width() + crate::base::text::width(text));
        let before = self.spans.len();
        self.push(Role::Text, " ".repeat(gap));
        self.push(role, text);
        self.tail += self.spans.len() - before;
    }

    /// The characters of the row.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}
