//! Tests messages outside the conversation: where they are complete, and how long they stay.

use super::*;
use crate::screen::ToastPlace;
use crate::view::cards::{CardRole, cards};
use crate::view::status::{Mode, status};
use benchdog_domain::agent::{ACCEPT_EDITS, AgentName, PLAN};
use benchdog_domain::budget::Usage;
use benchdog_domain::comparison::NoComparison;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::failure::Failure;
use benchdog_lang::{Word, word};

fn above(bench: &Bench) -> Vec<(String, CardRole)> {
    let width = bench.state.layout.prompt.unwrap().width;
    cards(&bench.state, width)
}

#[test]
fn a_sentence_too_long_for_the_bottom_row_is_whole_above_the_prompt_until_a_key_shows_that_it_was_read() {
    let mut bench = Bench::new(80, 24);
    bench.types("/loop 5 tell me");
    bench.keys("enter");
    let said: Vec<String> = above(&bench).into_iter().map(|(row, _)| row).collect();
    assert_eq!(said.join(" "), word(Word::LoopWanted));
    assert!(said.len() > 1 && above(&bench).iter().all(|(_, role)| *role == CardRole::Failed));
    assert_eq!(
        status(&bench.state).middle,
        "",
        "the bottom row says what it said before"
    );
    bench.wait(60_000);
    assert!(!above(&bench).is_empty(), "nobody was there to read it");
    bench.keys("left");
    assert!(above(&bench).is_empty(), "{:?}", above(&bench));
    assert_eq!(bench.prompt(), "/loop 5 tell me");
}

#[test]
fn a_key_that_follows_at_once_does_not_take_it_away() {
    let mut bench = Bench::new(80, 24);
    bench.types("/loop 5 tell me");
    bench.keys("enter left");
    assert!(!above(&bench).is_empty());
    bench.wait(4_000);
    assert!(
        above(&bench).is_empty(),
        "its time is over, and a key was pressed since"
    );
}

#[test]
fn a_short_word_goes_by_itself_and_a_short_error_stays() {
    let mut bench = Bench::new(80, 24);
    bench.keys("alt-a");
    let place = |bench: &Bench| bench.state.screen.toast.as_ref().map(|toast| toast.place);
    assert_eq!(place(&bench), Some(ToastPlace::StatusLine));
    bench.wait(2_000);
    assert_eq!(place(&bench), None);
    bench.types("/jobs end bg_9");
    bench.keys("enter");
    bench.wait(60_000);
    assert!(bench.state.screen.toast.as_ref().is_some_and(|toast| toast.error));
}

#[test]
fn what_git_refused_and_what_no_model_answered_stands_in_the_prompt_again() {
    let mut bench = Bench::new(80, 24);
    bench.types("/diff nosuch");
    bench.keys("enter");
    assert_eq!(bench.prompt(), "");
    let named = "nosuch".to_owned();
    bench.event(Answer::Differs(Err(NoComparison::NoSuch { named })));
    assert_eq!(bench.prompt(), "/diff nosuch");
    assert!(
        bench
            .state
            .screen
            .toast
            .as_ref()
            .is_some_and(|toast| toast.text.contains("nosuch"))
    );

    let mut bench = Bench::new(80, 24);
    bench.types("fix the tests");
    bench.keys("enter");
    bench.event(Live::Error(Failure::NoModel));
    assert_eq!(bench.prompt(), "fix the tests");
    // The prompt that the user has begun since is not lost.
    bench.keys("ctrl-u");
    bench.types("one");
    bench.keys("enter");
    bench.types("two");
    bench.event(Live::Error(Failure::NoModel));
    assert_eq!(bench.prompt(), "two");
}

#[test]
fn a_prompt_whose_turn_failed_before_any_answer_stays_in_the_prompt() {
    let fails = |answer: Option<&str>| {
        let mut bench = Bench::new(80, 24);
        bench.types("fix the tests");
        bench.keys("enter");
        bench.entry(super::transcript::user("fix the tests"));
        bench.event(Live::State(TurnState::Planning));
        if let Some(text) = answer {
            bench.entry(super::transcript::answer(text));
        }
        bench.entry(Body::TurnEnded {
            outcome: TurnOutcome::Error,
            steps: 1,
            usage: Usage::default(),
        });
        bench.prompt()
    };
    assert_eq!(fails(None), "fix the tests");
    assert_eq!(fails(Some("I looked")), "", "/retry goes on from there");
}

#[test]
fn an_agent_whose_edits_nobody_is_asked_about_looks_different() {
    let mut bench = Bench::new(80, 24);
    assert_eq!(status(&bench.state).mode, Mode::Asks);
    for (agent, mode, said) in [
        (
            ACCEPT_EDITS,
            Mode::Unasked,
            "accept-edits · applies edits without asking",
        ),
        (PLAN, Mode::OnlyReads, "plan · read-only"),
    ] {
        bench.state.screen.session.agent = AgentName(agent.to_owned());
        let shown = status(&bench.state);
        assert_eq!(shown.mode, mode);
        assert!(shown.left.starts_with(said), "{}", shown.left);
    }
}
