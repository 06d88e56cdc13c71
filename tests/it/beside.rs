//! Tests of a person's command during a turn or a pending request. Its output is shown first, and the next request
//! contains it.

use rustix::process::Signal;
use serde_json::json;

use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{Gate, calls, stream, text};
use crate::support::server::Server;

fn edits(home: &Home, server: &Server) {
    home.file("a.txt", "one\n");
    home.file("b.txt", "two\n");
    let edit = |path: &str, old: &str, new: &str| json!({"path": path, "edits": [{"old": old, "new": new}]});
    server.script([
        calls([
            ("edit", edit("a.txt", "one", "uno")),
            ("edit", edit("b.txt", "two", "due")),
        ]),
        text("Both are done."),
    ]);
}

/// Reads a file with a command before the decision. The command itself does not contain the file's text.
fn looks(bench: &Pty, home: &Home) {
    home.file("seen.txt", "what-the-file-says\n");
    bench.wait_for_review("uno");
    bench.ask("!cat seen.txt");
    bench.wait_for("its output and its end at once", |screen| {
        let ended = screen.row("cat seen.txt").is_some_and(|row| row.contains("exit 0"));
        ended && screen.has("what-the-file-says") && !screen.has("queued")
    });
    assert_eq!(home.read("a.txt"), "one\n", "nothing was decided by it");
}

#[test]
fn while_proposals_wait_it_runs_and_the_model_reads_it_behind_their_results() {
    let server = Server::start();
    let home = Home::with(&server).window(110, 40);
    edits(&home, &server);
    let bench = home.bench(&[]);
    bench.ask("change both");
    looks(&bench, &home);
    bench.accept("uno");
    bench.accept("due");
    bench.wait_for_text("Both are done.");
    assert_eq!(
        (home.read("a.txt"), home.read("b.txt")),
        ("uno\n".into(), "due\n".into())
    );
    let request = server.request(2);
    request.assert_well_formed();
    assert!(
        request.says("what-the-file-says") && request.says("!cat seen.txt"),
        "{}",
        request.raw
    );
    server.assert_append_only();
    bench.leave();
}

#[test]
fn while_the_model_answers_it_runs_and_is_told_with_the_next_prompt() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("seen.txt", "what-the-file-says\n");
    let gate = Gate::new();
    server.script([
        stream().says("First half").holds(&gate).says(" and the rest.").ends(),
        text("I know it."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("First half");
    bench.ask("!cat seen.txt");
    bench.wait_for_text("what-the-file-says");
    assert!(bench.look(|screen| !screen.has("and the rest.") && !screen.has("queued")));
    gate.open();
    bench.wait_for_text("First half and the rest.");
    bench.ask("what did I look at?");
    bench.wait_for_text("I know it.");
    server.request(2).assert_well_formed();
    assert!(server.request(2).says("what-the-file-says"));
    server.assert_append_only();
    bench.leave();
}

#[test]
fn a_kill_behind_it_leaves_its_row_and_the_proposal() {
    let server = Server::start();
    let home = Home::with(&server).window(110, 40);
    edits(&home, &server);
    let bench = home.bench(&[]);
    bench.ask("change both");
    looks(&bench, &home);
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let bench = home.bench(&["-c"]);
    bench.wait_for_review("uno");
    bench.wait_for_text("what-the-file-says");
    bench.accept("uno");
    bench.accept("due");
    bench.wait_for_text("Both are done.");
    assert!(
        server.request(2).says("what-the-file-says"),
        "{}",
        server.request(2).raw
    );
    server.request(2).assert_well_formed();
    server.assert_append_only();
    bench.leave();
}

#[test]
fn what_asks_is_called_by_its_sign_and_runs_only_once_it_is_allowed() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("old.txt", "x\n");
    let gate = Gate::new();
    server.script([stream().says("Talking").holds(&gate).ends()]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    bench.wait_for_text("Talking");
    bench.ask("!rm -rf old.txt");
    bench.wait_for("the request, by the name its row has", |screen| {
        screen.has("◆ !") && !screen.has("bash")
    });
    assert_eq!(home.read("old.txt"), "x\n");
    bench.accept("rm -rf old.txt");
    bench.wait_for_text("exit 0");
    assert!(!home.path("old.txt").exists());
    gate.open();
    bench.wait_for("the turn to end", |screen| !screen.has("Esc stop"));
    bench.leave();
}
