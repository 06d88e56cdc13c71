use super::Query;

fn marked(query: &str, text: &str) -> Option<String> {
    Some(Query::of(query).snippet(text)?.marked("[", "]"))
}

#[test]
fn all_words_and_phrases_must_be_there_in_any_case() {
    let text = "Fix the Date\nBUG in src/date.rs";
    assert_eq!(
        marked("bug DATE", text).as_deref(),
        Some("Fix the [Date] [BUG] in src/[date].rs")
    );
    assert_eq!(
        marked("\"date bug\"", text).as_deref(),
        Some("Fix the [Date BUG] in src/date.rs")
    );
    assert_eq!(marked("\"bug date\"", text), None);
    assert_eq!(marked("date missing", text), None);
    assert_eq!(marked("日期", "已修复日期错误").as_deref(), Some("已修复[日期]错误"));
    assert_eq!(
        marked("straße", "STRASSE, Straße").as_deref(),
        Some("STRASSE, [Straße]")
    );
    assert!(Query::of(" \" \" ").is_empty());
}

#[test]
fn a_snippet_is_cut_around_its_first_match() {
    let text = format!("{} needle {}", "a".repeat(200), "b".repeat(200));
    let snippet = marked("needle", &text).unwrap();
    assert!(snippet.starts_with("…aaa") && snippet.ends_with("bbb…"), "{snippet}");
    assert!(
        snippet.contains("a [needle] b") && snippet.chars().count() < 130,
        "{snippet}"
    );
}

#[test]
fn a_whole_word_is_not_a_part_of_a_longer_one() {
    let marked = |query: &str, text: &str| Some(Query::of(query).whole_words().snippet(text)?.marked("[", "]"));
    assert_eq!(marked("date", "updated dates"), None);
    assert_eq!(
        marked("date", "updated in src/date_format.rs").as_deref(),
        Some("up[date]d in src/[date]_format.rs")
    );
    assert_eq!(marked("日期", "已修复日期错误").as_deref(), Some("已修复[日期]错误"));
    assert_eq!(
        marked("\"the date\"", "bathe dates, the date").as_deref(),
        Some("ba[the date]s, [the date]")
    );
}
