use super::*;

fn tool(name: &'static str, group: Option<&'static str>) -> ToolRules {
    ToolRules {
        name: name.into(),
        group: group.map(Into::into),
        aliases: if name == "bash" { &["shell"] } else { &[] },
        defaults: Vec::new(),
        settable: Default::default(),
    }
}

fn allowed(list: &[&str]) -> Vec<String> {
    let list = ToolList::of(&list.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>());
    let tools = [
        tool("read", None),
        tool("grep", None),
        tool("write", Some("edit")),
        tool("edit", Some("edit")),
        tool("bash", None),
        tool("files__get", None),
    ];
    let allowed = tools.into_iter().filter(|tool| list.allows(tool));
    allowed.map(|tool| tool.name.into_owned()).collect()
}

#[test]
fn a_list_names_what_may_be_used_or_what_may_not() {
    assert_eq!(allowed(&[]).len(), 6);
    assert_eq!(allowed(&["read", "grep"]), ["read", "grep"]);
    assert_eq!(allowed(&["-bash"]), ["read", "grep", "write", "edit", "files__get"]);
    assert_eq!(allowed(&["+read", "-bash"]), ["read"]);
    assert_eq!(allowed(&["-*", "+grep"]), ["grep"]);
    assert_eq!(allowed(&["edit"]), ["write", "edit"], "a group means all of it");
    assert_eq!(allowed(&["-Shell", "-edit"]), ["read", "grep", "files__get"]);
    assert_eq!(allowed(&["files__*", "?rep"]), ["grep", "files__get"]);
}

#[test]
fn a_regular_expression_means_the_whole_name_and_a_wrong_one_means_nothing() {
    assert_eq!(allowed(&["re:(read|grep)"]), ["read", "grep"]);
    assert_eq!(allowed(&["-re:.*__.*", "-re:SHELL"]), ["read", "grep", "write", "edit"]);
    assert_eq!(allowed(&["re:rea"]), [""; 0], "not a part of the name");
    assert_eq!(allowed(&["re:(read"]), [""; 0]);
    assert!(expression("read").is_none());
    assert!(expression("re:(").is_some_and(|one| one.is_err()));
}

#[test]
fn patterns_fit_whole_names() {
    for (pattern, text, wanted) in [
        ("*", "", true),
        ("a*b*c", "aXbYc", true),
        ("a*b*c", "aXbY", false),
        ("*ab", "aab", true),
        ("read", "reader", false),
        ("*é", "caféé", true),
    ] {
        assert_eq!(fits(pattern, text), wanted, "{pattern} {text}");
    }
}
