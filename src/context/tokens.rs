//! A guess at token counts, made exact by the server: every reply says how far off the guess was.

/// What a text costs before any server has counted it. Latin text runs at about four bytes a token, Chinese, Japanese
/// and Korean at about one token a character, code and symbols in between.
pub(crate) fn estimate(text: &str) -> u64 {
    let mut quarter_tokens: u64 = 0;
    for character in text.chars() {
        quarter_tokens += match character {
            '\u{0}'..='\u{7f}' => 1,
            '\u{80}'..='\u{2ff}' => 2,
            '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' => 4,
            _ => 3,
        };
    }
    quarter_tokens.div_ceil(4)
}

/// How the server's tokenizer compares with the estimate, from its last true count.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Calibration(f64);

impl Default for Calibration {
    fn default() -> Self {
        Self(1.0)
    }
}

impl Calibration {
    /// `counted` is what the server said of a request that was estimated, uncalibrated, at `estimated`.
    pub(crate) fn from_count(estimated: u64, counted: u64) -> Self {
        if estimated == 0 || counted == 0 {
            return Self::default();
        }
        #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
        let factor = counted as f64 / estimated as f64;
        // Outside this range it is not the tokenizer that differs, but what was counted.
        Self(factor.clamp(0.2, 5.0))
    }

    pub(crate) fn apply(self, estimated: u64) -> u64 {
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "token counts are positive and far below 2^52"
        )]
        let tokens = (estimated as f64 * self.0).round() as u64;
        tokens
    }
}

#[cfg(test)]
mod tests {
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
    fn a_server_that_counts_nothing_does_not_break_the_estimate() {
        assert_eq!(Calibration::from_count(100, 0).apply(100), 100);
    }
}
