//! Tests of the sign-in at an MCP server. The link appears at once, only the right callback is accepted, and tokens are
//! never shown.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use serde_json::{Value, json};

use super::http::configured;
use super::place::{Odd, Place};
use super::result;
use super::web;
use crate::support::home::Home;
use crate::support::process::{Finished, Running, look_until};
use crate::support::reply::{call, text};
use crate::support::server::Server;

pub fn home(place: &Place, model: &Server, more: &Value) -> Home {
    let home = Home::bare();
    home.configure(&configured(model, &place.web, more));
    home
}

pub fn link(running: &Running) -> String {
    running.wait_for_stdout("code_challenge=");
    let shown = running.stdout();
    let link = shown.lines().find(|line| line.starts_with("http"));
    link.unwrap_or_else(|| panic!("a link: {shown}")).to_owned()
}

/// Signs in as a person who consents.
pub fn signed_in(place: &Place, home: &Home) -> Finished {
    let running = home.start(&["mcp", "login", "far"], None);
    web::opens(&place.agrees(&link(&running)));
    running.wait()
}

fn run(home: &Home, model: &Server) -> Finished {
    model.script([call("far__echo", json!({"text": "hello"})), text("Done.")]);
    home.run(&["run", "--approve", "all", "--output", "stream-json", "say hello"])
}

/// Checks that only the token file contains tokens.
pub fn assert_kept_to_itself(home: &Home, said: &[&Finished]) {
    for finished in said {
        let all = finished.to_string();
        assert!(!all.contains("acc3ss-") && !all.contains("r3fresh-"), "{all}");
    }
    let mut folders = vec![home.benchdog_home(), home.project()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap_or_default();
            let holds = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
            let is_its_own = path.ends_with("data/mcp/credentials.json");
            assert!(
                is_its_own || !(holds(b"acc3ss-") || holds(b"r3fresh-")),
                "{}",
                path.display()
            );
        }
    }
}

pub fn tokens(home: &Home) -> String {
    std::fs::read_to_string(home.benchdog_home().join("data/mcp/credentials.json")).unwrap_or_default()
}

#[test]
fn a_person_signs_in_and_the_tools_are_there_until_they_sign_out() {
    for odd in [Odd::Nothing, Odd::Old, Odd::WithSecret] {
        let (place, model) = (Place::start(odd), Server::start());
        let home = home(&place, &model, &json!({}));
        let before = home.run(&["mcp", "check", "far"]);
        assert!(
            before
                .stdout
                .contains("the server needs a sign-in: `benchdog mcp login far`"),
            "{before}"
        );
        let signed = signed_in(&place, &home);
        signed.assert_code(0);
        assert!(
            signed.stdout.contains("Signed in to `far`.\nfar: ready\n  far__echo"),
            "{odd:?}: {signed}"
        );
        let file = home.benchdog_home().join("data/mcp/credentials.json");
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let ran = run(&home, &model);
        assert_eq!(result(&model, 2), "hello!", "{odd:?}: {ran}");
        assert_kept_to_itself(&home, &[&signed, &ran]);
        home.run(&["mcp", "logout", "far"]).assert_code(0);
        assert!(!tokens(&home).contains("acc3ss-"), "{}", tokens(&home));
        if odd != Odd::Old {
            let told = place
                .web
                .wait_for("that it is taken back", |asked| asked.path == "/revoke");
            assert!(
                told.field("token").is_some_and(|token| token.starts_with("r3fresh-")),
                "{told:?}"
            );
        }
        let again = home.run(&["mcp", "logout", "far"]);
        assert!(again.stdout.contains("You are not signed in"), "{again}");
    }
}

#[test]
fn a_token_that_has_ended_is_renewed_and_one_that_was_taken_back_is_one_row() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    place.expire();
    let ran = run(&home, &model);
    assert_eq!(result(&model, 2), "hello!", "{ran}");
    let renewed = place
        .web
        .asked()
        .iter()
        .filter(|asked| asked.field("grant_type").as_deref() == Some("refresh_token"))
        .count();
    assert_eq!(renewed, 1, "once, and kept");
    place.revoke();
    let checked = home.run(&["mcp", "check"]);
    checked.assert_code(1);
    assert!(
        checked
            .stdout
            .contains("the sign-in has expired or was revoked: `benchdog mcp login far`"),
        "{checked}"
    );
    assert_eq!(checked.stdout.lines().count(), 2, "one row: {checked}");
    let next = home.run(&["mcp", "check"]);
    assert!(
        next.stdout.contains("the server needs a sign-in"),
        "nothing is kept of it: {next}"
    );
    assert_kept_to_itself(&home, &[&ran, &checked]);
}

#[test]
fn a_token_that_says_when_it_ends_is_renewed_before_it_is_sent() {
    let (place, model) = (Place::start(Odd::ShortLived), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    let refused = |place: &Place| {
        let asked = place.web.asked();
        asked.iter().filter(|asked| asked.path == "/token").count()
    };
    let before = refused(&place);
    home.run(&["mcp", "check"]).assert_code(0);
    assert!(refused(&place) > before);
}

#[test]
fn who_sits_elsewhere_pastes_where_their_browser_ended() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({})).window(400, 30);
    let bench = home.open(&["mcp", "login", "far"]);
    bench.wait_for_text("code_challenge=");
    let shown = bench.look(|screen| screen.text());
    let link = shown
        .lines()
        .map(str::trim)
        .find(|line| line.starts_with("http"))
        .unwrap()
        .to_owned();
    bench.send(format!("nonsense\n{}\n", place.agrees(&link)).as_bytes());
    bench.wait_for_text("Signed in to `far`.");
    assert_eq!(bench.wait_exit().exit_code(), 0);
}

#[test]
fn a_client_and_a_port_of_ones_own_are_used_where_nobody_is_registered() {
    let (place, model) = (Place::start(Odd::NoRegistration), Server::start());
    let more = json!({"client_id": "kennel", "scopes": ["read", "write"]});
    let home = home(&place, &model, &more);
    let running = home.start(&["mcp", "login", "far"], None);
    let link = link(&running);
    assert!(!place.web.asked().iter().any(|asked| asked.path == "/register"));
    assert!(
        link.contains("client_id=kennel") && link.contains("scope=read%20write"),
        "{link}"
    );
    web::opens(&place.agrees(&link));
    running.wait().assert_code(0);
}

#[test]
fn a_token_of_ones_own_is_kept_and_sent() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    place.given.lock().unwrap().access.push("acc3ss-by-hand".to_owned());
    let home = home(&place, &model, &json!({"auth": "token"}));
    home.run_with_input(&["mcp", "login", "far"], "acc3ss-by-hand\n")
        .assert_code(0);
    let ran = run(&home, &model);
    assert_eq!(result(&model, 2), "hello!", "{ran}");
    assert_kept_to_itself(&home, &[&ran]);
    place.revoke();
    let checked = home.run(&["mcp", "check"]);
    assert!(
        checked.stdout.contains("the server rejects the token of `mcp.far`"),
        "{checked}"
    );
    let wrong = home.run_with_input(&["mcp", "login", "far"], "acc3ss-that-is-none\n");
    wrong.assert_code(1);
    assert!(!wrong.to_string().contains("acc3ss-that"), "{wrong}");
}

#[test]
fn in_the_workbench_the_link_is_shown_and_copied_and_the_tools_come() {
    let (place, model) = (Place::start(Odd::Nothing), Server::start());
    let home = home(&place, &model, &json!({})).window(160, 45);
    let bench = home.bench(&[]);
    bench.ask("/mcp");
    bench.wait_for_text("the server needs a sign-in");
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("far  not signed in"));
    bench.ask("/mcp login far");
    bench.wait_for_text("code_challenge=");
    let copied = || bench.raw().rsplit("\u{1b}]52;c;").next().map(str::to_owned);
    assert!(
        look_until(Duration::from_secs(5), || bench.raw().contains("\u{1b}]52;c;")),
        "{}",
        bench.raw()
    );
    let copied = copied().unwrap_or_default();
    let copied = copied.split(['\u{7}', '\u{1b}']).next().unwrap_or_default();
    let link = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, copied).expect("what was copied");
    web::opens(&place.agrees(&String::from_utf8(link).expect("a link")));
    bench.wait_for("the tools", |screen| {
        screen.has("far  ready") && screen.has("Signed in.")
    });
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("far  ready"));
    bench.leave();
    assert!(!bench.raw().contains("acc3ss-"));
}

#[test]
fn the_secret_of_a_client_is_of_a_variable_and_goes_to_the_place_alone() {
    let (place, model) = (Place::start(Odd::WithSecret), Server::start());
    let more = json!({"client_id": "client-1", "client_secret_env": ["KENNEL_SECRET"]});
    let home = home(&place, &model, &more).env("KENNEL_SECRET", "s3cret/of:client");
    signed_in(&place, &home).assert_code(0);
    let asked = place.web.asked();
    assert!(!asked.iter().any(|asked| asked.path == "/register"));
    let elsewhere = asked.iter().filter(|asked| asked.path != "/token");
    for one in elsewhere {
        assert!(
            one.header("authorization")
                .is_none_or(|told| told.starts_with("Bearer acc3ss-")),
            "{one:?}"
        );
    }
}

#[test]
fn a_call_that_wants_more_than_was_signed_in_for_fails_alone_and_says_what() {
    let (place, model) = (Place::start(Odd::Narrow), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    let ran = run(&home, &model);
    assert!(result(&model, 2).contains("lacks the scope `tools dogs`"), "{ran}");
    home.run(&["mcp", "check"]).assert_code(0);
}

#[test]
fn a_token_that_a_tool_repeats_is_read_by_nobody() {
    let (place, model) = (Place::start(Odd::Repeats), Server::start());
    let home = home(&place, &model, &json!({}));
    signed_in(&place, &home).assert_code(0);
    let ran = run(&home, &model);
    assert_eq!(result(&model, 2), "you sent [token]", "{ran}");
    assert_kept_to_itself(&home, &[&ran]);
}
