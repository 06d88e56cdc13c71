//! What a session did to files, from first to last, whatever lay between.

use std::collections::HashMap;
use std::sync::Arc;

use crate::base::id::BlobId;
use crate::domain::entry::{Body, Entry};

/// One file, as it was before its first change and after its last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ChangedFile<'a> {
    pub(crate) path: &'a str,
    /// `None`: it did not exist.
    pub(crate) before: Option<&'a BlobId>,
    /// `None`: it does not exist any more.
    pub(crate) after: Option<&'a BlobId>,
}

/// The changed files, in the order of their first change.
pub(super) fn changed(entries: &[Arc<Entry>]) -> Vec<ChangedFile<'_>> {
    let mut files: Vec<ChangedFile<'_>> = Vec::new();
    let mut known: HashMap<&str, usize> = HashMap::new();
    for entry in entries {
        let Body::Change {
            path, before, after, ..
        } = &entry.body
        else {
            continue;
        };
        let place = *known.entry(path).or_insert(files.len());
        match files.get_mut(place) {
            Some(file) => file.after = after.as_ref(),
            None => files.push(ChangedFile {
                path,
                before: before.as_ref(),
                after: after.as_ref(),
            }),
        }
    }
    files
}
