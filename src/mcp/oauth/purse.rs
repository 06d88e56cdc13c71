//! Token file: private, written atomically, without following links. Owner, server name and URL identify a token.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::granted::Granted;
use crate::definition::Whose;
use benchdog_base::disk::bytes_text;

const MOST_BYTES: u64 = 1 << 20;
/// Timeout for the lock of another process.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Debug, Clone)]
pub(super) struct Purse {
    path: PathBuf,
    whose: Whose,
    name: String,
}

#[derive(Default, Serialize, Deserialize)]
struct Whole {
    tokens: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    server: String,
    url: String,
    /// Missing in older files, which have only personal sign-ins.
    #[serde(default, skip_serializing_if = "is_a_persons")]
    whose: Whose,
    #[serde(flatten)]
    granted: Granted,
}

fn is_a_persons(whose: &Whose) -> bool {
    *whose == Whose::Person
}

/// Lock while tokens change, so that only one process refreshes.
pub(super) struct Held(#[expect(dead_code, reason = "it is let go of with the file")] File);

impl Purse {
    pub(super) fn of(path: &Path, whose: &Whose, name: &str) -> Self {
        Self {
            path: path.to_path_buf(),
            whose: whose.clone(),
            name: name.to_owned(),
        }
    }

    pub(super) async fn read(&self, url: &str) -> io::Result<Option<Granted>> {
        let (purse, url) = (self.clone(), url.to_owned());
        blocking(move || {
            let entries = purse.whole()?.tokens.into_iter();
            let mut own = entries.filter(|entry| purse.is_own(entry) && entry.url == url);
            Ok(own.next().map(|entry| entry.granted))
        })
        .await
    }

    /// `None` deletes the token for this URL.
    pub(super) async fn keep(&self, url: &str, granted: Option<Granted>) -> io::Result<()> {
        let (purse, url) = (self.clone(), url.to_owned());
        blocking(move || {
            let mut whole = purse.whole()?;
            whole.tokens.retain(|entry| !(purse.is_own(entry) && entry.url == url));
            whole.tokens.extend(granted.map(|granted| Entry {
                server: purse.name.clone(),
                url,
                whose: purse.whose.clone(),
                granted,
            }));
            write(&purse.path, &whole)
        })
        .await
    }

    /// Returns the deleted tokens with their URLs.
    pub(super) async fn empty(&self) -> io::Result<Vec<(String, Granted)>> {
        let purse = self.clone();
        blocking(move || {
            let entries = purse.whole()?.tokens.into_iter();
            let (own, tokens): (Vec<Entry>, Vec<Entry>) = entries.partition(|entry| purse.is_own(entry));
            if !own.is_empty() {
                write(&purse.path, &Whole { tokens })?;
            }
            Ok(own.into_iter().map(|entry| (entry.url, entry.granted)).collect())
        })
        .await
    }

    pub(super) async fn hold(&self) -> io::Result<Held> {
        let lock = self.path.with_extension("lock");
        blocking(move || {
            folder(&lock)?;
            let file = options().write(true).create(true).truncate(false).open(&lock)?;
            let began = Instant::now();
            while let Err(error) = file.try_lock() {
                if began.elapsed() > PATIENCE {
                    return Err(io::Error::other(error.to_string()));
                }
                std::thread::sleep(Duration::from_millis(50));
            }
            Ok(Held(file))
        })
        .await
    }

    fn is_own(&self, entry: &Entry) -> bool {
        entry.server == self.name && entry.whose == self.whose
    }

    fn whole(&self) -> io::Result<Whole> {
        let file = match options().read(true).open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Whole::default()),
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
        // Errors never contain the file's content.
        serde_json::from_slice(&bytes).map_err(|_| io::Error::other("it is not what Benchdog writes there"))
    }
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    let no_link = rustix::fs::OFlags::NOFOLLOW.bits();
    options.mode(0o600).custom_flags(i32::try_from(no_link).unwrap_or(0));
    options
}

fn folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

fn fits(bytes: &[u8]) -> bool {
    bytes.len() as u64 <= MOST_BYTES
}

fn write(path: &Path, whole: &Whole) -> io::Result<()> {
    let bytes = serde_json::to_vec_pretty(whole)?;
    if !fits(&bytes) {
        let most = bytes_text(MOST_BYTES);
        return Err(io::Error::other(format!(
            "it would hold more than {most}; `benchdog mcp logout NAME` forgets what is not needed"
        )));
    }
    folder(path)?;
    let draft = path.with_extension(format!("{}.key", std::process::id()));
    let _ = fs::remove_file(&draft);
    let written = options()
        .write(true)
        .create_new(true)
        .open(&draft)
        .and_then(|mut file| {
            file.set_permissions(Permissions::from_mode(0o600))?;
            file.write_all(&bytes)?;
            file.sync_all()?;
            fs::rename(&draft, path)?;
            // Makes the rename durable.
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
mod tests {
    use super::*;

    fn of_person(path: &Path, name: &str) -> Purse {
        Purse::of(path, &Whose::Person, name)
    }

    #[tokio::test]
    async fn a_token_is_kept_for_one_address_in_a_file_of_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("data/mcp/credentials.json");
        let purse = |name: &str| of_person(&path, name);
        assert_eq!(purse("a").read("https://a").await.unwrap(), None);
        let granted = Granted::written("t0k");
        purse("a").keep("https://a", Some(granted.clone())).await.unwrap();
        purse("b")
            .keep("https://b", Some(Granted::written("other")))
            .await
            .unwrap();
        assert_eq!(purse("a").read("https://a").await.unwrap(), Some(granted.clone()));
        assert_eq!(purse("a").read("https://elsewhere").await.unwrap(), None);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
        let second = Granted::written("second");
        purse("a").keep("https://second", Some(second.clone())).await.unwrap();
        assert_eq!(purse("a").read("https://a").await.unwrap(), Some(granted.clone()));
        let mut both = purse("a").empty().await.unwrap();
        both.sort_by(|one, other| one.0.cmp(&other.0));
        let expected = [("https://a".to_owned(), granted), ("https://second".to_owned(), second)];
        assert_eq!(both, expected);
        assert_eq!(purse("a").read("https://a").await.unwrap(), None);
        assert!(purse("b").read("https://b").await.unwrap().is_some());
        let left: Vec<_> = fs::read_dir(path.parent().unwrap()).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }

    #[tokio::test]
    async fn a_sign_in_of_the_persons_is_none_of_a_folders_that_calls_a_server_alike() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials.json");
        let old = r#"{"tokens": [{"server": "a", "url": "https://a", "access": "t0k"}]}"#;
        options().write(true).create_new(true).open(&path).unwrap();
        fs::write(&path, old).unwrap();
        let granted = |text: &str| Some(Granted::written(text));
        let read = async |whose: Whose| Purse::of(&path, &whose, "a").read("https://a").await.unwrap();
        let others = [
            Whose::Folder("/work".into()),
            Whose::Folder("/other".into()),
            Whose::Run("/work".into()),
        ];
        assert_eq!(read(Whose::Person).await, granted("t0k"), "a file of before");
        for whose in &others {
            assert_eq!(read(whose.clone()).await, None, "{whose:?}");
            let purse = Purse::of(&path, whose, "a");
            purse.keep("https://a", granted(&format!("{whose:?}"))).await.unwrap();
        }
        assert_eq!(read(Whose::Person).await, granted("t0k"));
        assert_eq!(of_person(&path, "a").empty().await.unwrap().len(), 1);
        for whose in others {
            assert_eq!(read(whose.clone()).await, granted(&format!("{whose:?}")));
        }
    }

    #[tokio::test]
    async fn a_file_is_as_long_as_is_read_and_what_is_longer_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("credentials.json");
        let keep = async |name: &str, length: usize| {
            let granted = Granted::written(&"x".repeat(length));
            of_person(&path, name).keep("https://a", Some(granted)).await
        };
        keep("a", 1_000_000).await.unwrap();
        let told = keep("b", 100_000).await.unwrap_err().to_string();
        assert!(
            told.contains("would hold more than 1") && told.contains("mcp logout"),
            "{told}"
        );
        let kept = of_person(&path, "a").read("https://a").await.unwrap();
        assert!(kept.is_some(), "what was there stays");
        fs::write(&path, "x".repeat((1 << 20) + 1)).unwrap();
        let told = of_person(&path, "a").read("https://a").await.unwrap_err().to_string();
        assert!(told.contains("holds more than"), "{told}");
    }

    #[tokio::test]
    async fn no_link_is_followed_and_nothing_that_others_can_read_counts() {
        let folder = tempfile::tempdir().unwrap();
        let (path, victim) = (folder.path().join("credentials.json"), folder.path().join("victim"));
        let purse = of_person(&path, "a");
        let keep = async || purse.keep("https://a", Some(Granted::written("t0k"))).await;
        fs::write(&victim, "{\"tokens\": []}").unwrap();
        std::os::unix::fs::symlink(&victim, &path).unwrap();
        assert!(purse.read("https://a").await.is_err());
        assert!(keep().await.is_err());
        assert_eq!(fs::read_to_string(&victim).unwrap(), "{\"tokens\": []}");
        fs::remove_file(&path).unwrap();
        keep().await.unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o644)).unwrap();
        let told = purse.read("https://a").await.unwrap_err().to_string();
        assert!(told.contains("chmod 600") && !told.contains("t0k"), "{told}");
    }
}
