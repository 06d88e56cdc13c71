use super::Question;

#[test]
fn a_question_has_each_term_once_and_a_limited_number_of_them() {
    assert_eq!(Question::of("Retry the retry, retries").terms, ["retry", "retr"]);
    let many: String = (0..200).map(|number| format!("word{number} ")).collect();
    assert_eq!(Question::of(&many).terms.len(), 64);
}
