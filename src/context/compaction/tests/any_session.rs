//! Tests with random sessions and with long sessions.

use proptest::prelude::{Just, ProptestConfig, Strategy, prop_oneof, proptest};

use super::*;

#[derive(Debug, Clone)]
enum Said {
    User(usize),
    Calls(Vec<usize>),
    Answer(usize),
    Shell(usize),
}

fn sayings() -> impl Strategy<Value = Vec<Said>> {
    let size = || prop_oneof![4 => 0..400_usize, 2 => 400..4_000_usize, 1 => 4_000..40_000_usize];
    let said = prop_oneof![
        (0..3_000_usize).prop_map(Said::User),
        proptest::collection::vec(size(), 1..5).prop_map(Said::Calls),
        (0..3_000_usize).prop_map(Said::Answer),
        size().prop_map(Said::Shell),
        Just(Said::Answer(10)),
    ];
    proptest::collection::vec(said, 0..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]
    #[test]
    fn whatever_was_said_the_next_prompt_is_sent_and_is_in_the_request(
        sayings in sayings(),
        window in 6_000..20_000_u64,
        (auto, prune) in (proptest::bool::ANY, proptest::bool::ANY),
        summary in proptest::option::of(Just("What happened.")),
    ) {
        let policy = Policy { auto, prune, ..POLICY };
        let mut desk = Desk::with(window);
        desk.user("The first sentence of the task.");
        for said in sayings {
            match said {
                Said::User(bytes) => {
                    desk.end();
                    desk.user(&text(bytes));
                }
                Said::Calls(sizes) => {
                    let outputs: Vec<String> = sizes.into_iter().map(text).collect();
                    desk.calls("read", &outputs);
                }
                Said::Answer(bytes) => {
                    desk.answer(&text(bytes), Vec::new());
                }
                Said::Shell(bytes) => {
                    desk.push(Body::Shell {
                        call: None,
                        command: "ls".to_owned(),
                        output: text(bytes),
                        summary: Summary::NotRun,
                        status: CallStatus::Ok,
                        findings: Vec::new(),
                    });
                }
            }
            // A request follows each message.
            desk.make_room(policy, summary);
        }
        desk.end();
        let prompt = "The newest question.";
        assert!(desk.bench(policy).alone(prompt) <= desk.window.room());
        desk.user(prompt);
        desk.make_room(policy, summary);
        let used = desk.used();
        assert!(used <= desk.window.room(), "{used} of {}", desk.window.room());
        let messages = desk.messages();
        let all = read(&messages);
        assert!(all.contains(prompt), "{all}");
        assert!(all.contains("The first sentence of the task."), "{all}");
    }
}

#[test]
fn what_a_request_costs_does_not_grow_with_the_session() {
    let mut desk = Desk::with(10_000_000);
    for turn in 0..350 {
        desk.reads(&format!("turn {turn}"), 4_000);
    }
    assert!(desk.messages().len() > 1_000);
    desk.used();
    let mut took: Vec<std::time::Duration> = Vec::new();
    // Keep the messages of earlier requests, as running requests do.
    let mut sent = Vec::new();
    for turn in 0..200 {
        desk.reads(&format!("turn {turn} more"), 4_000);
        let began = std::time::Instant::now();
        let messages = desk.assembly.extend(&desk.history, desk.history.last_entry()).clone();
        desk.estimator.follow(&desk.assembly);
        let used = desk.estimator.before(&messages, desk.window).used;
        let bench = Bench {
            history: &desk.history,
            assembly: &desk.assembly,
            estimator: &desk.estimator,
            tools: &desk.tools,
            window: desk.window,
            policy: POLICY,
            used,
        };
        assert_eq!(bench.need(false), None);
        took.push(began.elapsed());
        sent.push(messages);
        sent.truncate(1);
    }
    drop(sent);
    took.sort();
    // At most 3 ms may pass from Enter to the request. Use the median, because other processes run on this machine,
    // too.
    assert!(took[100].as_millis() < 3, "p50 {:?}, p99 {:?}", took[100], took[197]);
}
