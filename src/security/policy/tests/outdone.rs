//! Tests of `outdone`: it finds every deny that a new rule weakens, and no other.

use super::*;

#[test]
fn a_rule_that_something_denied_would_meet_first_is_told_from_one_that_changes_no_deny() {
    let own = layer(
        Layer::User,
        &[
            ("bash", &[("npm *", Deny), ("git push --force *", Deny)]),
            ("edit", &[("docs/*", Deny)]),
            ("files__*", &[("*", Deny)]),
            ("*", &[("private/*", Deny)]),
        ],
    );
    let near = layer(Layer::Flag, &[("bash", &[("make *", Deny)])]);
    let policy = policy(vec![own, near]);
    let tools = ["bash", "edit", "write", "read"].map(tool);
    let met = |key: &str, pattern: &str, action: Action| {
        let outdone = policy.outdone(&tools, key, pattern, action);
        outdone.map(|rule| format!("{} {}", rule.key, rule.pattern))
    };
    for (key, pattern, outdone) in [
        ("bash", "npm run test *", "bash npm *"),
        ("bash", "n?m test", "bash npm *"),
        ("bash", "*run a long enough text", "bash npm *"),
        ("write", "*", "edit docs/*"),
        ("files__read", "*", "files__* *"),
        ("read", "private/a*", "* private/*"),
        ("external_directory", "*", "external_directory *"),
        ("catastrophic", "*", "catastrophic *"),
    ] {
        let found = met(key, pattern, Ask);
        assert!(found.is_some(), "{key} {pattern}");
        assert!(
            found.as_deref() == Some(outdone) || key == "external_directory",
            "{key} {pattern}: {found:?}"
        );
        assert_eq!(met(key, pattern, Allow), found, "{key} {pattern}");
        assert_eq!(met(key, pattern, Deny), None, "{key} {pattern}");
    }
    for (key, pattern) in [
        ("bash", "cargo test"),
        ("bash", "git push *"),
        ("bash", "make test"),
        ("edit", "d*"),
        ("write", "src/main.rs"),
        ("others__read", "src"),
        ("*", "*"),
    ] {
        assert_eq!(met(key, pattern, Ask), None, "{key} {pattern}");
    }
}
