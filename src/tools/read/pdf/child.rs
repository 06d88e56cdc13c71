//! `benchdog read-pdf`: the process that parses a PDF document. The process gives up its rights before it reads the
//! first byte of the document.
//!
//! Writes one line of JSON for each finished page, so that a crash at a later page does not lose earlier ones.

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use pdfboss_core::{Document, Error, Page};
use pdfboss_output::{FontCache, ReadingOrder, extract_text_reporting_cached};
use pdfboss_text::{SkippedTextKind, placed_images_reporting_cached};
use serde::{Deserialize, Serialize};

use super::pages::Pages;
use crate::read::sealed::{MOST_SECONDS, input, say};
use crate::size::floor;
use benchdog_base::panics::caught;
use benchdog_children::confined::{Bounds, seal};

/// The hidden command, which `main` checks before anything else.
pub const READ_PDF: &str = "read-pdf";

/// Limits of the process in bytes. `mapped` includes about 100 MB of the program itself.
const BOUNDS: Bounds = Bounds {
    mapped: 400 << 20,
    own: 160 << 20,
    cpu_seconds: MOST_SECONDS,
};

/// Approximate bytes that a heading adds to the text of a page.
const HEADING: usize = 40;

/// Selects the pages to read. The document is on standard input.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) len: usize,
    pub(super) pages: Pages,
    /// Number of selected pages that earlier processes have read.
    pub(super) skip: usize,
    pub(super) most: usize,
    /// Maximum bytes of text to return.
    pub(super) room: usize,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    /// Pages of the document. Always the first line.
    Total(usize),
    Page(usize, Content),
    Failed(Failure),
    /// The last line, unless the process failed.
    End,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Content {
    Text {
        text: String,
        /// Bytes of text beyond `room`, which were omitted.
        rest: usize,
        /// Whether text is missing because part of the page is damaged.
        is_partial: bool,
    },
    Empty {
        images: usize,
    },
    Damaged(String),
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Failure {
    /// The process could not give up its rights, so it read nothing.
    Unsealed(String),
    Encrypted,
    Damaged(String),
}

pub fn read_pdf(arguments: &[OsString]) -> ExitCode {
    let order = arguments.first().and_then(|order| order.to_str());
    let Some(order) = order.and_then(|order| serde_json::from_str::<Order>(order).ok()) else {
        return ExitCode::from(2);
    };
    let done = match seal(&BOUNDS) {
        Err(error) => say(&Line::Failed(Failure::Unsealed(error.to_string()))),
        Ok(()) => input(order.len).and_then(|bytes| extract(bytes, &order, &mut say)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        // Writing fails if the parent process no longer reads the lines.
        Err(_) => ExitCode::FAILURE,
    }
}

pub(super) fn extract(bytes: Vec<u8>, order: &Order, say: &mut impl FnMut(&Line) -> io::Result<()>) -> io::Result<()> {
    let opened = caught(|| {
        Document::load(bytes).map(|document| {
            let total = document.flattened_page_count();
            (document, total)
        })
    });
    let (document, total) = match opened {
        Some(Ok((_, 0))) => return say(&Line::Failed(Failure::Damaged("it has no pages".to_owned()))),
        Some(Ok(opened)) => opened,
        Some(Err(Error::Encrypted)) => return say(&Line::Failed(Failure::Encrypted)),
        Some(Err(error)) => return say(&Line::Failed(Failure::Damaged(error.to_string()))),
        None => return say(&Line::Failed(Failure::Damaged("its structure is broken".to_owned()))),
    };
    say(&Line::Total(total))?;
    let fonts = FontCache::default();
    let mut room = order.room;
    let chosen = order.pages.chosen(total).into_iter().skip(order.skip).take(order.most);
    for (at, number) in chosen.enumerate() {
        let content = caught(|| content(&document, &fonts, number));
        let content = content.unwrap_or_else(|| Content::Damaged("its content is broken".to_owned()));
        let content = match content {
            Content::Text { ref text, .. } if text.len() + HEADING > room && at + order.skip > 0 => break,
            Content::Text {
                mut text, is_partial, ..
            } => {
                let whole = text.len();
                text.truncate(floor(&text, room));
                let rest = whole - text.len();
                Content::Text { text, rest, is_partial }
            }
            other => other,
        };
        let used = match &content {
            Content::Text { text, .. } => text.len(),
            Content::Empty { .. } | Content::Damaged(_) => HEADING,
        };
        say(&Line::Page(number, content))?;
        room = room.saturating_sub(used + HEADING);
        if room == 0 {
            break;
        }
    }
    say(&Line::End)
}

fn content(document: &Document, fonts: &FontCache, number: usize) -> Content {
    let page = match document.page(number - 1) {
        Ok(page) => page,
        Err(error) => return Content::Damaged(error.to_string()),
    };
    let (text, report) = match extract_text_reporting_cached(document, &page, fonts, ReadingOrder::Content) {
        Ok(read) => read,
        Err(error) => return Content::Damaged(error.to_string()),
    };
    let is_partial = !report.skipped.is_empty();
    if !text.trim().is_empty() {
        return Content::Text {
            text,
            rest: 0,
            is_partial,
        };
    }
    let is_unreadable = (report.skipped.iter()).any(|skipped| skipped.kind == SkippedTextKind::PageContents);
    if is_unreadable || lacks_content(document, &page) {
        return Content::Damaged("its content is missing or broken".to_owned());
    }
    let images = placed_images_reporting_cached(document, &page, fonts);
    Content::Empty {
        images: images.map_or(0, |(images, _)| images.len()),
    }
}

/// Whether the page refers to content that the file lacks.
fn lacks_content(document: &Document, page: &Page) -> bool {
    let contents = page.dict().get("Contents");
    contents.is_some_and(|contents| document.resolve(contents).is_ok_and(|found| found.is_null()))
}
