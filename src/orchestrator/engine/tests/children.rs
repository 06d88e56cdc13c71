//! Tests subagents: their input, results and permissions, and the recovery of an interrupted one.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::super::Report;
use super::rig::{Rig, Wishes, body, calls, once, says};
use crate::input::Happened;
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::budget::Usage;
use benchdog_domain::child::{ChildEnd, ChildEntry, ChildState};
use benchdog_domain::entry::Body;
use benchdog_domain::message::{Arguments, Reply, ToolCall};
use benchdog_domain::permission::{Decision, Kept, Lasts};
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{ChildLive, Command, Event, Live, Told};

const SEAT: SeatId = SeatId(1);

fn task(id: &str, prompt: &str) -> Reply {
    given(id, "explore", prompt)
}

pub(super) fn given(id: &str, agent: &str, prompt: &str) -> Reply {
    calls(id, "task", &json!({"agent": agent, "prompt": prompt}))
}

fn tasks(all: &[(&str, &str, &str)]) -> Reply {
    let call = |(id, agent, prompt): &(&str, &str, &str)| ToolCall {
        id: CallId((*id).to_owned()),
        name: "task".to_owned(),
        arguments: Arguments::Object(json!({"agent": agent, "prompt": prompt}).as_object().cloned().unwrap()),
    };
    Reply {
        calls: all.iter().map(call).collect(),
        ..Reply::default()
    }
}

fn counted(reply: Reply, total: u64) -> Reply {
    Reply {
        usage: Some(Usage {
            prompt: total - 1,
            completion: 1,
            total,
            cached: None,
        }),
        ..reply
    }
}

pub(super) fn allowing(permission: Value) -> Wishes {
    let mut config = Wishes::default().config;
    config["permission"] = permission;
    Wishes {
        config,
        ..Wishes::default()
    }
}

fn children(heard: &[Told]) -> Vec<ChildEntry> {
    let told = heard.iter().filter_map(body);
    told.filter_map(|body| match body {
        Body::Child(child) => Some(child.clone()),
        _ => None,
    })
    .collect()
}

pub(super) fn row(told: &Told) -> Option<&ChildLive> {
    match &told.event {
        Event::Live(Live::Child(child)) => Some(child),
        _ => None,
    }
}

pub(super) fn results(heard: &[Told]) -> Vec<(String, CallStatus, String)> {
    let told = heard.iter().filter_map(body);
    told.filter_map(|body| match body {
        Body::ToolResult {
            call, status, output, ..
        } => Some((call.0.clone(), *status, output.clone())),
        _ => None,
    })
    .collect()
}

#[tokio::test]
async fn the_answer_of_a_child_goes_back_to_its_call_and_what_it_took_counts() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script("go", [counted(task("t", "look"), 100), counted(says("done"), 50)]);
    rig.script("look", [counted(says("It is in a.rs."), 1_000)]);
    let heard = rig.turn(SEAT, "go").await;
    let [(_, status, output)] = &results(&heard)[..] else {
        panic!("{heard:#?}")
    };
    assert_eq!(*status, CallStatus::Ok);
    assert!(
        output.starts_with("It is in a.rs.\n\n[done: 1 step, session "),
        "{output}"
    );
    let told = children(&heard);
    assert_eq!(told.len(), 2, "that it began and that it ended: {told:?}");
    let ended = told[1].ended.clone().unwrap();
    assert_eq!(
        (ended.how, ended.steps, ended.spent[0].usage.total),
        (ChildEnd::Done, 1, 1_000)
    );
    let usage = heard.iter().filter_map(body).find_map(|body| match body {
        Body::TurnEnded { usage, .. } => Some(usage.total),
        _ => None,
    });
    assert_eq!(usage, Some(1_150));
    assert!(
        heard.iter().all(|told| told.seat == SEAT),
        "the child itself is told of nowhere"
    );
    let rows: Vec<ChildState> = heard.iter().filter_map(row).map(|row| row.state).collect();
    assert_eq!(rows.first(), Some(&ChildState::Works));
    assert_eq!(rows.last(), Some(&ChildState::Ended(ChildEnd::Done)));
}

#[tokio::test]
async fn children_of_one_reply_work_side_by_side_and_their_results_stand_in_the_order_of_the_calls() {
    let mut rig = Rig::new(Wishes::default()).await;
    let names: Vec<String> = (0..10).map(|n| format!("c{n}")).collect();
    let all: Vec<(&str, &str, &str)> = names.iter().map(|name| (&**name, "explore", &**name)).collect();
    rig.script("go", [tasks(&all), says("done")]);
    rig.prompt(SEAT, "go").await;
    for name in names.iter().take(8) {
        rig.until("a child that works", |told| {
            row(told).is_some_and(|row| row.call.0 == *name && row.state == ChildState::Works)
        })
        .await;
    }
    let asked = rig.provider.asked.lock().unwrap().len();
    assert!(asked <= 9, "two of them wait: {asked}");
    rig.order(SEAT, Command::Interrupt).await;
    let heard = rig.ends(SEAT).await;
    let ids: Vec<String> = results(&heard).into_iter().map(|(id, ..)| id).collect();
    assert_eq!(ids, names);
    assert!(
        results(&heard)
            .iter()
            .all(|(_, status, _)| *status == CallStatus::Cancelled)
    );
    assert!(rig.seats.children_of(SEAT).is_empty(), "none is left");
    let after = rig.provider.asked.lock().unwrap().len();
    let begun: BTreeSet<String> = children(&heard).into_iter().map(|child| child.call.0).collect();
    assert!(
        after <= 9 && begun.iter().eq(names.iter().take(8)),
        "those that waited never begin: {after} {begun:?}"
    );
}

#[tokio::test]
async fn one_child_is_stopped_and_the_others_go_on() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script(
        "go",
        [
            tasks(&[("a", "explore", "stuck"), ("b", "explore", "quick")]),
            says("done"),
        ],
    );
    rig.script("quick", [says("found")]);
    rig.prompt(SEAT, "go").await;
    rig.until("the quick one", |told| {
        row(told).is_some_and(|row| row.call.0 == "b" && row.state == ChildState::Ended(ChildEnd::Done))
    })
    .await;
    rig.order(
        SEAT,
        Command::StopChild {
            call: CallId("a".to_owned()),
        },
    )
    .await;
    let heard = rig.ends(SEAT).await;
    let results = results(&heard);
    assert_eq!(results[0].1, CallStatus::Cancelled);
    assert!(results[0].2.contains("The user stopped it"), "{results:?}");
    assert_eq!(results[1].1, CallStatus::Ok);
}

#[tokio::test]
async fn a_child_asks_at_its_parent_by_name_and_its_answer_reaches_it() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script("go", [given("t", "general", "make it"), says("done")]);
    rig.script(
        "make it",
        [
            calls("w", "write", &json!({"path": "made.txt", "content": "new\n"})),
            says("made"),
        ],
    );
    rig.prompt(SEAT, "go").await;
    let whether = rig.asked(SEAT).await;
    assert_eq!(whether.tool, "task", "work for one that may write is asked about");
    rig.decide(SEAT, &whether, once()).await;
    let write = rig.asked(SEAT).await;
    let child = write.child.clone().unwrap();
    assert_eq!(child.name(), "general · make it");
    assert_ne!(write.call, child.call);
    assert!(!rig.file("made.txt").exists());
    rig.decide(SEAT, &write, once()).await;
    let heard = rig.ends(SEAT).await;
    assert!(rig.file("made.txt").exists());
    let changed = heard
        .iter()
        .filter_map(body)
        .any(|body| matches!(body, Body::Change { path, call, .. } if path == "made.txt" && call.0 == "t"));
    assert!(
        changed,
        "what a child changed is a change of its parent's call: {heard:#?}"
    );
}

#[tokio::test]
async fn a_request_of_a_child_that_nobody_answers_is_denied() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script("go", [given("t", "general", "make it"), says("done")]);
    rig.script(
        "make it",
        [
            calls("w", "write", &json!({"path": "made.txt", "content": "new\n"})),
            says("made"),
        ],
    );
    rig.prompt(SEAT, "go").await;
    let whether = rig.asked(SEAT).await;
    rig.decide(SEAT, &whether, once()).await;
    let call = rig.asked(SEAT).await.call.clone();
    rig.order(SEAT, Command::Expire { call }).await;
    rig.ends(SEAT).await;
    assert!(!rig.file("made.txt").exists());
}

#[tokio::test]
async fn an_always_answer_to_a_child_is_its_own_and_that_of_its_parent_counts_for_it() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    let write = |id: &str, path: &str| calls(id, "write", &json!({"path": path, "content": "x\n"}));
    rig.script(
        "go",
        [
            given("t", "general", "make it"),
            write("own", "c.txt"),
            given("u", "general", "again"),
            says("done"),
        ],
    );
    rig.script("make it", [write("w", "a.txt"), write("v", "b.txt"), says("made")]);
    rig.script("again", [write("x", "d.txt"), says("made")]);
    rig.prompt(SEAT, "go").await;
    let always = |request: &benchdog_protocol::ApprovalRequest| Decision::Always {
        scope: request.verdict.scopes.last().cloned().unwrap(),
        lasts: Lasts::Session,
        kept: Kept::All,
    };
    let first = rig.asked(SEAT).await;
    rig.decide(SEAT, &first, always(&first)).await;
    let own = rig.asked(SEAT).await;
    assert!(rig.file("b.txt").exists(), "it covers the child");
    assert_eq!(own.child, None, "and not its parent");
    rig.decide(SEAT, &own, always(&own)).await;
    rig.ends(SEAT).await;
    assert!(
        rig.file("c.txt").exists() && rig.file("d.txt").exists(),
        "what the parent may, a child may"
    );
}

#[tokio::test]
async fn a_child_may_nothing_that_its_parent_may_not() {
    let mut rig = Rig::new(allowing(json!({"task": "allow", "edit": "allow"}))).await;
    let write = |id: &str| calls(id, "write", &json!({"path": "made.txt", "content": "x\n"}));
    rig.script("go", [given("t", "general", "make it"), says("done")]);
    rig.script(
        "make it",
        [
            write("w"),
            calls("n", "task", &json!({"prompt": "nested"})),
            says("made"),
        ],
    );
    let name = benchdog_domain::agent::AgentName("plan".to_owned());
    rig.order(SEAT, Command::SetAgent { name }).await;
    let heard = rig.turn(SEAT, "go").await;
    assert!(!rig.file("made.txt").exists(), "{heard:#?}");
    let asked = rig.provider.asked.lock().unwrap();
    let sent: String = asked.iter().map(|request| format!("{:?}", request.messages)).collect();
    assert!(sent.contains("which changes nothing"), "{sent}");
    assert!(
        sent.contains("There is no tool `task`"),
        "no child has children: {sent}"
    );
}

#[tokio::test]
async fn where_the_parent_turns_to_planning_a_request_of_its_child_is_denied() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    rig.script("go", [given("t", "general", "make it"), says("done")]);
    rig.script(
        "make it",
        [
            calls("w", "write", &json!({"path": "made.txt", "content": "x\n"})),
            says("not made"),
        ],
    );
    rig.prompt(SEAT, "go").await;
    let request = rig.asked(SEAT).await;
    let name = benchdog_domain::agent::AgentName("plan".to_owned());
    rig.order(SEAT, Command::SetAgent { name }).await;
    let gone = |told: &Told| matches!(&told.event, Event::Live(Live::ApprovalGone { call }) if *call == request.call);
    rig.until("the request to go away", gone).await;
    let heard = rig.ends(SEAT).await;
    assert!(!rig.file("made.txt").exists());
    assert!(results(&heard)[0].2.contains("not made"));
}

#[tokio::test]
async fn a_child_that_makes_all_its_requests_says_what_it_has() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n")],
        ..Wishes::default()
    })
    .await;
    let read = |n: u64| Reply {
        text: format!("I have read {n}."),
        ..calls(&format!("r{n}"), "grep", &json!({"pattern": format!("one{n}")}))
    };
    rig.script("go", [task("t", "look"), says("done")]);
    rig.script("look", (0..12).map(read));
    let heard = rig.turn(SEAT, "go").await;
    let (_, status, output) = &results(&heard)[0];
    assert_eq!(*status, CallStatus::Error);
    assert!(
        output.starts_with("I have read 9.") && output.contains("[steps_over: 10 steps"),
        "{output}"
    );
}

#[tokio::test]
async fn the_tokens_of_the_run_are_those_of_its_children_too() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.engine
        .folders
        .get_mut(super::super::FolderId::HOME)
        .rules
        .max_tokens = Some(1_000);
    // The seat is reused for a new session.
    rig.order(SEAT, Command::NewSession).await;
    let seat = rig.meant(SEAT);
    rig.script("go", [counted(task("t", "look"), 100), says("never asked")]);
    let read = |n: u64| {
        counted(
            calls(&format!("r{n}"), "glob", &json!({"pattern": format!("*{n}")})),
            400,
        )
    };
    rig.script("look", (0..9).map(read));
    let heard = rig.turn(seat, "go").await;
    let (_, status, output) = &results(&heard)[0];
    assert_eq!(*status, CallStatus::Error);
    assert!(output.contains("[budget_over: 3 steps"), "{output}");
}

#[tokio::test]
async fn of_two_children_that_write_one_file_the_second_sees_a_conflict() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    let write = |id: &str, content: &str| calls(id, "write", &json!({"path": "one.txt", "content": content}));
    rig.script(
        "go",
        [
            tasks(&[("a", "general", "first"), ("b", "general", "second")]),
            says("done"),
        ],
    );
    rig.script("first", [write("w", "first\n"), says("first is done")]);
    rig.script("second", [write("w", "second\n"), says("second is done")]);
    rig.prompt(SEAT, "go").await;
    let one = rig.asked(SEAT).await;
    let other = rig.asked(SEAT).await;
    assert_ne!(
        one.call, other.call,
        "the same name of a call in two sessions is two requests here"
    );
    for asked in [&one, &other] {
        rig.decide(SEAT, asked, once()).await;
        // Wait, so that the first change is written before the second one is decided.
        rig.until("the decision to be done", |told| {
            matches!(&told.event, Event::Live(Live::ApprovalGone { .. }))
        })
        .await;
        rig.heard
            .retain(|told| !matches!(&told.event, Event::Live(Live::ApprovalGone { .. })));
    }
    rig.ends(SEAT).await;
    let winner = if one.child.as_ref().unwrap().task == "first" {
        "first\n"
    } else {
        "second\n"
    };
    assert_eq!(std::fs::read_to_string(rig.file("one.txt")).unwrap(), winner);
    let asked = rig.provider.asked.lock().unwrap();
    let sent: String = asked.iter().map(|request| format!("{:?}", request.messages)).collect();
    assert!(sent.contains("changed"), "the second is told: {sent}");
}

#[tokio::test]
async fn what_a_child_changed_that_ends_after_its_call_is_in_the_log_of_its_parent() {
    let mut rig = Rig::new(allowing(json!({"task": "allow", "edit": "allow", "bash": "ask"}))).await;
    rig.script("go", [given("t", "general", "make it"), says("done")]);
    rig.script(
        "make it",
        [
            calls("w", "write", &json!({"path": "made.txt", "content": "x\n"})),
            calls("b", "bash", &json!({"command": "make"})),
        ],
    );
    rig.prompt(SEAT, "go").await;
    rig.asked(SEAT).await;
    rig.order(SEAT, Command::Interrupt).await;
    // Pass on the decision to the subagent only after its call has ended.
    let mut late = Vec::new();
    loop {
        let report = rig.reported.recv().await.unwrap();
        match &report {
            Report::Happened {
                seat: SEAT,
                happened: Happened::Finished { .. },
            } => break rig.report(report).await,
            _ => late.push(report),
        }
    }
    assert!(rig.file("made.txt").exists());
    for report in late {
        rig.report(report).await;
    }
    let told = rig.heard.iter().filter(|told| told.seat == SEAT).filter_map(body);
    let changes = told.filter(|body| matches!(body, Body::Change { path, .. } if path == "made.txt"));
    assert_eq!(changes.count(), 1, "{:#?}", rig.heard);
}
