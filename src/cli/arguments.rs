//! Splits arguments from the shell before they are parsed.

use std::ffi::OsString;

use clap::CommandFactory;

use super::Cli;

/// Full-width space of East Asian keyboards. Shells do not treat it as a separator.
const WIDE_SPACE: char = '\u{3000}';
const PROMPT: &str = "--prompt=";
const PROMPT_FLAGS: [&str; 2] = ["-p", "--prompt"];

/// Splits `run　PROMPT`, `-p　PROMPT` and `--model　NAME` at the full-width space. Splits `--prompt=PROMPT` at the equals
/// sign, because the parser would drop it. Other arguments are not changed.
pub(super) fn separated(arguments: Vec<OsString>) -> Vec<OsString> {
    let command = Cli::command();
    let is_command = |word: &str| PROMPT_FLAGS.contains(&word) || command.find_subcommand(word).is_some();
    // Split only the arguments up to the command. Later arguments are prompts and names, which may contain the
    // full-width space.
    let (mut separated, mut has_command, mut is_over) = (Vec::new(), false, false);
    for argument in arguments {
        let flag = argument.to_str().filter(|_| !is_over);
        is_over |= flag == Some("--");
        if let Some((head, rest)) = flag.and_then(flag_and_value) {
            separated.extend([head.into(), rest.into()]);
            continue;
        }
        let text = argument.to_str().filter(|_| !has_command);
        let parts = text.and_then(|text| match text.strip_prefix(PROMPT) {
            Some(rest) => Some((PROMPT_FLAGS[1], rest)),
            None => text.split_once(WIDE_SPACE).filter(|(head, _)| is_command(head)),
        });
        has_command |= parts.is_some() || text.is_some_and(|text| text == "--" || is_command(text));
        match parts {
            Some((head, rest)) => separated.extend([head.into(), rest.into()]),
            None => separated.push(argument),
        }
    }
    separated
}

/// Splits a flag from its value at the full-width space. Returns `None` for a prompt flag, because `separated` splits
/// it like a command.
fn flag_and_value(argument: &str) -> Option<(&str, &str)> {
    let (head, value) = argument.split_once(WIDE_SPACE)?;
    let is_long = head.starts_with("--") && !head.contains('=');
    let is_short = head.len() == 2 && head.starts_with('-');
    ((is_long || is_short) && !PROMPT_FLAGS.contains(&head)).then_some((head, value))
}

#[cfg(test)]
mod tests;
