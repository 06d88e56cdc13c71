//! Tests prompts, replies, steering, queues, interrupts, limits, and sessions after a crash.

use std::sync::Arc;

use super::bench::{Bench, call, calls_model, deny, id, model, once, position, prepares, ran, rules, verdict};
use crate::effect::Effect;
use crate::input::{Along, Happened};
use crate::machine::{AtPause, Machine, Rules};
use benchdog_base::clock::Time;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::failure::{Cut, Failure, Overweight};
use benchdog_domain::history::History;
use benchdog_domain::message::{Delta, Reply};
use benchdog_domain::permission::Action;
use benchdog_domain::review::{GO_ON, Pause, Question, Review};
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::{TodoDraft, TodoEdit, TodoStatus};
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome};
use benchdog_protocol::{Answer, Delivery};

#[test]
fn a_prompt_is_in_the_log_before_its_request_leaves() {
    let mut bench = Bench::new();
    let effects = bench.prompt("hello");
    let stored = position(&effects, |effect| matches!(effect, Effect::Persist(_)));
    let sent = position(&effects, |effect| matches!(effect, Effect::CallModel { .. }));
    assert!(stored < sent && stored.is_some(), "{effects:?}");
}

#[test]
fn an_answer_without_calls_ends_the_turn() {
    let mut bench = Bench::new();
    bench.prompt("hello");
    bench.reply("hi", vec![]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
    assert!(!bench.machine.is_busy());
}

#[test]
fn a_cut_stream_keeps_its_partial_text_with_its_error() {
    let mut bench = Bench::new();
    bench.prompt("hello");
    bench.feed(Happened::Delta {
        request: 1,
        delta: Delta::Text("half of".to_owned()),
    });
    let failure = Failure::Told {
        code: "stream_ended_early".to_owned(),
        text: "cut".to_owned(),
        server: None,
    };
    let cut = Cut::Failed(failure.clone());
    bench.failed(failure, false);
    let kept = bench.log.iter().any(
        |entry| matches!(&entry.body, Body::Assistant { text, error: Some(error), .. } if text == "half of" && *error == cut),
    );
    assert!(kept);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
}

#[test]
fn a_late_answer_of_a_stopped_request_changes_nothing() {
    let mut bench = Bench::new();
    bench.prompt("hello");
    bench.feed(Happened::Interrupt);
    let before = bench.log.len();
    let late = Reply {
        text: "late".to_owned(),
        ..Reply::default()
    };
    let effects = bench.feed(Happened::Replied {
        request: 1,
        reply: late,
    });
    assert!(effects.is_empty());
    assert_eq!(bench.log.len(), before);
}

#[test]
fn an_interrupt_while_streaming_stops_the_model_and_keeps_what_came() {
    let mut bench = Bench::new();
    bench.prompt("hello");
    bench.feed(Happened::Delta {
        request: 1,
        delta: Delta::Text("so far".to_owned()),
    });
    let effects = bench.feed(Happened::Interrupt);
    assert!(effects.contains(&Effect::StopModel));
    assert!(
        bench
            .log
            .iter()
            .any(|entry| matches!(&entry.body, Body::Assistant { text, .. } if text == "so far"))
    );
    assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
}

#[test]
fn a_prompt_sent_while_busy_waits_and_then_runs() {
    let mut bench = Bench::new();
    bench.prompt("first");
    assert!(!calls_model(&bench.prompt("second")));
    let effects = bench.reply("done", vec![]);
    assert!(calls_model(&effects));
    assert!(
        bench
            .log
            .iter()
            .any(|entry| matches!(&entry.body, Body::User { text, .. } if text == "second"))
    );
}

#[test]
fn steering_goes_into_the_very_next_request() {
    let mut bench = Bench::new();
    bench.prompt("first");
    bench.reply("", vec![call("a", "read")]);
    bench.feed(Happened::Prompt {
        text: "use tabs".to_owned(),
        along: Along::default(),
        delivery: Delivery::Steer,
    });
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    let effects = bench.finished("a", Outcome::ok(Summary::Words("1 line".to_owned()), "text"));
    let said = position(
        &effects,
        |effect| matches!(effect, Effect::Persist(entry) if matches!(&entry.body, Body::User { text, .. } if text == "use tabs")),
    );
    let sent = position(&effects, |effect| matches!(effect, Effect::CallModel { .. }));
    assert!(said.is_some() && said < sent);
}

#[test]
fn an_interrupt_gives_what_was_waiting_back_to_the_person() {
    let mut bench = Bench::new();
    bench.prompt("first");
    bench.prompt("second");
    bench.prompt("third");
    bench.prompt("fourth");
    bench.feed(Happened::Prompt {
        text: "steer".to_owned(),
        along: Along::default(),
        delivery: Delivery::Steer,
    });
    bench.feed(Happened::Interrupt);
    assert!(!bench.machine.is_busy());
    let returned = bench.answers.iter().find_map(|answer| match answer {
        Answer::GivenBack(texts) => Some(texts.clone()),
        _ => None,
    });
    assert_eq!(returned.unwrap(), ["/steer steer", "second", "third", "fourth"]);
}

#[test]
fn an_empty_reply_is_asked_for_again_and_never_stored() {
    let mut bench = Bench::new();
    bench.prompt("hello");
    assert!(calls_model(&bench.reply(" ", vec![])));
    assert!(calls_model(&bench.reply("", vec![])));
    bench.reply("", vec![]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
    assert!(
        !bench
            .log
            .iter()
            .any(|entry| matches!(entry.body, Body::Assistant { .. }))
    );
}

#[test]
fn ids_a_server_repeats_or_leaves_out_become_unique() {
    let mut bench = Bench::new();
    bench.prompt("hello");
    let effects = bench.reply("", vec![call("same", "read"), call("same", "read"), call("", "read")]);
    let Some(Body::Assistant { calls, .. }) = bench
        .log
        .iter()
        .rev()
        .map(|entry| &entry.body)
        .find(|body| matches!(body, Body::Assistant { .. }))
    else {
        panic!("no answer in the log");
    };
    let ids: std::collections::BTreeSet<&str> = calls.iter().map(|call| call.id.0.as_str()).collect();
    assert_eq!(ids.len(), 3, "{ids:?}");
    assert_eq!(prepares(&effects), ["same"]);
}

#[test]
fn the_step_limit_ends_a_run() {
    let mut bench = Bench::with(Rules {
        max_steps: 1,
        ..rules()
    });
    bench.prompt("loop");
    bench.reply("", vec![call("a", "read")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    let effects = bench.finished("a", Outcome::ok(Summary::Empty, ""));
    assert!(!calls_model(&effects));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Limit));
}

#[test]
fn the_step_limit_asks_in_the_workbench_and_goes_on_when_told() {
    let mut bench = Bench::with(Rules {
        max_steps: 1,
        at_pause: AtPause::Ask,
        ..rules()
    });
    bench.prompt("loop");
    bench.reply("", vec![call("a", "read")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    let effects = bench.finished("a", Outcome::ok(Summary::Empty, ""));
    let question = prepares(&effects).pop().unwrap();
    bench.feed(Happened::Prepared {
        call: id(&question),
        tool: "ask".to_owned(),
        title: String::new(),
        effect: EffectClass::Asks,
        review: Review::Question(Question::GoOn(Pause::Steps { steps: 1 })).into(),
        verdict: verdict(Action::Ask),
        understood: None,
    });
    assert_eq!(bench.asked().unwrap().tool, "steps");
    let answer = benchdog_domain::permission::Decision::answered(vec![GO_ON.to_owned()]);
    assert_eq!(ran(&bench.decided(&question, answer)), [question.as_str()]);
    assert!(calls_model(&bench.finished(
        &question,
        Outcome::ok(Summary::Answer { text: GO_ON.to_owned() }, "")
    )));
}

#[test]
fn the_token_limit_counts_what_the_server_counted() {
    let mut bench = Bench::with(Rules {
        max_tokens: Some(100),
        ..rules()
    });
    bench.prompt("hello");
    let usage = Some(Usage {
        prompt: 90,
        completion: 20,
        total: 110,
        cached: None,
    });
    let reply = Reply {
        calls: vec![call("a", "read")],
        usage,
        ..Reply::default()
    };
    bench.feed(Happened::Replied { request: 1, reply });
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    bench.finished("a", Outcome::ok(Summary::Empty, ""));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Limit));
}

#[test]
fn a_session_that_ended_suddenly_is_closed_when_it_is_taken_up() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("ran", "bash"), call("never", "bash")]);
    bench.prepared("ran", EffectClass::Executes, Action::Ask);
    bench.decided("ran", once());
    let (machine, repairs) = Machine::resumed(rules(), model(), &History::of(bench.log.clone()), &[], Time(9_000));
    let mut after = Bench::new();
    after.machine = machine;
    after.keep(&repairs);
    assert_eq!(
        after.results(),
        [
            ("ran".to_owned(), CallStatus::Cancelled),
            ("never".to_owned(), CallStatus::Cancelled)
        ]
    );
    let unknown = after.log.iter().any(
        |entry| matches!(&entry.body, Body::ToolResult { call, summary, .. } if *call == id("ran") && *summary == Summary::ResultUnknown),
    );
    assert!(unknown);
    assert_eq!(after.outcome(), Some(TurnOutcome::Interrupted));
    let next = after.log.first().map(|entry| entry.id.0);
    assert_eq!(
        next,
        bench.log.last().map(|entry| entry.id.0 + 1),
        "ids go on without a gap"
    );
}

#[test]
fn a_shell_command_of_the_person_is_one_entry_and_needs_no_model() {
    let mut bench = Bench::new();
    let effects = bench.feed(Happened::Shell {
        command: "ls".to_owned(),
        typed: true,
    });
    let call = prepares(&effects).pop().unwrap();
    bench.prepared(&call, EffectClass::Executes, Action::Allow);
    let effects = bench.finished(&call, Outcome::ok(Summary::Words("exit 0".to_owned()), "a\nb\n"));
    assert!(!calls_model(&effects));
    assert!(bench.log.iter().any(
        |entry| matches!(&entry.body, Body::Shell { command, output, .. } if command == "ls" && output == "a\nb\n")
    ));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn a_log_that_cannot_be_written_ends_the_turn_as_an_error_and_begins_nothing_that_waits() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("b", "bash")]);
    bench.prepared("b", EffectClass::Executes, Action::Allow);
    bench.feed(Happened::Prompt {
        text: "and then".to_owned(),
        along: Along::default(),
        delivery: Delivery::Queue,
    });
    let effects = bench.feed(Happened::LogLost);
    assert!(effects.contains(&Effect::Cancel(id("b"))), "{effects:?}");
    let back = |effect: &Effect| matches!(effect, Effect::Answer(Answer::Unqueued { text }) if text == "and then");
    assert!(effects.iter().any(back), "{effects:?}");
    bench.cancelled("b", "");
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
    assert!(!bench.machine.is_busy());
}

#[test]
fn a_prompt_that_is_too_large_goes_back_and_leaves_no_trace() {
    let mut bench = Bench::new();
    bench.over = Some(Overweight {
        used: 70,
        limit: 60,
        fixed: 0,
    });
    let effects = bench.prompt("a whole book");
    assert!(!calls_model(&effects));
    assert!(bench.log.is_empty() && !bench.machine.is_busy());
    assert!(matches!(&bench.answers[..], [Answer::TooLarge { prompt, .. }] if prompt == "a whole book"));
    assert!(
        calls_model(&bench.prompt("a question")),
        "what follows is not in its way"
    );
}

/// Returns the log of a session with finished, denied and interrupted calls, a command, and two prompts.
fn a_full_session() -> Vec<Arc<Entry>> {
    let mut bench = Bench::new();
    bench.feed(Happened::ModelChosen {
        model: ModelRef {
            provider: "p".to_owned(),
            id: "other".to_owned(),
        },
    });
    bench.prompt("go");
    bench.reply(
        "a plan",
        vec![call("look", "read"), call("do", "bash"), call("late", "bash")],
    );
    bench.prepared("look", EffectClass::Reads, Action::Allow);
    bench.finished("look", Outcome::ok(Summary::Empty, "text"));
    bench.prepared("do", EffectClass::Executes, Action::Ask);
    bench.decided("do", once());
    bench.finished("do", Outcome::ok(Summary::Empty, "done"));
    bench.prepared("late", EffectClass::Executes, Action::Ask);
    bench.decided("late", deny());
    bench.reply("an answer", Vec::new());
    bench.feed(Happened::Shell {
        command: "ls".to_owned(),
        typed: true,
    });
    bench.prepared("call_1", EffectClass::Executes, Action::Allow);
    bench.finished("call_1", Outcome::ok(Summary::Words("exit 0".to_owned()), "a\n"));
    bench.prompt("again");
    bench.reply("", vec![call("look", "read")]);
    bench.feed(Happened::Interrupt);
    bench.log
}

#[test]
fn whatever_entry_a_session_ends_after_what_it_left_open_is_closed() {
    let log = a_full_session();
    let closed: Vec<String> = (0..=log.len())
        .map(|length| {
            let history = History::of(log[..length].to_vec());
            let chosen = history.model().cloned().unwrap_or_else(model);
            let (machine, repairs) = Machine::resumed(rules(), chosen, &history, &[], Time(9_000));
            let mut after = Bench::new();
            after.keep(&repairs);
            let repairs = after.log.iter().map(|entry| match &entry.body {
                Body::ToolResult { call, summary, .. } => format!("{} {call} {summary}", entry.id.0),
                Body::Shell { command, summary, .. } => format!("{} !{command} {summary}", entry.id.0),
                Body::TurnEnded { outcome, .. } => format!("{} turn {} {outcome:?}", entry.id.0, entry.turn.0),
                other => panic!("{other:?}"),
            });
            let repairs: Vec<String> = repairs.collect();
            let repairs = if repairs.is_empty() {
                "-".to_owned()
            } else {
                repairs.join(", ")
            };
            format!("{length}: {} | {repairs}", machine.model())
        })
        .collect();
    insta::assert_snapshot!(closed.join("\n"), @"
    0: p/m | -
    1: p/other | -
    2: p/other | 3 turn 1 Interrupted
    3: p/other | 4 look not run, 5 do not run, 6 late not run, 7 turn 1 Interrupted
    4: p/other | 5 do not run, 6 late not run, 7 turn 1 Interrupted
    5: p/other | 6 do not run, 7 late not run, 8 turn 1 Interrupted
    6: p/other | 7 do not run, 8 late not run, 9 turn 1 Interrupted
    7: p/other | 8 do result unknown, 9 late not run, 10 turn 1 Interrupted
    8: p/other | 9 late not run, 10 turn 1 Interrupted
    9: p/other | 10 late not run, 11 turn 1 Interrupted
    10: p/other | 11 turn 1 Interrupted
    11: p/other | 12 turn 1 Interrupted
    12: p/other | 13 turn 1 Interrupted
    13: p/other | -
    14: p/other | 15 turn 2 Interrupted, 16 !call_1 result unknown
    15: p/other | 16 turn 2 Interrupted
    16: p/other | -
    17: p/other | 18 turn 3 Interrupted
    18: p/other | 19 call_2 not run, 20 turn 3 Interrupted
    19: p/other | 20 turn 3 Interrupted
    20: p/other | -
    ");
}

#[test]
fn a_session_that_is_taken_up_goes_on_with_its_ids_tokens_and_list() {
    let mut before = Bench::new();
    before.prompt("go");
    let usage = Some(Usage {
        prompt: 90,
        completion: 10,
        total: 100,
        cached: None,
    });
    let reply = Reply {
        calls: vec![call("look", "read"), call("", "read")],
        usage,
        ..Reply::default()
    };
    before.feed(Happened::Replied { request: 1, reply });
    before.feed(Happened::TodoEdited {
        edit: TodoEdit::Replace(vec![TodoDraft {
            id: None,
            text: "look again".to_owned(),
            status: TodoStatus::Pending,
        }]),
    });
    let rules = Rules {
        max_tokens: Some(150),
        ..rules()
    };
    let (machine, _) = Machine::resumed(rules, model(), &History::of(before.log), &[], Time(9_000));
    assert_eq!(machine.todo().lines(), "1 [ ] look again\n");
    let mut after = Bench::new();
    after.machine = machine;
    after.prompt("on");
    let reply = Reply {
        calls: vec![call("look", "read"), call("", "read")],
        usage,
        ..Reply::default()
    };
    after.feed(Happened::Replied { request: 1, reply });
    let made = after.log.iter().find_map(|entry| match &entry.body {
        Body::Assistant { calls, .. } => Some(calls.iter().map(|call| call.id.0.clone()).collect::<Vec<_>>()),
        _ => None,
    });
    let made = made.unwrap();
    assert_eq!(made.len(), 2);
    assert!(made.iter().all(|made| made != "look" && made != "call_1"), "{made:?}");
    for made in &made {
        after.prepared(made, EffectClass::Reads, Action::Allow);
        after.finished(made, Outcome::ok(Summary::Empty, ""));
    }
    assert_eq!(after.outcome(), Some(TurnOutcome::Limit), "100 tokens and 100 more");
}

#[test]
fn a_turn_that_is_stopped_before_its_prompt_was_weighed_says_how_it_ended() {
    for (stop, outcome) in [
        (Happened::Interrupt, TurnOutcome::Interrupted),
        (Happened::OutOfTime, TurnOutcome::Limit),
    ] {
        let mut bench = Bench::new();
        bench.begins("go");
        bench.feed(stop);
        let prompt = "go".to_owned();
        assert!(
            bench.answers.contains(&Answer::NotBegun { prompt, outcome }),
            "{:?}",
            bench.answers
        );
        assert!(!bench.machine.is_busy());
    }
}
