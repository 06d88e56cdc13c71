//! Many processes that write to one home at once.

use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;

use crate::support::home::Home;
use crate::support::process::Finished;
use crate::support::reply::{Reply, stream, text};
use crate::support::server::Server;
use crate::{Measured, Row};

const PROCESSES: u64 = 16;

const WRITES: u64 = 10_000;

/// Number of calls in each answer, and of answers in each run. A run writes two entries for each call, one for each
/// answer, and those of the turn.
const CALLS: u64 = 24;
const ANSWERS: u64 = 20;

pub fn rows() -> Vec<Row> {
    vec![Row {
        test: "16 processes write 10,000 entries each to one home",
        limit: "0 lost, 0 failed, 0 panics",
        run: sixteen,
    }]
}

/// Returns an answer whose calls each read a different line.
fn answer(number: u64) -> Reply {
    let calls = (0..CALLS).map(|call| json!({"path": "lines.txt", "offset": number * CALLS + call + 1, "limit": 1}));
    calls
        .fold(stream(), |reply, arguments| reply.calls("read", arguments))
        .ends()
}

fn sixteen() -> Measured {
    let server = Server::start();
    let home = Home::with(&server);
    home.file(
        "lines.txt",
        &(0..=CALLS * ANSWERS)
            .map(|line| format!("line {line}\n"))
            .collect::<String>(),
    );
    server.model(|request| {
        let answers = request.body["messages"].as_array().into_iter().flatten();
        let answers = answers.filter(|message| message["role"] == "assistant").count() as u64;
        Some(if answers < ANSWERS {
            answer(answers)
        } else {
            text("Done.")
        })
    });
    let (written, runs, failed) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for writer in 0..PROCESSES {
            let (home, written, runs, failed) = (&home, &written, &runs, &failed);
            scope.spawn(move || {
                let mut own = 0;
                while own < WRITES {
                    let prompt = format!("writer {writer} from {own}");
                    let run = home
                        .start(&["run", "--approve", "all", "--output", "stream-json", &prompt], None)
                        .wait();
                    runs.fetch_add(1, Ordering::Relaxed);
                    own += entries_told(&run);
                    if run.code != Some(0) || run.stderr.contains("panicked") {
                        failed.fetch_add(1, Ordering::Relaxed);
                        println!("{run}");
                        return;
                    }
                }
                written.fetch_add(own, Ordering::Relaxed);
            });
        }
    });
    let checked = home.run(&["sessions", "check"]);
    let sound: u64 = checked.stdout.lines().filter_map(entries_of).sum();
    let (written, runs, failed) = (written.into_inner(), runs.into_inner(), failed.into_inner());
    Measured {
        figure: format!("{runs} runs, {written} told, {sound} stored, {failed} failed"),
        holds: failed == 0 && checked.code == Some(0) && sound >= written && written >= PROCESSES * WRITES,
    }
}

/// Counts the entries that a run reported: prompt, answers, results, and end.
fn entries_told(run: &Finished) -> u64 {
    let kinds = ["turn_started", "message", "tool_finished", "turn_finished"];
    kinds.into_iter().map(|kind| run.events(kind).len() as u64).sum()
}

/// Parses the number of entries from a line `ID  intact  N entries`.
fn entries_of(line: &str) -> Option<u64> {
    line.split("  intact  ").nth(1)?.split(' ').next()?.parse().ok()
}
