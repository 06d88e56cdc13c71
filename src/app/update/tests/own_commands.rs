//! What is asked about a command of the person's own has the keyboard, as the answer to the Enter that sent it.

use super::approval::decided;
use super::kept::ONCE;
use super::*;
use crate::app::cards::cards;
use crate::app::dialogs::approval::Step;
use crate::domain::call::{Origin, SHELL};
use crate::domain::notice::Notice;
use crate::domain::permission::{DecidedBy, Kept};
use crate::domain::summary::Summary;
use crate::domain::tool::CallStatus;
use crate::domain::undo::{NotUndone, UndoNotice};

/// What is asked about a command that was typed at the prompt.
fn own(call: &str) -> ApprovalRequest {
    let mut request = dangerous(call);
    request.origin = Origin::Typed;
    request
}

/// A word, with so much between its letters.
fn types_you(bench: &mut Bench, pause: i64) {
    for letter in ["y", "o", "u"] {
        bench.wait(pause);
        bench.types(letter);
    }
    bench.wait(600);
}

#[test]
fn what_is_asked_about_ones_own_command_has_the_keyboard_and_a_letter_alone_decides() {
    let own = || own("one");
    let asked = || {
        let mut bench = Bench::new(120, 40);
        bench.types("!rm x\n");
        bench.wait(40);
        bench.asks(own());
        bench
    };
    let mut bench = asked();
    bench.wait(600);
    bench.keys("y");
    assert!(bench.decisions().is_empty(), "it has to stay alone");
    bench.wait(600);
    assert_eq!(decided(&bench), [("one", &ONCE)]);

    let mut bench = asked();
    bench.wait(300);
    bench.keys("y");
    assert!(bench.state.toast.as_ref().unwrap().text.contains("too early"));
    bench.wait(600);
    assert!(
        bench.decisions().is_empty() && bench.prompt().is_empty(),
        "it decided nothing"
    );
    bench.keys("n");
    bench.wait(600);
    assert_eq!(decided(&bench), [("one", &Decision::Deny { reason: None })]);

    for pause in [100, 300, 450] {
        let mut bench = asked();
        types_you(&mut bench, pause);
        assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (0, "you"), "{pause}");
    }

    // Who typed on since, or was asked by the model, moves the keyboard there as before.
    let mut bench = Bench::new(120, 40);
    bench.types("!rm x\nand");
    bench.asks(own());
    assert!(!bench.state.approvals.has_keyboard());
    let mut bench = Bench::new(120, 40);
    bench.types("!rm x\n");
    bench.asks(dangerous("one"));
    assert!(!bench.state.approvals.has_keyboard());
}

#[test]
fn what_is_asked_about_ones_own_command_has_the_keyboard_behind_a_request_that_is_decided_from_inside() {
    let behind = || {
        let mut bench = Bench::new(120, 40);
        bench.kitty();
        bench.asks(edit("one"));
        bench.wait(2_000);
        bench.types("!rm x\n");
        bench.wait(40);
        bench.asks(own("two"));
        bench.wait(600);
        assert!(!bench.state.approvals.has_keyboard());
        let place = bench.state.approvals.place().map(|place| (place.at, place.all));
        assert_eq!(place, Some((1, Some(2))), "it is said that it waits");
        bench
    };
    let asked = || {
        let mut bench = behind();
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys("y");
        assert_eq!(decided(&bench), [("one", &ONCE)]);
        bench
    };
    for letter in ["y", "n"] {
        let mut bench = asked();
        bench.wait(300);
        bench.keys(letter);
        assert!(bench.state.toast.as_ref().unwrap().text.contains("too early"));
        bench.wait(600);
        assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, ""), "{letter}");
    }

    let mut bench = asked();
    bench.wait(600);
    bench.keys("y");
    bench.wait(499);
    assert_eq!(decided(&bench).len(), 1, "it has to stay alone");
    bench.wait(1);
    assert_eq!(decided(&bench), [("one", &ONCE), ("two", &ONCE)]);

    for pause in [100, 300, 450] {
        let mut bench = asked();
        types_you(&mut bench, pause);
        assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, "you"), "{pause}");
    }

    // From outside, and by somebody else, nothing moves the keyboard.
    let mut bench = behind();
    bench.keys("alt-y");
    assert_eq!(decided(&bench), [("one", &ONCE)]);
    assert!(!bench.state.approvals.has_keyboard());
    let mut bench = behind();
    bench.keys("alt-a");
    bench.wait(600);
    bench.decided(CallId("one".to_owned()), DecidedBy::Timeout);
    assert!(bench.state.approvals.asks() && !bench.state.approvals.has_keyboard());
}

#[test]
fn one_that_is_asked_anew_at_the_end_of_the_turn_has_the_keyboard_as_before() {
    let mut bench = Bench::new(120, 40);
    bench.types("!rm x\n");
    bench.wait(40);
    bench.asks(own("one"));
    bench.wait(5_000);
    bench.event(Live::ApprovalGone {
        call: CallId("one".to_owned()),
    });
    bench.asks(own("one"));
    assert!(bench.state.approvals.has_keyboard());
    bench.keys("y");
    assert!(bench.decisions().is_empty(), "it begins anew");
    bench.wait(1_200);
    bench.keys("y");
    bench.wait(600);
    assert_eq!(decided(&bench), [("one", &ONCE)]);
}

#[test]
fn what_is_asked_about_the_command_of_a_commit_did_not_have_the_keyboard() {
    let mut bench = Bench::new(120, 40);
    bench.types("/commit mend the sum\n");
    let commits = |command: &&&Command| matches!(command, Command::Shell { command, .. } if command.contains("commit"));
    assert_eq!(bench.commands().iter().filter(commits).count(), 1);
    bench.wait(40);
    bench.asks(own("one"));
    assert!(bench.state.approvals.has_keyboard());
}

/// The rows between what is asked and the prompt.
fn between(bench: &Bench) -> Vec<String> {
    let area = bench.state.layout.cards.unwrap_or_default();
    let rows = cards(&bench.state, area.width).into_iter().map(|(row, _)| row);
    rows.take(usize::from(area.height)).collect()
}

#[test]
fn in_a_low_window_one_row_beside_a_review_says_how_ones_own_command_runs() {
    for (width, height, shown) in [(40, 12, true), (60, 14, true), (120, 40, false)] {
        let mut bench = Bench::new(width, height);
        bench.asks(edit("one"));
        bench.types("!echo own-out; ls\n");
        assert!(between(&bench).is_empty(), "{:?}", between(&bench));
        let call = CallId("own".to_owned());
        bench.event(Live::ToolStarted {
            call: call.clone(),
            tool: SHELL.to_owned(),
            title: "echo own-out; ls".to_owned(),
        });
        let says = |bench: &Bench| matches!(between(bench).as_slice(), [row] if row.contains("echo own-out"));
        assert_eq!(says(&bench), shown, "{width}x{height}: {:?}", between(&bench));
        let running = between(&bench);
        bench.entry(Body::Shell {
            call: Some(call),
            command: "echo own-out; ls".to_owned(),
            output: "own-out\nCargo.toml\n".to_owned(),
            summary: Summary::Lines { lines: 2 },
            status: CallStatus::Ok,
            findings: Vec::new(),
        });
        assert_eq!(says(&bench), shown, "{width}x{height}: {:?}", between(&bench));
        assert_eq!(between(&bench) != running, shown, "that it ended is seen");
        assert!(bench.state.layout.approval_body.unwrap().height >= 4);
        bench.types("and then\n");
        assert!(!says(&bench), "what is sent next is news");
    }
}

#[test]
fn in_a_low_window_that_ones_own_command_was_stopped_is_said_in_that_row_whatever_it_printed() {
    let mut bench = Bench::new(60, 14);
    bench.asks(edit("one"));
    bench.types("!make all\n");
    let call = CallId("own".to_owned());
    bench.event(Live::ToolStarted {
        call: call.clone(),
        tool: SHELL.to_owned(),
        title: "make all".to_owned(),
    });
    bench.entry(Body::Shell {
        call: Some(call),
        command: "make all".to_owned(),
        output: "first\nsecond\n".repeat(1_000),
        summary: Summary::Interrupted,
        status: CallStatus::Cancelled,
        findings: Vec::new(),
    });
    let words = crate::lang::summary(&Summary::Interrupted);
    let rows = between(&bench);
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert!(row.contains("make all") && row.contains(&*words), "{row}");
}

#[test]
fn in_a_low_window_what_an_undo_leaves_is_said_beside_what_it_proposes() {
    let mut bench = Bench::new(40, 12);
    bench.types("/undo\n");
    let files = vec![("certs.py".to_owned(), NotUndone::Changed)];
    bench.event(Live::Notice(Notice::Undo(UndoNotice::Without { files })));
    let mut request = edit("one");
    request.origin = Origin::Undo;
    bench.asks(request);
    let told = between(&bench).join(" ");
    assert!(told.contains("certs.py") && between(&bench).len() <= 2, "{told}");
    assert!(bench.state.layout.approval_body.unwrap().height >= 4);
}

#[test]
fn while_an_undo_waits_for_an_answer_another_is_not_sent_and_the_key_to_the_first_is_named() {
    let sent = |bench: &Bench| {
        let commands = bench.commands().into_iter();
        commands
            .filter(|command| matches!(command, Command::Undo { .. }))
            .count()
    };
    let asked = |origin: Origin| {
        let mut bench = Bench::new(120, 40);
        let mut request = edit("one");
        request.origin = origin;
        bench.asks(request);
        bench.types("/undo\n");
        bench
    };
    let bench = asked(Origin::Undo);
    assert_eq!(sent(&bench), 0);
    assert_eq!(bench.prompt(), "");
    let toast = &bench.state.toast.as_ref().unwrap().text;
    assert_eq!(*toast, crate::lang::undo_waits("Alt+A"));
    assert_eq!(sent(&asked(Origin::Model)), 1, "of a turn the engine says it");
}

#[test]
fn behind_the_enter_that_sent_undo_a_blank_that_stays_alone_drops_its_hunk_and_what_is_typed_does_not() {
    let undone = || {
        let mut bench = Bench::new(120, 40);
        bench.types("/undo\n");
        bench.wait(40);
        let mut request = edit("one");
        request.origin = Origin::Undo;
        bench.asks(request);
        assert!(bench.state.approvals.has_keyboard());
        bench.wait(100);
        bench
    };
    let kept = |bench: &Bench| bench.state.approvals.front().and_then(|front| front.kept());
    for way in ["space", "space enter", "space ]", "x"] {
        let mut bench = undone();
        for key in way.split(' ') {
            bench.keys(key);
            bench.wait(100);
        }
        bench.wait(600);
        assert_eq!(
            (bench.prompt().as_str(), bench.state.approvals.has_keyboard()),
            ("", true),
            "{way}"
        );
        assert!(kept(&bench) != Some(Kept::All) && bench.decisions().is_empty(), "{way}");
    }
    for typed in [" just", " you", "read it", "x it"] {
        let mut bench = undone();
        bench.types(typed);
        bench.wait(2_000);
        assert_eq!((bench.prompt().as_str(), bench.decisions().len()), (typed, 0));
        assert_eq!(kept(&bench), Some(Kept::All), "{typed}");
    }
    // The first letter of what is typed next opens nothing that would take the rest.
    let mut bench = undone();
    bench.keys("r");
    bench.wait(600);
    assert!(matches!(bench.state.approvals.front().unwrap().step, Step::Deciding));
}
