//! Plain English: doc comments begin with a noun or a verb, and sentences of messages are short.

use super::assert_none;
use super::source::{Source, package, sources};

/// A comment that begins with one of these is a clause without a subject or a verb.
const CLAUSE_WORDS: [&str; 12] = [
    "behind", "how", "it", "of", "that", "those", "what", "when", "where", "which", "who", "why",
];

const MOST_WORDS: usize = 25;

fn clauses(source: &Source) -> Vec<String> {
    let mut found = Vec::new();
    let mut goes_on = false;
    for (line, text) in source.text.lines().enumerate() {
        let text = text.trim_start();
        let comment = text.strip_prefix("///").or_else(|| text.strip_prefix("//!"));
        if let Some(comment) = comment.filter(|_| !goes_on) {
            let first = comment.split_whitespace().next().unwrap_or_default().to_lowercase();
            if CLAUSE_WORDS.contains(&first.as_str()) {
                found.push(format!("{}:{}: begins with `{first}`", source.path, line + 1));
            }
        }
        goes_on = comment.is_some();
    }
    found
}

fn long_sentences(table: &str) -> Vec<String> {
    let messages = table.lines().filter_map(|line| line.split_once(" = "));
    let is_long = |text: &str| {
        let sentences = text.split_inclusive(['.', ':', ';', '?', '!']);
        sentences
            .into_iter()
            .any(|sentence| sentence.split_whitespace().count() > MOST_WORDS)
    };
    messages
        .filter(|(_, text)| is_long(text))
        .map(|(id, _)| format!("`{id}` has a sentence of more than {MOST_WORDS} words"))
        .collect()
}

#[test]
fn doc_comments_begin_with_a_noun_or_a_verb() {
    let folders = ["src", "tests", "benches"];
    let sources = folders.into_iter().flat_map(sources);
    assert_none(&sources.flat_map(|source| clauses(&source)).collect::<Vec<_>>());
    let bad = Source::new(
        "a.rs",
        "/// What it costs.\nfn a() {}\n\n/// Counts,\n/// what it sees.\nfn b() {}\n",
    );
    assert_eq!(clauses(&bad), ["a.rs:1: begins with `what`"]);
}

#[test]
fn sentences_of_messages_are_short() {
    let table = std::fs::read_to_string(package().join("assets/lang/en.ftl")).expect("the message table");
    assert_none(&long_sentences(&table));
    let of = |words: usize| vec!["word"; words].join(" ");
    let (short, long) = (of(MOST_WORDS), of(MOST_WORDS + 1));
    let table = format!("short = {short}. {short}\nlong = {long}.\n");
    assert_eq!(long_sentences(&table).len(), 1);
}
