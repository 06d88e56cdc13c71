//! How full the window is, when the server counts, counts wrong, or does not count at all.

use crate::support::home::Home;
use crate::support::reply::{stream, text};
use crate::support::server::Server;

#[test]
fn a_server_that_cuts_the_prompt_in_silence_is_found_out_at_the_first_reply() {
    let server = Server::start();
    let home = Home::with(&server);
    // The kit counts 1,000 tokens whatever it is sent.
    server.script([text("Yes."), text("Yes again.")]);
    let long = "a long question about one thing and another ".repeat(500);
    let run = home.run(&["run", "--output", "stream-json", &long]);
    run.assert_code(0);
    let notices = run.events("notice");
    let told = notices.iter().find(|notice| notice["code"] == "prompt_cut");
    let said = told.map(|notice| notice["text"].to_string()).unwrap_or_default();
    assert!(said.contains("1000 of about") && said.contains("`context`"), "{run}");
    let last = run.events("context").pop().expect("a count");
    assert_eq!(last["estimated"], true, "the count of a part is no count\n{run}");
    let short = home.run(&["run", "--output", "stream-json", "a short question"]);
    assert!(short.events("notice").is_empty(), "{short}");
}

#[test]
fn an_answer_that_nobody_counted_is_guessed_with_the_rest() {
    let server = Server::start();
    let home = Home::with(&server);
    let answer = "words of an answer ".repeat(3_000);
    server.script([stream()
        .says(&answer)
        .raw("data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")]);
    let bench = home.bench(&[]);
    bench.ask("talk");
    // The answer alone is a fifth of the window; the request before it was a twentieth.
    bench.wait_for("the answer in the count", |screen| {
        (12..40).any(|percent| screen.has(&format!("{percent} %")))
    });
    bench.leave();
}
