//! When letters count, and what a request offers.

use super::*;
use crate::domain::permission::{Action, Because, Layer, Verdict};

fn request(call: &str, review: Review) -> Arc<ApprovalRequest> {
    Arc::new(ApprovalRequest {
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
            }],
            needs_person: false,
        },
    })
}

fn waiting(calls: &[&str]) -> Approvals {
    let mut approvals = Approvals::default();
    for call in calls {
        approvals.add(request(call, Review::Fields(Vec::new())));
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

#[test]
fn the_keyboard_does_not_wait_for_requests_to_come() {
    let mut approvals = waiting(&["one"]);
    approvals.enter(Time(0));
    approvals.remove(&CallId("one".to_owned()), Time(600));
    approvals.add(request("later", Review::Fields(Vec::new())));
    assert!(!approvals.has_keyboard());
}

#[test]
fn what_is_not_understood_is_never_remembered() {
    assert!(waiting(&["one"]).front().unwrap().always().is_none());
}
