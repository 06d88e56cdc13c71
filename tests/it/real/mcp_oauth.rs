//! Tests of the sign-in at a published authorization server (npm's `oidc-provider`), for an MCP server with the
//! official SDK. They need no network.
//!
//! `tests/it/real/mcp-servers` installs both into `BENCHDOG_REAL_MCP`, and `mcp-oauth.mjs` starts them. curl acts as
//! the person.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::process::{Finished, look_until};
use crate::support::reply::{call, text};
use crate::support::server::Server;

const PATIENCE: Duration = Duration::from_secs(20);

/// The MCP server and the authorization server. Both end with the test.
struct Place {
    child: Child,
    said: PathBuf,
    _folder: tempfile::TempDir,
    url: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Place {
    fn start() -> Self {
        let packages = super::told("BENCHDOG_REAL_MCP").expect("BENCHDOG_REAL_MCP names the folder of the servers");
        let folder = tempfile::tempdir().expect("a folder");
        let said = folder.path().join("said");
        let mut node = Command::new(format!("{packages}/node22/node_modules/.bin/node"));
        node.arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/real/mcp-oauth.mjs"));
        node.arg(packages).stdin(Stdio::piped()).stderr(Stdio::null());
        node.stdout(std::fs::File::create(&said).expect("a file"));
        let child = node.spawn().expect("node starts");
        let mut place = Self {
            child,
            said,
            _folder: folder,
            url: String::new(),
        };
        let first = place.waits_for("where it is", |told| told["server"].is_string());
        place.url = first["server"].as_str().unwrap_or_default().to_owned();
        place
    }

    fn told(&self) -> Vec<Value> {
        let said = std::fs::read_to_string(&self.said).unwrap_or_default();
        let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
        whole
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    }

    #[track_caller]
    fn waits_for(&self, what: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        let mut found = None;
        look_until(PATIENCE, || {
            found = self.told().into_iter().find(|told| is_it(told));
            found.is_some()
        });
        found.unwrap_or_else(|| panic!("{what} never came: {:#?}", self.told()))
    }

    fn does(&mut self, what: &str) {
        let before = self.told().len();
        let input = self.child.stdin.as_mut().expect("its input");
        writeln!(input, "{what}").expect("it listens");
        let done = || {
            self.told()
                .get(before..)
                .is_some_and(|told| told.iter().any(|told| told["did"] == what))
        };
        assert!(look_until(PATIENCE, done), "{what}: {:#?}", self.told());
    }

    fn count(&self, wanted: &Value) -> usize {
        let fits = |told: &&Value| {
            let all = wanted.as_object().into_iter().flatten();
            all.into_iter().all(|(name, value)| told[name] == *value)
        };
        self.told().iter().filter(fits).count()
    }

    fn home(&self, model: &Server) -> Home {
        let home = Home::bare();
        let mut whole = config(&model.base_url());
        whole["mcp"] = json!({"far": {"url": self.url, "timeout_ms": 20_000}});
        home.configure(&whole);
        home
    }
}

fn signed_in(home: &Home) -> Finished {
    let running = home.start(&["mcp", "login", "far"], None);
    running.wait_for_stdout("code_challenge=");
    let shown = running.stdout();
    let link = shown.lines().find(|line| line.starts_with("http")).expect("a link");
    let jar = home.outside().join("cookies");
    let mut curl = Command::new("curl");
    curl.args(["-sL", "-o", "/dev/null", "-c"])
        .arg(&jar)
        .arg("-b")
        .arg(&jar)
        .arg(link);
    assert!(curl.status().expect("curl starts").success(), "{shown}");
    running.wait()
}

fn run(home: &Home, model: &Server, tool: &str, arguments: Value) -> Finished {
    model.script([call(tool, arguments), text("Done.")]);
    home.run(&["run", "--approve", "all", "--output", "stream-json", "use it"])
}

fn result(model: &Server) -> String {
    model
        .requests()
        .last()
        .map(|request| request.last("tool").to_owned())
        .unwrap_or_default()
}

fn secrets(home: &Home) -> BTreeSet<String> {
    let kept = std::fs::read(home.benchdog_home().join("data/mcp/credentials.json")).unwrap_or_default();
    let whole: Value = serde_json::from_slice(&kept).unwrap_or_default();
    let tokens = whole["tokens"].as_array().cloned().unwrap_or_default();
    let of = |token: &Value| ["access", "refresh"].map(|kind| token[kind].as_str().map(str::to_owned));
    tokens.iter().flat_map(of).flatten().collect()
}

#[test]
#[ignore = "needs the published servers; BENCHDOG_REAL_MCP names their folder"]
fn a_sign_in_is_renewed_side_by_side_and_taken_back() {
    let (mut place, model) = (Place::start(), Server::start());
    let home = place.home(&model);
    let before = home.run(&["mcp", "check", "far"]);
    assert!(before.stdout.contains("the server needs a sign-in"), "{before}");
    place.does("ttl 3");
    let signed = signed_in(&home);
    signed.assert_code(0);
    let asked = place.waits_for("what was agreed to", |told| told["asked"] == "consent");
    assert_eq!(asked["resource"], place.url, "{asked}");
    assert_eq!(asked["scope"], "tools offline_access", "{asked}");
    assert_eq!(place.count(&json!({"event": "registration_create.success"})), 1);
    assert_eq!(secrets(&home).len(), 2, "a token, and what renews it");
    std::thread::sleep(Duration::from_millis(3_200));
    // A refresh token is valid once. A second use revokes everything.
    let first = secrets(&home);
    let checks: Vec<_> = (0..4).map(|_| home.start(&["mcp", "check", "far"], None)).collect();
    for check in checks {
        check.wait().assert_code(0);
    }
    assert!(first.is_disjoint(&secrets(&home)), "both are others now");
    std::thread::sleep(Duration::from_millis(3_200));
    let ran = run(&home, &model, "far__echo", json!({"text": "hello"}));
    assert_eq!(result(&model), "hello!", "{ran}");
    assert!(place.count(&json!({"event": "grant.success", "by": "refresh_token"})) >= 2);
    for odd in ["grant.error", "grant.revoked", "server_error"] {
        assert_eq!(place.count(&json!({"event": odd})), 0, "{:#?}", place.told());
    }
    home.run(&["mcp", "logout", "far"]).assert_code(0);
    place.waits_for("that it is taken back", |told| told["event"] == "grant.revoked");
    let after = home.run(&["mcp", "check", "far"]);
    assert!(after.stdout.contains("the server needs a sign-in"), "{after}");
}

#[test]
#[ignore = "needs the published servers; BENCHDOG_REAL_MCP names their folder"]
fn a_sign_in_that_was_taken_back_elsewhere_is_one_row() {
    let (mut place, model) = (Place::start(), Server::start());
    let home = place.home(&model);
    signed_in(&home).assert_code(0);
    place.does("revoke");
    run(&home, &model, "far__echo", json!({"text": "hello"})).assert_code(0);
    let checked = home.run(&["mcp", "check"]);
    checked.assert_code(1);
    assert!(checked.stdout.contains("`benchdog mcp login far`"), "{checked}");
    assert!(secrets(&home).is_empty());
    signed_in(&home).assert_code(0);
    home.run(&["mcp", "check"]).assert_code(0);
}

#[test]
#[ignore = "needs the published servers; BENCHDOG_REAL_MCP names their folder"]
fn a_token_for_another_server_is_not_taken_and_asked_for_once() {
    let (mut place, model) = (Place::start(), Server::start());
    let home = place.home(&model);
    place.does("audience https://elsewhere.example/mcp");
    let signed = signed_in(&home);
    signed.assert_code(1);
    assert!(secrets(&home).is_empty());
    let shown = place.count(&json!({"shown": "of another audience"}));
    assert!((1..=2).contains(&shown), "{:#?}", place.told());
    place.does("audience");
    signed_in(&home).assert_code(0);
    // The server issues other tokens from now on. The MCP server is called once with each.
    place.does("audience https://elsewhere.example/mcp");
    place.does("ttl 1");
    place.does("revoke");
    let ran = run(&home, &model, "far__echo", json!({"text": "hello"}));
    ran.assert_code(0);
    assert!(
        place.count(&json!({"shown": "of another audience"})) <= shown + 1,
        "{:#?}",
        place.told()
    );
}

#[test]
#[ignore = "needs the published servers; BENCHDOG_REAL_MCP names their folder"]
fn no_token_stands_anywhere_but_in_its_file() {
    let (mut place, model) = (Place::start(), Server::start());
    let home = place.home(&model).env("BENCHDOG_LOG", "trace").window(160, 45);
    place.does("ttl 3");
    let mut all = signed_in(&home).to_string();
    let mut tokens = secrets(&home);
    let ran = run(&home, &model, "far__repeat", json!({}));
    assert!(result(&model).contains("sent: "), "{ran}");
    tokens.extend(secrets(&home));
    std::thread::sleep(Duration::from_millis(3_200));
    let bench = home.bench(&[]);
    model.script([
        call("far__repeat", json!({})),
        call(
            "bash",
            json!({"command": "env; cat /proc/*/cmdline | tr '\\0' ' '; sleep 1"}),
        ),
        text("Done."),
    ]);
    bench.ask("use it");
    bench.accept("far__repeat");
    bench.accept("cat /proc");
    bench.wait_for_text("Done.");
    for (pid, line) in home.processes() {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        all.push_str(&format!("{line}\n{}\n", String::from_utf8_lossy(&environment)));
    }
    bench.ask("/mcp");
    bench.wait_for_text("far  ready");
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("far  ready"));
    bench.leave();
    tokens.extend(secrets(&home));
    all.push_str(&bench.raw());
    all.push_str(&ran.to_string());
    for request in model.requests() {
        all.push_str(&request.raw);
    }
    let listed = home.run(&["sessions", "list"]);
    let id = listed.stdout.split_whitespace().next().expect("a session").to_owned();
    for form in ["markdown", "json", "jsonl"] {
        let shown = home.run(&["sessions", "show", &id, "--format", form]);
        shown.assert_code(0);
        all.push_str(&shown.to_string());
    }
    all.push_str(&home.run(&["config", "show"]).to_string());
    all.push_str(&home.run(&["doctor", "--json"]).to_string());
    assert!(tokens.len() >= 4, "{tokens:?}");
    for token in &tokens {
        assert!(!all.contains(token.as_str()), "{token}: {all}");
        for path in files(&home) {
            let bytes = std::fs::read(&path).unwrap_or_default();
            let holds = bytes.windows(token.len()).any(|part| part == token.as_bytes());
            assert!(
                !holds || path.ends_with("data/mcp/credentials.json"),
                "{}",
                path.display()
            );
        }
    }
}

fn files(home: &Home) -> Vec<PathBuf> {
    let mut folders = vec![home.benchdog_home(), home.project(), home.user_home()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            match entry.path() {
                path if path.is_dir() => folders.push(path),
                path => files.push(path),
            }
        }
    }
    files
}
