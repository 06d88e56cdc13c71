//! Reads both versions of changed files: from git's store, or from the working tree without following links.

use std::collections::HashMap;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::query::{Git, QueryError};
use crate::beneath::Held;
use benchdog_domain::comparison::NotRead;

pub(super) const MOST_OF_ONE: u64 = 4 << 20;

const MOST_OF_ALL: u64 = 24 << 20;

pub(super) type Side = Result<Option<Arc<[u8]>>, NotRead>;

#[derive(Default)]
pub(super) struct Blobs {
    known: HashMap<String, Result<Arc<[u8]>, NotRead>>,
}

pub(super) struct Allowance(u64);

impl Default for Allowance {
    fn default() -> Self {
        Self(MOST_OF_ALL)
    }
}

impl Allowance {
    fn take(&mut self, bytes: u64) -> Result<(), NotRead> {
        if bytes > MOST_OF_ONE {
            return Err(NotRead::TooLarge { bytes });
        }
        self.0 = self.0.checked_sub(bytes).ok_or(NotRead::Enough)?;
        Ok(())
    }
}

impl Blobs {
    /// Reads blobs with two queries: first the sizes of all blobs, then the contents of those that fit into the
    /// allowance.
    pub(super) fn read(git: &Git<'_>, ids: &[&str], allowance: &mut Allowance) -> Result<Self, QueryError> {
        let mut blobs = Self::default();
        if ids.is_empty() {
            return Ok(blobs);
        }
        let sizes = git.query_with_input(&["cat-file", "--batch-check=%(objectname) %(objectsize)"], lines(ids))?;
        let mut wanted: Vec<&str> = Vec::new();
        let sizes = String::from_utf8_lossy(&sizes);
        for (id, size) in sizes.lines().filter_map(|line| line.split_once(' ')) {
            if blobs.known.contains_key(id) || wanted.contains(&id) {
                continue;
            }
            let allowed = match size.parse() {
                Ok(bytes) => allowance.take(bytes),
                // In a partial clone without this blob, git prints `missing` instead of the size.
                Err(_) => Err(NotRead::Failed { why: size.to_owned() }),
            };
            match allowed {
                Ok(()) => wanted.push(id),
                Err(why) => {
                    blobs.known.insert(id.to_owned(), Err(why));
                }
            }
        }
        if !wanted.is_empty() {
            let answer = git.query_with_input(&["cat-file", "--batch=%(objectname) %(objectsize)"], lines(&wanted))?;
            blobs.take_in(&answer);
        }
        Ok(blobs)
    }

    /// Parses git's answer. For each blob, the answer has a line with id and size, then the bytes and a newline.
    fn take_in(&mut self, mut answer: &[u8]) {
        while let Some(end) = answer.iter().position(|byte| *byte == b'\n') {
            let (head, rest) = answer.split_at(end);
            let head = String::from_utf8_lossy(head).into_owned();
            let rest = rest.get(1..).unwrap_or_default();
            let parts = head.split_once(' ');
            let Some((id, size)) = parts.and_then(|(id, size)| Some((id, size.parse::<usize>().ok()?))) else {
                return;
            };
            let Some(bytes) = rest.get(..size) else { return };
            self.known.insert(id.to_owned(), Ok(bytes.into()));
            answer = rest.get(size + 1..).unwrap_or_default();
        }
    }

    pub(super) fn side(&self, id: &str) -> Side {
        match self.known.get(id) {
            Some(known) => known.clone().map(Some),
            None => Err(NotRead::Failed {
                why: "missing".to_owned(),
            }),
        }
    }
}

fn lines(ids: &[&str]) -> Vec<u8> {
    let mut text = ids.join("\n");
    text.push('\n');
    text.into_bytes()
}

pub(super) fn file(held: &Held, path: &Path, allowance: &mut Allowance) -> Side {
    let failed = |error: std::io::Error| NotRead::Failed { why: error.to_string() };
    let file = held.file(path).map_err(failed)?;
    allowance.take(file.metadata().map_err(failed)?.len())?;
    let mut bytes = Vec::new();
    file.take(MOST_OF_ONE).read_to_end(&mut bytes).map_err(failed)?;
    Ok(Some(bytes.into()))
}

pub(super) fn link(held: &Held, path: &Path) -> Side {
    match held.link(path) {
        Ok(target) => Ok(Some(target.into())),
        Err(error) => Err(NotRead::Failed { why: error.to_string() }),
    }
}
