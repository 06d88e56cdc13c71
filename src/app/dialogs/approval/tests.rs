//! When letters count, and what a request offers.

mod spelled;

use super::*;
use crate::app::panes::prompt::buffer::Buffer;
use crate::domain::permission::Scope;
use crate::domain::permission::{Action, Because, Layer, Verdict};
use crate::domain::review::{FileChange, FileOperation};
use crate::protocol::{Ahead, AheadRow};

fn request(call: &str, review: Review) -> Arc<ApprovalRequest> {
    Arc::new(ApprovalRequest {
        edition: 0,
        on_disk: crate::protocol::OnDisk::AsShown,
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

/// Which is on screen, and of how many.
fn place(approvals: &Approvals) -> Option<(usize, Option<usize>)> {
    approvals.place().map(|place| (place.at, place.all))
}

#[test]
fn several_that_wait_together_are_counted() {
    let mut approvals = waiting(&["one", "two", "three"]);
    assert_eq!(place(&approvals), Some((1, Some(3))));
    approvals.decide(&CallId("one".to_owned()), Time(600));
    assert_eq!(place(&approvals), Some((2, Some(3))));
    approvals.remove(&CallId("two".to_owned()), Time(600));
    approvals.decide(&CallId("three".to_owned()), Time(700));
    approvals.add(fields("later"), Time(800));
    assert_eq!(place(&approvals), None);
}

/// What comes behind a request: the calls of the reply, and those of them that will ask.
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
    approvals.replied(calls.into_iter(), Time(0));
    approvals.add(fields("one"), Time(0));
    assert_eq!(place(&approvals), None, "nobody knows yet");
    approvals.looked_ahead(&ahead("one", &["two", "three", "four"], &["two", "four"]), Time(1));
    assert_eq!(place(&approvals), Some((1, Some(3))));
    let unsure = Ahead {
        is_unsure: true,
        ..ahead("one", &["two", "three", "four"], &["two"])
    };
    approvals.looked_ahead(&unsure, Time(2));
    assert_eq!(place(&approvals), Some((1, None)), "no number where it cannot be known");
}

#[test]
fn how_many_were_decided_before_is_known_in_a_session_that_is_opened_again() {
    let mut approvals = Approvals::default();
    approvals.add(fields("two"), Time(0));
    let told = Ahead {
        decided: 1,
        ..ahead("two", &["three"], &["three"])
    };
    approvals.looked_ahead(&told, Time(1));
    assert_eq!(place(&approvals), Some((2, Some(3))));
}

#[test]
fn what_is_only_looked_at_is_on_screen_and_the_one_that_is_asked_about_stays_first() {
    let mut approvals = waiting(&["one"]);
    approvals.looked_ahead(&ahead("one", &["two"], &["two"]), Time(1));
    approvals.enter(Time(1_000));
    let front = |approvals: &Approvals| approvals.front().map(|front| front.request.call.0.clone());
    assert!(approvals.lit(Time(1_500)));
    assert_eq!(approvals.step_request(1, Time(2_000)), Stepped::Moved);
    assert_eq!(front(&approvals).as_deref(), Some("two"));
    assert!(
        approvals.looks_ahead() && !approvals.lit(Time(2_499)),
        "the guard begins anew"
    );
    assert_eq!(approvals.step_request(1, Time(2_500)), Stepped::Nothing);
    assert_eq!(approvals.step_request(-1, Time(3_000)), Stepped::Moved);
    assert_eq!(front(&approvals).as_deref(), Some("one"));
    assert!(!approvals.looks_ahead() && !approvals.lit(Time(3_499)) && approvals.lit(Time(3_500)));
}

#[test]
fn what_is_not_understood_is_never_remembered() {
    assert!(waiting(&["one"]).front().unwrap().always().is_none());
}

#[test]
fn whether_anything_was_made_of_a_request_is_known_without_writing_it_out() {
    let change = FileChange {
        path: "a.rs".to_owned(),
        operation: FileOperation::Update,
        before: Some(Arc::from(b"one\n".as_slice())),
        after: Some(Arc::from(b"two\n".as_slice())),
        mode_after: None,
        note: None,
    };
    let mut approvals = Approvals::default();
    approvals.add(request("one", Review::Files(vec![change])), Time(0));
    let front = approvals.front_mut().unwrap();
    let is_marked = |front: &Waiting| {
        assert_eq!(front.is_marked(), front.marked().is_some());
        front.is_marked()
    };
    assert!(!is_marked(front));
    let steps = [("", false), (" ", false), ("because", true)];
    for (reason, marks) in steps {
        let mut buffer = Buffer::default();
        buffer.insert(reason);
        front.step = Step::Reason(buffer);
        assert_eq!(is_marked(front), marks, "{reason:?}");
    }
    front.step = Step::Deciding;
    let RequestView::Files(view) = &mut front.view else {
        panic!("files")
    };
    view.toggle_file();
    assert!(is_marked(front));
}

#[test]
fn what_is_kept_already_is_not_kept_again() {
    let mut approvals = waiting(&["one"]);
    let mut buffer = Buffer::default();
    buffer.insert("because");
    approvals.front_mut().unwrap().step = Step::Reason(buffer);
    approvals.touched(Time(0));
    let kept = approvals.marks_due(Time(1_000));
    assert_eq!(kept.map(|kept| kept.len()), Some(1));
    approvals.touched(Time(2_000));
    assert!(approvals.marks_due(Time(3_000)).is_none());
}
