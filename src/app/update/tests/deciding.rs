//! Tests the eight rules of approvals: the focus, and the conditions under which a deciding key has an effect.

use proptest::prelude::*;

use super::approval::decided;
use super::*;
use crate::view::request_keys::{Look, placed};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::permission::Kept;
use benchdog_keys::action::ApprovalAction;

pub(super) const ONCE: Decision = Decision::Once { kept: Kept::All };

fn working() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.event(Live::State(TurnState::ToolRunning));
    bench
}

pub(super) fn then_asked(request: ApprovalRequest) -> Bench {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a y");
    bench.asks(request);
    bench
}

fn calls(bench: &Bench) -> Vec<&str> {
    decided(bench).into_iter().map(|(call, _)| call).collect()
}

fn ends(bench: &mut Bench) {
    bench.event(Live::State(TurnState::Idle));
    bench.wait(0);
}

fn look(bench: &Bench, action: ApprovalAction) -> Option<Look> {
    let row = bench.state.layout.approval_keys?;
    let keys = placed(&bench.state, bench.state.screen.approvals.front()?, row);
    let key = keys
        .into_iter()
        .find(|key| key.action == benchdog_keys::Action::Approval(action));
    key.map(|key| key.look)
}

#[test]
fn after_alt_a_the_first_y_counts_at_once() {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.send(Msg::Key {
        key: "alt-a".parse().unwrap(),
        at: bench.now,
    });
    bench.send(Msg::Key {
        key: Key::char('y'),
        at: bench.now,
    });
    assert_eq!(decided(&bench), [("one", &ONCE)]);
}

#[test]
fn five_edits_in_five_replies_take_six_keys_at_every_pace() {
    for pace in [0, 50, 150, 250, 350, 500, 800] {
        let mut bench = working();
        bench.asks(edit("0"));
        bench.keys("alt-a");
        for call in 0..5 {
            bench.wait(pace);
            bench.keys("y");
            bench.wait(1_200);
            bench.asks(edit(&(call + 1).to_string()));
        }
        assert_eq!(calls(&bench), ["0", "1", "2", "3", "4"], "{pace}");
        assert_eq!(bench.prompt(), "", "{pace}");
        assert!(bench.state.screen.approvals.has_focus());
    }
}

#[test]
fn a_y_every_tenth_of_a_second_decides_five_edits_and_types_nothing() {
    let mut bench = working();
    bench.asks(edit("0"));
    bench.keys("alt-a");
    let (mut next, mut answers_at) = (1, None);
    while next <= 5 || bench.state.screen.approvals.asks() {
        bench.wait(80);
        bench.keys("y");
        let is_answered = calls(&bench).len() == next;
        if is_answered && answers_at.is_none() {
            answers_at = Some(bench.now.0 + 1_000);
        }
        if answers_at.is_some_and(|at| at <= bench.now.0) && next < 5 {
            bench.asks(edit(&next.to_string()));
            (next, answers_at) = (next + 1, None);
        } else if next == 5 && is_answered {
            break;
        }
        assert!(bench.now.0 < 1_100_000, "it never ends: {:?}", calls(&bench));
    }
    assert_eq!(calls(&bench).len(), 5);
    assert_eq!(bench.prompt(), "");
}

#[test]
fn an_early_y_is_shown_as_pressed_and_applied_after_250_ms() {
    let mut bench = then_asked(edit("two"));
    bench.keys("y");
    assert_eq!(calls(&bench), ["one"]);
    assert_eq!(look(&bench, ApprovalAction::Once), Some(Look::Pressed));
    bench.wait(200);
    bench.keys("y");
    assert_eq!(calls(&bench), ["one"]);
    bench.wait(10);
    assert_eq!(calls(&bench), ["one", "two"], "no key press prolongs the wait");
}

#[test]
fn another_key_takes_an_early_y_back() {
    for key in ["space", "n", "down", "esc", "p", "ctrl-p"] {
        let mut bench = then_asked(edit("two"));
        bench.keys(&format!("y {key}"));
        bench.wait(1_000);
        let allowed = decided(&bench)
            .iter()
            .filter(|(_, decision)| **decision == ONCE)
            .count();
        assert_eq!(allowed, 1, "{key}: {:?}", decided(&bench));
    }
}

#[test]
fn an_early_y_is_for_its_own_request_and_edition() {
    let mut bench = then_asked(edit("two"));
    bench.keys("y");
    let mut again = edit("two");
    again.edition = 1;
    bench.asks(again);
    bench.wait(1_000);
    assert_eq!(calls(&bench), ["one"]);
    bench.keys("y");
    let Some(Command::Decide { edition, .. }) = bench.decisions().last().copied() else {
        panic!("it is decided")
    };
    assert_eq!(*edition, 1);
}

#[test]
fn a_request_that_changes_under_the_focus_waits_to_be_seen() {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a");
    let mut again = edit("one");
    again.edition = 1;
    bench.asks(again);
    bench.keys("y");
    assert!(decided(&bench).is_empty());
    bench.wait(250);
    assert_eq!(calls(&bench), ["one"]);
}

#[test]
fn marks_right_before_a_decision_are_part_of_it() {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a");
    for key in ["]", "space", "y"] {
        let (key, at) = (key.parse().unwrap(), bench.now);
        bench.send(Msg::Key { key, at });
    }
    let [(_, Decision::Once { kept })] = decided(&bench)[..] else {
        panic!("{:?}", decided(&bench))
    };
    assert_ne!(*kept, Kept::All);
}

#[test]
fn the_empty_review_says_that_it_waits_and_takes_no_text_for_a_decision() {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a y y n");
    assert!(bench.state.screen.approvals.has_focus());
    assert_eq!(bench.prompt(), "");
    bench.wait(1_500);
    bench.keys("y");
    assert_eq!(bench.prompt(), "y", "later it is text");
    assert!(!bench.state.screen.approvals.has_focus());
}

#[test]
fn a_sentence_typed_into_the_review_keeps_its_first_letter() {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a y");
    bench.types("say please");
    assert_eq!(bench.prompt(), "say please");
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.types("please");
    assert_eq!(bench.prompt(), "please");
    assert!(decided(&bench).is_empty());
}

#[test]
fn the_end_of_the_turn_returns_the_focus_once_no_decision_is_recent() {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a y");
    ends(&mut bench);
    bench.keys("y");
    assert_eq!(bench.prompt(), "", "it was meant for a next request");
    bench.wait(1_500);
    assert!(!bench.state.screen.approvals.has_focus());
    bench.keys("y");
    assert_eq!(bench.prompt(), "y");
}

#[test]
fn one_escape_leaves_and_one_stops_at_any_pace() {
    for pace in [0, 100, 1_000] {
        let mut bench = working();
        bench.asks(edit("one"));
        bench.keys("alt-a");
        bench.wait(pace);
        bench.keys("esc");
        assert!(!bench.commands().contains(&&Command::Interrupt), "{pace}");
        bench.wait(pace);
        bench.keys("esc");
        assert!(bench.commands().contains(&&Command::Interrupt), "{pace}");
    }
}

#[test]
fn a_grave_request_needs_its_own_alt_a_and_half_a_second() {
    let mut bench = then_asked(dangerous("rm"));
    bench.wait(5_000);
    bench.keys("y alt-y n alt-n");
    assert_eq!(calls(&bench), ["one"]);
    bench.keys("alt-a y");
    assert_eq!(calls(&bench), ["one", "rm"], "it was drawn long ago");

    let mut bench = working();
    bench.asks(dangerous("rm"));
    bench.keys("alt-a y");
    bench.wait(400);
    bench.keys("y");
    bench.wait(5_000);
    assert!(decided(&bench).is_empty(), "an early key is not kept");
    bench.keys("y");
    assert_eq!(calls(&bench), ["rm"]);
}

#[test]
fn always_is_granted_half_a_second_after_its_scope_was_drawn() {
    let mut bench = working();
    bench.asks(edit("one"));
    bench.keys("alt-a a y");
    assert!(decided(&bench).is_empty());
    bench.wait(500);
    bench.keys("y");
    assert!(matches!(decided(&bench)[..], [("one", Decision::Always { .. })]));

    let mut bench = then_asked(edit("two"));
    bench.keys("a");
    bench.wait(1_000);
    bench.keys("y");
    assert_eq!(calls(&bench), ["one"], "it follows: Alt+A first");
    bench.keys("alt-a y");
    assert_eq!(calls(&bench), ["one", "two"]);
}

#[test]
fn chords_decide_without_the_focus_what_was_drawn() {
    for (chord, decision) in [("alt-y", ONCE), ("alt-n", Decision::Deny { reason: None })] {
        let mut bench = working();
        bench.asks(edit("one"));
        bench.wait(250);
        bench.keys(chord);
        assert_eq!(decided(&bench), [("one", &decision)]);
        assert!(!bench.state.screen.approvals.has_focus());
    }
    let mut bench = working();
    bench.state.alt_decides = false;
    bench.asks(edit("one"));
    bench.wait(1_000);
    bench.keys("alt-y");
    assert!(decided(&bench).is_empty());
}

#[test]
fn a_command_of_the_user_focuses_its_review_unless_they_typed_on() {
    for typed in ["", "x"] {
        let mut bench = Bench::new(120, 40);
        bench.types("/undo");
        bench.keys("enter");
        bench.types(typed);
        let mut undo = edit("undo");
        undo.origin = Origin::Undo;
        bench.asks(undo);
        assert_eq!(bench.state.screen.approvals.has_focus(), typed.is_empty());
        bench.keys("y");
        bench.wait(250);
        assert_eq!(decided(&bench).len(), usize::from(typed.is_empty()));
    }
}

#[test]
fn calls_of_one_reply_say_how_many_follow() {
    let mut bench = working();
    let call = |id: &str, name: &str| ToolCall {
        id: CallId(id.to_owned()),
        name: name.to_owned(),
        arguments: Arguments::Raw(String::new()),
    };
    let calls = [("a", "edit"), ("r", "read"), ("b", "edit"), ("c", "edit")];
    bench.entry(Body::Assistant {
        text: String::new(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: calls.map(|(id, name)| call(id, name)).to_vec(),
        model: ModelRef::none(),
        usage: None,
        error: None,
    });
    let asked = ["a", "b", "c"];
    for (place, id) in asked.into_iter().enumerate() {
        bench.asks(edit(id));
        bench.ahead(place, id, asked.iter().skip(place + 1).map(|call| edit(call)).collect());
        let shown = bench.state.screen.approvals.place().map(|place| (place.at, place.all));
        assert_eq!(shown, Some((place + 1, Some(3))));
        bench.keys("alt-a y");
    }
    bench.asks(edit("of another"));
    assert_eq!(bench.state.screen.approvals.place(), None);
}

#[derive(Debug, Clone)]
enum Step {
    Types(char),
    Waits(i64),
    Asks(bool),
    Gone,
    TurnEnds,
    TurnBegins,
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => proptest::char::ranges(vec!['a'..='z', ' '..=' '].into()).prop_map(Step::Types),
        4 => (30_i64..1_500).prop_map(Step::Waits),
        2 => any::<bool>().prop_map(Step::Asks),
        1 => Just(Step::Gone),
        1 => Just(Step::TurnEnds),
        1 => Just(Step::TurnBegins),
    ];
    proptest::collection::vec(step, 1..60)
}

fn play(bench: &mut Bench, steps: &[Step]) -> String {
    let (mut typed, mut count) = (String::new(), 0);
    for step in steps {
        match step {
            Step::Types(c) => {
                typed.push(*c);
                bench.key(Key::char(*c));
            }
            Step::Waits(ms) => bench.wait(*ms),
            Step::Asks(grave) => {
                count += 1;
                let call = format!("c{count}");
                bench.asks(if *grave { dangerous(&call) } else { edit(&call) });
            }
            Step::Gone => {
                let call = CallId(format!("c{count}"));
                bench.event(Live::ApprovalGone { call });
            }
            Step::TurnEnds => ends(bench),
            Step::TurnBegins => bench.event(Live::State(TurnState::ToolRunning)),
        }
    }
    typed
}

proptest! {
    #[test]
    fn prose_typed_with_the_focus_in_the_prompt_decides_nothing_and_loses_no_letter(steps in steps()) {
        let mut bench = working();
        // A blank or a slash at the start of a prompt has another meaning, so the sentence starts with a letter.
        bench.types("z");
        let typed = play(&mut bench, &steps);
        prop_assert!(bench.decisions().is_empty());
        prop_assert_eq!(bench.prompt(), format!("z{typed}"));
    }

    #[test]
    fn only_its_own_alt_a_and_a_late_key_allow_a_grave_request(
        before in steps(),
        pause in 0_i64..1_200,
        again in 0_i64..1_200,
    ) {
        let mut bench = then_asked(dangerous("grave"));
        let drawn = bench.now.0;
        play(&mut bench, &before);
        prop_assert!(!calls(&bench).contains(&"grave"));
        if !bench.state.screen.approvals.waits(&CallId("grave".to_owned())) {
            return Ok(());
        }
        bench.keys("alt-a");
        let front = bench.state.screen.approvals.front().map(|front| front.request.call.0.clone());
        if front.as_deref() != Some("grave") {
            return Ok(());
        }
        if !matches!(bench.state.screen.approvals.front().unwrap().step, crate::dialogs::approval::Step::Deciding) {
            return Ok(());
        }
        bench.wait(pause);
        bench.keys("y");
        if bench.now.0 - drawn < 500 {
            prop_assert!(!calls(&bench).contains(&"grave"));
            bench.wait(again);
            prop_assert!(!calls(&bench).contains(&"grave"), "an early key is not kept");
        } else {
            prop_assert!(calls(&bench).contains(&"grave"));
        }
    }
}
