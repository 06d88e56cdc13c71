use std::io::Read;

use super::*;

fn tree() -> tempfile::TempDir {
    let top = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(top.path().join("in/deep")).unwrap();
    std::fs::write(top.path().join("in/deep/file"), "inside").unwrap();
    std::fs::write(top.path().join("outside"), "outside").unwrap();
    std::os::unix::fs::symlink("../outside", top.path().join("in/link")).unwrap();
    std::os::unix::fs::symlink("deep", top.path().join("in/folder-link")).unwrap();
    top
}

#[test]
fn files_beneath_open_and_nothing_else_does() {
    let top = tree();
    let root = top.path().canonicalize().unwrap();
    let held = Held::open(&root.join("in")).unwrap();
    let mut text = String::new();
    held.file(Path::new("deep/file"))
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, "inside");
    for path in [
        "../outside",
        "link",
        "folder-link/file",
        "/etc/passwd",
        "deep",
        "deep/../../outside",
        "none",
    ] {
        assert!(held.file(Path::new(path)).is_err(), "{path}");
    }
    assert!(held.folder(Path::new("folder-link")).is_err());
    assert!(Held::open(&root.join("in/folder-link")).is_err());
    assert!(Held::open(Path::new("relative")).is_err());
}

#[test]
fn step_by_step_refuses_the_same() {
    let top = tree();
    let held = Held::open(&top.path().canonicalize().unwrap().join("in")).unwrap();
    let open = |path: &str| open_step_by_step(held.0.as_fd(), Path::new(path), OFlags::RDONLY | OFlags::CLOEXEC);
    assert!(open("deep/file").is_ok() && open(".").is_ok());
    for path in [
        "../outside",
        "link",
        "folder-link/file",
        "/etc/passwd",
        "deep/../../outside",
    ] {
        assert!(open(path).is_err(), "{path}");
    }
}

#[test]
fn a_pipe_is_refused_without_waiting_for_a_writer() {
    let top = tree();
    let root = top.path().canonicalize().unwrap();
    std::process::Command::new("mkfifo")
        .arg(root.join("pipe"))
        .status()
        .unwrap();
    assert!(Held::open(&root).unwrap().file(Path::new("pipe")).is_err());
}

#[test]
fn a_held_folder_stays_the_same_when_its_name_changes() {
    let top = tree();
    let root = top.path().canonicalize().unwrap();
    let held = Held::open(&root.join("in")).unwrap();
    std::fs::rename(root.join("in"), root.join("moved")).unwrap();
    std::os::unix::fs::symlink("/etc", root.join("in")).unwrap();
    assert!(held.file(Path::new("deep/file")).is_ok());
    assert!(held.file(Path::new("passwd")).is_err());
}

#[test]
fn kinds_and_sizes_are_those_of_the_names_themselves() {
    let top = tree();
    let held = Held::open(&top.path().canonicalize().unwrap().join("in")).unwrap();
    let mut items: Vec<(String, Kind)> = held
        .items()
        .unwrap()
        .into_iter()
        .map(|item| (item.name.into_string().unwrap(), item.kind))
        .collect();
    items.sort_by(|a, b| a.0.cmp(&b.0));
    let kinds: Vec<(&str, Kind)> = items.iter().map(|(name, kind)| (name.as_str(), *kind)).collect();
    assert_eq!(
        kinds,
        [
            ("deep", Kind::Folder),
            ("folder-link", Kind::Link),
            ("link", Kind::Link)
        ]
    );
    assert_eq!(
        held.folder(Path::new("deep")).unwrap().len(Path::new("file")).unwrap(),
        6
    );
    assert!(held.modified(Path::new("deep/file")).unwrap() > 0 && held.modified(Path::new("link")).unwrap() > 0);
}
