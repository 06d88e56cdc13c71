//! The composition root: parses arguments, connects the modules and returns an exit code.

mod acp;
mod agents;
mod archive;
mod auth;
mod bench;
mod demo;
mod detached;
mod engine;
mod folder;
mod health;
mod import;
mod limits;
mod linear;
mod look;
mod mcp;
mod models;
mod own_tools;
mod patterns;
mod pins;
mod project;
mod pull;
mod review;
mod servers;
mod sessions;
mod settings;
mod sign_in;
mod small;
mod tables;
mod threads;
mod workbench;
mod worktree;

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{BufReader, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::Duration;

use futures::StreamExt;
use tokio::time::Instant;

use crate::cli::{
    Approve, Bounds, Cli, Common, InputFormat, Lines, OutputFormat, Printed, Reader, RunArgs, Subcommands, completions,
    has_effect,
};
use crate::error::Trouble;
use benchdog_base::panics;
use benchdog_base::text::reveal;
use benchdog_children::confined::signals::{self, Held};
use benchdog_children::{self as children, keeper};
use benchdog_config::unknown_tool;
use benchdog_config::{Settings, api_key};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::notice::{NoModel, Notice};
use benchdog_domain::tool_list::ToolList;
use benchdog_headless::exit::Exit;
use benchdog_headless::{self as headless, Answers, Failure, Options, Output, Program};
use benchdog_lang::{self as lang, Obstacle};
use benchdog_orchestrator::engine::{
    Engine, FolderSetup, IfShut, ProjectLayer, Search, Setup, ToldOfChildren, find_model,
};
use benchdog_orchestrator::seat::Approver;
use benchdog_traces as traces;
use engine::{Base, Wishes};
use limits::Limits;

pub fn run() -> ExitCode {
    panics::quiet_the_caught();
    let arguments: Vec<OsString> = std::env::args_os().collect();
    if let Some([mark, rest @ ..]) = arguments.get(1..)
        && let Some(code) = as_own_child(mark, rest)
    {
        return code;
    }
    let held = Held::back();
    let cli = match Cli::of(arguments) {
        Ok(cli) => cli,
        Err(Printed::Help) => return ExitCode::from(Exit::Done.code()),
        Err(Printed::Mistake) => return ExitCode::from(Exit::Usage.code()),
    };
    signals::outlive_large_files();
    match start(cli, held) {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(trouble) => {
            complain(&trouble.to_string());
            ExitCode::from(trouble.exit.code())
        }
    }
}

/// Runs this process as one of the program's own child processes, if the arguments request that. This check comes
/// first, so that children start fast.
fn as_own_child(mark: &OsStr, arguments: &[OsString]) -> Option<ExitCode> {
    if mark == children::EXEC_CHILD {
        return Some(children::exec_child(arguments).unwrap_or_else(|error| {
            complain(&Trouble::new(Exit::Internal, error.to_string()).to_string());
            ExitCode::from(127)
        }));
    }
    if mark == benchdog_tools::READ_PDF {
        return Some(benchdog_tools::read_pdf(arguments));
    }
    if mark == benchdog_tools::READ_IMAGE {
        return Some(benchdog_tools::read_image(arguments));
    }
    if mark == keeper::KEEP {
        let word = |at: usize| arguments.get(at).and_then(|word| word.to_str()).unwrap_or_default();
        keeper::keep(word(0), word(1), benchdog_terminal::keeper::give_back_for_another);
        return Some(ExitCode::SUCCESS);
    }
    None
}

fn start(cli: Cli, signals: Held) -> Result<Exit, Trouble> {
    let reader = cli.reader();
    if cli.setup && cli.command.is_some() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoEffect { flag: "--setup" }));
    }
    if cli.linear && (cli.setup || cli.command.is_some()) {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoEffect { flag: "--linear" }));
    }
    let no_screen = cli.linear || cli.command.is_some();
    if cli.detached && no_screen {
        return Err(Trouble::obstacle(
            Exit::Usage,
            Obstacle::NoEffect { flag: "--detached" },
        ));
    }
    if cli.worktree.is_some() && no_screen {
        return Err(Trouble::obstacle(
            Exit::Usage,
            Obstacle::NoEffect { flag: "--worktree" },
        ));
    }
    if let Some(Subcommands::Run(mut arguments)) = cli.command {
        // The prompt may precede the flag: `benchdog "PROMPT" -p`.
        arguments.prompt = arguments.prompt.or(cli.prompt);
        return run_once(cli.common, arguments, reader, signals);
    }
    if let Some(Subcommands::Review(arguments)) = cli.command {
        return review::run(cli.common, arguments, reader, signals);
    }
    drop(signals);
    if let Some(command) = &cli.command
        && let Some(flag) = cli.common.given().find(|flag| !has_effect(flag, command.path()))
    {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoEffect { flag }));
    }
    match &cli.command {
        Some(Subcommands::Docs { table }) => return small::docs(*table),
        Some(Subcommands::Completions { shell }) => return small::say(&completions(*shell)),
        Some(Subcommands::Schema { of }) => return small::say(&schema(*of)),
        Some(Subcommands::Man { output }) => return small::manual(output.as_deref()),
        _ => {}
    }
    let base = Base::new(cli.common, reader)?;
    match cli.command {
        None if cli.linear || (!cli.setup && cli.worktree.is_none() && base.shows_lines_only() && is_at_terminal()) => {
            linear::run(&base, cli.prompt)
        }
        None => {
            let opening = workbench::Opening {
                prompt: cli.prompt,
                search: match cli.setup {
                    true => workbench::asked_search(&base),
                    false => Search::WhereNothingIsConfigured,
                },
                worktree: cli.worktree,
                detached: cli.detached,
            };
            workbench::run(&base, opening)
        }
        Some(Subcommands::Attach(arguments)) => detached::attach(&base, &arguments),
        Some(Subcommands::Agents { command, json }) => detached::agents(&base, command.as_ref(), json),
        Some(Subcommands::Agent(command)) => agents::agent(&base, &command),
        Some(Subcommands::Acp) => acp::run(base),
        Some(Subcommands::Bench(command)) => bench::bench(&base, &command),
        Some(Subcommands::Demo(arguments)) => demo::run(&base, &arguments),
        Some(Subcommands::Sessions(command)) => sessions::sessions(&base, &command),
        Some(Subcommands::Config(command)) => small::config(&base, &command),
        Some(Subcommands::Models { command, json }) => models::models(&base, command.as_ref(), json),
        Some(Subcommands::Auth(command)) => auth::auth(&base, &command),
        Some(Subcommands::Mcp(command)) => mcp::mcp(&base, &command),
        Some(Subcommands::Policy(command)) => small::policy(&base, &command),
        Some(Subcommands::Doctor { command: None, json }) => health::doctor(&base, json),
        Some(Subcommands::Doctor {
            command: Some(command), ..
        }) => small::doctor(&command),
        Some(
            Subcommands::Run(_)
            | Subcommands::Review(_)
            | Subcommands::Docs { .. }
            | Subcommands::Completions { .. }
            | Subcommands::Schema { .. }
            | Subcommands::Man { .. }
            | Subcommands::ExecChild { .. }
            | Subcommands::Keep { .. },
        ) => Ok(Exit::Usage),
    }
}

fn schema(of: Lines) -> String {
    let schema = match of {
        Lines::Events => headless::schema::events(),
        Lines::Input => headless::schema::input(),
    };
    format!("{schema:#}\n")
}

fn is_at_terminal() -> bool {
    std::io::stdin().is_terminal() && std::io::stdout().is_terminal()
}

/// Runs `benchdog run`: one turn with printed output. Prints a last line for scripts even if the turn cannot begin.
fn run_once(common: Common, arguments: RunArgs, reader: Reader, signals: Held) -> Result<Exit, Trouble> {
    let output = printed(arguments.output);
    let until = end_of(&arguments.bounds);
    let asked = move || asked_for(common, arguments, reader);
    in_a_runtime(output, until, signals, asked).inspect_err(|trouble| never_began(output, trouble, None))
}

fn printed(output: OutputFormat) -> Output {
    match output {
        OutputFormat::Text => Output::Text,
        OutputFormat::Json => Output::Json,
        OutputFormat::StreamJson => Output::StreamJson,
    }
}

fn end_of(bounds: &Bounds) -> Option<Instant> {
    bounds
        .timeout
        .map(|seconds| Instant::now() + Duration::from_secs(seconds))
}

fn never_began(output: Output, trouble: &Trouble, review: Option<headless::Review>) {
    let failure = Failure {
        outcome: match trouble.exit {
            Exit::Interrupted => TurnOutcome::Interrupted,
            Exit::Limit => TurnOutcome::Limit,
            _ => TurnOutcome::Error,
        },
        code: trouble.code,
        text: &trouble.whole_text(),
        hint: trouble.hint.as_deref().unwrap_or_default(),
    };
    headless::never_began(output, &failure, review, &mut std::io::stdout());
}

struct Asked {
    base: Base,
    loaded: benchdog_config::Loaded,
    wishes: Wishes,
    prompt: Prompt,
}

struct Prompt {
    text: String,
    pasted: Vec<std::ops::Range<usize>>,
    review: Option<headless::Review>,
    is_quiet: bool,
    answered: Answered,
}

enum Answered {
    Nobody,
    Terminal(File),
    Program { asks: bool },
}

/// Returns the tools that `--tools` allows. An unknown name is an error, because the restriction would not have the
/// intended effect.
fn may_use(base: &Base, names: &[String]) -> Result<ToolList, Trouble> {
    let rules = base.tools.all_rules();
    if let Some((told, instead)) = names.iter().find_map(|name| unknown_tool(name, &rules)) {
        let (told, instead) = (told.as_str(), instead.as_deref());
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoTool { told, instead }).coded("no_tool"));
    }
    Ok(ToolList::of(names))
}

fn asked_for(common: Common, arguments: RunArgs, reader: Reader) -> Result<Asked, Trouble> {
    let base = Base::new(common, reader)?;
    base.needs_id()?;
    let wishes = Wishes {
        approver: match arguments.approve {
            Approve::Never => Approver::Never,
            Approve::Ask => Approver::Person,
            Approve::Edits => Approver::Edits,
            Approve::All => Approver::All,
        },
        children: match arguments.output {
            OutputFormat::StreamJson => ToldOfChildren::All,
            OutputFormat::Text | OutputFormat::Json => ToldOfChildren::Rows,
        },
        open: base.open_what(),
        may_use: may_use(&base, &arguments.tool_list())?,
        ..wishes_without_screen(&base, &arguments.bounds)
    };
    let prompt = Prompt {
        is_quiet: arguments.quiet,
        ..prompt_and_answers(&arguments)?
    };
    let loaded = base.load_here()?;
    can_ask(&base, &loaded)?;
    Ok(Asked {
        base,
        loaded,
        wishes,
        prompt,
    })
}

impl From<String> for Prompt {
    fn from(text: String) -> Self {
        Self {
            text,
            pasted: Vec::new(),
            review: None,
            is_quiet: false,
            answered: Answered::Nobody,
        }
    }
}

/// Returns the engine options for a turn without a screen. Approval requests are denied unless a flag allows them.
fn wishes_without_screen(base: &Base, bounds: &Bounds) -> Wishes {
    Wishes {
        approver: Approver::Never,
        project: if base.common.trust {
            ProjectLayer::Trust
        } else {
            ProjectLayer::Ignore
        },
        limits: Limits::of_run(bounds),
        if_shut: IfShut::End,
        ..Wishes::default()
    }
}

fn can_ask(base: &Base, loaded: &benchdog_config::Loaded) -> Result<(), Trouble> {
    if loaded.settings.provider.is_empty() && base.common.replay.is_none() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoModel).coded("no_model"));
    }
    has_key(base, &loaded.settings)
}

/// Resolves the model `auto` before the prompt is sent, because nobody can choose a model afterwards.
async fn found_model(base: &Base, settings: &Settings) -> Result<ModelRef, Trouble> {
    match find_model(settings, &base.environment).await {
        Ok(picked) => {
            if let Some(notice) = picked.notice {
                complain(&lang::message::plain_note(&lang::notice(&notice).joined()));
            }
            Ok(picked.model)
        }
        Err(why) => {
            let exit = match why {
                NoModel::Failed { .. } => Exit::Endpoint,
                NoModel::NoServer | NoModel::NoneOffered { .. } => Exit::Usage,
            };
            let words = lang::notice(&Notice::NoModel(why));
            Err(Trouble::new(exit, words.text).with_hint(words.hint).coded("no_model"))
        }
    }
}

/// Checks that the key of the endpoint is configured. Otherwise, a request would be sent without the key.
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

/// Runs one turn without a screen. Signals and the timeout end every wait.
fn in_a_runtime(
    output: Output,
    until: Option<Instant>,
    signals: Held,
    asked: impl FnOnce() -> Result<Asked, Trouble> + Send + 'static,
) -> Result<Exit, Trouble> {
    let runtime = threads::runtime()?;
    let ended = runtime.block_on(async {
        let mut stops = headless::signals::stops().map_err(|error| {
            let error = &error.to_string();
            Trouble::obstacle(Exit::Internal, Obstacle::Signals { error })
        })?;
        drop(signals);
        let ready = tokio::select! {
            ready = get_ready(asked) => ready?,
            _ = stops.next() => return Err(Trouble::obstacle(Exit::Interrupted, Obstacle::Stopped).coded("interrupted")),
            () = headless::reached(until) => return Err(Trouble::obstacle(Exit::Limit, Obstacle::OutOfTime).coded("limit")),
        };
        let Ready {
            setup,
            home,
            prompt,
            _traces,
        } = ready;
        let record = setup.record.clone();
        let engine = Engine::start(setup, home);
        let ends = headless::Ends {
            seat: engine.seat,
            orders: engine.orders,
            told: engine.told,
        };
        let Prompt {
            text,
            pasted,
            review,
            is_quiet,
            answered,
        } = prompt;
        let answers = answers_of(answered)?;
        let options = Options {
            output,
            prompt: text,
            pasted,
            until,
            review,
            is_quiet,
            answers,
        };
        let ending = headless::run(options, ends, stops, std::io::stdout(), std::io::stderr()).await;
        if !ending.abandoned {
            engine::close(engine.task, record.as_deref()).await;
        }
        Ok(ending.exit)
    });
    threads::stop(runtime);
    ended
}

struct Ready {
    setup: Setup,
    home: FolderSetup,
    prompt: Prompt,
    /// Writes the log while this value exists.
    _traces: traces::Traces,
}

async fn get_ready(asked: impl FnOnce() -> Result<Asked, Trouble> + Send + 'static) -> Result<Ready, Trouble> {
    let Asked {
        base,
        loaded,
        mut wishes,
        prompt,
    } = off_loop(asked).await?;
    let traces = traces::start(&base.folders.logs, &loaded.settings.logs, complain);
    let is_recorded = base.common.replay.is_some() || wishes.replay.is_some();
    if !is_recorded && wishes.model.is_none() && engine::chosen_model(&loaded.settings)?.is_none() {
        wishes.model = Some(found_model(&base, &loaded.settings).await?);
    }
    let (mut setup, home) = match off_loop(move || engine::setup(&base, loaded, wishes)).await {
        Ok(setup) => setup,
        Err(trouble) => {
            traces.end_untold();
            return Err(trouble);
        }
    };
    setup.open = engine::existing(&setup, &home).await?;
    Ok(Ready {
        setup,
        home,
        prompt,
        _traces: traces,
    })
}

async fn off_loop<T: Send + 'static>(work: impl FnOnce() -> Result<T, Trouble> + Send + 'static) -> Result<T, Trouble> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Trouble::new(Exit::Internal, error.to_string())))
}

fn answers_of(answered: Answered) -> Result<Answers, Trouble> {
    Ok(match answered {
        Answered::Nobody => Answers::Nobody,
        Answered::Terminal(terminal) => {
            let dialog = benchdog_linear::dialog(terminal);
            Answers::Person(dialog.map_err(|_| no_one_to_ask())?)
        }
        Answered::Program { asks } => Answers::Program(Program::new(BufReader::new(std::io::stdin()), asks)),
    })
}

fn no_one_to_ask() -> Trouble {
    Trouble::obstacle(Exit::Usage, Obstacle::NoOneToAsk).coded("no_terminal")
}

/// Returns the prompt, and the source of answers. If a program sends `stream-json` input, the prompts in the input
/// arrive later.
fn prompt_and_answers(arguments: &RunArgs) -> Result<Prompt, Trouble> {
    let asks = arguments.approve == Approve::Ask;
    let prompt = arguments.prompt.clone();
    if arguments.input == InputFormat::StreamJson {
        if arguments.output != OutputFormat::StreamJson {
            return Err(Trouble::obstacle(Exit::Usage, Obstacle::InputNeedsOutput).coded("usage"));
        }
        return Ok(Prompt {
            answered: Answered::Program { asks },
            ..prompt.filter(|prompt| prompt != "-").unwrap_or_default().into()
        });
    }
    let answered = match asks {
        true => Answered::Terminal(benchdog_linear::terminal().map_err(|_| no_one_to_ask())?),
        false => Answered::Nobody,
    };
    Ok(Prompt {
        answered,
        ..prompt_of(prompt)?
    })
}

/// Returns the prompt: the argument, standard input, or both with a blank line between them. As in pasted text, `@` in
/// standard input is not a mention.
fn prompt_of(argument: Option<String>) -> Result<Prompt, Trouble> {
    let mut input = String::new();
    let reads = argument.as_deref() == Some("-") || !std::io::stdin().is_terminal();
    let argument = argument.filter(|argument| argument != "-");
    if reads {
        let mut bytes = Vec::new();
        let longest = headless::LONGEST_INPUT;
        std::io::stdin()
            .take(longest + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| unreadable(&error))?;
        if bytes.len() as u64 > longest {
            let mib = longest / (1024 * 1024);
            return Err(Trouble::obstacle(Exit::Usage, Obstacle::InputTooLong { mib }).coded("input_too_long"));
        }
        input = String::from_utf8_lossy(&bytes).trim_end().to_owned();
    }
    let typed = match argument {
        Some(argument) if !input.is_empty() => argument + "\n\n",
        other => other.unwrap_or_default(),
    };
    let pasted = typed.len()..typed.len() + input.len();
    let text = typed + &input;
    if text.trim().is_empty() {
        return Err(Trouble::obstacle(Exit::Usage, Obstacle::NoPrompt).coded("no_prompt"));
    }
    Ok(Prompt {
        pasted: Some(pasted).filter(|range| !range.is_empty()).into_iter().collect(),
        ..text.into()
    })
}

fn unreadable(error: &std::io::Error) -> Trouble {
    let error = &error.to_string();
    Trouble::obstacle(Exit::Usage, Obstacle::Input { error })
}

/// Prints a message to stderr. Control characters are escaped, because names of files and keys may come from an
/// untrusted folder.
fn complain(text: &str) {
    let text = reveal(text);
    // If stderr is closed, the exit code still reports the error.
    let _ = writeln!(std::io::stderr(), "{text}");
}

#[cfg(test)]
mod tests;
