//! Agents: `plan` changes nothing, `accept-edits` asks for no edit, and the model hears who works.

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::reply::{call, calls, text};
use crate::support::server::Server;

fn write(path: &str) -> Value {
    json!({"path": path, "content": "new\n"})
}

/// The messages of a request as one text.
fn sent(server: &Server, request: usize) -> String {
    server.request(request + 1).body["messages"].to_string()
}

#[test]
fn a_plan_changes_nothing_whatever_is_approved() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "first\n");
    server.script([
        call("read", json!({"path": "a.txt"})),
        calls([
            ("write", write("made.txt")),
            (
                "edit",
                json!({"path": "a.txt", "edits": [{"old": "first", "new": "second"}]}),
            ),
            ("bash", json!({"command": "echo x > made.txt; touch a.txt"})),
            ("bash", json!({"command": "mkdir made"})),
        ]),
        text("The plan."),
    ]);
    let run = home.run(&["run", "-a", "plan", "--approve", "all", "plan it"]);
    assert_eq!(home.read("a.txt"), "first\n", "{run}");
    assert!(!home.path("made.txt").exists() && !home.path("made").exists(), "{run}");
    assert!(
        sent(&server, 0).contains("chose the agent `plan`"),
        "{}",
        sent(&server, 0)
    );
    assert!(
        sent(&server, 2).contains("which changes nothing"),
        "{}",
        sent(&server, 2)
    );
}

#[test]
fn edits_are_accepted_and_commands_are_not() {
    let server = Server::start();
    let home = Home::with(&server);
    for flag in [
        "-y",
        "--yes",
        "--yolo",
        "--auto-approve",
        "--dangerously-skip-permissions",
    ] {
        server.script([
            calls([
                ("write", write("made.txt")),
                ("bash", json!({"command": "python3 -c 'open(\"ran\", \"w\")'"})),
            ]),
            text("ok"),
        ]);
        let run = home.run(&["run", flag, "make it"]);
        run.assert_code(3);
        assert_eq!(home.read("made.txt"), "new\n", "{flag}: {run}");
        assert!(!home.path("ran").exists(), "{flag}: {run}");
        std::fs::remove_file(home.path("made.txt")).unwrap();
    }
    let both = home.run(&["run", "-y", "-a", "plan", "make it"]);
    both.assert_code(2);
}

#[test]
fn the_key_switches_the_agent_and_the_next_prompt_says_so() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("Planned."), call("write", write("made.txt")), text("Made.")]);
    let bench = home.bench(&[]);
    bench.wait_for_text("build ·");
    bench.keys("shift-tab");
    bench.wait_for_text("plan ·");
    bench.ask("plan it");
    bench.wait_for_text("Planned.");
    bench.type_text("/agent acept-edits");
    bench.keys("enter");
    bench.wait_for_text("did you mean `accept-edits`");
    bench.type_text("/yes");
    bench.keys("enter");
    bench.wait_for_text("accept-edits ·");
    bench.ask("make it");
    bench.wait_for_text("Made.");
    assert_eq!(home.read("made.txt"), "new\n");
    bench.leave();
    assert!(sent(&server, 0).contains("chose the agent `plan`"));
    let first = sent(&server, 0);
    let begins = first.trim_end_matches(']');
    assert!(sent(&server, 1).starts_with(begins), "what was sent stays as it was");
    assert!(sent(&server, 1).contains("chose the agent `accept-edits`"));

    let again = home.bench(&["-c"]);
    again.wait_for_text("accept-edits ·");
    again.leave();
}

#[test]
fn what_waits_is_denied_where_the_person_wants_a_plan() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([call("write", write("made.txt")), text("Noted.")]);
    let bench = home.bench(&[]);
    bench.ask("make it");
    bench.wait_for_review("new");
    bench.keys("shift-tab");
    bench.wait_for_text("Noted.");
    assert!(!home.path("made.txt").exists());
    assert!(
        sent(&server, 1).contains("which changes nothing"),
        "{}",
        sent(&server, 1)
    );
    bench.leave();
}
