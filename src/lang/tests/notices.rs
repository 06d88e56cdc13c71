//! Examples of all notices, with all variants of their values.

mod servers;
mod window;

use super::values::t;
use benchdog_base::id::SessionId;
use benchdog_domain::agent::{AgentName, ModelRef};
use benchdog_domain::failure::Failure;
use benchdog_domain::folder::{FolderChanges, Head, HeadMoved};
use benchdog_domain::hook::{HookEvent, HookFailed, HookSaid};
use benchdog_domain::message::Written;
use benchdog_domain::notice::{
    ConfigNotice, CountsFrom, Limit, NamedBy, NoModel, NoService, NotValidated, Notice, ServiceNotice, Unread, Until,
    WrittenCalls,
};
use benchdog_domain::skill::{BrokenSkill, OfferKind, SkillSource};
use benchdog_domain::undo::{NotUndone, UndoNotice};
use benchdog_domain::watch::WatchNotice;
use benchdog_domain::worktree::{LeftOut, NoWorktree, WorktreeNotice};
pub(super) use servers::server_notices;
pub(super) use window::room_notices;

pub(super) fn broken_skill() -> BrokenSkill {
    BrokenSkill {
        kind: OfferKind::Skill,
        name: "x".to_owned(),
        source: SkillSource::Person,
        file: t("A"),
        line: 2,
        why: t("B"),
    }
}

fn folder(repository: bool) -> Notice {
    Notice::WideFolder {
        path: t("A"),
        repository,
    }
}

fn model() -> ModelRef {
    ModelRef {
        provider: t("B"),
        id: t("A"),
    }
}

fn hook(said: HookSaid) -> Notice {
    Notice::Hook {
        hook: t("A"),
        event: HookEvent::BeforeTool,
        said,
    }
}

fn failed(why: HookFailed, denies: bool) -> HookSaid {
    HookSaid::Failed { why, denies }
}

/// Returns files with each reason, in an order that lists each reason, and more files than are listed.
fn not_undone() -> Vec<(String, NotUndone)> {
    let error = t("B");
    let all = [
        NotUndone::Changed,
        NotUndone::Grown,
        NotUndone::Gone,
        NotUndone::There,
        NotUndone::NotKept,
        NotUndone::Unreadable { error },
        NotUndone::ModeAlone { was: None },
        NotUndone::ModeAlone { was: Some(0o644) },
    ];
    all.into_iter().map(|why| (t("A"), why)).collect()
}

fn of_models_and_configuration() -> Vec<Notice> {
    vec![
        Notice::ModelTaken {
            model: t("A"),
            offered: 3,
            memory: None,
        },
        Notice::ModelTaken {
            model: t("A"),
            offered: 3,
            memory: Some(32),
        },
        Notice::Config(ConfigNotice::NotKept {
            path: t("A"),
            error: t("B"),
        }),
        Notice::Config(ConfigNotice::Using {
            model: t("A"),
            address: t("B"),
        }),
        Notice::Config(ConfigNotice::PutAside { old: t("A") }),
        Notice::Config(ConfigNotice::Wrong { sentences: t("A") }),
        Notice::Config(ConfigNotice::Theme {
            theme: t("A"),
            wrong: t("B"),
        }),
        Notice::Config(ConfigNotice::NotHidden),
        folder(false),
        folder(true),
        Notice::SystemFolder {
            path: t("A"),
            repository: false,
        },
        Notice::Service(ServiceNotice::Starting {
            command: t("A"),
            seconds: 1,
        }),
        Notice::Service(ServiceNotice::Started { place: t("A") }),
        Notice::Service(ServiceNotice::NotStarted {
            command: t("A"),
            why: NoService::Refused { error: t("B") },
        }),
        Notice::Service(ServiceNotice::NotStarted {
            command: t("A"),
            why: NoService::Ended { status: t("B") },
        }),
        Notice::Service(ServiceNotice::NotStarted {
            command: t("A"),
            why: NoService::Silent { seconds: 1 },
        }),
        Notice::Service(ServiceNotice::Nothing),
        Notice::WindowSmaller {
            model: t("A"),
            wanted: 32_768,
            runs: 4_096,
        },
        Notice::CacheLost {
            again: 3_000,
            prompt: 4_000,
        },
        Notice::CallsRead {
            written: Written {
                calls: 3,
                repaired: 2,
                leaked: 1,
                unusable: 4,
            },
        },
        Notice::CallsWritten {
            model: t("A"),
            because: WrittenCalls::NotInTemplate,
        },
        Notice::CallsWritten {
            model: t("A"),
            because: WrittenCalls::Refused,
        },
        Notice::CallsWritten {
            model: t("A"),
            because: WrittenCalls::TooSmall,
        },
    ]
}

/// Examples of all notices, with all variants of their values.
#[expect(clippy::too_many_lines, reason = "a flat table, a row each")]
pub(super) fn notices() -> Vec<Notice> {
    let unread = |by| {
        Notice::Refused(Unread {
            file: t("A"),
            by,
            why: t("B"),
        })
    };
    let untrusted = |until| Notice::Untrusted {
        files: vec![t("A"), t("B")],
        until,
    };
    let worktrees = [
        NoWorktree::NoGit,
        NoWorktree::NoRepository,
        NoWorktree::Bare,
        NoWorktree::Unborn,
        NoWorktree::BadName { name: t("A") },
        NoWorktree::Taken {
            name: t("A"),
            branch: t("B"),
        },
        NoWorktree::Filters {
            names: vec![t("A"), t("B")],
        },
        NoWorktree::NotInOne,
        NoWorktree::Unknown { name: t("A") },
        NoWorktree::InUse { name: t("A") },
        NoWorktree::Slow { seconds: 120 },
        NoWorktree::TooLong,
        NoWorktree::Failed { said: t("A") },
    ];
    let made = [(0, 0), (1, 0), (3, 2)].map(|(uncommitted, more)| {
        Notice::Worktree(WorktreeNotice::Made {
            worktree: t("A"),
            branch: t("B"),
            left_out: LeftOut {
                ignored: vec![t("C"), t("D")],
                more,
                uncommitted,
                copied: more,
                omitted: more,
            },
        })
    });
    let mut notices = vec![
        Notice::TodoOpen {
            items: vec![t("A"), t("B")],
        },
        Notice::Limit(Limit::Time),
        Notice::Limit(Limit::Steps { steps: 3 }),
        Notice::Limit(Limit::Tokens { used: 12, most: 10 }),
        Notice::Limit(Limit::Cost { spent: 0.25, most: 0.2 }),
        Notice::RecordingEnded,
        Notice::NotValidated(NotValidated::NoCheck),
        Notice::NotValidated(NotValidated::NotAllowed),
        Notice::NotValidated(NotValidated::CannotRun {
            command: t("A"),
            error: t("B"),
        }),
        Notice::Todo {
            item: 7,
            known: vec![1, 2],
        },
        Notice::NoSession,
        Notice::Busy,
        Notice::SeatsFull { most: 16 },
        Notice::OnlySeat,
        Notice::Worktree(WorktreeNotice::Removed { worktree: t("A") }),
        Notice::Worktree(WorktreeNotice::Changed { worktree: t("A") }),
        Notice::Worktree(WorktreeNotice::NothingToMerge { branch: t("A") }),
        Notice::Worktree(WorktreeNotice::MergedHere {
            branch: t("A"),
            folder: t("B"),
        }),
        Notice::Worktree(WorktreeNotice::NotMerged {
            files: vec![t("A"), t("B")],
        }),
        Notice::Undo(UndoNotice::Busy),
        Notice::Undo(UndoNotice::Nothing { path: None }),
        Notice::Undo(UndoNotice::Nothing { path: Some(t("A")) }),
        Notice::Undo(UndoNotice::No { files: not_undone() }),
        Notice::Undo(UndoNotice::No {
            files: not_undone().split_off(3),
        }),
        Notice::Undo(UndoNotice::DuringCommand),
        Notice::Undo(UndoNotice::RewindUnfinished),
        Notice::Undo(UndoNotice::EarlierSession {
            session: SessionId(t("A")),
            title: t("B"),
        }),
        Notice::Undo(UndoNotice::Older { files: not_undone() }),
        Notice::Undo(UndoNotice::HeadMoved(head_moved(Some("B"), "2", None))),
        Notice::Folder(FolderChanges {
            files: 5,
            names: vec![t("A"), t("B")],
            head: Some(head_moved(Some("A"), "2", Some(3))),
        }),
        Notice::Folder(FolderChanges {
            files: 1,
            names: vec![t("A")],
            head: Some(head_moved(Some("A"), "2", Some(0))),
        }),
        Notice::Watch(WatchNotice::Sent {
            path: t("A"),
            line: 3,
            more: 0,
        }),
        Notice::Watch(WatchNotice::Sent {
            path: t("A"),
            line: 3,
            more: 2,
        }),
        Notice::Watch(WatchNotice::NotRead { files: 1 }),
        Notice::Watch(WatchNotice::NotRead { files: 1_000 }),
        Notice::Watch(WatchNotice::MaybeOwn { files: 1 }),
        Notice::Watch(WatchNotice::MaybeOwn { files: 2 }),
        Notice::Watch(WatchNotice::ManyTurns { turns: 10 }),
        Notice::Watch(WatchNotice::Ended),
        Notice::Undo(UndoNotice::Without {
            files: not_undone().into_iter().rev().collect(),
        }),
        Notice::WindowAssumed {
            model: t("A"),
            tokens: 32_768,
        },
        Notice::PromptCut {
            read: 4_096,
            sent: 9_000,
        },
        Notice::NoModel(NoModel::NoServer),
        Notice::NoModel(NoModel::NoneOffered { provider: t("A") }),
        Notice::NoModel(NoModel::Failed {
            error: t("A"),
            server: None,
        }),
        Notice::Model { why: t("A") },
        Notice::ModelUnlisted {
            model: model(),
            names: vec![t("C"), t("D")],
            listed: 7,
        },
        Notice::ModelUnlisted {
            model: model(),
            names: vec![t("C"), t("D")],
            listed: 2,
        },
        Notice::ModelUnchecked {
            model: model(),
            why: None,
            server: None,
        },
        Notice::ModelUnchecked {
            model: model(),
            why: Some(t("C")),
            server: None,
        },
        untrusted(Until::Answered),
        untrusted(Until::Trusted),
        Notice::Unbound {
            names: vec![t("A"), t("B")],
        },
        Notice::Trusted { from: CountsFrom::Now },
        Notice::Distrusted,
        Notice::NothingToTrust,
        Notice::NoRepositoryToTrust,
        Notice::Trusted {
            from: CountsFrom::NextSession,
        },
        unread(NamedBy::Instructions),
        unread(NamedBy::Folder),
        unread(NamedBy::Tools),
        Notice::SkillsUntold { told: 100, all: 300 },
        Notice::BrokenSkills {
            skills: vec![broken_skill()],
        },
        Notice::BrokenCommands {
            commands: vec![broken_skill()],
        },
        hook(HookSaid::Denied { reason: t("B") }),
        hook(HookSaid::Rewrote { arguments: t("B") }),
        hook(HookSaid::Noted { text: t("B") }),
        hook(HookSaid::Told { text: t("B") }),
        hook(failed(HookFailed::NotStarted { error: t("B") }, false)),
        hook(failed(HookFailed::Changed { file: t("B") }, true)),
        hook(failed(
            HookFailed::Unpinned {
                file: t("B"),
                error: t("C"),
            },
            true,
        )),
        hook(failed(HookFailed::TooMany { most: 7 }, false)),
        hook(failed(HookFailed::TimedOut { after_ms: 7 }, false)),
        hook(failed(HookFailed::Endless { most: 7 }, false)),
        hook(failed(HookFailed::Unreadable { error: t("B") }, false)),
        hook(failed(HookFailed::NotTaken { error: t("B") }, false)),
        Notice::Hook {
            hook: t("A"),
            event: HookEvent::AfterTool,
            said: HookSaid::Denied { reason: t("B") },
        },
        hook(failed(HookFailed::Stopped, false)),
        hook(failed(
            HookFailed::Exited {
                how: t("B"),
                said: t("C"),
            },
            false,
        )),
        Notice::NotSent {
            name: t("A"),
            line: t("B"),
        },
        Notice::RulesCut {
            file: t("A"),
            told: 1,
            whole: 9,
        },
        Notice::IndexRebuilt {
            path: t("A"),
            aside: t("B"),
            sessions: 3,
        },
        Notice::Storage {
            failed: t("storage_busy"),
            why: t("A"),
        },
        Notice::Words {
            code: t("A"),
            text: t("B"),
        },
    ];
    notices.extend(worktrees.map(|why| Notice::Worktree(WorktreeNotice::No(why))));
    notices.extend(made);
    notices.extend(of_models_and_configuration());
    notices
}

/// Notices about a model that makes no progress.
pub(super) fn stuck_notices() -> Vec<Notice> {
    vec![
        Notice::NoAgent {
            agent: AgentName(t("A")),
            nearest: Some(t("B")),
        },
        Notice::NoAgent {
            agent: AgentName(t("A")),
            nearest: None,
        },
        Notice::Subagent {
            agent: AgentName(t("A")),
        },
        Notice::InnerAgent {
            agent: AgentName(t("A")),
        },
        Notice::AgentGone {
            agent: AgentName(t("A")),
            instead: AgentName(t("B")),
        },
        Notice::OutputLimit,
        Notice::WindowEnd,
        Notice::Filtered,
        Notice::Imported {
            from: t("A"),
            file: t("B"),
        },
        Notice::Unproven,
        Notice::EmptyReply,
        Notice::NotHandedOver { tool: t("A") },
        Notice::NotToldWhole { files: 1 },
        Notice::NotToldWhole { files: 2 },
        Notice::SecretsLeftOut { paths: vec![t("A")] },
        Notice::Loop {
            tool: t("A"),
            title: t("B"),
            times: 3,
        },
        Notice::Denials { times: 3 },
        Notice::CallCut {
            tool: t("A"),
            tokens: None,
        },
        Notice::CallCut {
            tool: t("A"),
            tokens: Some(8_192),
        },
        Notice::FellBack {
            from: ModelRef {
                provider: t("A"),
                id: t("B"),
            },
            to: ModelRef {
                provider: t("C"),
                id: t("D"),
            },
            failure: Failure::Told {
                code: t("E"),
                text: t("F"),
                server: None,
            },
        },
        Notice::NothingToRetry,
    ]
}

/// Returns a move of `HEAD` from branch `A` at commit `1`.
fn head_moved(branch: Option<&str>, commit: &str, commits: Option<u64>) -> HeadMoved {
    let head = |branch: Option<&str>, commit: &str| Head {
        branch: branch.map(t),
        commit: t(commit),
    };
    HeadMoved {
        was: head(Some("A"), "1"),
        is: head(branch, commit),
        commits,
    }
}
