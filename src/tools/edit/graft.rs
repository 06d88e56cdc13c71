//! Inserts new text in the style of the file: line endings, encoding, indentation.

use benchdog_diff::{Encoding, LineEnd, dominant_end, hunks, split, split_end};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unwritable(pub(super) String);

/// Appends the text that replaces `region`. `old` is that region as the model sees it, and `new` is the model's
/// replacement.
///
/// Lines that are in both `old` and `new` keep their bytes. A new line gets the line ending of the line that it
/// replaces, or else of the previous line.
pub(super) fn graft(
    out: &mut Vec<u8>,
    style: &Style,
    region: &[u8],
    (old, new): (&str, &str),
) -> Result<(), Unwritable> {
    if style.is_as_shown() && region == old.as_bytes() {
        out.extend_from_slice(new.as_bytes());
        return Ok(());
    }
    by_lines(out, style, region, (old, new))
}

fn by_lines(out: &mut Vec<u8>, style: &Style, region: &[u8], (old, new): (&str, &str)) -> Result<(), Unwritable> {
    let there = split(region);
    let lines = split(new.as_bytes());
    out.reserve(region.len() + new.len());
    let mut at = 0;
    for hunk in hunks(old, new) {
        let kept = there.get(at..hunk.before.start).unwrap_or_default();
        out.extend(kept.concat());
        let gone = there.get(hunk.before.clone()).unwrap_or_default();
        let lost = if style.other { unshown(gone) } else { Vec::new() };
        let mut lost = lost.into_iter();
        let wanted: usize = lines
            .get(hunk.after.clone())
            .unwrap_or_default()
            .iter()
            .map(|line| String::from_utf8_lossy(line).matches('\u{fffd}').count())
            .sum();
        if style.other && wanted > 0 && wanted != lost.len() {
            return Err(Unwritable(
                "the new text has U+FFFD at another number of places than the old text".to_owned(),
            ));
        }
        for (index, line) in lines.get(hunk.after.clone()).unwrap_or_default().iter().enumerate() {
            let model = gone
                .get(index)
                .or_else(|| hunk.before.start.checked_sub(1).and_then(|at| there.get(at)));
            style.line(out, line, gone.get(index).or(gone.last()).or(model), &mut lost)?;
        }
        at = hunk.before.end;
    }
    out.extend(there.get(at..).unwrap_or_default().concat());
    Ok(())
}

pub(super) struct Style {
    other: bool,
    dominant: LineEnd,
    crlf: bool,
}

impl Style {
    pub(super) fn of(file: &[u8]) -> Self {
        let crlf = file.contains(&b'\r') && file.windows(2).any(|pair| pair == b"\r\n");
        Self {
            other: Encoding::of(file) == Encoding::Other,
            dominant: if crlf { dominant_end(file) } else { LineEnd::Lf },
            crlf,
        }
    }

    /// Whether text can be inserted without conversion. This fast path matters with many replacements.
    fn is_as_shown(&self) -> bool {
        !self.other && !self.crlf
    }

    fn line(
        &self,
        out: &mut Vec<u8>,
        line: &[u8],
        model: Option<&&[u8]>,
        lost: &mut impl Iterator<Item = Vec<u8>>,
    ) -> Result<(), Unwritable> {
        let (content, end) = split_end(line);
        if !self.other {
            out.extend_from_slice(content);
        } else {
            for c in String::from_utf8_lossy(content).chars() {
                match c {
                    '\u{fffd}' => out.extend(lost.next().unwrap_or_default()),
                    c if c.is_ascii() => out.push(c as u8),
                    c => {
                        return Err(Unwritable(format!("`{c}` cannot be written in it")));
                    }
                }
            }
        }
        let end = match end {
            LineEnd::Lf if self.crlf => match model.map(|line| split_end(line).1) {
                Some(end @ (LineEnd::Lf | LineEnd::CrLf)) => end,
                Some(LineEnd::Missing) | None => self.dominant,
            },
            end => end,
        };
        out.extend_from_slice(end.bytes());
        Ok(())
    }
}

fn unshown(lines: &[&[u8]]) -> Vec<Vec<u8>> {
    let chunks = lines.iter().flat_map(|line| line.utf8_chunks());
    chunks
        .map(|chunk| chunk.invalid().to_vec())
        .filter(|bytes| !bytes.is_empty())
        .collect()
}

/// Translates the model's indentation into the file's. Learns the mapping from the old lines.
pub(super) struct Indentation {
    pairs: Vec<(String, String)>,
}

impl Indentation {
    /// Learns the mapping from pairs of a line in the old text and a line in the file, which differ only in white
    /// space.
    pub(super) fn learn<'a>(lines: impl Iterator<Item = (&'a str, &'a str)>) -> Self {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (old, there) in lines.filter(|(old, _)| !old.trim().is_empty()) {
            let pair = (indent(old).to_owned(), indent(there).to_owned());
            if !pairs.contains(&pair) {
                pairs.push(pair);
            }
        }
        // Sort to try the longest known indentation first, because it is the best prefix of a deeper line.
        pairs.sort_by_key(|(old, _)| std::cmp::Reverse(old.len()));
        Self { pairs }
    }

    pub(super) fn dress(&self, line: &str) -> String {
        if line.trim().is_empty() {
            return line.trim_start_matches([' ', '\t']).to_owned();
        }
        let own = indent(line);
        let text = line.strip_prefix(own).unwrap_or(line);
        let known = self.pairs.iter().find(|(old, _)| own.starts_with(old.as_str()));
        if let Some((old, there)) = known {
            let deeper = own.strip_prefix(old.as_str()).unwrap_or("");
            return format!("{there}{deeper}{text}");
        }
        // A line that is shallower than all known lines changes like the shallowest known line.
        match self.pairs.last() {
            Some((old, there)) if there.len() > old.len() && there.ends_with(old.as_str()) => {
                let gained = there.strip_suffix(old.as_str()).unwrap_or("");
                format!("{gained}{own}{text}")
            }
            Some((old, there)) if old.len() > there.len() && old.ends_with(there.as_str()) => {
                let lost = old.len() - there.len();
                let rest: String = own.chars().skip(lost).collect();
                format!("{rest}{text}")
            }
            _ => line.to_owned(),
        }
    }
}

fn indent(line: &str) -> &str {
    let text = line.trim_start_matches([' ', '\t']);
    line.strip_suffix(text).unwrap_or("")
}

#[cfg(test)]
mod tests;
