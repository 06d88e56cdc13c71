//! Runs generated command lines, each in a separate folder and namespaces. The options come from the help of real
//! programs. A line classified as plain must not remove, move or overwrite an existing file.
//!
//! Runs a few hundred lines with one seed by default. `BENCHDOG_PROPERTY_LINES` and `BENCHDOG_PROPERTY_SEED` override
//! the number and the seed.

mod changes;
mod draw;
mod help;
mod inside;
mod judged;
mod namespaces;
mod tables;
mod world;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use changes::{Change, What};
use draw::Draw;
use judged::{Judged, judge, violations};
use namespaces::Namespaces;

use crate::support::home::Home;

/// Number of plain lines, their seed, and the time limit.
const LINES: usize = 300;
const SEED: u64 = 7;
const TIME: Duration = Duration::from_secs(15);

const BATCH: usize = 500;

#[expect(
    clippy::disallowed_methods,
    reason = "the variables of the test run, not of benchdog"
)]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Returns the home and the namespaces for the lines. If they cannot be created, prints the reason and returns `None`.
#[expect(
    clippy::print_stdout,
    reason = "a check that is left out says so in the report of its test"
)]
fn stage() -> Option<(Home, Namespaces)> {
    let home = Home::bare();
    world::lay_out(&home);
    match Namespaces::of(&home) {
        Ok(namespaces) => Some((home, namespaces)),
        Err(reason) => {
            println!("not checked: {reason}");
            None
        }
    }
}

#[test]
fn a_plain_line_changes_nothing_that_was_there() {
    let Some((home, namespaces)) = stage() else { return };
    let asked = number("BENCHDOG_PROPERTY_LINES").and_then(|lines| usize::try_from(lines).ok());
    let lines = asked.unwrap_or(LINES);
    let seed = number("BENCHDOG_PROPERTY_SEED").unwrap_or(SEED);
    println!("seed {seed}: {lines} plain lines");
    let (begin, mut draw) = (Instant::now(), Draw::new(seed));
    let (mut drawn, mut run) = (0, 0);
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    // If the number is given explicitly, there is no time limit.
    while run < lines && (asked.is_some() || begin.elapsed() < TIME) {
        let batch: Vec<String> = (0..BATCH).map(|_| draw.line()).collect();
        drawn += batch.len();
        let mut plain = judge(&home, &batch);
        plain.retain(|judged| judged.plain);
        plain.truncate(lines - run);
        for chunk in plain.chunks(100) {
            for (judged, changes) in chunk.iter().zip(namespaces.run_judged(chunk)) {
                let known = found.keys().any(|shorter| holds(&judged.line, shorter));
                if !known && !violations(judged, &changes).is_empty() {
                    let (judged, lost) = shortest(&home, &namespaces, judged, &changes);
                    let told = told(&judged, &lost);
                    println!("{told}");
                    found.insert(judged.line, told);
                }
            }
            run += chunk.len();
        }
    }
    println!(
        "{run} of {drawn} lines drawn were plain and have run, in {:?}",
        begin.elapsed()
    );
    assert!(run > lines / 4, "hardly a line was plain: {run} of {drawn}");
    let found: Vec<String> = found.into_values().collect();
    assert!(found.is_empty(), "seed {seed}\n{}", found.join("\n"));
}

#[test]
fn a_line_wrongly_called_plain_is_seen() {
    let Some((_home, namespaces)) = stage() else { return };
    let lines: [(&str, What, &str); 12] = [
        ("rm notes.txt", What::Removed, "project/notes.txt"),
        ("rm -rf src", What::Removed, "project/src"),
        ("rm -rf src; mkdir src", What::Removed, "project/src/main.rs"),
        ("mv old/a.txt brand_new", What::Removed, "project/old/a.txt"),
        ("echo x > data.csv", What::Content, "project/data.csv"),
        ("echo x > link.txt", What::Content, "project/notes.txt"),
        ("ln -sf README.md link.txt", What::Content, "project/link.txt"),
        ("chmod 600 run.sh", What::Mode, "project/run.sh"),
        ("git branch -D topic", What::Removed, "project/.git/refs/heads/topic"),
        (
            "git config alias.x '!rm notes.txt'; git config -l > .git/config",
            What::Content,
            "project/.git/config",
        ),
        ("echo x > ../brand_new", What::New, "brand_new"),
        (
            "(sleep 0.2; rm notes.txt) & sleep 0.4",
            What::Removed,
            "project/notes.txt",
        ),
    ];
    let judged = |(line, _, _): &(&str, What, &str)| wrongly_plain(line);
    let changes = namespaces.run_judged(&lines.iter().map(judged).collect::<Vec<_>>());
    for ((line, what, path), changes) in lines.iter().zip(changes) {
        let lost = violations(&wrongly_plain(line), &changes);
        let sees = |change: &Change| change.what == *what && change.path == *path;
        assert!(lost.iter().any(sees), "`{line}` was seen to do {changes:?}");
    }
}

#[test]
fn a_line_that_only_looks_or_makes_a_file_is_left_alone() {
    let Some((_home, namespaces)) = stage() else { return };
    let lines = [
        "ls -la",
        "git status",
        "cat *.txt | sort",
        "echo x > brand_new",
        "mkdir -p new/x",
        "echo x >> notes.txt",
    ];
    let judged: Vec<Judged> = lines.into_iter().map(wrongly_plain).collect();
    for (judged, changes) in judged.iter().zip(namespaces.run_judged(&judged)) {
        assert_eq!(violations(judged, &changes), [], "{}", judged.line);
    }
}

fn wrongly_plain(line: &str) -> Judged {
    Judged {
        line: line.to_owned(),
        plain: true,
        allowed: false,
    }
}

/// Removes words as long as the rest is still plain and still a violation.
fn shortest(home: &Home, namespaces: &Namespaces, judged: &Judged, changes: &[Change]) -> (Judged, Vec<Change>) {
    let mut best = (judged.clone(), violations(judged, changes));
    loop {
        let words: Vec<&str> = best.0.line.split(' ').collect();
        let without = |left_out: usize| {
            let kept = words.iter().enumerate().filter(|(index, _)| *index != left_out);
            kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
        };
        let shorter: Vec<String> = (0..words.len()).map(without).collect();
        let mut plain = judge(home, &shorter);
        plain.retain(|judged| judged.plain && !judged.line.trim().is_empty());
        let ran = namespaces.run_judged(&plain);
        let losing = plain.into_iter().zip(ran).find_map(|(judged, changes)| {
            let lost = violations(&judged, &changes);
            (!lost.is_empty()).then_some((judged, lost))
        });
        match losing {
            Some(next) => best = next,
            None => return best,
        }
    }
}

/// Whether this line contains the words of a reported line in order. If so, it need not be reported.
fn holds(line: &str, shorter: &str) -> bool {
    let mut words = line.split(' ');
    shorter.split(' ').all(|word| words.any(|other| other == word))
}

fn told(judged: &Judged, lost: &[Change]) -> String {
    let word = if judged.allowed { "allowed" } else { "plain" };
    let lost: Vec<String> = lost
        .iter()
        .take(4)
        .map(|change| format!("{:?} {}", change.what, change.path))
        .collect();
    format!("{word}: {}\n    {}", judged.line, lost.join(", "))
}
