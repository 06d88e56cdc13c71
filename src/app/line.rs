//! Lines of text as spans with semantic roles. `ui` assigns styles to the roles.

use benchdog_base::link::Link;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Role {
    #[default]
    Text,
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
pub struct Span {
    pub text: String,
    pub role: Role,
    pub link: Option<Link>,
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

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    pub spans: Vec<Span>,
    /// Number of spans at the start that are not part of the text, such as an indent.
    pub lead: usize,
    pub tail: usize,
    /// The number of spaces removed at the break before this wrapped row. `None` for the first row of a line.
    pub goes_on: Option<usize>,
    pub code: Option<CodePlace>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CodePlace {
    pub fence: usize,
    /// The index of the line (0-based).
    pub line: usize,
    /// The byte offset in the line at which this row starts.
    pub start: usize,
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
        self.spans
            .iter()
            .map(|span| benchdog_base::text::width(&span.text))
            .sum()
    }

    pub(crate) fn right(&mut self, role: Role, text: &str, columns: usize) {
        let gap = columns.saturating_sub(self.width() + benchdog_base::text::width(text));
        let before = self.spans.len();
        self.push(Role::Text, " ".repeat(gap));
        self.push(role, text);
        self.tail += self.spans.len() - before;
    }

    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(|span| span.text.as_str()).collect()
    }
}
