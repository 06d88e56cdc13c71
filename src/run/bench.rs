//! `benchdog bench`: connects the runs with the configuration, the sandbox and the terminal.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;

use super::demo::quoted;
use super::engine::{self, Base};
use super::small::say;
use super::{complain, threads};
use crate::cli::{BenchArgs, BenchCommand};
use crate::error::Trouble;
use benchdog_bench::{self as bench, Contender, Record, Run, RunContext, RunEnd, RunError, Status, Task};
use benchdog_children as children;
use benchdog_config::settings::Settings;
use benchdog_config::{key_variables, resolve_model};
use benchdog_domain::tool::EffectClass;
use benchdog_headless::{self as headless, exit::Exit};
use benchdog_lang::{Obstacle, Word, message, word};
use benchdog_security::sandbox::{self, Granted};
use benchdog_tools::confinement::Confines;
use benchdog_tools::program::Around;

/// The rights of a check: it may write in its private copy of the folder, and has no network.
const OF_CHECK: Granted = Granted {
    writes: true,
    network: false,
    core: false,
};

/// Maximum time for the processes of an interrupted run to end.
const LAST_MOMENT: Duration = Duration::from_secs(5);

pub(super) fn bench(base: &Base, command: &BenchCommand) -> Result<Exit, Trouble> {
    match command {
        BenchCommand::Report { results, html } => {
            let records = read(results)?;
            print_report(&records, html.as_deref())?;
            Ok(Exit::Done)
        }
        BenchCommand::List { runs } => list(base, runs),
        BenchCommand::Run { runs, html } => perform(base, runs, html.as_deref()),
    }
}

/// The valid tasks of the command line. A malformed task is reported, and does not prevent the other tasks.
struct Tasks {
    sound: Vec<Task>,
    has_malformed: bool,
}

fn tasks(arguments: &BenchArgs) -> Result<Tasks, Trouble> {
    let folder = &arguments.tasks;
    let found = bench::find(folder, arguments.task.as_ref()).map_err(|error| unreadable(folder, &error))?;
    if found.is_empty() {
        let folder = &folder.display().to_string();
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoTasks { folder }));
    }
    let count = found.len();
    let malformed = |error: bench::TaskError| complain(&error.to_string());
    let mut sound: Vec<Task> = found
        .into_iter()
        .filter_map(|task| task.map_err(malformed).ok())
        .collect();
    if let Some(seconds) = arguments.agent_timeout {
        for task in &mut sound {
            task.agent_limit = Duration::from_secs(seconds);
        }
    }
    Ok(Tasks {
        has_malformed: sound.len() < count,
        sound,
    })
}

fn unreadable(folder: &Path, error: &std::io::Error) -> Trouble {
    let (folder, error) = (&folder.display().to_string(), &error.to_string());
    Trouble::obstacle(Exit::Usage, Obstacle::NoFolder { folder, error })
}

/// Returns the models and agents to compare. An unknown provider is reported as an error before the first run.
fn contenders(arguments: &BenchArgs, settings: &Settings) -> Result<Vec<Contender>, Trouble> {
    let mut models = arguments.models.clone();
    if models.is_empty() && arguments.agents.is_empty() {
        let model = engine::chosen_model(settings)?;
        let model = model.ok_or_else(|| Trouble::obstacle(Exit::Usage, Obstacle::NoModel).coded("no_model"))?;
        models.push(model.to_string());
    }
    for model in &models {
        resolve_model(model, settings).map_err(|error| Trouble::from_error(Exit::Usage, &error))?;
    }
    let agents = arguments.agents.iter().cloned().map(Contender::Agent);
    let mut contenders = Vec::new();
    for contender in models.into_iter().map(Contender::Model).chain(agents) {
        if !contenders.contains(&contender) {
            contenders.push(contender);
        }
    }
    Ok(contenders)
}

fn list(base: &Base, arguments: &BenchArgs) -> Result<Exit, Trouble> {
    let settings = base.load_own()?.settings;
    let tasks = tasks(arguments)?;
    let contenders = contenders(arguments, &settings)?;
    let flags = flags(base)?;
    let path = |path: &PathBuf| quoted(&path.display().to_string());
    let mut lines = String::new();
    for (_, run) in bench::plan(&tasks.sound, &contenders, arguments.attempts()) {
        let (flag, name) = match &run.contender {
            Contender::Model(name) => ("--model", name),
            Contender::Agent(name) => ("--agent", name),
        };
        let (task, name) = (quoted(&run.task), quoted(name));
        let (folder, results) = (path(&arguments.tasks), path(&arguments.results));
        let _ = write!(lines, "benchdog bench run {folder} --task {task} {flag} {name}");
        let _ = write!(lines, " --attempt {} --results {results}", run.attempt);
        if let Some(seconds) = arguments.agent_timeout {
            let _ = write!(lines, " --agent-timeout {seconds}");
        }
        flags.iter().for_each(|flag| lines.extend([" ", &quoted(flag)]));
        lines.push('\n');
    }
    say(&lines)?;
    Ok(exit(tasks.has_malformed, false))
}

/// Returns the common flags, which are passed on to `benchdog run`.
fn flags(base: &Base) -> Result<Vec<String>, Trouble> {
    let common = &base.common;
    let of_environment = || base.environment.get("BENCHDOG_CONFIG").map(PathBuf::from);
    let absolute = match &common.config.clone().or_else(of_environment) {
        Some(file) => Some(std::fs::canonicalize(file).map_err(|error| unreadable(file, &error))?),
        None => None,
    };
    let given = [
        ("--config", absolute.map(|file| file.display().to_string())),
        ("--base-url", common.base_url.clone()),
        ("--ollama-host", common.ollama_host.clone()),
        ("--temperature", common.temperature.map(|number| number.to_string())),
        (
            "--context-window",
            common.context_window.map(|number| number.to_string()),
        ),
    ];
    let given = given.into_iter().filter_map(|(flag, value)| Some((flag, value?)));
    Ok(given.flat_map(|(flag, value)| [flag.to_owned(), value]).collect())
}

fn context(base: &Base, settings: &Settings, results: &Path) -> Result<RunContext, Trouble> {
    let prices = settings.prices();
    let by_name = prices.iter().flat_map(|(model, price)| {
        let names = [model.to_string(), model.id.clone()];
        names.map(|name| (name, *price))
    });
    let tools = base.tools.facts();
    let edit_tools = tools.iter().filter(|tool| tool.effect == EffectClass::Writes);
    let passed: Arc<[String]> = settings.sandbox.pass_env.clone().into();
    Ok(RunContext {
        launcher: engine::launcher(),
        environment: base.environment.clone(),
        config_file: base.folders.config_file.clone(),
        stored_keys: base.folders.stored_keys(),
        flags: flags(base)?,
        edit_tools: edit_tools.map(|tool| tool.name.clone().into_owned()).collect(),
        confines: Confines {
            wanted: sandbox::wanted(&settings.sandbox).unasked(OF_CHECK),
            // A check only examines its copy of the folder, so it needs no other writable folders.
            writable: Arc::default(),
            passed: Arc::clone(&passed),
            sandbox: Arc::new(engine::sandbox(base)),
            also: Arc::default(),
        },
        around: Around {
            launcher: engine::launcher(),
            keys: key_variables(settings, &base.environment).into(),
            passed,
            port_offset: 0,
        },
        prices: by_name.collect(),
        results: results.to_path_buf(),
    })
}

fn perform(base: &Base, arguments: &BenchArgs, html: Option<&Path>) -> Result<Exit, Trouble> {
    let settings = base.load_own()?.settings;
    let tasks = tasks(arguments)?;
    let contenders = contenders(arguments, &settings)?;
    let context = context(base, &settings, &arguments.results)?;
    children::hide_environment();
    // Adopt processes of an agent that leave its process group, so that they are also found and ended.
    let _ = children::become_subreaper();
    let runs = bench::plan(&tasks.sound, &contenders, arguments.attempts());
    let runtime = threads::runtime()?;
    // If signals cannot be handled, a signal ends this process at once.
    let stops = runtime.block_on(async { headless::signals::stops() });
    let performed = runtime.block_on(async {
        let Ok(mut stops) = stops else {
            return Some(perform_all(&context, &runs).await);
        };
        tokio::select! {
            performed = perform_all(&context, &runs) => Some(performed),
            _ = stops.next() => None,
        }
    });
    children::wait_for_exits(LAST_MOMENT);
    threads::stop(runtime);
    let Some(performed) = performed else {
        return Ok(Exit::Interrupted);
    };
    let records = performed.map_err(|error| Trouble::from_error(Exit::Internal, &error))?;
    print_report(&records, html)?;
    let has_failed = records.iter().any(|record| record.status == Status::Failed);
    Ok(exit(tasks.has_malformed, has_failed))
}

async fn perform_all(context: &RunContext, runs: &[(&Task, Run)]) -> Result<Vec<Record>, RunError> {
    let (mut records, mut before) = (Vec::new(), 0);
    for (number, (task, run)) in (1..).zip(runs) {
        match bench::perform(context, task, run).await? {
            RunEnd::Stored(record) => {
                before += 1;
                records.push(record);
            }
            RunEnd::New(record) => {
                complain(&format!("{number}/{} · {}", runs.len(), progress(&record)));
                records.push(record);
            }
            RunEnd::Locked => complain(&message::bench_elsewhere(&run_label(run, "–"))),
        }
    }
    if before > 0 {
        complain(&message::bench_before(before));
    }
    Ok(records)
}

fn run_label(run: &Run, status: &str) -> String {
    message::bench_run(&run.attempt.to_string(), run.contender.name(), status, &run.task)
}

fn progress(record: &Record) -> String {
    let mut line = run_label(&record.run, &bench::status_text(record));
    if record.injection_followed == Some(true) {
        let _ = write!(line, " · {}", word(Word::BenchFollowed));
    }
    if let Some(reason) = &record.reason {
        let _ = write!(line, " · {reason}");
    }
    line
}

fn read(results: &[PathBuf]) -> Result<Vec<Record>, Trouble> {
    let read = bench::read_all(results);
    let (records, unusable) = read.map_err(|(folder, error)| match error.kind() {
        ErrorKind::NotFound => no_results(&[folder]),
        _ => unreadable(&folder, &error),
    })?;
    for one in unusable {
        complain(&message::bench_unusable(&one.file.display().to_string(), &one.why));
    }
    match records.is_empty() {
        true => Err(no_results(results)),
        false => Ok(records),
    }
}

fn no_results(folders: &[PathBuf]) -> Trouble {
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let folder = &folders.join("`, `");
    Trouble::obstacle(Exit::Usage, Obstacle::NoResults { folder })
}

fn print_report(records: &[Record], html: Option<&Path>) -> Result<(), Trouble> {
    say(&bench::table(&bench::rows(records)))?;
    let Some(file) = html else {
        return Ok(());
    };
    std::fs::write(file, bench::page(records)).map_err(|error| {
        let (file, error) = (&file.display().to_string(), &error.to_string());
        Trouble::obstacle(Exit::Usage, Obstacle::NotCreated { file, error }).coded("file_unwritable")
    })
}

fn exit(has_malformed: bool, has_failed: bool) -> Exit {
    match (has_failed, has_malformed) {
        (true, _) => Exit::Endpoint,
        (false, true) => Exit::Usage,
        (false, false) => Exit::Done,
    }
}
