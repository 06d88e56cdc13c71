//! An endless answer, while a person types and then stops it.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::reply::stream;
use crate::support::server::Server;

/// Delays that a person experiences.
#[derive(Debug)]
pub struct Heard {
    /// Longest time until a typed character was shown.
    pub worst_key: Duration,
    /// Time from Esc until the connection was closed.
    pub escape: Duration,
}

/// Sends `first` chunks at once, then one every two milliseconds.
pub fn pouring(piece: &str, first: usize) -> Heard {
    let server = Server::start();
    let home = Home::with(&server);
    let pieces = |times: usize| {
        let delta = json!({"choices": [{"index": 0, "delta": {"content": piece.repeat(times)}}]});
        format!("data: {delta}\n\n")
    };
    server.script([stream()
        .raw(&pieces(first))
        .floods(&pieces(1), Duration::from_millis(2))]);
    let bench = home.bench(&[]);
    bench.ask("go on");
    let mut words = piece.split(|sign: char| !sign.is_alphanumeric());
    let shown = words.find(|word| !word.is_empty()).unwrap_or(piece);
    bench.wait_for("the answer", |screen| screen.text().matches(shown).count() > 3);
    let mut worst_key = Duration::ZERO;
    let mut draft = String::new();
    for letter in "the quick".chars() {
        draft.push(letter);
        let began = Instant::now();
        bench.type_text(&letter.to_string());
        bench.wait_for("the letter", |screen| draft_of(screen).contains(draft.trim_end()));
        worst_key = worst_key.max(began.elapsed());
    }
    assert!(!server.is_abandoned(1), "it ended before it was stopped");
    let began = Instant::now();
    bench.keys("esc");
    server.wait_abandoned(1);
    let escape = began.elapsed();
    bench.keys("ctrl-c");
    bench.leave();
    Heard { worst_key, escape }
}
