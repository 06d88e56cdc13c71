//! Tests of the deciding rule, in every order of layers.

use super::*;
use crate::standing;
use crate::workspace::Workspace;
use Action::{Allow, Ask, Deny};
use benchdog_domain::permission::{CommandClass, Scope};

mod classes;
mod grants;
mod hosts;
mod interactive;
mod lines;
mod outdone;
mod prepared;
mod sandboxed;
mod secrets;
mod served;
mod together;
mod typed;

struct Bench {
    _keep: tempfile::TempDir,
    workspace: Workspace,
}

/// Rules as in the crate `tools`, where a test compares them with the real rows.
fn tool(name: &str) -> ToolRules {
    let editing = ["write", "edit", "patch", "notebook_edit"].contains(&name);
    let defaults: &[(&'static str, Action)] = match name {
        "bash" => &[("*", Ask), ("ls *", Allow), ("cat *", Allow), ("grep *", Allow)],
        "read" | "list" | "glob" | "grep" | "todoread" | "todowrite" | "ask" => &[("*", Allow)],
        _ => &[],
    };
    ToolRules {
        name: name.to_owned().into(),
        group: editing.then(|| "edit".into()),
        aliases: &[],
        defaults: defaults
            .iter()
            .map(|(pattern, action)| ((*pattern).into(), *action))
            .collect(),
        settable: Default::default(),
    }
}

fn policy(layers: Vec<LayerRules>) -> Policy {
    let tools = [
        "read",
        "list",
        "glob",
        "grep",
        "todoread",
        "todowrite",
        "ask",
        "bash",
        "write",
    ];
    Policy::new(&tools.map(tool), layers)
}

fn judge(policy: &Policy, name: &str, subjects: &[Subject]) -> Verdict {
    policy.judge(&Grants::default(), &tool(name), subjects)
}

fn bench() -> Bench {
    let keep = tempfile::tempdir().unwrap();
    let root = keep.path().join("work");
    std::fs::create_dir_all(root.join("src")).unwrap();
    std::fs::create_dir_all(keep.path().join("added")).unwrap();
    std::fs::write(root.join("notes.txt"), "x").unwrap();
    std::fs::write(root.join(".env"), "x").unwrap();
    std::os::unix::fs::symlink("/etc/passwd", root.join("out")).unwrap();
    std::os::unix::fs::symlink(".env", root.join("settings")).unwrap();
    let workspace = Workspace::open(&root, &[keep.path().join("added")], &[]).unwrap();
    Bench { _keep: keep, workspace }
}

fn layer(layer: Layer, rules: &[(&str, &[(&str, Action)])]) -> LayerRules {
    LayerRules {
        network: Vec::new(),
        layer,
        origin: format!("{layer:?}"),
        rules: rules
            .iter()
            .map(|(key, rules)| {
                (
                    (*key).to_owned(),
                    rules
                        .iter()
                        .map(|(pattern, action)| ((*pattern).to_owned(), *action))
                        .collect(),
                )
            })
            .collect(),
    }
}

fn path(text: &str) -> Vec<Subject> {
    vec![Subject::Path {
        path: text.to_owned(),
        place: Place::Inside,
        reach: None,
    }]
}

impl Bench {
    fn command_in(&self, workdir: &str, text: &str) -> Vec<Subject> {
        let workdir = self.workspace.resolve(workdir).unwrap();
        vec![Subject::Command(standing::command(&self.workspace, &workdir, text))]
    }

    fn command(&self, text: &str) -> Vec<Subject> {
        self.command_in(".", text)
    }

    fn judged(&self, policy: &Policy, text: &str) -> Verdict {
        judge(policy, "bash", &self.command(text))
    }

    fn bash(&self, policy: &Policy, text: &str) -> Action {
        self.judged(policy, text).action
    }
}

#[test]
fn the_default_reads_freely_and_asks_for_the_rest() {
    let policy = policy(Vec::new());
    for tool in ["read", "list", "glob", "grep"] {
        assert_eq!(judge(&policy, tool, &path("notes.txt")).action, Allow, "{tool}");
    }
    for tool in ["todoread", "todowrite", "ask"] {
        assert_eq!(judge(&policy, tool, &[Subject::Tool]).action, Allow, "{tool}");
    }
    for tool in ["write", "edit", "patch", "notebook_edit"] {
        assert_eq!(judge(&policy, tool, &path("notes.txt")).action, Ask, "{tool}");
    }
    for tool in ["skill", "task", "webfetch", "server__tool"] {
        assert_eq!(judge(&policy, tool, &[Subject::Tool]).action, Ask, "{tool}");
    }
    assert_eq!(judge(&policy, "skill", &path("x")).action, Ask);
}

#[test]
fn an_allowed_command_must_be_plain_and_stay_inside() {
    let b = bench();
    let policy = policy(Vec::new());
    for text in [
        "ls",
        "ls -la src",
        "cat notes.txt",
        "grep -rn fn src",
        "'cat' notes.txt",
        "grep 'a b' notes.txt",
        "cat $(echo notes.txt)",
        "cat <(echo x)",
        "cat notes.txt | head",
        "cat notes.txt; ls",
        "cat notes.txt &",
        // The sandbox hides secrets in that folder from the command.
        "cat .e*",
        "grep -rn x",
        "grep -r src",
        "grep -r KEY --exclude-dir src",
        "grep --recursive src",
        "grep -d recurse src",
        "grep -rn x .",
        "grep -Rn x ./src/..",
    ] {
        assert_eq!(b.bash(&policy, text), Allow, "{text}");
    }
    for text in [
        "cat notes.txt > new.txt",
        "X=1 cat notes.txt",
        "cat $HOME/.ssh/id_rsa",
        "cat ~/.bashrc",
        "cat /etc/passwd",
        "cat ../other",
        "cat .env",
        "cat settings",
        "cat out",
        "cat *",
        "cat {notes.txt,.env}",
        "grep -f/etc/passwd x",
        "grep --file=/etc/passwd x",
        "grep -rf ../../etc/shells p",
        "grep 2>/dev/null -rf p /etc/passwd",
        "catx notes.txt",
        "rm notes.txt",
        "",
    ] {
        assert_eq!(b.bash(&policy, text), Ask, "{text}");
    }
}

#[test]
fn no_allow_covers_the_dangerous_class_or_what_is_not_understood() {
    let b = bench();
    let everything = &[
        ("*", &[("*", Allow)] as &[_]),
        ("bash", &[("*", Allow), ("rm *", Allow), ("rm notes.txt", Allow)]),
    ];
    let policy = policy(vec![layer(Layer::User, everything), layer(Layer::Flag, everything)]);
    let mut grants = Grants::default();
    grants.grant(Scope {
        key: "bash".into(),
        pattern: "rm *".into(),
        options: None,
        and: Vec::new(),
    });
    grants.grant(Scope {
        key: "bash".into(),
        pattern: "*".into(),
        options: None,
        and: Vec::new(),
    });
    for (text, class) in [
        ("rm notes.txt", CommandClass::Dangerous),
        ("sudo rm notes.txt", CommandClass::Dangerous),
        ("echo $(rm notes.txt)", CommandClass::Dangerous),
        ("echo a > notes.txt", CommandClass::Dangerous),
        ("$TOOL notes.txt", CommandClass::Dangerous),
        ("git pull", CommandClass::External),
        ("curl http://x", CommandClass::External),
        ("python3 -c 'import x'", CommandClass::Unknown),
    ] {
        let verdict = policy.judge(&grants, &tool("bash"), &b.command(text));
        assert_eq!((verdict.action, verdict.class), (Ask, Some(class)), "{text}");
        assert!(verdict.scopes.is_empty(), "{text} is never remembered");
        assert!(verdict.needs_person, "{text}");
        assert_eq!(verdict.layer, Layer::Guard);
    }
    assert_eq!(b.bash(&policy, "cargo test"), Allow);
}

#[test]
fn the_most_specific_pattern_wins_and_ties_are_strict() {
    let b = bench();
    let policy = policy(vec![layer(
        Layer::User,
        &[(
            "bash",
            &[
                ("cargo *", Allow),
                ("cargo publish *", Deny),
                ("cargo p?blish --dry-run", Allow),
                ("go ?", Allow),
                ("g? x", Deny),
            ],
        )],
    )]);
    assert_eq!(b.bash(&policy, "cargo test"), Allow);
    assert_eq!(b.bash(&policy, "cargo"), Allow, "`x *` also means `x`");
    assert_eq!(b.bash(&policy, "cargo publish --token x"), Deny);
    assert_eq!(b.bash(&policy, "cargo publish"), Deny);
    assert_eq!(
        b.bash(&policy, "cargo publish --dry-run"),
        Allow,
        "more letters say more"
    );
    assert_eq!(b.bash(&policy, "go x"), Deny);
    assert_eq!(b.bash(&policy, "cargotest"), Ask);
}

#[test]
fn a_denied_command_is_denied_wherever_it_stands() {
    let b = bench();
    let policy = policy(vec![layer(
        Layer::User,
        &[("bash", &[("*", Allow), ("git push *", Deny), ("curl *", Deny)])],
    )]);
    for text in [
        "git push",
        "cd src && git push origin main",
        "sudo git push",
        "echo $(git push)",
        "bash -c 'git push'",
        "'git' pu\"sh\" x",
        "timeout 5 curl x",
        "curl x | sh",
    ] {
        assert_eq!(b.bash(&policy, text), Deny, "{text}");
    }
    assert_eq!(b.bash(&policy, "git commit -m x"), Allow);
}

#[test]
fn a_deny_of_any_layer_is_final_and_otherwise_the_nearer_wins() {
    let b = bench();
    let policy = policy(vec![
        layer(
            Layer::Flag,
            &[("bash", &[("make *", Allow)]), ("webfetch", &[("*", Allow)])],
        ),
        layer(
            Layer::User,
            &[
                ("bash", &[("make *", Deny), ("just *", Ask)]),
                ("webfetch", &[("*", Ask)]),
            ],
        ),
        layer(Layer::Project, &[("bash", &[("just *", Allow)])]),
    ]);
    assert_eq!(b.bash(&policy, "make all"), Deny);
    assert_eq!(b.bash(&policy, "just all"), Allow);
    assert_eq!(judge(&policy, "webfetch", &[Subject::Tool]).action, Allow);
}

#[test]
fn a_layer_may_deny_everything_but_what_it_names() {
    let b = bench();
    let policy = policy(vec![layer(
        Layer::User,
        &[("*", &[("*", Deny)]), ("read", &[("*", Allow)])],
    )]);
    assert_eq!(judge(&policy, "read", &path("notes.txt")).action, Allow);
    assert_eq!(judge(&policy, "write", &path("notes.txt")).action, Deny);
    assert_eq!(b.bash(&policy, "ls"), Deny);
}

#[test]
fn edit_covers_all_that_edit_and_a_tools_own_key_wins() {
    let policy = policy(vec![layer(
        Layer::User,
        &[("edit", &[("*", Allow), ("docs/*", Deny)]), ("patch", &[("*", Ask)])],
    )]);
    assert_eq!(judge(&policy, "write", &path("src/a.rs")).action, Allow);
    assert_eq!(judge(&policy, "edit", &path("docs/deep/a.md")).action, Deny);
    assert_eq!(judge(&policy, "patch", &path("src/a.rs")).action, Ask);
    let both = [path("src/a.rs"), path("docs/a.md")].concat();
    assert_eq!(
        judge(&policy, "write", &both).action,
        Deny,
        "the strictest of several counts"
    );
}

#[test]
fn an_explanation_has_the_form_scripts_rely_on() {
    let b = bench();
    let policy = policy(Vec::new());
    let workdir = b.workspace.resolve(".").unwrap();
    let explain = |text: &str| {
        explain(
            &policy,
            &Grants::default(),
            &tool("bash"),
            &standing::command(&b.workspace, &workdir, text),
            benchdog_lang::because,
        )
    };
    let value = explain("ls; rm notes.txt");
    assert_eq!(value["class"], "dangerous");
    assert_eq!(value["verdict"], "ask");
    assert_eq!(value["command"], "ls; rm notes.txt");
    assert!(value["because"].as_str().unwrap().contains("rm"));
    let parts = value["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[1]["class"], "dangerous");
    assert_eq!(explain("ls")["verdict"], "allow");
    assert_eq!(explain("$X y")["class"], "dangerous");
}
