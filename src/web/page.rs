//! Converts an HTML page to Markdown: the main article, or the whole page if no article is found.
//!
//! A small page can need much time and memory, because the parser has no limits (html5ever issue 788). So the parser
//! gets the page in pieces, and stops at a limit.

use std::io;
use std::time::{Duration, Instant};

use dom_query::{Document, NodeRef};
use dom_smoothie::{Config, Readability, TextMode};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};
use tokio::sync::{Semaphore, oneshot};

use crate::address::Address;
use crate::limits::{DEEPEST, MOST_NODES};
use benchdog_base::panics::caught;
use benchdog_base::text::one_line;

/// Maximum depth of a converted tree, because the converter is recursive. The check during parsing can miss some
/// growth.
const DEEPEST_CONVERTED: usize = 700;
const STACK: usize = 32 << 20;
const PARSE_TIME: Duration = Duration::from_secs(5);
/// Size in bytes of the pieces that the parser gets. Small, so that the tree grows little between two checks.
const PIECE: usize = 256;

/// Permits for two conversions at a time. A thread cannot be stopped, so one slow page must not block the next page.
static TURNS: Semaphore = Semaphore::const_new(2);

const NO_TEXT: &str = "script, style, noscript, template, svg, math, iframe, object, canvas, link, meta, dialog, select, button, [hidden], [style*='display:none'], [style*='display: none']";
/// Elements around the main text. They are omitted from whole pages.
const AROUND: &[&str] = &["nav", "header", "footer", "aside", "form"];

/// An article must contain at least 1/`LEAST_SHARE` of the page's text. Otherwise, the whole page is used.
const LEAST_SHARE: usize = 3;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Markdown {
    pub(crate) title: String,
    pub(crate) text: String,
    pub(crate) is_cut: bool,
}

/// Runs `work` on a thread with a large stack. The caller must limit the time.
pub(crate) async fn run_on_large_stack<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    let unable = |why: &str| Err(why.to_owned());
    let Ok(turn) = TURNS.acquire().await else {
        return unable("no page can be converted any more");
    };
    let (tell, told) = oneshot::channel();
    let started: io::Result<_> = std::thread::Builder::new()
        .name("web-page".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let done = caught(work).unwrap_or_else(|| Err("the converter failed".to_owned()));
            drop(turn);
            let _ = tell.send(done);
        });
    match started {
        Ok(_) => told.await.unwrap_or_else(|_| unable("the converter failed")),
        Err(error) => unable(&error.to_string()),
    }
}

pub(crate) fn markdown(html: &str, address: &Address) -> Result<Markdown, String> {
    let (document, is_cut) = parse(html)?;
    let title = document.select_single("title").text().trim().to_owned();
    document.select(NO_TEXT).remove();
    resolve_links(&document, address);
    let whole = match document.body() {
        Some(body) => body.md(Some(AROUND)),
        None => document.md(Some(AROUND)),
    };
    let article = article(document, address).filter(|article| article.len() * LEAST_SHARE >= whole.len());
    let text = article.unwrap_or_else(|| whole.to_string());
    Ok(Markdown {
        title: one_line(&title),
        text: tidy(&text),
        is_cut,
    })
}

fn article(document: Document, address: &Address) -> Option<String> {
    let config = Config {
        text_mode: TextMode::Markdown,
        // The class of a code block names its language.
        keep_classes: true,
        disable_json_ld: true,
        ..Config::default()
    };
    let mut reader = Readability::with_document(document, Some(address.as_str()), Some(config)).ok()?;
    if !reader.is_probably_readable() {
        return None;
    }
    Some(reader.parse().ok()?.text_content.to_string())
}

/// Parses a page. Also returns whether the end of the page was omitted.
pub(crate) fn parse(html: &str) -> Result<(Document, bool), String> {
    let options = ParseOpts {
        tree_builder: TreeBuilderOpts {
            scripting_enabled: false,
            ..TreeBuilderOpts::default()
        },
        ..ParseOpts::default()
    };
    let mut parser = parse_document(Document::default(), options);
    let began = Instant::now();
    let (mut rest, mut is_cut) = (html, false);
    while !rest.is_empty() {
        let (piece, behind) = rest.split_at(rest.floor_char_boundary(PIECE));
        parser.process(StrTendril::from(piece));
        rest = behind;
        let document = &parser.tokenizer.sink.sink;
        document.errors.borrow_mut().clear();
        if document.tree.len() > MOST_NODES || is_too_deep(document) || began.elapsed() > PARSE_TIME {
            is_cut = !rest.is_empty();
            break;
        }
    }
    let document = parser.finish();
    if depth(&document) > DEEPEST_CONVERTED {
        return Err("its tags are nested too deeply".to_owned());
    }
    Ok((document, is_cut))
}

/// Whether the open elements are nested too deeply. They are the last child at each level of the tree.
fn is_too_deep(document: &Document) -> bool {
    let mut node = Some(document.root());
    for _ in 0..=DEEPEST {
        node = node.and_then(|node| node.last_child());
    }
    node.is_some()
}

fn depth(document: &Document) -> usize {
    let (mut deepest, mut depth) = (0, 0);
    let mut next = Some(document.root());
    while let Some(node) = next {
        deepest = deepest.max(depth);
        next = if let Some(child) = node.first_child() {
            depth += 1;
            Some(child)
        } else {
            next_in_order(node, &mut depth)
        };
    }
    deepest
}

fn next_in_order<'d>(node: NodeRef<'d>, depth: &mut usize) -> Option<NodeRef<'d>> {
    let mut node = node;
    loop {
        if let Some(sibling) = node.next_sibling() {
            return Some(sibling);
        }
        node = node.parent()?;
        *depth = depth.saturating_sub(1);
    }
}

/// Makes the addresses of links and images absolute. Removes link addresses other than `http`, `https` and `mailto`,
/// and images without a description or a web address.
fn resolve_links(document: &Document, address: &Address) {
    let base = document.base_uri().and_then(|base| address.url().join(&base).ok());
    let base = base.as_ref().unwrap_or(address.url());
    for link in document.select("a[href]").nodes() {
        let href = link.attr("href").unwrap_or_default();
        match base.join(href.trim()) {
            Ok(url) if matches!(url.scheme(), "http" | "https" | "mailto") => link.set_attr("href", url.as_str()),
            _ => link.remove_attr("href"),
        }
    }
    for image in document.select("img").nodes() {
        let source = image.attr("src").and_then(|source| base.join(source.trim()).ok());
        match source.filter(|url| matches!(url.scheme(), "http" | "https")) {
            Some(url) if image.attr("alt").is_some_and(|alt| !alt.trim().is_empty()) => {
                image.set_attr("src", url.as_str());
            }
            _ => image.remove_from_parent(),
        }
    }
}

fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut blank = true;
    for line in text.lines() {
        let is_blank = line.trim().is_empty();
        if !(is_blank && blank) {
            out.push_str(line.trim_end());
            out.push('\n');
        }
        blank = is_blank;
    }
    out.truncate(out.trim_end().len());
    out
}

#[cfg(test)]
mod tests;
