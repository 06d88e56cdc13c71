//! What was made of a proposal and not decided: it is there again where it is asked for, and in another run.

use super::*;
use crate::app::msg::{EditTicket, OpResult};
use crate::domain::marked::{Marked, Writing};

#[test]
fn a_reason_a_comment_and_a_text_that_were_left_are_there_where_they_are_asked_for_again() {
    let written = |bench: &mut Bench| {
        let text = bench.state.approvals.front_mut().unwrap().text();
        text.map(|buffer| buffer.expanded())
    };
    for (key, leave) in [
        ("r", "esc"),
        ("c", "esc"),
        ("r", "alt-3"),
        ("c", "alt-3"),
        ("e", "alt-3"),
    ] {
        let mut bench = inside();
        bench.keys(key);
        bench.types("理由 of mine ");
        let whole = written(&mut bench);
        bench.keys(leave);
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys(key);
        assert_eq!(written(&mut bench), whole, "{key} {leave}");
        assert!(whole.is_some_and(|whole| whole.contains("理由 of mine")));
    }
    let mut bench = inside();
    bench.keys("r");
    bench.types("half");
    bench.keys("esc");
    bench.wait(1_500);
    let marks = kept(&bench).unwrap();
    assert_eq!(
        marks[0].writing,
        Some(Writing::Reason("half".to_owned())),
        "and it outlives the program"
    );
    bench.keys("c");
    assert_eq!(written(&mut bench).as_deref(), Some(""), "another text");
    bench.keys("esc");
    bench.wait(600);
    bench.keys("r");
    bench.types(" a reason");
    bench.keys("enter");
    let Command::Decide { decision, .. } = bench.decisions()[0] else {
        panic!("it is denied")
    };
    let reason = Some("half a reason".to_owned());
    assert_eq!(*decision, Decision::Deny { reason });
}

#[test]
fn what_was_half_written_about_a_proposal_is_over_when_another_takes_its_place() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("half");
    bench.keys("alt-3");
    bench.wait(1_500);
    let writes = |bench: &Bench| kept(bench).unwrap().iter().any(|marked| marked.writing.is_some());
    assert!(writes(&bench));
    let ticket = EditTicket::Proposal {
        of: bench.state.approvals.front().unwrap().would_do(),
        call: CallId("one".to_owned()),
        file: 0,
        path: "src/money.rs".to_owned(),
    };
    let text = Ok(Some("mine\n".to_owned()));
    bench.send(Msg::Done(OpResult::Edited {
        seat: bench.state.seat,
        ticket,
        text,
    }));
    bench.keys("x");
    bench.wait(1_500);
    assert!(!writes(&bench));
}

/// What was kept last.
fn kept(bench: &Bench) -> Option<Vec<Marked>> {
    let kept = bench.commands().into_iter().rev().find_map(|command| match command {
        Command::KeepMarks(marks) => Some(marks.to_vec()),
        _ => None,
    });
    // As the disk gives it back.
    kept.map(|marks| serde_json::from_str(&serde_json::to_string(&marks).unwrap()).unwrap())
}

/// A bench of another run of the program, which was told of these marks and asks the same.
fn again(marks: Vec<Marked>) -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::Marked(marks));
    bench.asks(edit("other"));
    bench
}

#[test]
fn what_was_made_of_a_proposal_comes_back_in_another_run_and_is_decided_there_as_it_would_have_been() {
    let works: [&dyn Fn(&mut Bench); 4] = [
        &|bench| bench.keys("space"),
        &|bench| bench.keys("x"),
        &|bench| {
            bench.keys("x e");
            bench.types("mine: ");
            bench.keys("ctrl-s");
        },
        &|bench| {
            bench.keys("c");
            bench.types("why?");
            bench.keys("enter ]");
        },
    ];
    for (place, work) in works.iter().enumerate() {
        let mut first = inside();
        work(&mut first);
        first.wait(600);
        let marks = kept(&first).unwrap_or_else(|| panic!("{place}"));
        let mut second = again(marks);
        assert!(second.decisions().is_empty(), "{place}");
        for bench in [&mut first, &mut second] {
            bench.keys("alt-a");
            bench.wait(600);
            bench.keys("y");
            bench.wait(600);
        }
        let decisions = |bench: &Bench| {
            decided(bench)
                .iter()
                .map(|(_, decision)| (*decision).clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(decisions(&first), decisions(&second), "{place}");
        assert_eq!(
            format!("{:?}", prompts(&first)),
            format!("{:?}", prompts(&second)),
            "{place}"
        );
        assert_eq!(kept(&first), Some(Vec::new()), "{place}: it is answered");
        assert_eq!(kept(&second), Some(Vec::new()), "{place}: it is answered");
    }
}

#[test]
fn a_text_that_was_being_written_for_a_proposal_stands_where_it_stood() {
    for (keys, keeps) in [("e", "ctrl-s"), ("c", "enter"), ("r", "")] {
        let mut first = inside();
        first.keys(keys);
        first.types("half a thought");
        first.wait(600);
        let mut second = again(kept(&first).unwrap());
        let waiting = second.state.approvals.front_mut().unwrap();
        let text = waiting.text().map(|buffer| buffer.expanded()).unwrap_or_default();
        assert!(text.contains("half a thought"), "{keys}: {text}");
        assert!(!waiting.takes_chords(), "{keys}: that would not be decided");
        second.keys("alt-a");
        second.wait(600);
        second.keys(keeps);
        second.wait(600);
        assert!(second.decisions().is_empty(), "{keys}");
    }
}

#[test]
fn marks_are_of_the_same_proposal_alone_and_stay_when_a_turn_takes_it_away() {
    let mut first = inside();
    first.keys("space");
    first.wait(600);
    let marks = kept(&first).unwrap();
    let mut other = Bench::new(120, 40);
    other.event(Answer::Marked(marks.clone()));
    other.asks(dangerous("one"));
    let lies_open = |command: &&Command| matches!(command, Command::LayOpen(of) if of[0].of == marks[0].of);
    assert_eq!(
        other.commands().into_iter().filter(lies_open).count(),
        1,
        "it is another by now"
    );
    let laid = |bench: &Bench| {
        bench
            .state
            .toast
            .as_ref()
            .is_some_and(|toast| toast.text.contains("is back"))
    };
    assert!(!laid(&other));
    first.event(Live::ApprovalGone {
        call: CallId("one".to_owned()),
    });
    first.wait(600);
    assert_eq!(kept(&first), Some(marks), "nobody decided it");
    first.asks(edit("two"));
    assert!(laid(&first));
    let front = first.state.approvals.front().unwrap();
    assert!(front.diff().unwrap().files[0].kept.contains(&false));
}
