//! `benchdog demo`: a sample project with a failing check, and a recording that fixes it. It runs the workbench in a
//! new folder, with preset permissions and the built-in recording as the model.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::engine::{Base, Wishes};
use super::{Asked, in_a_runtime, workbench};
use crate::cli::{Common, DemoArgs};
use crate::error::Trouble;
use benchdog_children::confined::signals::Held;
use benchdog_config::Settings;
use benchdog_config::settings::RuleLayer;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::confinement::Level;
use benchdog_domain::permission::{Action, Layer};
use benchdog_headless::Output;
use benchdog_headless::exit::Exit;
use benchdog_lang::{self as lang, Obstacle, Word, word};
use benchdog_orchestrator::engine::ProjectLayer;
use benchdog_orchestrator::seat::Approver;
use benchdog_provider::replay::{Pace, Replay};
use benchdog_terminal::say_farewell;

const FILES: &[(&str, &str)] = &[
    ("README.md", include_str!("../../assets/demo/project/README.md")),
    ("check.sh", include_str!("../../assets/demo/project/check.sh")),
    ("total.sh", include_str!("../../assets/demo/project/total.sh")),
];

const RECORDING: &str = include_str!("../../assets/demo/recording.jsonl");

const PROMPT: &str = "sh check.sh fails. Find out why and fix it.";

const CHECK: &str = "sh check.sh";

pub(super) fn run(base: &Base, arguments: &DemoArgs) -> Result<Exit, Trouble> {
    let folder = lay_out(&base.folders.data.join("demo"))?;
    let here = Base {
        common: Common {
            cwd: Some(folder.clone()),
            ..base.common.clone()
        },
        reader: base.reader,
        environment: base.environment.clone(),
        folders: base.folders.clone(),
        root: folder.clone(),
        tools: base.tools.clone(),
        unread_tools: Vec::new(),
        servers: None,
    };
    let terminal = super::is_at_terminal() && !base.shows_lines_only();
    let mut loaded = here.load_own()?;
    preset(&mut loaded.settings);
    let pace = if terminal { Pace::Recorded } else { Pace::Immediate };
    let replay = Replay::from_text(RECORDING, &folder.display().to_string(), pace)
        .map_err(|error| Trouble::from_error(Exit::Internal, &error))?;
    let wishes = Wishes {
        approver: if arguments.auto || !terminal {
            Approver::Edits
        } else {
            Approver::Person
        },
        project: ProjectLayer::Ignore,
        replay: Some(Arc::new(replay)),
        model: Some(ModelRef {
            provider: "demo".to_owned(),
            id: "recording".to_owned(),
        }),
        ..Wishes::default()
    };
    let exit = if terminal {
        let begins = workbench::Begins {
            sets_up: false,
            prompt: Some(PROMPT.to_owned()),
            greeting: Some(word(Word::DemoBegins).to_owned()),
            lists: false,
            host: None,
        };
        workbench::open(&here, loaded, wishes, begins)?.0
    } else {
        say(word(Word::DemoBegins));
        let asked = Asked {
            base: here,
            loaded,
            wishes,
            prompt: PROMPT.to_owned().into(),
        };
        let exit = in_a_runtime(Output::Plain, None, Held::back(), || Ok(asked))?;
        if exit == Exit::Done { check(&folder) } else { exit }
    };
    let again = lang::message::demo_again(&quoted(&folder.display().to_string()));
    if terminal {
        say_farewell(&format!("{again}\n"));
    } else {
        say(&again);
    }
    Ok(exit)
}

fn lay_out(parent: &Path) -> Result<PathBuf, Trouble> {
    let trouble = |error: std::io::Error| {
        let (folder, error) = (&parent.display().to_string(), &error.to_string());
        Trouble::obstacle(Exit::Internal, Obstacle::Demo { folder, error })
    };
    std::fs::create_dir_all(parent).map_err(trouble)?;
    let mut number = 1_u32;
    let folder = loop {
        let folder = parent.join(number.to_string());
        match std::fs::create_dir(&folder) {
            Ok(()) => break folder,
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(trouble(error)),
        }
    };
    for (name, content) in FILES {
        std::fs::write(folder.join(name), content).map_err(trouble)?;
    }
    std::fs::canonicalize(&folder).map_err(trouble)
}

/// Sets the permissions of the demo: edits need approval, and the check may run. Other permissions are unchanged.
fn preset(settings: &mut Settings) {
    settings.validation.auto = true;
    // The sample is trusted, so it needs no sandbox. Without one, its check has the same result on every system.
    settings.sandbox.level.get_or_insert(Level::Off);
    settings.validation.command = Some(CHECK.to_owned());
    settings.validation.command_layer = Layer::Flag;
    settings.permission.push(RuleLayer {
        network: Vec::new(),
        layer: Layer::Flag,
        origin: "demo".to_owned(),
        rules: vec![
            ("edit".to_owned(), vec![("*".to_owned(), Action::Ask)]),
            ("bash".to_owned(), vec![(CHECK.to_owned(), Action::Allow)]),
        ],
    });
}

fn check(folder: &Path) -> Exit {
    let passed = std::process::Command::new("sh")
        .arg("check.sh")
        .current_dir(folder)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    say(word(if passed { Word::DemoPasses } else { Word::DemoFails }));
    if passed { Exit::Done } else { Exit::Validation }
}

pub(super) fn quoted(text: &str) -> String {
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "/._-+@%".contains(c));
    if plain {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

fn say(text: &str) {
    let _ = writeln!(std::io::stdout(), "{text}");
}
