//! Runs all public client scenarios over HTTP. `BENCHDOG_REAL_MCP` is the folder in which `tests/it/real/mcp-servers`
//! installed them.
//!
//! A workbench or curl acts as the person, and consents to every sign-in.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use super::mcp_http::folder;
use crate::mcp::wider::copied;
use crate::support::bench::enter_counts;
use crate::support::home::{Home, config};
use crate::support::process::look_until;
use crate::support::pty::Pty;
use crate::support::reply::{call, text};
use crate::support::server::Server;

/// Scenarios without a sign-in, and the tool that the model calls.
const RUNS: [(&str, Option<&str>); 3] = [
    ("initialize", None),
    ("tools_call", Some("conf__add_numbers")),
    ("sse-retry", Some("conf__test_reconnection")),
];

const LOGINS: [&str; 18] = [
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/basic-cimd",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/pre-registration",
    "auth/2025-03-26-oauth-metadata-backcompat",
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
];

const ALONE: [&str; 3] = [
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
    "auth/cross-app-access-complete-flow",
];

const AT_A_BENCH: [&str; 2] = ["elicitation-sep1034-client-defaults", "auth/scope-step-up"];

/// The suite. Its output is written to a file, because a pipe would lose it.
struct Suite {
    child: Child,
    said: PathBuf,
}

impl Suite {
    fn start(home: &Home, form: &Value, name: &str, how: &str) -> Self {
        let place = home.outside().join("form.jsonc");
        let form = form.to_string().replace("\"@MORE@\":0", "\"timeout_ms\":20000@MORE@");
        std::fs::write(&place, form).expect("a form");
        let ours = home.command(&[]);
        let environment = ours.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let mut suite = suite();
        suite.current_dir(home.project()).env_clear().envs(environment);
        suite.env("FORM", place).env("OWN", own(home)).env("HOW", how);
        suite.env("BENCHDOG", &home.program[0]);
        let client = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/real/mcp-client");
        suite.args(["client", "--command", &format!("sh {client}")]);
        suite.args(["--scenario", name, "--timeout", "60000"]);
        let said = home.outside().join("said");
        let file = std::fs::File::create(&said).expect("a file");
        suite.stdin(Stdio::null()).stderr(file.try_clone().expect("a file"));
        let child = suite.stdout(file).spawn().expect("the suite starts");
        Self { child, said }
    }

    fn assert_passed(mut self, name: &str) {
        self.child.wait().expect("the suite ends");
        let said = std::fs::read_to_string(&self.said).expect("what it said");
        let is_whole = said.contains("OVERALL: PASSED") && !said.contains("Warning Checks");
        assert!(is_whole, "{name}: {said}");
    }
}

fn suite() -> Command {
    let folder = folder();
    let mut suite = Command::new(format!("{folder}/node22/node_modules/.bin/node"));
    suite.arg(format!(
        "{folder}/npm/node_modules/@modelcontextprotocol/conformance/dist/index.js"
    ));
    suite
}

fn own(home: &Home) -> PathBuf {
    home.benchdog_home().join("config.jsonc")
}

fn form(model: &Server) -> Value {
    let mut form = config(&model.base_url());
    form["mcp"] = json!({"conf": {"url": "@URL@", "@MORE@": 0}});
    form["permission"] = json!({"conf__*": "allow"});
    form
}

/// Runs a workbench with the scenario's server until the suite has ended.
fn played(name: &str, plays: impl FnOnce(&Pty, &Server)) {
    let model = Server::start();
    let home = Home::bare().window(160, 45);
    let suite = Suite::start(&home, &form(&model), name, "bench");
    let beside = |ending: &str| PathBuf::from(format!("{}.{ending}", own(&home).display()));
    assert!(look_until(Duration::from_secs(30), || beside("ready").exists()));
    let bench = home.bench(&[]);
    plays(&bench, &model);
    bench.leave();
    std::fs::write(beside("over"), "").expect("a file");
    suite.assert_passed(name);
}

fn accepts_every_default(bench: &Pty, model: &Server) {
    model.script([
        call("conf__test_client_elicitation_defaults", json!({})),
        text("Noted."),
    ]);
    bench.ask("go");
    bench.wait_for_text("Decline");
    bench.keys("alt-a");
    for (shown, what) in [
        ("› 1 ( ) Fill in the form", "next"),
        ("› John Doe", "next"),
        ("› 30", "next"),
        ("› 95.5", "next"),
        ("› 2 ( ) active", "next"),
        ("› 3 ( ) yes", "next"),
        ("95.5", "send"),
    ] {
        bench.wait_for(shown, |screen| screen.has(shown) && enter_counts(screen, what));
        bench.keys("enter");
    }
    bench.wait_for_text("Noted.");
}

fn signs_in(bench: &Pty) {
    let before = bench.raw().matches("]52;c;").count();
    bench.ask("/mcp login conf");
    assert!(look_until(Duration::from_secs(20), || bench
        .raw()
        .matches("]52;c;")
        .count()
        > before));
    let browser = Command::new("curl")
        .args(["-sL", "-o", "/dev/null", &copied(&bench.raw())])
        .status();
    assert!(browser.expect("curl").success());
    bench.wait_for_text("Signed in.");
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("Signed in."));
}

fn signs_in_for_more(bench: &Pty, model: &Server) {
    signs_in(bench);
    for said in ["It wants more.", "Done."] {
        model.script([call("conf__test-tool", json!({})), text(said)]);
        bench.ask("go");
        bench.wait_for_text(said);
        if said != "Done." {
            signs_in(bench);
        }
    }
    let told = model.request(model.requests().len()).last("tool").to_owned();
    assert_eq!(told, "test");
}

#[test]
#[ignore = "needs the public scenarios; BENCHDOG_REAL_MCP names their folder"]
fn the_public_scenarios_for_clients_pass_by_http() {
    let model = Server::start();
    let arguments = |tool: &str| match tool {
        "conf__add_numbers" => json!({"a": 5, "b": 3}),
        _ => json!({}),
    };
    for (name, tool) in RUNS {
        model.script(tool.map(|tool| call(tool, arguments(tool))));
        model.script([text("Done.")]);
        Suite::start(&Home::bare(), &form(&model), name, "run").assert_passed(name);
    }
    for (names, how) in [(&LOGINS[..], "login"), (&ALONE[..], "check")] {
        for name in names {
            Suite::start(&Home::bare(), &form(&model), name, how).assert_passed(name);
        }
    }
    played(AT_A_BENCH[0], accepts_every_default);
    played(AT_A_BENCH[1], signs_in_for_more);
}

#[test]
#[ignore = "needs the public scenarios; BENCHDOG_REAL_MCP names their folder"]
fn every_public_scenario_for_clients_is_in_the_list() {
    let out = suite().args(["list", "--client"]).output().expect("the list");
    let listed = String::from_utf8_lossy(&out.stdout).into_owned();
    let lines = listed.lines().filter_map(|line| line.trim().strip_prefix("- "));
    let mut listed: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    let runs = RUNS.iter().map(|(name, _)| *name);
    let mut own: Vec<&str> = runs.chain(LOGINS).chain(ALONE).chain(AT_A_BENCH).collect();
    listed.sort_unstable();
    own.sort_unstable();
    assert_eq!(own, listed);
}
