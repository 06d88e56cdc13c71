//! Whether a command line names a secret, anywhere in it: as a word, after a redirection, through a link or a pattern.
//!
//! The check splits words and ignores grammar, so it errs towards a match. It opens no file.

use std::path::Path;

use super::{Led, Look};
use crate::shell::{World, glob_matches};
use benchdog_domain::command::{Analysis, Reach};

/// Lines with more words are not looked through word by word; they need a person.
const MOST_WORDS: usize = 400;

/// Separators between words in a shell, or in a language that a shell passes them to.
const BETWEEN: &[char] = &[
    ' ', '\t', '\n', '=', '\'', '"', '`', '<', '>', '|', '&', ';', '(', ')', '{', '}', ',', '$', ':', '@',
];

impl Look<'_> {
    /// Returns the objection to a word that names or leads to a secret or another process, seen from the working folder.
    pub(super) fn named_in(&self, command: &str, analysis: &Analysis) -> Option<Reach> {
        let parts = analysis.parts.iter().map(|part| part.command.as_str());
        let plain = analysis.plain.iter();
        let paths = plain.flat_map(|plain| plain.paths.iter().map(String::as_str));
        let words = std::iter::once(command)
            .chain(parts)
            .flat_map(|text| text.split(BETWEEN));
        let world = self.workspace.world(&self.folder.to_string_lossy());
        let mut looked_at = 0;
        for word in words.chain(paths).filter(|word| !word.is_empty()) {
            looked_at += 1;
            let led = self.follow(&self.folder.join(word));
            if looked_at > MOST_WORDS || led == Led::ToSecret {
                return Some(Reach::NamesSecret);
            }
            if word.contains(['*', '?', '[']) && self.matches_secret(word, &world) {
                return Some(Reach::NamesSecret);
            }
            if led == Led::Out && self.leads_to_process(word) {
                return Some(Reach::Process { path: word.to_owned() });
            }
        }
        self.searches_secret(command, analysis).then_some(Reach::NamesSecret)
    }

    fn searches_secret(&self, command: &str, analysis: &Analysis) -> bool {
        // Splitting at blanks tears quoted text apart, and a piece of a pattern may then look like a path. With quotes
        // in the line its paths are left out, and the folder it runs in is searched instead.
        let quoted = command.contains(['\'', '"', '\\']);
        analysis.parts.iter().any(|part| {
            let mut words: Vec<&str> = part.command.split_whitespace().collect();
            let program = words.first().copied();
            words.retain(|word| !quoted || word.starts_with('-') || Some(*word) == program);
            !self.secret_below(&words).is_empty()
        })
    }

    /// Whether a pattern in the last part of a path fits a name that is a secret.
    fn matches_secret(&self, word: &str, world: &impl World) -> bool {
        let (above, pattern) = word.rsplit_once('/').unwrap_or(("", word));
        world.names(above).into_iter().any(|name| {
            let hidden = name.starts_with('.') && !pattern.starts_with('.');
            let path: &Path = &self.folder.join(above).join(&name);
            !hidden && glob_matches(pattern, &name) && self.leads_to_secret(path)
        })
    }
}
