//! Cutting bytes into lines so that joining them again gives exactly the same bytes.
//!
//! A line ends after `\n` and keeps its end; `\r\n` therefore belongs to its line, and a lone `\r` is content. The last
//! line may have no end. An empty text has no lines.

/// The lines of a text, each with its end.
pub(crate) fn split(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.split_inclusive(|byte| *byte == b'\n').collect()
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum LineEnd {
    Lf,
    CrLf,
    /// The last line of a text that does not end with a line end.
    Missing,
}

impl LineEnd {
    pub(crate) fn bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::Missing => b"",
        }
    }
}

/// A line as its content and its end.
pub(crate) fn split_end(line: &[u8]) -> (&[u8], LineEnd) {
    if let Some(content) = line.strip_suffix(b"\r\n") {
        (content, LineEnd::CrLf)
    } else if let Some(content) = line.strip_suffix(b"\n") {
        (content, LineEnd::Lf)
    } else {
        (line, LineEnd::Missing)
    }
}

/// The end most lines of a text have; `\n` when there is none.
pub(crate) fn dominant_end(bytes: &[u8]) -> LineEnd {
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
