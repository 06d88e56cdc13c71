//! Tests of a terminal that draws ambiguous-width characters in two columns. Nothing overlaps, and borders are
//! straight.

use unicode_width::UnicodeWidthChar as _;

use crate::support::home::{Home, config};
use crate::support::reply::text;
use crate::support::server::Server;

const COLUMNS: u16 = 120;
const ROWS: u16 = 30;
const SAID: &str = "“引號”…→①αβ│ж end";

struct Wide {
    at: (usize, usize),
    /// `'\0'` is the second column of the character before it.
    cells: Vec<Vec<char>>,
    overran: bool,
}

impl Wide {
    fn showing(bytes: &str) -> Self {
        let mut terminal = Self {
            at: (0, 0),
            cells: vec![vec![' '; usize::from(COLUMNS)]; usize::from(ROWS)],
            overran: false,
        };
        vte::Parser::new().advance(&mut terminal, bytes.as_bytes());
        terminal
    }

    fn put(&mut self, column: usize, letter: char) {
        let row = &mut self.cells[self.at.1];
        // Erase a wide character that is half overwritten.
        if row[column] == '\0' {
            row[column - 1] = ' ';
        }
        if row.get(column + 1) == Some(&'\0') {
            row[column + 1] = ' ';
        }
        row[column] = letter;
    }

    fn row(&self, number: usize) -> String {
        self.cells[number].iter().filter(|letter| **letter != '\0').collect()
    }
}

impl vte::Perform for Wide {
    fn print(&mut self, letter: char) {
        let columns = letter.width_cjk().unwrap_or(0);
        if columns == 0 {
            return;
        }
        let column = self.at.0;
        if column + columns > usize::from(COLUMNS) {
            self.overran = true;
            return;
        }
        self.put(column, letter);
        if columns == 2 {
            self.put(column + 1, ' ');
            self.cells[self.at.1][column + 1] = '\0';
            self.cells[self.at.1][column] = letter;
        }
        self.at.0 += columns;
    }

    fn execute(&mut self, byte: u8) {
        match byte {
            b'\r' => self.at.0 = 0,
            b'\n' => self.at.1 += 1,
            _ => {}
        }
    }

    fn csi_dispatch(&mut self, parameters: &vte::Params, intermediates: &[u8], _ignored: bool, action: char) {
        if !intermediates.is_empty() {
            return;
        }
        let number = |n: usize| usize::from(parameters.iter().nth(n).map_or(0, |values| values[0]).max(1));
        match action {
            'H' => self.at = (number(1) - 1, number(0) - 1),
            'C' => self.at.0 += number(0),
            'D' => self.at.0 -= number(0),
            'J' => self.cells.iter_mut().flatten().for_each(|cell| *cell = ' '),
            _ => {}
        }
    }
}

fn screen_with(width: &str) -> Wide {
    let server = Server::start();
    let home = Home::with(&server).window(COLUMNS, ROWS);
    let mut settings = config(&server.base_url());
    settings["ui"] = serde_json::json!({"ambiguous_width": width});
    home.configure(&settings);
    server.script([text(SAID)]);
    let bench = home.bench(&[]);
    bench.type_text("“go”…");
    // Earlier characters may be shifted on a terminal with the other width.
    bench.wait_for("the last letter of the prompt", |screen| screen.text().contains('…'));
    bench.keys("enter");
    bench.wait_for("the answer, and that it is over", |screen| {
        screen.text().contains(" end") && !screen.text().contains("writing")
    });
    let shown = Wide::showing(&bench.raw());
    bench.leave();
    shown
}

#[test]
fn every_letter_is_whole_and_the_lines_are_straight_where_the_terminal_draws_them_wide() {
    let screen = screen_with("wide");
    let rows: Vec<String> = (0..usize::from(ROWS)).map(|row| screen.row(row)).collect();
    let all = rows.join("\n");
    assert!(rows.iter().any(|row| row.contains(SAID)), "{all}");
    assert!(rows.iter().any(|row| row.contains("“go”…")), "{all}");
    // The border between two panes is in the same column of most rows.
    let straight = (0..usize::from(COLUMNS)).any(|column| {
        let lines = screen.cells.iter().filter(|row| matches!(row[column], '|' | '+'));
        lines.count() >= usize::from(ROWS) / 2
    });
    assert!(straight, "{all}");
    assert!(!screen.overran, "{all}");
    // With the wrong width, lines exceed the screen.
    assert!(screen_with("narrow").overran);
}
