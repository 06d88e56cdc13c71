//! Tests commands of the person during a turn. They start at once, their results are durable, and they do not affect
//! the turn. The messages for the model contain them at a valid position.

use std::sync::Arc;

use super::bench::{Bench, call, calls_model, deny, id, model, once, prepares, ran, rules};
use crate::effect::Effect;
use crate::input::Happened;
use crate::machine::{AtPause, Machine, Rules};
use benchdog_base::clock::Time;
use benchdog_context::assembly::Assembly;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::history::History;
use benchdog_domain::message::ChatMessage;
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{EffectClass, Outcome};
use benchdog_domain::waiting::WaitsFor;
use benchdog_protocol::{Answer, Live};

fn typed(bench: &mut Bench, command: &str) -> Vec<Effect> {
    bench.feed(Happened::Shell {
        command: command.to_owned(),
        typed: true,
    })
}

fn output(text: &str) -> Outcome {
    Outcome::ok(Summary::Exit { code: 0, took_ms: 0 }, text)
}

fn messages(bench: &Bench) -> Vec<ChatMessage> {
    let history = History::of(bench.log.clone());
    let mut assembly = Assembly::new("system".to_owned());
    assembly
        .extend(&history, history.last_entry())
        .iter()
        .cloned()
        .collect()
}

fn begins_with(later: &[ChatMessage], earlier: &[ChatMessage]) {
    let begins = later.get(..earlier.len());
    assert_eq!(begins, Some(earlier), "what was sent stays");
}

fn kinds(log: &[Arc<Entry>]) -> Vec<&'static str> {
    let kinds = log.iter().filter_map(|entry| match &entry.body {
        Body::Assistant { .. } => Some("answer"),
        Body::ToolResult { .. } => Some("result"),
        Body::CallStarted { tool, .. } if tool == "!" => Some("begun"),
        Body::CallEnded { tool, .. } if tool == "!" => Some("over"),
        Body::Shell { .. } => Some("shell"),
        Body::TurnEnded { .. } => Some("end"),
        _ => None,
    });
    kinds.collect()
}

#[test]
fn it_runs_while_a_proposal_waits_and_is_told_behind_the_results() {
    let mut bench = Bench::new();
    bench.prompt("change both");
    let sent = messages(&bench);
    bench.reply("", vec![call("a", "edit"), call("b", "edit")]);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    let own = prepares(&typed(&mut bench, "git diff")).pop().unwrap();
    assert_eq!(
        ran(&bench.prepared(&own, EffectClass::Executes, Action::Allow)),
        [&*own]
    );
    let effects = bench.finished(&own, output("a diff\n"));
    assert!(!calls_model(&effects) && prepares(&effects).is_empty(), "{effects:?}");
    assert_eq!(
        kinds(&bench.log),
        ["answer", "begun", "over"],
        "durable and shown at once"
    );
    assert!(!bench.live.iter().any(|live| matches!(live, Live::Queued(_))));
    bench.decided("a", deny());
    bench.prepared("b", EffectClass::Writes, Action::Ask);
    assert!(calls_model(&bench.decided("b", deny())));
    let order = ["answer", "begun", "over", "result", "result", "shell"];
    assert_eq!(
        kinds(&bench.log),
        order,
        "no message stands between a call and its result"
    );
    let messages = messages(&bench);
    begins_with(&messages, &sent);
    let Some(ChatMessage::Tool { text, .. }) = messages.last() else {
        panic!("{messages:?}");
    };
    assert!(text.contains("!git diff") && text.contains("a diff"), "{text:?}");
}

#[test]
fn it_runs_while_the_model_answers_and_is_told_behind_the_answer() {
    let mut bench = Bench::new();
    bench.prompt("talk");
    let sent = messages(&bench);
    let own = prepares(&typed(&mut bench, "ls")).pop().unwrap();
    bench.prepared(&own, EffectClass::Executes, Action::Allow);
    let effects = bench.finished(&own, output("a.txt\n"));
    assert!(!calls_model(&effects), "{effects:?}");
    bench.reply("an answer", Vec::new());
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
    assert_eq!(kinds(&bench.log), ["begun", "over", "answer", "end", "shell"]);
    bench.prompt("and now");
    let messages = messages(&bench);
    begins_with(&messages, &sent);
    assert!(
        matches!(messages.get(3), Some(ChatMessage::User(text)) if **text == *"!ls"),
        "{messages:?}"
    );
}

#[test]
fn what_asks_waits_behind_what_is_asked_and_an_answer_to_one_is_none_to_the_other() {
    let mut bench = Bench::new();
    bench.prompt("change");
    bench.reply("", vec![call("a", "edit")]);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    let own = prepares(&typed(&mut bench, "rm x")).pop().unwrap();
    assert!(ran(&bench.prepared(&own, EffectClass::Executes, Action::Ask)).is_empty());
    assert_eq!(
        bench.asked().map(|asked| (asked.call.clone(), asked.tool.clone())),
        Some((id(&own), "!".to_owned()))
    );
    let effects = bench.decided(&own, once());
    assert_eq!(ran(&effects), [&*own]);
    bench.finished(&own, output(""));
    assert!(bench.results().is_empty(), "the proposal still waits");
    assert_eq!(ran(&bench.decided("a", once())), ["a"]);
}

#[test]
fn one_that_outlives_the_turn_goes_on_as_its_own_and_what_is_queued_waits_for_it() {
    let mut bench = Bench::new();
    bench.prompt("talk");
    let own = prepares(&typed(&mut bench, "make")).pop().unwrap();
    bench.prepared(&own, EffectClass::Executes, Action::Allow);
    bench.prompt("then this");
    let effects = bench.reply("an answer", Vec::new());
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
    assert!(!calls_model(&effects) && bench.machine.is_busy(), "{effects:?}");
    let effects = bench.finished(&own, output("made\n"));
    assert!(calls_model(&effects), "the queued prompt follows: {effects:?}");
    assert_eq!(kinds(&bench.log), ["begun", "answer", "end", "begun", "shell", "end"]);
}

#[test]
fn a_stop_ends_it_with_the_turn_and_keeps_what_it_printed() {
    let mut bench = Bench::new();
    bench.prompt("talk");
    let waits = prepares(&typed(&mut bench, "rm x")).pop().unwrap();
    bench.prepared(&waits, EffectClass::Executes, Action::Ask);
    let own = prepares(&typed(&mut bench, "make")).pop().unwrap();
    bench.prepared(&own, EffectClass::Executes, Action::Allow);
    let effects = bench.feed(Happened::Interrupt);
    assert!(effects.contains(&Effect::Cancel(id(&own))), "{effects:?}");
    assert!(effects.contains(&Effect::Drop(id(&waits))), "{effects:?}");
    assert!(bench.machine.is_busy(), "its last words are awaited");
    bench.cancelled(&own, "half of it\n");
    assert!(!bench.machine.is_busy());
    let said = bench.log.iter().rev().find_map(|entry| match &entry.body {
        Body::Shell { output, command, .. } if command == "make" => Some(output.clone()),
        _ => None,
    });
    assert!(said.is_some_and(|said| said.contains("half of it")));
    let place = |is: fn(&Body) -> bool| bench.log.iter().position(|entry| is(&entry.body));
    let ended = place(|body| matches!(body, Body::TurnEnded { .. }));
    let told = place(|body| matches!(body, Body::Shell { .. }));
    assert!(ended < told, "a result that was sent does not grow: {:?}", bench.log);
}

#[test]
fn they_run_one_after_the_other_and_one_that_asks_holds_none_up() {
    let mut bench = Bench::new();
    bench.prompt("talk");
    let first = prepares(&typed(&mut bench, "git init")).pop().unwrap();
    bench.prepared(&first, EffectClass::Executes, Action::Allow);
    assert_eq!(prepares(&typed(&mut bench, "rm x")), [] as [String; 0]);
    typed(&mut bench, "git status");
    let asks = prepares(&bench.finished(&first, output("")));
    let [asks] = asks.as_slice() else { panic!("{asks:?}") };
    let next = prepares(&bench.prepared(asks, EffectClass::Executes, Action::Ask));
    assert_eq!(next.len(), 1, "the request waits, and the next begins");
    assert!(
        bench
            .machine
            .take_unlogged()
            .unwrap()
            .waits
            .contains(&"!rm x".to_owned())
    );
}

#[test]
fn what_waits_behind_one_in_a_turn_of_its_own_is_looked_at_once_when_that_is_over() {
    let mut bench = Bench::new();
    let first = prepares(&typed(&mut bench, "git status")).pop().unwrap();
    bench.prepared(&first, EffectClass::Executes, Action::Allow);
    assert_eq!(prepares(&typed(&mut bench, "git clean")), [] as [String; 0]);
    let effects = bench.finished(&first, output(""));
    assert_eq!(prepares(&effects).len(), 1, "{effects:?}");
    let next = prepares(&effects).pop().unwrap();
    let effects = bench.prepared(&next, EffectClass::Executes, Action::Ask);
    let begun_anew = |effect: &Effect| matches!(effect, Effect::Drop(_) | Effect::Prepare(_));
    assert!(!effects.iter().any(begun_anew), "{effects:?}");
    assert_eq!(kinds(&bench.log), ["begun", "shell", "end"]);
}

#[test]
fn what_was_sent_stays_where_the_turn_is_stopped_before_an_answer() {
    let mut bench = Bench::new();
    bench.prompt("look");
    bench.reply("", vec![call("a", "read")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    bench.finished("a", output("a file"));
    let sent = messages(&bench);
    let own = prepares(&typed(&mut bench, "git diff")).pop().unwrap();
    bench.prepared(&own, EffectClass::Executes, Action::Allow);
    bench.finished(&own, output("a diff\n"));
    bench.feed(Happened::Interrupt);
    assert!(!bench.machine.is_busy());
    let now = messages(&bench);
    begins_with(&now, &sent);
    assert!(now.len() > sent.len());
}

#[test]
fn one_that_is_asked_about_in_a_turn_of_its_own_is_kept_over_the_end_of_the_program() {
    let mut bench = Bench::new();
    bench.prompt("talk");
    let own = prepares(&typed(&mut bench, "rm x")).pop().unwrap();
    bench.prepared(&own, EffectClass::Executes, Action::Ask);
    bench.reply("Done.", Vec::new());
    bench.prepared(&own, EffectClass::Executes, Action::Ask);
    bench.prompt("next");
    let unlogged = bench.machine.take_unlogged().unwrap();
    assert_eq!(unlogged.waits, ["!rm x", "next"]);
    bench.decided(&own, once());
    let unlogged = bench.machine.take_unlogged().unwrap();
    assert_eq!(unlogged.waits, ["next"]);
}

#[test]
fn what_was_not_begun_is_kept_over_the_end_of_the_program() {
    let mut bench = Bench::new();
    bench.prompt("talk");
    bench.machine.take_unlogged();
    let own = prepares(&typed(&mut bench, "rm x")).pop().unwrap();
    bench.prepared(&own, EffectClass::Executes, Action::Ask);
    let unlogged = bench.machine.take_unlogged().unwrap();
    assert_eq!(unlogged.waits, ["!rm x"]);
    bench.decided(&own, once());
    let unlogged = bench.machine.take_unlogged().unwrap();
    assert!(unlogged.waits.is_empty(), "the log has it: {unlogged:?}");
}

#[test]
fn a_sudden_end_takes_neither_the_proposal_nor_what_was_run_beside_it() {
    let mut killed = Bench::new();
    killed.prompt("change");
    killed.reply("", vec![call("a", "edit")]);
    killed.prepared("a", EffectClass::Writes, Action::Ask);
    let own = prepares(&typed(&mut killed, "git diff")).pop().unwrap();
    killed.prepared(&own, EffectClass::Executes, Action::Allow);
    killed.finished(&own, output("a diff\n"));
    let history = History::of(killed.log.clone());
    let at_pause = AtPause::Ask;
    let rules = Rules { at_pause, ..rules() };
    let (machine, repairs) = Machine::resumed(rules, model(), &history, &[], Time(9));
    let mut bench = Bench::new();
    bench.machine = machine;
    bench.keep(&repairs);
    assert_eq!(prepares(&bench.feed(Happened::TakenUp)), ["a"]);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    let again = prepares(&typed(&mut bench, "git status")).pop().unwrap();
    assert_eq!(
        ran(&bench.prepared(&again, EffectClass::Executes, Action::Allow)),
        [&*again]
    );
    assert!(
        bench.results().is_empty(),
        "a look in between leaves the proposal where it is"
    );
    bench.finished(&again, output("clean\n"));
    assert!(calls_model(&bench.decided("a", deny())));
    assert_eq!(kinds(&bench.log), ["begun", "over", "result", "shell", "shell"]);
}

#[test]
fn while_a_prompt_is_weighed_it_waits_for_the_turn() {
    let mut bench = Bench::new();
    bench.begins("talk");
    let effects = typed(&mut bench, "ls");
    assert!(prepares(&effects).is_empty() && bench.machine.is_busy());
    bench.feed(Happened::Interrupt);
    let back = |answer: &Answer| matches!(answer, Answer::Unqueued { text } if text == "!ls");
    assert!(bench.answers.iter().any(back), "{:?}", bench.answers);
}

#[test]
fn one_that_waits_behind_another_says_so_and_a_prompt_waits_for_the_turn() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let own = prepares(&typed(&mut bench, "make")).pop().unwrap();
    bench.prepared(&own, EffectClass::Executes, Action::Allow);
    typed(&mut bench, "make test");
    bench.prompt("and then");
    let told = bench.live.iter().rev().find_map(|live| match live {
        Live::Queued(prompts) => Some(prompts.clone()),
        _ => None,
    });
    let told: Vec<_> = told.unwrap().into_iter().map(|prompt| prompt.waits_for).collect();
    assert_eq!(told, [WaitsFor::Command, WaitsFor::TurnEnd]);
}
