use super::*;

fn lines(count: usize, end: &str) -> String {
    (0..count).map(|n| format!("line {n}{end}")).collect()
}

#[test]
fn only_the_lines_around_are_opened_and_the_rest_stays() {
    for end in ["\n", "\r\n"] {
        let text = lines(5_000, end);
        let mut editor = Editor::open(0, &text, 2_000).unwrap();
        assert_eq!((editor.line(), editor.is_changed()), (2_000, false));
        assert!(editor.buffer.text().lines().count() <= LINES);
        assert_eq!(editor.text(), text);
        editor.buffer.insert("new ");
        let edited = text.replace("line 2000", "new line 2000");
        assert!(editor.is_changed());
        assert_eq!(editor.text(), edited);
    }
}

#[test]
fn a_line_at_either_end_and_behind_it_is_found() {
    for (text, line) in [("", 0), ("a", 0), ("a\n", 1), ("a\nb", 9), ("a\r\nb\r\n", 2)] {
        let editor = Editor::open(0, text, line).unwrap();
        assert_eq!(editor.text(), text, "{line}");
    }
}

#[test]
fn what_an_editor_would_lose_is_not_opened() {
    for text in ["a\u{c}b\n", "one\r\ntwo\n", "a\rb\n", "\u{10f001}\n"] {
        assert!(Editor::open(0, text, 0).is_none(), "{text:?}");
    }
}

#[test]
fn lines_have_the_numbers_of_the_file() {
    let mut editor = Editor::open(0, &lines(1_000, "\n"), 600).unwrap();
    editor.buffer.arrange(5, 6);
    let numbers: Vec<_> = editor.numbers().collect();
    // Each line takes two rows of four columns. The first row of the cursor's line is in the middle.
    assert_eq!(numbers, [None, Some(600), None, Some(601), None, Some(602)]);
    assert_eq!((editor.gutter(), editor.lines()), (5, (351, 851, 1_001)));
}

#[test]
fn a_new_line_and_a_tab_follow_the_lines_around() {
    let mut editor = Editor::open(0, "if a:\n  b\n", 1).unwrap();
    editor.buffer.go(crate::panes::prompt::buffer::Move::LineEnd);
    editor.newline();
    editor.buffer.insert("c");
    editor.newline();
    editor.indent();
    editor.buffer.insert("d");
    assert_eq!(editor.text(), "if a:\n  b\n  c\n    d\n");
    let mut editor = Editor::open(0, "a:\n\tb\n", 0).unwrap();
    editor.indent();
    assert_eq!(editor.text(), "\ta:\n\tb\n");
}

/// Returns the selection after keys. `>` and `<` go to the next and previous match, other characters are typed.
fn found(text: &str, line: usize, keys: &str) -> (Option<String>, Option<(usize, usize)>, usize) {
    let mut editor = Editor::open(0, text, line).unwrap();
    editor.find_open();
    for key in keys.chars() {
        match key {
            '>' => editor.find_step(1),
            '<' => editor.find_step(-1),
            letter => editor.find_edit(|query| query.push(letter)),
        }
    }
    let hits = editor.find.as_ref().and_then(|find| find.line.hits);
    (editor.buffer.selected(), hits, editor.line())
}

#[test]
fn the_nearest_place_from_the_caret_is_shown_while_one_types_and_the_others_follow_round_the_end() {
    let text = "total\nother\nTotal of totals\n漢字\n";
    let one = |word: &str, at, line| (Some(word.to_owned()), Some((at, 3)), line);
    assert_eq!(found(text, 1, "total"), one("Total", 2, 2));
    assert_eq!(found(text, 1, "total>"), one("total", 3, 2));
    assert_eq!(found(text, 1, "total>>"), one("total", 1, 0));
    assert_eq!(found(text, 1, "total<<"), one("total", 3, 2));
    assert_eq!(found(text, 0, "Total").1, Some((1, 1)));
    assert_eq!(found(text, 0, "字"), (Some("字".to_owned()), Some((1, 1)), 3));
    assert_eq!(found(text, 1, "nowhere"), (None, Some((0, 0)), 1));
    assert_eq!(found(text, 1, ">"), (None, None, 1));
}

#[test]
fn an_empty_find_line_looks_for_what_was_looked_for_before() {
    let mut editor = Editor::open(0, "a b a\n", 0).unwrap();
    editor.find_open();
    editor.find_edit(|query| query.push('a'));
    editor.find_close();
    assert_eq!(editor.buffer.selection(), Some(0..1));
    editor.find_open();
    editor.find_step(1);
    assert_eq!(editor.buffer.selection(), Some(4..5));
}

#[test]
fn only_what_is_looked_for_now_is_marked() {
    let mut editor = Editor::open(0, "one two one\n", 0).unwrap();
    assert!(editor.found_in(0..11).is_empty());
    editor.find_open();
    editor.find_edit(|query| query.push_str("one"));
    assert_eq!(editor.found_in(2..11).first(), Some(&(8..11)));
    editor.find_close();
    assert!(editor.found_in(0..11).is_empty());
}

fn press(editor: &mut Editor, key: u8, typed: &str) {
    use crate::panes::prompt::buffer::Move;
    match key {
        0 | 1 => editor.buffer.insert(typed),
        2 => editor.newline(),
        3 => editor.indent(),
        4 => editor.buffer.delete(Move::Left),
        5 => editor.buffer.delete(Move::WordLeft),
        6 => editor.buffer.delete(Move::LineEnd),
        7 => editor.buffer.select(Move::WordRight),
        8 => editor.buffer.select_up(),
        9 => editor.buffer.select_all(),
        10 => editor.buffer.go(Move::TextStart),
        11 => {
            editor.buffer.down();
        }
        12 => editor.buffer.undo(),
        13 => {
            editor.find_open();
            editor.find_edit(|query| query.push_str(typed));
            editor.find_step(1);
            editor.find_close();
        }
        _ => editor.buffer.redo(),
    }
    editor.buffer.arrange(12, 5);
}

proptest::proptest! {
    #[test]
    fn any_keys_leave_what_undo_brings_back_byte_for_byte(
        lines in proptest::collection::vec("[a \t漢é👨]{0,8}", 0..6),
        crlf: bool,
        ended: bool,
        keys in proptest::collection::vec((0u8..15, "[a\t漢\u{301}\n👨\u{200d}\r]{1,3}"), 0..40),
    ) {
        let end = if crlf { "\r\n" } else { "\n" };
        let before = lines.join(end) + if ended { end } else { "" };
        let mut editor = Editor::open(0, &before, 2).unwrap();
        for (key, typed) in keys {
            press(&mut editor, key, &typed);
            let text = editor.text();
            proptest::prop_assert_eq!(text.matches('\r').count(), text.matches("\r\n").count());
        }
        (0..100).for_each(|_| editor.buffer.undo());
        proptest::prop_assert_eq!(editor.text(), before);
        proptest::prop_assert!(!editor.is_changed());
    }
}

#[test]
fn the_line_that_was_looked_at_is_in_the_middle_and_moving_moves_the_picture_as_little_as_possible() {
    let text: String = (0..100).map(|n| format!("line {n}\n")).collect();
    let mut editor = Editor::open(0, &text, 50).unwrap();
    let row = |editor: &mut Editor| {
        editor.buffer.arrange(80, 11);
        (editor.buffer.lines_above_view(), editor.buffer.view().caret.1)
    };
    assert_eq!(row(&mut editor), (45, 5));
    for _ in 0..3 {
        editor.buffer.down();
    }
    assert_eq!(row(&mut editor), (45, 8));
    let mut editor = Editor::open(0, &text, 1).unwrap();
    assert_eq!(row(&mut editor), (0, 1));
}

#[test]
fn what_was_typed_is_undone_where_others_changed_the_lines_around_and_what_they_wrote_never() {
    let text = lines(20, "\n");
    let mut editor = Editor::open(0, &text, 10).unwrap();
    editor.buffer.insert("mine ");
    let theirs = format!("new\n{}", text.replace("line 15\n", ""));
    let mut there = editor.carried(0, &theirs).unwrap();
    let mine = theirs.replace("line 10", "mine line 10");
    assert_eq!(there.text(), mine);
    there.buffer.undo();
    assert_eq!(there.text(), theirs);
    there = there.carried(0, &format!("first\n{theirs}")).unwrap();
    there.buffer.redo();
    assert_eq!(there.text(), format!("first\n{mine}"));
}

#[test]
fn undo_ends_before_a_step_in_a_line_that_others_changed() {
    let text = lines(20, "\n");
    let mut editor = Editor::open(0, &text, 10).unwrap();
    editor.buffer.go_to(editor.buffer.caret() + 2);
    editor.buffer.insert("x");
    editor.buffer.delete(crate::panes::prompt::buffer::Move::Left);
    let theirs = text.replace("line 10\n", "LINE 10\n");
    let mut there = editor.carried(0, &theirs).unwrap();
    there.buffer.undo();
    there.buffer.undo();
    assert_eq!(there.text(), theirs);
}

#[test]
fn words_in_a_line_that_others_changed_too_stand_and_undo_goes_on_in_it() {
    let text = lines(20, "\n");
    let mut editor = Editor::open(0, &text, 10).unwrap();
    editor.buffer.insert("mine ");
    let caret = editor.line();
    let theirs = format!("new\n{}", text.replace("line 10\nline 11\n", "LINE 10\nLINE 11\n"));
    let mut there = editor.carried(0, &theirs).unwrap();
    let mine = theirs.replace("LINE 10", "mine line 10");
    assert_eq!((there.text(), there.beside), (mine.clone(), Some(Beside::Replaced)));
    assert_eq!(there.line(), caret + 1);
    // The user's text still counts as a replacement after another program changes a different place.
    there = there.carried(0, &format!("first\n{theirs}")).unwrap();
    assert_eq!(there.beside, Some(Beside::Replaced));
    there.buffer.undo();
    assert_eq!(there.text(), format!("first\n{}", mine.replace("mine ", "")));
}
