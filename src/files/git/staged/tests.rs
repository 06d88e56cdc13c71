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

fn looked(folder: &Path) -> Result<Staged, NotStaged> {
    staged(folder, |path| path.ends_with(".env"))
}

#[test]
fn what_is_staged_is_read_with_its_history_and_without_secrets() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    assert_eq!(looked(&root), Err(NotStaged::NoRepository));
    git(&root, &["init", "-q"]);
    std::fs::write(root.join("a"), "one\n").unwrap();
    let new = vec!["a".to_owned()];
    let first = Unstaged {
        new,
        ..Unstaged::default()
    };
    assert_eq!(looked(&root), Err(NotStaged::Unstaged(first)));
    git(&root, &["add", "."]);
    assert!(looked(&root).unwrap().subjects.is_empty(), "before the first commit");
    git(&root, &["commit", "-qm", "docs: the first thing"]);
    std::fs::write(root.join("a"), "two\n").unwrap();
    let second = Unstaged {
        changed: vec!["a".to_owned()],
        ..Unstaged::default()
    };
    assert_eq!(looked(&root), Err(NotStaged::Unstaged(second)));
    std::fs::create_dir(root.join("購物車")).unwrap();
    std::fs::write(root.join("購物車/.env"), "KEY=secret\n").unwrap();
    git(&root, &["add", "."]);
    let it = looked(&root.join("購物車")).unwrap();
    assert!(it.diff.contains("-one\n+two") && !it.diff.contains("secret") && !it.cut);
    assert_eq!(it.secret, ["購物車/.env"]);
    assert_eq!(it.subjects, ["docs: the first thing"]);
}

#[test]
fn new_files_are_named_each_of_them_and_what_is_secret_or_ignored_is_not_among_them() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    git(&root, &["init", "-q"]);
    std::fs::write(root.join(".gitignore"), "target\n").unwrap();
    git(&root, &["add", "."]);
    git(&root, &["commit", "-qm", "first"]);
    let looked = || unstaged(&root, |path| path.ends_with(".env")).unwrap();
    assert!(looked().is_empty());
    std::fs::create_dir(root.join("sub")).unwrap();
    for path in ["target", "new.txt", "sub/*.rs", ".env"] {
        std::fs::write(root.join(path), "x\n").unwrap();
    }
    git(&root, &["init", "-q", "inner"]);
    let it = looked();
    assert_eq!(it.new, ["new.txt", "sub/*.rs"]);
    assert_eq!((it.secret, it.unnamed), (vec![".env".to_owned()], 0));
    for n in 0..MOST_NEW {
        std::fs::write(root.join(format!("sub/{n}")), "x\n").unwrap();
    }
    std::fs::create_dir(root.join("folder")).unwrap();
    std::fs::write(root.join("folder/here"), "x\n").unwrap();
    let here = unstaged(&root.join("folder"), |_| false).unwrap();
    assert_eq!(here.new, ["here"], "nobody works in the other folders");
    let many = looked();
    assert!(many.new.is_empty() && !many.can_be_staged());
    assert_eq!(many.unnamed, MOST_NEW + 3);
}

#[test]
fn the_digest_is_another_wherever_what_is_staged_is_and_only_there() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let digest = || staged_files(&root, |_| false).unwrap().digest;
    git(&root, &["init", "-q"]);
    std::fs::write(root.join("a"), "one\n").unwrap();
    git(&root, &["add", "."]);
    let first = digest();
    std::fs::write(root.join("a"), "two\n").unwrap();
    std::fs::write(root.join("unknown"), "x\n").unwrap();
    assert_eq!(digest(), first, "the working tree is not committed");
    git(&root, &["add", "a"]);
    let second = digest();
    assert_ne!(second, first, "as many lines of the same file");
    git(&root, &["update-index", "--chmod=+x", "a"]);
    assert_ne!(digest(), second, "its mode alone");
    git(&root, &["update-index", "--chmod=-x", "a"]);
    assert_eq!(digest(), second);
    assert_eq!(looked(&root).unwrap().files.digest, second);
}

#[test]
fn a_long_diff_is_cut_after_a_whole_line_and_said_to_be() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    git(&root, &["init", "-q"]);
    let long: String = (0..2_000).map(|n| format!("字 {n}\n")).collect();
    std::fs::write(root.join("long"), long).unwrap();
    git(&root, &["add", "."]);
    let it = looked(&root).unwrap();
    assert!(it.cut && it.diff.ends_with('\n') && it.diff.chars().count() <= MOST_DIFF);
}
