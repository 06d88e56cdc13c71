use futures::FutureExt;
use futures::future::BoxFuture;

use super::*;
use benchdog_base::id::SeatId;
use benchdog_config::settings::ModelSettings;
use benchdog_domain::agent::Knowledge;
use benchdog_domain::message::{Delta, Reply};
use benchdog_provider::ListedModel;
use benchdog_provider::failure::ProviderError;
use benchdog_provider::{Progress, Provider};
use tokio::sync::mpsc;

/// A provider that sends parts of an answer with pauses in between. After the last part, it either ends the answer or
/// sends nothing more.
struct Slow {
    pieces: usize,
    ends: bool,
}

const PAUSE: Duration = Duration::from_millis(30);

impl Provider for Slow {
    fn stream(&self, _: ModelRequest, heard: mpsc::Sender<Progress>) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        async move {
            for _ in 0..self.pieces {
                tokio::time::sleep(PAUSE).await;
                let _ = heard
                    .send(Progress::Delta(Delta::Text("It is about cents. ".to_owned())))
                    .await;
            }
            if !self.ends {
                std::future::pending::<()>().await;
            }
            Ok(Reply {
                text: "It is about cents. ".repeat(self.pieces),
                ..Reply::default()
            })
        }
        .boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        async { Ok(Vec::new()) }.boxed()
    }

    fn about(&self, _: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>> {
        async { Ok(Knowledge::default()) }.boxed()
    }
}

async fn fetched(provider: Slow, patience: Patience) -> Result<String, NoSummary> {
    let model = ModelRef {
        provider: "p".to_owned(),
        id: "m".to_owned(),
    };
    let order = ModelRequest::new(&model, ModelSettings::default(), 1_000);
    let task = Task::of_one_piece("You mend rounding in cents.", 500);
    let side_model = SideModel {
        provider: Arc::new(provider),
        model,
        seat: SeatId(1),
        reports: None,
    };
    let fetched = fetch(&side_model, order, task, patience);
    let given_up = tokio::time::timeout(Duration::from_secs(20), fetched);
    given_up.await.expect("an end within its patience")
}

#[tokio::test]
async fn a_model_that_does_not_begin_is_given_up_before_one_that_writes() {
    let patience = Patience {
        first: Duration::from_millis(1_200),
        whole: Duration::from_secs(60),
    };
    let silent = Slow { pieces: 0, ends: false };
    assert_eq!(fetched(silent, patience).await, Err(NoSummary::Silent { seconds: 1 }));
    // The whole answer takes longer than the timeout for its first part, but each part arrives in time.
    let slow = Slow { pieces: 60, ends: true };
    assert!(fetched(slow, patience).await.is_ok());
}

#[tokio::test]
async fn a_model_that_begins_and_does_not_end_is_given_up() {
    let patience = Patience {
        first: Duration::from_secs(60),
        whole: Duration::from_millis(1_300),
    };
    let hangs = Slow { pieces: 2, ends: false };
    assert_eq!(
        fetched(hangs, patience).await,
        Err(NoSummary::Unfinished { seconds: 1 })
    );
}

#[test]
fn a_prompt_does_not_wait_longer_than_a_person_does() {
    assert!(BEFORE_A_REQUEST.first <= Duration::from_secs(60));
    assert!(BEFORE_A_REQUEST.whole <= Duration::from_secs(180));
    assert!(AS_ASKED.whole > BEFORE_A_REQUEST.whole);
}
