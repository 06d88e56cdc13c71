//! Transcribes a recording with the endpoint `audio/transcriptions`, as offered by vLLM, whisper.cpp's server and
//! hosted services.

use std::time::Duration;

use serde_json::Value;

use crate::ask::{Form, Question, ask};
use crate::failure::ProviderError;
use crate::transport::Transport;
use benchdog_base::id::fresh;

const PATH: &str = "audio/transcriptions";

/// Transcribes `recording`, a WAV file.
pub(crate) async fn transcribe(
    transport: &Transport,
    model: &str,
    recording: &[u8],
    patience: Duration,
) -> Result<String, ProviderError> {
    let form = form(model, recording, &format!("benchdog-{}", fresh()));
    let question = Question::Form(PATH, form);
    ask(transport, question, patience, "its answer holds no text", text_of).await
}

fn form(model: &str, recording: &[u8], boundary: &str) -> Form {
    let mut body = Vec::with_capacity(recording.len() + 1_024);
    for (name, value) in [("model", model), ("response_format", "json")] {
        let part = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
        body.extend_from_slice(part.as_bytes());
    }
    let file = format!(
        "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"speech.wav\"\r\n\
         Content-Type: audio/wav\r\n\r\n"
    );
    body.extend_from_slice(file.as_bytes());
    body.extend_from_slice(recording);
    body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
    Form {
        content_type: format!("multipart/form-data; boundary={boundary}"),
        body,
    }
}

fn text_of(body: &[u8]) -> Option<String> {
    let answer = serde_json::from_slice::<Value>(body).ok()?;
    Some(answer.get("text")?.as_str()?.to_owned())
}

#[cfg(test)]
mod tests;
