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
