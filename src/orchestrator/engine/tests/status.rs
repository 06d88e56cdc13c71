//! Tests the session status, and the choice of sampling settings.

use std::sync::Arc;

use serde_json::json;

use super::FIRST;
use super::rig::{Rig, SUMMARY, Wishes, answer, body, calls, says, surveyed};
use crate::engine::{FolderId, Report};
use benchdog_base::id::SeatId;
use benchdog_config::settings::Settings;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::Knowledge;
use benchdog_domain::agent::Thinking;
use benchdog_domain::budget::Usage;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::entry::Body;
use benchdog_domain::message::Reply;
use benchdog_domain::notice::Notice;
use benchdog_domain::status::{Status, WindowFrom};
use benchdog_protocol::{Answer, Command, Event, Live, Told};

async fn status(rig: &mut Rig, seat: SeatId) -> Status {
    rig.heard.clear();
    rig.order(seat, Command::ShowStatus).await;
    let mut told = rig.heard.iter().filter_map(answer);
    let Some(Answer::Status(status)) = told.find(|answer| matches!(answer, Answer::Status(_))) else {
        panic!("no status in {:?}", rig.heard);
    };
    Status::clone(status)
}

fn counted(reply: Reply) -> Reply {
    Reply {
        usage: Some(Usage {
            prompt: 1_000,
            completion: 10,
            total: 1_010,
            cached: None,
        }),
        ..reply
    }
}

#[tokio::test]
async fn a_resumed_session_says_what_it_said_before_it_was_left() {
    let mut rig = Rig::new(Wishes {
        files: &[("a.txt", "one\n")],
        ..Wishes::default()
    })
    .await;
    let read = calls("c1", "read", &json!({"path": "a.txt"}));
    rig.script("look", [counted(read), counted(says("seen"))]);
    rig.turn(FIRST, "look").await;
    let before = status(&mut rig, FIRST).await;
    assert_eq!(before.totals.usage().prompt, 2_000);
    assert_eq!((before.totals.calls.succeeded, before.totals.turns), (1, 1));
    let session = before.session.clone();
    rig.order(FIRST, Command::NewSession).await;
    let fresh = rig.meant(FIRST);
    assert_eq!(status(&mut rig, fresh).await.totals.turns, 0);
    rig.order(fresh, Command::Resume { session }).await;
    let again = rig.meant(fresh);
    assert_eq!(status(&mut rig, again).await.totals, before.totals);
}

#[tokio::test]
async fn the_tokens_of_a_summary_are_counted_even_if_it_is_not_used() {
    let mut rig = Rig::new(Wishes::default()).await;
    let long = "The cents are rounded half up. ".repeat(400);
    rig.script(
        "one",
        [counted(says(&long)), counted(says(&long)), counted(says("yes"))],
    );
    for prompt in ["one", "two", "three"] {
        rig.turn(FIRST, prompt).await;
    }
    rig.script(
        SUMMARY,
        [counted(says("-")), counted(says("It is about rounding in cents."))],
    );
    let compact = || Command::Compact {
        instructions: String::new(),
    };
    rig.order(FIRST, compact()).await;
    let is_empty = |told: &Told| {
        let refused = Event::Live(Live::Notice(Notice::NotSummarised(NoSummary::Empty)));
        told.event == refused
    };
    rig.until("a summary without words", is_empty).await;
    assert_eq!(status(&mut rig, FIRST).await.totals.usage().prompt, 4_000);
    rig.order(FIRST, compact()).await;
    let is_ready = |told: &Told| matches!(answer(told), Some(Answer::CompactionReady(_)));
    let at = rig.until("the summary", is_ready).await;
    let Some(Answer::CompactionReady(preview)) = answer(&rig.heard[at]) else {
        panic!("no summary");
    };
    let summary = preview.summary.clone();
    rig.order(FIRST, Command::AcceptCompaction { summary }).await;
    assert!(
        rig.log(FIRST)
            .iter()
            .any(|entry| matches!(entry.body, Body::Compaction(_)))
    );
    let totals = status(&mut rig, FIRST).await.totals;
    assert_eq!((totals.usage().prompt, totals.models[0].answers), (5_000, 5));
}

#[tokio::test]
async fn temperature_and_thinking_go_with_the_next_request_of_their_session_only() {
    let mut rig = Rig::new(Wishes::default()).await;
    let second = rig.beside().await;
    let (value, level) = (Some(0.7), Some(Thinking::Low));
    rig.order(FIRST, Command::SetTemperature { value }).await;
    rig.order(FIRST, Command::SetThinking { level }).await;
    rig.script("one", [says("a")]);
    rig.script("two", [says("b")]);
    rig.turn(FIRST, "one").await;
    rig.turn(second, "two").await;
    let sent: Vec<_> = {
        let asked = rig.provider.asked.lock().unwrap();
        asked
            .iter()
            .map(|request| (request.temperature, request.thinking))
            .collect()
    };
    assert_eq!(sent, [(value, level), (None, None)]);
    let before = status(&mut rig, FIRST).await;
    assert_eq!(before.sampling.thinking, level);
    let session = before.session;
    rig.order(FIRST, Command::NewSession).await;
    let fresh = rig.meant(FIRST);
    assert_eq!(status(&mut rig, fresh).await.sampling.thinking, None);
    rig.order(fresh, Command::Resume { session }).await;
    let again = rig.meant(fresh);
    assert_eq!(status(&mut rig, again).await.sampling, before.sampling);
}

#[tokio::test]
async fn the_window_is_said_with_who_says_so() {
    let mut rig = Rig::new(Wishes {
        config: json!({
            "model": "p/m",
            "provider": {"p": {"base_url": "http://someone:secret@127.0.0.1:9/v1?key=secret", "models": {"big": {"context": 100_000}}}},
            "validation": {"auto": false}
        }),
        scripted: false,
        ..Wishes::default()
    })
    .await;
    let told = async |rig: &mut Rig| {
        let asked = status(rig, FIRST).await.asked.unwrap();
        (asked.window, asked.window_from)
    };
    assert_eq!(told(&mut rig).await, (32_768, WindowFrom::Assumed));
    let model = rig.engine.model.clone().unwrap();
    let settings = std::sync::Arc::clone(&rig.engine.at(crate::engine::FolderId::HOME).settings);
    rig.engine.recall_window(&settings, model.clone(), 40_000);
    assert_eq!(told(&mut rig).await, (40_000, WindowFrom::Recalled));
    let known = Knowledge {
        window: Some(50_000),
        ..Knowledge::default()
    };
    rig.report(Report::Known { settings, model, known }).await;
    assert_eq!(told(&mut rig).await, (50_000, WindowFrom::Server));
    let id = "p/big".to_owned();
    rig.order(FIRST, Command::SetModel { id }).await;
    assert_eq!(told(&mut rig).await, (100_000, WindowFrom::Configured));
    let endpoint = status(&mut rig, FIRST).await.asked.unwrap().endpoint.unwrap();
    assert_eq!(endpoint.address, "http://127.0.0.1:9/v1", "nothing of a key is shown");
}

#[tokio::test]
async fn the_examination_is_of_the_model_of_the_session_that_asks() {
    let mut rig = Rig::new(Wishes::default()).await;
    let id = "p/other".to_owned();
    rig.order(FIRST, Command::SetModel { id }).await;
    rig.order(FIRST, Command::Examine).await;
    // A separate task sends the result to the front end.
    let mut looked = None;
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
        rig.listen();
        looked = rig.heard.iter().filter_map(answer).find_map(|answer| match answer {
            Answer::Health(checks) => Some(checks.clone()),
            _ => None,
        });
        if looked.is_some() {
            break;
        }
    }
    assert_eq!(looked.unwrap()[0].detail, "p/other");
}

#[tokio::test]
async fn a_switched_check_applies_to_a_session_that_has_begun_and_is_confirmed() {
    let mut wishes = Wishes::default();
    wishes.config["permission"] = json!({"edit": "allow", "bash": "allow"});
    wishes.config["validation"] = json!({"auto": false, "command": "true"});
    let mut rig = Rig::new(wishes).await;
    let change = |id| calls(id, "write", &json!({"path": format!("{id}.txt"), "content": "x\n"}));
    let is_checked = |heard: &[Told]| {
        let mut bodies = heard.iter().filter_map(body);
        bodies.any(|body| matches!(body, Body::Validation { .. }))
    };
    rig.script(
        "go",
        [
            change("a"),
            says("done"),
            change("b"),
            says("done"),
            change("c"),
            says("done"),
        ],
    );
    assert!(!is_checked(&rig.turn(FIRST, "go").await));
    for (to, written) in [(Switched::On, "true"), (Switched::Off, "false")] {
        let mut reload = rig.reload();
        let mut settings = Settings::clone(&reload.settings);
        settings.validation.auto = to == Switched::On;
        reload.rules.validate = settings.validation.auto;
        reload.settings = Arc::new(settings);
        rig.engine.folders.get_mut(FolderId::HOME).loader = Box::new(move || surveyed(&reload));
        let path = vec!["validation".to_owned(), "auto".to_owned()];
        let written = written.to_owned();
        rig.order(FIRST, Command::Configure { path, written }).await;
        let confirms = |told: &Told| answer(told) == Some(&Answer::CheckSwitched(to));
        assert!(rig.heard.iter().any(confirms), "{:#?}", rig.heard);
        assert_eq!(is_checked(&rig.turn(FIRST, "again").await), to == Switched::On);
    }
}

#[tokio::test]
async fn a_refused_switch_of_the_check_is_not_confirmed() {
    let mut rig = Rig::new(Wishes::default()).await;
    let folder = rig.engine.folders.get_mut(FolderId::HOME);
    folder.settings_writer = Box::new(|_, _, _| Err("held".to_owned()));
    let path = vec!["validation".to_owned(), "auto".to_owned()];
    let written = "false".to_owned();
    rig.order(FIRST, Command::Configure { path, written }).await;
    let told: Vec<&Answer> = rig.heard.iter().filter_map(answer).collect();
    let why = "held".to_owned();
    assert!(told.contains(&&Answer::SettingRefused { why }), "{told:?}");
    assert!(!told.iter().any(|answer| matches!(answer, Answer::CheckSwitched(_))));
}
