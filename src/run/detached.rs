//! Workbenches that outlive their terminal (`--detached`, `attach`), and the list of all workbenches (`agents`).

use std::io::Write;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::engine::Base;
use super::{complain, is_at_terminal, threads};
use crate::cli::{AgentsCommand, AttachArgs};
use crate::error::Trouble;
use benchdog_app::seats::{self, Standing};
use benchdog_base::clock::Time;
use benchdog_base::id::{SessionId, fresh_tag};
use benchdog_base::json;
use benchdog_base::process;
use benchdog_base::text::{clean, fit, last_part, one_line, truncate};
use benchdog_config::settings::EngineSettings;
use benchdog_detached::client::{self, End, Line};
use benchdog_detached::host::{self, Host, Started};
use benchdog_detached::status::{self, Publisher, SessionState, SessionStatus, WorkbenchStatus};
use benchdog_detached::{DetachedError, Goodbye, Request, folder};
use benchdog_headless::exit::{Exit, TABLE};
use benchdog_lang::{self as lang, Obstacle, Word, message, word};
use benchdog_terminal::host_link::{HostLink, Report, Stage};
use benchdog_terminal::keeper::give_back_for_another;

/// Maximum wait for the first output of a new workbench. `Ctrl+C` ends the wait earlier.
const START: Duration = Duration::from_secs(30);

/// Maximum width of a title and of a last line in the list of `agents`, in columns. `--json` prints the whole text.
const LONGEST_COLUMN: usize = 60;

/// Polling interval of `agents wait`.
const LOOK: Duration = Duration::from_millis(250);

#[derive(Debug, Clone)]
pub(super) struct Hosted {
    name: String,
    host: Host,
}

impl Hosted {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn link(self, settings: &EngineSettings) -> HostLink {
        let minutes = |count: u64| Duration::from_secs(count.saturating_mul(60));
        HostLink {
            host: self.host,
            patience: minutes(settings.idle_minutes),
            deny_after: settings.deny_after_minutes.map(minutes),
        }
    }

    /// Ends the host after its workbench has ended. An error is shown in the attached terminals.
    pub(super) fn end(&self, ended: Result<Exit, Trouble>) -> Exit {
        let exit = ended.unwrap_or_else(|trouble| {
            complain(&trouble.to_string());
            trouble.exit
        });
        self.host.end(exit.code());
        exit
    }
}

/// The process in which `start` returns: the client or the host.
pub(super) enum Side {
    /// The process in the terminal, after it has shown the workbench.
    Client(Exit),
    /// The new process, before it runs the workbench.
    Host(Hosted),
}

/// Splits this process into a host and a client, and shows the workbench of the host in this terminal.
pub(super) fn start(base: &Base) -> Result<Side, Trouble> {
    let folder = &base.folders.live;
    folder::ready(folder).map_err(|error| trouble(&error))?;
    let name = fresh_tag().to_string();
    let socket = folder::socket(folder, &name).map_err(|error| trouble(&error))?;
    let failed = |error: &str| {
        let _ = std::fs::remove_file(&socket);
        Trouble::obstacle(Exit::Internal, Obstacle::HostFailed { error }).coded("detached")
    };
    match host::start(&socket, client::size()).map_err(|error| failed(&error.to_string()))? {
        host::Side::Host(Ok(host)) => Ok(Side::Host(Hosted { name, host })),
        host::Side::Host(Err(error)) => {
            // The client adds the rest of the message.
            complain(&error.to_string());
            Ok(Side::Client(Exit::Internal))
        }
        host::Side::Client(started) => show_started(started, &name, &socket, failed).map(Side::Client),
    }
}

fn show_started(
    started: Started,
    name: &str,
    socket: &Path,
    failed: impl Fn(&str) -> Trouble,
) -> Result<Exit, Trouble> {
    let stream = started.stream.try_clone().map_err(|error| failed(&error.to_string()))?;
    let end = show(Line::to_started(socket, stream, START))?;
    let is_unseen = matches!(
        end,
        Ok(End::Signal(2)) | Err(DetachedError::Silent { was_shown: false, .. })
    );
    if is_unseen {
        // Stop the workbench. Nobody has seen it, so nobody would attach to it.
        started.kill();
        let _ = std::fs::remove_file(socket);
    }
    if is_unseen || end.as_ref().is_ok_and(|end| *end == End::Vanished) {
        let told = started.errors();
        match &end {
            _ if !told.is_empty() => return Err(failed(told.trim())),
            Err(error) => return Err(failed(&error.to_string())),
            Ok(_) => {}
        }
    }
    let live = socket.parent().unwrap_or(socket);
    finish(end.map_err(|error| trouble(&error))?, (live, name), false)
}

/// Returns a callback that publishes the state of the workbench for `agents`.
pub(super) fn report(folder: &Path, host: Option<String>, workspace: &Path, idle_minutes: u64) -> Option<Report> {
    // If the folder cannot be used, the workbench still runs, but `agents` does not list it.
    folder::ready(folder).ok()?;
    let pid = std::process::id();
    let started = process::own_stat().map(|stat| stat.started);
    let mut publisher = Publisher::new(folder, pid);
    let workspace = workspace.display().to_string();
    Some(Box::new(move |state, stage| {
        let status = WorkbenchStatus {
            pid,
            started,
            host: host.clone(),
            idle_minutes,
            ended_idle: stage == Stage::EndsIdle,
            folder: workspace.clone(),
            sessions: seats::rows(state).into_iter().map(session).collect(),
        };
        // Ignore errors: a full disk must not disturb the workbench.
        let _ = publisher.publish(status);
    }))
}

fn session(row: seats::SeatRow) -> SessionStatus {
    SessionStatus {
        id: row.session.map(|id| id.0),
        title: row.title,
        folder: row.folder,
        state: match row.standing {
            Standing::Waits => SessionState::Waiting,
            Standing::Works => SessionState::Working,
            Standing::Ended => SessionState::Ended,
            Standing::Idle => SessionState::Idle,
        },
        last: row.last,
        context: row.full,
        since: u64::try_from(row.since.0).unwrap_or(0),
    }
}

fn trouble(error: &DetachedError) -> Trouble {
    let told = &error.to_string();
    let obstacle = match error.is_about_folder() {
        true => Obstacle::LiveFolder { error: told },
        false => Obstacle::AttachFailed { error: told },
    };
    Trouble::obstacle(Exit::Internal, obstacle).coded("detached")
}

fn show(line: Line<'_>) -> Result<Result<End, DetachedError>, Trouble> {
    let runtime = threads::runtime_of_one_thread()?;
    let end = runtime.block_on(client::attach(line, give_back_for_another));
    threads::stop(runtime);
    Ok(end)
}

fn finish(end: End, (live, name): (&Path, &str), view_only: bool) -> Result<Exit, Trouble> {
    let command = format!("benchdog attach {name}");
    match end {
        End::Said(Goodbye::Ended { code }) => {
            let exit = TABLE.iter().find(|row| row.code == code).map(|row| row.exit);
            return Ok(exit.unwrap_or(Exit::Done));
        }
        End::Said(Goodbye::Detached) if view_only => {}
        End::Said(Goodbye::Detached) => complain(&left(live, name, &command)),
        End::Said(Goodbye::TakenOver) => complain(&message::detached_taken_over(&command)),
        End::Said(Goodbye::OtherProtocol { protocol }) => {
            return Err(trouble(&DetachedError::OtherProtocol { theirs: protocol }));
        }
        End::Vanished | End::Said(Goodbye::Done | Goodbye::NoSession) => {
            complain(word(Word::DetachedVanished));
            return Ok(Exit::Internal);
        }
        End::Signal(_) => return Ok(Exit::Interrupted),
    }
    Ok(Exit::Done)
}

/// Formats the message that a terminal shows after it has detached.
fn left(live: &Path, name: &str, command: &str) -> String {
    let all = status::list(live).unwrap_or_default();
    let this = all.iter().find(|status| status.host.as_deref() == Some(name));
    match this.map(|status| status.idle_minutes).filter(|minutes| *minutes > 0) {
        Some(minutes) => message::detached_left_for(command, &minutes.to_string()),
        None => message::detached_left(command),
    }
}

/// Returns the error for a workbench that does not run. If the workbench ended because it was idle, the error says so.
/// Without an id, refers to this folder's workbench.
fn not_running(base: &Base, id: Option<&str>) -> Trouble {
    let ended = status::ended_idle(&base.folders.live).unwrap_or_default();
    let is_meant = |row: &Row<'_>| match id {
        Some(id) => is_meant(row, id),
        None => Path::new(&row.0.folder) == base.root,
    };
    let rows = ended.iter().flat_map(|status| rows(std::slice::from_ref(status)));
    let found = rows
        .filter(is_meant)
        .find_map(|(status, session)| Some((status, session.id.clone()?)));
    match (found, id) {
        (Some((status, session)), _) => {
            let (minutes, session) = (status.idle_minutes, SessionId(session));
            usage(Obstacle::EndedIdle {
                minutes,
                id: session.short(),
            })
        }
        (None, Some(id)) => usage(Obstacle::NotRunning { id }),
        (None, None) => usage(Obstacle::NoneRunning),
    }
}

pub(super) fn attach(base: &Base, arguments: &AttachArgs) -> Result<Exit, Trouble> {
    if !is_at_terminal() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoTerminal));
    }
    if let Some((machine, id)) = arguments.id.as_deref().and_then(|id| id.split_once(':')) {
        return attach_far(machine, id, arguments.view_only);
    }
    let all = listed(base)?;
    let found = match &arguments.id {
        Some(id) => find(base, &all, id)?.0,
        None => newest(&all, &base.root).ok_or_else(|| not_running(base, None))?,
    };
    let (socket, name) = socket_of(base, found)?;
    let line = Line::open(&socket, arguments.view_only).map_err(|error| trouble(&error))?;
    let end = show(line)?;
    let place = (base.folders.live.as_path(), name);
    finish(end.map_err(|error| trouble(&error))?, place, arguments.view_only)
}

/// Attaches to a workbench on another machine through `ssh`. The id is validated, because the remote shell parses it.
fn attach_far(machine: &str, id: &str, view_only: bool) -> Result<Exit, Trouble> {
    if machine.is_empty() || !id.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(usage(Obstacle::NotRunning { id }));
    }
    let mut ssh = Command::new("ssh");
    ssh.args(["-t", "--", machine, "benchdog", "attach"])
        .args(Some(id).filter(|id| !id.is_empty()));
    ssh.args(view_only.then_some("--view-only"));
    let error = &format!("ssh: {}", ssh.exec());
    let trouble = Trouble::obstacle(Exit::Internal, Obstacle::AttachFailed { error });
    // Omit the hint, because it is about workbenches on this machine.
    Err(trouble.coded("detached").with_hint(""))
}

fn usage(obstacle: Obstacle<'_>) -> Trouble {
    Trouble::obstacle(Exit::Usage, obstacle).coded("not_running")
}

fn listed(base: &Base) -> Result<Vec<WorkbenchStatus>, Trouble> {
    status::list(&base.folders.live).map_err(|error| trouble(&error))
}

/// Whether `id` is part of the session's id, or the name of the session's workbench.
fn is_meant((status, session): &Row<'_>, id: &str) -> bool {
    status.host.as_deref() == Some(id)
        || session
            .id
            .as_deref()
            .is_some_and(|own| !id.is_empty() && own.contains(id))
}

/// Finds the session for an id. If the id is the name of a workbench, returns the most urgent session of that
/// workbench.
fn find<'l>(base: &Base, all: &'l [WorkbenchStatus], id: &str) -> Result<Row<'l>, Trouble> {
    let mut found = rows(all).into_iter().filter(|row| is_meant(row, id));
    match (found.next(), found.next()) {
        (None, _) => Err(not_running(base, Some(id))),
        (Some(row), Some(_)) if row.0.host.as_deref() != Some(id) => Err(usage(Obstacle::SeveralRunning { id })),
        (Some(row), _) => Ok(row),
    }
}

/// Returns the detached workbench of this folder that has changed last. If there is none in this folder, considers all
/// folders.
fn newest<'l>(all: &'l [WorkbenchStatus], here: &Path) -> Option<&'l WorkbenchStatus> {
    let last = |status: &&WorkbenchStatus| status.sessions.iter().map(|session| session.since).max();
    let hosted = || all.iter().filter(|status| status.host.is_some());
    let here = hosted()
        .filter(|status| Path::new(&status.folder) == here)
        .max_by_key(last);
    here.or_else(|| hosted().max_by_key(last))
}

fn socket_of<'l>(base: &Base, status: &'l WorkbenchStatus) -> Result<(std::path::PathBuf, &'l str), Trouble> {
    let Some(name) = &status.host else {
        let pid = &status.pid.to_string();
        return Err(usage(Obstacle::NotDetached { pid }));
    };
    let folder = &base.folders.live;
    let socket = folder::check(folder).and_then(|()| folder::socket(folder, name));
    Ok((socket.map_err(|error| trouble(&error))?, name))
}

pub(super) fn agents(base: &Base, command: Option<&AgentsCommand>, json: bool) -> Result<Exit, Trouble> {
    match command {
        None => print(&rows(&listed(base)?), json),
        Some(AgentsCommand::Wait { id, timeout }) => wait(base, id.as_deref(), *timeout, json),
        Some(AgentsCommand::Send { id, text }) => {
            let text = text.clone();
            ask(base, id, |session| Request::Prompt { session, text }).map(|_| Exit::Done)
        }
        Some(AgentsCommand::Stop { id }) => {
            let before = ask(base, id, |session| Request::Stop { session })?;
            tell_stop(&before, json);
            Ok(Exit::Done)
        }
    }
}

type Row<'l> = (&'l WorkbenchStatus, &'l SessionStatus);

/// Returns all sessions, the most urgent first. Of two equally urgent sessions, the one whose state changed earlier
/// comes first.
fn rows<'l>(all: &'l [WorkbenchStatus]) -> Vec<Row<'l>> {
    let each = |status: &'l WorkbenchStatus| status.sessions.iter().map(move |session| (status, session));
    let mut rows: Vec<Row<'l>> = all.iter().flat_map(each).collect();
    rows.sort_by_key(|(_, session)| (session.state, session.since));
    rows
}

fn print(rows: &[Row<'_>], json: bool) -> Result<Exit, Trouble> {
    let mut text = String::new();
    for (status, session) in rows {
        text.push_str(&if json {
            object(status, session)
        } else {
            line(status, session)
        });
        text.push('\n');
    }
    if rows.is_empty() && !json {
        text = format!("{}\n", word(Word::AgentsNone));
    }
    // A closed pipe is not an error.
    let _ = std::io::stdout().write_all(text.as_bytes());
    Ok(Exit::Done)
}

fn object(status: &WorkbenchStatus, session: &SessionStatus) -> String {
    json::line(&json!({
        "id": session.id,
        "state": session.state,
        "title": session.title,
        "folder": session.folder,
        "last": session.last,
        "context": session.context,
        "since": session.since,
        "pid": status.pid,
        "host": status.host,
    }))
}

fn line(status: &WorkbenchStatus, session: &SessionStatus) -> String {
    let state = match session.state {
        SessionState::Waiting => Word::AgentsWaiting,
        SessionState::Working => Word::AgentsWorking,
        SessionState::Ended => Word::AgentsEnded,
        SessionState::Idle => Word::AgentsIdle,
    };
    let since = Time(i64::try_from(session.since).unwrap_or(0));
    let id = session.id.clone().map_or_else(
        || status.host.clone().unwrap_or_default(),
        |id| SessionId(id).short().to_owned(),
    );
    let title = match session.title.as_str() {
        "" => word(Word::AgentsNewSession),
        title => title,
    };
    let place = match status.host {
        Some(_) => String::new(),
        None => format!(" ({})", word(Word::AgentsInTerminal)),
    };
    format!(
        "{} {} {} {}  {}{place}  {}",
        fit(&shown(&id), 8),
        fit(word(state), 13),
        fit(&lang::age(Time::now().since(since)), 5),
        fit(&shown(last_part(&session.folder)), 16),
        truncate(&shown(title), LONGEST_COLUMN),
        truncate(&shown(&session.last), LONGEST_COLUMN),
    )
}

fn shown(text: &str) -> String {
    one_line(&clean(text))
}

fn wait(base: &Base, id: Option<&str>, timeout: u64, json: bool) -> Result<Exit, Trouble> {
    let until = Instant::now() + Duration::from_secs(timeout);
    loop {
        let all = listed(base)?;
        let mut rows = rows(&all);
        rows.retain(|row| id.is_none_or(|id| is_meant(row, id)));
        if let (Some(id), true) = (id, rows.is_empty()) {
            return Err(not_running(base, Some(id)));
        }
        let has = |state| rows.iter().any(|(_, session)| session.state == state);
        if has(SessionState::Waiting) || !has(SessionState::Working) {
            return print(rows.get(..1).unwrap_or_default(), json);
        }
        if Instant::now() >= until {
            let seconds = &timeout.to_string();
            return Err(Trouble::obstacle(Exit::Limit, Obstacle::WaitedLong { seconds }).coded("limit"));
        }
        std::thread::sleep(LOOK);
    }
}

/// Sends a request about a session. Returns the session's status before the request.
fn ask(base: &Base, id: &str, wants: impl FnOnce(String) -> Request) -> Result<SessionStatus, Trouble> {
    let all = listed(base)?;
    let (status, before) = find(base, &all, id)?;
    let (socket, _) = socket_of(base, status)?;
    let session = before.id.clone().unwrap_or_default();
    match client::request(&socket, wants(session)).map_err(|error| trouble(&error))? {
        End::Said(Goodbye::Done) => Ok(before.clone()),
        End::Said(Goodbye::OtherProtocol { protocol }) => {
            Err(trouble(&DetachedError::OtherProtocol { theirs: protocol }))
        }
        _ => Err(usage(Obstacle::NotRunning { id })),
    }
}

fn tell_stop(before: &SessionStatus, json: bool) {
    let stopped = matches!(before.state, SessionState::Waiting | SessionState::Working);
    let id = SessionId(before.id.clone().unwrap_or_default());
    let text = match (json, stopped) {
        (true, _) => json::line(&json!({ "id": before.id, "stopped": stopped })),
        (false, true) => message::agents_stopped(id.short()),
        (false, false) => message::agents_nothing_to_stop(id.short()),
    };
    // A closed pipe is not an error.
    let _ = writeln!(std::io::stdout(), "{text}");
}
