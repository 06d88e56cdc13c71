use std::sync::Arc;

use serde_json::{Value, json};

use super::{Line, Printer, To};
use crate::Output;
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, SessionId, TurnId};
use benchdog_base::text::is_hostile;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::budget::{Ledger, Usage};
use benchdog_domain::call::Origin;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::history::LetGo;
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::{Action, Because, CommandClass, DecidedBy, Decision, Layer, Rule, Verdict};
use benchdog_domain::review::Review;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::TodoList;
use benchdog_domain::tool::{CallStatus, EffectClass, ToolFacts};
use benchdog_protocol::{Answer, ApprovalRequest, Event, Live, Opened, TurnState};

const AT: Time = Time(1_700_000_000_000);

fn fact(body: Body) -> Event {
    Event::Fact(Arc::new(Entry {
        id: EntryId(1),
        turn: TurnId(1),
        time: AT,
        body,
    }))
}

fn session() -> Event {
    let meta = SessionMeta {
        id: SessionId("s1".to_owned()),
        title: String::new(),
        workspace: "/w".to_owned(),
        created: AT,
        updated: AT,
        model: None,
        agent: AgentName::default(),
        entries: 0,
        window: None,
        parent: None,
        tag: None,
        forked_from: None,
    };
    Answer::Opened(Arc::new(Opened {
        skills: Vec::new(),
        meta,
        model: None,
        worktree: None,
        gone: LetGo::default(),
        entries: Vec::new(),
        todo: TodoList::default(),
        plan: None,
        tools: tools(),
    }))
    .into()
}

fn call(id: &str, tool: &str) -> ToolCall {
    ToolCall {
        id: CallId(id.to_owned()),
        name: tool.to_owned(),
        arguments: Arguments::Object(serde_json::Map::new()),
    }
}

fn says(text: &str, calls: Vec<ToolCall>) -> Event {
    fact(Body::Assistant {
        text: text.to_owned(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls,
        model: ModelRef::none(),
        usage: None,
        error: None,
    })
}

fn delta(text: &str) -> Event {
    Live::Text(text.to_owned()).into()
}

fn ends(id: &str, tool: &str, status: CallStatus) -> Event {
    fact(Body::ToolResult {
        call: CallId(id.to_owned()),
        tool: tool.to_owned(),
        title: String::new(),
        status,
        summary: Summary::Words("a summary".to_owned()),
        output: "first\nsecond".to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    })
}

fn asks(id: &str, tool: &str) -> Event {
    let verdict = Verdict {
        action: Action::Ask,
        because: Because::Words("bash: ask".to_owned()),
        layer: Layer::Default,
        class: Some(CommandClass::Dangerous),
        scopes: Vec::new(),
        only_once: None,
        network: false,
        needs_person: true,
        confinable: false,
    };
    Live::ApprovalRequested(Arc::new(ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        child: None,
        call: CallId(id.to_owned()),
        origin: Origin::Model,
        tool: tool.to_owned(),
        title: "rm x".to_owned(),
        review: Review::Fields(Vec::new()),
        verdict,
    }))
    .into()
}

fn changed(path: &str) -> Event {
    fact(Body::Change {
        call: CallId("c1".to_owned()),
        path: path.to_owned(),
        before: None,
        after: None,
        added: 1,
        removed: 0,
        moved: Vec::new(),
        undoes: Vec::new(),
        in_part: false,
        mode_before: None,
        job: None,
    })
}

fn finished(outcome: TurnOutcome) -> Event {
    fact(Body::TurnEnded {
        outcome,
        steps: 2,
        usage: Usage {
            prompt: 10,
            completion: 2,
            total: 12,
            cached: None,
        },
    })
}

fn tools() -> Arc<[ToolFacts]> {
    let (tools, acts) = (
        benchdog_tools::Registry::builtin().facts(),
        ToolFacts::of("server__do", EffectClass::Executes),
    );
    tools.iter().cloned().chain([acts]).collect()
}

fn print(output: Output, events: Vec<Event>) -> (Printer, Vec<Line>) {
    let mut printer = Printer::new(output, "hello", None);
    printer.known_tools = tools();
    let lines = events.into_iter().flat_map(|event| printer.on(&event, AT)).collect();
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
            denied_by("c2", "bash", Because::Words("bash: ask".to_owned())),
            Live::Error(Failure::Told {
                code: "rate_limited".to_owned(),
                text: "the endpoint answered 429".to_owned(),
                server: None,
            })
            .into(),
        ],
    );
    assert_eq!(
        text_of(&lines, To::Err),
        [
            "✗ bash a summary",
            "  ┊ first",
            "  ┊ second",
            "◆ bash asked: bash: ask",
            "⊘ bash denied by the policy",
            "error: the endpoint answered 429",
            "  Wait and send the prompt again, or choose another model with `/models`. If the server gave a time, wait until then.",
        ]
    );
    assert!(text_of(&lines, To::Out).is_empty());
}

fn denied_by(call: &str, tool: &str, because: Because) -> Event {
    fact(Body::Approval {
        call: CallId(call.to_owned()),
        tool: tool.to_owned(),
        decision: Decision::Deny { reason: None },
        by: DecidedBy::Policy,
        because,
    })
}

#[test]
fn a_denial_without_a_request_names_the_rule_the_agent_or_the_hook() {
    let rule = Because::Rule(Rule {
        key: "bash".to_owned(),
        pattern: "rm *".to_owned(),
        options: None,
        action: Action::Deny,
        origin: "config.jsonc".to_owned(),
    });
    let agent = Because::ReadOnlyAgent {
        agent: AgentName("plan".to_owned()),
    };
    let hook = Because::Hook {
        hook: "guard".to_owned(),
        reason: "not on a Friday".to_owned(),
    };
    let events = || {
        let calls = [("c1", rule.clone()), ("c2", agent.clone()), ("c3", hook.clone())];
        let denied = calls.map(|(id, because)| [denied_by(id, "bash", because), ends(id, "bash", CallStatus::Denied)]);
        let mut events = vec![session()];
        events.extend(denied.into_iter().flatten());
        events.push(finished(TurnOutcome::Done));
        events
    };
    let named = [
        "bash: \"rm *\": deny (config.jsonc)",
        "the agent `plan` is read-only: choose another with Shift+Tab or /agent",
        "the hook `guard` refused: not on a Friday",
    ];
    let object = |line: &Line| serde_json::from_str::<Value>(&line.text).expect("an object");
    let (_, lines) = print(Output::Json, events());
    let denied = named.map(|because| json!({"tool": "bash", "because": because}));
    assert_eq!(object(&lines[0])["denied"], json!(denied));

    let (_, lines) = print(Output::StreamJson, events());
    let decided = lines
        .iter()
        .map(object)
        .filter(|line| line["type"] == "approval_decided");
    let because: Vec<Value> = decided.map(|line| line["because"].clone()).collect();
    assert_eq!(because, named.map(Value::from));

    let (_, lines) = print(Output::Text, events());
    let told = text_of(&lines, To::Err).join("\n");
    for because in named {
        assert!(told.contains(&format!("denied by the policy: {because}")), "{told}");
    }
}

#[test]
fn escape_sequences_of_a_model_reach_no_terminal() {
    let (_, lines) = print(
        Output::Text,
        vec![
            says("safe \u{1b}[2J\u{9b}31m text", vec![]),
            finished(TurnOutcome::Done),
        ],
    );
    assert_eq!(text_of(&lines, To::Out), ["safe  text"]);
}

#[test]
fn stream_json_numbers_its_lines_from_1_and_ends_with_turn_finished() {
    let (_, lines) = print(
        Output::StreamJson,
        vec![
            session(),
            fact(Body::User {
                text: "hello".to_owned(),
                mentions: Vec::new(),
                notes: Vec::new(),
            }),
            Live::State(TurnState::Planning).into(),
            delta("Hi"),
            // An event without a script line must not use up a sequence number.
            changed("a.txt"),
            Live::Reasoning("hm".to_owned()).into(),
            says("Hi", vec![call("c1", "read")]),
            asks("c1", "read"),
            fact(Body::Todo {
                items: TodoList::default(),
            }),
            Live::Context(Ledger {
                cached: None,
                used: 5,
                limit: 10,
                estimated: true,
                limit_is_guess: false,
                reserve: 0,
                items: Vec::new(),
            })
            .into(),
            finished(TurnOutcome::Done),
            delta("late"),
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
            "todo",
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
    assert_eq!(values[7]["class"], json!("dangerous"));
    assert!(values[7].get("request").is_none());
    assert_eq!(values[9]["used"], json!(5));
    assert_eq!(values[10]["usage"], json!({"prompt": 10, "completion": 2, "total": 12}));
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
            "error": null,
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
    assert!(printer.on(&session(), AT).is_empty(), "the last line stays the last");
}

#[test]
fn a_reported_error_before_the_engine_stopped_is_not_said_twice() {
    let (mut printer, _) = print(
        Output::StreamJson,
        vec![
            Live::Error(Failure::Told {
                code: "connect".to_owned(),
                text: "nobody listens".to_owned(),
                server: None,
            })
            .into(),
        ],
    );
    assert_eq!(printer.engine_gone(AT).len(), 1);
    assert_eq!(exit_code(&printer), 5);
}

#[test]
fn leaving_at_the_second_stop_counts_as_interrupted() {
    let (mut printer, _) = print(Output::Json, vec![session()]);
    let lines = printer.abandoned(TurnOutcome::Interrupted, AT);
    assert!(lines[0].text.contains(r#""outcome":"interrupted""#), "{lines:?}");
    assert_eq!(exit_code(&printer), 130);
}

#[test]
fn what_had_arrived_of_a_broken_answer_is_printed() {
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

#[test]
fn lines_for_scripts_hold_no_character_that_steers_a_terminal_and_read_back_the_same() {
    let said = "a\u{9b}31mb\u{202e}c\u{2066}d\u{feff}e\u{7f}f\u{2028}g";
    for output in [Output::Json, Output::StreamJson] {
        let (_, lines) = print(output, vec![session(), says(said, vec![]), finished(TurnOutcome::Done)]);
        let lines = text_of(&lines, To::Out);
        assert!(!lines.iter().any(|line| line.chars().any(is_hostile)), "{lines:?}");
        let read = lines.iter().map(|line| serde_json::from_str::<Value>(line).unwrap());
        assert!(read.into_iter().any(|line| line["text"] == said), "{lines:?}");
    }
}
