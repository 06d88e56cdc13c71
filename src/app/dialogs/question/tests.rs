use super::*;
use benchdog_domain::elicited::{ACCEPT, Field, FieldKind, Form, NO, Offer, YES};
use benchdog_domain::review::{Asked, Pause};
use benchdog_domain::server::{Need, ServerName};

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
fn what_was_chosen_or_typed_is_an_answer_without_enter_and_is_none_once_it_is_taken_back() {
    let mut view = three();
    view.pick(1);
    view.turn(2);
    view.page_mut().unwrap().own.insert("thirty");
    view.turn(-1);
    assert!(view.pages[0].is_answered() && view.pages[2].is_answered());
    assert_eq!(view.done(), None);
    assert!(view.page().is_none(), "nothing is left to be answered");
    let Some(Decision::Answer { answers, further }) = view.done() else {
        panic!("it is sent")
    };
    assert_eq!(
        (answers, further.concat()),
        (vec!["blue".to_owned()], vec!["small".to_owned(), "thirty".to_owned()])
    );
    let mut view = three();
    view.toggle();
    view.toggle();
    view.turn(1);
    assert!(!view.pages[0].is_answered());
    view.done();
    view.done();
    assert_eq!(view.at, 0, "the one whose answer was taken back");
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
    // The text is followed by a blank row, three options and the free text.
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

fn form(fields: &[(&str, Need, FieldKind)]) -> QuestionView {
    let field = |(name, need, kind): &(&str, Need, FieldKind)| Field {
        name: (*name).to_owned(),
        title: String::new(),
        about: String::new(),
        need: *need,
        kind: kind.clone(),
    };
    QuestionView::new(&Question::Server(Form {
        server: ServerName("dogs".to_owned()),
        message: "Which dog?".to_owned(),
        fields: fields.iter().map(field).collect(),
    }))
}

fn written(default: Option<&str>) -> FieldKind {
    FieldKind::Text {
        least: 2,
        most: 5,
        format: None,
        pattern: None,
        default: default.map(str::to_owned),
    }
}

fn sizes(default: Option<usize>) -> FieldKind {
    let of = [("s", "Small"), ("l", "Large")].map(|(value, shown)| Offer {
        value: value.to_owned(),
        shown: shown.to_owned(),
    });
    FieldKind::One {
        of: of.to_vec(),
        default,
    }
}

fn both(default: &[usize]) -> FieldKind {
    let FieldKind::One { of, .. } = sizes(None) else {
        unreachable!("it is a choice")
    };
    FieldKind::Several {
        of,
        least: 1,
        most: 2,
        default: default.to_vec(),
    }
}

fn entered(mut view: QuestionView) -> Option<Vec<Vec<String>>> {
    for _ in 0..=view.pages.len() {
        if let Some(Decision::Answer { answers, further }) = view.done() {
            assert_eq!(answers, [ACCEPT]);
            return Some(further);
        }
    }
    None
}

#[test]
fn a_form_that_is_told_nothing_asks_no_more() {
    let mut view = form(&[("name", Need::Required, written(None))]);
    view.step(1);
    assert_eq!(view.done(), Some(Decision::answered(vec![DECLINE.to_owned()])));
    let mut view = form(&[("name", Need::Required, written(None))]);
    view.step(1);
    view.toggle();
    view.turn(-1);
    assert_eq!(
        view.done(),
        Some(Decision::answered(vec![DECLINE.to_owned()])),
        "also from the page of answers"
    );
}

#[test]
fn enter_gives_what_stands_there_and_leaves_out_where_nothing_does() {
    let optional = Need::Optional;
    let answers = entered(form(&[
        ("name", optional, written(Some("Rex"))),
        ("alias", optional, written(None)),
        ("size", optional, sizes(Some(1))),
        ("sort", optional, sizes(None)),
        ("good", optional, FieldKind::Flag { default: Some(true) }),
        ("tame", optional, FieldKind::Flag { default: None }),
        ("wild", Need::Required, FieldKind::Flag { default: None }),
        ("eats", optional, both(&[1])),
        ("drinks", optional, both(&[])),
    ]));
    let all: [&[&str]; 9] = [&["Rex"], &[], &["Large"], &[""], &[YES], &[""], &[NO], &["Large"], &[]];
    assert_eq!(
        answers,
        Some(all.map(|one| one.iter().map(|it| (*it).to_owned()).collect()).to_vec())
    );
}

#[test]
fn no_stands_before_yes_and_leaving_out_before_both() {
    let shown = |need, default| {
        let view = form(&[("good", need, FieldKind::Flag { default })]);
        let page = &view.pages[1];
        let shown: Vec<&str> = page.options.iter().map(|option| option.shown.as_str()).collect();
        (shown.join(" "), page.selected)
    };
    assert_eq!(shown(Need::Required, None), ("no yes".to_owned(), 0));
    assert_eq!(shown(Need::Required, Some(true)), ("no yes".to_owned(), 1));
    assert_eq!(shown(Need::Optional, None), ("skip this field no yes".to_owned(), 0));
    assert_eq!(
        shown(Need::Optional, Some(false)),
        ("skip this field no yes".to_owned(), 1)
    );
}

#[test]
fn an_answer_that_does_not_fit_stays_with_its_field_and_what_was_answered_before_stays_too() {
    let mut view = form(&[
        ("name", Need::Required, written(None)),
        ("alias", Need::Required, written(None)),
        ("eats", Need::Required, both(&[])),
    ]);
    assert_eq!(view.done(), None);
    view.page_mut().unwrap().own.insert("Rex");
    assert_eq!((view.done(), view.at), (None, 2));
    view.page_mut().unwrap().own.insert("R");
    assert_eq!((view.done(), view.at), (None, 2));
    let wrong = view.page().unwrap().wrong().unwrap();
    assert!(wrong.contains("2 to 5 characters"), "{wrong}");
    let place = rows(&view, 60)
        .iter()
        .position(|row| matches!(row, QuestionRow::Wrong(_)));
    assert!(place.is_some(), "it is shown");
    let page = view.page_mut().unwrap();
    assert_eq!((page.own.expanded().as_str(), page.answered), ("R", false));
    page.own.insert("ex");
    assert_eq!(page.wrong(), None, "it is about what stood there");
    assert_eq!((view.done(), view.at), (None, 3));
    assert_eq!((view.done(), view.at), (None, 3), "none was chosen");
    view.turn(1);
    assert_eq!((view.done(), view.at), (None, 3), "nor is it sent so");
    view.toggle();
    assert_eq!((view.done(), view.at), (None, 4));
    assert_eq!(view.pages[1].answers(), ["Rex"]);
    assert!(view.done().is_some());
}

#[test]
fn nothing_is_sent_before_it_was_said_that_the_server_is_told() {
    let mut view = form(&[("name", Need::Optional, written(None))]);
    view.turn(-1);
    assert_eq!((view.done(), view.at), (None, 0), "back to whether it is told anything");
    assert_eq!((view.done(), view.at), (None, 1));
    view.turn(1);
    let shown: Vec<String> = rows(&view, 60)
        .into_iter()
        .filter_map(|row| match row {
            QuestionRow::Answered { answer, .. } => Some(answer),
            _ => None,
        })
        .collect();
    assert_eq!(shown, ["Fill in the form", "skipped"], "in the words of the screen");
}

#[test]
fn what_stands_there_beforehand_is_not_taken_for_typed() {
    let mut view = form(&[("name", Need::Required, written(Some("Rex")))]);
    let page = &mut view.pages[1];
    assert!(!page.is_typed());
    page.own.insert("y");
    assert!(page.is_typed());
}

#[test]
fn why_an_answer_does_not_fit_is_in_view_however_low_the_dialog_is() {
    let mut view = form(&[("name", Need::Required, written(None))]);
    view.at = 1;
    view.pages[1].own.insert("x");
    view.done();
    for height in 3..6 {
        let rows = rows(&view, 60);
        let seen = InView::of(&rows, &view, height);
        let places = seen.places(rows.len()).take(usize::from(height));
        let shown: Vec<&QuestionRow> = places.map(|at| &rows[at]).collect();
        let says_why = shown.iter().any(|row| matches!(row, QuestionRow::Wrong(_)));
        assert!(says_why, "{height}: {shown:?}");
        assert!(shown.contains(&&QuestionRow::Own), "{height}: {shown:?}");
    }
}

#[test]
fn where_enter_tells_nothing_it_is_not_said_to_lead_on() {
    let mut view = form(&[("name", Need::Required, written(None))]);
    assert!(!view.pages[0].would_decline());
    view.step(1);
    assert!(view.pages[0].would_decline());
    view.step(-1);
    view.pages[0].pick();
    view.step(1);
    assert!(!view.pages[0].would_decline(), "what is chosen counts");
    assert!(!view.pages[1].would_decline());
}
