//! Tests a session that was closed during an approval request. It resumes with that request and runs nothing else.

use std::sync::Arc;

use super::bench::{Bench, call, calls_model, deny, id, model, once, prepares, ran, rules};
use crate::effect::Effect;
use crate::input::{Along, Happened, Weighed};
use crate::machine::{AtPause, Machine, Rules, Unlogged};
use benchdog_base::clock::Time;
use benchdog_domain::entry::{Body, Entry, TurnOutcome};
use benchdog_domain::history::History;
use benchdog_domain::job::JobId;
use benchdog_domain::note::Note;
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome};
use benchdog_domain::waiting::WaitsFor;
use benchdog_protocol::Answer;

/// Returns a log that ends during the request for the first of two calls.
fn killed() -> Bench {
    let mut bench = Bench::new();
    bench.prompt("change both");
    bench.reply("", vec![call("a", "edit"), call("b", "edit")]);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    bench
}

fn opened(log: &Bench, at_pause: AtPause) -> (Bench, Vec<Effect>) {
    let history = History::of(log.log.clone());
    let rules = Rules { at_pause, ..rules() };
    let (machine, repairs) = Machine::resumed(rules, model(), &history, &[], Time(9));
    let mut bench = Bench::new();
    bench.machine = machine;
    bench.keep(&repairs);
    let effects = bench.feed(Happened::TakenUp);
    (bench, effects)
}

#[test]
fn what_was_asked_is_asked_again_and_the_turn_goes_on_with_the_answer() {
    let (mut bench, effects) = opened(&killed(), AtPause::Ask);
    assert!(
        effects
            .iter()
            .any(|effect| matches!(effect, Effect::Prepare(call) if call.id == id("a")))
    );
    assert!(!calls_model(&effects) && bench.results().is_empty());
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    assert_eq!(bench.asked().map(|request| request.call.clone()), Some(id("a")));
    assert_eq!(ran(&bench.decided("a", once())), ["a"]);
    bench.feed(Happened::TakenUp);
    bench.feed(Happened::Interrupt);
    assert!(bench.running() == ["a"], "it is taken up once");
}

#[test]
fn only_while_the_person_is_asked_and_nothing_else_is_under_way_a_turn_is_left_as_it_is() {
    let at_pause = AtPause::Ask;
    let mut bench = Bench::with(Rules { at_pause, ..rules() });
    let waits = |bench: &Bench| bench.machine.waits_to_be_taken_up(&History::of(bench.log.clone()));
    bench.prompt("change both");
    bench.reply("", vec![call("a", "edit"), call("b", "edit")]);
    assert!(!waits(&bench));
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    assert!(waits(&bench));
    assert_eq!(prepares(&bench.decided("a", deny())), ["b"]);
    assert!(!waits(&bench), "the second is being looked at");
    bench.prepared("b", EffectClass::Writes, Action::Ask);
    assert!(waits(&bench));
    bench.decided("b", once());
    assert!(!waits(&bench));
}

#[test]
fn what_the_model_does_not_know_yet_is_told_with_the_first_result() {
    let mut killed = Bench::new();
    killed.prompt("serve and change");
    killed.reply("", vec![call("s", "bash")]);
    killed.prepared("s", EffectClass::Executes, Action::Allow);
    let background = Summary::Background { job: JobId(1) };
    killed.finished("s", Outcome::ok(background, "runs"));
    killed.reply("", vec![call("a", "edit")]);
    killed.prepared("a", EffectClass::Writes, Action::Ask);
    let (mut bench, _) = opened(&killed, AtPause::Ask);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    bench.decided("a", deny());
    let notes: Vec<&Note> = bench
        .log
        .iter()
        .filter(|entry| matches!(&entry.body, Body::ToolResult { .. }))
        .flat_map(|entry| entry.body.notes())
        .collect();
    let ended = |note: &&&Note| note.text.contains("do not run any more");
    assert_eq!(notes.iter().filter(ended).count(), 1, "{notes:?}");
}

#[test]
fn no_child_begins_beside_what_is_asked_again_before_the_answer() {
    let mut killed = Bench::new();
    killed.prompt("look and change");
    killed.reply("", vec![call("a", "task"), call("b", "task")]);
    killed.prepared("a", EffectClass::Delegates, Action::Ask);
    let (mut bench, _) = opened(&killed, AtPause::Ask);
    let effects = bench.prepared("a", EffectClass::Delegates, Action::Ask);
    assert!(prepares(&effects).is_empty(), "{effects:?}");
    assert_eq!(prepares(&bench.decided("a", once())), ["b"]);
}

#[test]
fn what_nobody_is_asked_about_is_not_run_by_opening_a_session() {
    for asks in [Action::Allow, Action::Deny] {
        let (mut bench, _) = opened(&killed(), AtPause::Ask);
        let effects = bench.prepared("a", EffectClass::Writes, asks);
        assert!(ran(&effects).is_empty() && !calls_model(&effects), "{effects:?}");
        let not_run = CallStatus::Cancelled;
        assert_eq!(bench.results(), [("a".to_owned(), not_run), ("b".to_owned(), not_run)]);
        assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
    }
}

#[test]
fn where_nobody_is_there_it_is_closed_at_once_and_where_a_call_was_begun_too() {
    let (bench, effects) = opened(&killed(), AtPause::End);
    assert!(effects.is_empty() && bench.results().len() == 2 && bench.outcome().is_some());
    let mut begun = killed();
    begun.decided("a", once());
    let (bench, effects) = opened(&begun, AtPause::Ask);
    assert!(effects.is_empty() && bench.results().len() == 2 && bench.outcome().is_some());
}

#[test]
fn the_list_that_the_engine_kept_of_a_turn_that_was_killed_ends_with_the_next_and_nothing_reminds_of_it() {
    let mut begun = killed();
    begun.decided("a", once());
    let (mut bench, _) = opened(&begun, AtPause::Ask);
    assert_eq!(bench.machine.todo().lines(), "1 [~] change both\n");
    bench.prompt("what happened?");
    bench.reply("It was killed.", vec![]);
    assert_eq!(bench.machine.todo().lines(), "1 [-] change both\n");
    let reminds = |entry: &Arc<Entry>| matches!(entry.body, Body::Notice(Notice::TodoOpen { .. }));
    assert!(!bench.log.iter().any(reminds));
}

#[test]
fn a_prompt_in_place_of_an_answer_is_in_the_log_at_once() {
    let (mut bench, _) = opened(&killed(), AtPause::Ask);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    let effects = bench.prompt("another way");
    assert_eq!(bench.results().len(), 2, "what waited is closed");
    assert!(calls_model(&effects), "{effects:?}");
    assert!(ran(&bench.decided("a", once())).is_empty(), "a late yes runs nothing");
    let (mut bench, _) = opened(&killed(), AtPause::Ask);
    bench.prepared("a", EffectClass::Writes, Action::Ask);
    bench.decided("a", once());
    assert!(
        !calls_model(&bench.prompt("afterwards")),
        "a turn that goes on is waited for"
    );
}

#[test]
fn what_was_never_sent_waits_for_the_person_and_comes_back_oldest_first() {
    let mut first = Bench::new();
    first.prompt("begin");
    let (mut bench, _) = opened(&first, AtPause::Ask);
    bench
        .machine
        .recall(vec!["/steer stop".to_owned(), "then test".to_owned()]);
    let waits: Vec<WaitsFor> = bench
        .machine
        .waiting_prompts()
        .iter()
        .map(|one| one.waits_for)
        .collect();
    assert_eq!(waits, [WaitsFor::Person; 2]);
    let effects = bench.prompt("something else");
    assert!(calls_model(&effects), "{effects:?}");
    bench.prompt("and this");
    let kept = bench.machine.take_unlogged().unwrap();
    assert_eq!(kept.waits, ["/steer stop", "then test", "and this"]);
    let mut back = || {
        bench.feed(Happened::Unqueue);
        bench.answers.pop()
    };
    for text in ["and this", "/steer stop", "then test"] {
        assert_eq!(back(), Some(Answer::Unqueued { text: text.to_owned() }));
    }
    assert_eq!(back(), None);
    assert_eq!(bench.machine.take_unlogged(), Some(Unlogged::default()));
    assert_eq!(bench.machine.take_unlogged(), None, "only what is new is told");
}

#[test]
fn a_prompt_is_kept_until_the_log_has_it() {
    let mut bench = Bench::new();
    bench.begins("fix it");
    let kept = bench.machine.take_unlogged().unwrap();
    assert_eq!((kept.begins.as_deref(), kept.waits.len()), (Some("fix it"), 0));
    let weighed = Weighed::Fits(Along::default());
    bench.feed(Happened::Weighed { weighing: 1, weighed });
    assert_eq!(bench.machine.take_unlogged(), Some(Unlogged::default()));
}
