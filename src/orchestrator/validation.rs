//! Chooses the check to run after changes: the configured command, or a command for the kind of project.

pub(crate) mod definition;

use std::collections::BTreeSet;
use std::path::Path;

use benchdog_config::settings::ValidationSettings;
use benchdog_domain::permission::{Action, Because, CheckBecause, CommandClass, Layer, Verdict};

/// Files that identify the kind of project, each with the check for it. The first existing file decides.
const DETECTED: &[(&str, &str)] = &[
    ("Cargo.toml", "cargo test"),
    ("go.mod", "go test ./..."),
    ("pyproject.toml", "python3 -m pytest -q"),
    ("pytest.ini", "python3 -m pytest -q"),
    ("setup.py", "python3 -m pytest -q"),
    ("package.json", "npm test"),
    ("Makefile", "make test"),
    ("check.sh", "sh check.sh"),
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// The command comes from the person's configuration, not from the project's.
    ByUser,
    /// The person allowed this check earlier in the session.
    BySession,
    No,
    /// The check was allowed. Afterwards, this file, which is part of the check's definition, was created or changed.
    NotAnyMore(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Plan {
    pub command: String,
    pub allowed: Allowed,
}

pub(crate) fn plan(settings: &ValidationSettings, root: &Path) -> Option<Plan> {
    if let Some(command) = &settings.command {
        // A command from the project's configuration is not trusted more than a command of the model.
        let allowed = if settings.command_layer == Layer::Project {
            Allowed::No
        } else {
            Allowed::ByUser
        };
        return Some(Plan {
            command: command.clone(),
            allowed,
        });
    }
    let (_, command) = DETECTED.iter().find(|(file, _)| root.join(file).is_file())?;
    Some(Plan {
        command: (*command).to_owned(),
        allowed: Allowed::No,
    })
}

/// Adjusts the policy's verdict to the source of the command. Keeps denials and verdicts about dangerous commands.
pub(crate) fn verdict(judged: Verdict, allowed: &Allowed, command: &str) -> Verdict {
    let dangerous = judged.class.is_some_and(CommandClass::is_grave);
    if judged.action == Action::Deny || dangerous {
        return judged;
    }
    // Offer no scope for "Always allow", because an approval is valid only until the definition of the check changes.
    let judged = Verdict {
        scopes: Vec::new(),
        ..judged
    };
    match allowed {
        Allowed::ByUser => Verdict {
            action: Action::Allow,
            because: Because::Check(CheckBecause::Configured),
            layer: Layer::User,
            ..judged
        },
        Allowed::BySession => Verdict {
            action: Action::Allow,
            because: Because::Check(CheckBecause::Allowed),
            layer: Layer::Session,
            ..judged
        },
        Allowed::No => Verdict {
            action: Action::Ask,
            because: Because::Check(CheckBecause::NotAllowedYet {
                command: command.to_owned(),
            }),
            ..judged
        },
        Allowed::NotAnyMore(file) => Verdict {
            action: Action::Ask,
            because: Because::Check(CheckBecause::Changed {
                command: command.to_owned(),
                file: file.clone(),
            }),
            layer: Layer::Guard,
            ..judged
        },
    }
}

/// Returns the files that define the check. If no check is configured, returns the files of all checks in `DETECTED`.
pub(crate) fn definitions(root: &Path, configured: Option<&str>) -> BTreeSet<String> {
    match configured {
        Some(command) => definition::files(root, command),
        None => {
            let kinds = DETECTED.iter();
            kinds
                .flat_map(|(file, command)| {
                    let mut files = definition::files(root, command);
                    files.insert((*file).to_owned());
                    files
                })
                .collect()
        }
    }
}
