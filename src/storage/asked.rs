//! Logs the times of each commit: the wait for the writer thread, and the commit itself.

use std::time::Instant;

use super::error::StorageError;
use super::session_file::Blob;
use benchdog_base::id::SessionId;

pub(super) struct Asked {
    at: Instant,
    span: tracing::Span,
}

impl Asked {
    pub(super) fn to_commit(session: &SessionId, entries: usize, blobs: &[Blob]) -> Self {
        let bytes: usize = blobs.iter().map(|(_, bytes)| bytes.len()).sum();
        Self {
            at: Instant::now(),
            span: tracing::debug_span!("commit", session = session.short(), entries, blobs = blobs.len(), bytes),
        }
    }

    pub(super) fn trace<T>(self, work: impl FnOnce() -> Result<T, StorageError>) -> Result<T, StorageError> {
        let _inside = self.span.enter();
        let waited_ms = u64::try_from(self.at.elapsed().as_millis()).unwrap_or(u64::MAX);
        let began = Instant::now();
        let done = work();
        let took_us = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        match &done {
            Ok(_) => tracing::debug!(waited_ms, took_us, "committed"),
            Err(error) => tracing::warn!(waited_ms, took_us, code = error.code(), "not committed"),
        }
        done
    }
}
