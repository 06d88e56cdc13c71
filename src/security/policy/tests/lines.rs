//! Tests of "Always allow" for a line of several commands: one rule for each command, and none for a dangerous line.

use super::*;
use benchdog_domain::permission::Scope;

/// Returns the offered patterns with their options, without the exact line.
fn wider(b: &Bench, text: &str) -> Option<Vec<String>> {
    let scopes = b.judged(&policy(Vec::new()), text).scopes;
    let scope = scopes.into_iter().find(|scope| scope.options.is_some())?;
    let written = |part: Scope| format!("{} [{}]", part.pattern, part.options.unwrap_or_default().join(" "));
    Some(scope.parts().map(written).collect())
}

fn granted(b: &Bench, text: &str) -> Grants {
    let scopes = b.judged(&policy(Vec::new()), text).scopes;
    let mut grants = Grants::default();
    grants.grant(scopes.into_iter().find(|scope| scope.options.is_some()).unwrap());
    grants
}

#[test]
fn a_line_is_offered_as_the_rules_of_its_commands() {
    let b = bench();
    for (text, expected) in [
        ("cargo test -q 2>&1 | tail -5", &["cargo test * [-q]"] as &[_]),
        ("ls && cargo test; cat notes.txt | wc -l", &["cargo test * []"]),
        (
            "git add -A && git commit -m 'x y'",
            &["git add * [-A]", "git commit * [-m]"],
        ),
        ("cargo fmt && cargo fmt src/a.rs", &["cargo fmt * []"]),
    ] {
        assert_eq!(
            wider(&b, text).as_deref(),
            Some(&*expected.iter().map(|part| (*part).to_owned()).collect::<Vec<_>>()),
            "{text}"
        );
    }
    for text in [
        "cargo test | tee new.txt",
        "cargo test > new.txt",
        "cargo test && python3 tools/a.py",
        "cargo test && rm notes.txt",
        "cargo test | sh",
        "cargo test $(cat notes.txt) | tail",
        "cargo test | xargs touch",
        "cargo test && cat .env",
        "cargo test | tail -5 /etc/passwd",
        "cargo test & cargo build",
        "for x in 1 2; do cargo test; done | tail",
        "X=1 cargo test | tail",
        "cd src && cargo test | tail",
        "command cd src && cargo test | tail",
        "builtin cd src; cargo test | tail",
        "eval 'cd src' && cargo test -q",
        "cargo test && cargo build && cargo check && cargo doc && cargo fmt",
        "cargo test && curl https://x.example",
    ] {
        assert_eq!(wider(&b, text), None, "{text}");
    }
}

#[test]
fn a_later_line_is_allowed_where_each_of_its_commands_is() {
    let b = bench();
    let policy = policy(Vec::new());
    let tested = granted(&b, "cargo test -q 2>&1 | tail -5");
    let committed = granted(&b, "git add -A && git commit -m 'x'");
    let now = |grants: &Grants, text: &str| policy.judge(grants, &tool("bash"), &b.command(text)).action;
    for text in [
        "cargo test -q one 2>&1 | tail -50",
        "cargo test | grep -c ok",
        "cargo test -q; ls src",
        "cargo test",
    ] {
        assert_eq!(now(&tested, text), Allow, "{text}");
    }
    for text in [
        "git add src && git commit -m 'another message, longer'",
        "git commit -m 'x'",
        "git add -A && git commit -m 'x' | tail -1",
    ] {
        assert_eq!(now(&committed, text), Allow, "{text}");
    }
    for (grants, text) in [
        (&tested, "cargo test -q 2>&1 | tee notes.txt"),
        (&tested, "cargo test --release | tail"),
        (&tested, "cargo test && cargo build"),
        (&tested, "cargo test | tail .env"),
        (&tested, "cargo test | tail ../../x"),
        (&tested, "cargo test | bash"),
        (&tested, "cargo test; rm -rf src"),
        (&tested, "cargo test `cargo publish` | tail"),
        (&tested, "cargo test > notes.txt"),
        (&tested, "cargo test \\\n; cargo publish"),
        (&tested, "tail -5 | cargo publish"),
        (&tested, "cd vendor && cargo test | tail"),
        (&tested, "PATH=. cargo test | tail"),
        (&committed, "git add -A && git commit --amend -m 'x'"),
        (&committed, "git add -A && git commit -m 'x' && git push"),
        (&committed, "git add -f .env && git commit -m x"),
        (&committed, "git add -A && git commit -m \"$(cat .env)\""),
    ] {
        assert_eq!(now(grants, text), Ask, "{text}");
    }
}

#[test]
fn a_rule_that_asks_for_more_is_not_offered_an_answer_without_effect() {
    let b = bench();
    let asks = policy(vec![layer(Layer::User, &[("bash", &[("*", Ask)])])]);
    let denies = policy(vec![layer(Layer::User, &[("bash", &[("git commit*", Deny)])])]);
    let scopes = b.judged(&asks, "cargo test | tail -5").scopes;
    assert!(scopes.iter().all(|scope| scope.options.is_none()), "{scopes:?}");
    assert_eq!(b.judged(&denies, "git add -A && git commit -m x").action, Deny);
    let mut grants = granted(&b, "git add -A && git commit -m x");
    let denied = denies.judge(&grants, &tool("bash"), &b.command("git add -A && git commit -m y"));
    assert_eq!(denied.action, Deny, "a deny is final");
    grants.revoke(&commit_rule());
    let again = policy(Vec::new()).judge(&grants, &tool("bash"), &b.command("git add -A && git commit -m y"));
    assert_eq!(again.action, Ask, "each is taken back alone");
}

fn commit_rule() -> Rule {
    Rule {
        key: "bash".to_owned(),
        pattern: "git commit *".to_owned(),
        options: Some(vec!["-m".to_owned()]),
        action: Allow,
        origin: String::new(),
    }
}

/// Accepts every scope offered for the corpora. Dangerous lines must still ask, alone or after an allowed command.
#[test]
fn all_that_is_offered_for_any_line_of_the_corpora_allows_none_that_has_to_be_asked() {
    let b = bench();
    let policy = policy(Vec::new());
    let texts = [
        include_str!("../../../../tests/data/shell.tsv"),
        include_str!("../../../../tests/data/shell_2.tsv"),
    ];
    let rows = texts.iter().flat_map(|text| text.lines().skip(1));
    let lines: Vec<(&str, String)> = rows
        .filter(|row| !row.trim().is_empty())
        .map(|row| {
            let columns: Vec<&str> = row.split('\t').collect();
            (columns[2], serde_json::from_str(columns[4]).unwrap())
        })
        .collect();
    let starts = [
        "cargo test",
        "git add -A",
        "git commit -m x",
        "mkdir new",
        "touch new",
        "python3 -m pytest -q",
    ];
    let mut grants = Grants::default();
    let mut offered = 0;
    let mut grant_all = |text: &str, label: &str| {
        let judged = b.judged(&policy, text);
        let wide = judged.scopes.into_iter().filter(|scope| scope.options.is_some());
        for scope in wide {
            assert!(label != "dangerous", "{label}: {text}: {scope:?}");
            offered += 1;
            grants.grant(scope);
        }
    };
    for (label, text) in &lines {
        grant_all(text, label);
        for start in starts {
            grant_all(&format!("{start} && {text}"), label);
            grant_all(&format!("{start} 2>&1 | {text}"), label);
        }
    }
    assert!(offered > 100, "{offered}");
    for (label, text) in &lines {
        let now = |text: &str| policy.judge(&grants, &tool("bash"), &b.command(text));
        for line in [
            text.clone(),
            format!("cargo test && {text}"),
            format!("cargo test | {text}"),
        ] {
            let judged = now(&line);
            let is_grave = *label == "dangerous";
            assert!(!is_grave || judged.action != Allow, "{label}: {line}: {judged:?}");
        }
    }
}

#[test]
fn a_toolchain_of_the_project_is_started_by_no_line_unasked() {
    let b = bench();
    let asks = |text: &str| b.bash(&policy(Vec::new()), text) == Ask;
    let lines = [
        "cargo -V",
        "cargo --list",
        "cargo --version",
        "cargo",
        "rustup -V",
        "rustup show",
        "rustc -V",
    ];
    for line in lines {
        assert!(!asks(line), "{line}");
    }
    for (file, text) in [
        ("rust-toolchain.toml", "[toolchain]\npath = \"/srv/tool\""),
        ("rust-toolchain", "[toolchain]\n\"p\\u0061th\" = \"tool\""),
    ] {
        std::fs::write(b.workspace.root().join(file), text).unwrap();
        for line in lines {
            assert!(asks(line), "{file}: {line}");
        }
        std::fs::remove_file(b.workspace.root().join(file)).unwrap();
    }
}
