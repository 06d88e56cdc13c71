//! The composition root: reads the arguments, puts the rooms together, ends with an exit code.

mod auth;
mod demo;
mod engine;
mod health;
mod look;
mod models;
mod patterns;
mod project;
mod pull;
mod small;
mod tables;
mod workbench;

use std::ffi::{OsStr, OsString};
use std::io::{IsTerminal, Read, Write};
use std::process::ExitCode;

use crate::base::panics;
use crate::base::text::reveal;
use crate::children::{self, keeper};
use crate::cli::{Approve, Cli, Common, OutputFormat, Printed, RunArgs, Subcommands};
use crate::config::{Settings, api_key};
use crate::domain::agent::ModelRef;
use crate::domain::notice::{NoModel, Notice};
use crate::error::Trouble;
use crate::headless::exit::Exit;
use crate::headless::{self, Failure, Options, Output};
use crate::lang::{self, Obstacle};
use crate::orchestrator::engine::{Engine, IfShut, ProjectLayer, Search, find_model};
use crate::orchestrator::seat::Approver;
use crate::traces;
use engine::{Base, Wishes};

/// Runs the program. What it returns is the process's exit code.
pub fn run() -> ExitCode {
    panics::quiet_the_caught();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some([mark, rest @ ..]) = arguments.get(1..)
        && let Some(code) = as_own_child(mark, rest)
    {
        return code;
    }
    let cli = match Cli::of(arguments) {
        Ok(cli) => cli,
        Err(Printed::Help) => return ExitCode::from(Exit::Done.code()),
        Err(Printed::Mistake) => return ExitCode::from(Exit::Usage.code()),
    };
    match start(cli) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(trouble) => {
            complain(&trouble.to_string());
            ExitCode::from(trouble.exit.code())
        }
    }
}

/// The roles in which the program starts itself as a child; recognised first, so that they start fast.
fn as_own_child(mark: &OsStr, arguments: &[OsString]) -> Option<ExitCode> {
    if mark == children::EXEC_CHILD {
        return Some(children::exec_child(arguments).unwrap_or_else(|error| {
            complain(&Trouble::new(Exit::Internal, error.to_string()).to_string());
            ExitCode::from(127)
        }));
    }
    if mark == keeper::KEEP {
        let of = arguments.first().and_then(|pid| pid.to_str()).unwrap_or_default();
        keeper::keep(of, crate::terminal::keeper::give_back_for_another);
        return Some(ExitCode::SUCCESS);
    }
    None
}

fn start(cli: Cli) -> Result<Exit, Trouble> {
    if cli.setup && cli.command.is_some() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoEffect { flag: "--setup" }));
    }
    if let Some(Subcommands::Run(arguments)) = cli.command {
        return run_once(cli.common, &arguments);
    }
    if let Some(Subcommands::Waiting(command)) = &cli.command {
        return Err(not_built(command.name()));
    }
    if let Some(command) = &cli.command
        && let Some(flag) = cli.common.given().find(|flag| !command.takes(flag))
    {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoEffect { flag }));
    }
    let base = Base::new(cli.common)?;
    match cli.command {
        None if cli.setup => workbench::run(&base, cli.prompt, workbench::asked_search(&base)),
        None => workbench::run(&base, cli.prompt, Search::WhereNothingIsConfigured),
        Some(Subcommands::Demo(arguments)) => demo::run(&base, &arguments),
        Some(Subcommands::Sessions(command)) => small::sessions(&base, &command),
        Some(Subcommands::Config(command)) => small::config(&base, &command),
        Some(Subcommands::Models { command, json }) => models::models(&base, command.as_ref(), json),
        Some(Subcommands::Auth(command)) => auth::auth(&base, &command),
        Some(Subcommands::Policy(command)) => small::policy(&base, &command),
        Some(Subcommands::Doctor { command: None, json }) => health::doctor(&base, json),
        Some(Subcommands::Doctor {
            command: Some(command), ..
        }) => small::doctor(&command),
        Some(Subcommands::Docs { table }) => small::docs(table),
        Some(
            Subcommands::Run(_) | Subcommands::Waiting(_) | Subcommands::ExecChild { .. } | Subcommands::Keep { .. },
        ) => Ok(Exit::Usage),
    }
}

/// The error for a command whose name is reserved for a later version.
fn not_built(command: &str) -> Trouble {
    Trouble::obstacle(Exit::Usage, Obstacle::NotBuilt { command }).coded("not_built")
}

/// `benchdog run`: one turn, printed. Scripts get their last line even when the run cannot begin.
fn run_once(common: Common, arguments: &RunArgs) -> Result<Exit, Trouble> {
    let output = match arguments.output {
        OutputFormat::Text => Output::Text,
        OutputFormat::Json => Output::Json,
        OutputFormat::StreamJson => Output::StreamJson,
    };
    begin(common, arguments, output).inspect_err(|trouble| {
        let failure = Failure {
            code: trouble.code,
            text: &trouble.whole_text(),
            hint: trouble.hint.as_deref().unwrap_or_default(),
        };
        headless::never_began(output, &failure, &mut std::io::stdout());
    })
}

fn begin(common: Common, arguments: &RunArgs, output: Output) -> Result<Exit, Trouble> {
    let base = Base::new(common)?;
    let prompt = prompt_of(arguments.prompt.clone())?;
    let loaded = base.load_here()?;
    if loaded.settings.provider.is_empty() && base.common.replay.is_none() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoModel).coded("no_model"));
    }
    has_key(&base, &loaded.settings)?;
    let wishes = Wishes {
        approver: match arguments.approve {
            Approve::Never => Approver::Never,
            Approve::Edits => Approver::Edits,
            Approve::All => Approver::All,
        },
        project: if base.common.trust {
            ProjectLayer::Trust
        } else {
            ProjectLayer::Ignore
        },
        limits: engine::limits_of_run(arguments),
        open: base.open_what(),
        if_shut: IfShut::End,
        ..Wishes::default()
    };
    one_turn(&base, loaded, wishes, Options { output, prompt }, arguments.timeout)
}

/// `auto`: nobody is here to wait for it, so it is looked for before the prompt is sent.
async fn found_model(base: &Base, settings: &Settings) -> Result<ModelRef, Trouble> {
    match find_model(settings, &base.environment).await {
        Ok(picked) => {
            if let Some(notice) = picked.notice {
                complain(&lang::note(&lang::notice(&notice).joined()));
            }
            Ok(picked.model)
        }
        Err(why) => {
            let words = lang::notice(&Notice::NoModel(why));
            Err(Trouble::new(Exit::Endpoint, words.text)
                .with_hint(words.hint)
                .coded("no_model"))
        }
    }
}

/// `--timeout` is over before a server has told what it offers.
fn out_of_time() -> Trouble {
    let error = lang::word(lang::Word::NoListInTime).to_owned();
    let words = lang::notice(&Notice::NoModel(NoModel::Failed { error }));
    Trouble::new(Exit::Limit, words.text)
        .with_hint(words.hint)
        .coded("no_model")
}

/// A key that the configuration asks for is there, before anything is sent without it.
fn has_key(base: &Base, settings: &Settings) -> Result<(), Trouble> {
    let model = engine::chosen_model(settings)?;
    let Some((name, provider)) =
        model.and_then(|model| Some((model.provider.clone(), settings.provider(&model.provider)?)))
    else {
        return Ok(());
    };
    let signs_itself = |header: &(String, String)| header.0.eq_ignore_ascii_case("authorization");
    let asks = !provider.api_key_env.is_empty() && !provider.headers.iter().any(signs_itself);
    if asks && base.common.replay.is_none() && api_key(provider, &base.environment).is_none() {
        let (name, variables) = (name.as_str(), &provider.api_key_env.join("`, `"));
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::KeyMissing { name, variables }).coded("no_key"));
    }
    Ok(())
}

/// Starts an engine, runs one turn through it without a screen, and lets it close.
fn one_turn(
    base: &Base,
    loaded: crate::config::Loaded,
    mut wishes: Wishes,
    options: Options,
    timeout: Option<u64>,
) -> Result<Exit, Trouble> {
    let _traces = traces::start(&base.folders.logs, &loaded.settings.logs, complain);
    let runtime = engine::runtime()?;
    let ended = runtime.block_on(async {
        let is_recorded = base.common.replay.is_some() || wishes.replay.is_some();
        if !is_recorded && wishes.model.is_none() && engine::chosen_model(&loaded.settings)?.is_none() {
            let patience = std::time::Duration::from_secs(timeout.unwrap_or(u64::from(u32::MAX)));
            let found = tokio::time::timeout(patience, found_model(base, &loaded.settings)).await;
            wishes.model = Some(found.unwrap_or_else(|_| Err(out_of_time()))?);
        }
        let mut setup = engine::setup(base, loaded, wishes)?;
        setup.open = engine::existing(&setup).await?;
        let record = setup.record.clone();
        let engine = Engine::start(setup);
        let stops = headless::signals::stops().map_err(|error| {
            Trouble::obstacle(
                Exit::Internal,
                Obstacle::Signals {
                    error: &error.to_string(),
                },
            )
        })?;
        if let Some(seconds) = timeout {
            let (seat, orders) = (engine.seat, engine.orders.clone());
            tokio::spawn(async move {
                tokio::time::sleep(std::time::Duration::from_secs(seconds)).await;
                let command = crate::protocol::Command::OutOfTime;
                let _ = orders.send(crate::protocol::Order { seat, command }).await;
            });
        }
        let (mut out, mut err) = (std::io::stdout(), std::io::stderr());
        let ends = headless::Ends {
            seat: engine.seat,
            orders: engine.orders,
            told: engine.told,
        };
        let ending = headless::run(options, ends, stops, &mut out, &mut err).await;
        engine::close(engine.task, record.as_deref()).await;
        Ok(ending.exit)
    });
    engine::stop(runtime);
    ended
}

/// The prompt: the argument, else standard input; with both, argument, blank line, input.
fn prompt_of(argument: Option<String>) -> Result<String, Trouble> {
    let mut input = String::new();
    if !std::io::stdin().is_terminal() {
        let mut bytes = Vec::new();
        std::io::stdin()
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(&error))?;
        input = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    }
    let prompt = match (argument, input.is_empty()) {
        (Some(argument), true) => argument,
        (Some(argument), false) => format!("{argument}\n\n{input}"),
        (None, _) => input,
    };
    if prompt.trim().is_empty() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoPrompt).coded("no_prompt"));
    }
    Ok(prompt)
}

fn unreadable(error: &std::io::Error) -> Trouble {
    let error = &error.to_string();
    Trouble::obstacle(Exit::Usage, Obstacle::Input { error })
}

/// Says it on stderr. Names of files and keys may come from a folder nobody trusts yet: they cannot steer the terminal.
fn complain(text: &str) {
    let text = reveal(text);
    // Nobody reads a closed stderr; the exit code still tells.
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[cfg(test)]
mod tests;
