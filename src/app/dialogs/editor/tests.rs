//! What comes out of an editor is what went in, but for what was typed.

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
    // Each takes two rows of four columns; the caret is in the first row of the last.
    assert_eq!(numbers, [None, Some(599), None, Some(600), None, Some(601)]);
    assert_eq!((editor.gutter(), editor.lines()), (5, (351, 851, 1_001)));
}

#[test]
fn a_new_line_and_a_tab_follow_the_lines_around() {
    let mut editor = Editor::open(0, "if a:\n  b\n", 1).unwrap();
    editor.buffer.go(crate::app::panes::prompt::buffer::Move::LineEnd);
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
