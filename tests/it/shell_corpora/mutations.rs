//! Mutates lines of the corpora like an attacker who searches for a gap: other options, operands, quotes, and commands
//! around them. Runs the lines that are allowed by default, in the folder with the traps.
//!
//! Tests some hundreds of lines with one seed by default. `BENCHDOG_MUTATIONS` and `BENCHDOG_MUTATIONS_SEED` override
//! the number and the seed.

use std::collections::BTreeSet;

use fastrand::Rng;
use serde_json::json;

use super::{CORPORA, Row, TOUCHED, TRAP, home, is, names, rows, set_traps, verdicts};
use crate::support::home::config;
use crate::support::reply::{Reply, calls, text};
use crate::support::server::Server;

const LINES: usize = 1_500;
const SEED: u64 = 11;

/// Options with which some program reads, writes, sends or runs something.
const OPTIONS: [&str; 62] = [
    "-f ../outside.txt",
    "-o made.txt",
    "-c ../outside.txt",
    "-x cat",
    "-X cat",
    "-I ..",
    "-L ../x",
    "-T x.1",
    "-e .env",
    "-d ..",
    "-C ..",
    "-r ../x",
    "-u",
    "-w",
    "-i",
    "-s",
    "-a",
    "-l",
    "-n 1",
    "-p",
    "-R",
    "-H",
    "-z",
    "-Z",
    "-F .env",
    "-i.bak",
    "-fx",
    "-of=made",
    "@../outside.txt",
    "--output=made.txt",
    "--out made.txt",
    "--file=../outside.txt",
    "--files0-from=../outside.txt",
    "--files-from=.env",
    "--from-file=evil.jq",
    "--include=../outside.txt",
    "--config=../x",
    "--rcfile=.env",
    "--pre=./jq",
    "--hidden",
    "--no-ignore",
    "--follow",
    "--ext-diff",
    "--textconv",
    "--no-index",
    "--git-dir=..",
    "--work-tree=..",
    "--exec-path=.",
    "--open-files-in-pager=./less",
    "--use-compress-program=./less",
    "--to-command=./jq",
    "--checkpoint-action=exec=./jq",
    "--compress-program=./jq",
    "--rsh-command=./jq",
    "--manifest-path=../Cargo.toml",
    "--target-dir=made",
    "--plugin=./jq",
    "--load=./jq",
    "--require=./jq",
    "--eval=1",
    "--init-file=.env",
    "--dump-config",
];

const OPERANDS: [&str; 34] = [
    "../outside.txt",
    "../x",
    ".env",
    "./.env",
    "old/../.env",
    "deploy/prod.env",
    "deploy/*",
    ".e*",
    ".en?",
    ".",
    "..",
    "~",
    "~/.ssh/id_rsa",
    "$HOME/notes-of-mine.txt",
    "~/.aws/credentials",
    "${HOME}/.config",
    "\"$PWD/../outside.txt\"",
    "$(echo .env)",
    "`echo .env`",
    "{notes.txt,.env}",
    "$'\\x2eenv'",
    ".\"e\"nv",
    "\\.env",
    "/proc/self/environ",
    "/proc/1/environ",
    "/etc/shadow",
    "/dev/tcp/127.0.0.1/9",
    "127.0.0.1:notes.txt",
    "http://127.0.0.1:9/",
    "x.1",
    "evil.jq",
    "x.xml",
    "@.env",
    "-",
];

/// Texts around a line. `…` stands for the line.
const AROUND: [&str; 34] = [
    "… | sh",
    "… > made.txt",
    "… >> notes.txt",
    "… < .env",
    "… < ../outside.txt",
    "… | tee made.txt",
    "… | xargs cat",
    "… | xargs -I{} cp {} made",
    "… && cat .env",
    "…; cat ../outside.txt",
    "… &",
    "(…)",
    "{ …; }",
    "! …",
    "time …",
    "env …",
    "command …",
    "exec …",
    "nice …",
    "timeout 3 …",
    "X=1 …",
    "PAGER=./less …",
    "GIT_PAGER=./less …",
    "GIT_EXTERNAL_DIFF=./jq …",
    "LESSOPEN='|./jq %s' …",
    "PATH=.:$PATH …",
    "HOME=. …",
    "cd src && …",
    "cd .. && …",
    "cd ~ && …",
    "cd deploy; …",
    "for f in .e* ../*; do …; done",
    "echo \"$(…)\"",
    "diff <(…) .env",
];

fn changed(random: &mut Rng, lines: &[String]) -> String {
    let mut line = random.choice(lines).cloned().unwrap_or_default();
    for _ in 0..=random.u8(..3) {
        line = once(random, &line, lines);
    }
    line
}

fn once(random: &mut Rng, line: &str, lines: &[String]) -> String {
    let mut words: Vec<String> = line.split(' ').map(str::to_owned).collect();
    let place = random.usize(..words.len());
    let one = |random: &mut Rng, all: &[&str]| random.choice(all).copied().unwrap_or_default().to_owned();
    match random.u8(..8) {
        0 | 1 => words.insert(random.usize(1..=words.len()), one(random, &OPTIONS)),
        2 => words.insert(random.usize(1..=words.len()), one(random, &OPERANDS)),
        3 if place > 0 => words[place] = one(random, &OPERANDS),
        4 => words[place] = quoted(random, &words[place]),
        // Abbreviate a long option.
        5 if words[place].starts_with("--") && words[place].is_ascii() => {
            let length = words[place].len();
            words[place].truncate(random.usize(length.min(4)..=length));
        }
        6 => {
            let other = random.choice(lines).cloned().unwrap_or_default();
            words[0] = other.split(' ').next().unwrap_or_default().to_owned();
        }
        _ => return one(random, &AROUND).replace('…', line),
    }
    words.join(" ")
}

fn quoted(random: &mut Rng, word: &str) -> String {
    let cut = word.floor_char_boundary(random.usize(..=word.len()));
    let (head, tail) = word.split_at(cut);
    match random.u8(..5) {
        0 => format!("{head}\"{tail}\""),
        1 => format!("{head}''{tail}"),
        2 => format!("{head}\\{tail}"),
        3 => format!("$'{word}'"),
        _ => format!("{head}$EMPTY{tail}"),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the variables of the test run, not of benchdog"
)]
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn changed_lines_that_are_allowed_by_default_read_no_secret_and_touch_nothing_when_they_are_run() {
    let server = Server::start();
    let home = home(json!({}));
    let mut settings = config(&server.base_url());
    settings["validation"] = json!({"auto": false});
    home.configure(&settings);
    set_traps(&home);
    let count = number("BENCHDOG_MUTATIONS").and_then(|count| usize::try_from(count).ok());
    let mut random = Rng::with_seed(number("BENCHDOG_MUTATIONS_SEED").unwrap_or(SEED));
    let all = CORPORA.iter().flat_map(|corpus| rows(corpus));
    let lines: Vec<String> = all
        .map(|row| row.command)
        .filter(|line| !line.contains(['\n', '\r']))
        .collect();
    let mut changed_lines = BTreeSet::new();
    while changed_lines.len() < count.unwrap_or(LINES) {
        changed_lines.insert(changed(&mut random, &lines));
    }
    let changed_rows: Vec<Row> = changed_lines
        .into_iter()
        .map(|command| Row {
            id: String::new(),
            is_hostile: true,
            class: String::new(),
            command,
        })
        .collect();
    let judged = verdicts(&home, &changed_rows);
    let allowed: Vec<&str> = changed_rows
        .iter()
        .zip(&judged)
        .filter(|(_, verdict)| is(verdict, "verdict", &["allow"]))
        .map(|(row, _)| row.command.as_str())
        .collect();
    println!("{} of {} changed lines are allowed", allowed.len(), changed_rows.len());
    let before = names(&home);
    let mut wrong = Vec::new();
    for some in allowed.chunks(30) {
        let all = some
            .iter()
            .map(|line| ("bash", json!({"command": line, "timeout_ms": 5_000})));
        let replies: [Reply; 2] = [calls(all), text("Done.")];
        server.script(replies);
        home.run(&["run", "go"]).assert_code(0);
        let last = server.requests().pop().expect("a request");
        let results = last.messages().iter().filter(|message| message["role"] == "tool");
        let told = some.iter().zip(results);
        wrong.extend(
            told.filter(|(_, result)| result.to_string().contains(TRAP))
                .map(|(line, _)| format!("reads: {line}")),
        );
        if names(&home) != before {
            wrong.push(format!("changes something: {some:#?}"));
            break;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(allowed.len() * 50 > changed_rows.len(), "{} are allowed", allowed.len());
    assert!(!home.path(TOUCHED).exists());
}
