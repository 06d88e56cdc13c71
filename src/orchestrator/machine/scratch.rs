//! The note to the model about the scratch folder.

use super::Rules;
use benchdog_domain::history::History;

/// The beginning of the note, used to find an earlier note in the log.
const BEGINS: &str = "Folder for temporary files, without approval: ";

pub(super) fn news(rules: &Rules, history: &History) -> Option<String> {
    super::standing::news(BEGINS, standing(rules)?, "", history)
}

pub(super) fn standing(rules: &Rules) -> Option<String> {
    let folder = rules.scratch.as_ref()?;
    Some(format!("{BEGINS}`{folder}`."))
}
