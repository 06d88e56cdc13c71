//! The connection to a running server.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::io::AsyncBufRead;
use tokio::sync::{Mutex as AsyncMutex, mpsc, oneshot, watch};

use super::diagnostics::{Answer, Diagnostics};
use super::documents::{Documents, Stamp, Step, language, stamp};
use super::frames::{BadHeader, Frame, Frames, frame};
use super::limits::MOST_TEXT;
use super::position::Unit;
use super::wire::{Message, PublishedDiagnostics, PulledDiagnostics, ResponseError, short_line};
use super::{Reader, before_deadline, uri};

const QUEUE: usize = 16;
const MOST_PENDING: usize = 64;
/// Delay before a request is repeated because the server cancelled it.
const RETRY_DELAY: Duration = Duration::from_millis(100);

/// Maximum display columns of a problem that the server reports.
const MOST_PROBLEM: usize = 300;

/// Additional wait for further diagnostics, while the server reports work in progress.
const WORK_WAIT: Duration = Duration::from_millis(700);
/// Maximum number of stored reports of work in progress.
const MOST_WORKS: usize = 64;

/// Error codes after which a request can be repeated: the server cancelled the request, or the file's content changed.
const REPEATABLE: [i64; 2] = [-32802, -32801];
const NO_METHOD: i64 = -32601;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fault {
    Late,
    Gone,
    Refused(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WaitOutcome {
    Answered,
    /// The server is running but sent nothing. Because the file had no diagnostics before, it probably still has none.
    Assumed,
    Unanswered,
}

pub(crate) struct Client {
    writes: mpsc::Sender<Vec<u8>>,
    pending: Mutex<BTreeMap<u64, oneshot::Sender<Response>>>,
    next: AtomicU64,
    pub(crate) capabilities: OnceLock<Capabilities>,
    pub(crate) documents: AsyncMutex<Documents>,
    diagnostics: Mutex<Diagnostics>,
    /// Counter that changes when the server sends diagnostics or ends.
    changes: watch::Sender<u64>,
    is_over: AtomicBool,
    /// Whether the server is loading the project, according to the server's reports.
    loads: watch::Sender<bool>,
    /// The problem that the server reported last, such as a project that the server cannot load.
    problem: Mutex<Option<String>>,
    /// Tokens of the server's reports of work in progress.
    works: Mutex<BTreeSet<String>>,
    settings: Value,
    root: PathBuf,
}

type Response = Result<Box<RawValue>, ResponseError>;

#[derive(Debug, Default)]
pub(crate) struct Capabilities {
    /// Whether diagnostics must be requested. If false, the server pushes them.
    pub(crate) pulls: bool,
    pub(crate) definition: bool,
    pub(crate) references: bool,
    pub(crate) unit: Unit,
    syncs: bool,
    saves: bool,
    saves_text: bool,
}

impl Capabilities {
    fn of(answer: &Value) -> Self {
        let can = |name: &str| match answer.pointer(&format!("/capabilities/{name}")) {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(_) => true,
        };
        let sync = answer.pointer("/capabilities/textDocumentSync");
        let save = sync.and_then(|sync| sync.get("save"));
        Self {
            pulls: can("diagnosticProvider"),
            definition: can("definitionProvider"),
            references: can("referencesProvider"),
            unit: Unit::named(
                answer
                    .pointer("/capabilities/positionEncoding")
                    .and_then(Value::as_str)
                    .unwrap_or_default(),
            ),
            syncs: match sync {
                Some(Value::Number(kind)) => kind.as_u64() != Some(0),
                Some(sync) => sync.get("change").and_then(Value::as_u64) != Some(0),
                None => false,
            },
            saves: match save {
                Some(Value::Bool(saves)) => *saves,
                Some(Value::Object(_)) => true,
                // If `sync` is only a number, the server expects all notifications.
                _ => matches!(sync, Some(Value::Number(_))),
            },
            saves_text: save.and_then(|save| save.get("includeText")) == Some(&Value::Bool(true)),
        }
    }
}

impl Client {
    /// Returns a client, and the queue of messages to write to the server.
    pub(crate) fn new(root: PathBuf, settings: Value) -> (Self, mpsc::Receiver<Vec<u8>>) {
        let (writes, queue) = mpsc::channel(QUEUE);
        let client = Self {
            writes,
            pending: Mutex::default(),
            next: AtomicU64::new(1),
            capabilities: OnceLock::new(),
            documents: AsyncMutex::default(),
            diagnostics: Mutex::default(),
            changes: watch::Sender::new(0),
            is_over: AtomicBool::new(false),
            loads: watch::Sender::new(false),
            problem: Mutex::default(),
            works: Mutex::default(),
            settings,
            root,
        };
        (client, queue)
    }

    pub(crate) fn diagnostics(&self) -> MutexGuard<'_, Diagnostics> {
        self.diagnostics.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn pulls(&self) -> bool {
        self.capabilities.get().is_some_and(|capabilities| capabilities.pulls)
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.pending().clear();
        self.loads.send_replace(false);
        self.changes.send_modify(|count| *count += 1);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    pub(crate) fn unit(&self) -> Unit {
        self.capabilities
            .get()
            .map(|capabilities| capabilities.unit)
            .unwrap_or_default()
    }

    pub(crate) fn is_loading(&self) -> bool {
        *self.loads.borrow()
    }

    pub(crate) fn problem(&self) -> Option<String> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn works(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.works.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folders(&self) -> Value {
        let name = self.root.file_name().unwrap_or_default().to_string_lossy();
        json!([{"uri": uri::of_path(&self.root), "name": name}])
    }

    // --- requests ---

    pub(crate) async fn initialize(&self, until: Instant) -> Result<(), Fault> {
        let options = match &self.settings {
            Value::Object(settings) if settings.is_empty() => Value::Null,
            settings => settings.clone(),
        };
        let params = json!({
            // The server runs in another PID namespace, where Benchdog's process id would belong to another process.
            "processId": null,
            "clientInfo": {"name": "benchdog", "version": env!("CARGO_PKG_VERSION")},
            "rootUri": uri::of_path(&self.root),
            "workspaceFolders": self.folders(),
            "initializationOptions": options,
            "capabilities": {
                "general": {"positionEncodings": ["utf-8", "utf-16"]},
                "window": {"workDoneProgress": true},
                "workspace": {"configuration": true, "workspaceFolders": true},
                "textDocument": {
                    "synchronization": {"didSave": true},
                    "publishDiagnostics": {"versionSupport": true},
                    "diagnostic": {"dynamicRegistration": false},
                    "definition": {"linkSupport": true},
                    "references": {},
                },
                "experimental": {"serverStatusNotification": true},
            },
        });
        let answer = self.request("initialize", &params, until).await?;
        let answer: Value = serde_json::from_str(answer.get()).unwrap_or_default();
        let _ = self.capabilities.set(Capabilities::of(&answer));
        self.notify("initialized", &json!({}), until).await?;
        if self.settings.as_object().is_some_and(|settings| !settings.is_empty()) {
            let settings = json!({"settings": self.settings});
            self.notify("workspace/didChangeConfiguration", &settings, until)
                .await?;
        }
        Ok(())
    }

    pub(crate) async fn request(&self, method: &str, params: &Value, until: Instant) -> Result<Box<RawValue>, Fault> {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let (sender, receiver) = oneshot::channel();
        {
            let mut pending = self.pending();
            if self.is_over() {
                return Err(Fault::Gone);
            }
            if pending.len() >= MOST_PENDING {
                return Err(Fault::Late);
            }
            pending.insert(id, sender);
        }
        let waiting = Waiting { client: self, id };
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.send(&message, until).await?;
        let answered = before_deadline(until, receiver).await;
        drop(waiting);
        match answered {
            None => Err(Fault::Late),
            Some(Err(_)) => Err(Fault::Gone),
            Some(Ok(Ok(result))) => Ok(result),
            Some(Ok(Err(refused))) if REPEATABLE.contains(&refused.code) => Err(Fault::Late),
            Some(Ok(Err(refused))) => Err(Fault::Refused(short_line(&refused.message, 200))),
        }
    }

    /// Sends a request once the server has loaded the project. Repeats a request that the server cancels.
    pub(crate) async fn loaded_request(
        &self,
        method: &str,
        params: &Value,
        until: Instant,
    ) -> Result<Box<RawValue>, Fault> {
        let mut loads = self.loads.subscribe();
        loop {
            if before_deadline(until, loads.wait_for(|loads| !loads)).await.is_none() {
                return Err(Fault::Late);
            }
            match self.request(method, params, until).await {
                Err(Fault::Late) if Instant::now() + RETRY_DELAY < until => tokio::time::sleep(RETRY_DELAY).await,
                answered => return answered,
            }
        }
    }

    async fn notify(&self, method: &str, params: &Value, until: Instant) -> Result<(), Fault> {
        let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        self.send(&message, until).await
    }

    /// Queues the whole message, so that a dropped caller never leaves an incomplete one.
    async fn send(&self, message: &Value, until: Instant) -> Result<(), Fault> {
        let bytes = frame(message.to_string().as_bytes());
        match before_deadline(until, self.writes.send(bytes)).await {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) => Err(Fault::Gone),
            None => Err(Fault::Late),
        }
    }

    fn pending(&self) -> MutexGuard<'_, BTreeMap<u64, oneshot::Sender<Response>>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // --- files ---

    /// Sends the text of a file. Returns its new version, or `None` if nothing was sent.
    pub(crate) async fn sync(
        &self,
        documents: &mut Documents,
        path: &Path,
        text: &Arc<str>,
        until: Instant,
    ) -> Result<Option<i32>, Fault> {
        if text.len() > MOST_TEXT || !self.capabilities.get().is_some_and(|capabilities| capabilities.syncs) {
            return Ok(None);
        }
        let address = uri::of_path(path);
        let on_disk = stamp_of(path, until).await?;
        let (method, version, params) = match documents.step(path, text, on_disk) {
            Step::Same => return Ok(None),
            Step::Open(version) => {
                let document =
                    json!({"uri": address, "languageId": language(path), "version": version, "text": &**text});
                ("textDocument/didOpen", version, json!({"textDocument": document}))
            }
            Step::Change(version) => {
                let document = json!({"uri": address, "version": version});
                let params = json!({"textDocument": document, "contentChanges": [{"text": &**text}]});
                ("textDocument/didChange", version, params)
            }
        };
        // The server may send diagnostics immediately, so record the version first.
        self.diagnostics().record_sent(path, version);
        self.notify(method, &params, until).await?;
        if let Some(oldest) = documents.record_sent(path, text, version, on_disk) {
            self.notify_closed(&oldest, until).await?;
        }
        Ok(Some(version))
    }

    pub(crate) async fn close(&self, documents: &mut Documents, path: &Path, until: Instant) -> Result<(), Fault> {
        if documents.close(path) {
            self.notify_closed(path, until).await?;
        }
        Ok(())
    }

    async fn notify_closed(&self, path: &Path, until: Instant) -> Result<(), Fault> {
        self.diagnostics().record_closed(path);
        let params = json!({"textDocument": {"uri": uri::of_path(path)}});
        self.notify("textDocument/didClose", &params, until).await
    }

    pub(crate) async fn notify_saved(&self, path: &Path, text: &str, until: Instant) -> Result<(), Fault> {
        let Some(capabilities) = self.capabilities.get().filter(|capabilities| capabilities.saves) else {
            return Ok(());
        };
        let document = json!({"uri": uri::of_path(path)});
        let params = match capabilities.saves_text {
            true => json!({"textDocument": document, "text": text}),
            false => json!({"textDocument": document}),
        };
        self.notify("textDocument/didSave", &params, until).await
    }

    /// Reports changed files. The number of each file is the kind of change: created (1), changed (2) or deleted (3).
    pub(crate) async fn notify_changed_files(&self, files: &[(PathBuf, u8)], until: Instant) -> Result<(), Fault> {
        let change = |(path, kind): &(PathBuf, u8)| json!({"uri": uri::of_path(path), "type": kind});
        let changes: Vec<Value> = files.iter().map(change).collect();
        let params = json!({"changes": changes});
        self.notify("workspace/didChangeWatchedFiles", &params, until).await
    }

    /// Sends the open files that changed on disk, except those in `but`.
    pub(crate) async fn refresh(
        &self,
        documents: &mut Documents,
        read: &Reader,
        but: &[PathBuf],
        until: Instant,
    ) -> Result<(), Fault> {
        for path in changed_files(documents.stamps(), until).await? {
            if but.contains(&path) {
                continue;
            }
            match read_text(read, &path, until).await {
                Some(text) => drop(self.sync(documents, &path, &text, until).await?),
                None => self.close(documents, &path, until).await?,
            }
        }
        Ok(())
    }

    /// Waits for the diagnostics of the last sent text. Requests them if the server does not push them.
    pub(crate) async fn wait_for_diagnostics(&self, path: &Path, until: Instant) -> WaitOutcome {
        if self.pulls() {
            return if self.pull(path, until).await {
                WaitOutcome::Answered
            } else {
                WaitOutcome::Unanswered
            };
        }
        let mut changes = self.changes.subscribe();
        while !self.is_over() {
            let (answer, patience) = {
                let known = self.diagnostics();
                let answer = known.file(path).map_or(Answer::No, |file| file.answer(false));
                let answer = match answer {
                    Answer::Settles(at) if !self.works().is_empty() => Answer::Settles(at + WORK_WAIT),
                    answer => answer,
                };
                (answer, known.patience(path))
            };
            let next = match answer {
                Answer::Yes => return WaitOutcome::Answered,
                Answer::Settles(at) if at <= Instant::now() => return WaitOutcome::Answered,
                Answer::Settles(at) => at.min(until),
                Answer::No => patience.map_or(until, |patience| patience.min(until)),
            };
            match before_deadline(next, changes.changed()).await {
                Some(Ok(())) => {}
                Some(Err(_)) => return WaitOutcome::Unanswered,
                None if matches!(answer, Answer::Settles(_)) => {
                    if next >= until {
                        return WaitOutcome::Answered;
                    }
                }
                None if patience == Some(next) && self.is_alive(until).await => return WaitOutcome::Assumed,
                None => return WaitOutcome::Unanswered,
            }
        }
        WaitOutcome::Unanswered
    }

    /// Whether the server still answers. Sends an unknown method, to which every server responds with an error.
    async fn is_alive(&self, until: Instant) -> bool {
        let until = until.max(Instant::now() + RETRY_DELAY);
        !matches!(
            self.request("benchdog/alive", &json!({}), until).await,
            Err(Fault::Late | Fault::Gone)
        )
    }

    async fn pull(&self, path: &Path, until: Instant) -> bool {
        let params = json!({"textDocument": {"uri": uri::of_path(path)}});
        let mut loads = self.loads.subscribe();
        loop {
            if before_deadline(until, loads.wait_for(|loads| !loads)).await.is_none() {
                return false;
            }
            let Some(version) = self.diagnostics().file(path).and_then(|file| file.version()) else {
                return false;
            };
            match self.request("textDocument/diagnostic", &params, until).await {
                // The answer is incomplete while the server is loading, so the request is repeated.
                Ok(_) if *loads.borrow() => {}
                Ok(answer) => {
                    let Ok(PulledDiagnostics { items }) = serde_json::from_str(answer.get()) else {
                        return false;
                    };
                    self.diagnostics().record_pulled(path, version, items.0);
                    return true;
                }
                Err(Fault::Late) if Instant::now() + RETRY_DELAY < until => tokio::time::sleep(RETRY_DELAY).await,
                Err(_) => return false,
            }
        }
    }

    // --- messages of the server ---

    /// Reads messages until the server closes its output. For output that is not a message, returns an error with the
    /// output.
    pub(crate) async fn listen(&self, from: impl AsyncBufRead + Unpin) -> Result<(), String> {
        let mut frames = Frames::new(from);
        loop {
            match frames.next().await {
                Ok(None) => return Ok(()),
                Err(BadHeader(line)) => return Err(line),
                Ok(Some(Frame::TooLong(_))) => {}
                Ok(Some(Frame::Message(bytes))) => self.handle_message(&bytes),
            }
        }
    }

    fn handle_message(&self, bytes: &[u8]) {
        let Ok(message) = serde_json::from_slice::<Message<'_>>(bytes) else {
            return;
        };
        match (message.method.as_deref(), message.id) {
            (Some(method), Some(id)) => self.answer_request(method, &id, message.params),
            (Some(method), None) => self.handle_notification(method, message.params),
            (None, Some(id)) => {
                let waiting = id.as_u64().and_then(|id| self.pending().remove(&id));
                let Some(waiting) = waiting else { return };
                let _ = waiting.send(match message.error {
                    Some(refused) => Err(refused),
                    None => Ok(message.result.map_or_else(null, ToOwned::to_owned)),
                });
            }
            (None, None) => {}
        }
    }

    fn handle_notification(&self, method: &str, params: Option<&RawValue>) {
        let Some(params) = params else { return };
        match method {
            "textDocument/publishDiagnostics" => {
                let Ok(published) = serde_json::from_str::<PublishedDiagnostics<'_>>(params.get()) else {
                    return;
                };
                let Some(path) = uri::to_path(&published.uri) else {
                    return;
                };
                self.diagnostics()
                    .record_pushed(&path, published.version, published.diagnostics.0);
                self.changes.send_modify(|count| *count += 1);
            }
            "experimental/serverStatus" => {
                let status: Value = serde_json::from_str(params.get()).unwrap_or_default();
                let loads = status.get("quiescent") == Some(&Value::Bool(false));
                *self.problem.lock().unwrap_or_else(PoisonError::into_inner) = reported_problem(&status);
                self.loads.send_replace(loads);
            }
            "$/progress" => {
                let progress: Value = serde_json::from_str(params.get()).unwrap_or_default();
                if progress.pointer("/value/kind").and_then(Value::as_str) == Some("end") {
                    self.works().remove(&token_of(&progress));
                    self.changes.send_modify(|count| *count += 1);
                }
            }
            _ => {}
        }
    }

    /// Answers a request of the server. If the server does not read, the answer is dropped.
    fn answer_request(&self, method: &str, id: &Value, params: Option<&RawValue>) {
        if method == "window/workDoneProgress/create" {
            let params: Value = params
                .and_then(|params| serde_json::from_str(params.get()).ok())
                .unwrap_or_default();
            let mut works = self.works();
            if works.len() < MOST_WORKS {
                works.insert(token_of(&params));
            }
        }
        let result = match method {
            "workspace/configuration" => Some(self.configuration(params)),
            "client/registerCapability"
            | "client/unregisterCapability"
            | "window/workDoneProgress/create"
            | "window/showMessageRequest"
            | "workspace/diagnostic/refresh" => Some(Value::Null),
            "workspace/workspaceFolders" => Some(self.folders()),
            // Servers may not change files.
            "workspace/applyEdit" => Some(json!({"applied": false})),
            _ => None,
        };
        let message = match result {
            Some(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            None => json!({"jsonrpc": "2.0", "id": id, "error": {"code": NO_METHOD, "message": method}}),
        };
        let _ = self.writes.try_send(frame(message.to_string().as_bytes()));
    }

    /// Returns the settings of each requested section. For an unknown section, returns all settings. Returns `null` if
    /// no settings are configured.
    fn configuration(&self, params: Option<&RawValue>) -> Value {
        const MOST_SECTIONS: usize = 100;
        let params: Value = params
            .and_then(|params| serde_json::from_str(params.get()).ok())
            .unwrap_or_default();
        let items = params.get("items").and_then(Value::as_array).into_iter().flatten();
        let section = |item: &Value| {
            let parts = item
                .get("section")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .split('.');
            let named = parts
                .filter(|part| !part.is_empty())
                .try_fold(&self.settings, |at, part| at.get(part));
            let is_empty = self.settings.as_object().is_none_or(serde_json::Map::is_empty);
            if is_empty {
                Value::Null
            } else {
                named.unwrap_or(&self.settings).clone()
            }
        };
        Value::Array(items.take(MOST_SECTIONS).map(section).collect())
    }
}

/// A request without an answer yet. Dropping this value cancels the request.
struct Waiting<'c> {
    client: &'c Client,
    id: u64,
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        if self.client.pending().remove(&self.id).is_some() {
            let message = json!({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": self.id}});
            let _ = self.client.writes.try_send(frame(message.to_string().as_bytes()));
        }
    }
}

/// Returns the token of a progress report, which is a text or a number.
fn token_of(params: &Value) -> String {
    let token = params.get("token").map(Value::to_string).unwrap_or_default();
    short_line(&token, 100)
}

/// Returns the problem in a status of rust-analyzer.
fn reported_problem(status: &Value) -> Option<String> {
    let text = |key: &str| status.get(key).and_then(Value::as_str).unwrap_or_default();
    let words = short_line(text("message"), MOST_PROBLEM);
    (["warning", "error"].contains(&text("health")) && !words.is_empty()).then_some(words)
}

fn null() -> Box<RawValue> {
    RawValue::NULL.to_owned()
}

pub(crate) async fn read_text(read: &Reader, path: &Path, until: Instant) -> Option<Arc<str>> {
    let (read, path) = (Arc::clone(read), path.to_path_buf());
    let reading = tokio::task::spawn_blocking(move || read(&path));
    before_deadline(until, reading)
        .await?
        .ok()?
        .filter(|text| text.len() <= MOST_TEXT)
}

async fn stamp_of(path: &Path, until: Instant) -> Result<Option<Stamp>, Fault> {
    let path = path.to_path_buf();
    let looking = tokio::task::spawn_blocking(move || stamp(&path));
    let found = before_deadline(until, looking).await.ok_or(Fault::Late)?;
    Ok(found.ok().flatten())
}

async fn changed_files(open: Vec<(PathBuf, Option<Stamp>)>, until: Instant) -> Result<Vec<PathBuf>, Fault> {
    if open.is_empty() {
        return Ok(Vec::new());
    }
    let looking = tokio::task::spawn_blocking(move || {
        let changed = open.into_iter().filter(|(path, sent)| stamp(path) != *sent);
        changed.map(|(path, _)| path).collect()
    });
    before_deadline(until, looking)
        .await
        .and_then(Result::ok)
        .ok_or(Fault::Late)
}
