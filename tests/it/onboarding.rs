//! Tests of `--setup`. A found server can be chosen at any time, and nothing of an old configuration is lost.

use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::pty::Pty;
use crate::support::reply::{call, text};
use crate::support::server::{MODEL, Server};

const PLAIN: &str = "// Mine, with a reason.\n{ \"ui\": { \"theme\": \"dark\" } }\n";
/// Configuration with a server that does not answer.
const OLD: &str = "// Mine, with a reason.\n{ \"model\": \"mine/m\", \"provider\": { \"mine\": { \"base_url\": \"http://127.0.0.1:1/v1\" } } }\n";

/// Configuration that setup saved before its server moved.
const SAVED: &str = "// Mine.\n{ \"model\": \"local/MODEL\", \"provider\": { \"local\": { \"base_url\": \"http://127.0.0.1:1/v1\" } } }\n";

/// Opens `--setup`, and skips the dialogs before the server.
pub fn set_up(home: &Home) -> Pty {
    let bench = home.open(&["--setup"]);
    skip_to_server(&bench);
    bench
}

fn skip_to_server(bench: &Pty) {
    bench.wait_for_text("┌ language");
    bench.keys("esc");
    bench.wait_for_text("┌ themes");
    bench.keys("esc");
}

/// Chooses the test server's model in the open list.
pub fn choose(bench: &Pty) {
    bench.wait_for_text("┌ models");
    bench.type_text(MODEL);
    bench.wait_for("the model in the list", |screen| {
        screen.rows().iter().any(|row| {
            row.split_once(MODEL)
                .is_some_and(|(_, behind)| behind.contains("127.0.0.1"))
        })
    });
    bench.keys("enter");
}

#[test]
fn another_server_is_saved_at_once_beside_one_that_is_silent() {
    let server = Server::start();
    let home = Home::bare().env("OPENAI_BASE_URL", &server.base_url());
    home.configure_text(OLD);
    let read = |name: &str| std::fs::read_to_string(home.benchdog_home().join(name)).expect(name);
    let bench = set_up(&home);
    choose(&bench);
    assert!(bench.wait_exit().success());
    let saved = format!("config.jsonc` uses `{MODEL}` at {}", server.base_url());
    assert!(
        bench.raw().contains(&saved),
        "the last line names file, model and server"
    );
    assert_eq!(read("config.jsonc.bak"), OLD);
    let new = read("config.jsonc");
    assert!(
        new.contains("// Mine, with a reason.") && new.contains("127.0.0.1:1/"),
        "{new}"
    );
    assert!(new.contains(&format!("\"local/{MODEL}\"")), "{new}");
    home.run(&["config", "check"]).assert_code(0);
    let bench = home.open(&[]);
    bench.wait_for_text(&format!("{MODEL}@local"));
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
    let bench = set_up(&home);
    choose(&bench);
    assert!(bench.wait_exit().success());
    let new = std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("a configuration");
    assert!(new.contains("\"api\": \"ollama\" }"), "{new}");
    assert!(!home.benchdog_home().join("config.jsonc.bak").exists());
}

#[test]
fn a_server_goes_into_a_configuration_that_names_none_and_its_comments_stay() {
    let server = Server::start();
    let home = Home::bare().env("OPENAI_BASE_URL", &server.base_url());
    home.configure_text(PLAIN);
    let bench = set_up(&home);
    choose(&bench);
    assert!(bench.wait_exit().success());
    let new = std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("a configuration");
    assert!(
        new.contains("// Mine, with a reason.") && new.contains("\"dark\""),
        "{new}"
    );
    assert!(new.contains(&format!("\"local/{MODEL}\"")), "{new}");
    home.run(&["config", "check"]).assert_code(0);
}

#[test]
fn the_form_tests_an_address_and_keeps_the_key_for_its_owner_alone() {
    let server = Server::start();
    let home = Home::bare();
    // Configure a server. Otherwise, Benchdog searches for servers and may find the server of another test.
    home.configure_text(&SAVED.replace("MODEL", MODEL));
    let bench = home.open(&[]);
    bench.wait_for_text("server unreachable");
    bench.type_text("/setup server");
    bench.keys("enter");
    bench.wait_for_text("┌ model server");
    bench.type_text(server.base_url().trim_start_matches("http://").trim_end_matches("/v1"));
    bench.keys("down");
    bench.type_text("sk-of-mine");
    bench.wait_for_text("••••••••••");
    bench.keys("enter");
    bench.wait_for_text("works. Choose a model");
    server.script([text("Hello.")]);
    bench.keys("enter");
    bench.wait_for_text(&format!("{MODEL}@local"));
    bench.type_text("hi");
    bench.keys("enter");
    bench.wait_for_text("Hello.");
    let keys = walk(&home.benchdog_home(), "credentials.json");
    assert!(std::fs::read_to_string(&keys).expect("the keys").contains("sk-of-mine"));
    let mode = std::fs::metadata(&keys).expect("the keys").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let file = std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("a configuration");
    assert!(!file.contains("sk-of-mine"), "{file}");
    assert!(!bench.raw().contains("sk-of-mine"), "it is never drawn");
}

#[test]
fn a_saved_server_that_is_silent_is_corrected_by_its_address_alone() {
    let server = Server::start();
    let home = Home::bare();
    home.configure_text(&SAVED.replace("MODEL", MODEL));
    let bench = home.open(&[]);
    bench.wait_for_text("server unreachable");
    bench.type_text("/setup server");
    bench.keys("enter");
    bench.wait_for_text("┌ model server");
    bench.type_text(server.base_url().trim_start_matches("http://").trim_end_matches("/v1"));
    bench.keys("enter");
    bench.wait_for_text("works. Choose a model");
    bench.keys("enter");
    bench.wait_for_text("Using ");
    let new = std::fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("a configuration");
    let provider = format!(
        "\"provider\": {{ \"local\": {{ \"base_url\": \"{}\" }} }}",
        server.base_url()
    );
    assert!(new.starts_with("// Mine") && new.contains(&provider), "{new}");
}

#[test]
fn a_model_that_its_server_does_not_offer_is_told_at_the_start() {
    let server = Server::start();
    let address = server
        .base_url()
        .trim_start_matches("http://")
        .trim_end_matches("/v1")
        .to_owned();
    let home = Home::bare()
        .env("BENCHDOG_BASE_URL", &address)
        .env("BENCHDOG_MODEL", "kit-modle");
    let bench = home.open(&[]);
    bench.wait_for_text(&format!("offers only `{MODEL}`"));
}

/// Whether no model server answers on the ports of this machine that Benchdog searches.
#[expect(clippy::print_stdout, reason = "a skipped check says so in the report of its test")]
fn is_without_servers() -> bool {
    let answers = |port: &u16| TcpStream::connect(("127.0.0.1", *port)).is_ok();
    let found = [8000, 11434, 8080, 1234, 30000].iter().find(|port| answers(port));
    if let Some(port) = found {
        println!("not checked: something on this machine answers on port {port}");
    }
    found.is_none()
}

/// Sends a prompt and allows its edit: `Enter` sends, `Alt+A` focuses the request, `y` allows it. Checks that the file
/// is written.
#[track_caller]
fn makes_the_first_edit(home: &Home, bench: &Pty, server: &Server) {
    server.script([
        call("write", json!({"path": "hello.txt", "content": "good day\n"})),
        text("It is written."),
    ]);
    bench.type_text("write a greeting");
    for (key, then) in [("enter", "good day"), ("alt-a", " REVIEW "), ("y", "It is written.")] {
        bench.keys(key);
        bench.wait_for_text(then);
    }
    assert_eq!(home.read("hello.txt"), "good day\n");
}

#[test]
fn from_an_empty_home_the_first_edit_takes_one_form_or_three_keys() {
    if !is_without_servers() {
        return;
    }
    let server = Server::start();
    let home = Home::bare();
    let bench = home.open(&[]);
    bench.wait_for_text("┌ model server");
    bench.type_text(server.base_url().trim_start_matches("http://").trim_end_matches("/v1"));
    bench.keys("enter");
    bench.wait_for_text("works. Choose a model");
    bench.keys("enter");
    bench.wait_for_text(&format!("{MODEL}@local"));
    makes_the_first_edit(&home, &bench, &server);

    // 8000 is the default port of vLLM.
    let server = Server::start_at(8000);
    let home = Home::bare();
    let bench = home.open(&[]);
    bench.wait_for_text(&format!("{MODEL}@local"));
    makes_the_first_edit(&home, &bench, &server);
}

/// Returns the path of the file `name` below a folder. Panics if there is none.
fn walk(folder: &Path, name: &str) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder).expect("a folder").flatten() {
            match item.file_type().expect("a type").is_dir() {
                true => folders.push(item.path()),
                false if item.file_name() == name => return item.path(),
                false => {}
            }
        }
    }
    panic!("no {name}")
}

#[test]
fn without_a_terminal_it_says_what_it_would_need() {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&config(&server.base_url()));
    let run = home.run(&["--setup"]);
    run.assert_code(2);
    for word in ["`--setup` asks for a server", "config.jsonc", "`base_url`"] {
        assert!(run.stderr.contains(word), "{run}");
    }
}
