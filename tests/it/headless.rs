//! Tests of `benchdog run`: its three outputs, and its exit codes.

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{self, calls, stream, text};
use crate::support::schema;
use crate::support::server::Server;

/// Line types with their required fields, besides `type`, `session`, `seq` and `time`.
const LINES: [(&str, &[&str]); 17] = [
    ("session", &["workspace", "model", "agent"]),
    ("turn_started", &["turn", "prompt"]),
    ("state", &["state"]),
    ("text_delta", &["text"]),
    ("reasoning_delta", &["text"]),
    ("message", &["role", "text", "calls"]),
    ("tool_started", &["call", "tool", "title"]),
    ("tool_output", &["call", "text"]),
    (
        "tool_finished",
        &["call", "tool", "status", "summary", "output", "truncated"],
    ),
    ("approval_requested", &["call", "tool", "because"]),
    ("approval_decided", &["call", "decision", "by"]),
    ("todo", &["items"]),
    ("findings", &["call", "findings"]),
    ("context", &["used", "limit", "estimated"]),
    ("notice", &["code", "text"]),
    ("error", &["code", "text", "hint"]),
    ("turn_finished", &["outcome", "steps", "usage"]),
];

#[track_caller]
pub fn assert_scripted(run: &Finished) -> Vec<Value> {
    let lines = run.json_lines();
    for (index, line) in lines.iter().enumerate() {
        let kind = line["type"].as_str().unwrap_or_default();
        let (_, fields) = LINES
            .iter()
            .find(|(name, _)| *name == kind)
            .unwrap_or_else(|| panic!("unknown line {line}"));
        for field in *fields {
            assert!(line.get(field).is_some(), "`{field}` is missing in {line}");
        }
        assert_eq!(line["seq"], json!(index + 1), "{line}");
        assert_eq!(schema::event_problems(line), Vec::<String>::new(), "{line}");
        let time = line["time"].as_str().unwrap_or_default();
        assert!(time.parse::<jiff::Timestamp>().is_ok() && time.ends_with('Z'), "{line}");
        assert_eq!(line["session"], lines[0]["session"], "{line}");
    }
    assert_eq!(lines.last().expect("a line")["type"], "turn_finished", "{run}");
    assert_eq!(run.events("turn_finished").len(), 1, "{run}");
    lines
}

fn write_call(path: &str) -> reply::Reply {
    reply::call("write", json!({"path": path, "content": "new\n"}))
}

#[test]
fn text_prints_the_answer_and_nothing_else_on_stdout() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\ntwo\n");
    server.script([
        stream()
            .says("I look first.")
            .calls("read", json!({"path": "notes.txt"}))
            .ends(),
        text("There are two lines."),
    ]);
    let run = home.run(&["run", "how many lines?"]);
    run.assert_code(0);
    assert_eq!(run.stdout, "There are two lines.\n");
    assert!(
        run.stderr.contains("read notes.txt") && run.stderr.contains("I look first."),
        "{run}"
    );
    assert!(
        !run.stderr.contains('\u{1b}'),
        "no escape sequences without a terminal: {run}"
    );
}

#[test]
fn the_prompt_is_the_argument_or_the_input_or_both_with_a_blank_line_between() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("a"), text("b"), text("c")]);
    home.run(&["run", "from the argument"]).assert_code(0);
    home.run_with_input(&["run"], "from the input\n").assert_code(0);
    home.run_with_input(&["run", "both"], "of them\n").assert_code(0);
    let prompts: Vec<String> = server
        .requests()
        .iter()
        .map(|request| request.last("user").trim_end().to_owned())
        .collect();
    assert_eq!(prompts, ["from the argument", "from the input", "both\n\nof them"]);
}

#[test]
fn stream_json_is_one_schema_checked_object_a_line_and_a_denied_call_ends_with_3() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("notes.txt", "one\n");
    server.script([
        stream()
            .thinks("hm")
            .says("A plan.")
            .calls(
                "todowrite",
                json!({"items": [{"text": "look", "status": "in_progress"}]}),
            )
            .ends(),
        calls([
            ("read", json!({"path": "notes.txt"})),
            ("bash", json!({"command": "ls notes.txt"})),
        ]),
        calls([("bash", json!({"command": "rm notes.txt"}))]),
        text("I was not allowed to remove it."),
    ]);
    let run = home.run(&["run", "--output", "stream-json", "remove the notes"]);
    run.assert_code(3);
    let lines = assert_scripted(&run);
    assert_eq!(lines[0]["type"], "session", "{run}");
    for (kind, _) in LINES
        .iter()
        .filter(|(kind, _)| !matches!(*kind, "notice" | "error" | "findings"))
    {
        assert!(!run.events(kind).is_empty(), "no `{kind}` line\n{run}");
    }
    let asked = run.events("approval_requested");
    assert_eq!(
        (&asked[0]["tool"], &asked[0]["class"]),
        (&json!("bash"), &json!("dangerous")),
        "{run}"
    );
    let decided = run.events("approval_decided");
    assert_eq!(
        (&decided[0]["decision"], &decided[0]["by"]),
        (&json!("deny"), &json!("policy")),
        "{run}"
    );
    let denied: Vec<Value> = run
        .events("tool_finished")
        .into_iter()
        .filter(|line| line["status"] == "denied")
        .collect();
    assert_eq!(denied.len(), 1, "{run}");
    assert_eq!(denied[0]["tool"], "bash");
    let end = lines.last().expect("a line");
    assert_eq!((&end["outcome"], &end["steps"]), (&json!("denied"), &json!(4)));
    assert_eq!(end["usage"], json!({"prompt": 4000, "completion": 80, "total": 4080}));
    assert_eq!(home.read("notes.txt"), "one\n");
    server.assert_append_only();
}

#[test]
fn json_is_one_object_that_names_changes_and_denials() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        calls([("bash", json!({"command": "rm x"}))]),
        write_call("made.txt"),
        text("Made it."),
    ]);
    let run = home.run(&["run", "--output", "json", "--approve", "edits", "make it"]);
    // After the denial, a write succeeded. The turn therefore counts as done.
    run.assert_code(0);
    let lines = run.json_lines();
    assert_eq!(lines.len(), 1, "{run}");
    assert_eq!(
        (&lines[0]["outcome"], &lines[0]["text"]),
        (&json!("done"), &json!("Made it."))
    );
    assert_eq!(lines[0]["files_changed"], json!(["made.txt"]));
    assert_eq!(lines[0]["denied"][0]["tool"], "bash");
    assert!(
        !lines[0]["denied"][0]["because"].as_str().unwrap_or_default().is_empty(),
        "{run}"
    );
    assert!(
        lines[0]["session"].is_string() && lines[0]["usage"]["total"].is_u64(),
        "{run}"
    );
}

#[test]
fn what_would_ask_is_denied_unless_the_flag_approves_it() {
    for (approve, made) in [("never", false), ("edits", true), ("all", true)] {
        let server = Server::start();
        let home = Home::with(&server);
        server.script([write_call("made.txt"), text("ok")]);
        let run = home.run(&["run", "--approve", approve, "make it"]);
        assert_eq!(home.path("made.txt").exists(), made, "--approve {approve}\n{run}");
        run.assert_code(if made { 0 } else { 3 });
    }
}

#[test]
fn nothing_configured_and_wrong_arguments_end_with_2_and_say_what_to_do() {
    let home = Home::bare();
    let run = home.run(&["run", "hello"]);
    run.assert_code(2);
    assert!(
        run.stderr.contains("BENCHDOG_BASE_URL") && run.stdout.is_empty(),
        "{run}"
    );
    home.run(&["run", "--output", "yaml", "hello"]).assert_code(2);
    home.run(&["run", "--no-such-flag"]).assert_code(2);
}

#[test]
fn the_environment_alone_is_a_complete_configuration() {
    let server = Server::start();
    let home = Home::bare()
        .env("BENCHDOG_BASE_URL", &server.base_url())
        .env("BENCHDOG_MODEL", "some/model");
    server.script([text("hello")]);
    home.run(&["run", "hi"]).assert_code(0);
    assert_eq!(server.request(1).body["model"], "some/model");
}

#[test]
fn running_out_of_steps_ends_with_4() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script((0..5).map(|_| calls([("list", json!({}))])));
    let run = home.run(&["run", "--output", "stream-json", "--max-steps", "2", "look around"]);
    run.assert_code(4);
    assert_eq!(assert_scripted(&run).last().expect("a line")["outcome"], "limit");
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn running_out_of_time_ends_with_4() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([stream().says("thinking").falls_silent()]);
    let run = home.run(&["run", "--timeout", "1", "think"]);
    run.assert_code(4);
    server.wait_abandoned(1);
}

#[test]
fn an_endpoint_that_refuses_ends_with_5_and_still_with_a_last_line() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([reply::status(401, "wrong key")]);
    let run = home.run(&["run", "--output", "stream-json", "hello"]);
    run.assert_code(5);
    assert_eq!(assert_scripted(&run).last().expect("a line")["outcome"], "error");
    assert!(
        run.events("error")[0]["text"]
            .as_str()
            .is_some_and(|text| text.contains("401")),
        "{run}"
    );
}

#[test]
fn edits_that_leave_the_check_failing_end_with_6() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["validation"] = json!({"command": "echo the check is red; exit 1"});
    home.configure(&settings);
    server.script([write_call("made.txt")]);
    server.script((0..6).map(|_| text("I think it is fine.")));
    let run = home.run(&["run", "--output", "stream-json", "--approve", "edits", "make it"]);
    run.assert_code(6);
    assert_eq!(
        assert_scripted(&run).last().expect("a line")["outcome"],
        "validation_failed"
    );
    // There is one round of changes, and then at most three reports of the failure.
    assert!(server.request(3).says("the check is red"));
    assert!(server.requests().len() <= 5, "{}", server.requests().len());
    server.assert_append_only();
}

#[test]
fn live_output_is_whole_lines_that_make_up_what_the_command_printed() {
    let server = Server::start();
    let home = Home::with(&server);
    let command = "printf 'one\\ntw'; sleep 0.2; printf 'o\\n\\nthree\\n'; sleep 0.2; printf 'the last'";
    server.script([reply::call("bash", json!({"command": command})), reply::text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "print"]);
    run.assert_code(0);
    let pieces: Vec<String> = run
        .events("tool_output")
        .iter()
        .map(|line| line["text"].as_str().expect("a text").to_owned())
        .collect();
    // Each chunk has whole lines, without the last newline.
    assert!(pieces.len() > 1, "{pieces:?}");
    assert_eq!(pieces.join("\n"), "one\ntwo\n\nthree\nthe last");
}
