//! The rows of a command or of titled fields, wrapped to a width. Layout, scrolling and rendering use them.

use benchdog_base::text::{reveal, width as columns, with_visible_blanks, wrap};
use benchdog_domain::call::Origin;
use benchdog_domain::permission::CommandClass;
use benchdog_domain::review::{CommandPart, CommandReview, Runs};
use benchdog_lang::{self as lang, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestRow {
    Text(String),
    /// A part of a command line, truncated to one row. `because` is the reason for the class of the part. If the reason
    /// follows in separate rows, `because` is empty.
    Part {
        number: usize,
        command: String,
        because: String,
        class: CommandClass,
    },
    /// The reason for the class of a part, if the reason does not fit into the row of the part.
    Because {
        text: String,
        class: CommandClass,
    },
    /// A field. `column` is the column where all values start.
    Field {
        name: String,
        value: String,
        column: u16,
    },
}

pub fn command(review: &CommandReview, origin: Origin, width: u16) -> Vec<RequestRow> {
    command_and_text(review, origin, width).0
}

/// Returns the same rows as `command`, and the number of rows up to the end of the command line.
pub(crate) fn command_and_text(review: &CommandReview, origin: Origin, width: u16) -> (Vec<RequestRow>, usize) {
    let deciding = deciding(review, width);
    let mut rows = line(review, &deciding, width);
    let of_text = rows.len();
    rows.push(RequestRow::Text(String::new()));
    let before = rows.len();
    for (number, part) in numbered(review) {
        // A line with only one command is already shown, so only the reason is added.
        if is_whole(part, review) {
            for part in part {
                reason(part, width, &mut rows);
            }
        } else if deciding.iter().all(|(above, _)| *above != number) {
            judged(number, part, width, &mut rows);
        }
    }
    if rows.len() > before {
        rows.push(RequestRow::Text(String::new()));
    }
    if !review.writes.is_empty() {
        field(
            word(Word::FieldWrites),
            &review.writes.join(", "),
            FIELD,
            width,
            &mut rows,
        );
    }
    for (place, removal) in review.removes.iter().enumerate() {
        let name = if place == 0 { word(Word::FieldRemoves) } else { "" };
        field(name, &lang::removal(removal), FIELD, width, &mut rows);
    }
    if review.workdir != "." {
        field(word(Word::FieldIn), &review.workdir, FIELD, width, &mut rows);
    }
    if let Some(reason) = &review.reason {
        field(word(Word::FieldReason), &format!("“{reason}”"), FIELD, width, &mut rows);
    }
    if review.risky {
        field(word(Word::FieldRisk), word(Word::RiskHigh), FIELD, width, &mut rows);
    }
    let how = match review.runs {
        Runs::UntilDone { limit_ms } if limit_ms == Runs::USUAL_MS => None,
        Runs::UntilDone { limit_ms } => Some((Word::FieldStops, lang::stops_after(limit_ms.div_ceil(1_000)))),
        Runs::Behind { limit_ms } => {
            let seconds = limit_ms.map(|ms| ms.div_ceil(1_000));
            Some((Word::FieldRuns, lang::in_background(seconds)))
        }
    };
    if let Some((name, how)) = how {
        field(word(name), &how, FIELD, width, &mut rows);
    }
    // A user who types a command may not know that the model gets the output.
    if matches!(origin, Origin::Person | Origin::Typed) {
        let (name, how) = (word(Word::FieldPrints), word(Word::PrintsForTheModel));
        field(name, how, FIELD, width, &mut rows);
    }
    if rows.len() > of_text && rows.last() == Some(&RequestRow::Text(String::new())) {
        rows.pop();
    }
    (rows, of_text)
}

fn line(review: &CommandReview, deciding: &[(usize, &[CommandPart])], width: u16) -> Vec<RequestRow> {
    let mut rows = Vec::new();
    for (number, part) in deciding {
        judged(*number, part, width, &mut rows);
    }
    if !deciding.is_empty() {
        rows.push(RequestRow::Text(String::new()));
    }
    for line in review.command.lines() {
        let shown = visible(line);
        let ranges = wrap(&shown, usize::from(width.max(1)));
        rows.extend(ranges.into_iter().map(|range| text(&shown, range)));
    }
    rows
}

/// Makes control characters and unusual blanks visible, because they can change the meaning of a model's command.
fn visible(text: &str) -> String {
    with_visible_blanks(&reveal(text)).into_owned()
}

/// Returns the parts with their numbers. A part with several reasons has one number.
fn numbered(review: &CommandReview) -> impl Iterator<Item = (usize, &[CommandPart])> {
    let parts = review.parts.chunk_by(|one, next| one.command == next.command);
    parts.enumerate().map(|(place, part)| (place + 1, part))
}

/// Returns the parts that decide the class of a long line. They are shown above the line, whose end may be out of view.
fn deciding(review: &CommandReview, width: u16) -> Vec<(usize, &[CommandPart])> {
    if review.class == CommandClass::Plain || review.parts.len() < 2 {
        return Vec::new();
    }
    let decides = |said: &[CommandPart]| !is_whole(said, review) && said.iter().any(|part| part.class == review.class);
    let lines = review.command.lines().map(visible);
    let of_line: usize = lines.map(|line| wrap(&line, usize::from(width.max(1))).len()).sum();
    let mut rows = Vec::new();
    for (number, part) in numbered(review) {
        judged(number, part, width, &mut rows);
        if decides(part) {
            break;
        }
    }
    if of_line + 1 + rows.len() <= IN_SIGHT {
        return Vec::new();
    }
    rows.clear();
    let mut above = Vec::new();
    for (number, part) in numbered(review).filter(|(_, part)| decides(part)) {
        judged(number, part, width, &mut rows);
        if !above.is_empty() && rows.len() > MOST_ABOVE {
            break;
        }
        above.push((number, part));
    }
    above
}

fn is_whole(said: &[CommandPart], review: &CommandReview) -> bool {
    said.iter().all(|part| part.written == review.command)
}

/// Number of request rows that a small terminal shows. `MOST_ABOVE` limits the decisive parts above the command.
const IN_SIGHT: usize = 6;
const MOST_ABOVE: usize = 3;

/// Number of columns before a part, and before its reason.
pub(crate) const PART: u16 = 4;
pub const BECAUSE: u16 = 6;

/// Adds the rows of a part and its reasons. If the first reason fits, it shares the row of the part. Reasons are never
/// truncated.
fn judged(number: usize, said: &[CommandPart], width: u16, rows: &mut Vec<RequestRow>) {
    let Some((part, others)) = said.split_first() else {
        return;
    };
    let command = visible(&part.written).replace('\n', "␊");
    let because = visible(&lang::reason(&part.because));
    let room = usize::from(width.saturating_sub(PART));
    let fits = columns(&command) + 2 + columns(&because) <= room;
    let class = said.iter().map(|part| part.class).max().unwrap_or(part.class);
    rows.push(RequestRow::Part {
        number,
        command,
        because: if fits { because.clone() } else { String::new() },
        class,
    });
    let below = if fits { others } else { said };
    for part in below {
        reason(part, width, rows);
    }
}

fn reason(part: &CommandPart, width: u16, rows: &mut Vec<RequestRow>) {
    let because = visible(&lang::reason(&part.because));
    let room = usize::from(width.saturating_sub(BECAUSE).max(1));
    rows.extend(wrap(&because, room).into_iter().map(|range| RequestRow::Because {
        text: because.get(range).unwrap_or_default().to_owned(),
        class: part.class,
    }));
}

const FIELD: u16 = 10;

pub fn fields(fields: &[(String, String)], width: u16) -> Vec<RequestRow> {
    let fields: Vec<_> = fields
        .iter()
        .map(|(name, value)| (lang::field(name), &**value))
        .collect();
    let widest = fields.iter().map(|(name, _)| columns(name)).max().unwrap_or(0);
    let column = u16::try_from(widest).unwrap_or(u16::MAX).min(width / 3) + 2;
    let mut rows = Vec::new();
    for (name, value) in fields {
        field(&name, value, column, width, &mut rows);
    }
    rows
}

fn text(shown: &str, range: std::ops::Range<usize>) -> RequestRow {
    RequestRow::Text(shown.get(range).unwrap_or_default().to_owned())
}

fn field(name: &str, value: &str, column: u16, width: u16, rows: &mut Vec<RequestRow>) {
    let mut name = name;
    let room = usize::from(width.saturating_sub(column).max(1));
    for line in visible(value).lines().chain(value.is_empty().then_some("")) {
        for range in wrap(line, room) {
            rows.push(RequestRow::Field {
                name: std::mem::take(&mut name).to_owned(),
                value: line.get(range).unwrap_or_default().to_owned(),
                column,
            });
        }
    }
}

#[cfg(test)]
mod tests;
