//! Tests that a terminal without a reader blocks nothing, and that a terminal that is resized continuously shows the
//! right frame in the end.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{Gate, call, never, stream, text};
use crate::support::server::Server;

/// Steps of the agent while the output is not read. A full frame for each step would exceed `BACKLOG`.
const STEPS: usize = 12;
const BACKLOG: usize = 160 * 1024;

/// Returns text without equal lines, so that a scroll rewrites every row.
fn long() -> String {
    (0..20_000)
        .map(|number| format!("{number:x}-{:x} ", number * 7_919))
        .collect()
}

/// Forces a full repaint, and checks that it looks the same.
#[track_caller]
fn assert_picture_is_right(bench: &Pty) {
    let (still, window) = (Duration::from_millis(300), Duration::ZERO);
    bench.written_in(still, window);
    let (before, written) = (bench.look(|screen| screen.picture()), bench.written());
    bench.signal(Signal::CONT);
    bench.wait_for("a new picture", |screen| screen.written() > written);
    bench.written_in(still, window);
    let after = bench.look(|screen| screen.picture());
    for (row, (before, after)) in before.iter().zip(&after).enumerate() {
        assert_eq!(before, after, "row {row} before, and painted anew");
    }
}

#[test]
fn a_turn_goes_on_while_nobody_reads_the_terminal_and_no_backlog_waits_for_who_comes_back() {
    let server = Server::start();
    let home = Home::with(&server).window(400, 120);
    home.file("total.txt", "one\n");
    let gate = Gate::new();
    let look = |limit: usize| json!({"path": "total.txt", "limit": limit});
    server.script([stream()
        .says("Begin.")
        .holds(&gate)
        .says(&long())
        .calls("read", look(STEPS + 1))
        .ends()]);
    server.script((0..STEPS).map(|step| call("read", look(step + 1))));
    server.script([text("It says one.")]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("Begin.");
    bench.stop_reading();
    let written = bench.written();
    gate.open();
    // The engine continues and keys work, while there is much to draw.
    for step in 0..=STEPS {
        server.request(step + 2);
        bench.resize(if step % 2 == 0 { 399 } else { 400 }, 120);
    }
    bench.type_text("typed blind");
    bench.read_on();
    bench.wait_for_text("It says one.");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("typed blind"));
    let written = bench.written() - written;
    assert!(written < BACKLOG, "{written} bytes");
    assert_picture_is_right(&bench);
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn a_signal_ends_it_while_nobody_reads_the_terminal() {
    let server = Server::start();
    let home = Home::with(&server).window(400, 120);
    let gate = Gate::new();
    let look = json!({"path": "total.txt"});
    server.script([stream().says("Begin.").holds(&gate).calls("read", look).ends(), never()]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("Begin.");
    bench.stop_reading();
    // A full frame of this size is larger than the terminal's buffer.
    bench.resize(399, 119);
    gate.open();
    // The frame has been drawn by now.
    server.request(2);
    bench.signal(Signal::TERM);
    assert_eq!(bench.wait_exit().exit_code(), 130);
}

#[test]
fn after_a_storm_of_sizes_in_a_stream_the_picture_is_the_one_of_the_last() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream()
        .says(&"the best of times, 漢字 and **more** ".repeat(60))
        .holds(&gate)
        .says(&"the worst of times ".repeat(300))
        .says("The end.")
        .ends()]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("of times");
    gate.open();
    let mut dice = fastrand::Rng::with_seed(7);
    for _ in 0..500 {
        bench.resize(dice.u16(20..=400), dice.u16(5..=120));
    }
    bench.resize(100, 30);
    // The sentence may wrap before its last word.
    bench.wait_for_text("end.");
    assert_picture_is_right(&bench);
    bench.leave();
}

/// Returns the numbers of bytes and frames written within the window.
fn costs(bench: &Pty, window: Duration) -> (usize, usize) {
    let (began, before) = (Instant::now(), bench.written());
    bench.wait_for("the time to be over", |_| began.elapsed() >= window);
    let raw = bench.raw();
    let written = raw.get(raw.len().min(before)..).unwrap_or_default();
    (bench.written() - before, written.matches("\x1b[?2026h").count())
}

#[test]
fn over_a_connection_an_answer_takes_four_kilobytes_a_second_and_a_wait_next_to_nothing() {
    let server = Server::start();
    let home = Home::with(&server)
        .window(160, 45)
        .env("SSH_CONNECTION", "::1 1 ::1 22");
    let lasting = Duration::from_secs(3);
    let piece = "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"some words \"}}]}\n\n";
    server.script([stream().floods(piece, Duration::from_millis(10)), never()]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("some words some words");
    let (bytes, frames) = costs(&bench, lasting);
    assert!((1..=3 * 4_096).contains(&bytes), "{bytes} bytes in {frames} frames");
    bench.keys("esc");
    bench.wait_for("the turn to be interrupted", |screen| {
        screen.has("interrupted") && !screen.has("Esc stop")
    });
    bench.ask("wait");
    server.request(2);
    bench.written_in(Duration::from_millis(700), Duration::ZERO);
    let (bytes, frames) = costs(&bench, lasting);
    assert!(frames > 0 && bytes <= 64 * frames, "{bytes} bytes in {frames} frames");
}
