//! Tests random inputs: the log stays well formed, and every state transition is legal.

use std::collections::BTreeMap;

use proptest::prelude::{Strategy, any, prop, proptest};

use super::bench::{Bench, call, deny, id, once, verdict};
use crate::input::{Along, Happened};
use benchdog_domain::entry::Body;
use benchdog_domain::failure::Failure;
use benchdog_domain::message::{Delta, Reply};
use benchdog_domain::permission::{Action, DecidedBy};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome};
use benchdog_protocol::Delivery;

/// Generates a random input. The numbers in it are small, so that ids often collide.
fn happening() -> impl Strategy<Value = (u8, u8, u8)> {
    (any::<u8>(), 0..6_u8, 0..4_u8)
}

fn happen(bench: &mut Bench, (kind, which, how): (u8, u8, u8)) {
    let name = format!("c{which}");
    let request = bench.request;
    let effect = [
        EffectClass::Reads,
        EffectClass::Writes,
        EffectClass::Executes,
        EffectClass::Asks,
        EffectClass::Delegates,
    ];
    let action = [Action::Allow, Action::Ask, Action::Deny, Action::Ask];
    let happened = match kind % 16 {
        0 => Happened::Prompt {
            text: name,
            along: Along::default(),
            delivery: if how == 0 { Delivery::Steer } else { Delivery::Queue },
        },
        1 => Happened::Interrupt,
        2 => Happened::Delta {
            request,
            delta: Delta::Text(name),
        },
        3 | 4 => {
            let calls = (0..how).map(|n| call(&format!("c{n}"), "tool")).collect();
            Happened::Replied {
                request,
                reply: Reply {
                    text: name,
                    calls,
                    ..Reply::default()
                },
            }
        }
        5 | 6 => Happened::Prepared {
            call: id(&name),
            tool: "tool".to_owned(),
            title: name,
            effect: effect[usize::from(how + which) % 5],
            review: Review::Fields(Vec::new()).into(),
            verdict: verdict(action[usize::from(which) % 4]),
            understood: None,
        },
        7 | 8 => Happened::Finished {
            call: id(&name),
            outcome: Outcome::ok(Summary::Empty, ""),
            took_ms: 1,
        },
        9 => Happened::Decided {
            call: id(&name),
            decision: if how == 0 { deny() } else { once() },
            by: DecidedBy::User,
        },
        10 => Happened::Refused {
            call: id(&name),
            tool: "tool".to_owned(),
            outcome: Outcome::error("bad_arguments", ""),
        },
        11 => Happened::Failed {
            request,
            failure: Failure::Told {
                code: "server".to_owned(),
                text: String::new(),
                server: None,
            },
            spent: None,
            elsewhere: how == 0,
        },
        12 => Happened::Shell {
            command: name,
            typed: true,
        },
        13 => Happened::CheckPlanned { command: name },
        14 => Happened::CheckSkipped,
        _ => Happened::Unqueue,
    };
    bench.feed(happened);
}

fn assert_well_formed(bench: &Bench) {
    let mut results: BTreeMap<&str, usize> = BTreeMap::new();
    let mut calls: Vec<&str> = Vec::new();
    for (position, entry) in bench.log.iter().enumerate() {
        assert_eq!(entry.id.0, position as u64 + 1, "ids have no gap");
        match &entry.body {
            Body::Assistant { calls: made, .. } => calls.extend(made.iter().map(|call| call.id.0.as_str())),
            Body::ToolResult { call, .. } => *results.entry(call.0.as_str()).or_default() += 1,
            Body::User { .. } => {
                let open = calls.iter().filter(|call| !results.contains_key(*call)).count();
                assert_eq!(open, 0, "a message of the user between calls and their results");
            }
            _ => {}
        }
    }
    assert!(results.values().all(|count| *count == 1), "{results:?}");
    if !bench.machine.is_busy() {
        assert!(
            calls.iter().all(|call| results.contains_key(call)),
            "a call without a result: {calls:?} {results:?}"
        );
    }
}

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 400, failure_persistence: None, ..Default::default() })]
    #[test]
    fn the_log_is_well_formed_after_any_history(history in prop::collection::vec(happening(), 1..120)) {
        let mut bench = Bench::new();
        for one in history {
            happen(&mut bench, one);
            assert_well_formed(&bench);
        }
        // A prompt that was sent while a turn was being stopped starts a new turn afterwards, so interrupt repeatedly.
        for _ in 0..120 {
            bench.feed(Happened::Interrupt);
            for running in bench.running() {
                bench.cancelled(&running, "");
            }
            assert_well_formed(&bench);
        }
        assert!(!bench.machine.is_busy(), "an interrupted turn ends");
    }
}
