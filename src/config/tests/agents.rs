//! Tests of agents in the configuration and in files: precedence, and line numbers in errors.

use super::super::explain;
use super::super::settings::AgentSettings;
use super::*;
use benchdog_domain::agent::Mode;

impl Fixture {
    fn agent(self, file: &str, text: &str) -> Self {
        std::fs::create_dir_all(self.path("agents")).unwrap();
        self.with(&format!("agents/{file}"), text)
    }

    fn beside(mut self, file: &str, text: &str) -> Self {
        self.texts.insert(file.to_owned(), text.as_bytes().to_vec());
        self
    }
}

fn one(settings: Settings) -> AgentSettings {
    let [agent] = <[AgentSettings; 1]>::try_from(settings.agents).unwrap();
    agent
}

const REVIEWER: &str = "---\ndescription: Reads changes: every line\nmode: subagent\nsteps: 30\ntemperature: 0.1\ntop_p: 0.9\nmodel: p/small\n\
                        tools: read, grep\npermission:\n  bash:\n    \"git *\": allow\n---\n\nLook for mistakes.\n";
const PROVIDER: &str = r#"{"provider": {"p": {"base_url": "http://x/v1"}}}"#;

#[test]
fn a_file_says_what_the_configuration_says() {
    let of_file = one(Fixture::user(PROVIDER).agent("reviewer.md", REVIEWER).settings());
    let text = r#"{"provider": {"p": {"base_url": "http://x/v1"}}, "agent": {"reviewer": {"description": "Reads changes: every line",
        "mode": "subagent", "steps": 30, "temperature": 0.1, "top_p": 0.9, "model": "p/small", "tools": ["read", "grep"],
        "permission": {"bash": {"git *": "allow"}}, "prompt": "Look for mistakes."}}}"#;
    let mut of_config = one(Fixture::user(text).settings());
    assert!(
        of_file.permission[0].origin.ends_with("agents/reviewer.md:9"),
        "{of_file:?}"
    );
    of_config.permission[0].origin.clone_from(&of_file.permission[0].origin);
    assert_eq!(of_file, of_config);
    assert_eq!(of_file.mode, Some(Mode::Subagent));
}

#[test]
fn the_nearer_layer_wins_key_by_key_and_explain_tells_both() {
    let fixture = Fixture::user(r#"{"agent": {"own": {"steps": 5}}}"#)
        .agent("own.md", "---\nsteps: 3\ndescription: mine\ntools: [read]\n---\nText.")
        .with("project.jsonc", r#"{"agent": {"own": {"tools": ["bash"]}}}"#)
        .beside("agents/own.md", "---\nsteps: 7\n---\n");
    let own = one(fixture.settings());
    assert_eq!((own.steps, own.description.as_str()), (Some(7), "mine"));
    assert_eq!(own.prompt.as_deref(), Some("Text."));
    assert_eq!(own.tools, [["read"], ["bash"]], "each layer's list is kept");
    let told = explain::explain(&fixture.load().unwrap(), "agent.own.steps").unwrap();
    assert!(
        told.contains("agents/own.md:2") && told.contains("user.jsonc:1"),
        "{told}"
    );
}

#[test]
fn a_prompt_may_be_a_file_beside_the_one_that_names_it() {
    let user = Fixture::user(r#"{"agent": {"own": {"prompt": "own.md"}}}"#).with("own.md", "Do it.\n");
    assert_eq!(one(user.settings()).prompt.as_deref(), Some("Do it."));
    let project = Fixture::new()
        .with("project.jsonc", r#"{"agent": {"own": {"prompt": "own.txt"}}}"#)
        .beside("own.txt", "As we do.");
    assert_eq!(one(project.settings()).prompt.as_deref(), Some("As we do."));
    // A project can only refer to its own trusted files.
    let outside = Fixture::new()
        .with("project.jsonc", r#"{"agent": {"own": {"prompt": "../user.md"}}}"#)
        .with("user.md", "secret");
    assert_eq!(
        outside.problems(),
        ["project.jsonc:1:30: there is no file `../user.md` with a prompt here"]
    );
}

#[test]
fn every_mistake_of_a_file_is_told_with_its_line() {
    for (text, told) in [
        (
            "---\ntolls: [read]\n---\n",
            "2:1: `agent.own.tolls` is not a known key; did you mean `agent.own.tools`?",
        ),
        (
            "---\ntools: [raed]\n---\n",
            "2:9: no tool is called `raed`; did you mean `read`?",
        ),
        (
            "---\ntools: read, -raed\n---\n",
            "2:8: no tool is called `raed`; did you mean `-read`?",
        ),
        (
            "---\nmode: sub\n---\n",
            "2:7: `agent.own.mode` must be one of `primary`, `subagent`, not `sub`; did you mean `subagent`?",
        ),
        (
            "---\npermission:\n  bahs: deny\n---\n",
            "3:3: no tool is called `bahs`, so its permission rule does nothing; did you mean `bash`?",
        ),
        (
            "---\npermission:\n  catastrophic: ask\n---\n",
            "3:3: only your own configuration may let `permission.catastrophic` ask",
        ),
        (
            "---\nprompt: other\n---\nText.\n",
            "2:1: the text below the front matter is the prompt; it cannot name another",
        ),
        ("---\nsteps: 3\n", "1:1: the front matter has no closing `---`"),
        (
            "---\nname: title\n---\n",
            "1:1: `agent.title` has no effect without `model`: the first prompt is the title; add a model, or remove it",
        ),
    ] {
        let problems = Fixture::new().agent("own.md", text).problems();
        assert_eq!(problems, [format!("agents/own.md:{told}")]);
    }
}

#[test]
fn what_is_written_of_an_agent_and_does_nothing_is_refused() {
    for (agent, told) in [
        (
            r#"{"plan": {"mode": "subagent"}}"#,
            "`agent.plan.mode` has no effect: a person works with it; remove it",
        ),
        (
            r#"{"explore": {"hidden": true}}"#,
            "`agent.explore.hidden` has no effect: it is always there; remove it",
        ),
        (
            r#"{"summary": {"tools": []}}"#,
            "`agent.summary.tools` has no effect: it only writes summaries; remove it",
        ),
        (r#"{"compaction": {}}"#, "did you mean `agent.summary`?"),
        (
            r#"{"default": {}}"#,
            "`default` is another name of the agent `build`; did you mean `agent.build`?",
        ),
        (r#"{"My Agent": {}}"#, "write `my-agent`"),
        (
            r#"{"own": {"model": "auto"}}"#,
            "`agent.own.model`: `auto` has to be chosen from what the servers offer",
        ),
        (
            r#"{"own": {"steps": 0}}"#,
            "`agent.own.steps` must be a whole number from 1 to 10000, or null, not 0",
        ),
    ] {
        let problems = Fixture::user(&format!(r#"{{"agent": {agent}}}"#)).problems();
        assert!(
            problems.len() == 1 && problems[0].contains(told),
            "{agent}: {problems:?}"
        );
    }
    let open = r#"{"agent": {"plan": {"steps": 9, "temperature": null}, "summary": {"prompt": "Short."}, "explore": {"model": null}}}"#;
    assert_eq!(Fixture::user(open).settings().agents.len(), 3);
}

/// Returns the first code block of a language in the docs.
fn example(language: &str) -> &'static str {
    let book = include_str!("../../../docs/agents.md");
    let (_, rest) = book.split_once(&format!("```{language}\n")).unwrap();
    rest.split_once("```").unwrap().0
}

#[test]
fn the_examples_of_the_book_are_agents() {
    let file = one(Fixture::new().agent("reviewer.md", example("markdown")).settings());
    let config = one(Fixture::user(example("jsonc")).settings());
    assert_eq!(file.name, config.name);
    assert_eq!(
        (&file.description, &file.tools, file.steps),
        (&config.description, &config.tools, config.steps)
    );
    assert_eq!(file.permission[0].rules, config.permission[0].rules);
    assert!(file.prompt.unwrap().starts_with("Read the change"));
}
