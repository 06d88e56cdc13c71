use super::*;
use benchdog_domain::server_error::ServerError;

fn card(state: Option<PullState>) -> PullCard {
    PullCard {
        model: ModelRef {
            provider: "ollama".to_owned(),
            id: "qwen3:8b".to_owned(),
        },
        names: vec!["qwen3:4b".to_owned()],
        state,
    }
}

#[test]
fn the_offer_names_the_model_the_key_and_similar_models() {
    assert_eq!(
        card(None).rows("Ctrl+X p"),
        [
            "The server `ollama` does not have `qwen3:8b`.",
            "Ctrl+X p or /pull downloads it there.",
            "Similar models there: `qwen3:4b`.",
        ]
    );
    assert_eq!(card(None).rows("")[1], "/pull downloads it there.");
}

#[test]
fn the_progress_and_the_end_are_one_row() {
    let rows = |state| card(Some(state)).rows("Ctrl+X p").join("|");
    assert_eq!(
        rows(PullState::Running { done: 0, total: 0 }),
        "Downloading `qwen3:8b` …"
    );
    let half = PullState::Running {
        done: 2_600_000_000,
        total: 5_200_000_000,
    };
    assert!(
        rows(half.clone()).starts_with("Downloading `qwen3:8b`: 50 % of "),
        "{}",
        rows(half)
    );
    assert_eq!(rows(PullState::Done), "`qwen3:8b` is ready.");
    let why = ServerError::of_message("disk full");
    assert_eq!(
        rows(PullState::Failed { why }),
        "`qwen3:8b` was not downloaded: disk full.|Ctrl+X p or /pull downloads it there."
    );
}
