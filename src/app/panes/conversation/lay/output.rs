//! What came out of a call, as the rows beneath its own: whole, or what tells most of it with marks where the gaps are.

use std::ops::Range;

use super::Fold;
use super::failed::{fails, telling};
use crate::app::line::{Line, Role};
use crate::app::panes::conversation::decided::Decided;
use crate::base::text::{clean, expand_tabs, truncate, truncate_start, width as columns, wrap};
use crate::domain::summary::{ENDED_MEANWHILE, ENDINGS, NO_OUTPUT};
use crate::domain::tool::{CallStatus, OutputShown};
use crate::lang;

/// Rows of output shown of an error or of what was stopped, and of anything else, before `o` opens the whole.
pub(super) const ERROR_ROWS: usize = 12;
pub(super) const FOLDED_ROWS: usize = 3;
/// Rows of output shown at most, even opened.
pub(super) const OPEN_ROWS: usize = 5_000;
/// One of so many rows of what failed is for its end, whatever else tells of it.
const ROWS_FOR_END: usize = 4;
/// Rows of the line that says what failed, which has to be read whole; any other line is cut at its first.
const TELLING_ROWS: usize = 3;

pub(super) fn is_refused(decided: Option<&Decided>, status: CallStatus) -> bool {
    status == CallStatus::Denied && matches!(decided, Some(Decided::Refused(_)))
}

/// Why it was refused, in the words of the person or of their rules; what the model reads of it is a key away.
pub(super) fn refused(decided: Option<&Decided>, output: &str, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    match (decided, fold) {
        (Some(Decided::Refused(why)), Fold::Folded { .. }) => {
            self::output(why, CallStatus::Denied, fold, width, rows);
        }
        _ => self::output(output, CallStatus::Denied, fold, width, rows),
    }
}

/// Why a call failed, in the person's words where there are any; what the tool says to the model is a key away.
pub(super) fn why(code: &str, output: &str, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    // The row says it already.
    let text = output.strip_prefix(code).and_then(|rest| rest.strip_prefix(": "));
    match (lang::told(code), fold) {
        (Some(said), Fold::Folded { .. }) => whole(&format!("{said}{}", fold.hint()), width, rows),
        (Some(_), Fold::Open | Fold::Head) | (None, _) => {
            self::output(text.unwrap_or(output), CallStatus::Error, fold, width, rows);
        }
    }
}

/// Reading tools say enough in their one row; what a command printed is worth a look.
pub(super) fn tool_output(
    shown: OutputShown,
    text: &str,
    status: CallStatus,
    fold: Fold,
    width: usize,
    rows: &mut Vec<Line>,
) {
    let at_once = shown == OutputShown::AtOnce;
    let shows = match status {
        // What is left of it came out before the call was ended.
        CallStatus::Cancelled => at_once && !is_end_alone(text),
        CallStatus::Ok | CallStatus::Error | CallStatus::Denied => {
            fold == Fold::Open || status == CallStatus::Error || at_once
        }
    };
    if shows {
        output(text, status, fold, width, rows);
    }
}

/// A single line that tells the model how it ended, and that the summary says.
fn is_end_alone(text: &str) -> bool {
    let text = text.trim_end();
    !text.contains('\n') && ENDINGS.iter().any(|ending| text.starts_with(ending))
}

pub(super) fn output(text: &str, status: CallStatus, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    let text = clean(text);
    let text = match text.trim_end() {
        "" => return,
        NO_OUTPUT => &lang::no_output(),
        text => text,
    };
    let all = text.lines().count();
    if fold == Fold::Open {
        for line in text.lines().take(OPEN_ROWS) {
            whole(line, width, rows);
        }
        if all > OPEN_ROWS {
            rows.push(output_row(&lang::more_lines(all - OPEN_ROWS)));
        }
        return;
    }
    let most = match status {
        // Who stops a command was reading what it printed.
        CallStatus::Error | CallStatus::Cancelled => ERROR_ROWS,
        CallStatus::Ok | CallStatus::Denied => FOLDED_ROWS,
    };
    let most = most.max(fold.most());
    // A single line is shown rather than a row that says it is there.
    let most = if all == most + 1 { all } else { most };
    // A sentence about what failed is read to its end; a line that a program printed stays a row.
    let is_ours = matches!(status, CallStatus::Error | CallStatus::Denied) || text == ENDED_MEANWHILE;
    let is_sentence = is_ours && all == 1;
    let first = telling(text, status);
    let (tells, end) = parts(first, all, most);
    // The marks stand where the gaps are, the key in the first place where something is cut or left out.
    let (above, between) = (tells.start, end.start - tells.end);
    let mut hint = fold.hint();
    let lines = Lines {
        text,
        is_sentence,
        told: first.filter(|_| fails(status)),
        names_cut: fails(status) && above + between == 0,
        width,
    };
    if above > 0 {
        rows.push(output_row(&format!("… {}{hint}", lang::lines(above))));
        hint.clear();
    }
    lines.show(tells, &mut hint, rows);
    if between > 0 {
        rows.push(output_row(&format!("… {}{hint}", lang::lines(between))));
        hint.clear();
    }
    lines.show(end, &mut hint, rows);
}

/// The lines of an output that is folded.
struct Lines<'a> {
    text: &'a str,
    is_sentence: bool,
    /// The one that says what failed.
    told: Option<usize>,
    /// No mark of a gap names the key that opens it: the first line that is cut does.
    names_cut: bool,
    width: usize,
}

impl Lines<'_> {
    /// `hint`: what names the key, until it is named.
    fn show(&self, part: Range<usize>, hint: &mut String, rows: &mut Vec<Line>) {
        for (at, line) in self.text.lines().enumerate().skip(part.start).take(part.len()) {
            if self.is_sentence {
                whole(line, self.width, rows);
            } else if self.told == Some(at) {
                begin(line, (TELLING_ROWS, self.width), hint, rows);
            } else if self.names_cut {
                begin(line, (1, self.width), hint, rows);
            } else {
                rows.push(output_line(line, self.width));
            }
        }
    }
}

/// A line in at most so many rows. Where that is not all of it, `hint` goes behind the last of them, and is named by that.
fn begin(line: &str, (most, width): (usize, usize), hint: &mut String, rows: &mut Vec<Line>) {
    let line = expand_tabs(line);
    let room = width.saturating_sub(4).max(1);
    // No more than can be shown is laid out; a letter has four bytes at most.
    let upto = line.floor_char_boundary((most + 1) * room * 4);
    let ranges = wrap(line.get(..upto).unwrap_or_default(), room);
    let is_cut = ranges.len() > most || upto < line.len();
    let last = ranges.len().min(most);
    let mut end: Option<usize> = None;
    for (nth, range) in ranges.into_iter().take(most).enumerate() {
        let goes_on = end.map(|end| range.start - end);
        end = Some(range.end);
        let text = if is_cut && nth + 1 == last {
            let rest = line.get(range.start..).unwrap_or_default();
            let room = room.saturating_sub(columns(hint));
            format!("{}{}", truncate(rest, room), std::mem::take(hint))
        } else {
            line.get(range).unwrap_or_default().to_owned()
        };
        rows.push(Line {
            goes_on,
            ..output_row(&text)
        });
    }
}

/// The lines from the one on that tells most, and those of the end. The order of what two streams wrote is not known, and a line may only
/// seem to tell something: so of what failed the end is in view in any case.
fn parts(telling: Option<usize>, all: usize, most: usize) -> (Range<usize>, Range<usize>) {
    let last = all.saturating_sub(most);
    match telling.filter(|first| *first < last) {
        None => (last..last, last..all),
        Some(first) => {
            let from = all - most / ROWS_FOR_END;
            let upto = first + most - most / ROWS_FOR_END;
            // A single line is shown rather than a row that says it is there.
            let upto = if from == upto + 1 { from } else { upto };
            (first..upto, from..all)
        }
    }
}

pub(super) fn output_line(line: &str, width: usize) -> Line {
    let line = expand_tabs(line);
    output_row(&truncate(&line, width.saturating_sub(4)))
}

/// The end of a line that goes on: what it waits for stands there.
pub(super) fn output_end(line: &str, width: usize) -> Line {
    let line = expand_tabs(line);
    output_row(&truncate_start(&line, width.saturating_sub(4)))
}

/// A line in as many rows as it needs, broken between words.
pub(super) fn whole(line: &str, width: usize, rows: &mut Vec<Line>) {
    let line = expand_tabs(line);
    let mut end = None;
    for range in wrap(&line, width.saturating_sub(4).max(1)) {
        rows.push(Line {
            goes_on: end.map(|end| range.start - end),
            ..output_row(line.get(range.clone()).unwrap_or_default())
        });
        end = Some(range.end);
    }
}

pub(super) fn output_row(text: &str) -> Line {
    let mut row = Line {
        lead: 1,
        ..Line::of(Role::Dim, "  ┊ ")
    };
    row.push(Role::Output, text);
    row
}
