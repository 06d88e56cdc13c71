use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use super::*;

struct Repository {
    folder: tempfile::TempDir,
}

impl Repository {
    fn new() -> Self {
        let it = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        it.git(&["init", "-q", "-b", "trunk"]);
        it
    }

    fn root(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap()
    }

    fn git(&self, arguments: &[&str]) {
        let done = Command::new("git")
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@t",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(self.folder.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?}: {done:?}");
    }

    fn write(&self, path: &str, bytes: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", message]);
    }

    fn compares(&self, written: &str) -> Vec<String> {
        compare(&self.root(), written)
            .unwrap()
            .files
            .iter()
            .map(shown)
            .collect()
    }
}

fn shown(file: &Compared) -> String {
    let side = |side: &Option<std::sync::Arc<[u8]>>| match side {
        Some(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
        None => "-".to_owned(),
    };
    let change = &file.change;
    let unread = file.unread.as_ref().map(|why| format!(" {why:?}")).unwrap_or_default();
    format!(
        "{:?} {} {} {}{unread}",
        change.operation,
        change.path,
        side(&change.before),
        side(&change.after)
    )
}

#[test]
fn every_kind_of_change_has_its_sides_with_what_git_does_not_know_among_them() {
    let repository = Repository::new();
    for path in ["changed", "staged", "gone", "購物車.txt", "name with\nlines"] {
        repository.write(path, format!("of {path}\n"));
    }
    repository.write("moved", "a\nb\nc\nd\ne\nf\n");
    repository.write(".gitignore", "ignored\n");
    repository.commit("one");
    repository.write("changed", "2\n");
    repository.write("staged", "3\n");
    repository.git(&["add", "staged"]);
    repository.write("staged", "4\n");
    std::fs::remove_file(repository.root().join("gone")).unwrap();
    repository.git(&["mv", "moved", "renamed"]);
    repository.write("購物車.txt", "總額\n");
    repository.write("name with\nlines", "5\n");
    repository.write("new/file", "6\n");
    repository.write("ignored", "7\n");
    assert_eq!(
        repository.compares(""),
        [
            r#"Update changed "of changed\n" "2\n""#,
            r#"Delete gone "of gone\n" -"#,
            "Update name with\nlines \"of name with\\nlines\\n\" \"5\\n\"",
            r#"Create new/file - "6\n""#,
            r#"Rename { from: "moved" } renamed "a\nb\nc\nd\ne\nf\n" "a\nb\nc\nd\ne\nf\n""#,
            r#"Update staged "of staged\n" "4\n""#,
            r#"Update 購物車.txt "of 購物車.txt\n" "總額\n""#,
        ]
    );
    assert_eq!(repository.compares("new"), [r#"Create new/file - "6\n""#]);
    assert_eq!(repository.compares("gone"), [r#"Delete gone "of gone\n" -"#]);
    let whole = repository.root().join("changed");
    assert_eq!(repository.compares(whole.to_str().unwrap()).len(), 1);
}

#[test]
fn a_range_is_read_from_the_store_whatever_the_tree_holds() {
    let repository = Repository::new();
    repository.write("a", "1\n");
    repository.commit("one");
    repository.git(&["switch", "-qc", "side"]);
    repository.write("b", "side\n");
    repository.commit("two");
    repository.git(&["switch", "-q", "trunk"]);
    repository.write("a", "2\n");
    repository.commit("three");
    repository.write("a", "in the tree\n");
    assert_eq!(repository.compares("HEAD~1..HEAD"), [r#"Update a "1\n" "2\n""#]);
    assert_eq!(repository.compares("HEAD~1.."), [r#"Update a "1\n" "2\n""#]);
    assert_eq!(repository.compares("trunk...side"), [r#"Create b - "side\n""#]);
    assert_eq!(
        repository.compares("side..trunk"),
        [r#"Update a "1\n" "2\n""#, r#"Delete b "side\n" -"#]
    );
    assert_eq!(repository.compares("HEAD~1"), [r#"Update a "1\n" "in the tree\n""#]);
    for nothing in ["nosuch", "nosuch..HEAD", "--output=x", "-c", "HEAD..--output=x"] {
        let named = nothing.to_owned();
        assert_eq!(
            compare(&repository.root(), nothing),
            Err(NoComparison::NoSuch { named })
        );
    }
    assert!(!repository.root().join("x").exists());
}

#[test]
fn before_the_first_commit_everything_is_new_and_without_a_repository_that_is_said() {
    let repository = Repository::new();
    repository.write("staged", "1\n");
    repository.git(&["add", "."]);
    repository.write("new", "2\n");
    assert_eq!(
        repository.compares(""),
        [r#"Create new - "2\n""#, r#"Create staged - "1\n""#]
    );
    let none = tempfile::tempdir().unwrap();
    let root = none.path().canonicalize().unwrap();
    assert_eq!(compare(&root, ""), Err(NoComparison::NoRepository));
}

#[test]
fn what_is_no_text_of_a_file_is_said_and_what_is_huge_is_not_read() {
    let repository = Repository::new();
    repository.write("huge", "small\n");
    repository.write("plain", "plain\n");
    symlink("plain", repository.root().join("link")).unwrap();
    repository.commit("one");
    let file = std::fs::File::create(repository.root().join("huge")).unwrap();
    file.set_len(super::super::contents::MOST_OF_ONE + 1).unwrap();
    std::fs::remove_file(repository.root().join("link")).unwrap();
    symlink("/etc/hostname", repository.root().join("link")).unwrap();
    std::fs::set_permissions(repository.root().join("plain"), PermissionsExt::from_mode(0o755)).unwrap();
    let compared = compare(&repository.root(), "").unwrap().files;
    assert_eq!(
        compared.iter().map(shown).collect::<Vec<_>>(),
        [
            "Update huge - - TooLarge { bytes: 4194305 }",
            r#"Update link "plain" "/etc/hostname" Link"#,
            r#"Update plain "plain\n" "plain\n""#,
        ]
    );
    assert_eq!(compared[2].change.mode_after, Some(0o755));
}

#[test]
fn only_what_is_beneath_the_folder_counts_and_a_conflict_is_one_file() {
    let repository = Repository::new();
    repository.write("work/a", "1\n");
    repository.write("other", "1\n");
    repository.commit("one");
    repository.git(&["switch", "-qc", "side"]);
    repository.write("work/a", "side\n");
    repository.commit("two");
    repository.git(&["switch", "-q", "trunk"]);
    repository.write("work/a", "trunk\n");
    repository.commit("three");
    let merge = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@t", "merge", "-q", "side"])
        .current_dir(repository.root())
        .output()
        .unwrap();
    assert!(!merge.status.success());
    repository.write("other", "2\n");
    let compared = compare(&repository.root().join("work"), "").unwrap().files;
    let [file] = compared.as_slice() else {
        panic!("{compared:?}")
    };
    let shown = shown(file);
    assert!(shown.starts_with(r#"Update a "trunk\n" "<<<<<<<"#), "{shown}");
}

#[test]
fn more_files_than_are_listed_are_counted() {
    let repository = Repository::new();
    for n in 0..MOST_FILES + 3 {
        repository.write(&format!("f{n}"), "x");
    }
    let compared = compare(&repository.root(), "").unwrap();
    assert_eq!((compared.files.len(), compared.more), (MOST_FILES, 3));
}

#[test]
fn nothing_of_the_repository_runs_and_nothing_in_it_changes() {
    let repository = Repository::new();
    repository.write("a", "one\n");
    repository.write(".gitattributes", "* filter=x diff=x\n");
    repository.commit("one");
    let sign = repository.root().join(".git/sprung");
    let trap = repository.root().join(".git/trap");
    std::fs::write(&trap, format!("#!/bin/sh\ntouch {}\ncat\n", sign.display())).unwrap();
    std::fs::set_permissions(&trap, PermissionsExt::from_mode(0o755)).unwrap();
    let trap = trap.to_str().unwrap();
    for key in [
        "filter.x.clean",
        "filter.x.smudge",
        "filter.x.process",
        "diff.external",
        "diff.x.textconv",
        "diff.x.command",
        "core.fsmonitor",
        "core.pager",
        "core.sshCommand",
        "pager.diff",
    ] {
        repository.git(&["-c", "core.fsmonitor=false", "config", key, trap]);
    }
    std::fs::create_dir_all(repository.root().join(".git/hooks")).unwrap();
    std::fs::copy(trap, repository.root().join(".git/hooks/post-index-change")).unwrap();
    // Keep the size, so that git must read the file to detect a change.
    repository.write("a", "two\n");
    let index = |root: &Path| std::fs::read(root.join(".git/index")).unwrap();
    let before = index(&repository.root());
    assert_eq!(repository.compares(""), [r#"Update a "one\n" "two\n""#]);
    assert_eq!(repository.compares("HEAD"), [r#"Update a "one\n" "two\n""#]);
    assert!(!sign.exists(), "a program of the repository ran");
    assert_eq!(index(&repository.root()), before);
}
