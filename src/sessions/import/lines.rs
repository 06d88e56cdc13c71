//! The lines of a file, one at a time, with their numbers.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::{Flaw, SessionsError};

/// Maximum length of a line in bytes, which limits memory use. This length is enough for the largest output in a log.
pub(super) const MOST: usize = 64 << 20;

pub(super) struct Lines {
    file: PathBuf,
    reader: BufReader<File>,
    number: u64,
    line: Vec<u8>,
}

impl Lines {
    pub(super) fn open(file: &Path) -> Result<Self, SessionsError> {
        let opened = File::open(file).map_err(|error| unreadable(file, error))?;
        Ok(Self {
            file: file.to_owned(),
            reader: BufReader::with_capacity(256 << 10, opened),
            number: 0,
            line: Vec::new(),
        })
    }

    /// Returns the next non-blank line without its line end.
    pub(super) fn next(&mut self) -> Result<Option<&[u8]>, SessionsError> {
        loop {
            if self.next_of_any_kind()?.is_none() {
                return Ok(None);
            }
            if !self.line.trim_ascii().is_empty() {
                return Ok(Some(&self.line));
            }
        }
    }

    pub(super) fn next_of_any_kind(&mut self) -> Result<Option<&[u8]>, SessionsError> {
        self.line.clear();
        let most = u64::try_from(MOST).unwrap_or(u64::MAX);
        let read = (&mut self.reader).take(most).read_until(b'\n', &mut self.line);
        let read = read.map_err(|error| unreadable(&self.file, error))?;
        if read == 0 {
            return Ok(None);
        }
        self.number += 1;
        if read == MOST {
            return Err(self.flawed(Flaw::Long));
        }
        while matches!(self.line.last(), Some(b'\n' | b'\r')) {
            self.line.pop();
        }
        if self.number == 1 && self.line.starts_with("\u{feff}".as_bytes()) {
            self.line.drain(..3);
        }
        Ok(Some(&self.line))
    }

    pub(super) fn flawed(&self, flaw: Flaw) -> SessionsError {
        SessionsError::Flawed {
            file: self.file.clone(),
            line: Some(self.number),
            flaw,
        }
    }
}

pub(super) fn unreadable(file: &Path, error: std::io::Error) -> SessionsError {
    SessionsError::Unreadable {
        file: file.to_owned(),
        error,
    }
}
