//! Ids as separate types, so that one kind cannot be passed for another.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::clock::Time;

/// A session: a UUID version 7 in lower-case hex, so that ids sort by creation time.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct SessionId(pub String);

/// Returns a unique name for a session or file. Names of one process sort by time as long as the clock does not jump
/// back.
pub fn fresh() -> String {
    let now = u64::try_from(Time::now().0).unwrap_or(0);
    let nanoseconds = u32::try_from(now % 1_000).unwrap_or(0) * 1_000_000;
    let stamp = uuid::Timestamp::from_unix(uuid::NoContext, now / 1_000, nanoseconds);
    uuid::Uuid::new_v7(stamp).simple().to_string()
}

/// Returns eight random letters from `a` to `p`. Tags have no digits, so all tags have the same estimated number of
/// tokens.
pub fn fresh_tag() -> Box<str> {
    let id = fresh();
    // The first half of an id depends on the time.
    let random = id.get(id.len().saturating_sub(8)..).unwrap_or(&id);
    let letter = |digit: char| char::from(b'a' + u8::try_from(digit.to_digit(16).unwrap_or(0)).unwrap_or(0));
    random.chars().map(letter).collect()
}

impl SessionId {
    pub fn fresh() -> Self {
        Self(fresh())
    }

    /// Returns the last eight digits, for display and input. These digits differ even between sessions of the same
    /// second.
    pub fn short(&self) -> &str {
        let start = self.0.len().saturating_sub(8);
        self.0.get(start..).unwrap_or(&self.0)
    }

    /// Whether `partial` is the beginning or end of this id, or the beginning of the short form in lists.
    pub fn is_meant_by(&self, partial: &str) -> bool {
        let partial = partial.to_ascii_lowercase();
        let begins = [&self.0, self.short()].iter().any(|id| id.starts_with(&partial));
        !partial.is_empty() && (begins || self.0.ends_with(&partial))
    }
}

/// The number of an open session in a running engine. A process uses each number only once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SeatId(pub u32);

/// Position of an entry in its session, counted from 1 without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EntryId(pub u64);

/// The number of a turn in its session, from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct TurnId(pub u32);

/// A tool call, unique in its session. The server's id if usable, else ours.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct CallId(pub String);

/// A stored blob, by the SHA-256 of its bytes in hex.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct BlobId(pub String);

impl BlobId {
    pub fn of(bytes: &[u8]) -> Self {
        use sha2::Digest;
        use std::fmt::Write;
        let digest = sha2::Sha256::digest(bytes);
        let mut hex = String::with_capacity(64);
        for byte in digest {
            let _ = write!(hex, "{byte:02x}");
        }
        Self(hex)
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for CallId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
