//! Tests hooks. A call waits for the answer of its hooks. Without hooks, no hook is requested.

use serde_json::{Map, Value, json};

use super::bench::{Bench, call, id, position, prepares, ran, rules, verdict};
use crate::effect::{Effect, HookPoint};
use crate::input::{Happened, HookAnswer};
use crate::machine::{Hooked, Machine, Rules};
use benchdog_base::clock::Time;
use benchdog_domain::call::Wanted;
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;
use benchdog_domain::hook::Understood;
use benchdog_domain::message::Arguments;
use benchdog_domain::permission::{Action, Because, ToolRules};
use benchdog_domain::review::Review;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome};
use benchdog_protocol::Answer;

fn bench() -> Bench {
    let hooks = Hooked {
        before_tool: true,
        after_tool: true,
        turn_end: true,
    };
    Bench::with(Rules { hooks, ..rules() })
}

fn asked(effects: &[Effect]) -> Option<(u64, HookPoint)> {
    effects.iter().find_map(|effect| match effect {
        Effect::Hook { number, point } => Some((*number, point.clone())),
        _ => None,
    })
}

fn answered(bench: &mut Bench, effects: &[Effect], answer: HookAnswer) -> Vec<Effect> {
    let (number, _) = asked(effects).unwrap();
    bench.feed(Happened::Hooked { number, answer })
}

fn one_call(bench: &mut Bench) -> Vec<Effect> {
    bench.prompt("go");
    bench.reply("", vec![call("a", "tool")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow)
}

#[test]
fn a_call_is_not_run_before_hooks_have_answered_and_they_are_asked_once() {
    let mut bench = bench();
    let effects = one_call(&mut bench);
    assert!(ran(&effects).is_empty());
    assert!(matches!(asked(&effects), Some((_, HookPoint::BeforeTool { .. }))));
    let arguments = Map::from_iter([("path".to_owned(), json!("other"))]);
    let rewritten = HookAnswer {
        arguments: Some(("guard".to_owned(), arguments)),
        ..HookAnswer::default()
    };
    let effects = answered(&mut bench, &effects, rewritten);
    assert_eq!(prepares(&effects), ["a"], "what was changed is prepared again");
    let again = effects.iter().find_map(|effect| match effect {
        Effect::Prepare(call) => Some(call.wanted.clone()),
        _ => None,
    });
    let Some(Wanted::Tool {
        arguments: Arguments::Object(arguments),
        ..
    }) = again
    else {
        panic!("{again:?}")
    };
    assert_eq!(arguments.get("path").and_then(Value::as_str), Some("other"));
    let effects = bench.prepared("a", EffectClass::Reads, Action::Ask);
    assert!(
        asked(&effects).is_none() && ran(&effects).is_empty(),
        "it asks as it is judged now"
    );
}

#[test]
fn a_call_is_asked_about_as_its_tool_understood_it_and_changed_as_a_call_of_that_tool() {
    let mut bench = bench();
    bench.prompt("go");
    bench.reply("", vec![call("a", "mcp_call")]);
    let understood = Understood {
        rules: ToolRules {
            name: "files__move".into(),
            group: None,
            aliases: &[],
            defaults: Vec::new(),
            settable: Default::default(),
        },
        arguments: Map::from_iter([("from".to_owned(), json!("a"))]),
        is_asked_after: false,
    };
    let effects = bench.feed(Happened::Prepared {
        call: id("a"),
        tool: "files__move".to_owned(),
        title: String::new(),
        effect: EffectClass::Network,
        review: Review::Fields(Vec::new()).into(),
        verdict: verdict(Action::Allow),
        understood: Some(understood.clone().into()),
    });
    let Some((_, HookPoint::BeforeTool { understood: told, .. })) = asked(&effects) else {
        panic!("{effects:?}")
    };
    assert_eq!(told.as_deref(), Some(&understood));
    let rewritten = HookAnswer {
        arguments: Some(("guard".to_owned(), Map::from_iter([("from".to_owned(), json!("b"))]))),
        ..HookAnswer::default()
    };
    let effects = answered(&mut bench, &effects, rewritten);
    let wanted = effects.iter().find_map(|effect| match effect {
        Effect::Prepare(call) => Some(call.wanted.clone()),
        _ => None,
    });
    let Some(Wanted::Tool { name, arguments }) = wanted else {
        panic!("{effects:?}")
    };
    assert_eq!(name, "files__move");
    assert_eq!(
        arguments,
        Arguments::Object(Map::from_iter([("from".to_owned(), json!("b"))]))
    );
}

#[test]
fn with_other_hooks_a_call_that_comes_is_asked_about_or_not() {
    let mut bench = bench();
    bench.feed(Happened::Hooks(Hooked::default()));
    let effects = one_call(&mut bench);
    assert!(asked(&effects).is_none() && ran(&effects) == ["a"]);
}

#[test]
fn a_denial_is_the_result_and_what_a_rule_denies_is_no_business_of_hooks() {
    let mut bench = bench();
    let effects = one_call(&mut bench);
    let denied = HookAnswer {
        denied: Some(("guard".to_owned(), "no".to_owned())),
        ..HookAnswer::default()
    };
    answered(&mut bench, &effects, denied);
    assert_eq!(bench.results(), [("a".to_owned(), CallStatus::Denied)]);
    let because = bench.log.iter().find_map(|entry| match &entry.body {
        Body::Approval { because, .. } => Some(because.clone()),
        _ => None,
    });
    let named = Because::Hook {
        hook: "guard".to_owned(),
        reason: "no".to_owned(),
    };
    assert_eq!(because, Some(named), "the log names the hook");

    let mut bench = self::bench();
    bench.prompt("go");
    bench.reply("", vec![call("a", "tool")]);
    let effects = bench.prepared("a", EffectClass::Reads, Action::Deny);
    assert!(asked(&effects).is_none());
}

#[test]
fn an_interrupt_ends_what_is_asked_and_a_late_answer_changes_nothing() {
    let mut bench = bench();
    let effects = one_call(&mut bench);
    let (number, _) = asked(&effects).unwrap();
    let stopped = bench.feed(Happened::Interrupt);
    assert!(stopped.contains(&Effect::StopHooks));
    assert_eq!(bench.results(), [("a".to_owned(), CallStatus::Cancelled)]);
    let answer = HookAnswer::default();
    assert!(bench.feed(Happened::Hooked { number, answer }).is_empty());
}

#[test]
fn hooks_behind_a_call_and_at_the_end_are_waited_for() {
    let mut bench = bench();
    let effects = one_call(&mut bench);
    answered(&mut bench, &effects, HookAnswer::default());
    let effects = bench.finished("a", Outcome::ok(Summary::Empty, "out"));
    assert!(matches!(asked(&effects), Some((_, HookPoint::AfterTool { .. }))));
    assert!(bench.results().is_empty());
    answered(&mut bench, &effects, HookAnswer::default());
    assert_eq!(bench.results().len(), 1);
    let effects = bench.reply("done", Vec::new());
    assert!(bench.outcome().is_none(), "the turn waits");
    answered(&mut bench, &effects, HookAnswer::default());
    assert!(bench.outcome().is_some());
}

#[test]
fn without_hooks_nothing_is_ordered() {
    let mut bench = Bench::new();
    let effects = one_call(&mut bench);
    assert!(asked(&effects).is_none() && ran(&effects) == ["a"]);
}

#[test]
fn what_came_of_a_call_is_in_the_log_before_hooks_are_asked_about_it_and_is_its_result_after_a_sudden_end() {
    let mut bench = bench();
    bench.prompt("go");
    bench.reply("", vec![call("a", "tool")]);
    let effects = bench.prepared("a", EffectClass::Executes, Action::Allow);
    answered(&mut bench, &effects, HookAnswer::default());
    let effects = bench.finished("a", Outcome::ok(Summary::Empty, "out"));
    let is_over =
        |effect: &Effect| matches!(effect, Effect::Persist(entry) if matches!(entry.body, Body::CallEnded { .. }));
    let (over, asked) = (
        position(&effects, is_over),
        position(&effects, |effect| matches!(effect, Effect::Hook { .. })),
    );
    assert!(over.is_some() && over < asked, "{effects:?}");

    let history = History::of(bench.log.clone());
    let (_, repairs) = Machine::resumed(rules(), super::bench::model(), &history, &[], Time(9_000));
    let results: Vec<_> = repairs
        .iter()
        .filter_map(|effect| match effect {
            Effect::Persist(entry) => Some(&entry.body),
            _ => None,
        })
        .collect();
    let [
        Body::ToolResult {
            status, output, notes, ..
        },
        Body::TurnEnded { .. },
    ] = results.as_slice()
    else {
        panic!("{results:?}")
    };
    assert_eq!((*status, output.as_str()), (CallStatus::Ok, "out"));
    assert!(
        notes
            .iter()
            .any(|note| note.text.contains("hooks of the user were asked")),
        "{notes:?}"
    );

    answered(&mut bench, &effects, HookAnswer::default());
    let whole = History::of(bench.log.clone());
    assert_eq!(
        (whole.open_calls().count(), bench.results().len()),
        (0, 1),
        "it has one result"
    );
}

#[test]
fn what_hooks_of_the_end_say_is_no_word_of_the_person() {
    let mut bench = bench();
    bench.prompt("go");
    let effects = bench.reply("done", Vec::new());
    let objects = HookAnswer {
        denied: Some(("guard".to_owned(), "say more".to_owned())),
        ..HookAnswer::default()
    };
    answered(&mut bench, &effects, objects);
    let said = bench.log.iter().filter_map(|entry| match &entry.body {
        Body::User { text, notes, .. } => Some((text.as_str(), notes.as_slice())),
        _ => None,
    });
    let said: Vec<_> = said.collect();
    let [("go", _), ("", [note])] = said.as_slice() else {
        panic!("{said:?}")
    };
    assert_eq!(note.text, "The hook `guard` of the user objects: say more");
    let queued = bench.feed(Happened::Interrupt);
    let returned = |effect: &Effect| matches!(effect, Effect::Answer(Answer::Unqueued { .. }));
    assert!(position(&queued, returned).is_none(), "nobody gets it into the prompt");
}

#[test]
fn arguments_that_a_hook_made_wrong_are_not_the_models_fault() {
    let mut bench = bench();
    let effects = one_call(&mut bench);
    let rewritten = HookAnswer {
        arguments: Some(("guard".to_owned(), Map::new())),
        ..HookAnswer::default()
    };
    answered(&mut bench, &effects, rewritten);
    bench.feed(Happened::Refused {
        call: id("a"),
        tool: "tool".to_owned(),
        outcome: Outcome::error("invalid_arguments", "`path` is missing"),
    });
    let output = bench.log.iter().find_map(|entry| match &entry.body {
        Body::ToolResult { output, .. } => Some(output.clone()),
        _ => None,
    });
    let output = output.unwrap();
    assert!(
        output.starts_with("The hook `guard` of the user changed") && output.ends_with("`path` is missing"),
        "{output}"
    );
    assert!(bench.has_notice("hook"), "the person reads whose they are");
}
