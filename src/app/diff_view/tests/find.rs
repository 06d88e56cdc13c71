//! Tests of search in a diff, and of folds.

use super::*;
use crate::find::MOST_SOUGHT;

fn view(before: &str, after: &str) -> DiffView {
    let mut view = DiffView::new(&[change(before, after)]);
    view.arrange(120, 12);
    view
}

#[test]
fn how_many_lines_hold_what_is_typed_is_known_while_it_is_typed() {
    let before = numbered(30);
    let after = before.replace("line 5\n", "zebra\n").replace("line 9\n", "zebras\n");
    let mut view = view(&before, &after);
    let hits = |view: &DiffView| view.find.as_ref().unwrap().hits;
    for (query, wanted) in [
        ("z", Some((0, 2))),
        ("zebras", Some((0, 1))),
        ("no", Some((0, 0))),
        ("", None),
    ] {
        look_for(&mut view, query);
        assert_eq!(hits(&view), wanted, "{query}");
    }
    look_for(&mut view, "zebra");
    view.find_step(1);
    assert_eq!(hits(&view).map(|(_, all)| all), Some(2));
}

#[test]
fn of_a_long_diff_the_first_lines_are_counted_while_one_types_and_all_where_one_goes_there() {
    let counted = |view: &DiffView| {
        let find = view.find.as_ref().unwrap();
        (find.hits.map(|(_, all)| all), find.goes_on)
    };
    for between in [numbered(MOST_COUNTED), "x".repeat(MOST_SOUGHT) + "\n"] {
        let mut view = view("", &format!("zebra\n{between}zebra\n"));
        look_for(&mut view, "zebra");
        assert_eq!(counted(&view), (Some(1), true));
        view.find_step(1);
        assert_eq!(counted(&view), (Some(2), false));
        look_for(&mut view, "");
        assert_eq!(counted(&view), (None, false));
    }
}

fn look_for(view: &mut DiffView, query: &str) {
    view.find_open();
    view.find_edit(|line| {
        line.clear();
        line.push_str(query);
    });
}

fn here(view: &DiffView) -> String {
    let rows = view.screen_rows();
    let (left, right) = rows
        .get(view.cursor_rows().start)
        .and_then(lines)
        .expect("the cursor is on lines");
    format!("{left}|{right}")
}

#[test]
fn words_are_found_on_both_sides_and_in_folds_round_the_end() {
    let before = numbered(100)
        .replace("line 70\n", "line 70 Zebra\n")
        .replace("line 20\n", "a zebra goes\n");
    let after = before
        .replace("a zebra goes\n", "it went\n")
        .replace("line 50\n", "zebras come\n");
    let mut view = view(&before, &after);
    look_for(&mut view, "zebra");
    let mut found = Vec::new();
    for _ in 0..4 {
        view.find_step(1);
        found.push((here(&view), view.find.as_ref().unwrap().hits.unwrap()));
    }
    let expected = [
        ("line 50|zebras come", (2, 3)),
        ("line 70 Zebra|line 70 Zebra", (3, 3)),
        ("a zebra goes|it went", (1, 3)),
        ("line 50|zebras come", (2, 3)),
    ];
    let expected = expected.map(|(text, hits)| (text.to_owned(), hits));
    assert_eq!(found, expected, "the cursor begins on the first change");
    view.find_step(-1);
    assert_eq!(here(&view), "a zebra goes|it went");
    look_for(&mut view, "Zebra");
    view.find_step(1);
    assert_eq!(
        (here(&view).as_str(), view.find.as_ref().unwrap().hits),
        ("line 70 Zebra|line 70 Zebra", Some((1, 1)))
    );
    look_for(&mut view, "(no) such");
    view.find_step(1);
    assert_eq!(view.find.as_ref().unwrap().hits, Some((0, 0)));
}

#[test]
fn what_is_looked_for_is_marked_and_the_find_line_has_a_row() {
    let mut view = view("ab\n", "x\tAB 漢ab\n");
    let height = view.height;
    look_for(&mut view, "ab");
    view.find_step(1);
    view.arrange(120, 12);
    assert_eq!(view.height, height - 1);
    assert_eq!(marked(&view, Why::Found), ["ab", "AB", "ab"]);
    view.find_close();
    view.arrange(120, 12);
    assert_eq!(view.height, height);
    assert!(marked(&view, Why::Found).is_empty());
}

#[test]
fn a_fold_opens_and_closes_where_one_looks() {
    let before = numbered(200);
    let after = before.replace("line 100\n", "changed\n");
    for width in [120, 80] {
        let mut view = view(&before, &after);
        view.arrange(width, 12);
        let rows = view.row_count();
        let looked_at = here(&view);
        assert!(view.toggle_fold());
        assert_eq!(here(&view), looked_at, "what one looks at stays");
        assert!(view.row_count() > rows + 80);
        view.step(-50);
        assert!(view.lines_at_cursor().is_some(), "a line that was folded away");
        assert!(view.toggle_fold());
        assert_eq!(view.row_count(), rows);
        assert!(!view.cursor_rows().is_empty());
        view.jump_end();
        assert!(view.lines_at_cursor().is_none(), "the end is folded away");
        assert!(view.toggle_fold());
        assert!(view.row_count() > rows + 80);
    }
    let mut view = view("a\n", "b\n");
    assert!(!view.toggle_fold());
}

#[test]
fn a_fold_that_was_opened_is_open_in_the_other_layout_too() {
    let before = numbered(200);
    let after = before.replace("line 100\n", "changed\n");
    let mut view = view(&before, &after);
    view.arrange(120, 12);
    assert!(view.toggle_fold());
    let open = view.row_count();
    view.toggle_layout();
    assert_eq!(
        view.row_count(),
        open + 1,
        "the changed line takes two rows in one column"
    );
    assert!(view.toggle_fold(), "the other fold");
    assert_eq!(view.row_count(), 1 + 201);
    view.toggle_layout();
    assert_eq!(view.row_count(), 1 + 200);
}

#[test]
fn the_cursor_begins_on_the_first_hunk_at_any_width_and_below_any_note() {
    let before = numbered(40);
    for (from, to) in [
        ("line 20\n", "changed\n"),
        ("line 20\n", ""),
        ("line 1\n", "new\nline 1\n"),
        ("line 6\n", "6\n"),
    ] {
        for note in [None, Some(FileNote::Words("a note".to_owned()))] {
            for width in [120, 80] {
                let after = before.replacen(from, to, 1);
                let mut view = DiffView::new(&[FileChange {
                    note: note.clone(),
                    ..change(&before, &after)
                }]);
                view.arrange(width, 30);
                let (_, lines) = view.lines_at_cursor().unwrap();
                let first = &view.files[0].sides().hunks[0];
                let on_it = |line: &Line| match line {
                    Line::Before(line) => first.before.start == *line,
                    Line::After(line) => first.after.start == *line,
                };
                assert!(lines.iter().all(on_it), "{lines:?} {first:?}");
            }
        }
    }
}

#[test]
fn what_is_written_does_not_hang_on_what_is_folded() {
    let before = numbered(60);
    let after = before.replace("line 30\n", "changed\nand new\n");
    let mut view = view(&before, &after);
    assert!(view.toggle_fold());
    view.step(1);
    assert!(view.toggle_line());
    let text = view.files[0].proposal().unwrap();
    assert_eq!(text, before.replace("line 30\n", "changed\n"));
}

#[test]
fn the_texts_of_a_hunk_are_copied_as_they_are() {
    let view = view("a\r\n\tb\r\nc\n", "a\r\nnew\nc\n");
    assert_eq!(
        (view.old_text().as_deref(), view.new_text().as_deref()),
        (Some("\tb\r\n"), Some("new\n"))
    );
    let view = super::find::view("a\n", "a\nb\n");
    assert_eq!(view.old_text(), None);
}
