//! A file as the model sees it: `\n` line endings, U+FFFD for invalid bytes, no byte order mark. Positions map back to
//! exact bytes.

use benchdog_diff::BOM;

pub(super) struct View {
    pub(super) text: String,
    /// Pairs of matching positions in the text and the file. Contains a pair for each point at which the difference of
    /// the two positions changes.
    rows: Vec<(usize, usize)>,
}

impl View {
    pub(super) fn of(bytes: &[u8]) -> Self {
        let skip = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let mut view = Self {
            text: String::with_capacity(bytes.len()),
            rows: vec![(0, skip)],
        };
        let mut at = skip;
        for chunk in bytes.get(skip..).unwrap_or_default().utf8_chunks() {
            view.valid(chunk.valid(), &mut at);
            if !chunk.invalid().is_empty() {
                view.text.push('\u{fffd}');
                at += chunk.invalid().len();
                view.rows.push((view.text.len(), at));
            }
        }
        view
    }

    fn valid(&mut self, text: &str, at: &mut usize) {
        if !text.as_bytes().contains(&b'\r') {
            *at += text.len();
            self.text.push_str(text);
            return;
        }
        for part in text.split_inclusive("\r\n") {
            *at += part.len();
            match part.strip_suffix("\r\n") {
                Some(line) => {
                    self.text.push_str(line);
                    self.text.push('\n');
                    self.rows.push((self.text.len(), *at));
                }
                None => self.text.push_str(part),
            }
        }
    }

    pub(super) fn original_offset(&self, place: usize) -> usize {
        let row = self
            .rows
            .partition_point(|(start, _)| *start <= place)
            .saturating_sub(1);
        self.rows.get(row).map_or(place, |(start, file)| file + (place - start))
    }
}
