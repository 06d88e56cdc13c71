//! Tests that the policy judges the results of preparation, relative to the command's folder.

use super::*;

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
    assert_eq!(judge("src", "ls").action, Allow, "reading needs no rule");
    let asked = judge("src", "cargo build");
    assert_eq!(
        (asked.action, asked.scopes, asked.needs_person),
        (Ask, Vec::new(), false)
    );
    assert_eq!(judge("src", "cat denied").action, Deny);
    assert!(
        judge("src", "cat plain.txt").needs_person,
        "a link to a secret, seen from there"
    );
    assert!(judge("keys/.ssh", "cat config").needs_person, "a folder of secrets");
    assert!(judge("keys", "cat < .ssh/config").needs_person);
    // A file's existence is checked in the folder of the command.
    let there = judge("src", "echo a > there");
    assert_eq!(there.class, Some(CommandClass::Dangerous));
    assert_eq!(judge("src", "echo a > notes.txt").class, Some(CommandClass::Plain));
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
    let found = |subjects: &[Subject]| match subjects {
        [Subject::Command(line)] => line.hidden().count(),
        _ => 0,
    };
    assert_eq!((found(&prepared[1]), found(&b.command(texts[1]))), (0, 1));
    assert_ne!(b.judged(&policy, texts[3]), before[3]);
}

#[test]
fn a_path_that_leads_out_by_now_is_judged_as_outside() {
    let b = bench();
    let resolved = b.workspace.resolve("notes.txt").unwrap();
    std::fs::remove_file(b.workspace.root().join("notes.txt")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", b.workspace.root().join("notes.txt")).unwrap();
    let verdict = judge(&policy(Vec::new()), "read", &[standing::path(&resolved)]);
    assert_eq!((verdict.action, verdict.scopes), (Deny, Vec::new()));
    assert_eq!(
        benchdog_lang::because(&verdict.because),
        "external_directory: \"*\": deny (built in)"
    );
    let allowed = policy(vec![layer(Layer::User, &[("external_directory", &[("*", Allow)])])]);
    let secret = Subject::Path {
        path: "/home/u/.ssh/config".into(),
        place: Place::Outside,
        reach: Some(Reach::Secret {
            path: "/home/u/.ssh/config".into(),
        }),
    };
    let verdict = judge(&allowed, "read", &[secret]);
    assert_eq!((verdict.action, verdict.needs_person), (Ask, true));
}
