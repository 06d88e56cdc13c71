//! The note about the scratch folder for the model.

use super::Rules;
use benchdog_domain::history::History;

/// The beginning identifies an earlier note.
const BEGINS: &str = "Scratch folder for files that are not to stay: ";

pub(super) fn news(rules: &Rules, history: &History) -> Option<String> {
    super::standing::news(BEGINS, standing(rules)?, "", history)
}

pub(super) fn standing(rules: &Rules) -> Option<String> {
    let folder = rules.scratch.as_ref()?;
    Some(format!("{BEGINS}`{folder}`. Files you make there need no approval."))
}
