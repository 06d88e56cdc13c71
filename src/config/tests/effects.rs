//! Checks that each key has an effect, and that keys forbidden for projects are rejected there.

use super::super::rule_names::OTHERS;
use super::super::schema::{self, ELSEWHERE, KEYS, Key, Kind, Setter};
use super::*;
use benchdog_domain::confinement::Level;

fn other_than_default(key: &Key) -> serde_json::Value {
    let texts = |text: &str| serde_json::json!(text);
    match key.kind {
        Kind::Text | Kind::TextOrNull | Kind::TextOrTexts => texts("something"),
        Kind::Address | Kind::Server => texts("http://127.0.0.1:1/v1"),
        Kind::Texts => serde_json::json!(["something"]),
        Kind::Shares => serde_json::json!([0.3]),
        Kind::Stay => texts("2h"),
        Kind::Switch => serde_json::json!(key.default != "true"),
        Kind::Whole { min, .. } | Kind::WholeOrNull { min, .. } => serde_json::json!(min + 1),
        Kind::Number { max, .. } | Kind::NumberOrNull { max, .. } => serde_json::json!(max),
        Kind::Choice(options) => texts(options.last().unwrap()),
        Kind::LogFilter => texts("debug"),
        Kind::Hooks => serde_json::json!([{"command": ["true"]}]),
        Kind::Table | Kind::Names | Kind::Rules | Kind::Open => serde_json::json!({"something": true}),
    }
}

/// Builds a document for the key's path, with a name for each `*`.
fn document(key: &Key, value: serde_json::Value) -> serde_json::Value {
    let names = key.path.split('.').rev();
    names.fold(value, |value, name| {
        let name = if name == "*" { "any" } else { name };
        serde_json::json!({name: value})
    })
}

#[test]
fn a_name_of_another_program_is_refused_with_what_is_written_here_instead() {
    for (name, instead) in ELSEWHERE {
        let problems = Fixture::user(&format!("{{\"{name}\": true}}")).problems();
        assert_eq!(
            problems,
            [format!("user.jsonc:1:2: `{name}` is not a known key; {instead}")]
        );
        let keys = instead.split('`').skip(1).step_by(2);
        for key in keys.filter(|key| key.contains('.') && !key.contains([' ', '/'])) {
            let path: Vec<&str> = key.split('.').collect();
            assert!(schema::find(&path).is_some(), "{name}: there is no `{key}`");
        }
    }
    // A key at a wrong path gets a suggestion.
    let problems = Fixture::user(r#"{"theme": "nord"}"#).problems();
    assert!(problems[0].ends_with("did you mean `ui.theme`?"), "{problems:?}");
}

#[test]
fn a_language_nobody_speaks_is_refused_with_the_nearest_one() {
    let problems = Fixture::user(r#"{"ui": {"language": "jp"}}"#).problems();
    assert!(problems[0].ends_with("not `jp`; did you mean `ja`?"), "{problems:?}");
    for name in ["auto", "en", "zh", "ja", "ko"] {
        let loaded = Fixture::user(&format!(r#"{{"ui": {{"language": "{name}"}}}}"#))
            .load()
            .unwrap();
        assert_eq!(loaded.settings.ui.language, name);
    }
}

#[test]
fn what_only_a_person_may_set_is_refused_in_a_project_and_told_why() {
    let persons = KEYS.iter().filter_map(|key| match key.setter {
        Setter::Person(why) => Some((key, why)),
        Setter::Anyone | Setter::Tightened { .. } => None,
    });
    let mut seen = 0;
    for (key, why) in persons {
        seen += 1;
        let text = document(key, other_than_default(key)).to_string();
        let problems = Fixture::new().with("project.jsonc", &text).problems();
        assert!(
            problems
                .iter()
                .any(|line| line.contains("a project cannot set") && line.contains(why)),
            "{}: {problems:?}",
            key.path
        );
    }
    assert!(seen >= 5, "{seen}");
}

#[test]
fn a_project_can_only_tighten_what_confines_its_commands() {
    let level = |user: &str, project: &str| {
        let text = |level: &str| format!(r#"{{"sandbox": {{"level": "{level}"}}}}"#);
        let loaded = Fixture::user(&text(user)).with("project.jsonc", text(project)).load();
        loaded.unwrap().settings.sandbox.level
    };
    assert_eq!(level("auto", "workspace"), Some(Level::Workspace));
    assert_eq!(level("off", "read-only"), Some(Level::ReadOnly));
    assert_eq!(level("read-only", "workspace"), Some(Level::ReadOnly));
    let wider = r#"{"sandbox": {"level": "off", "network": "inherit"}, "validation": {"network": "inherit"}}"#;
    let problems = Fixture::new().with("project.jsonc", wider).problems();
    assert_eq!(problems.len(), 3, "{problems:?}");
    assert!(
        problems[0].ends_with(
            "a project cannot set `sandbox.level` to `off`: it controls the sandbox of the folder's commands; \
             remove it, or write `workspace` or `read-only`"
        ),
        "{problems:?}"
    );
}

#[test]
fn the_rules_that_are_asked_include_the_widest_one_and_the_folders_outside() {
    assert!(OTHERS.contains(&"*") && OTHERS.contains(&"external_directory"));
}

#[test]
fn always_and_never_are_other_words_for_allow_and_deny() {
    let text = r#"{"permission": {"edit": "always", "bash": {"rm *": "never"}, "catastrophic": "never"}}"#;
    let rules = Fixture::user(text).settings().permission;
    let said: Vec<_> = rules[0]
        .rules
        .iter()
        .map(|(key, patterns)| (key.as_str(), patterns[0].1))
        .collect();
    assert_eq!(
        said,
        [
            ("edit", Action::Allow),
            ("bash", Action::Deny),
            ("catastrophic", Action::Deny)
        ]
    );
    let allowed = r#"{"permission": {"catastrophic": "always"}}"#;
    assert_eq!(
        Fixture::user(allowed).problems(),
        ["user.jsonc:1:17: `permission.catastrophic` must be `ask` or `deny`"]
    );
}

#[test]
fn rules_may_call_tools_as_other_programs_do() {
    let text = r#"{"permission": {"Bash": "deny", "replace-in-file": "ask", "edit": "allow"}}"#;
    let rules = Fixture::user(text).settings().permission;
    let said: Vec<_> = rules[0]
        .rules
        .iter()
        .map(|(key, patterns)| (key.as_str(), patterns[0].1))
        .collect();
    assert_eq!(
        said,
        [("bash", Action::Deny), ("edit", Action::Ask), ("edit", Action::Allow)]
    );
}
