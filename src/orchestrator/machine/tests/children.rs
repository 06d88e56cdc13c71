//! Calls that children do: side by side, asked about one by one, and what stands behind them.

use super::bench::{Bench, call, id, model, once, prepares, ran};
use crate::base::id::SessionId;
use crate::domain::agent::AgentName;
use crate::domain::budget::Usage;
use crate::domain::child::{ChildEnd, ChildEnded, ChildEntry, Spent};
use crate::domain::entry::Body;
use crate::domain::permission::{Action, DecidedBy};
use crate::domain::summary::Summary;
use crate::domain::tool::{EffectClass, Outcome};
use crate::orchestrator::input::Happened;
use crate::protocol::{Live, TurnState};

fn done() -> Outcome {
    Outcome::ok(Summary::Steps { steps: 1 }, "done")
}

#[test]
fn the_next_child_is_asked_about_while_the_one_before_it_works() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "task"), call("b", "task")]);
    let effects = bench.prepared("a", EffectClass::Delegates, Action::Ask);
    assert!(ran(&effects).is_empty());
    let decided = |call: &str| Happened::Decided {
        call: id(call),
        decision: once(),
        by: DecidedBy::User,
    };
    let effects = bench.feed(decided("a"));
    assert_eq!(
        (ran(&effects), prepares(&effects)),
        (vec!["a".to_owned()], vec!["b".to_owned()])
    );
    bench.prepared("b", EffectClass::Delegates, Action::Ask);
    assert_eq!(
        bench.live.iter().rev().find_map(state),
        Some(TurnState::AwaitingPermission)
    );
    let deny = Happened::Decided {
        call: id("b"),
        decision: super::bench::deny(),
        by: DecidedBy::User,
    };
    bench.feed(deny);
    assert_eq!(
        bench.live.iter().rev().find_map(state),
        Some(TurnState::ToolRunning),
        "the other still works"
    );
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
    let log = crate::domain::history::History::of(bench.log.clone());
    assert_eq!(
        (log.usage().total, log.totals().models[0].answers),
        (1_000, 3),
        "with the answer that made the call"
    );
    let told = bench.log.iter().filter(|entry| matches!(entry.body, Body::Child(_)));
    assert_eq!(told.count(), 1);
}
