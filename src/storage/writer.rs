//! The thread that owns the session files. It closes a file 200 ms after writing the last entry, so that other
//! processes can read the file.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

use super::Opening;
use super::arriving;
use super::asked::Asked;
use super::database::PATIENCE;
use super::error::StorageError;
use super::folder::{Folder, is_name};
use super::held::{FileState, Held, ascending};
use super::index;
use super::lease::{self, Lease, Taken};
use super::printed;
use super::session_file::{self, Addition, Blob, Folded};
use super::sidecar;
use super::trash;
use benchdog_base::id::BlobId;
use benchdog_base::id::{EntryId, SessionId};
use benchdog_domain::entry::Entry;
use benchdog_domain::history::History;
use benchdog_domain::session::{LeaseHolder, SessionMeta};

pub(super) const BURST: Duration = Duration::from_millis(200);

/// Timeout of the thread while no file is open. A request wakes the thread earlier.
const LONG: Duration = Duration::from_secs(3600);

pub(super) type Reply<T> = oneshot::Sender<Result<T, StorageError>>;

pub(super) enum Request {
    Create {
        meta: SessionMeta,
        holder: LeaseHolder,
        reply: Reply<()>,
    },
    Open {
        id: SessionId,
        holder: LeaseHolder,
        reply: Reply<Opening>,
    },
    Append {
        id: SessionId,
        entries: Vec<Arc<Entry>>,
        blobs: Vec<Blob>,
        asked: Asked,
        reply: Reply<()>,
    },
    Blob {
        id: SessionId,
        blob: BlobId,
        reply: Reply<Option<Vec<u8>>>,
    },
    Blobs {
        id: SessionId,
        reply: Reply<Vec<Blob>>,
    },
    Describe {
        meta: SessionMeta,
        reply: Reply<()>,
    },
    Retitle {
        id: SessionId,
        title: String,
        holder: LeaseHolder,
        reply: Reply<()>,
    },
    Read {
        id: SessionId,
        reply: Reply<(SessionMeta, Vec<Arc<Entry>>)>,
    },
    ReadEarlier {
        id: SessionId,
        upto: EntryId,
        reply: Reply<Vec<Arc<Entry>>>,
    },
    Copy {
        id: SessionId,
        upto: Option<EntryId>,
        meta: SessionMeta,
        reply: Reply<()>,
    },
    Delete {
        id: SessionId,
        reply: Reply<()>,
    },
    Trash {
        id: SessionId,
        reply: Reply<()>,
    },
    Release {
        id: SessionId,
        reply: Reply<()>,
    },
}

pub(super) struct Writer {
    folder: Folder,
    held: HashMap<SessionId, Held>,
    index: SyncSender<index::Request>,
}

impl Writer {
    pub(super) fn new(folder: Folder, index: SyncSender<index::Request>) -> Self {
        Self {
            folder,
            held: HashMap::new(),
            index,
        }
    }

    pub(super) fn run(mut self, requests: &Receiver<Request>) {
        loop {
            match requests.recv_timeout(self.next_close()) {
                Ok(request) => self.handle(request),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.close_idle();
        }
        let open: Vec<_> = self.held.keys().cloned().collect();
        for id in open {
            self.release(&id);
        }
    }

    fn handle(&mut self, request: Request) {
        // A failed send means that the caller stopped waiting.
        match request {
            Request::Create { meta, holder, reply } => drop(reply.send(self.create(meta, &holder))),
            Request::Open { id, holder, reply } => drop(reply.send(self.open(&id, &holder))),
            Request::Append {
                id,
                entries,
                blobs,
                asked,
                reply,
            } => {
                let done = asked.trace(|| self.append(&id, &entries, &blobs));
                if done.is_ok() {
                    self.list_newborn(&id);
                    arriving::settle(&self.folder, &id, &entries);
                    // Ignore the error. The remaining output belongs to calls whose results are logged.
                    let _ = printed::settle(&self.folder, &id, &entries);
                }
                drop(reply.send(done));
            }
            Request::Blob { id, blob, reply } => drop(reply.send(self.blob(&id, &blob))),
            Request::Blobs { id, reply } => drop(reply.send(self.blobs(&id))),
            Request::Describe { meta, reply } => drop(reply.send(self.describe(meta))),
            Request::Retitle {
                id,
                title,
                holder,
                reply,
            } => drop(reply.send(self.retitle(&id, title, &holder))),
            Request::Read { id, reply } => drop(reply.send(self.read(&id))),
            Request::ReadEarlier { id, upto, reply } => drop(reply.send(self.read_earlier(&id, upto))),
            Request::Copy { id, upto, meta, reply } => drop(reply.send(self.copy(&id, upto, meta))),
            Request::Delete { id, reply } => drop(reply.send(self.delete(&id, remove))),
            Request::Trash { id, reply } => drop(reply.send(self.delete(&id, trash::put))),
            Request::Release { id, reply } => {
                self.release(&id);
                drop(reply.send(Ok(())));
            }
        }
    }

    fn create(&mut self, meta: SessionMeta, holder: &LeaseHolder) -> Result<(), StorageError> {
        let lease = self.lease(&meta.id, holder)?;
        let held = Held {
            lease,
            last: EntryId(0),
            file: FileState::Unborn,
            described: None,
            unlisted: true,
            meta,
        };
        self.held.insert(held.meta.id.clone(), held);
        Ok(())
    }

    fn lease(&self, id: &SessionId, holder: &LeaseHolder) -> Result<Lease, StorageError> {
        match Lease::take(&self.folder.lock(id), holder)? {
            Taken::Lease(lease) => Ok(lease),
            Taken::Held(holder) => Err(StorageError::Held {
                session: id.clone(),
                holder,
            }),
        }
    }

    fn open(&mut self, id: &SessionId, holder: &LeaseHolder) -> Result<Opening, StorageError> {
        // A session can be open only once, even within a process.
        if self.held.contains_key(id) {
            return Ok(Opening::Held(lease::holder_of(&self.folder.lock(id))));
        }
        self.must_exist(id)?;
        let path = self.folder.session(id);
        let lock = self.folder.lock(id);
        let lease = match Lease::take(&lock, holder) {
            Ok(Taken::Lease(lease)) => lease,
            Ok(Taken::Held(holder)) => return Ok(Opening::Held(holder)),
            Err(why) if why.is_forbidden() => {
                let Folded { meta, history, .. } = session_file::read_history(&path, PATIENCE)?;
                let history = history.into();
                return Ok(Opening::ReadOnly { meta, history, why });
            }
            Err(error) => return Err(error),
        };
        // If the file is damaged, release the lease and remove its lock file.
        let Folded { meta, history, later } = match session_file::read_history(&path, PATIENCE) {
            Ok(folded) => folded,
            Err(error) => {
                lease.remove();
                return Err(error);
            }
        };
        if let Some(version) = later {
            lease.remove();
            return Ok(Opening::ReadOnly {
                meta,
                history: history.into(),
                why: StorageError::later_entries(&path, version),
            });
        }
        self.held.insert(
            id.clone(),
            Held {
                lease,
                meta: meta.clone(),
                last: history.last_entry(),
                file: FileState::Closed,
                described: None,
                unlisted: false,
            },
        );
        Ok(Opening::Open {
            meta,
            history: history.into(),
        })
    }

    fn append(&mut self, id: &SessionId, entries: &[Arc<Entry>], blobs: &[Blob]) -> Result<(), StorageError> {
        let held = self.held.get_mut(id).ok_or_else(|| StorageError::NotOpen(id.clone()))?;
        if entries.is_empty() && blobs.is_empty() {
            return Ok(());
        }
        let last = ascending(id, held.last, entries)?;
        let mut meta = held.meta.clone();
        for entry in entries {
            session_file::follow(&mut meta, entry);
        }
        let addition = Addition {
            meta: &meta,
            entries,
            blobs,
        };
        match held.write(&self.folder, &addition) {
            Ok(()) => {
                held.meta = meta;
                held.last = last;
                held.described = None;
                Ok(())
            }
            Err(error) => {
                // After a failed write, redb rejects all operations. Close the file, and let the next entry open it
                // again.
                held.file.close();
                Err(error)
            }
        }
    }

    fn list_newborn(&mut self, id: &SessionId) {
        let newborn = self.held.get_mut(id).filter(|held| held.unlisted);
        if let Some(held) = newborn {
            held.unlisted = false;
            let row = held.meta.clone();
            self.tell(index::Request::row(row));
        }
    }

    /// Sends a change to the index thread without blocking. If the queue is full, drops the change, and the next list
    /// recovers it from the session files.
    fn tell(&self, news: index::Request) {
        let _ = self.index.try_send(news);
    }

    fn blob(&mut self, id: &SessionId, blob: &BlobId) -> Result<Option<Vec<u8>>, StorageError> {
        let path = self.folder.session(id);
        match self.held.get_mut(id).map(|held| &mut held.file) {
            Some(FileState::Open { database, used }) => {
                *used = Instant::now();
                session_file::blob_of(&path, database, blob)
            }
            Some(FileState::Unborn) => Ok(None),
            Some(FileState::Closed) | None => {
                self.must_exist(id)?;
                session_file::read_blob(&path, blob, PATIENCE)
            }
        }
    }

    fn blobs(&mut self, id: &SessionId) -> Result<Vec<Blob>, StorageError> {
        if let Some(held) = self.held.get(id)
            && matches!(held.file, FileState::Unborn)
        {
            return Ok(Vec::new());
        }
        self.make_readable(id)?;
        let path = self.folder.session(id);
        let blobs = session_file::read_blobs(&path, PATIENCE)?;
        for (blob, bytes) in &blobs {
            session_file::check_blob(&path, blob, bytes)?;
        }
        Ok(blobs)
    }

    fn describe(&mut self, meta: SessionMeta) -> Result<(), StorageError> {
        let held = self
            .held
            .get_mut(&meta.id)
            .ok_or_else(|| StorageError::NotOpen(meta.id.clone()))?;
        // These fields are derived from the log, so a caller cannot change them.
        let described = SessionMeta {
            entries: held.meta.entries,
            created: held.meta.created,
            updated: held.meta.updated.max(meta.updated),
            ..meta
        };
        if described != held.meta {
            held.meta = described;
            held.described.get_or_insert_with(Instant::now);
        }
        Ok(())
    }

    /// Changes the title of a stored session. Opens the session first, because the title of a session that is open
    /// elsewhere, damaged or from a later version must not change.
    fn retitle(&mut self, id: &SessionId, title: String, holder: &LeaseHolder) -> Result<(), StorageError> {
        let meta = match self.open(id, holder)? {
            Opening::Open { meta, .. } => meta,
            Opening::ReadOnly { why, .. } => return Err(why),
            Opening::Held(holder) => {
                let session = id.clone();
                return Err(StorageError::Held { session, holder });
            }
        };
        let described = self.describe(SessionMeta { title, ..meta });
        let settled = self.held.get_mut(id).map(|held| held.settle(&self.folder));
        self.release(id);
        described.and(settled.unwrap_or(Ok(())))
    }

    fn read(&mut self, id: &SessionId) -> Result<(SessionMeta, Vec<Arc<Entry>>), StorageError> {
        if let Some(held) = self.held.get(id)
            && matches!(held.file, FileState::Unborn)
        {
            return Ok((held.meta.clone(), Vec::new()));
        }
        self.make_readable(id)?;
        let (meta, mut log) = session_file::read_whole(&self.folder.session(id), PATIENCE)?;
        log.extend(arriving::look(&self.folder, id, &log));
        Ok((meta, log))
    }

    fn read_earlier(&mut self, id: &SessionId, upto: EntryId) -> Result<Vec<Arc<Entry>>, StorageError> {
        self.make_readable(id)?;
        session_file::read_upto(&self.folder.session(id), upto, PATIENCE)
    }

    fn make_readable(&mut self, id: &SessionId) -> Result<(), StorageError> {
        if let Some(held) = self.held.get_mut(id) {
            held.file.close();
        }
        self.must_exist(id)
    }

    fn copy(&mut self, id: &SessionId, upto: Option<EntryId>, mut meta: SessionMeta) -> Result<(), StorageError> {
        let (source, mut log) = self.read(id)?;
        if let Some(upto) = upto {
            // Truncate the log before computing the history, because entries undone after `upto` were in effect at
            // `upto`.
            log.retain(|entry| entry.id <= upto);
        }
        let history = History::of(log);
        let blobs = session_file::read_blobs(&self.folder.session(id), PATIENCE)?;
        if meta.title.is_empty() {
            meta.title = source.title;
        }
        for entry in history.entries() {
            session_file::follow(&mut meta, entry);
        }
        let addition = Addition {
            meta: &meta,
            entries: history.entries(),
            blobs: &blobs,
        };
        session_file::create_closed(&self.folder, &addition)?;
        self.tell(index::Request::row(meta));
        Ok(())
    }

    fn delete(
        &mut self,
        id: &SessionId,
        remove: fn(&Folder, &SessionId) -> Result<(), StorageError>,
    ) -> Result<(), StorageError> {
        self.must_exist(id)?;
        let lock = self.folder.lock(id);
        let lease = match self.held.remove(id) {
            Some(mut held) => {
                held.file.close();
                held.lease
            }
            None => Lease::try_take(&lock)
                .map_err(|error| StorageError::io("lock", &lock, error))?
                .ok_or_else(|| StorageError::Held {
                    session: id.clone(),
                    holder: super::lease::holder_of(&lock),
                })?,
        };
        remove(&self.folder, id)?;
        sidecar::remove_all(&self.folder, id);
        lease.remove();
        self.tell(index::Request::forget(id.clone()));
        Ok(())
    }

    fn must_exist(&self, id: &SessionId) -> Result<(), StorageError> {
        if is_name(id) && self.folder.session(id).is_file() {
            Ok(())
        } else {
            Err(StorageError::NotFound(id.clone()))
        }
    }

    fn release(&mut self, id: &SessionId) {
        let Some(mut held) = self.held.remove(id) else { return };
        let _ = held.settle(&self.folder);
        if matches!(held.file, FileState::Unborn) {
            held.lease.remove();
            return;
        }
        held.file.close();
        // Keep the lock file until the index row is written. Lists read the session file as long as the lock file
        // exists.
        drop(held.lease);
        self.tell(index::Request::last_row(held.meta));
    }

    fn next_close(&self) -> Duration {
        let busy = self.held.values().filter_map(Held::idle_since);
        busy.map(|since| BURST.saturating_sub(since.elapsed()))
            .min()
            .unwrap_or(LONG)
    }

    fn close_idle(&mut self) {
        let mut rows = Vec::new();
        for held in self.held.values_mut() {
            if held.idle_since().is_some_and(|since| since.elapsed() >= BURST) {
                let _ = held.settle(&self.folder);
                held.file.close();
                rows.push(held.meta.clone());
            }
        }
        for row in rows {
            self.tell(index::Request::row(row));
        }
    }
}

fn remove(folder: &Folder, id: &SessionId) -> Result<(), StorageError> {
    let path = folder.session(id);
    std::fs::remove_file(&path).map_err(|error| StorageError::io("delete", &path, error))
}
