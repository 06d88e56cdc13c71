use super::*;

const FILE: &str = "/p/a.rs";

fn error(message: &str) -> Vec<Diagnostic> {
    vec![Diagnostic {
        line: 1,
        character: 0,
        severity: Severity::Error,
        message: message.to_owned(),
        code: None,
    }]
}

fn answer(known: &Diagnostics, pulls: bool) -> Answer {
    known
        .file(Path::new(FILE))
        .map_or(Answer::No, |file| file.answer(pulls))
}

#[test]
fn only_the_version_that_was_sent_last_is_an_answer() {
    let (mut known, file) = (Diagnostics::default(), Path::new(FILE));
    known.record_sent(file, 1);
    known.record_pushed(file, Some(1), error("old"));
    assert_eq!(answer(&known, false), Answer::Yes);
    known.record_sent(file, 2);
    assert_eq!(answer(&known, false), Answer::No);
    known.record_pushed(file, Some(1), error("of before"));
    assert_eq!(answer(&known, false), Answer::No);
    assert_eq!(known.file(file).unwrap().items(), error("old"));
    known.record_pushed(file, Some(2), error("new"));
    assert_eq!(answer(&known, false), Answer::Yes);
}

#[test]
fn diagnostics_of_an_older_version_that_are_sent_again_may_be_followed_by_others() {
    let (mut known, file) = (Diagnostics::default(), Path::new(FILE));
    known.record_sent(file, 1);
    known.record_pushed(file, Some(1), error("old"));
    assert_eq!(answer(&known, false), Answer::Yes);
    known.record_sent(file, 2);
    known.record_pushed(file, Some(2), error("old"));
    assert!(matches!(answer(&known, false), Answer::Settles(_)));
    known.record_pushed(file, Some(2), error("new"));
    assert_eq!(answer(&known, false), Answer::Yes);
}

#[test]
fn diagnostics_of_an_older_version_are_not_current_after_an_answer_on_request() {
    let (mut known, file) = (Diagnostics::default(), Path::new(FILE));
    known.record_sent(file, 1);
    known.record_pushed(file, Some(1), error("of cargo check"));
    known.record_sent(file, 2);
    known.record_pulled(file, 2, Vec::new());
    let known_file = known.file(file).unwrap();
    assert_eq!(known_file.current_items(true), Vec::new());
    assert_eq!(known_file.items(), error("of cargo check"));
    known.record_pushed(file, Some(2), error("of cargo check"));
    assert_eq!(known.file(file).unwrap().current_items(true), error("of cargo check"));
}

#[test]
fn without_a_version_what_comes_after_the_text_settles() {
    let (mut known, file) = (Diagnostics::default(), Path::new(FILE));
    known.record_pushed(file, None, error("before"));
    known.record_sent(file, 1);
    assert_eq!(answer(&known, false), Answer::No);
    known.record_pushed(file, None, Vec::new());
    assert!(matches!(answer(&known, false), Answer::Settles(_)));
}

#[test]
fn a_requested_answer_counts_for_its_version() {
    let (mut known, file) = (Diagnostics::default(), Path::new(FILE));
    known.record_sent(file, 3);
    known.record_pulled(file, 2, error("late"));
    assert_eq!(answer(&known, true), Answer::No);
    known.record_pulled(file, 3, error("now"));
    assert_eq!(answer(&known, true), Answer::Yes);
    // Pushed and pulled diagnostics are both listed. Duplicates are listed once.
    known.record_pushed(file, Some(3), error("now"));
    assert_eq!(known.file(file).unwrap().items(), error("now"));
}

#[test]
fn files_that_are_not_open_have_a_limit() {
    let mut known = Diagnostics::default();
    for number in 0..MOST_FILES + 100 {
        known.record_pushed(Path::new(&format!("/p/{number}")), None, error("x"));
    }
    assert_eq!(known.all_mut().count(), MOST_FILES);
    known.record_sent(Path::new(FILE), 1);
    known.record_pushed(Path::new(FILE), Some(1), error("y"));
    assert_eq!(answer(&known, false), Answer::Yes);
}

fn baseline(known: &Diagnostics, path: &str) -> Baseline {
    known.file(Path::new(path)).unwrap().baseline.clone()
}

#[test]
fn a_file_that_the_server_first_names_after_an_edit_had_no_errors_before() {
    let mut known = Diagnostics::default();
    known.record_pushed(Path::new("/p/before.rs"), None, error("old"));
    known.begin_edit(false, false);
    known.record_pushed(Path::new("/p/after.rs"), None, error("new"));
    let old = Baseline::Until(Snapshot::of(&error("old"), None));
    assert_eq!(baseline(&known, "/p/before.rs"), old);
    known.record_pushed(Path::new("/p/before.rs"), None, error("late"));
    // Another edit does not change the baselines.
    known.begin_edit(false, false);
    assert_eq!(baseline(&known, "/p/before.rs"), old);
    assert_eq!(baseline(&known, "/p/after.rs"), Baseline::Until(Snapshot::default()));
}

#[test]
fn files_are_unknown_if_the_server_had_not_looked_at_them_before_the_edit() {
    let mut known = Diagnostics::default();
    known.begin_edit(false, false);
    known.record_pushed(Path::new("/p/a.rs"), None, error("x"));
    known.begin_edit(false, true);
    known.record_pushed(Path::new("/p/b.rs"), None, error("x"));
    assert_eq!(baseline(&known, "/p/a.rs"), Baseline::Unknown);
    assert_eq!(baseline(&known, "/p/b.rs"), Baseline::Unknown);
}

#[test]
fn an_opened_file_needs_an_answer_before_its_errors_count_as_earlier() {
    let (mut known, file) = (Diagnostics::default(), Path::new(FILE));
    known.record_sent(file, 1);
    known.begin_edit(false, false);
    assert_eq!(baseline(&known, FILE), Baseline::NoEdit);
    known.record_pushed(file, Some(1), error("old"));
    known.begin_edit(false, false);
    assert_eq!(
        baseline(&known, FILE),
        Baseline::Until(Snapshot::of(&error("old"), None))
    );
}
