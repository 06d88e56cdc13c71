//! Response times of reviews and of the prompt: huge diffs, a huge paste, and keys in a long proposal. Run `cargo bench
//! --bench review`.
//!
//! The built program runs in a pseudo-terminal against a model server in this process. Each measurement ends when the
//! expected text has been sent to the terminal.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code, reason = "the kit of the tests has more than is needed here")]
mod support;

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use serde_json::json;
use support::home::Home;
use support::pty::Pty;
use support::reply::{call, text};
use support::screen::Screen;
use support::server::Server;

const LINES: usize = 300_000;
/// Minimum number of diff rows in the window of `large_diff`.
const ROWS: usize = 20;
/// Pause between key presses. No person types faster.
const PAUSE: Duration = Duration::from_millis(30);

fn main() {
    for changed in [30_000, 270_000] {
        large_diff(changed);
    }
    paste();
    editing();
}

/// Measures a diff of a file with `LINES` lines, of which `changed` lines differ. The diff is shown as an approval
/// request, scrolled, and shown again in `/diff`.
fn large_diff(changed: usize) {
    println!("a diff of {LINES} lines, {changed} of them changed");
    let server = Server::start();
    let home = Home::with(&server).window(160, 45);
    let mut file = String::new();
    for number in 0..LINES {
        let changes = (number + 1) * changed / LINES > number * changed / LINES;
        let word = if changes { "was" } else { "has" };
        let _ = writeln!(file, "{word} {number}");
    }
    home.file("large.py", &file);
    server.script([
        call("read", json!({"path": "large.py", "limit": 10})),
        text("Read."),
        call(
            "edit",
            json!({"path": "large.py", "old": "was", "new": "is", "all": true}),
        ),
        text("Edited."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("read it");
    bench.wait_for_text("Read.");
    bench.type_text("change it");
    std::thread::sleep(Duration::from_millis(500));
    let opened = until_whole(&bench, "enter");
    println!("  Enter to the request         {}", shown(&[opened]));
    bench.enter_review();
    let mut scrolls = Vec::new();
    for _ in 0..40 {
        scrolls.push(until_written(&bench, "pgdn"));
    }
    println!("  a page further               {}", shown(&scrolls));
    let mut jumps = Vec::new();
    for _ in 0..40 {
        jumps.push(until_written(&bench, "]"));
    }
    println!("  the next hunk                {}", shown(&jumps));
    // Keys that answer a request are ignored until no key was pressed for a moment.
    std::thread::sleep(PAUSE * 30);
    bench.keys("y");
    bench.wait_for_text("Edited.");
    bench.type_text("/diff session");
    std::thread::sleep(PAUSE * 10);
    let again = until_whole(&bench, "enter");
    println!("  among the changes            {}", shown(&[again]));
    bench.keys("esc");
    std::thread::sleep(PAUSE * 10);
    bench.leave();
}

/// Measures the time from the end of a 10 MB paste until the next typed letter is shown.
fn paste() {
    println!("a paste of 10 MB");
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    let mut text = String::new();
    while text.len() < 10 << 20 {
        let _ = writeln!(text, "line {} of a very long paste", text.len());
    }
    let before = bench.written();
    let begun = Instant::now();
    bench.send(format!("\x1b[200~{text}\x1b[201~").as_bytes());
    let sent = Instant::now();
    bench.send(b"Zz9");
    bench.wait_for_text("Zz9");
    println!("  all of it arrived            {:>7.1} ms", milliseconds(sent - begun));
    println!(
        "  then to the letter behind it {:>7.1} ms",
        milliseconds(sent.elapsed())
    );
    println!("  bytes to the terminal        {:>7}", bench.written() - before);
    bench.keys("ctrl-c");
    std::thread::sleep(PAUSE * 10);
    bench.leave();
}

fn editing() {
    println!("in the editor of a proposal of 5,000 lines");
    let server = Server::start();
    let home = Home::with(&server).window(160, 45);
    let mut file = String::new();
    for number in 0..5_000 {
        let _ = writeln!(file, "    value_{number} = always(item, {number})");
    }
    server.script([
        call("write", json!({"path": "new.py", "content": file})),
        text("Written."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("write it");
    bench.wait_for_text("value_1 ");
    bench.enter_review();
    bench.keys("e");
    bench.wait_for_text("Ctrl+S");
    std::thread::sleep(PAUSE * 10);
    let letters: Vec<Duration> = (0..200).map(|_| until_written(&bench, "x")).collect();
    println!("  a letter                     {}", shown(&letters));
    let rows: Vec<Duration> = (0..100).map(|_| until_written(&bench, "down")).collect();
    println!("  a row further                {}", shown(&rows));
    let lines: Vec<Duration> = (0..50).map(|_| until_written(&bench, "enter")).collect();
    println!("  a new line                   {}", shown(&lines));
}

fn until_whole(bench: &Pty, key: &str) -> Duration {
    let begun = Instant::now();
    bench.keys(key);
    bench.wait_for("the whole screen of the diff", is_whole);
    begun.elapsed()
}

/// Whether each diff row shows a line of the file, with highlighted code: a number has another colour than the word
/// before it.
fn is_whole(screen: &Screen<'_>) -> bool {
    let rows = screen.rows();
    let is_line = |row: &String| {
        ["has ", "was ", "is ", "unchanged"]
            .iter()
            .any(|word| row.contains(word))
    };
    let lines = rows.iter().skip_while(|row| !row.contains("has "));
    let without_gap = lines.take_while(|row| is_line(row)).count();
    let colour = |(row, column)| screen.cell(row, column).map(vt100::Cell::fgcolor);
    let coloured = screen
        .find("has ")
        .is_some_and(|(row, column)| colour((row, column)) != colour((row, column + 4)));
    coloured && without_gap >= ROWS
}

fn until_written(bench: &Pty, key: &str) -> Duration {
    std::thread::sleep(PAUSE);
    let before = bench.written();
    let begun = Instant::now();
    bench.keys(key);
    bench.wait_for("something to be drawn", |screen| screen.written() > before);
    begun.elapsed()
}

fn shown(times: &[Duration]) -> String {
    let mut all = times.to_vec();
    all.sort();
    let at = |percent: usize| {
        let place = (all.len() * percent / 100).min(all.len().saturating_sub(1));
        all.get(place).map_or(0.0, |time| milliseconds(*time))
    };
    if all.len() == 1 {
        format!("{:>7.1} ms", at(0))
    } else {
        format!("{:>7.1} ms p50, {:.1} ms p99", at(50), at(99))
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}
