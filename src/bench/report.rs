//! The table of results: one row for each model or agent.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::results::{Contender, Record, Status};
use benchdog_base::text::{clean, grouped, width};
use benchdog_lang::{Word, word};

/// The maximum width of the name column. A longer name is shown in full and shifts only its own row.
const WIDEST_NAME: usize = 48;
const UNKNOWN: &str = "–";

/// Sums of all runs of one contender.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Row {
    pub name: String,
    pub solved: u32,
    /// Runs with a result, solved or not.
    pub judged: u32,
    pub failed: u32,
    pub skipped: u32,
    pub tokens: Option<u64>,
    pub seconds: f64,
    pub edits_refused: u32,
    pub calls_repaired: u32,
    pub cost: Option<f64>,
    /// Number of followed injections, and number of judged runs of tasks with an injection.
    pub injections: (u32, u32),
    /// Notice that the model gets its tools as text. It may explain why few tasks are solved. `None` if there was no
    /// such notice.
    pub tools_notice: Option<String>,
}

/// Sums up records, in the order of the contenders' names.
pub fn rows(records: &[Record]) -> Vec<Row> {
    let mut rows: BTreeMap<&Contender, Row> = BTreeMap::new();
    for record in records {
        let row = rows.entry(&record.run.contender).or_default();
        record.run.contender.name().clone_into(&mut row.name);
        row.add(record);
    }
    rows.into_values().collect()
}

impl Row {
    fn add(&mut self, record: &Record) {
        match record.status {
            Status::Solved => (self.solved, self.judged) = (self.solved + 1, self.judged + 1),
            Status::Unsolved => self.judged += 1,
            Status::Failed => self.failed += 1,
            Status::Skipped => self.skipped += 1,
        }
        if let Some(followed) = record.injection_followed {
            self.injections.0 += u32::from(followed);
            self.injections.1 += 1;
        }
        if let Some(turn) = &record.turn {
            self.seconds += turn.seconds;
            self.edits_refused += turn.edits_refused;
            self.calls_repaired += turn.calls_repaired;
            self.tools_notice = self.tools_notice.take().or_else(|| turn.tools_notice.clone());
            if let Some(tokens) = turn.tokens {
                *self.tokens.get_or_insert(0) += tokens.total;
            }
            if let Some(cost) = turn.cost {
                *self.cost.get_or_insert(0.0) += cost;
            }
        }
    }

    /// Returns the cells after the name, as text. An unknown value is a dash.
    pub(crate) fn cells(&self) -> [String; 9] {
        let unknown = || UNKNOWN.to_owned();
        let (followed, of) = self.injections;
        [
            format!("{}/{}", self.solved, self.judged),
            self.failed.to_string(),
            self.skipped.to_string(),
            self.tokens.map_or_else(unknown, grouped),
            format!("{:.1} s", self.seconds),
            self.edits_refused.to_string(),
            self.calls_repaired.to_string(),
            self.cost.map_or_else(unknown, |cost| format!("${cost:.4}")),
            if of == 0 { unknown() } else { format!("{followed}/{of}") },
        ]
    }
}

/// Returns the titles of the columns after the name.
pub(crate) fn columns() -> [&'static str; 9] {
    [
        word(Word::BenchSolved),
        word(Word::BenchFailed),
        word(Word::BenchSkipped),
        word(Word::BenchTokens),
        word(Word::BenchTime),
        word(Word::BenchEditsRefused),
        word(Word::BenchCallsRepaired),
        word(Word::BenchCost),
        word(Word::BenchInjections),
    ]
}

/// Formats the rows as a table for a terminal. Numbers are right-aligned. Columns that contain only 0 are omitted, so
/// that the table usually fits into 80 columns. Notices about tools follow.
pub fn table(rows: &[Row]) -> String {
    let head = columns().map(str::to_owned);
    let all_cells: Vec<[String; 9]> = rows.iter().map(Row::cells).collect();
    let is_omitted = |column: usize| {
        let mut cells = all_cells.iter().filter_map(|cells| cells.get(column));
        cells.all(|cell| cell == "0" || cell == UNKNOWN)
    };
    let lines: Vec<(String, [String; 9])> = std::iter::once((word(Word::BenchContender).to_owned(), head))
        .chain(
            rows.iter()
                .map(|row| clean(&row.name).replace('\n', " "))
                .zip(all_cells.iter().cloned()),
        )
        .collect();
    let name_width = widest(lines.iter().map(|(name, _)| name)).min(WIDEST_NAME);
    let mut out = String::new();
    for (name, cells) in &lines {
        let _ = write!(out, "{name}{}", blanks(name_width, name));
        for (column, cell) in cells.iter().enumerate().filter(|(column, _)| !is_omitted(*column)) {
            let cell_width = widest(lines.iter().filter_map(|(_, cells)| cells.get(column)));
            let _ = write!(out, "  {}{cell}", blanks(cell_width, cell));
        }
        out.push('\n');
    }
    for notice in rows.iter().filter_map(|row| row.tools_notice.as_ref()) {
        let _ = writeln!(out, "{}", clean(notice));
    }
    out
}

fn widest<'t>(texts: impl Iterator<Item = &'t String>) -> usize {
    texts.map(|text| width(text)).max().unwrap_or(0)
}

/// Returns the spaces that pad the text to a width in columns.
fn blanks(columns: usize, text: &str) -> String {
    " ".repeat(columns.saturating_sub(width(text)))
}

#[cfg(test)]
mod tests;
