//! Tests of configurations, mostly invalid ones.

mod agents;
mod commands;
mod earlier;
mod effects;
mod errors;
mod flags;
mod languages;
mod mcp;
mod offered;
mod order;
mod servers;
mod system_prompt;
mod tools;
mod voice;
mod web;

use std::collections::BTreeMap;
use std::path::PathBuf;

use tempfile::TempDir;

use super::models::ModelError;
use super::models::{api_key, resolve_model};
use super::settings::ModelSettings;
use super::{ConfigError, Flags, Loaded, ProjectFile, Settings, Sources, load};
use benchdog_base::environment::Environment;
use benchdog_domain::agent::{ModelRef, Thinking};
use benchdog_domain::budget::Price;
use benchdog_domain::permission::{Action, Layer};

pub(super) struct Fixture {
    home: TempDir,
    environment: Vec<(String, String)>,
    flags: Flags,
    texts: BTreeMap<String, Vec<u8>>,
}

impl Fixture {
    fn new() -> Self {
        Self {
            home: TempDir::new().unwrap(),
            environment: Vec::new(),
            flags: Flags::default(),
            texts: BTreeMap::new(),
        }
    }

    fn user(text: &str) -> Self {
        Self::new().with("user.jsonc", text)
    }

    fn with(self, file: &str, text: impl AsRef<[u8]>) -> Self {
        std::fs::write(self.path(file), text).unwrap();
        self
    }

    fn variable(mut self, name: &str, value: &str) -> Self {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    fn path(&self, file: &str) -> PathBuf {
        self.home.path().join(file)
    }

    fn load(&self) -> Result<Loaded, ConfigError> {
        let file = self.path("file.jsonc");
        load(&Sources {
            user: self.path("user.jsonc"),
            project: Some(ProjectFile {
                servers: None,
                path: self.path("project.jsonc"),
                bytes: std::fs::read(self.path("project.jsonc")).ok(),
                texts: self.texts.clone(),
            }),
            file: file.exists().then_some(file),
            stored_keys: PathBuf::new(),
            environment: &Environment::of(self.environment.clone()),
            flags: self.flags.clone(),
            tools: &benchdog_tools::Registry::builtin().rules(),
        })
    }

    fn settings(&self) -> Settings {
        self.load().unwrap().settings
    }

    /// Returns the problems without the path of the fixture's folder.
    fn problems(&self) -> Vec<String> {
        let folder = format!("{}/", self.home.path().display());
        let error = self.load().unwrap_err();
        error
            .problems
            .iter()
            .map(|problem| problem.to_string().replace(&folder, ""))
            .collect()
    }
}

fn model(provider: &str, id: &str) -> ModelRef {
    ModelRef {
        provider: provider.to_owned(),
        id: id.to_owned(),
    }
}

/// Contains only keys that have an effect.
const EXAMPLE: &str = r#"{
  "$schema": "https://example.org/schema.json",
  "model": "local/qwen3-coder-30b",            // provider/model
  "fallback": [],
  "provider": {
    "local": {
      "api": "openai",
      "base_url": "http://127.0.0.1:8000/v1",
      "api_key_env": ["BENCHDOG_API_KEY"], "headers": {}, "ca_file": null, "idle_timeout_s": 300,
      "models": { "qwen3-coder-30b": { "context": 65536, "output": 4096, "tools": "native", /* auto */
                    "vision": false, "temperature": 0.2, "price": { "input": 0, "output": 1.5 }, "extra_body": {"top_k": 20} } },
    },
  },
  "permission": { "*": "ask", "read": "allow", "bash": { "*": "ask", "ls *": "allow" }, "external_directory": "deny" },
  "agent": { "build": {} }, "instructions": ["RULES.md"], "skills": {}, "mcp": {}, "hooks": {},
  "compaction": {}, "validation": { "auto": true, "command": "sh check.sh" },
  "network": {}, "sandbox": { "level": "off" }, "ui": { "theme": "auto", "language": "auto", "keys": {"palette.open": "ctrl-p"} },
  "logs": {}, "cache": {}
}"#;

#[test]
fn the_whole_example_is_understood() {
    let loaded = Fixture::user(EXAMPLE).load().unwrap();
    let settings = &loaded.settings;
    assert_eq!(settings.model.as_deref(), Some("local/qwen3-coder-30b"));
    let local = settings.provider("local").unwrap();
    assert_eq!(local.base_url, "http://127.0.0.1:8000/v1");
    let known = settings.model_settings(&model("local", "qwen3-coder-30b"));
    assert_eq!((known.context, known.output), (Some(65_536), 4_096));
    assert_eq!(
        (known.temperature, known.price),
        (
            Some(0.2),
            Some(Price {
                input: 0.0,
                output: 1.5
            })
        )
    );
    assert_eq!(known.extra_body["top_k"], 20);
    assert_eq!(
        settings.model_settings(&model("local", "other")),
        ModelSettings::default()
    );
    let rules = &settings.permission[0];
    assert_eq!((rules.layer, rules.rules.len()), (Layer::User, 4));
    assert_eq!(
        rules.rules[1],
        ("read".to_owned(), vec![("*".to_owned(), Action::Allow)])
    );
    assert_eq!(rules.rules[2].1[1], ("ls *".to_owned(), Action::Allow));
    assert_eq!(settings.validation.command.as_deref(), Some("sh check.sh"));
    assert_eq!(settings.validation.command_layer, Layer::User);
    assert_eq!(
        settings.ui.keys,
        [("palette.open".to_owned(), vec!["ctrl-p".to_owned()])]
    );
    assert_eq!(settings.instructions, ["RULES.md"]);
}

#[test]
fn without_any_file_the_defaults_are_in_force() {
    let loaded = Fixture::new().load().unwrap();
    assert_eq!(
        (loaded.settings.model.as_deref(), loaded.settings.provider.len()),
        (None, 0)
    );
    assert!(loaded.settings.validation.auto && loaded.settings.ui.mouse);
    assert_eq!(loaded.settings.ui.theme, "auto");
}

#[test]
fn address_and_model_in_the_environment_are_a_complete_configuration() {
    let settings = Fixture::new()
        .variable("BENCHDOG_BASE_URL", "http://127.0.0.1:9/v1")
        .variable("BENCHDOG_MODEL", "Qwen/Qwen3-Coder")
        .settings();
    let chosen = resolve_model(settings.model.as_deref().unwrap(), &settings).unwrap();
    assert_eq!(chosen, model("env", "Qwen/Qwen3-Coder"));
    assert_eq!(settings.provider("env").unwrap().base_url, "http://127.0.0.1:9/v1");
}

#[test]
fn an_address_without_scheme_and_path_is_completed_wherever_it_stands() {
    let file = Fixture::user(r#"{"provider": {"p": {"base_url": "127.0.0.1:8000"}}}"#).settings();
    assert_eq!(file.provider("p").unwrap().base_url, "http://127.0.0.1:8000/v1");
    let variable = Fixture::new().variable("BENCHDOG_BASE_URL", "localhost:9").settings();
    assert_eq!(variable.provider("env").unwrap().base_url, "http://localhost:9/v1");
}

#[test]
fn the_environments_model_is_sent_verbatim_even_where_it_looks_like_a_configured_provider() {
    let settings = Fixture::user(r#"{"provider": {"local": {"base_url": "http://a/v1"}}, "model": "local/x"}"#)
        .variable("BENCHDOG_BASE_URL", "http://b/v1")
        .variable("BENCHDOG_MODEL", "local/y")
        .settings();
    let chosen = resolve_model(settings.model.as_deref().unwrap(), &settings).unwrap();
    assert_eq!(chosen, model("env", "local/y"));
    // Model names without a provider now refer to `env`.
    assert_eq!(resolve_model("z", &settings).unwrap(), model("env", "z"));
    assert_eq!(resolve_model("local/x", &settings).unwrap(), model("local", "x"));
}

#[test]
fn the_first_segment_is_a_provider_only_if_one_has_that_name() {
    let text = r#"{"provider": {"b": {"base_url": "http://b/v1"}, "a": {"base_url": "http://a/v1"}}}"#;
    let settings = Fixture::user(text).settings();
    let resolved = |text| resolve_model(text, &settings);
    assert_eq!(resolved("a/m"), Ok(model("a", "m")));
    assert_eq!(resolved("a/org/m"), Ok(model("a", "org/m")));
    assert_eq!(
        resolved("org/m"),
        Ok(model("b", "org/m")),
        "the first configured one is the default"
    );
    assert_eq!(resolved("m"), Ok(model("b", "m")));
    assert_eq!(resolved("auto"), Err(ModelError::Auto));
    assert_eq!(resolved("  "), Err(ModelError::Empty));
    let nothing = Fixture::new().settings();
    assert_eq!(
        resolve_model("m", &nothing),
        Err(ModelError::NoProvider("m".to_owned()))
    );
}

#[test]
fn a_vendors_key_goes_to_that_vendor_only() {
    let all = Environment::of([("OPENAI_API_KEY".to_owned(), "sk".to_owned())]);
    let at = |url: &str| {
        let text = format!(r#"{{"provider": {{"p": {{"base_url": {}}}}}}}"#, serde_json::json!(url));
        let settings = Fixture::user(&text).settings();
        api_key(settings.provider("p").unwrap(), &all)
    };
    assert_eq!(at("https://api.openai.com/v1").as_deref(), Some("sk"));
    assert_eq!(at("https://API.OpenAI.com:443/v1").as_deref(), Some("sk"));
    for other in [
        "http://127.0.0.1:8000/v1",
        "https://api.openai.com.example.org/v1",
        "https://api.openai.com@example.org/v1",
        r"https://example.org\@api.openai.com/v1",
        "https://example.org/?api.openai.com",
        "https://example.org#@api.openai.com",
    ] {
        assert_eq!(at(other), None, "{other}");
    }
    let anthropic = Environment::of([("ANTHROPIC_API_KEY".to_owned(), "sk-ant".to_owned())]);
    let at = |url: &str| {
        let text = format!(r#"{{"provider": {{"p": {{"base_url": "{url}"}}}}}}"#);
        api_key(Fixture::user(&text).settings().provider("p").unwrap(), &anthropic)
    };
    assert_eq!(at("https://api.anthropic.com").as_deref(), Some("sk-ant"));
    assert_eq!(at("https://api.openai.com/v1"), None);
}

#[test]
fn keys_come_from_the_named_variables_else_from_the_usual_ones_in_their_order() {
    let variables =
        |names: &[&str]| Environment::of(names.iter().map(|name| ((*name).to_owned(), name.to_lowercase())));
    let plain = Fixture::user(r#"{"provider": {"p": {"base_url": "http://p/v1"}}}"#).settings();
    let plain = plain.provider("p").unwrap();
    let all = ["DASHSCOPE_API_KEY", "AGENT_API_KEY", "BENCHDOG_API_KEY"];
    assert_eq!(api_key(plain, &variables(&all)).as_deref(), Some("benchdog_api_key"));
    assert_eq!(api_key(plain, &variables(&all[..2])).as_deref(), Some("agent_api_key"));
    assert_eq!(
        api_key(plain, &variables(&all[..1])).as_deref(),
        Some("dashscope_api_key")
    );
    let text = r#"{"provider": {"p": {"base_url": "http://p/v1", "api_key_env": ["FIRST", "SECOND"]}}}"#;
    let named = Fixture::user(text).settings();
    let named = named.provider("p").unwrap();
    assert_eq!(
        api_key(named, &variables(&["SECOND", "BENCHDOG_API_KEY"])).as_deref(),
        Some("second")
    );
    assert_eq!(
        api_key(named, &variables(&all)),
        None,
        "the usual ones are not for this endpoint"
    );
}

#[test]
fn what_a_project_sets_as_check_is_known_to_be_the_projects() {
    let settings = Fixture::user(r#"{"validation": {"command": "mine"}}"#)
        .with("project.jsonc", r#"{"validation": {"command": "theirs"}}"#)
        .settings();
    assert_eq!(settings.validation.command.as_deref(), Some("theirs"));
    assert_eq!(settings.validation.command_layer, Layer::Project);
}

#[test]
fn a_provider_can_be_completed_by_a_nearer_layer() {
    let settings = Fixture::user(
        r#"{"provider": {"p": {"base_url": "http://far/v1", "headers": {"a": "1", "b": "2"}}}}"#,
    )
    .with(
        "project.jsonc",
        r#"{"provider": {"q": {"base_url": "http://q"}, "p": {"headers": {"b": "3"}, "models": {"qwen2.5": {}}}}}"#,
    )
    .settings();
    let names: Vec<_> = settings.provider.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["p", "q"], "the default stays the one configured first");
    let p = settings.provider("p").unwrap();
    assert_eq!(p.base_url, "http://far/v1");
    assert_eq!(
        p.headers,
        [("a".to_owned(), "1".to_owned()), ("b".to_owned(), "3".to_owned())]
    );
    assert_eq!(p.models, [("qwen2.5".to_owned(), ModelSettings::default())]);
}

#[test]
fn the_rules_of_every_layer_stay_apart_with_their_place() {
    let fixture = Fixture::user("{\n  \"permission\": {\"bash\": \"deny\"}\n}").with(
        "project.jsonc",
        "{\n\n  \"permission\": {\"bash\": {\"make *\": \"allow\"}}\n}",
    );
    let rules = fixture.settings().permission;
    assert_eq!(rules.len(), 2);
    assert_eq!((rules[0].layer, rules[1].layer), (Layer::User, Layer::Project));
    assert!(rules[0].origin.ends_with("user.jsonc:2"), "{}", rules[0].origin);
    assert!(rules[1].origin.ends_with("project.jsonc:3"), "{}", rules[1].origin);
}

#[test]
fn an_alias_names_its_model_alone_or_after_its_provider() {
    let text = r#"{"provider": {
        "a": {"base_url": "http://a/v1", "models": {"plain": {}}},
        "b": {"base_url": "http://b/v1", "models": {"org/Long-Name-30B": {"alias": "coder", "top_p": 0.8, "thinking": "low"}}}
    }}"#;
    let settings = Fixture::user(text).settings();
    let resolved = |text| resolve_model(text, &settings);
    let coder = model("b", "org/Long-Name-30B");
    assert_eq!(resolved("coder"), Ok(coder.clone()));
    assert_eq!(resolved("b/coder"), Ok(coder.clone()));
    assert_eq!(
        resolved("a/coder"),
        Ok(model("a", "coder")),
        "no alias of this provider"
    );
    assert_eq!(resolved("plain"), Ok(model("a", "plain")));
    let known = settings.model_settings(&coder);
    assert_eq!((known.top_p, known.thinking), (Some(0.8), Some(Thinking::Low)));
}

#[test]
fn an_alias_that_cannot_be_used_is_an_error_with_its_place() {
    let problem = |alias: &str| {
        let text = format!(
            r#"{{"provider": {{"a": {{"base_url": "http://a/v1", "models": {{"x": {{"alias": "{alias}"}}, "y": {{"alias": "fast"}}}}}}}}}}"#
        );
        Fixture::user(&text).problems().remove(0)
    };
    let start = "user.jsonc:1: `provider.a.models.x.alias` ";
    assert_eq!(problem("two words"), format!("{start}must be one word without `/`"));
    assert_eq!(problem("a/b"), format!("{start}must be one word without `/`"));
    assert_eq!(
        problem("auto"),
        format!("{start}cannot be `auto`, which means a choice by Benchdog")
    );
    assert_eq!(problem("y"), format!("{start}is `y`, which already names `a/y`"));
    assert_eq!(problem("fast"), format!("{start}is `fast`, which already names `a/y`"));
}
