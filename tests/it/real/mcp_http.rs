//! Published servers and the public scenarios for clients by HTTP, without a bridge: `BENCHDOG_REAL_MCP` names the folder that
//! `tests/it/real/mcp-servers` installed them into. A person who says yes is played by curl.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::support::home::{Home, config};
use crate::support::process::look_until;
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// What a client of ours is put through with a sign-in.
const SIGN_INS: [&str; 17] = [
    "metadata-default",
    "metadata-var1",
    "metadata-var2",
    "metadata-var3",
    "scope-from-www-authenticate",
    "scope-from-scopes-supported",
    "scope-omitted-when-undefined",
    "scope-retry-limit",
    "token-endpoint-auth-basic",
    "token-endpoint-auth-post",
    "token-endpoint-auth-none",
    "pre-registration",
    "2025-03-26-oauth-metadata-backcompat",
    "2025-03-26-oauth-endpoint-fallback",
    "resource-mismatch",
    "offline-access-scope",
    "offline-access-not-supported",
];

fn folder() -> String {
    super::told("BENCHDOG_REAL_MCP").expect("BENCHDOG_REAL_MCP names the folder of the servers")
}

/// A program that ends with the test.
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

/// What the suite says of one scenario.
fn scenario(home: &Home, form: &serde_json::Value, name: &str, signs_in: &str) -> String {
    let folder = folder();
    let place = home.outside().join("form.jsonc");
    let form = form.to_string().replace("\"@MORE@\":0", "\"timeout_ms\":20000@MORE@");
    std::fs::write(&place, form).expect("a form");
    let own = home.benchdog_home().join("config.jsonc");
    let ours = home.command(&[]);
    let environment = ours.get_envs().filter_map(|(name, value)| Some((name, value?)));
    let mut suite = Command::new(format!("{folder}/node22/node_modules/.bin/node"));
    suite.current_dir(home.project()).env_clear().envs(environment);
    suite
        .env("FORM", place)
        .env("OWN", own)
        .env("BENCHDOG", &home.program[0]);
    suite.env("SIGNS_IN", signs_in);
    suite.arg(format!(
        "{folder}/npm/node_modules/@modelcontextprotocol/conformance/dist/index.js"
    ));
    let client = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/real/mcp-client");
    suite.args(["client", "--command", &format!("sh {client}")]);
    suite.args(["--scenario", name, "--timeout", "60000"]);
    // What it writes into a pipe is lost.
    let said = home.outside().join("said");
    let file = std::fs::File::create(&said).expect("a file");
    suite.stdin(Stdio::null()).stderr(file.try_clone().expect("a file"));
    suite.stdout(file);
    suite.status().expect("the suite starts");
    std::fs::read_to_string(said).expect("what it said")
}

#[test]
#[ignore = "needs the public scenarios; BENCHDOG_REAL_MCP names their folder"]
fn the_public_scenarios_for_clients_pass_by_http() {
    let model = Server::start();
    let mut form = config(&model.base_url());
    form["mcp"] = json!({"conf": {"url": "@URL@", "@MORE@": 0}});
    for (name, calls) in [
        ("initialize", vec![]),
        ("tools_call", vec![call("conf__add_numbers", json!({"a": 5, "b": 3}))]),
        ("sse-retry", vec![call("conf__test_reconnection", json!({}))]),
    ] {
        model.script(calls);
        model.script([text("Done.")]);
        let said = scenario(&Home::bare(), &form, name, "");
        assert!(said.contains("OVERALL: PASSED"), "{name}: {said}");
    }
    for name in SIGN_INS {
        let said = scenario(&Home::bare(), &form, &format!("auth/{name}"), "yes");
        assert!(said.contains("OVERALL: PASSED"), "{name}: {said}");
    }
}
