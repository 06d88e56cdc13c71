//! Tests of settings of a model and of an agent, as the server sees them.

use serde_json::{Value, json};

use crate::support::api::Api;
use crate::support::home::{Home, config};
use crate::support::reply::text;
use crate::support::server::{MODEL, Server};

fn home(server: &Server, api: Api, model: Value, agent: Value) -> Home {
    let home = Home::bare();
    let mut settings = config(&server.base_url());
    settings["provider"]["kit"]["api"] = api.word().into();
    let configured = settings["provider"]["kit"]["models"][MODEL]
        .as_object_mut()
        .expect("a model");
    configured.extend(model.as_object().expect("settings of a model").clone());
    settings["agent"] = agent;
    home.configure(&settings);
    home
}

#[test]
fn an_alias_selects_a_model_with_its_sampling_and_thinking() {
    let server = Server::start();
    let model = json!({"alias": "coder", "temperature": 0.7, "top_p": 0.8, "thinking": "off"});
    let home = home(&server, Api::OpenAi, model, json!({}));
    server.script([text("Hello.")]);
    home.run(&["run", "-m", "coder", "hi"]).assert_code(0);
    let body = server.request(1).body;
    assert_eq!(body["model"], MODEL);
    assert_eq!((&body["temperature"], &body["top_p"]), (&json!(0.7), &json!(0.8)));
    assert_eq!(body["chat_template_kwargs"]["enable_thinking"], false);
    let shown = home.run(&["models", "show", "coder", "--json"]);
    assert!(shown.stdout.contains(r#""alias":"coder""#), "{shown}");
}

#[test]
fn the_agents_top_p_wins_over_the_models() {
    let server = Server::start();
    let agent = json!({"build": {"top_p": 0.5}});
    let home = home(&server, Api::Ollama, json!({"top_p": 0.8}), agent);
    server.script([text("Hello.")]);
    home.run(&["run", "hi"]).assert_code(0);
    assert_eq!(server.request(1).body["options"]["top_p"], 0.5);
}

#[test]
fn nothing_is_sent_by_default() {
    for api in [Api::OpenAi, Api::Responses, Api::Anthropic, Api::Ollama] {
        let server = Server::start();
        let home = home(&server, api, json!({}), json!({}));
        server.script([text("Hello.")]);
        home.run(&["run", "hi"]).assert_code(0);
        let raw = server.request(1).raw;
        for field in ["temperature", "top_p", "thinking", "reasoning_effort", "id_slot"] {
            assert!(!raw.contains(&format!("\"{field}\"")), "{api:?}: {field}");
        }
    }
}
