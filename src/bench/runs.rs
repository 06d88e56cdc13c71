//! Performs one run: creates the private copy, runs the agent in it, runs the check, and writes the result file.

use std::fs::{self, DirBuilder, File, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Instant;

use sha2::{Digest, Sha256};

use super::check::{Findings, check, probe};
use super::copy::copy;
use super::results::{Contender, Record, Run, Status, Turn, final_result};
use super::task::{EnvironmentKind, Task};
use super::trouble::{RunError, SkipReason};
use super::{agent, own};
use benchdog_base::environment::Environment;
use benchdog_children::find_program;
use benchdog_domain::budget::{Price, Usage};
use benchdog_tools::confinement::Confines;
use benchdog_tools::program::Around;

/// The value of `PATH` if the environment has none.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

pub struct RunContext {
    /// Benchdog's executable.
    pub launcher: PathBuf,
    pub environment: Environment,
    /// The person's configuration. Only runs of Benchdog's models use it and `stored_keys`.
    pub config_file: PathBuf,
    pub stored_keys: PathBuf,
    /// Further flags of `benchdog run`.
    pub flags: Vec<String>,
    pub edit_tools: Vec<String>,
    /// The sandbox of checks.
    pub confines: Confines,
    pub around: Around,
    /// The prices of models, by their names on the command line.
    pub prices: Vec<(String, Price)>,
    pub results: PathBuf,
}

/// The private folders of one run. `workspace`, `home`, `tests` and `logs` are next to each other.
pub(crate) struct RunFolders {
    whole: PathBuf,
    pub(crate) workspace: PathBuf,
    pub(crate) home: PathBuf,
    pub(crate) tests: PathBuf,
    pub(crate) logs: PathBuf,
    lock_file: PathBuf,
    /// Locked during the run, so that no other process with the same results folder performs the same run.
    _lock: File,
}

/// The outcome of `perform`.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEnd {
    /// The result of an earlier `benchdog bench`.
    Stored(Record),
    New(Record),
    /// Another process performs this run at the moment.
    Locked,
}

/// Performs a run, unless it has a final result. Fails only if the results folder cannot be used.
pub async fn perform(context: &RunContext, task: &Task, run: &Run) -> Result<RunEnd, RunError> {
    if let Some(record) = final_result(&context.results, run) {
        return Ok(RunEnd::Stored(record));
    }
    fs::create_dir_all(&context.results).map_err(RunError::at(&context.results))?;
    let write = |record: Record| {
        let written = record.write(&context.results);
        written.map_err(RunError::at(&context.results))?;
        // Another process may have finished the run in the meantime.
        match final_result(&context.results, run).filter(|_| !record.status.is_final()) {
            Some(stored) => Ok(RunEnd::Stored(stored)),
            None => Ok(RunEnd::New(record)),
        }
    };
    if let Some(reason) = skip_reason(context, task) {
        let mut record = Record::new(run.clone(), Status::Skipped);
        record.reason = Some(reason.to_string());
        return write(record);
    }
    let work = match RunFolders::new(&context.results, run) {
        Ok(Some(work)) => work,
        Ok(None) => return Ok(RunEnd::Locked),
        Err(error) => {
            let mut record = Record::new(run.clone(), Status::Failed);
            record.reason = Some(error.to_string());
            return write(record);
        }
    };
    // Another process may have finished the run before it released the lock.
    if let Some(record) = final_result(&context.results, run) {
        return Ok(RunEnd::Stored(record));
    }
    let (turn, found) = attempt(context, &work, task, run).await;
    let mut record = Record::new(run.clone(), Status::Failed);
    record.turn = turn;
    match found {
        Ok(Findings {
            check,
            is_solved,
            injection_followed,
        }) => {
            record.status = if is_solved { Status::Solved } else { Status::Unsolved };
            record.check = Some(check);
            record.injection_followed = injection_followed;
        }
        Err(error) => record.reason = Some(error.to_string()),
    }
    let ended = write(record);
    work.clear();
    ended
}

async fn attempt(
    context: &RunContext,
    work: &RunFolders,
    task: &Task,
    run: &Run,
) -> (Option<Turn>, Result<Findings, RunError>) {
    if let Err(error) = copy(&task.folder.join("environment"), &work.workspace) {
        return (None, Err(error));
    }
    if let Err(error) = probe(context, work).await {
        return (None, Err(error));
    }
    let began = Instant::now();
    let (instruction, limit) = (task.instruction.as_str(), task.agent_limit);
    let turn = match &run.contender {
        Contender::Model(model) => own::solve(context, work, model, instruction, limit).await,
        Contender::Agent(command) => agent::solve(context, work, command, instruction, limit).await,
    };
    let mut turn = match turn {
        Ok(turn) => turn,
        Err(error) => return (None, Err(error)),
    };
    turn.seconds = began.elapsed().as_secs_f64();
    if let Contender::Model(model) = &run.contender {
        turn.cost = cost(context, model, &turn);
    }
    let found = check(context, work, task).await;
    (Some(turn), found)
}

fn cost(context: &RunContext, model: &str, turn: &Turn) -> Option<f64> {
    let (_, price) = context.prices.iter().find(|(name, _)| name == model)?;
    let tokens = turn.tokens?;
    Some(price.of(Usage {
        prompt: tokens.prompt,
        completion: tokens.completion,
        total: tokens.total,
        cached: None,
    }))
}

/// Returns the reason why this machine cannot run the task. `None` if the machine can run the task.
fn skip_reason(context: &RunContext, task: &Task) -> Option<SkipReason> {
    if task.environment == EnvironmentKind::Container {
        return Some(SkipReason::Container);
    }
    let path = context.environment.get("PATH").unwrap_or(USUAL_PATH);
    let is_missing = |program: &&str| find_program(program, path).is_none();
    let missing: Vec<&str> = task.requires.iter().map(String::as_str).filter(is_missing).collect();
    (!missing.is_empty()).then(|| SkipReason::Programs(missing.join("`, `")))
}

impl RunFolders {
    /// Creates the folders after removing the remains of a killed run. `None` if another process uses the folders.
    fn new(results: &Path, run: &Run) -> Result<Option<Self>, RunError> {
        let results = fs::canonicalize(results).map_err(RunError::at(results))?;
        let mut hash = Sha256::new();
        hash.update(results.as_os_str().as_encoded_bytes());
        let hash: String = hash
            .finalize()
            .iter()
            .take(8)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        let own = std::env::temp_dir().join(format!("benchdog-bench-{}", rustix::process::getuid().as_raw()));
        let whole = own.join(format!("{hash}.{}", run.file_name()));
        private(&own).map_err(RunError::at(&own))?;
        let lock_file = own.join(format!("{hash}.{}.lock", run.file_name()));
        let lock = File::create(&lock_file).map_err(RunError::at(&lock_file))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(RunError::at(&own)(error)),
        }
        remove(&whole).map_err(RunError::at(&whole))?;
        fs::create_dir(&whole).map_err(RunError::at(&whole))?;
        Ok(Some(Self {
            workspace: whole.join("workspace"),
            home: whole.join("home"),
            tests: whole.join("tests"),
            logs: whole.join("logs"),
            whole,
            lock_file,
            _lock: lock,
        }))
    }

    /// Removes all folders. Ignores errors, because the next attempt of the same run removes the rest.
    fn clear(&self) {
        let _ = remove(&self.whole);
        let _ = fs::remove_file(&self.lock_file);
    }
}

/// Creates a folder that no other user may enter. Fails if the folder exists and other users may enter it.
fn private(folder: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let found = fs::symlink_metadata(folder)?;
    let is_ours = found.is_dir() && found.uid() == rustix::process::getuid().as_raw();
    if is_ours && found.mode() & 0o077 == 0 {
        return Ok(());
    }
    Err(io::ErrorKind::PermissionDenied.into())
}

/// Removes a folder, even if the agent removed the permissions that this requires.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(_) => {
            restore_permissions(folder);
            fs::remove_dir_all(folder)
        }
        Ok(()) => Ok(()),
    }
}

fn restore_permissions(folder: &Path) {
    let _ = fs::set_permissions(folder, Permissions::from_mode(0o700));
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            restore_permissions(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
