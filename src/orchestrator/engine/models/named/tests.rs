//! A model that is named is the one that works, or it is said why it is not; nothing that is sent behind it goes to another.

use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::BoxFuture;
use serde_json::json;
use tokio::sync::mpsc;

use super::{Checked, MOST_WAITING, of_list};
use crate::base::id::SeatId;
use crate::domain::agent::{Knowledge, ModelRef};
use crate::domain::entry::Body;
use crate::domain::message::Reply;
use crate::domain::notice::Notice;
use crate::orchestrator::engine::FolderId;
use crate::orchestrator::engine::tests::rig::{Rig, Wishes, body, says};
use crate::protocol::{Answer, Command, Event, Live, Told};
use crate::provider::failure::ProviderError;
use crate::provider::{ListedModel, ModelRequest, Progress, Provider};

const SEAT: SeatId = SeatId(1);

/// A server that lists these, and notes which one it was asked for.
#[derive(Default)]
struct Offering {
    ids: Vec<&'static str>,
    asked: Mutex<Vec<String>>,
}

impl Provider for Offering {
    fn stream(&self, request: ModelRequest, _: mpsc::Sender<Progress>) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        self.asked.lock().unwrap().push(request.model);
        async { Ok(says("Yes.")) }.boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        let models: Vec<ListedModel> = self.ids.iter().map(|id| listed(id, None)).collect();
        async { Ok(models) }.boxed()
    }

    fn about(&self, _: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>> {
        async { Ok(Knowledge::default()) }.boxed()
    }
}

fn listed(id: &str, owner: Option<&str>) -> ListedModel {
    ListedModel {
        id: id.to_owned(),
        context: None,
        trained: None,
        owner: owner.map(str::to_owned),
    }
}

/// A session whose server lists these, of which the configuration names none but `m` and `kept`.
async fn offers(ids: &[&'static str]) -> (Rig, Arc<Offering>) {
    let mut rig = Rig::new(Wishes {
        config: json!({
            "model": "p/m",
            "provider": {"p": {
                "base_url": "http://127.0.0.1:9/v1",
                "warm_up": false,
                "models": {"m": {"context": 32_768}, "kept": {"context": 32_768}}
            }},
            "validation": {"auto": false}
        }),
        scripted: false,
        ..Wishes::default()
    })
    .await;
    let offering = Arc::new(Offering {
        ids: ids.to_vec(),
        ..Offering::default()
    });
    let settings = Arc::clone(&rig.engine.at(FolderId::HOME).settings);
    let provider: Arc<dyn Provider> = Arc::<Offering>::clone(&offering);
    let providers = &mut rig.engine.endpoints(&settings).providers;
    providers.insert("p".to_owned(), provider);
    (rig, offering)
}

async fn name(rig: &mut Rig, id: &str) {
    let id = id.to_owned();
    rig.order(SEAT, Command::SetModel { id }).await;
}

fn model(rig: &mut Rig) -> String {
    let model = rig.seats.get(SEAT).unwrap().model().unwrap();
    model.id
}

fn noticed(told: &Told) -> Option<&Notice> {
    match &told.event {
        Event::Live(Live::Notice(notice)) => Some(notice),
        Event::Live(_) | Event::Fact(_) | Event::Answer(_) => None,
    }
}

fn of_p(id: &str) -> ModelRef {
    ModelRef {
        provider: "p".to_owned(),
        id: id.to_owned(),
    }
}

#[tokio::test]
async fn one_that_the_server_does_not_offer_is_told_with_its_likest_and_the_model_stays() {
    let (mut rig, _) = offers(&["m", "qwen3-coder", "llama3"]).await;
    name(&mut rig, "qwen3-codr").await;
    let refused = Notice::ModelNotOffered {
        model: of_p("qwen3-codr"),
        names: vec!["qwen3-coder".to_owned()],
        offered: 3,
    };
    rig.until("the refusal", |told| noticed(told) == Some(&refused)).await;
    assert_eq!(model(&mut rig), "m");
}

#[tokio::test]
async fn a_prompt_that_is_sent_behind_a_name_goes_to_the_model_that_it_names() {
    let (mut rig, offering) = offers(&["m", "other"]).await;
    name(&mut rig, "other").await;
    rig.turn(SEAT, "go").await;
    assert_eq!(*offering.asked.lock().unwrap(), ["other"]);
    name(&mut rig, "nope").await;
    rig.turn(SEAT, "again").await;
    assert_eq!(*offering.asked.lock().unwrap(), ["other", "other"]);
}

#[tokio::test]
async fn a_name_behind_as_many_orders_as_wait_throws_none_of_them_away_and_the_last_one_counts() {
    let (mut rig, offering) = offers(&["m", "other", "passed", "last"]).await;
    name(&mut rig, "other").await;
    for _ in 1..MOST_WAITING {
        name(&mut rig, "kept").await;
    }
    rig.prompt(SEAT, "go").await;
    name(&mut rig, "passed").await;
    name(&mut rig, "last").await;
    let chosen = |told: &Told| match body(told) {
        Some(Body::Model { model, .. }) => Some(model.id.clone()),
        _ => None,
    };
    rig.until("the last name", |told| chosen(told).as_deref() == Some("last"))
        .await;
    let all: Vec<String> = rig.heard.iter().filter_map(chosen).collect();
    assert!(all.iter().all(|id| id != "passed"), "{all:?}");
    rig.ends(SEAT).await;
    assert_eq!(offering.asked.lock().unwrap().len(), 1, "the prompt was sent");
    assert_eq!(model(&mut rig), "last");
}

#[tokio::test]
async fn one_that_is_configured_is_taken_though_no_list_has_it() {
    let (mut rig, _) = offers(&["m"]).await;
    name(&mut rig, "kept").await;
    assert_eq!(model(&mut rig), "kept");
}

#[tokio::test]
async fn the_list_has_what_is_configured_beside_what_the_server_offers() {
    let (mut rig, _) = offers(&["m", "other"]).await;
    rig.order(SEAT, Command::ListModels).await;
    let listed = |told: &Told| match &told.event {
        Event::Answer(Answer::Models { offers, .. }) => {
            Some(offers.iter().map(|offer| offer.model.id.clone()).collect::<Vec<_>>())
        }
        Event::Answer(_) | Event::Live(_) | Event::Fact(_) => None,
    };
    // The task that asks tells the front end itself.
    let mut seen = None;
    for _ in 0..1_000 {
        tokio::task::yield_now().await;
        rig.listen();
        seen = rig.heard.iter().find_map(listed);
        if seen.is_some() {
            break;
        }
    }
    assert_eq!(seen.unwrap(), ["m", "other", "kept"]);
}

#[tokio::test]
async fn where_no_list_is_told_it_is_taken_and_said_that_it_was_not_checked() {
    let (mut rig, _) = offers(&[]).await;
    name(&mut rig, "some").await;
    let unchecked = Notice::ModelUnchecked {
        model: of_p("some"),
        why: None,
    };
    rig.until("the remark", |told| noticed(told) == Some(&unchecked)).await;
    assert_eq!(model(&mut rig), "some");
}

#[test]
fn a_list_speaks_for_its_server_but_where_that_answers_to_any_name() {
    let ollama = [listed("qwen3:latest", None), listed("llama3:8b", None)];
    assert_eq!(of_list(&ollama, "qwen3"), Checked::Offered);
    assert_eq!(
        of_list(&ollama, "zzz"),
        Checked::NotOffered {
            names: vec!["qwen3:latest".to_owned(), "llama3:8b".to_owned()],
            offered: 2,
        },
        "nothing is like it: the first ones"
    );
    let any = [listed("qwen3.gguf", Some("llamacpp"))];
    assert_eq!(of_list(&any, "zzz"), Checked::Offered);
}
