//! Whether a command that searches whole folders would read a secret below one of them. Names are looked at, nothing is opened.

use std::path::{Path, PathBuf};

use super::naming::leads_to_secret;
use crate::security::workspace::Workspace;

/// Programs that read every file below a folder they are given, or below their own when they are given none.
const SEARCHERS: &[&str] = &["grep", "egrep", "fgrep", "rgrep", "zgrep", "ugrep"];

/// Those that pass over names with a dot in front unless an option says otherwise.
const DISCREET: &[&str] = &["rg", "ag", "ack", "ug"];
const INDISCREET: &[&str] = &["-u", "-.", "--hid", "--unr"];

/// In a larger tree nobody looks; then a person is asked.
const MOST_NAMES: usize = 20_000;

/// The secret that would be read, or what kept us from looking.
pub(super) fn secret_below(words: &[&str], workdir: &str, workspace: &Workspace) -> Option<String> {
    let (program, rest) = words.split_first()?;
    let name = Path::new(program).file_name()?.to_str()?;
    if !SEARCHERS.contains(&name) && !DISCREET.contains(&name) {
        return None;
    }
    let hidden_too = SEARCHERS.contains(&name)
        || rest
            .iter()
            .any(|word| INDISCREET.iter().any(|all| word.starts_with(all)));
    let start = workspace.root().join(workdir);
    let named: Vec<PathBuf> = rest
        .iter()
        .map(|word| start.join(word.trim_matches(['\'', '"'])))
        .filter(|path| path.exists())
        .collect();
    let mut open = if named.is_empty() { vec![start.clone()] } else { named };
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
