//! Lines of text as spans with semantic roles. `ui` maps roles to colours.

use crate::base::link::Link;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) enum Role {
    #[default]
    Text,
    /// Less important than the text around it.
    Dim,
    Bold,
    Italic,
    BoldItalic,
    Strike,
    Heading1,
    Heading2,
    Heading3,
    InlineCode,
    Code,
    Link,
    Quote,
    ListMark,
    TableRule,
    /// The name of a block: `you`, `plan`.
    Label,
    User,
    Tool,
    Output,
    Ok,
    Warning,
    Error,
    Waiting,
    Hit,
    Thought,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Span {
    pub(crate) text: String,
    pub(crate) role: Role,
    /// A hyperlink, if the terminal supports it.
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

/// A row on screen, already fitted to the width.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Line {
    pub(crate) spans: Vec<Span>,
    /// Number of spans at the beginning and at the end that are not text, such as an indent or a time.
    pub(crate) lead: usize,
    pub(crate) tail: usize,
    /// Set for a continuation row: the number of spaces removed at the line break.
    pub(crate) goes_on: Option<usize>,
    /// Position in a fenced code block, for highlighting.
    pub(crate) code: Option<CodePlace>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CodePlace {
    pub(crate) fence: usize,
    /// The line of the code (0-based).
    pub(crate) line: usize,
    /// The byte at which this row begins in the line.
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

    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| crate::base::text::width(&span.text)).sum()
    }

    /// Appends `text` at the right edge of a row of `columns`.
    pub(crate) fn right(&mut self, role: Role, text: &str, columns: usize) {
        let gap = columns.saturating_sub(self.width() + crate::base::text::width(text));
        let before = self.spans.len();
        self.push(Role::Text, " ".repeat(gap));
        self.push(role, text);
        self.tail += self.spans.len() - before;
    }

    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}
