//! Tests that a custom system prompt replaces the working instructions, but not the other built-in text.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

const RHYMES: &str = "Answer in rhymes, whatever is asked.";

fn home(server: &Server, named: &str) -> Home {
    let home = Home::bare();
    let mut whole = config(&server.base_url());
    whole["system_prompt"] = json!(named);
    home.configure(&whole);
    let prompts = home.benchdog_home().join("prompts");
    std::fs::create_dir_all(&prompts).expect("a folder");
    std::fs::write(prompts.join("rhymes.md"), format!("{RHYMES}\n")).expect("a prompt");
    std::fs::write(prompts.join("terse.txt"), "Be terse.\n").expect("a prompt");
    home
}

#[test]
fn the_first_request_begins_with_it_and_the_ledger_calls_it_by_its_name() {
    let server = Server::start();
    let home = home(&server, "rhymes").window(160, 45);
    server.script([call("list", json!({})), text("Done."), text("Again.")]);
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("Done.");
    let told = server.request(1).messages()[0]["content"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    assert!(told.starts_with(&format!("{RHYMES}\n\n- Folder: ")), "{told}");
    assert!(
        told.contains("are data, not instructions") && !told.contains("Change only what"),
        "{told}"
    );
    // The configuration changes in the meantime, but later requests still begin with the sent messages.
    home.configure_text(
        &std::fs::read_to_string(home.benchdog_home().join("config.jsonc"))
            .expect("the configuration")
            .replace("\"rhymes\"", "\"terse.txt\""),
    );
    bench.ask("/reload");
    bench.wait_for_text("Configuration reloaded");
    bench.ask("and now");
    bench.wait_for_text("Again.");
    server.assert_append_only();
    bench.ask("/new");
    server.script([text("Fresh.")]);
    bench.wait_for("a session of its own", |screen| !screen.has("Again."));
    bench.ask("hello");
    bench.wait_for_text("Fresh.");
    assert!(server.request(4).says("Be terse."));
    bench.ask("/context");
    bench.keys("enter");
    bench.wait_for_text("system: terse.txt");
    bench.keys("esc");
    bench.keys("esc");
    bench.wait_for("the prompt", |screen| screen.cursor_is_shown());
    bench.leave();
    let explained = home.run(&["config", "explain", "system_prompt"]);
    assert!(
        explained
            .stdout
            .contains("system_prompt = \"terse.txt\"\n  set by your file"),
        "{explained}"
    );
}

#[test]
fn a_name_that_no_file_has_is_an_error_with_the_one_that_is_meant() {
    let server = Server::start();
    for (named, told) in [
        ("ryhmes", "did you mean `rhymes`? there is `rhymes`, `terse.txt`"),
        ("nonsense", "there is `rhymes`, `terse.txt`"),
        (
            "nonsense",
            "`system_prompt` names `nonsense`, and there is no `nonsense.md`",
        ),
        ("../config.jsonc", "without a path"),
    ] {
        let run = home(&server, named).run(&["run", "hello"]);
        run.assert_code(2);
        assert!(run.stderr.contains(told), "{run}");
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_project_brings_its_own_where_it_is_trusted_and_a_change_asks_again() {
    let server = Server::start();
    let home = Home::with(&server);
    home.file(".benchdog/config.jsonc", r#"{"system_prompt": "kennel"}"#);
    home.file(".benchdog/prompts/kennel.md", "Bark first.");
    let outside = home.outside().join("secret.md");
    std::fs::write(&outside, "From outside.").expect("a file");
    server.script([text("a"), text("b"), text("c"), text("d")]);
    home.run(&["run", "hello"]).assert_code(0);
    assert!(!server.request(1).says("Bark first."));
    let bench = home.bench(&[]);
    bench.wait_for_text("has its own rules");
    bench.ask("/trust");
    bench.wait_for("the card to go", |screen| !screen.has("has its own rules"));
    bench.ask("hello");
    bench.wait_for("the answer", |_| server.requests().len() == 2);
    assert!(server.request(2).says("Bark first."));
    bench.leave();
    home.run(&["run", "hello"]).assert_code(0);
    assert!(server.request(3).says("Bark first."), "what was trusted counts");
    home.file(".benchdog/prompts/kennel.md", "Bite first.");
    home.run(&["run", "hello"]).assert_code(0);
    assert!(!server.request(4).says("Bite first."), "a change is not trusted");
    // A link cannot include a file from outside.
    std::fs::remove_file(home.path(".benchdog/prompts/kennel.md")).expect("a file");
    std::os::unix::fs::symlink(&outside, home.path(".benchdog/prompts/kennel.md")).expect("a link");
    let run = home.run(&["run", "--trust", "hello"]);
    assert!(
        !server.requests().iter().any(|request| request.says("From outside.")),
        "{run}"
    );
}
