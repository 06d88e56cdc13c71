//! Tool calls as `tool_call` and `tool_call_update`: kind, title, locations, diffs, and live output.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agent_client_protocol_schema::v1::{
    Diff, SessionUpdate, ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolCallUpdate,
    ToolCallUpdateFields, ToolKind,
};
use serde_json::{Map, Value, json};

use super::permission::about;
use benchdog_base::id::CallId;
use benchdog_base::text::{clean, fence, reveal};
use benchdog_diff::{Encoding, hunks};
use benchdog_domain::call::{CHECK, SHELL};
use benchdog_domain::entry::Body;
use benchdog_domain::message::{Arguments, ToolCall as Asked};
use benchdog_domain::places::Place;
use benchdog_domain::review::{FileChange, FileNote, FileOperation, Review};
use benchdog_domain::tool::{CallStatus, EffectClass, OutputChunk, TitleKind, ToolFacts};
use benchdog_protocol::ApprovalRequest;
use benchdog_transcript::name_of;

/// Maximum bytes of a running command's output in one update. Each update repeats the output so far.
const LIVE_OUTPUT: usize = 8 * 1024;

/// Maximum size of both texts of a diff together, in bytes. Larger diffs are not sent.
const LARGEST_DIFF: usize = 1024 * 1024;

/// Key in `_meta` of a subagent's call. Its value is the id of the parent's call.
const PARENT_CALL: &str = "benchdog/parentToolCallId";

pub(crate) struct Calls {
    root: PathBuf,
    tools: Arc<[ToolFacts]>,
    known: BTreeMap<CallId, Known>,
    /// Calls with new output that was not sent yet.
    printed: BTreeSet<CallId>,
}

#[derive(Default)]
struct Known {
    tool: String,
    diffs: Vec<ToolCallContent>,
    output: String,
    unfinished: String,
}

impl Calls {
    pub(crate) fn new(root: PathBuf, tools: Arc<[ToolFacts]>) -> Self {
        Self {
            root,
            tools,
            known: BTreeMap::new(),
            printed: BTreeSet::new(),
        }
    }

    /// Reports a call that the model requested. The call is not prepared yet.
    pub(crate) fn wanted(&mut self, call: &Asked) -> SessionUpdate {
        let input = match &call.arguments {
            Arguments::Object(fields) => Value::Object(fields.clone()),
            Arguments::Raw(text) => Value::String(text.clone()),
        };
        self.note(&call.id, &call.name);
        let shown = self.shown(&call.id, &call.name, "");
        SessionUpdate::ToolCall(shown.raw_input(input))
    }

    pub(crate) fn prepared(&mut self, call: &CallId, tool: &str, title: &str) -> SessionUpdate {
        if self.note(call, tool) {
            return SessionUpdate::ToolCall(self.shown(call, tool, title));
        }
        update(call, ToolCallUpdateFields::new().title(titled(tool, title)))
    }

    /// Returns the `toolCall` of a permission request, and the update that must be sent before the request.
    pub(crate) fn asked(&mut self, request: &ApprovalRequest) -> (Option<SessionUpdate>, ToolCallUpdate) {
        let is_new = self.note(&request.call, &request.tool);
        let fields = ToolCallUpdateFields::new()
            .kind(self.kind(&request.tool, Some(&request.review)))
            .status(ToolCallStatus::Pending)
            .title(titled(&request.tool, &request.title))
            .name(request.tool.clone());
        let fields = match &request.review {
            Review::Files(files) => {
                let diffs = self.diffs(files);
                let locations = self.changed(files);
                if let Some(known) = self.known.get_mut(&request.call) {
                    known.diffs.clone_from(&diffs);
                }
                fields.content(diffs).locations(locations)
            }
            Review::Command(_) | Review::Fields(_) | Review::Question(_) => {
                fields.content(vec![ToolCallContent::from(about(request))])
            }
        };
        let meta = parent_of(request).map(|parent| {
            let mut meta = Map::new();
            meta.insert(PARENT_CALL.to_owned(), Value::String(parent.to_owned()));
            meta
        });
        let asked = ToolCallUpdate::new(request.call.0.clone(), fields).meta(meta);
        let shown = ToolCall::try_from(asked.clone()).ok();
        (shown.filter(|_| is_new).map(SessionUpdate::ToolCall), asked)
    }

    pub(crate) fn started(&self, call: &CallId) -> Option<SessionUpdate> {
        let fields = ToolCallUpdateFields::new().status(ToolCallStatus::InProgress);
        self.known.contains_key(call).then(|| update(call, fields))
    }

    /// Stores output until the next call of `printed`. Returns whether this is the first unsent output of the call.
    pub(crate) fn prints(&mut self, chunk: &OutputChunk) -> bool {
        let Some(known) = self.known.get_mut(&chunk.call) else {
            return false;
        };
        known.output.push_str(&chunk.text);
        known.unfinished.clone_from(&chunk.unfinished);
        if known.output.len() > LIVE_OUTPUT {
            known.output = end_of(&known.output, LIVE_OUTPUT).to_owned();
        }
        self.printed.insert(chunk.call.clone())
    }

    pub(crate) fn printed(&mut self) -> Vec<SessionUpdate> {
        let calls = std::mem::take(&mut self.printed);
        let known = calls.iter().filter_map(|call| Some((call, self.known.get(call)?)));
        let updates = known.map(|(call, known)| {
            let output = format!("{}{}", known.output, known.unfinished);
            let content = known.diffs.iter().cloned().chain([fenced(&output)]).collect::<Vec<_>>();
            let fields = ToolCallUpdateFields::new().status(ToolCallStatus::InProgress);
            update(call, fields.content(content))
        });
        updates.collect()
    }

    pub(crate) fn progress(&self, call: &CallId, text: &str) -> Option<SessionUpdate> {
        let fields = ToolCallUpdateFields::new().status(ToolCallStatus::InProgress);
        let content = vec![ToolCallContent::from(clean(text).into_owned())];
        self.known
            .contains_key(call)
            .then(|| update(call, fields.content(content)))
    }

    pub(crate) fn has_diff(&self, call: &CallId) -> bool {
        self.known.get(call).is_some_and(|known| !known.diffs.is_empty())
    }

    pub(crate) fn changes(&mut self, call: &CallId, files: &[FileChange]) -> Option<SessionUpdate> {
        let diffs = self.diffs(files);
        let locations = self.changed(files);
        let known = self.known.get_mut(call)?;
        known.diffs.extend(diffs);
        let content = known.diffs.iter().cloned();
        let output = (!known.output.is_empty()).then(|| fenced(&known.output));
        let fields = ToolCallUpdateFields::new().content(content.chain(output).collect::<Vec<_>>());
        Some(update(call, fields.locations(locations)))
    }

    pub(crate) fn ended(&mut self, body: &Body) -> Vec<SessionUpdate> {
        let (call, tool, title, status, output, places) = match body {
            Body::ToolResult {
                call,
                tool,
                title,
                status,
                output,
                places,
                ..
            } => (call, tool.as_str(), title.as_str(), *status, output, places.as_slice()),
            Body::Validation {
                call,
                command,
                passed,
                output,
                unfinished,
                ..
            } => {
                let status = CallStatus::of_check(*passed, *unfinished);
                (call, CHECK, command.as_str(), status, output, [].as_slice())
            }
            Body::Shell {
                call: Some(call),
                command,
                output,
                status,
                ..
            } => (call, SHELL, command.as_str(), *status, output, [].as_slice()),
            _ => return Vec::new(),
        };
        let mut updates = Vec::new();
        if self.note(call, tool) {
            updates.push(SessionUpdate::ToolCall(self.shown(call, tool, title)));
        }
        self.printed.remove(call);
        let mut content = Vec::new();
        if let Some(known) = self.known.get_mut(call) {
            known.output.clone_from(output);
            if status == CallStatus::Ok {
                content.clone_from(&known.diffs);
            }
        }
        if !output.is_empty() {
            content.push(fenced(output));
        }
        let fields = ToolCallUpdateFields::new()
            .status(match status {
                CallStatus::Ok => ToolCallStatus::Completed,
                CallStatus::Error | CallStatus::Denied | CallStatus::Cancelled => ToolCallStatus::Failed,
            })
            .content(content)
            .raw_output(json!({"status": status, "output": output}));
        let locations: Vec<ToolCallLocation> = places.iter().map(|place| self.location(place)).collect();
        let fields = match locations.is_empty() {
            true => fields,
            false => fields.locations(locations),
        };
        updates.push(update(call, fields));
        updates
    }

    pub(crate) fn forget(&mut self) {
        self.known.clear();
        self.printed.clear();
    }

    fn note(&mut self, call: &CallId, tool: &str) -> bool {
        let is_new = !self.known.contains_key(call);
        let known = self.known.entry(call.clone()).or_default();
        tool.clone_into(&mut known.tool);
        is_new
    }

    fn shown(&self, call: &CallId, tool: &str, title: &str) -> ToolCall {
        ToolCall::new(call.0.clone(), titled(tool, title))
            .name(tool.to_owned())
            .kind(self.kind(tool, None))
            .status(ToolCallStatus::Pending)
    }

    fn kind(&self, tool: &str, review: Option<&Review>) -> ToolKind {
        if let Some(Review::Files(files)) = review {
            let all = |is: fn(&FileOperation) -> bool| files.iter().all(|file| is(&file.operation));
            if !files.is_empty() && all(|operation| matches!(operation, FileOperation::Delete)) {
                return ToolKind::Delete;
            }
            if !files.is_empty() && all(|operation| matches!(operation, FileOperation::Rename { .. })) {
                return ToolKind::Move;
            }
        }
        if tool == CHECK || tool == SHELL {
            return ToolKind::Execute;
        }
        let Some(facts) = ToolFacts::find(&self.tools, tool) else {
            return ToolKind::Other;
        };
        match (facts.effect, facts.title) {
            (EffectClass::Reads, TitleKind::Path) => ToolKind::Read,
            (EffectClass::Reads, TitleKind::Words) => ToolKind::Search,
            (EffectClass::Writes, _) => ToolKind::Edit,
            (EffectClass::Executes, _) => ToolKind::Execute,
            (EffectClass::Network, _) => ToolKind::Fetch,
            (EffectClass::Notes | EffectClass::Delegates, _) => ToolKind::Think,
            (EffectClass::Asks, _) => ToolKind::Other,
        }
    }

    fn diffs(&self, files: &[FileChange]) -> Vec<ToolCallContent> {
        let diff = |file: &FileChange| {
            let before = file.before.as_deref();
            let after = file.after.as_deref().unwrap_or_default();
            let fits = before.map_or(0, <[u8]>::len) + after.len() <= LARGEST_DIFF;
            if !fits || !before.is_none_or(is_text) || !is_text(after) {
                return None;
            }
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            let diff = Diff::new(self.absolute(&file.path), text(after)).old_text(before.map(text));
            Some(ToolCallContent::Diff(diff))
        };
        files.iter().filter_map(diff).collect()
    }

    fn changed(&self, files: &[FileChange]) -> Vec<ToolCallLocation> {
        let location = |file: &FileChange| {
            let [before, after] = [&file.before, &file.after].map(|side| side.as_deref().unwrap_or_default());
            // The line numbers of a notebook cell differ from those of the file.
            let is_whole = !matches!(file.note, Some(FileNote::Cell { .. }));
            let first = hunks(before, after)
                .first()
                .map(|hunk| hunk.after.start + 1)
                .filter(|_| is_whole);
            let line = first.and_then(|line| u32::try_from(line).ok());
            ToolCallLocation::new(self.absolute(&file.path)).line(line)
        };
        files.iter().map(location).collect()
    }

    fn location(&self, place: &Place) -> ToolCallLocation {
        let line = place.lines.first().and_then(|lines| u32::try_from(lines.0).ok());
        ToolCallLocation::new(self.absolute(&place.path)).line(line)
    }

    /// Joins a workspace path with the root. Leaves an absolute path unchanged.
    fn absolute(&self, path: &str) -> PathBuf {
        self.root.join(Path::new(path))
    }
}

fn update(call: &CallId, fields: ToolCallUpdateFields) -> SessionUpdate {
    SessionUpdate::ToolCallUpdate(ToolCallUpdate::new(call.0.clone(), fields))
}

/// Returns the id of the parent's call. The id of a subagent's request begins with the id of the parent's call.
fn parent_of(request: &ApprovalRequest) -> Option<&str> {
    let child = request.child.as_ref()?;
    request
        .call
        .0
        .strip_suffix(&format!("/{}/{}", child.seat.0, child.call.0))
}

fn end_of(text: &str, most: usize) -> &str {
    let from = text.ceil_char_boundary(text.len().saturating_sub(most));
    text.get(from..).unwrap_or_default()
}

fn titled(tool: &str, title: &str) -> String {
    let title = reveal(title);
    match (name_of(tool), title.lines().next().unwrap_or_default()) {
        (name, "") => name.into_owned(),
        (name, title) => format!("{name} {title}"),
    }
}

/// Formats output as a code block, because clients render content as Markdown.
fn fenced(text: &str) -> ToolCallContent {
    let fence = fence(text);
    let text = clean(text);
    ToolCallContent::from(format!("{fence}\n{}\n{fence}", text.trim_end_matches('\n')))
}

fn is_text(bytes: &[u8]) -> bool {
    !matches!(Encoding::of(bytes), Encoding::Binary | Encoding::Utf16)
}
