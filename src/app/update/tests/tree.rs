//! Tests the filter of the file tree.

use super::*;
use crate::focus::{Holder, keyboard};
use crate::layout::Pane;
use crate::panes::files::{FileMark, Left};
use benchdog_domain::budget::Usage;
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::places::{Lines, Place};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{FolderItem, TreeLeft};

fn item(path: &str) -> FolderItem {
    FolderItem {
        path: path.trim_end_matches('/').to_owned(),
        folder: path.ends_with('/'),
        ignored: false,
        git: None,
    }
}

fn listed(bench: &mut Bench, folder: &str, paths: &[&str]) {
    bench.event(Answer::Folder {
        path: folder.to_owned(),
        items: paths.iter().map(|path| item(path)).collect(),
    });
}

fn left(bench: &mut Bench, query: &str, paths: &[&str]) {
    bench.event(Answer::Tree(TreeLeft {
        query: query.to_owned(),
        items: paths.iter().map(|path| item(path)).collect(),
        all: paths.len(),
        scanning: false,
    }));
}

fn rows(bench: &Bench) -> Vec<String> {
    let files = &bench.state.screen.files;
    let rows = files.rows.iter().enumerate();
    rows.map(|(place, row)| {
        let sign = if place == files.cursor.at { "›" } else { "" };
        format!("{}{sign}{}", "  ".repeat(row.depth), row.name)
    })
    .collect()
}

fn asked(bench: &Bench) -> Vec<&str> {
    let commands = bench.commands().into_iter();
    let queries = commands.filter_map(|command| match command {
        Command::FilterTree(query) => Some(query.as_str()),
        _ => None,
    });
    queries.collect()
}

fn bench() -> Bench {
    let mut bench = Bench::new(140, 40);
    listed(&mut bench, ".", &["docs/", "src/", "README.md"]);
    bench.keys("alt-1 down down");
    assert_eq!(rows(&bench), ["docs/", "src/", "›README.md"]);
    bench
}

#[test]
fn typing_narrows_the_tree_in_its_place_and_enter_opens_it_at_what_was_found() {
    let mut bench = bench();
    bench.keys("/ ma");
    assert_eq!(asked(&bench), ["m", "ma"]);
    assert_eq!(rows(&bench), ["docs/", "src/", "›README.md"], "until it is known");
    left(&mut bench, "m", &["README.md"]);
    assert_eq!(rows(&bench), ["docs/", "src/", "›README.md"], "an earlier line");
    left(&mut bench, "ma", &["src/app/main.rs", "docs/a/map.md", "src/app/Ma.rs"]);
    let narrowed = [
        "docs/",
        "  a/",
        "    map.md",
        "src/",
        "  app/",
        "    Ma.rs",
        "    ›main.rs",
    ];
    assert_eq!(rows(&bench), narrowed, "the best is under the cursor");
    assert_eq!(bench.state.screen.files.left(), Left::Shown(3, 3));
    bench.keys("up up up");
    assert_eq!(
        bench.state.screen.files.left(),
        Left::Shown(1, 3),
        "the folders are passed over"
    );
    bench.keys("down enter");
    assert!(bench.state.screen.files.filter.is_none() && keyboard(&bench.state) == Holder::Pane(Pane::Files));
    let listing = |path: &str| {
        bench
            .commands()
            .contains(&&Command::ListFolder { path: path.to_owned() })
    };
    assert!(listing("src") && listing("src/app"));
    listed(&mut bench, "src", &["src/app/"]);
    listed(&mut bench, "src/app", &["src/app/Ma.rs", "src/app/main.rs"]);
    let open = ["docs/", "src/", "  app/", "    ›Ma.rs", "    main.rs", "README.md"];
    assert_eq!(rows(&bench), open);
    bench.keys("enter");
    assert_eq!(bench.prompt(), "@src/app/Ma.rs ");
}

#[test]
fn escape_gives_the_tree_back_as_it_was_and_so_does_an_empty_line() {
    let mut bench = bench();
    bench.keys("/ ma");
    left(&mut bench, "ma", &["src/app/main.rs"]);
    assert_eq!(rows(&bench), ["src/", "  app/", "    ›main.rs"]);
    bench.keys("backspace backspace");
    assert_eq!(rows(&bench), ["docs/", "src/", "›README.md"]);
    assert_eq!(keyboard(&bench.state), Holder::Filter, "one goes on typing");
    bench.keys("x");
    left(&mut bench, "x", &[]);
    assert_eq!(
        (rows(&bench).len(), bench.state.screen.files.left()),
        (0, Left::Shown(0, 0))
    );
    bench.keys("esc");
    assert_eq!(rows(&bench), ["docs/", "src/", "›README.md"]);
    assert_eq!(keyboard(&bench.state), Holder::Pane(Pane::Files));
    assert_eq!(bench.prompt(), "", "letters went to the line");
    left(&mut bench, "x", &["late.txt"]);
    assert_eq!(
        rows(&bench),
        ["docs/", "src/", "›README.md"],
        "an answer that comes late"
    );
}

#[test]
fn what_is_found_while_names_are_read_moves_no_cursor_and_more_than_is_shown_is_said() {
    let mut bench = bench();
    bench.keys("/ a");
    let tree = |scanning, all, paths: &[&str]| {
        Answer::Tree(TreeLeft {
            query: "a".to_owned(),
            items: paths.iter().map(|path| item(path)).collect(),
            all,
            scanning,
        })
    };
    bench.event(tree(true, 0, &[]));
    assert_eq!(bench.state.screen.files.left(), Left::Looking);
    bench.event(tree(true, 2, &["a.txt", "b/a.txt"]));
    bench.keys("up");
    assert_eq!(rows(&bench), ["b/", "  ›a.txt", "a.txt"]);
    bench.event(tree(false, 4_312, &["a.txt", "b/a.txt", "b/c/a.txt"]));
    assert_eq!(rows(&bench), ["b/", "  c/", "    a.txt", "  ›a.txt", "a.txt"]);
    assert_eq!(bench.state.screen.files.left(), Left::Some(3, 4_312));
}

#[test]
fn a_filter_goes_where_the_keyboard_goes_elsewhere() {
    for elsewhere in ["alt-3", "ctrl-t", "f1", "ctrl-x 2"] {
        let mut bench = bench();
        bench.keys("/ ma");
        left(&mut bench, "ma", &["src/app/main.rs"]);
        bench.keys(elsewhere);
        assert!(bench.state.screen.files.filter.is_none(), "{elsewhere}");
        assert_eq!(rows(&bench), ["docs/", "src/", "›README.md"], "{elsewhere}");
    }
}

#[test]
fn the_folder_that_holds_a_new_file_is_looked_at_again_when_the_turn_is_over() {
    let mut bench = bench();
    let change = |path: &str| Body::Change {
        call: CallId("one".to_owned()),
        path: path.to_owned(),
        before: None,
        after: None,
        added: 1,
        removed: 0,
        moved: Vec::new(),
        undoes: Vec::new(),
        in_part: false,
        mode_before: None,
        job: None,
    };
    let listings = |bench: &Bench| {
        let commands = bench.commands().into_iter();
        let listings = commands.filter_map(|command| match command {
            Command::ListFolder { path } => Some(path.clone()),
            _ => None,
        });
        listings.collect::<Vec<_>>()
    };
    bench.entry(change("docs/a/one.md"));
    bench.entry(change("docs/a/two.md"));
    assert!(listings(&bench).is_empty(), "not at every change");
    let ended = || Body::TurnEnded {
        outcome: TurnOutcome::Done,
        steps: 1,
        usage: Usage::default(),
    };
    bench.entry(ended());
    assert_eq!(listings(&bench), ["."]);
    listed(&mut bench, "docs", &["docs/a/"]);
    bench.entry(change("docs/a/three.md"));
    bench.entry(ended());
    assert_eq!(listings(&bench), [".", ".", "docs"]);
}

#[test]
fn a_file_of_which_a_part_was_read_is_marked_as_one_that_was_read() {
    let mut bench = Bench::new(140, 40);
    listed(&mut bench, ".", &["main.py", "utils.py", "written.py"]);
    let place = |path: &str| Place {
        path: path.to_owned(),
        lines: vec![Lines(180, 220)],
    };
    for (title, places) in [("utils.py:180", vec![place("utils.py")]), ("main.py", Vec::new())] {
        bench.entry(Body::ToolResult {
            call: CallId(title.to_owned()),
            tool: "read".to_owned(),
            title: title.to_owned(),
            status: CallStatus::Ok,
            summary: Summary::SomeLines { shown: 41, lines: 400 },
            output: "180\tdef late():".to_owned(),
            truncated: true,
            notes: Vec::new(),
            took_ms: 0,
            places,
            images: Vec::new(),
        });
    }
    let marks: Vec<Option<FileMark>> = bench.state.screen.files.rows.iter().map(|row| row.mark).collect();
    assert_eq!(marks, [Some(FileMark::Read), Some(FileMark::Read), None]);
}
