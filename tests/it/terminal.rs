//! Tests that the terminal is restored however the program ends, and used efficiently while it runs.

use rustix::process::Signal;

use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{stream, text};
use crate::support::server::Server;

#[track_caller]
fn assert_given_back(bench: &Pty) {
    assert_eq!(
        bench.left_behind(),
        Vec::<String>::new(),
        "{}",
        bench.raw().escape_debug()
    );
}

#[test]
fn after_leaving_everything_is_as_it_was() {
    let server = Server::start();
    for home in [Home::with(&server), Home::with(&server).kitty()] {
        let bench = home.bench(&[]);
        assert!(
            !bench.left_behind().is_empty(),
            "while it runs it has taken the terminal: the check can fail"
        );
        bench.leave();
        assert_given_back(&bench);
    }
}

#[test]
fn after_a_signal_everything_is_as_it_was() {
    let server = Server::start();
    for signal in [Signal::TERM, Signal::HUP] {
        let home = Home::with(&server).kitty();
        server.script([stream().says("talking").falls_silent()]);
        let bench = home.bench(&[]);
        bench.ask("talk");
        bench.wait_for_text("talking");
        bench.signal(signal);
        bench.wait_exit();
        assert_given_back(&bench);
        assert!(home.processes().is_empty(), "{:?}", home.processes());
    }
}

#[test]
fn what_was_typed_last_is_there_again_after_a_signal() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.type_text("the last words");
    bench.wait_for_text("the last words");
    bench.signal(Signal::HUP);
    bench.wait_exit();
    let bench = home.bench(&[]);
    bench.wait_for_text("the last words");
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn pasted_text_is_one_draft_and_sends_nothing_by_itself() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Read it.")]);
    let bench = home.bench(&[]);
    bench.send(b"\x1b[200~first line\nsecond line\ny a n\x1b[201~");
    bench.wait_for("the pasted lines", |screen| {
        screen.has("first line") && screen.has("y a n")
    });
    assert!(server.requests().is_empty());
    bench.keys("enter");
    bench.wait_for_text("Read it.");
    assert_eq!(server.request(1).last("user"), "first line\nsecond line\ny a n");
    bench.leave();
}

#[test]
fn it_draws_at_every_size_and_after_every_resize() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("The answer stands here.")]);
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("The answer stands here.");
    for (columns, rows) in [(40, 10), (80, 24), (20, 5), (400, 120), (60, 15), (160, 50)] {
        bench.resize(columns, rows);
    }
    bench.wait_for("the last size drawn whole", |screen| {
        screen.has("The answer stands here.") && screen.row("kit-model").is_some()
    });
    bench.type_text("still alive");
    bench.wait_for_text("still alive");
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn without_colour_no_colour_is_sent() {
    let server = Server::start();
    let colours = regex::Regex::new(r"\x1b\[[\d;:]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])[\d;:]*m").expect("a fixed pattern");
    let home = Home::with(&server);
    let coloured = home.bench(&[]);
    assert!(colours.is_match(&coloured.raw()), "the check can fail");
    coloured.leave();
    for variable in ["NO_COLOR", "AGENT_NO_COLOR"] {
        let home = Home::with(&server).env(variable, "1");
        let bench = home.bench(&[]);
        bench.leave();
        let raw = bench.raw();
        let found: Vec<&str> = colours.find_iter(&raw).map(|found| found.as_str()).collect();
        assert!(found.is_empty(), "{variable}: {found:?}");
    }
}

#[test]
fn a_frame_is_one_synchronized_update_and_the_screen_is_not_cleared_between() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    let before = bench.raw().len();
    bench.type_text("hello there");
    bench.wait_for_text("hello there");
    let raw = bench.raw();
    let frames = raw.get(before..).unwrap_or_default();
    assert_eq!(
        frames.matches("\x1b[?2026h").count(),
        frames.matches("\x1b[?2026l").count()
    );
    assert!(frames.contains("\x1b[?2026h"), "{}", frames.escape_debug());
    assert!(!frames.contains("\x1b[2J"), "{}", frames.escape_debug());
    bench.keys("ctrl-c");
    bench.leave();
}
