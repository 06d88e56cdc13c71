//! The stored form of an entry: a versioned JSON object, which older versions of Benchdog can preserve.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Body, Entry};
use crate::failure::Cut;
use crate::mention::MentionKind;
use crate::note::Note;
use crate::permission::Because;
use crate::summary::Summary;
use benchdog_base::clock::Time;
use benchdog_base::id::{EntryId, TurnId};

/// The newest entry version. Entries with a later version are preserved unchanged.
pub const VERSION: u32 = 8;

impl Entry {
    /// Decodes a stored entry. Decodes kinds with long texts, which make up most of a log, without a `Value`.
    pub fn of_json(bytes: &[u8]) -> serde_json::Result<Self> {
        let long = ["user", "assistant", "call_ended", "tool_result", "shell", "validation"];
        if let Some(head) = Head::of_json(bytes)
            && head.v <= VERSION
            && long.contains(&&*head.kind)
            && let Ok(body) = serde_json::from_slice(bytes)
        {
            return Ok(Self {
                id: head.id,
                turn: head.turn,
                time: head.time,
                body,
            });
        }
        serde_json::from_slice(bytes)
    }
}

#[derive(Deserialize)]
struct Head {
    v: u32,
    id: EntryId,
    turn: TurnId,
    time: Time,
    kind: String,
}

const HEAD_BYTES: usize = 256;

impl Head {
    /// Decodes only the head. Closes the JSON object after the last field of the head, to avoid a scan of the body.
    fn of_json(bytes: &[u8]) -> Option<Self> {
        let mut near = bytes.get(..bytes.len().min(HEAD_BYTES))?.to_vec();
        let kind: &[u8] = b"\"kind\":\"";
        let value = near.windows(kind.len()).position(|part| part == kind)? + kind.len();
        let length = near.get(value..)?.iter().position(|byte| *byte == b'"')?;
        near.truncate(value + length + 1);
        near.push(b'}');
        serde_json::from_slice(&near)
            .or_else(|_| serde_json::from_slice(bytes))
            .ok()
    }
}

impl Body {
    pub fn later_version(&self) -> Option<u64> {
        let Self::Unknown(value) = self else { return None };
        value
            .get("v")
            .and_then(Value::as_u64)
            .filter(|v| *v > u64::from(VERSION))
    }

    /// Returns the oldest entry version whose readers understand this entry.
    fn version(&self) -> u32 {
        match self {
            Self::Approval {
                because: Because::Hook { .. },
                ..
            } => 8,
            Self::CallEnded { .. } => 7,
            // Older readers do not support MCP resources.
            Self::User { mentions, .. } if mentions.iter().any(|one| one.kind == MentionKind::Resource) => 6,
            Self::ToolResult { images, .. } if !images.is_empty() => 6,
            Self::ToolResult {
                summary: Summary::Unseen { .. },
                ..
            } => 6,
            Self::Child(_) => 5,
            Self::Findings { .. }
            // After this answer, the model received a message about missing evidence.
            | Self::Assistant {
                error: Some(Cut::Unproven),
                ..
            }
            | Self::ToolResult {
                summary: Summary::Findings { .. },
                ..
            }
            | Self::Shell {
                summary: Summary::Findings { .. },
                ..
            } => 5,
            // The model received findings in addition to the output.
            Self::Shell { findings, .. } if !findings.is_empty() => 5,
            Self::Plan(_) => 4,
            Self::Approval {
                because: Because::ReadOnlyAgent { .. },
                ..
            } => 4,
            other if other.notes().iter().any(|note| note.of_agent().is_some()) => 4,
            Self::Retried | Self::Sampling(_) | Self::Terms { .. } => 3,
            Self::Compaction(_) | Self::CompactionUndone { .. } | Self::Pinned { .. } => 2,
            // Older readers support only the text of a lasting note.
            other if other.notes().iter().any(Note::lasts) => 2,
            _ => 1,
        }
    }
}

impl Serialize for Entry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::Error;
        let body = match &self.body {
            Body::Unknown(value) => value.clone(),
            known => serde_json::to_value(known).map_err(S::Error::custom)?,
        };
        let mut map = serde_json::Map::new();
        map.insert("v".to_owned(), self.body.version().into());
        map.insert("id".to_owned(), self.id.0.into());
        map.insert("turn".to_owned(), self.turn.0.into());
        map.insert("time".to_owned(), self.time.0.into());
        if let Value::Object(fields) = body {
            // An unknown entry keeps its own `v`.
            map.extend(fields);
        }
        map.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        use serde::de::Error;
        let mut map = serde_json::Map::deserialize(deserializer)?;
        let number = |map: &serde_json::Map<String, Value>, key: &str| map.get(key).and_then(Value::as_i64);
        let id = number(&map, "id")
            .and_then(|n| u64::try_from(n).ok())
            .ok_or_else(|| D::Error::missing_field("id"))?;
        let turn = number(&map, "turn").and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
        let time = number(&map, "time").unwrap_or(0);
        for key in ["id", "turn", "time"] {
            map.shift_remove(key);
        }
        let later = map
            .get("v")
            .and_then(Value::as_u64)
            .is_some_and(|v| v > u64::from(VERSION));
        let whole = Value::Object(map);
        let body = match Body::deserialize(&whole) {
            Ok(body) if !later => body,
            _ => Body::Unknown(whole),
        };
        Ok(Self {
            id: EntryId(id),
            turn: TurnId(turn),
            time: Time(time),
            body,
        })
    }
}
