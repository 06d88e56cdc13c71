//! Renders a block as rows. Text from outside is cleaned of control characters first.

mod call;
mod failed;
mod head;
mod output;

use super::block::{Block, LONG_BEGIN, LONG_END, Laid, Source, is_long};
use super::decided::Decided;
use super::{Asks, found};
use crate::line::{Line, Role};
use crate::markdown::Document;
use crate::panes::prompt::Pasted;
use benchdog_base::clock::{Time, Zone};
use benchdog_base::text::{clean, expand_tabs, truncate_start, word_count, wrap};
use benchdog_domain::entry::{Body, Entry};
use benchdog_lang::{self as lang, Label, Word, word};
use benchdog_transcript::{self as transcript, Mark, Shown};

/// Number of rows of streamed reasoning that are shown. The rows are taken from the last `THOUGHT_BYTES` bytes.
const THOUGHT_ROWS: usize = 2;
const THOUGHT_BYTES: usize = 4 * 1024;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fold<'a> {
    Open,
    /// Folded to a few rows. If `most` exceeds the usual number of output rows, up to `most` rows are shown.
    Folded {
        key: &'a str,
        most: usize,
        pastes: &'a [Pasted],
    },
    /// Only the first rows, without the output of a call.
    Head,
}

const HEAD_BYTES: usize = 4 * 1024;

impl Fold<'_> {
    fn hint(self) -> String {
        match self {
            Self::Folded { key, .. } if !key.is_empty() => format!("  ({})", lang::message::fold_opens(key)),
            Self::Folded { .. } | Self::Open | Self::Head => String::new(),
        }
    }

    fn wanted(self, text: &str) -> &str {
        match self {
            Self::Head => text.get(..text.floor_char_boundary(HEAD_BYTES)).unwrap_or(text),
            Self::Open | Self::Folded { .. } => text,
        }
    }

    fn with_chips(self, text: &str) -> (String, String) {
        let Self::Folded { pastes, .. } = self else {
            return (text.to_owned(), String::new());
        };
        let (mut out, mut hidden, mut rest) = (String::new(), String::new(), text);
        let first = |rest: &str| {
            let found = pastes
                .iter()
                .filter_map(|(label, paste)| Some((rest.find(&**paste)?, label, paste.len())));
            found.min_by_key(|(at, ..)| *at)
        };
        while let Some((at, label, length)) = first(rest) {
            out.push_str(rest.get(..at).unwrap_or_default());
            out.push_str(label);
            hidden.push_str(rest.get(at..at + length).unwrap_or_default());
            hidden.push('\n');
            rest = rest.get(at + length..).unwrap_or_default();
        }
        (out + rest, hidden)
    }

    fn most(self) -> usize {
        match self {
            Self::Folded { most, .. } => most,
            Self::Open | Self::Head => 0,
        }
    }
}

pub(super) const RUNNING_ROWS: usize = output::ERROR_ROWS;

/// Renders a block. `key` opens folded blocks. `most` is the number of output rows, if above `FOLDED_ROWS`.
pub(super) fn block(
    block: &Block,
    (key, pastes): (&str, &[Pasted]),
    (width, most): (usize, usize),
    told: (Asks, &Zone),
    now: Time,
) -> Laid {
    let fold = if block.open {
        Fold::Open
    } else {
        Fold::Folded { key, most, pastes }
    };
    folded(block, fold, width, told, now)
}

pub(super) fn head_of(block: &Block, width: usize, told: (Asks, &Zone), now: Time) -> Vec<Line> {
    folded(block, Fold::Head, width, told, now).rows
}

fn folded(block: &Block, fold: Fold, width: usize, (asks, zone): (Asks, &Zone), now: Time) -> Laid {
    let mut laid = Laid {
        rows: Vec::new(),
        codes: Vec::new(),
    };
    let decided = block.decided.as_ref();
    match &block.source {
        Source::Entry(entry) => self::entry(entry, (decided, asks, zone), fold, width, &mut laid),
        Source::Thought(entry) => {
            if let Body::Assistant { reasoning, .. } = &entry.body {
                thought(reasoning, fold, Label::Thought, width, &mut laid.rows);
            }
        }
        Source::LiveThought { text, over: true } => thought(text, fold, Label::Thought, width, &mut laid.rows),
        Source::LiveThought { text, over: false } => {
            thought(text, fold, Label::Thinking, width, &mut laid.rows);
            if fold != Fold::Open {
                last_thoughts(text, width, &mut laid.rows);
            }
        }
        Source::Finding { .. } => {
            if let Some(finding) = block.finding() {
                found::rows(finding, width, &mut laid.rows);
            }
        }
        Source::Tool(tool) => call::tool(tool, decided, (fold, width), now, &mut laid.rows),
        Source::Error { text, hint, .. } => {
            if !text.is_empty() {
                marked(Mark::Failed, fold.wanted(text), width, &mut laid.rows);
            }
            if !hint.is_empty() {
                lines(fold.wanted(hint), Role::Dim, width, &mut laid.rows);
            }
        }
        Source::Earlier { turns } => {
            let text = format!("┄ {}{}", lang::message::shown_earlier(*turns), fold.hint());
            lines(&text, Role::Dim, width, &mut laid.rows);
        }
        Source::Remark(text) => lines(fold.wanted(text), Role::Dim, width, &mut laid.rows),
        Source::Live { .. } | Source::Gone => {}
    }
    if block.undoable {
        lines(
            &format!("  {}", word(Word::CanBeUndone)),
            Role::Dim,
            width,
            &mut laid.rows,
        );
    }
    laid
}

pub(super) fn label(label: Label) -> Line {
    Line::of(Role::Label, lang::label(label))
}

fn entry(
    entry: &Entry,
    (decided, asks, zone): (Option<&Decided>, Asks, &Zone),
    fold: Fold,
    width: usize,
    laid: &mut Laid,
) {
    let rows = &mut laid.rows;
    match transcript::shown(&entry.body) {
        Some(Shown::Said { label, text, along }) => {
            let label = match (label, asks) {
                (Label::You, Asks::Agent) => Label::Task,
                (label, _) => label,
            };
            let mut label = self::label(label);
            label.right(Role::Dim, &entry.time.hh_mm(zone), width);
            rows.push(label);
            said(&text, fold, width, rows);
            // Truncate the start of a long mention, because the end of a path is its most informative part.
            rows.extend(along.iter().map(|one| Line::of(Role::Dim, truncate_start(one, width))));
        }
        Some(Shown::Answered { label, text, cut }) => {
            if !text.is_empty() {
                rows.push(self::label(label));
                let (body, codes) = Document::of(&text, width).into_parts();
                rows.extend(body);
                laid.codes = codes;
            }
            if let Some(cut) = cut {
                marked(Mark::Failed, &cut, width, &mut laid.rows);
            }
        }
        Some(shown @ Shown::Ran { .. }) => call::ran((entry, shown), decided, fold, width, rows),
        Some(Shown::Remark(text)) => lines(&text, Role::Dim, width, rows),
        Some(Shown::Compacted { text, summary }) => compacted(&text, &summary, fold, width, rows),
        Some(Shown::Ended { mark: Mark::Ok, .. }) => {}
        Some(Shown::Ended { mark, text }) => marked(mark, text, width, rows),
        // Other parts of the screen show these entries.
        Some(Shown::Approval { .. } | Shown::Change { .. } | Shown::Todo(_) | Shown::Plan(_) | Shown::Findings(_))
        | None => {}
    }
}

/// Renders a prompt. A long prompt is folded to its start and its end, because the end often contains the question.
fn said(text: &str, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    if fold == Fold::Open || !is_long(text) {
        return lines(text, Role::User, width, rows);
    }
    let (text, pasted) = fold.with_chips(text);
    if !is_long(&text) {
        lines(&text, Role::User, width, rows);
        let what = amount(&pasted, 0);
        return lines(&format!("┄ {what}{}", fold.hint()), Role::Dim, width, rows);
    }
    // Only the visible part is wrapped. A character has at most four bytes.
    let text = text.trim_end();
    let begin = text.get(..text.floor_char_boundary(LONG_BEGIN * width * 4));
    let end = text.get(text.ceil_char_boundary(text.len().saturating_sub(LONG_END * width * 4))..);
    let (mut first, mut last) = (Vec::new(), Vec::new());
    lines(begin.unwrap_or_default(), Role::User, width, &mut first);
    lines(end.unwrap_or_default(), Role::User, width, &mut last);
    first.truncate(LONG_BEGIN);
    let last = last.split_off(last.len().saturating_sub(LONG_END));
    // Count the lines of which at least the first row is visible.
    let begun = |row: &&Line| row.goes_on.is_none();
    let shown = first.iter().chain(&last).filter(begun).count();
    let what = amount(text, shown);
    rows.extend(first);
    lines(&format!("┄ {what}{}", fold.hint()), Role::Dim, width, rows);
    rows.extend(last);
}

fn amount(text: &str, shown: usize) -> String {
    match text.lines().count() {
        0 | 1 => lang::message::count_words(word_count(text)),
        all => lang::message::count_lines(all.saturating_sub(shown).max(1)),
    }
}

fn marked(mark: Mark, text: &str, width: usize, rows: &mut Vec<Line>) {
    lines(&format!("{} {text}", mark.sign()), role(mark), width, rows);
}

pub(super) fn lines(text: &str, role: Role, width: usize, rows: &mut Vec<Line>) {
    for line in text.trim_end_matches('\n').split('\n') {
        let line = expand_tabs(line);
        let mut end = None;
        for range in wrap(&line, width) {
            rows.push(Line {
                goes_on: end.map(|end| range.start - end),
                ..Line::of(role, line.get(range.clone()).unwrap_or_default())
            });
            end = Some(range.end);
        }
    }
}

fn compacted(text: &str, summary: &str, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    let hint = if summary.is_empty() { String::new() } else { fold.hint() };
    lines(&format!("┄ {text}{hint}"), Role::Dim, width, rows);
    if fold == Fold::Open {
        lines(summary, Role::Thought, width, rows);
    }
}

fn thought(text: &str, fold: Fold, label: Label, width: usize, rows: &mut Vec<Line>) {
    let text = clean(text);
    let words = word_count(&text);
    let mut head = Line::of(Role::Thought, format!("· {}", lang::label(label)));
    head.right(
        Role::Dim,
        &format!("{}{}", lang::message::count_words(words), fold.hint()),
        width,
    );
    rows.push(head);
    if fold == Fold::Open {
        lines(&text, Role::Thought, width, rows);
    }
}

fn last_thoughts(text: &str, width: usize, rows: &mut Vec<Line>) {
    // Move the start in large steps. With smaller steps, the rows would wrap differently with each new character.
    let begin = (text.len() / THOUGHT_BYTES).saturating_sub(1) * THOUGHT_BYTES;
    let text = clean(text.get(text.ceil_char_boundary(begin)..).unwrap_or_default());
    let mut last = Vec::new();
    for line in text
        .lines()
        .rev()
        .filter(|line| !line.trim().is_empty())
        .take(THOUGHT_ROWS)
    {
        let mut own = Vec::new();
        lines(line, Role::Thought, width, &mut own);
        own.append(&mut last);
        last = own;
    }
    rows.extend(last.split_off(last.len().saturating_sub(THOUGHT_ROWS)));
}

fn role(mark: Mark) -> Role {
    match mark {
        Mark::Ok => Role::Ok,
        Mark::Failed => Role::Error,
        Mark::Denied | Mark::Stopped | Mark::Unknown => Role::Warning,
        Mark::Waiting | Mark::Running => Role::Waiting,
    }
}
