//! Tests of HTTP servers. Credentials are sent only to their own server, and the turn continues whatever a server
//! answers.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::web::{self, Asked, Said, Web};
use super::{declared, result};
use crate::support::home::{Home, config};
use crate::support::process::Finished;
use crate::support::reply::{call, text};
use crate::support::server::Server;

pub fn speaks(asked: &Asked) -> Said {
    match asked.method.as_str() {
        "GET" => return web::empty(405),
        "DELETE" => return web::empty(200),
        _ => {}
    }
    let message = asked.json();
    let answer = |result: &Value| web::json(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
    match asked.says().as_str() {
        "initialize" => answer(&json!({
            "protocolVersion": message["params"]["protocolVersion"],
            "capabilities": {"tools": {"listChanged": true}, "prompts": {}},
            "serverInfo": {"name": "far", "version": "1"},
        }))
        .with("mcp-session-id", "s-1"),
        "tools/list" => answer(&json!({"tools": [{
            "name": "echo",
            "description": "says it again",
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
        }]})),
        "prompts/list" => answer(&json!({"prompts": [{"name": "review"}]})),
        "tools/call" => {
            let said = message["params"]["arguments"]["text"].as_str().unwrap_or_default();
            answer(&json!({"content": [{"type": "text", "text": format!("{said}!")}]}))
        }
        _ if message["id"].is_null() => web::empty(202),
        method => {
            let error = json!({"code": -32601, "message": format!("no {method} here")});
            web::json(&json!({"jsonrpc": "2.0", "id": message["id"], "error": error}))
        }
    }
}

pub fn configured(model: &Server, web: &Web, more: &Value) -> Value {
    let mut whole = config(&model.base_url());
    whole["mcp"]["far"] = json!({"url": web.at("/mcp"), "timeout_ms": 20_000});
    for (name, value) in more.as_object().into_iter().flatten() {
        whole["mcp"]["far"][name] = value.clone();
    }
    whole
}

pub fn run(web: &Web, more: &Value) -> (Home, Server, Finished) {
    let server = Server::start();
    let home = Home::bare();
    home.configure(&configured(&server, web, more));
    server.script([call("far__echo", json!({"text": "hello"})), text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "say hello"]);
    run.assert_code(0);
    (home, server, run)
}

fn dead(run: &Finished) -> String {
    let notices = run.events("notice");
    let rows: Vec<&Value> = notices
        .iter()
        .filter(|notice| notice["code"] == "server_dead")
        .collect();
    assert_eq!(rows.len(), 1, "one row: {run}");
    rows[0]["text"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_tool_of_a_server_by_http_is_declared_and_called_and_the_session_ends_with_the_run() {
    let web = Web::start(|asked| Some(speaks(asked)));
    let more = json!({"headers": {"X-Org": "${ORG}"}, "token_env": ["FAR_TOKEN"]});
    let server = Server::start();
    let home = Home::bare().env("ORG", "kennel").env("FAR_TOKEN", "t0k-of-the-far-one");
    home.configure(&configured(&server, &web, &more));
    server.script([call("far__echo", json!({"text": "hello"})), text("Done.")]);
    let run = home.run(&["run", "--approve", "all", "--output", "stream-json", "say hello"]);
    run.assert_code(0);
    assert_eq!(result(&server, 2), "hello!", "{run}");
    assert_eq!(declared(&server, 1).last().map(String::as_str), Some("far__echo"));
    let asked = web.asked();
    for one in &asked {
        assert_eq!(
            one.header("authorization"),
            Some("Bearer t0k-of-the-far-one"),
            "{one:?}"
        );
        assert_eq!(one.header("x-org"), Some("kennel"), "{one:?}");
        let is_first = one.says() == "initialize";
        assert_eq!(one.header("mcp-session-id"), (!is_first).then_some("s-1"), "{one:?}");
        assert_eq!(
            one.header("mcp-protocol-version"),
            (!is_first).then_some("2025-11-25"),
            "{one:?}"
        );
    }
    let accepts = asked[0].header("accept").unwrap_or_default();
    assert!(
        accepts.contains("application/json") && accepts.contains("text/event-stream"),
        "{accepts}"
    );
    web.wait_for("the end of the session", |asked| asked.method == "DELETE");
    assert!(!run.to_string().contains("t0k-of"), "{run}");
}

#[test]
fn an_answer_may_come_as_events_with_progress_before_it() {
    let web = Web::start(|asked| {
        if asked.says() != "tools/call" {
            return Some(speaks(asked));
        }
        let message = asked.json();
        let token = &message["params"]["_meta"]["progressToken"];
        let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": token, "progress": 1, "total": 2}});
        let answer = json!({"jsonrpc": "2.0", "id": message["id"], "result": {"content": [{"type": "text", "text": "by events\u{1b}[2J"}]}});
        Some(web::events(format!(
            ": hello\n\ndata: {progress}\n\nevent: message\nid: 1\ndata: {answer}\n\n"
        )))
    });
    let (_, server, run) = run(&web, &json!({}));
    assert_eq!(result(&server, 2), "by events", "{run}");
}

#[test]
fn nothing_is_asked_before_something_is_sent_and_a_check_lists_the_tools() {
    let web = Web::start(|asked| Some(speaks(asked)));
    let server = Server::start();
    let home = Home::bare();
    home.configure(&configured(&server, &web, &json!({})));
    let bench = home.bench(&[]);
    assert!(web.asked().is_empty(), "{:?}", web.asked());
    bench.ask("/mcp");
    bench.wait_for("it", |screen| screen.has("far  ready") && screen.has("1 tool"));
    bench.keys("esc");
    bench.wait_for("the sheet closed", |screen| !screen.has("far  ready"));
    bench.leave();
    let checked = home.run(&["mcp", "check"]);
    checked.assert_code(0);
    assert_eq!(checked.stdout, "far: ready\n  far__echo  says it again\n");
    let listed = home.run(&["mcp", "list"]);
    assert_eq!(listed.stdout, format!("far: {}\n", web.at("/mcp")));
}

#[test]
fn a_server_by_http_is_added_and_what_is_wrong_with_one_is_said() {
    let web = Web::start(|asked| Some(speaks(asked)));
    let home = Home::bare().env("FAR_TOKEN", "t0k");
    home.configure_text("{}");
    let url = web.at("/mcp");
    let add = [
        "mcp",
        "add",
        "far",
        "--url",
        &url,
        "--header",
        "X-Org=kennel",
        "--token-env",
        "FAR_TOKEN",
    ];
    home.run(&add).assert_code(0);
    home.run(&["mcp", "check", "far"]).assert_code(0);
    assert_eq!(web.asked()[0].header("x-org"), Some("kennel"));
    home.run(&["mcp", "add", "near", "--url", &url, "--", "x"])
        .assert_code(2);
    home.run(&["mcp", "add", "near", "--url", "ftp://x"]).assert_code(2);
    home.run(&["mcp", "add", "near"]).assert_code(2);
}

#[test]
fn a_token_stays_with_its_server_where_that_sends_elsewhere() {
    let other = Web::start(|asked| Some(speaks(asked)));
    let to = other.at("/mcp");
    let web = Web::start(move |_| Some(web::empty(302).with("location", &to)));
    let server = Server::start();
    let home = Home::bare().env("FAR_TOKEN", "t0k-of-the-far-one");
    home.configure(&configured(&server, &web, &json!({"token_env": ["FAR_TOKEN"]})));
    server.script([text("Done.")]);
    let run = home.run(&["run", "--output", "stream-json", "go"]);
    run.assert_code(0);
    assert!(dead(&run).contains("redirects to"), "{run}");
    assert!(other.asked().is_empty(), "{:?}", other.asked());
}

#[test]
fn a_session_that_is_gone_is_made_anew_and_the_call_done() {
    let greeted = Arc::new(Mutex::new(0));
    let web = Web::start(move |asked| {
        let mut greeted = greeted.lock().unwrap();
        if asked.says() == "initialize" {
            *greeted += 1;
            return Some(speaks(asked).with("mcp-session-id", &format!("s-{greeted}")));
        }
        let is_gone = asked.says() == "tools/call" && *greeted == 1;
        Some(if is_gone { web::empty(404) } else { speaks(asked) })
    });
    let (_, server, run) = run(&web, &json!({}));
    assert_eq!(result(&server, 2), "hello!", "{run}");
    let greetings = web.asked().iter().filter(|asked| asked.says() == "initialize").count();
    assert_eq!(greetings, 2);
}

#[test]
fn a_server_of_the_newest_revision_alone_is_spoken_with() {
    let web = Web::start(|asked| {
        let message = asked.json();
        let answer = |result: &Value| web::json(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
        Some(match asked.says().as_str() {
            "initialize" => web::status(
                400,
                &json!({"jsonrpc": "2.0", "id": "server-error", "error": {"code": -32601, "message": "no initialize here"}}),
            ),
            "server/discover" => answer(&json!({
                "resultType": "complete",
                "ttlMs": 0,
                "cacheScope": "private",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "far", "version": "1"},
            })),
            _ => speaks(asked),
        })
    });
    let (_, server, run) = run(&web, &json!({}));
    assert_eq!(result(&server, 2), "hello!", "{run}");
    let call = web.wait_for("the call", |asked| asked.says() == "tools/call");
    assert_eq!(call.header("mcp-protocol-version"), Some("2026-07-28"));
    assert_eq!(call.header("mcp-method"), Some("tools/call"));
    assert_eq!(call.header("mcp-session-id"), None);
}

#[test]
fn offline_means_that_no_far_server_is_asked() {
    let home = Home::bare();
    home.configure(&json!({
        "network": {"offline": true},
        "mcp": {"far": {"url": "https://mcp.example.com/mcp"}},
    }));
    let run = home.run(&["mcp", "check"]);
    assert!(
        run.stdout
            .contains("`network.offline` is on, and `mcp.example.com` of server `far` is neither"),
        "{run}"
    );
}
