use std::process::Command;

use super::*;

#[test]
fn every_kind_of_record_is_read() {
    let text = "# branch.oid abc\0\
        1 .M N... 100644 100644 100644 aaa bbb src/a b.rs\0\
        1 A. N... 000000 100644 100644 000 bbb new.rs\0\
        1 AM N... 000000 100644 100644 000 bbb newer.rs\0\
        1 .D N... 100644 100644 000000 aaa bbb gone.rs\0\
        2 R. N... 100644 100644 100644 aaa bbb R100 to.rs\0from.rs\0\
        u UU N... 100644 100644 100644 100644 a b c fight.rs\0\
        ? sub/unknown/\0\
        ! ignored\0";
    let marks = parse(text, "");
    let of = |path: &str| marks.of(path);
    assert_eq!(
        [of("src/a b.rs"), of("new.rs"), of("newer.rs"), of("gone.rs")],
        [Some('M'), Some('A'), Some('A'), Some('D')]
    );
    assert_eq!(
        [of("to.rs"), of("from.rs"), of("fight.rs"), of("ignored")],
        [Some('R'), None, Some('U'), None]
    );
    assert_eq!(
        [of("sub/unknown"), of("sub/unknown/deep/file"), of("sub"), of("src")],
        [Some('?'), Some('?'), Some('?'), Some('M')]
    );
    assert_eq!(of("sub/known"), None);
}

#[test]
fn paths_count_from_the_workspace_not_from_the_repository() {
    let marks = parse("1 .M N... 1 1 1 a b app/src/x.rs\x00? other/y\0", "app/");
    assert_eq!((marks.of("src/x.rs"), marks.of("other/y")), (Some('M'), None));
}

#[test]
fn a_folder_shows_the_strongest_letter_beneath_it() {
    let marks = parse("? a/new\x001 .M N... 1 1 1 a b a/changed\0? b/new\0", "");
    assert_eq!((marks.of("a"), marks.of("b")), (Some('M'), Some('?')));
}

#[test]
fn a_real_repository_and_none_at_all() {
    let top = tempfile::tempdir().unwrap();
    std::fs::write(top.path().join("plain"), "").unwrap();
    assert_eq!(marks(top.path()), Marks::default());
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .args([
                "-c",
                "user.name=t",
                "-c",
                "user.email=t@t",
                "-c",
                "init.defaultBranch=main",
            ])
            .args(arguments)
            .current_dir(top.path())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(output.status.success(), "{arguments:?}");
    };
    std::fs::create_dir(top.path().join("work")).unwrap();
    std::fs::write(top.path().join("work/a"), "1\n").unwrap();
    git(&["init", "-q"]);
    git(&["add", "."]);
    git(&["commit", "-qm", "one"]);
    std::fs::write(top.path().join("work/a"), "2\n").unwrap();
    std::fs::write(top.path().join("work/b"), "").unwrap();
    let root = top.path().canonicalize().unwrap();
    let marks = marks(&root.join("work"));
    assert_eq!((marks.of("a"), marks.of("b")), (Some('M'), Some('?')));
    assert_eq!(super::marks(&root).of("work"), Some('M'));
}

#[test]
fn a_repository_cannot_make_a_look_run_its_program() {
    let top = tempfile::tempdir().unwrap();
    let trap = top.path().join("trap");
    let sign = top.path().join("sprung");
    std::fs::write(&trap, format!("#!/bin/sh\ntouch {}\n", sign.display())).unwrap();
    std::fs::set_permissions(&trap, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    Command::new("git")
        .args(["init", "-q"])
        .current_dir(top.path())
        .status()
        .unwrap();
    Command::new("git")
        .args(["config", "core.fsmonitor"])
        .arg(&trap)
        .current_dir(top.path())
        .status()
        .unwrap();
    assert_ne!(marks(&top.path().canonicalize().unwrap()), Marks::default());
    assert!(!sign.exists());
}

#[test]
fn a_filter_of_the_repository_does_not_run_for_a_look() {
    let top = tempfile::tempdir().unwrap();
    let said = top.path().join(".git/said");
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(top.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    git(&["init", "-q"]);
    std::fs::write(top.path().join(".gitattributes"), "* filter=f\n").unwrap();
    std::fs::write(top.path().join("file"), "one\n").unwrap();
    git(&["add", "."]);
    git(&["config", "filter.f.clean", &format!("env > '{}'; cat", said.display())]);
    // Keep the size, so that git must read the file to detect a change.
    std::fs::write(top.path().join("file"), "two\n").unwrap();
    assert_eq!(marks(top.path()).of("file"), Some('A'));
    assert!(!said.exists());
    git(&["status"]);
    assert!(said.exists(), "where nobody keeps it from running, it runs");
}
