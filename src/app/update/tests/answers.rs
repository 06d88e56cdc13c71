//! Tests questions and forms: the focus follows the earlier answers, and typed text never answers by accident.

use super::approval::decided;
use super::deciding::{ONCE, then_asked};
use super::*;
use crate::dialogs::Dialog;
use benchdog_domain::elicited::Form;
use benchdog_domain::permission::{Kept, PartKept};
use benchdog_domain::server::ServerName;

#[test]
fn a_question_that_follows_ignores_enter_until_it_was_seen() {
    let mut bench = then_asked(question("two"));
    bench.keys("down enter");
    bench.wait(2_000);
    assert_eq!(decided(&bench).len(), 1, "nobody had read it");
    bench.keys("enter");
    assert!(matches!(decided(&bench)[1].1, Decision::Answer { .. }));
}

#[test]
fn answers_that_are_chosen_at_the_speed_of_a_hand_are_chosen_where_the_cursor_was() {
    let several = Asked {
        multiple: true,
        ..Asked::of("Which of these?", &["tests", "types", "docs"])
    };
    for pause in [20, 130, 200, 400] {
        let mut bench = then_asked(request("two", Review::Question(Question::one(several.clone()))));
        bench.wait(600);
        for key in ["space", "down", "down", "space"] {
            bench.keys(key);
            bench.wait(pause);
        }
        bench.wait(1_000);
        bench.keys("enter");
        bench.wait(1_000);
        let sent = Decision::answered(vec!["tests".to_owned(), "docs".to_owned()]);
        assert_eq!(decided(&bench)[1], ("two", &sent), "{pause}");
        assert_eq!(bench.prompt(), "", "{pause}");
    }
}

/// Returns a proposal that adds three lines. The cursor is on the first of them.
fn three_lines(call: &str) -> ApprovalRequest {
    request(
        call,
        Review::Files(vec![FileChange {
            path: "src/money.rs".to_owned(),
            operation: FileOperation::Update,
            before: Some("first\nlast\n".as_bytes().into()),
            after: Some("first\none\ntwo\nthree\nlast\n".as_bytes().into()),
            mode_after: None,
            note: None,
        }]),
    )
}

#[test]
fn lines_that_are_dropped_at_the_speed_of_a_hand_are_those_the_cursor_was_on() {
    for (pause, enters) in [20, 130, 200, 400].into_iter().flat_map(|ms| [(ms, false), (ms, true)]) {
        let mut bench = then_asked(three_lines("two"));
        if enters {
            bench.keys("alt-a");
        }
        bench.wait(600);
        for key in ["down", "x", "down", "x"] {
            bench.keys(key);
            bench.wait(pause);
        }
        bench.wait(1_000);
        bench.keys("y");
        bench.wait(1_000);
        let kept = Kept::Parts {
            files: vec![Some(PartKept::Text("first\none\nlast\n".to_owned()))],
        };
        assert_eq!(
            decided(&bench)[1],
            ("two", &Decision::Once { kept }),
            "{pause} {enters}"
        );
        assert_eq!(bench.prompt(), "", "{pause} {enters}");
    }
}

fn form(call: &str) -> ApprovalRequest {
    let form = Form {
        server: ServerName("dogs".to_owned()),
        message: "Which dog?".to_owned(),
        fields: Vec::new(),
    };
    request(call, Review::Question(Question::Server(form)))
}

#[test]
fn keys_in_a_dialog_over_a_form_that_goes_are_those_of_the_dialog() {
    let mut bench = then_asked(form("two"));
    bench.wait(600);
    bench.keys("ctrl-p");
    bench.event(Live::ApprovalGone {
        call: CallId("two".to_owned()),
    });
    bench.types("ag");
    assert!(matches!(&bench.state.screen.dialog, Some(Dialog::Palette(palette)) if palette.filter == "ag"));
}

#[test]
fn a_question_for_ones_own_words_keeps_the_keyboard_as_its_sisters_do() {
    let mut bench = then_asked(in_words("two"));
    bench.wait(2_000);
    assert!(bench.state.screen.approvals.has_focus());
    bench.types("mypkg\n");
    bench.wait(2_000);
    let answer = Decision::answered(vec!["mypkg".to_owned()]);
    assert_eq!(decided(&bench), [("one", &ONCE), ("two", &answer)]);
    assert_eq!(bench.prompt(), "");
    // The user was typing when the question arrived, so the text goes to the prompt.
    let mut bench = inside();
    bench.keys("y");
    bench.types("half a");
    bench.asks(in_words("two"));
    bench.types(" prompt");
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "half a prompt"));
}

fn in_words(call: &str) -> ApprovalRequest {
    request(call, Review::Question(Question::one(Asked::of("Why?", &[]))))
}
