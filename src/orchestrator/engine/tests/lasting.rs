//! Tests work that continues after a subagent has ended, and its effects.

use serde_json::json;

use super::children::{allowing, given, results, row};
use super::rig::{Rig, Wishes, answer, body, calls, once, says};
use benchdog_base::id::{CallId, SeatId};
use benchdog_domain::child::{ChildEnd, ChildState};
use benchdog_domain::entry::Body;
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{Answer, Command, Event, Live, Told};
use benchdog_storage::Opening;
use benchdog_tools::Registry;

const SEAT: SeatId = SeatId(1);

fn stop(call: &str) -> Command {
    Command::StopChild {
        call: CallId(call.to_owned()),
    }
}

#[tokio::test]
async fn who_comes_late_is_shown_the_children_that_work_and_the_commands_in_the_background() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    let background = json!({"command": "sleep 30", "background": true});
    rig.script(
        "go",
        [
            calls("b", "bash", &background),
            given("t", "general", "make it"),
            says("done"),
        ],
    );
    let write = calls("w", "write", &json!({"path": "made.txt", "content": "x\n"}));
    rig.script("make it", [write, says("made")]);
    rig.prompt(SEAT, "go").await;
    let begins = rig.asked(SEAT).await;
    rig.decide(SEAT, &begins, once()).await;
    let asked = rig.asked(SEAT).await;
    let session = Some(rig.seats.get(SEAT).unwrap().session().clone());
    rig.heard.clear();
    rig.order(
        SEAT,
        Command::OpenBeside {
            session: session.clone(),
        },
    )
    .await;
    let rows: Vec<ChildState> = rig.heard.iter().filter_map(row).map(|row| row.state).collect();
    assert_eq!(rows, [ChildState::Waits], "{:#?}", rig.heard);
    let again = rig.asked(SEAT).await;
    assert_eq!((&again.call, &again.child), (&asked.call, &asked.child));
    let jobs = |told: &Told| match &told.event {
        Event::Live(Live::Jobs(jobs)) => Some(jobs.len()),
        _ => None,
    };
    assert_eq!(rig.heard.iter().find_map(jobs), Some(1), "{:#?}", rig.heard);
    rig.decide(SEAT, &asked, once()).await;
    rig.ends(SEAT).await;
    rig.order(SEAT, Command::OpenBeside { session }).await;
    assert!(!rig.heard.iter().any(|told| row(told).is_some()), "it works no more");
    assert_eq!(rig.heard.iter().find_map(jobs), Some(1), "the command goes on");
    assert!(
        rig.heard
            .iter()
            .any(|told| matches!(answer(told), Some(Answer::Opened(_))))
    );
}

#[tokio::test]
async fn nobody_waits_for_the_commands_that_a_child_leaves_behind() {
    let mut rig = Rig::new(allowing(json!({"task": "allow"}))).await;
    let stubborn = json!({"command": "trap '' TERM; while :; do sleep 1; done", "background": true});
    rig.script("go", [given("t", "general", "start it"), says("done")]);
    rig.script("start it", [calls("b", "bash", &stubborn), says("started")]);
    rig.prompt(SEAT, "go").await;
    let begins = rig.asked(SEAT).await;
    rig.decide(SEAT, &begins, once()).await;
    let over = |told: &Told| row(told).is_some_and(|row| row.state == ChildState::Ended(ChildEnd::Done));
    let at = rig.until("the end of the child", over).await;
    let session = row(&rig.heard[at]).unwrap().session.clone().unwrap();
    let holder = rig.engine.setup.holder.clone();
    let held = rig.engine.setup.storage.open(&session, holder.clone()).await.unwrap();
    assert!(matches!(held, Opening::Held(_)), "its commands are still ending");
    rig.ends(SEAT).await;
    // The seat closes normally, and then its log is complete.
    let mut opened = held;
    for _ in 0..100 {
        if let Opening::Open { history, .. } = &opened {
            let bodies = history.entries().iter().map(|entry| &entry.body);
            let ended = |body: &Body| matches!(body, Body::Notice(benchdog_domain::notice::Notice::JobsEnded { jobs }) if jobs.len() == 1);
            assert!(bodies.filter(|body| ended(body)).count() == 1, "{history:?}");
            return;
        }
        rig.report_next().await;
        opened = rig.engine.setup.storage.open(&session, holder.clone()).await.unwrap();
    }
    panic!("its lease was not given back");
}

#[tokio::test]
async fn what_a_stopped_child_changed_is_a_change_of_its_parents_call() {
    let mut rig = Rig::new(allowing(json!({"task": "allow", "edit": "allow"}))).await;
    rig.script("go", [given("t", "general", "make it"), says("done")]);
    let write = calls("w", "write", &json!({"path": "made.txt", "content": "x\n"}));
    rig.script("make it", [write]);
    rig.prompt(SEAT, "go").await;
    let made = rig.file("made.txt");
    rig.until("the change, and the request behind it", |told| {
        row(told).is_some_and(|row| row.step == 1) && made.exists()
    })
    .await;
    while rig.provider.asked.lock().unwrap().len() < 3 {
        rig.report_next().await;
    }
    rig.order(SEAT, stop("t")).await;
    let heard = rig.ends(SEAT).await;
    assert_eq!(results(&heard)[0].1, CallStatus::Cancelled);
    let changed = heard
        .iter()
        .filter_map(body)
        .any(|body| matches!(body, Body::Change { path, call, .. } if path == "made.txt" && call.0 == "t"));
    assert!(changed, "{heard:#?}");
}

#[tokio::test]
async fn a_child_whose_agent_has_to_prove_what_it_says_does_so() {
    let mut config = allowing(json!({"task": "allow"})).config;
    config["agent"] = json!({"prover": {"mode": "subagent", "description": "Proves.", "completion": "evidence"}});
    let mut rig = Rig::new(Wishes {
        config,
        files: &[("a.txt", "one\n")],
        tools: Registry::builtin().with_proof(),
        ..Wishes::default()
    })
    .await;
    rig.script("go", [given("t", "prover", "what is in a.txt?"), says("done")]);
    let done = |line: u64| {
        let evidence = json!([{"path": "a.txt", "line": line, "claim": "it says one"}]);
        let arguments = json!({"summary": "It says one.", "files_changed": [], "evidence": evidence});
        calls(&format!("d{line}"), "done", &arguments)
    };
    rig.script(
        "what is in a.txt?",
        [
            says("It says one, believe me."),
            calls("r", "read", &json!({"path": "a.txt"})),
            done(7),
            done(1),
        ],
    );
    let heard = rig.turn(SEAT, "go").await;
    let (_, status, output) = &results(&heard)[0];
    assert_eq!(*status, CallStatus::Ok, "{output}");
    assert!(
        output.starts_with("It says one.\n") && output.contains("[done: 4 steps"),
        "{output}"
    );
    // Answers were rejected if they cited no evidence, or evidence that the model had not seen.
    let asked = rig.provider.asked.lock().unwrap();
    let sent = asked.iter().rev().map(|request| format!("{:?}", request.messages));
    let sent = sent.into_iter().find(|sent| sent.contains("believe me")).unwrap();
    assert!(sent.contains("believe me") && sent.contains("a.txt:7"), "{sent}");
}
