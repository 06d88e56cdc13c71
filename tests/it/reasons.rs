//! Tests that each reason of the command analysis has a text in each language. Covers the reasons in its tables, and
//! those for the corpora of command lines.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::support::home::Home;
use crate::support::server::Server;

const LANGUAGES: [&str; 3] = ["zh", "ja", "ko"];
/// Number of untranslated sentences in the corpora. They occur only for very unusual lines, and are shown in English.
const LEFT: usize = 3;

fn file(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Replaces names in backticks by `{1}`, `{2}` ….
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
    let corpora =
        ["shell.tsv", "shell_2.tsv", "shell_3.tsv", "shell_own.tsv"].map(|name| file(&format!("tests/data/{name}")));
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
            let because = part["because"].as_str().unwrap_or_default();
            assert!(
                because.is_ascii() || because.contains('`'),
                "scripts read it in English: {because}"
            );
            *said.entry(pattern(because)).or_default() += 1;
        }
    }
    assert!(said.len() > 100, "{}", said.len());
    for language in LANGUAGES {
        let table = Table::of(language);
        let missing: Vec<_> = said.iter().filter(|(sentence, _)| !table.says(sentence)).collect();
        assert!(missing.len() <= LEFT, "{language}: {missing:#?}");
    }
}

#[test]
fn what_a_row_says_of_its_program_is_said_in_every_language() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/security/shell/tables");
    let mut rows = BTreeSet::from(["runs the project's own code".to_owned()]);
    for entry in std::fs::read_dir(folder).expect("the tables of programs") {
        let text = std::fs::read_to_string(entry.expect("a table").path()).expect("a source file");
        rows.extend(does(&text).into_iter().map(pattern));
    }
    assert!(rows.len() > 150, "{}", rows.len());
    for language in LANGUAGES {
        let table = Table::of(language);
        let missing: Vec<_> = rows.iter().filter(|row| !table.says(row)).collect();
        assert!(missing.is_empty(), "{language}: {missing:#?}");
    }
}

#[test]
fn what_a_model_server_fails_with_is_said_in_every_language() {
    let source = file("src/domain/server_error.rs");
    let (_, sentences) = source.split_once("fn sentence(").expect("the sentences");
    let (sentences, _) = sentences.split_once("Some(Sentence").expect("their end");
    let parts = sentences.split('"').map(str::to_owned);
    let is_sentence = |text: &String| text.contains("{1}") || text.starts_with("The ");
    let sentences: BTreeSet<String> = parts.filter(is_sentence).collect();
    assert!(sentences.len() > 25, "{}", sentences.len());
    for language in LANGUAGES {
        let table = Table::of(language);
        let missing: Vec<_> = sentences.iter().filter(|sentence| !table.says(sentence)).collect();
        assert!(missing.is_empty(), "{language}: {missing:#?}");
    }
}

/// Returns the reasons in a table. A row begins with its names, and the reason follows them.
fn does(table: &str) -> Vec<&str> {
    let opened = table.split("(\"").skip(1);
    let spread = table
        .split("(\n")
        .skip(1)
        .filter_map(|row| row.trim_start().strip_prefix('"'));
    opened
        .chain(spread)
        .filter_map(|row| {
            let behind = row.split_once('"')?.1.strip_prefix(',')?.trim_start();
            Some(behind.strip_prefix('"')?.split_once('"')?.0)
        })
        .collect()
}

struct Table(BTreeSet<String>);

impl Table {
    fn of(language: &str) -> Self {
        let text = file(&format!("assets/lang/reasons/{language}.txt"));
        let rows = text.lines().filter_map(|line| line.split_once(" = "));
        Self(rows.map(|(english, _)| english.to_owned()).collect())
    }

    fn says(&self, sentence: &str) -> bool {
        self.one(sentence)
            || sentence
                .split_once(": ")
                .is_some_and(|(first, second)| self.one(first) && self.one(second))
    }

    fn one(&self, sentence: &str) -> bool {
        self.0.contains(sentence) || sentence.strip_prefix("{1} ").is_some_and(|does| self.0.contains(does))
    }
}
