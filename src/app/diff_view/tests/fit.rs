//! Tests which part of a hunk is visible in small viewports.

use super::*;

/// Returns the signs of the visible rows: `-` and `+` of the hunk, and a blank for a context line.
fn signs(view: &DiffView) -> String {
    let sign = |row: &ScreenRow| match row {
        ScreenRow::Lines { hunk: None, .. } => ' ',
        ScreenRow::Lines { right: Some(_), .. } => '+',
        ScreenRow::Lines { .. } => '-',
        _ => '.',
    };
    view.screen_rows().iter().map(sign).collect()
}

fn look(view: &mut DiffView, width: u16, height: u16) -> String {
    view.arrange(width, height);
    view.keep_hunk_in_view();
    signs(view)
}

fn replaced(removed: usize, added: usize) -> DiffView {
    let lines = |word: &str, count: usize| (0..count).map(|n| format!("{word} {n}\n")).collect::<String>();
    let around = numbered(20);
    let of = |middle: String| format!("{around}{middle}{around}");
    let mut view = DiffView::new(&[change(&of(lines("old", removed)), &of(lines("new", added)))]);
    view.named_above(true);
    view
}

#[test]
fn in_little_room_the_lines_around_a_hunk_give_way_before_the_hunk_does() {
    for (height, seen) in [
        (9, ".    -++ "),
        (6, "   -++"),
        (5, "  -++"),
        (4, " -++"),
        (3, "-++"),
        (2, "-+"),
    ] {
        assert_eq!(look(&mut replaced(1, 2), 40, height), seen, "{height}");
    }
    for (height, seen) in [(9, ".    -+++"), (6, " -++++"), (4, " -++"), (3, "-++")] {
        assert_eq!(look(&mut replaced(1, 9), 40, height), seen, "{height}");
    }
    // Rows of both sides are preferred to a context line.
    assert_eq!(look(&mut replaced(3, 3), 40, 4), "---+");
    // A hunk that is too long is shown from its start.
    assert_eq!(look(&mut replaced(9, 1), 40, 3), "---");
}

#[test]
fn a_room_that_becomes_smaller_shows_the_hunk_and_one_that_stays_moves_nothing() {
    let mut view = replaced(1, 2);
    assert_eq!(look(&mut view, 40, 6), "   -++");
    assert_eq!(look(&mut view, 40, 3), "-++");
    assert_eq!(look(&mut view, 40, 6), "-++   ", "what grows again stays where it is");
    view.scroll(-2);
    let scrolled = signs(&view);
    assert_eq!(scrolled, "  -++ ");
    assert_eq!(look(&mut view, 40, 6), scrolled, "whoever scrolled");
    view.scroll(-3);
    let scrolled = signs(&view);
    assert_eq!(look(&mut view, 40, 6), scrolled);
    view.jump_top();
    let top = signs(&view);
    assert!(top.starts_with(&look(&mut view, 40, 4)), "what one looks at is no hunk");
}

#[test]
fn of_a_removed_line_of_many_rows_one_gives_way_to_the_line_in_its_place() {
    let long = "a word and another ".repeat(4);
    let mut view = DiffView::new(&[change(&format!("old {long}\n"), &format!("new {long}\n"))]);
    view.named_above(true);
    let rows = look(&mut view, 40, 20).matches('-').count();
    assert!(rows > 1);
    let height = u16::try_from(rows).unwrap();
    let seen = format!("{}+", "-".repeat(rows - 1));
    assert_eq!(look(&mut view, 40, height), seen);
    assert!(!view.cursor_rows().is_empty());
}

#[test]
fn the_next_hunk_comes_into_view_whole() {
    let before = numbered(80);
    let after = before.replace("line 20\n", "a\n").replace("line 60\n", "b\nc\nd\ne\n");
    let mut view = DiffView::new(&[change(&before, &after)]);
    look(&mut view, 40, 6);
    view.step_hunk(1);
    assert_eq!(signs(&view), " -++++");
}
