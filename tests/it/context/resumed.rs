//! Tests that a later run begins with the same messages, even if the server reports its window late.

use serde_json::json;

use super::settings;
use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::request::assert_append_only;
use crate::support::server::{MODEL, Server};

#[test]
fn rules_that_fit_the_window_of_the_last_run_are_told_whole_from_the_first_request_on() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = settings(&server, 0, 0);
    // Leave the context window unconfigured, so that only the server reports it.
    settings["provider"]["kit"]["models"] = json!({ MODEL: {"output": 4_096} });
    home.configure(&settings);
    let rules = format!("{}The last plum rule.", "Always round half to even.\n".repeat(1_150));
    std::fs::write(home.benchdog_home().join("AGENTS.md"), rules).expect("rules of the person");
    server.script(["One.", "Two.", "Three."].map(text));
    home.run(&["run", "first"]).assert_code(0);
    for prompt in ["second", "third"] {
        let run = home.run(&["run", "-c", prompt]);
        run.assert_code(0);
        assert!(!run.stderr.contains("is long"), "{run}");
    }
    let sent = server.requests();
    assert_append_only(&sent[1..]);
    assert!(sent[1..].iter().all(|request| request.says("The last plum rule.")));
}
