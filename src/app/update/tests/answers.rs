//! Questions and forms: the keyboard goes along with the answers before, and what is typed beside one is nobody's by chance.

use super::approval::decided;
use super::kept::{ONCE, then_asked};
use super::*;
use crate::app::dialogs::Dialog;
use crate::domain::elicited::Form;
use crate::domain::permission::{Kept, PartKept};
use crate::domain::server::ServerName;

#[test]
fn a_question_keeps_the_keyboard_and_enter_counts_when_it_stays_alone() {
    let mut bench = then_asked(question("two"));
    bench.keys("down enter");
    bench.wait(2_000);
    assert_eq!(decided(&bench).len(), 1, "too early");
    bench.keys("enter");
    bench.wait(499);
    assert_eq!(decided(&bench).len(), 1);
    bench.wait(1);
    let Decision::Answer { .. } = decided(&bench)[1].1 else {
        panic!("{:?}", decided(&bench))
    };
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

/// A proposal that puts three lines in; the cursor is on the first of them.
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

#[test]
fn enter_with_an_arrow_behind_it_sends_nothing() {
    let mut bench = then_asked(question("two"));
    bench.wait(600);
    bench.keys("enter down");
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, ""));
    assert!(bench.state.approvals.has_keyboard());
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
fn a_key_that_waited_in_a_form_that_goes_is_told_and_reaches_no_prompt() {
    let mut bench = then_asked(form("two"));
    bench.wait(600);
    bench.keys("1");
    assert!(bench.state.approvals.pressed().is_some());
    bench.event(Live::ApprovalGone {
        call: CallId("two".to_owned()),
    });
    bench.wait(600);
    assert_eq!(bench.prompt(), "");
    let screen = bench.screen().join(" ");
    assert!(screen.contains("Typed after the question was gone"), "{screen}");
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
    assert!(matches!(&bench.state.dialog, Some(Dialog::Palette(palette)) if palette.filter == "ag"));
}

#[test]
fn enter_with_a_key_behind_it_is_typing_and_sends_nothing() {
    let mut bench = then_asked(question("two"));
    bench.wait(600);
    bench.keys("enter h");
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "h"));
    bench.event(Live::Queued(Vec::new()));
    let sent = bench
        .commands()
        .into_iter()
        .any(|command| matches!(command, Command::Prompt { .. }));
    assert!(!sent);
}

#[test]
fn a_question_for_ones_own_words_keeps_the_keyboard_as_its_sisters_do() {
    let mut bench = then_asked(in_words("two"));
    bench.wait(2_000);
    assert!(bench.state.approvals.has_keyboard());
    bench.types("mypkg\n");
    bench.wait(2_000);
    let answer = Decision::answered(vec!["mypkg".to_owned()]);
    assert_eq!(decided(&bench), [("one", &ONCE), ("two", &answer)]);
    assert_eq!(bench.prompt(), "");
    // Who was typing when it came goes on with what they wrote.
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

fn prompts(bench: &Bench) -> Vec<&str> {
    let prompts = bench.commands().into_iter().filter_map(|command| match command {
        Command::Prompt { text, .. } => Some(text.as_str()),
        _ => None,
    });
    prompts.collect()
}

#[test]
fn what_is_typed_beside_a_question_for_words_is_not_sent_before_it_is_said_whom_it_is_for() {
    let held = || {
        let mut bench = Bench::new(120, 40);
        bench.asks(in_words("one"));
        bench.wait(2_000);
        bench.types("mypkg\n");
        assert_eq!((prompts(&bench).len(), bench.prompt().as_str()), (0, "mypkg"));
        assert!(bench.state.toast.as_ref().unwrap().text.contains("Alt+A"));
        bench
    };
    let mut bench = held();
    bench.keys("enter");
    assert_eq!(prompts(&bench), ["mypkg"], "once more sends it");
    bench.types("and this\n");
    assert_eq!(prompts(&bench), ["mypkg", "and this"], "it is asked once");

    let mut bench = held();
    bench.keys("alt-a");
    assert_eq!(bench.prompt(), "");
    bench.wait(600);
    bench.keys("enter");
    let answer = Decision::answered(vec!["mypkg".to_owned()]);
    assert_eq!(decided(&bench), [("one", &answer)]);
    assert_eq!(prompts(&bench), [""; 0]);

    let mut bench = held();
    bench.types(" too");
    bench.keys("alt-a");
    assert_eq!(bench.prompt(), "mypkg too", "it is another text now");
}

#[test]
fn what_is_typed_beside_a_question_with_a_row_for_own_words_is_held_and_can_be_the_answer() {
    let several = Asked {
        multiple: true,
        ..Asked::of("Which of these?", &["tests", "docs"])
    };
    let one = Asked::of("Which one?", &["red", "blue"]);
    for asked in [one.clone(), several] {
        let mut bench = Bench::new(120, 40);
        bench.asks(request("one", Review::Question(Question::one(asked))));
        bench.wait(2_000);
        bench.types("mypkg\n");
        assert_eq!((prompts(&bench).len(), bench.prompt().as_str()), (0, "mypkg"));
        assert!(bench.state.toast.as_ref().unwrap().text.contains("Alt+A"));
        bench.keys("alt-a");
        assert_eq!(bench.prompt(), "");
        bench.wait(600);
        bench.types(" too");
        bench.wait(600);
        bench.keys("enter");
        let answer = Decision::answered(vec!["mypkg too".to_owned()]);
        assert_eq!(decided(&bench), [("one", &answer)]);
        assert_eq!(prompts(&bench), [""; 0]);
    }

    let mut bench = Bench::new(120, 40);
    bench.asks(question("one"));
    bench.types("mypkg\n\nand this\n");
    assert_eq!(prompts(&bench), ["mypkg", "and this"], "it is asked once");

    // Where no words can be the answer, none are held.
    let closed = Asked {
        own_words: false,
        ..one
    };
    let mut bench = Bench::new(120, 40);
    bench.asks(request("one", Review::Question(Question::one(closed))));
    bench.types("mypkg\n");
    assert_eq!(prompts(&bench), ["mypkg"]);
}
