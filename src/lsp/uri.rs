//! Conversion between paths and `file:` URIs.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, percent_encode};

const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~');

pub(crate) fn of_path(path: &Path) -> String {
    format!("file://{}", percent_encode(path.as_os_str().as_bytes(), KEPT))
}

/// Returns the absolute path in a `file:` URI. Decodes all encoded characters, because servers encode different ones.
pub(crate) fn to_path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let rest = rest.strip_prefix("localhost").unwrap_or(rest);
    let bytes: Vec<u8> = percent_decode_str(rest).collect();
    let path = PathBuf::from(OsStr::from_bytes(&bytes));
    path.is_absolute().then_some(path)
}

#[cfg(test)]
mod tests;
