//! Storage of sessions, the session index and drafts. No other module uses redb.
//!
//! One thread owns the session files, and another thread owns the index. Other processes use the index file too, but
//! log entries never wait for the index.

mod arriving;
mod asked;
pub mod check;
mod claim;
mod database;
mod decoding;
pub mod direct;
mod error;
mod first_prompt;
mod folder;
mod folder_states;
mod held;
mod import;
mod index;
mod index_file;
mod lease;
mod outline;
mod printed;
mod rebuild;
mod rows;
mod salvage;
mod session_file;
mod sidecar;
mod terminal;
pub mod trash;
mod unsent;
mod writer;

#[cfg(test)]
mod tests;

use std::path::Path;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

pub use arriving::{Arriving, MOST as MOST_ARRIVING, Partial};
pub use claim::DraftOf;
pub use error::{Similar, StorageError};
pub use import::Import;
pub use index_file::{Draft, TrustAnswer};
pub use printed::{MOST as MOST_PRINTED, Printed};
pub use unsent::Unsent;

use asked::Asked;
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, EntryId, SessionId};
use benchdog_domain::entry::Entry;
use benchdog_domain::folder::FolderStates;
use benchdog_domain::history::History;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Scope;
use benchdog_domain::session::{LeaseHolder, SessionMeta};
use claim::Claims;
use first_prompt::FirstPrompt;
use folder::Folder;
use index::{Index, Notices};
use index_file::Change;
use printed::AllPrinted;
use sidecar::Sidecar;
use writer::{Reply, Writer};

/// Capacity of the request queue. Callers await each answer, so few requests are ever pending.
const WAITING: usize = 256;

#[derive(Debug)]
pub enum Opening {
    Open {
        meta: SessionMeta,
        history: Box<History>,
    },
    /// The session contains entries of a later format version, or its file is not writable.
    ReadOnly {
        meta: SessionMeta,
        history: Box<History>,
        why: StorageError,
    },
    Held(LeaseHolder),
}

#[derive(Debug, Clone)]
pub struct Storage(Arc<Inner>);

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
    /// Waits until all changes are written. For a busy index, waits at most `LAST_PATIENCE`.
    fn drop(&mut self) {
        self.writer = None;
        self.index = None;
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

impl Storage {
    /// Starts the storage threads. They open files on first use.
    pub fn start(data: &Path) -> Result<Self, StorageError> {
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

    // --- a single session ---

    /// Takes the lease of a new session. The first entry creates the file.
    pub async fn create(&self, meta: SessionMeta, holder: LeaseHolder) -> Result<(), StorageError> {
        self.ask(|reply| writer::Request::Create { meta, holder, reply }).await
    }

    pub async fn open(&self, id: &SessionId, holder: LeaseHolder) -> Result<Opening, StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Open { id, holder, reply }).await
    }

    /// Appends entries and their blobs in one commit. When the function returns, they are safely on disk.
    pub async fn append(
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

    pub fn partial(&self, arriving: Arriving) -> Partial {
        Partial::new(&self.0.folder, arriving)
    }

    /// Returns the answer that was streaming at a crash, as the entry that follows `history`.
    pub async fn arrived(&self, id: &SessionId, history: &History) -> Option<Arc<Entry>> {
        let sidecar = Sidecar::of(&self.0.folder, id);
        let left = tokio::task::spawn_blocking(move || arriving::read(&sidecar));
        let found = left.await.ok()??.into_entry(history);
        if found.is_none() {
            Sidecar::<Arriving>::of(&self.0.folder, id).remove();
        }
        found
    }

    /// Saves the output of running calls, and replaces the earlier output. Runs on a separate thread.
    pub async fn keep_printed(&self, session: SessionId, calls: Vec<Printed>) {
        let folder = self.0.folder.clone();
        let printed = AllPrinted { session, calls };
        let kept = tokio::task::spawn_blocking(move || printed::keep(&folder, &printed)).await;
        if let Ok(Err(error)) = kept {
            tracing::warn!(%error, "what a command prints cannot be kept");
        }
    }

    /// Returns the output of calls that were running at a crash.
    pub async fn printed(&self, session: &SessionId) -> Vec<Printed> {
        let sidecar = Sidecar::<AllPrinted>::of(&self.0.folder, session);
        if !sidecar.exists() {
            return Vec::new();
        }
        let found = tokio::task::spawn_blocking(move || sidecar.read()).await;
        found.ok().flatten().map_or_else(Vec::new, |printed| printed.calls)
    }

    /// Saves the unsent prompts, and replaces the earlier ones. Runs on a separate thread.
    pub async fn keep_unsent(&self, unsent: Unsent) {
        let sidecar = Sidecar::of(&self.0.folder, &unsent.session);
        let kept = tokio::task::spawn_blocking(move || sidecar.write(&unsent)).await;
        if let Ok(Err(error)) = kept {
            tracing::warn!(%error, "prompts that wait cannot be kept");
        }
    }

    pub async fn unsent(&self, id: &SessionId, history: &History) -> Vec<String> {
        let sidecar = Sidecar::of(&self.0.folder, id);
        if !sidecar.exists() {
            return Vec::new();
        }
        let found = unsent::read(&sidecar, history);
        if found.is_empty() {
            sidecar.remove();
        }
        found
    }

    /// Saves the states of the working folder, and replaces the earlier ones. Runs on a separate thread.
    pub async fn keep_folder_states(&self, states: FolderStates) {
        let sidecar = Sidecar::of(&self.0.folder, &states.session);
        let kept = tokio::task::spawn_blocking(move || sidecar.write(&states)).await;
        if let Ok(Err(error)) = kept {
            tracing::warn!(%error, "the states of the folder cannot be kept");
        }
    }

    pub async fn folder_states(&self, id: &SessionId) -> Option<FolderStates> {
        let sidecar = Sidecar::<FolderStates>::of(&self.0.folder, id);
        tokio::task::spawn_blocking(move || sidecar.read()).await.ok()?
    }

    pub async fn blob(&self, id: &SessionId, blob: &BlobId) -> Result<Option<Vec<u8>>, StorageError> {
        let (id, blob) = (id.clone(), blob.clone());
        self.ask(|reply| writer::Request::Blob { id, blob, reply }).await
    }

    /// Returns all blobs of a session, sorted by id.
    pub async fn blobs(&self, id: &SessionId) -> Result<Vec<(BlobId, Arc<[u8]>)>, StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Blobs { id, reply }).await
    }

    pub async fn release(&self, id: &SessionId) {
        let id = id.clone();
        let _ = self.ask(|reply| writer::Request::Release { id, reply }).await;
    }

    /// Updates title, model and agent. They are written with the next entry, or at the latest when the file is closed.
    pub async fn describe(&self, meta: SessionMeta) -> Result<(), StorageError> {
        self.ask(|reply| writer::Request::Describe { meta, reply }).await
    }

    /// Changes the title of a stored session. Fails if the session is open.
    pub async fn retitle(&self, id: &SessionId, title: String, holder: LeaseHolder) -> Result<(), StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Retitle {
            id,
            title,
            holder,
            reply,
        })
        .await
    }

    pub async fn read_session(&self, id: &SessionId) -> Result<(SessionMeta, Vec<Arc<Entry>>), StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Read { id, reply }).await
    }

    pub async fn read_earlier(&self, id: &SessionId, upto: EntryId) -> Result<Vec<Arc<Entry>>, StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::ReadEarlier { id, upto, reply }).await
    }

    /// Copies session `id` to the new session `meta.id` without opening the copy. The copy contains the entries in
    /// effect at `upto`.
    pub async fn fork(&self, id: &SessionId, upto: Option<EntryId>, meta: SessionMeta) -> Result<(), StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Copy { id, upto, meta, reply }).await
    }

    /// Copies a session to a new id, up to an entry or the end. Omits entries that were undone.
    pub async fn fork_of(&self, partial: &str, upto: Option<EntryId>) -> Result<SessionId, StorageError> {
        let id = self.find_one(partial).await?;
        let (source, log) = self.read_session(&id).await?;
        if let Some(upto) = upto.filter(|upto| log.iter().all(|entry| entry.id != *upto)) {
            return Err(StorageError::NoEntry {
                session: id,
                entry: upto,
            });
        }
        let fork = source.fork(Time::now(), upto, &self.list_all().await?);
        let forked = fork.id.clone();
        self.fork(&id, upto, fork).await?;
        Ok(forked)
    }

    /// Deletes a session. Fails if another process has it open.
    pub async fn delete(&self, id: &SessionId) -> Result<(), StorageError> {
        let id = id.clone();
        self.ask(|reply| writer::Request::Delete { id, reply }).await
    }

    /// Moves a session and its subagents into the trash for a day. Fails if another process has the session open.
    pub async fn trash(&self, id: &SessionId) -> Result<(), StorageError> {
        let all = self.list_all().await?;
        let is_child = |meta: &&SessionMeta| meta.parent.as_ref().is_some_and(|parent| parent.session == *id);
        let children = all.iter().filter(is_child).map(|meta| &meta.id);
        for id in [id].into_iter().chain(children) {
            let id = id.clone();
            self.ask(|reply| writer::Request::Trash { id, reply }).await?;
        }
        Ok(())
    }

    // --- all sessions ---

    pub async fn list(&self) -> Result<Vec<SessionMeta>, StorageError> {
        let mut all = self.list_all().await?;
        all.retain(|meta| meta.parent.is_none());
        Ok(all)
    }

    pub async fn list_all(&self) -> Result<Vec<SessionMeta>, StorageError> {
        self.ask_index(|reply| index::Request::List { reply }).await
    }

    /// Returns the sessions that are open in this process or in another one.
    pub async fn in_use(&self) -> Result<Vec<SessionId>, StorageError> {
        self.ask_index(|reply| index::Request::InUse { reply }).await
    }

    /// Returns this folder's session that was last used in this terminal, or else the newest session of the folder.
    pub async fn newest_in(
        &self,
        workspace: &str,
        terminal: Option<&str>,
    ) -> Result<Option<SessionMeta>, StorageError> {
        let mut all = self.list().await?;
        all.retain(|meta| meta.workspace == workspace);
        let last = match terminal {
            Some(terminal) => self.last_in_terminal(terminal).await,
            None => None,
        };
        let at = last
            .and_then(|last| all.iter().position(|meta| meta.id == last))
            .unwrap_or(0);
        Ok((at < all.len()).then(|| all.swap_remove(at)))
    }

    /// Returns the session that was last written in this folder, without reading the list of all sessions.
    pub async fn latest_in(&self, workspace: &str) -> Result<Option<SessionMeta>, StorageError> {
        let workspace = workspace.to_owned();
        self.ask_index(|reply| index::Request::Latest { workspace, reply })
            .await
    }

    /// Returns the session with the id `partial`. If there is none, returns the sessions whose ids begin or end with
    /// `partial`, newest first.
    async fn find(&self, partial: &str) -> Result<Vec<SessionMeta>, StorageError> {
        let partial = partial.to_ascii_lowercase();
        let mut all = self.list_all().await?;
        if let Some(exact) = all.iter().position(|meta| meta.id.0 == partial) {
            return Ok(vec![all.swap_remove(exact)]);
        }
        all.retain(|meta| meta.id.is_meant_by(&partial));
        Ok(all)
    }

    pub async fn find_one(&self, partial: &str) -> Result<SessionId, StorageError> {
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

    /// Adds a prompt to the history. On success, the prompt is safely on disk. If the index is busy, returns an error
    /// but writes the prompt later.
    pub async fn remember_prompt(&self, text: &str) -> Result<(), StorageError> {
        self.change(Change::Prompt(text.to_owned())).await
    }

    pub async fn history(&self, limit: usize) -> Result<Vec<String>, StorageError> {
        self.ask_index(|reply| index::Request::History { limit, reply }).await
    }

    pub async fn save_draft(&self, workspace: &str, text: &str) -> Result<(), StorageError> {
        self.change(Change::Draft {
            workspace: workspace.to_owned(),
            text: text.to_owned(),
            at: Time::now(),
        })
        .await
    }

    /// Returns the draft. Includes a prompt that was sent to a session without a log.
    pub async fn draft(&self, name: &str) -> Result<Draft, StorageError> {
        let workspace = name.to_owned();
        let mut draft = self
            .ask_index(|reply| index::Request::Draft { workspace, reply })
            .await?;
        if let Some(sent) = first_prompt::sidecar(&self.0.folder, name).read() {
            draft.text = sent.with(&draft.text);
            let (storage, name, text) = (self.clone(), name.to_owned(), draft.text.clone());
            tokio::spawn(async move {
                if storage.save_draft(&name, &text).await.is_ok() {
                    storage.forget_first_prompt(&name);
                }
            });
        }
        Ok(draft)
    }

    pub fn claim_draft(&self, workspace: &str) -> DraftOf {
        self.0.claims.claim(&self.0.folder, workspace)
    }

    pub async fn drafts_of(&self, beginning: &str) -> Result<Vec<(String, String)>, StorageError> {
        let first = first_prompt::all(&self.0.folder, beginning);
        let beginning = beginning.to_owned();
        let mut drafts = self
            .ask_index(|reply| index::Request::DraftsOf { beginning, reply })
            .await?;
        for sent in first {
            let name = sent.draft.0.clone();
            match drafts.iter_mut().find(|(other, _)| *other == name) {
                Some((_, draft)) => *draft = sent.with(draft),
                None => drafts.push((name, sent.text)),
            }
        }
        Ok(drafts)
    }

    /// Saves a prompt that is being sent to a session without a log. Runs on a separate thread and does not wait for
    /// the index. An empty text removes the file.
    pub async fn keep_first_prompt(&self, draft: &str, text: String) {
        let sidecar = first_prompt::sidecar(&self.0.folder, draft);
        let draft = SessionId(draft.to_owned());
        let kept = tokio::task::spawn_blocking(move || sidecar.write(&FirstPrompt { draft, text })).await;
        if let Ok(Err(error)) = kept {
            tracing::warn!(%error, "a first prompt cannot be saved");
        }
    }

    /// Returns the saved first prompt. Runs on a separate thread and does not wait for the index.
    pub async fn first_prompt(&self, draft: &str) -> Option<String> {
        let sidecar = first_prompt::sidecar(&self.0.folder, draft);
        let read = tokio::task::spawn_blocking(move || sidecar.read()).await;
        read.ok().flatten().map(|found| found.text)
    }

    pub fn forget_first_prompt(&self, draft: &str) {
        first_prompt::sidecar(&self.0.folder, draft).remove();
    }

    // --- display preferences ---

    pub async fn keep_view(&self, name: &'static str, value: &'static str) -> Result<(), StorageError> {
        self.change(Change::View { name, value }).await
    }

    pub async fn view(&self, name: &'static str) -> Result<String, StorageError> {
        self.ask_index(|reply| index::Request::View { name, reply }).await
    }

    // --- trust ---

    pub async fn trust(&self, workspace: &str) -> Result<Option<TrustAnswer>, StorageError> {
        let workspace = workspace.to_owned();
        self.ask_index(|reply| index::Request::Trust { workspace, reply }).await
    }

    pub async fn set_trust(&self, workspace: &str, answer: TrustAnswer) -> Result<(), StorageError> {
        self.change(Change::Trust {
            workspace: workspace.to_owned(),
            answer,
        })
        .await
    }

    // --- "Always allow" rules ---

    pub async fn grants(&self, workspace: &str) -> Result<Vec<Scope>, StorageError> {
        let workspace = workspace.to_owned();
        self.ask_index(|reply| index::Request::Grants { workspace, reply })
            .await
    }

    pub async fn grant(&self, workspace: &str, scope: Scope) -> Result<(), StorageError> {
        let workspace = workspace.to_owned();
        self.change(Change::Grant { workspace, scope }).await
    }

    pub async fn revoke(&self, workspace: &str, scope: Scope) -> Result<(), StorageError> {
        let workspace = workspace.to_owned();
        self.change(Change::Revoke { workspace, scope }).await
    }

    // --- notices ---

    pub fn take_notices(&self) -> Vec<Notice> {
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
