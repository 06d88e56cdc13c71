//! Tests of `/git`, which runs git as the person's own command. git cannot run other programs.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::server::Server;

#[test]
fn git_runs_at_once_asks_where_it_could_be_regretted_and_refuses_what_injects() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    home.file("notes.txt", "one\n");
    let bench = home.bench(&[]);
    bench.ask("!git init -q -b trunk .");
    bench.ask("/git");
    bench.wait_for_text("No commits yet on trunk");
    bench.wait_for_text("?? notes.txt");
    // The configured program would create the file `ran`.
    bench.ask("/git -c core.fsmonitor='touch ran' status");
    bench.wait_for_text("git can start other programs");
    bench.keys("ctrl-c");
    bench.ask("/git status; touch ran");
    bench.wait_for_text("needs a shell");
    bench.keys("ctrl-c");
    bench.ask("/git status 'a; touch ran'");
    bench.ask("/git clean -fd");
    bench.wait_for_text("git clean` removes files");
    assert!(home.path("notes.txt").exists(), "it waits for an answer");
    bench.refuse("git clean -fd");
    bench.wait_for("the refusal", |screen| {
        screen.row("git clean -fd").is_some_and(|row| row.contains("denied"))
    });
    assert!(!home.path("ran").exists());
    bench.leave();
}

#[test]
fn what_is_denied_is_denied_here_too() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"bash": {"git init *": "deny"}});
    home.configure(&settings);
    let bench = home.bench(&[]);
    bench.ask("/git init -q .");
    bench.wait_for_text("denied");
    assert!(!home.path(".git").exists());
    bench.leave();
}
