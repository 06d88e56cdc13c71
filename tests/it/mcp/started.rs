//! When servers of tools run, and until when.

use serde_json::json;

use super::peer::{self, home};
use super::result;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn nothing_is_started_before_something_is_sent() {
    let server = Server::start();
    let names: Vec<String> = (0..10).map(|at| format!("s{at}")).collect();
    let servers: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "plain")).collect();
    let home = home(&server, &servers);
    let bench = home.bench(&[]);
    let lines: Vec<String> = home.processes().into_iter().map(|(_, line)| line).collect();
    assert!(!lines.iter().any(|line| line.contains("speaks")), "{lines:?}");
    bench.leave();
}

#[test]
fn a_server_of_a_folder_ends_with_the_trust_in_it() {
    let server = Server::start();
    let home = Home::with(&server);
    let brought = json!({"mcp": {"docs": peer::server(&home, "plain")}});
    home.file(".benchdog/config.jsonc", &brought.to_string());
    server.script([
        call("docs__echo", json!({"text": "one"})),
        text("Said once."),
        call("docs__echo", json!({"text": "two"})),
        text("Said no more."),
    ]);
    let bench = home.bench(&[]);
    let card = |screen: &crate::support::screen::Screen<'_>| screen.has("/trust uses them");
    bench.wait_for("the question", card);
    bench.ask("/trust");
    bench.wait_for("its end", |screen| !card(screen));
    bench.ask("say it");
    bench.accept("docs__echo");
    bench.wait_for_text("Said once.");
    bench.ask("/distrust");
    bench.wait_for("its end", |_| {
        !home
            .processes()
            .iter()
            .any(|(_, line)| line.contains("mcp::peer::speaks"))
    });
    bench.ask("/mcp on docs");
    bench.ask("say it again");
    bench.accept("text: two");
    bench.wait_for_text("Said no more.");
    assert_eq!(result(&server, 2), "one!");
    assert!(!result(&server, 4).contains("two!"), "{}", result(&server, 4));
    bench.leave();
}
