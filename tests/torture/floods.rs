//! Typing and stopping while an answer streams.

use std::time::Duration;

use crate::pouring::pouring;
use crate::{Measured, Row};

pub fn rows() -> Vec<Row> {
    let row = |test, run| Row {
        test,
        limit: "a key and Esc within 100 ms",
        run,
    };
    vec![
        row("pouring answer: one line without end", || measured("<", 1_900_000)),
        row("pouring answer: words", || measured("word ", 300_000)),
        row("pouring answer: rows of a table", || measured("| a | b |\n", 150_000)),
        row("pouring answer: items of a list", || {
            measured("- **item** `code`\n", 80_000)
        }),
        row("pouring answer: lines of Chinese", || measured("漢字漢字\n", 100_000)),
    ]
}

fn measured(piece: &str, first: usize) -> Measured {
    let heard = pouring(piece, first);
    let ms = |time: Duration| time.as_millis();
    let limit = Duration::from_millis(100);
    Measured {
        figure: format!("key {} ms, Esc {} ms", ms(heard.worst_key), ms(heard.escape)),
        holds: heard.worst_key < limit && heard.escape < limit,
    }
}
