use serde_json::{Value, json};

use crate::bench::Bench;
use crate::bench::run;
use benchdog_domain::permission::Decision;
use benchdog_domain::review::{Asked, Question, Review};

async fn asked(arguments: Value) -> (Vec<Asked>, Option<String>) {
    let prepared = Bench::new().prepare("ask", arguments).await.unwrap();
    let Review::Question(Question::Model { asked, note }) = &*prepared.review else {
        panic!("a question")
    };
    (asked.clone(), note.clone())
}

async fn answered(arguments: Value, answers: &[&[&str]]) -> String {
    let bench = Bench::new();
    let prepared = bench.prepare("ask", arguments).await.unwrap();
    let (output, _chunks) = tokio::sync::mpsc::channel(1);
    let mut answers = answers
        .iter()
        .map(|one| one.iter().map(|answer| (*answer).to_owned()).collect());
    let decision = Decision::Answer {
        answers: answers.next().unwrap_or_default(),
        further: answers.collect(),
    };
    run(prepared, &decision, &bench.cx, output).await.output
}

fn one() -> Value {
    json!({"question": "Which one?", "options": [{"label": "red"}, "blue", "blue", " "]})
}

fn two() -> Value {
    json!({"questions": [
        {"header": "Colour", "question": "Which one?", "options": ["red", "blue"], "multiSelect": true},
        {"text": "How large?", "choices": [{"label": "small", "description": "fits a shelf"}, {"label": "large"}]},
    ]})
}

#[tokio::test]
async fn answers_reach_the_model_as_they_were_given() {
    assert_eq!(asked(one()).await.0, [Asked::of("Which one?", &["red", "blue"])]);
    assert_eq!(answered(one(), &[&["blue"]]).await, "The user answered: blue");
    assert_eq!(
        answered(one(), &[&["green, please"]]).await,
        "The user answered: green, please (in their own words)"
    );
    assert_eq!(
        answered(one(), &[&["red", "blue"]]).await,
        "The user chose:\n- red\n- blue\n"
    );
    assert!(answered(one(), &[]).await.starts_with("The user gave no answer."));
}

#[tokio::test]
async fn several_questions_are_asked_at_once_and_each_answer_is_named() {
    let (asked, note) = asked(two()).await;
    assert!(asked[0].multiple && !asked[1].multiple && note.is_none());
    assert_eq!(
        (asked[0].header.as_str(), asked[1].text.as_str()),
        ("Colour", "How large?")
    );
    assert_eq!(asked[1].options[0].description, "fits a shelf");
    assert_eq!(
        answered(two(), &[&["red", "blue"], &["enormous"]]).await,
        "The user answered:\n- Colour: red · blue\n- How large?: enormous (in their own words)\n"
    );
    assert_eq!(
        answered(two(), &[&[], &["small"]]).await,
        "The user answered:\n- Colour: (no answer)\n- How large?: small\n"
    );
    assert!(
        answered(two(), &[&[], &[]])
            .await
            .starts_with("The user gave no answer.")
    );
}

#[tokio::test]
async fn what_a_question_may_hold_is_kept_or_said() {
    let (one, note) = asked(json!({
        "questions": [{"header": "A header that is far too long", "question": "?", "options": ["a"], "hide_other": true}],
        "footer_note": "It can be changed later.",
    }))
    .await;
    assert_eq!(one[0].header, "A header that is fa…");
    assert!(!one[0].own_words);
    assert_eq!(note.as_deref(), Some("It can be changed later."));
    let (open, _) = asked(json!({"question": "?", "hide_other": true})).await;
    assert!(open[0].own_words, "there is nothing to choose from");
    let refused = async |arguments| Bench::new().call("ask", arguments).await.output;
    let five = json!({"questions": ["a", "b", "c", "d", "e"]});
    assert!(
        refused(five)
            .await
            .contains("5 questions are too many for one call; ask at most 4.")
    );
    let both = json!({"question": "a?", "questions": ["b?"]});
    assert!(
        refused(both)
            .await
            .contains("`question` and `questions` are both given")
    );
    let empty = json!({"questions": [{"header": "a"}]});
    assert!(refused(empty).await.contains("`ask` needs the argument `question`"));
    let bare = json!({"questions": [["a"]]});
    assert!(
        refused(bare)
            .await
            .contains("`questions` must be a list of objects, not `[\"a\"]`")
    );
    assert!(refused(json!({})).await.contains("`ask` needs the argument `question`"));
}

#[tokio::test]
async fn a_question_nobody_answered_is_an_error() {
    let outcome = Bench::new().call("ask", json!({"question": "?"})).await;
    assert_eq!(outcome.code.as_deref(), Some("not_answered"));
}
