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

/// Timeout of the clipboard program. Long, because another program may create the image only on request.
const TOOL_TIME: Duration = Duration::from_secs(5);

/// Maximum number of saved images. The oldest are removed, because queued prompts mention only the newest.
pub const KEPT: usize = 32;

/// Start and end of the output of `osascript`. Between them, the image has two hexadecimal digits per byte.
const HEX: (&[u8], u8) = (b"\xc2\xabdata PNGf", 0xc2);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Images {
    tools: Vec<Words>,
    /// Whether Benchdog runs over ssh, so that the user's clipboard is on another machine.
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
        // Two hexadecimal digits per byte, and a few characters around them.
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
    let written = tokio::task::spawn_blocking(move || keep_image(&folder, &bytes)).await;
    match written {
        Ok(Ok(path)) => Ok(path),
        Ok(Err(error)) => Err(NoImage::NotKept(error.to_string())),
        Err(_) => Err(NoImage::Silent),
    }
}

/// Saves the image under a name derived from its bytes, so that equal images share a file.
pub fn keep_image(folder: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
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
            // Write the file again, because the existing file may be incomplete, and its time stamp is too old.
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
        // If the file cannot be removed, this is tried again when the next image is saved.
        let _ = fs::remove_file(path);
    }
}

#[cfg(test)]
mod tests;
