//! Tests a review: the focus, and the decision of each key.

use super::*;
use crate::dialogs::approval::{RequestView, Step};
use crate::msg::{EditTicket, MouseKind, OpResult};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::{Kept, PartKept};

pub(super) fn decided(bench: &Bench) -> Vec<(&str, &Decision)> {
    bench
        .commands()
        .into_iter()
        .filter_map(|command| {
            if let Command::Decide { call, decision, .. } = command {
                Some((call.0.as_str(), decision))
            } else {
                None
            }
        })
        .collect()
}

#[test]
fn the_key_for_the_next_agent_refuses_nothing_that_waits() {
    let mut bench = Bench::new(120, 40);
    let chosen = |bench: &mut Bench| bench.commands().contains(&&Command::NextAgent);
    bench.asks(edit("one"));
    bench.keys("shift-tab");
    assert!(!chosen(&mut bench));
    let said = bench.state.screen.toast.as_ref().map(|toast| toast.text.clone());
    assert!(said.is_some_and(|said| said.contains("/agent")));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("y shift-tab");
    assert!(chosen(&mut bench));
}

#[test]
fn what_is_written_for_a_request_is_cleared_before_the_turn_is_stopped() {
    let mut bench = Bench::new(120, 40);
    bench.event(Live::State(TurnState::AwaitingPermission));
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("r");
    bench.types("because");
    let stopped = |bench: &mut Bench| bench.commands().contains(&&Command::Interrupt);
    for _ in 0..2 {
        bench.keys("ctrl-c");
        assert!(!stopped(&mut bench));
    }
    assert!(
        bench
            .state
            .screen
            .approvals
            .front()
            .is_some_and(|front| matches!(front.step, Step::Deciding))
    );
    bench.keys("ctrl-c");
    assert!(stopped(&mut bench));
}

#[test]
fn a_request_rings_and_leaves_the_keyboard_where_it_is() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    assert!(bench.ops.contains(&Op::Ring("waits for you: src/money.rs".to_owned())));
    assert!(!bench.state.screen.approvals.has_focus());
    bench.wait(5_000);
    bench.keys("y n a r enter space");
    assert!(bench.decisions().is_empty());
}

#[test]
fn alt_a_a_moment_and_y_accept_once() {
    let mut bench = inside();
    bench.keys("y");
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept: Kept::All })]);
    assert!(bench.state.screen.approvals.waiting.is_empty());
}

#[test]
fn every_way_in_leads_in() {
    for way in ["alt-a", "f2"] {
        let mut bench = Bench::new(120, 40);
        bench.asks(edit("one"));
        bench.keys(way);
        assert!(bench.state.screen.approvals.has_focus(), "{way}");
    }
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.types("/approvals");
    bench.keys("enter");
    assert!(bench.state.screen.approvals.has_focus());
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("ctrl-p");
    bench.types("allow pending once");
    bench.keys("enter");
    assert!(bench.state.screen.approvals.has_focus() && bench.decisions().is_empty());
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    let rect = bench.state.layout.approval.unwrap();
    for kind in [MouseKind::Press, MouseKind::Release] {
        assert!(!bench.state.screen.approvals.has_focus(), "{kind:?}");
        let (x, y, at) = (rect.x + 2, rect.y + 2, bench.now);
        bench.send(Msg::Mouse { kind, x, y, at });
    }
    assert!(bench.state.screen.approvals.has_focus() && bench.decisions().is_empty());
}

#[test]
fn enter_never_decides_or_leads_in() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.wait(1_000);
    bench.keys("enter");
    assert!(!bench.state.screen.approvals.has_focus());
    bench.keys("alt-a");
    bench.wait(1_000);
    bench.keys("enter");
    assert!(bench.decisions().is_empty());
}

#[test]
fn danger_has_no_chord_and_no_always() {
    let mut bench = Bench::new(120, 40);
    bench.kitty();
    bench.asks(dangerous("rm"));
    bench.wait(2_000);
    bench.keys("alt-y");
    assert!(bench.decisions().is_empty());
    bench.keys("alt-a a");
    assert!(matches!(
        bench.state.screen.approvals.front().unwrap().step,
        Step::Deciding
    ));
    let said = bench.state.screen.toast.as_ref().unwrap().text.as_str();
    assert!(said.starts_with("This can only be allowed once: "), "{said}");
    bench.wait(600);
    bench.keys("n");
    assert_eq!(decided(&bench), [("rm", &Decision::Deny { reason: None })]);
}

#[test]
fn a_request_under_another_dialog_cannot_be_decided_by_a_chord() {
    let mut bench = Bench::new(120, 40);
    bench.kitty();
    bench.keys("ctrl-p");
    bench.asks(edit("one"));
    bench.wait(2_000);
    bench.keys("alt-y");
    assert!(bench.decisions().is_empty());
}

#[test]
fn a_refusal_can_say_why() {
    let mut bench = inside();
    bench.keys("r");
    bench.types("not like y this");
    bench.keys("enter");
    assert_eq!(
        decided(&bench),
        [(
            "one",
            &Decision::Deny {
                reason: Some("not like y this".to_owned())
            }
        )]
    );
}

#[test]
fn a_dropped_hunk_is_left_out() {
    let mut bench = inside();
    bench.keys("] space");
    bench.wait(600);
    assert_eq!(bench.prompt(), "", "it stayed alone, and dropped the hunk");
    bench.keys("y");
    let kept = Kept::Parts {
        files: vec![Some(PartKept::Hunks(vec![true, false]))],
    };
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept })]);
}

#[test]
fn nothing_kept_is_no_acceptance() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    for key in ["space", "]", "space", "y"] {
        bench.wait(600);
        bench.keys(key);
    }
    assert!(bench.decisions().is_empty());
    assert!(bench.state.screen.toast.is_some());
}

#[test]
fn an_edited_proposal_is_what_is_accepted_and_only_for_its_own_request() {
    let mut bench = inside();
    bench.keys("E");
    let asked = bench.ops.iter().find(|op| matches!(op, Op::OpenEditor { .. }));
    let Some(Op::OpenEditor {
        ticket,
        name,
        text,
        line,
        ..
    }) = asked.cloned()
    else {
        panic!("{:?}", bench.ops)
    };
    assert_eq!(
        (name.as_str(), line),
        ("money.rs", Some(3)),
        "the hunk under the cursor"
    );
    assert!(text.contains("line three"));
    let stale = EditTicket::Proposal {
        call: CallId("gone".to_owned()),
        file: 0,
    };
    for (ticket, text) in [(stale, "stale"), (ticket, "mine\n")] {
        bench.send(Msg::Done(OpResult::Edited {
            seat: bench.state.screen.seat,
            ticket,
            text: Ok(Some(text.to_owned())),
        }));
    }
    bench.wait(600);
    bench.keys("y");
    let kept = Kept::Parts {
        files: vec![Some(PartKept::Text("mine\n".to_owned()))],
    };
    assert_eq!(decided(&bench), [("one", &Decision::Once { kept })]);
}

#[test]
fn several_requests_are_answered_in_their_order() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.asks(edit("two"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("y");
    bench.wait(600);
    bench.keys("n");
    bench.wait(500);
    let calls: Vec<_> = decided(&bench).into_iter().map(|(call, _)| call).collect();
    assert_eq!(calls, ["one", "two"]);
}

#[test]
fn scrolling_inside_moves_the_diff_and_nothing_else() {
    let mut bench = Bench::new(160, 20);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("j j k G g pagedown u w");
    assert_eq!(bench.prompt(), "");
    let RequestView::Files(view) = &bench.state.screen.approvals.front().unwrap().view else {
        panic!()
    };
    assert!(!view.wrap);
}

#[test]
fn a_message_with_calls_does_not_disturb_what_waits() {
    let mut bench = Bench::new(80, 24);
    bench.asks(edit("one"));
    bench.entry(Body::Assistant {
        text: String::new(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: vec![ToolCall {
            id: CallId("one".to_owned()),
            name: "edit".to_owned(),
            arguments: Arguments::Raw(String::new()),
        }],
        model: ModelRef::none(),
        usage: None,
        error: None,
    });
    assert_eq!(bench.state.screen.approvals.waiting.len(), 1);
}
