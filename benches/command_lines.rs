//! Time to analyse hostile command lines of four and of eight kilobytes. Run `cargo bench --bench command_lines`.
//!
//! The built program explains each line many times in one process. The time of a process with one line is subtracted,
//! to exclude the start and the first use of the tables. The result includes disk access and output.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 20;
const SIZES: [usize; 2] = [4_096, 8_192];

/// Name of a line shape, followed by its start, repeated part, separator and end.
const SHAPES: [(&str, [&str; 4]); 24] = [
    ("dense list", ["", "ls", ";", ""]),
    ("list of pipelines", ["", "ls -la src | sort -u", "; ", ""]),
    (
        "usual lines",
        [
            "",
            "git status; grep -rn x src | head -5; for f in *; do wc $f; done",
            "; ",
            "",
        ],
    ),
    ("long pipeline", ["", "sed -n s/a/b/p x", "|", ""]),
    ("and, or", ["", "ls && cat x || true", " && ", ""]),
    ("substitutions", ["echo ", "$(ls)", " ", ""]),
    ("nested substitutions", ["", "echo $(echo $(echo $(ls)))", ";", ""]),
    ("quotes", ["echo ", "\"a\"'b'\\c", "", ""]),
    ("braces", ["echo ", "{a,b}{c,d}{e,f}", " ", ""]),
    ("open braces", ["echo ", "{a,", "", ""]),
    ("patterns", ["ls ", "a*?[b]", "", ""]),
    ("arithmetic", ["echo ", "$((1+2*(3-4)))", " ", ""]),
    ("long word", ["echo ", "aaaaaaaaaaaaaaaa", "", ""]),
    ("brackets", ["", "(ls)", ";", ""]),
    ("redirections", ["", ">f", ";", ""]),
    ("copies", ["", "cp a b", ";", ""]),
    ("functions", ["f() { ls; ls; };", "f", ";", ""]),
    ("wrappers", ["", "env timeout 5", " ", " ls"]),
    ("scripts", ["", "bash -c 'ls; cat x'", ";", ""]),
    ("unknown with suffixes", ["foo ", "rm", " ", ""]),
    ("options", ["ls ", "-l -a -h", " ", ""]),
    ("loops", ["", "for a in 1 2; do ls $a; done", ";", ""]),
    ("folders", ["", "cd src", ";", ""]),
    ("xargs", ["ls ", "| xargs ls", " ", ""]),
];

fn line([before, part, between, behind]: [&str; 4], size: usize) -> String {
    let count = (size - before.len() - behind.len()) / (part.len() + between.len());
    format!("{before}{}{behind}", vec![part; count].join(between))
}

/// Returns the time of one process that explains `line` `rounds` times.
fn explained(line: &str, rounds: usize) -> Duration {
    let home = std::env::temp_dir().join("benchdog-bench");
    let mut child = Command::new(env!("CARGO_BIN_EXE_benchdog"))
        .args(["policy", "explain", "--stdin"])
        .env("BENCHDOG_HOME", home)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    let begin = Instant::now();
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    for _ in 0..rounds {
        stdin.write_all(format!("{line}\n").as_bytes()).expect("it reads");
    }
    drop(stdin);
    assert!(child.wait().expect("it ends").success());
    begin.elapsed()
}

fn main() {
    println!(
        "{:<24}{:>10}{:>10}{:>8}",
        "milliseconds a line", "4 KB", "8 KB", "ratio"
    );
    for (name, shape) in SHAPES {
        let [small, large] = SIZES.map(|size| {
            let line = line(shape, size);
            let once = (0..5).map(|_| explained(&line, 1)).min().unwrap_or_default();
            let often = (0..3).map(|_| explained(&line, ROUNDS + 1)).min().unwrap_or_default();
            often.saturating_sub(once).as_secs_f64() * 1_000.0 / ROUNDS as f64
        });
        println!("{name:<24}{small:>10.2}{large:>10.2}{:>8.1}", large / small);
    }
}
