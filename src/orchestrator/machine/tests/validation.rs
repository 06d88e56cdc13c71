//! The check after changes.

use super::bench::{Bench, call, calls_model, deny, id, once, verdict};
use crate::domain::entry::{Body, TurnOutcome};
use crate::domain::permission::Action;
use crate::domain::review::Review;
use crate::domain::tool::{AppliedChange, EffectClass, Outcome};
use crate::orchestrator::effect::Effect;
use crate::orchestrator::input::Happened;

fn change(bench: &mut Bench, name: &str) {
    bench.reply("", vec![call(name, "edit")]);
    bench.prepared(name, EffectClass::Writes, Action::Allow);
    let change = AppliedChange {
        path: "f".to_owned(),
        before: None,
        after: Some(b"x".as_slice().into()),
        added: 1,
        removed: 0,
    };
    bench.finished(
        name,
        Outcome {
            changes: vec![change],
            ..Outcome::ok("created", "")
        },
    );
}

fn check(bench: &mut Bench, name: &str, action: Action) -> Vec<Effect> {
    bench.feed(Happened::ValidationPrepared {
        call: id(name),
        command: "sh check.sh".to_owned(),
        review: Review::Fields(Vec::new()).into(),
        verdict: verdict(action),
    })
}

fn checked(bench: &mut Bench, name: &str, passed: bool) -> Vec<Effect> {
    let output = "FAIL line 3".to_owned();
    bench.feed(Happened::Validated {
        call: id(name),
        passed,
        summary: "exit 1".to_owned(),
        output,
    })
}

#[test]
fn a_turn_that_changed_files_runs_the_check_before_it_ends() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    let effects = bench.reply("done", vec![]);
    assert!(effects.contains(&Effect::PlanValidation));
    assert_eq!(bench.outcome(), None);
    let effects = check(&mut bench, "c", Action::Allow);
    assert!(effects.contains(&Effect::RunValidation { call: id("c") }));
    checked(&mut bench, "c", true);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn a_turn_without_changes_runs_no_check() {
    let mut bench = Bench::new();
    bench.prompt("look");
    let effects = bench.reply("fine", vec![]);
    assert!(!effects.contains(&Effect::PlanValidation));
}

#[test]
fn a_failing_check_goes_back_to_the_model_and_its_fix_is_checked_again() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w1");
    bench.reply("done", vec![]);
    check(&mut bench, "c1", Action::Allow);
    assert!(calls_model(&checked(&mut bench, "c1", false)));
    let told = bench
        .log
        .iter()
        .any(|entry| matches!(&entry.body, Body::Validation { feedback: true, output, .. } if output == "FAIL line 3"));
    assert!(told);
    change(&mut bench, "w2");
    bench.reply("now", vec![]);
    check(&mut bench, "c2", Action::Allow);
    checked(&mut bench, "c2", true);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn three_failing_rounds_end_the_turn() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    for round in 1..=3 {
        change(&mut bench, &format!("w{round}"));
        bench.reply("done", vec![]);
        check(&mut bench, &format!("c{round}"), Action::Allow);
        assert_eq!(
            calls_model(&checked(&mut bench, &format!("c{round}"), false)),
            round < 3
        );
    }
    assert_eq!(bench.outcome(), Some(TurnOutcome::ValidationFailed));
}

#[test]
fn giving_up_after_a_failing_check_is_not_done() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    check(&mut bench, "c", Action::Allow);
    checked(&mut bench, "c", false);
    bench.reply("I cannot", vec![]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::ValidationFailed));
}

#[test]
fn a_check_that_was_refused_leaves_the_outcome_and_says_so() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    check(&mut bench, "c", Action::Ask);
    let effects = bench.decided("c", deny());
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::RunValidation { .. }))
    );
    assert!(bench.has_notice("not_validated"));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn a_check_that_asks_runs_only_after_the_answer() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    let effects = check(&mut bench, "c", Action::Ask);
    assert!(
        !effects
            .iter()
            .any(|effect| matches!(effect, Effect::RunValidation { .. }))
    );
    let effects = bench.decided("c", once());
    assert!(effects.contains(&Effect::RunValidation { call: id("c") }));
}

#[test]
fn an_interrupt_ends_a_running_check() {
    let mut bench = Bench::new();
    bench.prompt("fix");
    change(&mut bench, "w");
    bench.reply("done", vec![]);
    check(&mut bench, "c", Action::Allow);
    let effects = bench.feed(Happened::Interrupt);
    assert!(effects.contains(&Effect::Cancel(id("c"))));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
}
