//! The workbench: connects an engine, the app state and a terminal.

use std::ffi::OsString;
use std::sync::Arc;

use super::detached::{self, Hosted, Side};
use super::engine::{self, Base, Wishes};
use super::look;
use super::project::Places;
use super::threads;
use super::worktree;
use super::{demo::quoted, is_at_terminal};
use crate::error::Trouble;
use benchdog_app::State;
use benchdog_app::seats;
use benchdog_app::state::AfterOpen;
use benchdog_app::themes::Themes;
use benchdog_base::clock::{Time, Zone};
use benchdog_base::id::SessionId;
use benchdog_base::text::ambiguous;
use benchdog_children::Foreground;
use benchdog_config::settings::Settings;
use benchdog_config::{ConfigError, Loaded, ollama_address, public_address, resolve_model};
use benchdog_domain::agent::short_model;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Language, Obstacle, Word, word};
use benchdog_orchestrator::engine::{Engine, ProjectLayer, Search};
use benchdog_protocol::{Command, Delivery, Order};
use benchdog_terminal as terminal;
use benchdog_terminal::bell::Bell;
use benchdog_terminal::clipboard::Clipboard;
use benchdog_terminal::colouring::Appearance;
use benchdog_terminal::editor::{Editor, OnTerminal};
use benchdog_terminal::event_loop::{self, Leave, Session};
use benchdog_terminal::paint::Links;
use benchdog_theme::{Depth, Ground, Theme};
use benchdog_traces as traces;

pub(super) struct Opening {
    pub(super) prompt: Option<String>,
    pub(super) search: Search,
    /// Name of the worktree to begin in. If empty, an unused name is chosen.
    pub(super) worktree: Option<String>,
    pub(super) detached: bool,
}

pub(super) fn run(base: &Base, opening: Opening) -> Result<Exit, Trouble> {
    // The `linear` module has handled all cases of line output except a search, which needs the full screen.
    if !is_at_terminal() || base.shows_lines_only() {
        let file = &base.folders.config_file.display().to_string();
        let missing = match opening.search {
            Search::Asked { .. } => Obstacle::SetupNeedsTerminal { file },
            Search::Never | Search::WhereNothingIsConfigured => Obstacle::NoTerminal,
        };
        return Err(Trouble::obstacle(Exit::Usage, missing));
    }
    let detaches = || Ok::<_, Trouble>(opening.detached || base.load_own()?.settings.engine.detaches);
    if opening.sets_up() || !detaches()? {
        return run_here(base, opening, None);
    }
    match detached::start(base)? {
        Side::Client(exit) => Ok(exit),
        Side::Host(hosted) => Ok(hosted.end(run_here(base, opening, Some(hosted.clone())))),
    }
}

impl Opening {
    fn sets_up(&self) -> bool {
        matches!(self.search, Search::Asked { .. })
    }
}

fn run_here(base: &Base, opening: Opening, host: Option<Hosted>) -> Result<Exit, Trouble> {
    let sets_up = opening.sets_up();
    let Opening {
        prompt,
        search,
        worktree,
        ..
    } = opening;
    let (in_worktree, from) = match worktree.map(|name| worktree::begin_in(base, &name)).transpose()? {
        Some((base, from)) => (Some(base), Some(from)),
        None => (None, None),
    };
    let base = in_worktree.as_ref().unwrap_or(base);
    let loaded = base.load_own()?;
    let wishes = Wishes {
        worktree: from,
        open: base.open_what(),
        project: if base.common.trust {
            ProjectLayer::Trust
        } else {
            ProjectLayer::Ask
        },
        search,
        is_detached: host.is_some(),
        ..Wishes::default()
    };
    let begins = Begins {
        prompt,
        greeting: None,
        lists: base.wants_list(),
        sets_up,
        host,
    };
    let (exit, left) = open(base, loaded, wishes, begins)?;
    if exit == Exit::Done && sets_up {
        let file = base.folders.config_file.display().to_string();
        terminal::say_farewell(&format!("{}\n", set_up(&file, &base.load_own()?.settings)));
    } else if exit == Exit::Done {
        comes_back(&left, base.environment.get("PWD").unwrap_or_default());
    }
    Ok(exit)
}

/// Returns the message about the server and the model that setup has configured.
fn set_up(file: &str, settings: &Settings) -> String {
    let model = settings
        .model
        .as_deref()
        .and_then(|text| resolve_model(text, settings).ok());
    let server = model.as_ref().and_then(|model| settings.provider(&model.provider));
    match (model, server) {
        (Some(model), Some(server)) => {
            lang::message::setup_ended(&public_address(&server.base_url), file, short_model(&model.id))
        }
        _ => word(Word::SetupEndedWithout).to_owned(),
    }
}

pub(super) struct Begins {
    pub(super) prompt: Option<String>,
    pub(super) greeting: Option<String>,
    /// Whether to show the list of sessions first.
    pub(super) lists: bool,
    /// Whether to show the dialogs of `--setup`. The workbench then ends after the last dialog.
    pub(super) sets_up: bool,
    pub(super) host: Option<Hosted>,
}

pub(super) struct Spoken {
    session: SessionId,
    folder: String,
}

fn comes_back(left: &[Spoken], here: &str) {
    for spoken in left {
        let folder = match spoken.folder == here {
            true => String::new(),
            false => format!(" -C {}", quoted(&spoken.folder)),
        };
        let command = match left {
            [_] => format!("benchdog{folder} -c"),
            _ => format!("benchdog{folder} -r {}", spoken.session),
        };
        terminal::say_farewell(&format!("{}\n", lang::message::leave_comes_back(&command)));
    }
}

/// Runs the workbench until the person exits. Returns the exit code, and the sessions that were open.
pub(super) fn open(
    base: &Base,
    loaded: Loaded,
    wishes: Wishes,
    begins: Begins,
) -> Result<(Exit, Vec<Spoken>), Trouble> {
    let _traces = traces::start(&base.folders.logs, &loaded.settings.logs, super::complain);
    let seen = look::of(&loaded.settings.ui);
    let notify = loaded.settings.ui.notify.clone();
    if loaded.settings.ui.ambiguous_wide {
        ambiguous::draw_wide();
    }
    // This size is provisional. The first frame sets the real size.
    let mut state = State::new(seen.keymap, 80, 24, Time::now());
    state.mouse = seen.mouse;
    state.home = base.environment.get("HOME").map(str::to_owned);
    state.zone = Zone::of_this_machine();
    state.greeting = begins.greeting;
    state.after_open = begins.lists.then_some(AfterOpen::List);
    if begins.sets_up {
        benchdog_app::begin_setup(&mut state);
    }
    let report = detached::report(
        &base.folders.live,
        begins.host.as_ref().map(|host| host.name().to_owned()),
        &base.root,
        loaded.settings.engine.idle_minutes,
    );
    let host = begins.host.map(|host| host.link(&loaded.settings.engine));
    state.screen.prompt.edit_as_vi(seen.vim);
    state.confirm_exit = seen.confirm_exit;
    state.alt_decides = seen.alt_decides;
    state.themes = Themes::configured(&loaded.settings.ui.theme);
    let look = Appearance {
        shelf: Places::of(base).shelf(),
        choice: seen.theme,
        depth: Depth::of(&base.environment),
        ground: Ground::of(&base.environment),
    };
    let theme = Theme::choose(&look.shelf, &look.choice, look.depth, look.ground)
        .map_err(|problems| engine::bad_configuration(&ConfigError { problems }))?;
    let without = engine::secret_variables(base, &loaded.settings);
    let clipboard = Clipboard::of(&base.environment, base.folders.pasted(), Arc::clone(&without));
    let links = Links::on(base.environment.get("TERM"));
    let bell = Bell::of(&notify, &base.environment);
    let variable = |name| base.environment.get(name);
    let chosen = variable("VISUAL").or_else(|| variable("EDITOR"));
    // POSIX guarantees that `vi` exists.
    let editor = Editor::of(chosen.unwrap_or("vi"), on_terminal(without));
    let logs = base.folders.logs.clone();
    let runtime = threads::runtime()?;
    // Prepare the messages in parallel with the first frame, which does not wait for them.
    drop(runtime.spawn_blocking(lang::prepare));
    let left = runtime
        .block_on(async {
            let (setup, home) = engine::setup(base, loaded, wishes)?;
            let record = setup.record.clone();
            Ok::<_, Trouble>((Engine::start(setup, home), record))
        })
        .and_then(|(engine, record)| {
            if let Some(text) = begins.prompt {
                // The channel is still empty, so it has space.
                let _ = engine.orders.try_send(Order {
                    seat: engine.seat,
                    command: Command::Prompt {
                        text,
                        pasted: Vec::new(),
                        delivery: Delivery::Queue,
                    },
                });
            }
            state.screen.seat = engine.seat;
            let session = Session {
                orders: engine.orders,
                told: engine.told,
                state,
                look,
                theme,
                clipboard,
                links,
                bell,
                editor,
                log: Arc::new(move || traces::last_lines(&logs)),
                set_language: |language| Language::from_name(language).into_iter().for_each(lang::set_language),
                host,
                report,
            };
            let left = at_the_terminal(session);
            runtime.block_on(engine::close(engine.task, record.as_deref()));
            left
        });
    threads::stop(runtime);
    let (leave, spoken) = left?;
    let exit = match leave {
        Leave::Asked => Exit::Done,
        Leave::Signal(_) => Exit::Interrupted,
        Leave::Closed => Exit::Internal,
    };
    Ok((exit, spoken))
}

/// Runs the terminal in its own thread and runtime, so that engine work never delays a key press.
fn at_the_terminal(session: Session) -> Result<(Leave, Vec<Spoken>), Trouble> {
    let runtime = threads::runtime_of_one_thread()?;
    let left = runtime.block_on(event_loop::run(session));
    threads::stop(runtime);
    let (leave, state) = left.map_err(|error| Trouble::from_error(Exit::Internal, &error))?;
    let spoken = seats::spoken(&state).into_iter();
    let spoken = spoken.map(|(session, folder)| Spoken { session, folder });
    Ok((leave, spoken.collect()))
}

fn on_terminal(without: Arc<[String]>) -> OnTerminal {
    Arc::new(move |words: Vec<OsString>| {
        let without = Arc::clone(&without);
        Box::pin(async move { Foreground::start(&words, &without)?.ended().await })
    })
}

/// Returns the search for model servers that `--setup` makes. The search also tries addresses from environment
/// variables of other programs.
pub(super) fn asked_search(base: &Base) -> Search {
    let ollama = base.environment.get("OLLAMA_HOST").map(ollama_address);
    let openai = base.environment.get("OPENAI_BASE_URL").map(str::to_owned);
    Search::Asked {
        also: ollama.into_iter().chain(openai).collect(),
    }
}
