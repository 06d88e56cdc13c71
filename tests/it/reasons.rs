//! Why a command is asked about is said in each language: what the analysis says of the corpora of command lines stands in the
//! tables of reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::support::home::Home;
use crate::support::server::Server;

/// What a person is asked about.
const ASKED: [&str; 4] = ["unknown", "external", "dangerous", "catastrophic"];
/// Sentences of the corpora that only the strangest lines meet. They are shown in English.
const LEFT: usize = 3;

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Names in backticks become `{1}`, `{2}` ….
fn pattern(because: &str) -> String {
    let mut sentence = String::new();
    for (place, piece) in because.split('`').enumerate() {
        match place % 2 {
            0 => sentence.push_str(piece),
            _ => sentence.push_str(&format!("{{{}}}", place / 2 + 1)),
        }
    }
    sentence
}

#[test]
fn what_the_corpora_are_asked_about_is_said_in_every_language() {
    let home = Home::with(&Server::start());
    let corpora = ["shell.tsv", "shell_2.tsv", "shell_own.tsv"].map(|name| file(&format!("tests/data/{name}")));
    let quoted = corpora
        .iter()
        .flat_map(|corpus| corpus.lines())
        .flat_map(|line| line.split('\t'));
    let commands: Vec<String> = quoted
        .filter(|field| field.starts_with('"'))
        .filter_map(|field| serde_json::from_str::<String>(field).ok())
        .filter(|command| !command.contains('\n'))
        .collect();
    assert!(commands.len() > 1_000, "{}", commands.len());
    let run = home.run_with_input(&["policy", "explain", "--stdin"], commands.join("\n"));
    let mut said: BTreeMap<String, usize> = BTreeMap::new();
    for line in run.stdout.lines() {
        let line: Value = serde_json::from_str(line).expect("an object a line");
        for part in line["parts"].as_array().into_iter().flatten() {
            let asked = part["class"].as_str().is_some_and(|class| ASKED.contains(&class));
            let because = part["because"].as_str().unwrap_or_default();
            assert!(
                because.is_ascii() || because.contains('`'),
                "scripts read it in English: {because}"
            );
            if asked {
                *said.entry(pattern(because)).or_default() += 1;
            }
        }
    }
    assert!(said.len() > 100, "{}", said.len());
    for language in ["zh", "ja", "ko"] {
        let table = file(&format!("assets/lang/reasons/{language}.txt"));
        let known: BTreeSet<&str> = table
            .lines()
            .filter_map(|line| Some(line.split_once(" = ")?.0))
            .collect();
        let is_known = |sentence: &str| {
            let one = |sentence: &str| {
                known.contains(sentence) || sentence.strip_prefix("{1} ").is_some_and(|does| known.contains(does))
            };
            one(sentence)
                || sentence
                    .split_once(": ")
                    .is_some_and(|(first, second)| one(first) && one(second))
        };
        let missing: Vec<_> = said.iter().filter(|(sentence, _)| !is_known(sentence)).collect();
        assert!(missing.len() <= LEFT, "{language}: {missing:#?}");
    }
}
