use super::{ComposedText, decompose, is_composed, is_decomposed};

#[test]
fn places_lead_back_to_the_original_and_none_is_inside_a_grapheme() {
    for text in [
        "Tiếng Việt",
        "한국어 문서",
        "ångström ạ\u{308}",
        "plain",
        "",
        "가a\u{301}\n각",
    ] {
        let original = decompose(text);
        let composed = ComposedText::of(&original);
        assert!(is_composed(composed.text()) && is_decomposed(&original));
        assert_eq!(decompose(composed.text()), original);
        assert_eq!(composed.original_offset(0), Some(0));
        assert_eq!(composed.original_offset(composed.text().len()), Some(original.len()));
        for (at, _) in composed.text().char_indices() {
            let Some(back) = composed.original_offset(at) else {
                continue;
            };
            let (head, tail) = original.split_at(back);
            let (before, after) = composed.text().split_at(at);
            assert_eq!(ComposedText::of(head).text(), before, "{text}");
            assert_eq!(ComposedText::of(tail).text(), after, "{text}");
        }
    }
}

#[test]
fn a_mark_that_composes_with_nothing_belongs_to_its_letter() {
    let composed = ComposedText::of("x\u{332}e\u{301}");
    assert_eq!(composed.text(), "x\u{332}é");
    assert_eq!(composed.original_offset(1), None, "between the letter and its mark");
    assert_eq!(composed.original_offset(3), Some(3));
    assert_eq!(composed.original_offset(5), Some(6));
}
