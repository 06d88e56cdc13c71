//! Tests the status line before the answer to a request arrives.

use super::*;
use benchdog_domain::message::Stage;
use benchdog_protocol::{Live, TurnState};

fn middle(bench: &Bench) -> String {
    crate::view::status::status(&bench.state).middle
}

#[test]
fn the_bottom_row_follows_a_request_from_the_server_to_the_answer() {
    let mut bench = Bench::new(120, 40);
    bench.event(Live::State(TurnState::Planning));
    assert!(middle(&bench).starts_with("reading"), "{}", middle(&bench));
    for (stage, shown) in [
        (Stage::Asked, "waiting for the server"),
        (Stage::Loading, "loading the model"),
        (Stage::Taken, "reading"),
        (Stage::Reading { done: 2_048, of: 9_120 }, "reading 2048 of 9120"),
    ] {
        bench.event(Live::Stage(stage));
        assert!(middle(&bench).starts_with(shown), "{}", middle(&bench));
    }
    bench.event(Live::Reasoning("hm".to_owned()));
    bench.event(Live::State(TurnState::Generating));
    bench.event(Live::Reasoning("hm".to_owned()));
    assert!(middle(&bench).starts_with("thinking"), "{}", middle(&bench));
    bench.event(Live::Text("so".to_owned()));
    assert!(middle(&bench).starts_with("writing"), "{}", middle(&bench));
}

#[test]
fn a_prompt_that_is_half_read_after_a_while_says_how_long_the_rest_takes() {
    let mut bench = Bench::new(120, 40);
    bench.event(Live::State(TurnState::Planning));
    bench.state.now = benchdog_base::clock::Time(bench.state.now.0 + 4_000);
    bench.event(Live::Stage(Stage::Reading { done: 500, of: 2_000 }));
    assert!(middle(&bench).contains("about 12 s left"), "{}", middle(&bench));
}
