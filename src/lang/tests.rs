//! Tests that the message table is complete, used, and has all values.

use std::collections::BTreeSet;

mod languages;
mod lines;
mod notices;
mod sheets;
mod sign_in;
mod values;

use fluent_bundle::FluentResource;

use self::lines::*;
use self::notices::*;
use self::sheets::*;
use self::values::*;
use super::failed::{FAILED, TOLD, failed};
use super::failure::cut;
use super::*;
use benchdog_base::id::EntryId;
use benchdog_domain::compaction::{self, Compaction, Replaced};
use benchdog_domain::confinement::{Confinement, Level, Missing, Network, Part};
use benchdog_domain::entry::Body;
use benchdog_domain::failure::Cut;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Because;
use benchdog_domain::summary::Summary;

fn ids() -> BTreeSet<String> {
    let lines = Language::English
        .table()
        .lines()
        .filter(|line| !line.starts_with(['#', ' ']) && !line.is_empty());
    lines
        .map(|line| line.split(" =").next().unwrap_or_default().to_owned())
        .collect()
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

/// The stable notation is English, so a person and a script read the same text.
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
    assert!(FluentResource::try_new(Language::English.table().to_owned()).is_ok());
    let lines = Language::English
        .table()
        .lines()
        .filter(|line| line.contains(" =") && !line.starts_with(['#', ' ']));
    assert_eq!(lines.count(), ids().len());
}

#[test]
fn every_value_has_its_words_and_they_are_filled() {
    let said = notices()
        .into_iter()
        .chain(room_notices())
        .chain(server_notices())
        .chain(stuck_notices())
        .map(|one| notice(&one).joined());
    let said = said.chain(failures().into_iter().map(|one| failure(&one).joined()));
    let said = said.chain(cuts().into_iter().map(|one| cut(&one)));
    let said = said.chain(reasons().into_iter().map(|one| because(&one)));
    let labels = [
        Label::You,
        Label::Task,
        Label::Answer,
        Label::Plan,
        Label::Writing,
        Label::Thought,
        Label::Thinking,
        Label::Check(1),
        Label::Check(2),
    ];
    let made = |cuts: usize, replaced: Option<Replaced>| {
        compacted(&Compaction {
            before: 9_640,
            after: 820,
            cuts: vec![
                compaction::Cut {
                    entry: EntryId(1),
                    keep: 1
                };
                cuts
            ],
            replaced,
            ..Compaction::default()
        })
    };
    let summary_of = |summary: Option<String>| Replaced {
        summary,
        ..Replaced::default()
    };
    assert!(made(2, None).contains("Shortened 2 old outputs to free context (~9.6k → ~820 tokens)"));
    let replacing = [made(0, Some(summary_of(None))), made(0, Some(summary_of(Some(t("A")))))];
    let said = said.chain([made(0, None), made(1, None)]).chain(replacing);
    let others = [cut_short(&Cut::Interrupted), model("A"), agent("A")];
    let said = said.chain(labels.map(|one| label(one).into_owned())).chain(others);
    let said = said.chain(summaries().into_iter().map(|one| summary(&one).into_owned()));
    let said = said.chain(mentions().into_iter().map(|one| mention(&one)));
    let said = said.chain(CODES.iter().map(|code| advice(code)));
    let said = said.chain(FAILED.iter().map(|code| failed(code)));
    let said = said.chain(TOLD.iter().filter_map(|code| told(code)));
    let said = said.chain(Word::ALL.iter().map(|one| word(*one).to_owned()));
    let said = said
        .chain(of_the_screen())
        .chain(of_a_request())
        .chain(of_comparisons())
        .chain(of_commits())
        .chain(of_plain_lines())
        .chain(of_linear_lines())
        .chain(of_obstacles())
        .chain(of_confinement())
        .chain(of_a_status())
        .chain(of_a_checkup())
        .chain(of_damage())
        .chain(sign_in::of_sign_ins());
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
        include_str!("background.rs"),
        include_str!("reason.rs"),
        include_str!("confinement.rs"),
        include_str!("word.rs"),
        include_str!("screen.rs"),
        include_str!("prompt.rs"),
        include_str!("cards.rs"),
        include_str!("viewer.rs"),
        include_str!("seats.rs"),
        include_str!("servers.rs"),
        include_str!("form.rs"),
        include_str!("sign_in.rs"),
        include_str!("request.rs"),
        include_str!("plain.rs"),
        include_str!("linear.rs"),
        include_str!("trouble.rs"),
        include_str!("summary.rs"),
        include_str!("status.rs"),
        include_str!("checkup.rs"),
        include_str!("damage.rs"),
        include_str!("comparison.rs"),
        include_str!("commit.rs"),
        include_str!("plan.rs"),
        include_str!("hook.rs"),
        include_str!("importing.rs"),
        include_str!("merged.rs"),
        include_str!("undo.rs"),
    ];
    let unused: Vec<String> = ids()
        .into_iter()
        .filter(|id| {
            let tables = [("advice-", CODES), ("failed-", FAILED), ("told-", TOLD)];
            let table = tables
                .iter()
                .find_map(|(of, codes)| Some((id.strip_prefix(of)?, *codes)));
            match table {
                Some((code, codes)) => !codes.contains(&code.replace('-', "_").as_str()),
                None => !sources.iter().any(|source| source.contains(&format!("\"{id}\""))),
            }
        })
        .collect();
    assert_eq!(unused, Vec::<String>::new());
}

#[test]
fn what_is_stored_is_the_value_and_comes_back() {
    let all = notices().into_iter().chain(room_notices());
    for one in all.chain(stuck_notices()).chain(server_notices()) {
        let stored = serde_json::to_value(&one).unwrap();
        // Storage and worktree notices are shown, but not logged.
        let told = match one {
            Notice::Storage { .. } => "storage",
            Notice::Worktree(_) => "worktree",
            Notice::Server(_) => "server",
            Notice::Undo(_) => "undo",
            _ => one.code(),
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
