//! Size limits of one answer. Real answers are far smaller, so a larger answer comes from a broken or hostile server
//! and ends with an error.

use super::failure::{Kind, ProviderError};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    Document,
    /// A line of a stream, or several lines that form one JSON text.
    Line,
    Text,
    Thoughts,
    Arguments,
    Calls,
}

impl Bound {
    pub const ALL: [Self; 6] = [
        Self::Document,
        Self::Line,
        Self::Text,
        Self::Thoughts,
        Self::Arguments,
        Self::Calls,
    ];

    /// Returns the limit. For `Calls`, this is a number of calls. For all others, a number of bytes.
    pub(crate) const fn most(self) -> usize {
        match self {
            Self::Document => 32 << 20,
            Self::Line => 16 << 20,
            Self::Text | Self::Thoughts => 2 << 20,
            Self::Arguments => 8 << 20,
            Self::Calls => 1000,
        }
    }

    pub fn what(self) -> String {
        let size = self.most() >> 20;
        match self {
            Self::Document => format!("more than {size} MiB and is not streamed"),
            Self::Line => format!("a line of more than {size} MiB"),
            Self::Text => format!("more than {size} MiB of text"),
            Self::Thoughts => format!("more than {size} MiB of reasoning"),
            Self::Arguments => format!("more than {size} MiB of tool arguments"),
            Self::Calls => format!("more than {} tool calls", self.most()),
        }
    }

    pub(super) fn check(self, size: usize) -> Option<ProviderError> {
        (size > self.most()).then(|| ProviderError::new(Kind::Oversized, self.what()))
    }
}

#[cfg(test)]
mod tests;
