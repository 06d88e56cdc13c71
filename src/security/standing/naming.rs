//! Checks whether a command line refers to a secret: as a word, in a redirection, or through a link or a glob.
//!
//! Splits the line into words without the grammar. So it may report harmless words. Opens no file.

use std::path::Path;

use super::{Led, Look};
use crate::shell::{World, glob_matches};
use benchdog_domain::command::{Analysis, Reach};

/// Maximum number of words in a line. A longer line needs a person's approval.
const MOST_WORDS: usize = 400;

/// Separators of words in a shell command, or in code of another language inside it.
const BETWEEN: &[char] = &[
    ' ', '\t', '\n', '=', '\'', '"', '`', '<', '>', '|', '&', ';', '(', ')', '{', '}', ',', '$', ':', '@',
];

impl Look<'_> {
    /// Returns an objection to a word that is, or leads to, a secret or a file of another process.
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
        // Splitting at blanks breaks quoted text, and a fragment of a quoted pattern may look like a path. So ignore
        // the operands of a line with quotes, and check a search of the working folder.
        let quoted = command.contains(['\'', '"', '\\']);
        analysis.parts.iter().any(|part| {
            let mut words: Vec<&str> = part.command.split_whitespace().collect();
            let program = words.first().copied();
            words.retain(|word| !quoted || word.starts_with('-') || Some(*word) == program);
            !self.secret_below(&words).is_empty()
        })
    }

    fn matches_secret(&self, word: &str, world: &impl World) -> bool {
        let (above, pattern) = word.rsplit_once('/').unwrap_or(("", word));
        world.names(above).into_iter().any(|name| {
            let hidden = name.starts_with('.') && !pattern.starts_with('.');
            let path: &Path = &self.folder.join(above).join(&name);
            !hidden && glob_matches(pattern, &name) && self.leads_to_secret(path)
        })
    }
}
