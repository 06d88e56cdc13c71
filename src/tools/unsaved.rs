//! Reads the unsaved text of an editor, for use instead of the text on disk.
//!
//! Editors return text without a byte order mark and with line ends of their choice, so these differences do not count
//! as changes.

use std::borrow::Cow;
use std::sync::Arc;

use benchdog_base::charset::{self, Charset};
use benchdog_security::workspace::{Buffer, PathError, Unanswered, WorkPath};

/// Maximum bytes of a file whose text is requested from an editor. The answer is one line of JSON, with a limited
/// length.
const MOST: usize = 4 << 20;

/// Error code if Benchdog does not know whether the editor has unsaved changes.
pub(super) const UNREAD: &str = "editor";

const MARK: char = '\u{feff}';

/// Returns the unsaved text of the editor in the encoding of the file, or `None` without unsaved text. Waits for the
/// editor, so call it only on a thread that may block.
pub(super) fn bytes(path: &WorkPath, on_disk: &[u8]) -> Result<Option<Arc<[u8]>>, PathError> {
    let Some(buffer) = path.buffer() else {
        return Ok(None);
    };
    let Some(saved) = Saved::of(on_disk, path) else {
        return Ok(None);
    };
    let text = tokio::runtime::Handle::current().block_on(unsaved(path, &buffer, &saved))?;
    text.map(|text| saved.encoded(text, path)).transpose()
}

/// Returns the unsaved text with the byte order mark and line ends of the file, or `None` without unsaved text.
pub(super) async fn unsaved(path: &WorkPath, buffer: &Buffer, saved: &Saved<'_>) -> Result<Option<String>, PathError> {
    let reason = match buffer.read().await {
        Ok(open) => {
            return saved
                .differs(&open, path)
                .map(|differs| differs.then(|| saved.formed(&open)));
        }
        // The editor has not opened the file.
        Err(Unanswered::Refused(_)) => return Ok(None),
        Err(Unanswered::Silent) => "the editor did not say in time whether it has unsaved changes".to_owned(),
        Err(Unanswered::Unusable(words)) => format!("the editor's answer cannot be used: {words}"),
    };
    Err(trouble(UNREAD, path, reason))
}

fn trouble(code: &'static str, path: &WorkPath, reason: String) -> PathError {
    let path = path.shown().to_owned();
    PathError { code, path, reason }
}

pub(super) struct Saved<'b> {
    on_disk: &'b [u8],
    text: Cow<'b, str>,
    charset: Option<Charset>,
}

impl<'b> Saved<'b> {
    /// Decodes the content of a file on disk. Returns `None` if it is not text or is too large.
    pub(super) fn of(on_disk: &'b [u8], path: &WorkPath) -> Option<Self> {
        if on_disk.len() > MOST {
            return None;
        }
        if let Some((found, text)) = charset::decoded(on_disk, path.charset()) {
            return Some(Self {
                on_disk,
                text: Cow::Owned(text),
                charset: Some(found.charset),
            });
        }
        let text = std::str::from_utf8(on_disk).ok().filter(|text| !text.contains('\0'))?;
        Some(Self {
            on_disk,
            text: Cow::Borrowed(text),
            charset: None,
        })
    }

    /// Whether the editor's text differs from the text on disk. Some editors read every file as UTF-8 and replace other
    /// bytes by U+FFFD. If such text has changes, the result is an error, because the replaced bytes cannot be written
    /// back.
    fn differs(&self, open: &str, path: &WorkPath) -> Result<bool, PathError> {
        let plain_open = plain(open);
        if plain_open == plain(&self.text) || plain_open == plain(&String::from_utf8_lossy(self.on_disk)) {
            return Ok(false);
        }
        let undecoded = char::REPLACEMENT_CHARACTER;
        if open.contains(undecoded) && !self.text.contains(undecoded) {
            let reason =
                "it has unsaved changes, and the editor reads it in another encoding. Ask the user to save it as UTF-8";
            return Err(trouble("encoding", path, reason.to_owned()));
        }
        Ok(true)
    }

    pub(super) fn has_mixed_ends(&self) -> bool {
        let crlf = self.text.matches("\r\n").count();
        0 < crlf && crlf < self.text.matches('\n').count()
    }

    pub(super) fn is_like(&self, other: &Self) -> bool {
        plain(&self.text) == plain(&other.text)
    }

    pub(super) fn bytes(&self) -> Arc<[u8]> {
        self.text.as_bytes().into()
    }

    /// Returns an editor's text with the byte order mark, line ends and final line end of the file.
    fn formed(&self, open: &str) -> String {
        let mut text = open.strip_prefix(MARK).unwrap_or(open).to_owned();
        let ends = self.text.matches('\n').count();
        let is_crlf = ends > 0 && self.text.matches("\r\n").count() == ends;
        if is_crlf && !text.contains('\r') {
            text = text.replace('\n', "\r\n");
        }
        if self.text.ends_with('\n') && !text.is_empty() && !text.ends_with('\n') {
            text.push_str(if is_crlf { "\r\n" } else { "\n" });
        }
        if self.text.starts_with(MARK) {
            text.insert(0, MARK);
        }
        text
    }

    fn encoded(&self, text: String, path: &WorkPath) -> Result<Arc<[u8]>, PathError> {
        let Some(charset) = self.charset else {
            return Ok(text.into_bytes().into());
        };
        charset.encode(&text).map(Arc::from).map_err(|lacking| {
            let reason = format!(
                "its unsaved text has `{lacking}` (U+{:04X}), which {} lacks. Ask the user to save it as UTF-8",
                u32::from(lacking),
                charset.name()
            );
            trouble("encoding", path, reason)
        })
    }
}

/// Converts the text of a file to the form that editors use.
pub(super) fn for_editor(text: &str) -> String {
    text.strip_prefix(MARK).unwrap_or(text).replace("\r\n", "\n")
}

fn plain(text: &str) -> String {
    let mut text = for_editor(text);
    if text.ends_with('\n') {
        text.pop();
    }
    text
}

#[cfg(test)]
mod tests;
