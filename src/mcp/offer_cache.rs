//! Cache of the servers' offers, so that the first request need not wait. An unreadable file is ignored.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::definition::Definition;
use super::limits::MOST_KEPT;
use benchdog_domain::server::{Offered, OfferedPrompt};

const MOST_BYTES: u64 = 32 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Greeting {
    /// The handshake of revisions up to 2025-11-25.
    Handshake,
    /// Server discovery (revision 2026-07-28).
    Discovery,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Kept {
    pub(super) greeting: Greeting,
    pub(super) tools: Vec<Offered>,
    #[serde(default)]
    pub(super) prompts: Vec<OfferedPrompt>,
}

#[derive(Debug, Clone)]
pub(super) struct Shelf(PathBuf);

impl Shelf {
    pub(super) fn of(cache: &Path) -> Self {
        Self(cache.join("mcp"))
    }

    fn path(&self, definition: &Definition) -> PathBuf {
        self.0.join(format!("{}.json", definition.key()))
    }

    pub(super) fn read(&self, definition: &Definition) -> Option<Kept> {
        let file = fs::File::open(self.path(definition)).ok()?;
        let mut text = Vec::new();
        file.take(MOST_BYTES).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes atomically. After a failure, the next first request waits again.
    pub(super) fn keep(&self, definition: &Definition, kept: &Kept) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.0)?;
        let path = self.path(definition);
        if !path.exists() {
            self.make_room();
        }
        let draft = path.with_extension(format!("{}.new", std::process::id()));
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&draft)?;
        file.write_all(&serde_json::to_vec(kept)?)?;
        fs::rename(&draft, &path)
    }

    fn make_room(&self) {
        let Ok(entries) = fs::read_dir(&self.0) else { return };
        let mut files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
            .collect();
        files.sort();
        let over = (files.len() + 1).saturating_sub(MOST_KEPT);
        for (_, path) in files.into_iter().take(over) {
            let _ = fs::remove_file(path);
        }
    }
}
