use super::{Matched, is_pattern, matched};

fn folder(files: &[&str]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for file in files {
        let path = folder.path().join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, "text").unwrap();
    }
    folder
}

#[test]
fn a_pattern_means_files_in_order_and_one_star_stays_in_its_folder() {
    let folder = folder(&[
        "docs/b.md",
        "docs/a.md",
        "docs/deep/c.md",
        "docs/x.txt",
        ".hidden/d.md",
        "top.md",
    ]);
    let files = |pattern: &str| matched(folder.path(), pattern).files;
    assert_eq!(files("docs/*.md"), ["docs/a.md", "docs/b.md"]);
    assert_eq!(files("./docs/*.md"), ["docs/a.md", "docs/b.md"]);
    assert_eq!(files("**/*.md"), ["docs/a.md", "docs/b.md", "docs/deep/c.md", "top.md"]);
    assert_eq!(files("docs/{x.txt,b.md}"), ["docs/b.md", "docs/x.txt"]);
    assert_eq!(files(".hidden/*.md"), [".hidden/d.md"]);
    assert_eq!(files("*/deep/*.md"), ["docs/deep/c.md"]);
}

#[test]
fn nothing_too_much_and_a_broken_pattern_are_said() {
    let names: Vec<String> = (0..120).map(|number| format!("n/{number:03}.md")).collect();
    let folder = folder(&names.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(
        matched(folder.path(), "none/*.md")
            .trouble
            .is_some_and(|why| why.contains("no file"))
    );
    let Matched { files, trouble } = matched(folder.path(), "n/*.md");
    assert!(files.is_empty() && trouble.is_some_and(|why| why.contains("too many files")));
    assert_eq!(matched(folder.path(), "n/0*.md").files.len(), 100);
    assert!(matched(folder.path(), "n/[").trouble.is_some());
}

#[test]
fn a_file_of_just_this_name_and_a_way_out_are_no_patterns() {
    let folder = folder(&["a[1].md"]);
    assert!(!is_pattern(folder.path(), "a[1].md"));
    assert!(!is_pattern(folder.path(), "../*.md"));
    assert!(!is_pattern(folder.path(), "plain.md"));
    assert!(is_pattern(folder.path(), "a[2].md"));
}

#[cfg(unix)]
#[test]
fn a_folder_that_is_a_link_is_not_entered() {
    let folder = folder(&["real/a.md"]);
    std::os::unix::fs::symlink(folder.path().join("real"), folder.path().join("link")).unwrap();
    assert_eq!(matched(folder.path(), "*/a.md").files, ["real/a.md"]);
}
