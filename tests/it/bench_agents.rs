//! Tests of other agents in `benchdog bench`, over the Agent Client Protocol.

use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::{Finished, look_until};
use crate::support::reply::{call, text};
use crate::support::server::{MODEL, Server};

const DONE: &str = "#!/bin/sh\n[ \"$(cat done)\" = yes ]\n";

/// An agent that checks the client's capabilities, and asks for permission before it solves the task.
const AGENT: &str = r#"
import json, os, sys

mode = sys.argv[1]
last = 100


def send(**message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)


def ask(method, params):
    global last
    last += 1
    send(id=last, method=method, params=params)
    while True:
        message = json.loads(sys.stdin.readline())
        if message.get("id") == last and "method" not in message:
            return message


print("this line is no message", flush=True)
for line in sys.stdin:
    request = json.loads(line)
    method, params = request["method"], request.get("params", {})
    if method == "initialize":
        assert params["clientCapabilities"] == {"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False}
        send(id=request["id"], result={"protocolVersion": 1})
    elif method == "session/new":
        assert params["cwd"] == os.getcwd() and params["mcpServers"] == []
        assert os.listdir("..") == ["workspace"], os.listdir("..")
        send(id=request["id"], result={"sessionId": "s1"})
    elif method == "session/prompt":
        if mode == "hangs":
            os.system("sleep 67.5")
        if mode == "dies":
            sys.exit("the agent gives up")
        if mode == "refuses":
            send(id=request["id"], error={"code": -32000, "message": "not signed in"})
            continue
        assert params["sessionId"] == "s1" and params["prompt"][0]["text"] == "Solve a.\n"
        assert ask("fs/read_text_file", {"sessionId": "s1", "path": "/etc/passwd"})["error"]["code"] == -32601
        update = {"sessionUpdate": "tool_call", "toolCallId": "c1", "title": "x", "kind": "edit", "status": "failed"}
        send(method="session/update", params={"sessionId": "s1", "update": update})
        options = [{"optionId": "no", "kind": "reject_once", "name": "No"}, {"optionId": "yes", "kind": "allow_once", "name": "Yes"}]
        answer = ask("session/request_permission", {"sessionId": "s1", "toolCall": {"toolCallId": "c2"}, "options": options})
        if answer["result"]["outcome"] == {"outcome": "selected", "optionId": "yes"}:
            open("done", "w").write("yes\n")
        send(id=request["id"], result={"stopReason": "end_turn", "usage": {"inputTokens": 40, "outputTokens": 2}})
"#;

fn home() -> Home {
    let home = Home::bare();
    home.file("tasks/a/task.toml", "[agent]\ntimeout_sec = 4.0\n");
    home.file("tasks/a/instruction.md", "Solve a.\n");
    home.file("tasks/a/environment/README.md", "hello\n");
    home.file("tasks/a/tests/test.sh", DONE);
    home.file("agent.py", AGENT);
    home
}

fn bench(home: &Home, command: &str) -> (Finished, Value) {
    let words = ["bench", "run", "tasks", "--agent", command];
    let run = home.start(&words, None).wait_within(Duration::from_secs(60));
    let mut files = std::fs::read_dir(home.path("bench-results")).expect("the results");
    let file = files.next().expect("a result").expect("a result").path();
    let record = std::fs::read_to_string(file).expect("a result");
    (run, serde_json::from_str(&record).expect("JSON"))
}

fn script(home: &Home, mode: &str) -> String {
    format!("python3 {} {mode}", home.path("agent.py").display())
}

#[test]
fn another_agent_solves_a_task_with_the_permissions_that_it_asks_for() {
    let home = home();
    let (run, record) = bench(&home, &script(&home, "solves"));
    run.assert_code(0);
    assert_eq!(record["status"], "solved", "{record:#}");
    assert_eq!(record["turn"]["outcome"], "end_turn");
    assert_eq!(record["turn"]["tokens"]["total"], 42);
    assert_eq!(record["turn"]["edits_refused"], 1);
}

#[test]
fn an_agent_without_an_account_is_a_failed_run_and_one_that_dies_is_checked() {
    let home_of_one = home();
    let (run, record) = bench(&home_of_one, &script(&home_of_one, "refuses"));
    run.assert_code(5);
    assert_eq!(record["status"], "failed", "{record:#}");
    let reason = record["reason"].as_str().expect("a reason");
    assert!(reason.contains("not signed in") && run.stderr.contains(reason), "{run}");
    let home = home();
    let (run, record) = bench(&home, &script(&home, "dies"));
    run.assert_code(0);
    assert_eq!(record["status"], "unsolved", "{record:#}");
    let outcome = record["turn"]["outcome"].as_str().expect("an outcome");
    assert!(outcome.contains("the agent gives up"), "{record:#}");
}

#[test]
fn an_interrupt_ends_the_agent_with_its_processes() {
    let home = home();
    home.file("tasks/a/task.toml", "");
    let command = script(&home, "hangs");
    let bench = home.start(&["bench", "run", "tasks", "--agent", &command], None);
    let hangs = || home.processes().iter().any(|(_, line)| line.contains("67.5"));
    assert!(look_until(Duration::from_secs(20), hangs), "the agent works");
    bench.signal(Signal::TERM);
    bench.wait_within(Duration::from_secs(20)).assert_code(130);
    home.assert_gone("67.5", Duration::from_secs(10));
}

#[test]
fn an_agent_that_hangs_is_killed_at_its_limit_and_its_work_is_checked() {
    let home = home();
    let (run, record) = bench(&home, &script(&home, "hangs"));
    run.assert_code(0);
    assert_eq!(
        (&record["status"], &record["turn"]["outcome"]),
        (&json!("unsolved"), &json!("timeout"))
    );
    home.assert_gone("67.5", Duration::from_secs(10));
}

#[test]
fn the_time_limit_of_the_command_line_replaces_that_of_the_task() {
    let home = home();
    home.file("tasks/a/task.toml", "[agent]\ntimeout_sec = 500.0\n");
    let command = script(&home, "hangs");
    let words = ["tasks", "--agent", &command, "--agent-timeout", "2"];
    let list = home.run(&[&["bench", "list"][..], &words].concat());
    assert!(list.stdout.contains(" --agent-timeout 2"), "{list}");
    let run = home.start(&[&["bench", "run"][..], &words].concat(), None);
    run.wait_within(Duration::from_secs(60)).assert_code(0);
    let report = home.run(&["bench", "report", "bench-results"]);
    assert!(report.stdout.contains("  0/1  "), "{report}");
    home.assert_gone("67.5", Duration::from_secs(10));
    let refused = home.run(&["bench", "run", "tasks", "--agent-timeout", "0"]);
    refused.assert_code(2);
}

#[test]
fn a_report_without_results_names_the_command_that_makes_them() {
    let home = home();
    home.file("empty/notes.txt", "no result\n");
    for folder in ["missing", "empty"] {
        let report = home.run(&["bench", "report", folder]);
        report.assert_code(2);
        assert!(
            report.stderr.contains(folder) && report.stderr.contains("benchdog bench run"),
            "{report}"
        );
        assert!(report.stdout.is_empty(), "{report}");
    }
}

#[test]
fn benchdog_itself_can_be_compared_as_another_agent() {
    let home = home();
    let server = Server::start();
    home.configure(&config(&server.base_url()));
    server.script([
        call("write", json!({"path": "done", "content": "yes\n"})),
        text("Done."),
    ]);
    let (run, record) = bench(&home, &format!("{} acp", home.program[0]));
    run.assert_code(0);
    assert_eq!(record["status"], "solved", "{record:#}");
}

#[test]
fn a_model_without_native_tools_is_reported_once() {
    let home = home();
    let server = Server::start();
    home.configure(&config(&server.base_url()));
    server.page("/v1/models", json!({"data": [{"id": MODEL, "owned_by": "llamacpp"}]}));
    server.page("/props", json!({"chat_template_caps": {"supports_tools": false}}));
    server.script([text("Done."), text("Done.")]);
    let run = home.start(&["bench", "run", "tasks", "--attempts", "2"], None);
    let run = run.wait_within(Duration::from_secs(60));
    run.assert_code(0);
    assert_eq!(run.stdout.matches("does not include tools").count(), 1, "{run}");
}
