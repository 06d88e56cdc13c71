//! Tests that messages are readable, and that old stored values can still be shown.

use std::collections::BTreeSet;

mod languages;
mod notices;
mod summaries;
mod values;

use fluent_bundle::FluentResource;

use self::notices::*;
use self::summaries::*;
use self::values::*;
use super::failure::cut;
use super::*;
use benchdog_base::id::EntryId;
use benchdog_domain::compaction::{self, Compaction};
use benchdog_domain::confinement::{Confinement, Level, Missing, Network, Part};
use benchdog_domain::entry::Body;
use benchdog_domain::failure::Cut;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Because;
use benchdog_domain::summary::Summary;

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
fn a_compaction_says_how_much_it_freed() {
    let shortened = Compaction {
        before: 9_640,
        after: 820,
        cuts: vec![
            compaction::Cut {
                entry: EntryId(1),
                keep: 1,
            };
            2
        ],
        ..Compaction::default()
    };
    assert!(compacted(&shortened).contains("Shortened 2 old outputs to free context (~9.6k → ~820 tokens)"));
}

#[test]
fn one_and_many_are_said_differently_and_a_word_is_made_once() {
    assert_eq!(
        [message::count_lines(1), message::count_lines(2)],
        ["1 line", "2 lines"]
    );
    assert_eq!(message::count_new_lines(12_000, "12k"), "↓ 12k new lines");
    assert_eq!(either(&[t("Up"), t("u")]), "Up or u");
    assert_eq!(either(&[]), "");
    assert!(std::ptr::eq(word(Word::NoTasks), word(Word::NoTasks)));
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
