//! What an action is whatever its keys are: whether anybody looks for it by name, and whether it answers or decides a request. Of those
//! two no new group goes without a word.

use super::{
    Action, ApprovalAction, ConfirmAction, GlobalAction, OptionsAction, PromptAction, ProposalAction, QuestionAction,
};

impl Action {
    /// Whether nobody looks for it in a list: it is done by hand, or by the list itself. There it stands behind all others.
    pub(crate) fn is_at_hand(self) -> bool {
        matches!(
            self,
            Self::Global(
                GlobalAction::Close
                    | GlobalAction::Clear
                    | GlobalAction::Palette
                    | GlobalAction::NextPane
                    | GlobalAction::PaneFiles
                    | GlobalAction::PaneConversation
                    | GlobalAction::PanePrompt
                    | GlobalAction::PaneChanges
                    | GlobalAction::PaneTodo
                    | GlobalAction::PaneContext
            )
        )
    }

    /// Whether one looks for it by name. What a hand does by itself, writing and moving about, is not.
    pub(crate) fn is_named(self) -> bool {
        match self {
            Self::Prompt(action) => matches!(
                action,
                PromptAction::Steer | PromptAction::Unqueue | PromptAction::PasteImage
            ),
            Self::Text(_) | Self::Completion(_) | Self::Line(_) | Self::List(_) | Self::Fold(_) => false,
            Self::Options(OptionsAction::Pick) => false, // Its key says which.
            _ => true,
        }
    }

    /// Whether it takes part in answering a request or the question of trust: its keys are the person's alone to choose.
    pub(crate) fn answers(self) -> bool {
        match self {
            Self::Approval(_)
            | Self::Proposal(_)
            | Self::Confirm(_)
            | Self::Reason(_)
            | Self::Comment(_)
            | Self::Editor(_)
            | Self::Question(_)
            | Self::Options(_) => true,
            Self::Global(action) => matches!(
                action,
                GlobalAction::Approvals
                    | GlobalAction::OnceNow
                    | GlobalAction::DenyNow
                    | GlobalAction::Trust
                    | GlobalAction::Distrust
            ),
            Self::Text(_)
            | Self::Prompt(_)
            | Self::Completion(_)
            | Self::Line(_)
            | Self::Pane(_)
            | Self::List(_)
            | Self::Fold(_)
            | Self::Conversation(_)
            | Self::Files(_)
            | Self::Changes(_)
            | Self::Change(_)
            | Self::Todo(_)
            | Self::Context(_)
            | Self::Diff(_)
            | Self::Find(_)
            | Self::Picker(_)
            | Self::Dialog(_)
            | Self::Compaction(_)
            | Self::Jobs(_)
            | Self::Servers(_) => false,
        }
    }

    /// Whether it decides a request, or what would be decided. Its key is single and hides no other one.
    pub(crate) fn alters_request(self) -> bool {
        self.decides()
            || matches!(
                self,
                Self::Approval(ApprovalAction::Always | ApprovalAction::DenyReason)
            )
            || matches!(self, Self::Proposal(action) if action != ProposalAction::Comment)
    }

    /// Whether it decides a request. All other keys of a review write nothing and act at once.
    pub(crate) fn decides(self) -> bool {
        match self {
            Self::Approval(action) => match action {
                ApprovalAction::Once | ApprovalAction::Deny => true,
                ApprovalAction::Always
                | ApprovalAction::DenyReason
                | ApprovalAction::Why
                | ApprovalAction::Next
                | ApprovalAction::Previous
                | ApprovalAction::Leave => false,
            },
            Self::Confirm(ConfirmAction::Grant) | Self::Question(QuestionAction::Send) => true,
            Self::Confirm(ConfirmAction::Less | ConfirmAction::More | ConfirmAction::Lasts | ConfirmAction::Back)
            | Self::Question(
                QuestionAction::Up
                | QuestionAction::PageUp
                | QuestionAction::PageDown
                | QuestionAction::Down
                | QuestionAction::Next
                | QuestionAction::Previous
                | QuestionAction::Leave,
            )
            | Self::Proposal(_)
            | Self::Global(_)
            | Self::Text(_)
            | Self::Prompt(_)
            | Self::Completion(_)
            | Self::Line(_)
            | Self::Pane(_)
            | Self::List(_)
            | Self::Fold(_)
            | Self::Conversation(_)
            | Self::Files(_)
            | Self::Changes(_)
            | Self::Change(_)
            | Self::Todo(_)
            | Self::Context(_)
            | Self::Diff(_)
            | Self::Find(_)
            | Self::Reason(_)
            | Self::Comment(_)
            | Self::Editor(_)
            | Self::Options(_)
            | Self::Picker(_)
            | Self::Dialog(_)
            | Self::Compaction(_)
            | Self::Jobs(_)
            | Self::Servers(_) => false,
        }
    }
}
