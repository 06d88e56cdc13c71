use super::*;

#[test]
fn many_spans_in_one_paragraph_are_laid_out_in_one_go() {
    let mut inline = Inline::default();
    for _ in 0..50_000 {
        inline.push(Role::Text, "a ");
        inline.push(Role::InlineCode, "b\nc");
    }
    let rows = inline.rows(7);
    let text: String = rows
        .iter()
        .flat_map(|row| &row.spans)
        .map(|span| span.text.as_str())
        .collect();
    assert_eq!(text, "a bc".repeat(50_000));
    assert!(rows.iter().all(|row| {
        row.spans
            .iter()
            .all(|span| (span.role == Role::Text) == (span.text == "a "))
    }));
}
