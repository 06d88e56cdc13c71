use super::{Calibration, estimate};

#[test]
fn latin_text_is_about_four_bytes_a_token_and_chinese_one_character() {
    assert_eq!(estimate("abcdefgh"), 2);
    assert_eq!(estimate("購物車有優惠券"), 7);
    assert_eq!(estimate(""), 0);
}

#[test]
fn a_true_count_makes_the_next_estimate_of_the_same_text_exact() {
    let text = "fn main() { println!(\"x\"); }";
    let calibration = Calibration::from_count(estimate(text), 11);
    assert_eq!(calibration.apply(estimate(text)), 11);
}

#[test]
fn what_no_vocabulary_holds_is_not_taken_for_words() {
    // cl100k counts 43 tokens.
    let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    assert!((40..=50).contains(&estimate(hash)), "{}", estimate(hash));
    assert_eq!(estimate("1234567890"), 5);
    assert_eq!(estimate("abcdefghijklmnop"), 4);
}

#[test]
fn a_server_that_counts_nothing_does_not_break_the_estimate() {
    assert_eq!(Calibration::from_count(100, 0).apply(100), 100);
}
