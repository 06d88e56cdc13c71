use super::{each_term, folded};

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
