//! One language server, from its start to its end.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::future::join_all;
use globset::{GlobBuilder, GlobMatcher};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::pipe;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use super::client::{Client, Fault, WaitOutcome, read_text};
use super::compare::Snapshot;
use super::diagnostics::{Baseline, Diagnostic, FileDiagnostics};
use super::documents::Documents;
use super::limits::{CATCH_UP, MOST_CRASHES, MOST_OPEN};
use super::position::Unit;
use super::{
    Definition, FileEdit, Host, Listing, LocatedDiagnostic, NoAnswer, Notices, Place, QueryError, Question, Report,
    ServerProcess, Starter, Symbol, before_deadline, deadline_in, is_reported, start_trouble, uri, wire,
};
use benchdog_base::ring::Ends;
use benchdog_domain::language::LanguageNotice;
use benchdog_domain::server::ServerTrouble;

const START_TIMEOUT: Duration = Duration::from_mins(1);
/// Maximum wait for the diagnostics of a file that was opened in the background.
const BACKGROUND_WAIT: Duration = Duration::from_secs(30);
/// Maximum wait for the exit after the server has closed its output.
const EXIT_TIMEOUT: Duration = Duration::from_millis(500);
/// Maximum wait for a server whose last answer was late.
const SHORT_WAIT: Duration = Duration::from_millis(100);

/// Maximum size of the stored stderr in bytes. `SHOWN` is the maximum width of the last line in errors, in display
/// columns.
const MOST_STDERR: usize = 4 << 10;
const SHOWN: usize = 300;

pub(crate) struct Server {
    definition: Definition,
    files: Vec<(GlobMatcher, bool)>,
    stage: watch::Sender<Stage>,
    crashes: AtomicU32,
    /// Whether the server's answer is late. Until the answer arrives, waits are short.
    is_behind: AtomicBool,
    /// Whether a background task waits for the late answer.
    is_catching_up: AtomicBool,
    tasks: Mutex<JoinSet<()>>,
    /// Files that are queued to be opened in the server.
    opening: Arc<Mutex<BTreeSet<PathBuf>>>,
    notices: Notices,
    /// Whether the user was notified of a problem that the server reported.
    has_told_problem: AtomicBool,
}

#[derive(Clone)]
enum Stage {
    Idle,
    Starting,
    Ready(Arc<Client>),
    /// Contains the reason. `None` if Benchdog is exiting.
    Ended(Option<ServerTrouble>),
}

/// Returns the matcher of a pattern, and whether it matches file names instead of paths.
pub(crate) fn matcher(pattern: &str) -> Result<(GlobMatcher, bool), String> {
    let glob = GlobBuilder::new(pattern)
        .literal_separator(true)
        .empty_alternates(true)
        .build();
    let glob = glob.map_err(|error| error.kind().to_string())?;
    Ok((glob.compile_matcher(), !pattern.contains('/')))
}

impl Server {
    pub(crate) fn new(definition: Definition, notices: Notices) -> Self {
        Self {
            files: definition
                .files
                .iter()
                .filter_map(|pattern| matcher(pattern).ok())
                .collect(),
            definition,
            stage: watch::Sender::new(Stage::Idle),
            crashes: AtomicU32::new(0),
            is_behind: AtomicBool::new(false),
            is_catching_up: AtomicBool::new(false),
            tasks: Mutex::default(),
            opening: Arc::default(),
            notices,
            has_told_problem: AtomicBool::new(false),
        }
    }

    pub(crate) fn definition(&self) -> &Definition {
        &self.definition
    }

    pub(crate) fn serves(&self, path: &Path) -> bool {
        let Ok(inside) = path.strip_prefix(&self.definition.root) else {
            return false;
        };
        let name = Path::new(path.file_name().unwrap_or_default());
        let matches = |(glob, is_name): &(GlobMatcher, bool)| glob.is_match(if *is_name { name } else { inside });
        self.files.iter().any(matches)
    }

    pub(crate) fn end(&self) {
        self.stage.send_replace(Stage::Ended(None));
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).abort_all();
    }

    fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        while tasks.try_join_next().is_some() {}
        tasks.spawn(work);
    }

    // --- start and end ---

    fn start_if_idle(self: &Arc<Self>, start: &Starter) {
        let begins = self.stage.send_if_modified(|stage| {
            let is_idle = matches!(stage, Stage::Idle);
            if is_idle {
                *stage = Stage::Starting;
            }
            is_idle
        });
        if begins {
            let (server, start) = (Arc::downgrade(self), Arc::clone(start));
            let definition = self.definition.clone();
            self.spawn(async move {
                let end = run_to_exit(start(definition.clone()).await, &definition, |client| {
                    if let Some(server) = server.upgrade() {
                        server.stage.send_replace(Stage::Ready(client));
                        server.is_behind.store(false, Ordering::Relaxed);
                    }
                });
                let reason = end.await;
                if let Some(server) = server.upgrade() {
                    server.record_end(reason);
                }
            });
        }
    }

    fn record_end(&self, reason: EndReason) {
        let times = self.crashes.fetch_add(1, Ordering::Relaxed) + 1;
        let (trouble, crashes) = match reason {
            EndReason::NotStarted(trouble) => (trouble, 0),
            EndReason::Ended(_) if times < MOST_CRASHES => {
                self.stage.send_replace(Stage::Idle);
                return;
            }
            EndReason::Ended(trouble) => (trouble, times),
        };
        self.stage.send_replace(Stage::Ended(Some(trouble.clone())));
        self.add_notice(trouble, crashes);
    }

    fn add_notice(&self, trouble: ServerTrouble, crashes: u32) {
        let server = self.definition.name.clone();
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        notices.push(LanguageNotice {
            server,
            trouble,
            crashes,
        });
    }

    /// Notifies the user once of a problem that remains after the server has loaded the project.
    fn tell_problem(&self, client: &Client) {
        let problem = client.problem().filter(|_| !client.is_loading());
        if let Some(words) = problem
            && !self.has_told_problem.swap(true, Ordering::Relaxed)
        {
            self.add_notice(ServerTrouble::Unhealthy { words }, 0);
        }
    }

    /// If the server is no longer used, returns its name and the reason.
    pub(crate) fn end_reason(&self) -> Option<(String, ServerTrouble)> {
        match &*self.stage.borrow() {
            Stage::Ended(Some(trouble)) => Some((self.definition.name.clone(), trouble.clone())),
            Stage::Ended(None) | Stage::Idle | Stage::Starting | Stage::Ready(_) => None,
        }
    }

    async fn wait_until_ready(&self, until: Instant) -> Result<Arc<Client>, ReadyError> {
        let mut stage = self.stage.subscribe();
        let settled = stage.wait_for(|stage| !matches!(stage, Stage::Starting));
        match before_deadline(until, settled).await {
            None => Err(ReadyError::Starting),
            Some(Err(_)) => Err(ReadyError::Ended),
            Some(Ok(stage)) => match &*stage {
                Stage::Ready(client) => Ok(Arc::clone(client)),
                Stage::Idle | Stage::Starting => Err(ReadyError::Starting),
                Stage::Ended(_) => Err(ReadyError::Ended),
            },
        }
    }

    // --- files ---

    pub(crate) fn open_in_background(self: &Arc<Self>, path: PathBuf, host: &Host) {
        self.start_if_idle(&host.start);
        let Some(opening) = Opening::begin(&self.opening, &path) else {
            return;
        };
        let (server, host) = (Arc::downgrade(self), host.clone());
        self.spawn(async move {
            let _opening = opening;
            let Some(server) = server.upgrade() else { return };
            let Ok(client) = server.wait_until_ready(deadline_in(START_TIMEOUT)).await else {
                return;
            };
            drop(server);
            let until = deadline_in(BACKGROUND_WAIT);
            {
                let Some(mut documents) = before_deadline(until, client.documents.lock()).await else {
                    return;
                };
                // The file may have changed while the server was starting, so it is read only now.
                let Some(text) = read_text(&host.read, &path, until).await else {
                    return;
                };
                if client.sync(&mut documents, &path, &text, until).await.is_err() {
                    return;
                }
            }
            client.wait_for_diagnostics(&path, until).await;
        });
    }

    pub(crate) async fn report_edits(
        self: &Arc<Self>,
        edits: Vec<FileEdit>,
        host: &Host,
        until: Instant,
    ) -> Option<Report> {
        self.start_if_idle(&host.start);
        // A server that was late before must not delay further edits.
        let is_behind = self.is_behind.load(Ordering::Relaxed);
        let until = if is_behind {
            until.min(deadline_in(SHORT_WAIT))
        } else {
            until
        };
        let mut report = Report {
            server: self.definition.name.clone(),
            new: Vec::new(),
            is_unsure: false,
            earlier: 0,
            no_answer: None,
        };
        let client = match self.wait_until_ready(until).await {
            Ok(client) => client,
            Err(ReadyError::Ended) => return None,
            Err(ReadyError::Starting) => {
                self.is_behind.store(true, Ordering::Relaxed);
                report.no_answer = Some(NoAnswer::Starting);
                return (!is_behind).then_some(report);
            }
        };
        let told = before_deadline(until, self.send_edits(&client, &edits, host, until)).await;
        let Some(Ok(())) = told else {
            self.is_behind.store(!client.is_over(), Ordering::Relaxed);
            report.no_answer = Some(no_answer_reason(&client));
            return (!is_behind).then_some(report);
        };
        let awaited = edits.iter().filter(|edit| edit.after.is_some());
        let until = if is_behind { Instant::now() } else { until };
        let settled = join_all(
            awaited
                .clone()
                .map(|edit| client.wait_for_diagnostics(&edit.path, until)),
        )
        .await;
        for (edit, settled) in awaited.zip(settled) {
            match settled {
                WaitOutcome::Answered => self.compare(&client, edit, &mut report),
                // Diagnostics that arrive later are reported with the next edit.
                WaitOutcome::Assumed => {}
                WaitOutcome::Unanswered => report.no_answer = Some(no_answer_reason(&client)),
            }
        }
        self.tell_problem(&client);
        let others = self.compare_others(&client, &edits, &mut report);
        report.new.extend(self.locate_all(&client, others).await);
        if report.no_answer.is_some() {
            self.catch_up(&client, &edits, deadline_in(CATCH_UP));
        } else {
            self.is_behind.store(false, Ordering::Relaxed);
        }
        // While an answer is late, omit empty reports. An earlier report already said that the server did not answer.
        (!is_behind || !report.new.is_empty()).then_some(report)
    }

    async fn send_edits(&self, client: &Client, edits: &[FileEdit], host: &Host, until: Instant) -> Result<(), Fault> {
        let mut documents = client.documents.lock().await;
        let paths: Vec<PathBuf> = edits.iter().map(|edit| edit.path.clone()).collect();
        client.refresh(&mut documents, &host.read, &paths, until).await?;
        {
            let (pulls, loads) = (client.pulls(), client.is_loading());
            let mut known = client.diagnostics();
            for edit in edits {
                let baseline = baseline_before(known.file(&edit.path), &documents, edit, pulls);
                known.file_mut(&edit.path).baseline = baseline;
            }
            known.begin_edit(pulls, loads);
        }
        let mut on_disk = Vec::new();
        for edit in edits {
            let kind = match (&edit.before, &edit.after) {
                (_, None) => 3,
                (None, Some(_)) => 1,
                (Some(_), Some(_)) => 2,
            };
            on_disk.push((edit.path.clone(), kind));
            match &edit.after {
                Some(text) => {
                    client.sync(&mut documents, &edit.path, text, until).await?;
                    client.notify_saved(&edit.path, text, until).await?;
                }
                None => {
                    client.close(&mut documents, &edit.path, until).await?;
                    client.diagnostics().remove(&edit.path);
                }
            }
        }
        client.notify_changed_files(&on_disk, until).await
    }

    fn compare(&self, client: &Client, edit: &FileEdit, report: &mut Report) {
        let text = edit.after.as_deref();
        let mut known = client.diagnostics();
        let file = known.file_mut(&edit.path);
        let all = self.filter_reported(file.items()).len();
        let new = self.take_new(file, text, report);
        drop(known);
        report.earlier += all - new.len();
        let found = new
            .into_iter()
            .map(|what| locate(&edit.path, what, text, client.unit()));
        report.new.extend(found);
    }

    /// Returns the new diagnostics of unedited files. Diagnostics that arrive later are reported with the next edit.
    fn compare_others(
        &self,
        client: &Client,
        edits: &[FileEdit],
        report: &mut Report,
    ) -> Vec<(PathBuf, Vec<Diagnostic>)> {
        let mut known = client.diagnostics();
        let is_other = |path: &PathBuf| edits.iter().all(|edit| edit.path != *path);
        let others = known.all_mut().filter(|(path, _)| is_other(path));
        let new = others.map(|(path, file)| (path.clone(), self.take_new(file, None, report)));
        new.filter(|(_, new)| !new.is_empty()).collect()
    }

    fn take_new(&self, file: &mut FileDiagnostics, text: Option<&str>, report: &mut Report) -> Vec<Diagnostic> {
        if file.baseline == Baseline::NoEdit {
            return Vec::new();
        }
        let found = self.filter_reported(file.items());
        match file.mark_reported(text) {
            Baseline::Until(earlier) => earlier.find_new(found, text),
            Baseline::NoEdit | Baseline::Unknown => {
                report.is_unsure |= !found.is_empty();
                found
            }
        }
    }

    /// Converts the server's columns to characters. Omits the column if the text of the file is unknown.
    async fn locate_all(&self, client: &Client, found: Vec<(PathBuf, Vec<Diagnostic>)>) -> Vec<LocatedDiagnostic> {
        if found.is_empty() {
            return Vec::new();
        }
        let documents = before_deadline(deadline_in(SHORT_WAIT), client.documents.lock()).await;
        let mut all = Vec::new();
        for (path, found) in found {
            let text = documents.as_ref().and_then(|documents| documents.text(&path));
            let text = text.map(|text| &**text);
            all.extend(found.into_iter().map(|what| locate(&path, what, text, client.unit())));
        }
        all
    }

    fn filter_reported(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        let is_reported = |found: &Diagnostic| is_reported(found.severity, self.definition.warnings);
        let mut found: Vec<Diagnostic> = found.into_iter().filter(is_reported).collect();
        found.sort_by_key(|found| (std::cmp::Reverse(found.severity), found.line, found.character));
        found
    }

    /// Waits in the background for a late answer, so that the next edit can be compared with the answer.
    fn catch_up(self: &Arc<Self>, client: &Arc<Client>, edits: &[FileEdit], until: Instant) {
        self.is_behind.store(!client.is_over(), Ordering::Relaxed);
        let last = edits.iter().rfind(|edit| edit.after.is_some());
        let Some(path) = last.map(|edit| edit.path.clone()) else {
            return;
        };
        if self.is_catching_up.swap(true, Ordering::Relaxed) {
            return;
        }
        let (server, client) = (Arc::downgrade(self), Arc::clone(client));
        self.spawn(async move {
            let outcome = client.wait_for_diagnostics(&path, until).await;
            if let Some(server) = server.upgrade() {
                if outcome != WaitOutcome::Unanswered {
                    server.is_behind.store(false, Ordering::Relaxed);
                }
                server.is_catching_up.store(false, Ordering::Relaxed);
            }
        });
    }

    // --- questions ---

    pub(crate) async fn list_diagnostics(
        self: &Arc<Self>,
        file: Option<&Path>,
        host: &Host,
        until: Instant,
    ) -> Option<Listing> {
        let mut listing = Listing {
            server: self.definition.name.clone(),
            found: Vec::new(),
            no_answer: None,
            problem: None,
        };
        if file.is_none() && matches!(&*self.stage.borrow(), Stage::Idle) {
            // The server is not started, because no matching file was read or edited so far.
            return Some(listing);
        }
        self.start_if_idle(&host.start);
        let client = match self.wait_until_ready(until).await {
            Ok(client) => client,
            Err(ReadyError::Ended) => return None,
            Err(ReadyError::Starting) => {
                listing.no_answer = Some(NoAnswer::Starting);
                return Some(listing);
            }
        };
        let given = before_deadline(until, self.sync_files(&client, file, host, until)).await;
        let is_settled = match given {
            Some(Ok(open)) => {
                let awaited = open
                    .iter()
                    .filter(|path| file.is_none_or(|file| file == path.as_path()));
                let settled = join_all(awaited.map(|path| client.wait_for_diagnostics(path, until))).await;
                !settled.contains(&WaitOutcome::Unanswered)
            }
            None | Some(Err(_)) => false,
        };
        listing.no_answer = (!is_settled).then(|| no_answer_reason(&client));
        listing.problem = client.problem();
        self.tell_problem(&client);
        let mut found = Vec::new();
        {
            let mut known = client.diagnostics();
            let wanted = known
                .all_mut()
                .filter(|(path, _)| file.is_none_or(|file| file == path.as_path()));
            for (path, known) in wanted {
                // The next edit must not report these diagnostics again.
                if known.baseline != Baseline::NoEdit {
                    known.mark_reported(None);
                }
                found.push((path.clone(), self.filter_reported(known.current_items(client.pulls()))));
            }
        }
        listing.found = self.locate_all(&client, found).await;
        Some(listing)
    }

    /// Sends `file` and the open files that changed on disk. Returns all open files.
    async fn sync_files(
        &self,
        client: &Client,
        file: Option<&Path>,
        host: &Host,
        until: Instant,
    ) -> Result<Vec<PathBuf>, Fault> {
        let mut documents = client.documents.lock().await;
        client.refresh(&mut documents, &host.read, &[], until).await?;
        if let Some(path) = file
            && let Some(text) = read_text(&host.read, path, until).await
        {
            client.sync(&mut documents, path, &text, until).await?;
        }
        Ok(documents.paths())
    }

    pub(crate) async fn places(
        self: &Arc<Self>,
        symbol: &Symbol,
        question: Question,
        host: &Host,
        until: Instant,
    ) -> Result<Vec<Place>, QueryError> {
        self.start_if_idle(&host.start);
        let name = || self.definition.name.clone();
        let client = self.wait_until_ready(until).await.map_err(|error| match error {
            ReadyError::Ended => QueryError::ServerEnded,
            ReadyError::Starting => QueryError::NoAnswer(name(), NoAnswer::Starting),
        })?;
        let capabilities = client.capabilities.get();
        let is_offered = capabilities.is_some_and(|capabilities| match question {
            Question::Definition => capabilities.definition,
            Question::References => capabilities.references,
        });
        if !is_offered {
            return Err(QueryError::Unsupported(name()));
        }
        let late = || QueryError::NoAnswer(name(), no_answer_reason(&client));
        let given = before_deadline(until, self.sync_files(&client, Some(&symbol.path), host, until)).await;
        given.ok_or_else(late)?.map_err(|_| late())?;
        let column = {
            let documents = before_deadline(until, client.documents.lock()).await.ok_or_else(late)?;
            let text = documents.text(&symbol.path).cloned().unwrap_or_default();
            let line = usize::try_from(symbol.line.saturating_sub(1)).unwrap_or_default();
            let unit = capabilities.map(|capabilities| capabilities.unit).unwrap_or_default();
            unit.column(text.lines().nth(line).unwrap_or_default(), symbol.at)
        };
        let mut params = json!({
            "textDocument": {"uri": uri::of_path(&symbol.path)},
            "position": {"line": symbol.line.saturating_sub(1), "character": column},
        });
        let method = match question {
            Question::Definition => "textDocument/definition",
            Question::References => {
                params["context"] = json!({"includeDeclaration": true});
                "textDocument/references"
            }
        };
        let answer = client.loaded_request(method, &params, until).await;
        let answer = answer.map_err(|fault| match fault {
            Fault::Late | Fault::Gone => late(),
            Fault::Refused(why) => QueryError::Refused(name(), why),
        })?;
        let mut places = wire::places(&answer);
        let is_outside = |place: &Place| !place.path.starts_with(&self.definition.root);
        places.sort_by(|one, other| (is_outside(one), one).cmp(&(is_outside(other), other)));
        places.dedup();
        Ok(places)
    }
}

fn no_answer_reason(client: &Client) -> NoAnswer {
    match (client.is_over(), client.is_loading()) {
        (true, _) => NoAnswer::Ended,
        (false, true) => NoAnswer::Loading,
        (false, false) => NoAnswer::Late,
    }
}

enum ReadyError {
    Starting,
    Ended,
}

/// A file that is queued to be opened. Dropping this value removes the file from the queue.
struct Opening {
    all: Arc<Mutex<BTreeSet<PathBuf>>>,
    path: PathBuf,
}

impl Opening {
    /// Queues a file. Returns `None` if the file is already queued, or if too many files are queued.
    fn begin(all: &Arc<Mutex<BTreeSet<PathBuf>>>, path: &Path) -> Option<Self> {
        let mut waiting = all.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = waiting.len() < MOST_OPEN && waiting.insert(path.to_path_buf());
        is_new.then(|| Self {
            all: Arc::clone(all),
            path: path.to_path_buf(),
        })
    }
}

impl Drop for Opening {
    fn drop(&mut self) {
        let mut waiting = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.remove(&self.path);
    }
}

fn baseline_before(file: Option<&FileDiagnostics>, documents: &Documents, edit: &FileEdit, pulls: bool) -> Baseline {
    let Some(before) = &edit.before else {
        return Baseline::Until(Snapshot::default());
    };
    let Some(file) = file else {
        return Baseline::Unknown;
    };
    if file.baseline != Baseline::NoEdit {
        return file.baseline.clone();
    }
    let is_same = documents.text(&edit.path).is_none_or(|text| text == before);
    match is_same && file.is_known(pulls) {
        true => Baseline::Until(Snapshot::of(&file.items(), Some(before))),
        false => Baseline::Unknown,
    }
}

fn locate(path: &Path, what: Diagnostic, text: Option<&str>, unit: Unit) -> LocatedDiagnostic {
    let number = usize::try_from(what.line).unwrap_or(usize::MAX).saturating_sub(1);
    let line = text.and_then(|text| text.lines().nth(number));
    let column = match what.character {
        0 => Some(1),
        character => line.map(|line| unit.characters(line, character) + 1),
    };
    LocatedDiagnostic {
        path: path.to_path_buf(),
        column,
        diagnostic: what,
    }
}

enum EndReason {
    /// The server did not start, and a retry would not help.
    NotStarted(ServerTrouble),
    Ended(ServerTrouble),
}

async fn run_to_exit(
    started: Result<ServerProcess, ServerTrouble>,
    definition: &Definition,
    ready: impl FnOnce(Arc<Client>),
) -> EndReason {
    let ServerProcess {
        mut running,
        spoken,
        resources,
    } = match started {
        Ok(started) => started,
        Err(trouble) => return EndReason::NotStarted(trouble),
    };
    let pipes = || -> io::Result<_> {
        Ok((
            pipe::Receiver::from_owned_fd(spoken.from.into())?,
            pipe::Sender::from_owned_fd(spoken.to.into())?,
            pipe::Receiver::from_owned_fd(spoken.aside.into())?,
        ))
    };
    let (from, to, aside) = match pipes() {
        Ok(pipes) => pipes,
        Err(error) => return EndReason::NotStarted(start_trouble(&error)),
    };
    let (client, queue) = Client::new(definition.root.clone(), definition.settings.clone());
    let client = Arc::new(client);
    let stderr = Mutex::new(Ends::new(0, MOST_STDERR));
    let speaks = async {
        // If the server has stopped reading, its exit or a timeout will show it.
        write_all(queue, to).await;
        std::future::pending::<()>().await;
    };
    let drains = async {
        drain(aside, &stderr).await;
        std::future::pending::<()>().await;
    };
    let begins = async {
        match client.initialize(deadline_in(START_TIMEOUT)).await {
            Ok(()) => ready(Arc::clone(&client)),
            Err(Fault::Refused(words)) => return ServerTrouble::Refused { words },
            Err(Fault::Late | Fault::Gone) => {
                let (seconds, said) = (START_TIMEOUT.as_secs(), last_error_line(&stderr));
                return ServerTrouble::NoAnswer { seconds, said };
            }
        }
        std::future::pending().await
    };
    let (mut exit, mut trouble) = (None, None);
    tokio::select! {
        line = client.listen(BufReader::with_capacity(64 << 10, from)) => {
            trouble = line.err().map(|line| ServerTrouble::Garbage { line });
        }
        why = begins => trouble = Some(why),
        () = speaks => {}
        () = drains => {}
        status = &mut running.exited => exit = Some(status),
    }
    if exit.is_none() {
        exit = before_deadline(deadline_in(EXIT_TIMEOUT), &mut running.exited).await;
    }
    if exit.is_none() {
        running.stop();
    }
    client.end();
    running.finish().await;
    drop(resources);
    let ended = |code, signal| ServerTrouble::Ended {
        code,
        signal,
        said: last_error_line(&stderr),
    };
    match exit {
        // The program does not exist, or the sandbox could not be set up.
        Some(Ok(Err(error))) => EndReason::NotStarted(start_trouble(&error)),
        Some(Ok(Ok(status))) => EndReason::Ended(trouble.unwrap_or_else(|| ended(status.code(), status.signal()))),
        Some(Err(_)) | None => EndReason::Ended(trouble.unwrap_or_else(|| ended(None, None))),
    }
}

async fn write_all(mut queue: mpsc::Receiver<Vec<u8>>, mut to: pipe::Sender) {
    while let Some(message) = queue.recv().await {
        if to.write_all(&message).await.is_err() {
            return;
        }
    }
}

async fn drain(mut aside: pipe::Receiver, into: &Mutex<Ends>) {
    let mut buffer = [0; 4 << 10];
    while let Ok(count @ 1..) = aside.read(&mut buffer).await {
        let text = String::from_utf8_lossy(buffer.get(..count).unwrap_or_default()).into_owned();
        into.lock().unwrap_or_else(PoisonError::into_inner).push(&text);
    }
}

fn last_error_line(stderr: &Mutex<Ends>) -> String {
    let newest = stderr.lock().unwrap_or_else(PoisonError::into_inner).newest().1;
    let text = String::from_utf8_lossy(&newest).into_owned();
    let last = text.lines().map(str::trim).rfind(|line| !line.is_empty());
    wire::short_line(last.unwrap_or_default(), SHOWN)
}

#[cfg(test)]
mod tests;
