use super::{each_part, each_term, folded};

#[test]
fn words_and_pairs_of_letters_are_terms() {
    let terms = |text: &str| {
        let folded = folded(text);
        let mut terms = Vec::new();
        each_term(&folded, |term| terms.push(term.to_owned()));
        terms
    };
    assert_eq!(
        terms("Fix_the src/Datum.rs ÄÖ 修复日期bug 日 데이터"),
        [
            "fix", "the", "src", "datum", "rs", "äö", "修复", "复日", "日期", "bug", "日", "데이", "이터"
        ]
    );
    let long = "a".repeat(130);
    assert_eq!(terms(&long).iter().map(String::len).collect::<Vec<_>>(), [64, 64, 2]);
}

#[test]
fn parts_of_identifiers_are_terms_too() {
    let parts = |text: &str| {
        let mut terms = Vec::new();
        each_part(text, |term| terms.push(term.to_owned()));
        terms
    };
    assert_eq!(
        parts("parseConfig HTTPServer2 next_delay"),
        [
            "pars",
            "config",
            "parseconfig",
            "http",
            "server2",
            "httpserver2",
            "next",
            "delay"
        ]
    );
    assert_eq!(
        parts("indexes indexed 修复日 a class"),
        ["index", "index", "修复", "复日", "class"]
    );
    assert_eq!(parts(&"b".repeat(65)), [""; 0]);
}
