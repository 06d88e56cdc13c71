//! Tests of every end of a run: exit code, code word, and last JSON object.

use std::fs;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{Reply, call, never, status, stream, text};
use crate::support::server::{MODEL, Server};

struct Ending {
    exit: i32,
    outcome: &'static str,
    word: Option<&'static str>,
}

const fn ends(exit: i32, outcome: &'static str, word: &'static str) -> Ending {
    Ending {
        exit,
        outcome,
        word: Some(word),
    }
}

/// Checks both script outputs, `json` and `stream-json`.
#[track_caller]
fn assert_ends(home: &Home, what: &str, arguments: &[&str], ending: &Ending) {
    for output in ["json", "stream-json"] {
        let run = home.run(&[&["run", "--output", output], arguments].concat());
        assert_eq!(run.code, Some(ending.exit), "{what}\n{run}");
        let lines = run.json_lines();
        let last = lines.last().unwrap_or_else(|| panic!("{what}: no last object\n{run}"));
        assert_eq!(last["outcome"], ending.outcome, "{what}\n{run}");
        let error = if output == "json" {
            assert_eq!(lines.len(), 1, "{what}\n{run}");
            last["error"].clone()
        } else {
            assert_eq!(last["type"], "turn_finished", "{what}\n{run}");
            run.events("error").first().cloned().unwrap_or_default()
        };
        // In `stream-json`, only errors have a code. Other ends have an outcome.
        if output == "json" || ending.outcome == "error" {
            assert_eq!(error["code"].as_str(), ending.word, "{what}\n{run}");
            let text = error["text"].as_str().unwrap_or_default();
            assert!(!text.is_empty() || ending.word.is_none(), "{what} has no words\n{run}");
        }
        assert!(!run.stderr.contains("\n  \n"), "an empty hint\n{run}");
    }
}

fn first_session(home: &Home, server: &Server) -> String {
    server.script([text("Hello.")]);
    let run = home.run(&["run", "--output", "json", "hi"]);
    run.assert_code(0);
    run.json_lines()[0]["session"].as_str().expect("a session").to_owned()
}

#[test]
fn what_is_wrong_before_a_session_is_open_ends_with_its_word() {
    let server = Server::start();
    let nothing = Home::bare();
    assert_ends(&nothing, "nothing configured", &["hi"], &ends(2, "error", "no_model"));
    let none_offered = Home::bare();
    server.page("/v1/models", json!({"object": "list", "data": []}));
    let base_url = server.base_url();
    let asked = ["--base-url", base_url.as_str(), "hi"];
    assert_ends(&none_offered, "no model", &asked, &ends(2, "error", "no_model"));
    let nobody = ["--base-url", "http://127.0.0.1:9/v1", "hi"];
    assert_ends(&none_offered, "nobody there", &nobody, &ends(5, "error", "no_model"));
    let broken = Home::bare();
    broken.configure_text("{\"ui\": 3}");
    assert_ends(&broken, "configuration", &["hi"], &ends(2, "error", "config"));
    let home = Home::with(&server);
    for (what, arguments, word) in [
        ("no prompt", &[][..], "no_prompt"),
        ("no folder", &["-C", "/nowhere/at/all", "hi"], "no_workspace"),
        ("no session", &["-r", "feedfeed", "hi"], "session_not_found"),
        ("no newest session", &["-c", "hi"], "no_session"),
        ("no recording", &["--replay", "/nowhere/at/all", "hi"], "usage"),
        (
            "a limit of costs without a price",
            &["--max-cost", "1", "hi"],
            "no_price",
        ),
    ] {
        assert_ends(&home, what, arguments, &ends(2, "error", word));
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_session_that_is_held_damaged_or_one_of_several_ends_a_run_with_its_word() {
    let server = Server::start();
    let home = Home::with(&server);
    let (held, other) = (first_session(&home, &server), first_session(&home, &server));
    server.script([never()]);
    let holds = home.start(&["run", "-r", &held, "wait"], None);
    server.request(3);
    let ending = ends(1, "error", "session_held");
    assert_ends(&home, "held", &["-r", &held, "hi"], &ending);
    drop(holds);
    let file = home.benchdog_home().join(format!("data/sessions/{other}.redb"));
    let bytes = fs::read(&file).expect("a session");
    fs::write(&file, &bytes[..1_000]).expect("a cut session");
    let ending = ends(1, "error", "session_damaged");
    assert_ends(&home, "damaged", &["-r", &other, "hi"], &ending);
    let both: String = held.chars().take(3).collect();
    assert!(other.starts_with(&both), "ids begin with the time: {held} {other}");
    let ending = ends(2, "error", "session_ambiguous");
    assert_ends(&home, "one of several", &["-r", &both, "hi"], &ending);
}

/// Scripts the replies twice, once for each output.
fn served(replies: impl Fn() -> Vec<Reply>) -> (Server, Home) {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("a.txt", "one\n");
    server.script(replies().into_iter().chain(replies()));
    (server, home)
}

fn uncounted(reply: Reply, reason: &str) -> Reply {
    let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
    reply.raw(&format!("data: {end}\n\ndata: [DONE]\n\n"))
}

/// Returns the replies of a model that never stops reading files.
fn reads_on() -> Vec<Reply> {
    (1..6).map(|_| call("read", json!({"path": "a.txt"}))).collect()
}

#[test]
fn what_ends_a_turn_ends_the_run_with_its_word() {
    let (_server, home) = served(|| vec![status(401, "no")]);
    assert_ends(&home, "a wrong key", &["hi"], &ends(5, "error", "unauthorized"));
    let (_server, home) = served(|| vec![uncounted(stream().says("Half."), "content_filter")]);
    assert_ends(&home, "filtered", &["hi"], &ends(5, "filtered", "filtered"));
    let (_server, home) = served(|| vec![never()]);
    assert_ends(&home, "time", &["--timeout", "1", "hi"], &ends(4, "limit", "limit"));
    let (_server, home) = served(reads_on);
    assert_ends(&home, "a loop", &["hi"], &ends(7, "loop", "loop"));
    let (_server, home) = served(|| vec![call("write", json!({"path": "b.txt", "content": ""})), text("no")]);
    let denied = Ending {
        exit: 3,
        outcome: "denied",
        word: None,
    };
    assert_ends(&home, "denied", &["hi"], &denied);
    let (_server, home) = served(|| vec![text("yes")]);
    let done = Ending {
        exit: 0,
        outcome: "done",
        word: None,
    };
    assert_ends(&home, "done", &["hi"], &done);
    let ending = ends(2, "error", "mention_unread");
    assert_ends(&home, "a mention", &["see @nowhere.txt"], &ending);
}

#[test]
fn a_limit_of_tokens_holds_where_the_server_counts_none() {
    let replies = || {
        let reads = stream().calls("read", json!({"path": "a.txt"}));
        vec![
            uncounted(reads, "tool_calls"),
            uncounted(stream().says("Read."), "stop"),
        ]
    };
    let (server, home) = served(replies);
    let run = home.run(&["run", "--output", "json", "--max-tokens", "100", "hi"]);
    run.assert_code(4);
    let ended = &run.json_lines()[0];
    assert_eq!(
        (&ended["outcome"], &ended["error"]["code"]),
        (&"limit".into(), &"limit".into()),
        "{run}"
    );
    assert_eq!(server.requests().len(), 1);
    let (server, home) = served(replies);
    home.run(&["run", "--max-tokens", "1000000", "hi"]).assert_code(0);
    assert_eq!(server.requests().len(), 2);
}

fn refused(home: &Home, flag: &str, value: &str) -> Finished {
    let run = home.run(&["run", &format!("{flag}={value}"), "hi"]);
    run.assert_code(2);
    run
}

#[test]
fn a_value_of_the_wrong_form_is_told_with_one_of_the_right_form() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings: Value = config(&server.base_url());
    settings["provider"]["kit"]["models"][MODEL]["price"] = json!({"input": 1, "output": 1});
    home.configure(&settings);
    for (flag, values, told) in [
        ("--max-cost", &["nan", "inf", "-1", "a lot"][..], "such as `0.50`"),
        ("--max-tokens", &["0", "-1", "many", "1e3"], "such as `50000`"),
        ("--timeout", &["0", "nan", "10m"], "such as `600`"),
        ("--max-steps", &["0", "x"], "such as `50`"),
        ("--max-steps", &["99999999999"], "at most 4294967295"),
        ("--context-window", &["0", "32k"], "such as `32768`"),
        ("--temperature", &["nan", "3", "warm"], "such as `0.7`"),
    ] {
        for value in values {
            let run = refused(&home, flag, value);
            assert!(run.stderr.contains(told) && run.stderr.contains(flag), "{value}\n{run}");
        }
    }
    assert!(server.requests().is_empty());
}
