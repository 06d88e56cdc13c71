//! Time and memory of search over many sessions. Run it with optimisation:
//! `cargo nextest run -p benchdog-sessions --release --run-ignored only --no-capture`.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::{entries, ran, user};
use crate::search::index::Index;
use crate::search::searchable::searchable;
use crate::search::{MOST_COMPARED, Query, Searcher};
use crate::tests::{meta, run};
use benchdog_base::clock::Time;
use benchdog_domain::agent::ModelRef;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::session::SessionMeta;
use benchdog_storage::{Import, Storage};

const SESSIONS: usize = 10_000;
const TURNS: usize = 10;

/// Words of source code and of prose. Common words are drawn more often.
struct Text {
    state: u64,
    words: Vec<String>,
}

impl Text {
    fn new() -> Self {
        let of = |consonant: char| "aeiou".chars().map(move |vowel| format!("{consonant}{vowel}"));
        let syllables: Vec<String> = "bcdfghjklmnprstvwz".chars().flat_map(of).collect();
        let mut text = Self {
            state: 0x9e37_79b9_7f4a_7c15,
            words: Vec::new(),
        };
        for _ in 0..60_000 {
            let count = 2 + text.below(3);
            let word = (0..count).map(|_| syllables[text.below(syllables.len())].clone());
            let word: String = word.collect();
            let word = match text.below(20) {
                0 => format!("{word}{}", text.below(1_000)),
                1 => format!(
                    "{word}修复{}",
                    char::from_u32(0x4e00 + u32::try_from(text.below(2_000)).unwrap()).unwrap()
                ),
                _ => word,
            };
            text.words.push(word);
        }
        text
    }

    fn below(&mut self, count: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        usize::try_from(self.state >> 11).unwrap() % count
    }

    /// Returns a random word, with a distribution like that of a language.
    fn word(&mut self) -> String {
        let (a, b) = (self.below(1 << 16), self.below(1 << 16));
        let rank = a * b / (1 << 16) * (self.words.len() - 1) / (1 << 16);
        self.words[rank * rank / self.words.len()].clone()
    }

    fn words(&mut self, count: usize) -> String {
        let mut text = String::new();
        for at in 0..count {
            text.push_str(&self.word());
            text.push(if at % 12 == 11 { '\n' } else { ' ' });
        }
        text
    }

    /// One turn: a prompt, four calls with an output of about 4 KB each, and answers.
    fn turn(&mut self) -> Vec<Body> {
        let mut bodies = vec![user(&self.words(30))];
        for _ in 0..4 {
            bodies.push(Body::Assistant {
                text: self.words(20),
                reasoning: self.words(40),
                seals: Vec::new(),
                calls: Vec::new(),
                model: ModelRef {
                    provider: "p".to_owned(),
                    id: "m".to_owned(),
                },
                usage: None,
                error: None,
            });
            let title = format!("src/{}/{}.rs", self.word(), self.word());
            let output = self.words(650);
            bodies.push(ran(&title, &output));
        }
        bodies
    }
}

fn generate(home: &Path) -> usize {
    let mut text = Text::new();
    let mut bytes = 0;
    for number in 0..SESSIONS {
        let time = Time(1_700_000_000_000 + i64::try_from(number).unwrap() * 60_000);
        let meta = SessionMeta {
            created: time,
            updated: time,
            ..meta()
        };
        let bodies: Vec<Body> = (0..TURNS).flat_map(|_| text.turn()).collect();
        let entries: Vec<Arc<Entry>> = entries(1, bodies, time.0);
        bytes += entries
            .iter()
            .map(|entry| serde_json::to_vec(entry.as_ref()).unwrap().len())
            .sum::<usize>();
        let mut import = Import::begin(home, meta).unwrap();
        import.add(&entries, &[]).unwrap();
        import.finish(|_| ()).unwrap();
    }
    bytes
}

fn memory(name: &str) -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1_024
}

fn size_of(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().metadata().unwrap().len()).sum()
}

#[test]
#[ignore = "writes 10,000 sessions"]
fn search_over_ten_thousand_sessions() {
    let home = Path::new("/tmp/benchdog-search-scale");
    let storage = Storage::start(home).unwrap();
    if run(storage.list()).unwrap().is_empty() {
        println!("generated {} MB", generate(home) >> 20);
    }
    let began = Instant::now();
    let sessions = run(storage.list()).unwrap();
    println!("listed {} sessions in {:?}", sessions.len(), began.elapsed());
    if sessions.len() == SESSIONS && std::fs::metadata(home.join("keep")).is_err() {
        let _ = std::fs::remove_dir_all(home.join("search"));
    }
    let before = memory("RssAnon");
    let began = Instant::now();
    let searcher = Searcher::open(home, home, sessions.clone(), &mut |_| ()).unwrap();
    println!(
        "index: {:?}, {} MB",
        began.elapsed(),
        size_of(&home.join("search")) >> 20
    );
    println!("memory: {before} MB before, {} MB at the peak", memory("VmHWM"));
    let mut text = Text::new();
    let queries: Vec<String> = (0..200)
        .map(|number| match number % 5 {
            0 => text.word(),
            1 => format!("{} {}", text.word(), text.word()),
            2 => format!("\"{} {}\"", text.word(), text.word()),
            3 => text.word().chars().take(4).collect(),
            _ => format!("{} {} {}", text.word(), text.word(), text.word()),
        })
        .collect();
    if std::fs::metadata("/tmp/benchdog-search-scale/docs.tsv").is_err() {
        dump(home, &sessions, &queries);
    }
    let mut named: Vec<Duration> = Vec::new();
    for query in &queries {
        let began = Instant::now();
        Index::open(home)
            .unwrap()
            .candidates(&Query::of(query), MOST_COMPARED, |_| Some(()))
            .unwrap();
        named.push(began.elapsed());
    }
    named.sort();
    println!("candidates alone: p50 {:?}, p95 {:?}", named[100], named[190]);
    let mut times: Vec<(Duration, &str, usize)> = Vec::new();
    for query in &queries {
        let began = Instant::now();
        let found = searcher.search(&Query::of(query)).unwrap();
        times.push((began.elapsed(), query, found.len()));
    }
    times.sort();
    println!("p50 {:?}, p95 {:?}, longest {:?}", times[100], times[190], times[199]);
    println!("memory after: {} MB, peak {} MB", memory("RssAnon"), memory("VmHWM"));
}

/// Writes the searchable texts and the queries, for comparison with other engines.
fn dump(home: &Path, sessions: &[SessionMeta], queries: &[String]) {
    use std::io::Write;
    let mut out = std::io::BufWriter::new(std::fs::File::create(home.join("docs.tsv")).unwrap());
    for meta in sessions {
        benchdog_storage::direct::each_entry(home, &meta.id, |entry| {
            if let Some((_, text)) = searchable(&entry.body) {
                let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
                writeln!(out, "{} {}\t{text}", meta.id, entry.id.0).unwrap();
            }
        })
        .unwrap();
    }
    std::fs::write(home.join("queries.txt"), queries.join("\n")).unwrap();
}
