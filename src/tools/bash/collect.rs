//! Collects the output of a command. Keeps the beginning and the end in memory, and writes everything to a file if the
//! output is too long to show. Once the file is full, only the newest further output stays in memory. Background jobs
//! always have a file.

use std::io;
use std::path::PathBuf;

use super::plain::Plain;
use crate::ToolContext;
use crate::outputs::{MOST_OF_JOB, Output, Outputs};
use benchdog_base::disk::bytes_text;
use benchdog_base::ring::{Ends, Kept};
use benchdog_base::text::grouped;
use benchdog_security::redact::{Redactor, Stream};

/// Maximum bytes of output to show, beginning and end together.
pub(super) const MOST: usize = 30_000;

/// Bytes of the newest output of a background job that stay in memory.
const NEWEST: usize = 64 * 1024;

/// Bytes of the newest unprocessed output to keep once the file is full. Much larger than the shown part, so that a
/// secret that begins before the shown part is still redacted.
const WINDOW: usize = 64 * 1024;

pub(crate) struct Collected {
    plain: Plain,
    redactor: Redactor,
    redacted: Stream,
    ends: Ends,
    outputs: Outputs,
    file: Spill,
    waiting: Vec<u8>,
}

enum Spill {
    NotNeeded,
    Open(Output),
    Failed(io::Error),
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub text: String,
    pub from: u64,
    pub upto: u64,
}

pub(super) enum Whole {
    Shown,
    In { path: PathBuf, complete: bool },
    Nowhere(io::Error),
}

impl Collected {
    pub(super) fn new(cx: &ToolContext) -> Self {
        let half = MOST.min(cx.limits.result_bytes.saturating_sub(1_000)) / 2;
        Self {
            plain: Plain::default(),
            redactor: cx.redactor.clone(),
            redacted: cx.redactor.stream(),
            ends: Ends::new(half, half),
            outputs: cx.outputs.clone(),
            file: Spill::NotNeeded,
            waiting: Vec::new(),
        }
    }

    pub(super) fn of_job(cx: &ToolContext) -> Self {
        let file = cx.outputs.begin_up_to(MOST_OF_JOB);
        Self {
            ends: Ends::new(0, NEWEST),
            file: file.map_or_else(Spill::Failed, Spill::Open),
            ..Self::new(cx)
        }
    }

    pub(crate) fn bytes(&mut self) -> u64 {
        self.look_now();
        self.ends.bytes()
    }

    /// Returns at most `most` bytes from the offset `from`, or from the first available byte if `from` was dropped.
    pub fn part(&mut self, from: u64, most: usize) -> Part {
        self.look_now();
        let (begins, newest) = self.ends.newest();
        let (from, bytes) = match &mut self.file {
            Spill::Open(output) if from < begins && from < output.written() => {
                let read = output.read(from, most);
                read.map_or((begins, newest), |bytes| (from, bytes))
            }
            _ => {
                let from = from.clamp(begins, begins + newest.len() as u64);
                let skipped = usize::try_from(from - begins).unwrap_or(usize::MAX);
                (from, newest.get(skipped..).unwrap_or_default().to_vec())
            }
        };
        whole_letters(from, bytes, most)
    }

    pub(crate) fn newest(&mut self, most: usize) -> Part {
        let part = self.part(self.ends.bytes().saturating_sub(most as u64), most);
        let Some(line) = part
            .text
            .find('\n')
            .filter(|at| part.from > 0 && at + 1 < part.text.len())
        else {
            return part;
        };
        Part {
            text: part.text.get(line + 1..).unwrap_or_default().to_owned(),
            from: part.from + line as u64 + 1,
            ..part
        }
    }

    /// Appends the end of the output to the file, unless it is already there. Returns the file's path, or `None` if the
    /// file is missing or incomplete.
    pub(super) fn close(&mut self) -> Option<PathBuf> {
        let (begins, newest) = self.ends.newest();
        let Spill::Open(output) = &mut self.file else {
            return None;
        };
        let lost = begins.saturating_sub(output.written());
        let end = if output.written() < self.ends.bytes() {
            let left_out = if lost > 0 {
                gap_line(&bytes_text(lost), None)
            } else {
                String::new()
            };
            let known = usize::try_from(output.written().saturating_sub(begins)).unwrap_or(usize::MAX);
            let rest = newest.get(known..).unwrap_or_default();
            format!("\n{left_out}{}", String::from_utf8_lossy(rest))
        } else {
            String::new()
        };
        let path = output.path().to_path_buf();
        match output.close(&end) {
            Ok(()) => Some(path),
            Err(_) => None,
        }
    }

    fn look_now(&mut self) {
        if self.is_waiting() {
            self.look();
        }
    }

    /// Processes output. Returns complete lines as plain text without secrets. Once the file is full, only buffers the
    /// output, and `look` returns its text.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        if !self.is_full() {
            return self.read(bytes);
        }
        if self.waiting.len() + bytes.len() > 2 * WINDOW {
            self.pass_over(bytes);
        } else {
            self.waiting.extend_from_slice(bytes);
        }
        String::new()
    }

    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub(super) fn look(&mut self) -> String {
        let waiting = std::mem::take(&mut self.waiting);
        self.read(&waiting)
    }

    /// Returns the incomplete last line, except for a part at its end that may begin a secret.
    pub(crate) fn unfinished(&self) -> String {
        self.redacted.unfinished(self.plain.unfinished())
    }

    pub(super) fn finish(&mut self) -> String {
        let mut text = self.look();
        text.push_str(&self.end());
        text
    }

    pub(super) fn is_full(&self) -> bool {
        match &self.file {
            Spill::NotNeeded => false,
            Spill::Open(output) => output.is_full(),
            Spill::Failed(_) => true,
        }
    }

    fn read(&mut self, bytes: &[u8]) -> String {
        let text = self.redacted.push(&self.plain.push(bytes));
        self.keep(&text);
        text
    }

    fn end(&mut self) -> String {
        let mut text = self.redacted.push(&self.plain.finish());
        text.push_str(&self.redacted.finish());
        self.keep(&text);
        text
    }

    /// Drops buffered output except for the newest `WINDOW` bytes. Cuts at a line start if there is one nearby.
    fn pass_over(&mut self, comes: &[u8]) {
        self.end();
        self.plain = Plain::default();
        self.redacted = self.redactor.stream();
        let waits = self.waiting.len().min(WINDOW.saturating_sub(comes.len()));
        let (passed, waits) = self.waiting.split_at(self.waiting.len() - waits);
        self.ends.pass_over(passed);
        let (passed, comes) = comes.split_at(comes.len().saturating_sub(WINDOW));
        self.ends.pass_over(passed);
        let newest = [waits, comes].concat();
        let near = newest.iter().take(WINDOW / 2).position(|byte| *byte == b'\n');
        let (cut, newest) = newest.split_at(near.map_or(0, |at| at + 1));
        self.ends.pass_over(cut);
        self.waiting = newest.to_vec();
    }

    fn keep(&mut self, text: &str) {
        let before = matches!(self.file, Spill::NotNeeded).then(|| self.ends.kept());
        self.ends.push(text);
        if let Some(before) = before.filter(|_| self.ends.is_cut()) {
            // Until now, both ends together contained the whole output.
            self.file = self.outputs.begin().map_or_else(Spill::Failed, Spill::Open);
            self.write(&before.head);
            self.write(&before.tail);
        }
        self.write(text);
    }

    fn write(&mut self, text: &str) {
        let Spill::Open(output) = &mut self.file else {
            return;
        };
        if let Err(error) = output.write(text)
            && let Spill::Open(output) = std::mem::replace(&mut self.file, Spill::Failed(error))
        {
            output.remove();
        }
    }

    pub(super) fn into_kept(self) -> (Kept, Whole) {
        let kept = self.ends.kept();
        let all = self.ends.bytes();
        let whole = match self.file {
            Spill::NotNeeded => Whole::Shown,
            Spill::Failed(error) => Whole::Nowhere(error),
            Spill::Open(output) => match output.end() {
                Ok((path, written)) => Whole::In {
                    path,
                    complete: written >= all,
                },
                Err(error) => Whole::Nowhere(error),
            },
        };
        (kept, whole)
    }
}

/// Decodes bytes, and drops incomplete characters at both ends.
fn whole_letters(from: u64, mut bytes: Vec<u8>, most: usize) -> Part {
    bytes.truncate(most);
    let broken = bytes
        .iter()
        .take(3)
        .take_while(|byte| (0x80..0xc0).contains(*byte))
        .count();
    let bytes = bytes.get(broken..).unwrap_or_default();
    let whole = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => bytes.len(),
    };
    let text = String::from_utf8_lossy(bytes.get(..whole).unwrap_or_default()).into_owned();
    let from = from + broken as u64;
    Part {
        upto: from + whole as u64,
        from,
        text,
    }
}

/// Returns the line that replaces omitted output. `whole` is a text that names the place of the whole output.
pub fn gap(kept: &Kept, whole: Option<&str>) -> String {
    let lost = format!("{} lines, {}", grouped(kept.lost_lines), bytes_text(kept.lost_bytes));
    gap_line(&lost, whole)
}

fn gap_line(lost: &str, whole: Option<&str>) -> String {
    let whole = whole.map(|whole| format!("; {whole}")).unwrap_or_default();
    format!("[… {lost} are left out here{whole} …]\n")
}

#[cfg(test)]
mod tests;
