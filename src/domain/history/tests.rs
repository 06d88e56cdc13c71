//! Tests that a history gives the same answers whether it is folded at once or entry by entry.

mod let_go;
mod most;
mod totals;

use std::sync::Arc;

use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};

use super::{CallProgress, History, Part};
use crate::agent::{AgentName, ModelRef};
use crate::budget::Usage;
use crate::compaction::{Compaction, Cut, Replaced};
use crate::entry::{Body, Entry, TurnOutcome};
use crate::message::{Arguments, ToolCall};
use crate::summary::Summary;
use crate::todo::{TodoItem, TodoList, TodoStatus};
use crate::tool::CallStatus;
use benchdog_base::clock::Time;
use benchdog_base::id::{BlobId, CallId, EntryId, TurnId};

fn log(bodies: impl IntoIterator<Item = Body>) -> Vec<Arc<Entry>> {
    let mut turn = 0;
    let entries = (1..).zip(bodies).map(|(id, body)| {
        turn += u32::from(matches!(body, Body::User { .. }));
        Arc::new(Entry {
            id: EntryId(id),
            turn: TurnId(turn),
            time: Time(0),
            body,
        })
    });
    entries.collect()
}

fn call(id: &str) -> CallId {
    CallId(id.to_owned())
}

fn user(text: &str) -> Body {
    Body::User {
        text: text.to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    }
}

fn model(id: &str) -> ModelRef {
    ModelRef {
        provider: "p".to_owned(),
        id: id.to_owned(),
    }
}

fn usage(tokens: u64) -> Usage {
    Usage {
        prompt: tokens,
        completion: 1,
        total: tokens + 1,
        cached: None,
    }
}

fn assistant(calls: &[&str]) -> Body {
    let calls = calls.iter().map(|id| ToolCall {
        id: call(id),
        name: "bash".to_owned(),
        arguments: Arguments::Raw(String::new()),
    });
    Body::Assistant {
        text: "text".to_owned(),
        reasoning: String::new(),
        seals: Vec::new(),
        calls: calls.collect(),
        model: model("m"),
        usage: Some(usage(10)),
        error: None,
    }
}

fn started(id: &str) -> Body {
    Body::CallStarted {
        call: call(id),
        tool: "bash".to_owned(),
        title: String::new(),
        files: Vec::new(),
    }
}

fn result(id: &str) -> Body {
    Body::ToolResult {
        call: call(id),
        tool: "bash".to_owned(),
        title: String::new(),
        status: CallStatus::Ok,
        summary: Summary::NotRun,
        output: "output".to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    }
}

fn changed(path: &str, before: Option<&str>, after: Option<&str>) -> Body {
    let blob = |text: Option<&str>| text.map(|text| BlobId(text.to_owned()));
    Body::Change {
        call: call("a"),
        path: path.to_owned(),
        before: blob(before),
        after: blob(after),
        added: 1,
        removed: 1,
        moved: Vec::new(),
        undoes: Vec::new(),
        in_part: false,
        mode_before: None,
        job: None,
    }
}

fn todo(text: &str) -> Body {
    Body::Todo {
        items: TodoList(vec![TodoItem {
            id: 1,
            text: text.to_owned(),
            status: TodoStatus::Pending,
        }]),
    }
}

fn ended() -> Body {
    Body::TurnEnded {
        outcome: TurnOutcome::Done,
        steps: 1,
        usage: Usage::default(),
    }
}

fn shell(command: &str) -> Body {
    Body::Shell {
        call: None,
        command: command.to_owned(),
        output: String::new(),
        summary: Summary::NotRun,
        status: CallStatus::Ok,
        findings: Vec::new(),
    }
}

fn unknown() -> Body {
    Body::Unknown(serde_json::json!({"v": 9, "kind": "hologram"}))
}

/// Formats the open calls, with `!` after started ones, and `turn` for an open turn: `a! b turn`.
fn open(history: &History) -> String {
    let mut open: Vec<String> = history
        .open_calls()
        .map(|open| match open.progress {
            CallProgress::Waiting => open.call.id.0.clone(),
            CallProgress::Started(_) => format!("{}!", open.call.id),
            CallProgress::Over(_) => format!("{}.", open.call.id),
        })
        .collect();
    if history.open_turn() {
        open.push("turn".to_owned());
    }
    open.join(" ")
}

#[test]
fn wherever_a_log_is_cut_the_history_knows_what_is_open() {
    let whole = log([
        user("go"),
        assistant(&["a", "b"]),
        started("a"),
        todo("one"),
        result("a"),
        result("b"),
        assistant(&["c"]),
        started("c"),
        result("c"),
        assistant(&[]),
        ended(),
        shell("ls"),
        user("again"),
    ]);
    let cuts: Vec<String> = (0..=whole.len())
        .map(|length| open(&History::of(whole[..length].to_vec())))
        .collect();
    assert_eq!(
        cuts,
        [
            "",
            "turn",
            "a b turn",
            "a! b turn",
            "a! b turn",
            "b turn",
            "turn",
            "c turn",
            "c! turn",
            "turn",
            "turn",
            "",
            "",
            "turn"
        ]
    );
}

#[test]
fn the_newest_word_counts_and_numbers_go_on_from_the_highest() {
    let history = History::of(log([
        user("one"),
        Body::Model {
            model: model("first"),
            with: None,
            until_then: None,
        },
        todo("old"),
        assistant(&["a"]),
        started("shell"),
        ended(),
        user("two"),
        Body::Model {
            model: model("second"),
            with: None,
            until_then: None,
        },
        Body::Agent {
            agent: AgentName("plan".to_owned()),
            until_then: None,
        },
        todo("new"),
        assistant(&["b"]),
    ]));
    assert_eq!((history.last_entry(), history.last_turn()), (EntryId(11), TurnId(2)));
    assert_eq!(history.model(), Some(&model("second")));
    assert_eq!(history.agent().map(|agent| agent.0.as_str()), Some("plan"));
    assert_eq!(history.todo().map(TodoList::lines).as_deref(), Some("1 [ ] new\n"));
    assert_eq!(history.usage(), usage(10).plus(usage(10)));
    let known: Vec<&str> = history.known_calls().iter().map(|call| call.0.as_str()).collect();
    assert_eq!(known, ["a", "b", "shell"]);
}

#[test]
fn a_new_session_has_nothing_yet() {
    let history = History::default();
    assert_eq!((history.last_entry(), history.last_turn()), (EntryId(0), TurnId(0)));
    assert_eq!(
        (history.todo(), history.model(), history.agent(), history.title()),
        (None, None, None, None)
    );
    assert_eq!(open(&history), "");
}

#[test]
fn the_title_is_the_first_line_with_something_in_it_that_the_person_sent() {
    let title = |bodies: Vec<Body>| History::of(log(bodies)).title().map(str::to_owned);
    let words = title(vec![todo("x"), user(" \n\n  fix it  \nplease"), user("more")]);
    assert_eq!(words.as_deref(), Some("fix it"));
    assert_eq!(title(vec![user("  "), shell("ls -l")]).as_deref(), Some("!ls -l"));
    let long = title(vec![user(&"日".repeat(300))]).unwrap();
    assert_eq!(long.chars().count(), 100);
}

#[test]
fn an_entry_of_a_later_version_stays_and_takes_nothing_away() {
    let bodies = [user("go"), assistant(&["a"]), unknown(), result("a")];
    let history = History::of(log(bodies));
    assert_eq!(history.entries().len(), 4);
    assert!(matches!(history.entries()[2].body, Body::Unknown(_)));
    assert_eq!(open(&history), "turn");
}

/// Formats the carried entries by number: `3` complete, `3…` truncated, `3-` as a placeholder, and `9(1 2…)` as a
/// summary with preserved entries.
fn carried(history: &History) -> String {
    fn one(part: &Part) -> String {
        let id = part.entry().id.0;
        match part {
            Part::Whole(_) => id.to_string(),
            Part::Cut(..) | Part::Lean(..) => format!("{id}…"),
            Part::Words(_) => format!("{id}w"),
            Part::Dropped(_) => format!("{id}-"),
            Part::Replaced(beginning) => {
                let kept: Vec<String> = beginning.kept.iter().map(one).collect();
                format!("{id}({})", kept.join(" "))
            }
        }
    }
    let parts: Vec<String> = history.carried().parts().iter().map(one).collect();
    parts.join(" ")
}

fn compaction(cuts: &[u64], dropped: &[u64], replaced: Option<(u64, &[u64])>) -> Body {
    let ids = |ids: &[u64]| ids.iter().copied().map(EntryId).collect::<Vec<_>>();
    Body::Compaction(Compaction {
        before: 100,
        after: 50,
        cuts: ids(cuts).into_iter().map(|entry| Cut { entry, keep: 2 }).collect(),
        dropped: ids(dropped),
        replaced: replaced.map(|(upto, kept)| Replaced {
            upto: EntryId(upto),
            kept: ids(kept),
            ..Replaced::default()
        }),
        ..Compaction::default()
    })
}

fn undone(id: u64) -> Body {
    Body::CompactionUndone {
        compaction: EntryId(id),
    }
}

#[test]
fn a_compaction_changes_what_is_carried_and_undoing_the_newest_brings_the_rest_back() {
    let mut bodies = vec![
        user("task"),
        assistant(&["a"]),
        result("a"),
        todo("one"),
        assistant(&[]),
        user("two"),
    ];
    let now = |bodies: &[Body]| carried(&History::of(log(bodies.to_vec())));
    assert_eq!(now(&bodies), "1 2 3 5 6", "a todo list is no message");
    bodies.push(compaction(&[3], &[], None));
    assert_eq!(now(&bodies), "1 2 3… 5 6");
    bodies.push(compaction(&[], &[], Some((5, &[1, 3]))));
    assert_eq!(now(&bodies), "8(1 3…) 6", "what is kept stays as it was carried");
    bodies.push(assistant(&[]));
    let mut taken_back = bodies.clone();
    taken_back.push(undone(8));
    assert_eq!(now(&taken_back), "1 2 3… 5 6 9");
    taken_back.push(undone(7));
    assert_eq!(now(&taken_back), "1 2 3… 5 6 9", "only the newest can be taken back");
    bodies.push(compaction(&[], &[9], Some((6, &[1]))));
    assert_eq!(
        now(&bodies),
        "10(1) 9-",
        "a beginning takes the place of the one before"
    );
    bodies.push(undone(8));
    assert_eq!(now(&bodies), "10(1) 9-");
    assert_eq!(History::of(log(bodies)).entries().len(), 11, "people see all of it");
}

#[test]
fn what_is_summarised_may_hold_a_list_that_stands_as_it_stood_then() {
    let history = History::of(log([
        user("task"),
        todo("one"),
        compaction(&[], &[], Some((1, &[]))),
        todo("two"),
    ]));
    let Some(Part::Replaced(beginning)) = history.carried().parts().first() else {
        panic!("nothing stands in the place of the beginning")
    };
    assert_eq!(beginning.todo.as_deref().map(|entry| &entry.body), Some(&todo("one")));
}

#[test]
fn nothing_is_done_again_by_itself_after_it_was_taken_back_or_freed_hardly_anything() {
    let reluctant = |bodies: Vec<Body>| History::of(log(bodies)).carried().is_reluctant();
    let made = |after| {
        let Body::Compaction(made) = compaction(&[1], &[], None) else {
            panic!()
        };
        Body::Compaction(Compaction { after, ..made })
    };
    assert!(!reluctant(vec![user("task"), made(90)]));
    assert!(reluctant(vec![user("task"), made(91)]));
    assert!(reluctant(vec![user("task"), made(50), undone(2)]));
    assert!(!reluctant(vec![user("task"), made(50), undone(2), made(50)]));
}

#[test]
fn what_a_compaction_leaves_alone_is_what_is_pinned_now() {
    let pinned = |entry, pinned| Body::Pinned {
        entry: EntryId(entry),
        pinned,
    };
    let history = History::of(log([user("task"), pinned(1, true), pinned(2, true), pinned(2, false)]));
    assert!(history.carried().is_pinned(EntryId(1)) && !history.carried().is_pinned(EntryId(2)));
}

#[test]
fn entries_are_shared_and_not_copied() {
    let whole = log([user("go"), assistant(&["a"])]);
    let history = History::of(whole.clone());
    assert!(
        whole
            .iter()
            .zip(history.entries())
            .all(|(mine, its)| Arc::ptr_eq(mine, its))
    );
}

fn compactions() -> impl Strategy<Value = Body> {
    let ids = || proptest::collection::vec((0..40_u64).prop_map(EntryId), 0..3);
    let replaced = proptest::option::of((0..40_u64, ids()));
    (ids(), ids(), replaced).prop_map(|(cuts, dropped, replaced)| {
        Body::Compaction(Compaction {
            cuts: cuts.into_iter().map(|entry| Cut { entry, keep: 2 }).collect(),
            dropped,
            replaced: replaced.map(|(upto, kept)| Replaced {
                upto: EntryId(upto),
                kept,
                ..Replaced::default()
            }),
            ..Compaction::default()
        })
    })
}

fn bodies() -> impl Strategy<Value = Body> {
    let id = || prop_oneof![Just("a"), Just("b"), Just("c"), Just("d")];
    let blob = || proptest::option::of(prop_oneof![Just("x"), Just("y")]);
    prop_oneof![
        "[ \na-c]{0,5}".prop_map(|text| user(&text)),
        proptest::collection::vec(id(), 0..3).prop_map(|ids| assistant(&ids)),
        id().prop_map(started),
        id().prop_map(result),
        (id(), blob(), blob()).prop_map(|(path, before, after)| changed(path, before, after)),
        "[a-c]{0,3}".prop_map(|text| todo(&text)),
        "[a-c]{1,2}".prop_map(|id| Body::Model {
            model: model(&id),
            with: None,
            until_then: None
        }),
        "[a-c]{1,2}".prop_map(|name| Body::Agent {
            agent: AgentName(name),
            until_then: None
        }),
        "[a-c]{0,2}".prop_map(|command| shell(&command)),
        any::<bool>().prop_map(|known| if known { ended() } else { unknown() }),
        compactions(),
        (0..40_u64).prop_map(|id| Body::CompactionUndone {
            compaction: EntryId(id)
        }),
        (0..40_u64, any::<bool>()).prop_map(|(id, pinned)| Body::Pinned {
            entry: EntryId(id),
            pinned
        }),
    ]
}

/// Compares each answer with a search of the whole log.
fn assert_agrees(history: &History, whole: &[Arc<Entry>]) {
    let open_calls = whole.iter().enumerate().flat_map(|(place, entry)| match &entry.body {
        Body::Assistant { calls, .. } => calls.iter().map(|call| (place, call)).collect(),
        _ => Vec::new(),
    });
    let open_calls = open_calls.filter_map(|(place, made)| {
        let after = || whole.iter().skip(place);
        let ended = after().any(|entry| matches!(&entry.body, Body::ToolResult { call, .. } if *call == made.id));
        let started = after().any(|entry| matches!(&entry.body, Body::CallStarted { call, .. } if *call == made.id));
        (!ended).then(|| format!("{}{}", made.id, if started { "!" } else { "" }))
    });
    let mut wanted: Vec<String> = open_calls.collect();
    let ends = whole.iter().rev().find_map(|entry| match entry.body {
        Body::User { .. } | Body::Assistant { .. } | Body::CallStarted { .. } => Some(false),
        Body::TurnEnded { .. } => Some(true),
        _ => None,
    });
    wanted.extend((ends == Some(false)).then(|| "turn".to_owned()));
    assert_eq!(open(history), wanted.join(" "));
    let newest = whole.iter().rev().find_map(|entry| match &entry.body {
        Body::Todo { items } => Some(items),
        _ => None,
    });
    assert_eq!(history.todo(), newest);
    assert_eq!(history.entries(), whole);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]
    #[test]
    fn a_history_that_grew_is_the_history_of_its_log(bodies in proptest::collection::vec(bodies(), 0..40)) {
        let whole = log(bodies);
        let mut grown = History::default();
        for (length, entry) in whole.iter().enumerate() {
            assert_eq!(grown, History::of(whole[..length].to_vec()));
            grown.push(Arc::clone(entry));
        }
        assert_agrees(&grown, &whole);
        assert_agrees(&History::of(whole.clone()), &whole);
    }
}
