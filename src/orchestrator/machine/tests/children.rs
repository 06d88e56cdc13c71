//! Tests calls with subagents. They run in parallel and are approved one by one. Also tests the calls that follow them.

use super::bench::{Bench, call, calls_model, deny, id, model, once, position, prepares, ran};
use crate::effect::Effect;
use crate::input::Happened;
use benchdog_base::id::SessionId;
use benchdog_domain::agent::AgentName;
use benchdog_domain::budget::Usage;
use benchdog_domain::child::{ChildEnd, ChildEnded, ChildEntry, Spent};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::permission::{Action, Decision, Kept, Lasts};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome};
use benchdog_protocol::{Live, TurnState};

fn done() -> Outcome {
    Outcome::ok(Summary::Steps { steps: 1 }, "done")
}

#[test]
fn children_are_asked_about_side_by_side_and_each_answer_begins_its_own() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "task"), call("b", "task")]);
    let effects = bench.prepared("a", EffectClass::Delegates, Action::Ask);
    assert_eq!((ran(&effects), prepares(&effects)), (Vec::new(), vec!["b".to_owned()]));
    bench.prepared("b", EffectClass::Delegates, Action::Ask);
    let effects = bench.decided("b", once());
    assert_eq!(ran(&effects), ["b"]);
    assert_eq!(
        bench.live.iter().rev().find_map(state),
        Some(TurnState::AwaitingPermission),
        "the other still asks"
    );
    bench.decided("a", deny());
    assert_eq!(
        bench.live.iter().rev().find_map(state),
        Some(TurnState::ToolRunning),
        "the other still works"
    );
    bench.finished("b", done());
    let order: Vec<String> = bench.results().into_iter().map(|(call, _)| call).collect();
    assert_eq!(order, ["a", "b"]);
}

#[test]
fn what_needs_no_answer_begins_while_a_child_before_it_waits_for_one() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let calls = ["a", "asks", "b", "c"].map(|id| call(id, "task"));
    bench.reply("", calls.to_vec());
    for (id, action, next) in [
        ("a", Action::Allow, "asks"),
        ("asks", Action::Ask, "b"),
        ("b", Action::Allow, "c"),
    ] {
        let effects = bench.prepared(id, EffectClass::Delegates, action);
        assert_eq!(prepares(&effects), [next]);
        assert_eq!(ran(&effects).is_empty(), action == Action::Ask, "{id}");
    }
    assert_eq!(ran(&bench.prepared("c", EffectClass::Delegates, Action::Allow)), ["c"]);
    for id in ["c", "b", "a"] {
        bench.finished(id, done());
    }
    assert_eq!(bench.results().len(), 1, "results stand in the order of the calls");
    assert_eq!(ran(&bench.decided("asks", once())), ["asks"]);
    assert!(calls_model(&bench.finished("asks", done())));
    let order: Vec<String> = bench.results().into_iter().map(|(call, _)| call).collect();
    assert_eq!(order, ["a", "asks", "b", "c"]);
}

#[test]
fn what_could_change_something_is_not_looked_at_before_a_child_that_waits_for_its_answer() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("asks", "task"), call("w", "edit"), call("b", "task")]);
    bench.prepared("asks", EffectClass::Delegates, Action::Ask);
    let effects = bench.prepared("w", EffectClass::Writes, Action::Allow);
    assert!(ran(&effects).is_empty() && prepares(&effects).is_empty(), "{effects:?}");
    bench.decided("asks", once());
    let effects = bench.finished("asks", done());
    assert_eq!(prepares(&effects), ["w"]);
    let effects = bench.prepared("w", EffectClass::Writes, Action::Allow);
    assert_eq!(ran(&effects), ["w"]);
    assert!(
        prepares(&effects).is_empty(),
        "a child waits for what changes something before it"
    );
}

#[test]
fn a_change_that_does_not_fit_yet_is_tried_again_behind_the_child_before_it() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "task"), call("w", "edit")]);
    bench.prepared("a", EffectClass::Delegates, Action::Allow);
    let refused = || Happened::Refused {
        call: id("w"),
        tool: "edit".to_owned(),
        outcome: Outcome::error("no_match", "No such text."),
    };
    bench.feed(refused());
    let effects = bench.finished("a", done());
    assert_eq!(prepares(&effects), ["w"], "what the child wrote is there now");
    bench.feed(refused());
    assert_eq!(bench.results().len(), 2, "and is refused where it does not fit either");
}

#[test]
fn an_always_is_judged_for_all_that_it_would_cover() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "task"), call("b", "task")]);
    bench.prepared("a", EffectClass::Delegates, Action::Ask);
    bench.prepared("b", EffectClass::Delegates, Action::Ask);
    let always = Decision::Always {
        scope: super::bench::verdict(Action::Ask).scopes[0].clone(),
        lasts: Lasts::Session,
        kept: Kept::All,
    };
    let effects = bench.decided("a", always);
    let place = |wanted: &dyn Fn(&Effect) -> bool| position(&effects, wanted);
    let kept = place(&|effect| matches!(effect, Effect::Remember { .. }));
    let looked = place(&|effect| matches!(effect, Effect::Prepare(_)));
    assert!(kept.is_some() && kept < looked, "judged with the answer: {effects:?}");
    let gone = Effect::Live(Live::ApprovalGone { call: id("b") });
    assert!(effects.contains(&gone));
    assert_eq!(
        (ran(&effects), prepares(&effects)),
        (vec!["a".to_owned()], vec!["b".to_owned()])
    );
    let effects = bench.prepared("b", EffectClass::Delegates, Action::Allow);
    assert_eq!(ran(&effects), ["b"]);
    let begun = bench
        .live
        .iter()
        .filter(|live| matches!(live, Live::ToolStarted { .. }));
    assert_eq!(begun.count(), 2, "each begins once");
}

#[test]
fn the_end_of_the_turn_takes_back_what_is_asked_and_stops_what_works() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "task"), call("asks", "task"), call("b", "task")]);
    bench.prepared("a", EffectClass::Delegates, Action::Allow);
    bench.prepared("asks", EffectClass::Delegates, Action::Ask);
    bench.prepared("b", EffectClass::Delegates, Action::Allow);
    let effects = bench.feed(Happened::Interrupt);
    for effect in [
        Effect::Cancel(id("a")),
        Effect::Drop(id("asks")),
        Effect::Live(Live::ApprovalGone { call: id("asks") }),
        Effect::Cancel(id("b")),
    ] {
        assert!(effects.contains(&effect), "{effect:?} is not in {effects:?}");
    }
    assert!(
        ran(&bench.decided("asks", once())).is_empty(),
        "an answer comes too late"
    );
    bench.cancelled("b", "");
    bench.cancelled("a", "");
    let order: Vec<String> = bench.results().into_iter().map(|(call, _)| call).collect();
    assert_eq!(order, ["a", "asks", "b"]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
}

fn state(live: &Live) -> Option<TurnState> {
    match live {
        Live::State(state) => Some(*state),
        _ => None,
    }
}

#[test]
fn what_could_change_something_behind_a_child_is_looked_at_again_when_that_has_ended() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "task"), call("r", "read"), call("w", "edit")]);
    let effects = bench.prepared("a", EffectClass::Delegates, Action::Allow);
    assert_eq!(
        (ran(&effects), prepares(&effects)),
        (vec!["a".to_owned()], vec!["r".to_owned()])
    );
    let effects = bench.prepared("r", EffectClass::Reads, Action::Allow);
    assert_eq!(ran(&effects), ["r"], "what looks runs beside it");
    bench.finished("r", done());
    bench.prepared("w", EffectClass::Writes, Action::Allow);
    assert!(bench.results().is_empty());
    let effects = bench.finished("a", done());
    assert_eq!((ran(&effects), prepares(&effects)), (Vec::new(), vec!["w".to_owned()]));
    let effects = bench.prepared("w", EffectClass::Writes, Action::Allow);
    assert_eq!(ran(&effects), ["w"]);
}

#[test]
fn what_a_child_took_is_a_fact_and_counts_once() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "task")]);
    bench.prepared("a", EffectClass::Delegates, Action::Allow);
    let usage = Usage {
        prompt: 900,
        completion: 100,
        total: 1_000,
        cached: None,
    };
    bench.feed(Happened::Child(ChildEntry {
        call: id("a"),
        session: SessionId("ab".repeat(16)),
        agent: AgentName("explore".to_owned()),
        ended: Some(ChildEnded {
            how: ChildEnd::Done,
            steps: 2,
            spent: vec![Spent {
                model: model(),
                answers: 2,
                usage,
            }],
        }),
    }));
    assert_eq!(bench.machine.used().0, 1_000);
    let log = benchdog_domain::history::History::of(bench.log.clone());
    assert_eq!(
        (log.usage().total, log.totals().models[0].answers),
        (1_000, 3),
        "with the answer that made the call"
    );
    let told = bench.log.iter().filter(|entry| matches!(entry.body, Body::Child(_)));
    assert_eq!(told.count(), 1);
}
