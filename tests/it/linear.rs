//! Tests of the workbench's line mode: `--linear`, and a terminal without cursor positioning.

mod paste;

use serde_json::json;

use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{Gate, call, stream, text};
use crate::support::server::Server;

const BEFORE: &str = "first\n";
/// End of a question, before the answer.
const ASKS: &str = "your answer:";
const MARK: &str = ">";

fn edit() -> serde_json::Value {
    json!({"path": "a.txt", "edits": [{"old": "first", "new": "second"}]})
}

fn lines(home: &Home) -> Pty {
    let pty = home.open(&["--linear"]);
    pty.wait_for("the mark", |screen| waits(&screen.rows()));
    pty
}

fn waits(rows: &[String]) -> bool {
    rows.iter()
        .rev()
        .find(|row| !row.is_empty())
        .is_some_and(|row| row == MARK)
}

/// Returns a workbench with an approval request for the edit.
fn asked(server: &Server, home: &Home) -> Pty {
    home.file("a.txt", BEFORE);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", edit()),
        text("Noted."),
        text("Nothing more."),
    ]);
    let pty = lines(home);
    write(&pty, "change it");
    pty.wait_for_text(ASKS);
    pty
}

fn write(pty: &Pty, line: &str) {
    pty.type_text(line);
    pty.keys("enter");
}

#[track_caller]
fn leave(pty: &Pty) {
    pty.wait_for("the mark", |screen| waits(&screen.rows()));
    pty.keys("ctrl-d");
    assert_eq!(pty.wait_exit().exit_code(), 0, "{}", pty.raw());
    assert!(!pty.raw().contains('\u{1b}'), "{}", pty.raw().escape_debug());
    assert_eq!(pty.left_behind(), Vec::<String>::new());
}

#[test]
fn a_terminal_that_places_no_cursor_gets_a_turn_as_text_behind_text() {
    let server = Server::start();
    let home = Home::with(&server).env("TERM", "dumb");
    home.file("total.txt", "one\n");
    let gate = Gate::new();
    server.script([
        stream()
            .says("Let me look.")
            .holds(&gate)
            .calls("read", json!({"path": "total.txt"}))
            .ends(),
        text("It says \u{1b}[31mone\u{1b}[m. 漢字"),
    ]);
    let pty = home.open(&[]);
    pty.wait_for("the mark", |screen| waits(&screen.rows()));
    write(&pty, "what does it say? 何");
    pty.wait_for_text("Let me look.");
    gate.open();
    pty.wait_for_text("It says one. 漢字");
    pty.wait_for("one line for the call", |screen| {
        screen.row("read total.txt").is_some_and(|row| row.contains("1 line"))
    });
    assert_eq!(server.request(1).last("user"), "what does it say? 何");
    leave(&pty);
    server.assert_append_only();
}

#[test]
fn a_change_is_shown_as_a_diff_and_made_by_a_whole_word() {
    let server = Server::start();
    let home = Home::with(&server);
    let pty = asked(&server, &home);
    pty.wait_for("the diff", |screen| {
        ["asked: edit", "@@ -1 +1 @@", "-first", "+second"]
            .iter()
            .all(|row| screen.row(row).is_some())
    });
    write(&pty, "y");
    pty.wait_for_text("Answer not recognised.");
    assert_eq!(home.read("a.txt"), BEFORE);
    pty.wait_for("the question again", |screen| screen.text().matches(ASKS).count() == 2);
    write(&pty, "ｙｅｓ");
    pty.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), "second\n");
    leave(&pty);
}

#[test]
fn a_refusal_takes_its_reason_along() {
    let server = Server::start();
    let home = Home::with(&server);
    let pty = asked(&server, &home);
    write(&pty, "いいえ、use tabs");
    pty.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), BEFORE);
    let told = server.request(3);
    assert!(told.last("tool").contains("use tabs"), "{}", told.last("tool"));
    leave(&pty);
}

#[test]
fn what_another_program_says_decides_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", BEFORE);
    server.script([
        call("read", json!({"path": "a.txt"})),
        call("edit", edit()),
        text("Noted."),
    ]);
    let shell = home.shell();
    write(
        &shell,
        "yes yes | benchdog --linear 'change it'; echo code ${PIPESTATUS[1]}",
    );
    shell.wait_for_text("Denied: nobody can answer");
    shell.wait_for_text("code 3");
    assert_eq!(home.read("a.txt"), BEFORE);
    assert_eq!(server.requests().len(), 3, "no `yes` was sent as a prompt");
}

#[test]
fn prompts_of_a_file_are_asked_one_after_the_other() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("One."), text("Two.")]);
    let run = home.run_with_input(&["--inline"], "first?\n\"\"\"\nsecond\nand more?\n\"\"\"\n");
    run.assert_code(0);
    assert!(run.stdout.contains("One.") && run.stdout.contains("Two."), "{run}");
    assert_eq!(server.request(1).last("user"), "first?");
    assert_eq!(server.request(2).last("user"), "second\nand more?");
}

#[test]
fn a_yes_that_was_begun_before_the_question_decides_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", BEFORE);
    let gate = Gate::new();
    server.script([
        call("read", json!({"path": "a.txt"})),
        stream().holds(&gate).calls("edit", edit()).ends(),
        text("Noted."),
    ]);
    let pty = lines(&home);
    write(&pty, "change it");
    gate.wait_reached();
    pty.type_text("yes");
    pty.wait_for_text("yes");
    gate.open();
    pty.wait_for_text(ASKS);
    pty.keys("enter");
    pty.wait_for("no decision", |screen| {
        screen.has("Answer not recognised.") || screen.has("Ignored: this was typed")
    });
    assert_eq!((home.read("a.txt").as_str(), server.requests().len()), (BEFORE, 2));
    // Ctrl+D means no.
    pty.wait_for("the question again", |screen| screen.text().matches(ASKS).count() == 2);
    pty.keys("ctrl-d");
    pty.wait_for_text("Noted.");
    assert_eq!(home.read("a.txt"), BEFORE);
    leave(&pty);
}

#[test]
fn a_line_that_was_sent_before_the_question_waits_its_turn_as_a_prompt() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", BEFORE);
    let gate = Gate::new();
    server.script([
        call("read", json!({"path": "a.txt"})),
        stream().holds(&gate).calls("edit", edit()).ends(),
        text("Noted."),
        text("Yes what?"),
    ]);
    let pty = lines(&home);
    write(&pty, "change it");
    gate.wait_reached();
    write(&pty, "yes");
    pty.wait_for_text("queued: yes");
    gate.open();
    pty.wait_for_text(ASKS);
    assert_eq!((home.read("a.txt").as_str(), server.requests().len()), (BEFORE, 2));
    write(&pty, "no");
    pty.wait_for_text("Yes what?");
    assert_eq!(home.read("a.txt"), BEFORE);
    leave(&pty);
}

#[test]
fn the_key_that_stops_ends_the_turn_and_twice_the_program() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream().says("It goes on").holds(&gate).ends()]);
    let pty = lines(&home);
    write(&pty, "talk");
    pty.wait_for_text("It goes on");
    pty.keys("ctrl-c");
    pty.wait_for_text("Press Ctrl+C again to quit.");
    pty.wait_for("the end of the turn", |screen| {
        screen.row("interrupted").is_some() && waits(&screen.rows())
    });
    server.wait_abandoned(1);
    pty.type_text("half a line");
    pty.wait_for_text("half a line");
    pty.keys("ctrl-c");
    pty.keys("ctrl-c");
    assert_eq!(pty.wait_exit().exit_code(), 0, "{}", pty.raw());
    assert_eq!(pty.left_behind(), Vec::<String>::new());
}

#[test]
fn a_prompt_of_several_lines_stands_between_quotes() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Read.")]);
    let pty = lines(&home);
    for line in ["\"\"\"first", "", "  /help", "last\"\"\""] {
        write(&pty, line);
    }
    pty.wait_for_text("Read.");
    assert_eq!(server.request(1).last("user"), "first\n\n  /help\nlast");
    leave(&pty);
}

#[test]
fn commands_answer_in_lines_or_say_that_they_need_the_screen() {
    let server = Server::start();
    let home = Home::with(&server).window(200, 90);
    let pty = lines(&home);
    write(&pty, "/help");
    pty.wait_for_text("/model [ID]: ");
    write(&pty, "/status");
    pty.wait_for("the model and the folder", |screen| {
        screen.row("model: kit/").is_some() && screen.row("folder: ").is_some()
    });
    write(&pty, "/diff");
    pty.wait_for_text("/diff needs the full screen");
    write(&pty, "/nothing");
    pty.wait_for_text("Unknown command `/nothing`");
    write(&pty, "exit");
    assert_eq!(pty.wait_exit().exit_code(), 0, "{}", pty.raw());
}

#[test]
fn a_command_of_the_person_asks_because_it_may_have_been_pasted() {
    let server = Server::start();
    let home = Home::with(&server);
    let pty = lines(&home);
    write(&pty, "!touch made");
    pty.wait_for_text(ASKS);
    assert!(!home.path("made").exists());
    write(&pty, "yes");
    pty.wait_for("its result", |screen| screen.row("✓ ! touch made").is_some());
    assert!(home.path("made").exists());
    leave(&pty);
}
