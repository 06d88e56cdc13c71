//! `--setup`: what is found can be taken at any time, and nothing of an old configuration is lost.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::text;
use crate::support::server::{MODEL, Server};

const OLD: &str = "// Mine, with a reason.\n{ \"ui\": { \"theme\": \"dark\" } }\n";

/// Chooses the model of the test's server in the list of what was found.
pub fn choose(bench: &Pty) {
    bench.type_text("/models");
    bench.keys("enter");
    bench.wait_for_text("┌ models");
    bench.type_text(MODEL);
    bench.wait_for("the model in the list", |screen| {
        screen
            .rows()
            .iter()
            .any(|row| row.contains(MODEL) && row.contains("127.0.0.1"))
    });
    bench.keys("enter");
}

#[test]
fn another_server_is_taken_on_a_yes_and_the_old_file_is_kept_with_its_comments() {
    let server = Server::start();
    let home = Home::bare().env("OPENAI_BASE_URL", &server.base_url());
    home.configure_text(OLD);
    let file = home.benchdog_home().join("config.jsonc");
    let read = |name: &str| std::fs::read_to_string(home.benchdog_home().join(name)).expect(name);
    let bench = home.open(&["--setup"]);
    bench.wait_for_text(&server.base_url());
    choose(&bench);
    bench.wait_for_text("nothing in it was changed");
    assert_eq!(std::fs::read_to_string(&file).expect("the file"), OLD);

    bench.type_text("/setup replace");
    bench.keys("enter");
    bench.wait_for_text(&format!("{MODEL}@local"));
    assert_eq!(read("config.jsonc.bak"), OLD);
    let new = read("config.jsonc");
    assert!(
        new.contains(&format!("\"local/{MODEL}\"")) && new.contains("// `provider/model`"),
        "{new}"
    );
    assert!(new.contains("\"theme\": \"auto\"") && !new.contains("ollama"), "{new}");
    home.run(&["config", "check"]).assert_code(0);
    server.script([text("Hello.")]);
    bench.type_text("hi");
    bench.keys("enter");
    bench.wait_for_text("Hello.");
}

#[test]
fn a_first_ollama_is_asked_by_its_own_api() {
    let server = Server::start();
    server.page("/api/version", json!({"version": "0.12.6"}));
    let home = Home::bare().env("OPENAI_BASE_URL", &server.base_url());
    let bench = home.open(&["--setup"]);
    bench.wait_for_text(&server.base_url());
    choose(&bench);
    bench.wait_for_text(&format!("{MODEL}@local"));
    let new = std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("a configuration");
    assert!(new.contains("\"api\": \"ollama\" }"), "{new}");
    assert!(!home.benchdog_home().join("config.jsonc.bak").exists());
}

#[test]
fn without_a_terminal_it_says_what_it_would_need() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&config(&server.base_url()));
    let run = home.run(&["--setup"]);
    run.assert_code(2);
    for word in ["`--setup` needs a terminal", "config.jsonc", "`base_url`"] {
        assert!(run.stderr.contains(word), "{run}");
    }
}
