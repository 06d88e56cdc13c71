//! Tests that secrets and other processes need a person, whatever the rules and answers are.

use super::*;

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
            (verdict.action, verdict.scopes, verdict.needs_person),
            (Ask, Vec::new(), true),
            "{subject:?}"
        );
    }
    let verdict = b.judged(&policy, "cat .env");
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
    let verdict = b.judged(&policy, "cat .env | head");
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
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
        "while read l; do echo $l; done < .env",
        "git log -L1,2:.env",
        "git log -L :word:.env --no-patch",
    ] {
        let verdict = b.judged(&policy, text);
        assert!(verdict.needs_person && verdict.action == Ask, "{text}: {verdict:?}");
    }
    // The sandbox hides the secrets that a search meets.
    for text in [
        "cat .e*",
        "cat ./.en?",
        "cat notes.txt .*",
        "grep -r KEY . | head",
        "rg --hidden KEY deep",
        "rg -nuu KEY deep",
        "grep -R 'KEY src' | head",
    ] {
        let subjects = b.command(text);
        assert!(
            matches!(&*subjects, [Subject::Command(line)] if line.below.iter().any(Reach::needs_person)),
            "{text}"
        );
        assert_eq!(judge(&policy, "bash", &subjects).action, Allow, "{text}");
    }
    for text in ["cat *", "cd src; grep -r KEY .."] {
        assert_eq!(b.bash(&policy, text), Ask, "a link, or `..`, may lead out: {text}");
    }
    // `*` is harmless only if it matches no link to a secret.
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
        "grep --file=~/.ssh/id_rsa x",
    ] {
        let verdict = b.judged(&policy, text);
        assert!(verdict.needs_person && verdict.action == Ask, "{text}: {verdict:?}");
        assert!(
            benchdog_lang::because(&verdict.because).contains("secret"),
            "{text}: {verdict:?}"
        );
    }
    for text in ["cat /dev/urandom notes.txt", "cat out", "ls /dev"] {
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
        grants.grant(Scope {
            key: "bash".into(),
            pattern: pattern.into(),
            options: None,
            and: Vec::new(),
        });
    }
    for text in [
        "cat /proc/1/maps",
        "cat notes.txt /proc/$PPID/fd/0",
        "cd /proc && cat 1/maps | head",
    ] {
        let verdict = policy.judge(&grants, &tool("bash"), &b.command(text));
        assert_eq!((verdict.action, verdict.layer), (Ask, Layer::Guard), "{text}");
        assert!(verdict.needs_person && verdict.scopes.is_empty(), "{text}");
        assert!(
            benchdog_lang::because(&verdict.because).contains("another process"),
            "{text}: {verdict:?}"
        );
    }
    let harmless = policy.judge(&grants, &tool("bash"), &b.command("cat /proc/cpuinfo"));
    assert_eq!((harmless.action, harmless.needs_person), (Allow, false));
}
