use super::super::tests::{home, left, proposed};
use super::super::{Why, plan};

#[test]
fn an_agent_comes_over_with_what_it_is_told_and_one_that_may_do_less_is_left_whole() {
    let home = home(&[
        (
            ".claude/agents/doc.md",
            "---\nname: writer\ndescription: Writes docs: short ones\nmodel: sonnet\ncolor: red\n---\n\nWrite.md\n",
        ),
        (
            ".claude/agents/safe.md",
            "---\nname: safe\ntools: Read, Grep\n---\nLook only.",
        ),
        (".claude/agents/plain.md", "Do as asked."),
        (".claude/agents/broken.md", "---\nname: [\n---\nx"),
        (".claude/agents/notes.txt", "no agent"),
    ]);
    let plan = plan("claude", home.path()).unwrap();
    let told = proposed(&plan);
    let shown: Vec<(&str, &str)> = told.iter().map(|(path, value)| (&**path, &**value)).collect();
    assert_eq!(
        shown,
        [
            (
                "agent.writer",
                r#"{"mode":"subagent","description":"Writes docs: short ones","prompt":"Write.md\n"}"#
            ),
            ("agent.plain", r#"{"mode":"subagent","prompt":"Do as asked.\n"}"#),
        ]
    );
    let at = |name: &str| home.path().join(".claude/agents").join(name).display().to_string();
    assert_eq!(left(&plan, &at("safe.md")), Some(&Why::Limits));
    assert_eq!(left(&plan, &format!("{}: model", at("doc.md"))), Some(&Why::Nothing));
    assert!(
        matches!(left(&plan, &at("broken.md")), Some(Why::Refused(_))),
        "{plan:?}"
    );
}

#[test]
fn agents_of_a_configuration_are_read_alike_and_those_of_another_form_are_told() {
    let text = r#"{"agent": {
        "review": {"description": "Reviews", "mode": "primary", "temperature": 0.1, "maxSteps": 5, "prompt": "Look."},
        "far": {"prompt": "{file:./x.md}"},
        "held": {"prompt": "x", "permission": {"edit": "deny"}},
        "open": {"prompt": "x", "tools": null, "mode": "all"}
    }}"#;
    let home1 = home(&[(".config/opencode/opencode.json", text)]);
    let plan1 = plan("opencode", home1.path()).unwrap();
    let told = proposed(&plan1);
    assert_eq!(
        told[0].1,
        r#"{"mode":"primary","description":"Reviews","temperature":0.1,"steps":5,"prompt":"Look.\n"}"#
    );
    assert_eq!(told[1].1, r#"{"mode":"subagent","prompt":"x\n"}"#);
    assert_eq!(told.len(), 2);
    assert_eq!(left(&plan1, "agent.far"), Some(&Why::Form));
    assert_eq!(left(&plan1, "agent.held"), Some(&Why::Limits));
    assert_eq!(left(&plan1, "agent.open: mode"), Some(&Why::Nothing));
    let home2 = home(&[(".vibe/agents/a.toml", "agent_type = \"subagent\"")]);
    let plan2 = plan("vibe", home2.path()).unwrap();
    let at = home2.path().join(".vibe/agents/a.toml").display().to_string();
    assert_eq!(left(&plan2, &at), Some(&Why::Nothing));
}
