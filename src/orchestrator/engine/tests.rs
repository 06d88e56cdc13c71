mod beside;
mod changes;
mod chaos;
mod children;
mod histories;
mod hooked;
mod judged;
mod lasting;
pub(crate) mod rig;
mod status;
mod titles;
mod undo;

use std::sync::Arc;

use serde_json::json;

use super::Report;
use crate::input::Happened;
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::permission::{Action, Decision, Kept, Lasts};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, Outcome};
use benchdog_protocol::{Answer, Command, Delivery};
use benchdog_testing::model_server::{self, ModelServer, Step};
use rig::{Rig, Wishes, answer, body, calls, once, says};

const FIRST: SeatId = super::seats::FIRST;

fn results(rig: &mut Rig, seat: SeatId) -> Vec<(String, CallStatus)> {
    let results = rig.log(seat);
    let results = results.iter().filter_map(|entry| match &entry.body {
        Body::ToolResult { call, status, .. } => Some((call.0.clone(), *status)),
        _ => None,
    });
    results.collect()
}

#[tokio::test]
async fn two_seats_run_turns_at_once_and_keep_logs_and_request_numbers_apart() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n")],
        ..Wishes::default()
    })
    .await;
    let second = rig.beside().await;
    // The first seat's request is never answered. The second seat's whole turn runs in the meantime.
    rig.prompt(FIRST, "first").await;
    rig.script("second", [calls("c1", "read", &json!({"path": "a.txt"})), says("done")]);
    let heard = rig.turn(second, "second").await;
    assert!(
        heard
            .iter()
            .all(|told| told.seat == second || body(told).is_none_or(|body| !matches!(body, Body::ToolResult { .. })))
    );
    assert_eq!(results(&mut rig, second), [("c1".to_owned(), CallStatus::Ok)]);
    assert!(results(&mut rig, FIRST).is_empty());
    // Each seat numbers its requests separately. A reply to the third request of the second seat must not be taken for
    // a reply to the first seat.
    let happened = |request| Happened::Replied {
        request,
        reply: says("late"),
    };
    let seat = FIRST;
    rig.report(Report::Happened {
        seat,
        happened: happened(3),
    })
    .await;
    assert!(rig.seats.get(FIRST).unwrap().is_busy(), "its own request is number 1");
    rig.report(Report::Happened {
        seat,
        happened: happened(1),
    })
    .await;
    rig.ends(FIRST).await;
    let texts: Vec<u64> = rig.log(FIRST).iter().map(|entry| entry.id.0).collect();
    assert_eq!(texts, [1, 2, 3, 4], "prompt, terms, answer, end");
}

#[tokio::test]
async fn an_always_and_what_was_read_stay_with_the_seat_they_were_given_to() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n")],
        ..Wishes::default()
    })
    .await;
    let second = rig.beside().await;
    let make = || json!({"command": "mkdir -p made"});
    rig.script(
        "first",
        [
            calls("r", "read", &json!({"path": "a.txt"})),
            calls("m1", "bash", &make()),
            calls("m2", "bash", &make()),
            says("done"),
        ],
    );
    rig.prompt(FIRST, "first").await;
    let asked = rig.asked(FIRST).await;
    let scope = asked.verdict.scopes.last().cloned().unwrap();
    let kept = Kept::All;
    let always = Decision::Always {
        scope,
        lasts: Lasts::Session,
        kept,
    };
    rig.decide(FIRST, &asked, always).await;
    let heard = rig.ends(FIRST).await;
    assert!(!heard.iter().any(|told| matches!(
        &told.event,
        benchdog_protocol::Event::Live(benchdog_protocol::Live::ApprovalRequested(_))
    )));
    // The other seat must ask for the same command again. It must also reject a write to a file that only the first
    // seat has read.
    let write = json!({"path": "a.txt", "content": "two\n"});
    rig.script("second", [calls("w", "write", &write), calls("m", "bash", &make())]);
    rig.prompt(second, "second").await;
    assert_eq!(rig.asked(second).await.call.0, "m");
    assert_eq!(results(&mut rig, second), [("w".to_owned(), CallStatus::Error)]);
}

#[tokio::test]
async fn a_new_session_takes_another_seat_and_carries_nothing_over() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n")],
        ..Wishes::default()
    })
    .await;
    rig.script("go", [calls("r", "read", &json!({"path": "a.txt"})), says("read")]);
    rig.turn(FIRST, "go").await;
    let left = rig.seats.get(FIRST).unwrap().session().clone();
    rig.order(FIRST, Command::NewSession).await;
    let next = rig.heard.iter().find_map(|told| match answer(told) {
        Some(Answer::Replaced(next)) if told.seat == FIRST => Some(*next),
        _ => None,
    });
    let next = next.unwrap();
    assert_ne!(next, FIRST);
    assert!(rig.seats.get(FIRST).is_none());
    let write = json!({"path": "a.txt", "content": "two\n"});
    rig.script("again", [calls("w", "write", &write), says("no")]);
    // A front end that has not seen the replacement still sends to the id of the old seat.
    rig.prompt(FIRST, "again").await;
    rig.ends(next).await;
    assert_eq!(
        results(&mut rig, next),
        [("w".to_owned(), CallStatus::Error)],
        "it was not read here"
    );
    let sent = rig.sent();
    assert!(!sent.contains("\"go\""), "{sent}");
    let holder = rig.engine.setup.holder.clone();
    let opened = rig.engine.setup.storage.open(&left, holder).await.unwrap();
    assert!(matches!(opened, benchdog_storage::Opening::Open { .. }));
}

#[tokio::test]
async fn a_resumed_session_carries_nothing_of_the_one_before_and_goes_on_with_its_own_log() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script("one", [says("first answer")]);
    rig.turn(FIRST, "one").await;
    let session = rig.seats.get(FIRST).unwrap().session().clone();
    rig.order(FIRST, Command::NewSession).await;
    let second = rig.meant(FIRST);
    rig.script("two", [says("second answer")]);
    rig.turn(second, "two").await;
    rig.order(second, Command::Resume { session }).await;
    let third = rig.meant(FIRST);
    assert!(third != second && third != FIRST);
    rig.script("one", [says("third answer")]);
    rig.turn(third, "three").await;
    let sent = rig.sent();
    assert!(sent.contains("first answer") && sent.contains("three"), "{sent}");
    assert!(!sent.contains("second answer"), "{sent}");
}

#[tokio::test]
async fn a_late_report_of_a_seat_that_is_gone_changes_nothing() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.order(FIRST, Command::NewSession).await;
    rig.heard.clear();
    for happened in [
        Happened::Finished {
            call: CallId("x".to_owned()),
            outcome: Outcome::ok(Summary::Words("late".to_owned()), "late"),
            took_ms: 1,
        },
        Happened::Replied {
            request: 1,
            reply: says("late"),
        },
    ] {
        rig.report(Report::Happened { seat: FIRST, happened }).await;
    }
    assert!(rig.heard.is_empty(), "{:?}", rig.heard);
    let next = rig.meant(FIRST);
    assert!(rig.log(next).is_empty());
}

#[tokio::test]
async fn one_session_has_one_seat_only() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script("one", [says("answer")]);
    rig.turn(FIRST, "one").await;
    let session = rig.seats.get(FIRST).unwrap().session().clone();
    let second = rig.beside().await;
    rig.order(second, Command::Resume { session }).await;
    assert_eq!(rig.meant(second), second, "it stays where it is: the session is taken");
}

#[tokio::test]
async fn a_session_is_not_changed_while_a_turn_runs() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.prompt(FIRST, "never answered").await;
    rig.order(FIRST, Command::NewSession).await;
    assert_eq!(rig.meant(FIRST), FIRST);
    assert!(rig.seats.get(FIRST).unwrap().is_busy());
}

#[tokio::test]
async fn two_seats_stream_from_one_server_at_once() {
    let gate = Arc::new(tokio::sync::Notify::new());
    let end = b"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    let server = ModelServer::posts(vec![
        model_server::Answer::events(&["the slow one"])
            .then(Step::Until(Arc::clone(&gate)))
            .then(Step::Send(end.to_vec())),
        model_server::Answer::text(&["the quick one"]),
    ])
    .await;
    let mut wishes = Wishes {
        scripted: false,
        ..Wishes::default()
    };
    wishes.config["provider"]["p"]["base_url"] = server.base_url().into();
    let mut rig = Rig::new(wishes).await;
    let second = rig.beside().await;
    rig.prompt(FIRST, "slow").await;
    let streams = |told: &benchdog_protocol::Told| {
        told.seat == FIRST
            && matches!(
                &told.event,
                benchdog_protocol::Event::Live(benchdog_protocol::Live::Text(_))
            )
    };
    rig.until("text of the first", streams).await;
    rig.turn(second, "quick").await;
    assert!(rig.seats.get(FIRST).unwrap().is_busy());
    gate.notify_one();
    rig.ends(FIRST).await;
    let said = |rig: &mut Rig, seat| {
        let log = rig.log(seat);
        let said = log.iter().find_map(|entry| match &entry.body {
            Body::Assistant { text, .. } => Some(text.clone()),
            _ => None,
        });
        said.unwrap()
    };
    assert_eq!(said(&mut rig, FIRST), "the slow one");
    assert_eq!(said(&mut rig, second), "the quick one");
}

#[tokio::test]
async fn a_prompt_that_waits_in_one_seat_is_not_begun_in_another() {
    let mut rig = Rig::new(Wishes::default()).await;
    let second = rig.beside().await;
    rig.prompt(FIRST, "never answered").await;
    let command = Command::Prompt {
        text: "waits".to_owned(),
        pasted: Vec::new(),
        delivery: Delivery::Queue,
    };
    rig.order(FIRST, command).await;
    rig.script("mine", [says("done")]);
    let heard = rig.turn(second, "mine").await;
    let ended = heard.iter().filter(|told| {
        matches!(
            body(told),
            Some(Body::TurnEnded {
                outcome: TurnOutcome::Done,
                ..
            })
        )
    });
    assert_eq!(ended.count(), 1);
    let prompts = rig.log(FIRST);
    let prompts = prompts.iter().filter(|entry| matches!(entry.body, Body::User { .. }));
    assert_eq!(prompts.count(), 1, "its prompt, and nothing of the one that waits");
    rig.order(FIRST, Command::Interrupt).await;
    assert!(
        rig.heard
            .iter()
            .any(|told| matches!(answer(told), Some(Answer::Unqueued { text }) if text == "waits"))
    );
}

#[tokio::test]
async fn a_denied_call_of_one_seat_asks_nothing_of_the_other() {
    let mut rig = Rig::new(Wishes::default()).await;
    let second = rig.beside().await;
    let write = json!({"path": "new.txt", "content": "x"});
    rig.script("a", [calls("same", "write", &write), says("denied")]);
    rig.script("b", [calls("same", "write", &write), says("written")]);
    rig.prompt(FIRST, "a").await;
    let asked = rig.asked(FIRST).await;
    assert_eq!(asked.verdict.action, Action::Ask);
    rig.prompt(second, "b").await;
    rig.asked(second).await;
    // Both seats have a call with this id, but the decision applies only to the seat that it was sent to.
    rig.decide(FIRST, &asked, Decision::Deny { reason: None }).await;
    rig.ends(FIRST).await;
    assert!(!rig.file("new.txt").exists());
    rig.decide(second, &asked, once()).await;
    rig.ends(second).await;
    assert!(rig.file("new.txt").exists());
    assert_eq!(results(&mut rig, FIRST), [("same".to_owned(), CallStatus::Denied)]);
}
