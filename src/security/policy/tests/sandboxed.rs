//! Tests of the rules for the sandbox: `confined` and `network`.

use super::*;
use benchdog_domain::permission::CONFINED;

#[test]
fn whoever_lets_commands_run_in_the_sandbox_is_asked_about_what_is_worse_than_unknown_and_by_their_own_rules() {
    let b = bench();
    let rules: &[(&str, &[(&str, Action)])] = &[
        (CONFINED, &[("*", Allow)]),
        ("bash", &[("*", Ask), ("make *", Ask), ("docker *", Deny)]),
    ];
    let policy = policy(vec![layer(Layer::User, rules)]);
    for text in ["./tool", "cargo test", "python3 x.py", "rg --pre ./x y"] {
        let verdict = b.judged(&policy, text);
        assert_eq!((verdict.action, verdict.because), (Allow, Because::Confined), "{text}");
    }
    for text in [
        "rm notes.txt",
        "git push",
        "curl https://h/x",
        "make all",
        "rm -rf /",
        "docker ps",
    ] {
        assert_ne!(b.bash(&policy, text), Allow, "{text}");
    }
}

#[test]
fn the_network_is_there_where_the_rule_of_each_command_grants_it() {
    let b = bench();
    let mut rules = layer(
        Layer::User,
        &[("bash", &[("cargo fetch *", Allow), ("cargo build *", Allow)])],
    );
    rules.network = vec![("bash".to_owned(), "cargo fetch *".to_owned())];
    let policy = policy(vec![rules]);
    for (text, network) in [
        ("cargo fetch --locked", true),
        ("cargo fetch && cargo fetch --locked", true),
        ("cargo build", false),
        ("cargo fetch && cargo build", false),
        ("ls", false),
    ] {
        let verdict = b.judged(&policy, text);
        assert_eq!((verdict.action, verdict.network), (Allow, network), "{text}");
    }
}

#[test]
fn a_model_that_wants_out_of_the_sandbox_asks_a_person_whatever_rules_say() {
    let b = bench();
    let policy = policy(vec![layer(Layer::User, &[("*", &[("*", Allow)])])]);
    let mut subjects = b.command("ls");
    if let [Subject::Command(line)] = subjects.as_mut_slice() {
        Arc::make_mut(line).unconfined = true;
    }
    let verdict = judge(&policy, "bash", &subjects);
    assert_eq!(
        (verdict.action, verdict.because, verdict.needs_person, verdict.scopes),
        (Ask, Because::Unconfined, true, Vec::new())
    );
}

#[test]
fn a_secret_that_a_search_or_a_pattern_meets_is_hidden_and_not_asked_about() {
    let b = bench();
    std::fs::create_dir(b.workspace.root().join("deep")).unwrap();
    std::fs::write(b.workspace.root().join("deep/.env"), "KEY=1").unwrap();
    let policy = policy(Vec::new());
    for text in [
        "rg --hidden KEY deep",
        "grep -r KEY .",
        "cat .e*",
        "grep -r KEY . | head",
    ] {
        let subjects = b.command(text);
        let [Subject::Command(line)] = subjects.as_slice() else {
            panic!("one command");
        };
        assert!(line.hidden().next().is_some() && !line.is_core(), "{text}");
        assert_eq!(judge(&policy, "bash", &subjects).action, Allow, "{text}");
    }
    for (text, core) in [
        ("ls src", true),
        ("cat notes.txt", true),
        ("cat /etc/os-release", false),
        ("git status", false),
        ("wc --files0-from=x", false),
    ] {
        let subjects = b.command(text);
        assert!(
            matches!(subjects.as_slice(), [Subject::Command(line)] if line.is_core() == core),
            "{text}"
        );
    }
}
