//! Tests that large amounts of input are accepted, shown and answered, with and without bracketed paste.

use std::time::{Duration, Instant};

use crate::pouring::pouring;
use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::screen::Screen;
use crate::support::server::Server;

/// Time limit for a megabyte, in a debug build on a busy machine.
const MOMENTS: Duration = Duration::from_secs(5);

const MOMENT: Duration = Duration::from_secs(1);

/// Returns the total number of lines in the shown pastes. A busy machine may split one paste into several.
fn pasted_lines(screen: &Screen<'_>) -> usize {
    let chips = regex::Regex::new(r"paste \d+: (\d+) lines").expect("a fixed pattern");
    let draft = draft_of(screen);
    let lines = chips.captures_iter(&draft).map(|found| found[1].parse::<usize>());
    lines.map(|count| count.expect("a number")).sum()
}

#[test]
fn a_megabyte_that_is_typed_at_once_is_a_paste_and_sends_nothing_by_itself() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Read it.")]);
    let bench = home.bench(&[]);
    let began = Instant::now();
    bench.send(
        "a line of some words that is pasted, \t漢字 and all\r"
            .repeat(20_480)
            .as_bytes(),
    );
    bench.wait_for("all of the lines", |screen| pasted_lines(screen) >= 20_480);
    let took = began.elapsed();
    assert!(took < MOMENTS, "{took:?}");
    bench.keys("ctrl-c");
    bench.wait_for("an empty prompt", |screen| pasted_lines(screen) == 0);
    assert!(server.requests().is_empty());
    bench.leave();
}

#[test]
fn lines_that_are_typed_at_once_are_one_prompt() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Read it.")]);
    let bench = home.bench(&[]);
    bench.send(b"first line\r\tsecond line\ry a n");
    bench.wait_for("the lines", |screen| screen.has("first line") && screen.has("y a n"));
    assert!(server.requests().is_empty());
    bench.keys("enter");
    bench.wait_for_text("Read it.");
    assert_eq!(server.request(1).last("user"), "first line\n\tsecond line\ny a n");
    bench.leave();
}

#[test]
fn a_megabyte_in_one_line_is_edited_and_recalled_like_any_other() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.send(b"\x1b[200~");
    for _ in 0..1_024 {
        bench.send(&[b'x'; 1_024]);
    }
    bench.send(b"\x1b[201~");
    bench.wait_for_text("characters");
    // After clearing and recalling, the text is no longer shown as a paste.
    bench.keys("ctrl-c");
    bench.wait_for("an empty prompt", |screen| !screen.has("characters"));
    let began = Instant::now();
    bench.keys("up");
    bench.wait_for_text("xxxxxxxx");
    bench.send(&b"\x1b[D".repeat(500));
    bench.type_text("zebra");
    bench.wait_for_text("zebra");
    bench.keys("ctrl-w");
    bench.wait_for("a killed word", |screen| !screen.has("zebra"));
    let took = began.elapsed();
    assert!(took < MOMENTS, "{took:?}");
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn an_answer_that_pours_signs_without_end_is_stopped_in_a_moment() {
    // One line of nearly the maximum size of an answer.
    let heard = pouring("<", 1_900_000);
    assert!(heard.worst_key < MOMENT && heard.escape < MOMENT, "{heard:?}");
}
