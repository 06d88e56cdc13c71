//! Pairs of a slash command and its equivalent action. Lists show one row for both.

use super::{Slash, SlashRow, TABLE};
use benchdog_keys::Action;
use benchdog_keys::action::{GlobalAction, PromptAction};
use benchdog_lang::{Word, word};

impl Slash {
    pub(crate) fn action(self) -> Option<Action> {
        let action = match self {
            Self::Help => GlobalAction::Help,
            Self::Models => GlobalAction::Models,
            Self::Agents => GlobalAction::Agents,
            Self::Status => GlobalAction::Status,
            Self::Cost => GlobalAction::Cost,
            Self::Doctor => GlobalAction::Doctor,
            Self::Debug => GlobalAction::Log,
            Self::Jobs => GlobalAction::Jobs,
            Self::Voice => GlobalAction::Voice,
            Self::Temperature => GlobalAction::Temperature,
            Self::Thinking => GlobalAction::Thinking,
            Self::Theme => GlobalAction::Themes,
            Self::Context | Self::Tokens => GlobalAction::PaneContext,
            Self::Todo => GlobalAction::PaneTodo,
            Self::New => GlobalAction::NewSession,
            Self::Resume => GlobalAction::Sessions,
            Self::Close => GlobalAction::CloseSeat,
            Self::Rename => GlobalAction::RenameSession,
            Self::Worktree => GlobalAction::NewWorktree,
            Self::Approvals => GlobalAction::Approvals,
            Self::Permissions => GlobalAction::Permissions,
            Self::Retry => GlobalAction::Retry,
            Self::Undo => GlobalAction::Undo,
            Self::Redo => GlobalAction::Redo,
            Self::Rewind => GlobalAction::Rewind,
            Self::Transcript => GlobalAction::Transcript,
            Self::Serve => GlobalAction::StartService,
            Self::Pull => GlobalAction::PullModel,
            Self::Trust => GlobalAction::Trust,
            Self::Distrust => GlobalAction::Distrust,
            Self::Quit => GlobalAction::Quit,
            Self::Yes
            | Self::No
            | Self::Plan
            | Self::Execute
            | Self::Init
            | Self::Loop
            | Self::Watch
            | Self::Config
            | Self::Compact
            | Self::Diff
            | Self::Commit
            | Self::Review
            | Self::Git
            | Self::Merge
            | Self::Skills
            | Self::Hooks
            | Self::Mcp
            | Self::Copy
            // `prompt.steer` sends the text in the prompt, while `/steer` takes the text as its argument.
            | Self::Steer
            | Self::Setup
            | Self::Reload
            | Self::Privacy
            | Self::AutoTest
            | Self::Fork
            | Self::Search
            | Self::Export
            | Self::Log
            | Self::Save => return None,
        };
        Some(Action::Global(action))
    }
}

/// Returns the slash command with the argument that does the same as `action`. `None` if there is no such argument.
pub(crate) fn with_word(action: Action) -> Option<&'static str> {
    match action {
        Action::Global(GlobalAction::NewBeside) => Some("new beside"),
        Action::Global(GlobalAction::Worktrees) => Some("worktree list"),
        _ => None,
    }
}

/// Returns further search terms for an action, in the display language and in English.
pub(crate) fn also(action: Action) -> &'static str {
    match action {
        Action::Global(action) => also_everywhere(action),
        Action::Prompt(PromptAction::Unqueue) => word(Word::AlsoUnqueue),
        Action::Prompt(PromptAction::PasteImage) => word(Word::AlsoPasteImage),
        _ => "",
    }
}

fn also_everywhere(action: GlobalAction) -> &'static str {
    word(match action {
        // The search terms include "Always allow", because the list of permissions also shows and revokes these rules.
        GlobalAction::Permissions => Word::AlsoPermissions,
        GlobalAction::Approvals => Word::AlsoApprovals,
        GlobalAction::OnceNow => Word::AlsoOnceNow,
        GlobalAction::DenyNow => Word::AlsoDenyNow,
        GlobalAction::Help => Word::AlsoHelp,
        GlobalAction::Transcript => Word::AlsoTranscript,
        GlobalAction::Sessions => Word::AlsoSessions,
        GlobalAction::Undo => Word::AlsoUndoLast,
        GlobalAction::Retry => Word::AlsoRetry,
        GlobalAction::Models => Word::AlsoModels,
        GlobalAction::Themes => Word::AlsoThemes,
        GlobalAction::Find => Word::AlsoFind,
        _ => return "",
    })
}

pub(crate) fn also_command(command: Slash) -> &'static str {
    word(match command {
        Slash::Config => Word::AlsoConfig,
        Slash::Diff => Word::AlsoDiff,
        Slash::Plan => Word::AlsoPlan,
        Slash::Steer => Word::AlsoSteer,
        Slash::Setup => Word::AlsoSetup,
        Slash::Fork => Word::AlsoFork,
        Slash::Export => Word::AlsoExport,
        _ => return "",
    })
}

impl SlashRow {
    pub(crate) fn is_second_name(&self) -> bool {
        TABLE.iter().find(|row| row.command == self.command) != Some(self)
    }

    pub(crate) fn needs_words(&self) -> bool {
        !self.arguments.is_empty() && !self.arguments.starts_with('[')
    }
}

#[cfg(test)]
mod tests;
