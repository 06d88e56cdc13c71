//! Recording of a session's model requests and answers. The module `record` writes the recording to a file. `Replay`
//! answers from that file without a network.
//!
//! The file has one JSON object on each line. The first is `{"recording": 1}`. Each other object has a request number,
//! the request body for human readers, and the bytes of the answer. `{workspace}` stands for the path of the workspace.

pub mod record;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::mpsc;

use super::decoder::{Decoded, Decoder};
use super::exchange::{reading_calls, reply};
use super::failure::{Kind, NO_ANSWER, ProviderError};
use super::outlet::Outlet;
use super::{ListedModel, ModelRequest, Progress, Provider, format_of};
use benchdog_domain::agent::{Api, Knowledge};
use benchdog_domain::message::{Arguments, ChatMessage, Delta, Reply, Stage};
use benchdog_domain::tool::REFUSED;

/// Version of the format. A recording with another version is rejected.
const VERSION: u64 = 1;
const WORKSPACE: &str = "{workspace}";
const LONGEST_GAP: Duration = Duration::from_millis(1500);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// The recorded delays, each limited to `LONGEST_GAP`.
    Recorded,
    Immediate,
}

/// Provider that answers from a recording, in the order of the recorded requests. A request fails if its conversation
/// differs from the recorded one.
#[derive(Debug)]
pub struct Replay {
    takes: BTreeMap<u64, Take>,
    workspace: String,
    pace: Pace,
    asked: AtomicU64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Header {
    recording: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Take {
    request: u64,
    #[serde(default, skip_serializing_if = "is_usual")]
    api: Api,
    #[serde(default)]
    body: Value,
    /// HTTP status. `None` if there was no response.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    status: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content_type: Option<String>,
    /// Chunks of the response, each with the milliseconds since the previous one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    chunks: Vec<(u64, Bytes)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    failure: Option<NoAnswer>,
}

/// Bytes of a response. Stored as text if possible, to keep the file readable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Bytes {
    Text(String),
    Hex { hex: String },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct NoAnswer {
    code: String,
    message: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands the field over so")]
fn is_usual(api: &Api) -> bool {
    *api == Api::default()
}

impl Replay {
    pub fn open(file: &Path, workspace: &str, pace: Pace) -> Result<Self, ProviderError> {
        let text = std::fs::read_to_string(file)
            .map_err(|error| replay_error(format!("The recording `{}` cannot be read: {error}", file.display())))?;
        Self::from_text(&text, workspace, pace).map_err(|error| {
            replay_error(format!(
                "The recording `{}` cannot be used: {}",
                file.display(),
                error.message
            ))
        })
    }

    pub fn from_text(text: &str, workspace: &str, pace: Pace) -> Result<Self, ProviderError> {
        let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        let header = lines
            .next()
            .and_then(|(_, line)| serde_json::from_str::<Header>(line).ok());
        match header {
            Some(Header { recording: VERSION }) => {}
            Some(Header { recording }) => {
                return Err(replay_error(format!(
                    "it has version {recording}, and this Benchdog reads version {VERSION}"
                )));
            }
            None => return Err(replay_error("its first line is not `{\"recording\": 1}`".to_owned())),
        }
        let mut takes = BTreeMap::new();
        for (number, line) in lines {
            let take: Take =
                serde_json::from_str(line).map_err(|error| replay_error(format!("line {}: {error}", number + 1)))?;
            takes.insert(take.request, take);
        }
        Ok(Self {
            takes,
            workspace: workspace.to_owned(),
            pace,
            asked: AtomicU64::new(0),
        })
    }

    pub fn requests(&self) -> impl Iterator<Item = (u64, &Value)> {
        self.takes.values().map(|take| (take.request, &take.body))
    }

    /// Whether the conversation matches the recorded one: equal roles, equal user texts, and the same denied calls.
    /// Other tool results may differ.
    fn fits(&self, take: &Take, messages: &[ChatMessage]) -> bool {
        let Some(recorded) = take.body.get("messages").and_then(Value::as_array) else {
            return true;
        };
        recorded.len() == messages.len()
            && recorded.iter().zip(messages).all(|(recorded, now)| {
                let role = recorded.get("role").and_then(Value::as_str).unwrap_or_default();
                let content = recorded.get("content");
                // In old recordings, the text is in the first part of the content.
                let text = content.and_then(|content| content.pointer("/0/text").or(Some(content)));
                let text = text.and_then(Value::as_str).unwrap_or_default();
                match now {
                    ChatMessage::System(_) => role == "system",
                    ChatMessage::Assistant { .. } => role == "assistant",
                    ChatMessage::User(said) | ChatMessage::Pictured { text: said, .. } => {
                        role == "user" && (words(&self.localize_text(text)) == words(said) || said.starts_with('['))
                    }
                    ChatMessage::Tool { text: result, .. } => {
                        role == "tool" && text.contains(REFUSED) == result.contains(REFUSED)
                    }
                }
            })
    }

    async fn play(&self, request: ModelRequest, progress: mpsc::Sender<Progress>) -> Result<Reply, ProviderError> {
        let number = self.asked.fetch_add(1, Ordering::Relaxed) + 1;
        let Some(take) = self
            .takes
            .get(&number)
            .filter(|take| self.fits(take, &request.messages))
        else {
            return Err(ProviderError::new(Kind::RecordingEnded, ""));
        };
        let Some(status) = take.status else {
            return Err(take
                .failure
                .as_ref()
                .map_or_else(|| ProviderError::new(Kind::RecordingEnded, ""), NoAnswer::error));
        };
        let mut decoder = Decoder::new(format_of(take.api), status);
        decoder = reading_calls(decoder, &request);
        let mut outlet = Outlet::new(progress, Stage::Asked);
        for (gap, bytes) in &take.chunks {
            if self.pace == Pace::Recorded {
                let gap = Duration::from_millis(*gap).min(LONGEST_GAP);
                outlet.forward_while(tokio::time::sleep(gap)).await;
            }
            let deltas = decoder
                .push(&bytes.raw())
                .into_iter()
                .map(|delta| self.localize_delta(delta));
            outlet.offer(deltas.collect());
        }
        outlet.flush().await;
        reply(self.localize(decoder.finish()), None)
    }

    fn localize_delta(&self, delta: Delta) -> Delta {
        match delta {
            Delta::Text(text) => Delta::Text(self.localize_text(&text)),
            Delta::Reasoning(text) => Delta::Reasoning(self.localize_text(&text)),
        }
    }

    fn localize(&self, mut decoded: Decoded) -> Decoded {
        decoded.text = self.localize_text(&decoded.text);
        decoded.reasoning = self.localize_text(&decoded.reasoning);
        // A replayed answer is never sent to a server, so signatures of reasoning are not needed.
        decoded.seals.clear();
        for call in &mut decoded.calls {
            match &mut call.arguments {
                Arguments::Raw(text) => *text = self.localize_text(text),
                Arguments::Object(object) => object.values_mut().for_each(|value| self.localize_value(value)),
            }
        }
        decoded
    }

    fn localize_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.localize_text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.localize_value(item)),
            Value::Object(object) => object.values_mut().for_each(|item| self.localize_value(item)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn localize_text(&self, text: &str) -> String {
        text.replace(WORKSPACE, &self.workspace)
    }
}

impl Provider for Replay {
    fn stream(
        &self,
        request: ModelRequest,
        progress: mpsc::Sender<Progress>,
    ) -> BoxFuture<'_, Result<Reply, ProviderError>> {
        self.play(request, progress).boxed()
    }

    fn models(&self) -> BoxFuture<'_, Result<Vec<ListedModel>, ProviderError>> {
        let mut models: Vec<ListedModel> = Vec::new();
        for id in self.takes.values().filter_map(|take| take.body.get("model")?.as_str()) {
            if models.iter().all(|model| model.id != id) {
                models.push(ListedModel {
                    id: id.to_owned(),
                    context: None,
                    trained: None,
                    weights: None,
                    owner: None,
                });
            }
        }
        async { Ok(models) }.boxed()
    }

    fn about(&self, _: &str) -> BoxFuture<'_, Result<Knowledge, ProviderError>> {
        async { Ok(Knowledge::default()) }.boxed()
    }
}

impl Bytes {
    fn of(bytes: &[u8]) -> Self {
        use std::fmt::Write;
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::Text(text.to_owned()),
            Err(_) => {
                let mut hex = String::with_capacity(bytes.len() * 2);
                for byte in bytes {
                    let _ = write!(hex, "{byte:02x}");
                }
                Self::Hex { hex }
            }
        }
    }

    fn raw(&self) -> Vec<u8> {
        match self {
            Self::Text(text) => text.as_bytes().to_vec(),
            Self::Hex { hex } => hex
                .as_bytes()
                .chunks(2)
                .filter_map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok())
                .collect(),
        }
    }
}

impl NoAnswer {
    fn of(error: &ProviderError) -> Self {
        Self {
            code: error.code().to_owned(),
            message: error.message.clone(),
        }
    }

    fn error(&self) -> ProviderError {
        let of_kind = |kind| ProviderError::new(kind, &self.message);
        let mut known = NO_ANSWER.into_iter().chain([Kind::Setting]).map(of_kind);
        known
            .find(|error| error.code() == self.code)
            .unwrap_or_else(|| of_kind(Kind::Unreachable))
    }
}

/// Returns the user's text without Benchdog's notes at its end, because the notes describe the recording machine.
fn words(said: &str) -> &str {
    said.split_once("\n\n[benchdog").map_or(said, |(words, _)| words)
}

fn replay_error(message: String) -> ProviderError {
    ProviderError::new(Kind::Recording, message)
}

#[cfg(test)]
mod tests;
