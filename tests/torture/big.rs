//! Sessions of 50 and 200 MB: time and memory until their last screen is shown.

use std::path::Path;
use std::time::{Duration, Instant};

use redb::{Database, TableDefinition};
use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::reply::{call, text};
use crate::support::server::Server;
use crate::{Measured, Row, peak_of};

const RESULT: usize = 32 << 10;

/// Log bytes between two compactions, for a window of 131,072 tokens.
const BETWEEN: usize = 400 << 10;

const LAST: &str = "This is the last answer.";

pub fn rows() -> Vec<Row> {
    vec![
        Row {
            test: "a session of 50 MB is opened to its last screen",
            limit: "300 ms, 60 MB",
            run: || opens(50, Compacted::Yes, 300, 60),
        },
        Row {
            test: "a session of 200 MB is opened to its last screen",
            limit: "600 ms, 60 MB",
            run: || opens(200, Compacted::Yes, 600, 60),
        },
        Row {
            test: "a session of 50 MB that was never compacted",
            limit: "300 ms, 60 MB",
            run: || opens(50, Compacted::Never, 300, 60),
        },
        Row {
            test: "a session of 200 MB that was never compacted",
            limit: "600 ms, 60 MB",
            run: || opens(200, Compacted::Never, 600, 60),
        },
    ]
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Compacted {
    Yes,
    Never,
}

fn opens(megabytes: usize, compacted: Compacted, limit_ms: u128, limit_mb: u64) -> Measured {
    let server = Server::start();
    let home = Home::with(&server);
    let id = grown(&home, &server, megabytes << 20, compacted);
    let mut times = Vec::new();
    let mut peak = 0;
    for _ in 0..5 {
        let began = Instant::now();
        let bench = home.open(&["-r", &id]);
        bench.wait_for_text(LAST);
        times.push(began.elapsed());
        // Include memory that is used after the first frame.
        bench.written_in(Duration::from_millis(500), Duration::ZERO);
        peak = peak.max(peak_of(bench.pid()));
        bench.leave();
    }
    times.sort();
    let middle = times[times.len() / 2].as_millis();
    Measured {
        figure: format!("{middle} ms, {peak} MB"),
        holds: middle <= limit_ms && peak <= limit_mb,
    }
}

/// Creates a session with one real turn, and repeats this turn up to `bytes`. Returns the session id.
fn grown(home: &Home, server: &Server, bytes: usize, compacted: Compacted) -> String {
    home.file("part.txt", "one line\n");
    server.script([call("read", json!({"path": "part.txt"})), text(LAST)]);
    home.run(&["run", "--approve", "all", "the first prompt"])
        .assert_code(0);
    let listed = home
        .run(&["sessions", "list", "--format", "json"])
        .json_lines()
        .remove(0);
    let id = listed[0]["id"].as_str().expect("a session").to_owned();
    let log = home.run(&["sessions", "show", &id, "--format", "jsonl"]).json_lines();
    let path = home.benchdog_home().join(format!("data/sessions/{id}.redb"));
    add_turns(&path, &log, bytes, compacted);
    id
}

/// Appends copies of one turn to a session file, each with a different result. `log` has the metadata, followed by the
/// turn's entries.
fn add_turns(path: &Path, log: &[Value], bytes: usize, compacted: Compacted) {
    const META: TableDefinition<&str, &[u8]> = TableDefinition::new("meta");
    const ENTRIES: TableDefinition<u64, &[u8]> = TableDefinition::new("entries");
    const SUMS: TableDefinition<u64, u32> = TableDefinition::new("sums");
    let database = Database::open(path).expect("a session file");
    let (mut number, mut turn, mut written, mut since) = (log.len() as u64 - 1, 1, 0, 0);
    while written < bytes {
        let transaction = database.begin_write().expect("a transaction");
        {
            let mut entries = transaction.open_table(ENTRIES).expect("the entries");
            let mut sums = transaction.open_table(SUMS).expect("the checksums");
            let mut add = |entry: &Value| {
                let value = serde_json::to_vec(entry).expect("an entry is JSON");
                let id = entry["id"].as_u64().expect("an id");
                entries.insert(id, value.as_slice()).expect("one more");
                sums.insert(id, sum(id, &value)).expect("its checksum");
                value.len()
            };
            for _ in 0..64 {
                turn += 1;
                let before = written;
                for entry in &log[1..] {
                    number += 1;
                    written += add(&of_turn(entry, number, turn));
                }
                since += written - before;
                if compacted == Compacted::Yes && since > BETWEEN {
                    since = 0;
                    number += 1;
                    let upto = number - 1 - 4 * (log.len() as u64 - 1);
                    written += add(&compaction(number, turn, upto));
                }
            }
            let mut meta = log[0]["session"].clone();
            meta["entries"] = json!(number);
            let meta = serde_json::to_vec(&meta).expect("a description is JSON");
            sums.insert(0, sum(0, &meta)).expect("its checksum");
            let mut metas = transaction.open_table(META).expect("the description");
            metas.insert("session", meta.as_slice()).expect("the description");
        }
        transaction.commit().expect("a commit");
    }
}

fn sum(id: u64, bytes: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&id.to_le_bytes());
    sum.update(bytes);
    sum.finalize()
}

fn of_turn(entry: &Value, number: u64, turn: u64) -> Value {
    let mut entry = entry.clone();
    entry["id"] = json!(number);
    entry["turn"] = json!(turn);
    let call = format!("call-{turn}");
    if entry.get("output").is_some() {
        entry["call"] = json!(call);
        let line = format!("{turn}: a \"line\" of a result, as long as lines are\n");
        entry["output"] = json!(line.repeat(RESULT / line.len()));
    }
    if entry["kind"] == "user" {
        entry["text"] = json!(format!("prompt {turn} {}", "of some length ".repeat(20)));
    }
    if entry["calls"].is_array() {
        entry["calls"][0]["id"] = json!(call);
    } else if entry.get("call").is_some() {
        entry["call"] = json!(call);
    }
    entry
}

fn compaction(number: u64, turn: u64, upto: u64) -> Value {
    json!({
        "v": 2, "id": number, "turn": turn, "time": 1, "kind": "compaction", "why": "threshold",
        "before": 100_000, "after": 10_000, "cuts": [], "dropped": [],
        "replaced": {"upto": upto, "summary": "What was done so far, in a few words.", "kept": []},
    })
}
