//! Tests of a server's requests and messages during a call. They are answered within limits, and stored without
//! secrets.

use serde_json::json;

use super::hostile::run;
use super::peer::{self, notes};
use super::result;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;

#[test]
fn a_server_that_asks_without_end_is_ended_and_the_turn_goes_on() {
    let (home, server, _run) = run("asks without end", &[("files__echo", json!({"text": "dry"}))]);
    let told = result(&server, 2);
    assert!(told.starts_with("server_floods: "), "{told}");
    let answered = notes(&home).lines().filter(|line| line.contains("\"id\":\"p")).count();
    assert!(answered <= 50, "{answered}");
}

#[test]
fn what_a_server_says_of_its_own_secrets_stands_in_no_log_and_in_no_kept_answer() {
    let server = Server::start();
    let home = Home::bare();
    let mut configuration = peer::configuration(&home, &server, &[("files", "plain")]);
    configuration["mcp"]["files"]["environment"]["FILES_TOKEN"] = json!("token-of-the-tests-4711");
    home.configure(&configuration);
    server.script([call("files__tells_a_secret", json!({})), text("ok")]);
    home.run(&["run", "--approve", "all", "go"]).assert_code(0);
    let told = result(&server, 2);
    assert!(told.contains("[benchdog:redacted:") && !told.contains("4711"), "{told}");
    let path = told
        .split("the whole is in ")
        .nth(1)
        .and_then(|rest| rest.split(';').next());
    let kept = std::fs::read_to_string(path.expect("a long answer is kept")).unwrap();
    assert!(
        kept.contains("0123456789") && !kept.contains("4711"),
        "{} bytes",
        kept.len()
    );
    let log = std::fs::read_to_string(home.benchdog_home().join("logs/mcp/files.log")).unwrap();
    assert!(log.contains("connecting with") && !log.contains("4711"), "{log}");
}
