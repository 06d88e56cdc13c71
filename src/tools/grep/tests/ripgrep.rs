//! Compares 214 patterns with ripgrep 13 (`rg --crlf`), on files with all line endings. `DIFFERENT` lists the two
//! different results with their reasons.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::bench::Bench;

/// The first line contains the files. Each further line contains a pattern and the lines that ripgrep finds.
const FOUND: &str = include_str!("../../../../tests/data/grep/ripgrep.jsonl");

const DIFFERENT: [(&str, &str); 2] = [
    // ripgrep 13 inserts `\r??` before `$`, so `\B` matches before the `\r`.
    (r"\B$", "fn alpha() {}"),
    // The library wraps the pattern in a group, and the comment in the pattern hides the end of that group. So the
    // pattern is invalid and is searched as plain text.
    ("(?x) alpha $ # comment", "unclosed group"),
];

type Lines = BTreeMap<String, Vec<u64>>;

fn lines_of(output: &str) -> Lines {
    let mut lines = Lines::new();
    let mut file = String::new();
    for row in output.lines() {
        match row.split_once(':').and_then(|(number, _)| number.parse().ok()) {
            Some(number) => lines.entry(file.clone()).or_default().push(number),
            None => file = row.to_owned(),
        }
    }
    lines
}

#[tokio::test]
async fn patterns_find_the_lines_that_ripgrep_finds() {
    let mut rows = FOUND
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).expect("a row"));
    let files = rows.next().expect("the files");
    let bench = Bench::new();
    for (name, text) in files["files"].as_object().expect("files") {
        bench.write(name, text.as_str().expect("a text").as_bytes());
    }
    let (mut cases, mut wrong) = (0, Vec::new());
    for row in rows {
        cases += 1;
        let pattern = row["pattern"].as_str().expect("a pattern");
        let wanted: Lines = serde_json::from_value(row["lines"].clone()).expect("lines");
        let outcome = bench.call("grep", json!({"pattern": pattern, "limit": 1_000})).await;
        let found = match outcome.output.starts_with("No match") {
            true => Lines::new(),
            false => lines_of(&outcome.output),
        };
        if let Some((_, says)) = DIFFERENT.iter().find(|(different, _)| *different == pattern) {
            assert!(found != wanted && outcome.output.contains(says), "{}", outcome.output);
        } else if found != wanted {
            let more = |one: &Lines, other: &Lines| {
                one.iter()
                    .flat_map(|(file, lines)| lines.iter().map(move |line| (file.clone(), *line)))
                    .filter(|(file, line)| !other.get(file).is_some_and(|lines| lines.contains(line)))
                    .collect::<Vec<_>>()
            };
            wrong.push(format!(
                "{pattern}: more {:?}, fewer {:?}, {}",
                more(&found, &wanted),
                more(&wanted, &found),
                outcome.output.lines().next().unwrap_or_default()
            ));
        }
    }
    assert_eq!(cases, 214);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
