mod anew;
mod desk;
mod find;
mod fit;
mod laid;
mod sight;

use super::*;
use benchdog_domain::review::{FileNote, FileOperation};

fn change(before: &str, after: &str) -> FileChange {
    FileChange {
        path: "a.rs".to_owned(),
        operation: FileOperation::Update,
        before: Some(before.as_bytes().into()),
        after: Some(after.as_bytes().into()),
        mode_after: None,
        note: None,
    }
}

fn numbered(n: usize) -> String {
    (1..=n).map(|n| format!("line {n}\n")).collect()
}

fn lines(row: &ScreenRow) -> Option<(&str, &str)> {
    match row {
        ScreenRow::Lines { left, right, .. } => {
            let text = |cell: &Option<SideCell>| cell.as_ref().map_or("", |cell| cell.text.clone().leak());
            Some((text(left), text(right)))
        }
        ScreenRow::File(_) | ScreenRow::Folded { .. } | ScreenRow::Note(_) | ScreenRow::Comment(_) => None,
    }
}

fn marked(view: &DiffView, why: Why) -> Vec<String> {
    let mut words = Vec::new();
    for row in view.screen_rows() {
        let ScreenRow::Lines { left, right, .. } = row else {
            continue;
        };
        for cell in left.iter().chain(right.iter()) {
            let of_why = cell.marked.iter().filter(|(marked, _)| *marked == why);
            words.extend(of_why.map(|(_, range)| cell.text.get(range.clone()).unwrap().to_owned()));
        }
    }
    words
}

#[test]
fn a_file_that_could_not_be_read_is_not_called_empty() {
    let notes = |note: Option<&str>| {
        let unread = FileChange {
            note: note.map(|note| FileNote::Words(note.to_owned())),
            ..change("", "")
        };
        let mut view = DiffView::new(&[unread]);
        view.arrange(80, 10);
        let rows = view.screen_rows();
        let notes = rows.iter().filter_map(|row| match row {
            ScreenRow::Note(note) => Some(note.clone()),
            _ => None,
        });
        notes.collect::<Vec<_>>()
    };
    assert_eq!(notes(None), ["the file is empty"]);
    assert_eq!(notes(Some("it holds too much")), ["it holds too much"]);
}

#[test]
fn wide_views_stand_side_by_side_and_narrow_ones_do_not() {
    let mut view = DiffView::new(&[change("a\nold\nb\n", "a\nnew\nb\n")]);
    view.arrange(120, 10);
    assert_eq!(view.layout(), DiffLayout::SideBySide);
    assert_eq!(
        view.screen_rows().iter().filter_map(lines).collect::<Vec<_>>(),
        [("a", "a"), ("old", "new"), ("b", "b")]
    );
    view.arrange(80, 10);
    assert_eq!(view.layout(), DiffLayout::Unified);
    assert_eq!(
        view.screen_rows().iter().filter_map(lines).collect::<Vec<_>>(),
        [("", "a"), ("old", ""), ("", "new"), ("", "b")]
    );
}

#[test]
fn both_sides_keep_their_height_under_wrap_at_every_width() {
    let long = "let total = items.iter().map(|item| item.price * item.count).sum::<u64>(); // 漢字漢字";
    let before = format!("{}{long}\n{}", numbered(3), numbered(3));
    let after = before.replace("let total", "let the_whole_total_of_everything");
    let mut view = DiffView::new(&[change(&before, &after)]);
    for width in 1..220 {
        view.arrange(width, 5_000);
        let columns = view.columns();
        let rows = view.screen_rows();
        assert_eq!(
            rows.len(),
            (0..view.row_count()).map(|row| view.row_height(row)).sum::<usize>()
        );
        for cell in rows
            .iter()
            .filter_map(|row| {
                if let ScreenRow::Lines { left, right, .. } = row {
                    Some([left, right])
                } else {
                    None
                }
            })
            .flatten()
            .flatten()
        {
            assert!(
                benchdog_base::text::width(&cell.text) <= columns.text.max(2),
                "{width}: {:?}",
                cell.text
            );
            for (_, range) in &cell.marked {
                assert!(cell.text.get(range.clone()).is_some(), "{width}");
            }
        }
    }
}

#[test]
fn changed_words_are_marked_in_both_layouts() {
    for columns in [120, 80] {
        let mut view = DiffView::new(&[change("\tlet rate = 1;\n", "\tlet rate = 2;\n")]);
        view.arrange(columns, 10);
        let changed = marked(&view, Why::Changed);
        assert_eq!(changed, ["1", "2"], "{columns}");
    }
}

#[test]
fn hunks_are_stepped_through_and_dropped() {
    let before = numbered(60);
    let after = before.replace("line 5\n", "five\n").replace("line 50\n", "fifty\n");
    let mut view = DiffView::new(&[change(&before, &after)]);
    view.arrange(120, 8);
    assert_eq!(view.hunk_position(), Some((1, 2)));
    view.step_hunk(1);
    assert_eq!(view.hunk_position(), Some((2, 2)));
    assert!(
        view.screen_rows()
            .iter()
            .filter_map(lines)
            .any(|row| row == ("line 50", "fifty"))
    );
    view.toggle_hunk();
    assert_eq!(view.files[0].kept, [true, false]);
    let proposal = view.files[0].proposal().unwrap();
    assert!(proposal.contains("five") && proposal.contains("line 50"));
}

#[test]
fn the_end_is_the_end_and_no_further() {
    let mut view = DiffView::new(&[change(&numbered(30), &numbered(29))]);
    view.arrange(120, 5);
    view.jump_end();
    let end = view.screen_rows();
    view.scroll(100);
    assert_eq!(view.screen_rows(), end);
    assert_eq!(end.len(), 5);
    view.scroll(-1_000);
    assert_eq!(view.screen_rows()[0], ScreenRow::File(0));
}

#[test]
fn invisible_characters_are_shown_to_who_decides() {
    let mut view = DiffView::new(&[change("a\n", "a\u{202e}b\u{1b}[2K\n")]);
    view.arrange(80, 9);
    let rows = view.screen_rows();
    assert!(
        rows.iter().filter_map(lines).any(|(_, right)| right == "a⟨202E⟩b␛[2K"),
        "{rows:?}"
    );
}

#[test]
fn a_binary_file_says_what_it_is() {
    let mut binary = change("", "");
    binary.after = Some(vec![0, 1, 2].into());
    let mut view = DiffView::new(&[binary]);
    view.arrange(80, 5);
    assert!(
        view.screen_rows()
            .contains(&ScreenRow::Note("binary: 0 bytes before, 3 bytes after".to_owned()))
    );
}

#[test]
fn unwrapped_lines_move_sideways_by_columns() {
    let mut view = DiffView::new(&[change("", "漢字漢字 abcdefghij klmnop\n")]);
    view.arrange(30, 5);
    view.toggle_wrap();
    view.sideways(4);
    let rows = view.screen_rows();
    assert!(
        rows.iter()
            .filter_map(lines)
            .any(|(_, right)| right.starts_with("漢字 abc")),
        "{rows:?}"
    );
}

#[test]
fn the_rows_of_a_long_diff_are_not_made_only_to_be_counted() {
    let view = DiffView::new(&[change("", &numbered(MANY_ROWS + 1))]);
    assert!(view.rows_wanted() > MANY_ROWS);
    assert!(view.files[0].unified.get().is_none());
    let view = DiffView::new(&[change("a\nb\n", "a\nB\n")]);
    assert_eq!(view.rows_wanted(), 4);
}

#[test]
fn a_change_of_the_mode_alone_is_said_in_the_row_of_the_file() {
    let lines = numbered(18);
    let changes = [FileChange {
        mode_after: Some(0o755),
        ..change(&lines, &lines)
    }];
    for is_named in [false, true] {
        let mut view = DiffView::new(&changes);
        view.named_above(is_named);
        view.arrange(80, 40);
        let rows = view.screen_rows();
        assert!(matches!(
            rows[..],
            [ScreenRow::File(0), ScreenRow::Folded { lines: 18 }]
        ));
        let file = &view.files[0];
        assert_eq!(
            (file.operation().as_str(), file.has_name(), file.has_counts()),
            ("mode becomes 755", !is_named, false)
        );
    }
}

#[test]
fn of_a_new_file_that_the_title_names_the_row_says_only_that_it_is_new() {
    let mut new = change("", "a\n");
    new.operation = FileOperation::Create;
    new.before = None;
    let mut view = DiffView::new(&[new]);
    let said = |view: &DiffView| (view.files[0].has_name(), view.files[0].has_counts());
    assert_eq!(said(&view), (true, true));
    view.named_above(true);
    view.arrange(80, 40);
    assert!(matches!(view.screen_rows()[0], ScreenRow::File(0)));
    assert_eq!(
        (said(&view), view.files[0].operation()),
        ((false, false), "create".to_owned())
    );
}

#[test]
fn a_file_that_the_title_names_has_no_row_for_that_and_the_cursor_stays_on_its_line() {
    let after = numbered(60).replace("line 50\n", "fifty\n");
    let has_name = |view: &DiffView| {
        let rows = view.screen_rows();
        rows.iter().any(|row| matches!(row, ScreenRow::File(_)))
    };
    let mut view = DiffView::new(&[change(&numbered(60), &after)]);
    view.arrange(80, 40);
    let line = view.lines_at_cursor();
    assert!(line.is_some() && has_name(&view));
    for is_named in [true, false, true] {
        view.named_above(is_named);
        view.arrange(80, 40);
        assert_eq!((has_name(&view), view.lines_at_cursor()), (!is_named, line.clone()));
        assert_eq!(view.hunk_position(), Some((1, 1)));
    }
    // The row with the name shows that the file is deleted.
    let gone = FileChange {
        operation: FileOperation::Delete,
        after: None,
        ..change("a\n", "")
    };
    for changes in [vec![gone], vec![change("a\n", "b\n"), change("c\n", "d\n")]] {
        let mut view = DiffView::new(&changes);
        view.named_above(true);
        view.arrange(80, 40);
        assert!(has_name(&view));
    }
}

#[test]
fn a_line_and_its_row_are_found_from_each_other_in_every_file() {
    let after = numbered(30).replace("line 15\n", "another\n");
    let of = |n: usize| FileChange {
        path: format!("{n}.rs"),
        ..change(&numbered(30), &after)
    };
    let mut view = DiffView::new(&[of(0), of(1), of(2)]);
    for width in [80, 130] {
        view.arrange(width, 20);
        // Go from the last row up, because `line_from` returns the line below for a row without lines.
        let mut below = None;
        for row in (0..view.row_count()).rev() {
            if let Some(cells::LogicalRow::Lines { file, left, right, .. }) = view.row(row) {
                below = Some((file, left, right));
                assert_eq!(view.row_of_line((file, left, right)), row, "{width}");
            }
            assert_eq!(view.line_from(row), below, "{width}: {row}");
        }
        assert_eq!(below, view.line_from(0));
    }
}
