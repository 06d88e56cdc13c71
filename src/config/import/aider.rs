//! Imports aider's `~/.aider.conf.yml`: endpoints, models, files to read, and the test command. Keys are not copied.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::servers::hold_secret;
use super::{FORM, Plan, Why};
use crate::hosts::ollama_address;
use crate::secret::is_secret_name;
use benchdog_base::document;
use benchdog_base::front_matter::{self, Wrong};
use benchdog_base::problem::{Location, Problem};

const FILE: &str = ".aider.conf.yml";

const OLLAMA: [&str; 2] = ["ollama_chat/", "ollama/"];
const OPENAI: &str = "openai/";

pub(super) fn plan(home: &Path) -> Result<Plan, Vec<Problem>> {
    let mut plan = Plan::default();
    let path = home.join(FILE);
    let shown = path.display().to_string();
    let Some(bytes) = document::read(&path, FORM).map_err(|problem| vec![problem])? else {
        return Ok(plan);
    };
    let text = document::text(&shown, bytes).map_err(|problem| vec![problem])?;
    plan.read.push(path);
    let wrong = |Wrong { line, why }: Wrong| {
        let place = Location {
            file: shown.clone(),
            line: usize::try_from(line).unwrap_or(usize::MAX),
            column: 1,
        };
        vec![Problem::new(place, why)]
    };
    match front_matter::tree(&shown, &text, 1, &[]).map_err(wrong)?.to_value() {
        Value::Object(fields) => all(&mut plan, &fields),
        Value::Null => {}
        _ => {
            return Err(vec![Problem::new(
                Location::file(&shown),
                "a configuration must be keys with values",
            )]);
        }
    }
    Ok(plan)
}

/// Imports endpoints first, because models refer to them.
fn all(plan: &mut Plan, fields: &Map<String, Value>) {
    let named = |wanted: &str| {
        let found = fields.iter().find(|(name, _)| name.replace('_', "-") == wanted);
        found.map(|(_, value)| value)
    };
    let variables = texts(named("set-env"));
    let variable = |wanted: &str| {
        let mut pairs = variables.iter().filter_map(|pair| pair.split_once('='));
        pairs.find(|(name, _)| *name == wanted).map(|(_, value)| value)
    };
    let models = [("model", "model"), ("weak-model", "small_model")];
    let models = models.map(|(theirs, ours)| (theirs, ours, named(theirs).and_then(Value::as_str)));
    let asks = |server: &str| {
        models
            .iter()
            .any(|(_, _, model)| model.is_some_and(|model| model.starts_with(server)))
    };
    let openai = named("openai-api-base")
        .and_then(Value::as_str)
        .or_else(|| variable("OPENAI_API_BASE"));
    let openai = openai.is_some_and(|address| {
        let ours = json!({"base_url": address, "api_key_env": ["OPENAI_API_KEY"]});
        endpoint(plan, "openai", "openai-api-base", address, ours)
    });
    let ollama = variable("OLLAMA_API_BASE").or_else(|| OLLAMA.into_iter().any(asks).then_some("localhost"));
    let ollama = ollama.is_some_and(|host| {
        let ours = json!({"api": "ollama", "base_url": ollama_address(host)});
        endpoint(plan, "ollama", "OLLAMA_API_BASE", host, ours)
    });
    for (theirs, ours, model) in models {
        let Some(model) = model else { continue };
        let of_ollama = OLLAMA.into_iter().find_map(|server| model.strip_prefix(server));
        match (of_ollama, model.strip_prefix(OPENAI)) {
            (Some(name), _) if ollama => plan.set(&[ours], json!(format!("ollama/{name}")), theirs),
            (None, Some(name)) if openai => plan.set(&[ours], json!(format!("openai/{name}")), theirs),
            _ => plan.leave(format!("{theirs}: {model}"), Why::Nothing),
        }
    }
    for (name, value) in fields {
        rest(plan, name, value, named("auto-test") == Some(&Value::Bool(true)));
    }
}

fn endpoint(plan: &mut Plan, name: &str, theirs: &str, address: &str, ours: Value) -> bool {
    if address.contains(['?', '@']) {
        plan.leave(theirs, Why::Secret);
        return false;
    }
    plan.set(&["provider", name], ours, theirs);
    true
}

fn words_of(command: &Value) -> Vec<String> {
    let words = command.as_str().unwrap_or_default().split_whitespace();
    words.map(str::to_owned).collect()
}

fn rest(plan: &mut Plan, name: &str, value: &Value, tests_by_itself: bool) {
    // Named like its command-line option.
    match format!("--{}", name.replace('_', "-")).as_str() {
        "--model" | "--weak-model" | "--openai-api-base" | "--auto-test" => {}
        "--read" => plan.set(&["instructions"], json!(texts(Some(value))), name),
        "--test-cmd" if hold_secret(&words_of(value)) => plan.leave(name, Why::Secret),
        "--test-cmd" if value.is_string() => {
            plan.set(&["validation", "command"], value.clone(), name);
            plan.set(&["validation", "auto"], json!(tests_by_itself), "auto-test");
        }
        "--vim" if value.is_boolean() => plan.set(&["ui", "vim"], value.clone(), name),
        "--set-env" => {
            for pair in texts(Some(value)) {
                let called = pair.split('=').next().unwrap_or_default();
                match called {
                    "OPENAI_API_BASE" | "OLLAMA_API_BASE" => {}
                    _ if is_secret_name(called) => plan.leave(format!("{name}: {called}"), Why::Secret),
                    _ => plan.leave(format!("{name}: {called}"), Why::Nothing),
                }
            }
        }
        other if other.ends_with("api-key") => plan.leave(name, Why::Secret),
        _ => plan.leave(name, Why::Nothing),
    }
}

fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(items)) => items
            .iter()
            .filter_map(|item| Some(item.as_str()?.to_owned()))
            .collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{home, left, proposed};
    use super::super::{Why, plan};

    fn pairs(rows: &[(&str, &str)]) -> Vec<(String, String)> {
        rows.iter()
            .map(|(path, value)| ((*path).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn an_endpoint_with_its_models_files_and_the_command_that_tests_come_over_and_no_key() {
        const YAML: &str = "# mine\nopenai-api-base: http://127.0.0.1:8000/v1\nopenai-api-key: sk-very-secret\nmodel: openai/qwen/coder\n\
            weak-model: gpt-5-mini\nread: [CONVENTIONS.md, docs/style.md]\ntest-cmd: make test\nvim: true\nauto-commits: false\nyes-always: true\n\
            set-env:\n  - HF_TOKEN=hf_secret\n  - LANG=C\n";
        let home = home(&[(".aider.conf.yml", YAML)]);
        let plan = plan("aider", home.path()).unwrap();
        assert_eq!(
            proposed(&plan),
            pairs(&[
                (
                    "provider.openai",
                    r#"{"base_url":"http://127.0.0.1:8000/v1","api_key_env":["OPENAI_API_KEY"]}"#
                ),
                ("model", r#""openai/qwen/coder""#),
                ("instructions", r#"["CONVENTIONS.md","docs/style.md"]"#),
                ("validation.command", r#""make test""#),
                ("validation.auto", "false"),
                ("ui.vim", "true"),
            ])
        );
        assert!(plan.allows.is_empty());
        for (theirs, why) in [
            ("openai-api-key", Why::Secret),
            ("weak-model: gpt-5-mini", Why::Nothing),
            ("auto-commits", Why::Nothing),
            ("yes-always", Why::Nothing),
            ("set-env: HF_TOKEN", Why::Secret),
            ("set-env: LANG", Why::Nothing),
        ] {
            assert_eq!(left(&plan, theirs), Some(&why), "{theirs}");
        }
        assert!(!format!("{plan:?}").contains("secret"), "{plan:?}");
    }

    #[test]
    fn a_command_that_tests_with_a_token_in_it_stays_where_it_is() {
        let home = home(&[(".aider.conf.yml", "test-cmd: API_TOKEN=mine-alone pytest\n")]);
        let plan = plan("aider", home.path()).unwrap();
        assert_eq!(proposed(&plan), []);
        assert_eq!(left(&plan, "test-cmd"), Some(&Why::Secret));
    }

    #[test]
    fn an_ollama_is_where_the_models_say_or_the_variable() {
        let home1 = home(&[(".aider.conf.yml", "model: ollama_chat/qwen3:8b\n")]);
        let plan1 = plan("aider", home1.path()).unwrap();
        assert_eq!(
            proposed(&plan1),
            pairs(&[
                (
                    "provider.ollama",
                    r#"{"api":"ollama","base_url":"http://localhost:11434/v1"}"#
                ),
                ("model", r#""ollama/qwen3:8b""#),
            ])
        );
        let text = "weak_model: ollama/a\nset-env: OLLAMA_API_BASE=http://me:pw@box:1\n";
        let home2 = home(&[(".aider.conf.yml", text)]);
        let plan2 = plan("aider", home2.path()).unwrap();
        assert_eq!(proposed(&plan2), []);
        assert_eq!(left(&plan2, "OLLAMA_API_BASE"), Some(&Why::Secret));
        assert_eq!(left(&plan2, "weak-model: ollama/a"), Some(&Why::Nothing));
        assert!(!format!("{plan2:?}").contains("me:pw"), "{plan2:?}");
    }

    #[test]
    fn a_file_that_is_no_yaml_is_told_with_its_line_and_an_empty_one_is_nothing() {
        let home1 = home(&[(".aider.conf.yml", "model: a\nread: [\n")]);
        let problems = plan("aider", home1.path()).unwrap_err();
        assert!(problems[0].to_string().contains(".aider.conf.yml:"), "{problems:?}");
        let home2 = home(&[(".aider.conf.yml", "- a\n")]);
        assert!(plan("aider", home2.path()).is_err());
        let home3 = home(&[(".aider.conf.yml", "# nothing\n")]);
        assert_eq!(proposed(&plan("aider", home3.path()).unwrap()), []);
    }
}
