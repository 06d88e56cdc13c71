use serde_json::json;

use super::reach::proxy;
use super::*;
use benchdog_base::environment::{Environment, Folders};

fn patient(variables: &[(&str, &str)]) -> Patient {
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let environment = Environment::of(variables.chain([("BENCHDOG_HOME".to_owned(), "/nowhere".to_owned())]));
    let folders = Folders::resolve(&environment).unwrap();
    Patient::new(Err(String::new()), None, environment, folders)
}

fn settings(base_url: &str, proxy: Option<&str>) -> Settings {
    let text = json!({"provider": {"p": {"base_url": base_url}}, "network": {"proxy": proxy}});
    let home = tempfile::tempdir().unwrap();
    let user = home.path().join("config.jsonc");
    std::fs::write(&user, text.to_string()).unwrap();
    let sources = benchdog_config::Sources {
        user,
        project: None,
        file: None,
        stored_keys: std::path::PathBuf::new(),
        environment: &Environment::default(),
        flags: benchdog_config::Flags::default(),
        tools: &[],
    };
    benchdog_config::load(&sources).unwrap().settings
}

#[test]
fn the_proxy_is_the_configured_one_then_the_variables_and_never_for_this_machine() {
    let used = |base_url: &str, configured: Option<&str>, variables: &[(&str, &str)]| {
        let settings = settings(base_url, configured);
        let provider = settings.provider("p").unwrap();
        proxy(&patient(variables), &settings, provider).map(|(_, by)| by)
    };
    let far = "https://api.example.org/v1";
    let https = [("HTTPS_PROXY", "http://proxy:1")];
    assert_eq!(used(far, None, &[]), None);
    assert_eq!(used(far, None, &https).as_deref(), Some("HTTPS_PROXY"));
    assert_eq!(
        used(far, Some("http://own:1"), &https).as_deref(),
        Some("network.proxy")
    );
    assert_eq!(used(far, Some("none"), &https), None);
    assert_eq!(
        used("http://127.0.0.1:1/v1", None, &[("ALL_PROXY", "http://proxy:1")]),
        None
    );
    assert_eq!(used(far, None, &[https[0], ("NO_PROXY", "a.org, .example.org")]), None);
    assert_eq!(used("http://api.example.org/v1", None, &https), None, "another scheme");
}

#[test]
fn a_model_that_is_not_offered_is_answered_with_the_one_that_was_meant() {
    let listed = |id: &str, llama_cpp: bool| ListedModel {
        id: id.to_owned(),
        context: None,
        trained: None,
        weights: None,
        owner: llama_cpp.then(|| "llamacpp".to_owned()),
    };
    let model = ModelRef {
        provider: "p".to_owned(),
        id: "qwen3-codr".to_owned(),
    };
    let said = is_offered(&model, &[listed("other", false), listed("qwen3-coder", false)]);
    assert!(said.fix.contains("`qwen3-coder`"), "{said:?}");
    assert_eq!(said.state, benchdog_domain::checkup::CheckState::Fail);
    let said = is_offered(&model, &[listed("the-only.gguf", true)]);
    assert_eq!(
        said.state,
        benchdog_domain::checkup::CheckState::Ok,
        "llama.cpp answers to any name"
    );
}
