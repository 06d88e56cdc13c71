use super::tokens;

#[test]
fn tokens_keep_three_digits_at_most() {
    let shown: Vec<String> = [
        0, 812, 999, 1_000, 1_949, 1_950, 65_536, 99_949, 99_950, 131_072, 999_600, 1_250_000,
    ]
    .into_iter()
    .map(tokens)
    .collect();
    assert_eq!(
        shown,
        [
            "0", "812", "999", "1.0k", "1.9k", "2.0k", "65.5k", "99.9k", "100k", "131k", "1.0M", "1.3M"
        ]
    );
}
