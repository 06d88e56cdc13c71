//! Tests the calls of a reply: order, approval, denial, changes, and the todo list.

use std::sync::Arc;

use super::bench::{Bench, call, calls_model, deny, id, once, position, prepares, ran};
use crate::effect::Effect;
use crate::input::Happened;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Action, Because, DecidedBy, Decision, Kept, Lasts, Scope};
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_domain::tool::{AppliedChange, CallStatus, EffectClass, Outcome};
use benchdog_protocol::Live;

fn reads(count: usize) -> Vec<benchdog_domain::message::ToolCall> {
    (0..count).map(|n| call(&format!("r{n}"), "read")).collect()
}

#[test]
fn four_reads_run_side_by_side_and_the_fifth_waits() {
    let mut bench = Bench::new();
    bench.prompt("look");
    let mut next = prepares(&bench.reply("", reads(6)));
    for n in 0..4 {
        assert_eq!(next, [format!("r{n}")]);
        let effects = bench.prepared(&format!("r{n}"), EffectClass::Reads, Action::Allow);
        assert_eq!(ran(&effects), [format!("r{n}")]);
        next = prepares(&effects);
    }
    assert!(next.is_empty(), "four are enough");
    let effects = bench.finished("r2", Outcome::ok(Summary::Empty, ""));
    assert_eq!(prepares(&effects), ["r4"]);
}

#[test]
fn results_are_stored_in_call_order_whatever_ends_first() {
    let mut bench = Bench::new();
    bench.prompt("look");
    bench.reply("", reads(3));
    for n in 0..3 {
        bench.prepared(&format!("r{n}"), EffectClass::Reads, Action::Allow);
    }
    bench.finished("r2", Outcome::ok(Summary::Empty, "c"));
    bench.finished("r1", Outcome::ok(Summary::Empty, "b"));
    assert!(bench.results().is_empty());
    let effects = bench.finished("r0", Outcome::ok(Summary::Empty, "a"));
    let order: Vec<String> = bench.results().into_iter().map(|(call, _)| call).collect();
    assert_eq!(order, ["r0", "r1", "r2"]);
    assert!(calls_model(&effects));
}

#[test]
fn a_write_is_prepared_only_when_nothing_before_it_can_change_the_world() {
    let mut bench = Bench::new();
    bench.prompt("change");
    let effects = bench.reply("", vec![call("w1", "edit"), call("w2", "edit")]);
    assert_eq!(prepares(&effects), ["w1"]);
    let effects = bench.prepared("w1", EffectClass::Writes, Action::Allow);
    assert_eq!(ran(&effects), ["w1"]);
    assert!(prepares(&effects).is_empty());
    let effects = bench.finished("w1", Outcome::ok(Summary::Empty, ""));
    assert_eq!(prepares(&effects), ["w2"]);
}

#[test]
fn nothing_that_asks_runs_before_the_answer() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit")]);
    let effects = bench.prepared("w", EffectClass::Writes, Action::Ask);
    assert!(ran(&effects).is_empty());
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Live(Live::ApprovalRequested(_))))
    );
    let effects = bench.decided("w", once());
    assert_eq!(ran(&effects), ["w"]);
}

#[test]
fn a_call_that_changes_the_world_is_durably_started_before_it_runs() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "bash")]);
    let effects = bench.prepared("w", EffectClass::Executes, Action::Allow);
    let started = position(
        &effects,
        |effect| matches!(effect, Effect::Persist(entry) if matches!(entry.body, Body::CallStarted { .. })),
    );
    let run = position(&effects, |effect| matches!(effect, Effect::Run { .. }));
    assert!(started.is_some() && started < run);
}

#[test]
fn an_answer_with_another_id_decides_nothing() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Ask);
    assert!(bench.decided("old", once()).is_empty());
    assert!(bench.results().is_empty());
}

#[test]
fn a_second_answer_to_the_same_request_changes_nothing() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Ask);
    bench.decided("w", deny());
    assert!(ran(&bench.decided("w", once())).is_empty());
}

#[test]
fn a_refusal_goes_to_the_model_with_its_reason_and_the_turn_counts_as_denied() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Ask);
    let effects = bench.decided("w", deny());
    assert!(calls_model(&effects));
    assert_eq!(bench.results(), [("w".to_owned(), CallStatus::Denied)]);
    assert!(
        bench
            .log
            .iter()
            .any(|entry| matches!(&entry.body, Body::ToolResult { output, .. } if output.contains("not like this")))
    );
    bench.reply("then not", vec![]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Denied));
}

#[test]
fn a_success_after_the_last_denial_makes_the_turn_done() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit"), call("v", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Deny);
    bench.prepared("v", EffectClass::Writes, Action::Allow);
    bench.finished("v", Outcome::ok(Summary::Words("updated".to_owned()), ""));
    bench.reply("done", vec![]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn always_counts_only_for_exactly_what_was_offered() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit"), call("v", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Ask);
    let wider = Scope {
        key: "bash".to_owned(),
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    };
    let effects = bench.decided(
        "w",
        Decision::Always {
            scope: wider,
            lasts: Lasts::Project,
            kept: Kept::All,
        },
    );
    assert!(!effects.iter().any(|effect| matches!(effect, Effect::Remember { .. })));
    assert_eq!(ran(&effects), ["w"], "it still counts once");
    bench.finished("w", Outcome::ok(Summary::Empty, ""));
    bench.prepared("v", EffectClass::Writes, Action::Ask);
    let offered = Scope {
        key: "edit".to_owned(),
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    };
    let effects = bench.decided(
        "v",
        Decision::Always {
            scope: offered.clone(),
            lasts: Lasts::Project,
            kept: Kept::All,
        },
    );
    assert!(effects.contains(&Effect::Remember {
        scope: offered,
        lasts: Lasts::Project
    }));
}

#[test]
fn an_interrupt_gives_every_open_call_a_result_and_ends_what_runs() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("a", "read"), call("b", "bash"), call("c", "edit")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    bench.finished("a", Outcome::ok(Summary::Empty, "text"));
    bench.prepared("b", EffectClass::Executes, Action::Allow);
    let effects = bench.feed(Happened::Interrupt);
    assert!(effects.contains(&Effect::Cancel(id("b"))));
    assert_eq!(bench.outcome(), None, "its last words are on the way");
    bench.cancelled("b", "half of it\n");
    let said = bench.log.iter().find_map(|entry| match &entry.body {
        Body::ToolResult { call, output, .. } if *call == id("b") => Some(output.clone()),
        _ => None,
    });
    assert!(said.unwrap().starts_with("half of it\nThe user interrupted"));
    let statuses: Vec<CallStatus> = bench.results().into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, [CallStatus::Ok, CallStatus::Cancelled, CallStatus::Cancelled]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
}

#[test]
fn a_call_that_was_stopped_before_it_was_looked_at_says_what_it_was_about() {
    let mut bench = Bench::new();
    bench.prompt("change");
    // The id of each call is also the name of its file.
    bench.reply("", vec![call("one.txt", "edit"), call("two.txt", "edit")]);
    bench.prepared("one.txt", EffectClass::Writes, Action::Ask);
    bench.feed(Happened::Interrupt);
    let titles = bench.log.iter().filter_map(|entry| match &entry.body {
        Body::ToolResult { call, title, .. } if *call == id("two.txt") => Some(title.as_str()),
        _ => None,
    });
    assert_eq!(titles.collect::<Vec<_>>(), ["two.txt"]);
}

#[test]
fn an_interrupt_while_a_person_is_asked_runs_nothing_later() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Ask);
    bench.feed(Happened::Interrupt);
    assert!(ran(&bench.decided("w", once())).is_empty());
}

#[test]
fn a_call_that_was_done_before_it_heard_of_the_interrupt_keeps_its_own_result() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Allow);
    bench.feed(Happened::Interrupt);
    let change = AppliedChange {
        path: "f".to_owned(),
        before: None,
        after: Some(b"x".as_slice().into()),
        added: 1,
        removed: 0,
        in_part: false,
        mode_before: None,
    };
    let outcome = Outcome {
        changes: vec![change],
        ..Outcome::ok(Summary::Words("created".to_owned()), "")
    };
    bench.finished("w", outcome);
    assert!(
        bench
            .log
            .iter()
            .any(|entry| matches!(&entry.body, Body::Change { path, .. } if path == "f"))
    );
    assert_eq!(bench.results(), [("w".to_owned(), CallStatus::Ok)]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
}

#[test]
fn a_denial_by_rule_is_a_fact_of_the_log() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Deny);
    let decided = bench.log.iter().any(|entry| {
        matches!(
            &entry.body,
            Body::Approval { decision: Decision::Deny { .. }, by: DecidedBy::Policy, because: Because::Words(words), .. } if words == "edit: ask"
        )
    });
    assert!(decided);
    assert_eq!(bench.results(), [("w".to_owned(), CallStatus::Denied)]);
}

#[test]
fn the_first_change_of_a_turn_opens_a_list_and_tells_the_model() {
    let mut bench = Bench::new();
    bench.prompt("fix the rounding\nin money.rs");
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Allow);
    assert_eq!(bench.machine.todo().lines(), "1 [~] fix the rounding\n");
    bench.finished("w", Outcome::ok(Summary::Empty, ""));
    assert!(
        bench
            .log
            .iter()
            .any(|entry| matches!(&entry.body, Body::ToolResult { notes, .. } if notes.len() == 1))
    );
    bench.reply("done", vec![]);
    bench.feed(Happened::CheckSkipped);
    assert_eq!(bench.machine.todo().lines(), "1 [x] fix the rounding\n");
}

#[test]
fn a_turn_that_only_reads_opens_no_list_and_one_that_reads_first_does_before_its_change() {
    let mut bench = Bench::new();
    bench.prompt("look, then mend it");
    bench.reply("", vec![call("r", "read")]);
    bench.prepared("r", EffectClass::Reads, Action::Allow);
    bench.finished("r", Outcome::ok(Summary::Empty, "text"));
    assert!(bench.machine.todo().is_empty());
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Ask);
    assert_eq!(
        bench.machine.todo().lines(),
        "1 [~] look, then mend it\n",
        "before it is decided"
    );
}

#[test]
fn an_item_that_stays_in_progress_is_pointed_out_once() {
    let mut bench = Bench::new();
    let reminders = |bench: &Bench| {
        let reminds = |entry: &&Arc<Entry>| matches!(entry.body, Body::Notice(Notice::TodoOpen { .. }));
        bench.log.iter().filter(reminds).count()
    };
    let turn = |bench: &mut Bench, text: &str| {
        let id = format!("t{}", bench.log.len());
        bench.prompt("go on");
        bench.reply("", vec![call(&id, "todowrite")]);
        bench.prepared(&id, EffectClass::Notes, Action::Allow);
        let item = TodoItem {
            id: 1,
            text: text.to_owned(),
            status: TodoStatus::InProgress,
        };
        let outcome = Outcome {
            todo: Some(TodoList(vec![item])),
            ..Outcome::ok(Summary::Empty, "kept")
        };
        bench.finished(&id, outcome);
        bench.reply("I stop here.", vec![]);
    };
    turn(&mut bench, "mend the sum");
    assert_eq!(reminders(&bench), 1);
    turn(&mut bench, "mend the sum");
    assert_eq!(reminders(&bench), 1, "it is known");
    turn(&mut bench, "mend the product");
    assert_eq!(reminders(&bench), 2);
}

#[test]
fn where_the_model_kept_a_list_and_is_through_with_it_a_later_change_opens_none() {
    let mut bench = Bench::new();
    bench.prompt("mend it");
    bench.reply("", vec![call("t", "todowrite")]);
    bench.prepared("t", EffectClass::Notes, Action::Allow);
    let kept = TodoList(vec![TodoItem {
        id: 1,
        text: "mend the sum".to_owned(),
        status: TodoStatus::Completed,
    }]);
    bench.finished(
        "t",
        Outcome {
            todo: Some(kept.clone()),
            ..Outcome::ok(Summary::Empty, "kept")
        },
    );
    bench.reply("", vec![call("w", "edit")]);
    bench.prepared("w", EffectClass::Writes, Action::Allow);
    assert_eq!(*bench.machine.todo(), kept);
}

#[test]
fn a_call_nobody_understood_teaches_the_model_and_the_turn_goes_on() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("x", "raed")]);
    let effects = bench.feed(Happened::Refused {
        call: id("x"),
        tool: "raed".to_owned(),
        outcome: Outcome::error("unknown_tool", "Did you mean `read`?"),
    });
    assert!(calls_model(&effects));
    assert_eq!(bench.results(), [("x".to_owned(), CallStatus::Error)]);
}

#[test]
fn what_is_sent_while_an_interrupted_call_says_its_last_words_runs_after_it() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("b", "bash")]);
    bench.prepared("b", EffectClass::Executes, Action::Allow);
    bench.feed(Happened::Interrupt);
    bench.prompt("no, do this instead");
    assert!(calls_model(&bench.cancelled("b", "")), "it is the next turn");
    let said = bench.log.iter().rev().find_map(|entry| match &entry.body {
        Body::User { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(said.as_deref(), Some("no, do this instead"));
    assert!(bench.answers.is_empty(), "nothing bounces");
}

#[test]
fn words_answer_a_question_and_nothing_else() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("b", "bash")]);
    bench.prepared("b", EffectClass::Executes, Action::Ask);
    let words = Decision::answered(vec!["yes".to_owned()]);
    assert!(ran(&bench.decided("b", words)).is_empty());
    assert_eq!(ran(&bench.decided("b", once())), ["b"], "it still waits");
}
