//! Tests repeating the last request.

use super::bench::{Bench, call, calls_model, model, rules};
use crate::input::Happened;
use crate::machine::Machine;
use benchdog_base::clock::Time;
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::Failure;
use benchdog_domain::history::History;
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome};
use benchdog_protocol::Live;

fn failure() -> Failure {
    Failure::Told {
        code: "server".to_owned(),
        text: "it failed".to_owned(),
        server: None,
    }
}

fn said(bench: &Bench, code: &str) -> bool {
    bench
        .live
        .iter()
        .any(|live| matches!(live, Live::Notice(notice) if notice.code() == code))
}

fn carried(bench: &Bench) -> Vec<&'static str> {
    let history = History::of(bench.log.clone());
    let parts = history.carried().parts().iter();
    parts
        .map(|part| match &part.entry().body {
            Body::User { .. } => "user",
            Body::Assistant { .. } => "assistant",
            Body::ToolResult { .. } => "result",
            Body::TurnEnded { .. } => "end",
            _ => "other",
        })
        .collect()
}

#[test]
fn after_an_error_the_turn_goes_on_from_the_log_without_the_prompt_again() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "read")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    bench.finished("a", Outcome::ok(Summary::Empty, "text"));
    bench.failed(failure(), false);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
    assert!(calls_model(&bench.feed(Happened::Retry)));
    assert_eq!(carried(&bench), ["user", "assistant", "result"]);
    bench.reply("done", vec![]);
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
    assert_eq!(carried(&bench), ["user", "assistant", "result", "assistant", "end"]);
}

#[test]
fn an_answer_that_is_not_wanted_is_asked_for_again_without_it_as_often_as_one_likes() {
    let mut bench = Bench::new();
    bench.prompt("go");
    for _ in 0..3 {
        bench.reply("an answer", vec![]);
        assert_eq!(carried(&bench), ["user", "assistant", "end"]);
        assert!(calls_model(&bench.feed(Happened::Retry)));
        assert_eq!(carried(&bench), ["user"]);
    }
}

#[test]
fn what_was_told_of_a_cut_call_stays_because_it_was_sent() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let cut = Failure::CallCut {
        tool: Some("write".to_owned()),
        tokens: None,
        text: String::new(),
        server: None,
    };
    bench.failed(cut, false);
    bench.feed(Happened::Interrupt);
    bench.feed(Happened::Retry);
    assert_eq!(carried(&bench), ["user", "assistant"]);
}

#[test]
fn an_interrupted_turn_goes_on_with_the_results_of_its_calls() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "bash")]);
    bench.prepared("a", EffectClass::Executes, Action::Allow);
    bench.feed(Happened::Interrupt);
    bench.cancelled("a", "");
    assert!(calls_model(&bench.feed(Happened::Retry)));
    assert_eq!(carried(&bench), ["user", "assistant", "result"]);
}

#[test]
fn changes_that_nothing_proved_are_checked_when_the_turn_went_on() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("a", "edit")]);
    bench.prepared("a", EffectClass::Writes, Action::Allow);
    let change = benchdog_domain::tool::AppliedChange {
        path: "a".to_owned(),
        before: None,
        after: None,
        added: 1,
        removed: 0,
        in_part: false,
        mode_before: None,
    };
    bench.finished(
        "a",
        Outcome {
            changes: vec![change],
            ..Outcome::ok(Summary::Empty, "")
        },
    );
    bench.failed(failure(), false);
    bench.feed(Happened::Retry);
    let effects = bench.reply("done", vec![]);
    assert!(effects.contains(&crate::effect::Effect::PlanCheck));
}

#[test]
fn where_nothing_can_be_asked_again_one_sentence_says_so() {
    let mut bench = Bench::new();
    assert!(!calls_model(&bench.feed(Happened::Retry)));
    assert!(said(&bench, "nothing_to_retry"));
    bench.prompt("go");
    bench.feed(Happened::Retry);
    assert!(said(&bench, "busy"));
    bench.reply("done", vec![]);
    bench.feed(Happened::Shell {
        command: "ls".to_owned(),
        typed: true,
    });
    bench.feed(Happened::Interrupt);
}

#[test]
fn the_last_prompt_is_sent_again_whatever_came_after_it() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("done", vec![]);
    for _ in 0..2 {
        bench.feed(Happened::Shell {
            command: "ls".to_owned(),
            typed: true,
        });
        bench.feed(Happened::Interrupt);
    }
    let log = bench.log.clone();
    let mut later = Bench::new();
    let (machine, repairs) = Machine::resumed(rules(), model(), &History::of(log.clone()), &[], Time(9_000));
    later.machine = machine;
    later.log = log;
    later.keep(&repairs);
    for mut bench in [bench, later] {
        bench.live.clear();
        bench.feed(Happened::Retry);
        assert!(!said(&bench, "nothing_to_retry"));
        let prompts = bench
            .log
            .iter()
            .filter(|entry| matches!(&entry.body, Body::User { text, .. } if text == "go"));
        assert_eq!(prompts.count(), 2, "the command stands between them");
    }
}

#[test]
fn a_session_that_is_taken_up_again_can_ask_again() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.failed(failure(), false);
    let (machine, repairs) = Machine::resumed(rules(), model(), &History::of(bench.log.clone()), &[], Time(9_000));
    bench.machine = machine;
    bench.keep(&repairs);
    assert!(calls_model(&bench.feed(Happened::Retry)));
    assert_eq!(carried(&bench), ["user"]);
}
