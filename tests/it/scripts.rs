//! Tests of `--input stream-json`, for runs that a program answers.

use std::io::Write;
use std::process::ChildStdin;

use serde_json::{Value, json};

use crate::headless::assert_scripted;
use crate::support::home::Home;
use crate::support::process::{Finished, Running};
use crate::support::reply::{Gate, Reply, call, stream, text};
use crate::support::schema;
use crate::support::server::Server;

const PROGRAM: [&str; 5] = ["run", "--input", "stream-json", "--output", "stream-json"];

/// A run whose input the test writes line by line.
struct Fed {
    running: Running,
    stdin: ChildStdin,
}

impl Fed {
    fn new(home: &Home, more: &[&str]) -> Self {
        let arguments: Vec<&str> = PROGRAM.iter().chain(more).copied().collect();
        let (running, stdin) = Running::fed(home.command(&arguments));
        Self { running, stdin }
    }

    fn send(&mut self, line: &Value) {
        assert!(schema::is_input(line), "{line}");
        self.send_text(&line.to_string());
    }

    fn send_text(&mut self, line: &str) {
        writeln!(self.stdin, "{line}").expect("the run reads");
    }

    /// Waits for the line of this type with this number, from 1.
    fn wait(&self, kind: &str, number: usize) -> Value {
        let mark = format!("\"type\":\"{kind}\"");
        crate::support::process::look_until(crate::support::PATIENCE, || {
            self.running.stdout().matches(&mark).count() >= number
        });
        let out = self.running.stdout();
        let lines = out.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        let lines = lines.filter_map(|line| serde_json::from_str::<Value>(line).ok());
        lines
            .filter(|line| line["type"] == kind)
            .nth(number - 1)
            .unwrap_or_else(|| panic!("no {kind} {number}:\n{out}"))
    }

    fn end(self) -> Finished {
        drop(self.stdin);
        self.running.wait()
    }
}

fn prompt(text: &str) -> Value {
    json!({"type": "prompt", "text": text})
}

fn write_call(path: &str) -> Reply {
    call("write", json!({"path": path, "content": "new\n"}))
}

fn checked(run: &Finished) -> Vec<Value> {
    let lines = run.json_lines();
    for (index, line) in lines.iter().enumerate() {
        assert_eq!(schema::event_problems(line), Vec::<String>::new(), "{line}");
        assert_eq!(line["seq"], json!(index + 1), "{line}");
    }
    assert_eq!(lines.last().expect("a line")["type"], "turn_finished", "{run}");
    lines
}

#[test]
fn a_program_sends_prompts_and_answers_and_each_line_fits_the_schema() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([
        write_call("made.txt"),
        text("Made it."),
        call("bash", json!({"command": "rm made.txt"})),
        text("I may not."),
    ]);
    let mut fed = Fed::new(&home, &["--approve", "ask"]);
    fed.send(&prompt("make it"));
    let asked = fed.wait("approval_requested", 1);
    let file = &asked["proposal"]["files"][0];
    assert_eq!(
        (&file["path"], &file["operation"]),
        (&json!("made.txt"), &json!("create"))
    );
    assert!(file["diff"].as_str().expect("a diff").contains("+new"), "{asked}");
    assert!(!home.path("made.txt").exists());
    fed.send(&json!({"type": "decide", "request": asked["request"], "decision": "once"}));
    assert_eq!(fed.wait("turn_finished", 1)["outcome"], "done");
    assert_eq!(home.read("made.txt"), "new\n");
    fed.send(&prompt("remove it"));
    let asked = fed.wait("approval_requested", 2);
    assert_eq!(asked["proposal"]["command"], "rm made.txt", "{asked}");
    // A dangerous command cannot be allowed for later calls.
    assert_eq!(asked["proposal"]["always"], json!([]), "{asked}");
    fed.send(&json!({"type": "decide", "request": asked["request"], "decision": "always", "number": 1}));
    assert!(
        fed.wait("error", 1)["text"]
            .as_str()
            .expect("a text")
            .starts_with("Line 4 ")
    );
    fed.send(&json!({"type": "decide", "request": asked["request"], "decision": "deny", "reason": "keep it"}));
    fed.wait("turn_finished", 2);
    let run = fed.end();
    run.assert_code(3);
    checked(&run);
    assert_eq!(home.read("made.txt"), "new\n");
    assert!(server.request(4).says("keep it"));
    assert_eq!(run.events("session").len(), 1, "{run}");
    server.assert_append_only();
}

#[test]
fn bad_lines_are_one_error_each_and_change_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("hello")]);
    let mut fed = Fed::new(&home, &[]);
    for bad in [
        "no json",
        "{}",
        "{\"type\":\"prompt\"}",
        "{\"type\":\"prompt\",\"text\":\" \"}",
        "{\"type\":\"cancel\",\"all\":true}",
        "{\"type\":\"decide\",\"request\":\"x.0\",\"decision\":\"once\"}",
    ] {
        fed.send_text(bad);
    }
    fed.send(&prompt("hi"));
    let run = fed.end();
    run.assert_code(0);
    checked(&run);
    let errors = run.events("error");
    assert_eq!(errors.len(), 6, "{run}");
    for (number, error) in (1..).zip(&errors) {
        assert_eq!(error["code"], "bad_input", "{error}");
        let said = error["text"].as_str().expect("a text");
        assert!(said.starts_with(&format!("Line {number} ")), "{error}");
        assert!(!error["hint"].as_str().expect("a hint").is_empty(), "{error}");
    }
    assert_eq!(run.events("turn_finished").len(), 1, "{run}");
}

#[test]
fn the_end_of_input_denies_what_is_unanswered_and_finishes_the_prompts() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([write_call("made.txt"), text("Not allowed."), text("Second.")]);
    let arguments = [&PROGRAM[..], &["--approve", "ask"]].concat();
    let input = format!("{}\n{}\n", prompt("make it"), prompt("and now?"));
    let run = home.run_with_input(&arguments, input);
    run.assert_code(0);
    checked(&run);
    assert!(!home.path("made.txt").exists());
    let outcomes: Vec<Value> = run
        .events("turn_finished")
        .iter()
        .map(|end| end["outcome"].clone())
        .collect();
    assert_eq!(outcomes, ["denied", "done"], "{run}");
    assert_eq!(run.events("approval_decided")[0]["decision"], "deny", "{run}");
}

#[test]
fn an_answer_allows_nothing_unless_it_is_asked_for() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([
        write_call("made.txt"),
        stream().holds(&gate).says("Not allowed.").ends(),
    ]);
    let mut fed = Fed::new(&home, &[]);
    fed.send(&prompt("make it"));
    let asked = fed.wait("approval_requested", 1);
    assert!(asked.get("proposal").is_none(), "{asked}");
    let request = format!("{}.0", asked["call"].as_str().expect("a call"));
    fed.send(&json!({"type": "decide", "request": request, "decision": "once"}));
    fed.wait("error", 1);
    gate.open();
    let run = fed.end();
    run.assert_code(3);
    assert_eq!(run.events("error")[0]["code"], "bad_input", "{run}");
    assert!(!home.path("made.txt").exists());
    assert_scripted(&run);
}

#[test]
fn cancel_interrupts_the_turn_and_the_session_goes_on() {
    let server = Server::start();
    let home = Home::with(&server);
    let gate = Gate::new();
    server.script([stream().says("thinking").holds(&gate).ends(), text("again")]);
    let mut fed = Fed::new(&home, &[]);
    fed.send(&prompt("think"));
    fed.wait("text_delta", 1);
    fed.send(&json!({"type": "cancel"}));
    assert_eq!(fed.wait("turn_finished", 1)["outcome"], "interrupted");
    gate.open();
    fed.send(&prompt("once more"));
    let run = fed.end();
    run.assert_code(0);
    checked(&run);
    assert_eq!(run.events("turn_finished")[1]["outcome"], "done", "{run}");
}

#[test]
fn a_question_is_answered_by_label_or_in_own_words() {
    let server = Server::start();
    let home = Home::with(&server);
    let question = json!({"questions": [
        {"question": "Which colour?", "options": [{"label": "red"}, {"label": "green"}]},
    ]});
    let asks = || call("ask_user_question", question.clone());
    server.script([asks(), asks(), text("I see.")]);
    let mut fed = Fed::new(&home, &["--approve", "ask"]);
    fed.send(&prompt("ask me"));
    let asked = fed.wait("approval_requested", 1);
    assert_eq!(asked["proposal"]["kind"], "questions", "{asked}");
    assert_eq!(
        asked["proposal"]["questions"][0]["options"][1]["label"], "green",
        "{asked}"
    );
    fed.send(&json!({"type": "decide", "request": asked["request"], "decision": "once"}));
    fed.wait("error", 1);
    fed.send(&json!({"type": "answer", "request": asked["request"], "answers": [["green"]]}));
    let asked = fed.wait("approval_requested", 2);
    fed.send(&json!({"type": "answer", "request": asked["request"], "answers": [["a deep blue"]]}));
    let run = fed.end();
    run.assert_code(0);
    checked(&run);
    assert!(server.request(2).says("green") && server.request(3).says("a deep blue"));
}

#[test]
fn input_without_a_prompt_and_without_its_output_are_errors() {
    let server = Server::start();
    let home = Home::with(&server);
    let run = home.run_with_input(&PROGRAM, "");
    run.assert_code(2);
    checked(&run);
    assert_eq!(run.events("error")[0]["code"], "no_prompt", "{run}");
    let run = home.run_with_input(&["run", "--input", "stream-json"], "");
    run.assert_code(2);
    assert!(run.stderr.contains("--output stream-json"), "{run}");
}

#[test]
fn a_stop_between_two_turns_ends_the_run_at_once() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("hello")]);
    let mut fed = Fed::new(&home, &[]);
    fed.send(&prompt("hi"));
    fed.wait("turn_finished", 1);
    fed.running.signal(rustix::process::Signal::TERM);
    let run = fed.running.wait();
    run.assert_code(130);
    checked(&run);
}

#[test]
fn the_schema_refuses_other_lines() {
    for line in [
        json!({"type": "prompt"}),
        json!({"type": "decide", "request": "x", "decision": "perhaps"}),
        json!({"type": "other"}),
    ] {
        assert!(!schema::is_input(&line), "{line}");
    }
    let mut event = json!({"type": "text_delta", "session": "s", "seq": 1, "time": "t", "text": "x"});
    assert_eq!(schema::event_problems(&event), Vec::<String>::new());
    event["type"] = json!("other");
    assert!(!schema::event_problems(&event).is_empty());
}
