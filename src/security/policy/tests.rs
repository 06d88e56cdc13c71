//! Which rule decides, in every order of layers.

use super::*;
use crate::domain::permission::{CommandClass, Scope};
use crate::lang::because;
use crate::security::standing;
use crate::security::workspace::Workspace;
use Action::{Allow, Ask, Deny};

struct Bench {
    _keep: tempfile::TempDir,
    workspace: Workspace,
}

/// As `tools` has them; the real rows are held to the same by a test there.
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
        defaults: defaults
            .iter()
            .map(|(pattern, action)| ((*pattern).into(), *action))
            .collect(),
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

/// Without anything remembered.
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
        secret: false,
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
    for tool in ["todoread", "todowrite", "ask", "done"] {
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
    let policy = policy(vec![layer(Layer::User, everything), layer(Layer::Flag, everything)]);
    let mut grants = Grants::default();
    grants.remember(Scope {
        key: "bash".into(),
        pattern: "rm *".into(),
    });
    grants.remember(Scope {
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
        let verdict = policy.judge(&grants, &tool("bash"), &b.command(text));
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
    assert_eq!(b.bash(&policy, "git pull"), Allow);
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
fn secrets_ask_whatever_the_rules_say_and_need_a_person() {
    let b = bench();
    let policy = policy(vec![layer(
        Layer::User,
        &[("*", &[("*", Allow)]), ("read", &[("*", Allow), (".env", Allow)])],
    )]);
    std::fs::create_dir(b.workspace.root().join("keys")).unwrap();
    for name in [".env", "settings", "keys/server.pem"] {
        let subject = standing::path(&b.workspace.resolve(name).unwrap());
        let verdict = judge(&policy, "read", std::slice::from_ref(&subject));
        assert_eq!(
            (verdict.action, verdict.scope, verdict.needs_person),
            (Ask, None, true),
            "{subject:?}"
        );
    }
    let verdict = b.judged(&policy, "cat .env");
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
    let verdict = b.judged(&policy, "cat .env | head");
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
}

#[test]
fn always_covers_exactly_what_it_says() {
    let b = bench();
    let policy = policy(Vec::new());
    let mut grants = Grants::default();
    let verdict = b.judged(&policy, "cargo test --lib");
    let scope = verdict.scope.clone().unwrap();
    assert_eq!((scope.key.as_str(), scope.pattern.as_str()), ("bash", "cargo test *"));
    grants.remember(scope);
    let bash = |text: &str| policy.judge(&grants, &tool("bash"), &b.command(text)).action;
    assert_eq!(bash("cargo test"), Allow);
    assert_eq!(bash("cargo test other"), Allow);
    assert_eq!(bash("cargo publish"), Ask);
    assert_eq!(bash("cargo test; cargo publish"), Ask);
    assert_eq!(bash("cargo test > notes.txt"), Ask);
    assert_eq!(bash("cargo test $(rm notes.txt)"), Ask);

    let verdict = judge(&policy, "write", &path("src/new.rs"));
    let scope = verdict.scope.clone().unwrap();
    assert_eq!((scope.key.as_str(), scope.pattern.as_str()), ("edit", "*"));
    grants.remember(scope);
    let patch = |subjects: &[Subject]| policy.judge(&grants, &tool("patch"), subjects).action;
    assert_eq!(patch(&path("src/other.rs")), Allow);
    let secret = standing::path(&b.workspace.resolve(".env").unwrap());
    assert_eq!(patch(&[secret]), Ask);
}

#[test]
fn a_new_session_begins_without_the_answers_of_another() {
    let b = bench();
    let policy = policy(Vec::new());
    let mut first = Grants::default();
    first.remember(b.judged(&policy, "cargo test").scope.unwrap());
    let action = |grants: &Grants| policy.judge(grants, &tool("bash"), &b.command("cargo test")).action;
    assert_eq!((action(&first), action(&Grants::default())), (Allow, Ask));
}

#[test]
fn programs_that_run_anything_are_remembered_word_for_word() {
    let b = bench();
    let policy = policy(Vec::new());
    let scope = |text: &str| b.judged(&policy, text).scope.map(|scope| scope.pattern);
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
    let policy = policy(Vec::new());
    let workdir = b.workspace.resolve(".").unwrap();
    let explain = |text: &str| {
        explain(
            &policy,
            &tool("bash"),
            &standing::command(&b.workspace, &workdir, text),
            because,
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
    assert_eq!(explain("$X y")["class"], "unknown");
}

#[test]
fn no_rule_allows_a_command_in_another_folder_and_its_paths_are_followed_from_there() {
    let b = bench();
    let root = b._keep.path().join("work");
    std::fs::create_dir_all(root.join("keys/.ssh")).unwrap();
    std::os::unix::fs::symlink("../.env", root.join("src/plain.txt")).unwrap();
    std::fs::write(root.join("src/there"), "x").unwrap();
    let policy = policy(vec![layer(
        Layer::User,
        &[("bash", &[("*", Allow), ("cat denied", Deny)])],
    )]);
    let judge = |workdir: &str, text: &str| judge(&policy, "bash", &b.command_in(workdir, text));
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
    let policy = policy(vec![layer(Layer::User, &[("bash", &[("*", Allow)])])]);
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
        let verdict = b.judged(&policy, text);
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
        assert!(!b.judged(&policy, text).needs_person, "{text}");
    }
}

#[test]
fn every_path_of_a_line_is_judged_and_a_secret_anywhere_needs_a_person() {
    let b = bench();
    std::fs::write(b.workspace.root().join("src/.env"), "KEY=1").unwrap();
    let policy = policy(vec![layer(Layer::User, &[("bash", &[("*", Allow)])])]);
    for text in [
        "cat /dev/null .env",
        "cat .env /dev/null",
        "cat /dev/null settings",
        "cat out settings",
        "head --lines=~/x .env",
        "cat --file=~/.ssh/id_rsa",
        "grep -r x /dev/null src",
    ] {
        let verdict = b.judged(&policy, text);
        assert!(verdict.needs_person && verdict.action == Ask, "{text}: {verdict:?}");
        assert!(
            because(&verdict.because).contains("secrets always ask"),
            "{text}: {verdict:?}"
        );
    }
    for text in ["cat /dev/null notes.txt", "cat out", "ls /dev"] {
        let verdict = b.judged(&policy, text);
        assert!(!verdict.needs_person && verdict.action == Ask, "{text}: {verdict:?}");
    }
}

#[test]
fn another_process_needs_a_person_whatever_is_allowed_or_was_always_allowed() {
    let b = bench();
    let everything = &[("bash", &[("*", Allow), ("cat /proc/1/*", Allow)] as &[_])];
    let policy = policy(vec![layer(Layer::Flag, everything)]);
    let mut grants = Grants::default();
    for pattern in ["*", "cat *", "cat /proc/1/maps"] {
        grants.remember(Scope {
            key: "bash".into(),
            pattern: pattern.into(),
        });
    }
    for text in [
        "cat /proc/1/maps",
        "cat notes.txt /proc/$PPID/fd/0",
        "cd /proc && cat 1/maps | head",
    ] {
        let verdict = policy.judge(&grants, &tool("bash"), &b.command(text));
        assert_eq!((verdict.action, verdict.layer), (Ask, Layer::Guard), "{text}");
        assert!(verdict.needs_person && verdict.scope.is_none(), "{text}");
        assert!(
            because(&verdict.because).contains("another process"),
            "{text}: {verdict:?}"
        );
    }
    let harmless = policy.judge(&grants, &tool("bash"), &b.command("cat /proc/cpuinfo"));
    assert_eq!((harmless.action, harmless.needs_person), (Ask, false));
}

#[test]
fn what_was_prepared_is_judged_however_the_world_moves_on() {
    let b = bench();
    let root = b.workspace.root();
    std::fs::write(root.join("link"), "x").unwrap();
    let policy = policy(Vec::new());
    let texts = ["cat link", "grep -r x src", "cat src/*", "echo a > new.txt"];
    let prepared: Vec<_> = texts.map(|text| b.command(text)).into_iter().collect();
    let file = vec![standing::path(&b.workspace.resolve("link").unwrap())];
    let all = || {
        let commands = prepared.iter().map(|subjects| judge(&policy, "bash", subjects));
        let verdicts: Vec<Verdict> = commands.chain([judge(&policy, "read", &file)]).collect();
        verdicts
    };
    let before = all();
    std::fs::remove_file(root.join("link")).unwrap();
    std::os::unix::fs::symlink(".env", root.join("link")).unwrap();
    std::fs::write(root.join("src/.env"), "KEY=1").unwrap();
    std::fs::write(root.join("new.txt"), "x").unwrap();
    assert_eq!(all(), before);
    assert_ne!(
        b.judged(&policy, texts[0]),
        before[0],
        "prepared again, it is another call"
    );
    assert_ne!(b.judged(&policy, texts[1]), before[1]);
    assert_ne!(b.judged(&policy, texts[3]), before[3]);
}

#[test]
fn a_path_that_leads_out_by_now_is_judged_as_outside() {
    let b = bench();
    let resolved = b.workspace.resolve("notes.txt").unwrap();
    std::fs::remove_file(b.workspace.root().join("notes.txt")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", b.workspace.root().join("notes.txt")).unwrap();
    let verdict = judge(&policy(Vec::new()), "read", &[standing::path(&resolved)]);
    assert_eq!((verdict.action, verdict.scope), (Deny, None));
    assert_eq!(because(&verdict.because), "external_directory: \"*\": deny (built in)");
    let allowed = policy(vec![layer(Layer::User, &[("external_directory", &[("*", Allow)])])]);
    let secret = Subject::Path {
        path: "/home/u/.ssh/config".into(),
        place: Place::Outside,
        secret: true,
    };
    let verdict = judge(&allowed, "read", &[secret]);
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
}

mod together {
    //! Several subjects of one call, in every order.

    use proptest::prelude::*;

    use super::*;

    fn verdicts() -> impl Strategy<Value = Verdict> {
        let action = prop::sample::select(vec![Allow, Ask, Deny]);
        let class = prop::sample::select(vec![None, Some(CommandClass::Plain), Some(CommandClass::Dangerous)]);
        let scope = prop::sample::select(vec![None, Some("edit"), Some("bash")]);
        (action, class, scope, any::<bool>()).prop_map(|(action, class, scope, needs_person)| Verdict {
            action,
            because: Because::Words(format!("{action:?} {class:?} {needs_person}")),
            layer: Layer::Guard,
            class,
            // As they are made: only what asks and needs nobody in particular can be remembered.
            scope: scope.filter(|_| action == Ask && !needs_person).map(|key| Scope {
                key: key.to_owned(),
                pattern: "*".to_owned(),
            }),
            needs_person,
        })
    }

    fn joined(all: impl IntoIterator<Item = Verdict>) -> Verdict {
        all.into_iter().reduce(both).unwrap()
    }

    proptest! {
        #[test]
        fn the_strictest_of_several_subjects_counts_in_any_order(
            all in prop::collection::vec(verdicts(), 1..5),
            turn in 0..5_usize,
        ) {
            let one = joined(all.clone());
            let mut turned = all.clone();
            turned.rotate_left(turn % all.len());
            for other in [joined(turned), joined(all.iter().rev().cloned())] {
                prop_assert_eq!(
                    (one.action, one.class, &one.scope, one.needs_person),
                    (other.action, other.class, &other.scope, other.needs_person)
                );
            }
            let strictest = all.iter().map(|verdict| strictness(verdict.action)).max();
            prop_assert_eq!(Some(strictness(one.action)), strictest);
            prop_assert_eq!(one.needs_person, all.iter().any(|verdict| verdict.needs_person));
            if let Some(scope) = &one.scope {
                let asking = || all.iter().filter(|verdict| verdict.action != Allow);
                prop_assert!(asking().all(|verdict| verdict.scope.as_ref() == Some(scope)));
            }
        }
    }
}
