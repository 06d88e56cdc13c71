use super::*;
use benchdog_security::shell::{World, analyse};

/// A file system without files, because the analysis of these lines reads none.
struct Nothing;

impl World for Nothing {
    fn exists(&self, _path: &str) -> bool {
        false
    }

    fn is_folder(&self, _path: &str) -> bool {
        false
    }

    fn read_small(&self, _path: &str) -> Option<String> {
        None
    }

    fn names(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

const MAX_FILE: u64 = 1_000;

fn target(path: &str, glob: bool) -> Target {
    Target {
        path: path.to_owned(),
        glob,
        search: None,
    }
}

fn told(folder: &Path, path: &str, glob: bool) -> (u64, u64, bool) {
    let removals = removals(folder, MAX_FILE, folder, &[target(path, glob)]);
    (
        removals[0].files,
        removals[0].bytes,
        removals[0].counted == Counted::Some,
    )
}

#[test]
fn what_a_removal_would_take_is_counted_as_the_shell_would_find_it() {
    let folder = tempfile::tempdir().unwrap();
    let put = |path: &str, bytes: usize| {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, vec![b'x'; bytes]).unwrap();
    };
    put("build/a.o", 10);
    put("build/deep/er/b.o", 20);
    put("build/.hidden", 1);
    put("c.o", 5);
    put(".d.o", 7);
    put("odd[name", 3);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("link")).unwrap();
    let told = |path, glob| told(folder.path(), path, glob);
    assert_eq!(told("build", false), (3, 31, false));
    assert_eq!(told("./build/", false), (3, 31, false));
    assert_eq!(told("*.o", true), (1, 5, false));
    assert_eq!(told(".*.o", true), (1, 7, false));
    assert_eq!(told("build/*", true), (2, 30, false));
    assert_eq!(told("b*/*/*", true), (1, 20, false));
    assert_eq!(told("odd[name", false), (1, 3, false));
    assert_eq!(told("link", false).0, 1, "a link is one name");
    assert_eq!(told("nothing", false), (0, 0, false));
    assert_eq!(told("*.none", true), (0, 0, false));
    let absolute = folder.path().join("build").display().to_string();
    assert_eq!(super::tests::told(Path::new("/"), &absolute, false), (3, 31, false));
}

#[test]
fn what_a_search_would_remove_is_what_it_finds() {
    let folder = tempfile::tempdir().unwrap();
    for (path, bytes) in [
        ("a.o", 10),
        ("src/b.o", 20),
        ("src/B.O", 5),
        ("src/c.rs", 1),
        ("build/.d.o", 7),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, vec![b'x'; bytes]).unwrap();
    }
    std::os::unix::fs::symlink("a.o", folder.path().join("link.o")).unwrap();
    let told = |line: &str| removals(folder.path(), MAX_FILE, folder.path(), &analyse(line, &Nothing).removes);
    let one = |line: &str| {
        let removals = told(line);
        assert_eq!(removals.len(), 1, "{line}");
        (removals[0].path.clone(), removals[0].files, removals[0].counted)
    };
    let of = |path: &str, files, counted| (path.to_owned(), files, counted);
    assert_eq!(one("find . -delete"), of(".", 6, Counted::All));
    assert_eq!(one("find . -name '*.o' -delete"), of(".: *.o", 4, Counted::All));
    assert_eq!(one("find . -type f -name '*.o' -delete"), of(".: *.o", 3, Counted::All));
    assert_eq!(
        one("find src -iname '*.o' -exec rm {} +"),
        of("src: *.o", 2, Counted::All)
    );
    assert_eq!(
        one("find src -name '*.o' -mtime +3 -delete"),
        of("src: *.o", 1, Counted::AtMost)
    );
    assert_eq!(one("find . ! -name '*.o' -delete"), of(".", 6, Counted::AtMost));
    assert_eq!(
        one("cd src && find . -name '*.rs' -exec rm -f '{}' ';'"),
        of("src: *.rs", 1, Counted::All)
    );
    assert_eq!(told("find . -name '*.o' -exec cat {} +"), []);
    assert_eq!(told("find -L . -delete"), []);
    assert_eq!(told("find . src -delete").len(), 2);
}

#[test]
fn files_that_a_checkpoint_does_not_contain_are_counted_apart() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().canonicalize().unwrap().join("work");
    for (path, bytes) in [
        ("work/.gitignore", 0),
        ("work/build/a.o", 2),
        ("work/build/deep/b.o", 1),
        ("work/.git/HEAD", 1),
        ("work/src/main.rs", 1),
        ("work/src/note.log", 1),
        ("work/src/.env", 1),
        ("work/src/large", 1_001),
        ("outside", 1),
    ] {
        let path = home.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, vec![b'x'; bytes]).unwrap();
    }
    fs::write(root.join(".gitignore"), "/build\n*.log\n").unwrap();
    std::os::unix::fs::symlink("src", root.join("link")).unwrap();
    let not_saved = |folder: &str, path: &str, glob| {
        let removals = removals(&root, MAX_FILE, &root.join(folder), &[target(path, glob)]);
        (removals[0].files, removals[0].not_saved)
    };
    assert_eq!(not_saved("", "build", false), (2, 2), "ignored");
    assert_eq!(not_saved("build", "deep", false), (1, 1), "the folder above is ignored");
    assert_eq!(
        not_saved("src", "../build/", false),
        (2, 2),
        "the rule is for the path from the root"
    );
    assert_eq!(
        not_saved("", "src", false),
        (4, 3),
        "a log, a secret file, and a large file"
    );
    assert_eq!(not_saved("", "src/*.rs", true), (1, 0));
    assert_eq!(not_saved("", "./.gitignore", false), (1, 0));
    assert_eq!(not_saved("", "link", false), (1, 1), "an undo restores no links");
    assert_eq!(not_saved("", "../outside", false), (1, 1));
    assert_eq!(not_saved("", ".git", false), (1, 1));
    assert_eq!(
        not_saved("", "..", false),
        (10, 8),
        "the whole folder, and the file beside it"
    );
}

#[test]
fn a_tree_without_end_is_counted_for_a_moment_only() {
    let begun = Instant::now();
    let removals = removals(
        Path::new("/"),
        MAX_FILE,
        Path::new("/"),
        &vec![target("usr", false); 1_000],
    );
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    assert_eq!(removals.len(), MOST_TARGETS);
    assert_eq!(removals.last().unwrap().counted, Counted::Some);
}
