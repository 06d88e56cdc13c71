//! Measures the search in a workspace. Run `cargo bench --bench retrieval [-- scale COUNT]`.
//!
//! Without arguments, measures recall@10 on this repository's history. The subject of a commit is the query, and the
//! source files that it changed are the expected results. Each query searches the files before its commit. The baseline
//! ranks files by the number of different words of the subject that they contain, as `grep` finds them. `scale`
//! measures time and size of an index of generated files.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use benchdog_search::workspace::{Hits, Scope, search};
use benchdog_security::secrets::is_secret_path;
use tempfile::TempDir;

const PAIRS: usize = 60;
const MOST: usize = 10;

struct Pair {
    before: String,
    subject: String,
    answers: BTreeSet<String>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    match arguments.as_slice() {
        [] => recall(),
        [word, count] if word == "scale" => scale(count.parse().expect("a number of files")),
        _ => panic!("usage: cargo bench --bench retrieval [-- scale COUNT]"),
    }
}

fn find(root: &Path, cache: &Path, question: &str) -> Hits {
    let scope = Scope {
        root,
        cache,
        charset: None,
        is_secret: &is_secret_path,
        is_secret_link: &|_| false,
        is_denied: &|_| false,
        embeddings: None,
        stop: &AtomicBool::new(false),
    };
    search(&scope, question, MOST).expect("the search runs")
}

fn recall() {
    let folder = TempDir::new().expect("a temporary folder");
    let folder = folder.path().canonicalize().expect("a path");
    let (root, cache) = (folder.join("clone"), folder.join("cache"));
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    git(
        repository,
        &["clone", "-q", "--shared", "--no-checkout", ".", &root.to_string_lossy()],
    );
    let pairs = pairs(&root);
    let (mut ours, mut greps) = (Vec::new(), Vec::new());
    let (mut update, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for pair in &pairs {
        git(&root, &["checkout", "-q", "--force", "--detach", &pair.before]);
        let began = Instant::now();
        find(&root, &cache, "the first search reads what changed");
        update += began.elapsed();
        let began = Instant::now();
        let hits = find(&root, &cache, &pair.subject).hits;
        slowest = slowest.max(began.elapsed());
        let mut files: Vec<String> = Vec::new();
        for hit in hits {
            if !files.contains(&hit.path) {
                files.push(hit.path);
            }
        }
        let by_grep = by_grep(&root, &pair.subject);
        let (our, grep) = (found(pair, &files), found(pair, &by_grep));
        println!("{our:.2} {grep:.2}  {}  {:?}", pair.subject, pair.answers);
        ours.push(our);
        greps.push(grep);
    }
    println!(
        "{} pairs; updates {update:.1?} in all, slowest search {slowest:.1?}",
        pairs.len()
    );
    for (name, shares) in [("search_semantic", ours), ("grep", greps)] {
        let count = f64::from(u32::try_from(shares.len().max(1)).expect("few pairs"));
        let any = f64::from(u32::try_from(shares.iter().filter(|share| **share > 0.0).count()).expect("few pairs"));
        let mean = shares.iter().sum::<f64>() / count;
        println!("{name}: recall@{MOST} {mean:.3}, any answer {:.3}", any / count);
    }
}

fn found(pair: &Pair, files: &[String]) -> f64 {
    let found = pair.answers.iter().filter(|answer| files.contains(answer)).count();
    let number = |count: usize| f64::from(u32::try_from(count).expect("few files"));
    number(found) / number(pair.answers.len())
}

/// Returns commits at equal distances, oldest first.
fn pairs(root: &Path) -> Vec<Pair> {
    let log = git(
        root,
        &[
            "log",
            "--reverse",
            "--no-merges",
            "--no-renames",
            "--name-status",
            "--format=%x00%H%x09%s",
        ],
    );
    let is_source = |path: &str| path.starts_with("src/") && path.ends_with(".rs") && !path.contains("tests");
    let mut all = Vec::new();
    for commit in log.split('\0') {
        let mut lines = commit.lines();
        let Some((hash, subject)) = lines.next().and_then(|line| line.split_once('\t')) else {
            continue;
        };
        let changes: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once('\t')).collect();
        let sources: Vec<&(&str, &str)> = changes.iter().filter(|(_, path)| is_source(path)).collect();
        if !(1..=3).contains(&sources.len()) || sources.iter().any(|(status, _)| *status != "M") {
            continue;
        }
        all.push(Pair {
            before: format!("{hash}^"),
            subject: subject.to_owned(),
            answers: sources.iter().map(|(_, path)| (*path).to_owned()).collect(),
        });
    }
    let every = (all.len() / PAIRS).max(1);
    all.into_iter().step_by(every).take(PAIRS).collect()
}

fn by_grep(root: &Path, subject: &str) -> Vec<String> {
    let words: BTreeSet<String> = subject
        .split(|letter: char| !letter.is_alphanumeric() && letter != '_')
        .filter(|word| word.len() > 2)
        .map(str::to_lowercase)
        .collect();
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for path in git(root, &["ls-files"]).lines() {
        let Ok(text) = fs::read_to_string(root.join(path)) else {
            continue;
        };
        let text = text.to_lowercase();
        let count = words.iter().filter(|word| text.contains(word.as_str())).count();
        if count > 0 && text.len() <= 256 << 10 {
            ranked.push((count, path.to_owned()));
        }
    }
    ranked.sort_by(|(one, left), (other, right)| other.cmp(one).then_with(|| left.cmp(right)));
    ranked.into_iter().take(MOST).map(|(_, path)| path).collect()
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let output = output.expect("git runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "git {arguments:?}: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn scale(count: usize) {
    let folder = TempDir::new().expect("a temporary folder");
    let folder = folder.path().canonicalize().expect("a path");
    let (root, cache) = (folder.join("files"), folder.join("cache"));
    let mut letters = 0;
    for number in 0..count {
        let path = root.join(format!(
            "part{}/module{}/file{number}.rs",
            number / 10_000,
            number / 100 % 100
        ));
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let text = generated(number);
        letters += text.len();
        fs::write(path, text).expect("a file");
    }
    println!("{count} files, {} KB", letters >> 10);
    for (name, question) in [
        ("build", "where is the retry delay of the session computed"),
        ("search again", "parse window 4711"),
    ] {
        let mut searches = 0;
        let began = Instant::now();
        let hits = loop {
            searches += 1;
            let hits = find(&root, &cache, question);
            if hits.pending == 0 {
                break hits;
            }
        };
        let (took, best) = (began.elapsed(), hits.hits.first().map(|hit| &hit.path));
        println!(
            "{name}: {took:.1?} in {searches} searches, {} hits, best {best:?}",
            hits.hits.len()
        );
    }
    fs::write(root.join("part0/module0/file1.rs"), "fn nowhere_else() {}\n").expect("a file");
    let began = Instant::now();
    let hits = find(&root, &cache, "nowhere else");
    println!(
        "one changed file: {:.1?}, best {:?}",
        began.elapsed(),
        hits.hits.first().map(|hit| &hit.path)
    );
    println!("index: {} KB", size(&cache) >> 10);
}

/// Returns about thirty lines of identifiers. Some are rare.
fn generated(number: usize) -> String {
    const WORDS: &[&str] = &[
        "parse", "window", "session", "retry", "delay", "cache", "index", "token", "folder", "request", "answer",
        "line", "cell", "event", "state", "render", "layout", "focus", "stream", "buffer", "policy", "trust", "worker",
        "queue", "merge", "branch", "commit", "diff",
    ];
    let word = |at: usize| {
        WORDS
            .get(at.wrapping_mul(2_654_435_761) >> 7 & 0xff_ffff)
            .or(WORDS.get(at * 31 % WORDS.len()))
            .unwrap_or(&"x")
    };
    let mut text = format!("//! Module {number}.\n\n");
    for line in 0..30 {
        let at = number * 37 + line * 11;
        text += &format!(
            "    let {}_{} = self.{}{}(id{});\n",
            word(at),
            word(at + 3),
            word(at + 5),
            word(at + 7),
            (number * 30 + line) % 50_021
        );
    }
    text
}

fn size(folder: &Path) -> u64 {
    let items = fs::read_dir(folder).expect("a folder").flatten();
    let of = |path: PathBuf| {
        if path.is_dir() {
            size(&path)
        } else {
            fs::metadata(path).map_or(0, |meta| meta.len())
        }
    };
    items.map(|item| of(item.path())).sum()
}
