//! Tests that the tables in the documentation match the code. `UPDATE_DOCS=1 cargo test tables` writes them.

use std::path::PathBuf;

use crate::support::home::Home;

/// Each page, and its table in the output of `benchdog docs`.
const PAGES: [(&str, &str); 8] = [
    ("keys.md", "keys"),
    ("commands.md", "commands"),
    ("tools.md", "tools"),
    ("config.md", "config"),
    ("errors.md", "errors"),
    ("limits.md", "limits"),
    ("toolcalls.md", "toolcalls"),
    ("themes.md", "themes"),
];

const BEGIN: &str = "<!-- generated: begin -->\n";
const END: &str = "<!-- generated: end -->\n";

#[expect(
    clippy::disallowed_methods,
    reason = "a switch for the person who runs the tests, not for the product"
)]
fn updating() -> bool {
    std::env::var_os("UPDATE_DOCS").is_some()
}

/// Splits a page into the parts before, between and after the marks.
fn parts(page: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (table, behind) = rest.split_once(END)?;
    Some((before, table, behind))
}

#[test]
fn the_tables_in_the_book_are_the_ones_the_binary_has() {
    let home = Home::bare();
    let mut stale = Vec::new();
    for (page, table) in PAGES {
        let run = home.run(&["docs", table]);
        run.assert_code(0);
        assert!(
            run.stdout.contains('|'),
            "`benchdog docs {table}` prints no table\n{run}"
        );
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("docs/{page}: {error}"));
        let (before, held, behind) = parts(&text).unwrap_or_else(|| panic!("docs/{page} has lost its marks"));
        if held == run.stdout {
            continue;
        }
        if updating() {
            std::fs::write(&path, format!("{before}{BEGIN}{}{END}{behind}", run.stdout)).expect("a page of the book");
        } else {
            stale.push(page);
        }
    }
    assert!(stale.is_empty(), "stale: {stale:?}; UPDATE_DOCS=1 cargo test tables");
}

#[test]
fn a_page_without_marks_is_noticed() {
    assert_eq!(parts("no marks"), None);
    assert_eq!(parts(&format!("a{BEGIN}b\n{END}c")), Some(("a", "b\n", "c")));
}
