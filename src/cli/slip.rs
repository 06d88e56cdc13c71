//! Detects misspelt commands, which would otherwise be sent to the model as a prompt.

use clap::CommandFactory;
use clap::error::ErrorKind;

use super::Cli;
use benchdog_base::spelling::nearest;
use benchdog_lang as lang;

impl Cli {
    /// Returns an error if the prompt is a single word that resembles the name of a command.
    pub(super) fn without_slip(self) -> Result<Self, clap::Error> {
        let word = self
            .prompt
            .as_deref()
            .filter(|_| self.command.is_none())
            .unwrap_or_default();
        let is_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let begins = word.get(..2).filter(|_| word.chars().all(is_name));
        let command = Self::command();
        let names = command
            .get_subcommands()
            .filter(|sub| !sub.is_hide_set())
            .map(clap::Command::get_name);
        let names = names.filter(|name| begins.is_some_and(|begins| name.starts_with(begins)));
        let Some(meant) = nearest(word, names) else {
            return Ok(self);
        };
        let said = format!("{}\n", lang::message::trouble_misspelt(meant, word));
        Err(Self::command().error(ErrorKind::InvalidSubcommand, said))
    }
}
