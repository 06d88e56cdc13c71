//! Compares golden files line by line, or writes them on request.

use std::path::{Path, PathBuf};

pub fn package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

pub fn data(path: &str) -> PathBuf {
    package("tests/data").join(path)
}

#[expect(
    clippy::disallowed_methods,
    reason = "the variables of the test run, not of benchdog"
)]
pub fn writes() -> bool {
    let asked = std::env::var("BENCHDOG_GOLDEN").is_ok_and(|value| value == "write");
    assert!(
        !(asked && std::env::var_os("CI").is_some()),
        "golden files are not written under CI: nobody would look at them"
    );
    asked
}

/// Compares `lines` with the file at `path` below the test data, or writes the file.
#[track_caller]
pub fn hold(path: &str, lines: &[String]) {
    let file = data(path);
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    if writes() {
        std::fs::create_dir_all(file.parent().expect("a file lies in a folder")).expect("a folder for golden files");
        std::fs::write(&file, text).expect("a golden file");
        return;
    }
    let golden = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{path}: {error}"));
    if golden != text {
        panic!("{}", difference(path, &golden, &text));
    }
}

fn difference(path: &str, golden: &str, now: &str) -> String {
    let (before, after): (Vec<&str>, Vec<&str>) = (golden.lines().collect(), now.lines().collect());
    let same = before
        .iter()
        .zip(&after)
        .take_while(|(one, other)| one == other)
        .count();
    let line = |lines: &[&str]| lines.get(same).map_or("(the end)", |line| *line).to_owned();
    let (was, is) = (line(&before), line(&after));
    let part = was
        .chars()
        .zip(is.chars())
        .take_while(|(one, other)| one == other)
        .count();
    let shown = |text: &str| {
        let from = part.saturating_sub(60);
        let dots = if from > 0 { "…" } else { "" };
        format!("{dots}{}", text.chars().skip(from).take(300).collect::<String>())
    };
    let context = before.iter().take(same).skip(same.saturating_sub(3));
    let context: String = context.map(|line| format!("     {line:.200}\n")).collect();
    format!(
        "tests/data/{path}, line {}, differs from character {} on ({} lines before, {} now)\n{context}was: {}\nnow: {}\n\
         if it is meant: BENCHDOG_GOLDEN=write, and look at the difference",
        same + 1,
        part + 1,
        before.len(),
        after.len(),
        shown(&was),
        shown(&is)
    )
}
