//! Saves the image on the clipboard to a file that a prompt can mention.

use std::io::{self, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, SystemTime};
use std::{fs, str};

use tokio::io::AsyncReadExt as _;
use tokio::process::Command;

use super::programs::{self, Words};
use benchdog_base::environment::Environment;
use benchdog_base::id::BlobId;
use benchdog_domain::image::{ImageKind, MOST_BYTES, NoImage};

/// Generous, because the clipboard's owner creates the image on request.
const TOOL_TIME: Duration = Duration::from_secs(5);

/// The number of saved images. The newest stay, because queued prompts mention them by path.
const KEPT: usize = 32;

/// Output format of `osascript`: two digits per byte.
const HEX: (&[u8], u8) = (b"\xc2\xabdata PNGf", 0xc2);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Images {
    tools: Vec<Words>,
    /// Whether the user's clipboard is on another machine.
    far: bool,
    folder: PathBuf,
    without: Arc<[String]>,
}

impl Images {
    pub(crate) fn of(environment: &Environment, folder: PathBuf, without: Arc<[String]>) -> Self {
        Self {
            tools: programs::that_give_an_image(environment).collect(),
            far: !programs::is_here(environment),
            folder,
            without,
        }
    }

    pub(crate) async fn take(self) -> Result<PathBuf, NoImage> {
        if self.far {
            return Err(NoImage::Far);
        }
        let mut problem = NoImage::NoTool;
        for words in &self.tools {
            match self.read(words).await {
                Ok(bytes) => return kept(self.folder, bytes).await,
                Err(NoImage::NoTool) => {}
                Err(other) => problem = other,
            }
        }
        Err(problem)
    }

    async fn read(&self, words: &[&str]) -> Result<Vec<u8>, NoImage> {
        let (program, arguments) = words.split_first().ok_or(NoImage::NoTool)?;
        let mut command = Command::new(program);
        for name in self.without.iter() {
            command.env_remove(name);
        }
        let child = command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let mut child = child.map_err(|_| NoImage::NoTool)?;
        let output = child.stdout.take().ok_or(NoImage::NoTool)?;
        // Two digits per byte, and a few words around.
        let most = MOST_BYTES * 2 + 64;
        let work = async {
            let mut bytes = Vec::new();
            output.take(most + 1).read_to_end(&mut bytes).await.ok()?;
            Some(bytes)
        };
        let bytes = tokio::time::timeout(TOOL_TIME, work)
            .await
            .ok()
            .flatten()
            .ok_or(NoImage::Silent)?;
        tracing::debug!(program, bytes = bytes.len(), "clipboard read");
        let bytes = from_letters(&bytes).unwrap_or(bytes);
        match ImageKind::of(&bytes) {
            _ if bytes.len() as u64 > MOST_BYTES => Err(NoImage::TooLarge),
            Some(_) => Ok(bytes),
            None => Err(NoImage::NoneThere),
        }
    }
}

fn from_letters(output: &[u8]) -> Option<Vec<u8>> {
    let (before, end) = HEX;
    let letters = output.strip_prefix(before)?;
    let letters = letters.split(|byte| *byte == end).next()?;
    let pairs = letters.chunks_exact(2);
    pairs
        .map(|pair| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok())
        .collect()
}

async fn kept(folder: PathBuf, bytes: Vec<u8>) -> Result<PathBuf, NoImage> {
    let written = tokio::task::spawn_blocking(move || write(&folder, &bytes)).await;
    match written {
        Ok(Ok(path)) => Ok(path),
        Ok(Err(error)) => Err(NoImage::NotKept(error.to_string())),
        Err(_) => Err(NoImage::Silent),
    }
}

/// Saves under a name derived from the bytes, so that equal images share a file.
fn write(folder: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    let ending = match ImageKind::of(bytes) {
        Some(ImageKind::Jpeg) => "jpg",
        Some(ImageKind::Gif) => "gif",
        Some(ImageKind::Webp) => "webp",
        Some(ImageKind::Png) | None => "png",
    };
    let name = BlobId::of(bytes).0;
    let path = folder.join(format!("{}.{ending}", name.get(..12).unwrap_or(&name)));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let open = || {
        fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
    };
    let mut file = match open() {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            // The file may be incomplete, and it should count as new.
            fs::remove_file(&path)?;
            open()?
        }
        other => other?,
    };
    if let Err(error) = file.write_all(bytes) {
        let _ = fs::remove_file(&path);
        return Err(error);
    }
    keep_newest(folder);
    Ok(path)
}

fn keep_newest(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .flatten()
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    files.sort();
    let older = files.len().saturating_sub(KEPT);
    for (_, path) in files.into_iter().take(older) {
        // The next image tries again.
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PNG: &str = r"printf '\211PNG\r\n\032\nrest'";

    fn by(folder: &Path, tools: &[Words]) -> Images {
        Images {
            tools: tools.to_vec(),
            folder: folder.join("pasted"),
            ..Images::default()
        }
    }

    #[tokio::test]
    async fn the_image_of_the_first_tool_that_has_one_is_kept_in_a_private_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let home = tempfile::tempdir().unwrap();
        let images = by(
            home.path(),
            &[&["benchdog-no-such-tool"], &["false"], &["sh", "-c", PNG]],
        );
        let path = images.clone().take().await.unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"\x89PNG\r\n\x1a\nrest");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(path.extension().is_some_and(|ending| ending == "png"));
        assert_eq!(images.take().await.unwrap(), path, "the same image is one file");
    }

    #[tokio::test]
    async fn what_is_no_image_or_too_large_or_far_away_is_said() {
        let home = tempfile::tempdir().unwrap();
        let take = |tools: &[Words]| by(home.path(), tools).take();
        assert_eq!(take(&[]).await, Err(NoImage::NoTool));
        assert_eq!(take(&[&["benchdog-no-such-tool"]]).await, Err(NoImage::NoTool));
        assert_eq!(take(&[&["echo", "words"]]).await, Err(NoImage::NoneThere));
        let large: &[&[&str]] = &[&["sh", "-c", r"printf '\211PNG\r\n\032\n'; head -c 11000000 /dev/zero"]];
        assert_eq!(take(large).await, Err(NoImage::TooLarge));
        let endless: &[&[&str]] = &[&["cat", "/dev/zero"]];
        assert_eq!(take(endless).await, Err(NoImage::TooLarge));
        assert!(!home.path().join("pasted").exists());
        let far = [("DISPLAY", ":0"), ("SSH_TTY", "/dev/pts/1")];
        let far = far.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let far = Images::of(&Environment::of(far), PathBuf::new(), Arc::default());
        assert_eq!(far.take().await, Err(NoImage::Far));
    }

    #[tokio::test]
    async fn only_the_newest_images_are_kept() {
        let home = tempfile::tempdir().unwrap();
        for number in 0..KEPT + 3 {
            write(home.path(), format!("GIF89a{number}").as_bytes()).unwrap();
        }
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), KEPT);
    }

    #[test]
    fn bytes_that_are_written_as_letters_are_read() {
        let letters = "\u{ab}data PNGf89504E470D0A1A0A\u{bb}\n";
        assert_eq!(from_letters(letters.as_bytes()).unwrap(), b"\x89PNG\r\n\x1a\n");
        assert_eq!(from_letters(b"\x89PNG"), None);
        assert_eq!(from_letters("\u{ab}data PNGf8x\u{bb}".as_bytes()), None);
    }
}
