//! Tests that mentions in piped input are not read, and typed ones only after the prompt hook.

use serde_json::json;

use super::peer::{self, notes};
use super::resources::said;
use crate::support::home::Home;
use crate::support::reply::text;
use crate::support::server::Server;

#[test]
fn what_comes_through_a_pipe_names_nothing_whatever_rules_allow() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "resources")]);
    configuration["permission"] = json!({"files__*": "allow"});
    home.configure(&configuration);
    home.file("a.txt", "the text of a file\n");
    server.script([text("One."), text("Two."), text("Three.")]);
    let piped = "see @files:note://a and @a.txt";
    home.run_with_input(&["run", "--approve", "all"], piped).assert_code(0);
    home.run_with_input(&["run", "--approve", "all", "this:"], piped)
        .assert_code(0);
    home.run_with_input(&["--linear"], format!("{piped}\n")).assert_code(0);
    for request in 1..=3 {
        let said = said(&server, request);
        assert!(
            said.contains(piped) && !said.contains("the text of a file") && !said.contains("[benchdog] The user named"),
            "{said}"
        );
    }
    assert_eq!(notes(&home).matches("resources/read").count(), 0);
    server.script([text("Four.")]);
    home.run_with_input(&["run", "look at @a.txt and this:"], piped)
        .assert_code(0);
    let said = said(&server, 4);
    assert_eq!(said.matches("[benchdog] The user named").count(), 1, "{said}");
    assert!(said.contains("the text of a file"), "{said}");
}

#[test]
fn nothing_is_read_before_the_hook_at_the_prompt_lets_it_through() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "resources")]);
    configuration["permission"] = json!({"files__*": "allow"});
    configuration["hooks"] = json!({"user_prompt": [{"name": "guard", "command": ["./guard"]}]});
    home.configure(&configuration);
    home.file("a.txt", "as it was\n");
    let guard = "sleep 0.3; echo 'as the hook left it' > a.txt; grep -q plum && { echo 'no plums'; exit 2; }; exit 0";
    crate::hooks::script(&home, "guard", guard);
    let run = home.run(&["run", "a plum: @files:note://a and @gone.txt"]);
    run.assert_code(2);
    assert!(run.stderr.contains("no plums"), "{run}");
    assert!(!run.stderr.contains("gone.txt` cannot"), "it was not looked for: {run}");
    assert_eq!(notes(&home).matches("resources/read").count(), 0);
    server.script([text("Fine.")]);
    home.run(&["run", "a pear: @files:note://a and @a.txt"]).assert_code(0);
    let said = said(&server, 1);
    assert!(said.contains("as the hook left it"), "{said}");
    assert_eq!(notes(&home).matches("resources/read").count(), 1);
}
