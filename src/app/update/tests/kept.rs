//! The keyboard is kept from one decision to the next: five edits cost one `Alt+A` and five letters, and who types decides nothing.

mod paces;
mod typed;

use super::approval::decided;
use super::*;
use crate::app::dialogs::approval::Step;
use crate::domain::agent::ModelRef;
use crate::domain::message::{Arguments, ToolCall};
use crate::domain::permission::Kept;

pub(super) const ONCE: Decision = Decision::Once { kept: Kept::All };

/// The first request was decided from inside, and the second is on screen with the keyboard in it, armed.
pub(super) fn kept() -> Bench {
    let mut bench = inside();
    bench.keys("y");
    bench.asks(edit("two"));
    bench.wait(600);
    bench
}

/// The person moved the keyboard into the first request a second ago.
fn moved_in() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(1_000);
    bench
}

/// The person has just moved the keyboard in: no letter that decides counts yet.
fn just_moved_in() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(150);
    bench
}

/// A question came right after a decision that was made from inside.
pub(super) fn then_asked(question: ApprovalRequest) -> Bench {
    let mut bench = inside();
    bench.keys("y");
    bench.asks(question);
    bench
}

#[test]
fn five_edits_in_five_replies_cost_one_alt_a_and_five_letters() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("0"));
    bench.keys("alt-a");
    for call in 1..=5 {
        bench.wait(600);
        bench.keys("y");
        bench.wait(550);
        bench.asks(edit(&call.to_string()));
    }
    let calls: Vec<_> = decided(&bench).into_iter().map(|(call, _)| call).collect();
    assert_eq!(calls, ["0", "1", "2", "3", "4"]);
    assert_eq!(bench.prompt(), "");
}

#[test]
fn the_letter_that_decided_waits_where_it_comes_too_soon_and_counts_once() {
    let mut bench = Bench::new(120, 40);
    for call in ["one", "two", "three", "four"] {
        bench.asks(edit(call));
    }
    bench.keys("alt-a");
    for _ in 0..4 {
        bench.wait(500);
        bench.wait(250);
        bench.keys("y");
    }
    bench.wait(500);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (4, ""));

    let mut bench = kept();
    bench.keys("y");
    bench.wait(500);
    bench.asks(edit("three"));
    bench.types("ye");
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (2, "ye"));
}

#[test]
fn what_is_grave_or_guarded_never_gets_the_keyboard_along() {
    for (class, layer) in [
        (Some(CommandClass::Dangerous), Layer::Default),
        (Some(CommandClass::External), Layer::Default),
        (Some(CommandClass::Unknown), Layer::Default),
        (None, Layer::Guard),
    ] {
        let mut grave = edit("two");
        (grave.verdict.class, grave.verdict.layer) = (class, layer);
        let mut bench = then_asked(grave);
        bench.wait(600);
        for letter in ["y", "o", "u"] {
            bench.types(letter);
            bench.wait(600);
        }
        assert_eq!(
            (decided(&bench).len(), bench.prompt().as_str()),
            (1, "you"),
            "{class:?} {layer:?}"
        );
    }
}

#[test]
fn a_request_with_which_a_half_written_reason_comes_back_does_not_get_the_keyboard_along() {
    for waits_behind in [false, true] {
        let mut bench = inside();
        bench.keys("r");
        bench.types("half");
        bench.event(Live::ApprovalGone {
            call: CallId("one".to_owned()),
        });
        bench.asks(request("two", Review::Fields(Vec::new())));
        if waits_behind {
            bench.asks(edit("three"));
        }
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys("y");
        if !waits_behind {
            bench.asks(edit("three"));
        }
        assert_eq!(decided(&bench), [("two", &ONCE)]);
        let front = bench.state.approvals.front().unwrap();
        assert!(matches!(front.step, Step::Reason(_)), "{waits_behind}");
        assert!(!bench.state.approvals.has_keyboard(), "{waits_behind}");
        bench.types("and so on");
        assert_eq!(bench.prompt(), "and so on", "{waits_behind}");
    }
}

#[test]
fn escape_behind_what_was_typed_out_of_a_request_stops_nothing_before_it_was_said() {
    let stops = |bench: &Bench| bench.commands().contains(&&Command::Interrupt);
    for typed in ["m", "hm", "ye"] {
        let mut bench = kept();
        bench.event(Live::State(TurnState::AwaitingPermission));
        bench.types(typed);
        bench.keys("esc");
        assert!(!stops(&bench), "{typed}");
        assert_eq!(bench.prompt(), typed);
        bench.wait(600);
        bench.keys("esc");
        assert!(stops(&bench), "{typed}");
    }
    let mut bench = kept();
    bench.event(Live::State(TurnState::AwaitingPermission));
    bench.keys("h esc");
    assert!(!stops(&bench), "it takes the letter back");
}

#[test]
fn what_was_said_of_stopping_the_turn_goes_with_the_key_that_leads_back_in() {
    let says = |bench: &Bench| {
        let said = bench.state.toast.as_ref();
        said.is_some_and(|said| said.text.contains("nothing was stopped"))
    };
    for way in ["alt-a", "f2", "alt-y"] {
        let mut bench = kept();
        bench.event(Live::State(TurnState::AwaitingPermission));
        bench.keys("esc esc");
        assert!(says(&bench), "{way}");
        bench.keys("left");
        assert!(says(&bench), "{way}: nothing else became of it");
        bench.keys(way);
        assert!(bench.state.approvals.has_keyboard() && !says(&bench), "{way}");
    }
}

#[test]
fn the_keyboard_waits_for_a_model_that_takes_a_minute_for_an_edit() {
    let mut bench = inside();
    bench.keys("y");
    bench.wait(60_000);
    bench.asks(edit("two"));
    bench.wait(600);
    bench.keys("y");
    bench.wait(500);
    assert_eq!(decided(&bench).len(), 2);
    bench.wait(60_000);
    bench.keys("down");
    bench.asks(edit("three"));
    assert!(!bench.state.approvals.has_keyboard(), "a key came in between");
}

#[test]
fn a_letter_counts_when_it_stays_alone_and_is_shown_meanwhile() {
    let mut bench = kept();
    bench.keys("y");
    assert_eq!(decided(&bench).len(), 1);
    assert!(bench.state.approvals.pressed().is_some());
    bench.wait(499);
    assert_eq!(decided(&bench).len(), 1);
    bench.wait(1);
    assert_eq!(decided(&bench), [("one", &ONCE), ("two", &ONCE)]);
}

#[test]
fn arrows_act_at_once_and_leave_a_letter_waiting() {
    let mut bench = kept();
    bench.keys("y down pagedown");
    bench.wait(500);
    assert_eq!(decided(&bench).len(), 2);
}

#[test]
fn letters_that_only_move_wait_once_and_then_act_at_once() {
    let mut bench = kept();
    bench.keys("j");
    assert!(bench.state.approvals.pressed().is_some());
    bench.wait(500);
    bench.keys("j j k");
    assert_eq!((bench.state.approvals.pressed(), bench.prompt().as_str()), (None, ""));
    bench.wait(600);
    bench.keys("y");
    bench.wait(500);
    assert_eq!(decided(&bench).len(), 2);
}

#[test]
fn the_same_letter_twice_and_brackets_move_however_quick_and_are_no_typing() {
    for moves in ["jj", "]]", "[[", "}}", "]j", "j]", "]["] {
        let mut bench = kept();
        bench.types(moves);
        bench.wait(2_000);
        assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, ""), "{moves}");
        assert!(bench.state.approvals.has_keyboard(), "{moves}");
    }
    let mut bench = kept();
    bench.types("/thirty");
    let find = bench.state.approvals.front().unwrap().diff().unwrap().find.as_ref();
    assert_eq!(find.map(|find| find.query.as_str()), Some("thirty"));
    assert_eq!(bench.prompt(), "");

    let mut bench = kept();
    bench.types("yy");
    bench.wait(2_000);
    assert_eq!(
        (decided(&bench).len(), bench.prompt().as_str()),
        (1, "yy"),
        "what decides is typing however often"
    );
}

#[test]
fn hunks_are_dropped_on_the_way_however_quick() {
    let ways = ["] ] space ]", "space ] [", "] x j x k"].map(|way| (way, kept as fn() -> Bench));
    let moved_in = ["space ] [", "] space j", "] x j x k", "space u", "space space space"]
        .map(|way| (way, moved_in as fn() -> Bench));
    for (way, first) in ways.into_iter().chain(moved_in) {
        let mut bench = first();
        let before = decided(&bench).len();
        for key in way.split(' ') {
            bench.keys(key);
            bench.wait(150);
        }
        bench.wait(600);
        assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (before, ""), "{way}");
        bench.keys("y");
        bench.wait(600);
        let (_, decision) = decided(&bench)[before];
        assert!(
            matches!(decision, Decision::Once { kept } if *kept != Kept::All),
            "{way}: {decision:?}"
        );
    }
    for typed in ["xa", "x y", " y", " n", "  ", " just", " we", "flaky", "fg"] {
        let mut bench = kept();
        bench.types(typed);
        bench.wait(2_000);
        assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (1, typed));
    }
}

#[test]
fn behind_a_hunk_that_was_dropped_after_alt_a_a_letter_that_decides_waits_its_own_time() {
    for (drops, decides) in [("space", "y"), ("space", "n"), ("x", "y"), ("] space", "y")] {
        let mut bench = moved_in();
        for key in drops.split(' ').chain([decides]) {
            bench.keys(key);
            bench.wait(250);
        }
        assert!(decided(&bench).is_empty(), "{drops} {decides}: it waits");
        bench.wait(250);
        let was = decided(&bench)
            .into_iter()
            .map(|(_, decision)| decision.clone())
            .collect::<Vec<_>>();
        let is_meant = match was.as_slice() {
            [Decision::Deny { reason: None }] => decides == "n",
            [Decision::Once { kept }] => decides == "y" && *kept != Kept::All,
            _ => false,
        };
        assert!(is_meant && bench.prompt().is_empty(), "{drops} {decides}: {was:?}");
    }
    // Two letters behind it are typing.
    let mut bench = moved_in();
    bench.types(" you");
    bench.wait(2_000);
    assert_eq!((decided(&bench).len(), bench.prompt().as_str()), (0, "you"));
}

#[test]
fn who_entered_by_alt_a_drops_hunks_however_quick() {
    for way in [
        "] space ]",
        "down space ]",
        "] space enter",
        "j space j",
        "] space",
        "space",
        "space ]",
        "x",
    ] {
        let mut bench = just_moved_in();
        for key in way.split(' ') {
            bench.keys(key);
            bench.wait(150);
        }
        bench.wait(600);
        let inside = bench.state.approvals.has_keyboard();
        assert_eq!((bench.prompt().as_str(), inside), ("", true), "{way}");
        bench.keys("y");
        assert!(
            matches!(decided(&bench)[0].1, Decision::Once { kept } if *kept != Kept::All),
            "{way}: {:?}",
            decided(&bench)
        );
    }
}

#[test]
fn after_alt_a_what_only_looks_acts_at_once() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a u w j ?");
    assert_eq!(bench.prompt(), "");
    assert!(matches!(bench.state.approvals.front().unwrap().step, Step::Why));
}

#[test]
fn what_is_allowed_from_now_on_wants_the_keyboard_moved_in() {
    for grants in ["y", "enter"] {
        let mut bench = kept();
        bench.keys("a");
        bench.wait(800);
        bench.keys(grants);
        bench.wait(2_000);
        assert_eq!(decided(&bench).len(), 1, "{grants} alone");
        assert_eq!(bench.prompt(), if grants == "y" { "y" } else { "" });
    }
    for grants in ["y", "enter"] {
        let mut bench = kept();
        bench.keys("a");
        bench.wait(800);
        bench.keys("alt-a");
        assert!(matches!(
            bench.state.approvals.front().unwrap().step,
            Step::ConfirmAlways(_)
        ));
        bench.wait(600);
        bench.keys(grants);
        assert!(
            matches!(decided(&bench)[1], ("two", Decision::Always { .. })),
            "{grants}"
        );
    }
}

#[test]
fn calls_of_one_reply_that_are_asked_one_by_one_say_how_many_follow() {
    let mut bench = Bench::new(120, 40);
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
        let shown = bench.state.approvals.place().map(|place| (place.at, place.all));
        assert_eq!(shown, Some((place + 1, Some(3))));
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys("y");
        bench.wait(500);
    }
    bench.asks(edit("of another"));
    assert_eq!(bench.state.approvals.place(), None);
}
