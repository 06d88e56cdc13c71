//! Finds the files that a command changed, by comparing checkpoints of the folder before and after the command.
//!
//! Each change between two checkpoints has one owner: the oldest running command. If no command was running, the owner
//! is the oldest background job, or nobody. A job is only the probable owner, because a person may change files while
//! the job runs.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::bodies;
use crate::engine::Line;
use crate::input::Happened;
use benchdog_base::clock::Time;
use benchdog_checkpoints::{
    Changed, CheckpointError, Checkpoints, Compared, Content, ContentId, FileState, Kind, Limits, NotCovered, Reason,
    RestoreError, Step, TreeId, Wanted, Watching,
};
use benchdog_domain::job::JobId;
use benchdog_domain::notice::Notice;
use benchdog_domain::tool::AppliedChange;
use benchdog_domain::undo::{NotUndone, UndoNotice};
use benchdog_domain::watch::NotWatched;
use benchdog_protocol::{Event, Live};
use benchdog_security::redact::Redactor;
use benchdog_security::secrets::is_secret_path;
use benchdog_tools::write_set::{NotWritten, SetFile, WriteSet};

/// Maximum time that a command waits for the checkpoint before its start. The first one reads the whole workspace.
const PATIENCE: Duration = Duration::from_secs(10);

/// Maximum number of changed files per command that can be undone. `MOST_BYTES` is their maximum total size.
const MOST_FILES: usize = 1_000;
const MOST_BYTES: u64 = 64 << 20;

/// Maximum number of git-ignored files in a notice. A build changes more, but they need no restore.
const MOST_IGNORED: usize = 8;

/// Maximum number of ignored files whose first change is recorded. Further files are not listed.
const MOST_KNOWN: usize = 100_000;

/// Maximum number of paths in the report about files that changed before a session was resumed.
const MOST_NAMED: usize = 3;

/// Growth of the checkpoint store, in bytes, after which old checkpoints are removed.
const CARE_EVERY: u64 = 256 << 20;

/// Number of new pack files in the store after which old checkpoints are removed.
const MOST_PACKS: u32 = 200;

/// The checkpoints of a folder. Clones share the data.
#[derive(Clone)]
pub(crate) struct CommandChanges(Arc<Shared>);

struct Shared {
    data: PathBuf,
    root: PathBuf,
    max_file: u64,
    ledger: Mutex<Ledger>,
    /// Result of completing an interrupted undo. Set until the result is sent.
    recovery: Mutex<Option<UndoNotice>>,
    running: AtomicUsize,
    told: Mutex<Option<NotFound>>,
}

#[derive(Default)]
struct Ledger {
    checkpoints: Option<Arc<Checkpoints>>,
    last: Option<TreeId>,
    /// Checkpoints that must not be removed, because a comparison still needs them.
    compared: Vec<TreeId>,
    /// The quota in bytes and the path of the store. Set if the folder is too large for the quota.
    full: Option<(u64, PathBuf)>,
    /// Number of pack files added to the store since old checkpoints were last removed.
    packs: u32,
    /// Number of bytes added to the store since old checkpoints were last removed.
    grown: u64,
    /// Running commands and background jobs, oldest first.
    running: Vec<Running>,
    next: u64,
    /// Ignored files that commands of this session have created, changed or removed.
    ignored: HashSet<PathBuf>,
}

struct Running {
    number: u64,
    /// Pairs of checkpoints. The changes between the checkpoints of each pair belong to this command.
    segments: Vec<(TreeId, TreeId)>,
    /// The background job. Set if the command continues after its call has ended.
    job: Option<OwnerJob>,
}

/// A background job that owns changes, and the channel to log them.
#[derive(Clone)]
pub(crate) struct OwnerJob {
    pub(crate) job: JobId,
    pub(crate) line: Line,
    pub(crate) redactor: Redactor,
}

type OfJobs = Vec<(OwnerJob, Vec<(TreeId, TreeId)>)>;

/// A checkpoint that stays in the store until this value is dropped.
pub(crate) struct KeptTree {
    shared: Arc<Shared>,
    tree: TreeId,
}

/// The files that changed after an earlier checkpoint, and the new checkpoint that shows them.
pub(crate) struct Since {
    pub(crate) now: KeptTree,
    /// The changed files, sorted by path. Excludes folders and ignored files.
    pub(crate) changed: Vec<Changed>,
}

/// A running command whose changes are tracked. If this value is dropped, the changes are attributed to nobody.
pub(crate) struct Watched {
    shared: Arc<Shared>,
    number: u64,
}

#[derive(Default)]
struct Found {
    changes: Vec<AppliedChange>,
    /// Changed files that cannot be restored, each with the reason.
    not_covered: Vec<(String, NotUndone)>,
}

impl CommandChanges {
    pub(crate) fn of(data: &Path, root: &Path, max_file: u64) -> Self {
        Self(Arc::new(Shared {
            data: data.to_owned(),
            root: root.to_owned(),
            max_file,
            ledger: Mutex::default(),
            recovery: Mutex::default(),
            running: AtomicUsize::new(0),
            told: Mutex::default(),
        }))
    }

    /// Completes the file writes of an undo that a crash interrupted. Returns whether an undo was completed.
    /// `report_recovery` sends the notice.
    pub(crate) async fn recover(&self) -> bool {
        let shared = Arc::clone(&self.0);
        if !Checkpoints::is_interrupted(&shared.data, &shared.root) {
            return false;
        }
        let recovered = spawn_blocking(move || {
            let checkpoints = shared.ledger().open(&shared).map_err(|error| error.to_string())?;
            let restored = checkpoints.recovered().map_err(ToString::to_string)?;
            Ok(restored.map_or(0, |restored| restored.written + restored.removed))
        });
        let notice = match recovered.await {
            Ok(Ok(0)) | Err(_) => return false,
            Ok(Ok(files)) => UndoNotice::Finished { files },
            Ok(Err(error)) => UndoNotice::NotFinished { error },
        };
        let is_finished = matches!(notice, UndoNotice::Finished { .. });
        *self.0.recovery.lock().unwrap_or_else(PoisonError::into_inner) = Some(notice);
        is_finished
    }

    /// Completes an interrupted undo if `recover` was not called before. Sends the result once.
    pub(crate) async fn report_recovery(&self, line: &Line) {
        self.recover().await;
        let notice = self.0.recovery.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(notice) = notice {
            line.tell(Event::Live(Live::Notice(Notice::Undo(notice)))).await;
        }
    }

    /// Takes the first checkpoint in the background, so that the first command need not wait for it.
    pub(crate) fn prepare(&self) {
        // If the ledger is locked, a checkpoint is already being taken.
        let is_new = self.0.ledger.try_lock().is_ok_and(|ledger| ledger.last.is_none());
        if is_new {
            let shared = Arc::clone(&self.0);
            spawn_blocking(move || shared.ledger().advance(&shared));
        }
    }

    /// Takes a checkpoint and returns its id. Takes the first checkpoint of this run only if `even_first` is set.
    pub(crate) async fn checkpoint(&self, even_first: bool) -> Option<String> {
        let shared = Arc::clone(&self.0);
        let take = move || {
            let mut ledger = shared.ledger();
            if ledger.last.is_none() && !even_first {
                return None;
            }
            ledger.advance(&shared).ok()?;
            ledger.last.map(|tree| tree.to_string())
        };
        spawn_blocking(take).await.ok()?
    }

    /// Returns the number of files that have changed since a checkpoint, and some of their paths. `None` if the store
    /// no longer contains the checkpoint.
    pub(crate) async fn changed_since(&self, tree: &str) -> Option<(usize, Vec<String>)> {
        let tree = tree.parse::<TreeId>().ok()?;
        self.0.ledger().compared.push(tree);
        let kept = KeptTree::new(Arc::clone(&self.0), tree);
        let Since { changed, .. } = spawn_blocking(move || kept.since()).await.ok()??;
        let mut paths: Vec<String> = changed
            .iter()
            .map(|changed| changed.path.to_string_lossy().into_owned())
            .collect();
        paths.sort_unstable();
        let files = paths.len();
        paths.truncate(MOST_NAMED);
        Some((files, paths))
    }

    /// Takes a checkpoint and starts the file watcher. The first checkpoint reads the whole folder.
    pub(crate) async fn watch(&self) -> Result<KeptTree, NotWatched> {
        let shared = Arc::clone(&self.0);
        let watched = spawn_blocking(move || {
            let failed = |error: CheckpointError| NotWatched::Failed(error.to_string());
            let mut ledger = shared.ledger();
            ledger.advance(&shared).map_err(failed)?;
            let checkpoints = ledger.open(&shared).map_err(failed)?;
            match checkpoints.watch().map_err(failed)? {
                Watching::Yes { .. } => {}
                Watching::No(Reason::RemoteDisk) => return Err(NotWatched::RemoteDisk),
                Watching::No(_) => return Err(NotWatched::TooManyFolders),
            }
            ledger.keep_last(&shared).ok_or(NotWatched::TooManyFolders)
        });
        watched
            .await
            .unwrap_or_else(|broke| Err(NotWatched::Failed(broke.to_string())))
    }

    /// Takes the checkpoint before a command. Returns `None` and a notice if its changes cannot be tracked.
    pub(crate) async fn begin(&self) -> (Option<Watched>, Option<UndoNotice>) {
        match self.try_begin().await {
            Ok(watched) => (Some(watched), None),
            Err(why) => (None, self.0.news(why)),
        }
    }

    async fn try_begin(&self) -> Result<Watched, NotFound> {
        let shared = Arc::clone(&self.0);
        let begun = spawn_blocking(move || {
            let mut ledger = shared.ledger();
            ledger.advance(&shared)?;
            let number = ledger.next;
            ledger.next += 1;
            ledger.running.push(Running {
                number,
                segments: Vec::new(),
                job: None,
            });
            let of_jobs = ledger.take_of_jobs();
            drop(ledger);
            shared.running.fetch_add(1, Ordering::Relaxed);
            Ok((Watched { shared, number }, of_jobs))
        });
        match timeout(PATIENCE, begun).await {
            Ok(Ok(Ok((watched, of_jobs)))) => {
                self.log_of_jobs(of_jobs).await;
                Ok(watched)
            }
            Ok(Ok(Err(error))) => Err(NotFound::Failed(CheckpointError::to_string(&error))),
            Ok(Err(broke)) => Err(NotFound::Failed(broke.to_string())),
            Err(_) => Err(NotFound::TooSlow),
        }
    }

    /// Takes a checkpoint before a tool that logs its own changes writes files. The changes before this checkpoint
    /// belong to a running command.
    pub(crate) async fn before_tool(&self) {
        self.while_commands_run(|ledger, shared| drop(ledger.advance(shared)))
            .await;
    }

    /// Takes a checkpoint after a tool has written files. The changes since `before_tool` belong to no command.
    pub(crate) async fn after_tool(&self) {
        self.while_commands_run(|ledger, shared| drop(ledger.capture(shared)))
            .await;
    }

    async fn while_commands_run(&self, act: fn(&mut Ledger, &Shared)) {
        let of_jobs = self.of_jobs(act).await;
        self.log_of_jobs(of_jobs).await;
    }

    /// Returns the changes that belong to background jobs, because no other command was running.
    pub(crate) async fn changes_of_jobs(&self) -> Vec<(OwnerJob, Vec<AppliedChange>)> {
        let of_jobs = self.of_jobs(|ledger, shared| drop(ledger.advance(shared))).await;
        self.found_of_jobs(of_jobs).await
    }

    async fn of_jobs(&self, act: fn(&mut Ledger, &Shared)) -> OfJobs {
        if self.0.running.load(Ordering::Relaxed) == 0 {
            return OfJobs::new();
        }
        let shared = Arc::clone(&self.0);
        let took = spawn_blocking(move || {
            let mut ledger = shared.ledger();
            act(&mut ledger, &shared);
            ledger.take_of_jobs()
        });
        took.await.unwrap_or_default()
    }

    async fn found_of_jobs(&self, of_jobs: OfJobs) -> Vec<(OwnerJob, Vec<AppliedChange>)> {
        if of_jobs.is_empty() {
            return Vec::new();
        }
        let Some(checkpoints) = self.0.ledger().checkpoints.clone() else {
            return Vec::new();
        };
        let find = move || {
            let found = of_jobs.into_iter().map(|(owner, segments)| {
                let Found { changes, .. } = found(&checkpoints, &segments, &owner.redactor, &mut HashSet::new());
                (owner, changes)
            });
            found.collect()
        };
        spawn_blocking(find).await.unwrap_or_default()
    }

    /// Logs the changes of background jobs before the next entry. The log thus has the same order as the events.
    async fn log_of_jobs(&self, of_jobs: OfJobs) {
        for (OwnerJob { job, line, .. }, changes) in self.found_of_jobs(of_jobs).await {
            line.happened(Happened::JobChanged { job, changes }).await;
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum NotFound {
    TooSlow,
    Failed(String),
}

impl Shared {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a notice that says why changes could not be found. `None` if the last notice had the same reason.
    fn news(&self, why: NotFound) -> Option<UndoNotice> {
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if told.as_ref() == Some(&why) {
            return None;
        }
        let notice = match &why {
            NotFound::TooSlow => UndoNotice::CheckpointSlow {
                seconds: PATIENCE.as_secs(),
            },
            NotFound::Failed(error) => UndoNotice::CheckpointFailed { error: error.clone() },
        };
        *told = Some(why);
        Some(notice)
    }
}

impl Ledger {
    fn open(&mut self, shared: &Shared) -> Result<Arc<Checkpoints>, CheckpointError> {
        if let Some(checkpoints) = &self.checkpoints {
            return Ok(Arc::clone(checkpoints));
        }
        let opened = Checkpoints::open(&shared.data, &shared.root, limits(shared.max_file))?;
        Ok(Arc::clone(self.checkpoints.insert(Arc::new(opened))))
    }

    /// Takes a checkpoint. Returns the previous checkpoint and the new one if they differ.
    fn capture(&mut self, shared: &Shared) -> Result<Option<(TreeId, TreeId)>, CheckpointError> {
        let checkpoints = self.open(shared)?;
        if let Some((quota, path)) = self.full.clone() {
            return Err(CheckpointError::Quota { quota, path });
        }
        let mut captured = checkpoints.capture();
        if matches!(captured, Err(CheckpointError::Quota { .. })) {
            let keep: Vec<_> = self
                .last
                .iter()
                .chain(&self.compared)
                .map(|tree| (Time::now(), *tree))
                .collect();
            checkpoints.gc(&keep)?;
            if !keep.is_empty() {
                captured = checkpoints.capture();
            }
        }
        if let Err(CheckpointError::Quota { quota, path }) = &captured {
            // Remember that the store is full. Otherwise the next checkpoint would read all files again in vain.
            self.full = Some((*quota, path.clone()));
        }
        let captured = captured?;
        let now = captured.tree;
        let before = self.last.replace(now);
        self.grown += captured.stored_bytes;
        self.packs += u32::from(captured.stored_bytes > 0);
        if before.is_none() || self.grown > CARE_EVERY || self.packs > MOST_PACKS {
            (self.grown, self.packs) = (0, 0);
            // `care` also starts the file watcher. Without the watcher, each checkpoint lists all folders.
            let mut needed = self.compared.clone();
            needed.push(now);
            spawn_blocking(move || care(&checkpoints, &needed));
        }
        Ok(before.filter(|before| *before != now).map(|before| (before, now)))
    }

    /// Takes a checkpoint. The changes since the last one belong to the oldest command, or else to the oldest job.
    fn advance(&mut self, shared: &Shared) -> Result<(), CheckpointError> {
        let segment = self.capture(shared)?;
        let command = self.running.iter().position(|running| running.job.is_none());
        if let Some(oldest) = self.running.get_mut(command.unwrap_or(0)) {
            oldest.segments.extend(segment);
        }
        Ok(())
    }

    fn keep_last(&mut self, shared: &Arc<Shared>) -> Option<KeptTree> {
        let tree = self.last?;
        self.compared.push(tree);
        Some(KeptTree::new(Arc::clone(shared), tree))
    }

    fn take_of_jobs(&mut self) -> OfJobs {
        let changed = self.running.iter_mut().filter_map(|running| {
            let owner = running.job.clone().filter(|_| !running.segments.is_empty())?;
            Some((owner, std::mem::take(&mut running.segments)))
        });
        changed.collect()
    }
}

impl KeptTree {
    /// Wraps a checkpoint. The caller must have added the checkpoint to `compared`, so that it is not removed.
    fn new(shared: Arc<Shared>, tree: TreeId) -> Self {
        Self { shared, tree }
    }

    /// Takes a new checkpoint and compares it with `self`. `None` if the store cannot be read or written. Blocks.
    pub(crate) fn since(&self) -> Option<Since> {
        let mut ledger = self.shared.ledger();
        ledger.advance(&self.shared).ok()?;
        let checkpoints = ledger.checkpoints.clone()?;
        let now = ledger.keep_last(&self.shared)?;
        drop(ledger);
        let changed = differences(&checkpoints, self.tree, now.tree)?;
        Some(Since { now, changed })
    }

    /// Returns the files that changed between this checkpoint and a later one. Empty on a read error. Blocks.
    pub(crate) fn until(&self, later: &Self) -> Vec<Changed> {
        let checkpoints = self.shared.ledger().checkpoints.clone();
        let changed = checkpoints.and_then(|checkpoints| differences(&checkpoints, self.tree, later.tree));
        changed.unwrap_or_default()
    }

    /// Returns the content of a file of at most `most` bytes. `None` for larger files, for other kinds of files, and on
    /// a read error. Blocks.
    pub(crate) fn bytes(&self, state: Option<FileState>, most: u64) -> Option<Vec<u8>> {
        let Some(FileState {
            kind: Kind::File,
            content: Content::Stored(content),
            size,
            ..
        }) = state
        else {
            return None;
        };
        let checkpoints = self.shared.ledger().checkpoints.clone()?;
        (size <= most).then(|| checkpoints.content(&content).ok()).flatten()
    }

    /// Returns a file descriptor that becomes readable when files change. `None` without a watcher. Blocks.
    pub(crate) fn events(&self) -> Option<OwnedFd> {
        self.shared.ledger().checkpoints.as_ref()?.events()
    }
}

impl Drop for KeptTree {
    fn drop(&mut self) {
        let (shared, tree) = (Arc::clone(&self.shared), self.tree);
        without_blocking(move || {
            let mut ledger = shared.ledger();
            if let Some(at) = ledger.compared.iter().position(|compared| *compared == tree) {
                ledger.compared.swap_remove(at);
            }
        });
    }
}

/// Returns the files that differ between two checkpoints, without ignored files. `None` on a read error.
fn differences(checkpoints: &Checkpoints, before: TreeId, after: TreeId) -> Option<Vec<Changed>> {
    let Compared { mut changed, damaged } = checkpoints.compare(&before, &after);
    changed.retain(|changed| ![changed.before, changed.after].into_iter().flatten().all(is_left_out));
    damaged.is_empty().then_some(changed)
}

/// Runs `work`, which waits for the ledger's lock, on another thread. A running checkpoint holds that lock.
fn without_blocking(work: impl FnOnce() + Send + 'static) {
    match Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn_blocking(work)),
        Err(_) => work(),
    }
}

impl WriteSet for CommandChanges {
    fn write(&self, files: Vec<SetFile>) -> Result<(), NotWritten> {
        let checkpoints = self
            .0
            .ledger()
            .open(&self.0)
            .map_err(|error| not_written(error.into()))?;
        let mode = |mode: u32| u16::try_from(mode).unwrap_or_default();
        let step = |file: SetFile| {
            let path = file.path.strip_prefix(checkpoints.root()).ok()?.to_owned();
            let expected = file.before.map(|image| FileState {
                kind: Kind::File,
                mode: mode(image.mode),
                size: image.bytes.len() as u64,
                content: Content::Stored(ContentId::of(&image.bytes)),
            });
            let wanted = file.after.map_or(Wanted::Absent, |image| Wanted::Bytes {
                bytes: image.bytes.to_vec(),
                mode: mode(image.mode),
            });
            Some(Step { path, expected, wanted })
        };
        let steps: Option<Vec<Step>> = files.into_iter().map(step).collect();
        let steps = steps.ok_or_else(|| NotWritten {
            code: "outside_workspace",
            text: "nothing was written, because a file is outside the folder".to_owned(),
        })?;
        checkpoints.restore(&steps).map(drop).map_err(not_written)
    }
}

fn not_written(error: RestoreError) -> NotWritten {
    let code = match &error {
        RestoreError::Changed { .. } | RestoreError::NotEmpty { .. } | RestoreError::Blocked { .. } => "conflict",
        RestoreError::Io { source, .. } | RestoreError::Interrupted { source, .. } => match source.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => "no_access",
            ErrorKind::StorageFull | ErrorKind::QuotaExceeded => "no_room",
            _ => "io",
        },
        _ => "io",
    };
    NotWritten {
        code,
        text: error.to_string(),
    }
}

fn limits(max_file: u64) -> Limits {
    Limits {
        max_file,
        is_secret: is_secret_path,
        ..Limits::default()
    }
}

/// Starts the file watcher, and removes old checkpoints if the store is large. Only the newest checkpoint and those in
/// `needed` stay, because the log contains the changes of commands.
fn care(checkpoints: &Checkpoints, needed: &[TreeId]) {
    if let Err(error) = checkpoints.watch() {
        tracing::warn!(%error, "the folder cannot be watched");
    }
    let figures = checkpoints.figures();
    if figures.bytes > figures.quota / 2 || figures.packs > MOST_PACKS as usize {
        let keep: Vec<_> = needed.iter().map(|tree| (Time::now(), *tree)).collect();
        if let Err(error) = checkpoints.gc(&keep) {
            tracing::warn!(%error, "old checkpoints cannot be removed");
        }
    }
}

impl Watched {
    /// Takes the checkpoint after a command, and returns the changes of the command.
    ///
    /// A file that contains a secret cannot be restored, because the log must not contain secrets.
    pub(crate) async fn end(self, redactor: Redactor) -> (Vec<AppliedChange>, Option<UndoNotice>) {
        self.end_or_go_on(redactor, None).await.1
    }

    /// Returns the changes of a call, and continues to track the background job that the call has started.
    pub(crate) async fn go_on(self, owner: OwnerJob) -> (Self, Vec<AppliedChange>, Option<UndoNotice>) {
        let (watched, (changes, notice)) = self.end_or_go_on(owner.redactor.clone(), Some(owner)).await;
        (watched, changes, notice)
    }

    async fn end_or_go_on(
        self,
        redactor: Redactor,
        owner: Option<OwnerJob>,
    ) -> (Self, (Vec<AppliedChange>, Option<UndoNotice>)) {
        let (shared, number) = (Arc::clone(&self.shared), self.number);
        let found = spawn_blocking(move || Self::found(&shared, number, owner, &redactor)).await;
        let shared = Arc::clone(&self.shared);
        let why = match found {
            Ok(Ok(Found { changes, not_covered })) => {
                let files = Some(not_covered).filter(|files| !files.is_empty());
                return (self, (changes, files.map(|files| UndoNotice::NotCovered { files })));
            }
            Ok(Err(error)) => error.to_string(),
            Err(broke) => broke.to_string(),
        };
        (self, (Vec::new(), shared.news(NotFound::Failed(why))))
    }

    fn found(
        shared: &Shared,
        number: u64,
        owner: Option<OwnerJob>,
        redactor: &Redactor,
    ) -> Result<Found, CheckpointError> {
        let mut ledger = shared.ledger();
        let segment = ledger.capture(shared);
        let own = ledger.running.iter_mut().find(|running| running.number == number);
        let mut segments = own.map_or_else(Vec::new, |running| {
            running.job = running.job.take().or(owner);
            std::mem::take(&mut running.segments)
        });
        segments.extend(segment?);
        let Some(checkpoints) = ledger.checkpoints.clone() else {
            return Ok(Found::default());
        };
        let mut ignored = std::mem::take(&mut ledger.ignored);
        drop(ledger);
        let found = found(&checkpoints, &segments, redactor, &mut ignored);
        shared.ledger().ignored.extend(ignored);
        Ok(found)
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.shared.running.fetch_sub(1, Ordering::Relaxed);
        let (shared, number) = (Arc::clone(&self.shared), self.number);
        without_blocking(move || shared.ledger().running.retain(|running| running.number != number));
    }
}

fn found(
    checkpoints: &Checkpoints,
    segments: &[(TreeId, TreeId)],
    redactor: &Redactor,
    ignored: &mut HashSet<PathBuf>,
) -> Found {
    let mut found = Found::default();
    let mut files: BTreeMap<PathBuf, (Option<FileState>, Option<FileState>)> = BTreeMap::new();
    for (before, after) in segments {
        let Compared { changed, damaged } = checkpoints.compare(before, after);
        let damaged = damaged
            .into_iter()
            .map(|(folder, _)| folder.to_string_lossy().into_owned());
        found
            .not_covered
            .extend(damaged.map(|folder| (folder, NotUndone::NotKept)));
        for Changed { path, before, after } in changed {
            let known = files.entry(path).or_insert((before, after));
            known.1 = after;
        }
    }
    let losses = ignored_losses(&files, ignored).into_iter();
    found.not_covered.extend(losses.map(|path| (path, NotUndone::NotKept)));
    let mut bytes = 0;
    for (path, (before, after)) in files {
        if before == after || [before, after].into_iter().flatten().all(is_left_out) {
            continue;
        }
        let shown = path.to_string_lossy().into_owned();
        bytes += [before, after].iter().flatten().map(|state| state.size).sum::<u64>();
        let is_full = found.changes.len() >= MOST_FILES || bytes > MOST_BYTES;
        let change = match path.to_str() {
            Some(_) if !is_full => change(checkpoints, &shown, before, after),
            _ => Err(NotUndone::NotKept),
        };
        let holds_key = |bytes: &Option<Arc<[u8]>>| {
            let text = bytes.as_deref().map(String::from_utf8_lossy);
            text.is_some_and(|text| redactor.text(&text) != text)
        };
        match change {
            Ok(change) if holds_key(&change.before) || holds_key(&change.after) => {
                found.not_covered.push((shown, NotUndone::HoldsKey));
            }
            Ok(change) => found.changes.push(change),
            Err(why) => found.not_covered.push((shown, why)),
        }
    }
    found
}

/// Returns the ignored files that a command changed or removed for the first time in this session, and adds them to
/// `known`. The old contents of these files are not saved.
///
/// A removed folder is listed in place of its files. After more than `MOST_IGNORED` changes, as in a build, only
/// removed folders are listed.
fn ignored_losses(
    files: &BTreeMap<PathBuf, (Option<FileState>, Option<FileState>)>,
    known: &mut HashSet<PathBuf>,
) -> Vec<String> {
    let is_removed_folder = |path: &Path| {
        let state = files.get(path);
        state.is_some_and(|(before, after)| before.is_some_and(|was| was.kind == Kind::Folder) && after.is_none())
    };
    let mut lost: BTreeSet<&Path> = BTreeSet::new();
    for (path, (before, after)) in files {
        let is_ignored = |state: FileState| is_left_out(state) && state.content != Content::Folder;
        let is_new = before != after
            && before.or(*after).is_some_and(is_ignored)
            && known.len() < MOST_KNOWN
            && known.insert(path.clone());
        // Ignore changes of folders. The stamp of a folder with unlisted files also changes when a file is added.
        let is_loss = before != after && (after.is_none() || before.is_some_and(|was| was.kind != Kind::Folder));
        if is_new && before.is_some() && is_loss {
            let top = path.ancestors().filter(|folder| is_removed_folder(folder)).last();
            lost.insert(top.unwrap_or(path));
        }
    }
    if lost.len() > MOST_IGNORED {
        lost.retain(|path| is_removed_folder(path));
    }
    let names = lost.into_iter().take(MOST_IGNORED);
    names.map(|path| path.to_string_lossy().into_owned()).collect()
}

/// Whether a path is omitted from the changes. Folders are omitted because their files are listed, and ignored files
/// because they cannot be restored.
fn is_left_out(state: FileState) -> bool {
    let is_ignored = matches!(
        state.content,
        Content::NotCovered {
            why: NotCovered::Ignored | NotCovered::TooMany,
            ..
        }
    );
    state.kind == Kind::Folder || is_ignored
}

fn change(
    checkpoints: &Checkpoints,
    path: &str,
    before: Option<FileState>,
    after: Option<FileState>,
) -> Result<AppliedChange, NotUndone> {
    let side = |state: Option<FileState>| match state {
        None => Ok(None),
        Some(FileState {
            kind: Kind::File,
            content: Content::Stored(content),
            ..
        }) => match checkpoints.content(&content) {
            Ok(bytes) => Ok(Some(Arc::<[u8]>::from(bytes))),
            Err(_) => Err(NotUndone::NotKept),
        },
        Some(_) => Err(NotUndone::NotKept),
    };
    let (was, is) = (side(before)?, side(after)?);
    let mode = |state: Option<FileState>| state.map(|state| u32::from(state.mode));
    Ok(AppliedChange {
        mode_before: mode(before).filter(|before| mode(after) != Some(*before)),
        ..bodies::change(path.to_owned(), was, is)
    })
}

#[cfg(test)]
mod tests;
