//! The output of one command: both ends in memory, and the whole of it in a file once it is too long to show. What follows when the file
//! is full is only counted, but for the newest of it, which is looked at when somebody wants to see it. Of a command in the background
//! the file is there from the start, and any place of it can be read while it grows.

use std::io;
use std::path::PathBuf;

use super::plain::Plain;
use crate::base::disk::bytes_text;
use crate::base::ring::{Ends, Kept};
use crate::base::text::grouped;
use crate::security::redact::{Redactor, Stream};
use crate::tools::ToolContext;
use crate::tools::outputs::{MOST_OF_JOB, Output, Outputs};

/// What is shown of long output, both ends together.
pub(super) const MOST: usize = 30_000;

/// What stays at hand of the newest output of a command in the background.
const NEWEST: usize = 64 * 1024;

/// What is kept to be looked at later: many times what is shown, so that a secret that began before it is out of sight.
const WINDOW: usize = 64 * 1024;

pub(in crate::tools) struct Collected {
    plain: Plain,
    redactor: Redactor,
    redacted: Stream,
    ends: Ends,
    outputs: Outputs,
    file: Spill,
    /// The newest of the output, not looked at yet.
    waiting: Vec<u8>,
}

enum Spill {
    NotNeeded,
    Open(Output),
    Failed(io::Error),
}

/// A part of what a command in the background wrote.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::tools) struct Part {
    pub(in crate::tools) text: String,
    /// Where it begins and where it ends, in bytes.
    pub(in crate::tools) from: u64,
    pub(in crate::tools) upto: u64,
}

/// Where the whole output is.
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

    /// Of a command in the background.
    pub(super) fn of_job(cx: &ToolContext) -> Self {
        let file = cx.outputs.begin_up_to(MOST_OF_JOB);
        Self {
            ends: Ends::new(0, NEWEST),
            file: file.map_or_else(Spill::Failed, Spill::Open),
            ..Self::new(cx)
        }
    }

    /// All that was written so far, in bytes.
    pub(in crate::tools) fn bytes(&mut self) -> u64 {
        self.look_now();
        self.ends.bytes()
    }

    /// So much at the most from a place on, or from the next place behind it that was kept.
    pub(in crate::tools) fn part(&mut self, from: u64, most: usize) -> Part {
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

    /// The newest lines, so much at the most.
    pub(in crate::tools) fn newest(&mut self, most: usize) -> Part {
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

    /// Nothing more comes: the file gets the end of what was too long for it. Where it is, if it is kept.
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

    /// Takes what the command wrote; answers with the plain text of it, in whole lines and without secrets. Once the file is full, the text
    /// is told by `look` instead.
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

    /// Whether there is something to `look` at.
    pub(super) fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// The text of what is waiting.
    pub(super) fn look(&mut self) -> String {
        let waiting = std::mem::take(&mut self.waiting);
        self.read(&waiting)
    }

    /// The line that has not ended yet, as it stands and as far as it holds no part of a secret.
    pub(in crate::tools) fn unfinished(&self) -> String {
        self.redacted.unfinished(self.plain.unfinished())
    }

    /// The last of it, with the unfinished line.
    pub(super) fn finish(&mut self) -> String {
        let mut text = self.look();
        text.push_str(&self.end());
        text
    }

    /// Whether nothing more is kept of what comes.
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

    /// Leaves all but the newest of what is waiting and of what comes, from the beginning of a line where one is near. Of what comes only that
    /// is copied.
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
            // Until now both ends together were everything.
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

    /// Both ends, and where the rest is.
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

/// The text of whole letters: what stands cut at either end is left out.
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

/// The line in place of what lies between both ends. `whole`: where all of it is.
pub(crate) fn gap(kept: &Kept, whole: Option<&str>) -> String {
    let lost = format!("{} lines, {}", grouped(kept.lost_lines), bytes_text(kept.lost_bytes));
    gap_line(&lost, whole)
}

fn gap_line(lost: &str, whole: Option<&str>) -> String {
    let whole = whole.map(|whole| format!("; {whole}")).unwrap_or_default();
    format!("[… {lost} are left out here{whole} …]\n")
}

#[cfg(test)]
mod tests;
