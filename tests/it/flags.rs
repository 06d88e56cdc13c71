//! Tests of flags that choose a server, a model or its behaviour. Each flag has an effect or gives an error.

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::reply::{status, text};
use crate::support::server::{MODEL, Server};

#[test]
fn a_server_and_a_temperature_of_the_command_line_reach_the_request() {
    let server = Server::start();
    let home = Home::bare();
    server.script([text("hello")]);
    let url = server.base_url();
    let run = home.run(&[
        "run",
        "--base-url",
        &url,
        "-m",
        "some/model",
        "--temperature",
        "0.4",
        "hi",
    ]);
    run.assert_code(0);
    let body = &server.requests()[0].body;
    assert_eq!(
        (&body["model"], &body["temperature"]),
        (&json!("some/model"), &json!(0.4))
    );
}

#[test]
fn a_window_of_the_command_line_is_the_one_that_is_used() {
    let server = Server::start();
    let home = Home::with(&server);
    let run = home.run(&["run", "--context-window", "900", "--output", "json", "hi"]);
    run.assert_code(4);
    assert!(server.requests().is_empty(), "nothing that does not fit is sent");
}

#[test]
fn what_has_no_effect_or_no_sense_is_refused() {
    let home = Home::bare();
    for arguments in [
        &["run", "--temperature", "3", "hi"][..],
        &["run", "--max-price", "-1", "hi"],
        &["--setup", "run", "hi"],
        &["sessions", "list", "--temperature", "1"],
        &["run", "--base-url", "http://a/v1", "--ollama-host", "b", "hi"],
        &["run", "--debug", "--log-level", "info", "hi"],
        &["models", "pull", "qwen3"],
    ] {
        home.run(arguments).assert_code(2);
    }
}

#[test]
fn a_misspelt_command_is_no_prompt_and_the_tables_are_listed() {
    let home = Home::bare();
    let run = home.run(&["demo2"]);
    run.assert_code(2);
    assert!(run.stderr.contains("did you mean `demo`?"), "{run}");
    let run = home.run(&["docs"]);
    run.assert_code(0);
    assert!(run.stdout.contains("keys       Keys and their actions"), "{run}");
    let run = home.run(&["--help"]);
    assert!(run.stdout.contains("  docs "), "{run}");
}

#[test]
fn a_limit_of_costs_without_a_price_says_that_it_limits_nothing() {
    let server = Server::start();
    let home = Home::with(&server);
    let run = home.run(&["run", "--max-price", "1", "hi"]);
    run.assert_code(2);
    assert!(run.stderr.contains("have no effect"), "{run}");
    server.script([text("a")]);
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"][MODEL]["price"] = json!({"input": 1, "output": 1});
    home.configure(&settings);
    let run = home.run(&["run", "--max-cost", "1", "hi"]);
    run.assert_code(0);
    assert!(!run.stderr.contains("have no effect"), "{run}");
}

#[test]
fn a_key_that_is_asked_for_and_not_there_stops_a_run_before_anything_is_sent() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api_key_env"] = json!(["HOUSE_KEY", "OTHER_KEY"]);
    home.configure(&settings);
    let run = home.run(&["run", "hi"]);
    run.assert_code(2);
    for word in ["`HOUSE_KEY`, `OTHER_KEY`", "benchdog auth set kit"] {
        assert!(run.stderr.contains(word), "{word}: {run}");
    }
    assert!(server.requests().is_empty());
    server.script([text("hello")]);
    home.env("OTHER_KEY", "k-123").run(&["run", "hi"]).assert_code(0);
}

#[test]
fn the_models_of_all_servers_are_listed_and_one_that_is_silent_is_named() {
    let server = Server::start();
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["gone"] = json!({"base_url": "http://127.0.0.1:9/v1"});
    home.configure(&settings);
    let run = home.run(&["models", "--json"]);
    run.assert_code(0);
    let told: serde_json::Value = serde_json::from_str(&run.stdout).expect("one object");
    assert_eq!(told["models"][0]["id"], MODEL);
    assert_eq!(told["models"][0]["current"], true);
    assert_eq!(told["failed"][0]["provider"], "gone");
    let table = home.run(&["models"]);
    assert!(table.stdout.contains(&format!("* kit/{MODEL}")), "{table}");
    let shown = home.run(&["models", "show", MODEL]);
    shown.assert_code(0);
    assert!(shown.stdout.contains(&server.base_url()), "{shown}");
    let nobody = Home::bare().run(&["models", "list", "--base-url", "http://127.0.0.1:9/v1"]);
    nobody.assert_code(5);
    assert!(nobody.stderr.contains("127.0.0.1:9"), "{nobody}");
}

#[test]
fn a_model_the_server_does_not_have_is_answered_with_what_it_offers() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([status(404, "the model does not exist")]);
    let run = home.run(&["run", "-m", &format!("kit/{MODEL}x"), "hi"]);
    run.assert_code(5);
    assert!(run.stderr.contains(&format!("the server offers `{MODEL}`")), "{run}");
}

#[test]
fn a_run_without_a_model_takes_what_the_server_offers_or_says_that_it_offers_none() {
    let server = Server::start();
    server.script([text("hello")]);
    let run = Home::bare().run(&["run", "--base-url", &server.base_url(), "hi"]);
    run.assert_code(0);
    assert_eq!(server.requests()[0].body["model"], MODEL);
    let run = Home::bare().run(&["run", "--output", "json", "--base-url", "http://127.0.0.1:9/v1", "hi"]);
    run.assert_code(5);
    assert!(run.stderr.contains("127.0.0.1:9"), "{run}");
    assert!(
        run.stdout.contains("\"session\":null"),
        "scripts get their last object: {run}"
    );
}

#[test]
fn a_folder_that_holds_more_than_a_project_is_named_at_the_start() {
    let server = Server::start();
    let home = Home::with(&server);
    let says = |home: &Home, folder: &str, what: &str| {
        server.script([text("ok")]);
        let run = home.run(&["run", "-C", folder, "hello"]);
        run.assert_code(0);
        run.stderr.contains(what)
    };
    let warns = |home: &Home, folder: &str| says(home, folder, "contains more than one project");
    let project = home.project().display().to_string();
    assert!(!warns(&home, &project));
    let home = home.env("HOME", &project);
    assert!(warns(&home, &project));
    std::fs::create_dir_all(home.path("au/work")).expect("folders");
    for rules in ["AGENTS.md", "au/work/AGENTS.md"] {
        std::fs::write(home.path(rules), "Be brief.").expect("rules");
    }
    assert!(
        says(&home, &project, "`AGENTS.md`"),
        "those of the folder itself are refused"
    );
    assert!(!says(&home, &project, "au/work"), "those of others are not gathered");
    std::fs::create_dir_all(home.path("Downloads/inside")).expect("folders");
    assert!(warns(&home, &format!("{project}/Downloads")));
    assert!(!warns(&home, &format!("{project}/Downloads/inside")));
    for folder in ["/usr", "/usr/lib", "/etc", "/var"] {
        assert!(says(&home, folder, "contains system files"), "{folder}");
    }
}
