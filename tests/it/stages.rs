//! Tests that the bottom row shows the stage of a request until its answer arrives.

use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::{Gate, never, refusal, stream, text};
use crate::support::server::Server;

fn progress(processed: u64) -> String {
    let progress = json!({"total": 9_120, "cache": 0, "processed": processed, "time_ms": 10});
    let delta = json!({"role": "assistant", "content": null});
    let chunk = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}], "prompt_progress": progress});
    format!("data: {chunk}\n\n")
}

#[test]
fn how_much_of_the_prompt_is_read_is_shown_until_the_first_word() {
    let server = Server::start();
    let home = Home::with(&server);
    let (half, whole, thought) = (Gate::new(), Gate::new(), Gate::new());
    server.script([stream()
        .raw(&progress(2_048))
        .holds(&half)
        .raw(&progress(4_096))
        .holds(&whole)
        .thinks("Hm.")
        .holds(&thought)
        .says("Done.")
        .ends()]);
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("reading 2048 of 9120");
    half.open();
    bench.wait_for_text("reading 4096 of 9120");
    whole.open();
    bench.wait_for("the thought", |screen| {
        screen.has("thinking") && !screen.has("reading 4096")
    });
    thought.open();
    bench.wait_for_text("Done.");
    bench.leave();
}

#[test]
fn a_server_that_does_not_answer_is_waited_for_in_so_many_words() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([never()]);
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("waiting for the server");
    bench.keys("esc");
    bench.wait_for_text("interrupted");
    bench.leave();
}

#[test]
fn a_server_that_loads_its_model_is_asked_until_it_has() {
    let server = Server::start();
    let home = Home::with(&server);
    let loading = r#"{"error": {"message": "Loading model", "type": "unavailable_error", "code": 503}}"#;
    server.script([refusal(503, loading), refusal(503, loading), text("Here.")]);
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("loading the model");
    bench.wait_for_text("Here.");
    assert_eq!(server.requests().len(), 3);
    bench.leave();
}
