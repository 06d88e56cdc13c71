//! Tests of several sessions in one window. Each has its own draft, and no key press reaches the wrong session.

use rustix::process::Signal;
use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::Server;

#[test]
fn two_sessions_work_side_by_side_and_a_request_in_the_background_takes_no_key() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40).kitty();
    let gate = Gate::new();
    server.script([
        stream().says("Slowly.").holds(&gate).says(" Ready.").ends(),
        call("write", json!({"path": "made.txt", "content": "new\n"})),
        text("Written."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("the slow one");
    bench.wait_for_text("Slowly.");
    bench.keys("ctrl-x n");
    bench.wait_for_text("Ctrl+O 1 working");
    bench.ask("the other one");
    bench.wait_for_review("new");
    let bells = bench.look(|screen| screen.bells());
    bench.keys("ctrl-x o");
    bench.wait_for_text("Slowly.");
    bench.wait_for_text("Ctrl+O 1 waiting");
    bench.type_text("yany");
    bench.keys("alt-y");
    bench.wait_for("what was typed", |screen| draft_of(screen).contains("yany"));
    assert!(!home.path("made.txt").exists());
    gate.open();
    bench.wait_for_text("Ready.");
    bench.keys("ctrl-o");
    bench.wait_for_text("waiting");
    bench.keys("enter");
    bench.accept("new");
    bench.wait_for_text("Written.");
    assert_eq!(home.read("made.txt"), "new\n");
    assert!(bench.look(|screen| screen.bells()) >= bells);
    bench.keys("ctrl-x o");
    bench.wait_for("the draft of the first", |screen| draft_of(screen).contains("yany"));
    bench.keys("ctrl-c");
    bench.leave();
}

#[test]
fn a_session_that_works_is_closed_only_when_one_says_so() {
    let server = Server::start();
    let home = Home::with(&server).window(120, 40);
    server.script([stream().says("First.").ends(), stream().says("Second.").falls_silent()]);
    let bench = home.bench(&[]);
    bench.ask("one");
    bench.wait_for_text("First.");
    bench.ask("/new beside");
    bench.wait_for("the new session", |screen| !screen.has("First."));
    bench.ask("two");
    bench.wait_for_text("Second.");
    bench.ask("/close");
    bench.wait_for_text("Stop everything in it and close it");
    bench.keys("enter");
    bench.wait_for_text("Second.");
    bench.ask("/close");
    bench.wait_for_text("Stop everything in it and close it");
    bench.keys("down enter");
    bench.wait_for_text("First.");
    bench.ask("/close");
    bench.wait_for_text("only session cannot be closed");
    bench.leave();
}

#[test]
fn what_was_written_in_a_second_session_is_found_after_a_kill() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("First."), text("Later."), text("Last.")]);
    let bench = home.bench(&[]);
    bench.ask("one");
    bench.wait_for_text("First.");
    bench.keys("ctrl-x n");
    bench.wait_for("the new session", |screen| !screen.has("First."));
    bench.type_text("half a thought");
    bench.wait_for("the draft", |screen| draft_of(screen).contains("half a thought"));
    // A switch to another session saves the draft at once.
    bench.keys("ctrl-x o");
    bench.ask("two");
    bench.wait_for_text("Later.");
    home.wait_for_index("half a thought");
    // The later entry proves that the draft was written.
    bench.ask("a third one");
    bench.wait_for_text("Last.");
    home.wait_for_index("a third one");
    bench.signal(rustix::process::Signal::KILL);
    bench.wait_exit();
    let again = home.bench(&[]);
    again.keys("up");
    again.wait_for("the thought", |screen| draft_of(screen).contains("half a thought"));
    again.keys("ctrl-c");
    again.leave();
}

#[test]
fn a_second_window_on_the_same_folder_has_a_prompt_of_its_own() {
    let server = Server::start();
    let home = Home::with(&server);
    let first = home.bench(&[]);
    first.type_text("of the first window");
    home.wait_for_index("of the first window");
    let second = home.bench(&[]);
    second.type_text("mine");
    second.wait_for("its own draft", |screen| draft_of(screen).contains("mine"));
    assert!(!second.look(|screen| draft_of(screen).contains("first window")));
    second.keys("ctrl-c");
    second.leave();
    first.signal(Signal::KILL);
    first.wait_exit();
    let again = home.bench(&[]);
    again.wait_for("what the first one wrote", |screen| {
        draft_of(screen).contains("of the first window")
    });
    again.keys("ctrl-c");
    again.leave();
}
