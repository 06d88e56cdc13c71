//! Derives the kind of an error from the body of an error response, because the HTTP status is not specific enough.

use std::time::Duration;

use serde_json::Value;

use super::failure::{Curable, Kind, Missing, ProviderError};

/// Maximum characters of an error message. Some servers send a whole stack trace.
const MESSAGE_LENGTH: usize = 600;

/// First byte of a gzip body. Requests never allow compression, so such a body is an error.
pub(crate) const COMPRESSED_MARK: u8 = 0x1f;
pub(crate) const COMPRESSED: &str = "its answer is compressed, which was not asked for";

pub(crate) fn is_compressed(body: &[u8]) -> bool {
    body.starts_with(&[COMPRESSED_MARK, 0x8b])
}

pub(crate) fn from_response(status: u16, body: &[u8], retry_after: Option<Duration>) -> ProviderError {
    let text = if is_compressed(body) {
        COMPRESSED.into()
    } else {
        String::from_utf8_lossy(body)
    };
    let text = text.trim_start_matches('\u{feff}').trim();
    let is_event = ["data:", "event:", "id:", ":"]
        .iter()
        .any(|field| text.starts_with(field));
    let payload = text
        .lines()
        .filter(|_| is_event)
        .find_map(|line| line.strip_prefix("data:"));
    let json = payload.unwrap_or(text).trim();
    let trouble = match serde_json::from_str::<Value>(json) {
        Ok(value) => Trouble::parse(&value).unwrap_or_else(|| Trouble::from_text(json)),
        Err(_) => Trouble::from_text(&page_title(text).unwrap_or_else(|| text.to_owned())),
    };
    let kind = trouble.kind(status, retry_after);
    ProviderError::new(kind, trouble.message).with_status(status)
}

/// Returns the error in a JSON object from a stream or a response with status 200. `None` if there is no error.
pub(crate) fn from_object(value: &Value) -> Option<ProviderError> {
    let trouble = Trouble::parse(value)?;
    let status = trouble.status.or_else(|| trouble.named_status()).unwrap_or(500);
    let kind = trouble.kind(status, None);
    Some(ProviderError::new(kind, trouble.message))
}

pub(crate) fn one_line(text: &str) -> String {
    let mut line = String::new();
    for word in text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    match line.char_indices().nth(MESSAGE_LENGTH) {
        Some((end, _)) => {
            line.truncate(end);
            line.push('…');
            line
        }
        None => line,
    }
}

pub(crate) fn page_title(text: &str) -> Option<String> {
    let head = text.trim_start().to_ascii_lowercase();
    if !(head.starts_with("<!doctype")
        || head.starts_with("<html")
        || head.starts_with("<head")
        || head.starts_with("<?xml"))
    {
        return None;
    }
    // Lowercase only ASCII letters, so that byte offsets stay valid for `text`.
    let title = head.find("<title").and_then(|start| {
        let (_, rest) = text.trim_start().split_at_checked(start)?;
        let (_, rest) = rest.split_once('>')?;
        let (title, _) = rest.split_once('<')?;
        Some(one_line(title))
    });
    Some(match title {
        Some(title) if !title.is_empty() => format!("an HTML page titled `{title}`"),
        _ => "an HTML page".to_owned(),
    })
}

struct Trouble {
    message: String,
    labels: Vec<String>,
    status: Option<u16>,
    window: Option<u64>,
}

impl Trouble {
    fn from_text(text: &str) -> Self {
        Self {
            message: one_line(text),
            labels: Vec::new(),
            status: None,
            window: None,
        }
    }

    /// Parses the known error formats: an object or text in the field `error`, an object with a message, FastAPI's
    /// `detail`, or a list that starts with one of these.
    fn parse(value: &Value) -> Option<Self> {
        let object = match value {
            Value::Array(items) => return items.first().and_then(Self::parse),
            Value::Object(object) => object,
            _ => return None,
        };
        let inner = match object.get("error") {
            Some(Value::Object(inner)) if !inner.is_empty() => inner,
            Some(Value::String(text)) if !text.is_empty() => {
                // In `{"error": "not_found", "message": "…"}`, the message is more specific than the error.
                let message = object.get("message").and_then(Value::as_str).unwrap_or_default();
                let mut trouble = Self::from_text(if message.is_empty() { text } else { message });
                trouble.label(object);
                return Some(trouble);
            }
            Some(Value::Array(items)) if !items.is_empty() => return items.first().and_then(Self::parse),
            _ => object,
        };
        const SAID: [&str; 11] = [
            "message",
            "msg",
            "detail",
            "error",
            "error_message",
            "error_msg",
            "errors",
            "reason",
            "fault",
            "base_resp",
            "title",
        ];
        let message = SAID.into_iter().find_map(|key| inner.get(key).and_then(words))?;
        let mut trouble = Self::from_text(&message);
        trouble.label(inner);
        if let Some(raw) = inner
            .get("metadata")
            .and_then(|metadata| metadata.get("raw"))
            .and_then(words)
        {
            // Append the message of the server behind a gateway, because the gateway's message is often only
            // `Provider returned error`.
            trouble.message = one_line(&format!("{}: {raw}", trouble.message));
        }
        Some(trouble)
    }

    fn label(&mut self, object: &serde_json::Map<String, Value>) {
        for key in ["code", "type", "status", "error"] {
            match object.get(key) {
                Some(Value::String(text)) => match text.parse() {
                    Ok(number) => self.status = self.status.or(Some(number)),
                    Err(_) => self.labels.push(text.to_ascii_lowercase()),
                },
                Some(Value::Number(number)) if key != "error" => {
                    let status = number.as_u64().and_then(|number| u16::try_from(number).ok());
                    self.status = self.status.or(status.filter(|status| (400..600).contains(status)));
                }
                _ => {}
            }
        }
        self.window = object.get("n_ctx").and_then(Value::as_u64);
    }

    fn named_status(&self) -> Option<u16> {
        self.labels.iter().find_map(|label| match label.as_str() {
            "authentication_error" => Some(401),
            "billing_error" => Some(402),
            "permission_error" => Some(403),
            "not_found_error" => Some(404),
            "request_too_large" => Some(413),
            "rate_limit_error" | "rate_limit_exceeded" => Some(429),
            "invalid_prompt" => Some(400),
            "overloaded_error" => Some(529),
            _ => None,
        })
    }

    fn has_label(&self, names: &[&str]) -> bool {
        self.labels.iter().any(|label| names.iter().any(|name| label == name))
    }

    fn kind(&self, status: u16, retry_after: Option<Duration>) -> Kind {
        let lower = self.message.to_ascii_lowercase();
        if self.is_quota(status, &lower) {
            return Kind::Quota;
        }
        if !matches!(status, 401 | 403 | 429) && is_answer_too_long(&lower) {
            return Kind::AnswerTooLong;
        }
        if !matches!(status, 401 | 403 | 429) && self.is_overflow(&lower) {
            return Kind::ContextOverflow {
                limit: self.window.or_else(|| window_in(&lower)),
            };
        }
        if !matches!(status, 401 | 403 | 429) && refuses_ids(&lower) {
            return Kind::CallIds;
        }
        if matches!(status, 400 | 422)
            && let Some(kind) = about_reasoning(&lower)
        {
            return kind;
        }
        if !matches!(status, 401 | 403 | 429) && refuses_tools(&lower) {
            return Kind::NoTools;
        }
        let no_model = ["invalid model name", "is not a valid model id", "model does not exist"];
        if self.has_label(&["model_not_found", "modelnotfound", "model_not_found_error"])
            || (status == 400 && no_model.iter().any(|words| lower.contains(words)))
        {
            return Kind::NotFound(Missing::Model);
        }
        // LiteLLM without a database reports an unknown key as `no_db_connection`. Google reports an invalid key with
        // status 400 instead of 401.
        if status == 400 && (self.has_label(&["no_db_connection"]) || lower.contains("api key not valid")) {
            return Kind::Unauthorized;
        }
        match status {
            400 if wants_tls(&lower) => Kind::NeedsTls,
            401 => Kind::Unauthorized,
            403 => Kind::Forbidden,
            407 => Kind::Proxy,
            404 if lower.contains("model") => Kind::NotFound(Missing::Model),
            404 | 405 | 410 => Kind::NotFound(Missing::Path),
            408 => Kind::Timeout,
            429 => Kind::RateLimited { retry_after },
            503 if lower.contains("loading model") || lower.contains("model is loading") => Kind::Loading,
            503 | 529 => Kind::Unavailable { retry_after },
            300..=399 => Kind::NotAnApi,
            500.. => Kind::Server(curable(&lower)),
            _ => Kind::BadRequest,
        }
    }

    fn is_quota(&self, status: u16, lower: &str) -> bool {
        const WORDS: [&str; 6] = [
            "insufficient balance",
            "reached your specified api usage limits",
            "insufficient_quota",
            "credit balance is too low",
            "not enough credits",
            "account is in good standing",
        ];
        status == 402
            || self.has_label(&["insufficient_quota", "arrearage", "insufficient_balance", "billing_hard_limit_reached"])
            || WORDS.iter().any(|word| lower.contains(word))
            // An error with a retry time reports a rate limit per minute, not a used-up quota.
            || (lower.contains("exceeded your current quota") && !lower.contains("retry in"))
    }

    fn is_overflow(&self, lower: &str) -> bool {
        const WORDS: [&str; 23] = [
            "maximum context length",
            "exceeds maximum context",
            "`inputs` must have less than",
            "model's context length",
            "exceeds the context length",
            "greater than the context length",
            "with context length of only",
            "maximum model length",
            "maximum prompt length",
            "available context size",
            "exceeds the context window",
            "exceed context limit",
            "context window exceeded",
            "contextwindowexceedederror",
            "context_length_exceeded",
            "context size has been exceeded",
            "range of input length should be",
            "prompt is too long",
            "input is too long",
            "maximum number of tokens allowed",
            "`inputs` tokens + `max_new_tokens` must be",
            "reduce the length of the messages",
            "reduce the length of the input",
        ];
        self.has_label(&[
            "context_length_exceeded",
            "exceed_context_size_error",
            "context_window_exceeded",
            "request_too_large",
        ]) || WORDS.iter().any(|word| lower.contains(word))
    }
}

/// Whether the error reports that only the requested output length is too large, not the prompt.
fn is_answer_too_long(lower: &str) -> bool {
    const WORDS: [&str; 7] = [
        "too large",
        "too high",
        "maximum allowed number of output tokens",
        "cannot be greater than",
        "must be less than",
        "should be [1,",
        "fewer output tokens",
    ];
    let named = ["max_tokens", "max_completion_tokens", "max_output_tokens"];
    if !named.iter().any(|name| lower.contains(name)) || !WORDS.iter().any(|word| lower.contains(word)) {
        return false;
    }
    // vLLM uses the same text if the prompt alone is too long. In that case, the number in `your request has 5000 input
    // tokens` is at least the context window.
    let prompt = lower
        .split_once("your request has ")
        .and_then(|(_, rest)| leading_number(rest));
    !matches!((prompt, window_in(lower)), (Some(prompt), Some(window)) if prompt >= window)
}

/// Whether the error rejects tools. Ollama and LiteLLM reject tools for some models. vLLM and llama.cpp reject tools
/// unless the server was started with the required option.
fn refuses_tools(lower: &str) -> bool {
    const WORDS: [&str; 8] = [
        "does not support tools",
        "does not support function calling",
        "does not support tool",
        "tools are not supported",
        "tool use is not supported",
        "tool calling is not supported",
        "requires --enable-auto-tool-choice",
        "tools param requires --jinja",
    ];
    WORDS.iter().any(|words| lower.contains(words))
}

/// Whether the error reports that a plain HTTP request was sent to a TLS port. Detects the error texts of nginx and Go.
fn wants_tls(lower: &str) -> bool {
    const WORDS: [&str; 2] = [
        "plain http request was sent to https port",
        "http request to an https server",
    ];
    WORDS.iter().any(|words| lower.contains(words))
}

/// Whether the error rejects call ids. Mistral's chat templates require nine alphanumeric characters.
fn refuses_ids(lower: &str) -> bool {
    lower.contains("alphanumeric strings with length 9") || lower.contains("with a length of 9")
}

fn about_reasoning(lower: &str) -> Option<Kind> {
    const NAMES: [&str; 5] = [
        "reasoning",
        "thinking",
        "thought",
        "chain of thought",
        "chain-of-thought",
    ];
    const REFUSED: [&str; 8] = [
        "unsupported",
        "not supported",
        "not permitted",
        "not allowed",
        "unexpected",
        "unrecognized",
        "unknown",
        "extra",
    ];
    const WANTED: [&str; 8] = [
        "missing",
        "required",
        "must be",
        "have to be",
        "has to be",
        "passed back",
        "sent back",
        "pass back",
    ];
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    // vLLM accepts no encrypted reasoning. OpenAI rejects encrypted reasoning from another organisation or key.
    if says(&["encrypted content", "encrypted_content"]) {
        return Some(Kind::ReasoningRefused);
    }
    // `reasoning_effort` and `thinking` are also request parameters. Match only errors about reasoning in the history.
    let of_history = says(&[
        "reasoning_content",
        "reasoning_details",
        "messages",
        "message",
        "assistant",
    ]) || says(&["back"]);
    if !says(&NAMES) || !of_history || says(&["budget", "effort"]) {
        return None;
    }
    match (says(&WANTED), says(&REFUSED)) {
        (true, false) => Some(Kind::ReasoningMissing),
        (false, true) => Some(Kind::ReasoningRefused),
        _ => None,
    }
}

/// Whether a retry can help after a 5xx error. If the body reports an invalid request, a retry cannot help.
fn curable(lower: &str) -> Curable {
    const NEVER: [&str; 6] = [
        "is not supported",
        "not supported by",
        "does not support",
        "unsupported",
        "jinja",
        "chat template",
    ];
    if NEVER.iter().any(|word| lower.contains(word)) {
        Curable::No
    } else {
        Curable::Perhaps
    }
}

fn words(value: &Value) -> Option<String> {
    match value {
        // A gateway may pass on the JSON body of another server as text.
        Value::String(text) if text.trim_start().starts_with('{') => {
            let inner = serde_json::from_str(text).ok().as_ref().and_then(words);
            inner.or_else(|| Some(text.clone()))
        }
        Value::String(text) if !text.trim().is_empty() => Some(text.clone()),
        Value::Array(items) => {
            let parts: Vec<String> = items.iter().filter_map(words).collect();
            (!parts.is_empty()).then(|| parts.join("; "))
        }
        Value::Object(object) => {
            let said = [
                "msg",
                "message",
                "messages",
                "error",
                "detail",
                "faultstring",
                "status_msg",
            ]
            .into_iter()
            .find_map(|key| object.get(key).and_then(words))?;
            let place: Vec<String> = object
                .get("loc")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .map(|part| part.as_str().map_or_else(|| part.to_string(), str::to_owned))
                .collect();
            Some(if place.is_empty() {
                said
            } else {
                format!("{}: {said}", place.join("."))
            })
        }
        _ => None,
    }
}

/// Returns the context window in tokens from a known error message. `lower` is the message in lowercase.
fn window_in(lower: &str) -> Option<u64> {
    const BEFORE: [&str; 16] = [
        "exceeds maximum context ",
        "`inputs` must have less than ",
        "maximum context length is ",
        "maximum context length of ",
        "context length of only ",
        "context length of ",
        "context length is ",
        "context length (",
        "context size (",
        "context window of ",
        "maximum model length of ",
        "maximum prompt length is ",
        "tokens allowed (",
        "should be [1, ",
        "must be <= ",
        "too large for model with ",
    ];
    let after = |phrase: &str| lower.split_once(phrase).and_then(|(_, rest)| leading_number(rest));
    BEFORE.into_iter().find_map(after).or_else(|| {
        // Matches `prompt is too long: 210000 tokens > 200000 maximum`.
        let (_, rest) = lower.rsplit_once("> ")?;
        leading_number(rest)
    })
}

fn leading_number(text: &str) -> Option<u64> {
    let digits: String = text
        .chars()
        .take_while(|c| c.is_ascii_digit() || *c == ',')
        .filter(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests;
