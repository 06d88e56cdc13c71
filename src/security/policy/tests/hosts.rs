//! Tests of hosts: each needs an answer or a rule of the person that names the tool.

use super::*;

fn on(policy: &Policy, grants: &Grants, host: &str) -> Verdict {
    policy.judge(grants, &tool("webfetch"), &[Subject::Host(host.to_owned())])
}

fn judged(policy: &Policy, host: &str) -> Action {
    on(policy, &Grants::default(), host).action
}

#[test]
fn a_host_is_asked_about_and_always_covers_it_alone() {
    let policy = policy(Vec::new());
    let asked = on(&policy, &Grants::default(), "docs.rs");
    assert_eq!((asked.action, asked.class), (Ask, Some(CommandClass::External)));
    assert_eq!(asked.scopes.len(), 1);
    let mut grants = Grants::default();
    grants.grant(asked.scopes[0].clone());
    assert_eq!(on(&policy, &grants, "docs.rs").action, Allow);
    for other in [
        "http://docs.rs",
        "docs.rs:8443",
        "docs.rs.evil.example",
        "x.docs.rs",
        "docsxrs",
    ] {
        assert_eq!(on(&policy, &grants, other).action, Ask, "{other}");
    }
}

#[test]
fn only_a_rule_of_the_person_that_names_the_tool_allows_a_host() {
    let of = |at, key, pattern, action| policy(vec![layer(at, &[(key, &[(pattern, action)])])]);
    for at in [Layer::User, Layer::File, Layer::Flag] {
        assert_eq!(
            judged(&of(at, "webfetch", "*.rust-lang.org", Allow), "doc.rust-lang.org"),
            Allow
        );
        assert_eq!(judged(&of(at, "webfetch", "*", Allow), "docs.rs"), Allow);
    }
    for (at, key) in [
        (Layer::User, "*"),
        (Layer::Project, "webfetch"),
        (Layer::Agent, "webfetch"),
    ] {
        let asked = on(&of(at, key, "*", Allow), &Grants::default(), "docs.rs");
        assert_eq!(asked.action, Ask, "{at:?}");
        assert!(
            matches!(asked.because, Because::HostNotNamed { .. }),
            "{:?}",
            asked.because
        );
        assert_eq!(asked.scopes.len(), 1, "a person may still answer always");
    }
    for (at, key) in [
        (Layer::User, "*"),
        (Layer::Project, "webfetch"),
        (Layer::Agent, "webfetch"),
    ] {
        assert_eq!(judged(&of(at, key, "*", Deny), "docs.rs"), Deny);
    }
}

#[test]
fn a_denied_host_is_denied_at_each_port_and_without_encryption() {
    let rules: &[(&str, Action)] = &[("*", Allow), ("pastebin.com", Deny), ("[2001:db8::1]", Deny)];
    let policy = policy(vec![layer(Layer::User, &[("webfetch", rules)])]);
    for host in [
        "pastebin.com",
        "http://pastebin.com",
        "pastebin.com:8443",
        "http://pastebin.com:8080",
        "[2001:db8::1]:8443",
    ] {
        assert_eq!(judged(&policy, host), Deny, "{host}");
    }
    assert_eq!(judged(&policy, "docs.rs"), Allow);
    assert_eq!(judged(&policy, "[2001:db8::2]"), Allow);
}

#[test]
fn without_encryption_a_host_needs_a_rule_that_says_so() {
    let rules: &[(&str, Action)] = &[("*", Allow), ("*.rust-lang.org", Allow), ("http://docs.rs", Allow)];
    let policy = policy(vec![layer(Layer::User, &[("webfetch", rules)])]);
    for host in ["http://doc.rust-lang.org", "http://a.example"] {
        assert_eq!(judged(&policy, host), Ask, "{host}");
    }
    assert_eq!(judged(&policy, "http://docs.rs"), Allow);
}
