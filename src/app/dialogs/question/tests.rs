//! Tests of questions and what they answer.

use super::*;
use crate::domain::review::Pause;

fn asked(header: &str, options: &[&str]) -> Asked {
    Asked {
        header: header.to_owned(),
        ..Asked::of(&format!("Which {header}?"), options)
    }
}

fn three() -> QuestionView {
    QuestionView::new(&Question::Model {
        asked: vec![
            asked("colour", &["red", "blue"]),
            asked("size", &["small", "large"]),
            asked("", &[]),
        ],
        note: None,
    })
}

#[test]
fn at_the_step_limit_the_answer_is_the_same_in_every_language() {
    let mut view = QuestionView::new(&Question::GoOn(Pause::Steps { steps: 100 }));
    let page = view.page_mut().unwrap();
    assert!(page.text.contains("100"), "{}", page.text);
    page.step(2);
    assert!(!page.on_own(), "there is no third answer");
    page.step(1);
    page.options[1].shown = "aufhören".to_owned();
    assert_eq!(view.done(), Some(Decision::answered(vec![END_TURN.to_owned()])));
    view.step(1);
    assert_eq!(view.done(), Some(Decision::answered(vec![GO_ON.to_owned()])));
}

#[test]
fn nothing_is_sent_before_every_answer_was_seen() {
    let mut view = three();
    view.step(1);
    assert_eq!(view.done(), None);
    assert_eq!(view.at, 1);
    view.turn(1);
    view.page_mut().unwrap().own.insert("thirty");
    assert_eq!(view.done(), None);
    assert_eq!(view.at, 1, "the one that was passed over");
    assert_eq!(view.done(), None);
    assert!(view.page().is_none(), "all are answered");
    let answer = |text: &str| vec![text.to_owned()];
    assert_eq!(
        view.done(),
        Some(Decision::Answer {
            answers: answer("blue"),
            further: vec![answer("small"), answer("thirty")],
        })
    );
}

#[test]
fn a_question_nobody_was_done_with_has_no_answer() {
    let mut view = three();
    assert_eq!(view.done(), None);
    view.turn(-2);
    assert!(view.page().is_none());
    let Some(Decision::Answer { answers, further }) = view.done() else {
        panic!("it is sent")
    };
    assert_eq!((answers.len(), further), (1, vec![Vec::<String>::new(); 2]));
}

#[test]
fn an_answer_is_changed_from_the_page_of_answers() {
    let mut view = three();
    view.turn(-1);
    view.step(1);
    view.toggle();
    assert_eq!(view.at, 1);
    view.step(1);
    view.toggle();
    assert_eq!(view.pages[1].answers(), ["large"]);
}

#[test]
fn a_question_without_a_header_is_named_by_its_words() {
    let names: Vec<String> = three().pages.into_iter().map(|page| page.name).collect();
    assert_eq!(names, ["colour", "size", "Which ?"]);
}

#[test]
fn of_one_answer_and_own_words_what_was_touched_last_counts() {
    let mut view = three();
    let page = &mut view.pages[0];
    page.own.insert("green");
    page.toggle();
    assert_eq!((page.answers(), page.own_counts()), (vec!["red".to_owned()], false));
    page.own.insert("ish");
    assert_eq!(page.answers(), ["greenish"]);
    page.multiple = true;
    assert_eq!(page.answers(), ["red", "greenish"], "several may be chosen");
}

#[test]
fn a_long_question_is_read_while_its_answers_stay_in_view() {
    let long: String = (0..50).map(|line| format!("line {line}\n")).collect();
    let mut view = QuestionView::new(&Question::Plan { text: long });
    view.arrange(60, 12);
    let page = view.page().unwrap();
    // The text and a row of air; three options and the own words below.
    assert_eq!((page.text_shown, page.last_scroll), (8, 43));
    view.scroll(1);
    assert_eq!(view.page().unwrap().scroll, 7);
    view.scroll(100);
    view.arrange(60, 30);
    assert_eq!(view.page().unwrap().scroll, 51 - 26);
    view.arrange(60, 4);
    assert_eq!(
        view.page().unwrap().text_shown,
        3,
        "some of what is asked is always there"
    );
}

#[test]
fn a_plan_reads_like_an_answer_and_scrolls() {
    let steps: String = (1..=40).map(|step| format!("{step}. Change `part {step}`\n")).collect();
    let mut view = QuestionView::new(&Question::Plan {
        text: format!("# Rounding\n\n**All** of it <!-- and this -->:\n\n{steps}"),
    });
    view.arrange(60, 17);
    let shown = rows(&view, 60);
    let read: Vec<String> = shown
        .iter()
        .filter_map(|row| match row {
            QuestionRow::Read(line) => Some(line.text()),
            _ => None,
        })
        .collect();
    assert_eq!(read[0].trim(), "Rounding");
    assert!(
        read.iter()
            .any(|row| row.contains("All of it") && row.contains("and this")),
        "{read:?}"
    );
    assert!(read.iter().any(|row| row.contains("Change part 40")), "{read:?}");
    let (text, seen) = text_rows(&shown, 17);
    assert!(seen >= 12, "{seen} of {text} rows");
    view.scroll(9);
    assert_eq!(view.page().unwrap().scroll, text - seen, "its end is reached");
}

#[test]
fn the_code_of_a_plan_is_known_as_code() {
    let text = "# Plan\n\n```rust\nfn one() {}\n```\n".to_owned();
    let mut view = QuestionView::new(&Question::Plan { text });
    view.arrange(60, 20);
    let places: Vec<_> = rows(&view, 60)
        .into_iter()
        .filter_map(|row| match row {
            QuestionRow::Read(line) => line.code,
            _ => None,
        })
        .collect();
    let [place] = places.as_slice() else {
        panic!("{places:?}")
    };
    let code = view.page().unwrap().code(place.fence).unwrap();
    assert_eq!(
        (code.lang.as_str(), code.lines.as_slice()),
        ("rust", &["fn one() {}".to_owned()][..])
    );
}
