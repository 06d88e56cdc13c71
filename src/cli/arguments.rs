//! Arguments as shells pass them, before they are parsed.

use std::ffi::OsString;

use clap::CommandFactory;

use super::Cli;

/// The space of East Asian keyboards, which shells do not treat as a separator.
const WIDE_SPACE: char = '\u{3000}';
const PROMPT: &str = "--prompt=";

/// Separates `run　PROMPT` and `-p　PROMPT` at the wide space, and `--prompt=PROMPT` at the equals sign, which the
/// parser would drop. Other arguments stay as they are.
pub(super) fn separated(arguments: Vec<OsString>) -> Vec<OsString> {
    let command = Cli::command();
    let is_command = |word: &str| command.find_subcommand(word).is_some();
    let (mut separated, mut is_literal) = (Vec::new(), false);
    for argument in arguments {
        is_literal |= argument == "--";
        let parts = argument.to_str().filter(|_| !is_literal).and_then(|text| {
            let (head, rest) = text.split_once(WIDE_SPACE).or_else(|| {
                let rest = text.strip_prefix(PROMPT)?;
                Some((PROMPT.trim_end_matches('='), rest))
            })?;
            // Elsewhere the space is part of a prompt or a name.
            (head.starts_with('-') || is_command(head)).then(|| [head.into(), rest.into()])
        });
        match parts {
            Some(parts) => separated.extend(parts),
            None => separated.push(argument),
        }
    }
    separated
}
