//! The message table: whole, used, and filled.

use std::collections::BTreeSet;

use super::failure::cut;
use super::*;
use crate::domain::agent::ModelRef;
use crate::domain::command::Reach;
use crate::domain::confinement::{Confinement, Level, Missing, Network, Part};
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::failure::{Cut, Failure, Overweight};
use crate::domain::notice::{ConfigNotice, CountsFrom, Limit, NamedBy, NoModel, NotValidated, Notice, Unread, Until};
use crate::domain::permission::{Action, Because, CheckBecause, DecidedBy, Layer, Rule};
use crate::domain::summary::{Change, Summary};

fn ids() -> BTreeSet<String> {
    let lines = ENGLISH
        .lines()
        .filter(|line| !line.starts_with(['#', ' ']) && !line.is_empty());
    lines
        .map(|line| line.split(" =").next().unwrap_or_default().to_owned())
        .collect()
}

fn t(text: &str) -> String {
    text.to_owned()
}

/// One of each, with every shape a value can have.
fn notices() -> Vec<Notice> {
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
    vec![
        Notice::TodoOpen {
            items: vec![t("A"), t("B")],
        },
        Notice::Limit(Limit::Time),
        Notice::Limit(Limit::Steps { steps: 3 }),
        Notice::Limit(Limit::Tokens { used: 12, most: 10 }),
        Notice::Limit(Limit::Cost { spent: 0.25, most: 0.2 }),
        Notice::OutputLimit,
        Notice::EmptyReply,
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
        Notice::NoModel(NoModel::Failed { error: t("A") }),
        Notice::Model { why: t("A") },
        Notice::Config(ConfigNotice::Exists { path: t("A") }),
        Notice::Config(ConfigNotice::NotKept {
            path: t("A"),
            error: t("B"),
        }),
        Notice::Config(ConfigNotice::Kept { path: t("A") }),
        Notice::Config(ConfigNotice::Wrong { sentences: t("A") }),
        Notice::Config(ConfigNotice::NotHidden),
        untrusted(Until::Answered),
        untrusted(Until::Trusted),
        Notice::Trusted { from: CountsFrom::Now },
        Notice::Distrusted,
        Notice::NothingToTrust,
        Notice::Trusted {
            from: CountsFrom::NextSession,
        },
        unread(NamedBy::Instructions),
        unread(NamedBy::Folder),
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
    ]
}

fn failures() -> Vec<Failure> {
    let empty = |finish| Failure::EmptyReply { times: 3, finish };
    vec![
        empty(None),
        empty(Some(t("stop"))),
        Failure::ContextFull(Overweight { used: 9, limit: 8 }),
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

fn cuts() -> Vec<Cut> {
    let failed = failures().into_iter().map(Cut::Failed);
    let others = [Cut::Interrupted, Cut::OutOfTime, Cut::NotSaved, Cut::Words(t("A"))];
    others.into_iter().chain(failed).collect()
}

fn reasons() -> Vec<Because> {
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
            action: Action::Allow,
            origin,
        })
    };
    let others = [
        rule(t("built in")),
        rule(String::new()),
        Because::NoRule,
        Because::OnlyReads,
        Because::Catastrophic { why: t("A") },
        Because::External { why: t("A") },
        Because::Dangerous { why: t("A") },
        Because::NotUnderstood { why: t("A") },
        Because::NotPlain,
        Because::Elsewhere { folder: t("A") },
        Because::StepLimit,
        Because::NotConfined {
            level: Level::Workspace,
            parts: vec![Part::Mounts, Part::Landlock],
        },
        Because::Words(t("A")),
    ];
    let reaches = reaches.into_iter().map(Because::Reaches);
    others
        .into_iter()
        .chain(reaches)
        .chain(checks.into_iter().map(Because::Check))
        .collect()
}

/// Of the same value in every place, which is enough to see that it is filled.
fn of_the_screen() -> Vec<String> {
    let counted = [lines, more_lines, unchanged, characters, words];
    let named = [
        closes,
        prompt_hint,
        opens,
        brings,
        editor_failed,
        cleared,
        once_more,
        no_command,
        not_built,
        no_hunk_kept,
        not_bound,
        rule_stands,
        rule_taken_back,
    ];
    let others = [
        either(&[t("A"), t("B")]),
        paste(1, "A"),
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
        not_copied("A", "B"),
        prompt_hint(""),
        cleared(""),
    ];
    let counted = counted.iter().flat_map(|count| [count(1), count(2)]);
    let named = named.iter().map(|name| name("A"));
    counted.chain(named).chain(others).collect()
}

fn of_a_request() -> Vec<String> {
    let named = [asked, mode_becomes, renamed_from, copy_of];
    let others = [
        comes_from(Layer::Default),
        waiting_of(2),
        at_hunk(1, 2),
        hunk(1),
        stops_after(3),
        go_on(100),
        not_text(1, 2),
    ];
    named.iter().map(|name| name("A")).chain(others).collect()
}

/// As an everyday system has it, and one that lacks something.
fn of_confinement() -> Vec<String> {
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
    ]
}

#[test]
fn the_bottom_row_names_the_level_that_holds_and_what_it_lacks() {
    let standing = |level, network, missing: &[Part]| {
        let missing = missing.iter().map(|part| Missing {
            part: *part,
            why: String::new(),
        });
        confinement(&Confinement {
            level,
            network,
            missing: missing.collect(),
        })
    };
    assert_eq!(standing(Level::Workspace, Network::Inherit, &[]), "confined: workspace");
    assert_eq!(
        standing(Level::ReadOnly, Network::None, &[Part::Landlock, Part::Calls]),
        "confined: read-only, no network, lacks Landlock, seccomp"
    );
    assert_eq!(standing(Level::Off, Network::None, &[]), "no network");
}

fn of_plain_lines() -> Vec<String> {
    let decided = [allowed, always_allowed, denied];
    let by = [DecidedBy::User, DecidedBy::Policy, DecidedBy::Timeout];
    let decided = decided.iter().flat_map(|decided| by.map(decided));
    let named = [note, error, unwritable, demo_again];
    let others = [
        trying_again(1, "A", "1.5"),
        check_passed("A", "B"),
        check_failed("A", "B"),
        todo(1, 2),
        ended_after(TurnOutcome::Done, 1),
        ended_after(TurnOutcome::Done, 2),
    ];
    decided
        .chain(named.iter().map(|name| name("A")))
        .chain(others)
        .collect()
}

fn of_obstacles() -> Vec<String> {
    let (folder, file, error) = ("A", "A", "B");
    let whole = [
        Obstacle::NoEffect { flag: "A" },
        Obstacle::NotBuilt { command: "A" },
        Obstacle::NoAgent { name: "A", only: "B" },
        Obstacle::NoPrompt,
        Obstacle::NoSession { folder },
        Obstacle::NoModel,
        Obstacle::NoHome,
        Obstacle::NoFolder { folder, error },
        Obstacle::NoTerminal,
        Obstacle::PlainTerminal,
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

fn summaries() -> Vec<Summary> {
    let found = [0, 1, 2, 1_234].into_iter().flat_map(|n| {
        [
            Summary::Lines { lines: n },
            Summary::SomeLines { shown: n, lines: n },
            Summary::Entries { entries: n },
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
        Summary::Exit { code: 101, took_ms },
        Summary::Signal { signal: 9, took_ms },
        Summary::TimedOut { took_ms },
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

/// English is the language of the notation, too: a person and a script that look at one session read the same.
#[test]
fn a_summary_reads_like_its_notation() {
    for one in summaries() {
        assert_eq!(summary(&one), one.to_string(), "{one:?}");
    }
    assert_eq!(summary_with(&Summary::Lines { lines: 3 }, 2_000), "3 lines 2.0s");
    let said = Summary::Exit {
        code: 0,
        took_ms: 2_000,
    };
    assert_eq!(summary_with(&said, 2_100), "exit 0 2.0s");
}

#[test]
fn one_and_many_are_said_differently_and_a_word_is_made_once() {
    assert_eq!([lines(1), lines(2)], ["1 line", "2 lines"]);
    assert_eq!(new_lines(12_000, "12k"), "↓ 12k new lines");
    assert_eq!(either(&[t("Up"), t("u")]), "Up or u");
    assert_eq!(either(&[]), "");
    assert!(std::ptr::eq(word(Word::NoTasks), word(Word::NoTasks)));
}

#[test]
fn the_table_has_no_errors_and_no_message_twice() {
    assert!(FluentResource::try_new(ENGLISH.to_owned()).is_ok());
    let lines = ENGLISH
        .lines()
        .filter(|line| line.contains(" =") && !line.starts_with(['#', ' ']));
    assert_eq!(lines.count(), ids().len());
}

#[test]
fn every_value_has_its_words_and_they_are_filled() {
    let said = notices().into_iter().map(|one| notice(&one).joined());
    let said = said.chain(failures().into_iter().map(|one| failure(&one).joined()));
    let said = said.chain(cuts().into_iter().map(|one| cut(&one)));
    let said = said.chain(reasons().into_iter().map(|one| because(&one)));
    let labels = [
        Label::You,
        Label::Answer,
        Label::Plan,
        Label::Writing,
        Label::Thought,
        Label::Thinking,
        Label::Check(1),
        Label::Check(2),
    ];
    let others = [cut_short(&Cut::Interrupted), model("A"), mode("A")];
    let said = said.chain(labels.map(|one| label(one).into_owned())).chain(others);
    let said = said.chain(summaries().into_iter().map(|one| summary(&one).into_owned()));
    let said = said.chain(CODES.iter().map(|code| advice(code)));
    let said = said.chain(Word::ALL.iter().map(|one| word(*one).to_owned()));
    let said = said
        .chain(of_the_screen())
        .chain(of_a_request())
        .chain(of_plain_lines())
        .chain(of_obstacles())
        .chain(of_confinement());
    for text in said {
        assert!(!text.is_empty());
        assert!(
            !ids().contains(&text),
            "`{text}` is the name of a message that is not there"
        );
        assert!(!text.contains(['{', '}']), "a value is missing: {text}");
    }
}

#[test]
fn every_message_is_said_somewhere() {
    let sources = [
        include_str!("notice.rs"),
        include_str!("failure.rs"),
        include_str!("advice.rs"),
        include_str!("transcript.rs"),
        include_str!("because.rs"),
        include_str!("confinement.rs"),
        include_str!("word.rs"),
        include_str!("screen.rs"),
        include_str!("request.rs"),
        include_str!("plain.rs"),
        include_str!("trouble.rs"),
        include_str!("summary.rs"),
    ];
    let unused: Vec<String> = ids()
        .into_iter()
        .filter(|id| match id.strip_prefix("advice-") {
            Some(code) => !CODES.contains(&code.replace('-', "_").as_str()),
            None => !sources.iter().any(|source| source.contains(&format!("\"{id}\""))),
        })
        .collect();
    assert_eq!(unused, Vec::<String>::new());
}

#[test]
fn what_is_stored_is_the_value_and_comes_back() {
    for one in notices() {
        let stored = serde_json::to_value(&one).unwrap();
        // One of storage is said, and is in no log.
        let told = if matches!(one, Notice::Storage { .. }) {
            "storage"
        } else {
            one.code()
        };
        assert_eq!(stored["code"], told, "{stored}");
        assert_eq!(serde_json::from_value::<Notice>(stored).unwrap(), one);
    }
    for one in summaries() {
        let stored = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Summary>(&stored).unwrap(), one, "{stored}");
    }
    for one in reasons() {
        let stored = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Because>(&stored).unwrap(), one, "{stored}");
    }
    for one in cuts() {
        let stored = serde_json::to_string(&one).unwrap();
        assert_eq!(serde_json::from_str::<Cut>(&stored).unwrap(), one, "{stored}");
    }
}

#[test]
fn the_words_that_earlier_versions_stored_still_show() {
    for code in ["limit", "empty_reply"] {
        let old = serde_json::json!({"kind": "notice", "code": code, "text": "As it was said."});
        let Body::Notice(read) = serde_json::from_value(old.clone()).unwrap() else {
            panic!("{old} is a notice");
        };
        assert_eq!(
            (read.code(), notice(&read).joined().as_str()),
            (code, "As it was said.")
        );
        assert_eq!(serde_json::to_value(Body::Notice(read)).unwrap(), old);
    }
    let old: Because = serde_json::from_str(r#""bash: \"ls *\": allow (built in)""#).unwrap();
    assert_eq!(because(&old), "bash: \"ls *\": allow (built in)");
    let old: Cut = serde_json::from_str("\"the connection was closed\"").unwrap();
    assert_eq!(cut(&old), "the connection was closed");
    let old: Cut = serde_json::from_str("\"interrupted\"").unwrap();
    assert_eq!(cut(&old), "interrupted");
}
