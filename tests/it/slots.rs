//! Tests of slots of a llama.cpp server. A session keeps its slot, and subagents wait for a free one.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{calls, text};
use crate::support::request::Request;
use crate::support::server::{MODEL, Server};

fn asker(request: &Request) -> String {
    let user = request.messages().iter().find(|message| message["role"] == "user");
    let text = user.and_then(|message| message["content"].as_str()).unwrap_or_default();
    text.split("\n\n[benchdog]").next().unwrap_or_default().to_owned()
}

fn two_tasks() -> [(&'static str, Value); 2] {
    ["one", "two"].map(|prompt| {
        let task = json!({"agent": "explore", "prompt": prompt, "description": prompt});
        ("task", task)
    })
}

/// Runs a session that starts two subagents. Returns the requests in order of arrival.
fn run(server: &Server, home: &Home) -> Vec<String> {
    let order = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&order);
    server.model(move |request| {
        let who = asker(request);
        let answered = request.messages().iter().any(|message| message["role"] == "tool");
        seen.lock().expect("the order").push(who.clone());
        Some(match who.as_str() {
            "go" if !answered => calls(two_tasks()),
            "go" => text("All done."),
            // Answer slowly, so that the other subagent could send a request in the meantime.
            _ if !answered => crate::support::reply::stream()
                .keeps_alive(Duration::from_millis(200), Duration::from_millis(800))
                .calls("list", json!({"path": "."}))
                .ends(),
            _ => text("Looked."),
        })
    });
    let run = home.run(&["run", "go"]);
    run.assert_code(0);
    let order = order.lock().expect("the order");
    order.clone()
}

fn home(server: &Server, slots: Option<u64>) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["permission"] = json!({"task": "allow"});
    if let Some(slots) = slots {
        settings["provider"]["kit"]["slots"] = slots.into();
    }
    home.configure(&settings);
    home
}

#[test]
fn subagents_take_turns_at_a_server_with_one_slot() {
    let server = Server::start();
    let home = home(&server, Some(1));
    let order = run(&server, &home);
    assert_eq!(order[0], "go");
    let first = order[1].clone();
    assert!(
        order[1..3].iter().all(|who| *who == first) && order[3..5].iter().all(|who| *who != first),
        "{order:?}"
    );
}

#[test]
fn subagents_work_at_once_if_nothing_is_known_of_slots() {
    let server = Server::start();
    let home = home(&server, None);
    let order = run(&server, &home);
    assert_ne!(order[1], order[2], "{order:?}");
}

#[test]
fn the_slots_that_llama_cpp_reports_count_and_a_session_keeps_its_slot() {
    let server = Server::start();
    let list = json!({"data": [{"id": MODEL, "owned_by": "llamacpp", "meta": {"n_ctx": 65_536}}]});
    server.page("/v1/models", list);
    let properties = json!({"default_generation_settings": {"n_ctx": 65_536}, "total_slots": 2});
    server.page("/props", properties);
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["models"] = json!({});
    home.configure(&settings);
    server.script([text("Hello."), text("Again.")]);
    let bench = home.bench(&[]);
    server.asked_at("/props");
    bench.ask("hi");
    bench.wait_for_text("Hello.");
    bench.ask("again");
    bench.wait_for_text("Again.");
    bench.leave();
    let slots: Vec<Value> = server
        .requests()
        .iter()
        .map(|request| request.body["id_slot"].clone())
        .collect();
    assert_eq!(slots[0], slots[1]);
    assert!(slots[0] == json!(0) || slots[0].is_null(), "{slots:?}");
}
