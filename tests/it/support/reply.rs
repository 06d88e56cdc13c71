//! What the model server sends back: whole answers, pieces with gates between them, and every fault a server can have.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::api::Said;
use super::{PATIENCE, Watched};

/// A place in a reply where the server stops until the test lets it go on.
#[derive(Clone)]
pub struct Gate {
    open: watch::Sender<bool>,
    reached: Arc<Watched<bool>>,
}

impl Gate {
    pub fn new() -> Self {
        Self {
            open: watch::Sender::new(false),
            reached: Arc::new(Watched::new(false)),
        }
    }

    /// Lets the reply go on.
    pub fn open(&self) {
        self.open.send_replace(true);
    }

    /// Waits until the server has sent everything before the gate.
    pub fn wait_reached(&self) {
        let reached = self.reached.wait(PATIENCE, |reached| reached.then_some(()));
        assert!(reached.is_ok(), "the reply never came to its gate");
    }

    pub(super) async fn pass(&self) {
        self.reached.change(|reached| *reached = true);
        let mut open = self.open.subscribe();
        // The sender lives as long as the gate, which is borrowed here.
        let _ = open.wait_for(|open| *open).await;
    }
}

#[derive(Clone)]
pub(super) enum Step {
    Said(Said),
    Bytes(Vec<u8>),
    Gate(Gate),
    /// The connection breaks, without the end of the body.
    Cut,
    /// Time passes.
    Pause(Duration),
    /// These bytes again and again, with time between them, until the client gives up.
    Flood(Vec<u8>, Duration),
    /// Nothing more comes, and the connection stays open.
    Silence,
}

/// One answer to one request.
#[derive(Clone)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) steps: Vec<Step>,
    /// The server takes the request and does not even answer with a status.
    pub(super) mute: bool,
    finish: &'static str,
    calls: usize,
    /// Tokens of the prompt, as the server counts them.
    counted: u64,
    /// What of them it had kept, where it tells.
    kept: Option<u64>,
}

/// A whole answer in words, one event a word.
pub fn text(text: &str) -> Reply {
    stream().says(text).ends()
}

/// An answer that is one tool call.
pub fn call(tool: &str, arguments: Value) -> Reply {
    stream().calls(tool, arguments).ends()
}

/// An answer of several tool calls, in this order.
pub fn calls(calls: impl IntoIterator<Item = (&'static str, Value)>) -> Reply {
    calls
        .into_iter()
        .fold(stream(), |reply, (tool, arguments)| reply.calls(tool, arguments))
        .ends()
}

/// The start of an answer that is put together piece by piece.
pub fn stream() -> Reply {
    Reply {
        status: 200,
        headers: vec![("content-type".to_owned(), "text/event-stream".to_owned())],
        steps: vec![Step::Said(Said::Begin)],
        mute: false,
        finish: "stop",
        calls: 0,
        counted: 1000,
        kept: None,
    }
}

/// A refusal: a status and a body as servers write it.
pub fn status(status: u16, message: &str) -> Reply {
    let body = json!({"error": {"message": message, "type": "error", "code": status}});
    Reply {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        steps: vec![Step::Bytes(body.to_string().into_bytes())],
        ..stream()
    }
}

/// A refusal in a server's own words.
pub fn refusal(status: u16, body: &str) -> Reply {
    Reply {
        steps: vec![Step::Bytes(body.as_bytes().to_vec())],
        ..self::status(status, "")
    }
}

/// The request is taken and never answered.
pub fn never() -> Reply {
    Reply { mute: true, ..stream() }
}

impl Reply {
    pub fn says(mut self, text: &str) -> Self {
        let pieces = text.split_inclusive(' ');
        self.steps
            .extend(pieces.map(|piece| Step::Said(Said::Text(piece.to_owned()))));
        self
    }

    pub fn thinks(mut self, text: &str) -> Self {
        self.steps.push(Step::Said(Said::Thought(text.to_owned())));
        self
    }

    pub fn calls(mut self, tool: &str, arguments: Value) -> Self {
        static COUNTED: AtomicU64 = AtomicU64::new(1);
        self.steps.push(Step::Said(Said::Call {
            place: self.calls,
            id: format!("call_{}", COUNTED.fetch_add(1, Ordering::Relaxed)),
            tool: tool.to_owned(),
            arguments,
        }));
        self.calls += 1;
        self.finish = "tool_calls";
        self
    }

    /// The server waits here.
    pub fn holds(mut self, gate: &Gate) -> Self {
        self.steps.push(Step::Gate(gate.clone()));
        self
    }

    /// Bytes as they are, well formed or not.
    pub fn raw(mut self, bytes: &str) -> Self {
        self.steps.push(Step::Bytes(bytes.as_bytes().to_vec()));
        self
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The connection breaks here.
    pub fn cut(mut self) -> Self {
        self.steps.push(Step::Cut);
        self
    }

    /// Nothing but signs of life, as servers give them that read a long prompt: one after each `every`, for `lasting`.
    pub fn keeps_alive(mut self, every: Duration, lasting: Duration) -> Self {
        let mut passed = Duration::ZERO;
        while passed < lasting {
            self.steps.extend([Step::Pause(every), Step::Said(Said::Alive)]);
            passed += every;
        }
        self
    }

    /// Bytes that come again and again, one time after each `every`, until the client gives up.
    pub fn floods(mut self, piece: &str, every: Duration) -> Self {
        self.steps.push(Step::Flood(piece.as_bytes().to_vec(), every));
        self
    }

    /// Nothing more is sent, and the connection stays open until the client gives up.
    pub fn falls_silent(mut self) -> Self {
        self.steps.push(Step::Silence);
        self
    }

    /// The server counts so many tokens of the prompt.
    pub fn counts(mut self, prompt: u64) -> Self {
        self.counted = prompt;
        self
    }

    /// So many of these tokens the server had kept.
    pub fn keeps(mut self, tokens: u64) -> Self {
        self.kept = Some(tokens);
        self
    }

    /// The proper end: why it ends, and the counts.
    pub fn ends(mut self) -> Self {
        self.steps.push(Step::Said(Said::End {
            finish: self.finish,
            prompt: self.counted,
            kept: self.kept,
        }));
        self
    }
}
