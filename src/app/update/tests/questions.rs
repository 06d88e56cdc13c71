//! Questions: what answers one, and when.

use super::approval::decided;
use super::*;
use crate::domain::marked::Marked;

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

/// What is kept of requests, as the newest command says it.
fn kept(bench: &Bench) -> Vec<Marked> {
    let commands = bench.commands().into_iter().rev();
    let mut marks = commands.filter_map(|command| match command {
        Command::KeepMarks(marks) => Some(marks.to_vec()),
        _ => None,
    });
    marks.next().unwrap_or_default()
}

/// Three questions: one answer is chosen, one written, and the last is on screen.
fn half_answered() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(three_questions("ask"));
    bench.keys("alt-a");
    bench.wait(1_000);
    bench.keys("down");
    bench.wait(600);
    bench.keys("enter");
    bench.wait(1_000);
    bench.types("三十 or so");
    bench.wait(1_000);
    bench.keys("enter");
    bench.wait(1_500);
    bench
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
fn what_was_answered_before_a_kill_is_there_again_where_the_same_is_asked_and_sends_nothing() {
    let marks = kept(&half_answered());
    assert_eq!(marks.len(), 1);
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::Marked(marks.clone()));
    bench.asks(three_questions("another-call"));
    let said = bench.state.toast.as_ref().map(|toast| toast.text.clone());
    assert!(said.is_some_and(|said| said.contains("is back")));
    bench.wait(3_000);
    assert!(bench.decisions().is_empty(), "nothing is sent by itself");
    bench.keys("alt-a");
    bench.wait(1_000);
    bench.keys("down");
    bench.wait(600);
    bench.keys("enter");
    bench.wait(1_000);
    assert!(bench.decisions().is_empty(), "all answers are on screen first");
    bench.keys("enter");
    let answer = |text: &str| vec![text.to_owned()];
    let sent = Decision::Answer {
        answers: answer("blue"),
        further: vec![answer("三十 or so"), answer("large")],
    };
    assert_eq!(decided(&bench), [("another-call", &sent)]);
    bench.wait(2_000);
    assert!(kept(&bench).is_empty(), "it was answered");

    let mut bench = Bench::new(120, 40);
    bench.event(Answer::Marked(marks));
    bench.asks(questions("otherwise"));
    bench.wait(1_000);
    assert!(bench.state.toast.is_none(), "another question");
}

#[test]
fn a_question_that_was_only_looked_at_leaves_nothing_to_keep() {
    let mut bench = Bench::new(120, 40);
    bench.asks(three_questions("ask"));
    bench.keys("alt-a");
    bench.wait(1_000);
    bench.keys("down tab");
    bench.wait(2_000);
    assert!(kept(&bench).is_empty());
    bench.types("x");
    bench.wait(2_000);
    let texts = kept(&bench).first().and_then(Marked::texts);
    assert_eq!(texts.as_deref(), Some("## How many?\n\nx\n"), "as it is laid open");
}
