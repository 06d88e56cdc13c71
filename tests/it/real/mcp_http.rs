//! Tests with published servers over HTTP, without a bridge. `BENCHDOG_REAL_MCP` is the folder in which
//! `tests/it/real/mcp-servers` installed them.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

pub(super) fn folder() -> String {
    super::told("BENCHDOG_REAL_MCP").expect("BENCHDOG_REAL_MCP names the folder of the servers")
}

/// A program that is killed at the end of the test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
#[ignore = "needs the published servers; BENCHDOG_REAL_MCP names their folder"]
fn a_published_server_works_by_http() {
    const PORT: u16 = 39_171;
    let everything = format!(
        "{}/npm/node_modules/@modelcontextprotocol/server-everything/dist/index.js",
        folder()
    );
    let mut server = Command::new("node");
    server.args([everything.as_str(), "streamableHttp"]);
    server.env("PORT", PORT.to_string());
    server.stdout(Stdio::null()).stderr(Stdio::null());
    let _started = Started(server.spawn().expect("node starts"));
    let is_there = || std::net::TcpStream::connect(("127.0.0.1", PORT)).is_ok();
    assert!(look_until(Duration::from_secs(20), is_there));
    let model = Server::start();
    let home = Home::bare();
    let mut configuration = config(&model.base_url());
    configuration["mcp"] = json!({"everything": {"url": format!("http://127.0.0.1:{PORT}/mcp")}});
    home.configure(&configuration);
    home.run(&["mcp", "check"]).assert_code(0);
    let calls = [
        ("everything__echo", json!({"message": "hello"}), "hello"),
        (
            "everything__trigger-long-running-operation",
            json!({"duration": 2, "steps": 2}),
            "completed",
        ),
        ("everything__get-sum", json!({"a": 2, "b": 3}), "5"),
    ];
    model.script(calls.iter().map(|(tool, arguments, _)| call(tool, arguments.clone())));
    model.script([text("All of them.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "use it"]);
    run.assert_code(0);
    for (at, (tool, _, wanted)) in calls.iter().enumerate() {
        let told = model.request(at + 2).last("tool").to_owned();
        assert!(told.contains(wanted), "{tool}: {told}");
    }
    let is_progress = |one: &serde_json::Value| one["text"].as_str().is_some_and(|text| text.starts_with("1/2"));
    assert!(run.events("tool_output").iter().any(is_progress), "{run}");
}
