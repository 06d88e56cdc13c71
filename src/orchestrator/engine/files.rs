//! Lists and searches files for panes and completion, while turns are running.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;

use super::{Engine, FolderId, Line, Report};
use benchdog_base::id::{BlobId, SeatId, SessionId};
use benchdog_diff::counts;
use benchdog_domain::comparison::Counted;
use benchdog_domain::image::ImageKind;
use benchdog_domain::review::{FileChange, FileNote, FileOperation};
use benchdog_domain::view::{NoText, Viewed};
use benchdog_files::git;
use benchdog_files::index::FileIndex;
use benchdog_files::walker;
use benchdog_files::watch::Watch;
use benchdog_protocol::{Answer, Event, FoundResources, TreeLeft};
use benchdog_security::workspace::Workspace;

/// Delay before folders are listed again, so that several file changes cause one listing.
const GATHER: Duration = Duration::from_millis(200);

/// Pause between two listings of a folder. Builds write files continuously, and each `git status` starts a process.
const PAUSE: Duration = Duration::from_millis(1_000);

/// Maximum number of matches of the tree filter, not counting parent folders.
const LEFT: usize = 200;

/// Maximum time in which a search is repeated while the index is being built. A million names take some seconds.
const READING: Duration = Duration::from_secs(120);

/// Pause between two repetitions of a search.
const AGAIN: Duration = Duration::from_millis(250);

const VIEW_BYTES: u64 = 4 * 1024 * 1024;

impl Engine {
    /// Lists a folder now, and again after each change in the folder.
    pub(super) fn list_folder(&mut self, (seat, of): (SeatId, FolderId), path: String) {
        if self.at(of).watch.is_none() {
            self.watch_folders(of);
        }
        let folder = self.at(of);
        let (index, line, watch) = (folder.index.clone(), self.line(seat), folder.watch.clone());
        tokio::task::spawn_blocking(move || {
            // Watch the folder before reading it, so that no change is missed. If it cannot be watched, it is listed
            // only when the person opens it.
            if let Some(Err(error)) = watch.map(|watch| watch.add(&path)) {
                tracing::debug!(code = error.raw_os_error(), "a folder is not watched");
            }
            tell_folder(&index, &line, path);
        });
    }

    pub(super) fn forget_marks(&self, of: FolderId) {
        self.at(of).index.forget_marks();
    }

    pub(super) fn list_again(&self, (seat, of): (SeatId, FolderId), paths: BTreeSet<String>) {
        let (index, line) = (self.at(of).index.clone(), self.line(seat));
        tokio::task::spawn_blocking(move || {
            for path in paths {
                tell_folder(&index, &line, path);
            }
        });
    }

    fn watch_folders(&mut self, of: FolderId) {
        let Ok(watch) = Watch::of(self.at(of).root()).map(Arc::new) else {
            return;
        };
        let reports = self.reports();
        let folder = self.folders.get_mut(of);
        folder.watch = Some(Arc::clone(&watch));
        folder.listener.spawn(async move {
            while let Ok(mut paths) = watch.changed().await {
                tokio::time::sleep(GATHER).await;
                if let Ok(Ok(more)) = tokio::time::timeout(Duration::ZERO, watch.changed()).await {
                    paths.extend(more);
                }
                if reports.send(Report::FoldersChanged { of, paths }).await.is_err() {
                    return;
                }
                tokio::time::sleep(PAUSE).await;
            }
        });
    }

    /// Finds files for an `@` mention. Replaces the search in `lookup`.
    pub(super) fn find_files(
        &self,
        (seat, of): (SeatId, FolderId),
        (query, limit): (String, usize),
        resources: FoundResources,
        lookup: &mut JoinSet<()>,
    ) {
        let (index, line) = (self.at(of).index.clone(), self.line(seat));
        repeat_while_reading(lookup, move || {
            let (paths, scanning) = index.find(&query, limit);
            line.tell_blocking(Answer::Found {
                query: query.clone(),
                paths,
                resources: resources.clone(),
                scanning,
            });
            scanning
        });
    }

    /// Searches the file tree. Replaces the search in `lookup`.
    pub(super) fn filter_tree(&self, (seat, of): (SeatId, FolderId), query: String, lookup: &mut JoinSet<()>) {
        let (index, line) = (self.at(of).index.clone(), self.line(seat));
        repeat_while_reading(lookup, move || {
            let (items, all, scanning) = index.narrowed(&query, LEFT);
            let query = query.clone();
            line.tell_blocking(Answer::Tree(TreeLeft {
                query,
                items,
                all,
                scanning,
            }));
            scanning
        });
    }

    pub(super) fn open_file(&self, (seat, of): (SeatId, FolderId), path: String) {
        let workspace = Arc::clone(&self.at(of).workspace);
        let line = self.line(seat);
        self.at(of).index.touch(&path);
        tokio::task::spawn_blocking(move || {
            let text = workspace
                .resolve(&path)
                .and_then(|found| found.read(VIEW_BYTES))
                .map(|bytes| viewed(&bytes))
                .map_err(|error| error.to_string());
            line.tell_blocking(Answer::File { path, text });
        });
    }

    /// Runs `git diff`, but no external diff programs that the repository configures.
    pub(super) fn diff(&self, (seat, of): (SeatId, FolderId), named: String) {
        let workspace = Arc::clone(&self.at(of).workspace);
        let line = self.line(seat);
        tokio::task::spawn_blocking(move || {
            line.tell_blocking(Answer::Differs(git::compare(workspace.root(), named.trim())));
        });
    }

    pub(super) fn compare(&self, of: (SeatId, FolderId), session: SessionId, files: Vec<(String, Option<BlobId>)>) {
        let answer = |workspace: &Workspace, then: Vec<Before>| {
            let changes = then.into_iter().filter_map(|before| compared(workspace, before));
            Answer::Compared(changes.collect())
        };
        self.against(of, session, files, Arc::new(answer));
    }

    /// Counts the changed lines of files, and watches the folders of these files from then on.
    pub(super) fn count_changes(
        &mut self,
        of: (SeatId, FolderId),
        session: SessionId,
        number: u64,
        files: Vec<(String, Option<BlobId>)>,
    ) {
        if self.at(of.1).watch.is_none() {
            self.watch_folders(of.1);
        }
        if let Some(watch) = &self.at(of.1).watch {
            let folders = files.iter().filter_map(|(path, _)| path.rsplit_once('/'));
            let folders: BTreeSet<&str> = folders.map(|(folder, _)| folder).collect();
            folders.into_iter().for_each(|folder| watch.add_beside(folder));
        }
        let watch = self.at(of.1).watch.clone();
        let answer = move |workspace: &Workspace, then: Vec<Before>| {
            let files = then.into_iter().filter_map(|before| {
                let lies_at = lies_at(workspace, &before.path);
                // Watch the resolved path of a symbolic link, because changes happen there.
                if let (Some(watch), Some((folder, _))) =
                    (&watch, lies_at.as_deref().and_then(|at| at.rsplit_once('/')))
                {
                    watch.add_beside(folder);
                }
                counted(workspace, before, lies_at)
            });
            Answer::Counted {
                number,
                files: files.collect(),
            }
        };
        self.against(of, session, files, Arc::new(answer));
    }

    pub(super) fn against(
        &self,
        (seat, of): (SeatId, FolderId),
        session: SessionId,
        files: Vec<(String, Option<BlobId>)>,
        answer: Answering,
    ) {
        let (workspace, storage) = (Arc::clone(&self.at(of).workspace), self.setup.storage.clone());
        let line = self.line(seat);
        tokio::spawn(async move {
            let mut then = Vec::with_capacity(files.len());
            for (path, blob) in &files {
                let bytes = match blob {
                    None => Ok(None),
                    Some(blob) => storage.blob(&session, blob).await,
                };
                then.push(Before {
                    path: path.clone(),
                    blob: blob.clone(),
                    bytes: bytes.map_err(|error| error.to_string()),
                });
            }
            let (there, answering) = (Arc::clone(&workspace), Arc::clone(&answer));
            let work = tokio::task::spawn_blocking(move || answering(&there, then)).await;
            let answered = work.unwrap_or_else(|broke| {
                let unknown = |(path, blob)| Before {
                    path,
                    blob,
                    bytes: Err(broke.to_string()),
                };
                answer(&workspace, files.into_iter().map(unknown).collect())
            });
            line.tell(Event::Answer(answered)).await;
        });
    }
}

pub(super) type Answering = Arc<dyn Fn(&Workspace, Vec<Before>) -> Answer + Send + Sync>;

pub(super) struct Before {
    path: String,
    blob: Option<BlobId>,
    pub(super) bytes: Result<Option<Vec<u8>>, String>,
}

/// Returns the content for the viewer. Detects images by their content. Treats a file with a zero byte as binary.
fn viewed(bytes: &[u8]) -> Viewed {
    let size = bytes.len() as u64;
    match ImageKind::of(bytes) {
        Some(kind) => Viewed::NoText(NoText::Image {
            kind,
            sides: kind.sides(bytes),
            bytes: size,
        }),
        None if bytes.contains(&0) => Viewed::NoText(NoText::Bytes { bytes: size }),
        None => Viewed::Text(String::from_utf8_lossy(bytes).into()),
    }
}

/// Stops the search in `lookup` and starts a new one. Repeats `look` while it returns `true`, which means that the
/// index is still being built.
fn repeat_while_reading(lookup: &mut JoinSet<()>, look: impl Fn() -> bool + Send + Sync + 'static) {
    let look = Arc::new(look);
    *lookup = JoinSet::new();
    lookup.spawn(async move {
        let repeated = async {
            loop {
                let look = Arc::clone(&look);
                let scanning = tokio::task::spawn_blocking(move || look()).await;
                if !scanning.unwrap_or_default() {
                    return;
                }
                tokio::time::sleep(AGAIN).await;
            }
        };
        let _ = tokio::time::timeout(READING, repeated).await;
    });
}

/// Sends the listing of a folder. If the folder was deleted, sends an empty listing. The next listing of its parent
/// then omits the folder.
fn tell_folder(index: &FileIndex, line: &Line, path: String) {
    let items = index.folder(&path).unwrap_or_default();
    line.tell_blocking(Answer::Folder { path, items });
}

fn compared(workspace: &Workspace, Before { path, bytes, .. }: Before) -> Option<FileChange> {
    let sides = bytes.and_then(|before| Ok((before, now(workspace, &path)?)));
    let (before, after, note) = match sides {
        Ok((before, after)) => (before, after, None),
        Err(why) => (None, None, Some(why)),
    };
    if note.is_none() && before == after {
        return None;
    }
    let operation = match (&before, &after) {
        (None, Some(_)) => FileOperation::Create,
        (Some(_), None) => FileOperation::Delete,
        (Some(_), Some(_)) | (None, None) => FileOperation::Update,
    };
    Some(FileChange {
        path,
        operation,
        before: before.map(Into::into),
        after: after.map(Into::into),
        mode_after: None,
        note: note.map(FileNote::Words),
    })
}

fn lies_at(workspace: &Workspace, path: &str) -> Option<String> {
    let absolute = workspace.resolve(path).ok()?.absolute();
    let inside = walker::shown(absolute.strip_prefix(workspace.root()).ok()?);
    (inside != path).then_some(inside)
}

fn counted(workspace: &Workspace, Before { path, blob, bytes }: Before, lies_at: Option<String>) -> Option<Counted> {
    let (before, now) = (bytes.ok()?, now(workspace, &path).ok()?);
    let (added, removed) = counts(
        before.as_deref().unwrap_or_default(),
        now.as_deref().unwrap_or_default(),
    );
    Some(Counted {
        path,
        before: blob,
        added,
        removed,
        is_there: now.is_some(),
        lies_at,
    })
}

fn now(workspace: &Workspace, path: &str) -> Result<Option<Vec<u8>>, String> {
    match workspace.resolve(path).and_then(|found| found.read(VIEW_BYTES)) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.code == "not_found" => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}
