//! Checks that every message is used. The compiler checks that every used message exists.

use std::collections::HashSet;

use super::source::{package, sources};

/// Prefixes of messages whose remaining id is an error code. Code looks them up by the error code.
const BY_CODE: [&str; 3] = ["advice-", "failed-", "told-"];

/// Returns the ids of messages that no code uses. Code uses the names that `src/lang/build.rs` generates from the ids.
fn unused<'t>(table: &'t str, code: &[&str]) -> Vec<&'t str> {
    let ids = table.lines().filter_map(|line| Some(line.split_once(" =")?.0));
    let ids = ids.filter(|id| id.starts_with(|first: char| first.is_ascii_alphabetic()) && !id.contains(' '));
    let named = |code: &&str| -> Vec<String> {
        let behind = ["Word::", "message::"].map(|path| code.split(path).skip(1));
        let names = behind.into_iter().flatten().map(|rest| {
            let name = rest.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
            name.into_iter().next().unwrap_or_default().to_owned()
        });
        names.collect()
    };
    let used: HashSet<String> = code.iter().flat_map(named).collect();
    let variant = |id: &str| -> String {
        let upper = |part: &str| {
            part.chars()
                .take(1)
                .map(|first| first.to_ascii_uppercase())
                .chain(part.chars().skip(1))
                .collect::<String>()
        };
        id.split('-').map(upper).collect()
    };
    ids.filter(|id| !BY_CODE.iter().any(|prefix| id.starts_with(prefix)))
        .filter(|id| !used.contains(&variant(id)) && !used.contains(&id.replace('-', "_")))
        .collect()
}

#[test]
fn every_message_is_used() {
    let sources = sources("src");
    let code: Vec<&str> = sources
        .iter()
        .filter(|one| !one.is_test())
        .map(|one| one.code.as_str())
        .collect();
    let table = std::fs::read_to_string(package().join("assets/lang/en.ftl")).expect("the message table");
    assert_eq!(unused(&table, &code), Vec::<&str>::new());
    let table = "no-model = A\nturn-steps = { $count }\nadvice-no-model = B\nnever-said = C\n";
    let code = ["word(Word::NoModel)", "lang::message::turn_steps(2)"];
    assert_eq!(unused(table, &code), ["never-said"]);
}
