//! Tests agents. A change of agent is logged once, told to the model once, and applied to calls that have not started.

use super::bench::{Bench, call, calls_model, id, once, ran, verdict};
use crate::effect::Effect;
use crate::input::Happened;
use crate::machine::{Machine, Rules};
use benchdog_base::clock::Time;
use benchdog_domain::agent::{AgentName, Briefed, ModelRef};
use benchdog_domain::entry::Body;
use benchdog_domain::history::History;
use benchdog_domain::permission::{Action, Because, Layer, Verdict};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome};

fn chosen(name: &str) -> Happened {
    Happened::AgentChosen {
        chosen: briefed(name),
        model: None,
    }
}

fn briefed(name: &str) -> Briefed {
    Briefed {
        agent: AgentName(name.to_owned()),
        briefing: format!("This is {name}."),
        ..Briefed::default()
    }
}

fn denied() -> Verdict {
    Verdict {
        because: Because::ReadOnlyAgent {
            agent: AgentName("plan".to_owned()),
        },
        layer: Layer::Guard,
        ..verdict(Action::Deny)
    }
}

fn told(bench: &Bench) -> Vec<String> {
    let notes = bench.log.iter().flat_map(|entry| entry.body.notes());
    notes.filter_map(|note| Some(note.of_agent()?.0.clone())).collect()
}

#[test]
fn of_twenty_choices_the_model_hears_the_last_and_of_none_that_it_knows() {
    let mut bench = Bench::new();
    for name in ["plan", "accept-edits", "build"].repeat(6) {
        bench.feed(chosen(name));
    }
    bench.prompt("nothing new");
    assert_eq!(told(&bench), [""; 0], "it is the one it began with");
    bench.reply("ok", vec![]);
    bench.feed(chosen("accept-edits"));
    bench.feed(chosen("plan"));
    bench.feed(chosen("plan"));
    bench.prompt("plan it");
    assert_eq!(told(&bench), ["plan"]);
    let recorded = bench
        .log
        .iter()
        .filter(|entry| matches!(entry.body, Body::Agent { .. }));
    assert_eq!(recorded.count(), 20, "each choice that changes something is recorded");
}

#[test]
fn a_choice_while_a_turn_runs_is_told_with_the_next_result() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.reply("", vec![call("r", "read")]);
    bench.prepared("r", EffectClass::Reads, Action::Allow);
    bench.feed(chosen("plan"));
    assert_eq!(told(&bench), [""; 0]);
    bench.finished("r", Outcome::ok(Summary::Empty, "text"));
    assert_eq!(told(&bench), ["plan"]);
    bench.reply("done", vec![]);
    bench.prompt("and on");
    assert_eq!(told(&bench), ["plan"], "once");
}

#[test]
fn a_choice_that_is_taken_back_before_the_prompt_is_weighed_is_not_told() {
    let mut bench = Bench::new();
    bench.feed(chosen("plan"));
    bench.begins("go");
    bench.feed(chosen("build"));
    bench.feed(Happened::Weighed {
        weighing: 1,
        weighed: crate::input::Weighed::Fits(Default::default()),
    });
    assert_eq!(told(&bench), [""; 0]);
}

#[test]
fn what_is_asked_or_waits_is_denied_by_the_new_rules_and_never_run_by_them() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("a", "edit"), call("b", "edit")]);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    assert!(bench.asked().is_some());
    let allowed = verdict(Action::Allow);
    let effects = bench.feed(Happened::Judged {
        call: id("a"),
        verdict: allowed,
    });
    assert!(ran(&effects).is_empty(), "a question is answered by a person");
    let effects = bench.feed(Happened::Judged {
        call: id("a"),
        verdict: denied(),
    });
    assert!(
        ran(&effects).is_empty() && effects.contains(&Effect::Drop(id("a"))),
        "{effects:?}"
    );
    assert!(ran(&bench.decided("a", once())).is_empty(), "a late yes runs nothing");
    assert_eq!(bench.results(), [("a".to_owned(), CallStatus::Denied)]);
    bench.prepared("b", EffectClass::Writes, Action::Deny);
    let said = bench.log.iter().rev().find_map(|entry| match &entry.body {
        Body::ToolResult { call, output, .. } if call.0 == "a" => Some(output.clone()),
        _ => None,
    });
    assert!(said.is_some_and(|said| said.contains("`plan`")));
}

#[test]
fn who_was_lent_for_a_turn_that_ended_suddenly_does_not_stay() {
    let mut bench = Bench::new();
    let own = super::bench::model();
    let other = ModelRef {
        id: "other".to_owned(),
        ..own.clone()
    };
    bench.prompt("before");
    bench.reply("ok", vec![]);
    bench.feed(Happened::Lending);
    bench.feed(chosen("plan"));
    bench.feed(Happened::ModelChosen { model: other.clone() });
    bench.feed(Happened::Lent);
    bench.prompt("plan it");
    let history = History::of(bench.log.clone());
    assert_eq!(history.agent().map(|agent| agent.0.as_str()), Some("plan"));
    assert_eq!(history.model(), Some(&other));
    assert_eq!(history.standing_agent(), Some(&AgentName::default()));
    assert_eq!((history.standing_model(), history.own_model()), (Some(&own), None));
    let (_, repairs) = Machine::resumed(super::bench::rules(), own.clone(), &history, &[], Time(9_000));
    bench.keep(&repairs);
    let history = History::of(bench.log.clone());
    assert_eq!(history.agent(), Some(&AgentName::default()), "and the log says so");
    assert_eq!((history.model(), history.own_model()), (Some(&own), None));

    bench.feed(chosen("accept-edits"));
    let history = History::of(bench.log);
    assert_eq!(
        history.standing_agent().map(|agent| agent.0.as_str()),
        Some("accept-edits"),
        "what the person chooses stays"
    );
}

#[test]
fn a_session_that_is_taken_up_tells_the_model_who_works_only_where_it_does_not_know() {
    let mut bench = Bench::new();
    bench.feed(chosen("plan"));
    bench.prompt("plan it");
    bench.reply("ok", vec![]);
    let history = History::of(bench.log.clone());
    let tell = |name: &str| {
        let rules = Rules {
            agent: briefed(name),
            ..super::bench::rules()
        };
        let (machine, effects) = Machine::resumed(rules, super::bench::model(), &history, &[], Time(5));
        let recorded = effects
            .iter()
            .any(|effect| matches!(effect, Effect::Persist(entry) if matches!(entry.body, Body::Agent { .. })));
        let mut resumed = Bench::new();
        resumed.machine = machine;
        assert!(calls_model(&resumed.prompt("on")));
        (told(&resumed), recorded)
    };
    assert_eq!(tell("plan"), (vec![], false));
    assert_eq!(tell("accept-edits"), (vec!["accept-edits".to_owned()], true));
    assert_eq!(tell("build"), (vec!["build".to_owned()], true));
}
