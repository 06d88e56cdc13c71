//! The decision about a call, shown on the row of the call. The model gets a different text.

use super::Conversation;
use benchdog_base::id::CallId;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::permission::{Because, DecidedBy, Decision, Kept, PartKept};
use benchdog_lang::{self as lang, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Decided {
    Edited,
    /// The user chose to run the command in the sandbox.
    Confined,
    Refused(String),
}

impl Decided {
    fn of(decision: &Decision, by: DecidedBy, because: &Because) -> Option<Self> {
        match (decision, by) {
            (Decision::Once { kept } | Decision::Always { kept, .. }, _) => is_edited(kept).then_some(Self::Edited),
            (Decision::Deny { reason }, DecidedBy::User) => Some(Self::Refused(reason.clone().unwrap_or_default())),
            (Decision::Deny { .. }, DecidedBy::Timeout) => Some(Self::Refused(word(Word::NobodyAnswered).to_owned())),
            (Decision::Deny { .. }, DecidedBy::Policy) => Some(Self::Refused(lang::because(because))),
            (Decision::Confined, _) => Some(Self::Confined),
            (Decision::Answer { .. }, _) => None,
        }
    }
}

fn is_edited(kept: &Kept) -> bool {
    match kept {
        Kept::All => false,
        Kept::Parts { files } => files.iter().any(|part| matches!(part, Some(PartKept::Text(_)))),
    }
}

impl Conversation {
    pub(super) fn note_decision(&mut self, entry: &Entry) {
        let Body::Approval {
            call,
            decision,
            by,
            because,
            ..
        } = &entry.body
        else {
            return;
        };
        if let Some(decided) = Decided::of(decision, *by, because) {
            self.decided.insert(call.clone(), decided);
        }
    }

    pub(super) fn place_decision(&mut self, call: &CallId, index: usize) {
        let decided = self.decided.remove(call);
        if let Some(block) = self.blocks.get_mut(index).filter(|_| decided.is_some()) {
            block.decided = decided;
            self.reset_laid(index);
        }
    }
}
