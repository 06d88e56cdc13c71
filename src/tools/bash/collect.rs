//! The output of one command: both ends in memory, and the whole of it in a file once it is too long to show. What follows when the file
//! is full is only counted, but for the newest of it, which is looked at when somebody wants to see it.

use std::io;
use std::path::PathBuf;

use super::plain::Plain;
use crate::base::ring::{Ends, Kept};
use crate::security::redact::{Redactor, Stream};
use crate::tools::ToolContext;
use crate::tools::outputs::{Output, Outputs};

/// What is shown of long output, both ends together.
const MOST: usize = 30_000;

/// What is kept to be looked at later: many times what is shown, so that a secret that began before it is out of sight.
const WINDOW: usize = 128 * 1024;

pub(super) struct Collected {
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

    /// Takes what the command wrote; answers with the plain text of it, in whole lines and without secrets. Once the file is full, the text
    /// is told by `look` instead.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        if !self.is_full() {
            return self.read(bytes);
        }
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() > 2 * WINDOW {
            self.pass_over();
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

    /// Leaves all but the newest of what is waiting, from the beginning of a line where one is near.
    fn pass_over(&mut self) {
        self.end();
        self.plain = Plain::default();
        self.redacted = self.redactor.stream();
        let cut = self.waiting.len() - WINDOW;
        let next = self.waiting.get(cut..cut + WINDOW / 2).unwrap_or_default();
        let near = next.iter().position(|byte| *byte == b'\n');
        let cut = near.map_or(cut, |at| cut + at + 1);
        self.ends.pass_over(self.waiting.get(..cut).unwrap_or_default());
        self.waiting.drain(..cut);
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

#[cfg(test)]
mod tests;
