//! `/watch`: tells the model which files other programs have changed, and sends comments that address the model.
//!
//! Comments start a turn only if no turn and no background job of the session has run since the previous scan.
//! Otherwise the session may have written the comments itself, and could start its own turns without end. A program
//! that outlives its call may also write comments, so the number of such turns in succession is limited.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::{JoinSet, spawn_blocking};
use tokio::time::{sleep, timeout};

use super::Seat;
use crate::engine::{Engine, Line};
use crate::seat::calls::command_changes::{KeptTree, Since};
use benchdog_base::id::{BlobId, EntryId};
use benchdog_checkpoints::{Changed, Content, FileState, NotCovered};
use benchdog_context::watching;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::folder::Head;
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_domain::watch::{AiComment, NotWatched, Request, WatchNotice, ai_comments};
use benchdog_files::git;
use benchdog_files::watch::Queued;
use benchdog_protocol::{Answer, Delivery};

/// Time without further changes after which a scan begins. An editor causes several changes when it saves a file.
const GATHER: Duration = Duration::from_millis(300);

/// Time after which a scan begins even if files keep changing.
const LONGEST_GATHER: Duration = Duration::from_secs(5);

/// Minimum time between two scans, because builds write files continuously.
const PAUSE: Duration = Duration::from_secs(1);

/// Maximum time that a prompt waits for the note about changes.
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum number of changed files that one scan searches for comments. A person saves fewer files at once, but a
/// checkout may change more.
const MOST_FILES: usize = 20;

/// Maximum size in bytes of a file that is searched for comments.
const MOST_BYTES: u64 = 256 << 10;

/// Maximum number of comments in one prompt.
const MOST_COMMENTS: usize = 20;

/// Maximum number of consecutive turns that comments start without a prompt of the person in between.
const MOST_TURNS: u32 = 10;

/// Maximum time that a scan waits for git to write its files.
const GIT_PATIENCE: Duration = Duration::from_secs(10);

/// Interval between two checks of whether git has finished.
const GIT_PAUSE: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) enum Watch {
    #[default]
    Off,
    Starting,
    On(Box<Watching>),
}

pub(super) struct Watching {
    /// The last log entry when watching began. Only later entries are searched for changes by the session.
    began: EntryId,
    /// The state of the files that the model knows.
    model_state: Arc<KeptTree>,
    /// The state of the files at the last scan for comments. `head` is the position of `HEAD` at the same time.
    scan_state: Arc<KeptTree>,
    head: Option<Head>,
    /// The activity of the session at the last scan for comments.
    activity: Activity,
    /// Number of turns that comments have started since the last prompt of the person.
    turns: u32,
    /// The note in a prompt that is not logged yet.
    pending_note: Option<OutsideChanges>,
    look: Look,
    /// The task that waits for changes. It ends when this set is dropped.
    _wake: JoinSet<()>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    NotDue,
    Due,
    Running { is_due: bool, began: Activity },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Activity {
    last_entry: EntryId,
    has_jobs: bool,
}

/// A note about changed files, and the state of these files.
pub(crate) struct OutsideChanges {
    pub(in crate::seat) text: String,
    now: KeptTree,
}

pub(crate) enum WatchReport {
    Start(Result<KeptTree, NotWatched>),
    Change,
    /// The result of a scan for comments. `None` if the store cannot be read or written.
    Scan(Option<CommentScan>),
}

pub(crate) struct CommentScan {
    now: KeptTree,
    head: Option<Head>,
    is_watched: bool,
    requests: Vec<(String, AiComment)>,
    context: Vec<(String, AiComment)>,
    skipped: usize,
}

/// The newest change of each file by calls of the session: the new content, or `None` if the file was removed.
type OwnChanges = BTreeMap<String, Option<BlobId>>;

impl Watch {
    /// Records that the model knows about changes, if this entry contains the note about them.
    pub(super) fn logged(&mut self, entry: &Entry) {
        if let (Self::On(watching), Body::User { notes, .. }) = (&mut *self, &entry.body)
            && let Some(pending_note) = watching.pending_note.take()
            && notes.contains(&Note::from(pending_note.text))
        {
            watching.model_state = Arc::new(pending_note.now);
        }
    }

    pub(super) fn expect(&mut self, outside: OutsideChanges) {
        if let Self::On(watching) = self {
            watching.pending_note = Some(outside);
        }
    }
}

impl Seat {
    pub(crate) fn is_watching(&self) -> bool {
        !matches!(self.watch, Watch::Off)
    }

    /// Turns watching on or off, or sends the state.
    pub(crate) async fn switch_watch(&mut self, engine: &Engine, to: Option<Switched>) {
        match (to, &self.watch) {
            (Some(Switched::On), Watch::Off) => {
                self.watch = Watch::Starting;
                let changes = engine.at(self.folder()).command_changes.clone();
                let line = engine.line(self.id);
                tokio::spawn(async move {
                    let began = changes.watch().await;
                    line.watched(WatchReport::Start(began)).await;
                });
                return;
            }
            (Some(Switched::Off), _) => self.watch = Watch::Off,
            // The answer follows when watching has started or failed.
            (Some(Switched::On) | None, Watch::Starting) => return,
            (Some(Switched::On) | None, _) => {}
        }
        let state = match self.watch {
            Watch::On(_) => Switched::On,
            Watch::Off | Watch::Starting => Switched::Off,
        };
        engine.answer(self.id, Answer::Watching(Ok(state))).await;
    }

    pub(crate) async fn on_watch(&mut self, engine: &mut Engine, report: WatchReport) {
        match (report, &mut self.watch) {
            (WatchReport::Start(began), Watch::Starting) => self.begin_watch(engine, began).await,
            (WatchReport::Change, Watch::On(watching)) => {
                watching.look = match watching.look {
                    Look::NotDue | Look::Due => Look::Due,
                    Look::Running { began, .. } => Look::Running { is_due: true, began },
                };
                self.look_for_comments(engine);
            }
            (WatchReport::Scan(scan), Watch::On(_)) => self.on_scan(engine, scan).await,
            // Watching was turned off in the meantime.
            _ => {}
        }
    }

    async fn begin_watch(&mut self, engine: &Engine, began: Result<KeptTree, NotWatched>) {
        let tree = match began {
            Ok(tree) => Arc::new(tree),
            Err(why) => {
                self.watch = Watch::Off;
                return engine.answer(self.id, Answer::Watching(Err(why))).await;
            }
        };
        let mut wake = JoinSet::new();
        wake.spawn(wake_on_changes(Arc::clone(&tree), engine.line(self.id)));
        let root = engine.at(self.folder()).root().to_owned();
        let activity = self.activity();
        self.watch = Watch::On(Box::new(Watching {
            began: self.log.history().last_entry(),
            model_state: Arc::clone(&tree),
            scan_state: tree,
            head: spawn_blocking(move || git::head(&root)).await.ok().flatten(),
            activity,
            turns: 0,
            pending_note: None,
            look: Look::NotDue,
            _wake: wake,
        }));
        engine.answer(self.id, Answer::Watching(Ok(Switched::On))).await;
    }

    async fn end_watch(&mut self, engine: &Engine) {
        self.watch = Watch::Off;
        engine.notice(self.id, Notice::Watch(WatchNotice::Ended)).await;
    }

    /// Requests a scan at the end of a turn. Later changes are thus not mistaken for changes during the turn.
    pub(super) fn look_after_turn(&mut self, engine: &Engine) {
        if let Watch::On(watching) = &mut self.watch {
            watching.look = match watching.look {
                Look::NotDue | Look::Due => Look::Due,
                Look::Running { began, .. } => Look::Running { is_due: true, began },
            };
        }
        self.look_for_comments(engine);
    }

    pub(crate) fn note_prompt_of_person(&mut self) {
        if let Watch::On(watching) = &mut self.watch {
            watching.turns = 0;
        }
    }

    fn activity(&self) -> Activity {
        Activity {
            last_entry: self.log.history().last_entry(),
            has_jobs: self.background.jobs.any_runs(),
        }
    }

    /// Whether a call, another part of a turn, or a background job has run since a scan.
    fn was_active_since(&self, before: Activity) -> bool {
        let entries = self.log.history().entries().iter().rev();
        let mut newer = entries.take_while(|entry| entry.id > before.last_entry);
        before.has_jobs || self.background.jobs.any_runs() || newer.any(|entry| is_activity(&entry.body))
    }

    /// Starts a scan for comments if one is due, unless a turn is running.
    pub(super) fn look_for_comments(&mut self, engine: &Engine) {
        if self.is_busy() {
            return;
        }
        let (own, edits, began) = (self.own_changes(), self.own_edits(), self.activity());
        let root = engine.at(self.folder()).root().to_owned();
        let Watch::On(watching) = &mut self.watch else { return };
        if watching.look != Look::Due {
            return;
        }
        watching.look = Look::Running { is_due: false, began };
        let (scan_state, model_state, head) = (
            Arc::clone(&watching.scan_state),
            Arc::clone(&watching.model_state),
            watching.head.clone(),
        );
        let line = engine.line(self.id);
        tokio::spawn(async move {
            let look = move || look((&root, head.as_ref()), &scan_state, &model_state, (&own, &edits));
            let scan = spawn_blocking(look).await.ok().flatten();
            line.watched(WatchReport::Scan(scan)).await;
        });
    }

    async fn on_scan(&mut self, engine: &mut Engine, scan: Option<CommentScan>) {
        let is_busy = self.is_busy();
        let Watch::On(watching) = &self.watch else { return };
        let Look::Running { is_due, began } = watching.look else {
            return;
        };
        let was_active = began.has_jobs || self.was_active_since(watching.activity);
        let Watch::On(watching) = &mut self.watch else { return };
        watching.look = if is_due || is_busy { Look::Due } else { Look::NotDue };
        let Some(scan) = scan else {
            return self.end_watch(engine).await;
        };
        if is_busy {
            // The running turn may have changed files since the scan. Scan again at the end of the turn.
            return;
        }
        watching.scan_state = Arc::new(scan.now);
        watching.head = scan.head;
        watching.activity = began;
        if scan.skipped > 0 {
            let files = scan.skipped;
            let notice = Notice::Watch(WatchNotice::NotRead { files });
            engine.notice(self.id, notice).await;
        }
        if !scan.is_watched {
            self.end_watch(engine).await;
        }
        match was_active && !scan.requests.is_empty() {
            true => {
                let files: BTreeSet<&String> = scan.requests.iter().map(|(path, _)| path).collect();
                let notice = WatchNotice::MaybeOwn { files: files.len() };
                engine.notice(self.id, Notice::Watch(notice)).await;
            }
            false => self.send_comments(engine, scan.requests, scan.context).await,
        }
        self.look_for_comments(engine);
    }

    async fn send_comments(
        &mut self,
        engine: &mut Engine,
        requests: Vec<(String, AiComment)>,
        context: Vec<(String, AiComment)>,
    ) {
        let Some((path, first)) = requests.first() else { return };
        let Watch::On(watching) = &mut self.watch else { return };
        if watching.turns >= MOST_TURNS {
            let notice = WatchNotice::ManyTurns { turns: MOST_TURNS };
            return engine.notice(self.id, Notice::Watch(notice)).await;
        }
        watching.turns += 1;
        let notice = WatchNotice::Sent {
            path: path.clone(),
            line: first.line,
            more: requests.len() - 1,
        };
        let text = self
            .redactor(engine)
            .text(&watching::prompt(&requests, &context))
            .into_owned();
        engine.notice(self.id, Notice::Watch(notice)).await;
        // The comments were not typed at the prompt, so an `@` in them is no mention.
        self.note_pasted(&text, std::iter::once(0..text.len()).collect());
        self.prompt(engine, text, Delivery::Queue).await;
    }

    /// Returns the changes that calls of this session have made since watching began. Excludes changes during
    /// background jobs, because a person may have made them.
    fn own_changes(&self) -> OwnChanges {
        let Watch::On(watching) = &self.watch else {
            return OwnChanges::new();
        };
        let entries = self.log.history().entries().iter();
        let own = entries.filter_map(|entry| match &entry.body {
            Body::Change {
                path, after, job: None, ..
            } if entry.id > watching.began => Some((path.clone(), after.clone())),
            _ => None,
        });
        own.collect()
    }

    /// Returns `own_changes` without changes during commands, when a person may have saved a file.
    fn own_edits(&self) -> OwnChanges {
        let Watch::On(watching) = &self.watch else {
            return OwnChanges::new();
        };
        let entries = self.log.history().entries().iter();
        let mut edited = BTreeSet::new();
        let mut own = OwnChanges::new();
        for entry in entries.filter(|entry| entry.id > watching.began) {
            match &entry.body {
                // Only file tools state their files before they start.
                Body::CallStarted { call, files, .. } if !files.is_empty() => drop(edited.insert(call)),
                Body::Change { call, path, after, .. } if edited.contains(call) => {
                    own.insert(path.clone(), after.clone());
                }
                _ => {}
            }
        }
        own
    }

    /// Returns a future that reads the changes for the note in a prompt. `None` if watching is off.
    pub(super) fn outside_changes(&self) -> Option<impl Future<Output = Option<OutsideChanges>> + Send + use<>> {
        let Watch::On(watching) = &self.watch else { return None };
        let (model_state, own) = (Arc::clone(&watching.model_state), self.own_changes());
        Some(async move {
            let read = spawn_blocking(move || {
                let Since { now, changed } = model_state.since()?;
                let names: Vec<String> = foreign_changes(&changed, &own)
                    .map(|changed| shown(&changed.path))
                    .collect();
                let text = watching::note(&names)?;
                Some(OutsideChanges { text, now })
            });
            timeout(PATIENCE, read).await.ok()?.ok()?
        })
    }
}

/// Reports changes until the future is dropped. Does not poll.
async fn wake_on_changes(tree: Arc<KeptTree>, line: Line) {
    let events = spawn_blocking(move || tree.events()).await.ok().flatten();
    let Some(Ok(events)) = events.map(Queued::of) else {
        // The next scan reports why the folder cannot be watched.
        return line.watched(WatchReport::Change).await;
    };
    while events.more().await.is_ok() {
        let all = async { while let Ok(Ok(())) = timeout(GATHER, events.more()).await {} };
        let _ = timeout(LONGEST_GATHER, all).await;
        line.watched(WatchReport::Change).await;
        sleep(PAUSE).await;
    }
}

fn is_activity(body: &Body) -> bool {
    matches!(
        body,
        Body::User { .. }
            | Body::Assistant { .. }
            | Body::CallStarted { .. }
            | Body::CallEnded { .. }
            | Body::ToolResult { .. }
            | Body::Change { .. }
            | Body::Validation { .. }
            | Body::Shell { .. }
            | Body::Child(_)
            | Body::Retried
            | Body::TurnEnded { .. }
    )
}

/// Waits while git changes files. Blocks the calling thread.
fn wait_for_git(root: &Path) {
    let Some(lock) = git::index_lock(root) else { return };
    let until = Instant::now() + GIT_PATIENCE;
    while lock.exists() && Instant::now() < until {
        std::thread::sleep(GIT_PAUSE);
    }
}

fn look(
    (root, head_before): (&Path, Option<&Head>),
    scan_state: &KeptTree,
    model_state: &KeptTree,
    (own, edits): (&OwnChanges, &OwnChanges),
) -> Option<CommentScan> {
    wait_for_git(root);
    let Since { now, changed } = scan_state.since()?;
    let head = git::head(root);
    let is_watched = now.events().is_some();
    let files: Vec<&Changed> = foreign_changes(&changed, edits)
        .filter(|changed| changed.after.is_some())
        .collect();
    let (mut requests, mut context, mut skipped) = (Vec::new(), Vec::new(), 0);
    if files.len() > MOST_FILES {
        skipped = files.len();
    } else {
        for changed in files {
            let new = new_requests(&now, changed);
            let is_of_git = || git::is_stored(&root.join(&changed.path), content(&now, changed.after));
            match !new.is_empty() && is_of_git() {
                true => skipped += 1,
                false => requests.extend(new),
            }
        }
        requests.truncate(MOST_COMMENTS);
    }
    if !requests.is_empty() && head.as_ref() != head_before {
        // Git has moved `HEAD`. A checkout or a pull has thus changed these files, not a person.
        let files: BTreeSet<String> = requests.drain(..).map(|(path, _)| path).collect();
        skipped += files.len();
    }
    if !requests.is_empty() {
        let changed = model_state.until(&now);
        let files = foreign_changes(&changed, own).take(MOST_FILES);
        let comments = files.flat_map(|changed| comments(&now, &changed.path, changed.after));
        context = comments
            .filter(|(_, comment)| comment.request == Request::Nothing)
            .take(MOST_COMMENTS)
            .collect();
    }
    Some(CommentScan {
        now,
        head,
        is_watched,
        requests,
        context,
        skipped,
    })
}

/// Returns the comments for the model that are new in the file. A comment that only moved is not new.
fn new_requests(tree: &KeptTree, changed: &Changed) -> Vec<(String, AiComment)> {
    let before = comments(tree, &changed.path, changed.before);
    let is_new = |comment: &AiComment| {
        comment.request != Request::Nothing && !before.iter().any(|(_, known)| known.text == comment.text)
    };
    let mut now = comments(tree, &changed.path, changed.after);
    now.retain(|(_, comment)| is_new(comment));
    now
}

fn comments(tree: &KeptTree, path: &Path, state: Option<FileState>) -> Vec<(String, AiComment)> {
    let Ok(text) = String::from_utf8(content(tree, state)) else {
        return Vec::new();
    };
    let found = ai_comments(path, &text);
    let path = shown(path);
    found.into_iter().map(|comment| (path.clone(), comment)).collect()
}

fn content(tree: &KeptTree, state: Option<FileState>) -> Vec<u8> {
    tree.bytes(state, MOST_BYTES).unwrap_or_default()
}

/// Returns the changes that no call of the session has made. Omits files that contain secrets.
fn foreign_changes<'c>(changed: &'c [Changed], own: &'c OwnChanges) -> impl Iterator<Item = &'c Changed> {
    changed.iter().filter(|changed| {
        let is_own = own.get(&shown(&changed.path)).is_some_and(|after| match changed.after {
            Some(FileState {
                content: Content::Stored(content),
                ..
            }) => after.as_ref().is_some_and(|after| after.0 == content.to_string()),
            // The content in the checkpoint is unknown.
            Some(_) => after.is_some(),
            None => after.is_none(),
        });
        !is_own && ![changed.before, changed.after].into_iter().flatten().any(is_secret)
    })
}

fn is_secret(state: FileState) -> bool {
    matches!(
        state.content,
        Content::NotCovered {
            why: NotCovered::Secret,
            ..
        }
    )
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
