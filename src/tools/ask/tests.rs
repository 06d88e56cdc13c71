//! Tests of questions and their answers.

use serde_json::json;

use crate::domain::permission::Decision;
use crate::domain::review::{Question, Review};
use crate::tools::bench::Bench;
use crate::tools::bench::run;

async fn answered(answers: &[&str]) -> String {
    let bench = Bench::new();
    let arguments = json!({"question": "Which one?", "options": [{"label": "red"}, "blue", "blue", " "]});
    let prepared = bench.prepare("ask", arguments).await.unwrap();
    let Review::Question(Question::Model { options, .. }) = &*prepared.review else {
        panic!("a question")
    };
    assert_eq!(*options, ["red", "blue"]);
    let (output, _chunks) = tokio::sync::mpsc::channel(1);
    let decision = Decision::Answer {
        answers: answers.iter().map(|answer| (*answer).to_owned()).collect(),
    };
    run(prepared, &decision, &bench.cx, output).await.output
}

#[tokio::test]
async fn answers_reach_the_model_as_they_were_given() {
    assert_eq!(answered(&["blue"]).await, "The user answered: blue");
    assert_eq!(
        answered(&["green, please"]).await,
        "The user answered: green, please (in their own words)"
    );
    assert_eq!(answered(&["red", "blue"]).await, "The user chose:\n- red\n- blue\n");
    assert!(answered(&[]).await.starts_with("The user gave no answer."));
}

#[tokio::test]
async fn a_question_nobody_answered_is_an_error() {
    let outcome = Bench::new().call("ask", json!({"question": "?"})).await;
    assert_eq!(outcome.code.as_deref(), Some("not_answered"));
}
