//! The index thread. It batches changes to the index file, which other processes use too. Without this thread, log
//! entries could wait for these processes.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::database::{PATIENCE, begin_durable, guarded, open_readable_while, open_writable};
use super::error::StorageError;
use super::folder::{Folder, Presence};
use super::index_file::{self, Change, Draft, Row, TrustAnswer};
use super::lease::Lease;
use super::rebuild;
use super::session_file;
use super::writer::Reply;
use benchdog_base::id::SessionId;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Scope;
use benchdog_domain::session::SessionMeta;

/// Delay before a write, to collect more changes.
const GATHER: Duration = Duration::from_millis(30);

/// Delay before a write of changes that a session file also contains. The delay is longer, because each write needs
/// several fsyncs, which slow down the running turn.
const GATHER_LONG: Duration = Duration::from_millis(500);

const BACK_OFF: Duration = Duration::from_secs(1);

const LAST_PATIENCE: Duration = Duration::from_secs(10);

/// Maximum wait for a busy index, for data that session files also contain.
const SHORT_PATIENCE: Duration = Duration::from_millis(200);

/// Maximum number of session files to read for a list while another process has the index open.
const LISTED_WITHOUT_INDEX: usize = 200;

const LONG: Duration = Duration::from_secs(3600);

pub(super) enum Request {
    Change {
        change: Change,
        reply: Option<Reply<()>>,
        released: bool,
    },
    List {
        reply: Reply<Vec<SessionMeta>>,
    },
    InUse {
        reply: Reply<Vec<SessionId>>,
    },
    Latest {
        workspace: String,
        reply: Reply<Option<SessionMeta>>,
    },
    History {
        limit: usize,
        reply: Reply<Vec<String>>,
    },
    Draft {
        workspace: String,
        reply: Reply<Draft>,
    },
    DraftsOf {
        beginning: String,
        reply: Reply<Vec<(String, String)>>,
    },
    View {
        name: &'static str,
        reply: Reply<String>,
    },
    Trust {
        workspace: String,
        reply: Reply<Option<TrustAnswer>>,
    },
    Grants {
        workspace: String,
        reply: Reply<Vec<Scope>>,
    },
}

impl Request {
    pub(super) fn row(meta: SessionMeta) -> Self {
        Self::unanswered(Change::Row(Box::new(meta)), false)
    }

    pub(super) fn last_row(meta: SessionMeta) -> Self {
        Self::unanswered(Change::Row(Box::new(meta)), true)
    }

    pub(super) fn forget(id: SessionId) -> Self {
        Self::unanswered(Change::Forget(id), false)
    }

    fn unanswered(change: Change, released: bool) -> Self {
        Self::Change {
            change,
            reply: None,
            released,
        }
    }
}

/// Whether a session file also contains the change, so that a crash before the index is written loses nothing. `true`
/// for an emptied draft, because the sent prompt is in the log.
fn is_in_session_file(change: &Change) -> bool {
    match change {
        Change::Row(_) | Change::Found { .. } | Change::Forget(_) | Change::Prompt(_) => true,
        Change::Draft { text, .. } => text.is_empty(),
        Change::View { .. } | Change::Trust { .. } | Change::Grant { .. } | Change::Revoke { .. } => false,
    }
}

pub(super) type Notices = Arc<Mutex<Vec<Notice>>>;

pub(super) struct Index {
    folder: Folder,
    notices: Notices,
    changes: Vec<Change>,
    replies: Vec<Reply<()>>,
    released: Vec<SessionId>,
    due: Option<Instant>,
}

impl Index {
    pub(super) fn new(folder: Folder, notices: Notices) -> Self {
        Self {
            folder,
            notices,
            changes: Vec::new(),
            replies: Vec::new(),
            released: Vec::new(),
            due: None,
        }
    }

    /// Handles requests until all senders are dropped. Then writes pending changes.
    pub(super) fn run(mut self, requests: &Receiver<Request>) {
        loop {
            let wait = self
                .due
                .map_or(LONG, |due| due.saturating_duration_since(Instant::now()));
            match requests.recv_timeout(wait) {
                Ok(request) => self.handle(request),
                Err(RecvTimeoutError::Timeout) => drop(self.flush()),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // At exit, wait for a busy index, unless session files contain all pending changes.
        let last = if self.is_known_elsewhere() {
            Duration::ZERO
        } else {
            LAST_PATIENCE
        };
        let end = Instant::now() + last;
        while matches!(self.flush(), Err(StorageError::Busy { .. })) && Instant::now() < end {}
    }

    fn handle(&mut self, request: Request) {
        match request {
            Request::Change {
                change,
                reply,
                released,
            } => self.gather(change, reply, released),
            Request::List { reply } => drop(reply.send(self.list())),
            Request::InUse { reply } => drop(reply.send(self.in_use())),
            Request::Latest { workspace, reply } => {
                self.answer(reply, |transaction| index_file::latest(transaction, &workspace));
            }
            Request::History { limit, reply } => {
                self.answer(reply, |transaction| index_file::history(transaction, limit));
            }
            Request::Draft { workspace, reply } => {
                self.answer(reply, |transaction| index_file::draft(transaction, &workspace));
            }
            Request::DraftsOf { beginning, reply } => {
                self.answer(reply, |transaction| index_file::drafts_of(transaction, &beginning));
            }
            Request::View { name, reply } => {
                self.answer(reply, |transaction| index_file::view(transaction, name));
            }
            Request::Trust { workspace, reply } => {
                self.answer(reply, |transaction| index_file::trust(transaction, &workspace));
            }
            Request::Grants { workspace, reply } => {
                self.answer(reply, |transaction| index_file::grants(transaction, &workspace));
            }
        }
    }

    /// Reads from the index for a request. Stops retrying if the requester no longer waits.
    fn answer<T: Default>(&mut self, reply: Reply<T>, work: impl Fn(&redb::ReadTransaction) -> Result<T, redb::Error>) {
        let read = self.read(PATIENCE, || !reply.is_closed(), work);
        drop(reply.send(read));
    }

    fn gather(&mut self, change: Change, reply: Option<Reply<()>>, released: bool) {
        if let (Change::Row(meta), true) = (&change, released) {
            self.released.push(meta.id.clone());
        }
        let gather = if !released && is_in_session_file(&change) {
            GATHER_LONG
        } else {
            GATHER
        };
        let due = Instant::now() + gather;
        self.due = Some(self.due.map_or(due, |earlier| earlier.min(due)));
        self.changes.retain(|older| !replaces(&change, older));
        self.changes.push(change);
        self.replies.extend(reply);
    }

    /// Writes all pending changes in one transaction. After a failure, they stay pending for a retry.
    fn flush(&mut self) -> Result<(), StorageError> {
        self.due = None;
        if self.changes.is_empty() {
            return Ok(());
        }
        let written = self.write(&self.changes);
        match &written {
            Ok(()) => {
                self.changes.clear();
                for id in self.released.drain(..) {
                    // Another process may have locked the session by now.
                    if let Ok(Some(lease)) = Lease::try_take(&self.folder.lock(&id)) {
                        lease.remove();
                    }
                }
            }
            Err(error) => {
                let is_late = matches!(error, StorageError::Busy { .. }) && self.is_known_elsewhere();
                if !is_late {
                    self.notice(error.code(), error);
                }
                self.due = Some(Instant::now() + BACK_OFF);
            }
        }
        for reply in self.replies.drain(..) {
            drop(reply.send(written.clone()));
        }
        written
    }

    fn is_known_elsewhere(&self) -> bool {
        let mut changes = self.changes.iter();
        changes.all(|change| matches!(change, Change::Row(_) | Change::Forget(_)))
    }

    fn write(&self, changes: &[Change]) -> Result<(), StorageError> {
        self.recovering(|| self.write_once(changes))
    }

    /// Runs `attempt`. If the index is missing or damaged, creates or replaces it and tries again.
    fn recovering<T>(&self, attempt: impl Fn() -> Result<T, StorageError>) -> Result<T, StorageError> {
        for _ in 0..2 {
            match attempt() {
                Err(StorageError::Damaged { .. }) => self.replace_damaged()?,
                Err(StorageError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => self.create()?,
                other => return other,
            }
        }
        attempt()
    }

    fn write_once(&self, changes: &[Change]) -> Result<(), StorageError> {
        let path = self.folder.index();
        let patience = if self.is_known_elsewhere() {
            SHORT_PATIENCE
        } else {
            PATIENCE
        };
        let database = open_writable(&path, Presence::Must, patience)?;
        // Also close the file inside `guarded`, because closing a damaged file may panic.
        guarded(&path, move || {
            let transaction = begin_durable(&database)?;
            index_file::apply(&transaction, changes)?;
            transaction.commit()?;
            Ok(())
        })
    }

    /// Writes pending changes, then reads. Callers therefore see their own changes.
    fn read<T: Default>(
        &mut self,
        patience: Duration,
        wanted: impl Fn() -> bool,
        work: impl Fn(&redb::ReadTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, StorageError> {
        drop(self.flush());
        if index_file::missing(&self.folder.index()) && self.folder.listing()?.written.is_empty() {
            return Ok(T::default());
        }
        let (path, work) = (self.folder.index(), &work);
        self.recovering(|| {
            let file = open_readable_while(&path, patience, &wanted)?;
            guarded(&path, move || work(&file.begin_read()?))
        })
    }

    fn create(&self) -> Result<(), StorageError> {
        let _guard = self.index_lock()?;
        if !index_file::missing(&self.folder.index()) {
            return Ok(());
        }
        self.note_unreadable(rebuild::rebuild(&self.folder)?);
        Ok(())
    }

    /// Moves a damaged index aside and creates a new one, unless another process did so.
    fn replace_damaged(&self) -> Result<(), StorageError> {
        let _guard = self.index_lock()?;
        let path = self.folder.index();
        if self.is_whole(&path)? {
            return Ok(());
        }
        let aside = rebuild::move_aside(&self.folder)?;
        let found = rebuild::rebuild(&self.folder)?;
        self.push(Notice::IndexRebuilt {
            path: path.display().to_string(),
            aside: aside.display().to_string(),
            sessions: found.sessions as u64,
        });
        self.note_unreadable(found);
        Ok(())
    }

    fn is_whole(&self, path: &Path) -> Result<bool, StorageError> {
        let checked = open_writable(path, Presence::Must, PATIENCE)
            .and_then(|mut database| guarded(path, move || Ok(database.check_integrity()?)));
        match checked {
            Ok(whole) => Ok(whole),
            Err(StorageError::Damaged { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn note_unreadable(&self, found: rebuild::Rebuilt) {
        for error in found.unreadable {
            self.notice("session_damaged", &error);
        }
    }

    fn index_lock(&self) -> Result<Lease, StorageError> {
        let path = self.folder.index_lock();
        let until = Instant::now() + PATIENCE;
        loop {
            match Lease::try_take(&path).map_err(|error| StorageError::io("lock", &path, error))? {
                Some(lock) => return Ok(lock),
                None if Instant::now() >= until => return Err(StorageError::Busy { path }),
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// Lists all sessions, newest first. Adds sessions that the index lacks after a crash, from their files.
    fn list(&mut self) -> Result<Vec<SessionMeta>, StorageError> {
        let mut rows = match self.read(SHORT_PATIENCE, || true, index_file::rows) {
            Err(StorageError::Busy { .. }) => return self.list_without_index(),
            rows => rows?,
        };
        let listing = self.folder.listing()?;
        rows.retain(|row| listing.written.contains(&row.meta.id));
        let known: HashSet<_> = rows.iter().map(|row| row.meta.id.clone()).collect();
        for id in &listing.written {
            let crashed = listing.locked.contains(id) && self.nobody_has(id);
            if known.contains(id) && !crashed {
                continue;
            }
            match session_file::read_meta(&self.folder.session(id), GATHER * 10) {
                Ok(meta) if listing.locked.contains(id) => self.learn(&mut rows, meta, crashed),
                Ok(meta) => self.find_place(&mut rows, meta),
                Err(StorageError::Busy { .. }) => {}
                Err(error) => self.notice("session_damaged", &error),
            }
        }
        self.sweep(&listing.locked, &listing.written);
        rows.sort_by(|a, b| b.order().cmp(&a.order()));
        Ok(rows.into_iter().map(|row| row.meta).collect())
    }

    fn list_without_index(&self) -> Result<Vec<SessionMeta>, StorageError> {
        let listing = self.folder.listing()?;
        let newest = listing.written.iter().rev().take(LISTED_WITHOUT_INDEX);
        let metas = newest.filter_map(|id| session_file::read_meta(&self.folder.session(id), Duration::ZERO).ok());
        let mut metas: Vec<SessionMeta> = metas.collect();
        metas.sort_by_key(|meta| std::cmp::Reverse(meta.updated));
        Ok(metas)
    }

    fn learn(&mut self, rows: &mut Vec<Row>, meta: SessionMeta, crashed: bool) {
        let told = rows.iter().position(|row| row.meta.id == meta.id);
        let told = told.map(|told| rows.swap_remove(told));
        let same = told.filter(|row| row.meta.entries >= meta.entries);
        let used = same.map_or(u64::MAX, |row| row.used);
        self.gather(Change::Row(Box::new(meta.clone())), None, crashed);
        rows.push(Row { used, meta });
    }

    /// Adds a missing index row. The time of the session's last update determines its position in the list.
    fn find_place(&mut self, rows: &mut Vec<Row>, meta: SessionMeta) {
        let earlier = rows.iter().filter(|row| row.meta.updated <= meta.updated);
        let used = earlier.map(|row| row.used).max().unwrap_or(0);
        let found = meta.clone();
        self.gather(
            Change::Found {
                meta: Box::new(found),
                used,
            },
            None,
            false,
        );
        rows.push(Row { used, meta });
    }

    fn in_use(&self) -> Result<Vec<SessionId>, StorageError> {
        let locked = self.folder.listing()?.locked.into_iter();
        Ok(locked.filter(|id| !self.nobody_has(id)).collect())
    }

    fn nobody_has(&self, id: &SessionId) -> bool {
        matches!(Lease::try_take(&self.folder.lock(id)), Ok(Some(_)))
    }

    /// Removes lock files without a session file if their process has ended.
    fn sweep(&self, locked: &BTreeSet<SessionId>, written: &BTreeSet<SessionId>) {
        for id in locked.difference(written) {
            if let Ok(Some(lease)) = Lease::try_take(&self.folder.lock(id)) {
                let _ = fs::remove_file(self.folder.unborn(id));
                lease.remove();
            }
        }
    }

    fn notice(&self, code: &'static str, error: &StorageError) {
        self.push(Notice::Storage {
            failed: code.to_owned(),
            why: error.to_string(),
        });
    }

    fn push(&self, notice: Notice) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if !notices.contains(&notice) {
            notices.push(notice);
        }
    }
}

fn replaces(newer: &Change, older: &Change) -> bool {
    match (newer, older) {
        (Change::Row(new), Change::Row(old)) => new.id == old.id,
        (Change::Forget(new), Change::Row(old)) => *new == old.id,
        (Change::Draft { workspace: new, .. }, Change::Draft { workspace: old, .. }) => new == old,
        (Change::View { name: new, .. }, Change::View { name: old, .. }) => new == old,
        _ => false,
    }
}
