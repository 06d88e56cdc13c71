//! Tests unfinished texts: they return with a new edition of the request, or else go to the prompt history.

use super::*;
use crate::msg::{EditTicket, OpResult};

fn saved(bench: &Bench) -> Option<String> {
    bench.commands().into_iter().rev().find_map(|command| match command {
        Command::SaveReviewTexts { text } => Some(text.clone()),
        _ => None,
    })
}

#[test]
fn a_reason_a_comment_and_a_text_that_were_left_are_there_where_they_are_asked_for_again() {
    let written = |bench: &mut Bench| {
        let text = bench.state.screen.approvals.front_mut().unwrap().text();
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
    assert_eq!(saved(&bench).as_deref(), Some("half"), "it outlives the program");
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
fn a_text_from_an_editor_outside_ends_the_one_that_was_half_written_here() {
    let mut bench = inside();
    bench.keys("e");
    bench.types("half");
    bench.keys("alt-3");
    bench.wait(1_500);
    assert!(saved(&bench).unwrap().contains("half"));
    bench.state.screen.approvals.front_mut().unwrap().goes_outside(0);
    let ticket = EditTicket::Proposal {
        call: CallId("one".to_owned()),
        file: 0,
    };
    let text = Ok(Some("mine\n".to_owned()));
    bench.send(Msg::Done(OpResult::Edited {
        seat: bench.state.screen.seat,
        ticket,
        text,
    }));
    bench.wait(1_500);
    let saved = saved(&bench).unwrap();
    assert!(saved.contains("mine") && !saved.contains("half"), "{saved}");
}

#[test]
fn texts_of_a_request_that_goes_undecided_become_earlier_prompts_and_sent_ones_do_not() {
    for (keys, keeps) in [("e", "ctrl-s"), ("e", ""), ("c", "enter"), ("c", ""), ("r", "")] {
        let mut bench = inside();
        bench.keys(keys);
        bench.types("half a thought ");
        bench.keys(keeps);
        bench.wait(600);
        assert!(saved(&bench).unwrap().contains("half a thought"), "{keys} {keeps}");
        bench.event(Live::ApprovalGone {
            call: CallId("one".to_owned()),
        });
        bench.wait(600);
        let prompts = bench.earlier_prompts();
        assert!(
            prompts.len() == 1 && prompts[0].contains("half a thought"),
            "{prompts:?}"
        );
        assert_eq!(saved(&bench).as_deref(), Some(""), "{keys} {keeps}");
    }
    let mut bench = inside();
    bench.keys("r");
    bench.types("because");
    bench.wait(600);
    bench.keys("enter");
    bench.wait(1_500);
    assert_eq!(decided(&bench).len(), 1);
    assert!(bench.earlier_prompts().is_empty());
    assert_eq!(saved(&bench).as_deref(), Some(""));
}
