//! Tests that decisions, comments and edits are transferred to a rebuilt proposal.

use super::*;
use benchdog_diff::Line;
use benchdog_lang::{Word, word};

fn taken(old: &[FileChange], new: &[FileChange], made: impl FnOnce(&mut DiffView)) -> (DiffView, usize) {
    let mut view = DiffView::new(old);
    view.arrange(120, 30);
    made(&mut view);
    let mut anew = DiffView::new(new);
    let (_, lost) = anew.take_over(view, old);
    anew.arrange(120, 30);
    (anew, lost.len())
}

#[test]
fn of_hunks_that_look_the_same_the_one_that_was_dropped_stays_dropped() {
    let before = "x\na\nb\nc\nx\nd\ne\nf\nx\n";
    let at = |text: &str, n: usize| {
        let mut lines: Vec<&str> = text.split_inclusive('\n').collect();
        lines[n] = "X\n";
        lines.concat()
    };
    let old = change(before, &at(&at(&at(before, 0), 4), 8));
    let above = format!("new\n{before}");
    let new = change(&above, &at(&at(&at(&above, 1), 5), 9));
    let (view, _) = taken(&[old], &[new], |view| {
        view.step_hunk(1);
        view.toggle_hunk();
    });
    assert_eq!(view.files[0].kept, [true, false, true]);
}

#[test]
fn single_lines_that_were_dropped_stay_dropped_and_so_does_a_hunk_that_became_another() {
    let before = numbered(30);
    let after = before
        .replace("line 5\n", "five\nmore\n")
        .replace("line 20\n", "twenty\n");
    let meanwhile = |text: &str| text.replace("line 1\n", "line 1\nin between\n");
    let (view, _) = taken(
        &[change(&before, &after)],
        &[change(
            &meanwhile(&before),
            &meanwhile(&after).replace("twenty\n", "20\n"),
        )],
        |view| {
            view.step(1);
            assert!(view.toggle_line());
            view.step_hunk(1);
            view.toggle_hunk();
        },
    );
    assert!(view.files[0].is_dropped(0, Line::After(6)), "more");
    assert!(!view.files[0].is_dropped(0, Line::After(5)), "five");
    assert_eq!(view.files[0].mark_of_hunk(1), Mark::Dropped, "what was refused");
    let said = word(Word::DroppedAsWhole);
    assert!(view.files[0].notes.iter().any(|note| note == said));
}

#[test]
fn a_hunk_that_was_dropped_and_is_one_with_its_neighbour_now_was_kept_without_a_word() {
    for (by, line) in [(0, false), (1, false), (0, true)] {
        let (view, _) = taken(
            &[change("top\na\nsame\nb\nend\n", "top\nA\nsame\nB\nend\n")],
            &[change("top\na\nb\nend\n", "top\nA\nB\nend\n")],
            |view| {
                view.step_hunk(by);
                assert!(if line { view.toggle_line() } else { view.toggle_hunk() });
                assert_eq!(view.files[0].mark(), Mark::Some);
            },
        );
        assert_eq!(view.files[0].mark(), Mark::Dropped, "{by} {line}");
        let said = word(Word::DroppedAsWhole);
        assert!(view.files[0].notes.iter().any(|note| note == said));
    }
}

#[test]
fn of_hunks_that_look_the_same_none_is_dropped_for_one_that_became_another() {
    let (view, _) = taken(
        &[change("x\nsame\nb\n1\n2\n3\nx\nend\n", "X\nsame\nB\n1\n2\n3\nX\nend\n")],
        &[change("x\nb\n1\n2\n3\nx\nend\n", "X\nB\n1\n2\n3\nX\nend\n")],
        |view| {
            view.toggle_hunk();
        },
    );
    assert_eq!(view.files[0].kept, [false, true]);
}

#[test]
fn a_dropped_change_that_is_not_there_any_more_is_said_and_takes_nothing_with_it() {
    let before = numbered(30);
    let after = before.replace("line 5\n", "five\n").replace("line 20\n", "twenty\n");
    let made = before.replace("line 5\n", "five\n");
    let (view, _) = taken(&[change(&before, &after)], &[change(&made, &after)], |view| {
        view.toggle_hunk();
    });
    assert_eq!(view.files[0].kept, [true]);
    let said = word(Word::DroppedIsGone);
    assert!(view.files[0].notes.iter().any(|note| note == said));
}

#[test]
fn a_hunk_of_the_persons_own_text_that_was_dropped_stays_dropped() {
    let before = numbered(30);
    let after = before.replace("line 5\n", "five\n").replace("line 20\n", "twenty\n");
    let meanwhile = |text: &str| format!("new\n{text}");
    let (view, lost) = taken(
        &[change(&before, &after)],
        &[change(&meanwhile(&before), &meanwhile(&after))],
        |view| {
            view.replace(0, after.replace("five\n", "my five\n"));
            view.step_hunk(1);
            view.toggle_hunk();
            assert_eq!(view.files[0].kept, [true, false]);
        },
    );
    assert_eq!((view.files[0].kept.as_slice(), lost), (&[true, false][..], 0));
    let text = view.files[0].proposal().unwrap();
    assert!(text.starts_with("new\n") && text.contains("my five\n") && text.contains("line 20\n"));
}

#[test]
fn a_file_that_is_proposed_as_before_stays_as_it_was_edited() {
    let named = |path: &str, before: &str, after: &str| FileChange {
        path: path.to_owned(),
        ..change(before, after)
    };
    let one = named("one.rs", "a\n", "b\n");
    let (view, lost) = taken(
        &[one.clone(), named("two.rs", "c\n", "d\n")],
        &[one, named("two.rs", "c\nnew\n", "d\nnew\n")],
        |view| view.replace(0, "mine\n".to_owned()),
    );
    assert_eq!(view.files[0].proposal().as_deref(), Some("mine\n"));
    assert_eq!(lost, 0);
}

#[test]
fn the_cursor_stays_at_its_line() {
    let before = numbered(60);
    let after = before.replace("line 10\n", "ten\n").replace("line 50\n", "fifty\n");
    let meanwhile = |text: &str| text.replace("line 30\n", "line 30\nin between\n");
    let (view, _) = taken(
        &[change(&before, &after)],
        &[change(&meanwhile(&before), &meanwhile(&after))],
        |view| view.step_hunk(1),
    );
    assert_eq!(view.hunk_position(), Some((2, 2)));
    assert_eq!(
        view.lines_at_cursor(),
        Some((0, vec![Line::After(50), Line::Before(50)]))
    );
}
