use std::process::Command;

use super::*;

fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@t"])
        .args(arguments)
        .current_dir(folder)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

#[test]
fn a_content_is_known_from_the_index_a_commit_or_a_stash_and_a_new_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("sub")).unwrap();
    let file = root.join("sub/a.rs");
    let is_known = |content: &str| is_stored(&file, content.as_bytes().to_vec());
    assert!(!is_known("one\n"), "without a repository");
    assert_eq!(index_lock(&root), None);
    git(&root, &["init", "-q"]);
    let write = |content: &str| std::fs::write(&file, content).unwrap();
    write("one\n");
    assert!(!is_known("one\n"));
    git(&root, &["add", "."]);
    assert!(is_known("one\n"));
    git(&root, &["commit", "-qm", "first"]);
    write("two\n");
    git(&root, &["stash", "-q"]);
    assert!(is_known("one\n") && is_known("two\n"));
    assert!(!is_known("three\n"));
    assert_eq!(index_lock(&root), Some(root.join(".git/index.lock")));
}
