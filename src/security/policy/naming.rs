//! Whether a command line names a secret, anywhere in it: as a word, behind a redirection, through a link or a pattern.
//!
//! It reads words, not grammar, so it says yes too often rather than too seldom. It opens no file.

use std::path::Path;

use super::below::secret_below;
use crate::security::secrets::is_secret_path;
use crate::security::shell::{Analysis, World, glob_matches};
use crate::security::workspace::Workspace;

/// Lines with more words are not looked through word by word; they need a person.
const MOST_WORDS: usize = 400;

/// What stands between words, for a shell or for a language a shell hands them to.
const BETWEEN: &[char] = &[
    ' ', '\t', '\n', '=', '\'', '"', '`', '<', '>', '|', '&', ';', '(', ')', '{', '}', ',', '$', ':', '@',
];

/// Whether something in the line is, or leads to, a secret, seen from `workdir`.
pub(super) fn names_secret(command: &str, analysis: &Analysis, workdir: &str, workspace: &Workspace) -> bool {
    let folder = Path::new(workdir);
    let world = workspace.world(workdir);
    let parts = analysis.parts.iter().map(|part| part.command.as_str());
    let paths = analysis
        .plain
        .iter()
        .flat_map(|plain| plain.paths.iter().map(String::as_str));
    let words = std::iter::once(command)
        .chain(parts)
        .flat_map(|text| text.split(BETWEEN));
    let mut looked_at = 0;
    for word in words.chain(paths).filter(|word| !word.is_empty()) {
        looked_at += 1;
        if looked_at > MOST_WORDS || leads_to_secret(&folder.join(word), workspace) {
            return true;
        }
        if word.contains(['*', '?', '[']) && matches_secret(word, folder, &world, workspace) {
            return true;
        }
    }
    // What was quoted may come apart here, so that a piece of a pattern looks like a place: then no place counts.
    let quoted = command.contains(['\'', '"', '\\']);
    analysis.parts.iter().any(|part| {
        let mut words: Vec<&str> = part.command.split_whitespace().collect();
        let program = words.first().copied();
        words.retain(|word| !quoted || word.starts_with('-') || Some(*word) == program);
        secret_below(&words, workdir, workspace).is_some()
    })
}

pub(super) fn leads_to_secret(path: &Path, workspace: &Workspace) -> bool {
    let found = path.to_str().map(|path| workspace.resolve(path));
    is_secret_path(path) || found.is_some_and(|found| found.is_ok_and(|found| found.is_secret()))
}

/// Whether a pattern in the last part of a path fits a name that is a secret.
fn matches_secret(word: &str, folder: &Path, world: &impl World, workspace: &Workspace) -> bool {
    let (above, pattern) = word.rsplit_once('/').unwrap_or(("", word));
    world.names(above).into_iter().any(|name| {
        let hidden = name.starts_with('.') && !pattern.starts_with('.');
        !hidden && glob_matches(pattern, &name) && leads_to_secret(&folder.join(above).join(&name), workspace)
    })
}
