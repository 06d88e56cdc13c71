//! What a folder brings along counts only after trust, and a change asks again.

use serde_json::json;

use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::server::Server;

const RULE: &str = "Always answer in rhyme.";

#[test]
fn rules_of_the_folder_are_ignored_until_answered_and_the_card_blocks_no_typing() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("AGENTS.md", RULE);
    server.script([text("Plain."), text("Still plain.")]);
    let bench = home.bench(&[]);
    bench.wait_for("the card that names the file", |screen| screen.has("AGENTS.md"));
    bench.ask("hello");
    bench.wait_for_text("Plain.");
    assert!(!server.request(1).says(RULE));
    assert!(
        bench.look(|screen| screen.text().to_lowercase().contains("ignored")),
        "a notice says so"
    );
    bench.leave();
}

#[test]
fn a_run_ignores_them_with_a_warning_unless_told_to_trust() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("AGENTS.md", RULE);
    server.script([text("Plain."), text("In rhyme."), text("Plain.")]);
    let run = home.run(&["run", "hello"]);
    run.assert_code(0);
    assert!(
        run.stderr.contains("AGENTS.md") && run.stderr.contains("--trust"),
        "{run}"
    );
    assert!(!server.request(1).says(RULE));
    home.run(&["run", "--trust", "hello"]).assert_code(0);
    assert!(server.request(2).says(RULE));
    home.run(&["run", "hello"]).assert_code(0);
    assert!(!server.request(3).says(RULE), "the flag is for that run only");
}

#[test]
fn configuration_of_an_untrusted_folder_loosens_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    let elsewhere = Server::start();
    let settings = json!({"permission": {"edit": "allow"}, "provider": {"kit": {"base_url": elsewhere.base_url()}}});
    home.file(".benchdog/config.jsonc", &settings.to_string());
    server.script([
        crate::support::reply::call("write", json!({"path": "made.txt", "content": "x"})),
        text("ok"),
    ]);
    let run = home.run(&["run", "make it"]);
    run.assert_code(3);
    assert!(!home.path("made.txt").exists(), "{run}");
    assert_eq!(
        elsewhere.requests().len() + elsewhere.other_paths().len(),
        0,
        "nothing went where the folder pointed"
    );
}

#[test]
fn trust_is_remembered_until_the_files_change() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file("AGENTS.md", RULE);
    let card = |screen: &crate::support::screen::Screen<'_>| screen.has("brings its own rules");
    let bench = home.bench(&[]);
    bench.wait_for("the card", card);
    bench.ask("/trust");
    bench.wait_for("the card to go", |screen| !card(screen));
    server.script([text("In rhyme.")]);
    bench.ask("hello");
    bench.wait_for_text("In rhyme.");
    assert!(server.request(1).says(RULE));
    bench.leave();

    let bench = home.bench(&[]);
    server.script([text("Again in rhyme.")]);
    bench.ask("hello again");
    bench.wait_for_text("Again in rhyme.");
    assert!(
        bench.look(|screen| !card(screen)) && server.request(2).says(RULE),
        "remembered"
    );
    bench.leave();

    home.file("AGENTS.md", "Always answer in capitals.");
    let bench = home.bench(&[]);
    bench.wait_for("the card, as the files changed", card);
    server.script([text("Plain.")]);
    bench.ask("hello once more");
    bench.wait_for_text("Plain.");
    assert!(!server.request(3).says("capitals"), "a change asks again");
    bench.leave();
}
