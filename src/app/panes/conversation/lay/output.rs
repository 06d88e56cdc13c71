//! Renders the output of a call: all of it, or its most informative parts with marks for omitted lines.

use std::ops::Range;

use super::Fold;
use super::failed::{fails, telling};
use crate::line::{Line, Role};
use crate::panes::conversation::decided::Decided;
use benchdog_base::text::{clean, expand_tabs, truncate, truncate_start, width as columns, wrap};
use benchdog_domain::summary::{ENDED_MEANWHILE, ENDINGS, NO_OUTPUT};
use benchdog_domain::tool::{CallStatus, OutputShown};
use benchdog_lang as lang;

/// Number of rows of folded output of a failed or stopped call. `FOLDED_ROWS` applies to other calls.
pub(super) const ERROR_ROWS: usize = 12;
pub(super) const FOLDED_ROWS: usize = 3;
pub(super) const OPEN_ROWS: usize = 5_000;
/// The end of failed output gets `1 / ROWS_FOR_END` of the folded rows. The others start at the line with the error.
const ROWS_FOR_END: usize = 4;
/// Maximum number of rows for the line that shows the error. Other lines are truncated to one row.
const TELLING_ROWS: usize = 3;

pub(super) fn is_refused(decided: Option<&Decided>, status: CallStatus) -> bool {
    status == CallStatus::Denied && matches!(decided, Some(Decided::Refused(_)))
}

/// Renders a denied call. If folded, shows the reason of the user or rule, and otherwise the text for the model.
pub(super) fn refused(decided: Option<&Decided>, output: &str, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    match (decided, fold) {
        (Some(Decided::Refused(why)), Fold::Folded { .. }) => {
            self::output(why, CallStatus::Denied, fold, width, rows);
        }
        _ => self::output(output, CallStatus::Denied, fold, width, rows),
    }
}

/// Renders an error. If folded, shows the translated explanation, if any, and otherwise the text for the model.
pub(super) fn why(code: &str, output: &str, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    // The row of the call already shows the code.
    let text = output.strip_prefix(code).and_then(|rest| rest.strip_prefix(": "));
    match (lang::told(code), fold) {
        (Some(said), Fold::Folded { .. }) => whole(&format!("{said}{}", fold.hint()), width, rows),
        (Some(_), Fold::Open | Fold::Head) | (None, _) => {
            self::output(text.unwrap_or(output), CallStatus::Error, fold, width, rows);
        }
    }
}

/// Renders the output. If folded, hides the output of reading tools, and shows a part of the output of commands.
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
        // If only the note about the end is left, the output was already shown before the call was stopped.
        CallStatus::Cancelled => at_once && !is_end_alone(text),
        CallStatus::Ok | CallStatus::Error | CallStatus::Denied => {
            fold == Fold::Open || status == CallStatus::Error || at_once
        }
    };
    if shows {
        output(text, status, fold, width, rows);
    }
}

fn is_end_alone(text: &str) -> bool {
    let text = text.trim_end();
    !text.contains('\n') && ENDINGS.iter().any(|ending| text.starts_with(ending))
}

pub(super) fn output(text: &str, status: CallStatus, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    let text = clean(text);
    let text = match text.trim_end() {
        "" => return,
        NO_OUTPUT => lang::word(lang::Word::NoOutput),
        text => text,
    };
    let all = text.lines().count();
    if fold == Fold::Open {
        for line in text.lines().take(OPEN_ROWS) {
            whole(line, width, rows);
        }
        if all > OPEN_ROWS {
            rows.push(output_row(&lang::message::count_more_lines(all - OPEN_ROWS)));
        }
        return;
    }
    let most = match status {
        // A stopped command shows as many rows as a failed one, because the user was reading its output.
        CallStatus::Error | CallStatus::Cancelled => ERROR_ROWS,
        CallStatus::Ok | CallStatus::Denied => FOLDED_ROWS,
    };
    let most = most.max(fold.most());
    // If only one line would be hidden, show it instead of the count.
    let most = if all == most + 1 { all } else { most };
    // A message of Benchdog is one line, and is shown completely. Lines of programs are truncated to one row.
    let is_ours = matches!(status, CallStatus::Error | CallStatus::Denied) || text == ENDED_MEANWHILE;
    let is_sentence = is_ours && all == 1;
    let first = telling(text, status);
    let (tells, end) = parts(first, all, most);
    // The key to open the block is shown at the first omission.
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
        rows.push(output_row(&format!("… {}{hint}", lang::message::count_lines(above))));
        hint.clear();
    }
    lines.show(tells, &mut hint, rows);
    if between > 0 {
        rows.push(output_row(&format!("… {}{hint}", lang::message::count_lines(between))));
        hint.clear();
    }
    lines.show(end, &mut hint, rows);
}

struct Lines<'a> {
    text: &'a str,
    is_sentence: bool,
    told: Option<usize>,
    /// Whether the first truncated line shows the key that opens the block. Set if no other row shows that key.
    names_cut: bool,
    width: usize,
}

impl Lines<'_> {
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

/// Renders a line in at most `most` rows. If the line is truncated, `hint` is added to the last row.
fn begin(line: &str, (most, width): (usize, usize), hint: &mut String, rows: &mut Vec<Line>) {
    let line = expand_tabs(line);
    let room = width.saturating_sub(4).max(1);
    // Only the visible part is wrapped. A character has at most four bytes.
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

/// Returns the ranges to show: the rows from the line with the error on, and the end. The end is always included,
/// because the error may also be at the end: the order of stdout and stderr is unknown.
fn parts(telling: Option<usize>, all: usize, most: usize) -> (Range<usize>, Range<usize>) {
    let last = all.saturating_sub(most);
    match telling.filter(|first| *first < last) {
        None => (last..last, last..all),
        Some(first) => {
            let from = all - most / ROWS_FOR_END;
            let upto = first + most - most / ROWS_FOR_END;
            let upto = if from == upto + 1 { from } else { upto };
            (first..upto, from..all)
        }
    }
}

pub(super) fn output_line(line: &str, width: usize) -> Line {
    let line = expand_tabs(line);
    output_row(&truncate(&line, width.saturating_sub(4)))
}

/// Renders the end of an unfinished line, because a program may ask for input there.
pub(super) fn output_end(line: &str, width: usize) -> Line {
    let line = expand_tabs(line);
    output_row(&truncate_start(&line, width.saturating_sub(4)))
}

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
