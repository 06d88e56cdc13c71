//! Whether a command that searches whole folders would read a secret below one of them. Names are looked at, no file is opened.
//!
//! Options are read as far as they matter. Where it is unclear what is a place and what is a pattern, more is looked at.

use std::path::{Path, PathBuf};

use super::naming::leads_to_secret;
use crate::security::workspace::Workspace;

/// Programs that read every file below a folder when they are told to recurse.
const GREPS: &[&str] = &["grep", "egrep", "fgrep", "zgrep", "rgrep"];
/// The last letter of a bundle after which the next word is a value.
const GREP_VALUES: &[char] = &['A', 'B', 'C', 'D', 'd', 'e', 'f', 'm'];

/// Programs that always do, but pass over names with a dot in front unless an option says otherwise.
const SEARCHERS: &[&str] = &["rg", "ag", "ack", "ug", "ugrep"];
const INDISCREET: &[&str] = &["--hid", "--unr", "--no-ig"];

/// In a larger tree nobody looks; then a person is asked.
const MOST_NAMES: usize = 20_000;

/// The secret that would be read, or what kept us from looking.
pub(super) fn secret_below(words: &[&str], workdir: &str, workspace: &Workspace) -> Option<String> {
    let (program, rest) = words.split_first()?;
    let name = Path::new(program).file_name()?.to_str()?;
    let hidden_too = match name {
        name if GREPS.contains(&name) => {
            if name != "rgrep" && !rest.iter().any(|word| recurses(word)) {
                return None;
            }
            true
        }
        name if SEARCHERS.contains(&name) => rest.iter().any(|word| shows_hidden(word)),
        _ => return None,
    };
    let start = workspace.root().join(workdir);
    let mut open = places(rest, GREPS.contains(&name), &start);
    let mut seen = 0;
    while let Some(path) = open.pop() {
        let shown = path.strip_prefix(workspace.root()).unwrap_or(&path).display();
        seen += 1;
        if seen > MOST_NAMES {
            return Some("there are too many files to see whether one is a secret".to_owned());
        }
        if leads_to_secret(&path, workspace) {
            return Some(format!("it would read `{shown}`: secrets always ask"));
        }
        // Links are judged by where they lead and not followed: below their target the same names stand elsewhere.
        let is_link = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_symlink());
        if is_link && path.to_str().is_none_or(|path| workspace.resolve(path).is_err()) {
            return Some(format!("it may follow `{shown}` out of the workspace"));
        }
        if !is_link && let Ok(entries) = std::fs::read_dir(&path) {
            let names = entries
                .flatten()
                .filter(|entry| hidden_too || !entry.file_name().as_encoded_bytes().starts_with(b"."));
            open.extend(names.map(|entry| entry.path()));
        }
    }
    None
}

/// What a search goes through: the words that are no option, no value of one and not the pattern; its own folder without any.
fn places(words: &[&str], grep: bool, start: &Path) -> Vec<PathBuf> {
    let mut operands = Vec::new();
    let mut value_follows = false;
    for word in words {
        if word.starts_with('-') {
            value_follows = takes_value(word, grep);
        } else if !std::mem::take(&mut value_follows) {
            operands.push(start.join(word));
        }
    }
    // With `-e` or `-f` the first one is a place, too. It is looked at in any case: it costs nothing where it is none.
    let own_folder = operands.len() < 2;
    operands.retain(|path| path.exists());
    if own_folder || operands.is_empty() {
        operands.push(start.to_path_buf());
    }
    operands
}

fn takes_value(option: &str, grep: bool) -> bool {
    if option.starts_with("--") {
        return !option.contains('=');
    }
    !grep || option.ends_with(GREP_VALUES)
}

fn recurses(word: &str) -> bool {
    let long = word.starts_with("--r") || word.starts_with("--d");
    long || (word.starts_with('-') && !word.starts_with("--") && word.contains(['r', 'R', 'd']))
}

/// In a bundle of letters they may stand anywhere.
fn shows_hidden(word: &str) -> bool {
    if word.starts_with("--") {
        return INDISCREET.iter().any(|option| word.starts_with(option));
    }
    word.starts_with('-') && word.contains(['u', '.'])
}
