use super::*;
use benchdog_domain::summary::Summary;

#[test]
fn numbers_read_as_people_write_them() {
    assert_eq!(
        [grouped(7), grouped(1_000), grouped(1_234_567)],
        ["7", "1,000", "1,234,567"]
    );
    assert_eq!(
        [bytes_text(0_u64), bytes_text(1023_u64), bytes_text(4_300_u64)],
        ["0 bytes", "1023 bytes", "4.1 KB"]
    );
    assert_eq!([bytes_text(31_u64 << 20), bytes_text(3_u64 << 30)], ["31 MB", "3.0 GB"]);
    assert_eq!(
        [count(1, "line", "lines"), count(2_000, "line", "lines")],
        ["1 line", "2,000 lines"]
    );
}

#[test]
fn a_cut_result_fits_with_its_marker_and_ends_at_a_line() {
    let long = Outcome::ok(Summary::Words("s".to_owned()), "0123456789\n".repeat(100));
    let outcome = cut(long, 500, "Ask for less.");
    assert!(outcome.truncated && outcome.output.len() <= 500);
    assert!(
        outcome
            .output
            .contains("6789\n[cut: 600 bytes of this result are not shown. Ask for less.]"),
        "{}",
        outcome.output
    );
    let wide = cut(Outcome::ok(Summary::Words("s".to_owned()), "漢".repeat(500)), 300, "");
    assert!(wide.output.len() <= 300 && !wide.output.contains('\u{fffd}'));
    let tiny = cut(Outcome::ok(Summary::Words("s".to_owned()), "x".repeat(500)), 10, "");
    assert!(tiny.truncated);
    let short = cut(Outcome::ok(Summary::Words("s".to_owned()), "x".repeat(500)), 500, "");
    assert!(!short.truncated);
}

#[test]
fn shortened_text_says_how_much_is_missing() {
    assert_eq!(shorten("漢字かな", 2), "漢字… [2 more characters]");
    assert_eq!(shorten("漢字", 2), "漢字");
    assert_eq!(visible("a\nb\u{1b}"), "a\\nb\\u{1b}");
}
