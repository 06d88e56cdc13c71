//! Unsaved text of an editor instead of the text on disk.
//!
//! Editors give text without byte order mark and with their own line ends, so only other differences count.

use std::borrow::Cow;
use std::sync::Arc;

use benchdog_base::charset::{self, Charset};
use benchdog_security::workspace::{Buffer, PathError, Unanswered, WorkPath};

/// Maximum bytes of a file that is requested from an editor. The answer is one line of JSON, whose length is limited.
const MOST: usize = 4 << 20;

const MARK: char = '\u{feff}';

/// Returns the content with the unsaved text of the editor, in the encoding of the file. `None` if there is none. It waits for the editor,
/// so only a thread that may block can call it.
pub(super) fn bytes(path: &WorkPath, on_disk: &[u8]) -> Result<Option<Arc<[u8]>>, PathError> {
    let Some(buffer) = path.buffer() else {
        return Ok(None);
    };
    let Some(saved) = Saved::of(on_disk, path) else {
        return Ok(None);
    };
    let asked = tokio::runtime::Handle::current().block_on(unsaved(&buffer, &saved));
    let text = asked.map_err(|error| unread(path, error))?;
    Ok(text.map(|text| saved.encoded(text)))
}

/// Returns the unsaved text, in the form of the file.
pub(super) async fn unsaved(buffer: &Buffer, saved: &Saved<'_>) -> Result<Option<String>, Unanswered> {
    let open = match buffer.read().await {
        Ok(open) => open,
        // The editor does not have the file.
        Err(Unanswered::Refused(_)) => return Ok(None),
        Err(Unanswered::Silent) => return Err(Unanswered::Silent),
    };
    let differs = plain(&open) != plain(&saved.text);
    Ok(differs.then(|| saved.formed(&open)))
}

pub(super) fn unread(path: &WorkPath, error: Unanswered) -> PathError {
    let reason = match error {
        Unanswered::Silent => "the editor did not say in time whether it has unsaved changes".to_owned(),
        Unanswered::Refused(words) => format!("the editor refused: {words}"),
    };
    PathError {
        code: "editor",
        path: path.shown().to_owned(),
        reason,
    }
}

/// The text of a file on disk.
pub(super) struct Saved<'b> {
    text: Cow<'b, str>,
    charset: Option<Charset>,
}

impl<'b> Saved<'b> {
    /// Decodes the content of a file on disk. `None` for a file that is no text or too large.
    pub(super) fn of(on_disk: &'b [u8], path: &WorkPath) -> Option<Self> {
        if on_disk.len() > MOST {
            return None;
        }
        if let Some((found, text)) = charset::decoded(on_disk, path.charset()) {
            return Some(Self {
                text: Cow::Owned(text),
                charset: Some(found.charset),
            });
        }
        let text = std::str::from_utf8(on_disk).ok().filter(|text| !text.contains('\0'))?;
        Some(Self {
            text: Cow::Borrowed(text),
            charset: None,
        })
    }

    /// Whether another content differs only in line ends and byte order marks.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        plain(&self.text) == plain(&other.text)
    }

    pub(super) fn into_bytes(self) -> Arc<[u8]> {
        self.text.into_owned().into_bytes().into()
    }

    /// Gives an editor's text the byte order mark, the line ends and the last line end of the file.
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

    fn encoded(&self, text: String) -> Arc<[u8]> {
        let encoded = self.charset.and_then(|charset| charset.encode(&text).ok());
        encoded.unwrap_or_else(|| text.into_bytes()).into()
    }
}

/// Converts text of a file to the form that editors have.
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
