//! Decides which process saves the unsent prompt of a folder: the first one that opens the folder. This process holds a
//! lock, which the kernel releases when the process ends.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use super::folder::Folder;
use super::lease::Lease;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DraftOf {
    ThisProgram,
    Another,
}

#[derive(Debug, Default)]
pub(super) struct Claims(Mutex<BTreeMap<String, Lease>>);

impl Claims {
    pub(super) fn claim(&self, folder: &Folder, workspace: &str) -> DraftOf {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if held.contains_key(workspace) {
            return DraftOf::ThisProgram;
        }
        match Lease::try_take(&folder.draft_lock(workspace)) {
            Ok(Some(lease)) => {
                held.insert(workspace.to_owned(), lease);
                DraftOf::ThisProgram
            }
            Ok(None) => DraftOf::Another,
            // Without the lock, two processes may save the draft, which is better than losing it.
            Err(_) => DraftOf::ThisProgram,
        }
    }
}

impl Drop for Claims {
    fn drop(&mut self) {
        let held = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        for lease in std::mem::take(held).into_values() {
            lease.remove();
        }
    }
}

#[cfg(test)]
mod tests;
