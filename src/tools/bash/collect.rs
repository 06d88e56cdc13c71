//! The output of one command: both ends in memory, and the whole of it in a file once it is too long to show.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::plain::Plain;
use crate::base::ring::{Ends, Kept};
use crate::security::redact::Stream;
use crate::tools::ToolContext;

/// What is shown of long output, both ends together.
const MOST: usize = 30_000;

/// What is kept of endless output.
const MOST_FILE: u64 = 64 << 20;

pub(super) struct Collected {
    plain: Plain,
    redacted: Stream,
    ends: Ends,
    folder: PathBuf,
    file: Spill,
}

enum Spill {
    NotNeeded,
    Open {
        path: PathBuf,
        file: BufWriter<File>,
        written: u64,
    },
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
            redacted: cx.redactor.stream(),
            ends: Ends::new(half, half),
            folder: cx.overflow.clone(),
            file: Spill::NotNeeded,
        }
    }

    /// Takes what the command wrote; answers with the plain text of it, in whole lines and without secrets.
    pub(super) fn push(&mut self, bytes: &[u8]) -> String {
        let text = self.redacted.push(&self.plain.push(bytes));
        self.keep(&text);
        text
    }

    /// The last unfinished line.
    pub(super) fn finish(&mut self) -> String {
        let mut text = self.redacted.push(&self.plain.finish());
        text.push_str(&self.redacted.finish());
        self.keep(&text);
        text
    }

    fn keep(&mut self, text: &str) {
        let before = matches!(self.file, Spill::NotNeeded).then(|| self.ends.kept());
        self.ends.push(text);
        if let Some(before) = before.filter(|_| self.ends.is_cut()) {
            // Until now both ends together were everything.
            self.file = create(&self.folder).unwrap_or_else(Spill::Failed);
            self.write(&before.head);
            self.write(&before.tail);
        }
        self.write(text);
    }

    fn write(&mut self, text: &str) {
        let Spill::Open { file, written, .. } = &mut self.file else {
            return;
        };
        if *written >= MOST_FILE {
            return;
        }
        *written += text.len() as u64;
        if let Err(error) = file.write_all(text.as_bytes()) {
            self.file = Spill::Failed(error);
        }
    }

    /// Both ends, and where the rest is.
    pub(super) fn into_kept(self) -> (Kept, Whole) {
        let kept = self.ends.kept();
        let whole = match self.file {
            Spill::NotNeeded => Whole::Shown,
            Spill::Failed(error) => Whole::Nowhere(error),
            Spill::Open {
                path,
                mut file,
                written,
            } => match file.flush() {
                Ok(()) => Whole::In {
                    path,
                    complete: written >= self.ends.bytes(),
                },
                Err(error) => Whole::Nowhere(error),
            },
        };
        (kept, whole)
    }
}

fn create(folder: &Path) -> io::Result<Spill> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    // The clock part of the id sorts the files; no two commands share one.
    let path = folder.join(format!("bash-{}.txt", crate::base::id::fresh()));
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&path)?;
    Ok(Spill::Open {
        path,
        file: BufWriter::new(file),
        written: 0,
    })
}

#[cfg(test)]
mod tests;
