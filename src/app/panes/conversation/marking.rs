//! Selection with the mouse in the conversation.

use std::ops::Range;

use super::Conversation;
use super::place::Place;
use crate::line::{CodePlace, Line};
use crate::markdown::code_of;
use crate::marking::{Marking, Row};
use benchdog_base::text::{unexpanded, width};

const MOST: usize = 100_000;

impl Conversation {
    pub(crate) fn marked_row(&self, n: usize, x: u16) -> Option<Row> {
        let row = self.rows.get(n)?;
        let before: usize = row
            .line
            .spans
            .iter()
            .take(row.line.lead)
            .map(|span| width(&span.text))
            .sum();
        Some(Row {
            place: (row.block, row.row),
            x: x.saturating_add(u16::try_from(before).unwrap_or(u16::MAX)),
            text: own_text(&row.line),
            start: 0,
        })
    }

    /// Returns the original lines of code blocks, because tabs are expanded in the rendered rows.
    fn written_codes(&self, block: usize) -> Vec<Vec<String>> {
        match self.blocks.get(block) {
            Some(block) if !block.codes().is_empty() => {
                let codes = code_of(&block.text());
                let lines = |code: &String| code.lines().map(str::to_owned).collect();
                codes.iter().map(lines).collect()
            }
            _ => Vec::new(),
        }
    }

    pub(crate) fn marked_text(&mut self, marking: &Marking) -> String {
        let ((first, _), (last, _)) = marking.ends();
        let mut text = String::new();
        let mut rows = 0;
        for block in first.0..=last.0 {
            self.lay(block);
            let codes = self.written_codes(block);
            for row in 0..self.heights.get(block) {
                let Some(line) = self.line(Place { block, row }) else {
                    continue;
                };
                let own = own_text(&line);
                let Some(bytes) = marking.within((block, row), &(0..own.len())) else {
                    continue;
                };
                match line.goes_on {
                    _ if rows == 0 => {}
                    Some(spaces) => text.push_str(&" ".repeat(spaces)),
                    None => text.push('\n'),
                }
                text.push_str(match line.code {
                    Some(code) => with_tabs(&codes, code, &bytes),
                    None => own.get(bytes).unwrap_or_default(),
                });
                rows += 1;
                if rows == MOST {
                    return text;
                }
            }
        }
        text
    }
}

fn with_tabs<'c>(codes: &'c [Vec<String>], code: CodePlace, bytes: &Range<usize>) -> &'c str {
    let line = codes.get(code.fence).and_then(|lines| lines.get(code.line));
    let line = line.map_or("", String::as_str);
    let shown = code.start + bytes.start..code.start + bytes.end;
    line.get(unexpanded(line, &shown)).unwrap_or_default()
}

fn own_text(line: &Line) -> String {
    let count = line.spans.len().saturating_sub(line.lead + line.tail);
    let own = line.spans.iter().skip(line.lead).take(count);
    own.map(|span| span.text.as_str()).collect()
}
