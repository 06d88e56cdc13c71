//! Estimates token counts. The server's counts calibrate the estimate.

/// Estimates the tokens of a text. About four bytes of Latin text are one token, and a digit is half a token. A
/// character of CJK text, keys or base64 is nearly one token.
pub fn estimate(text: &str) -> u64 {
    let mut quarter_tokens: u64 = 0;
    let mut run = Run::default();
    for character in text.chars() {
        if character.is_ascii_alphanumeric() {
            run.take(character);
            continue;
        }
        quarter_tokens += std::mem::take(&mut run).quarter_tokens();
        quarter_tokens += match character {
            '\u{0}'..='\u{7f}' => 1,
            '\u{80}'..='\u{2ff}' => 2,
            '\u{1100}'..='\u{11ff}' | '\u{2e80}'..='\u{d7ff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' => 4,
            _ => 3,
        };
    }
    (quarter_tokens + run.quarter_tokens()).div_ceil(4)
}

#[derive(Default)]
struct Run {
    letters: u64,
    digits: u64,
}

impl Run {
    /// Minimum length of a run of letters and digits that counts as a key or hash. Measured with the tokenizers cl100k
    /// and o200k.
    const NO_WORD: u64 = 12;

    fn take(&mut self, character: char) {
        if character.is_ascii_digit() {
            self.digits += 1;
        } else {
            self.letters += 1;
        }
    }

    fn quarter_tokens(&self) -> u64 {
        let length = self.letters + self.digits;
        let mixed = self.letters > 0 && self.digits > 0;
        if mixed && length >= Self::NO_WORD {
            length * 3
        } else {
            self.letters + self.digits * 2
        }
    }
}

/// Ratio of the server's count to the estimate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Calibration(f64);

impl Default for Calibration {
    fn default() -> Self {
        Self(1.0)
    }
}

impl Calibration {
    pub(crate) fn from_count(estimated: u64, counted: u64) -> Self {
        if estimated == 0 || counted == 0 {
            return Self::default();
        }
        #[expect(clippy::cast_precision_loss, reason = "token counts are far below 2^52")]
        let factor = counted as f64 / estimated as f64;
        // All tokenizers are within this range. If a ratio is outside, the server counted something else.
        Self(factor.clamp(0.2, 5.0))
    }

    /// Whether a server's count includes the whole request. A much lower count includes only a part.
    pub(crate) fn is_trusted(self, estimated: u64, counted: u64) -> bool {
        counted > 0 && self.apply(estimated).abs_diff(counted) <= 1 + counted / 100
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
mod tests;
