//! Tests of "Always" answers: their scope, their lifetime, and their revocation.

use serde_json::json;

use crate::support::bench::waits;
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn permissions_lists_every_rule_and_takes_an_always_answer_back() {
    let server = Server::start();
    let home = Home::with(&server);
    let write = |name: &str| call("write", json!({"path": name, "content": "x\n"}));
    server.script([write("one.txt"), write("two.txt"), text("Two made.")]);
    let bench = home.bench(&[]);
    bench.ask("make two");
    bench.wait_for_review("one.txt");
    bench.enter_review();
    answer_always(&bench, "a down");
    bench.wait_for_text("Two made.");
    assert!(home.path("two.txt").exists(), "the second one was covered");
    bench.ask("/permissions");
    bench.wait_for_text("edit  *  allow");
    bench.wait_for_text("external_directory  *  deny");
    bench.keys("enter");
    bench.wait_for("the answer taken back", |screen| {
        !screen.has("edit  *  allow") && screen.has("edit  *  ask")
    });
    // A rule from another source stays. The message shows the source.
    bench.keys("enter");
    bench.wait_for_text("Default rule:");
    bench.keys("esc");
    bench.wait_for("the list closed", |screen| !screen.has("external_directory"));
    server.script([write("three.txt"), text("Three.")]);
    bench.ask("make three");
    bench.wait_for("a request", waits);
    assert!(!home.path("three.txt").exists(), "it asks again");
    bench.leave();
}

/// Opens the choice with `keys`, waits until keys are enabled, and gives an "Always" answer.
fn answer_always(bench: &Pty, keys: &str) {
    bench.open_always(keys);
    bench.keys("y");
}

#[test]
fn an_answer_for_the_workspace_holds_in_later_sessions_until_it_is_taken_back() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("Makefile", "check:\n\t@echo checked > made.txt\n");
    let make = || call("bash", json!({"command": "make check"}));
    server.script([make(), text("Checked once.")]);
    let bench = home.bench(&[]);
    bench.ask("check it");
    bench.wait_for_review("make check");
    bench.enter_review();
    answer_always(&bench, "a tab");
    bench.wait_for_text("Checked once.");
    bench.leave();

    // In another process and session, no approval is requested.
    std::fs::remove_file(home.path("made.txt")).unwrap();
    server.script([make(), text("Checked twice.")]);
    let bench = home.bench(&[]);
    bench.ask("check again");
    bench.wait_for_text("Checked twice.");
    assert!(home.path("made.txt").exists());
    let explained = home.run(&["policy", "explain", "make check"]);
    assert!(
        explained.stdout.contains(r#""verdict":"allow""#),
        "{}",
        explained.stdout
    );
    bench.ask("/permissions");
    bench.wait_for_text("bash  make check  allow");
    bench.keys("enter");
    bench.wait_for("the answer taken back", |screen| !screen.has("bash  make check  allow"));
    bench.keys("esc");
    bench.wait_for("the list closed", |screen| !screen.has("external_directory"));
    bench.leave();

    std::fs::remove_file(home.path("made.txt")).unwrap();
    server.script([make(), text("Refused.")]);
    let bench = home.bench(&[]);
    bench.ask("check a third time");
    bench.wait_for_review("make check");
    assert!(!home.path("made.txt").exists(), "it asks again");
    bench.leave();
}

#[test]
fn an_answer_for_a_line_of_several_commands_covers_the_next_line_of_them() {
    let server = Server::start();
    let home = Home::with(&server);
    let run = |line: &str| call("bash", json!({"command": line}));
    server.script([
        run("touch one.txt 2>&1 | tail -5"),
        run("mkdir -p made && touch 'made/a b.txt' | head -3"),
        run("touch two.txt && touch made/three.txt 2>&1 | tail -50"),
        run("touch four.txt | tee five.txt"),
    ]);
    let bench = home.bench(&[]);
    bench.ask("make them");
    bench.wait_for_review("touch one.txt");
    bench.enter_review();
    bench.keys("a");
    bench.wait_for_text("touch *");
    bench.wait_for_text("combined with harmless commands");
    answer_always(&bench, "down");
    bench.wait_for_review("mkdir -p made");
    assert!(home.path("one.txt").exists());
    // `Alt+A` only focuses the pane, so this key press approves nothing.
    bench.keys("alt-a");
    bench.enter_review();
    bench.keys("a");
    bench.wait_for_text("mkdir *");
    assert!(!bench.look(|screen| screen.has("touch *")), "that is allowed already");
    answer_always(&bench, "tab");
    // The third call is covered by the answers. The fourth also writes a file with `tee`.
    bench.wait_for_review("tee five.txt");
    assert!(home.path("two.txt").exists() && home.path("made/three.txt").exists());
    assert!(!home.path("four.txt").exists());
    bench.leave();
}

#[test]
fn an_answer_that_another_window_takes_back_holds_in_no_window() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("Makefile", "check:\n\t@echo checked >> made.txt\n");
    let make = || call("bash", json!({"command": "make check"}));
    let lines = || std::fs::read_to_string(home.path("made.txt")).map_or(0, |text| text.lines().count());
    server.script([make(), text("Once."), make(), text("Twice.")]);
    let bench = home.bench(&[]);
    bench.ask("check it");
    bench.wait_for_review("make check");
    bench.enter_review();
    answer_always(&bench, "a tab");
    bench.wait_for_text("Once.");
    bench.ask("check again");
    bench.wait_for_text("Twice.");
    assert_eq!(lines(), 2);

    let other = home.bench(&[]);
    other.ask("/permissions");
    other.wait_for_text("bash  make check  allow");
    other.keys("enter");
    other.wait_for("the answer taken back", |screen| !screen.has("bash  make check  allow"));
    other.keys("esc");
    other.wait_for("the list closed", |screen| !screen.has("external_directory"));
    other.leave();

    server.script([make(), text("Refused.")]);
    bench.ask("check a third time");
    bench.wait_for("a third request for a decision", waits);
    assert_eq!(lines(), 2, "it asks again");
    bench.leave();
}
