use super::*;

fn at(line: u32, message: &str) -> Diagnostic {
    Diagnostic {
        line,
        character: 0,
        severity: Severity::Error,
        message: message.to_owned(),
        code: None,
    }
}

fn new(before: (&[Diagnostic], &str), now: (&[Diagnostic], &str)) -> Vec<u32> {
    let earlier = Snapshot::of(before.0, Some(before.1));
    let found = earlier.find_new(now.0.to_vec(), Some(now.1));
    found.into_iter().map(|found| found.line).collect()
}

#[test]
fn a_line_that_moved_is_the_same() {
    assert_eq!(new((&[at(1, "x")], "bad"), (&[at(3, "x")], "a\nb\nbad")), [0; 0]);
}

#[test]
fn of_equal_messages_the_one_on_the_changed_line_is_new() {
    let now = [at(1, "x"), at(2, "x")];
    assert_eq!(new((&[at(1, "x")], "old"), (&now, "other\nold")), [1]);
    assert_eq!(new((&[at(1, "x")], "old"), (&now, "old\nother")), [2]);
}

#[test]
fn the_same_message_on_a_rewritten_line_is_not_new() {
    assert_eq!(new((&[at(1, "x")], "old"), (&[at(1, "x")], "rewritten")), [0; 0]);
}

#[test]
fn without_texts_messages_are_counted() {
    let earlier = Snapshot::of(&[at(1, "x")], None);
    let found = earlier.find_new(vec![at(5, "x"), at(6, "x"), at(7, "y")], None);
    let lines: Vec<u32> = found.iter().map(|found| found.line).collect();
    assert_eq!(lines, [6, 7]);
}
