//! Stable identifiers of notices for scripts.

use super::{ConfigNotice, Notice};
use crate::worktree::WorktreeNotice;

impl Notice {
    pub fn code(&self) -> &str {
        match self {
            Self::TodoOpen { .. } => "todo_open",
            Self::Limit(_) => "limit",
            Self::Loop { .. } => "loop",
            Self::Denials { .. } => "denials",
            Self::OutputLimit => "output_limit",
            Self::WindowEnd => "window_end",
            Self::Filtered => "filtered",
            Self::Imported { .. } => "imported",
            Self::Unproven => "unproven",
            Self::EmptyReply => "empty_reply",
            Self::NotHandedOver { .. } => "not_handed_over",
            Self::NotToldWhole { .. } => "not_told_whole",
            Self::SecretsLeftOut { .. } => "secrets_left_out",
            Self::CallCut { .. } => "call_cut",
            Self::FellBack { .. } => "fell_back",
            Self::NothingToRetry => "nothing_to_retry",
            Self::RecordingEnded => "recording_ended",
            Self::NotValidated(_) => "not_validated",
            Self::ContextFilled { .. } => "context_filled",
            Self::NotSummarised(_) => "not_summarised",
            Self::JobEnded { .. } => "job_ended",
            Self::JobsEnded { .. } => "jobs_ended",
            Self::Summarising => "summarising",
            Self::PinnedWhole => "pinned_whole",
            Self::SummarisedInPart { .. } => "summarised_in_part",
            Self::SummaryStopped => "summary_stopped",
            Self::NothingToCompact => "nothing_to_compact",
            Self::NothingToUndo => "nothing_to_undo",
            Self::PreviewStale => "preview_stale",
            Self::PinsFull { .. } => "pins_full",
            Self::NothingSaved { .. } => "nothing_saved",
            Self::Todo { .. } => "todo",
            Self::NoSession => "no_session",
            Self::NoAgent { .. } => "no_agent",
            Self::Subagent { .. } => "subagent",
            Self::InnerAgent { .. } => "inner_agent",
            Self::AgentGone { .. } => "agent_gone",
            Self::Busy => "busy",
            Self::SeatsFull { .. } => "seats_full",
            Self::OnlySeat => "only_seat",
            Self::Worktree(what) => what.code(),
            Self::Undo(_) => "undo",
            Self::Server(what) => what.code(),
            Self::WindowAssumed { .. } => "window_assumed",
            Self::PromptCut { .. } => "prompt_cut",
            Self::WindowSmaller { .. } => "window_smaller",
            Self::CacheLost { .. } => "cache_lost",
            Self::CallsRead { .. } => "calls_read",
            Self::CallsWritten { .. } => "calls_written",
            Self::NoModel(_) => "no_model",
            Self::ModelTaken { .. } => "model_taken",
            Self::Model { .. } => "model",
            Self::ModelUnlisted { .. } => "model_unlisted",
            Self::ModelUnchecked { .. } => "model_unchecked",
            Self::Config(_) => "config",
            Self::WideFolder { .. } => "wide_folder",
            Self::SystemFolder { .. } => "system_folder",
            Self::Service(_) => "service",
            Self::Untrusted { .. } => "untrusted",
            Self::Trusted { .. } => "trusted",
            Self::Reloaded { .. } => "reloaded",
            Self::Distrusted => "distrusted",
            Self::NothingToTrust => "nothing_to_trust",
            Self::Refused(_) => "refused",
            Self::BrokenSkills { .. } => "broken_skills",
            Self::Hook { .. } => "hook",
            Self::BrokenCommands { .. } => "broken_commands",
            Self::NotSent { .. } => "not_sent",
            Self::SkillsUntold { .. } => "skills_untold",
            Self::RulesCut { .. } => "rules_cut",
            Self::IndexRebuilt { .. } => "index_rebuilt",
            Self::Storage { failed, .. } => failed,
            Self::Words { code, .. } => code,
        }
    }

    /// Whether the notice is an error that stays on screen because the person must fix something.
    pub fn is_error(&self) -> bool {
        use ConfigNotice::{NothingChosen, PutAside, Using};
        match self {
            Self::Config(Using { .. } | PutAside { .. } | NothingChosen) => false,
            Self::NoModel(_) | Self::Worktree(WorktreeNotice::No(_)) | Self::Config(_) => true,
            _ => false,
        }
    }
}
