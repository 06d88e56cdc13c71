//! Tests of `config show`, `explain`, `path`, `schema` and `check`.

use serde_json::Value;

use super::super::{earlier, explain, schema};
use super::*;

#[test]
fn explain_names_the_value_its_place_and_every_layer_it_is_over() {
    let fixture = Fixture::user("{\n \"ui\": {\n  \"theme\": \"light\"}}")
        .with("project.jsonc", "{\"ui\": {\"theme\": \"dark\"}}");
    let text = explain::explain(&fixture.load().unwrap(), "ui.theme").unwrap();
    let folder = format!("{}/", fixture.home.path().display());
    assert_eq!(
        text.replace(&folder, ""),
        "The name of a theme: one from `/theme`, or one of yours. `auto` follows the terminal.\n\
         ui.theme = \"dark\"\n  \
           set by the project's file project.jsonc:1\n  \
           over your file user.jsonc:3: \"light\"\n  \
           over the default: \"auto\"\n"
    );
}

#[test]
fn explain_knows_defaults_groups_names_with_dots_and_unknown_keys() {
    let fixture = Fixture::user(
        r#"{"provider": {"p": {"base_url": "http://x", "models": {"qwen2.5": {"context": 9}}}}, "permission": {"bash": {"ls *": "allow"}}}"#,
    );
    let loaded = fixture.load().unwrap();
    let text = |key| explain::explain(&loaded, key).unwrap();
    assert!(
        text("validation").contains("validation.auto = true\n  the default\n"),
        "{}",
        text("validation")
    );
    assert!(text("model").ends_with("model is not set\n"));
    assert!(text("provider.p.models.qwen2.5").contains("provider.p.models.qwen2.5.context = 9\n"));
    assert!(text("permission").contains("permission.bash.ls * = \"allow\"\n"));
    assert!(text("permission").contains("A deny of any layer is final"));
    let refused = explain::explain(&loaded, "ui.them").unwrap_err();
    assert_eq!(
        refused.to_string(),
        "config: `ui.them` is not a known key; did you mean `ui.theme`?"
    );
    assert!(explain::explain(&loaded, "nothing.like.it").is_err());
}

#[test]
fn show_is_json_with_defaults_and_without_secrets() {
    let fixture = Fixture::user(
        r#"{"provider": {"p": {"base_url": "https://me:hunter2@host/v1", "api_key_env": ["MY_KEY"],
            "headers": {"Authorization": "Bearer sk-1", "X-Api-Key": "sk-2", "X-Team": "blue"},
            "models": {"m": {"extra_body": {"session_token": "sk-3", "level": "2"}}}}}}"#,
    );
    let loaded = fixture.load().unwrap();
    let text = explain::show(&loaded);
    for secret in ["sk-1", "sk-2", "sk-3", "hunter2"] {
        assert!(!text.contains(secret), "{text}");
    }
    let shown: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(shown["provider"]["p"]["headers"]["X-Team"], "blue");
    assert_eq!(shown["provider"]["p"]["api_key_env"][0], "MY_KEY");
    assert_eq!(shown["provider"]["p"]["base_url"], "https://me:(hidden)@host/v1");
    assert_eq!(shown["provider"]["p"]["models"]["m"]["extra_body"]["level"], "2");
    assert_eq!(shown["validation"]["auto"], true);
    let explained = explain::explain(&loaded, "provider").unwrap();
    for secret in ["sk-1", "sk-2", "sk-3", "hunter2"] {
        assert!(!explained.contains(secret), "{explained}");
    }
}

#[test]
fn what_show_prints_is_itself_a_valid_configuration() {
    let fixture = Fixture::user(EXAMPLE);
    let shown = explain::show(&fixture.load().unwrap());
    let again = Fixture::user(&shown).load().unwrap();
    assert_eq!(again.settings.provider, fixture.settings().provider);
}

#[test]
fn path_lists_the_files_and_which_are_missing() {
    let fixture = Fixture::user("{}");
    let text = explain::path(&fixture.load().unwrap());
    let lines: Vec<_> = text.lines().collect();
    assert!(lines[0].ends_with("user.jsonc"), "{text}");
    assert!(lines[1].ends_with("project.jsonc  (not there)"), "{text}");
}

#[test]
fn check_prints_every_problem_on_a_line_of_its_own() {
    let wrong = Fixture::user(r#"{"modle": 1, "ui": {"mouse": 3}}"#);
    assert_eq!(explain::check(&wrong.load(), &[], &[]).lines().count(), 2);
    let right = Fixture::user("{}");
    assert!(explain::check(&right.load(), &[], &[]).ends_with("user.jsonc: no errors\n"));
    assert!(explain::check(&Fixture::new().load(), &[], &[]).starts_with("There is no configuration file"));
}

#[test]
fn every_row_of_the_table_has_a_parent_a_default_that_fits_and_words() {
    for key in schema::KEYS {
        if let Some((parent, _)) = key.path.rsplit_once('.') {
            assert!(
                schema::KEYS.iter().any(|row| row.path == parent),
                "{} hangs in the air",
                key.path
            );
        }
        assert!(key.doc.ends_with('.'), "{}", key.path);
        let twice = schema::KEYS.iter().filter(|row| row.path == key.path).count();
        assert_eq!(twice, 1, "{}", key.path);
        if key.default.is_empty() {
            continue;
        }
        // An explicit default value is accepted.
        let path: Vec<&str> = key
            .path
            .split('.')
            .map(|part| match part {
                // Only some names are valid here.
                "*" if key.path.starts_with("tools.") => "bash",
                "*" => "any",
                part => part,
            })
            .collect();
        let mut text = key.default.to_owned();
        for part in path.iter().rev() {
            text = format!("{{\"{part}\": {text}}}");
        }
        let outcome = Fixture::user(&text).load();
        let needs_more = ["provider.*", "mcp.*", "lsp.*"]
            .into_iter()
            .any(|table| key.path.starts_with(table));
        assert!(outcome.is_ok() || needs_more, "{}: {:?}", key.path, outcome.err());
    }
}

#[test]
fn the_json_schema_describes_the_same_keys() {
    let schema: Value = serde_json::from_str(&explain::schema()).unwrap();
    assert_eq!(schema["properties"]["ui"]["properties"]["mouse"]["type"], "boolean");
    assert_eq!(schema["additionalProperties"], false);
    let provider = &schema["properties"]["provider"]["additionalProperties"];
    assert_eq!(provider["properties"]["api"]["default"], "openai");
    assert_eq!(provider["additionalProperties"], false);
    assert_eq!(
        provider["properties"]["models"]["additionalProperties"]["properties"]["context"]["type"],
        "integer"
    );
}

#[test]
fn the_book_has_each_key_in_one_line_and_each_reason_against_a_project_once() {
    let book = schema::markdown();
    let mut tables = book.split("\n\n");
    let (reasons, keys, others) = (tables.next().unwrap(), tables.next().unwrap(), tables.next().unwrap());
    assert_eq!(tables.next(), None);
    assert_eq!(keys.lines().count(), schema::KEYS.len() + 2);
    assert_eq!(
        others.lines().count(),
        earlier::EARLIER.len() + schema::ELSEWHERE.len() + 2
    );
    let spends = "it limits what may be spent in your name";
    assert_eq!(book.matches(spends).count(), 1, "{reasons}");
    assert!(reasons.contains(&format!("| `limits` | {spends} |")), "{reasons}");
    let row = |path: &str| keys.lines().find(|line| line.starts_with(&format!("| `{path}` |")));
    for (path, project) in [
        ("limits.steps", "| no |"),
        ("ui.theme", "| yes |"),
        ("sandbox.network", "| to tighten it: `none` |"),
    ] {
        assert!(row(path).is_some_and(|line| line.contains(project)), "{path}: {keys}");
    }
}
