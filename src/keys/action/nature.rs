//! Properties of actions. `answers` and `decides` must list every group of actions.

use super::{
    Action, ApprovalAction, ConfirmAction, GlobalAction, OptionsAction, PromptAction, ProposalAction, QuestionAction,
};

impl Action {
    /// Whether a person usually triggers the action by its key. Such actions come last in lists of commands.
    pub fn is_at_hand(self) -> bool {
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

    /// Whether lists contain the action by name. Actions for typing and movement are omitted.
    pub fn is_named(self) -> bool {
        match self {
            Self::Prompt(action) => matches!(
                action,
                PromptAction::Steer | PromptAction::Unqueue | PromptAction::PasteImage
            ),
            Self::Text(_) | Self::Completion(_) | Self::Line(_) | Self::List(_) | Self::Fold(_) => false,
            Self::Options(OptionsAction::Pick) => false, // Chosen by its key.
            _ => true,
        }
    }

    /// Whether the action answers a request or the trust question. Only the person's own configuration may bind it.
    pub fn answers(self) -> bool {
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

    /// Whether the action decides or changes a request. Such an action needs a single key that hides no other binding.
    pub(crate) fn alters_request(self) -> bool {
        self.decides()
            || matches!(
                self,
                Self::Approval(ApprovalAction::Always | ApprovalAction::DenyReason)
            )
            || matches!(self, Self::Proposal(action) if action != ProposalAction::Comment)
    }

    /// Whether the action decides a request. The delay before a request accepts keys applies to these actions only.
    pub fn decides(self) -> bool {
        match self {
            Self::Approval(action) => match action {
                ApprovalAction::Once | ApprovalAction::Confined | ApprovalAction::Deny => true,
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
