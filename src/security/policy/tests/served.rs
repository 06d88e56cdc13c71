//! Tests of rules for server tools: by name or by pattern. "Always" covers one tool or all tools of a server.

use super::*;
use benchdog_domain::server::ServerName;

fn served(policy: &Policy, grants: &Grants, name: &str) -> Verdict {
    let server = ServerName(name.split("__").next().unwrap().to_owned());
    policy.judge(grants, &tool(name), &[Subject::Served { server }])
}

fn judged(policy: &Policy, name: &str) -> Action {
    served(policy, &Grants::default(), name).action
}

#[test]
fn the_rule_that_says_most_of_the_name_counts_and_a_deny_is_final() {
    let policy = policy(vec![
        layer(
            Layer::User,
            &[
                ("files__*", &[("*", Ask)]),
                ("files__read_*", &[("*", Allow)]),
                ("files__read_secret", &[("*", Ask)]),
                ("*", &[("*", Allow)]),
            ],
        ),
        layer(Layer::Project, &[("*__delete", &[("*", Deny)])]),
    ]);
    for (name, action) in [
        ("files__write", Ask),
        ("files__read_text", Allow),
        ("files__read_secret", Ask),
        ("files__delete", Deny),
        ("other__get", Allow),
    ] {
        assert_eq!(judged(&policy, name), action, "{name}");
    }
    assert_eq!(
        judge(&policy, "notebook", &[Subject::Tool]).action,
        Allow,
        "no pattern of servers means it"
    );
}

#[test]
fn always_covers_the_tool_or_all_of_its_server_and_nothing_of_another() {
    let policy = policy(Vec::new());
    let asked = served(&policy, &Grants::default(), "files__write");
    let written: Vec<String> = asked.scopes.iter().map(|scope| scope.key.clone()).collect();
    assert_eq!(written, ["files__write", "files__*"]);
    let mut one = Grants::default();
    one.grant(asked.scopes[0].clone());
    assert_eq!(served(&policy, &one, "files__write").action, Allow);
    assert_eq!(served(&policy, &one, "files__delete").action, Ask);
    let mut all = Grants::default();
    all.grant(asked.scopes[1].clone());
    assert_eq!(served(&policy, &all, "files__delete").action, Allow);
    assert_eq!(served(&policy, &all, "more__delete").action, Ask);
}
