//! Automatic decisions in a run with `--approve`.

use crate::seat::calls::checks::Definition;
use benchdog_domain::call::Origin;
use benchdog_domain::permission::{Action, CommandClass, Decision, Kept};
use benchdog_domain::review::Review;
use benchdog_protocol::ApprovalRequest;

/// The source of decisions. With `Person`, a person or a program that controls Benchdog decides. The other variants are
/// values of `--approve`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approver {
    Person,
    Never,
    /// Approves file changes in the workspace, and the check unless the session changed its definition.
    Edits,
    /// Approves everything except dangerous commands and files with secrets.
    All,
}

impl Approver {
    /// Returns the automatic decision. `None` if a person decides.
    pub(in crate::seat) fn answer(self, request: &ApprovalRequest, definition: Definition) -> Option<Decision> {
        let yes = Decision::Once { kept: Kept::All };
        let no = || Decision::Deny { reason: None };
        let question = matches!(request.review, Review::Question(_));
        let risky = request.verdict.class.is_some_and(|class| class != CommandClass::Plain);
        let needs_person = question || risky || request.verdict.needs_person;
        match self {
            Self::Person => None,
            // Nobody can answer the question. The result tells this to the model, and the model continues.
            Self::Never | Self::Edits | Self::All if question && request.verdict.action == Action::Allow => Some(yes),
            Self::Never => Some(no()),
            Self::Edits => {
                let checks = request.origin == Origin::Check && definition == Definition::Known;
                let covered = matches!(request.review, Review::Files(_)) || checks;
                Some(if covered && !needs_person { yes } else { no() })
            }
            Self::All => Some(if needs_person { no() } else { yes }),
        }
    }
}
