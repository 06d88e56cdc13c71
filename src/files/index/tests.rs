use super::*;

fn tree(files: &[&str]) -> tempfile::TempDir {
    let top = tempfile::tempdir().unwrap();
    for path in files {
        let file = top.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "").unwrap();
    }
    top
}

/// Repeats the query until the answer is as expected, like a person who keeps typing.
fn until(index: &FileIndex, query: &str, wanted: &[&str]) {
    let end = Instant::now() + Duration::from_secs(20);
    loop {
        let (paths, scanning) = index.find(query, 10);
        let named: Vec<&str> = paths.iter().map(|found| found.path.as_str()).collect();
        if named == wanted && !scanning {
            return;
        }
        assert!(Instant::now() < end, "{query}: {paths:?}, scanning: {scanning}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn files_and_folders_are_found_without_git_and_ignored_ones_last() {
    let top = tree(&["src/app.rs", "src/apple/x", "build/app.o", ".git/app"]);
    std::fs::write(top.path().join(".gitignore"), "build\n").unwrap();
    let index = FileIndex::start(&top.path().canonicalize().unwrap(), Levels::All);
    until(
        &index,
        "app",
        &["src/app.rs", "src/apple/", "src/apple/x", "build/app.o"],
    );
    let (found, _) = index.find("app", 10);
    let ignored: Vec<bool> = found.iter().map(|found| found.ignored).collect();
    assert_eq!(ignored, [false, false, false, true], "and are marked");
    until(&index, "nothing", &[]);
}

#[test]
fn what_lies_further_down_than_the_index_reaches_is_not_found() {
    let top = tree(&["app.rs", "a/app.rs", "a/b/app.rs"]);
    let index = FileIndex::start(&top.path().canonicalize().unwrap(), Levels::First(2));
    until(&index, "app.rs", &["app.rs", "a/app.rs"]);
    until(&index, "a/b", &["a/b/"]);
}

#[test]
fn a_new_file_is_found_and_a_removed_one_is_gone() {
    let top = tree(&["one.txt", "two.txt"]);
    let index = FileIndex::start(&top.path().canonicalize().unwrap(), Levels::All);
    until(&index, "txt", &["one.txt", "two.txt"]);
    std::fs::write(top.path().join("six.txt"), "").unwrap();
    std::fs::remove_file(top.path().join("one.txt")).unwrap();
    until(&index, "txt", &["six.txt", "two.txt"]);
}

#[test]
fn what_was_touched_comes_first() {
    let top = tree(&["a/list.rs", "b/list.rs"]);
    let index = FileIndex::start(&top.path().canonicalize().unwrap(), Levels::All);
    until(&index, "list", &["a/list.rs", "b/list.rs"]);
    index.touch("b/list.rs");
    until(&index, "list", &["b/list.rs", "a/list.rs"]);
}

#[test]
fn the_reading_thread_ends_with_the_last_index() {
    let names: Vec<String> = (0..3_000).map(|number| format!("d{}/f{number}", number % 60)).collect();
    let top = tree(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let index = FileIndex::start(top.path(), Levels::All);
    index.refresh();
    let inner = Arc::downgrade(&index.0);
    drop(index);
    let end = Instant::now() + Duration::from_secs(20);
    while inner.strong_count() > 0 {
        assert!(Instant::now() < end, "the index is still held");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn folders_come_with_letters_of_git() {
    let top = tree(&["src/a"]);
    let root = top.path().canonicalize().unwrap();
    std::process::Command::new("git")
        .args(["init", "-q"])
        .current_dir(&root)
        .status()
        .unwrap();
    let index = FileIndex::start(&root, Levels::All);
    let level = index.folder("").unwrap();
    assert_eq!(
        level
            .iter()
            .map(|item| (item.path.as_str(), item.git))
            .collect::<Vec<_>>(),
        [("src", Some('?'))]
    );
    assert_eq!(index.folder("src").unwrap()[0].git, Some('?'));
    assert!(index.folder("nope").is_err());
}

#[test]
fn a_folder_that_git_names_without_a_slash_is_found_as_the_folder_it_is() {
    let top = tree(&["sub/a.txt"]);
    let index = FileIndex::start(&top.path().canonicalize().unwrap(), Levels::All);
    index.touch("sub");
    until(&index, "sub", &["sub/", "sub/a.txt"]);
}

#[test]
fn what_a_filter_leaves_comes_with_folders_letters_and_whether_it_is_ignored() {
    let top = tree(&["src/app.rs", "src/apple/x", "build/app.o"]);
    std::fs::write(top.path().join(".gitignore"), "build\n").unwrap();
    let root = top.path().canonicalize().unwrap();
    let git = std::process::Command::new("git")
        .args(["init", "-q"])
        .current_dir(&root)
        .status();
    assert!(git.unwrap().success());
    let index = FileIndex::start(&root, Levels::All);
    index.folder("").unwrap();
    let end = Instant::now() + Duration::from_secs(20);
    while index.narrowed("app", 10).2 {
        assert!(Instant::now() < end, "names are still being read");
    }
    let (left, all, _) = index.narrowed("app", 10);
    let left: Vec<_> = left
        .iter()
        .map(|item| (item.path.as_str(), item.folder, item.ignored, item.git))
        .collect();
    let wanted = [
        ("src/app.rs", false, false, Some('?')),
        ("src/apple", true, false, Some('?')),
        ("build/app.o", false, true, None),
    ];
    assert_eq!((left.as_slice(), all), (&wanted[..], 3));
}
