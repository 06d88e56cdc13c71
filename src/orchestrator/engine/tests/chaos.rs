//! Tests long tasks against a model and a server with random faults, over real HTTP. Each task completes or stops with
//! a reason. Every request is valid and extends the previous one.

use futures::future::join_all;
use serde_json::{Value, json};

use super::FIRST;
use super::rig::{Rig, Wishes, body};
use crate::seat::Approver;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_protocol::{Command, Delivery, Event, Live, Told};
use benchdog_testing::model_server::{self, Answer, ModelServer, Step};

/// Number of successful answers in a task. The last of them is text.
const STEPS: u64 = 40;

/// On average, one of `FAULTS` answers fails.
const FAULTS: u64 = 10;

/// Timeout of a task. Tasks run in parallel, and each waits for its retry delays.
const A_WHOLE_TASK: std::time::Duration = std::time::Duration::from_secs(120);

pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn below(&mut self, most: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

fn sse(events: &[Value]) -> Vec<u8> {
    let lines = events.iter().map(|event| format!("data: {event}\n\n"));
    lines
        .chain(["data: [DONE]\n\n".to_owned()])
        .collect::<String>()
        .into_bytes()
}

fn streamed(deltas: &[Value], finish: &str) -> Answer {
    let chunk =
        |delta: &Value, finish: Value| json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]});
    let mut events: Vec<Value> = deltas.iter().map(|delta| chunk(delta, Value::Null)).collect();
    events.push(chunk(&json!({}), finish.into()));
    Answer::new(200, sse(&events)).header("content-type", "text/event-stream")
}

fn call(place: u64, id: Option<u64>, name: &str, arguments: &str) -> Value {
    let mut call = json!({"index": place, "type": "function", "function": {"name": name, "arguments": arguments}});
    if let Some(id) = id {
        call["id"] = format!("call_{id}").into();
    }
    json!({"tool_calls": [call]})
}

fn work(step: u64) -> (&'static str, String) {
    match step % 4 {
        0 => (
            "write",
            json!({"path": format!("made{step}.txt"), "content": "one\ntwo\n"}).to_string(),
        ),
        1 => ("read", json!({"path": "a.txt", "limit": step + 1}).to_string()),
        2 => ("grep", json!({"pattern": format!("word{step}")}).to_string()),
        _ => (
            "todowrite",
            json!({"items": [{"text": format!("step {step}"), "status": "in_progress"}]}).to_string(),
        ),
    }
}

fn good(step: u64) -> Answer {
    if step + 1 == STEPS {
        return Answer::text(&["All ", "done."]);
    }
    let (name, arguments) = work(step);
    streamed(&[call(0, Some(step), name, &arguments)], "tool_calls")
}

fn fault(kind: u64, step: u64) -> Answer {
    let (name, arguments) = work(step + 1);
    let half: &str = &arguments.chars().take(arguments.len() / 2).collect::<String>();
    match kind {
        0 => streamed(&[call(0, Some(1_000 + step), name, half)], "tool_calls"),
        1 => Answer::text(&[&format!(
            "<tool_call>{{\"name\": \"{name}\", \"arguments\": {arguments}"
        )]),
        2 => Answer::text(&[&format!("<function={name}><parameter=path>a.txt</parameter></tool>")]),
        3 => streamed(&[call(0, None, name, &arguments)], "tool_calls"),
        4 => streamed(&[], "stop"),
        5 => streamed(
            &[call(0, Some(7), name, &arguments), call(1, Some(7), name, &arguments)],
            "tool_calls",
        ),
        6 => Answer::events(&["Let me ", "see"]).then(Step::Cut),
        7 => Answer::new(429, "{\"error\": {\"message\": \"slow down\"}}"),
        8 => Answer::new(500, "{\"error\": {\"message\": \"a bad day\"}}"),
        9 => streamed(&[call(0, Some(2_000 + step), name, half)], "length"),
        _ => Answer::events(&[]).then(Step::Cut),
    }
}

fn answers(chance: &mut Chance) -> Vec<Answer> {
    let mut all = Vec::new();
    for step in 0..STEPS {
        while chance.below(FAULTS) == 0 {
            all.push(fault(chance.below(11), step));
        }
        all.push(good(step));
    }
    all
}

fn outcome(heard: &[Told]) -> TurnOutcome {
    let ends = heard.iter().rev().find_map(|told| match body(told) {
        Some(Body::TurnEnded { outcome, .. }) => Some(*outcome),
        _ => None,
    });
    ends.expect("the turn ended")
}

fn assert_reason(heard: &[Told], outcome: TurnOutcome, seed: u64) {
    let error = heard
        .iter()
        .any(|told| matches!(&told.event, Event::Live(Live::Error(_))));
    match outcome {
        TurnOutcome::Done => assert!(!error, "seed {seed}: an error in a turn that is done"),
        TurnOutcome::Error => assert!(error, "seed {seed}: no reason is told"),
        // Benchdog asks a person whether to continue, and ends the turn if there is none.
        TurnOutcome::Loop | TurnOutcome::Limit => {}
        other => panic!("seed {seed}: {other:?}"),
    }
}

/// Checks that roles alternate as the strictest chat templates require, and that each call has one result.
fn assert_legal(messages: &[Value], seed: u64) {
    let role = |at: usize| {
        messages
            .get(at)
            .and_then(|message| message["role"].as_str())
            .unwrap_or("")
    };
    let mut owed: Vec<&str> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        assert_eq!(role(at) == "system", at == 0, "seed {seed}: {messages:#?}");
        let neighbours = (at.checked_sub(1).map(role).unwrap_or(""), role(at));
        let illegal = [
            ("user", "user"),
            ("assistant", "assistant"),
            ("tool", "user"),
            ("system", "assistant"),
        ];
        assert!(
            !illegal.contains(&neighbours),
            "seed {seed}: {neighbours:?} at {at} of {messages:#?}"
        );
        if role(at) == "tool" {
            assert!(!owed.is_empty(), "seed {seed}: a result of no call");
            assert_eq!(message["tool_call_id"], owed.remove(0), "seed {seed}");
        } else {
            assert!(owed.is_empty(), "seed {seed}: {owed:?} have no result");
        }
        for call in message["tool_calls"].as_array().into_iter().flatten() {
            owed.push(call["id"].as_str().unwrap());
            let arguments: Value = serde_json::from_str(call["function"]["arguments"].as_str().unwrap()).unwrap();
            assert!(arguments.is_object(), "seed {seed}: {call}");
        }
    }
    assert!(owed.is_empty(), "seed {seed}");
    assert!(
        matches!(role(messages.len() - 1), "user" | "tool"),
        "seed {seed}: {messages:#?}"
    );
}

/// Checks that each request is valid and begins with the bytes of the previous one.
fn assert_requests(asked: &[model_server::Asked], seed: u64) {
    let mut before = String::new();
    for asked in asked {
        let body: Value = serde_json::from_slice(&asked.body).unwrap();
        let messages = body["messages"].as_array().unwrap();
        assert_legal(messages, seed);
        let now = body["messages"].to_string();
        let now = now.strip_suffix(']').unwrap();
        assert!(
            now.starts_with(&before),
            "seed {seed}: what was sent has changed\n{before}\n{now}"
        );
        now.clone_into(&mut before);
    }
}

async fn survives(seed: u64) {
    let mut chance = Chance(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let answers = answers(&mut chance);
    let all = answers.len();
    let server = ModelServer::posts(answers).await;
    let mut rig = Rig::new(Wishes {
        config: json!({
            "model": "p/m",
            "provider": {"p": {"base_url": server.base_url(), "models": {"m": {"context": 131_072}}}},
            "validation": {"auto": false}
        }),
        approver: Approver::Edits,
        files: &[("a.txt", "one\ntwo\nthree\n")],
        scripted: false,
        ..Wishes::default()
    })
    .await;
    rig.patience = A_WHOLE_TASK;
    rig.prompt(FIRST, "work through it").await;
    for _ in 0..=all {
        if chance.below(3) == 0 {
            let steering = Command::Prompt {
                text: "mind the tests".to_owned(),
                pasted: Vec::new(),
                delivery: Delivery::Steer,
            };
            rig.order(FIRST, steering).await;
        }
        let heard = rig.ends(FIRST).await;
        let outcome = outcome(&heard);
        assert_reason(&heard, outcome, seed);
        if server.asked().len() >= all {
            assert_requests(&server.asked(), seed);
            return;
        }
        if outcome == TurnOutcome::Error {
            rig.order(FIRST, Command::Retry).await;
        } else {
            rig.prompt(FIRST, "go on").await;
        }
    }
    panic!("seed {seed}: it never gets to its end");
}

async fn all_survive(seeds: std::ops::Range<u64>) {
    let seeds: Vec<u64> = seeds.collect();
    for some in seeds.chunks(8) {
        join_all(some.iter().map(|seed| survives(*seed))).await;
    }
}

#[tokio::test]
async fn long_tasks_survive_faults_and_every_request_is_legal() {
    all_survive(0..16).await;
}

#[tokio::test]
#[ignore = "takes minutes; run it by hand"]
async fn long_tasks_survive_faults_over_two_hundred_seeds() {
    all_survive(0..200).await;
}
