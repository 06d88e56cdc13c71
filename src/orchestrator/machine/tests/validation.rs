//! Tests the check that runs after changes.

use super::bench::{Bench, call, calls_model, deny, id, once, prepares, ran};
use crate::effect::Effect;
use crate::input::Happened;
use benchdog_domain::adjustment::Switched;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{AppliedChange, CallStatus, EffectClass, Outcome};

fn change(bench: &mut Bench, name: &str) {
    bench.reply("", vec![call(name, "edit")]);
    bench.prepared(name, EffectClass::Writes, Action::Allow);
    let change = AppliedChange {
        path: "f".to_owned(),
        before: None,
        after: Some(b"x".as_slice().into()),
        added: 1,
        removed: 0,
        in_part: false,
        mode_before: None,
    };
    bench.finished(
        name,
        Outcome {
            changes: vec![change],
            ..Outcome::ok(Summary::Words("created".to_owned()), "")
        },
    );
}

fn check(bench: &mut Bench, action: Action) -> (String, Vec<Effect>) {
    let effects = bench.feed(Happened::CheckPlanned {
        command: "sh check.sh".to_owned(),
    });
    let call = prepares(&effects).pop().unwrap();
    let effects = bench.prepared(&call, EffectClass::Executes, action);
    (call, effects)
}

fn checked(bench: &mut Bench, call: &str, outcome: Outcome) -> Vec<Effect> {
    bench.finished(call, outcome)
}

fn failed() -> Outcome {
    Outcome::error("exit_1", "FAIL line 3")
}

fn passed() -> Outcome {
    Outcome::ok(Summary::Words("exit 0".to_owned()), "")
}

#[test]
fn a_turn_that_changed_files_runs_the_check_before_it_ends() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    let effects = bench.reply("done", vec![]);
    assert!(effects.contains(&Effect::PlanCheck));
    assert_eq!(bench.outcome(), None);
    let (call, effects) = check(&mut bench, Action::Allow);
    assert_eq!(ran(&effects), [call.as_str()]);
    checked(&mut bench, &call, passed());
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn the_check_is_switched_off_and_on_in_a_session_that_has_begun() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    bench.feed(Happened::CheckSwitched(Switched::Off));
    change(&mut bench, "w");
    let effects = bench.reply("done", vec![]);
    assert!(!effects.contains(&Effect::PlanCheck));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
    bench.prompt("fix more");
    change(&mut bench, "x");
    bench.feed(Happened::CheckSwitched(Switched::On));
    assert!(bench.reply("done", vec![]).contains(&Effect::PlanCheck));
}

#[test]
fn a_turn_without_changes_runs_no_check() {
    let mut bench = Bench::new();
    bench.prompt("look");
    let effects = bench.reply("fine", vec![]);
    assert!(!effects.contains(&Effect::PlanCheck));
}

#[test]
fn a_failing_check_goes_back_to_the_model_and_its_fix_is_checked_again() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w1");
    bench.reply("done", vec![]);
    let (call, _) = check(&mut bench, Action::Allow);
    assert!(calls_model(&checked(&mut bench, &call, failed())));
    let told = bench
        .log
        .iter()
        .any(|entry| matches!(&entry.body, Body::Validation { feedback: true, output, .. } if output == "FAIL line 3"));
    assert!(told);
    change(&mut bench, "w2");
    bench.reply("now", vec![]);
    let (call, _) = check(&mut bench, Action::Allow);
    checked(&mut bench, &call, passed());
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn three_failing_rounds_end_the_turn() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    for round in 1..=3 {
        change(&mut bench, &format!("w{round}"));
        bench.reply("done", vec![]);
        let (call, _) = check(&mut bench, Action::Allow);
        assert_eq!(calls_model(&checked(&mut bench, &call, failed())), round < 3);
    }
    assert_eq!(bench.outcome(), Some(TurnOutcome::ValidationFailed));
}

#[test]
fn giving_up_after_a_failing_check_is_not_done() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    let (call, _) = check(&mut bench, Action::Allow);
    checked(&mut bench, &call, failed());
    bench.reply("I cannot", vec![]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::ValidationFailed));
}

#[test]
fn a_check_that_was_refused_leaves_the_outcome_and_says_so() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    let (call, _) = check(&mut bench, Action::Ask);
    let effects = bench.decided(&call, deny());
    assert!(ran(&effects).is_empty());
    assert!(bench.has_notice("not_validated"));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn that_nothing_checks_the_changes_is_said_once() {
    let mut bench = Bench::new();
    for (call, prompt) in [("w", "fix"), ("v", "fix more")] {
        bench.prompt(prompt);
        change(&mut bench, call);
        bench.reply("done", vec![]);
        bench.feed(Happened::CheckSkipped);
        assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
    }
    let said = bench
        .log
        .iter()
        .filter(|entry| matches!(&entry.body, Body::Notice(notice) if notice.code() == "not_validated"));
    assert_eq!(said.count(), 1);
}

#[test]
fn a_check_that_asks_runs_only_after_the_answer() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    let (call, effects) = check(&mut bench, Action::Ask);
    assert!(ran(&effects).is_empty());
    assert_eq!(ran(&bench.decided(&call, once())), [call.as_str()]);
}

#[test]
fn an_interrupt_ends_a_running_check() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    let (call, _) = check(&mut bench, Action::Allow);
    let effects = bench.feed(Happened::Interrupt);
    assert!(effects.contains(&Effect::Cancel(id(&call))));
    bench.cancelled(&call, "half of it\n");
    let kept = bench.log.iter().any(|entry| {
        matches!(&entry.body, Body::Validation { unfinished: Some(CallStatus::Cancelled), output, .. } if output.starts_with("half of it"))
    });
    assert!(kept);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
}
