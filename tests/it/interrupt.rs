//! Tests of interrupts at any point. The turn ends, no process remains, and the next request is well formed.

use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;

use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{call, stream, text};
use crate::support::server::Server;

/// Maximum time until an interrupt takes effect.
const SOON: Duration = Duration::from_secs(1);

/// Presses Esc, and waits within the limit until the turn is shown as interrupted.
#[track_caller]
fn interrupt(bench: &Pty) {
    let pressed = Instant::now();
    bench.keys("esc");
    bench.wait_for("the turn to be interrupted", |screen| {
        screen.has("interrupted") && !screen.has("Esc stop")
    });
    assert!(pressed.elapsed() < SOON, "it took {:?}", pressed.elapsed());
}

/// Checks that the next turn works, and that every request is well formed.
#[track_caller]
fn assert_goes_on(bench: &Pty, server: &Server) {
    server.script([text("Going on.")]);
    bench.ask("and now?");
    bench.wait_for_text("Going on.");
    server.assert_append_only();
    bench.leave();
}

#[test]
fn during_the_stream_the_connection_is_let_go_and_what_was_said_is_kept() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([stream().says("I am thinking about").falls_silent()]);
    let bench = home.bench(&[]);
    bench.ask("think");
    bench.wait_for_text("I am thinking about");
    interrupt(&bench);
    server.wait_abandoned(1);
    assert_goes_on(&bench, &server);
    assert!(server.request(2).says("I am thinking about"));
}

#[test]
fn before_the_first_word_the_history_is_closed_by_a_mark() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([stream().falls_silent()]);
    let bench = home.bench(&[]);
    bench.ask("think");
    server.request(1);
    interrupt(&bench);
    assert_goes_on(&bench, &server);
    assert_eq!(server.request(2).last("assistant"), "[interrupted]");
}

#[test]
fn during_a_command_its_whole_process_group_dies() {
    for command in ["touch made; sleep 61 & sleep 62", "touch made; setsid --wait sleep 63"] {
        let server = Server::start();
        let home = Home::with(&server);
        server.script([call("bash", json!({"command": command}))]);
        let bench = home.bench(&[]);
        bench.ask("wait a while");
        bench.accept("sleep 6");
        home.wait_for_process("sleep 6");
        bench.keys("esc");
        bench.wait_for_text(" PROMPT ");
        interrupt(&bench);
        home.assert_gone("sleep 6", SOON);
        assert_goes_on(&bench, &server);
    }
}

#[test]
fn during_a_run_without_a_screen_the_exit_code_is_130_and_nothing_is_left() {
    for (command, signal) in [
        ("sleep 61 & sleep 62", Signal::INT),
        ("setsid --wait sleep 63", Signal::TERM),
    ] {
        let server = Server::start();
        let home = Home::with(&server);
        server.script([call("bash", json!({"command": command}))]);
        let run = home.start(
            &["run", "--output", "stream-json", "--approve", "all", "wait a while"],
            None,
        );
        home.wait_for_process("sleep 6");
        let sent = Instant::now();
        run.signal(signal);
        let ended = run.wait();
        assert!(sent.elapsed() < SOON + SOON, "it took {:?}\n{ended}", sent.elapsed());
        ended.assert_code(130);
        let finished = ended.events("turn_finished");
        let outcome = finished.first().map(|finished| &finished["outcome"]);
        assert_eq!(outcome, Some(&json!("interrupted")), "{ended}");
        home.assert_gone("", SOON);
    }
}

#[test]
fn during_an_approval_the_call_is_recorded_as_cancelled() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("write", json!({"path": "made.txt", "content": "x\n"}))]);
    let bench = home.bench(&[]);
    bench.ask("make it");
    bench.wait_for_review("made.txt");
    interrupt(&bench);
    assert!(!home.path("made.txt").exists());
    assert_goes_on(&bench, &server);
}

#[test]
fn a_command_that_forks_away_and_ends_by_itself_leaves_nothing_behind() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        call(
            "bash",
            json!({"command": "(setsid sleep 64 >/dev/null 2>&1 &) ; echo started"}),
        ),
        text("ok"),
    ]);
    home.run(&["run", "--approve", "all", "start it"]).assert_code(0);
    assert!(
        server.request(2).last("tool").contains("started"),
        "{}",
        server.request(2).raw
    );
    home.assert_gone("sleep 64", SOON);
}
