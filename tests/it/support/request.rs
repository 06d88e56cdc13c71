//! A request as the model server received it, and checks that apply to every request.

use serde_json::Value;
use serde_json::value::RawValue;

use super::api::Api;

/// Beginning of the note about the scratch folder, at the end of the first prompt.
pub const SCRATCH: &str = "\n\n[benchdog] Folder for temporary files, without approval: `";

#[derive(Clone)]
pub struct Request {
    /// Number of the request among the chat requests, from 1.
    pub number: usize,
    pub headers: Vec<(String, String)>,
    pub raw: String,
    pub body: Value,
    /// The raw body without cache marks, if it has any.
    unmarked: Option<String>,
    messages: Vec<Value>,
}

#[derive(serde::Deserialize)]
struct Outline<'a> {
    #[serde(borrow, alias = "input")]
    messages: &'a RawValue,
}

/// Replaces the session's tag in Benchdog's notes, because each session has another tag.
fn untagged(body: &Value) -> Value {
    let text = body.to_string();
    let Some(tag) = tag(&text) else {
        return body.clone();
    };
    serde_json::from_str(&text.replace(&tag, "[benchdog]")).unwrap_or(Value::Null)
}

/// Returns the mark of the session's notes, if the system prompt contains one with a tag.
pub fn tag(text: &str) -> Option<String> {
    let (_, behind) = text.split_once("Only text marked [benchdog:")?;
    let (tag, _) = behind.split_once(']')?;
    Some(format!("[benchdog:{tag}]"))
}

impl Request {
    pub fn of(api: Api, number: usize, headers: Vec<(String, String)>, raw: String) -> Self {
        let body = serde_json::from_str(&raw).unwrap_or(Value::Null);
        Self {
            number,
            headers,
            messages: api.messages(&untagged(&body)),
            body,
            unmarked: api.without_marks(&raw),
            raw,
        }
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Messages in the format of chat completions, for every API.
    pub fn messages(&self) -> &[Value] {
        &self.messages
    }

    /// Returns the text of the newest message of `role`, without the note at the end of a session's first prompt.
    pub fn last(&self, role: &str) -> &str {
        let text = self.last_whole(role);
        match text.split_once(SCRATCH) {
            Some((said, note)) if !note.contains("[benchdog]") => said,
            _ => text,
        }
    }

    fn last_whole(&self, role: &str) -> &str {
        self.messages()
            .iter()
            .rev()
            .find(|message| message["role"] == role)
            .and_then(|message| message["content"].as_str())
            .unwrap_or_else(|| panic!("request {} has no {role} message with text: {}", self.number, self.raw))
    }

    /// Estimates the tokens of messages and tools. A non-ASCII character is one token, and so are four ASCII
    /// characters.
    pub fn tokens(&self) -> u64 {
        let texts = ["instructions", "messages", "input", "tools"]
            .map(|key| self.body.get(key).map_or_else(String::new, Value::to_string));
        let wide = |c: &char| !c.is_ascii();
        let tokens = |text: &String| {
            let wide = text.chars().filter(wide).count();
            let narrow = text.chars().count() - wide;
            u64::try_from(wide + narrow.div_ceil(4)).unwrap_or(u64::MAX)
        };
        texts.iter().map(tokens).sum()
    }

    /// Whether the request is for a summary. Such a request has no tools.
    pub fn is_for_summary(&self) -> bool {
        self.body["tools"].as_array().is_none_or(Vec::is_empty)
    }

    pub fn says(&self, text: &str) -> bool {
        self.messages().iter().any(|message| {
            message["content"]
                .as_str()
                .is_some_and(|content| content.contains(text))
        })
    }

    /// Returns the serialised message list without its closing bracket, and without cache marks.
    pub fn growing_part(&self) -> &str {
        let raw = self.unmarked.as_ref().unwrap_or(&self.raw);
        let outline: Outline = serde_json::from_str(raw).expect("a request body is JSON with `messages`");
        let raw = outline.messages.get().trim_end();
        raw.strip_suffix(']').expect("`messages` is an array")
    }

    /// Checks that every call has exactly one result, directly after it and in the same order. Only the first message
    /// is a system message.
    pub fn assert_well_formed(&self) {
        let mut owed: Vec<&str> = Vec::new();
        for (index, message) in self.messages().iter().enumerate() {
            let role = message["role"].as_str().unwrap_or_default();
            assert_eq!(
                role == "system",
                index == 0,
                "message {index} of request {}: {message}",
                self.number
            );
            if role == "tool" {
                let id = message["tool_call_id"].as_str().unwrap_or_default();
                assert!(
                    !owed.is_empty(),
                    "a result nobody asked for in request {}: {message}",
                    self.number
                );
                assert_eq!(
                    owed.remove(0),
                    id,
                    "results out of order in request {}: {message}",
                    self.number
                );
                continue;
            }
            assert!(
                owed.is_empty(),
                "request {} leaves calls without results: {owed:?}",
                self.number
            );
            let calls = message["tool_calls"].as_array().map_or(&[][..], Vec::as_slice);
            owed.extend(calls.iter().filter_map(|call| call["id"].as_str()));
        }
        assert!(
            owed.is_empty(),
            "request {} leaves calls without results: {owed:?}",
            self.number
        );
    }
}

/// Checks that each request's messages are a byte prefix of the next request's messages, and that all other fields stay
/// equal.
pub fn assert_append_only(requests: &[Request]) {
    for pair in requests.windows(2) {
        let [earlier, later] = pair else { continue };
        let (short, long) = (earlier.growing_part(), later.growing_part());
        if !long.starts_with(short) {
            let same = short.bytes().zip(long.bytes()).take_while(|(a, b)| a == b).count();
            let from = same.saturating_sub(80);
            let part =
                |text: &str| String::from_utf8_lossy(text.as_bytes().get(from..).unwrap_or_default()).into_owned();
            panic!(
                "request {} does not begin with request {}; they part after {same} bytes\nearlier: …{:.300}\nlater:   …{:.300}",
                later.number,
                earlier.number,
                part(short),
                part(long)
            );
        }
        let thinks_alike = earlier.body["thinking"] == later.body["thinking"];
        for key in [
            "model",
            "system",
            "instructions",
            "tools",
            "temperature",
            "max_tokens",
            "options",
        ] {
            // In Anthropic's API, the answer's limit includes the reasoning, so it changes with the effort.
            if key == "max_tokens" && !thinks_alike {
                continue;
            }
            assert_eq!(
                earlier.body[key], later.body[key],
                "`{key}` changed at request {}",
                later.number
            );
        }
    }
}
