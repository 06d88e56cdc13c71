//! Eight subagents that stream at the same time: memory of each, and time from a key press to the screen.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::support::bench::draft_of;
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{calls, stream, text};
use crate::support::server::Server;
use crate::{Measured, Row, proportional};

const CHILDREN: u64 = 8;

const KEYS: usize = 200;

/// Maximum memory of a subagent in kilobytes. `MOST_TIME` is the limit for the 99th percentile of key presses.
const MOST_MEMORY: u64 = 2_048;
const MOST_TIME: Duration = Duration::from_millis(2);

/// Returns the time limit. If a key press takes longer than `MOST_TIME` without subagents, the machine is slow or
/// shared. Subagents may then add half of that time.
fn most_time(alone: Duration) -> Duration {
    MOST_TIME.max(alone * 3 / 2)
}

pub fn rows() -> Vec<Row> {
    vec![Row {
        test: "eight children at 100 tokens a second",
        limit: "2 MB each, p99 of a key 2 ms, or 1.5 of it alone",
        run: eight,
    }]
}

fn eight() -> Measured {
    let server = Server::start();
    let home = Home::with(&server);
    server.model(|request| {
        let is_child = request.raw.contains("Another agent gave you this work");
        let task = json!({"prompt": "look around", "description": "look"});
        let delta = json!({"choices": [{"index": 0, "delta": {"content": "word "}}]});
        Some(
            match request
                .messages()
                .iter()
                .filter(|message| message["role"] == "user")
                .count()
            {
                _ if is_child => stream()
                    .says("It begins: ")
                    .floods(&format!("data: {delta}\n\n"), Duration::from_millis(10)),
                1 => text("Hello."),
                _ => calls((0..CHILDREN).map(|_| ("task", task.clone()))),
            },
        )
    });
    let bench = home.bench(&[]);
    bench.ask("hello");
    bench.wait_for_text("Hello.");
    let still = keys(&bench);
    let before = proportional(bench.pid());
    bench.ask("go");
    bench.wait_for("the children", |screen| screen.text().matches("look").count() >= 8);
    std::thread::sleep(Duration::from_secs(5));
    let busy = keys(&bench);
    let each = proportional(bench.pid()).saturating_sub(before) / CHILDREN;
    bench.keys("esc");
    bench.keys("ctrl-c");
    bench.leave();
    let ms = |time: Duration| time.as_micros() as f64 / 1_000.0;
    Measured {
        figure: format!("{each} KB each, p99 {:.1} ms (alone {:.1} ms)", ms(busy), ms(still)),
        holds: each <= MOST_MEMORY && busy <= most_time(still),
    }
}

/// Measures key presses. Returns the 99th percentile.
fn keys(bench: &Pty) -> Duration {
    let mut took: Vec<Duration> = (0..KEYS)
        .map(|_| {
            std::thread::sleep(Duration::from_millis(17));
            let began = Instant::now();
            bench.type_text("z");
            bench.wait_for("the letter", |screen| draft_of(screen).contains('z'));
            let took = began.elapsed();
            bench.keys("backspace");
            bench.wait_for("its end", |screen| !draft_of(screen).contains('z'));
            took
        })
        .collect();
    took.sort();
    took[KEYS * 99 / 100 - 1]
}
