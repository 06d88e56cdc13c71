//! Output of a program in a terminal, and the resulting screen.

use portable_pty::ExitStatus;

use super::answers::Answers;
use super::screen::Screen;

/// Marks the beginning (`h`) or end (`l`) of a frame.
const SYNC: &[u8] = b"\x1b[?2026";

/// Maximum bytes of a frame.
const LONGEST_FRAME: usize = 256 * 1024;

pub(super) struct Seen {
    pub(super) parser: vt100::Parser<Answers>,
    pub(super) raw: Vec<u8>,
    pub(super) closed: bool,
    pub(super) exit: Option<ExitStatus>,
}

impl Seen {
    pub(super) fn screen(&self) -> Screen<'_> {
        Screen {
            vt: self.parser.screen(),
            title: &self.parser.callbacks().title,
            bells: self.parser.callbacks().bells,
            written: self.raw.len(),
        }
    }

    /// Whether the last frame is complete. A partial frame may show an unintended screen.
    pub(super) fn is_between_frames(&self) -> bool {
        let tail = self.raw.len().saturating_sub(LONGEST_FRAME);
        let tail = self.raw.get(tail..).unwrap_or_default();
        let mark = tail.windows(SYNC.len()).rposition(|bytes| bytes == SYNC);
        self.closed || mark.is_none_or(|at| tail.get(at + SYNC.len()) == Some(&b'l'))
    }

    pub(super) fn report(&self) -> String {
        let tail = self.raw.len().saturating_sub(600);
        let raw = String::from_utf8_lossy(self.raw.get(tail..).unwrap_or_default())
            .escape_debug()
            .to_string();
        let state = match &self.exit {
            Some(status) => format!("the program has ended: {status}"),
            None => "the program still runs".to_owned(),
        };
        format!(
            "{}\n{state}; {} bytes so far, the last of them:\n{raw}",
            self.screen().framed(),
            self.raw.len()
        )
    }
}
