//! The way out of a review, and the key that stops the turn, which is the same one.

use super::*;

fn stops(bench: &Bench) -> usize {
    let commands = bench.commands().into_iter();
    commands.filter(|command| **command == Command::Interrupt).count()
}

#[test]
fn the_key_that_leads_out_of_a_review_is_never_the_one_that_stops_the_turn() {
    for step in ["", "c esc", "e esc", "r esc", "? esc", "/ esc"] {
        let mut bench = inside();
        bench.event(Live::State(TurnState::AwaitingPermission));
        bench.keys(step);
        bench.keys("esc esc esc esc");
        assert_eq!((stops(&bench), bench.state.approvals.waiting.len()), (0, 1), "{step}");
        let said = bench.state.toast.as_ref().map(|toast| toast.text.clone());
        assert!(
            said.is_some_and(|said| said.contains("once more stops the turn")),
            "{step}"
        );
        bench.wait(600);
        bench.keys("esc");
        assert_eq!((stops(&bench), bench.state.toast.is_some()), (1, false), "{step}");
    }
}

#[test]
fn the_turn_is_stopped_at_once_by_who_was_not_in_the_review_or_by_the_key_that_does_nothing_else() {
    let mut bench = Bench::new(120, 40);
    bench.asks(edit("one"));
    bench.event(Live::State(TurnState::AwaitingPermission));
    bench.keys("esc");
    assert_eq!(stops(&bench), 1);
    let mut bench = inside();
    bench.event(Live::State(TurnState::AwaitingPermission));
    bench.keys("esc ctrl-c");
    assert_eq!(stops(&bench), 1, "that key does nothing else");
}

#[test]
fn a_letter_behind_the_key_that_leads_out_takes_no_guard_away() {
    for typed in ["n", "hm", "left x"] {
        let mut bench = inside();
        bench.event(Live::State(TurnState::AwaitingPermission));
        bench.keys("esc");
        bench.keys(typed);
        bench.keys("esc");
        assert_eq!(stops(&bench), 0, "{typed}");
        let said = bench.state.toast.as_ref().map(|toast| toast.text.clone());
        assert!(said.is_some_and(|said| said.contains("once more stops the turn")));
        bench.wait(600);
        bench.keys("esc");
        assert_eq!(stops(&bench), 1, "{typed}");
    }
}

#[test]
fn who_went_back_into_a_review_is_told_again_what_would_stop() {
    let mut bench = inside();
    bench.event(Live::State(TurnState::AwaitingPermission));
    bench.keys("esc esc alt-a alt-3");
    bench.wait(600);
    bench.keys("esc");
    assert_eq!(stops(&bench), 0);
}
