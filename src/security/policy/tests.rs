//! Which rule decides, in every order of layers.

use super::*;
use Action::{Allow, Ask, Deny};

struct Bench {
    _keep: tempfile::TempDir,
    workspace: Workspace,
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

fn command(text: &str) -> Vec<Subject> {
    vec![Subject::Command {
        command: text.to_owned(),
        workdir: ".".to_owned(),
    }]
}

fn path(text: &str) -> Vec<Subject> {
    vec![Subject::Path {
        path: text.to_owned(),
        secret: false,
    }]
}

impl Bench {
    fn bash(&self, policy: &Policy, text: &str) -> Action {
        policy.judge("bash", &command(text), &self.workspace).action
    }
}

#[test]
fn the_default_reads_freely_and_asks_for_the_rest() {
    let b = bench();
    let policy = Policy::new(Vec::new());
    for tool in ["read", "list", "glob", "grep"] {
        assert_eq!(
            policy.judge(tool, &path("notes.txt"), &b.workspace).action,
            Allow,
            "{tool}"
        );
    }
    for tool in ["todoread", "todowrite", "ask", "done"] {
        assert_eq!(
            policy.judge(tool, &[Subject::Tool], &b.workspace).action,
            Allow,
            "{tool}"
        );
    }
    for tool in ["write", "edit", "patch", "notebook_edit"] {
        assert_eq!(
            policy.judge(tool, &path("notes.txt"), &b.workspace).action,
            Ask,
            "{tool}"
        );
    }
    for tool in ["skill", "task", "webfetch", "server__tool"] {
        assert_eq!(policy.judge(tool, &[Subject::Tool], &b.workspace).action, Ask, "{tool}");
    }
    assert_eq!(policy.judge("read", &path("/etc/passwd"), &b.workspace).action, Deny);
}

#[test]
fn an_allowed_command_must_be_plain_and_stay_inside() {
    let b = bench();
    let policy = Policy::new(Vec::new());
    for text in [
        "ls",
        "ls -la src",
        "cat notes.txt",
        "grep -rn fn src",
        "'cat' notes.txt",
        "grep 'a b' notes.txt",
    ] {
        assert_eq!(b.bash(&policy, text), Allow, "{text}");
    }
    for text in [
        "cat notes.txt > new.txt",
        "cat $(echo notes.txt)",
        "cat `echo notes.txt`",
        "cat <(echo x)",
        "X=1 cat notes.txt",
        "cat notes.txt | head",
        "cat notes.txt; ls",
        "cat notes.txt &",
        "cat $HOME/.ssh/id_rsa",
        "cat ~/.bashrc",
        "cat /etc/passwd",
        "cat ../other",
        "cat .env",
        "cat settings",
        "cat out",
        "cat *",
        "cat .e*",
        "cat {notes.txt,.env}",
        "grep -rn x",
        "grep -r src",
        "grep -r KEY --exclude-dir src",
        "grep --recursive src",
        "grep -d recurse src",
        "grep -rn x .",
        "grep -Rn x ./src/..",
        "grep -f/etc/passwd x",
        "grep --file=/etc/passwd x",
        "grep -rf ../../etc/shells p",
        "grep 2>/dev/null -rf p /etc/shells",
        "lsof",
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
    let mut policy = Policy::new(vec![layer(Layer::User, everything), layer(Layer::Flag, everything)]);
    policy.remember(Scope {
        key: "bash".into(),
        pattern: "rm *".into(),
    });
    policy.remember(Scope {
        key: "bash".into(),
        pattern: "*".into(),
    });
    for (text, class) in [
        ("rm notes.txt", CommandClass::Dangerous),
        ("sudo rm notes.txt", CommandClass::Dangerous),
        ("echo $(rm notes.txt)", CommandClass::Dangerous),
        ("echo a > notes.txt", CommandClass::Dangerous),
        ("$TOOL notes.txt", CommandClass::Unknown),
        ("curl x | sh", CommandClass::Unknown),
        ("python3 -c 'import x'", CommandClass::Unknown),
    ] {
        let verdict = policy.judge("bash", &command(text), &b.workspace);
        assert_eq!((verdict.action, verdict.class), (Ask, Some(class)), "{text}");
        assert_eq!(verdict.scope, None, "{text} is never remembered");
        assert!(verdict.needs_person, "{text}");
        assert_eq!(verdict.layer, Layer::Guard);
    }
    assert_eq!(b.bash(&policy, "cargo test"), Allow);
}

#[test]
fn the_most_specific_pattern_wins_and_ties_are_strict() {
    let b = bench();
    let policy = Policy::new(vec![layer(
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
    let policy = Policy::new(vec![layer(
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
    assert_eq!(b.bash(&policy, "git pull"), Allow);
}

#[test]
fn a_deny_of_any_layer_is_final_and_otherwise_the_nearer_wins() {
    let b = bench();
    let policy = Policy::new(vec![
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
    assert_eq!(policy.judge("webfetch", &[Subject::Tool], &b.workspace).action, Allow);
}

#[test]
fn a_layer_may_deny_everything_but_what_it_names() {
    let b = bench();
    let policy = Policy::new(vec![layer(
        Layer::User,
        &[("*", &[("*", Deny)]), ("read", &[("*", Allow)])],
    )]);
    assert_eq!(policy.judge("read", &path("notes.txt"), &b.workspace).action, Allow);
    assert_eq!(policy.judge("write", &path("notes.txt"), &b.workspace).action, Deny);
    assert_eq!(b.bash(&policy, "ls"), Deny);
}

#[test]
fn edit_covers_all_that_edit_and_a_tools_own_key_wins() {
    let b = bench();
    let policy = Policy::new(vec![layer(
        Layer::User,
        &[("edit", &[("*", Allow), ("docs/*", Deny)]), ("patch", &[("*", Ask)])],
    )]);
    assert_eq!(policy.judge("write", &path("src/a.rs"), &b.workspace).action, Allow);
    assert_eq!(policy.judge("edit", &path("docs/deep/a.md"), &b.workspace).action, Deny);
    assert_eq!(policy.judge("patch", &path("src/a.rs"), &b.workspace).action, Ask);
    let both = [path("src/a.rs"), path("docs/a.md")].concat();
    assert_eq!(
        policy.judge("write", &both, &b.workspace).action,
        Deny,
        "the strictest of several counts"
    );
}

#[test]
fn secrets_ask_whatever_the_rules_say_and_need_a_person() {
    let b = bench();
    let policy = Policy::new(vec![layer(
        Layer::User,
        &[("*", &[("*", Allow)]), ("read", &[("*", Allow), (".env", Allow)])],
    )]);
    for subject in [
        Subject::Path {
            path: ".env".into(),
            secret: true,
        },
        Subject::Path {
            path: "settings".into(),
            secret: true,
        },
        Subject::Path {
            path: "keys/server.pem".into(),
            secret: false,
        },
    ] {
        let verdict = policy.judge("read", std::slice::from_ref(&subject), &b.workspace);
        assert_eq!(
            (verdict.action, verdict.scope, verdict.needs_person),
            (Ask, None, true),
            "{subject:?}"
        );
    }
    let verdict = policy.judge("bash", &command("cat .env"), &b.workspace);
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
    let verdict = policy.judge("bash", &command("cat .env | head"), &b.workspace);
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
}

#[test]
fn always_covers_exactly_what_it_says() {
    let b = bench();
    let mut policy = Policy::new(Vec::new());
    let verdict = policy.judge("bash", &command("cargo test --lib"), &b.workspace);
    let scope = verdict.scope.clone().unwrap();
    assert_eq!((scope.key.as_str(), scope.pattern.as_str()), ("bash", "cargo test *"));
    policy.remember(scope);
    assert_eq!(b.bash(&policy, "cargo test"), Allow);
    assert_eq!(b.bash(&policy, "cargo test other"), Allow);
    assert_eq!(b.bash(&policy, "cargo publish"), Ask);
    assert_eq!(b.bash(&policy, "cargo test; cargo publish"), Ask);
    assert_eq!(b.bash(&policy, "cargo test > notes.txt"), Ask);
    assert_eq!(b.bash(&policy, "cargo test $(rm notes.txt)"), Ask);

    let verdict = policy.judge("write", &path("src/new.rs"), &b.workspace);
    let scope = verdict.scope.clone().unwrap();
    assert_eq!((scope.key.as_str(), scope.pattern.as_str()), ("edit", "*"));
    policy.remember(scope);
    assert_eq!(policy.judge("patch", &path("src/other.rs"), &b.workspace).action, Allow);
    assert_eq!(policy.judge("write", &path(".env"), &b.workspace).action, Ask);
}

#[test]
fn programs_that_run_anything_are_remembered_word_for_word() {
    let b = bench();
    let policy = Policy::new(Vec::new());
    let scope = |text: &str| {
        policy
            .judge("bash", &command(text), &b.workspace)
            .scope
            .map(|scope| scope.pattern)
    };
    assert_eq!(scope("sudo systemctl status x"), Some("sudo systemctl status x".into()));
    assert_eq!(scope("python3 -m pytest -q"), Some("python3 -m pytest -q".into()));
    assert_eq!(scope("echo 'a * b'"), Some("echo *".into()));
    assert_eq!(scope("find . -name '*.rs'"), Some(r"find . -name \*.rs".into()));
    assert_eq!(scope("npm run lint -- --fix"), Some("npm run lint *".into()));
    assert_eq!(scope("git status -s"), Some("git status *".into()));
    assert_eq!(scope("cargo build 2>&1 | tail"), None);
}

#[test]
fn an_explanation_has_the_form_scripts_rely_on() {
    let b = bench();
    let policy = Policy::new(Vec::new());
    let value = explain(&policy, &b.workspace, "ls; rm notes.txt");
    assert_eq!(value["class"], "dangerous");
    assert_eq!(value["verdict"], "ask");
    assert_eq!(value["command"], "ls; rm notes.txt");
    assert!(value["because"].as_str().unwrap().contains("rm"));
    let parts = value["parts"].as_array().unwrap();
    assert_eq!(parts.len(), 2);
    assert_eq!(parts[1]["class"], "dangerous");
    assert_eq!(explain(&policy, &b.workspace, "ls")["verdict"], "allow");
    assert_eq!(explain(&policy, &b.workspace, "$X y")["class"], "unknown");
}

#[test]
fn no_rule_allows_a_command_in_another_folder_and_its_paths_are_followed_from_there() {
    let b = bench();
    let root = b._keep.path().join("work");
    std::fs::create_dir_all(root.join("keys/.ssh")).unwrap();
    std::os::unix::fs::symlink("../.env", root.join("src/plain.txt")).unwrap();
    std::fs::write(root.join("src/there"), "x").unwrap();
    let policy = Policy::new(vec![layer(
        Layer::User,
        &[("bash", &[("*", Allow), ("cat denied", Deny)])],
    )]);
    let judge = |workdir: &str, text: &str| {
        let subject = Subject::Command {
            command: text.to_owned(),
            workdir: workdir.to_owned(),
        };
        policy.judge("bash", &[subject], &b.workspace)
    };
    assert_eq!(judge(".", "ls").action, Allow);
    let asked = judge("src", "ls");
    assert_eq!((asked.action, asked.scope, asked.needs_person), (Ask, None, false));
    assert_eq!(judge("src", "cat denied").action, Deny);
    assert!(
        judge("src", "cat plain.txt").needs_person,
        "a link to a secret, seen from there"
    );
    assert!(judge("keys/.ssh", "cat config").needs_person, "a folder of secrets");
    assert!(judge("keys", "cat < .ssh/config").needs_person);
    // What exists is asked of the folder it runs in.
    let there = judge("src", "echo a > there");
    assert_eq!(there.class, Some(CommandClass::Dangerous));
    assert_eq!(judge("src", "echo a > notes.txt").class, Some(CommandClass::Plain));
}

#[test]
fn a_secret_behind_a_redirection_a_link_a_pattern_or_a_folder_needs_a_person() {
    let b = bench();
    std::fs::create_dir(b.workspace.root().join("deep")).unwrap();
    std::fs::write(b.workspace.root().join("deep/.env"), "KEY=1").unwrap();
    let policy = Policy::new(vec![layer(Layer::User, &[("bash", &[("*", Allow)])])]);
    for text in [
        "cat < .env",
        "cat < settings",
        "cat .e*",
        "cat ./.en?",
        "cat *",
        "while read l; do echo $l; done < .env",
        "cat notes.txt .*",
        "grep -r KEY . | head",
        "cd src; grep -r KEY ..",
        "rg --hidden KEY deep",
        "rg -nuu KEY deep",
        "grep -R 'KEY src' | head",
    ] {
        let verdict = policy.judge("bash", &command(text), &b.workspace);
        assert!(verdict.needs_person && verdict.action == Ask, "{text}: {verdict:?}");
    }
    // `*` is only harmless where no link to a secret has a name it fits.
    for text in [
        "cat < notes.txt",
        "cat n*",
        "grep -r KEY src | head",
        "rg x KEY deep",
        "ls | grep KEY",
        "grep -rn -m 5 KEY src | head",
        "echo a > brand_new",
        "ls src && cat notes.txt",
    ] {
        assert!(
            !policy.judge("bash", &command(text), &b.workspace).needs_person,
            "{text}"
        );
    }
}
