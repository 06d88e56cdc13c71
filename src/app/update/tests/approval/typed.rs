//! What is typed while a request waits or comes: it decides nothing, and none of it is lost.

use super::*;
use crate::app::dialogs::Dialog;

#[test]
fn a_thousand_dialogs_opened_in_fast_typing_decide_nothing_and_lose_no_letter() {
    let prose =
        "yes a nay 1 any y a n 1 always say no, y\na year in any way; n y a 1 run it: yy aa nn rr ee ?? [] u w g G j k";
    let mut dice = Dice(7);
    let mut bench = Bench::new(120, 40);
    let mut typed = String::new();
    let mut sent = String::new();
    let mut opened = 0;
    for round in 0..400 {
        for c in prose.chars() {
            if dice.roll(40) == 0 {
                opened += 1;
                let call = format!("call-{round}-{}", typed.len());
                bench.asks(match dice.roll(3) {
                    0 => edit(&call),
                    1 => dangerous(&call),
                    _ => question(&call),
                });
            }
            // Mostly fast, sometimes with a pause in which every letter would light up.
            bench.now.0 += if dice.roll(30) == 0 { 900 } else { 60 };
            bench.types(&c.to_string());
            if c == '\n' {
                once_more(&mut bench);
                sent.push_str(std::mem::take(&mut typed).trim());
            } else {
                typed.push(c);
            }
        }
        if bench.state.approvals.waiting.len() > 3 {
            bench.state.approvals.clear();
        }
    }
    assert!(opened >= 1_000, "{opened}");
    assert_eq!(bench.decisions(), Vec::<&Command>::new());
    let prompts: String = bench
        .commands()
        .into_iter()
        .filter_map(|command| {
            if let Command::Prompt { text, .. } = command {
                Some(text.as_str())
            } else {
                None
            }
        })
        .collect();
    assert_eq!(prompts, sent);
    assert_eq!(bench.prompt(), typed);
}

#[test]
fn the_same_typing_after_alt_a_by_accident_decides_nothing_either() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.types("say ");
    bench.keys("alt-a");
    bench.types("yes and no, all of it");
    assert_eq!(bench.prompt(), "say yes and no, all of it");
    assert!(bench.decisions().is_empty());
    assert!(!bench.state.approvals.has_keyboard());
}

/// Alt+A was pressed a moment ago, and nothing counts yet.
fn unarmed() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(300);
    bench
}

#[test]
fn a_letter_too_soon_after_alt_a_stays_in_the_dialog_which_says_so_and_counts_when_pressed_once_more() {
    for early in ["y", "y y", "y enter", "y down"] {
        let mut bench = unarmed();
        bench.keys(early);
        let said = bench.state.toast.as_ref().map(|toast| toast.text.clone());
        assert_eq!(said.as_deref(), Some("too early: once more in a moment"), "{early}");
        bench.wait(2_000);
        assert!(bench.decisions().is_empty(), "{early}: it does not count by itself");
        assert_eq!(
            (bench.prompt().as_str(), bench.state.approvals.has_keyboard()),
            ("", true),
            "{early}"
        );
        bench.keys("y");
        assert_eq!(
            decided(&bench),
            [("one", &Decision::Once { kept: Kept::All })],
            "{early}"
        );
        assert_eq!(bench.state.toast, None, "it is not said any more");
    }
}

#[test]
fn a_reason_is_no_decision_however_soon_after_alt_a_it_is_begun() {
    let mut bench = unarmed();
    bench.keys("r");
    bench.wait(600);
    bench.types("you should keep it");
    bench.wait(2_000);
    assert_eq!((bench.prompt().as_str(), decided(&bench).len()), ("", 0));
    bench.keys("enter");
    let reason = Some("you should keep it".to_owned());
    assert_eq!(decided(&bench), [("one", &Decision::Deny { reason })]);
}

#[test]
fn what_opens_too_soon_after_alt_a_opens_when_it_stays_alone() {
    let mut bench = unarmed();
    bench.keys("e");
    bench.wait(600);
    assert!(matches!(bench.state.approvals.front().unwrap().step, Step::Edit(_)));
    let mut bench = unarmed();
    bench.keys("a");
    bench.wait(600);
    assert!(matches!(
        bench.state.approvals.front().unwrap().step,
        Step::ConfirmAlways(_)
    ));
}

/// Which hunks of the request on screen are kept.
fn kept(bench: &Bench) -> Vec<bool> {
    bench.state.approvals.front().unwrap().diff().unwrap().files[0]
        .kept
        .clone()
}

#[test]
fn a_hunk_that_is_dropped_right_after_alt_a_stays_dropped_where_a_letter_that_decides_comes_right_behind() {
    for (pause, letter) in [(250, "y"), (450, "y"), (100, "n")] {
        let mut bench = unarmed();
        bench.keys("space");
        bench.wait(pause);
        bench.keys(letter);
        assert_eq!(kept(&bench), [true, true], "{letter}: both wait");
        bench.wait(600);
        assert_eq!(kept(&bench), [false, true], "{letter} {pause}");
        assert!(bench.decisions().is_empty(), "{letter} came before any letter was lit");
        assert_eq!(
            (bench.prompt().as_str(), bench.state.approvals.has_keyboard()),
            ("", true),
            "{letter} {pause}"
        );
        bench.keys(letter);
        let is_meant = match decided(&bench)[..] {
            [(_, Decision::Once { kept })] => letter == "y" && *kept != Kept::All,
            [(_, Decision::Deny { reason: None })] => letter == "n",
            _ => false,
        };
        assert!(is_meant, "{letter}: {:?}", decided(&bench));
    }
    let mut bench = unarmed();
    bench.keys("space r");
    bench.wait(600);
    let front = bench.state.approvals.front().unwrap();
    assert!(matches!(front.step, Step::Reason(_)), "it opens as it would alone");
    assert_eq!(kept(&bench), [false, true]);
}

#[test]
fn one_letter_more_behind_a_blank_and_one_that_decides_is_typing_and_nothing_is_dropped() {
    for typed in [
        " you should",
        " no way",
        " an edit",
        " re-read it",
        " x y",
        " y y",
        " yy, no",
    ] {
        for pause in [0, 100, 450] {
            let mut bench = unarmed();
            for letter in typed.chars() {
                bench.types(&letter.to_string());
                bench.wait(pause);
            }
            bench.wait(2_000);
            assert_eq!((bench.prompt().as_str(), decided(&bench).len()), (typed, 0), "{pause}");
            assert_eq!(kept(&bench), [true, true], "{typed} {pause}");
            assert!(!bench.state.approvals.has_keyboard(), "{typed} {pause}");
        }
    }
}

#[test]
fn a_blank_and_a_letter_behind_it_that_wait_are_taken_back_or_typed_together() {
    let both = || {
        let mut bench = unarmed();
        bench.keys("space y");
        bench
    };
    let mut bench = both();
    bench.keys("esc");
    bench.wait(2_000);
    assert_eq!((bench.prompt().as_str(), kept(&bench)), ("", vec![true, true]));
    assert!(bench.state.approvals.has_keyboard());

    let mut bench = both();
    let (rect, at) = (bench.state.layout.approval_body.unwrap(), bench.now);
    bench.send(Msg::Mouse {
        kind: MouseKind::ScrollDown,
        x: rect.x + 2,
        y: rect.y + 2,
        at,
    });
    bench.wait(2_000);
    assert_eq!((bench.prompt().as_str(), kept(&bench)), ("", vec![true, true]));

    let mut bench = both();
    let (text, at) = ("es".to_owned(), bench.now);
    bench.send(Msg::Paste { text, at });
    assert_eq!((bench.prompt().as_str(), kept(&bench)), (" yes", vec![true, true]));

    let mut bench = both();
    bench.decided(CallId("one".to_owned()), DecidedBy::Timeout);
    assert_eq!(bench.prompt(), " y", "what it was for is gone");

    let mut bench = both();
    let mut anew = edit("one");
    anew.edition = 1;
    bench.asks(anew);
    bench.wait(2_000);
    assert_eq!((bench.prompt().as_str(), kept(&bench)), ("", vec![true, true]));
    let said = bench.state.toast.as_ref().map(|toast| toast.text.as_str());
    assert_eq!(
        said,
        Some("too early: once more in a moment"),
        "it was for the one before"
    );

    // A chord that decides, decides about what is left.
    let mut bench = unarmed();
    bench.kitty();
    bench.keys("space y");
    bench.wait(200);
    bench.keys("alt-y");
    let files = vec![Some(PartKept::Hunks(vec![false, true]))];
    let rest = Kept::Parts { files };
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept: rest })]);
    assert_eq!(bench.prompt(), "");

    // Who goes on with an arrow or Enter does not type: what was dropped is the hunk that the cursor was on.
    for on in ["down", "enter", "y"] {
        let mut bench = both();
        bench.keys(on);
        bench.wait(2_000);
        assert_eq!((bench.prompt().as_str(), kept(&bench)), ("", vec![false, true]), "{on}");
        assert!(bench.decisions().is_empty(), "{on}");
    }
}

#[test]
fn letters_too_soon_after_alt_a_are_typing_beside_another_one_and_none_is_lost() {
    for typed in ["yes", "yyyes", "no", "an edit", "e it", "yj"] {
        let mut bench = unarmed();
        bench.types(typed);
        bench.wait(2_000);
        assert_eq!((bench.prompt().as_str(), decided(&bench).len()), (typed, 0));
        assert!(!bench.state.approvals.has_keyboard());
    }
    let mut bench = unarmed();
    bench.keys("y");
    bench.decided(CallId("one".to_owned()), DecidedBy::Timeout);
    assert_eq!(bench.prompt(), "y", "what it was for is gone");
}

#[test]
fn a_letter_soon_after_one_that_moved_counts_alone_and_is_typing_beside_another() {
    let mut bench = inside();
    bench.keys("g u y");
    bench.wait(100);
    assert_eq!(decided(&bench), []);
    bench.keys("s");
    bench.wait(600);
    assert_eq!(
        (bench.prompt(), decided(&bench).len()),
        ("ys".into(), 0),
        "two letters are typing"
    );
    bench.keys("alt-a ] y");
    bench.wait(600);
    assert_eq!(
        (bench.prompt(), decided(&bench).len()),
        ("ys".into(), 0),
        "nothing was lit since it has the keyboard"
    );
}

#[test]
fn who_types_over_help_in_front_of_a_request_decides_nothing() {
    for over in ["f1 x", "ctrl-r enter"] {
        let mut bench = Bench::new(80, 24);
        bench.types("earlier\n");
        bench.event(Live::State(TurnState::Done));
        bench.asks(edit("c1"));
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys(over);
        bench.wait(600);
        bench.keys("y");
        assert_eq!(decided(&bench), [], "{over}");
        match &bench.state.dialog {
            // What is typed finds rows there.
            Some(Dialog::Help(help)) => assert_eq!(help.filter, "xy"),
            _ => assert!(bench.prompt().ends_with('y'), "{over}: {}", bench.prompt()),
        }
    }
}

#[test]
fn a_second_stroke_that_nothing_is_bound_to_answers_no_request() {
    let mut bench = Bench::new(80, 24);
    bench.asks(edit("c1"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("ctrl-x");
    bench.wait(600);
    bench.keys("y");
    assert_eq!(decided(&bench), []);
    assert_eq!(bench.state.toast.as_ref().unwrap().text, "Ctrl+X y is not bound");
    assert_eq!(bench.prompt(), "");
}

#[test]
fn the_second_of_two_strokes_is_no_letter_in_a_request_either() {
    let mut bench = Bench::new(80, 24);
    bench.asks(edit("c1"));
    bench.keys("alt-a ctrl-x 2");
    assert_eq!(
        (bench.state.focus, bench.prompt().as_str()),
        (crate::app::layout::Pane::Conversation, "")
    );
}
