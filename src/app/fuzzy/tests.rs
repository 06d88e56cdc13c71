use super::filter;

#[test]
fn a_long_filter_and_a_long_text_cost_little() {
    let long = "x".repeat(1 << 20);
    for _ in 0..1_000 {
        assert!(
            filter(
                ["open a file"].into_iter(),
                &long.get(..1_024).unwrap_or_default().repeat(2)
            )
            .is_empty()
        );
        assert_eq!(filter([long.as_str()].into_iter(), "xx").len(), 1);
    }
}
