//! Renders a call: one row, and the output below.

use std::borrow::Cow;

use super::head::{head, room_of_summary, taken_back, what_came_of_it};
use super::output::{self, FOLDED_ROWS, OPEN_ROWS, is_refused, output_end, output_line, refused, tool_output, why};
use super::{Fold, lines, role};
use crate::line::{Line, Role};
use crate::panes::conversation::block::{ToolBlock, ToolState};
use crate::panes::conversation::child;
use crate::panes::conversation::decided::Decided;
use benchdog_base::clock::{Time, so_far};
use benchdog_base::text::{clean, width as columns};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::summary::{ENDED_MEANWHILE, Summary, without_last_line};
use benchdog_domain::tool::{CallStatus, TitleKind};
use benchdog_domain::undo::UNDO;
use benchdog_lang::{self as lang, Word, word};
use benchdog_transcript::{self as transcript, Mark, Shown};

const BETWEEN: &str = " · ";

pub(super) fn tool(
    tool: &ToolBlock,
    decided: Option<&Decided>,
    (fold, width): (Fold, usize),
    now: Time,
    rows: &mut Vec<Line>,
) {
    let elapsed = || tool.started.map_or(0, |started| now.since(started));
    let name = transcript::name_of(&tool.tool);
    let row = |mark, summary: &str| head(mark, &name, (&tool.title, tool.title_kind), summary, width);
    match &tool.state {
        ToolState::Waiting if tool.is_looked_at => rows.push(row(Mark::Waiting, word(Word::CallIsShown))),
        ToolState::Waiting => rows.push(row(Mark::Waiting, word(Word::CallWaits))),
        ToolState::Unknown => rows.push(row(Mark::Unknown, word(Word::CallUnknown))),
        ToolState::Running => {
            let seconds = if elapsed() >= 1_000 {
                so_far(elapsed())
            } else {
                "…".to_owned()
            };
            if let Some((mark, how)) = child::ended(tool, width / 2) {
                return rows.push(row(mark, &how));
            }
            let of_child = child::summary(tool, now, width / 2);
            rows.push(row(child::mark(tool), &of_child.unwrap_or(seconds)));
            if fold != Fold::Head {
                newest(tool, fold, width, rows);
            }
        }
        ToolState::Finished(entry) => finished(tool, entry, decided, (fold, width), rows),
    }
}

fn finished(
    tool: &ToolBlock,
    entry: &Entry,
    decided: Option<&Decided>,
    (fold, width): (Fold, usize),
    rows: &mut Vec<Line>,
) {
    let Body::ToolResult {
        status,
        summary,
        output,
        images,
        took_ms,
        ..
    } = &entry.body
    else {
        return;
    };
    let name = transcript::name_of(&tool.tool);
    let row = |mark, summary: &str| head(mark, &name, (&tool.title, tool.title_kind), summary, width);
    let room = room_of_summary(Mark::of(*status), &name, &tool.title, width);
    let words = what_came_of_it(summary, decided, (*took_ms, images.len()), room);
    // The row of an edit already shows the changed files.
    let is_edit = matches!(
        summary,
        Summary::Changed { .. }
            | Summary::ChangedFiles { .. }
            | Summary::Unchanged
            | Summary::NothingKept
            | Summary::Words(_)
    );
    let words = match tool.files.text().filter(|_| !is_edit) {
        Some(files) if columns(&words) + columns(&files) + columns(BETWEEN) <= room => {
            format!("{words}{BETWEEN}{files}")
        }
        _ => words,
    };
    let behind = tool.behind.as_ref();
    let (mark, words) = match behind {
        Some(behind) => behind.head(summary),
        None => (Mark::of(*status), words),
    };
    let at = rows.len();
    rows.push(row(mark, &words));
    if fold == Fold::Head {
        return;
    }
    match summary {
        _ if is_refused(decided, *status) => refused(decided, output, fold, width, rows),
        Summary::Failed { code } if *status == CallStatus::Error => why(code, output, fold, width, rows),
        _ => {
            let text = without_last_line(output, summary);
            tool_output(tool.shown, text, *status, fold, width, rows);
        }
    }
    match behind {
        None => {
            let ended = Ended {
                status: *status,
                how: summary,
                words: &words,
                output,
            };
            ended_below(at, &ended, |words| row(mark, words), width, rows);
        }
        Some(behind) => rows.extend(behind.last().map(|last| output_line(&format!("… {last}"), width))),
    }
}

struct Ended<'a> {
    status: CallStatus,
    how: &'a Summary,
    words: &'a str,
    output: &'a str,
}

/// Shows the result of a stopped call below the output, because the user was reading the output. `at` is the index of
/// the call's row in `rows`.
fn ended_below(at: usize, ended: &Ended, head: impl Fn(&str) -> Line, width: usize, rows: &mut Vec<Line>) {
    let has_output = rows.len() > at + 1;
    // The text about changed files already says that the call was stopped.
    let is_said = without_last_line(ended.output, ended.how).contains(ENDED_MEANWHILE);
    if ended.status != CallStatus::Cancelled || !has_output || is_said {
        return;
    }
    if let Some(own) = rows.get_mut(at) {
        *own = head("");
    }
    let words = match ended.how {
        Summary::ResultUnknown => word(Word::LookFirst),
        _ => ended.words,
    };
    let mark = Mark::of(ended.status);
    lines(&format!("  {} {words}", mark.sign()), role(mark), width, rows);
}

/// Renders the newest output, including an incomplete last line. An open block shows all output that is in memory.
fn newest(tool: &ToolBlock, fold: Fold, width: usize, rows: &mut Vec<Line>) {
    let unfinished = clean(tool.unfinished.trim_end());
    let text = clean(&tool.tail);
    let most = match fold {
        Fold::Open => OPEN_ROWS,
        Fold::Folded { .. } | Fold::Head => FOLDED_ROWS.max(fold.most()),
    };
    let whole = most - usize::from(!unfinished.is_empty());
    let last: Vec<&str> = text.trim_end().lines().rev().take(whole).collect();
    for line in last.into_iter().rev() {
        rows.push(output_line(line, width));
    }
    if !unfinished.is_empty() {
        rows.push(output_end(&unfinished, width));
    }
}

pub(super) fn ran(
    (entry, shown): (&Entry, Shown),
    decided: Option<&Decided>,
    fold: Fold,
    width: usize,
    rows: &mut Vec<Line>,
) {
    let Shown::Ran {
        status,
        name,
        title,
        summary,
        output,
        ..
    } = shown
    else {
        return;
    };
    let mark = Mark::of(status);
    let (title, summary) = if name == UNDO {
        let (title, summary) = taken_back(mark, &title, (entry.body.summary(), summary), width);
        (Cow::Owned(title), summary)
    } else {
        (title, summary)
    };
    let head = |words: &str| head(mark, &name, (&title, TitleKind::Words), words, width);
    let at = rows.len();
    rows.push(head(&summary));
    if fold == Fold::Head {
        return;
    }
    match entry.body.summary() {
        _ if is_refused(decided, status) => refused(decided, &output, fold, width, rows),
        Some(Summary::Failed { code }) if status == CallStatus::Error => {
            why(code, &output, fold, width, rows);
        }
        Some(how) => {
            output::output(without_last_line(&output, how), status, fold, width, rows);
            let ended = Ended {
                status,
                how,
                words: &summary,
                output: &output,
            };
            ended_below(at, &ended, head, width, rows);
        }
        None => output::output(&output, status, fold, width, rows),
    }
    if entry.body.summary() == Some(&(Summary::Findings { findings: 0 })) {
        lines(lang::word(lang::Word::FindingsNone), Role::Text, width, rows);
    }
}
