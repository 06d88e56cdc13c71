//! Tests the keys that answer a question, and the delay before they work.

use super::approval::decided;
use super::*;

#[test]
fn a_question_is_answered_from_inside_only() {
    let mut bench = Bench::new(120, 40);
    bench.asks(question("ask"));
    bench.keys("down enter");
    assert!(bench.decisions().is_empty());
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("down");
    bench.wait(600);
    bench.keys("enter");
    assert_eq!(decided(&bench), [("ask", &Decision::answered(vec!["blue".to_owned()]))]);
}

fn three_questions(call: &str) -> ApprovalRequest {
    let asked = vec![
        Asked::of("Which one?", &["red", "blue"]),
        Asked::of("How many?", &[]),
        Asked::of("How large?", &["small", "large"]),
    ];
    request(call, Review::Question(Question::Model { asked, note: None }))
}

#[test]
fn only_what_was_written_for_a_question_is_saved() {
    let saved = |bench: &Bench| {
        let mut commands = bench.commands().into_iter().rev();
        commands.find_map(|command| match command {
            Command::SaveReviewTexts { text } => Some(text.clone()),
            _ => None,
        })
    };
    let mut bench = Bench::new(120, 40);
    bench.asks(three_questions("ask"));
    bench.keys("alt-a");
    bench.wait(1_000);
    bench.keys("down tab");
    bench.wait(2_000);
    assert_eq!(saved(&bench), None);
    bench.types("三十 or so");
    bench.wait(2_000);
    assert_eq!(saved(&bench).as_deref(), Some("三十 or so"));
}
