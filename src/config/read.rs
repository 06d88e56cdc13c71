//! Converts merged layers to `Settings`. The documents were validated, so a value has its type or is missing.

use serde_json::{Map, Value};

use super::agents::{self, OfAgent};
use super::check::ACTIONS;
use super::hosts::complete_address;
use super::languages;
use super::layers::Layers;
use super::log_filter::LogFilter;
use super::mcp;
use super::settings::{
    CompactionSettings, DEFAULT_OUTPUT, EngineSettings, Insisted, LimitSettings, LogSettings, ModelSettings,
    NetworkSettings, ProviderSettings, RetrievalIndex, RetrievalSettings, RuleLayer, SandboxSettings, Settings,
    StrictTools, ToolStyle, UiSettings, ValidationSettings, VoiceSettings, WebSettings,
};
use super::tools;
use super::voice;
use super::web;
use benchdog_base::charset::Charset;
use benchdog_base::document::{Data, Node, Property};
use benchdog_base::problem::{Location, Problem};
use benchdog_domain::agent::{Api, Completion, SendReasoning, Thinking};
use benchdog_domain::budget::Price;
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::permission::{Action, Layer};

pub(super) fn settings(
    layers: &Layers,
    permission: Vec<RuleLayer>,
    of_agents: Vec<OfAgent>,
) -> Result<Settings, Vec<Problem>> {
    let mut problems = Vec::new();
    let named = |layers: &Layers, name: &str| Ok((name.to_owned(), provider(layers, name)?));
    let providers = layers.each("provider", named).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Vec::new()
    });
    let servers = mcp::read(layers).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Vec::new()
    });
    let languages = languages::read(layers).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Vec::new()
    });
    if problems.is_empty() {
        problems.extend(tools::without_server(layers, &servers));
    }
    let web = web::read(layers).unwrap_or_else(|problem| {
        problems.push(problem);
        WebSettings::default()
    });
    let voice = voice::read(layers, &providers).unwrap_or_else(|problem| {
        problems.push(problem);
        VoiceSettings::default()
    });
    if !problems.is_empty() {
        return Err(problems);
    }
    Ok(Settings {
        model: text(layers, &["model"]),
        small_model: text(layers, &["small_model"]),
        provider: providers,
        stored_keys: Vec::new(),
        permission,
        agents: agents::read(layers, of_agents),
        servers,
        languages,
        tools: tools::read(layers),
        fallback: texts(layers, &["fallback"]),
        instructions: texts(layers, &["instructions"]),
        compaction: compaction(layers),
        retrieval: retrieval(layers),
        skills: texts(layers, &["skills", "paths"]),
        commands: texts(layers, &["commands", "paths"]),
        validation: validation(layers),
        encoding: text(layers, &["files", "encoding"]).and_then(|word| Charset::from_name(&word)),
        limits: limits(layers),
        hooks: Vec::new(),
        opens_list: switch(layers, &["todo", "auto"], true),
        sandbox: SandboxSettings {
            level: level(layers),
            network: network(layers, &["sandbox", "network"]),
            writable: texts(layers, &["sandbox", "writable"]),
            pass_env: texts(layers, &["sandbox", "pass_env"]),
        },
        engine: EngineSettings {
            detaches: text(layers, &["engine", "detach"]).is_some_and(|when| when == "auto"),
            idle_minutes: whole(layers, &["engine", "idle_minutes"]).unwrap_or(10),
            deny_after_minutes: whole(layers, &["engine", "deny_after_minutes"]),
        },
        ui: ui(layers),
        logs: LogSettings {
            level: text(layers, &["logs", "level"])
                .and_then(|text| LogFilter::parse(&text).ok())
                .unwrap_or_default(),
            max_bytes: whole(layers, &["logs", "max_bytes"]).unwrap_or(10_485_760),
            files: whole(layers, &["logs", "files"]).unwrap_or(5),
        },
        checkpoint_max_file: whole(layers, &["checkpoint", "max_file"]).unwrap_or(16 << 20),
        cache_days: whole(layers, &["cache", "days"]).unwrap_or(30),
        co_author: text(layers, &["commit", "co_author"]).filter(|author| !author.is_empty()),
        network: NetworkSettings {
            offline: switch(layers, &["network", "offline"], false),
            allowed_hosts: texts(layers, &["network", "allowed_hosts"]),
            proxy: text(layers, &["network", "proxy"]),
            has_proxy_variables: false,
            ca_file: text(layers, &["network", "ca_file"]),
        },
        web,
        voice,
        telemetry_endpoint: text(layers, &["telemetry", "endpoint"]),
        insisted: Insisted::default(),
        system_prompt: None,
        remarks: Vec::new(),
    })
}

fn validation(layers: &Layers) -> ValidationSettings {
    let origin = layers.nearest(&["validation", "command"]);
    ValidationSettings {
        auto: switch(layers, &["validation", "auto"], true),
        command: text(layers, &["validation", "command"]).filter(|command| !command.trim().is_empty()),
        command_layer: origin.map_or(Layer::Default, |origin| origin.layer),
        network: network(layers, &["validation", "network"]),
    }
}

fn ui(layers: &Layers) -> UiSettings {
    UiSettings {
        theme: text(layers, &["ui", "theme"]).unwrap_or_else(|| "auto".to_owned()),
        language: text(layers, &["ui", "language"]).unwrap_or_else(|| "auto".to_owned()),
        keys: layers
            .names(&["ui", "keys"])
            .into_iter()
            .map(|action| (action.to_owned(), texts(layers, &["ui", "keys", action])))
            .collect(),
        mouse: switch(layers, &["ui", "mouse"], true),
        notify: text(layers, &["ui", "notify"]).unwrap_or_else(|| "auto".to_owned()),
        vim: switch(layers, &["ui", "vim"], false),
        confirm_exit: switch(layers, &["ui", "confirm_exit"], true),
        alt_decides: switch(layers, &["ui", "alt_decides"], true),
        ambiguous_wide: text(layers, &["ui", "ambiguous_width"]).is_some_and(|width| width == "wide"),
    }
}

fn limits(layers: &Layers) -> LimitSettings {
    let small = |key| whole(layers, &["limits", key]).and_then(|number| u32::try_from(number).ok());
    LimitSettings {
        steps: small("steps"),
        tokens: whole(layers, &["limits", "tokens"]),
        cost: layers.value(&["limits", "cost"]).and_then(Value::as_f64),
        checks: small("checks"),
    }
}

fn retrieval(layers: &Layers) -> RetrievalSettings {
    RetrievalSettings {
        index: match text(layers, &["retrieval", "index"]).as_deref() {
            Some("lexical") => RetrievalIndex::Lexical,
            _ => RetrievalIndex::Off,
        },
        embedding_model: text(layers, &["retrieval", "embedding_model"]),
        map_tokens: whole(layers, &["retrieval", "map_tokens"]),
    }
}

fn compaction(layers: &Layers) -> CompactionSettings {
    let number = |key: &'static str| layers.value(&["compaction", key]);
    let warn = number("warn").and_then(Value::as_array);
    let percent = |share: &Value| share.as_f64().map(percent);
    CompactionSettings {
        auto: switch(layers, &["compaction", "auto"], true),
        prune: switch(layers, &["compaction", "prune"], true),
        threshold: number("threshold").and_then(Value::as_f64).unwrap_or(0.8),
        warn: warn.map_or_else(|| vec![50, 80], |shares| shares.iter().filter_map(percent).collect()),
    }
}

fn percent(share: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the document was checked: a share from 0 to 1"
    )]
    let percent = (share * 100.0).round() as u64;
    percent
}

/// Returns the sandbox level. `None` means `auto`.
fn level(layers: &Layers) -> Option<Level> {
    let written = text(layers, &["sandbox", "level"])?;
    let levels = [Level::Off, Level::Workspace, Level::ReadOnly];
    levels.into_iter().find(|level| level.word() == written)
}

fn network(layers: &Layers, path: &[&str]) -> Network {
    match text(layers, path).as_deref() {
        Some("none") => Network::None,
        _ => Network::Inherit,
    }
}

fn provider(layers: &Layers, name: &str) -> Result<ProviderSettings, Problem> {
    let at = |key: &'static str| ["provider", name, key];
    let Some(base_url) = text(layers, &at("base_url")) else {
        let text = format!("the provider `{name}` has no `base_url`");
        return Err(layers.problem(&["provider", name], text));
    };
    let written = text(layers, &at("api"));
    let api = Api::ALL.into_iter().find(|api| Some(api.word()) == written.as_deref());
    let keep_alive = layers.value(&at("keep_alive")).cloned();
    if keep_alive.is_some() && api != Some(Api::Ollama) {
        let place = layers.nearest(&at("keep_alive"));
        let place = place.map_or_else(String::new, |origin| origin.place.clone());
        let only = format!("`provider.{name}.keep_alive` is known to Ollama's own API alone");
        let way = "set `\"api\": \"ollama\"` of the provider, or remove it".to_owned();
        return Err(Problem::new(Location::file(&place), only).with(Some(way)));
    }
    Ok(ProviderSettings {
        api: api.unwrap_or_default(),
        base_url: complete_address(&base_url),
        api_key_env: texts(layers, &at("api_key_env")),
        stored_key: None,
        headers: layers
            .names(&at("headers"))
            .into_iter()
            .filter_map(|header| Some((header.to_owned(), text(layers, &["provider", name, "headers", header])?)))
            .collect(),
        ca_file: text(layers, &at("ca_file")),
        idle_timeout_s: whole(layers, &at("idle_timeout_s")).unwrap_or(300),
        strict_tools: match text(layers, &at("strict_tools")).as_deref() {
            Some("on") => StrictTools::On,
            Some("off") => StrictTools::Off,
            _ => StrictTools::Auto,
        },
        slots: whole(layers, &at("slots")),
        warm_up: switch(layers, &at("warm_up"), true),
        keep_alive,
        models: layers
            .names(&at("models"))
            .into_iter()
            .map(|id| (id.to_owned(), model(layers, name, id)))
            .collect(),
    })
}

fn model(layers: &Layers, provider: &str, id: &str) -> ModelSettings {
    let at = |key: &'static str| ["provider", provider, "models", id, key];
    let price = |kind: &'static str| {
        layers
            .value(&["provider", provider, "models", id, "price", kind])
            .and_then(Value::as_f64)
    };
    let (input, output) = (price("input"), price("output"));
    ModelSettings {
        context: whole(layers, &at("context")),
        output: whole(layers, &at("output")).unwrap_or(DEFAULT_OUTPUT),
        tools: match text(layers, &at("tools")).as_deref() {
            Some("native") => ToolStyle::Native,
            Some("text") => ToolStyle::Text,
            _ => ToolStyle::Auto,
        },
        reasoning: text(layers, &at("send_reasoning"))
            .and_then(|word| SendReasoning::of(&word))
            .unwrap_or_default(),
        vision: layers.value(&at("vision")).and_then(Value::as_bool),
        completion: text(layers, &at("completion"))
            .and_then(|word| Completion::of(&word))
            .unwrap_or_default(),
        temperature: layers.value(&at("temperature")).and_then(Value::as_f64),
        top_p: layers.value(&at("top_p")).and_then(Value::as_f64),
        thinking: text(layers, &at("thinking")).and_then(|word| Thinking::of(&word)),
        alias: text(layers, &at("alias")).map(|alias| alias.trim().to_owned()),
        price: (input.is_some() || output.is_some()).then(|| Price {
            input: input.unwrap_or(0.0),
            output: output.unwrap_or(0.0),
        }),
        extra_body: object(layers, &at("extra_body")),
    }
}

pub(super) fn text(layers: &Layers, path: &[&str]) -> Option<String> {
    layers.value(path)?.as_str().map(str::to_owned)
}

pub(super) fn texts(layers: &Layers, path: &[&str]) -> Vec<String> {
    layers.value(path).map(texts_of).unwrap_or_default()
}

pub(super) fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::String(only) => vec![only.clone()],
        Value::Array(items) => items
            .iter()
            .filter_map(|item| item.as_str().map(str::to_owned))
            .collect(),
        _ => Vec::new(),
    }
}

pub(super) fn switch(layers: &Layers, path: &[&str], default: bool) -> bool {
    layers.value(path).and_then(Value::as_bool).unwrap_or(default)
}

pub(super) fn whole(layers: &Layers, path: &[&str]) -> Option<u64> {
    layers.value(path)?.as_u64()
}

fn object(layers: &Layers, path: &[&str]) -> Map<String, Value> {
    layers
        .value(path)
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default()
}

/// Returns the rules of one document. Layers stay separate, because a denial by any layer is final.
pub(super) fn rules(layer: Layer, root: &Node) -> Option<RuleLayer> {
    rules_of(layer, root.property("permission")?)
}

pub(super) fn rules_of(layer: Layer, permission: &Property) -> Option<RuleLayer> {
    let Data::Object(keys) = &permission.value.data else {
        return None;
    };
    let rules: Vec<_> = keys
        .iter()
        .map(|key| {
            let patterns = match &key.value.data {
                Data::Object(patterns) => patterns
                    .iter()
                    .filter_map(|pattern| Some((pattern.name.clone(), action(&pattern.value)?)))
                    .collect(),
                Data::Scalar(_) | Data::List(_) => action(&key.value)
                    .map(|action| ("*".to_owned(), action))
                    .into_iter()
                    .collect(),
            };
            (key.name.clone(), patterns)
        })
        .collect();
    Some(RuleLayer {
        network: granted_network(keys),
        layer,
        origin: permission.place.short(),
        rules,
    })
}

fn granted_network(keys: &[Property]) -> Vec<(String, String)> {
    let grants = |rule: &Property| {
        let given = rule.value.property("network").map(|given| &given.value.data);
        matches!(given, Some(Data::Scalar(Value::Bool(true))))
    };
    let of_key = |key: &Property| match &key.value.data {
        Data::Object(patterns) => {
            let granting = patterns.iter().filter(|rule| grants(rule));
            granting.map(|rule| (key.name.clone(), rule.name.clone())).collect()
        }
        Data::Scalar(_) | Data::List(_) => Vec::new(),
    };
    keys.iter().flat_map(of_key).collect()
}

/// Parses an action: a text, or the key `action` of an object.
pub(super) fn action(node: &Node) -> Option<Action> {
    if let Some(inner) = node.property("action") {
        return action(&inner.value);
    }
    let Data::Scalar(Value::String(text)) = &node.data else {
        return None;
    };
    let known = ACTIONS.iter().find(|(word, _)| word == text);
    known.map(|(_, action)| *action)
}
