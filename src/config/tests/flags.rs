//! Tests of flags for servers and models, which override the configuration.

use super::super::ServerFlag;
use super::super::hosts::{is_near, ollama_address, public_address};
use super::super::settings::Insisted;
use super::*;

const LOCAL: &str = r#"{"model": "local/big", "provider": {"local": {"base_url": "http://127.0.0.1:1/v1", "models": {"big": {"context": 1000, "temperature": 0.1}}}}}"#;

fn with_server(server: ServerFlag) -> Fixture {
    let mut fixture = Fixture::user(LOCAL);
    fixture.flags.server = Some(server);
    fixture
}

#[test]
fn a_server_of_the_command_line_is_the_default_and_takes_the_model_as_it_is_named() {
    let mut fixture = with_server(ServerFlag::Address("http://gpu:8000/v1".to_owned()));
    assert_eq!(
        fixture.settings().model.as_deref(),
        Some("auto"),
        "the configured model is another server's"
    );
    fixture = fixture.variable("BENCHDOG_MODEL", "local/named");
    assert_eq!(fixture.settings().model.as_deref(), Some("env/local/named"));
    fixture.flags.model = Some("local/big".to_owned());
    let settings = fixture.settings();
    let model = resolve_model(settings.model.as_deref().unwrap(), &settings).unwrap();
    assert_eq!((model.provider.as_str(), model.id.as_str()), ("env", "local/big"));
    assert_eq!(settings.provider("env").unwrap().base_url, "http://gpu:8000/v1");
    let error = with_server(ServerFlag::Address("gpu".to_owned())).problems();
    assert!(
        error[0].contains("--base-url") && error[0].contains("127.0.0.1:8000"),
        "{error:?}"
    );
}

#[test]
fn an_ollama_server_is_found_by_every_spelling_of_its_host() {
    for (host, address) in [
        ("gpu", "http://gpu:11434/v1"),
        ("gpu:9", "http://gpu:9/v1"),
        ("0.0.0.0", "http://127.0.0.1:11434/v1"),
        (":9", "http://127.0.0.1:9/v1"),
        ("[::1]", "http://[::1]:11434/v1"),
        ("https://gpu.example", "https://gpu.example/v1"),
        ("http://gpu:9/", "http://gpu:9/v1"),
    ] {
        assert_eq!(ollama_address(host), address);
    }
    let settings = with_server(ServerFlag::Ollama("gpu".to_owned())).settings();
    assert_eq!(settings.provider("env").unwrap().base_url, "http://gpu:11434/v1");
}

#[test]
fn temperature_counts_for_every_model_and_the_window_for_the_one_the_program_begins_with() {
    let mut fixture = Fixture::user(LOCAL);
    fixture.flags.insisted = Insisted {
        temperature: Some(1.5),
        context: Some(77),
        ..Insisted::default()
    };
    let settings = fixture.settings();
    let of = |id: &str| {
        let model = resolve_model(id, &settings).unwrap();
        let of = settings.model_settings(&model);
        (of.temperature, of.context)
    };
    assert_eq!(of("local/big"), (Some(1.5), Some(77)));
    assert_eq!(of("local/small"), (Some(1.5), None));
}

#[test]
fn the_network_is_configured_by_the_person_alone() {
    let text =
        r#"{"network": {"offline": true, "allowed_hosts": ["a", "*.b"], "proxy": "none", "ca_file": "/ca.pem"}}"#;
    let network = Fixture::user(text).settings().network;
    assert!(network.offline);
    assert_eq!(network.allowed_hosts, ["a", "*.b"]);
    assert_eq!(
        (network.proxy.as_deref(), network.ca_file.as_deref()),
        (Some("none"), Some("/ca.pem"))
    );
    let refused = Fixture::new().with("project.jsonc", text).problems();
    assert!(refused[0].contains("a project cannot set"), "{refused:?}");
    for (name, value, has) in [
        ("https_proxy", "http://a:1", true),
        ("ALL_PROXY", "", false),
        ("NO_PROXY", "a", false),
    ] {
        let network = Fixture::user("{}").variable(name, value).settings().network;
        assert_eq!(network.has_proxy_variables, has, "{name}");
    }
}

#[test]
fn near_is_what_an_address_says_by_itself() {
    for host in [
        "127.0.0.1",
        "10.1.2.3",
        "192.168.0.9",
        "172.16.0.1",
        "169.254.1.1",
        "[::1]",
        "fd00::1",
        "localhost",
    ] {
        assert!(is_near(host), "{host}");
    }
    for host in ["8.8.8.8", "172.32.0.1", "gpu", "localhost.example.org", "2001:db8::1"] {
        assert!(!is_near(host), "{host}");
    }
}

#[test]
fn an_address_is_shown_without_what_may_be_a_key() {
    for (address, shown) in [
        ("https://me:secret@host:1/v1?key=secret#x", "https://host:1/v1"),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1"),
        ("https://host", "https://host"),
    ] {
        assert_eq!(public_address(address), shown);
    }
}
