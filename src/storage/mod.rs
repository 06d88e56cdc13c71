//! Storage of sessions and related data. The only module that uses redb.
//!
//! One thread owns the session files, another the index, so that entries never wait for the index, which other processes also use. `append`
//! returns when an entry is durable. Nothing is read at startup.

mod arriving;
mod asked;
mod beside;
pub(crate) mod check;
mod claim;
mod database;
mod decoding;
mod error;
mod folder;
mod held;
mod index;
mod index_file;
mod lease;
mod outline;
mod printed;
mod rebuild;
mod rows;
mod salvage;
mod session_file;
mod unsent;
mod writer;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

pub(crate) use arriving::{Arriving, MOST as MOST_ARRIVING, Partial};
pub(crate) use claim::DraftOf;
pub(crate) use error::{Similar, StorageError};
pub(crate) use index_file::{Draft, TrustAnswer};
pub(crate) use printed::{MOST as MOST_PRINTED, Printed};
pub(crate) use unsent::Unsent;

use crate::base::clock::Time;
use crate::base::id::{BlobId, EntryId, SessionId};
use crate::domain::entry::Entry;
use crate::domain::history::History;
use crate::domain::notice::Notice;
use crate::domain::permission::Scope;
use crate::domain::session::{LeaseHolder, SessionMeta};
use asked::Asked;
use claim::Claims;
use folder::Folder;
use index::{Index, Notices};
use index_file::Change;
use writer::{Reply, Writer};

/// Capacity of the request queue. Callers await each answer, so few are pending.
const WAITING: usize = 256;

#[derive(Debug)]
pub(crate) enum Opening {
    Open {
        meta: SessionMeta,
        history: Box<History>,
    },
    /// The session can only be shown: it contains entries of a later version, or is not writable.
    ReadOnly {
        meta: SessionMeta,
        history: Box<History>,
        why: StorageError,
    },
    /// Another process has the session open. It can be read.
    Held(LeaseHolder),
}

/// A handle. Clones share the threads.
#[derive(Debug, Clone)]
pub(crate) struct Storage(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: Folder,
    writer: Option<SyncSender<writer::Request>>,
    index: Option<SyncSender<index::Request>>,
    threads: Vec<JoinHandle<()>>,
    notices: Notices,
    claims: Claims,
}

impl Drop for Inner {
    /// Waits until all changes are written, at most until the busy timeout.
    fn drop(&mut self) {
        self.writer = None;
        self.index = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Storage {
    /// Creates folders and starts the threads. Opens no file.
    pub(crate) fn start(data: &Path) -> Result<Self, StorageError> {
        let folder = Folder::prepare(data)?;
        let notices = Notices::default();
        let (writer, writer_requests) = sync_channel(WAITING);
        let (index, index_requests) = sync_channel(WAITING);
        let mut inner = Inner {
            folder: folder.clone(),
            writer: Some(writer),
            index: Some(index.clone()),
            threads: Vec::new(),
            notices: notices.clone(),
            claims: Claims::default(),
        };
        let owner = Writer::new(folder.clone(), index);
        inner.spawn(data, "storage", move || owner.run(&writer_requests))?;
        let owner = Index::new(folder, notices);
        inner.spawn(data, "storage-index", move || owner.run(&index_requests))?;
        Ok(Self(Arc::new(inner)))
    }

    // --- one session ---

    /// Takes the lease of a new session. Its file is created with the first entry.
    pub(crate) async fn create(&self, meta: SessionMeta, holder: LeaseHolder) -> Result<(), StorageError> {
        self.ask(|reply| writer::Request::Create { meta, holder, reply }).await
    }

    pub(crate) async fn open(&self, id: &SessionId, holder: LeaseHolder) -> Result<Opening, StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Open { id, holder, reply }).await
    }

    /// Appends entries and their blobs in one commit. Durable on return.
    pub(crate) async fn append(
        &self,
        id: &SessionId,
        entries: Vec<Arc<Entry>>,
        blobs: Vec<(BlobId, Arc<[u8]>)>,
    ) -> Result<(), StorageError> {
        let id = id.clone();
        let asked = Asked::to_commit(&id, entries.len(), &blobs);
        self.ask(|reply| writer::Request::Append {
            id,
            entries,
            blobs,
            asked,
            reply,
        })
        .await
    }

    pub(crate) fn partial(&self, arriving: Arriving) -> Partial {
        Partial::new(&self.0.folder, arriving)
    }

    /// Returns the incomplete answer of a session that was open in a crash, as the next entry.
    pub(crate) async fn arrived(&self, id: &SessionId, history: &History) -> Option<Arc<Entry>> {
        let (folder, of) = (self.0.folder.clone(), id.clone());
        let left = tokio::task::spawn_blocking(move || arriving::read(&folder, &of));
        let found = left.await.ok()??.into_entry(history);
        if found.is_none() {
            arriving::forget(&self.0.folder, id);
        }
        found
    }

    /// Stores the output of running calls, replacing the previous one. Runs on a separate thread.
    pub(crate) async fn keep_printed(&self, session: SessionId, calls: Vec<Printed>) {
        let folder = self.0.folder.clone();
        let kept = tokio::task::spawn_blocking(move || printed::keep(&folder, &session, calls)).await;
        if let Ok(Err(error)) = kept {
            tracing::warn!(%error, "what a command prints cannot be kept");
        }
    }

    /// Returns the stored output of calls that were running in a crash.
    pub(crate) async fn printed(&self, session: &SessionId) -> Vec<Printed> {
        let (folder, session) = (self.0.folder.clone(), session.clone());
        if !folder.printed(&session).exists() {
            return Vec::new();
        }
        let found = tokio::task::spawn_blocking(move || printed::read(&folder, &session)).await;
        found.unwrap_or_default()
    }

    /// Stores unsent prompts, replacing the previous ones. Runs on a separate thread.
    pub(crate) async fn keep_unsent(&self, unsent: Unsent) {
        let folder = self.0.folder.clone();
        let kept = tokio::task::spawn_blocking(move || unsent::keep(&folder, &unsent)).await;
        if let Ok(Err(error)) = kept {
            tracing::warn!(%error, "prompts that wait cannot be kept");
        }
    }

    /// Returns prompts that were sent but never logged.
    pub(crate) async fn unsent(&self, id: &SessionId, history: &History) -> Vec<String> {
        let (folder, id) = (self.0.folder.clone(), id.clone());
        if !folder.unsent(&id).exists() {
            return Vec::new();
        }
        let found = unsent::read(&folder, &id, history);
        if found.is_empty() {
            unsent::forget(&folder, &id);
        }
        found
    }

    pub(crate) async fn blob(&self, id: &SessionId, blob: &BlobId) -> Result<Option<Vec<u8>>, StorageError> {
        let (id, blob) = (id.clone(), blob.clone());
        self.ask(|reply| writer::Request::Blob { id, blob, reply }).await
    }

    pub(crate) async fn release(&self, id: &SessionId) {
        let id = id.clone();
        let _ = self.ask(|reply| writer::Request::Release { id, reply }).await;
    }

    /// Updates title, model and agent. Written with the next entry, or when the file is closed.
    pub(crate) async fn describe(&self, meta: SessionMeta) -> Result<(), StorageError> {
        self.ask(|reply| writer::Request::Describe { meta, reply }).await
    }

    /// Reads a whole session without a lease.
    pub(crate) async fn read_session(&self, id: &SessionId) -> Result<(SessionMeta, Vec<Arc<Entry>>), StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Read { id, reply }).await
    }

    pub(crate) async fn read_earlier(&self, id: &SessionId, upto: EntryId) -> Result<Vec<Arc<Entry>>, StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::ReadEarlier { id, upto, reply }).await
    }

    /// Creates session `meta.id` with the entries of `id` that were live at `upto`. It is not opened.
    pub(crate) async fn fork(
        &self,
        id: &SessionId,
        upto: Option<EntryId>,
        meta: SessionMeta,
    ) -> Result<(), StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Copy { id, upto, meta, reply }).await
    }

    /// Deletes a session. Fails if another process has it open.
    pub(crate) async fn delete(&self, id: &SessionId) -> Result<(), StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Delete { id, reply }).await
    }

    // --- all sessions ---

    /// Lists sessions without subagents, newest first.
    pub(crate) async fn list(&self) -> Result<Vec<SessionMeta>, StorageError> {
        let mut all = self.list_all().await?;
        all.retain(|meta| meta.parent.is_none());
        Ok(all)
    }

    pub(crate) async fn list_all(&self) -> Result<Vec<SessionMeta>, StorageError> {
        self.ask_index(|reply| index::Request::List { reply }).await
    }

    pub(crate) async fn newest_in(&self, workspace: &str) -> Result<Option<SessionMeta>, StorageError> {
        let all = self.list().await?;
        Ok(all.into_iter().find(|meta| meta.workspace == workspace))
    }

    /// Finds a session by id, or by a prefix or suffix of it, newest first.
    async fn find(&self, partial: &str) -> Result<Vec<SessionMeta>, StorageError> {
        let partial = partial.to_ascii_lowercase();
        let mut all = self.list_all().await?;
        if let Some(exact) = all.iter().position(|meta| meta.id.0 == partial) {
            return Ok(vec![all.swap_remove(exact)]);
        }
        all.retain(|meta| !partial.is_empty() && (meta.id.0.starts_with(&partial) || meta.id.0.ends_with(&partial)));
        Ok(all)
    }

    /// Finds the only session matching an id, prefix or suffix.
    pub(crate) async fn find_one(&self, partial: &str) -> Result<SessionId, StorageError> {
        let found = self.find(partial).await?;
        match <[SessionMeta; 1]>::try_from(found) {
            Ok([meta]) => Ok(meta.id),
            Err(none) if none.is_empty() => Err(StorageError::NotFound(SessionId(partial.to_owned()))),
            Err(several) => Err(StorageError::Several {
                partial: partial.to_owned(),
                found: several.into_iter().map(Similar::from).collect(),
            }),
        }
    }

    // --- prompts and drafts ---

    /// Adds to the history. Durable on return. If the index is busy, it returns an error and writes later.
    pub(crate) async fn remember_prompt(&self, text: &str) -> Result<(), StorageError> {
        self.change(Change::Prompt(text.to_owned())).await
    }

    pub(crate) async fn history(&self, limit: usize) -> Result<Vec<String>, StorageError> {
        self.ask_index(|reply| index::Request::History { limit, reply }).await
    }

    pub(crate) async fn save_draft(&self, workspace: &str, text: &str) -> Result<(), StorageError> {
        self.change(Change::Draft {
            workspace: workspace.to_owned(),
            text: text.to_owned(),
            at: Time::now(),
        })
        .await
    }

    pub(crate) async fn draft(&self, workspace: &str) -> Result<Draft, StorageError> {
        let workspace = workspace.to_owned();
        self.ask_index(|reply| index::Request::Draft { workspace, reply }).await
    }

    /// Claims the draft of a folder for this process, if no other has it.
    pub(crate) fn claim_draft(&self, workspace: &str) -> DraftOf {
        self.0.claims.claim(&self.0.folder, workspace)
    }

    pub(crate) async fn drafts_of(&self, beginning: &str) -> Result<Vec<(String, String)>, StorageError> {
        let beginning = beginning.to_owned();
        self.ask_index(|reply| index::Request::DraftsOf { beginning, reply })
            .await
    }

    // --- display preferences ---

    pub(crate) async fn keep_view(&self, name: &'static str, value: &'static str) -> Result<(), StorageError> {
        self.change(Change::View { name, value }).await
    }

    pub(crate) async fn view(&self, name: &'static str) -> Result<String, StorageError> {
        self.ask_index(|reply| index::Request::View { name, reply }).await
    }

    // --- trust ---

    pub(crate) async fn trust(&self, workspace: &str) -> Result<Option<TrustAnswer>, StorageError> {
        let workspace = workspace.to_owned();
        self.ask_index(|reply| index::Request::Trust { workspace, reply }).await
    }

    pub(crate) async fn set_trust(&self, workspace: &str, answer: TrustAnswer) -> Result<(), StorageError> {
        self.change(Change::Trust {
            workspace: workspace.to_owned(),
            answer,
        })
        .await
    }

    // --- "Always allow" rules ---

    pub(crate) async fn grants(&self, workspace: &str) -> Result<Vec<Scope>, StorageError> {
        let workspace = workspace.to_owned();
        self.ask_index(|reply| index::Request::Grants { workspace, reply })
            .await
    }

    pub(crate) async fn grant(&self, workspace: &str, scope: Scope) -> Result<(), StorageError> {
        let workspace = workspace.to_owned();
        self.change(Change::Grant { workspace, scope }).await
    }

    pub(crate) async fn revoke(&self, workspace: &str, scope: Scope) -> Result<(), StorageError> {
        let workspace = workspace.to_owned();
        self.change(Change::Revoke { workspace, scope }).await
    }

    // --- notices ---

    pub(crate) fn take_notices(&self) -> Vec<Notice> {
        std::mem::take(&mut *self.0.notices.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn change(&self, change: Change) -> Result<(), StorageError> {
        self.ask_index(|reply| index::Request::Change {
            change,
            reply: Some(reply),
            released: false,
        })
        .await
    }

    async fn ask<T>(&self, request: impl FnOnce(Reply<T>) -> writer::Request) -> Result<T, StorageError> {
        Self::answer(self.0.writer.as_ref(), request).await
    }

    async fn ask_index<T>(&self, request: impl FnOnce(Reply<T>) -> index::Request) -> Result<T, StorageError> {
        Self::answer(self.0.index.as_ref(), request).await
    }

    async fn answer<T, R>(
        thread: Option<&SyncSender<R>>,
        request: impl FnOnce(Reply<T>) -> R,
    ) -> Result<T, StorageError> {
        let (reply, answer) = oneshot::channel();
        let thread = thread.ok_or(StorageError::Stopped)?;
        thread.send(request(reply)).map_err(|_| StorageError::Stopped)?;
        answer.await.map_err(|_| StorageError::Stopped)?
    }
}

impl Inner {
    fn spawn(&mut self, data: &Path, name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), StorageError> {
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(work)
            .map_err(|error| StorageError::io("start the thread for", data, error))?;
        self.threads.push(thread);
        Ok(())
    }
}
