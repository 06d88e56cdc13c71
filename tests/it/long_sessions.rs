//! Tests a long session with each API and all actions. Every request begins with the bytes of the previous one.
//!
//! `BENCHDOG_TEST_TURNS=200 cargo test long_sessions` makes it longer.

use serde_json::{Value, json};

use crate::support::api::Api;
use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::{Reply, stream};
use crate::support::request::{Request, assert_append_only};
use crate::support::server::{MODEL, Server};

/// A window that never becomes full. Other tests cover compaction.
const WINDOW: u64 = 10_000_000;

#[test]
fn a_long_session_by_chat_completions_only_ever_grows() {
    long_session(Api::OpenAi);
}

#[test]
fn a_long_session_by_the_api_of_ollama_only_ever_grows() {
    long_session(Api::Ollama);
}

#[test]
fn a_long_session_by_the_messages_of_anthropic_only_ever_grows() {
    long_session(Api::Anthropic);
}

#[test]
fn a_long_session_by_the_responses_api_only_ever_grows() {
    long_session(Api::Responses);
}

#[expect(clippy::disallowed_methods, reason = "a variable of the test run, not of benchdog")]
fn turns() -> usize {
    let told = std::env::var("BENCHDOG_TEST_TURNS").ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(10)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    None,
    Accepted,
    Refused,
}

fn change(turn: usize) -> Change {
    match turn % 4 {
        1 => Change::Accepted,
        3 => Change::Refused,
        _ => Change::None,
    }
}

fn line(turn: usize) -> String {
    let accepted = (1..=turn).filter(|turn| change(*turn) == Change::Accepted).count();
    format!("第{accepted}行 of the notes")
}

fn turn_of_the_model(turn: usize) -> Vec<Reply> {
    let item = |status: &str| json!({"items": [{"text": format!("步骤 {turn}"), "status": status}]});
    let begin = stream().thinks("嗯，先看看。").says("A plan, 計画です。");
    let mut replies = vec![
        begin.calls("todowrite", item("in_progress")),
        stream()
            .calls("read", json!({"path": "notes.txt"}))
            .calls("grep", json!({"pattern": "行"})),
        stream()
            .calls("read", json!({"path": "../outside"}))
            .calls("no_such_tool", json!({})),
    ];
    if change(turn) != Change::None {
        let new = match change(turn) {
            Change::Accepted => line(turn),
            Change::Refused | Change::None => format!("refused in turn {turn}"),
        };
        let edits = json!([{"old": line(turn - 1), "new": new}]);
        let edit = json!({"path": "notes.txt", "edits": edits});
        replies.push(stream().says("I change it.").calls("edit", edit));
    }
    replies.push(stream().calls("todowrite", item("completed")));
    replies.push(stream().says(&format!(
        "回答 number {turn}.\n\n- 一つ目 `code`\n- `<tool_call>` is a mark 👍"
    )));
    replies
}

fn turn_of_the_person(bench: &Pty, turn: usize) {
    let at_rest = || bench.wait_for("the end of it", |screen| !screen.has("Esc stop"));
    match turn % 6 {
        2 => bench.ask("!ls notes.txt"),
        4 => bench.ask(if turn % 12 == 4 {
            "/thinking low"
        } else {
            "/thinking default"
        }),
        _ => {}
    }
    at_rest();
    bench.ask(&format!("質問 {turn}"));
    match change(turn) {
        Change::Accepted => bench.accept(&line(turn)),
        Change::Refused => bench.refuse(&format!("refused in turn {turn}")),
        Change::None => {}
    }
    bench.wait_for_text(&format!("回答 number {turn}."));
    at_rest();
}

fn long_session(api: Api) {
    let (server, turns) = (Server::start(), turns());
    server.tells_window(WINDOW);
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api"] = api.word().into();
    settings["provider"]["kit"]["models"][MODEL]["context"] = Value::from(WINDOW);
    home.configure(&settings);
    home.file("notes.txt", &(line(0) + "\n"));
    let mut replies = (1..=turns).flat_map(turn_of_the_model);
    server.model(move |request| Some(replies.next()?.counts(request.tokens()).ends()));
    let mut bench = home.bench(&[]);
    let mut newest = None;
    for turn in 1..=turns {
        turn_of_the_person(&bench, turn);
        let requests = server.take_requests();
        assert_eq!(requests.len(), turn_of_the_model(turn).len(), "turn {turn}");
        requests.iter().for_each(Request::assert_well_formed);
        let all: Vec<Request> = newest.into_iter().chain(requests).collect();
        assert_append_only(&all);
        newest = all.last().cloned();
        if turn == turns / 2 {
            bench.leave();
            bench = home.bench(&["--continue"]);
        }
    }
    bench.leave();
    assert_eq!(home.read("notes.txt"), line(turns) + "\n");
}
