use super::*;
use crate::panes::prompt::buffer::Buffer;
use benchdog_domain::permission::Scope;
use benchdog_domain::permission::{Action, Because, Layer, Verdict};
use benchdog_protocol::{Ahead, AheadRow};

fn request(call: &str, review: Review) -> Arc<ApprovalRequest> {
    Arc::new(ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        child: None,
        origin: benchdog_domain::call::Origin::Model,
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
            network: false,
            needs_person: false,
            confinable: false,
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
fn the_same_request_is_asked_once() {
    assert_eq!(waiting(&["one", "one"]).waiting.len(), 1);
}

fn fields(call: &str) -> Arc<ApprovalRequest> {
    let mut request = request(call, Review::Fields(Vec::new()));
    Arc::get_mut(&mut request).unwrap().verdict.class = None;
    request
}

fn place(approvals: &Approvals) -> Option<(usize, Option<usize>)> {
    approvals.place().map(|place| (place.at, place.all))
}

#[test]
fn several_that_wait_together_are_counted() {
    let mut approvals = waiting(&["one", "two", "three"]);
    assert_eq!(place(&approvals), Some((1, Some(3))));
    approvals.decide(&CallId("one".to_owned()), Time(600));
    assert_eq!(place(&approvals), Some((2, Some(3))));
    approvals.remove(&CallId("two".to_owned()));
    approvals.decide(&CallId("three".to_owned()), Time(700));
    approvals.add(fields("later"));
    assert_eq!(place(&approvals), None);
}

/// Returns previews: `calls` are all calls of the reply, and `asks` those that need approval.
fn ahead(of: &str, calls: &[&str], asks: &[&str]) -> Ahead {
    let id = |call: &&str| CallId((*call).to_owned());
    Ahead {
        of: CallId(of.to_owned()),
        decided: 0,
        rows: calls
            .iter()
            .map(|call| AheadRow {
                call: id(call),
                tool: "edit".to_owned(),
                title: format!("{call}.txt"),
            })
            .collect(),
        asks: asks.iter().map(|call| fields(call)).collect(),
        is_unsure: false,
    }
}

#[test]
fn of_the_calls_of_a_reply_those_are_counted_that_will_ask() {
    let mut approvals = Approvals::default();
    let calls = ["one", "two", "three", "four"].map(|call| CallId(call.to_owned()));
    approvals.replied(calls.into_iter());
    approvals.add(fields("one"));
    assert_eq!(place(&approvals), None, "nobody knows yet");
    approvals.looked_ahead(&ahead("one", &["two", "three", "four"], &["two", "four"]));
    assert_eq!(place(&approvals), Some((1, Some(3))));
    let unsure = Ahead {
        is_unsure: true,
        ..ahead("one", &["two", "three", "four"], &["two"])
    };
    approvals.looked_ahead(&unsure);
    assert_eq!(place(&approvals), Some((1, None)), "no number where it cannot be known");
}

#[test]
fn how_many_were_decided_before_is_known_in_a_session_that_is_opened_again() {
    let mut approvals = Approvals::default();
    approvals.add(fields("two"));
    let told = Ahead {
        decided: 1,
        ..ahead("two", &["three"], &["three"])
    };
    approvals.looked_ahead(&told);
    assert_eq!(place(&approvals), Some((2, Some(3))));
}

#[test]
fn what_is_only_looked_at_is_on_screen_and_the_one_that_is_asked_about_stays_first() {
    let mut approvals = waiting(&["one"]);
    approvals.looked_ahead(&ahead("one", &["two"], &["two"]));
    approvals.enter();
    let front = |approvals: &Approvals| approvals.front().map(|front| front.request.call.0.clone());
    assert_eq!(approvals.step_request(1), Stepped::Moved);
    assert_eq!(front(&approvals).as_deref(), Some("two"));
    assert!(approvals.looks_ahead());
    assert_eq!(approvals.step_request(1), Stepped::Nothing);
    assert_eq!(approvals.step_request(-1), Stepped::Moved);
    assert_eq!(front(&approvals).as_deref(), Some("one"));
    assert!(!approvals.looks_ahead());
}

#[test]
fn what_is_not_understood_is_never_remembered() {
    assert!(waiting(&["one"]).front().unwrap().always().is_none());
}

#[test]
fn texts_are_saved_once_and_empty_ones_are_none() {
    let mut approvals = waiting(&["one"]);
    let write = |approvals: &mut Approvals, reason: &str, now: i64| {
        let mut buffer = Buffer::default();
        buffer.insert(reason);
        approvals.front_mut().unwrap().step = Step::Reason(buffer);
        approvals.touched(Time(now));
        approvals.texts_due(Time(now + 1_000))
    };
    assert_eq!(write(&mut approvals, " ", 0), None);
    assert_eq!(write(&mut approvals, "because", 2_000).as_deref(), Some("because"));
    assert_eq!(write(&mut approvals, "because", 4_000), None);
    assert_eq!(write(&mut approvals, "", 6_000).as_deref(), Some(""));
}
