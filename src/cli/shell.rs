//! Shell completions and manual pages, made from the table of arguments.

use std::io;
use std::path::Path;

use clap::{Arg, Command, ValueEnum};
use clap_complete::generate;
use clap_complete::shells::{Bash, Fish, Zsh};
use clap_complete_nushell::Nushell;
use clap_mangen::Man;

use super::flags::shown;

const PROGRAM: &str = "benchdog";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
    Nushell,
}

pub(crate) fn completions(shell: Shell) -> String {
    // Remove hidden commands, because completion scripts would offer them.
    let all = shown();
    let commands: Vec<Command> = all
        .get_subcommands()
        .filter(|each| !each.is_hide_set())
        .cloned()
        .collect();
    let options: Vec<Arg> = all.get_arguments().cloned().collect();
    let (mut command, mut script) = (
        Command::new(PROGRAM)
            .version(env!("CARGO_PKG_VERSION"))
            .disable_version_flag(true)
            .args(options)
            .subcommands(commands),
        Vec::new(),
    );
    match shell {
        Shell::Bash => generate(Bash, &mut command, PROGRAM, &mut script),
        Shell::Zsh => generate(Zsh, &mut command, PROGRAM, &mut script),
        Shell::Fish => generate(Fish, &mut command, PROGRAM, &mut script),
        Shell::Nushell => generate(Nushell, &mut command, PROGRAM, &mut script),
    }
    String::from_utf8_lossy(&script).into_owned()
}

pub(crate) fn manual() -> io::Result<String> {
    let mut page = Vec::new();
    Man::new(shown()).render(&mut page)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// Writes one manual page for each command into an existing folder.
pub(crate) fn manuals(folder: &Path) -> io::Result<()> {
    clap_mangen::generate_to(shown(), folder)
}

#[cfg(test)]
mod tests;
