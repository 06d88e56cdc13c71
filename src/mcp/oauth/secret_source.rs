//! Secrets that the configuration refers to. Files must be private, and are read when the secret is needed.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

use super::token_store::blocking;
use crate::definition::SecretSource;
use benchdog_base::disk::bytes_text;
use benchdog_domain::sign_in::SignInTrouble;

const MOST_BYTES: u64 = 64 << 10;

impl SecretSource {
    pub(super) async fn read(&self) -> Result<String, SignInTrouble> {
        let path = match self {
            Self::Value(value) => return Ok(value.clone()),
            Self::Lacks(variable) => {
                return Err(SignInTrouble::Lacks {
                    variable: variable.clone(),
                });
            }
            Self::File(path) => path.clone(),
        };
        let file = path.display().to_string();
        let read = blocking(move || read_private_file(&path)).await;
        read.map_err(|error| SignInTrouble::Unread {
            file,
            words: error.to_string(),
        })
    }
}

fn read_private_file(path: &Path) -> io::Result<String> {
    let error = |words: String| io::Error::other(words);
    // The path may be a FIFO. Opening it would block without this flag.
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits();
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(i32::try_from(nonblocking).unwrap_or(0));
    let file: File = options.open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(error("it is no file".to_owned()));
    }
    if metadata.permissions().mode() & 0o077 != 0 {
        return Err(error(format!("others can read it; `chmod 600 {}`", path.display())));
    }
    let mut text = String::new();
    file.take(MOST_BYTES + 1).read_to_string(&mut text)?;
    match text.trim() {
        "" => Err(error("it is empty".to_owned())),
        _ if text.len() as u64 > MOST_BYTES => Err(error(format!("it holds more than {}", bytes_text(MOST_BYTES)))),
        trimmed => Ok(trimmed.to_owned()),
    }
}

#[cfg(test)]
mod tests;
