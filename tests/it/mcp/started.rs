//! Tests of the start and end of MCP servers.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::json;

use super::peer::{self, home};
use super::result;
use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;
use crate::support::traced::recorder;

#[test]
fn nothing_is_started_before_something_is_sent() {
    let server = Server::start();
    let names: Vec<String> = (0..10).map(|at| format!("s{at}")).collect();
    let servers: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "plain")).collect();
    let home = home(&server, &servers);
    let bench = home.bench(&[]);
    let lines: Vec<String> = home.processes().into_iter().map(|(_, line)| line).collect();
    assert!(!lines.iter().any(|line| line.contains("speaks")), "{lines:?}");
    bench.leave();
}

/// Returns the normalised files, programs and addresses that the workbench uses until it is idle.
fn touched(home: Home, file: &std::path::Path) -> Option<BTreeSet<String>> {
    let mut home = home;
    let mut program = recorder(file)?;
    program.append(&mut home.program);
    home.program = program;
    let bench = home.bench(&[]);
    bench.rests(Duration::from_millis(500));
    bench.leave();
    let whole = std::fs::read_to_string(file).expect("what was recorded");
    let folder = home.outside().display().to_string();
    // Normalise names of sessions and cache files, and process ids, because they differ.
    let is_id = |part: &str| part.len() >= 16 && part.chars().all(|c| c.is_ascii_hexdigit());
    let same = |part: &str| match part.split_once('.') {
        Some((name, ending)) if is_id(name) => format!("ID.{ending}"),
        _ if is_id(part) => "ID".to_owned(),
        _ => part.chars().filter(|c| !c.is_ascii_digit()).collect(),
    };
    let what = |line: &str| {
        let call = line.split_once(' ')?.1.trim_start();
        let inside = call.split('"').nth(1)?.replace(&folder, "");
        let inside = inside.replace(folder.trim_start_matches('/'), "");
        let varies = inside.starts_with("/proc/") || inside.starts_with("/dev/");
        let inside: Vec<String> = inside.split('/').map(same).collect();
        (!varies).then(|| format!("{} {}", call.split('(').next().unwrap_or_default(), inside.join("/")))
    };
    Some(whole.lines().filter_map(what).collect())
}

#[test]
fn ten_servers_cost_nothing_before_something_is_sent() {
    let server = Server::start();
    let names: Vec<String> = (0..10).map(|at| format!("s{at}")).collect();
    let servers: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "plain")).collect();
    let ten = home(&server, &servers);
    // An earlier run cached the servers' offers.
    ten.run(&["mcp", "check"]).assert_code(0);
    let kept = std::fs::read_dir(ten.benchdog_home().join("cache/mcp")).map(Iterator::count);
    assert!(kept.is_ok_and(|kept| kept > 0));
    let files = tempfile::tempdir().expect("a folder");
    let Some(without) = touched(home(&server, &[]), &files.path().join("without")) else {
        return;
    };
    let with = touched(ten, &files.path().join("with")).expect("it was recorded before");
    assert!(
        without.iter().any(|what| what.ends_with("/benchdog/config.jsonc")),
        "{without:#?}"
    );
    let more: Vec<&String> = with
        .difference(&without)
        .filter(|what| !is_of_the_run_before(what))
        .collect();
    assert!(more.is_empty(), "{more:#?}");
}

/// Whether a path belongs to the earlier run: its data, or the cached prompts that `/` lists.
fn is_of_the_run_before(what: &str) -> bool {
    let places = ["/benchdog/data", "/benchdog/logs", "/benchdog/cache/mcp/ID.json"];
    places.iter().any(|place| what.contains(place)) && !what.contains("/logs/mcp")
}

#[test]
fn a_server_of_a_folder_ends_with_the_trust_in_it() {
    let server = Server::start();
    let home = Home::with(&server);
    let brought = json!({"mcp": {"docs": peer::server(&home, "plain")}});
    home.file(".benchdog/config.jsonc", &brought.to_string());
    server.script([
        call("docs__echo", json!({"text": "one"})),
        text("Said once."),
        call("docs__echo", json!({"text": "two"})),
        text("Said no more."),
    ]);
    let bench = home.bench(&[]);
    let card = |screen: &crate::support::screen::Screen<'_>| screen.has("/trust uses them");
    bench.wait_for("the question", card);
    bench.ask("/trust");
    bench.wait_for("its end", |screen| !card(screen));
    bench.ask("say it");
    bench.accept("docs__echo");
    bench.wait_for_text("Said once.");
    bench.ask("/distrust");
    bench.wait_for("its end", |_| {
        !home
            .processes()
            .iter()
            .any(|(_, line)| line.contains("mcp::peer::speaks"))
    });
    bench.ask("/mcp on docs");
    // A call of a disabled server causes no approval request.
    bench.ask("say it again");
    bench.wait_for_text("Said no more.");
    assert_eq!(result(&server, 2), "one!");
    assert!(!result(&server, 4).contains("two!"), "{}", result(&server, 4));
    bench.leave();
}

#[test]
fn a_server_of_a_folder_is_started_again_only_as_it_was_trusted() {
    let server = Server::start();
    let home = Home::with(&server);
    let mut docs = peer::server(&home, "plain");
    docs["command"].as_array_mut().unwrap().push(json!("tools/docs.js"));
    home.file("tools/docs.js", "trusted");
    home.file(".benchdog/config.jsonc", &json!({"mcp": {"docs": docs}}).to_string());
    server.script([
        call("docs__echo", json!({"text": "one"})),
        call("docs__dies", json!({})),
        text("It has died."),
        call("docs__echo", json!({"text": "two"})),
        text("Not called."),
        call("docs__echo", json!({"text": "three"})),
        text("Called again."),
    ]);
    let bench = home.bench(&["--trust"]);
    bench.ask("say it");
    bench.accept("text: one");
    bench.accept("docs__dies");
    bench.wait_for_text("It has died.");
    home.file("tools/docs.js", "something else");
    bench.ask("again");
    bench.accept("text: two");
    bench.wait_for_text("Not called.");
    let told = result(&server, 5);
    assert!(
        told.starts_with("server_not_started: ") && told.contains("`tools/docs.js`"),
        "{told}"
    );
    bench.ask("/mcp restart docs");
    bench.wait_for_text("`tools/docs.js` has changed since you trusted it");
    bench.keys("esc");
    home.file("tools/docs.js", "trusted");
    bench.ask("/mcp restart docs");
    bench.wait_for("a server that runs", |screen| screen.has("ready"));
    bench.keys("esc");
    bench.ask("once more");
    bench.accept("text: three");
    bench.wait_for_text("Called again.");
    assert_eq!(result(&server, 7), "three!");
    bench.leave();
}
