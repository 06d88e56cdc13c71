//! The scratch folder of the session, told to the model with the first prompt that it does not know it by.

use super::Rules;
use crate::domain::history::History;

/// How the note begins, by which it is found again.
const BEGINS: &str = "Scratch folder for files that are not to stay: ";

/// The note that is due.
pub(super) fn news(rules: &Rules, history: &History) -> Option<String> {
    super::standing::news(BEGINS, standing(rules)?, "", history)
}

/// What a model that is not told the beginning of a session has to be told again.
pub(super) fn standing(rules: &Rules) -> Option<String> {
    let folder = rules.scratch.as_ref()?;
    Some(format!("{BEGINS}`{folder}`. Files you make there need no approval."))
}
