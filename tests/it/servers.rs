//! Tests that every configuration on the documentation's page of servers is valid and contains no key.

use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::onboarding::set_up;
use crate::support::PATIENCE;
use crate::support::home::{Home, config};
use crate::support::process::{kill, look_until};
use crate::support::reply::{status, text};
use crate::support::server::{MODEL, Server};

fn blocks(page: &str) -> Vec<&str> {
    let parts = page.split("```jsonc\n").skip(1);
    parts.filter_map(|part| Some(part.split_once("```")?.0)).collect()
}

#[test]
fn every_configuration_of_the_page_is_sound() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/servers.md");
    let page = std::fs::read_to_string(path).expect("the page");
    let blocks = blocks(&page);
    assert!(blocks.len() >= 9, "{} blocks", blocks.len());
    for block in &blocks {
        let home = Home::bare();
        home.configure_text(block);
        let run = home.run(&["config", "check"]);
        assert_eq!(run.code, Some(0), "{block}\n{run}");
    }
    for address in [
        "https://dashscope.aliyuncs.com/compatible-mode/v1",
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        "https://dashscope-us.aliyuncs.com/compatible-mode/v1",
    ] {
        assert!(blocks.iter().any(|block| block.contains(address)), "{address}");
    }
}

/// Scripts an Ollama server with the model on disk, but not loaded.
fn tells(server: &Server) {
    server.page(
        "/api/show",
        json!({"capabilities": ["completion", "tools"], "model_info": {"x.context_length": 40_960}}),
    );
    server.page("/api/ps", json!({"models": []}));
    server.page("/api/version", json!({"version": "0.12.6"}));
    server.page(
        "/api/generate",
        json!({"model": MODEL, "response": "", "done": true, "done_reason": "load"}),
    );
}

fn ollama(settings: impl FnOnce(&mut Value)) -> (Server, Home) {
    let server = Server::start();
    tells(&server);
    let home = Home::bare();
    let mut configured = config(&server.base_url());
    configured["provider"]["kit"]["api"] = json!("ollama");
    configured["provider"]["kit"]["models"][MODEL] = json!({});
    settings(&mut configured["provider"]["kit"]);
    home.configure(&configured);
    (server, home)
}

#[test]
fn a_model_that_is_not_in_memory_is_loaded_with_the_first_key_and_as_the_first_request_has_it() {
    let (server, home) = ollama(|kit| kit["keep_alive"] = json!("2h"));
    let pty = home.open(&[]);
    pty.wait_for_text(MODEL);
    assert!(
        !server.other_paths().contains(&"/api/generate".to_owned()),
        "before a key"
    );
    pty.type_text("h");
    let loaded: Value = serde_json::from_str(&server.asked_at("/api/generate")).expect("a body");
    assert_eq!(
        loaded,
        json!({"model": MODEL, "stream": false, "keep_alive": "2h", "options": {"num_ctx": 40_960}})
    );
    server.script([text("Hello.")]);
    pty.type_text("i");
    pty.keys("enter");
    pty.wait_for_text("Hello.");
    let sent = server.request(1).body;
    assert_eq!(
        (&sent["options"]["num_ctx"], &sent["keep_alive"]),
        (&json!(40_960), &json!("2h"))
    );
    let loads = server
        .other_paths()
        .iter()
        .filter(|path| *path == "/api/generate")
        .count();
    assert_eq!(loads, 1);
}

#[test]
fn nothing_is_loaded_ahead_where_it_is_off_costs_or_is_there() {
    let off = |kit: &mut Value| kit["warm_up"] = json!(false);
    let costs = |kit: &mut Value| kit["models"][MODEL]["price"] = json!({"input": 1, "output": 2});
    let there = |_: &mut Value| {};
    let settings: [&dyn Fn(&mut Value); 3] = [&off, &costs, &there];
    for (case, change) in settings.into_iter().enumerate() {
        let (server, home) = ollama(change);
        if case == 2 {
            server.page(
                "/api/ps",
                json!({"models": [{"name": MODEL, "context_length": 32_768}]}),
            );
        }
        let pty = home.open(&[]);
        pty.wait_for_text(MODEL);
        pty.type_text("hi");
        server.script([text("Hello.")]);
        pty.keys("enter");
        pty.wait_for_text("Hello.");
        assert!(
            !server.other_paths().contains(&"/api/generate".to_owned()),
            "case {case}"
        );
    }
}

#[test]
fn keep_alive_is_refused_where_no_server_would_read_it() {
    let home = Home::bare();
    let check = |api: &str, stay: Value| {
        let mut configured = config("http://127.0.0.1:9/v1");
        configured["provider"]["kit"]["api"] = json!(api);
        configured["provider"]["kit"]["keep_alive"] = stay;
        home.configure(&configured);
        home.run(&["config", "check"])
    };
    for stay in [json!("2h"), json!("1h30m"), json!(-1), json!(600), json!("-1m")] {
        check("ollama", stay).assert_code(0);
    }
    for stay in [json!("2 hours"), json!("2"), json!(""), json!(true), json!(1.5)] {
        let run = check("ollama", stay);
        run.assert_code(2);
        assert!(run.stdout.contains("must be a time such as"), "{run}");
    }
    let run = check("openai", json!("2h"));
    run.assert_code(2);
    assert!(run.stdout.contains("`\"api\": \"ollama\"`"), "{run}");
}

/// Script that writes its arguments and environment, and keeps running.
const STAND_IN: &str = r#"#!/bin/sh
env > "$HOME/environment"
echo "$$ $OLLAMA_HOST $*" > "$HOME/new"
mv "$HOME/new" "$HOME/started"
exec sleep 600
"#;

/// Configures an Ollama server that is not running, but could be started.
fn without_a_server() -> (Home, u16) {
    let free = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = free.local_addr().expect("an address").port();
    let home = Home::bare();
    let programs = home.outside().join("programs");
    std::fs::create_dir_all(&programs).expect("a folder");
    let program = programs.join("ollama");
    std::fs::write(&program, STAND_IN).expect("a program");
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    let mut configured = config(&format!("http://127.0.0.1:{port}/v1"));
    configured["provider"]["kit"]["api"] = json!("ollama");
    configured["provider"]["kit"]["models"][MODEL] = json!({});
    home.configure(&configured);
    let path = format!("{}:/usr/bin:/bin", programs.display());
    let home = home.env("PATH", &path).env("HOUSE_API_KEY", "sk-not-for-servers");
    (home, port)
}

#[test]
fn an_ollama_that_does_not_run_is_started_on_a_yes_alone_and_goes_on_after_us() {
    let (home, port) = without_a_server();
    let started = home.user_home().join("started");
    home.run(&["run", "hi"]).assert_code(5);
    let pty = home.open(&[]);
    pty.wait_for_text(&format!("OLLAMA_HOST=127.0.0.1:{port} ollama serve"));
    pty.type_text("y");
    pty.keys("backspace");
    pty.type_text("/serve");
    assert!(!started.exists(), "nobody has said yes");
    pty.keys("enter");
    assert!(look_until(PATIENCE, || started.exists()), "it was not started");
    let server = Server::start_at(port);
    tells(&server);
    pty.wait_for_text("The server keeps running");
    server.asked_at("/api/show");
    server.script([text("Hello.")]);
    pty.type_text("hi");
    pty.keys("enter");
    pty.wait_for_text("Hello.");
    pty.leave();

    let told = std::fs::read_to_string(&started).expect("what it was started with");
    let (pid, how) = told.split_once(' ').expect("a number");
    assert_eq!(how, format!("127.0.0.1:{port} serve\n"));
    let variables = std::fs::read_to_string(home.user_home().join("environment")).expect("its variables");
    assert!(
        variables.contains("HOME=") && !variables.contains("sk-not-for-servers"),
        "{variables}"
    );
    let pid: u32 = pid.parse().expect("a number");
    assert!(PathBuf::from(format!("/proc/{pid}")).exists(), "it goes on");
    kill(pid, Signal::KILL);
}

#[test]
fn nothing_is_offered_where_a_server_answers_or_the_program_is_missing() {
    let (home, port) = without_a_server();
    let server = Server::start_at(port);
    tells(&server);
    let pty = home.open(&[]);
    server.asked_at("/api/show");
    server.script([text("Hello.")]);
    pty.type_text("hi");
    pty.keys("enter");
    pty.wait_for_text("Hello.");
    assert!(!pty.look(|screen| screen.has("ollama serve")));
    let (home, _) = without_a_server();
    let home = home.env("PATH", "/usr/bin:/bin");
    let pty = home.open(&[]);
    pty.wait_for_text("Ctrl+P commands");
    pty.type_text("/serve");
    pty.keys("enter");
    pty.wait_for_text("There is nothing to start.");
}

#[test]
fn a_model_that_is_not_there_is_answered_with_the_one_that_was_meant_and_how_to_fetch_it() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([status(404, "model not found"), status(404, "model not found")]);
    for (asked, said) in [
        ("kit/kit-modle", "the server offers `kit-model`"),
        ("kit/other", "the server offers `kit-model`"),
    ] {
        let run = home.run(&["run", "-m", asked, "hi"]);
        run.assert_code(5);
        for word in [said, "benchdog models pull NAME"] {
            assert!(run.stderr.contains(word), "{run}");
        }
    }
    server.script([status(404, "model not found")]);
    let run = home.run(&["run", "hi"]);
    assert!(
        !run.stderr.contains("the server offers `"),
        "what is listed is not offered again\n{run}"
    );
}

#[test]
fn every_key_can_be_set_by_a_variable_and_other_programs_variables_have_an_effect() {
    let server = Server::start();
    let home = Home::with(&server).env("BENCHDOG__PROVIDER__KIT__MODELS__kit-model__TEMPERATURE", "0.3");
    server.script([text("Hello.")]);
    home.run(&["run", "hi"]).assert_code(0);
    assert_eq!(server.request(1).body["temperature"], 0.3);
    let told = home.run(&["config", "explain", "provider.kit.models.kit-model.temperature"]);
    assert!(
        told.stdout
            .contains("BENCHDOG__PROVIDER__KIT__MODELS__kit-model__TEMPERATURE"),
        "{told}"
    );

    let home = Home::with(&server).env("BENCHDOG__NETWORK__OFLINE", "true");
    let run = home.run(&["config", "check"]);
    run.assert_code(2);
    for word in ["BENCHDOG__NETWORK__OFLINE", "did you mean `network.offline`"] {
        assert!(run.stdout.contains(word), "{run}");
    }

    // `--setup` checks the addresses in variables of other programs. It sends a key only to its own vendor.
    let host = server.base_url().replace("/v1", "");
    for (name, value) in [("OLLAMA_HOST", host), ("OPENAI_BASE_URL", server.base_url())] {
        let home = Home::bare().env(name, &value);
        let bench = set_up(&home);
        bench.wait_for_text(&server.base_url());
    }
    let home = Home::with(&server).env("OPENAI_API_KEY", "sk-of-the-vendor");
    server.script([text("Hello.")]);
    home.run(&["run", "hi"]).assert_code(0);
    assert_eq!(server.request(2).header("authorization"), None);
    let vendor = json!({"provider": {"vendor": {"base_url": "https://api.openai.com/v1"}}});
    home.configure(&vendor);
    assert!(home.run(&["auth", "list"]).stdout.contains("key in OPENAI_API_KEY"));
}
