//! Tests turns without progress: repetitions and consecutive denials.

use serde_json::{Value, json};

use super::bench::{Bench, calls_model, deny, id, prepares, rules, verdict};
use crate::effect::Effect;
use crate::input::{Along, Happened};
use crate::machine::{AtPause, Rules};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::message::{Arguments, ToolCall};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::{Action, DecidedBy, Decision};
use benchdog_domain::review::{END_TURN, GO_ON, Pause, Question, Review};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{AppliedChange, CallStatus, EffectClass, Outcome};
use benchdog_protocol::Delivery;

/// A turn in which each reply has one call.
struct Rounds {
    bench: Bench,
    made: u32,
}

impl Rounds {
    fn new(at_pause: AtPause) -> Self {
        let mut bench = Bench::with(Rules { at_pause, ..rules() });
        bench.prompt("go");
        Self { bench, made: 0 }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> ToolCall {
        self.made += 1;
        ToolCall {
            id: id(&format!("c{}", self.made)),
            name: tool.to_owned(),
            arguments: Arguments::Object(arguments.as_object().cloned().unwrap()),
        }
    }

    fn round(&mut self, tool: &str, effect: EffectClass, arguments: &Value, outcome: Outcome) -> Vec<Effect> {
        let call = self.call(tool, arguments);
        self.bench.reply("", vec![call.clone()]);
        self.bench.prepared_as(&call.id.0, tool, effect, Action::Allow);
        self.bench.finished(&call.id.0, outcome)
    }

    fn read(&mut self, path: &str, text: &str) -> Vec<Effect> {
        self.round("read", EffectClass::Reads, &json!({"path": path}), said(text))
    }

    fn test(&mut self, output: &str) -> Vec<Effect> {
        let failed = Outcome::error("exit", output);
        self.round("bash", EffectClass::Executes, &json!({"command": "test"}), failed)
    }

    /// Feeds an edit that fails before its review, like an edit whose old text is not found.
    fn lost_edit(&mut self, old: &str, new: &str, teaching: &str) -> Vec<Effect> {
        let call = self.call("edit", &json!({"path": "a.rs", "edits": [{"old": old, "new": new}]}));
        self.bench.reply("", vec![call.clone()]);
        self.bench.feed(Happened::Refused {
            call: call.id,
            tool: "edit".to_owned(),
            outcome: Outcome::error("no_match", teaching),
        })
    }

    fn edit(&mut self, old: &str, new: &str) -> Vec<Effect> {
        let changes = vec![AppliedChange {
            path: "a.rs".to_owned(),
            before: Some(old.as_bytes().into()),
            after: Some(new.as_bytes().into()),
            added: 1,
            removed: 1,
            in_part: false,
            mode_before: None,
        }];
        let outcome = Outcome {
            changes,
            ..said("Edited.")
        };
        let arguments = json!({"path": "a.rs", "edits": [{"old": old, "new": new}]});
        self.round("edit", EffectClass::Writes, &arguments, outcome)
    }

    fn denied(&mut self, command: &str) -> Vec<Effect> {
        let call = self.call("bash", &json!({"command": command}));
        self.bench.reply("", vec![call.clone()]);
        self.bench
            .prepared_as(&call.id.0, "bash", EffectClass::Executes, Action::Ask);
        self.bench.decided(&call.id.0, deny())
    }

    fn hint(&self) -> Option<String> {
        let notes = self.bench.log.iter().rev().find_map(|entry| match &entry.body {
            Body::ToolResult { notes, .. } => Some(notes),
            _ => None,
        });
        notes?
            .iter()
            .map(|note| note.text.clone())
            .find(|text| text.contains("times"))
    }

    /// Prepares the question that a pause asks, as the seat would do, and answers it.
    fn answer(&mut self, effects: &[Effect], pause: Pause, answer: &str) -> Vec<Effect> {
        let question = prepares(effects).pop().expect("the person is asked");
        self.bench.feed(Happened::Prepared {
            call: id(&question),
            tool: "ask".to_owned(),
            title: String::new(),
            effect: EffectClass::Asks,
            review: Review::Question(Question::GoOn(pause)).into(),
            verdict: verdict(Action::Ask),
            understood: None,
        });
        let answers = vec![answer.to_owned()];
        self.bench.decided(&question, Decision::answered(answers));
        self.bench.finished(&question, said(answer))
    }
}

fn said(text: &str) -> Outcome {
    Outcome::ok(Summary::Empty, text)
}

fn looping(title: &str) -> Pause {
    Pause::Loop {
        tool: "read".to_owned(),
        title: title.to_owned(),
        times: 3,
    }
}

#[test]
fn the_same_call_with_the_same_result_is_hinted_at_the_second_time_and_ends_a_run_at_the_third() {
    let mut rounds = Rounds::new(AtPause::End);
    assert!(calls_model(&rounds.read("a.rs", "one")));
    assert_eq!(rounds.hint(), None);
    assert!(calls_model(&rounds.read("a.rs", "one")));
    assert!(rounds.hint().unwrap().contains("2 times"));
    assert!(!calls_model(&rounds.read("a.rs", "one")));
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Loop));
    let said = rounds
        .bench
        .log
        .iter()
        .any(|entry| matches!(&entry.body, Body::Notice(Notice::Loop { tool, times: 3, .. }) if tool == "read"));
    assert!(said, "which call it was is said");
}

#[test]
fn the_order_of_the_arguments_makes_no_other_call() {
    let mut rounds = Rounds::new(AtPause::End);
    for arguments in [
        json!({"path": "a", "limit": 3}),
        json!({"limit": 3, "path": "a"}),
        json!({"path": "a", "limit": 3}),
    ] {
        rounds.round("read", EffectClass::Reads, &arguments, said("one"));
    }
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Loop));
}

#[test]
fn in_the_workbench_a_loop_is_asked_about_and_counts_anew_after_go_on() {
    let mut rounds = Rounds::new(AtPause::Ask);
    rounds.read("a.rs", "one");
    rounds.read("a.rs", "one");
    let effects = rounds.read("a.rs", "one");
    assert!(!calls_model(&effects));
    let effects = rounds.answer(&effects, looping("c3"), GO_ON);
    assert!(calls_model(&effects));
    assert_eq!(rounds.bench.asked().unwrap().tool, "loop");
    assert!(calls_model(&rounds.read("a.rs", "one")), "the first time again");
    assert_eq!(rounds.hint(), None);
    rounds.read("a.rs", "one");
    let effects = rounds.read("a.rs", "one");
    rounds.answer(&effects, looping("c6"), END_TURN);
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Loop));
}

#[test]
fn a_result_that_changes_is_no_loop_and_the_time_it_took_is_no_change() {
    let mut rounds = Rounds::new(AtPause::End);
    for percent in 0..9 {
        assert!(calls_model(&rounds.test(&format!("{percent} % done\n[exit 1, 0.4s]"))));
    }
    rounds.test("2 failed in 0.31s, 3 s left\n[exit 1, 1.2 ms]");
    rounds.test("2 failed in 0.07s, 3 s left\n[exit 1, 4.5 ms]");
    assert!(rounds.hint().is_some());
    rounds.test("2 failed in 0.07s, 4 s left\n[exit 1, 4.5 ms]");
    assert_eq!(rounds.hint(), None, "that was another one");
    rounds.test("2 failed in 1.00s, 3 s left\n[exit 1, 9.5 ms]");
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Loop));
}

#[test]
fn a_test_that_fails_alike_after_each_new_change_is_no_loop() {
    let mut rounds = Rounds::new(AtPause::End);
    for attempt in 0..6 {
        assert!(calls_model(&rounds.edit("a", &format!("b{attempt}"))));
        assert!(calls_model(&rounds.test("1 failed")));
    }
}

#[test]
fn a_cycle_of_changes_that_are_made_and_taken_back_is_a_loop() {
    let mut rounds = Rounds::new(AtPause::End);
    for _ in 0..2 {
        assert!(calls_model(&rounds.edit("a", "b")));
        assert!(calls_model(&rounds.test("1 failed")));
        assert!(calls_model(&rounds.edit("b", "a")));
    }
    rounds.edit("a", "b");
    rounds.test("1 failed");
    assert!(rounds.bench.outcome().is_none());
    rounds.edit("b", "a");
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Loop));
}

#[test]
fn an_edit_that_fails_at_the_same_place_is_a_loop_whatever_it_would_put_there() {
    let mut rounds = Rounds::new(AtPause::End);
    rounds.lost_edit("fn a", "one", "nearest: fn b");
    rounds.read("a.rs", "fn b");
    rounds.lost_edit("fn a", "two", "nearest: fn c");
    assert!(rounds.hint().unwrap().contains("failed 2 times"));
    rounds.lost_edit("fn other", "two", "nearest: fn c");
    assert_eq!(rounds.hint(), None);
    rounds.test("a command is no change of the file");
    assert!(!calls_model(&rounds.lost_edit("fn a", "three", "nearest: fn d")));
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Loop));
}

#[test]
fn an_edit_that_failed_before_the_file_changed_may_be_tried_again() {
    let mut rounds = Rounds::new(AtPause::End);
    for attempt in 0..4 {
        rounds.lost_edit("fn a", "one", "nearest: fn b");
        assert!(calls_model(&rounds.edit("x", &format!("y{attempt}"))));
    }
}

#[test]
fn the_same_call_twice_in_one_reply_counts_once() {
    let mut rounds = Rounds::new(AtPause::End);
    let calls: Vec<ToolCall> = (0..3).map(|_| rounds.call("read", &json!({"path": "a.rs"}))).collect();
    rounds.bench.reply("", calls.clone());
    let mut effects = Vec::new();
    for call in &calls {
        rounds
            .bench
            .prepared_as(&call.id.0, "read", EffectClass::Reads, Action::Allow);
    }
    for call in &calls {
        effects = rounds.bench.finished(&call.id.0, said("one"));
    }
    assert!(calls_model(&effects));
    assert_eq!(rounds.hint(), None);
}

#[test]
fn what_the_person_says_meanwhile_lets_a_loop_go_on() {
    let mut rounds = Rounds::new(AtPause::End);
    rounds.read("a.rs", "one");
    rounds.read("a.rs", "one");
    rounds.bench.feed(Happened::Prompt {
        text: "look once more".to_owned(),
        along: Along::default(),
        delivery: Delivery::Steer,
    });
    // The prompt arrives while the model is answering. The request after the third result includes the prompt.
    assert!(calls_model(&rounds.read("a.rs", "one")));
    assert_eq!(rounds.bench.outcome(), None, "it is the same turn");
    rounds.read("a.rs", "one");
    assert_eq!(rounds.hint(), None);
}

#[test]
fn three_replies_in_a_row_whose_calls_are_denied_end_a_run() {
    let mut rounds = Rounds::new(AtPause::End);
    assert!(calls_model(&rounds.denied("one")));
    assert!(calls_model(&rounds.denied("two")));
    assert!(!calls_model(&rounds.denied("three")));
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Denied));
    assert!(rounds.bench.has_notice("denials"));
}

#[test]
fn a_call_that_ran_between_denials_begins_the_count_anew() {
    let mut rounds = Rounds::new(AtPause::End);
    for round in 0..4 {
        assert!(calls_model(&rounds.denied("one")));
        assert!(calls_model(&rounds.denied("two")));
        assert!(calls_model(&rounds.read(&format!("{round}"), "text")));
    }
}

#[test]
fn several_calls_of_one_reply_that_are_denied_count_once() {
    let mut rounds = Rounds::new(AtPause::End);
    let calls: Vec<ToolCall> = (0..3).map(|_| rounds.call("bash", &json!({"command": "rm"}))).collect();
    rounds.bench.reply("", calls.clone());
    let mut effects = Vec::new();
    for call in &calls {
        rounds
            .bench
            .prepared_as(&call.id.0, "bash", EffectClass::Executes, Action::Ask);
        effects = rounds.bench.feed(Happened::Decided {
            call: call.id.clone(),
            decision: deny(),
            by: DecidedBy::Policy,
        });
    }
    assert!(calls_model(&effects), "the model has not read the first refusal yet");
}

#[test]
fn denials_are_asked_about_in_the_workbench() {
    let mut rounds = Rounds::new(AtPause::Ask);
    rounds.denied("one");
    rounds.denied("two");
    let effects = rounds.denied("three");
    assert!(!calls_model(&effects));
    let effects = rounds.answer(&effects, Pause::Denials { times: 3 }, GO_ON);
    assert!(calls_model(&effects));
    assert_eq!(rounds.bench.asked().unwrap().tool, "denials");
    rounds.denied("one");
    rounds.denied("two");
    let effects = rounds.denied("three");
    rounds.answer(&effects, Pause::Denials { times: 3 }, END_TURN);
    assert_eq!(rounds.bench.outcome(), Some(TurnOutcome::Denied));
    let statuses: Vec<CallStatus> = rounds.bench.results().into_iter().map(|(_, status)| status).collect();
    assert_eq!(statuses, [CallStatus::Denied; 6], "each call has its one result");
}
