//! Compares text by canonical equivalence: an accent or a Hangul syllable may be one character (NFC) or several (NFD).
//!
//! Characters that compose are always in one grapheme, so each grapheme is composed separately.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfc, is_nfd};
use unicode_segmentation::GraphemeCursor;

use crate::text::graphemes;

/// Text in composed form. Maps offsets in the composed text to offsets in the original.
pub struct ComposedText {
    text: String,
    changed: Vec<Changed>,
}

struct Changed {
    composed: Range<usize>,
    /// End of the grapheme in the original text.
    end: usize,
}

impl ComposedText {
    pub fn of(original: &str) -> Self {
        let mut composed = Self {
            text: String::with_capacity(original.len()),
            changed: Vec::new(),
        };
        for (at, grapheme) in graphemes(original) {
            let start = composed.text.len();
            if is_nfc(grapheme) {
                composed.text.push_str(grapheme);
                continue;
            }
            composed.text.extend(grapheme.nfc());
            composed.changed.push(Changed {
                composed: start..composed.text.len(),
                end: at + grapheme.len(),
            });
        }
        composed
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the offset in the original text. `None` if `place` is inside a grapheme.
    pub fn original_offset(&self, place: usize) -> Option<usize> {
        let is_boundary = GraphemeCursor::new(place, self.text.len(), true).is_boundary(&self.text, 0);
        if !is_boundary.unwrap_or_default() {
            return None;
        }
        let before = self.changed.partition_point(|one| one.composed.end <= place);
        let Some(last) = before.checked_sub(1).and_then(|at| self.changed.get(at)) else {
            return Some(place);
        };
        Some(last.end + (place - last.composed.end))
    }
}

pub fn is_composed(text: &str) -> bool {
    is_nfc(text)
}

pub fn is_decomposed(text: &str) -> bool {
    is_nfd(text)
}

pub fn decompose(text: &str) -> String {
    text.nfd().collect()
}

/// Whether two graphemes are the same character in composed or decomposed form.
///
/// A character that changes in both forms, such as the angstrom sign U+212B, is equal only to itself.
pub fn is_same_character(one: &str, other: &str) -> bool {
    let is_in_a_form = |text: &str| is_nfc(text) || is_nfd(text);
    one == other || is_in_a_form(one) && is_in_a_form(other) && one.nfc().eq(other.nfc())
}

/// Decomposes graphemes in composed form. Leaves others unchanged, because their decomposed form may be another
/// character.
pub fn decompose_graphemes(text: &str) -> String {
    let part = |part: &str| {
        if is_nfc(part) { decompose(part) } else { part.to_owned() }
    };
    graphemes(text).map(|(_, grapheme)| part(grapheme)).collect()
}

/// Composes graphemes in decomposed form. Leaves others unchanged, because their composed form may be another
/// character.
pub fn compose_graphemes(text: &str) -> String {
    let part = |part: &str| {
        if is_nfd(part) {
            part.nfc().collect()
        } else {
            part.to_owned()
        }
    };
    graphemes(text).map(|(_, grapheme)| part(grapheme)).collect()
}

#[cfg(test)]
mod tests;
