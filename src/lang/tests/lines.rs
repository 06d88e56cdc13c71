//! Examples of messages outside the screen, and of summaries beside calls.

use super::super::*;
use super::values::*;
use benchdog_base::id::BlobId;
use benchdog_domain::agent::AgentName;
use benchdog_domain::compaction::NoSummary;
use benchdog_domain::comparison::{NoComparison, NotRead};
use benchdog_domain::confinement::{Confinement, Level, Missing, Network, Part};
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::finding::Severity;
use benchdog_domain::job::JobId;
use benchdog_domain::permission::{DecidedBy, Lasts, Scope};
use benchdog_domain::plan::NoPlanFile;
use benchdog_domain::review::{FileNote, Forgave, Forgiven, Piece, Review};
use benchdog_domain::staged::{Files, NotStaged, Proposal, Unstaged};
use benchdog_domain::summary::{Change, Summary};

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

/// Examples of a usual system, and of one that lacks a part.
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
    let decided = [allowed, allowed_in_sandbox, always_allowed, denied];
    let by = [DecidedBy::User, DecidedBy::Policy, DecidedBy::Timeout];
    let decided = decided.iter().flat_map(|decided| by.map(decided));
    let named = [note, error, unwritable, demo_again];
    let noted = |note: &FileNote| file_note(note, Word::ChangedOnDisk);
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
        noted(&FileNote::Words(t("A"))),
        noted(&FileNote::Forgave(vec![Forgave {
            what: Forgiven::KeptMark,
            part: Some(Piece::Edit(1, 2)),
        }])),
        noted(&FileNote::Forgave(
            [1, 2, -1, -2]
                .map(Forgiven::Further)
                .into_iter()
                .chain([1, 2].map(Forgiven::Fuzz))
                .map(|what| Forgave {
                    what,
                    part: Some(Piece::Hunk(1, 2)),
                })
                .collect(),
        )),
        noted(&FileNote::LeftOut {
            forgave: Vec::new(),
            lines: vec![1, 2],
        }),
        noted(&FileNote::ChangedSince { lines: vec![1, 2] }),
        noted(&FileNote::ModeNotKept),
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
        Obstacle::SecretInAddress { url: "A" },
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
            of: None,
        },
        Summary::ChangedFiles {
            files: 2,
            added: 10,
            removed: 4,
            of: Some(3),
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
        and: Vec::new(),
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
    let counted = [reads_on(1), reads_on(2), goes_on(8)];
    let named = [needs_screen, waits_its_turn, not_sent].map(|say| say("A"));
    let begun = [
        begins(None, "A"),
        begins(Some("A"), "B"),
        allowed_while(Lasts::Session, Some("A")),
    ];
    always.chain(counted).chain(named).chain(begun).collect()
}
