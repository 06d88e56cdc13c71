//! Tests of subagents: parallel work of other agents with separate requests, stopped one by one.

mod asking;
mod eight;
mod watched;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{Reply, call, calls, never, stream, text};
use crate::support::request::Request;
use crate::support::server::Server;

fn task(agent: &str, prompt: &str) -> (&'static str, Value) {
    ("task", json!({"agent": agent, "prompt": prompt, "description": prompt}))
}

/// Returns the first prompt of the session that sent the request.
fn asker(request: &Request) -> String {
    let user = request.messages().iter().find(|message| message["role"] == "user");
    let text = user.and_then(|message| message["content"].as_str()).unwrap_or_default();
    text.split("\n\n[benchdog]").next().unwrap_or_default().to_owned()
}

fn answers(request: &Request) -> usize {
    let messages = request.messages().iter();
    messages.filter(|message| message["role"] == "assistant").count()
}

fn requests_of(server: &Server, prompt: &str) -> Vec<Request> {
    let all = server.requests().into_iter();
    all.filter(|request| asker(request) == prompt).collect()
}

fn results(request: &Request) -> Vec<String> {
    let messages = request.messages().iter().filter(|message| message["role"] == "tool");
    messages
        .map(|message| message["content"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// Answers each session by its first prompt.
fn plays(server: &Server, answer: impl Fn(&str, usize) -> Reply + Send + 'static) {
    server.model(move |request| Some(answer(&asker(request), answers(request))));
}

fn write(path: &str) -> Value {
    json!({"path": path, "content": "new\n"})
}

fn declares(request: &Request) -> bool {
    request.body["tools"].to_string().contains("Give work to a subagent")
}

fn may_give_work(home: &Home, server: &Server) {
    let mut config = crate::support::home::config(&server.base_url());
    config["permission"] = json!({"task": "allow"});
    home.configure(&config);
}

#[test]
fn a_child_explores_and_its_answer_is_the_result() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("total.txt", "one\n");
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => call("task", task("explore", "look").1),
        ("go", _) => text("All is known."),
        ("look", 0) => call("read", json!({"path": "total.txt"})),
        _ => text("It says one."),
    });
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    let [first, last] = &requests_of(&server, "go")[..] else {
        panic!("two requests of the parent")
    };
    assert!(declares(first), "the tool is declared");
    assert!(
        results(last)[0].starts_with("It says one.\n\n[done: 2 steps, session "),
        "{:?}",
        results(last)
    );
    let child = requests_of(&server, "look");
    assert!(!declares(&child[0]), "a child has no children");
    assert!(child[0].last("user").contains("Another agent gave you this work"));
    let listed = home.run(&["sessions", "list"]);
    assert_eq!(
        listed.stdout.lines().count(),
        1,
        "a child is no session of its own: {listed}"
    );
    let again = home.run(&["run", "-c", "go on"]);
    again.assert_code(0);
    assert_eq!(
        requests_of(&server, "go").len(),
        3,
        "the newest session is the parent's"
    );
}

#[test]
fn a_script_hears_each_child_by_its_name_and_the_last_line_is_the_runs_own() {
    let server = Server::start();
    let home = Home::with(&server);
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => calls([task("explore", "look"), task("general", "make it")]),
        ("go", _) => text("Done."),
        ("make it", 0) => call("write", write("made.txt")),
        ("make it", _) => text("Made."),
        _ => text("Looked."),
    });
    may_give_work(&home, &server);
    let run = home.run(&["run", "--output", "stream-json", "--approve", "edits", "go"]);
    run.assert_code(0);
    let lines = run.json_lines();
    let numbers: Vec<u64> = lines.iter().filter_map(|line| line["seq"].as_u64()).collect();
    assert_eq!(numbers, (1..=lines.len() as u64).collect::<Vec<_>>());
    let last = lines.last().unwrap();
    assert_eq!((&last["type"], last.get("child")), (&json!("turn_finished"), None));
    let of = |agent: &str, kind: &str| {
        let agent = agent.to_owned();
        let found = lines.iter().filter(move |line| line["child"]["agent"] == json!(agent));
        found
            .filter(|line| line["type"] == json!(kind))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(of("general", "turn_finished").len(), 1, "{run}");
    assert_eq!(
        of("explore", "text_delta").len(),
        1,
        "what a child says is told as it comes: {run}"
    );
    let (asked, decided) = (of("general", "approval_requested"), of("general", "approval_decided"));
    assert_eq!((asked.len(), decided.len()), (1, 1), "{run}");
    assert_eq!(asked[0]["call"], decided[0]["call"], "by one name");
    let task = lines
        .iter()
        .filter(|line| line["type"] == "tool_finished" && line.get("child").is_none());
    let ids: Vec<&Value> = task.map(|line| &line["call"]).collect();
    assert!(ids.contains(&&asked[0]["child"]["call"]) && ids.len() == 2, "{ids:?}");
    assert_eq!(home.read("made.txt"), "new\n");
    assert_eq!(
        last["usage"]["total"].as_u64().unwrap() / 1_000,
        5,
        "its children's tokens are its own: {last}"
    );
}

#[test]
fn files_and_tokens_of_children_are_those_of_the_run() {
    let server = Server::start();
    let home = Home::with(&server);
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => call("task", task("general", "make it").1),
        ("go", _) => text("Done."),
        ("make it", 0) => call("write", write("made.txt")),
        _ => text("Made."),
    });
    let denied = home.run(&["run", "--output", "json", "go"]);
    denied.assert_code(3);
    assert!(
        denied.stdout.contains("\"tool\":\"task\""),
        "the work was not allowed: {denied}"
    );
    may_give_work(&home, &server);
    let run = home.run(&["run", "--output", "json", "--approve", "edits", "go"]);
    run.assert_code(0);
    let line = &run.json_lines()[0];
    assert_eq!(line["files_changed"], json!(["made.txt"]), "{run}");
    // A denial in a subagent is part of its result. It does not count as a denial of the run.
    std::fs::remove_file(home.path("made.txt")).unwrap();
    let run = home.run(&["run", "--output", "json", "go"]);
    run.assert_code(0);
    assert!(!home.path("made.txt").exists());
}

#[test]
fn a_plan_changes_nothing_also_by_its_children() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "first\n");
    home.configure(&{
        let mut config = crate::support::home::config(&server.base_url());
        config["permission"] = json!({"task": "allow", "edit": "allow"});
        config
    });
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => call("task", task("general", "make it").1),
        ("go", _) => text("Planned."),
        ("make it", 0) => calls([
            ("write", write("made.txt")),
            ("bash", json!({"command": "echo x > made.txt; rm a.txt"})),
        ]),
        _ => text("Not made."),
    });
    let run = home.run(&["run", "-a", "plan", "--approve", "all", "go"]);
    assert!(!home.path("made.txt").exists(), "{run}");
    assert_eq!(home.read("a.txt"), "first\n", "{run}");
    assert_eq!(requests_of(&server, "make it").len(), 2, "{run}");
}

#[test]
fn what_a_child_said_and_did_is_read_in_its_row_also_later() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("total.txt", "one\n");
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => call("task", task("explore", "look").1),
        ("go", _) => text("All is known."),
        ("look", 0) => stream()
            .says("First I look.")
            .calls("read", json!({"path": "total.txt"}))
            .ends(),
        _ => text("It says one."),
    });
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.wait_for_text("All is known.");
    let reads = |bench: &Pty| {
        bench.keys("alt-2 up up enter");
        bench.wait_for("what the child said", |screen| screen.has("First I look."));
        assert!(bench.look(|screen| screen.has("It says one.") && screen.has("total.txt")));
        bench.keys("esc");
        bench.wait_for("the conversation", |screen| !screen.has("First I look."));
    };
    reads(&bench);
    bench.keys("alt-3");
    bench.leave();
    let again = home.bench(&["-c"]);
    again.wait_for_text("All is known.");
    reads(&again);
    again.keys("alt-3");
    again.leave();
}

#[test]
fn killed_with_its_children_the_session_says_what_is_known_of_them() {
    let server = Server::start();
    let home = Home::with(&server);
    may_give_work(&home, &server);
    home.file("total.txt", "one\n");
    plays(&server, |who, turn| match (who, turn) {
        ("go", 0) => calls([task("explore", "look"), task("general", "make it")]),
        ("look", 0) => call("read", json!({"path": "total.txt"})),
        ("make it", 0) => call("write", write("made.txt")),
        ("go", _) => text("Going on."),
        _ => never(),
    });
    let bench = home.bench(&[]);
    bench.ask("go");
    bench.accept("new");
    server.request(5);
    bench.signal(Signal::KILL);
    bench.wait_exit();
    let again = home.bench(&["-c"]);
    again.wait_for_text("result unknown");
    again.ask("what now?");
    again.wait_for_text("Going on.");
    again.leave();
    let all = requests_of(&server, "go");
    let got = results(all.last().unwrap());
    assert!(
        got[0].contains("had answered 1 times") && got[0].contains("read total.txt"),
        "{got:?}"
    );
    assert!(got[1].contains("Changed: made.txt"), "{got:?}");
    let child = got[0]
        .split("(session ")
        .nth(1)
        .unwrap()
        .split(')')
        .next()
        .unwrap()
        .to_owned();
    let shown = home.run(&["sessions", "show", &child]);
    shown.assert_code(0);
    assert!(shown.stdout.contains("total.txt"), "{shown}");
}
