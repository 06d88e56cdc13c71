//! Builds a session from the log of another program: prompts, answers, calls and their results.
//!
//! The session can be continued like any other session: every call has one result, and every turn ends.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

use super::{Flaw, SessionsError};
use benchdog_base::clock::Time;
use benchdog_base::id::{CallId, EntryId, SessionId, TurnId};
use benchdog_base::text::clean;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::notice::Notice;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_storage::Import;

/// Maximum length of a tool's output in bytes. A longer output might not fit into a request to a model.
pub(super) const MOST_OUTPUT: usize = 64 << 10;

/// Approximate number of bytes of entries to write at once.
const PIECE: usize = 4 << 20;

/// Maximum length of a tool's name. All APIs accept names of this length.
const MOST_NAME: usize = 64;

/// Names of arguments that describe a call. The first of these arguments in a call becomes its title.
const TITLES: &[&str] = &[
    "command",
    "cmd",
    "file_path",
    "filePath",
    "path",
    "pattern",
    "query",
    "url",
    "description",
    "prompt",
];

pub(super) struct Builder {
    import: Import,
    origin: &'static str,
    file: std::path::PathBuf,
    entries: Vec<Arc<Entry>>,
    size: usize,
    id: u64,
    turn: u32,
    steps: u32,
    time: Time,
    began: Option<Time>,
    workspace: Option<String>,
    title: Option<String>,
    model: String,
    answer: Answer,
    open: Vec<(CallId, String, String)>,
    calls: BTreeSet<CallId>,
}

#[derive(Default)]
struct Answer {
    text: String,
    reasoning: String,
    calls: Vec<ToolCall>,
}

impl Builder {
    pub(super) fn begin(data: &Path, origin: &'static str, file: &Path, folder: &Path) -> Result<Self, SessionsError> {
        let meta = SessionMeta {
            id: SessionId::fresh(),
            title: String::new(),
            workspace: folder.display().to_string(),
            created: Time(0),
            updated: Time(0),
            model: None,
            agent: AgentName::default(),
            entries: 0,
            window: None,
            parent: None,
            tag: None,
            forked_from: None,
        };
        Ok(Self {
            import: Import::begin(data, meta)?,
            origin,
            file: file.to_owned(),
            entries: Vec::new(),
            size: 0,
            id: 0,
            turn: 0,
            steps: 0,
            time: Time(0),
            began: None,
            workspace: None,
            title: None,
            model: String::new(),
            answer: Answer::default(),
            open: Vec::new(),
            calls: BTreeSet::new(),
        })
    }

    // --- facts about the session ---

    pub(super) fn workspace(&mut self, folder: &str) {
        self.workspace.get_or_insert_with(|| folder.to_owned());
    }

    pub(super) fn title(&mut self, title: &str) {
        self.title = Some(title.trim().to_owned()).filter(|title| !title.is_empty());
    }

    pub(super) fn model(&mut self, model: &str) {
        model.clone_into(&mut self.model);
    }

    /// Sets the time of the following entries. A time before that of the previous entry has no effect.
    pub(super) fn at(&mut self, time: Option<Time>) {
        if let Some(time) = time {
            self.time = self.time.max(time);
            self.began.get_or_insert(time);
        }
    }

    // --- the conversation ---

    pub(super) fn prompt(&mut self, text: &str) -> Result<(), SessionsError> {
        self.end_turn()?;
        self.turn += 1;
        if self.turn == 1 {
            let file = self.file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let from = self.origin.to_owned();
            self.push(Body::Notice(Notice::Imported { from, file }), 0)?;
        }
        let body = Body::User {
            text: text.to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        };
        self.push(body, text.len())
    }

    pub(super) fn said(&mut self, text: &str) {
        join(&mut self.answer.text, text);
    }

    pub(super) fn thought(&mut self, text: &str) {
        join(&mut self.answer.reasoning, text);
    }

    pub(super) fn call(&mut self, id: &str, name: &str, arguments: Arguments) {
        let name: String = name.chars().take(MOST_NAME).collect();
        let name = name.replace(
            |letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '-',
            "_",
        );
        self.answer.calls.push(ToolCall {
            id: CallId(id.to_owned()),
            name,
            arguments,
        });
    }

    /// Adds the result of a call. A result without a call is ignored.
    pub(super) fn result(&mut self, call: &str, status: CallStatus, output: &str) -> Result<(), SessionsError> {
        if self.answer.calls.iter().any(|pending| pending.id.0 == call) {
            self.flush()?;
        }
        let Some(at) = self.open.iter().position(|(id, ..)| id.0 == call) else {
            return Ok(());
        };
        let (call, tool, title) = self.open.remove(at);
        self.ended(call, tool, title, status, output)
    }

    pub(super) fn finish(mut self) -> Result<SessionMeta, SessionsError> {
        if self.turn == 0 {
            return Err(SessionsError::Flawed {
                file: self.file,
                line: None,
                flaw: Flaw::Empty,
            });
        }
        self.end_turn()?;
        self.import.add(&self.entries, &[])?;
        let (began, workspace, title) = (self.began, self.workspace, self.title);
        let done = self.import.finish(|meta| {
            meta.created = began.unwrap_or(meta.updated);
            meta.workspace = workspace.unwrap_or_else(|| meta.workspace.clone());
            meta.title = title.unwrap_or_else(|| meta.title.clone());
        });
        Ok(done?)
    }

    pub(super) fn has_prompt(&self) -> bool {
        self.turn > 0
    }

    // --- entries ---

    fn ended(
        &mut self,
        call: CallId,
        tool: String,
        title: String,
        status: CallStatus,
        output: &str,
    ) -> Result<(), SessionsError> {
        let kept = output
            .get(..output.floor_char_boundary(MOST_OUTPUT))
            .unwrap_or_default();
        let lines = u64::try_from(output.lines().count()).unwrap_or(u64::MAX);
        let body = Body::ToolResult {
            call,
            tool,
            title,
            status,
            summary: if lines == 0 {
                Summary::Empty
            } else {
                Summary::Lines { lines }
            },
            output: kept.to_owned(),
            truncated: kept.len() < output.len(),
            notes: Vec::new(),
            places: Vec::new(),
            images: Vec::new(),
            took_ms: 0,
        };
        self.push(body, kept.len())
    }

    fn end_calls(&mut self) -> Result<(), SessionsError> {
        for (call, tool, title) in std::mem::take(&mut self.open) {
            self.ended(call, tool, title, CallStatus::Cancelled, "")?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SessionsError> {
        let Answer { text, reasoning, calls } = std::mem::take(&mut self.answer);
        if text.is_empty() && calls.is_empty() {
            return Ok(());
        }
        self.end_calls()?;
        // Drop an answer without a prompt: the part of the log before it is missing.
        if self.turn == 0 {
            return Ok(());
        }
        self.steps += 1;
        let calls: Vec<ToolCall> = calls.into_iter().map(|call| self.unique(call)).collect();
        let titled = calls
            .iter()
            .map(|call| (call.id.clone(), call.name.clone(), title(&call.arguments)));
        self.open = titled.collect();
        let size = text.len() + reasoning.len();
        let body = Body::Assistant {
            text,
            reasoning,
            seals: Vec::new(),
            calls,
            model: ModelRef {
                provider: self.origin.to_owned(),
                id: self.model.clone(),
            },
            usage: None,
            error: None,
        };
        self.push(body, size)
    }

    /// Gives a call a unique id, because some programs leave the id empty or use it twice.
    fn unique(&mut self, mut call: ToolCall) -> ToolCall {
        if call.id.0.is_empty() || self.calls.contains(&call.id) {
            call.id = CallId(format!("imported_{}_{}", self.id + 1, self.calls.len()));
        }
        self.calls.insert(call.id.clone());
        call
    }

    fn end_turn(&mut self) -> Result<(), SessionsError> {
        self.flush()?;
        self.end_calls()?;
        if self.turn == 0 {
            return Ok(());
        }
        let steps = std::mem::take(&mut self.steps);
        let outcome = if steps == 0 {
            TurnOutcome::Interrupted
        } else {
            TurnOutcome::Done
        };
        let usage = Usage::default();
        self.push(Body::TurnEnded { outcome, steps, usage }, 0)
    }

    fn push(&mut self, body: Body, size: usize) -> Result<(), SessionsError> {
        self.id += 1;
        self.entries.push(Arc::new(Entry {
            id: EntryId(self.id),
            turn: TurnId(self.turn),
            time: self.time,
            body,
        }));
        self.size += size;
        if self.size > PIECE {
            self.import.add(&self.entries, &[])?;
            self.entries.clear();
            self.size = 0;
        }
        Ok(())
    }
}

fn join(text: &mut String, more: &str) {
    if !text.is_empty() && !more.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(more);
}

fn title(arguments: &Arguments) -> String {
    let Arguments::Object(fields) = arguments else {
        return String::new();
    };
    let title = TITLES.iter().find_map(|name| match fields.get(*name)? {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => Some(words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")),
        _ => None,
    });
    clean(&title.unwrap_or_default()).into_owned()
}

pub(super) fn arguments(json: &str) -> Arguments {
    serde_json::from_str::<Map<String, Value>>(json).map_or_else(|_| Arguments::Raw(json.to_owned()), Arguments::Object)
}

/// Returns the text of a message content, which is a text or a list of parts with texts.
pub(super) fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}
