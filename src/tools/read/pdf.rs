//! Shows the text of a PDF document, page by page. A separate process without rights parses the document, so a hostile
//! file can crash only that process.

mod child;
mod pages;

use std::time::Instant;

use super::ReadPlan;
use super::sealed::{self, reason};
use crate::program::{How, Said};
use crate::size::count;
use crate::{ToolContext, cancelled};
use benchdog_base::disk::bytes_text;
use benchdog_base::text::{clean, grouped};
use benchdog_domain::places::Place;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::Outcome;
use child::{Content, Failure, Line, Order};
pub use child::{READ_PDF, read_pdf};
pub(super) use pages::Pages;
use pages::{USUAL, ranges};

/// Maximum bytes of a document.
const MOST_FILE: usize = 50 << 20;
/// Maximum number of processes per call. If a page crashes a process, another process continues with the next page.
const MOST_STARTS: usize = 4;
/// Bytes of a result that are reserved for its first and last line.
const FRAME: usize = 600;

/// Placeholder for a character to which the document's fonts give no Unicode value.
const UNKNOWN: char = char::REPLACEMENT_CHARACTER;

pub(super) struct Pdf(Vec<u8>);

impl Pdf {
    /// Returns the document, or the bytes as the error if they are no PDF document. In a file named `.pdf`, other bytes
    /// may precede the PDF header, as PDF viewers allow.
    pub(super) fn of(bytes: Vec<u8>, shown: &str) -> Result<Self, Vec<u8>> {
        let is_named = (shown.rsplit_once('.')).is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("pdf"));
        let start = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
        let is_one = bytes.starts_with(b"%PDF-") || is_named && start.windows(5).any(|found| found == b"%PDF-");
        if is_one { Ok(Self(bytes)) } else { Err(bytes) }
    }
}

/// The number of pages in the document, and the pages that were read.
#[derive(Default)]
struct Reading {
    total: Option<usize>,
    pages: Vec<(usize, Content)>,
    failure: Option<Failure>,
    is_done: bool,
}

pub(super) async fn read(pdf: Pdf, plan: &ReadPlan, room: usize, cx: &ToolContext) -> Outcome {
    let shown = plan.path.shown();
    let Pdf(bytes) = pdf;
    if bytes.len() > MOST_FILE {
        return Outcome::error(
            "too_large",
            format!(
                "`{shown}` is a PDF document of {}; documents over {} are not read. Use `bash` with a program such as `pdftotext -f 1 -l 5`.",
                bytes_text(bytes.len()),
                bytes_text(MOST_FILE)
            ),
        );
    }
    let (pages, most) = match &plan.pages {
        Some(pages) => (pages.clone(), usize::MAX),
        None => (Pages::from(plan.first + 1), plan.given_limit.unwrap_or(USUAL)),
    };
    // One byte of text can become six bytes of JSON.
    let within = sealed::within(room.saturating_mul(8) + (1 << 20));
    let mut reading = Reading::default();
    let mut order = Order {
        len: bytes.len(),
        pages,
        skip: 0,
        most,
        room: room.saturating_sub(FRAME),
    };
    for _ in 0..MOST_STARTS {
        match sealed::start(READ_PDF, &order, &bytes, within, cx).await {
            Err(error) => return Outcome::error("internal", format!("`{shown}` was not read: {error}.")),
            Ok(Said { how: How::Stopped, .. }) => return cancelled("It only looked; nothing was changed."),
            Ok(said) => reading.add(&said, &order, within.until),
        }
        if reading.is_done || Instant::now() >= within.until {
            break;
        }
        order.skip = reading.pages.len();
        order.most = most.saturating_sub(order.skip);
        order.room = room.saturating_sub(FRAME + reading.len());
    }
    drop(bytes);
    reading.outcome(shown, &order.pages)
}

impl Reading {
    /// Adds the lines that one process wrote. If the process ended too early, the page in progress counts as damaged.
    fn add(&mut self, said: &Said, order: &Order, until: Instant) {
        let lines = said.output.lines().filter_map(|line| serde_json::from_str(line).ok());
        for line in lines {
            match line {
                Line::Total(total) => self.total = Some(total),
                Line::Page(number, content) => self.pages.push((number, content)),
                Line::Failed(failure) => {
                    self.failure = Some(failure);
                    self.is_done = true;
                }
                Line::End => self.is_done = true,
            }
        }
        // A further call can read the page that the deadline interrupted.
        let is_cut_short = Instant::now() >= until && self.pages.len() > order.skip;
        if self.is_done || is_cut_short {
            return;
        }
        let why = reason(said, until, "its text is too long");
        let next = self
            .total
            .and_then(|total| order.pages.chosen(total).get(self.pages.len()).copied());
        match next {
            Some(number) => self.pages.push((number, Content::Damaged(why))),
            None => {
                self.failure = Some(Failure::Damaged(why));
                self.is_done = true;
            }
        }
    }

    fn len(&self) -> usize {
        let texts = self.pages.iter().map(|(_, content)| match content {
            Content::Text { text, .. } => text.len(),
            Content::Empty { .. } | Content::Damaged(_) => 0,
        });
        texts.sum::<usize>() + 80 * self.pages.len()
    }

    fn outcome(self, shown: &str, pages: &Pages) -> Outcome {
        if let Some(failure) = self.failure {
            return failed(shown, failure);
        }
        let total = self.total.unwrap_or_default();
        let chosen = pages.chosen(total);
        let document = count(total, "page", "pages");
        if chosen.is_empty() {
            let first = grouped(pages.first() as u64);
            return Outcome::error(
                "past_the_end",
                format!("`{shown}` has {document}; page {first} is past its end."),
            );
        }
        let mut out = format!("[PDF document of {document}]\n");
        let (mut is_cut, mut is_scanned) = (false, false);
        for (number, content) in &self.pages {
            is_cut |= matches!(content, Content::Text { rest: 1.., .. });
            is_scanned |= matches!(content, Content::Empty { images: 1.. });
            page(&mut out, (*number, total), shown, content);
        }
        if is_scanned {
            out.push_str("[scanned pages are images; text recognition, such as `ocrmypdf`, makes them readable]\n");
        }
        let rest = chosen.get(self.pages.len()..).unwrap_or_default();
        if let Some(next) = rest.first() {
            let number = grouped(self.pages.len() as u64);
            let part = ranges(rest.get(..rest.len().min(USUAL)).unwrap_or_default());
            out.push_str(&format!("[{number} of {document} shown; go on with "));
            // Suggest `offset` too, because some model servers allow only declared arguments, and `pages` is
            // undeclared.
            if rest.iter().zip(*next..).all(|(number, next)| *number == next) {
                out.push_str(&format!("offset {next}, or with "));
            }
            out.push_str(&format!("pages \"{part}\"]\n"));
        }
        Outcome {
            truncated: is_cut || !rest.is_empty(),
            places: vec![Place {
                path: shown.to_owned(),
                lines: Vec::new(),
            }],
            ..Outcome::ok(
                Summary::SomePages {
                    shown: self.pages.len() as u64,
                    pages: total as u64,
                },
                out,
            )
        }
    }
}

fn page(out: &mut String, (number, total): (usize, usize), shown: &str, content: &Content) {
    let heading = format!("page {number} of {total}");
    match content {
        Content::Text { text, rest, is_partial } => {
            out.push_str(&format!("[{heading}]\n{}\n", clean(text).trim_end()));
            if *rest > 0 {
                let rest = bytes_text(*rest);
                out.push_str(&format!(
                    "… [{rest} more on this page; `pdftotext -f {number} -l {number} {shown} -` prints it]\n"
                ));
            }
            let unknown = text.chars().filter(|c| *c == UNKNOWN).count();
            if unknown > 0 {
                out.push_str(&format!(
                    "[characters without a known meaning, shown as {UNKNOWN}: {unknown}]\n"
                ));
            }
            if *is_partial {
                out.push_str("[a part of this page is damaged]\n");
            }
        }
        Content::Empty { images: 0 } => out.push_str(&format!("[{heading}: no text]\n")),
        Content::Empty { .. } => out.push_str(&format!("[{heading}: scanned, no text]\n")),
        Content::Damaged(why) => out.push_str(&format!("[{heading}: not readable, {}]\n", clean(why))),
    }
}

fn failed(shown: &str, failure: Failure) -> Outcome {
    match failure {
        Failure::Encrypted => Outcome::error(
            "encrypted",
            format!(
                "`{shown}` is an encrypted PDF document, which needs a password. Ask the user for a copy without one, \
                 which `qpdf --password=PASSWORD --decrypt FROM.pdf TO.pdf` writes."
            ),
        ),
        Failure::Damaged(why) => Outcome::error(
            "damaged",
            format!(
                "`{shown}` is a PDF document that cannot be read: {}. `qpdf FROM.pdf TO.pdf` may repair it.",
                clean(&why)
            ),
        ),
        Failure::Unsealed(why) => Outcome::error(
            "not_confined",
            format!(
                "`{shown}` was not read, because this system cannot confine the reader of PDF documents: {}. \
                 Use `bash` with a program such as `pdftotext`.",
                clean(&why)
            ),
        ),
    }
}

#[cfg(test)]
mod tests;
