//! Events in, lines out, for every output.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Line, Printer, To};
use crate::base::clock::Time;
use crate::base::id::{CallId, EntryId, SessionId, TurnId};
use crate::domain::agent::AgentName;
use crate::domain::budget::{Ledger, Usage};
use crate::domain::entry::{Body, Entry, TurnOutcome};
use crate::domain::message::{Arguments, ToolCall};
use crate::domain::permission::{Action, CommandClass, DecidedBy, Layer, Rule, Verdict};
use crate::domain::review::Review;
use crate::domain::todo::TodoList;
use crate::domain::tool::CallStatus;
use crate::headless::Output;
use crate::protocol::{ApprovalRequest, DecisionName, Event, MessageRole, TurnState};

const AT: Time = Time(1_700_000_000_000);

fn session() -> Event {
    Event::Session {
        session: SessionId("s1".to_owned()),
        workspace: "/w".to_owned(),
        model: None,
        agent: AgentName::default(),
    }
}

fn call(id: &str, tool: &str) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        name: tool.to_owned(),
        arguments: Arguments::Object(serde_json::Map::new()),
    }
}

fn says(text: &str, calls: Vec<ToolCall>) -> Event {
    Event::Message {
        role: MessageRole::Assistant,
        text: text.to_owned(),
        calls,
    }
}

fn ends(id: &str, tool: &str, status: CallStatus) -> Event {
    Event::ToolFinished {
        call: CallId(id.to_owned()),
        tool: tool.to_owned(),
        status,
        summary: "a summary".to_owned(),
        output: "first\nsecond".to_owned(),
        truncated: false,
    }
}

fn asks(id: &str, tool: &str) -> Event {
    let verdict = Verdict {
        action: Action::Ask,
        because: Rule("bash: ask".to_owned()),
        layer: Layer::Default,
        class: Some(CommandClass::Dangerous),
        scope: None,
        needs_person: true,
    };
    Event::ApprovalRequested {
        call: CallId(id.to_owned()),
        tool: tool.to_owned(),
        because: "bash: ask".to_owned(),
        class: Some(CommandClass::Dangerous),
        request: Arc::new(ApprovalRequest {
            call: CallId(id.to_owned()),
            tool: tool.to_owned(),
            title: "rm x".to_owned(),
            review: Review::Fields(Vec::new()),
            verdict,
        }),
    }
}

fn changed(path: &str) -> Event {
    Event::Entry(Arc::new(Entry {
        id: EntryId(1),
        turn: TurnId(1),
        time: AT,
        body: Body::Change {
            call: CallId("c1".to_owned()),
            path: path.to_owned(),
            before: None,
            after: None,
            added: 1,
            removed: 0,
        },
    }))
}

fn finished(outcome: TurnOutcome) -> Event {
    Event::TurnFinished {
        outcome,
        steps: 2,
        usage: Usage {
            prompt: 10,
            completion: 2,
            total: 12,
        },
    }
}

fn print(output: Output, events: Vec<Event>) -> (Printer, Vec<Line>) {
    let mut printer = Printer::new(output, "hello");
    let lines = events.into_iter().flat_map(|event| printer.on(event, AT)).collect();
    (printer, lines)
}

fn text_of(lines: &[Line], to: To) -> Vec<&str> {
    lines
        .iter()
        .filter(|line| line.to == to)
        .map(|line| line.text.as_str())
        .collect()
}

fn exit_code(printer: &Printer) -> u8 {
    printer.ending().expect("the turn has ended").exit.code()
}

#[test]
fn text_puts_only_the_last_answer_on_stdout() {
    let (printer, lines) = print(
        Output::Text,
        vec![
            session(),
            says("I will look first.", vec![call("c1", "read")]),
            ends("c1", "read", CallStatus::Ok),
            says("Done, I think.", vec![]),
            says("The check failed, so I fixed it.\n", vec![]),
            finished(TurnOutcome::Done),
        ],
    );
    assert_eq!(text_of(&lines, To::Out), ["The check failed, so I fixed it."]);
    let told = text_of(&lines, To::Err);
    assert!(told.contains(&"I will look first."), "{told:?}");
    assert!(told.contains(&"Done, I think."), "{told:?}");
    assert!(told.contains(&"✓ read a summary"), "{told:?}");
    assert_eq!(exit_code(&printer), 0);
}

#[test]
fn text_shows_why_a_tool_failed_and_what_was_refused() {
    let (_, lines) = print(
        Output::Text,
        vec![
            ends("c1", "bash", CallStatus::Error),
            asks("c2", "bash"),
            Event::ApprovalDecided {
                call: CallId("c2".to_owned()),
                decision: DecisionName::Deny,
                by: DecidedBy::Policy,
            },
            Event::Error {
                code: "unauthorized".to_owned(),
                text: "the endpoint answered 401".to_owned(),
                hint: "set a key".to_owned(),
            },
        ],
    );
    assert_eq!(
        text_of(&lines, To::Err),
        [
            "✗ bash a summary",
            "  ┊ first",
            "  ┊ second",
            "? bash asked by rule bash: ask",
            "⊘ bash refused by the policy",
            "error: the endpoint answered 401",
            "  set a key",
        ]
    );
    assert!(text_of(&lines, To::Out).is_empty());
}

#[test]
fn escape_sequences_of_a_model_are_shown_and_not_obeyed() {
    let (_, lines) = print(
        Output::Text,
        vec![
            says("safe \u{1b}[2J\u{9b}31m text", vec![]),
            finished(TurnOutcome::Done),
        ],
    );
    assert_eq!(text_of(&lines, To::Out), ["safe ␛[2J\u{fffd}31m text"]);
}

#[test]
fn stream_json_numbers_its_lines_from_1_and_ends_with_turn_finished() {
    let (_, lines) = print(
        Output::StreamJson,
        vec![
            session(),
            Event::TurnStarted {
                turn: TurnId(1),
                prompt: "hello".to_owned(),
            },
            Event::State {
                state: TurnState::Planning,
            },
            Event::TextDelta { text: "Hi".to_owned() },
            // Not scripted: it must not use up a number.
            changed("a.txt"),
            Event::ReasoningDelta { text: "hm".to_owned() },
            says("Hi", vec![call("c1", "read")]),
            asks("c1", "read"),
            Event::Todo {
                items: TodoList::default(),
            },
            Event::Context {
                ledger: Ledger {
                    used: 5,
                    limit: 10,
                    estimated: true,
                    items: Vec::new(),
                },
            },
            finished(TurnOutcome::Done),
            Event::TextDelta {
                text: "late".to_owned(),
            },
        ],
    );
    let values: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(&line.text).expect("one object"))
        .collect();
    for (index, value) in values.iter().enumerate() {
        assert_eq!(value["seq"], json!(index + 1));
        assert_eq!(value["session"], json!("s1"));
        assert_eq!(value["time"], json!("2023-11-14T22:13:20.000Z"));
    }
    let types: Vec<&str> = values.iter().filter_map(|value| value["type"].as_str()).collect();
    assert_eq!(
        types,
        [
            "session",
            "turn_started",
            "state",
            "text_delta",
            "reasoning_delta",
            "message",
            "approval_requested",
            "todo",
            "context",
            "turn_finished"
        ]
    );
    assert_eq!(values[6]["class"], json!("dangerous"));
    assert!(values[6].get("request").is_none());
    assert_eq!(values[8]["used"], json!(5));
    assert_eq!(values[9]["usage"], json!({"prompt": 10, "completion": 2, "total": 12}));
}

#[test]
fn json_is_one_object_with_what_was_changed_and_refused() {
    let (printer, lines) = print(
        Output::Json,
        vec![
            session(),
            changed("a.txt"),
            changed("a.txt"),
            changed("b.txt"),
            asks("c2", "bash"),
            ends("c2", "bash", CallStatus::Denied),
            says("I could not remove it.", vec![]),
            finished(TurnOutcome::Denied),
        ],
    );
    assert_eq!(lines.len(), 1);
    let value: Value = serde_json::from_str(&lines[0].text).expect("one object");
    assert_eq!(
        value,
        json!({
            "session": "s1",
            "outcome": "denied",
            "text": "I could not remove it.",
            "files_changed": ["a.txt", "b.txt"],
            "usage": {"prompt": 10, "completion": 2, "total": 12},
            "denied": [{"tool": "bash", "because": "bash: ask"}],
        })
    );
    assert_eq!(exit_code(&printer), 3);
}

#[test]
fn a_denial_is_made_good_by_a_later_write_but_not_by_a_later_read() {
    let after = |tool: &str, status| {
        let (printer, _) = print(
            Output::Json,
            vec![
                ends("c1", "bash", CallStatus::Denied),
                ends("c2", tool, status),
                finished(TurnOutcome::Done),
            ],
        );
        exit_code(&printer)
    };
    assert_eq!(after("edit", CallStatus::Ok), 0);
    assert_eq!(after("server__do", CallStatus::Ok), 0);
    assert_eq!(after("edit", CallStatus::Error), 3);
    assert_eq!(after("read", CallStatus::Ok), 3);
}

#[test]
fn a_success_before_the_last_denial_does_not_count() {
    let (printer, _) = print(
        Output::Json,
        vec![
            ends("c1", "edit", CallStatus::Ok),
            ends("c2", "bash", CallStatus::Denied),
            finished(TurnOutcome::Done),
        ],
    );
    assert_eq!(exit_code(&printer), 3);
}

#[test]
fn an_engine_that_goes_away_still_leaves_a_last_line_and_a_reason() {
    let (mut printer, _) = print(Output::StreamJson, vec![session()]);
    let lines = printer.engine_gone(AT);
    let types: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str::<Value>(&line.text).expect("one object")["type"].clone())
        .collect();
    assert_eq!(types, [json!("error"), json!("turn_finished")]);
    assert_eq!(exit_code(&printer), 1);
    assert!(printer.on(session(), AT).is_empty(), "the last line stays the last");
}

#[test]
fn a_reported_error_before_the_engine_stopped_is_not_said_twice() {
    let (mut printer, _) = print(
        Output::StreamJson,
        vec![Event::Error {
            code: "connect".to_owned(),
            text: "nobody listens".to_owned(),
            hint: String::new(),
        }],
    );
    assert_eq!(printer.engine_gone(AT).len(), 1);
    assert_eq!(exit_code(&printer), 5);
}

#[test]
fn leaving_at_the_second_stop_counts_as_interrupted() {
    let (mut printer, _) = print(Output::Json, vec![session()]);
    let lines = printer.abandoned(AT);
    assert!(lines[0].text.contains(r#""outcome":"interrupted""#), "{lines:?}");
    assert_eq!(exit_code(&printer), 130);
}

#[test]
fn what_had_arrived_of_a_broken_answer_is_printed() {
    let delta = |text: &str| Event::TextDelta { text: text.to_owned() };
    let (_, lines) = print(
        Output::Text,
        vec![
            delta("I look."),
            says("I look.", vec![call("c1", "read")]),
            delta("Half an "),
            delta("answer"),
            finished(TurnOutcome::Error),
        ],
    );
    assert_eq!(text_of(&lines, To::Out), ["Half an answer"]);
}
