use std::sync::Arc;

use super::*;

fn chunks(paths: &[&str]) -> Vec<Arc<Chunk>> {
    let mut chunk = Chunk::new(false);
    for path in paths {
        chunk.push(path);
    }
    vec![Arc::new(chunk)]
}

const PROJECT: &[&str] = &[
    "src/main.rs",
    "src/orchestrator/machine.rs",
    "src/orchestrator/machine/tests.rs",
    "src/app/panes/changes.rs",
    "src/ui/panes/changes.rs",
    "src/tools/",
    "src/tools/read.rs",
    "src/tools/todoread.rs",
    "src/controllers/UserController.java",
    "src/controllers/UserControllerTest.java",
    "docs/ARCHITECTURE.md",
    "README.md",
    "Cargo.toml",
    "assets/überschrift.txt",
    "文档/说明.md",
];

fn best(chunks: &[Arc<Chunk>], query: &str, recent: &[String], limit: usize) -> Vec<String> {
    let found = super::best(chunks, query, recent, limit);
    found.into_iter().map(|found| found.path).collect()
}

#[track_caller]
fn first(query: &str, wanted: &str) {
    let found = best(&chunks(PROJECT), query, &[], 10);
    assert_eq!(found.first().map(String::as_str), Some(wanted), "{query}: {found:?}");
}

#[test]
fn abbreviations_find_what_is_meant() {
    first("main", "src/main.rs");
    first("machine", "src/orchestrator/machine.rs");
    first("uichanges", "src/ui/panes/changes.rs");
    first("usco", "src/controllers/UserController.java");
    first("ucon", "src/controllers/UserController.java");
    first("readme", "README.md");
    first("arch", "docs/ARCHITECTURE.md");
    first("read.rs", "src/tools/read.rs");
    first("cargo", "Cargo.toml");
    first("说明", "文档/说明.md");
    first("uber", "assets/überschrift.txt");
    first("tools/", "src/tools/");
}

#[test]
fn one_or_two_letters_find_beginnings_of_names() {
    first("r", "README.md");
    first("ma", "src/main.rs");
    first("Ca", "Cargo.toml");
    assert!(best(&chunks(PROJECT), "zq", &[], 10).is_empty());
}

#[test]
fn nothing_typed_gives_short_paths_and_recent_ones_first() {
    let found = best(&chunks(PROJECT), "", &[], 3);
    assert_eq!(found, ["README.md", "Cargo.toml", "src/tools/"]);
    let recent = ["src/app/panes/changes.rs".to_owned(), "src/main.rs".to_owned()];
    assert_eq!(best(&chunks(PROJECT), " ", &recent, 2), recent);
}

#[test]
fn recent_comes_before_its_equals_and_needs_no_index() {
    let recent = ["src/ui/panes/changes.rs".to_owned()];
    assert_eq!(best(&chunks(PROJECT), "changes", &recent, 1), recent);
    let fresh = ["made/just now.rs".to_owned()];
    assert_eq!(best(&chunks(PROJECT), "justnow", &fresh, 5), fresh);
    assert!(
        best(&chunks(PROJECT), "changes", &fresh, 5)
            .iter()
            .all(|path| *path != fresh[0])
    );
}

#[test]
fn ignored_files_come_last_but_they_come() {
    let mut all = chunks(&["src/deep/down/in/the/tree/index-of-things.js"]);
    let mut ignored = Chunk::new(true);
    ignored.push("node_modules/index.js");
    all.push(Arc::new(ignored));
    assert_eq!(
        best(&all, "index", &[], 5),
        ["src/deep/down/in/the/tree/index-of-things.js", "node_modules/index.js"]
    );
}

#[test]
fn several_threads_find_the_same_as_one() {
    let names: Vec<String> = (0..50_000)
        .map(|number| format!("dir{}/sub{}/file{number}.rs", number % 97, number % 13))
        .collect();
    let many: Vec<Arc<Chunk>> = names
        .chunks(1_000)
        .map(|part| chunks(&part.iter().map(String::as_str).collect::<Vec<_>>()).remove(0))
        .collect();
    let one = chunks(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for query in ["", "f", "file", "file4999", "sub7file49", "dir3/file"] {
        let found = |chunks: &[Arc<Chunk>]| best_within(chunks, query, &[], 20, Duration::from_secs(60));
        assert_eq!(found(&many), found(&one), "{query}");
    }
}

#[test]
fn out_of_time_what_stands_in_names_is_still_found() {
    let names: Vec<String> = (0..MANY + 1)
        .map(|number| format!("needle{number}/other.rs"))
        .chain(["deep/needle.rs".to_owned()])
        .collect();
    let many = chunks(&names.iter().map(String::as_str).collect::<Vec<_>>());
    let in_time = best_within(&many, "needle", &[], 5, Duration::ZERO);
    let in_time: Vec<&str> = in_time.iter().map(|found| found.path.as_str()).collect();
    assert_eq!(in_time, ["deep/needle.rs"]);
    assert_eq!(best_within(&many, "needle", &[], 5, Duration::from_secs(60)).len(), 5);
}

#[track_caller]
fn left(query: &str, wanted: &[&str]) {
    let (found, all) = filter_tree(&chunks(PROJECT), query, 10);
    let found: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).collect();
    assert_eq!((found.as_slice(), all), (wanted, wanted.len()), "{query}");
}

#[test]
fn a_filter_over_the_tree_leaves_what_has_the_words_as_they_are_and_no_letters_from_everywhere() {
    left("machine", &["src/orchestrator/machine.rs"]);
    left("changes", &["src/ui/panes/changes.rs", "src/app/panes/changes.rs"]);
    left("ui changes", &["src/ui/panes/changes.rs"]);
    left("ui/panes/ch", &["src/ui/panes/changes.rs"]);
    left("READ", &["README.md", "src/tools/read.rs", "src/tools/todoread.rs"]);
    left("tools", &["src/tools/"]);
    left("ÜBER", &["assets/überschrift.txt"]);
    left("说", &["文档/说明.md"]);
    left(
        "usrcont",
        &[
            "src/controllers/UserController.java",
            "src/controllers/UserControllerTest.java",
        ],
    );
}

#[test]
fn what_a_filter_leaves_is_counted_whole_and_ignored_files_come_last() {
    let mut ignored = Chunk::new(true);
    ignored.push("build/main.o");
    let mut known = Chunk::new(false);
    for number in 0..500 {
        known.push(&format!("src/main{number}.rs"));
    }
    let (found, all) = filter_tree(&[Arc::new(ignored), Arc::new(known)], "main", 3);
    let found: Vec<_> = found.iter().map(|(path, ignored)| (path.as_str(), *ignored)).collect();
    assert_eq!(all, 501);
    assert_eq!(
        found,
        [
            ("src/main0.rs", false),
            ("src/main1.rs", false),
            ("src/main2.rs", false)
        ]
    );
}
