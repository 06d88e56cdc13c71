//! Reads and writes files through the client (`fs/read_text_file`, `fs/write_text_file`), so that unsaved text is
//! included.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use agent_client_protocol_schema::v1::{
    Error, ReadTextFileRequest, ReadTextFileResponse, WriteTextFileRequest, WriteTextFileResponse,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::outbox::Outbox;
use benchdog_base::id::SessionId;

pub const READ_PATIENCE: Duration = Duration::from_secs(5);
/// Maximum wait for a write, during which the client may also format the file.
pub const WRITE_PATIENCE: Duration = Duration::from_secs(10);

/// Maximum length of the client's error message, in characters.
const LONGEST_REASON: usize = 300;

#[derive(Clone)]
pub struct Buffers(Arc<Inner>);

struct Inner {
    outbox: Outbox,
    session: OnceLock<SessionId>,
    can_write: bool,
    /// The folder of the session with links resolved. `named` is the same folder as the client wrote it.
    root: PathBuf,
    named: PathBuf,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoAnswer {
    /// The answer is late, or the connection is closed.
    Silent,
    Refused(String),
    Unusable(String),
}

impl Buffers {
    pub(crate) fn new(outbox: Outbox, named: &Path, can_write: bool) -> Self {
        let root = std::fs::canonicalize(named).unwrap_or_else(|_| named.to_owned());
        Self(Arc::new(Inner {
            outbox,
            session: OnceLock::new(),
            can_write,
            root,
            named: named.to_owned(),
        }))
    }

    /// Sets the session. Before this call, no file is requested from the client.
    pub(crate) fn begin(&self, session: &SessionId) {
        let _ = self.0.session.set(session.clone());
    }

    pub fn can_write(&self) -> bool {
        self.0.can_write
    }

    pub async fn read(&self, path: &Path) -> Result<String, NoAnswer> {
        let session = self.0.session.get().ok_or(NoAnswer::Silent)?;
        let request = ReadTextFileRequest::new(session.0.clone(), self.named(path));
        let answer: Result<ReadTextFileResponse, NoAnswer> =
            self.ask("fs/read_text_file", request, READ_PATIENCE).await;
        answer.map(|answer| answer.content)
    }

    pub async fn write(&self, path: &Path, text: String) -> Result<(), NoAnswer> {
        let session = self.0.session.get().ok_or(NoAnswer::Silent)?;
        let request = WriteTextFileRequest::new(session.0.clone(), self.named(path), text);
        let answer: Result<WriteTextFileResponse, NoAnswer> =
            self.ask("fs/write_text_file", request, WRITE_PATIENCE).await;
        answer.map(|_| ())
    }

    async fn ask<T: DeserializeOwned>(
        &self,
        method: &str,
        request: impl Serialize,
        patience: Duration,
    ) -> Result<T, NoAnswer> {
        let asked = async {
            let sent = self.0.outbox.request(method, request).await.ok_or(NoAnswer::Silent)?;
            match sent.reply().await.ok_or(NoAnswer::Silent)? {
                // Some clients answer a write with `null`.
                Ok(value) if value.is_null() => serde_json::from_value(serde_json::json!({})),
                Ok(value) => serde_json::from_value(value),
                Err(error) => return Err(NoAnswer::Refused(reason(&error))),
            }
            .map_err(|error| NoAnswer::Unusable(error.to_string()))
        };
        tokio::time::timeout(patience, asked)
            .await
            .unwrap_or(Err(NoAnswer::Silent))
    }

    /// Returns the path as the client writes it, or `path` itself if it is outside the folder.
    fn named(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(&self.0.root) {
            Ok(inside) => self.0.named.join(inside),
            Err(_) => path.to_owned(),
        }
    }
}

fn reason(error: &Error) -> String {
    let words: String = error.message.chars().take(LONGEST_REASON).collect();
    match words.trim() {
        "" => error.code.to_string(),
        words => words.to_owned(),
    }
}
