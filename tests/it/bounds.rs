//! Tests that Benchdog disconnects from a server that never stops sending, and keeps the text received so far.

use crate::support::home::Home;
use crate::support::reply::{stream, text};
use crate::support::server::Server;

const MIB: usize = 1 << 20;

#[test]
fn an_answer_without_end_ends_with_its_bound_and_the_session_goes_on() {
    let server = Server::start();
    let home = Home::with(&server);
    let line = format!(
        "data: {{\"choices\": [{{\"delta\": {{\"content\": \"{}",
        "x".repeat(20 * MIB)
    );
    server.script([stream().says("Before.").raw(&line).falls_silent(), text("After.")]);
    let run = home.run(&["run", "--output", "json", "hi"]);
    run.assert_code(5);
    let said = &run.json_lines()[0];
    assert_eq!(
        (&said["text"], &said["error"]["code"]),
        (&"Before.".into(), &"answer_oversized".into())
    );
    let why = said["error"]["text"].as_str().unwrap_or_default();
    assert!(why.contains("a line of more than 16 MiB"), "{why}");

    let run = home.run(&["run", "-c", "--output", "json", "and?"]);
    run.assert_code(0);
    let sent = &server.request(2).body["messages"];
    assert!(sent.to_string().contains("Before."), "{sent}");
}
