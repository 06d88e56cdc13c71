//! Tests the layout of a request during its review.

use super::*;
use crate::dialogs::approval::{RequestView, Step};
use crate::diff_view::ScreenRow;

#[test]
fn what_is_asked_in_between_stands_below_the_diff_and_leaves_it_in_view() {
    for key in ["r", "a", "?"] {
        let mut bench = Bench::new(80, 24);
        bench.asks(edit("one"));
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys(key);
        let body = bench.state.layout.approval_body.unwrap();
        let (diff, asked) = bench.state.screen.approvals.front().unwrap().split(body);
        assert!(diff.height >= 3 && asked.height >= 2, "{key}: {diff:?} {asked:?}");
        assert_eq!(diff.bottom(), asked.y);
    }
}

#[test]
fn how_diffs_are_shown_is_remembered_for_the_next_request() {
    let mut bench = Bench::new(160, 40);
    bench.asks(edit("one"));
    bench.asks(edit("two"));
    bench.keys("alt-a u");
    bench.wait(600);
    bench.keys("y");
    let RequestView::Files(view) = &bench.state.screen.approvals.front().unwrap().view else {
        panic!("no diff")
    };
    assert_eq!(view.layout(), crate::diff_view::DiffLayout::Unified);
}

#[test]
fn how_diffs_are_shown_is_kept_for_the_next_start_and_what_was_chosen_since_counts() {
    use crate::diff_view::{DiffLayout, DiffRoom};
    let mut bench = Bench::new(160, 40);
    bench.asks(edit("one"));
    bench.keys("alt-a u");
    let kept = Command::KeepDiffLayout {
        room: DiffRoom::Wide,
        layout: DiffLayout::Unified,
    };
    assert!(bench.commands().contains(&&kept));
    let wide = |layout| Answer::DiffLayout {
        room: DiffRoom::Wide,
        layout,
    };
    bench.event(wide(DiffLayout::SideBySide));
    assert_eq!(bench.state.diff_layouts.at(DiffRoom::Wide), Some(DiffLayout::Unified));
    let mut next = Bench::new(160, 40);
    assert!(crate::start().contains(&Op::Send(Command::LoadDiffLayouts)));
    next.event(wide(DiffLayout::Unified));
    next.asks(edit("one"));
    let RequestView::Files(view) = &next.state.screen.approvals.front().unwrap().view else {
        panic!("no diff")
    };
    assert_eq!(view.layout(), DiffLayout::Unified);
    for layout in [DiffLayout::Unified, DiffLayout::SideBySide] {
        assert_eq!(DiffLayout::of(layout.name()), Some(layout));
    }
    assert_eq!(DiffLayout::of("of another version"), None);
}

#[test]
fn what_was_chosen_in_a_narrow_window_holds_in_narrow_ones_and_a_wide_one_keeps_its_own() {
    use crate::diff_view::{DiffLayout, DiffRoom};
    let layout = |bench: &Bench| match &bench.state.screen.approvals.front().unwrap().view {
        RequestView::Files(view) => view.layout(),
        RequestView::Unseen | RequestView::Question(_) | RequestView::Rows { .. } => panic!("no diff"),
    };
    let mut bench = Bench::new(80, 24);
    bench.asks(edit("one"));
    bench.asks(edit("two"));
    assert_eq!(layout(&bench), DiffLayout::Unified);
    bench.keys("alt-a u");
    assert!(bench.commands().contains(&&Command::KeepDiffLayout {
        room: DiffRoom::Narrow,
        layout: DiffLayout::SideBySide,
    }));
    bench.wait(600);
    bench.keys("y");
    assert_eq!(layout(&bench), DiffLayout::SideBySide);
    // A layout that is reset in a wide window does not affect narrow windows.
    let mut bench = Bench::new(160, 40);
    bench.asks(edit("one"));
    bench.asks(edit("two"));
    bench.keys("alt-a u u");
    bench.wait(600);
    bench.keys("y");
    bench.send(Msg::Resize { width: 80, height: 24 });
    assert_eq!(layout(&bench), DiffLayout::Unified);
}

#[test]
fn in_a_low_window_what_is_put_in_stays_in_view_whatever_opens_below_it() {
    for key in ["r", "a", "c"] {
        let mut bench = Bench::new(40, 11);
        bench.asks(edit("one"));
        bench.keys("alt-a");
        bench.wait(600);
        let shows = |bench: &Bench| {
            let view = bench.state.screen.approvals.front().unwrap().diff().unwrap();
            let is_in = |row: &ScreenRow| {
                matches!(
                    row,
                    ScreenRow::Lines {
                        left: None,
                        hunk: Some(_),
                        ..
                    }
                )
            };
            view.screen_rows().iter().any(is_in)
        };
        assert!(shows(&bench));
        bench.keys(key);
        assert!(!matches!(
            bench.state.screen.approvals.front().unwrap().step,
            Step::Deciding
        ));
        assert!(shows(&bench), "{key}");
    }
}

#[test]
fn behind_what_was_asked_in_between_a_change_stands_as_it_stood_before() {
    for step in ["a", "r", "c"] {
        let mut bench = Bench::new(40, 12);
        bench.asks(edit("one"));
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys("]");
        let rows = |bench: &Bench| {
            bench
                .state
                .screen
                .approvals
                .front()
                .unwrap()
                .diff()
                .unwrap()
                .screen_rows()
        };
        let before = rows(&bench);
        bench.wait(600);
        bench.keys(step);
        let beside = rows(&bench);
        assert!(beside.len() < before.len() && !before.starts_with(&beside), "{step}");
        bench.keys("esc");
        assert!(matches!(
            bench.state.screen.approvals.front().unwrap().step,
            Step::Deciding
        ));
        assert_eq!(rows(&bench), before, "{step}");
    }
}

#[test]
fn the_key_that_leaves_what_was_asked_in_between_moves_from_where_the_change_stood_before() {
    let moved = |keys: &str| {
        let mut bench = Bench::new(40, 12);
        bench.asks(edit("one"));
        bench.keys("alt-a");
        bench.wait(600);
        bench.keys("]");
        bench.wait(600);
        bench.keys(keys);
        bench
            .state
            .screen
            .approvals
            .front()
            .unwrap()
            .diff()
            .unwrap()
            .screen_rows()
    };
    assert_eq!(moved("a ["), moved("["));
}

/// Returns an edit whose old and new line each take two rows in a narrow window.
fn edit_of_long_line() -> ApprovalRequest {
    let around: String = (1..=9).map(|n| format!("line {n}\n")).collect();
    let of = |end: &str| format!("{around}one two three four five six seven {end}\n{around}");
    let mut request = edit("one");
    if let Review::Files(changes) = &mut request.review {
        changes[0].before = Some(of("eight").as_bytes().into());
        changes[0].after = Some(of("nine").as_bytes().into());
    }
    request
}

#[test]
fn in_a_low_window_both_sides_of_a_hunk_are_whole_above_what_always_would_cover() {
    let mut bench = Bench::new(40, 12);
    bench.asks(edit_of_long_line());
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a");
    let waiting = bench.state.screen.approvals.front().unwrap();
    let rows = waiting.diff().unwrap().screen_rows();
    let is_of_hunk = |row: &ScreenRow| matches!(row, ScreenRow::Lines { hunk: Some(_), .. });
    assert!(rows.len() == 4 && rows.iter().all(is_of_hunk), "{rows:?}");
    let body = bench.state.layout.approval_body;
    let (about, _) = waiting.split(body.unwrap());
    assert_eq!(usize::from(about.height), rows.len(), "it is drawn as it is laid");
    let grant = waiting.grant(body).unwrap();
    assert!(grant.can_be_granted && !grant.goes_on);
}
