//! When letters count, and what a request offers.

use super::*;
use crate::domain::permission::Scope;
use crate::domain::permission::{Action, Because, Layer, Verdict};

fn request(call: &str, review: Review) -> Arc<ApprovalRequest> {
    Arc::new(ApprovalRequest {
        child: None,
        origin: crate::domain::call::Origin::Model,
        call: CallId(call.to_owned()),
        tool: "bash".to_owned(),
        title: String::new(),
        review,
        verdict: Verdict {
            action: Action::Ask,
            because: Because::Words(String::new()),
            layer: Layer::Default,
            class: Some(CommandClass::Unknown),
            scopes: vec![Scope {
                key: "bash".to_owned(),
                pattern: "*".to_owned(),
                options: None,
                and: Vec::new(),
            }],
            only_once: None,
            needs_person: false,
        },
    })
}

fn waiting(calls: &[&str]) -> Approvals {
    let mut approvals = Approvals::default();
    for call in calls {
        approvals.add(request(call, Review::Fields(Vec::new())), Time(0));
    }
    approvals
}

#[test]
fn letters_light_up_after_half_a_second_of_quiet_inside() {
    let mut approvals = waiting(&["one"]);
    approvals.key(Time(900));
    assert!(approvals.enter(Time(1_000)));
    assert!(!approvals.lit(Time(1_499)));
    assert!(approvals.lit(Time(1_500)));
    assert_eq!(approvals.lights_at(), Some(Time(1_500)));
    assert!(!approvals.key(Time(1_200)));
    assert!(!approvals.lit(Time(1_500)));
    assert!(approvals.lit(Time(1_700)));
}

#[test]
fn without_a_request_there_is_nothing_to_enter() {
    assert!(!Approvals::default().enter(Time(1)));
}

#[test]
fn the_same_request_is_asked_once() {
    assert_eq!(waiting(&["one", "one"]).waiting.len(), 1);
}

#[test]
fn a_new_front_starts_dark_and_unseen() {
    let mut approvals = waiting(&["one", "two"]);
    approvals.enter(Time(0));
    approvals.seen(true, Time(0));
    assert!(approvals.lit(Time(600)));
    approvals.remove(&CallId("one".to_owned()), Time(600));
    approvals.seen(true, Time(600));
    assert!(!approvals.lit(Time(1_000)));
    assert!(!approvals.front().unwrap().chord_decides(Time(1_000)));
    assert!(approvals.front().unwrap().chord_decides(Time(1_100)));
}

fn fields(call: &str) -> Arc<ApprovalRequest> {
    let mut request = request(call, Review::Fields(Vec::new()));
    Arc::get_mut(&mut request).unwrap().verdict.class = None;
    request
}

/// One request was decided from inside at 600.
fn decided() -> Approvals {
    let mut approvals = waiting(&["one"]);
    approvals.enter(Time(0));
    approvals.decide(&CallId("one".to_owned()), Time(600));
    approvals
}

#[test]
fn the_keyboard_is_kept_for_a_request_that_comes_soon_with_no_key_in_between() {
    let mut approvals = decided();
    approvals.add(fields("soon"), Time(120_599));
    assert!(approvals.has_keyboard() && approvals.is_kept());

    let mut approvals = decided();
    approvals.add(fields("late"), Time(120_600));
    assert!(!approvals.has_keyboard());

    let mut approvals = decided();
    approvals.key(Time(700));
    approvals.add(fields("typing"), Time(800));
    assert!(!approvals.has_keyboard());

    let mut approvals = waiting(&["one"]);
    approvals.enter(Time(0));
    approvals.remove(&CallId("one".to_owned()), Time(600));
    approvals.add(fields("decided elsewhere"), Time(700));
    assert!(!approvals.has_keyboard());
}

#[test]
fn where_the_keyboard_was_kept_letters_light_up_once_the_request_was_seen() {
    let mut approvals = decided();
    approvals.add(fields("next"), Time(700));
    assert!(!approvals.lit(Time(5_000)), "it was never on screen");
    approvals.seen(true, Time(2_000));
    assert!(!approvals.lit(Time(2_499)) && approvals.lit(Time(2_500)));
}

#[test]
fn several_that_wait_together_are_counted() {
    let mut approvals = waiting(&["one", "two", "three"]);
    assert_eq!(approvals.place(), Some((1, 3)));
    approvals.decide(&CallId("one".to_owned()), Time(600));
    assert_eq!(approvals.place(), Some((2, 3)));
    approvals.remove(&CallId("two".to_owned()), Time(600));
    approvals.decide(&CallId("three".to_owned()), Time(700));
    approvals.add(fields("later"), Time(800));
    assert_eq!(approvals.place(), None);
}

#[test]
fn what_was_looked_at_and_does_not_ask_is_not_counted() {
    let mut approvals = Approvals::default();
    let calls = ["one", "two", "three", "four"].map(|call| (CallId(call.to_owned()), "task".to_owned()));
    approvals.replied(calls.into_iter());
    for call in ["one", "two"] {
        approvals.looked_at(&CallId(call.to_owned()));
    }
    approvals.add(fields("two"), Time(0));
    assert_eq!(approvals.place(), Some((1, 3)), "the others may ask, too");
    approvals.looked_at(&CallId("three".to_owned()));
    assert_eq!(approvals.place(), Some((1, 2)), "this one does not");
    approvals.looked_at(&CallId("four".to_owned()));
    assert_eq!(approvals.place(), None);
    approvals.add(fields("four"), Time(0));
    assert_eq!(approvals.place(), Some((1, 2)));
}

#[test]
fn what_is_not_understood_is_never_remembered() {
    assert!(waiting(&["one"]).front().unwrap().always().is_none());
}
