use super::*;

fn finding(path: &str, line: u64, severity: Severity) -> Finding {
    Finding {
        path: path.to_owned(),
        line,
        severity,
        title: "a title".to_owned(),
        detail: String::new(),
    }
}

#[test]
fn the_gravest_stand_first_and_nothing_stands_twice() {
    let mut known = Vec::new();
    let (note, error) = (finding("a", 1, Severity::Note), finding("b", 9, Severity::Error));
    gather(&mut known, &[note.clone(), finding("b", 2, Severity::Error)]);
    gather(&mut known, &[error.clone(), note.clone()]);
    let lines: Vec<String> = known.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        ["b:2: error: a title", "b:9: error: a title", "a:1: note: a title"]
    );
}

#[test]
fn severities_are_known_by_many_words_and_ordered() {
    assert!(Severity::Error > Severity::Warning && Severity::Warning > Severity::Note);
    for severity in Severity::ALL {
        assert_eq!(Severity::of(severity.word()), Some(severity));
    }
    assert_eq!(Severity::of(" Critical "), Some(Severity::Error));
    assert_eq!(Severity::of("severe-ish"), None);
}
