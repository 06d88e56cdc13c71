//! Cache of servers' tools, prompts and resources, so that the first model request need not wait. Unreadable files are
//! ignored.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::limits::MOST_CACHED;
use benchdog_domain::server::{Offered, OfferedPrompt};

const MOST_BYTES: u64 = 32 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Lifecycle {
    /// Protocol revisions up to 2025-11-25.
    Handshake,
    /// Discovery instead of a handshake (revision 2026-07-28).
    Discovery,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CachedOffers {
    pub(super) greeting: Lifecycle,
    pub(super) tools: Vec<Offered>,
    #[serde(default)]
    pub(super) prompts: Vec<OfferedPrompt>,
}

#[derive(Debug, Clone)]
pub(super) struct OfferCache(PathBuf);

impl OfferCache {
    pub(super) fn new(cache: &Path) -> Self {
        Self(cache.join("mcp"))
    }

    fn path(&self, definition: &Definition) -> PathBuf {
        self.0.join(format!("{}.json", definition.key()))
    }

    pub(super) fn read(&self, definition: &Definition) -> Option<CachedOffers> {
        let file = fs::File::open(self.path(definition)).ok()?;
        let mut text = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes atomically. After a failure, the next start of Benchdog waits for the server again.
    pub(super) fn write(&self, definition: &Definition, offers: &CachedOffers) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        let path = self.path(definition);
        if !path.exists() {
            self.remove_oldest();
        }
        let draft = path.with_extension(format!("{}.new", std::process::id()));
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&draft)?;
        file.write_all(&serde_json::to_vec(offers)?)?;
        fs::rename(&draft, &path)
    }

    fn remove_oldest(&self) {
        let Ok(entries) = fs::read_dir(&self.0) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let excess = (files.len() + 1).saturating_sub(MOST_CACHED);
        for (_, path) in files.into_iter().take(excess) {
            let _ = fs::remove_file(path);
        }
    }
}
