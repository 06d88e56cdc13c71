//! Paths in messages. A file name may contain any bytes, but JSON supports only text. Paths that are not text are
//! encoded as a list of numbers.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Raw {
    Text(String),
    Bytes(Vec<u8>),
}

impl From<&Path> for Raw {
    fn from(path: &Path) -> Self {
        match path.to_str() {
            Some(text) => Self::Text(text.to_owned()),
            None => Self::Bytes(OsStr::as_bytes(path.as_os_str()).to_vec()),
        }
    }
}

impl From<Raw> for PathBuf {
    fn from(raw: Raw) -> Self {
        match raw {
            Raw::Text(text) => text.into(),
            Raw::Bytes(bytes) => OsString::from_vec(bytes).into(),
        }
    }
}

pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    Raw::from(path).serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<PathBuf, D::Error> {
    Raw::deserialize(deserializer).map(PathBuf::from)
}

pub(super) mod list {
    use super::{Deserialize, Deserializer, PathBuf, Raw, Serializer};

    pub(in crate::confined) fn serialize<S: Serializer>(paths: &[PathBuf], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(paths.iter().map(|path| Raw::from(path.as_path())))
    }

    pub(in crate::confined) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<PathBuf>, D::Error> {
        let raw = Vec::<Raw>::deserialize(deserializer)?;
        Ok(raw.into_iter().map(PathBuf::from).collect())
    }
}
