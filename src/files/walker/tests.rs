use std::sync::Mutex;

use super::*;

fn tree(files: &[(&str, &str)]) -> tempfile::TempDir {
    let top = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let file = top.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    top
}

fn files(root: &Path, ignored: Ignored) -> Vec<String> {
    let found = Mutex::new(Vec::new());
    walk(root, ignored, || {
        |one: Found| {
            if one.kind != Kind::Folder {
                found.lock().unwrap().push(shown(&one.path));
            }
            Flow::On
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort();
    found
}

#[test]
fn ignore_files_count_without_git_and_hidden_files_are_shown() {
    let top = tree(&[
        (".gitignore", "*.log\n/build/\n"),
        ("a.rs", ""),
        ("x.log", ""),
        ("build/o", ""),
        ("sub/.ignore", "*.tmp\n!keep.log\n"),
        ("sub/keep.log", ""),
        ("sub/y.tmp", ""),
        (".github/ci.yml", ""),
        (".git/HEAD", ""),
    ]);
    assert_eq!(
        files(top.path(), Ignored::Skipped),
        [".github/ci.yml", ".gitignore", "a.rs", "sub/.ignore", "sub/keep.log"]
    );
    let all = files(top.path(), Ignored::Included);
    assert!(all.contains(&"build/o".to_owned()) && all.contains(&"sub/y.tmp".to_owned()));
    assert!(!all.iter().any(|path| path.starts_with(".git/")), "{all:?}");
}

#[test]
fn an_ignore_file_above_the_workspace_counts_only_within_a_repository() {
    let top = tree(&[(".gitignore", "*\n"), ("home/project/a.rs", "")]);
    let project = top.path().join("home/project");
    assert_eq!(files(&project, Ignored::Skipped), ["a.rs"]);
    let top = tree(&[
        (".git/HEAD", ""),
        (".gitignore", "*.log\n"),
        ("project/a.rs", ""),
        ("project/b.log", ""),
    ]);
    assert_eq!(files(&top.path().join("project"), Ignored::Skipped), ["a.rs"]);
}

#[test]
fn links_are_named_and_never_followed() {
    let top = tree(&[("a/file", "")]);
    std::os::unix::fs::symlink("..", top.path().join("a/loop")).unwrap();
    std::os::unix::fs::symlink("/etc", top.path().join("etc")).unwrap();
    assert_eq!(files(top.path(), Ignored::Skipped), ["a/file", "a/loop", "etc"]);
}

#[test]
fn a_visitor_can_stop_the_walk() {
    let names: Vec<String> = (0..2_000).map(|number| format!("d{}/f{number}", number % 50)).collect();
    let top = tree(&names.iter().map(|name| (name.as_str(), "")).collect::<Vec<_>>());
    let count = std::sync::atomic::AtomicUsize::new(0);
    walk(top.path(), Ignored::Skipped, || {
        |_: Found| {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Flow::Stop
        }
    });
    assert!(count.into_inner() < 1_000);
}

#[test]
fn single_paths_are_judged_as_the_walk_judges_them() {
    let top = tree(&[
        (".gitignore", "build/\n*.log\n"),
        ("sub/.gitignore", "!keep.log\n"),
        ("build/o", ""),
    ]);
    let mut matcher = matcher(top.path()).unwrap();
    let mut ignored = |path: &str, folder: bool| matcher.matched(path, folder).is_ignore();
    assert!(ignored("build", true) && ignored("x.log", false) && ignored("build/o", false));
    assert!(!ignored("build", false) && !ignored("sub/keep.log", false) && !ignored("a.rs", false));
}
