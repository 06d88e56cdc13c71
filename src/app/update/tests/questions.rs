//! Questions: what answers one, and when.

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

#[test]
fn keys_typed_blindly_pass_over_no_question() {
    let mut bench = Bench::new(120, 40);
    bench.asks(questions("ask"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("enter enter enter enter");
    assert!(bench.decisions().is_empty());
    bench.wait(600);
    bench.keys("enter");
    bench.wait(600);
    assert!(bench.decisions().is_empty(), "all answers are on screen first");
    bench.keys("tab");
    bench.wait(600);
    bench.keys("down");
    bench.wait(600);
    bench.keys("enter");
    bench.wait(600);
    bench.keys("enter");
    let sent = Decision::Answer {
        answers: vec!["blue".to_owned()],
        further: vec![vec!["small".to_owned()]],
    };
    assert_eq!(decided(&bench), [("ask", &sent)]);
}

#[test]
fn enter_soon_after_an_arrow_in_a_question_counts() {
    let mut bench = Bench::new(80, 24);
    bench.asks(question("one"));
    bench.keys("alt-a");
    bench.wait(1_500);
    bench.keys("down");
    bench.wait(130);
    bench.keys("enter");
    let answered = decided(&bench);
    let [("one", Decision::Answer { answers, .. })] = answered.as_slice() else {
        panic!("{answered:?}")
    };
    assert_eq!(answers, &["blue"]);
}

#[test]
fn enter_that_comes_too_early_says_so_and_one_soon_after_a_choice_waits_to_stay_alone() {
    let said = |bench: &Bench| bench.state.toast.as_ref().map(|toast| toast.text.clone());
    let mut bench = Bench::new(80, 24);
    bench.asks(question("one"));
    bench.keys("alt-a enter");
    bench.wait(300);
    assert_eq!(decided(&bench).len(), 0);
    assert!(
        said(&bench).is_some_and(|said| said.contains("too early")),
        "{:?}",
        said(&bench)
    );
    bench.wait(600);
    bench.keys("space enter");
    assert_eq!(decided(&bench).len(), 0);
    bench.wait(250);
    assert_eq!(decided(&bench).len(), 1);
}
