//! Records a server's responses while they arrive. Does not record request headers, because they may contain keys.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::Value;

use super::{Bytes, Header, NoAnswer, Take, VERSION, WORKSPACE, replay_error};
use crate::failure::ProviderError;
use benchdog_domain::agent::Api;

#[derive(Debug)]
pub struct Recorder {
    workspace: String,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    requests: u64,
    broken: Option<String>,
}

/// Recording of one request. When a `Tape` is dropped, it writes the data received so far. An interrupted answer is
/// therefore also recorded.
#[derive(Debug)]
pub(crate) struct Tape {
    recorder: Arc<Recorder>,
    take: Take,
    last: Instant,
}

impl Recorder {
    pub fn create(file: &Path, workspace: &str) -> Result<Arc<Self>, ProviderError> {
        let failed = |error: std::io::Error| {
            replay_error(format!("The recording `{}` cannot be written: {error}", file.display()))
        };
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        // Let only the user read the file, because it contains prompts and file contents.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut opened = options.open(file).map_err(failed)?;
        let header = serde_json::to_string(&Header { recording: VERSION }).unwrap_or_default();
        writeln!(opened, "{header}").map_err(failed)?;
        Ok(Arc::new(Self {
            workspace: workspace.to_owned(),
            state: Mutex::new(State {
                file: opened,
                requests: 0,
                broken: None,
            }),
        }))
    }

    pub fn write_error(&self) -> Option<ProviderError> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state
            .broken
            .clone()
            .map(|error| replay_error(format!("The recording could not be written to its end: {error}")))
    }

    /// Begins the recording of a request. `body` has the format of chat completions for every API.
    pub(crate) fn begin(self: &Arc<Self>, api: Api, body: &[u8]) -> Tape {
        let request = {
            let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
            state.requests += 1;
            state.requests
        };
        let body = self.remove_paths(&String::from_utf8_lossy(body));
        Tape {
            recorder: Arc::clone(self),
            take: Take {
                request,
                api,
                body: serde_json::from_str(&body).unwrap_or(Value::String(body)),
                status: None,
                content_type: None,
                chunks: Vec::new(),
                failure: None,
            },
            last: Instant::now(),
        }
    }

    /// Replaces the workspace path by `{workspace}`, unless the workspace is `/`, which occurs in every path.
    fn remove_paths(&self, text: &str) -> String {
        if self.workspace.len() < 2 {
            return text.to_owned();
        }
        let escaped = serde_json::to_string(&self.workspace).unwrap_or_default();
        let escaped = escaped.trim_matches('"');
        text.replace(escaped, WORKSPACE)
    }

    fn write(&self, take: &Take) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.broken.is_some() {
            return;
        }
        let written = serde_json::to_string(take)
            .map_err(std::io::Error::from)
            .and_then(|line| writeln!(state.file, "{line}"));
        state.broken = written.err().map(|error| error.to_string());
    }
}

impl Tape {
    /// Records an attempt that got no response. The result of a later attempt replaces this record.
    pub(crate) fn record_failure(&mut self, error: &ProviderError) {
        self.take.status = None;
        self.take.chunks.clear();
        self.take.failure = Some(NoAnswer::of(error));
    }

    pub(crate) fn record_response(&mut self, status: u16, content_type: Option<&str>) {
        self.take.failure = None;
        self.take.chunks.clear();
        self.take.status = Some(status);
        self.take.content_type = content_type.map(str::to_owned);
        self.last = Instant::now();
    }

    pub(crate) fn record_bytes(&mut self, bytes: &[u8]) {
        let gap = u64::try_from(self.last.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last = Instant::now();
        let bytes = match Bytes::of(bytes) {
            Bytes::Text(text) => Bytes::Text(self.recorder.remove_paths(&text)),
            hex @ Bytes::Hex { .. } => hex,
        };
        self.take.chunks.push((gap, bytes));
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        self.recorder.write(&self.take);
    }
}
