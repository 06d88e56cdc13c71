//! Tests session titles. A model writes them while no session works.

use serde_json::json;

use super::rig::{Rig, SUMMARY, Wishes, answer, says};
use benchdog_base::id::SeatId;
use benchdog_domain::message::ChatMessage;
use benchdog_protocol::{Answer, Archive, Archived, Command, Told};

const FIRST: SeatId = super::super::seats::FIRST;

fn wishes() -> Wishes {
    Wishes {
        config: json!({
            "model": "p/m",
            "agent": {"title": {"model": "p/small"}},
            "provider": {"p": {"base_url": "http://127.0.0.1:9/v1", "models": {"m": {"context": 32_768}, "small": {}}}},
            "validation": {"auto": false}
        }),
        ..Wishes::default()
    }
}

fn named(told: &Told) -> Option<&str> {
    match answer(told) {
        Some(Answer::Archive(Archived::Named { title })) => Some(title),
        _ => None,
    }
}

fn models(rig: &Rig) -> Vec<String> {
    let asked = rig.provider.asked.lock().unwrap();
    asked.iter().map(|request| request.model.clone()).collect()
}

fn messages(rig: &Rig, at: usize) -> Vec<ChatMessage> {
    rig.provider.asked.lock().unwrap()[at].messages.to_vec()
}

#[tokio::test]
async fn a_title_is_asked_for_after_a_turn_and_the_requests_of_the_session_only_append() {
    let mut rig = Rig::new(wishes()).await;
    rig.script("fix the date", [says("Done."), says("Done again.")]);
    rig.script(SUMMARY, [says("\"Fix the date bug.\"")]);
    rig.turn(FIRST, "fix the date").await;
    assert_eq!(models(&rig), ["m"], "never before the answer");
    let at = rig.until("the title", |told| named(told).is_some()).await;
    assert_eq!(named(&rig.heard[at]), Some("Fix the date bug"));
    assert_eq!(models(&rig), ["m", "small"]);
    let small = rig.provider.asked.lock().unwrap()[1].clone();
    assert_eq!((small.output, small.tools.len()), (40, 0));
    rig.turn(FIRST, "and again").await;
    assert_eq!(models(&rig), ["m", "small", "m"]);
    let (first, last) = (messages(&rig, 0), messages(&rig, 2));
    assert_eq!(last[..first.len()], first[..]);
    let session = rig.seats.get(FIRST).unwrap().session().clone();
    let (meta, _) = rig.engine.setup.storage.read_session(&session).await.unwrap();
    assert_eq!(meta.title, "Fix the date bug");
    rig.order(FIRST, Command::ShowStatus).await;
    let at = rig
        .until("the status", |told| matches!(answer(told), Some(Answer::Status(_))))
        .await;
    let Some(Answer::Status(status)) = answer(&rig.heard[at]) else {
        panic!("no status");
    };
    let counted = status.totals.models.iter().map(|of| (of.model.id.as_str(), of.answers));
    assert_eq!(counted.collect::<Vec<_>>(), [("m", 2), ("small", 1)]);
}

#[tokio::test]
async fn a_prompt_stops_the_request_and_the_next_turn_asks_once_more() {
    let mut rig = Rig::new(wishes()).await;
    rig.script("fix the date", [says("Done."), says("Done again.")]);
    rig.script(SUMMARY, [says("Fix the date bug")]);
    rig.turn(FIRST, "fix the date").await;
    rig.turn(FIRST, "and again").await;
    assert_eq!(models(&rig), ["m", "m"], "two prompts within two seconds");
    rig.until("the title", |told| named(told).is_some()).await;
    assert_eq!(models(&rig), ["m", "m", "small"]);
}

#[tokio::test]
async fn no_session_is_named_while_another_works() {
    let mut rig = Rig::new(wishes()).await;
    let second = rig.beside().await;
    rig.script("fix the date", [says("Done.")]);
    rig.prompt(second, "never answered").await;
    rig.turn(FIRST, "fix the date").await;
    let waits = tokio::time::Instant::now() + std::time::Duration::from_millis(2_500);
    while tokio::time::Instant::now() < waits {
        rig.report_next().await;
    }
    assert_eq!(models(&rig), ["m", "m"]);
}

#[tokio::test]
async fn a_title_of_the_person_stays_and_without_a_model_none_is_asked() {
    for (wishes, renames) in [(wishes(), true), (Wishes::default(), false)] {
        let mut rig = Rig::new(wishes).await;
        rig.script("fix the date", [says("Done.")]);
        rig.script(SUMMARY, [says("Fix the date bug")]);
        rig.turn(FIRST, "fix the date").await;
        let title = if renames { "mine" } else { "fix the date" };
        if renames {
            let title = title.to_owned();
            rig.order(FIRST, Command::Archive(Archive::Rename { title })).await;
        }
        let waits = tokio::time::Instant::now() + std::time::Duration::from_millis(2_500);
        while tokio::time::Instant::now() < waits {
            rig.report_next().await;
        }
        assert!(!rig.heard.iter().any(|told| named(told).is_some()));
        assert_eq!(models(&rig), ["m"]);
        let session = rig.seats.get(FIRST).unwrap().session().clone();
        let (meta, _) = rig.engine.setup.storage.read_session(&session).await.unwrap();
        assert_eq!(meta.title, title);
    }
}
