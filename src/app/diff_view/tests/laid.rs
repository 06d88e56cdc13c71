//! Tests long lines: they are wrapped once, rendered only where visible, and have a mark if truncated.

use std::sync::Arc;

use super::*;

#[test]
fn what_is_painted_is_the_part_of_all_rows_that_is_in_view() {
    let long = "let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // 漢字漢字 ".repeat(6);
    let before = format!("{}{long}\n{}", numbered(3), numbered(3));
    let after = before.replace("let total", "let the_whole_total");
    for width in [60, 130] {
        let mut view = DiffView::new(&[change(&before, &after)]);
        view.arrange(width, 5_000);
        let at = view.commented().expect("the cursor is on a line");
        view.set_comment(at, "far too long\nto be read");
        let all = view.screen_rows();
        assert!(all.iter().any(|row| matches!(row, ScreenRow::Comment(_))));
        view.arrange(width, 7);
        view.jump_top();
        for first in 0..=all.len() - 7 {
            assert_eq!(view.screen_rows(), all[first..first + 7], "{width}: from {first}");
            view.scroll(1);
        }
    }
}

#[test]
fn a_long_line_is_laid_out_once_for_a_width_and_anew_for_another_text() {
    let long = |word: &str| format!("{}\n", format!("{word} ").repeat(2_000));
    let mut view = DiffView::new(&[change(&long("one"), &long("two"))]);
    view.arrange(120, 20);
    let columns = Some(view.columns().text);
    let laid = |view: &DiffView| view.files[0].laid(Line::After(0), columns);
    let changed = |view: &DiffView| view.files[0].changed(0, 0, columns);
    let (first, words) = (laid(&view), changed(&view));
    view.scroll(1);
    view.screen_rows();
    assert!(Arc::ptr_eq(&first, &laid(&view)));
    assert!(Arc::ptr_eq(&words, &changed(&view)));
    view.replace(0, long("three"));
    assert!(laid(&view).text.starts_with("three three"));
}

#[test]
fn however_much_a_picture_asks_for_it_is_laid_out_once_and_goes_when_no_picture_asks_for_it() {
    const LINES: usize = 140;
    let line = format!("{}\n", "word ".repeat(13_000));
    let view = DiffView::new(&[change("", &line.repeat(LINES))]);
    let file = &view.files[0];
    let asks = || (0..LINES).map(|n| file.laid(Line::After(n), None)).collect::<Vec<_>>();
    let first = asks();
    let is_kept = || first.iter().zip(asks()).all(|(first, now)| Arc::ptr_eq(first, &now));
    assert!(is_kept());
    view.screen_rows();
    assert!(is_kept(), "of the picture before");
    view.screen_rows();
    view.screen_rows();
    file.laid(Line::After(LINES - 1), Some(100));
    assert!(!Arc::ptr_eq(&first[0], &file.laid(Line::After(0), None)));
}

#[test]
fn a_sign_stands_where_a_line_goes_on_behind_what_is_laid_out() {
    let cuts = |view: &DiffView| {
        let rows = view.screen_rows().into_iter();
        let cells = rows.filter_map(|row| match row {
            ScreenRow::Lines { right, .. } => right,
            _ => None,
        });
        cells.map(|cell| cell.cut).collect::<Vec<_>>()
    };
    let mut view = DiffView::new(&[change("", &"word ".repeat(230_000))]);
    view.arrange(120, 20);
    let first = cuts(&view);
    assert!(!first.is_empty() && first.iter().all(|cut| !cut));
    view.scroll(1_000_000);
    let last = cuts(&view);
    assert_eq!(last.iter().position(|cut| *cut), last.len().checked_sub(1));
    // A shorter line is laid out completely.
    let mut view = DiffView::new(&[change("", &"word ".repeat(5_000))]);
    view.arrange(120, 20);
    view.scroll(1_000_000);
    assert!(cuts(&view).iter().all(|cut| !cut));
}
