use super::*;
use benchdog_diff::patch::Conflict;

#[test]
fn a_conflict_is_read_as_it_was_written_and_other_lines_stay() {
    let conflict = Conflict {
        path: "a.txt".to_owned(),
        line: 5,
        before: vec!["one | two".to_owned()],
        here: Vec::new(),
        there: (0..20).map(|n| n.to_string()).collect(),
    };
    let told = format!("Updated b.txt.\n  here   | of a file\n{conflict}{conflict}The end.\n");
    // In English, the translation equals the text in the log.
    assert_eq!(merged(&told), told);
    assert!(matches!(merged("  here   | of a file\n"), Cow::Borrowed(_)));
    let lines = conflict.to_string();
    let read: Vec<_> = lines.lines().map(read_conflict).collect();
    assert_eq!(read[0], Some(ConflictLine::At("a.txt:5")));
    assert_eq!(read[1], Some(ConflictLine::Of(0, "one | two")));
    assert_eq!(read[2], Some(ConflictLine::NoLines(1)));
    assert_eq!(read[15], Some(ConflictLine::Of(2, "… 8 more lines")));
}
