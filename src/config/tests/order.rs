//! Tests of layer precedence: the highest layer applies, in any combination of layers.

use proptest::prelude::{any, proptest};

use super::*;

proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { cases: 64, failure_persistence: None, ..Default::default() })]
    #[test]
    fn the_nearest_layer_that_says_something_wins(
        user in any::<bool>(),
        project in any::<bool>(),
        file in any::<bool>(),
        variable in any::<bool>(),
        flag in any::<bool>(),
    ) {
        let mut fixture = Fixture::new();
        let mut wanted = None;
        let layers = [(user, "user"), (project, "project"), (file, "file")];
        for (_, name) in layers.iter().filter(|(given, _)| *given) {
            let text = format!(r#"{{"model": "{name}", "validation": {{"command": "{name}"}}}}"#);
            fixture = fixture.with(&format!("{name}.jsonc"), text);
            wanted = Some((*name).to_owned());
        }
        let command = wanted.clone();
        if variable {
            fixture = fixture.variable("BENCHDOG_MODEL", "variable");
            wanted = Some("variable".to_owned());
        }
        if flag {
            fixture.flags.model = Some("flag".to_owned());
            wanted = Some("flag".to_owned());
        }
        let loaded = fixture.load().unwrap();
        assert_eq!(loaded.settings.model, wanted);
        assert_eq!(loaded.settings.validation.command, command);
        // The explanation lists the same value and every overridden layer.
        if let Some(wanted) = wanted {
            let text = super::super::explain::explain(&loaded, "model").unwrap();
            assert!(text.contains(&format!("model = \"{wanted}\"\n")), "{text}");
            let given = [user, project, file, variable, flag].into_iter().filter(|given| *given).count();
            assert_eq!(text.matches("\n  over ").count(), given - 1, "{text}");
        }
    }
}

#[test]
fn what_is_logged_is_said_by_the_flag_then_the_variable_then_the_file() {
    let level = |fixture: &Fixture| fixture.settings().logs.level.to_string();
    assert_eq!(level(&Fixture::new()), "info");
    let mut fixture = Fixture::user(r#"{"logs": {"level": "warn", "max_bytes": 5000, "files": 2}}"#);
    assert_eq!(level(&fixture), "warn");
    assert_eq!(
        (fixture.settings().logs.max_bytes, fixture.settings().logs.files),
        (5_000, 2)
    );
    fixture = fixture.variable("BENCHDOG_LOG", "info,provider=debug");
    assert_eq!(level(&fixture), "info,provider=debug");
    fixture.flags.log_level = Some("off".to_owned());
    assert_eq!(level(&fixture), "off");
    let text = super::super::explain::explain(&fixture.load().unwrap(), "logs.level").unwrap();
    let order = [
        "set by the flag --log-level",
        "over the variable BENCHDOG_LOG",
        "over your file",
        "over the default",
    ];
    let places: Vec<_> = order.iter().map(|words| text.find(words)).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{text}");
}

#[test]
fn a_file_named_by_flag_wins_over_one_named_by_variable() {
    let fixture = Fixture::new().with("file.jsonc", r#"{"model": "flag"}"#);
    let other = fixture.path("other.jsonc");
    std::fs::write(&other, r#"{"model": "variable"}"#).unwrap();
    let fixture = fixture.variable("BENCHDOG_CONFIG", &other.display().to_string());
    assert_eq!(fixture.settings().model.as_deref(), Some("flag"));
    std::fs::remove_file(fixture.path("file.jsonc")).unwrap();
    assert_eq!(fixture.settings().model.as_deref(), Some("variable"));
}

#[test]
fn without_trust_the_projects_file_is_not_even_read() {
    let fixture = Fixture::new().with("project.jsonc", "{ broken");
    let loaded = load(&Sources {
        user: fixture.path("user.jsonc"),
        project: None,
        file: None,
        stored_keys: PathBuf::new(),
        environment: &Environment::default(),
        flags: Flags::default(),
        tools: &[],
    });
    assert!(loaded.is_ok());
}
