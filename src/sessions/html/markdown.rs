//! Converts a model's Markdown to HTML. Raw HTML is shown as text, and addresses are shown without links, so that the
//! page loads nothing.

use std::io::{self, Write};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::escape;

pub(super) fn write_markdown(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut writer = Writer::default();
    for event in Parser::new_ext(text, options) {
        writer.event(event, out)?;
    }
    writeln!(out)
}

#[derive(Default)]
struct Writer {
    in_head: bool,
    /// The addresses of the open links and images, the innermost last.
    addresses: Vec<String>,
}

impl Writer {
    fn event(&mut self, event: Event<'_>, out: &mut dyn Write) -> io::Result<()> {
        match event {
            Event::Start(tag) => self.start(&tag, out),
            Event::End(tag) => self.end(tag, out),
            Event::Code(code) => write!(out, "<code>{}</code>", escape(&code)),
            Event::Rule => writeln!(out, "<hr>"),
            Event::SoftBreak => writeln!(out),
            Event::HardBreak => writeln!(out, "<br>"),
            Event::TaskListMarker(true) => write!(out, "☑ "),
            Event::TaskListMarker(false) => write!(out, "☐ "),
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text)
            | Event::FootnoteReference(text) => write!(out, "{}", escape(&text)),
        }
    }

    fn start(&mut self, tag: &Tag<'_>, out: &mut dyn Write) -> io::Result<()> {
        match tag {
            Tag::Heading { level, .. } => write!(out, "<{}>", heading(*level)),
            Tag::CodeBlock(_) => write!(out, "<pre><code>"),
            Tag::List(Some(first)) => writeln!(out, "<ol start=\"{first}\">"),
            Tag::List(None) => writeln!(out, "<ul>"),
            Tag::TableHead => {
                self.in_head = true;
                write!(out, "<tr>")
            }
            Tag::TableCell if self.in_head => write!(out, "<th>"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                self.addresses.push(dest_url.to_string());
                Ok(())
            }
            other => match name(other.to_end()) {
                Some(name) => write!(out, "<{name}>"),
                None => Ok(()),
            },
        }
    }

    fn end(&mut self, tag: TagEnd, out: &mut dyn Write) -> io::Result<()> {
        match tag {
            TagEnd::Heading(level) => writeln!(out, "</{}>", heading(level)),
            TagEnd::CodeBlock => writeln!(out, "</code></pre>"),
            TagEnd::List(true) => writeln!(out, "</ol>"),
            TagEnd::List(false) => writeln!(out, "</ul>"),
            TagEnd::TableHead => {
                self.in_head = false;
                writeln!(out, "</tr>")
            }
            TagEnd::TableCell if self.in_head => write!(out, "</th>"),
            TagEnd::Link | TagEnd::Image => match self.addresses.pop() {
                Some(address) => write!(out, " (<code>{}</code>)", escape(&address)),
                None => Ok(()),
            },
            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough => close(tag, out),
            other => {
                close(other, out)?;
                writeln!(out)
            }
        }
    }
}

fn close(tag: TagEnd, out: &mut dyn Write) -> io::Result<()> {
    match name(tag) {
        Some(name) => write!(out, "</{name}>"),
        None => Ok(()),
    }
}

/// Returns the HTML element of a tag, if the element needs no attributes.
fn name(tag: TagEnd) -> Option<&'static str> {
    Some(match tag {
        TagEnd::Paragraph => "p",
        TagEnd::BlockQuote(_) => "blockquote",
        TagEnd::Item => "li",
        TagEnd::Table => "table",
        TagEnd::TableRow => "tr",
        TagEnd::TableCell => "td",
        TagEnd::Emphasis => "em",
        TagEnd::Strong => "strong",
        TagEnd::Strikethrough => "s",
        _ => return None,
    })
}

/// Returns the element of a heading. The page itself uses the first two levels.
fn heading(level: HeadingLevel) -> &'static str {
    match level {
        HeadingLevel::H1 => "h3",
        HeadingLevel::H2 => "h4",
        HeadingLevel::H3 => "h5",
        HeadingLevel::H4 | HeadingLevel::H5 | HeadingLevel::H6 => "h6",
    }
}
