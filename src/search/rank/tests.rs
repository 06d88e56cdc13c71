use super::{Question, TEST, prior};

#[test]
fn a_question_has_each_term_once_and_a_limited_number_of_them() {
    assert_eq!(Question::of("Retry the retry, retries").terms, ["retry", "retr"]);
    let many: String = (0..200).map(|number| format!("word{number} ")).collect();
    assert_eq!(Question::of(&many).terms.len(), 64);
}

#[test]
fn only_a_whole_part_of_a_name_makes_a_file_a_test() {
    for path in [
        "tests/a.rs",
        "src/a/tests.rs",
        "a_test.go",
        "src/a.test.ts",
        "spec/a.rb",
        "src/spec/a.rb",
    ] {
        assert!((prior(path) - TEST).abs() < 0.001, "{path}");
    }
    for path in [
        "src/latest.rs",
        "src/attestation.rs",
        "src/contest/a.rs",
        "src/inspec.rs",
    ] {
        assert!((prior(path) - 1.0).abs() < 0.001, "{path}");
    }
}
