//! Tests of hooks at the prompt, after a call, and at the end of a turn, even if Benchdog does not wait for them.

use std::path::Path;

use serde_json::{Value, json};

use super::{bash, guard, home_with, script};
use crate::support::PATIENCE;
use crate::support::bench::draft_of;
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_hook_behind_a_call_and_one_at_the_prompt_tell_the_model_and_one_at_the_end_sends_it_on() {
    let server = Server::start();
    let hooks = json!({
        "user_prompt": [{"name": "date", "command": ["./date"]}],
        "after_tool": [{"name": "lint", "match": "edit", "command": ["./lint"]}],
        "turn_end": [{"name": "more", "command": ["./more"]}],
    });
    let home = home_with(&server, &hooks, &json!({"bash": "allow", "edit": "allow"}));
    script(
        &home,
        "date",
        r#"echo '{"hook_specific_output": {"additional_context": "It is Friday."}}'"#,
    );
    script(&home, "lint", "echo 'line 1 is odd'; exit 2");
    script(
        &home,
        "more",
        "[ -e \"$PWD/seen\" ] && exit 0; touch \"$PWD/seen\"; echo 'say more'; exit 2",
    );
    server.script([
        call("write", json!({"path": "a.txt", "content": "x"})),
        text("Done."),
        text("All is said."),
    ]);
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    for row in [
        "Hook `lint` (after_tool) objects: line 1 is odd",
        "Hook `more` (turn_end) objects: say more",
    ] {
        assert!(run.stderr.contains(row), "{row}: {run}");
    }
    assert!(server.request(1).last("user").contains("It is Friday."));
    let told = server.request(2).last("tool").to_owned();
    assert!(
        told.contains("The hook `lint` of the user objects: line 1 is odd"),
        "{told}"
    );
    assert!(server.request(3).last("user").contains("say more"));
    assert_eq!(server.requests().len(), 3);
    server.assert_append_only();
}

#[test]
fn one_that_never_is_content_sends_a_turn_on_three_times() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("turn_end", json!({})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    script(&home, "guard", "echo again; exit 2");
    server.script([text("1"), text("2"), text("3"), text("4"), text("5")]);
    home.run(&["run", "go"]).assert_code(0);
    assert_eq!(server.requests().len(), 4);
}

#[test]
fn a_prompt_that_a_hook_keeps_back_is_in_the_editor_again_and_nothing_is_sent() {
    let server = Server::start();
    let home = home_with(
        &server,
        &guard("user_prompt", json!({})),
        &json!({"bash": "allow", "edit": "allow"}),
    );
    script(&home, "guard", "grep -q plum && { echo 'no plums'; exit 2; }; exit 0");
    server.script([text("Fine.")]);
    let run = home.run(&["run", "eat a plum"]);
    run.assert_code(2);
    assert!(run.stderr.contains("no plums"), "{run}");
    let bench = home.bench(&[]);
    bench.ask("eat a plum");
    bench.wait_for_text("no plums");
    bench.wait_for("the prompt again", |screen| draft_of(screen).contains("eat a plum"));
    bench.keys("ctrl-c");
    bench.ask("eat a pear");
    bench.wait_for_text("Fine.");
    assert_eq!(server.requests().len(), 1);
    bench.ask("/hooks");
    bench.wait_for("the list with its last result", |screen| {
        screen.has("user_prompt") && screen.has("guard") && screen.has("no objection")
    });
    bench.keys("esc");
    bench.wait_for("the list to close", |screen| !screen.has("Esc closes"));
    bench.leave();
}

#[test]
fn one_that_is_waited_for_is_named_and_esc_ends_it_and_gives_the_prompt_back() {
    let server = Server::start();
    let home = home_with(
        &server,
        &json!({
            "user_prompt": [{"name": "slow", "command": ["./slow"]}],
            "before_tool": [{"name": "slower", "match": "bash", "command": ["./slow"]}],
        }),
        &json!({"bash": "allow"}),
    );
    script(
        &home,
        "slow",
        "[ -e \"$PWD/quick\" ] && [ ! -e \"$PWD/quick.1\" ] && touch \"$PWD/quick.1\" && exit 0; echo $$ > \"$PWD/pid\"; exec sleep 50",
    );
    let ended = || {
        let pid = home.read("pid");
        let place = format!("/proc/{}", pid.trim());
        assert!(look_until(PATIENCE, || !Path::new(&place).exists()), "the hook runs on");
    };
    server.script([bash("touch made.txt")]);
    let bench = home.bench(&[]);
    bench.ask("think of a plum");
    bench.wait_for_text("waiting for hook slow 0:0");
    bench.keys("esc");
    bench.wait_for("the prompt again", |screen| {
        draft_of(screen).contains("think of a plum")
    });
    ended();
    assert_eq!(server.requests().len(), 0, "nothing is sent");
    home.file("quick", "");
    bench.keys("enter");
    bench.wait_for_text("waiting for hook slower 0:0");
    bench.keys("esc");
    bench.wait_for("the end of the turn", |screen| !screen.has("waiting for hook"));
    ended();
    bench.leave();
    assert!(!home.path("made.txt").exists());
}

#[test]
fn the_points_that_nobody_waits_at_are_told() {
    let server = Server::start();
    let told: serde_json::Map<String, Value> = ["session_start", "approval", "session_end"]
        .into_iter()
        .map(|event| (event.to_owned(), json!([{"name": "tell", "command": ["./tell"]}])))
        .collect();
    let home = home_with(&server, &Value::Object(told), &json!({}));
    script(&home, "tell", "cat >> \"$PWD/told.jsonl\"");
    server.script([bash("touch made.txt"), text("No.")]);
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.refuse("touch made.txt");
    bench.wait_for_text("No.");
    bench.leave();
    let lines = home.read("told.jsonl");
    let events: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("a line of JSON")["hook_event_name"].clone())
        .collect();
    assert_eq!(events, ["session_start", "approval", "session_end"]);
}

#[test]
fn a_hook_at_the_end_hears_of_a_turn_that_failed_and_sends_nothing_on() {
    let server = Server::start();
    let home = home_with(&server, &guard("turn_end", json!({})), &json!({}));
    script(&home, "guard", "cat > \"$PWD/asked.json\"; echo 'go on'; exit 2");
    server.script([bash("touch made.txt"), text("No.")]);
    home.run(&["run", "go"]).assert_code(3);
    let asked: Value = serde_json::from_str(&home.read("asked.json")).expect("JSON on its input");
    assert_eq!(
        (&asked["hook_event_name"], &asked["outcome"]),
        (&json!("turn_end"), &json!("denied"))
    );
    assert_eq!(server.requests().len(), 2, "it is not sent on");
}
