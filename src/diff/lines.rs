//! Splits bytes into lines that join to exactly the same bytes.
//!
//! A line includes its `\n`, and so also `\r\n`. A lone `\r` is content. The last line may have no end.

use benchdog_base::text::newlines;

pub fn split(bytes: &[u8]) -> Vec<&[u8]> {
    between(bytes, &starts(bytes))
}

pub(super) fn between<'b>(bytes: &'b [u8], starts: &[usize]) -> Vec<&'b [u8]> {
    let line = |[start, end]: &[usize; 2]| bytes.get(*start..*end).unwrap_or_default();
    starts.array_windows().map(line).collect()
}

pub(super) fn starts(bytes: &[u8]) -> Vec<usize> {
    let mut starts = Vec::with_capacity(2 + newlines(bytes));
    starts.push(0);
    let (words, rest) = bytes.as_chunks::<8>();
    for (word, at) in words.iter().zip((0..).step_by(8)) {
        let mut ends = line_ends(u64::from_le_bytes(*word));
        while ends != 0 {
            starts.push(at + ends.trailing_zeros() as usize / 8 + 1);
            ends &= ends - 1;
        }
    }
    let behind = bytes.len() - rest.len();
    let ends = rest.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    starts.extend(ends.map(|(at, _)| behind + at + 1));
    if starts.last() != Some(&bytes.len()) {
        starts.push(bytes.len());
    }
    starts
}

/// Sets the highest bit of each byte that is `\n` in the input.
fn line_ends(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let differs = word ^ 0x0a0a_0a0a_0a0a_0a0a;
    !(((differs & LOW) + LOW) | differs | LOW)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineEnd {
    Lf,
    CrLf,
    Missing,
}

impl LineEnd {
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::Missing => b"",
        }
    }
}

pub fn split_end(line: &[u8]) -> (&[u8], LineEnd) {
    if let Some(content) = line.strip_suffix(b"\r\n") {
        (content, LineEnd::CrLf)
    } else if let Some(content) = line.strip_suffix(b"\n") {
        (content, LineEnd::Lf)
    } else {
        (line, LineEnd::Missing)
    }
}

/// Returns the most frequent line end, or `\n` without line ends.
pub fn dominant_end(bytes: &[u8]) -> LineEnd {
    let (mut lf, mut crlf) = (0_usize, 0_usize);
    let mut previous = 0;
    for &byte in bytes {
        if byte == b'\n' {
            if previous == b'\r' {
                crlf += 1;
            } else {
                lf += 1;
            }
        }
        previous = byte;
    }
    if crlf > lf { LineEnd::CrLf } else { LineEnd::Lf }
}
