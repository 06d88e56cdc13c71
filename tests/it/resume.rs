//! Tests that no data is lost after a kill, after a normal exit, or when two processes open one session.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, stream, text};
use crate::support::server::Server;

#[test]
fn leaving_says_how_to_come_back_where_something_was_said() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    bench.leave();
    assert!(!bench.raw().contains("Continue with"), "nothing was said");
    server.script([text("It says one.")]);
    let bench = home.bench(&[]);
    bench.ask("what does it say?");
    bench.wait_for_text("It says one.");
    bench.leave();
    let behind = bench.raw();
    let (_, said) = behind.rsplit_once("Continue with: benchdog").expect("a way back");
    assert!(said.trim_end().ends_with("-c"), "{said}");
    let again = home.bench(&["-c"]);
    again.wait_for_text("It says one.");
    again.leave();
}

#[test]
fn a_kill_in_the_middle_of_a_tool_run_loses_nothing_and_says_that_the_result_is_unknown() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"bash": {"sleep *": "allow"}});
    home.configure(&settings);
    home.file("notes.txt", "one\n");
    server.script([
        stream()
            .says("First I read.")
            .calls("read", json!({"path": "notes.txt"}))
            .ends(),
        call("bash", json!({"command": "sleep 65"})),
    ]);
    let bench = home.bench(&[]);
    bench.ask("wait for it");
    home.wait_for_process("sleep 65");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    // The kernel ends the tool's processes together with their parent.
    home.assert_gone("sleep 65", Duration::from_secs(1));

    let again = home.bench(&["-c"]);
    again.wait_for("everything up to the last durable entry", |screen| {
        [
            "wait for it",
            "First I read.",
            "notes.txt",
            "sleep 65",
            "result unknown",
        ]
        .iter()
        .all(|text| screen.has(text))
    });
    server.script([text("Still here.")]);
    again.ask("are you there?");
    again.wait_for_text("Still here.");
    server.assert_append_only();
    assert!(
        server.request(3).last("tool").contains("unknown"),
        "{}",
        server.request(3).raw
    );
    again.leave();
}

#[test]
fn a_session_that_was_left_is_shown_again_and_goes_on() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("The first answer."), text("The second answer.")]);
    let bench = home.bench(&[]);
    bench.ask("a first question");
    bench.wait_for_text("The first answer.");
    bench.leave();
    let again = home.bench(&["-c"]);
    again.wait_for("the old turn", |screen| {
        screen.has("a first question") && screen.has("The first answer.")
    });
    again.ask("a second question");
    again.wait_for_text("The second answer.");
    again.leave();
    server.assert_append_only();
    assert!(server.request(2).says("a first question"));
}

#[test]
fn a_run_goes_on_with_the_newest_session_of_this_folder_and_only_of_this_folder() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("one"), text("two"), text("three")]);
    home.run(&["run", "first"]).assert_code(0);
    home.run(&["run", "-c", "second"]).assert_code(0);
    assert!(server.request(2).says("first"));
    server.assert_append_only();
    std::fs::create_dir(home.outside().join("elsewhere")).expect("another folder");
    home.run(&["run", "-C", "../elsewhere", "third"]).assert_code(0);
    assert!(!server.request(3).says("first"));
}

#[test]
fn a_second_process_on_the_same_session_is_told_who_has_it() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("The answer.")]);
    let first = home.bench(&[]);
    first.ask("a question");
    first.wait_for_text("The answer.");
    let second = home.open(&["-c"]);
    let holder = first.pid().to_string();
    second.wait_for("the process that has the session", |screen| screen.has(&holder));
    let run = home.run(&["run", "-c", "hello"]);
    assert_ne!(run.code, Some(0), "{run}");
    assert!(run.stderr.contains(&holder), "{run}");
    assert_eq!(server.requests().len(), 1, "nothing was sent for it");
    first.leave();
}

#[test]
fn a_draft_survives_a_kill() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Yes.")]);
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("Yes.");
    bench.type_text("half a thought");
    bench.wait_for_text("half a thought");
    // The draft is written within 200 ms. Wait longer.
    bench.written_in(Duration::from_millis(600), Duration::ZERO);
    bench.signal(Signal::KILL);
    bench.wait_exit();
    home.bench(&["-c"]).wait_for_text("half a thought");
}

#[test]
fn prompts_are_recalled_after_a_restart() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Yes.")]);
    let bench = home.bench(&[]);
    bench.ask("remember this prompt");
    bench.wait_for_text("Yes.");
    bench.leave();
    let again = home.bench(&[]);
    again.keys("up");
    again.wait_for_text("remember this prompt");
    again.keys("ctrl-c");
}

#[test]
fn a_model_that_is_asked_for_replaces_the_one_a_session_chose() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"]["chosen-in-the-session"] = json!({});
    home.configure(&settings);
    server.script([text("One."), text("Two."), text("Three.")]);
    let bench = home.bench(&[]);
    bench.ask("/models kit/chosen-in-the-session");
    bench.wait_for_text("chosen-in-the-session");
    bench.ask("hello");
    bench.wait_for_text("One.");
    bench.leave();
    home.run(&["run", "-c", "again"]).assert_code(0);
    assert_eq!(server.request(2).body["model"], "chosen-in-the-session");
    home.run(&["run", "-c", "-m", "kit/asked-for", "once more"])
        .assert_code(0);
    assert_eq!(server.request(3).body["model"], "asked-for");
}

#[test]
fn a_model_that_the_server_does_not_list_is_taken_and_that_is_said() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("One.")]);
    let bench = home.bench(&[]);
    bench.ask("/model nope");
    bench.wait_for_text("offers only");
    bench.ask("hello");
    bench.wait_for_text("One.");
    assert_eq!(server.request(1).body["model"], "nope");
    bench.leave();
}

#[test]
fn a_command_of_the_person_that_was_killed_is_on_record_with_its_result_unknown() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"bash": {"sleep *": "allow"}});
    home.configure(&settings);
    let bench = home.bench(&[]);
    bench.ask("!sleep 66");
    home.wait_for_process("sleep 66");
    bench.signal(Signal::KILL);
    bench.wait_exit();
    home.assert_gone("sleep 66", Duration::from_secs(1));
    let again = home.bench(&["-c"]);
    again.wait_for("its result", |screen| {
        screen.has("sleep 66") && screen.has("result unknown")
    });
    again.leave();
}
