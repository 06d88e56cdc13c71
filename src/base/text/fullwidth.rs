//! Letters, digits and signs as an input method of Chinese, Japanese or Korean types them while it is set to full width.

/// The character of half width that one of full width stands for; every other one is itself.
pub(crate) fn half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        c => c,
    }
}
