//! One of each value, with every shape it can have, and what is said of it.

use super::super::*;
use super::notices::broken_skill;
use crate::base::id::BlobId;
use crate::domain::agent::{AgentName, ModelRef};
use crate::domain::command::{Instead, Interactive, Reach, Written};
use crate::domain::compaction::NoSummary;
use crate::domain::comparison::{NoComparison, NotRead};
use crate::domain::confinement::{Confinement, Level, Missing, Network, Part};
use crate::domain::entry::TurnOutcome;
use crate::domain::failure::{Cut, Failure, Overweight};
use crate::domain::finding::Severity;
use crate::domain::image::{Image, ImageKind};
use crate::domain::job::JobId;
use crate::domain::mention::{Mention, MentionKind, Part as Lines, Unreadable, WhyUnreadable};
use crate::domain::permission::{
    Action, Because, CheckBecause, DecidedBy, Lasts, Layer, OnlyOnce, Rule, Scope, Verdict,
};
use crate::domain::plan::NoPlanFile;
use crate::domain::review::{FileNote, Pause, Review};
use crate::domain::server::{NoPrompt, ServerTrouble};
use crate::domain::skill::{BrokenSkill, OfferKind};
use crate::domain::staged::{Files, NotStaged, Proposal, Unstaged};
use crate::domain::summary::{Change, Summary};
use crate::domain::worktree::Worktree;

pub(super) fn t(text: &str) -> String {
    text.to_owned()
}
pub(super) fn failures() -> Vec<Failure> {
    let empty = |finish| Failure::EmptyReply { times: 3, finish };
    vec![
        empty(None),
        empty(Some(t("stop"))),
        Failure::NotHandedOver { tool: t("A"), times: 3 },
        Failure::ContextFull(Overweight {
            used: 9,
            limit: 8,
            fixed: 0,
        }),
        Failure::ContextFull(Overweight {
            used: 9,
            limit: 8,
            fixed: 5,
        }),
        Failure::ContextFull(Overweight {
            used: 9,
            limit: 8,
            fixed: 8,
        }),
        Failure::ContextOverflow {
            limit: Some(8),
            text: t("A"),
            lessened: false,
        },
        Failure::ContextOverflow {
            limit: None,
            text: t("A"),
            lessened: true,
        },
        Failure::MentionUnread { mentions: unreadable() },
        Failure::NoModel,
        Failure::NoProvider {
            provider: t("p"),
            model: ModelRef {
                provider: t("p"),
                id: t("m"),
            },
        },
        Failure::SessionNotOpen,
        Failure::RecordingEnded,
        Failure::Told {
            code: t("A"),
            text: t("B"),
        },
    ]
}

fn unreadable() -> Vec<Unreadable> {
    let reasons = [
        WhyUnreadable::Missing,
        WhyUnreadable::Outside,
        WhyUnreadable::NoText { words: t("A") },
        WhyUnreadable::NotAllowed {
            because: Because::NoRule,
        },
        WhyUnreadable::TooMany { most: 50, named: 60 },
        WhyUnreadable::Unclear {
            range: "9-1".to_owned(),
        },
        WhyUnreadable::NotSeen {
            kind: ImageKind::Png,
            model: t("A"),
        },
        WhyUnreadable::TooManyImages { most: 8 },
        WhyUnreadable::NoSkill(Box::new(broken_skill())),
        WhyUnreadable::NoSkill(Box::new(BrokenSkill {
            kind: OfferKind::Command,
            ..broken_skill()
        })),
        WhyUnreadable::Prompt(NoPrompt::Unknown),
        WhyUnreadable::Prompt(NoPrompt::Lacks {
            lacks: vec!["code".to_owned()],
        }),
        WhyUnreadable::Prompt(NoPrompt::Trouble(ServerTrouble::Off)),
        WhyUnreadable::Resource(ServerTrouble::Off),
        WhyUnreadable::NoServer { known: vec![t("A")] },
        WhyUnreadable::NoReading {
            media: t("A"),
            bytes: 3_000,
        },
        WhyUnreadable::TooLarge {
            bytes: 30_000_000,
            most: 10_000_000,
        },
        WhyUnreadable::Hook { reason: t("B") },
        WhyUnreadable::Failed { words: t("B") },
    ];
    reasons.map(|why| Unreadable { path: t("P"), why }).into()
}

pub(super) fn mentions() -> Vec<Mention> {
    let part = |last| Lines {
        first: 1,
        last,
        total: 9,
    };
    let kinds = [
        (MentionKind::Folder, None),
        (MentionKind::Skill, None),
        (MentionKind::Image, None),
        (MentionKind::Resource, None),
        (MentionKind::File, None),
        (MentionKind::File, Some(part(9))),
        (MentionKind::File, Some(part(3))),
    ];
    let mention = |(kind, lines)| Mention {
        kind,
        path: t("P"),
        lines,
        hash: None,
        text: String::new(),
        truncated: false,
        image: (kind == MentionKind::Image).then(|| Image {
            kind: ImageKind::Png,
            blob: BlobId(String::new()),
            bytes: 1,
        }),
    };
    kinds.map(mention).into()
}

pub(super) fn cuts() -> Vec<Cut> {
    let failed = failures().into_iter().map(Cut::Failed);
    let others = [
        Cut::Interrupted,
        Cut::OutOfTime,
        Cut::NotSaved,
        Cut::Ended,
        Cut::Unproven,
        Cut::Words(t("A")),
    ];
    others.into_iter().chain(failed).collect()
}

pub(super) fn reasons() -> Vec<Because> {
    let path = || t("A");
    let reaches = [
        Reach::Process { path: path() },
        Reach::Secret { path: path() },
        Reach::LeadsToSecret { path: path() },
        Reach::Obeyed { path: path() },
        Reach::NamesSecret,
        Reach::SecretBelow { path: path() },
        Reach::LinkBelow { path: path() },
        Reach::Unseen,
        Reach::Outside { path: path() },
        Reach::Unfollowed {
            path: path(),
            reason: t("B"),
        },
    ];
    let instead = [
        Instead::Edit,
        Instead::Debug,
        Instead::Person,
        Instead::Run,
        Instead::Script,
        Instead::Query,
        Instead::Print,
        Instead::Snapshot,
    ];
    let interactive = instead.map(|instead| {
        Because::Interactive(Interactive {
            program: t("A"),
            instead,
        })
    });
    let checks = [
        CheckBecause::Configured,
        CheckBecause::Allowed,
        CheckBecause::NotAllowedYet { command: t("A") },
        CheckBecause::Changed {
            command: t("A"),
            file: t("B"),
        },
    ];
    let rule = |origin| {
        Because::Rule(Rule {
            key: t("bash"),
            pattern: t("ls *"),
            options: None,
            action: Action::Allow,
            origin,
        })
    };
    let others = [
        rule(t("built in")),
        rule(String::new()),
        Because::NoRule,
        Because::OnlyReads,
        Because::Scratch,
        Because::Catastrophic { why: t("A") },
        Because::External { why: t("A") },
        Because::Dangerous { why: t("A") },
        Because::NotUnderstood { why: t("A") },
        Because::NotPlain,
        Because::Elsewhere { folder: t("A") },
        Because::CalledRisky,
        Because::StepLimit,
        Because::Loop,
        Because::Denials,
        Because::NotConfined {
            level: Level::Workspace,
            parts: vec![Part::Mounts, Part::Landlock],
        },
        Because::ReadOnly,
        Because::Typed,
        Because::Words(t("A")),
    ];
    let reaches = reaches.into_iter().map(Because::Reaches);
    others
        .into_iter()
        .chain(reaches)
        .chain(interactive)
        .chain(checks.into_iter().map(Because::Check))
        .collect()
}

/// One of which so much is only there.
fn worktree(changed: u64, ahead: u64) -> Worktree {
    Worktree {
        name: t("A"),
        branch: t("B"),
        path: t("C"),
        changed,
        ahead,
    }
}

/// Of the same value in every place, which is enough to see that it is filled.
pub(super) fn of_the_screen() -> Vec<String> {
    let counted = [lines, more_lines, unchanged, characters, words, more_wait];
    let named = [
        closes,
        name_a_server,
        comes_back,
        unsent,
        prompt_hint,
        opens,
        brings,
        editor_failed,
        cleared,
        once_more,
        typing_goes_to_prompt,
        no_hunk_kept,
        not_bound,
        rule_stands,
        rule_taken_back,
    ];
    let others = [
        either(&[t("A"), t("B")]),
        no_command("A", None),
        no_command("A", Some("B")),
        paste(1, "A"),
        text_full(16),
        find_hits(1, 2, "A", "B"),
        strokes("A", "B"),
        some_of(1, 2),
        new_lines(1, "A"),
        new_lines(2, "A"),
        attempt(2, 3),
        speed(38),
        tokens(1, 2),
        window(2_048),
        and_more("A", 2),
        copied("A", "B"),
        jobs_running(1),
        jobs_running(2),
        job_runs(1_000),
        job_ends("A", "B"),
        jobs_keys("A", "B"),
        no_job("A"),
        job_is_over("A"),
        loops_going(1),
        loops_going(2),
        loop_begun(1, "A"),
        loop_stopped(1),
        loop_failed(1),
        no_loop(1),
        loops_stopped(1),
        loops_stopped(2),
        loop_stands("A", 3, 0),
        loop_stands("A", 3, 2),
        seats_wait(1),
        seats_wait(2),
        closing("A", "B"),
        seats_work(1),
        seats_work(2),
        seats_ended(2),
        switchboard_keys("A", "B"),
        only_seat("A"),
        last_seat("A"),
        waits_elsewhere("A", "B"),
        age(0),
        age(61_000),
        age(3_600_000),
        age(259_200_000),
        worktree_keys("A"),
        would_be_lost(&worktree(0, 0)),
        would_be_lost(&worktree(1, 1)),
        would_be_lost(&worktree(2, 2)),
        not_copied("A", "B"),
        prompt_hint(""),
        cleared(""),
    ];
    let counted = counted.iter().flat_map(|count| [count(1), count(2)]);
    let named = named.iter().map(|name| name("A"));
    counted.chain(named).chain(others).collect()
}

pub(super) fn of_a_request() -> Vec<String> {
    let named = [asked, mode_becomes, renamed_from, copy_of];
    let others = [
        comes_from(Layer::Default),
        place_of(2, 5),
        at_file(1, 2),
        comment_on("A", 1),
        comment_place("A", 1, true),
        comment_place("A", 1, false),
        comments_head(),
        editing("A", 1, 2, 3),
        at_hunk(1, 2),
        hunk(1),
        stops_after(3),
        in_background(None),
        in_background(Some(3)),
        only_once(&asking(None)),
        only_once(&asking(Some(OnlyOnce::Guarded(Because::NotPlain)))),
        only_once(&asking(Some(OnlyOnce::Branch))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Redirected)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Expanded)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Assigned)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Compound)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Long)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Fed)))),
        only_once(&asking(Some(OnlyOnce::Written(Written::Quoted)))),
        go_on(&Pause::Steps { steps: 100 }),
        go_on(&Pause::Loop {
            tool: "read".to_owned(),
            title: "a.rs".to_owned(),
            times: 3,
        }),
        go_on(&Pause::Denials { times: 3 }),
        not_text(1, 2),
    ];
    named.iter().map(|name| name("A")).chain(others).collect()
}

pub(super) fn of_comparisons() -> Vec<String> {
    let none = [
        NoComparison::NoRepository,
        NoComparison::NoSuch { named: t("A") },
        NoComparison::Slow,
        NoComparison::Git { said: t("A") },
    ];
    let unread_ones = [
        NotRead::TooLarge { bytes: 1 },
        NotRead::Enough,
        NotRead::Link,
        NotRead::Submodule,
        NotRead::Failed { why: t("A") },
    ];
    let said = none.iter().map(no_comparison).chain(unread_ones.iter().map(unread));
    let severities = Severity::ALL.map(severity);
    said.chain([more_differ(1), more_differ(2), nothing_found()])
        .chain(severities)
        .collect()
}

fn staged() -> Files {
    Files {
        digest: BlobId::of(b""),
        stat: t("A"),
    }
}

pub(super) fn of_commits() -> Vec<String> {
    let proposal = |trouble| Proposal {
        message: t("A"),
        trouble,
        files: staged(),
        cut: true,
        secret: Vec::new(),
    };
    let error = t("A");
    let troubles = [
        None,
        Some(NoSummary::Failed { error }),
        Some(NoSummary::Silent { seconds: 1 }),
        Some(NoSummary::Empty),
    ];
    let none = [
        NotStaged::NoRepository,
        NotStaged::Unstaged(Unstaged {
            changed: vec![t("A"); 30],
            new: vec![t("A")],
            secret: vec![t("A")],
            unnamed: 0,
        }),
        NotStaged::Unstaged(Unstaged {
            unnamed: 1,
            ..Unstaged::default()
        }),
        NotStaged::Unstaged(Unstaged {
            unnamed: 2,
            ..Unstaged::default()
        }),
        NotStaged::Clean,
        NotStaged::Conflict { paths: vec![t("A")] },
        NotStaged::Slow,
        NotStaged::Git { said: t("A") },
    ];
    let proposed = troubles.map(|trouble| commit_proposed(&proposal(trouble)));
    let said = proposed.into_iter().chain(none.iter().map(not_staged));
    let others = [
        commit_secret(&[t("A")]),
        commit_kept("A"),
        commit_twice(),
        commit_nearly_all("A"),
        commit_stale(&staged()),
        plan_exported("A"),
        plan_not_exported("A"),
        plan_opened("A"),
        plans(&[t("A")]),
    ];
    let no_plan = [
        NoPlanFile::NoSuch { named: t("A") },
        NoPlanFile::NoSuch { named: String::new() },
        NoPlanFile::Several { names: vec![t("A")] },
        NoPlanFile::Empty { path: t("A") },
        NoPlanFile::Unread { said: t("A") },
    ];
    let no_plan = no_plan.iter().map(no_plan_file);
    said.chain(others).chain(no_plan).collect()
}

/// As an everyday system has it, and one that lacks something.
pub(super) fn of_confinement() -> Vec<String> {
    let missing = |part| Missing { part, why: t("A") };
    let standing = |level, network, missing| {
        confinement(&Confinement {
            level,
            network,
            missing,
        })
    };
    vec![
        standing(Level::Workspace, Network::None, Vec::new()),
        standing(Level::ReadOnly, Network::Inherit, Part::ALL.map(missing).to_vec()),
        doctor_level("A", Network::None),
        doctor_part(Part::Mounts, None),
        doctor_part(Part::Mounts, Some("A")),
        doctor_variables(&[]),
        doctor_variables(&[t("A")]),
        doctor_passed(&[t("A")]),
        doctor_incomplete(),
    ]
}

pub(super) fn of_plain_lines() -> Vec<String> {
    let decided = [allowed, always_allowed, denied];
    let by = [DecidedBy::User, DecidedBy::Policy, DecidedBy::Timeout];
    let decided = decided.iter().flat_map(|decided| by.map(decided));
    let named = [note, error, unwritable, demo_again];
    let others = [
        trying_again(1, "A", "1.5"),
        whole_wanted("A"),
        number_wanted("A", "B"),
        at_most(1),
        dollars_wanted(),
        check_passed("A", "B"),
        check_failed("A", "B"),
        todo(1, 2),
        ended_after(TurnOutcome::Done, 1),
        ended_after(TurnOutcome::Done, 2),
        both_changed("A"),
        file_note(&FileNote::Words(t("A"))),
        file_note(&FileNote::LeftOut {
            words: Some(t("A")),
            lines: vec![1, 2],
        }),
    ];
    decided
        .chain(named.iter().map(|name| name("A")))
        .chain(others)
        .collect()
}

pub(super) fn of_obstacles() -> Vec<String> {
    let (folder, file, error) = ("A", "A", "B");
    let whole = [
        Obstacle::NoEffect { flag: "A" },
        Obstacle::NotBuilt { command: "A" },
        Obstacle::NoAgent {
            name: "A",
            nearest: Some("B"),
            known: "C",
        },
        Obstacle::NoAgent {
            name: "A",
            nearest: None,
            known: "B",
        },
        Obstacle::Subagent { name: "A", known: "B" },
        Obstacle::InnerAgent { name: "A", known: "B" },
        Obstacle::NoTool {
            told: "A",
            instead: Some("B"),
        },
        Obstacle::NoTool {
            told: "A",
            instead: None,
        },
        Obstacle::NoPrompt,
        Obstacle::NoServerOfTools { name: "A", known: "B" },
        Obstacle::NoServerOfTools { name: "A", known: "" },
        Obstacle::NotSignedIn { name: "A", told: "B" },
        Obstacle::TokensKept { name: "A", told: "B" },
        Obstacle::BadServerName { name: "A" },
        Obstacle::ServerThere { name: "A" },
        Obstacle::ServerElsewhere { name: "A" },
        Obstacle::NoPrice,
        Obstacle::Stopped,
        Obstacle::OutOfTime,
        Obstacle::NoSession { folder },
        Obstacle::NoModel,
        Obstacle::KeyMissing {
            name: "A",
            variables: "B",
        },
        Obstacle::NoHome,
        Obstacle::NoFolder { folder, error },
        Obstacle::NoTerminal,
        Obstacle::SetupNeedsTerminal { file: "f" },
        Obstacle::Demo { folder, error },
    ];
    let short = [
        Obstacle::NoCommandTool,
        Obstacle::File { file, error },
        Obstacle::Input { error },
        Obstacle::Output { error },
        Obstacle::Signals { error },
        Obstacle::Threads { error },
    ];
    let whole = whole
        .into_iter()
        .map(obstacle)
        .flat_map(|words| [words.text, words.hint]);
    let short = short.into_iter().map(|one| obstacle(one).text);
    whole.chain(short).chain([key_of_a_project("A")]).collect()
}

pub(super) fn summaries() -> Vec<Summary> {
    let found = [0, 1, 2, 1_234].into_iter().flat_map(|n| {
        [
            Summary::Lines { lines: n },
            Summary::SomeLines { shown: n, lines: n },
            Summary::Unseen { images: n },
            Summary::Entries { entries: n },
            Summary::Findings { findings: n },
            Summary::Files { files: n },
            Summary::Matches { matches: n },
            Summary::MatchesIn { matches: n, files: n },
            Summary::FirstMatches { matches: n, files: n },
        ]
    });
    let changes = [
        Change::Created,
        Change::Updated,
        Change::Deleted,
        Change::Renamed,
        Change::Copied,
    ];
    let changed = changes.map(|change| Summary::Changed {
        kept: None,
        change,
        added: 1_200,
        removed: 0,
    });
    let took_ms = 1_949;
    let others = [
        Summary::Empty,
        Summary::NoMatch,
        Summary::ChangedFiles {
            files: 2,
            added: 10,
            removed: 4,
        },
        Summary::Unchanged,
        Summary::NothingKept,
        Summary::Todo { done: 1, total: 2 },
        Summary::NoAnswer,
        Summary::Answer { text: t("A") },
        Summary::Answers { answers: 2 },
        Summary::Proven { places: 2 },
        Summary::Exit { code: 101, took_ms },
        Summary::Signal { signal: 9, took_ms },
        Summary::TimedOut { took_ms },
        Summary::Background { job: JobId(1) },
        Summary::Runs { job: JobId(1) },
        Summary::Stopped { took_ms },
        Summary::EndUnknown { took_ms },
        Summary::Denied,
        Summary::NotRun,
        Summary::Interrupted,
        Summary::OutOfTime,
        Summary::NotSaved,
        Summary::ResultUnknown,
        Summary::Failed { code: t("not_found") },
        Summary::Words(t("A")),
    ];
    found.chain(changed).chain(others).collect()
}

pub(super) fn of_linear_lines() -> Vec<String> {
    let scope = |options| Scope {
        key: t("bash"),
        pattern: t("ls *"),
        options,
    };
    let scopes = [scope(None), scope(Some(Vec::new()))];
    let lasts = [Lasts::Session, Lasts::Project];
    let fields = Review::Fields(Vec::new());
    let child = AgentName(t("A"));
    let of = [(&fields, None), (&fields, Some(&child))];
    let always = scopes
        .iter()
        .flat_map(|scope| lasts.map(|lasts| (scope, lasts)))
        .flat_map(|given| of.map(|(review, child)| always(1, given, review, child)));
    let counted = [1, 2].map(reads_on);
    let named = [needs_screen, waits_its_turn, not_sent].map(|say| say("A"));
    let begun = [
        begins(None, "A"),
        begins(Some("A"), "B"),
        allowed_while(Lasts::Session, Some("A")),
    ];
    always.chain(counted).chain(named).chain(begun).collect()
}

/// A request that may be allowed once only.
fn asking(only_once: Option<OnlyOnce>) -> Verdict {
    Verdict {
        action: Action::Ask,
        because: Because::NoRule,
        layer: Layer::Default,
        class: None,
        scopes: Vec::new(),
        only_once,
        needs_person: false,
    }
}
