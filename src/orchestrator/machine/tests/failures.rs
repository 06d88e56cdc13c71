//! Tests failed requests and unusable replies. They are retried, told to the model, sent to another model, or reported
//! once.

use super::bench::{Bench, call, calls_model, id, model, order, rules};
use crate::effect::Effect;
use crate::input::Happened;
use crate::machine::Rules;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::{Price, Usage};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::{Cut, Failure};
use benchdog_domain::history::History;
use benchdog_domain::message::{Arguments, Delta, Reply, ToolCall};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome};
use benchdog_protocol::Live;

fn unreachable(text: &str) -> Failure {
    Failure::Told {
        code: "unreachable".to_owned(),
        text: text.to_owned(),
        server: None,
    }
}

fn cut() -> Failure {
    Failure::CallCut {
        tool: Some("write".to_owned()),
        tokens: Some(8_192),
        text: "stopped inside a call of `write`".to_owned(),
        server: None,
    }
}

fn named(id: &str) -> ModelRef {
    ModelRef {
        id: id.to_owned(),
        ..model()
    }
}

fn with_fallback(names: &[&str]) -> Bench {
    Bench::with(Rules {
        fallback: names.iter().map(|name| named(name)).collect(),
        ..rules()
    })
}

fn notices(bench: &Bench, code: &str) -> usize {
    let notices = bench
        .log
        .iter()
        .filter(|entry| matches!(&entry.body, Body::Notice(notice) if notice.code() == code));
    notices.count()
}

fn errors(bench: &Bench) -> Vec<&Failure> {
    let errors = bench.live.iter().filter_map(|live| match live {
        Live::Error(failure) => Some(failure),
        _ => None,
    });
    errors.collect()
}

fn switches(bench: &Bench) -> Vec<String> {
    let switches = bench.log.iter().filter_map(|entry| match &entry.body {
        Body::Model { model, .. } => Some(model.id.clone()),
        _ => None,
    });
    switches.collect()
}

fn answers(bench: &Bench) -> usize {
    bench
        .log
        .iter()
        .filter(|entry| matches!(entry.body, Body::Assistant { .. }))
        .count()
}

#[test]
fn an_empty_reply_is_asked_again_with_other_sampling_said_once_and_never_stored() {
    let mut bench = Bench::new();
    bench.prompt("go");
    assert_eq!(order(&bench.reply("  \n", vec![])).unwrap().1, 1);
    assert_eq!(order(&bench.reply("", vec![])).unwrap().1, 2);
    assert!(!calls_model(&bench.reply("", vec![])));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
    assert_eq!(
        (notices(&bench, "empty_reply"), errors(&bench).len(), answers(&bench)),
        (1, 1, 0)
    );
}

#[test]
fn a_reply_of_thoughts_alone_is_empty_too_and_a_good_one_ends_the_count() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let thoughts = |bench: &mut Bench| {
        let reply = Reply {
            reasoning: "hm".to_owned(),
            ..Reply::default()
        };
        bench.feed(Happened::Replied {
            request: bench.request,
            reply,
        })
    };
    assert!(calls_model(&thoughts(&mut bench)));
    bench.reply("", vec![call("a", "read")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    let effects = bench.finished("a", Outcome::ok(Summary::Empty, "text"));
    assert_eq!(order(&effects).unwrap().1, 0);
    assert!(calls_model(&thoughts(&mut bench)));
    assert_eq!(order(&thoughts(&mut bench)).unwrap().1, 2);
    assert_eq!(answers(&bench), 1);
}

#[test]
fn a_cut_call_is_told_to_the_model_once_and_its_tokens_count() {
    let mut bench = Bench::new();
    bench.prompt("write a book");
    bench.feed(Happened::Delta {
        request: bench.request,
        delta: Delta::Text("Chapter one.".to_owned()),
    });
    let usage = Usage {
        prompt: 10,
        completion: 8_192,
        total: 8_202,
        cached: None,
    };
    let effects = bench.feed(Happened::Failed {
        request: bench.request,
        failure: cut(),
        spent: Some(usage),
        elsewhere: false,
    });
    assert!(calls_model(&effects));
    let kept = bench.log.iter().find_map(|entry| match &entry.body {
        Body::Assistant { text, error, usage, .. } => Some((text.clone(), error.clone(), *usage)),
        _ => None,
    });
    assert_eq!(
        kept,
        Some(("Chapter one.".to_owned(), Some(Cut::Failed(cut())), Some(usage)))
    );
    assert_eq!((notices(&bench, "call_cut"), errors(&bench).len()), (1, 0));
    assert!(!calls_model(&bench.failed(cut(), false)), "the second time it ends");
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
    assert_eq!(errors(&bench), [&cut()]);
    let spent = bench.log.iter().find_map(|entry| match &entry.body {
        Body::TurnEnded { usage, .. } => Some(*usage),
        _ => None,
    });
    assert_eq!(spent, Some(usage));
    assert_eq!(
        History::of(bench.log.clone()).usage(),
        usage,
        "also for a session that is taken up again"
    );
}

#[test]
fn what_a_failed_request_cost_counts_towards_the_limit_of_tokens() {
    let mut bench = Bench::with(Rules {
        max_tokens: Some(100),
        ..rules()
    });
    bench.prompt("go");
    bench.feed(Happened::Failed {
        request: bench.request,
        failure: cut(),
        spent: Some(Usage {
            prompt: 50,
            completion: 60,
            total: 110,
            cached: None,
        }),
        elsewhere: false,
    });
    assert_eq!(bench.outcome(), Some(TurnOutcome::Limit));
}

#[test]
fn every_answer_counts_at_the_price_of_its_model() {
    let usage = Usage {
        prompt: 1_000_000,
        completion: 0,
        total: 1_000_000,
        cached: None,
    };
    let price = |input| Price { input, output: 0.0 };
    let mut bench = Bench::with(Rules {
        max_cost: Some(10.0),
        prices: vec![(model(), price(1.0)), (named("second"), price(9.0))],
        ..rules()
    });
    let answer = |bench: &mut Bench, name: &str| {
        bench.prompt("go");
        let reply = Reply {
            calls: vec![call(name, "read")],
            usage: Some(usage),
            ..Reply::default()
        };
        let request = bench.request;
        bench.feed(Happened::Replied { request, reply });
        bench.prepared(name, EffectClass::Reads, Action::Allow);
        bench.finished(name, Outcome::ok(Summary::Empty, ""));
        bench.reply("done", vec![]);
        bench.outcome()
    };
    assert_eq!(answer(&mut bench, "a"), Some(TurnOutcome::Done));
    bench.feed(Happened::ModelChosen { model: named("second") });
    assert_eq!(answer(&mut bench, "b"), Some(TurnOutcome::Limit));
}

#[test]
fn after_three_unreadable_calls_in_a_row_the_sampling_is_another_until_one_is_read() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let unreadable = |bench: &mut Bench, name: &str| -> u8 {
        let raw = ToolCall {
            arguments: Arguments::Raw(format!("{{\"path\": {name}")),
            ..call(name, "read")
        };
        bench.reply("", vec![raw]);
        let effects = bench.feed(Happened::Refused {
            call: id(name),
            tool: "read".to_owned(),
            outcome: Outcome::error("bad_arguments", format!("no object: {name}")),
        });
        order(&effects).unwrap().1
    };
    let nudges: Vec<u8> = ["a", "b", "c", "d"]
        .iter()
        .map(|name| unreadable(&mut bench, name))
        .collect();
    assert_eq!(nudges, [0, 0, 1, 2]);
    bench.reply("", vec![call("good", "read")]);
    bench.prepared("good", EffectClass::Reads, Action::Allow);
    let effects = bench.finished("good", Outcome::ok(Summary::Empty, "text"));
    assert_eq!(order(&effects).unwrap().1, 0);
    assert_eq!(unreadable(&mut bench, "e"), 0);
}

#[test]
fn where_an_endpoint_fails_the_next_model_is_asked_and_becomes_the_sessions_when_it_answers() {
    let mut bench = with_fallback(&["second", "third"]);
    bench.prompt("go");
    let effects = bench.failed(unreachable("m"), true);
    assert_eq!(order(&effects).unwrap().0, named("second"));
    assert_eq!((switches(&bench), notices(&bench, "fell_back")), (vec![], 1));
    let told = bench.log.iter().any(|entry| {
        matches!(&entry.body, Body::Notice(Notice::FellBack { from, to, .. }) if *from == model() && *to == named("second"))
    });
    assert!(told);
    bench.reply("hello", vec![]);
    assert_eq!(switches(&bench), ["second"]);
    assert_eq!((bench.outcome(), errors(&bench).len()), (Some(TurnOutcome::Done), 0));
    assert_eq!(order(&bench.prompt("and now?")).unwrap().0, named("second"));
    assert_eq!(
        order(&bench.failed(unreachable("second"), true)).unwrap().0,
        named("third"),
        "not the one that just failed"
    );
}

#[test]
fn where_all_fail_the_error_is_the_first_ones_and_the_model_stays() {
    let mut bench = with_fallback(&["second", "third"]);
    bench.prompt("go");
    bench.failed(unreachable("m"), true);
    bench.failed(unreachable("second"), true);
    let effects = bench.failed(unreachable("third"), true);
    assert!(!calls_model(&effects));
    assert_eq!(errors(&bench), [&unreachable("m")]);
    assert!(switches(&bench).is_empty());
    assert_eq!(order(&bench.prompt("again")).unwrap().0, model());
}

#[test]
fn no_other_model_is_asked_for_what_is_wrong_with_the_request_or_after_the_first_word() {
    let mut bench = with_fallback(&["second"]);
    bench.prompt("go");
    assert!(!calls_model(&bench.failed(unreachable("401"), false)));
    bench.prompt("go");
    bench.feed(Happened::Delta {
        request: bench.request,
        delta: Delta::Text("So".to_owned()),
    });
    let effects = bench.failed(unreachable("broke off"), true);
    assert!(!calls_model(&effects));
    assert_eq!(notices(&bench, "fell_back"), 0);
}

#[test]
fn a_model_that_the_person_chose_meanwhile_stays_theirs() {
    let mut bench = with_fallback(&["second"]);
    bench.prompt("go");
    bench.failed(unreachable("m"), true);
    bench.feed(Happened::ModelChosen { model: named("mine") });
    bench.reply("", vec![call("a", "read")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    let effects: Vec<Effect> = bench.finished("a", Outcome::ok(Summary::Empty, ""));
    assert_eq!(order(&effects).unwrap().0, named("mine"));
}
