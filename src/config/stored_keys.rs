//! Keys of `benchdog auth set`, in a private file. A key belongs to one provider, and goes only to its server.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::hosts::server;
use super::settings::Settings;
use benchdog_base::problem::{Location, Problem};

const MAX_BYTES: u64 = 1_000_000;

#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredKeys {
    keys: Vec<StoredKey>,
}

#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredKey {
    pub provider: String,
    /// Scheme, host and port of the only server that may receive the key.
    pub server: String,
    key: String,
}

impl std::fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "a key for {} at {}", self.provider, self.server)
    }
}

impl StoredKeys {
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let wrong = |text: String| Problem::new(Location::file(&path.display().to_string()), text);
        let meta = match fs::metadata(path) {
            Ok(meta) if meta.len() <= MAX_BYTES => meta,
            Ok(_) => return Err(wrong(format!("is longer than {MAX_BYTES} bytes"))),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                return Ok(Self::default());
            }
            Err(error) => return Err(wrong(format!("cannot be read: {error}"))),
        };
        if meta.permissions().mode() & 0o077 != 0 {
            return Err(wrong("can be read by others".to_owned()).with(Some(format!("`chmod 600 {}`", path.display()))));
        }
        let bytes = fs::read(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
        serde_json::from_slice(&bytes).map_err(|error| {
            wrong(format!(
                "is not what `benchdog auth set` writes: {:?} in line {}, column {}",
                error.classify(),
                error.line(),
                error.column()
            ))
            .with(Some("move it away and set the keys again".to_owned()))
        })
    }

    pub fn all(&self) -> &[StoredKey] {
        &self.keys
    }

    /// Stores a provider's key, and replaces an earlier one. Returns its server. `None` if the address is invalid.
    pub fn set(&mut self, provider: &str, base_url: &str, key: &str) -> Option<String> {
        let server = server(base_url)?.to_string();
        self.remove(provider);
        self.keys.push(StoredKey {
            provider: provider.to_owned(),
            server: server.clone(),
            key: key.to_owned(),
        });
        Some(server)
    }

    pub fn remove(&mut self, provider: &str) -> bool {
        let before = self.keys.len();
        self.keys.retain(|stored| stored.provider != provider);
        self.keys.len() < before
    }

    pub fn write(&self, path: &Path) -> io::Result<()> {
        let folder = path
            .parent()
            .ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        // The extension `.key` marks the temporary file as secret.
        let draft = path.with_extension(format!("{}.key", std::process::id()));
        let _ = fs::remove_file(&draft);
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&draft)
            .and_then(|mut file| {
                file.set_permissions(Permissions::from_mode(0o600))?;
                file.write_all(&serde_json::to_vec_pretty(self)?)?;
                file.sync_all()
            })
            .and_then(|()| fs::rename(&draft, path))
            .and_then(|()| File::open(folder)?.sync_all());
        written.inspect_err(|_| drop(fs::remove_file(&draft)))
    }

    /// Sets the stored key of each provider. Also collects all keys for redaction.
    pub(super) fn hand_out(&self, settings: &mut Settings) {
        settings.stored_keys = self.keys.iter().map(|stored| stored.key.clone()).collect();
        for (name, provider) in &mut settings.provider {
            let of = server(&provider.base_url).map(|server| server.to_string());
            let fits = |stored: &&StoredKey| stored.provider == *name && Some(&stored.server) == of.as_ref();
            provider.stored_key = self.keys.iter().find(fits).map(|stored| stored.key.clone());
        }
    }
}
