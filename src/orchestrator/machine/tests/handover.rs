//! Tests turns that must end with a call of a certain tool.

use super::bench::{Bench, call, calls_model, rules};
use crate::effect::Effect;
use crate::input::Happened;
use crate::machine::Rules;
use benchdog_domain::agent::{AgentName, Briefed};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::finding::{Finding, Reviewed, Severity, ToReview};
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome};
use benchdog_protocol::Answer;

fn bench() -> Bench {
    let agent = Briefed {
        agent: AgentName("review".to_owned()),
        briefing: "Look.".to_owned(),
        hands_over: Some("findings".to_owned()),
        ..Briefed::default()
    };
    Bench::with(Rules { agent, ..rules() })
}

fn handed_over(findings: Vec<Finding>) -> Outcome {
    Outcome {
        findings: Some(findings),
        ..Outcome::ok(Summary::Findings { findings: 0 }, "taken")
    }
}

#[test]
fn an_end_without_it_is_told_to_the_model_twice_and_is_an_error_then() {
    let mut bench = bench();
    bench.prompt("look");
    for times in 1..=2 {
        let effects = bench.reply("all is well", vec![]);
        assert!(calls_model(&effects), "{times}");
        let told = bench.log.iter().filter(|entry| {
            let notes = entry.body.notes().iter();
            matches!(&entry.body, Body::User { text, .. } if text.is_empty())
                && notes.into_iter().any(|note| note.text.contains("`findings`"))
        });
        assert_eq!(told.count(), times);
    }
    let effects = bench.reply("really", vec![]);
    assert!(!calls_model(&effects));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
}

#[test]
fn what_is_handed_over_is_in_the_log_and_ends_the_turn_well_also_where_it_is_nothing() {
    for findings in [
        Vec::new(),
        vec![Finding {
            path: "a.rs".to_owned(),
            line: 1,
            severity: Severity::Error,
            title: "wrong".to_owned(),
            detail: String::new(),
        }],
    ] {
        let mut bench = bench();
        bench.prompt("look");
        bench.reply("", vec![call("f", "findings")]);
        bench.prepared_as("f", "findings", EffectClass::Notes, Action::Allow);
        bench.finished("f", handed_over(findings.clone()));
        bench.reply("done", vec![]);
        assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
        let kept = bench.log.iter().find_map(|entry| match &entry.body {
            Body::Findings { findings, .. } => Some(findings.clone()),
            _ => None,
        });
        assert_eq!(kept, Some(findings));
    }
}

fn review() -> Happened {
    Happened::Review {
        line: "review main..".to_owned(),
        review: ToReview {
            prompt: "changes".to_owned(),
            files: Reviewed::default(),
        },
    }
}

#[test]
fn what_a_person_had_reviewed_stands_in_one_entry_with_what_was_found() {
    let mut bench = Bench::new();
    bench.feed(review());
    bench.prepared_as("call_1", "task", EffectClass::Delegates, Action::Allow);
    let found = Finding {
        path: "a.rs".to_owned(),
        line: 1,
        severity: Severity::Error,
        title: "wrong".to_owned(),
        detail: String::new(),
    };
    bench.finished("call_1", handed_over(vec![found.clone()]));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
    let kept = bench.log.iter().find_map(|entry| match &entry.body {
        Body::Shell { command, findings, .. } => Some((command.clone(), findings.clone())),
        _ => None,
    });
    assert_eq!(kept, Some(("review main..".to_owned(), vec![found])));
    let twice = bench
        .log
        .iter()
        .any(|entry| matches!(entry.body, Body::Findings { .. }));
    assert!(!twice);
}

#[test]
fn a_review_that_is_asked_for_while_a_turn_runs_goes_back_to_the_prompt() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let effects = bench.feed(review());
    let text = "/review main..".to_owned();
    let back = Effect::Answer(Answer::Unqueued { text });
    assert!(effects.contains(&back), "{effects:?}");
}
