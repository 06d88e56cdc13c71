use std::sync::{Arc, Mutex};

use futures::FutureExt;
use futures::future::{BoxFuture, pending};
use serde_json::json;
use tokio::sync::mpsc;

use super::{Checked, is_spelt_otherwise, of_list};
use crate::engine::FolderId;
use crate::engine::tests::rig::{Rig, Wishes, says};
use benchdog_base::id::SeatId;
use benchdog_domain::agent::{Knowledge, ModelRef};
use benchdog_domain::message::Reply;
use benchdog_domain::notice::Notice;
use benchdog_protocol::{Answer, Command, Event, Live, Told};
use benchdog_provider::failure::ProviderError;
use benchdog_provider::{ListedModel, ModelRequest, Progress, Provider};

const SEAT: SeatId = SeatId(1);

/// A provider with this list of models. Records which models requests use.
#[derive(Default)]
struct Offering {
    ids: Vec<&'static str>,
    asked: Mutex<Vec<String>>,
    is_slow: bool,
    /// Each pending request for the list holds a clone of this value, so that a test can count the requests.
    waits: Arc<()>,
}

impl Provider for Offering {
    fn stream(&self, request: ModelRequest, _: mpsc::Sender<Progress>) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        self.asked.lock().unwrap().push(request.model);
        async { Ok(says("Yes.")) }.boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        let models: Vec<ListedModel> = self.ids.iter().map(|id| listed(id, None)).collect();
        let (is_slow, waits) = (self.is_slow, Arc::clone(&self.waits));
        async move {
            if is_slow {
                pending::<()>().await;
            }
            drop(waits);
            Ok(models)
        }
        .boxed()
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
        weights: None,
        owner: owner.map(str::to_owned),
    }
}

/// Creates a session whose server lists these models. The configuration names only `m` and `kept`.
async fn offers(ids: &[&'static str]) -> (Rig, Arc<Offering>) {
    let offering = Offering {
        ids: ids.to_vec(),
        ..Offering::default()
    };
    session_of(offering).await
}

async fn session_of(offering: Offering) -> (Rig, Arc<Offering>) {
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
    let offering = Arc::new(offering);
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

fn is_about_list(told: &Told) -> bool {
    matches!(
        noticed(told),
        Some(Notice::ModelUnlisted { .. } | Notice::ModelUnchecked { .. })
    )
}

async fn settles(rig: &mut Rig) {
    for _ in 0..5 {
        rig.report_next().await;
    }
}

#[tokio::test]
async fn one_that_the_server_does_not_list_is_taken_and_told_once_with_the_likest() {
    let (mut rig, _) = offers(&["m", "qwen3-coder", "llama3"]).await;
    name(&mut rig, "qwen3-codr").await;
    assert_eq!(model(&mut rig), "qwen3-codr", "nothing waits for the list");
    let unlisted = Notice::ModelUnlisted {
        model: of_p("qwen3-codr"),
        names: vec!["qwen3-coder".to_owned()],
        listed: 3,
    };
    rig.until("the notice", |told| noticed(told) == Some(&unlisted)).await;
    rig.heard.clear();
    name(&mut rig, "qwen3-codr").await;
    settles(&mut rig).await;
    assert!(!rig.heard.iter().any(is_about_list), "it was said");
    assert_eq!(model(&mut rig), "qwen3-codr");
}

#[tokio::test]
async fn a_prompt_that_is_sent_behind_a_name_goes_to_the_model_that_it_names() {
    let (mut rig, offering) = offers(&["m", "other"]).await;
    name(&mut rig, "other").await;
    rig.turn(SEAT, "go").await;
    name(&mut rig, "nope").await;
    rig.turn(SEAT, "again").await;
    assert_eq!(*offering.asked.lock().unwrap(), ["other", "nope"]);
}

#[tokio::test]
async fn a_prompt_behind_a_name_does_not_wait_for_a_list_that_never_comes() {
    let (mut rig, offering) = session_of(Offering {
        is_slow: true,
        ..Offering::default()
    })
    .await;
    name(&mut rig, "other").await;
    let told = rig.turn(SEAT, "go").await;
    assert_eq!(*offering.asked.lock().unwrap(), ["other"]);
    assert!(!told.iter().any(is_about_list));
}

#[tokio::test]
async fn a_newer_name_ends_the_question_about_the_one_before() {
    let (mut rig, offering) = session_of(Offering {
        is_slow: true,
        ..Offering::default()
    })
    .await;
    let before = Arc::strong_count(&offering.waits);
    for id in ["one", "two", "three"] {
        name(&mut rig, id).await;
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
        assert_eq!(Arc::strong_count(&offering.waits), before + 1, "{id}");
    }
    name(&mut rig, "kept").await;
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    assert_eq!(Arc::strong_count(&offering.waits), before, "it is configured");
}

#[tokio::test]
async fn an_answer_about_a_model_that_is_the_seats_no_more_is_not_told() {
    let (mut rig, _) = offers(&["m"]).await;
    name(&mut rig, "nope").await;
    let open = rig.seats.get(SEAT).unwrap();
    open.choose_model(&mut rig.engine, of_p("kept")).await;
    settles(&mut rig).await;
    assert!(!rig.heard.iter().any(is_about_list));
}

#[tokio::test]
async fn of_one_that_is_configured_nothing_is_said_though_no_list_has_it() {
    let (mut rig, _) = offers(&["m"]).await;
    name(&mut rig, "kept").await;
    settles(&mut rig).await;
    assert_eq!(model(&mut rig), "kept");
    assert!(!rig.heard.iter().any(is_about_list));
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
    // The checking task sends the event directly, without the engine.
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
        server: None,
    };
    rig.until("the remark", |told| noticed(told) == Some(&unchecked)).await;
    assert_eq!(model(&mut rig), "some");
}

#[test]
fn a_list_speaks_for_its_server_but_where_that_answers_to_any_name() {
    let ollama = [listed("qwen3:latest", None), listed("llama3:8b", None)];
    assert_eq!(of_list(&ollama, "qwen3"), Checked::Listed);
    assert_eq!(
        of_list(&ollama, "zzz"),
        Checked::Unlisted {
            names: vec!["qwen3:latest".to_owned(), "llama3:8b".to_owned()],
            listed: 2,
        },
        "nothing is like it: the first ones"
    );
    let any = [listed("qwen3.gguf", Some("llamacpp"))];
    assert_eq!(of_list(&any, "zzz"), Checked::Listed);
}

#[test]
fn a_name_that_a_list_only_spells_otherwise_is_in_it() {
    for (theirs, named, is_meant) in [
        ("models/gemini-2.5-pro", "gemini-2.5-pro", true),
        ("gemini-2.5-pro", "models/gemini-2.5-pro", true),
        ("claude-sonnet-4-5-20250929", "claude-sonnet-4-5", true),
        ("claude-3-5-haiku-20241022", "claude-3-5-haiku-latest", true),
        ("gpt-4o", "gpt-4o-2024-08-06", true),
        ("mistral-large-2411", "mistral-large-latest", true),
        ("qwen3", "qwen3:latest", true),
        ("gpt-4o-2024-08-06", "gpt-4o-2024-11-20", false),
        ("gpt-4o-2024-08-06", "gpt-4o-mini", false),
        ("qwen3:8b", "qwen3:4b", false),
        ("-2411", "", false),
        ("ä-241", "-241", false),
    ] {
        assert_eq!(is_spelt_otherwise(theirs, named), is_meant, "{theirs} {named}");
    }
}
