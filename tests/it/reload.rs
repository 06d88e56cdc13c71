//! Tests of reloading configuration, rules and skills in a running workbench.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn what_was_changed_counts_at_once_and_what_is_wrong_changes_nothing() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    let bench = home.bench(&[]);
    let mut settings = config(&server.base_url());
    settings["ui"] = json!({"keys": {"prompt.send": ["alt-g"]}});
    settings["permission"] = json!({"bash": {"touch here": "allow"}});
    home.configure(&settings);
    bench.ask("/reload");
    bench.wait_for_text("Configuration reloaded.");
    server.script([call("bash", json!({"command": "touch here"})), text("Touched.")]);
    bench.keys("go alt-g");
    bench.wait_for_text("Touched.");
    assert!(home.path("here").exists(), "it ran without a question");
    // The new rules also apply to a running session.
    settings["permission"] = json!({"bash": {"touch *": "deny"}});
    home.configure(&settings);
    bench.keys("/reload alt-g");
    bench.wait_for_text("Rules, skills and");
    server.script([call("bash", json!({"command": "touch there"})), text("Not touched.")]);
    bench.keys("again alt-g");
    bench.wait_for_text("Not touched.");
    assert!(!home.path("there").exists());
    home.configure_text("{\"permission\": {\"bash\": \"perhaps\"}}");
    bench.keys("/reload alt-g");
    bench.wait_for_text("perhaps");
    server.script([call("bash", json!({"command": "touch there"})), text("Still not.")]);
    bench.keys("again alt-g");
    bench.wait_for_text("Still not.");
    assert!(!home.path("there").exists(), "all stayed as it was");
    bench.leave();
}

#[test]
fn a_trusted_folder_whose_files_are_others_is_asked_about_again() {
    let server = Server::start();
    let home = Home::with(&server).window(160, 40);
    home.file("AGENTS.md", "Say aye.\n");
    let bench = home.bench(&[]);
    bench.wait_for_text("has its own rules");
    bench.ask("/trust");
    bench.wait_for_text("rules apply from now on");
    home.file("AGENTS.md", "Say nay.\n");
    bench.ask("/reload");
    bench.wait_for_text("has its own rules");
    server.script([text("Said.")]);
    bench.ask("hello");
    bench.wait_for_text("Said.");
    let request = server.request(1);
    assert!(
        !request.says("Say aye") && !request.says("Say nay"),
        "neither counts unasked"
    );
    bench.leave();
}
