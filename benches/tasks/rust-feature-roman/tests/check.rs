mod roman;

#[test]
fn every_number_comes_back() {
    for number in 1..=3999 {
        let text = roman::format(number).unwrap();
        assert_eq!(roman::parse(&text), Some(number), "{text}");
    }
}

#[test]
fn other_texts_are_refused() {
    for text in ["", "IIII", "VX", "IC", "IIX", "MMMM", "iv", "X ", "ABC", "VV", "XIXI"] {
        assert_eq!(roman::parse(text), None, "{text}");
    }
    assert_eq!(roman::parse(&"M".repeat(10_000)), None);
}
