use super::*;

fn items(json: &str) -> Vec<Diagnostic> {
    serde_json::from_str::<DiagnosticList>(json).unwrap().0
}

fn one(message: &str, severity: u8) -> String {
    format!(
        r#"{{"range":{{"start":{{"line":4,"character":2}},"end":{{"line":4,"character":3}}}},"severity":{severity},"message":"{message}"}}"#
    )
}

#[test]
fn a_diagnostic_is_one_clean_line_at_its_place() {
    let found = items(&format!("[{}]", one("first\\n  second \\u001b[31m", 1)));
    assert_eq!(
        (found[0].line, found[0].character, found[0].severity),
        (5, 2, Severity::Error)
    );
    assert!(found[0].message.starts_with("first second"), "{}", found[0].message);
    assert!(!found[0].message.contains('\u{1b}'));
}

#[test]
fn what_has_another_form_is_left_out_and_the_rest_is_read() {
    let found = items(&format!("[1, {{}}, null, {}, \"x\"]", one("good", 2)));
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].message.as_str(), found[0].severity),
        ("good", Severity::Warning)
    );
}

#[test]
fn of_very_many_only_the_first_are_kept_errors_before_others() {
    let many = vec![one("w", 2); 4_000].join(",") + "," + &vec![one("e", 1); 900].join(",");
    let found = items(&format!("[{many}]"));
    let errors = found.iter().filter(|found| found.severity == Severity::Error).count();
    assert_eq!((errors, found.len()), (MOST_ERRORS, MOST_ERRORS + MOST_OTHERS));
}

#[test]
fn a_long_message_is_cut() {
    let found = items(&format!("[{}]", one(&"日本語".repeat(100_000), 1)));
    assert!(found[0].message.len() < 2_000, "{}", found[0].message.len());
}

#[test]
fn places_come_in_three_forms() {
    let range = r#"{"start":{"line":0,"character":1},"end":{"line":0,"character":2}}"#;
    let place = format!(r#"{{"uri":"file:///a.rs","range":{range}}}"#);
    let link = format!(r#"{{"targetUri":"file:///b.rs","targetRange":{range},"targetSelectionRange":{range}}}"#);
    for (text, paths) in [
        (place.clone(), vec!["/a.rs"]),
        (format!("[{place},{link},7]"), vec!["/a.rs", "/b.rs"]),
        ("null".to_owned(), vec![]),
        ("[]".to_owned(), vec![]),
    ] {
        let raw: Box<RawValue> = RawValue::from_string(text).unwrap();
        let found: Vec<_> = places(&raw).into_iter().map(|place| place.path).collect();
        assert_eq!(found, paths.iter().map(std::path::PathBuf::from).collect::<Vec<_>>());
    }
}
