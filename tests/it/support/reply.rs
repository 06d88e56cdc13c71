//! Replies of the model server: whole answers, chunks with gates, and every kind of server fault.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::watch;

use super::api::Said;
use super::{PATIENCE, Watched};

/// A point in a reply at which the server waits for the test.
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
        // The borrowed gate keeps the sender alive, so waiting cannot fail.
        let _ = open.wait_for(|open| *open).await;
    }
}

#[derive(Clone)]
pub(super) enum Step {
    Said(Said),
    Bytes(Vec<u8>),
    Gate(Gate),
    /// Breaks the connection before the end of the body.
    Cut,
    Pause(Duration),
    /// Repeats these bytes at intervals until the client disconnects.
    Flood(Vec<u8>, Duration),
    /// Sends nothing more, but keeps the connection open.
    Silence,
}

#[derive(Clone)]
pub struct Reply {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) steps: Vec<Step>,
    /// Accepts the request, but does not even send a status.
    pub(super) mute: bool,
    finish: &'static str,
    calls: usize,
    counted: u64,
    kept: Option<u64>,
}

/// Returns a text answer with one event per word.
pub fn text(text: &str) -> Reply {
    stream().says(text).ends()
}

pub fn call(tool: &str, arguments: Value) -> Reply {
    stream().calls(tool, arguments).ends()
}

pub fn calls(calls: impl IntoIterator<Item = (&'static str, Value)>) -> Reply {
    calls
        .into_iter()
        .fold(stream(), |reply, (tool, arguments)| reply.calls(tool, arguments))
        .ends()
}

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

pub fn status(status: u16, message: &str) -> Reply {
    let body = json!({"error": {"message": message, "type": "error", "code": status}});
    Reply {
        status,
        headers: vec![("content-type".to_owned(), "application/json".to_owned())],
        steps: vec![Step::Bytes(body.to_string().into_bytes())],
        ..stream()
    }
}

pub fn refusal(status: u16, body: &str) -> Reply {
    Reply {
        steps: vec![Step::Bytes(body.as_bytes().to_vec())],
        ..self::status(status, "")
    }
}

/// Accepts the request and never answers.
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

    pub fn holds(mut self, gate: &Gate) -> Self {
        self.steps.push(Step::Gate(gate.clone()));
        self
    }

    /// Sends bytes verbatim, well formed or not.
    pub fn raw(mut self, bytes: &str) -> Self {
        self.steps.push(Step::Bytes(bytes.as_bytes().to_vec()));
        self
    }

    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub fn cut(mut self) -> Self {
        self.steps.push(Step::Cut);
        self
    }

    /// Sends only keep-alives, one per `every`, for `lasting`. A server that processes a long prompt does the same.
    pub fn keeps_alive(mut self, every: Duration, lasting: Duration) -> Self {
        let mut passed = Duration::ZERO;
        while passed < lasting {
            self.steps.extend([Step::Pause(every), Step::Said(Said::Alive)]);
            passed += every;
        }
        self
    }

    /// Repeats bytes at intervals of `every` until the client disconnects.
    pub fn floods(mut self, piece: &str, every: Duration) -> Self {
        self.steps.push(Step::Flood(piece.as_bytes().to_vec(), every));
        self
    }

    /// Sends nothing more, but keeps the connection open until the client disconnects.
    pub fn falls_silent(mut self) -> Self {
        self.steps.push(Step::Silence);
        self
    }

    /// Sets the number of prompt tokens that the server reports.
    pub fn counts(mut self, prompt: u64) -> Self {
        self.counted = prompt;
        self
    }

    pub fn keeps(mut self, tokens: u64) -> Self {
        self.kept = Some(tokens);
        self
    }

    pub fn ends(mut self) -> Self {
        self.steps.push(Step::Said(Said::End {
            finish: self.finish,
            prompt: self.counted,
            kept: self.kept,
        }));
        self
    }
}
