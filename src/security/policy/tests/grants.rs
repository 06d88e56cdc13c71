//! What an "always" answer covers, and what it never does.

use super::*;

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
    assert_eq!(scope("sudo systemctl status x"), None);
    assert_eq!(
        scope("xargs -a notes.txt touch"),
        Some("xargs -a notes.txt touch".into())
    );
    assert_eq!(scope("python3 -m pytest -q"), Some("python3 -m pytest -q".into()));
    assert_eq!(scope("mkdir 'a * b'"), Some("mkdir *".into()));
    assert_eq!(scope("npm run lint -- --fix"), Some("npm run lint *".into()));
    assert_eq!(scope("git add -A"), Some("git add *".into()));
    assert_eq!(scope("cargo build 2>&1 | tail"), None);
}
