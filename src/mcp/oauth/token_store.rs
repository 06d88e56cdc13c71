//! The file that stores tokens. It is private, written atomically, and never reached through a symbolic link. Owner,
//! server name and URL identify a token.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::tokens::TokenSet;
use crate::definition::SignInOwner;
use benchdog_base::disk::bytes_text;

const MOST_BYTES: u64 = 1 << 20;
/// Maximum wait for another process that holds the lock.
const LOCK_TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Debug, Clone)]
pub(super) struct TokenStore {
    path: PathBuf,
    owner: SignInOwner,
    name: String,
}

#[derive(Default, Serialize, Deserialize)]
struct TokenFile {
    tokens: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    server: String,
    url: String,
    /// Older files do not have this field. All their sign-ins belong to the user's configuration.
    #[serde(default, rename = "whose", skip_serializing_if = "is_person")]
    owner: SignInOwner,
    #[serde(flatten)]
    tokens: TokenSet,
}

fn is_person(owner: &SignInOwner) -> bool {
    *owner == SignInOwner::Person
}

/// The lock for changes of tokens, so that only one process refreshes a token.
pub(super) struct StoreLock(#[expect(dead_code, reason = "drop of the file releases the lock")] File);

impl TokenStore {
    pub(super) fn new(path: &Path, owner: &SignInOwner, name: &str) -> Self {
        Self {
            path: path.to_path_buf(),
            owner: owner.clone(),
            name: name.to_owned(),
        }
    }

    pub(super) async fn read(&self, url: &str) -> io::Result<Option<TokenSet>> {
        let (store, url) = (self.clone(), url.to_owned());
        blocking(move || {
            let entries = store.read_file()?.tokens.into_iter();
            let mut own = entries.filter(|entry| store.is_own(entry) && entry.url == url);
            Ok(own.next().map(|entry| entry.tokens))
        })
        .await
    }

    /// Stores the tokens for this URL. `None` deletes them.
    pub(super) async fn write(&self, url: &str, tokens: Option<TokenSet>) -> io::Result<()> {
        let (store, url) = (self.clone(), url.to_owned());
        blocking(move || {
            let mut file = store.read_file()?;
            file.tokens.retain(|entry| !(store.is_own(entry) && entry.url == url));
            file.tokens.extend(tokens.map(|tokens| Entry {
                server: store.name.clone(),
                url,
                owner: store.owner.clone(),
                tokens,
            }));
            write_file(&store.path, &file)
        })
        .await
    }

    /// Deletes all tokens of this owner and server name. Returns the deleted tokens with their URLs.
    pub(super) async fn remove_all(&self) -> io::Result<Vec<(String, TokenSet)>> {
        let store = self.clone();
        blocking(move || {
            let entries = store.read_file()?.tokens.into_iter();
            let (own, tokens): (Vec<Entry>, Vec<Entry>) = entries.partition(|entry| store.is_own(entry));
            if !own.is_empty() {
                write_file(&store.path, &TokenFile { tokens })?;
            }
            Ok(own.into_iter().map(|entry| (entry.url, entry.tokens)).collect())
        })
        .await
    }

    pub(super) async fn lock(&self) -> io::Result<StoreLock> {
        let lock = self.path.with_extension("lock");
        blocking(move || {
            create_folder(&lock)?;
            let file = open_options().write(true).create(true).truncate(false).open(&lock)?;
            let began = Instant::now();
            while let Err(error) = file.try_lock() {
                if began.elapsed() > LOCK_TIMEOUT {
                    return Err(io::Error::other(error.to_string()));
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            Ok(StoreLock(file))
        })
        .await
    }

    fn is_own(&self, entry: &Entry) -> bool {
        entry.server == self.name && entry.owner == self.owner
    }

    fn read_file(&self) -> io::Result<TokenFile> {
        let file = match open_options().read(true).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(TokenFile::default()),
            Err(error) => return Err(error),
        };
        if file.metadata()?.permissions().mode() & 0o077 != 0 {
            return Err(io::Error::other(format!(
                "others can read it; `chmod 600 {}`",
                self.path.display()
            )));
        }
        let mut bytes = Vec::new();
        file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
        if !fits(&bytes) {
            let most = bytes_text(MOST_BYTES);
            return Err(io::Error::other(format!("it holds more than {most}")));
        }
        // The error is a fixed text, which can never contain tokens from the file.
        serde_json::from_slice(&bytes).map_err(|_| io::Error::other("it is not what Benchdog writes there"))
    }
}

fn open_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let no_link = rustix::fs::OFlags::NOFOLLOW.bits();
    options.mode(0o600).custom_flags(i32::try_from(no_link).unwrap_or(0));
    options
}

fn create_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn fits(bytes: &[u8]) -> bool {
    bytes.len() as u64 <= MOST_BYTES
}

fn write_file(path: &Path, file: &TokenFile) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(file)?;
    if !fits(&bytes) {
        let most = bytes_text(MOST_BYTES);
        return Err(io::Error::other(format!(
            "it would hold more than {most}; `benchdog mcp logout NAME` forgets what is not needed"
        )));
    }
    create_folder(path)?;
    let draft = path.with_extension(format!("{}.key", std::process::id()));
    let _ = fs::remove_file(&draft);
    let written = open_options()
        .write(true)
        .create_new(true)
        .open(&draft)
        .and_then(|mut file| {
            file.set_permissions(Permissions::from_mode(0o600))?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&draft, path)?;
            // Make the rename durable.
            File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
        });
    written.inspect_err(|_| drop(fs::remove_file(&draft)))
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work).await.map_err(io::Error::other)?
}

#[cfg(test)]
mod tests;
