//! APIs of the test's model server: paths, formats of answers, and contents of requests.

use serde_json::{Value, json};

use super::home::{Home, config};
use super::reply::{stream, text};
use super::request::Request;
use super::responses;
use super::server::{MODEL, Server};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    OpenAi,
    Ollama,
    Anthropic,
    Responses,
}

#[derive(Clone)]
pub(super) enum Said {
    Begin,
    Text(String),
    /// Reasoning in vLLM's format. Signed if the API has signatures.
    Thought(String),
    Call {
        place: usize,
        id: String,
        tool: String,
        arguments: Value,
    },
    Alive,
    /// Finish reason, and token counts.
    End {
        finish: &'static str,
        prompt: u64,
        kept: Option<u64>,
    },
}

impl Home {
    pub fn speaking(api: Api, server: &Server) -> Self {
        let home = Self::bare();
        let mut config = config(&server.base_url());
        config["provider"]["kit"]["api"] = api.word().into();
        home.configure(&config);
        home
    }
}

impl Api {
    pub fn word(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Ollama => "ollama",
            Self::Anthropic => "anthropic",
            Self::Responses => "openai-responses",
        }
    }

    pub(super) fn at(path: &str) -> Option<Self> {
        match path {
            "/v1/chat/completions" => Some(Self::OpenAi),
            "/api/chat" => Some(Self::Ollama),
            "/v1/messages" => Some(Self::Anthropic),
            "/v1/responses" => Some(Self::Responses),
            _ => None,
        }
    }

    pub(super) fn written(self, said: &Said) -> Vec<u8> {
        match self {
            Self::OpenAi => openai(said),
            Self::Ollama => ollama(said),
            Self::Anthropic => anthropic(said),
            Self::Responses => responses::written(said),
        }
        .into_bytes()
    }

    pub fn messages(self, body: &Value) -> Vec<Value> {
        let messages = body["messages"].as_array().cloned().unwrap_or_default();
        match self {
            Self::OpenAi | Self::Ollama => messages,
            Self::Responses => responses::messages(body),
            Self::Anthropic => {
                let system = body["system"].as_array().into_iter().flatten();
                let system = system.map(|block| json!({"role": "system", "content": block["text"]}));
                system.chain(messages.iter().flat_map(plain)).collect()
            }
        }
    }

    /// Removes cache marks. They differ between requests, but do not affect the cache. `None` without marks.
    pub(super) fn without_marks(self, raw: &str) -> Option<String> {
        match self {
            Self::OpenAi | Self::Ollama | Self::Responses => None,
            Self::Anthropic => Some(raw.replace(r#","cache_control":{"type":"ephemeral"}"#, "")),
        }
    }
}

/// Runs a session with reasoning, a call and a rejected edit, and continues it in a new process. Returns the last
/// request.
pub fn request_of_continued_session(api: Api, key: &str) -> Request {
    let server = Server::start();
    let home = Home::speaking(api, &server).env("BENCHDOG_API_KEY", key);
    home.file("a.txt", "first\n");
    let edit = json!({"path": "a.txt", "edits": [{"old": "first", "new": "second"}]});
    server.script([
        stream()
            .thinks("I read it.")
            .says("I look.")
            .calls("read", json!({"path": "a.txt"}))
            .ends(),
        stream().thinks("I change it.").calls("edit", edit).ends(),
        text("Noted."),
    ]);
    let bench = home.bench(&[]);
    bench.ask("change it");
    bench.refuse("second");
    bench.wait_for_text("Noted.");
    bench.leave();
    assert_eq!(home.read("a.txt"), "first\n");

    server.script([text("Still here.")]);
    let run = home.run(&["run", "-c", "and now?"]);
    run.assert_code(0);
    assert!(run.stdout.contains("Still here."), "{run}");

    server.assert_append_only();
    server.request(4)
}

pub fn types(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item["type"].as_str().unwrap_or_default()).collect()
}

fn openai(said: &Said) -> String {
    let event = |delta: Value, finish: Option<&str>| {
        let chunk = json!({
            "id": "chatcmpl-kit", "object": "chat.completion.chunk", "model": MODEL,
            "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
        });
        format!("data: {chunk}\n\n")
    };
    match said {
        Said::Begin => event(json!({"role": "assistant", "content": ""}), None),
        Said::Alive => ": keep-alive\n\n".to_owned(),
        Said::Text(text) => event(json!({"content": text}), None),
        Said::Thought(text) => event(json!({"reasoning_content": text}), None),
        Said::Call {
            place,
            id,
            tool,
            arguments,
        } => {
            let function = json!({"name": tool, "arguments": arguments.to_string()});
            let call = json!({"index": place, "id": id, "type": "function", "function": function});
            event(json!({"tool_calls": [call]}), None)
        }
        Said::End { finish, prompt, kept } => {
            let mut usage = json!({
                "id": "chatcmpl-kit", "object": "chat.completion.chunk", "model": MODEL, "choices": [],
                "usage": {"prompt_tokens": prompt, "completion_tokens": 20, "total_tokens": prompt + 20},
            });
            if let Some(kept) = kept {
                usage["usage"]["prompt_tokens_details"] = json!({"cached_tokens": kept});
            }
            format!("{}data: {usage}\n\ndata: [DONE]\n\n", event(json!({}), Some(finish)))
        }
    }
}

fn ollama(said: &Said) -> String {
    let line = |message: Value| format!("{}\n", json!({"model": MODEL, "message": message, "done": false}));
    match said {
        Said::Begin => String::new(),
        Said::Alive => "\n".to_owned(),
        Said::Text(text) => line(json!({"role": "assistant", "content": text})),
        Said::Thought(text) => line(json!({"role": "assistant", "content": "", "thinking": text})),
        Said::Call {
            id, tool, arguments, ..
        } => {
            let call = json!({"id": id, "function": {"name": tool, "arguments": arguments}});
            line(json!({"role": "assistant", "content": "", "tool_calls": [call]}))
        }
        Said::End { prompt, .. } => {
            let end = json!({
                "model": MODEL, "message": {"role": "assistant", "content": ""}, "done": true, "done_reason": "stop",
                "prompt_eval_count": prompt, "eval_count": 20,
            });
            format!("{end}\n")
        }
    }
}

/// Writes every chunk as a separate block. The prompt's token count is split into three fields, of which only one is
/// named `input`.
fn anthropic(said: &Said) -> String {
    let event = |value: &Value| {
        format!(
            "event: {}\ndata: {value}\n\n",
            value["type"].as_str().unwrap_or_default()
        )
    };
    let block = |place: usize, start: Value, deltas: Vec<Value>| {
        let start = json!({"type": "content_block_start", "index": place, "content_block": start});
        let deltas = deltas
            .into_iter()
            .map(|delta| json!({"type": "content_block_delta", "index": place, "delta": delta}));
        let stop = json!({"type": "content_block_stop", "index": place});
        let all = std::iter::once(start).chain(deltas).chain([stop]);
        all.map(|value| event(&value)).collect()
    };
    match said {
        Said::Begin => event(&json!({"type": "message_start", "message": {
            "id": "msg_kit", "type": "message", "role": "assistant", "model": MODEL, "content": [],
            "stop_reason": null, "usage": {"input_tokens": 0, "output_tokens": 0},
        }})),
        Said::Alive => event(&json!({"type": "ping"})),
        Said::Text(text) => {
            let delta = json!({"type": "text_delta", "text": text});
            block(0, json!({"type": "text", "text": ""}), vec![delta])
        }
        Said::Thought(text) => {
            let words = json!({"type": "thinking_delta", "thinking": text});
            let signed = json!({"type": "signature_delta", "signature": format!("signed: {text}")});
            let start = json!({"type": "thinking", "thinking": "", "signature": ""});
            block(0, start, vec![words, signed])
        }
        Said::Call {
            place,
            id,
            tool,
            arguments,
        } => {
            let input = json!({"type": "input_json_delta", "partial_json": arguments.to_string()});
            let start = json!({"type": "tool_use", "id": id, "name": tool, "input": {}});
            block(place + 1, start, vec![input])
        }
        Said::End { finish, prompt, kept } => {
            let reason = if *finish == "stop" { "end_turn" } else { "tool_use" };
            let read = kept.unwrap_or(prompt / 4 * 3);
            let created = (prompt - read) / 2;
            let usage = json!({
                "input_tokens": prompt - read - created, "cache_read_input_tokens": read,
                "cache_creation_input_tokens": created, "output_tokens": 20,
            });
            let end = json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage});
            event(&end) + &event(&json!({"type": "message_stop"}))
        }
    }
}

/// Converts a message of blocks to chat completions: one message per result, and one for texts and calls.
fn plain(message: &Value) -> Vec<Value> {
    let blocks = message["content"].as_array().cloned().unwrap_or_default();
    let of = |kind: &'static str| blocks.iter().filter(move |block| block["type"] == kind);
    let results = of("tool_result").map(|block| {
        let content = block["content"].as_str().unwrap_or_default();
        json!({"role": "tool", "tool_call_id": block["tool_use_id"], "content": content})
    });
    let text: String = of("text").filter_map(|block| block["text"].as_str()).collect();
    let calls = of("tool_use").map(|block| {
        let function = json!({"name": block["name"], "arguments": block["input"].to_string()});
        json!({"id": block["id"], "function": function})
    });
    let calls: Vec<Value> = calls.collect();
    let mut all: Vec<Value> = results.collect();
    if !text.is_empty() || !calls.is_empty() {
        let mut said = json!({"role": message["role"], "content": text});
        if !calls.is_empty() {
            said["tool_calls"] = calls.into();
        }
        all.push(said);
    }
    all
}
