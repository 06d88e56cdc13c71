//! Rendering of one Markdown segment as rows.

use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::CodeBlock;
use super::inline::Inline;
use super::split::{begins_fence, language};
use super::table::Table;
use crate::line::{CodePlace, Line, Role, Span};
use benchdog_base::link::Link;
use benchdog_base::text::{expand_tabs, width as columns_of, wrap_whole};

const CODE_INDENT: &str = "  ";

/// A block that contains rows, and adds a prefix to each row.
enum Container {
    Quote,
    List {
        next: Option<u64>,
    },
    /// A list item. `mark` precedes the first row of the item. The other rows are indented by spaces.
    Item {
        mark: String,
        written: bool,
    },
}

struct Target {
    url: String,
    link: Option<Link>,
}

struct Renderer<'a> {
    width: usize,
    rows: &'a mut Vec<Line>,
    codes: &'a mut Vec<CodeBlock>,
    containers: Vec<Container>,
    inline: Inline,
    bold: usize,
    italic: usize,
    strike: usize,
    link: Option<Target>,
    heading: Option<Role>,
    code: Option<CodeBlock>,
    table: Option<Table>,
    gap: bool,
    begun: bool,
}

/// Maximum bytes that are parsed at once. The parser may need a hundred bytes of memory per character.
pub(super) const PART: usize = 64 * 1024;

pub(super) fn segment(mut text: &str, width: usize, rows: &mut Vec<Line>, codes: &mut Vec<CodeBlock>) {
    while let Some((part, rest)) = first_part(text) {
        part_of_segment(part, width, rows, codes);
        text = rest;
    }
    part_of_segment(text, width, rows, codes);
}

pub(super) fn first_part(text: &str) -> Option<(&str, &str)> {
    if text.len() <= PART || begins_fence(text) {
        return None;
    }
    let most = text.floor_char_boundary(PART);
    let (near, _) = text.split_at_checked(most)?;
    let end = near.rfind('\n').map_or(most, |end| end + 1);
    text.split_at_checked(end)
}

fn part_of_segment(text: &str, width: usize, rows: &mut Vec<Line>, codes: &mut Vec<CodeBlock>) {
    let mut renderer = Renderer {
        width,
        rows,
        codes,
        containers: Vec::new(),
        inline: Inline::default(),
        bold: 0,
        italic: 0,
        strike: 0,
        link: None,
        heading: None,
        code: None,
        table: None,
        gap: false,
        begun: false,
    };
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for event in Parser::new_ext(text, options) {
        renderer.event(event);
    }
    renderer.flush();
}

pub(super) fn code_line(line: &str, fence: usize, code: &mut CodeBlock, width: usize, rows: &mut Vec<Line>) {
    let number = code.lines.len();
    let shown = expand_tabs(line).into_owned();
    for range in wrap_whole(&shown, width.saturating_sub(CODE_INDENT.len()).max(1)) {
        let mut row = Line {
            code: Some(CodePlace {
                fence,
                line: number,
                start: range.start,
            }),
            lead: 1,
            goes_on: (range.start > 0).then_some(0),
            ..Line::default()
        };
        row.push(Role::Text, CODE_INDENT);
        row.push(Role::Code, shown.get(range).unwrap_or_default());
        rows.push(row);
    }
    code.lines.push(shown);
}

impl Renderer<'_> {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => match self.code.as_mut() {
                Some(code) => push_code(code, &text),
                None => {
                    let role = self.role();
                    self.push(role, &expand_tabs(&text));
                }
            },
            Event::Code(text) => self.push(Role::InlineCode, &text),
            Event::InlineMath(text) | Event::DisplayMath(text) => self.inline.push(Role::InlineCode, &text),
            Event::Html(text) | Event::InlineHtml(text) => self.inline.push(Role::Dim, &text),
            Event::FootnoteReference(name) => self.inline.push(Role::Dim, &format!("[{name}]")),
            // Keep the line breaks of the model's text, because the model chose them.
            Event::SoftBreak | Event::HardBreak => self.inline.push(Role::Text, "\n"),
            Event::Rule => {
                self.flush();
                let width = self.room().min(40);
                self.row(Line::of(Role::TableRule, "─".repeat(width)));
                self.gap = true;
            }
            Event::TaskListMarker(done) => {
                self.inline.push(Role::ListMark, if done { "[x] " } else { "[ ] " });
            }
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Paragraph | Tag::HtmlBlock | Tag::FootnoteDefinition(_) => self.flush(),
            Tag::Heading { level, .. } => {
                self.flush();
                self.gap = true;
                self.heading = Some(match level {
                    HeadingLevel::H1 => Role::Heading1,
                    HeadingLevel::H2 => Role::Heading2,
                    HeadingLevel::H3 | HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => Role::Heading3,
                });
            }
            Tag::BlockQuote(_) => {
                self.flush();
                self.containers.push(Container::Quote);
            }
            Tag::CodeBlock(kind) => {
                self.flush();
                self.code = Some(CodeBlock {
                    lang: match kind {
                        CodeBlockKind::Fenced(info) => language(&info),
                        CodeBlockKind::Indented => String::new(),
                    },
                    lines: Vec::new(),
                });
            }
            Tag::List(next) => {
                self.flush();
                self.containers.push(Container::List { next });
            }
            Tag::Item => {
                self.flush();
                let mark = match self.containers.last_mut() {
                    Some(Container::List { next: Some(number) }) => {
                        *number += 1;
                        format!("{}. ", *number - 1)
                    }
                    _ => "• ".to_owned(),
                };
                self.containers.push(Container::Item { mark, written: false });
            }
            Tag::Table(_) => {
                self.flush();
                self.table = Some(Table::default());
            }
            Tag::TableHead | Tag::TableRow => {
                if let Some(table) = self.table.as_mut() {
                    table.rows.push(Vec::new());
                }
            }
            Tag::TableCell => self.inline = Inline::default(),
            Tag::Emphasis => self.italic += 1,
            Tag::Strong => self.bold += 1,
            Tag::Strikethrough => self.strike += 1,
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.link = Some(Target {
                    link: Link::to(&dest_url),
                    url: dest_url.into_string(),
                });
            }
            Tag::DefinitionList
            | Tag::DefinitionListTitle
            | Tag::DefinitionListDefinition
            | Tag::Superscript
            | Tag::Subscript
            | Tag::MetadataBlock(_) => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Paragraph | TagEnd::HtmlBlock => {
                self.flush();
                self.gap = true;
            }
            TagEnd::Heading(_) => {
                self.flush();
                self.heading = None;
                self.gap = true;
            }
            TagEnd::BlockQuote(_) => {
                self.flush();
                self.containers.pop();
                self.gap = true;
            }
            TagEnd::CodeBlock => self.end_code(),
            TagEnd::List(_) => {
                self.flush();
                self.containers.pop();
                self.gap = !matches!(self.containers.last(), Some(Container::Item { .. }));
            }
            TagEnd::Item => {
                self.flush();
                if matches!(self.containers.last(), Some(Container::Item { written: false, .. })) {
                    self.row(Line::default());
                }
                self.containers.pop();
            }
            TagEnd::Table => {
                let width = self.room();
                for line in self.table.take().map(|table| table.lines(width)).unwrap_or_default() {
                    self.row(line);
                }
                self.gap = true;
            }
            TagEnd::TableCell => {
                let mut cell = std::mem::take(&mut self.inline);
                cell.find_links();
                if let Some(table) = self.table.as_mut() {
                    if table.rows.len() == 1 {
                        cell.spans.iter_mut().for_each(|span| span.role = Role::Bold);
                    }
                    if let Some(row) = table.rows.last_mut() {
                        row.push(cell);
                    }
                }
            }
            TagEnd::Emphasis => self.italic = self.italic.saturating_sub(1),
            TagEnd::Strong => self.bold = self.bold.saturating_sub(1),
            TagEnd::Strikethrough => self.strike = self.strike.saturating_sub(1),
            TagEnd::Link | TagEnd::Image => self.end_link(),
            TagEnd::TableHead
            | TagEnd::TableRow
            | TagEnd::FootnoteDefinition
            | TagEnd::DefinitionList
            | TagEnd::DefinitionListTitle
            | TagEnd::DefinitionListDefinition
            | TagEnd::Superscript
            | TagEnd::Subscript
            | TagEnd::MetadataBlock(_) => {}
        }
    }

    /// Ends a link. Appends the URL unless the text of the link already shows it, so that the target is never hidden.
    fn end_link(&mut self) {
        let Some(Target { url, link }) = self.link.take() else {
            return;
        };
        let whole = url.as_str();
        let bare = whole.strip_prefix("https://").or(whole.strip_prefix("http://"));
        let said = self.inline.spans.last().is_some_and(|span| {
            let text = span.text.trim_end_matches('/');
            [Some(whole), bare, whole.strip_prefix("mailto:")]
                .into_iter()
                .flatten()
                .any(|url| url.trim_end_matches('/') == text)
        });
        if !said && !url.is_empty() {
            self.inline.push(Role::Dim, " (");
            self.inline.linked(Role::Dim, &url, link.as_ref());
            self.inline.push(Role::Dim, ")");
        }
    }

    fn push(&mut self, role: Role, text: &str) {
        let link = self.link.as_ref().and_then(|target| target.link.as_ref());
        self.inline.linked(role, text, link);
    }

    fn end_code(&mut self) {
        let Some(code) = self.code.take() else { return };
        let fence = self.codes.len();
        let width = self.room();
        let mut shown = CodeBlock {
            lang: code.lang,
            lines: Vec::new(),
        };
        let mut rows = Vec::new();
        for line in &code.lines {
            code_line(line, fence, &mut shown, width, &mut rows);
        }
        for row in rows {
            self.row(row);
        }
        self.codes.push(shown);
        self.gap = true;
    }

    fn role(&self) -> Role {
        if let Some(heading) = self.heading {
            return heading;
        }
        if self.link.is_some() {
            return Role::Link;
        }
        let quoted = self
            .containers
            .iter()
            .any(|container| matches!(container, Container::Quote));
        match (self.bold > 0, self.italic > 0, self.strike > 0) {
            (_, _, true) => Role::Strike,
            (true, true, _) => Role::BoldItalic,
            (true, false, _) => Role::Bold,
            (false, true, _) => Role::Italic,
            (false, false, _) if quoted => Role::Quote,
            (false, false, _) => Role::Text,
        }
    }

    fn flush(&mut self) {
        if self.table.is_some() || self.inline.is_empty() {
            return;
        }
        let mut inline = std::mem::take(&mut self.inline);
        inline.find_links();
        if let Some(last) = inline.spans.last_mut() {
            last.text.truncate(last.text.trim_end_matches('\n').len());
        }
        for line in inline.rows(self.room()) {
            self.row(line);
        }
    }

    fn room(&self) -> usize {
        let before: usize = self
            .containers
            .iter()
            .map(|container| match container {
                Container::Quote => 2,
                Container::List { .. } => 0,
                Container::Item { mark, .. } => columns_of(mark),
            })
            .sum();
        self.width.saturating_sub(before).max(1)
    }

    fn row(&mut self, line: Line) {
        if std::mem::take(&mut self.gap) && self.begun {
            let blank = self.before(false);
            self.rows.push(blank);
        }
        self.begun = true;
        let mut row = self.before(true);
        let before = row.spans.len();
        row.spans.extend(line.spans);
        self.rows.push(Line {
            spans: row.spans,
            lead: before + line.lead,
            ..line
        });
    }

    fn before(&mut self, marks: bool) -> Line {
        let mut spans: Vec<Span> = Vec::new();
        let mut push = |role, text: String| spans.push(Span::of(role, text));
        for container in &mut self.containers {
            match container {
                Container::Quote => push(Role::Quote, "▎ ".to_owned()),
                Container::Item { mark, written } if marks && !*written => {
                    *written = true;
                    push(Role::ListMark, mark.clone());
                }
                Container::Item { mark, .. } => push(Role::Text, " ".repeat(columns_of(mark))),
                Container::List { .. } => {}
            }
        }
        if !marks && spans.iter().all(|span| span.text.trim().is_empty()) {
            spans.clear();
        }
        Line {
            spans,
            ..Line::default()
        }
    }
}

fn push_code(code: &mut CodeBlock, text: &str) {
    code.lines.extend(text.lines().map(str::to_owned));
}
