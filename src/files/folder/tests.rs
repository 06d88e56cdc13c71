use super::*;

fn shown(items: &[FolderItem]) -> Vec<String> {
    items
        .iter()
        .map(|item| {
            let end = if item.folder { "/" } else { "" };
            let ignored = if item.ignored { " ignored" } else { "" };
            format!("{}{end}{ignored}", item.path)
        })
        .collect()
}

fn tree() -> tempfile::TempDir {
    let top = tempfile::tempdir().unwrap();
    for file in [
        "src/b.rs",
        "src/A.rs",
        "src/deep/x",
        "target/o",
        "z.log",
        "Readme",
        ".git/HEAD",
    ] {
        let file = top.path().join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "").unwrap();
    }
    std::fs::write(top.path().join(".gitignore"), "target/\n*.log\n").unwrap();
    top
}

#[test]
fn folders_first_and_ignored_last() {
    let top = tree();
    let root = top.path().canonicalize().unwrap();
    let marks = Marks::default();
    for path in ["", ".", "./"] {
        assert_eq!(
            shown(&folder(&root, path, &marks).unwrap()),
            ["src/", ".gitignore", "Readme", "target/ ignored", "z.log ignored"],
            "{path:?}"
        );
    }
    assert_eq!(
        shown(&folder(&root, "src", &marks).unwrap()),
        ["src/deep/", "src/A.rs", "src/b.rs"]
    );
    assert_eq!(shown(&folder(&root, "src/", &marks).unwrap()).len(), 3);
    assert_eq!(shown(&folder(&root, "target", &marks).unwrap()), ["target/o ignored"]);
}

#[test]
fn nothing_outside_is_listed() {
    let top = tree();
    let root = top.path().canonicalize().unwrap();
    std::os::unix::fs::symlink("/etc", root.join("etc")).unwrap();
    for path in ["..", "etc", "/etc", "src/../.."] {
        assert!(folder(&root, path, &Marks::default()).is_err(), "{path}");
    }
}
