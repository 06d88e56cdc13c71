//! Tests movement by lines and files, and accepting and discarding.

use super::*;
use benchdog_diff::Line;
use benchdog_domain::permission::PartKept;

fn named(path: &str, before: &str, after: &str) -> FileChange {
    FileChange {
        path: path.to_owned(),
        ..change(before, after)
    }
}

fn text(part: Option<PartKept>) -> String {
    match part {
        Some(PartKept::Text(text)) => text,
        other => panic!("{other:?}"),
    }
}

fn here(view: &DiffView) -> Vec<String> {
    let rows = view.screen_rows();
    let shown = rows.get(view.cursor_rows()).unwrap_or_default();
    shown
        .iter()
        .filter_map(lines)
        .map(|(left, right)| format!("{left}|{right}"))
        .collect()
}

#[test]
fn one_line_of_a_hunk_is_dropped_and_comes_back() {
    let mut view = DiffView::new(&[change("a\nb\nc\n", "a\nB\nnew\nc\n")]);
    view.arrange(120, 10);
    assert_eq!(here(&view), ["b|B"]);
    view.step(1);
    assert!(view.toggle_line());
    assert_eq!(view.files[0].mark(), Mark::Some);
    assert_eq!(text(view.files[0].part()), "a\nB\nc\n");
    view.step(-1);
    assert!(view.toggle_line(), "the last one that was kept");
    assert_eq!(
        (view.files[0].mark(), &*view.files[0].kept),
        (Mark::Dropped, &[false][..])
    );
    assert!(view.toggle_line());
    assert_eq!(text(view.files[0].part()), "a\nB\nc\n", "the other one stays dropped");
    assert!(view.toggle_hunk());
    assert_eq!((view.files[0].mark(), view.files[0].part()), (Mark::Kept, None));
    view.step(-1);
    assert!(!view.toggle_line(), "no changed line");
}

#[test]
fn of_one_column_a_removed_line_is_dropped_without_the_added_one() {
    let mut view = DiffView::new(&[change("a\nb\n", "a\nB\n")]);
    view.arrange(80, 10);
    assert_eq!(here(&view), ["b|"]);
    assert!(view.toggle_line());
    assert_eq!(text(view.files[0].part()), "a\nb\nB\n");
    assert!(view.files[0].is_dropped(0, Line::Before(1)) && !view.files[0].is_dropped(0, Line::After(1)));
}

#[test]
fn the_counts_are_those_of_what_is_kept() {
    let before = numbered(40);
    let after = before.replace("line 10\n", "one\ntwo\n").replace("line 20\n", "");
    let mut view = DiffView::new(&[change(&before, &after)]);
    view.arrange(120, 30);
    assert_eq!(view.counts(), (2, 2));
    view.step_hunk(-9);
    view.toggle_hunk();
    assert_eq!(view.counts(), (0, 1));
}

#[test]
fn what_has_no_hunks_is_dropped_whole() {
    let mut rename = named("b.rs", "same\n", "same\n");
    rename.operation = FileOperation::Rename {
        from: "a.rs".to_owned(),
    };
    let mut gone = named("c.rs", "x\n", "");
    gone.operation = FileOperation::Delete;
    gone.after = None;
    let mut view = DiffView::new(&[rename, gone, change("1\n", "2\n")]);
    view.arrange(120, 20);
    assert_eq!(view.hunk_position(), Some((1, 3)));
    view.toggle_file();
    view.step_file(1);
    assert!(view.toggle_hunk());
    view.files[2].replace("3\n".to_owned());
    let parts: Vec<_> = view.files.iter().map(DiffFile::part).collect();
    let refused = Some(PartKept::Hunks(vec![false]));
    assert_eq!(
        parts,
        [refused.clone(), refused, Some(PartKept::Text("3\n".to_owned()))]
    );
}

#[test]
fn a_removal_is_one_until_lines_of_it_stay() {
    let mut gone = named("c.rs", "x\ny\n", "");
    gone.operation = FileOperation::Delete;
    gone.after = None;
    let mut view = DiffView::new(&[gone]);
    view.arrange(120, 20);
    assert!(view.files[0].removes());
    assert_eq!(view.files[0].operation(), "delete");
    assert!(view.toggle_line());
    assert!(!view.files[0].removes());
    assert_eq!(view.files[0].operation(), "update");
    view.files[0].replace(String::new());
    assert_eq!(
        (view.files[0].operation(), text(view.files[0].part())),
        ("update".to_owned(), String::new())
    );
}

/// Returns the content that is written: the decision applied to the original proposal.
fn written(change: &FileChange, part: Option<PartKept>) -> Option<Vec<u8>> {
    let (before, after) = (change.before.as_deref(), change.after.as_deref());
    match part {
        None => after.map(<[u8]>::to_vec),
        Some(PartKept::Hunks(kept)) if kept.iter().all(|kept| !kept) => before.map(<[u8]>::to_vec),
        Some(PartKept::Hunks(kept)) => {
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            Some(benchdog_diff::keep_bytes(before, after, &kept))
        }
        Some(PartKept::Text(text)) => Some(text.into_bytes()),
    }
}

/// Returns the content that the screen shows: all lines except discarded additions, including discarded removals.
fn promised(file: &DiffFile) -> Vec<u8> {
    file.sides().without(file.rows(DiffLayout::SideBySide), |hunk, line| {
        file.is_dropped(hunk, line)
    })
}

#[test]
fn what_is_written_is_what_is_shown_whatever_was_dropped_and_edited() {
    const LINES: [&[u8]; 9] = [
        b"a\n",
        b"b\n",
        b"c\r\n",
        b"\n",
        b"\xe9\n",
        b"d\r\n",
        "漢\n".as_bytes(),
        b"e",
        b"\xef\xbb\xbff\n",
    ];
    let mut random = fastrand::Rng::with_seed(11);
    for round in 0..3_000 {
        let some = |random: &mut fastrand::Rng| -> Vec<u8> {
            let lines = (0..random.usize(0..12)).map(|_| LINES[random.usize(0..LINES.len())]);
            lines.collect::<Vec<_>>().concat()
        };
        let mut change = named("f", "", "");
        change.before = random.bool().then(|| some(&mut random).into());
        change.after = (change.before.is_none() || random.u8(0..5) > 0).then(|| some(&mut random).into());
        change.operation = match (&change.before, &change.after) {
            (None, _) => FileOperation::Create,
            (_, None) => FileOperation::Delete,
            _ => FileOperation::Update,
        };
        let mut view = DiffView::new(std::slice::from_ref(&change));
        view.arrange(if random.bool() { 120 } else { 60 }, 20);
        for _ in 0..random.u8(0..12) {
            match random.u8(0..8) {
                0 => drop(view.toggle_hunk()),
                1..4 => drop(view.toggle_line()),
                4 => view.toggle_file(),
                5 if !view.files[0].removes() => {
                    if let Some(text) = view.files[0].proposal() {
                        view.replace(0, format!("mine\n{text}"));
                    }
                }
                _ => view.step(random.isize(-6..7)),
            }
        }
        let file = &view.files[0];
        let part = file.part();
        if file.mark() == Mark::Dropped || file.removes() {
            assert_eq!(
                written(&change, part),
                if file.removes() {
                    None
                } else {
                    change.before.as_deref().map(<[u8]>::to_vec)
                }
            );
        } else {
            let shown = String::from_utf8_lossy(&promised(file)).into_owned();
            let written = written(&change, part.clone()).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            assert_eq!(written, Some(shown), "{round}: {change:?} {part:?}");
        }
    }
}

#[test]
fn the_next_hunk_is_the_next_one_from_where_one_looks() {
    let before = numbered(400);
    let after = ["line 10\n", "line 100\n", "line 200\n", "line 300\n"]
        .iter()
        .fold(before.clone(), |text, line| text.replace(line, "changed\n"));
    let mut view = DiffView::new(&[change(&before, &after)]);
    view.arrange(120, 12);
    view.jump_end();
    assert_eq!(view.hunk_position(), Some((4, 4)));
    view.step_hunk(-1);
    assert_eq!(
        here(&view),
        ["line 300|changed"],
        "below the last one, it is the previous one"
    );
    view.step_hunk(-1);
    assert_eq!(view.hunk_position(), Some((3, 4)));
    view.step(2);
    assert_eq!(
        (view.hunk_position(), here(&view)),
        (Some((3, 4)), vec!["line 202|line 202".to_owned()])
    );
    view.step_hunk(1);
    assert_eq!(
        here(&view),
        ["line 300|changed"],
        "just below one, the next one is the one after it"
    );
    view.step_hunk(-1);
    view.step(2);
    view.step_hunk(-1);
    assert_eq!(here(&view), ["line 200|changed"]);
    view.scroll(-1_000);
    view.step(-100);
    view.step_hunk(1);
    assert_eq!(
        (view.hunk_position(), here(&view)),
        (Some((1, 4)), vec!["line 10|changed".to_owned()])
    );
}

#[test]
fn a_line_belongs_to_the_hunk_it_is_nearest_to() {
    let before = numbered(40);
    let after = before
        .replace("line 10\n", "changed\n")
        .replace("line 20\n", "changed\n");
    let mut view = DiffView::new(&[change(&before, &after)]);
    view.arrange(120, 30);
    view.step_hunk(-9);
    assert_eq!(view.hunk_position(), Some((1, 2)));
    view.step(3);
    assert_eq!(view.hunk_position(), Some((1, 2)), "just below it");
    view.step(5);
    assert_eq!(view.hunk_position(), Some((2, 2)), "just above the next");
}

#[test]
fn the_cursor_is_always_in_view() {
    let long = "word ".repeat(60);
    let before: String = (0..200).map(|n| format!("{n} {long}\n")).collect();
    let after = before.replace("7 word", "7 changed");
    let files = [change(&before, &after), named("b.rs", "x\n", "y\n")];
    let mut random = fastrand::Rng::with_seed(7);
    for (width, height) in [(120, 10), (60, 3), (140, 1), (30, 25)] {
        let mut view = DiffView::new(&files);
        view.arrange(width, height);
        for step in 0..400 {
            match random.u8(0..10) {
                0 => view.page(1),
                1 => view.page(-1),
                2 => view.step_hunk(1),
                3 => view.step_hunk(-1),
                4 => view.scroll(5),
                5 => view.scroll(-5),
                6 => view.step_file(if random.bool() { 1 } else { -1 }),
                7 => view.click(random.u16(0..height)),
                8 => view.arrange(width + random.u16(0..40), height),
                _ => view.step(random.isize(-9..9)),
            }
            let rows = view.cursor_rows();
            assert!(
                !rows.is_empty() && rows.end <= usize::from(height),
                "{step}: {rows:?} of {height}"
            );
        }
    }
}

#[test]
fn of_a_line_that_is_higher_than_the_window_no_row_is_leapt_over() {
    let words = |word: &str| (0..400).map(|n| format!("{word}{n} ")).collect::<String>();
    let around = numbered(9);
    let of = |middle: String| format!("{around}{middle}\n{around}");
    let changed = change(&of(words("old")), &of(words("new")));
    for (width, height) in [(80, 10), (120, 6), (60, 1)] {
        let mut view = DiffView::new(std::slice::from_ref(&changed));
        view.arrange(width, 5_000);
        let all = view.screen_rows();
        assert!(all.len() > 3 * usize::from(height));
        view.arrange(width, height);
        for by in [1, -1] {
            if by > 0 {
                view.jump_top();
            } else {
                view.jump_end();
            }
            let mut read: Vec<ScreenRow> = Vec::new();
            let mut before = None;
            while before != Some((view.top, view.cursor)) {
                before = Some((view.top, view.cursor));
                let rows = view.screen_rows();
                read.extend(rows.into_iter().filter(|row| !read.contains(row)).collect::<Vec<_>>());
                view.step(by);
                assert!(!view.cursor_rows().is_empty(), "{width}x{height}");
            }
            let left: Vec<&ScreenRow> = all.iter().filter(|row| !read.contains(row)).collect();
            assert!(left.is_empty(), "{width}x{height}, {by}: {left:?}");
            let end = if by > 0 { view.row_count() - 1 } else { 0 };
            assert_eq!(view.cursor, end);
        }
    }
}

#[test]
fn names_in_the_list_fit_and_stay_distinct() {
    let paths = [
        "src/a/very/long/folder/name/that/goes/on/mod.rs",
        "src/b/very/long/folder/name/that/goes/on/mod.rs",
        "src/short.rs",
        "a_name_without_any_folder_that_is_longer_than_the_list.rs",
        "深/い/フォルダ/の/とても/長い/名前/ファイル.rs",
    ];
    let files: Vec<_> = paths.iter().map(|path| named(path, "a\n", "b\n")).collect();
    let view = DiffView::new(&files);
    for columns in [20, 24, 44] {
        let names = view.names(0, 9, columns);
        assert!(
            names.iter().all(|name| benchdog_base::text::width(name) <= columns),
            "{names:?}"
        );
        assert!(are_distinct(&names), "{names:?}");
        assert!(names[4].ends_with("ファイル.rs"), "{names:?}");
        assert!(columns < 44 || names[0].ends_with("mod.rs"), "{names:?}");
    }
    let alike = (0..30).map(|n| format!("gen/pkg_{n:02}/module_{n:02}_with_a_rather_long_file_name.py"));
    let files: Vec<_> = alike.map(|path| named(&path, "a\n", "b\n")).collect();
    let names = DiffView::new(&files).names(0, 30, 20);
    assert!(are_distinct(&names) && names[0] == "…pkg_00/module_00_w…", "{names:?}");
}

fn are_distinct(names: &[String]) -> bool {
    let distinct: std::collections::BTreeSet<_> = names.iter().collect();
    distinct.len() == names.len()
}

#[test]
fn comments_stay_with_their_lines_when_the_proposal_is_edited() {
    let mut view = DiffView::new(&[change("a\nb\nc\nd\n", "a\nB\nc\nD\n")]);
    view.arrange(120, 20);
    view.set_comment((0, Line::After(1)), "on B");
    view.set_comment((0, Line::After(3)), "on D");
    view.set_comment((0, Line::Before(3)), "on d");
    view.replace(0, "new\nnewer\na\nc\nD\n".to_owned());
    let message = view.message().unwrap();
    for part in [
        "as proposed:\n    B\non B",
        "a.rs:5, as proposed:\n    D\non D",
        "a.rs:4, before the change:\n    d\non d",
    ] {
        assert!(message.contains(part), "{part}: {message}");
    }
    assert!(
        view.screen_rows()
            .iter()
            .any(|row| matches!(row, ScreenRow::Comment(text) if text.contains("on D")))
    );
}

#[test]
fn what_was_dropped_before_an_edit_stays_in_the_list_and_can_be_taken_back() {
    let before = numbered(60);
    let after = before
        .replace("line 5\n", "five\n")
        .replace("line 20\n", "twenty\n")
        .replace("line 40\n", "forty\n");
    let mut view = DiffView::new(&[change(&before, &after)]);
    view.arrange(120, 20);
    view.step_hunk(1);
    assert!(view.toggle_hunk());
    view.step_hunk(1);
    let kept = view.files[0].proposal().unwrap();
    assert!(kept.contains("line 20\n") && !kept.contains("twenty"));
    let written = kept.replace("forty\n", "mine\nforty\n");
    view.replace(0, written.clone());
    let marks = |view: &DiffView| -> Vec<Mark> { (0..3).map(|hunk| view.files[0].mark_of_hunk(hunk)).collect() };
    assert_eq!(view.files[0].kept.len(), 3);
    assert_eq!(marks(&view), [Mark::Kept, Mark::Dropped, Mark::Kept]);
    assert_eq!(text_of(&view), written);
    view.go_to_line(0, written.lines().position(|line| line == "mine").unwrap());
    assert_eq!(here(&view), ["line 40|mine"]);
    view.step_hunk(-1);
    assert!(view.toggle_hunk());
    assert_eq!(text_of(&view), written.replace("line 20\n", "twenty\n"));
}

fn text_of(view: &DiffView) -> String {
    text(view.files[0].part())
}
