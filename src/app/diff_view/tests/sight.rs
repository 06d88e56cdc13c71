//! Tests the choice of the current hunk, and whether it is visible.

use super::*;
use benchdog_diff::Line;

fn two_hunks(height: u16) -> DiffView {
    let before = numbered(60);
    let after = before.replace("line 10\n", "ten\n").replace("line 40\n", "forty\n");
    let mut view = DiffView::new(&[change(&before, &after)]);
    view.arrange(40, height);
    view
}

#[test]
fn a_hunk_that_is_in_view_is_meant_rather_than_one_as_near_that_was_scrolled_away_from_whichever_side() {
    let mut from_above = two_hunks(6);
    from_above.scroll(10);
    let mut from_below = two_hunks(6);
    from_below.jump_end();
    from_below.scroll(-6);
    assert_eq!(from_above.screen_rows(), from_below.screen_rows());
    for view in [from_above, from_below] {
        assert!(view.hunk_is_seen());
        assert_eq!(view.hunk_position(), Some((2, 2)));
    }
}

#[test]
fn where_no_hunk_is_in_view_the_nearest_is_meant_and_is_brought_there() {
    let mut view = two_hunks(4);
    assert!(view.hunk_is_seen());
    view.scroll(5);
    assert_eq!((view.hunk_is_seen(), view.hunk_position()), (false, Some((1, 2))));
    view.bring_hunk();
    assert_eq!((view.hunk_is_seen(), view.hunk_position()), (true, Some((1, 2))));
    assert!(!view.cursor_rows().is_empty());
}

#[test]
fn a_hunk_that_comes_into_view_with_more_room_is_meant() {
    let mut view = two_hunks(5);
    view.scroll(9);
    assert_eq!((view.hunk_is_seen(), view.hunk_position()), (false, Some((1, 2))));
    view.arrange(40, 6);
    assert_eq!((view.hunk_is_seen(), view.hunk_position()), (true, Some((2, 2))));
}

#[test]
fn far_from_all_hunks_the_nearest_was_not_told_from_the_first() {
    let before = numbered(300);
    let after = ["line 10\n", "line 100\n", "line 200\n"]
        .iter()
        .fold(before.clone(), |text, line| text.replace(line, "changed\n"));
    let mut view = DiffView::new(&[change(&before, &after)]);
    view.arrange(40, 10);
    view.find_open();
    view.find_edit(|query| query.push_str("line 160"));
    view.find_step(1);
    let at = view.lines_at_cursor();
    assert_eq!(at, Some((0, vec![Line::After(159), Line::Before(159)])));
    assert_eq!(view.hunk_position(), Some((3, 3)));
}

#[test]
fn a_file_without_lines_is_in_view_with_the_row_that_says_what_it_is() {
    let binary = FileChange {
        path: "b.bin".to_owned(),
        ..change("\0one", "\0two")
    };
    let last = FileChange {
        path: "c.rs".to_owned(),
        ..change("3\n", "4\n")
    };
    let mut view = DiffView::new(&[change("1\n", "2\n"), binary, last]);
    for height in [1, 2, 20] {
        view.arrange(40, height);
        view.step_file(-9);
        view.step_file(1);
        view.arrange(40, height);
        assert_eq!(
            (view.hunk_is_seen(), view.hunk_position()),
            (true, Some((2, 3))),
            "{height}"
        );
    }
}
