//! Tests that an approval cannot be given by accident.

use serde_json::json;

use crate::support::bench::{dialog_is_open, draft_of, letters_count, waits};
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{Gate, Reply, call, stream, text};
use crate::support::server::Server;

const BEFORE: &str = "first\n";

fn proposal() -> serde_json::Value {
    json!({"path": "a.txt", "edits": [{"old": "first", "new": "second"}]})
}

/// Returns a workbench with a pending edit of `a.txt`.
fn waiting(server: &Server, home: &Home) -> Pty {
    home.file("a.txt", BEFORE);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", proposal()),
        text("Noted."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.wait_for_review("second");
    bench
}

/// Types a letter and waits for it in the prompt. All earlier input has been processed then.
fn settle(bench: &Pty) {
    bench.type_text("z");
    bench.wait_for("a letter typed later in the prompt", |screen| {
        draft_of(screen).contains('z')
    });
}

#[track_caller]
fn assert_undecided(server: &Server, home: &Home) {
    assert_eq!(home.read("a.txt"), BEFORE);
    assert_eq!(
        server.requests().len(),
        2,
        "a decision would have sent the result to the model"
    );
}

#[test]
fn prose_typed_while_a_dialog_opens_decides_nothing_and_loses_no_letter() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", BEFORE);
    let gate = Gate::new();
    let held: Reply = stream().holds(&gate).calls("edit", proposal()).ends();
    server.script([call("read", json!({"path": "a.txt"})), held]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    gate.wait_reached();
    bench.type_text("yes any plan n 1 y a ");
    gate.open();
    // Type letters until the dialog is open, and then a few more. The dialog opens during the typing.
    let mut typed = String::from("yes any plan n 1 y a ");
    for letter in "yan1 yan1 yan1 yan1 yan1 yan1 yan1".chars() {
        bench.type_text(&letter.to_string());
        typed.push(letter);
        if bench.look(waits) && typed.ends_with(' ') {
            break;
        }
    }
    bench.wait_for_review("second");
    bench.type_text("y a n 1");
    typed.push_str("y a n 1");
    bench.wait_for("every letter, in order", |screen| {
        draft_of(screen).replace('\n', "").contains(&typed)
    });
    assert!(
        bench.look(|screen| !dialog_is_open(screen)),
        "it never takes the keyboard by itself"
    );
    assert_undecided(&server, &home);
}

#[test]
fn a_waiting_request_rings_once_and_says_so_in_the_title() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = waiting(&server, &home);
    bench.wait_for("one ring, and a title of its own", |screen| {
        screen.bells() == 1 && !screen.title().is_empty()
    });
    let while_waiting = bench.look(|screen| screen.title().to_owned());
    bench.refuse("second");
    bench.wait_for("another title", |screen| screen.title() != while_waiting);
}

#[test]
fn escape_and_y_in_one_write_allow_and_in_two_they_do_not() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = waiting(&server, &home);
    bench.send(b"\x1by");
    bench.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), "second\n");
    let server = Server::start();
    let home = Home::with(&server);
    let bench = waiting(&server, &home);
    bench.send(b"\x1b");
    bench.wait_for_text("interrupted");
    bench.send(b"y");
    bench.wait_for("the letter in the prompt", |screen| draft_of(screen).contains('y'));
    assert_eq!(home.read("a.txt"), BEFORE);
}

#[test]
fn enter_does_not_move_the_keyboard_into_the_dialog() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = waiting(&server, &home);
    bench.keys("enter y");
    settle(&bench);
    assert!(bench.look(|screen| !dialog_is_open(screen)));
    assert_undecided(&server, &home);
}

#[test]
fn the_first_letter_after_the_way_in_counts() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = waiting(&server, &home);
    bench.send(b"\x1bay");
    bench.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), "second\n");
}

#[test]
fn accepted_is_done_and_the_model_is_told() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = waiting(&server, &home);
    bench.accept("second");
    bench.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), "second\n");
    assert!(
        server.request(3).last("tool").to_lowercase().contains("updated"),
        "{}",
        server.request(3).raw
    );
    server.assert_append_only();
    bench.leave();
}

#[test]
fn refused_changes_nothing_and_the_model_is_told() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = waiting(&server, &home);
    bench.refuse("second");
    bench.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), BEFORE);
    let told = server.request(3).last("tool").to_lowercase();
    assert!(told.contains("denied") || told.contains("refused"), "{told}");
    bench.leave();
}

#[test]
fn one_hunk_of_two_is_dropped_and_only_the_other_is_written() {
    let server = Server::start();
    let home = Home::with(&server);
    let lines: Vec<String> = (1..=30).map(|number| format!("line {number}\n")).collect();
    home.file("a.txt", &lines.concat());
    let edits = json!([{"old": "line 2\n", "new": "dropped\n"}, {"old": "line 29\n", "new": "kept\n"}]);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", json!({"path": "a.txt", "edits": edits})),
        text("Noted."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("change two lines");
    bench.wait_for_review("dropped");
    bench.enter_review();
    bench.keys("space");
    bench.wait_for("the first hunk dropped, and letters that count", |screen| {
        screen.has("[ ] hunk 1") && screen.has("[x] hunk 2") && letters_count(screen)
    });
    bench.keys("y");
    bench.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), lines.concat().replace("line 29\n", "kept\n"));
    let told = server.request(3).last("tool").to_owned();
    assert!(told.contains("dropped"), "the model is told what was refused: {told}");
    bench.leave();
}

#[test]
fn a_dangerous_command_offers_no_always() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", BEFORE);
    server.script([call("bash", json!({"command": "rm a.txt"})), text("Noted.")]);
    let bench = home.bench(&[]);
    bench.ask("remove it");
    bench.wait_for_review("dangerous");
    bench.enter_review();
    assert!(
        bench.look(|screen| !screen.has("always…") && !screen.has("a always")),
        "only once and deny"
    );
    bench.keys("a");
    bench.wait_for("keys that are enabled", letters_count);
    bench.keys("n");
    bench.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), BEFORE);
}
