//! Costs of a session with many turns: memory, and the time from `Enter` to the server. Run `cargo bench --bench
//! session`.
//!
//! The built program runs in a pseudo-terminal against a model server in this process. Each turn reads a file of 16 KB,
//! or has an answer of that size. Turns do not overlap.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

#[path = "../tests/it/support/mod.rs"]
#[allow(dead_code, reason = "the kit of the tests has more than is needed here")]
mod support;

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::Watched;
use support::home::{Home, config};
use support::pty::Pty;

/// Size in bytes of the file or answer of a turn.
const TURN: usize = 16 * 1024;

fn main() {
    for (name, turns, window) in [
        ("2,000 turns of 16 KB", 2_000, 131_072),
        ("1,000 messages", 550, 4_000_000),
    ] {
        println!("{name}, window {window}");
        measure(turns, window);
    }
}

fn measure(turns: usize, window: u64) {
    // The large window is for a test with many messages, so use short messages.
    let bytes = if window > 1_000_000 { TURN / 16 } else { TURN };
    let server = Server::start(bytes);
    let home = Home::bare().env("BENCHDOG_LOG", "off,orchestrator=debug");
    let mut settings = config(&server.base_url);
    settings["provider"]["kit"]["models"] = json!({ support::server::MODEL: {"context": window, "output": 4_096} });
    settings["validation"] = json!({"auto": false});
    settings["logs"] = json!({"max_bytes": 64 << 20});
    home.configure(&settings);
    home.file("part.txt", &text(bytes));
    let bench = home.bench(&[]);
    println!("  at the start         {:>7.1} MB", megabytes(&bench));
    let mut waits = Vec::new();
    for turn in 1..=turns {
        let shown = format!("Turn {turn} of {}", if turn % 2 == 0 { "many" } else { "all" });
        bench.send(shown.as_bytes());
        bench.wait_for("the prompt", |screen| screen.has(&shown));
        // No person types faster, and the last turn's remaining work finishes in this time.
        std::thread::sleep(Duration::from_millis(50));
        let entered = Instant::now();
        bench.send(b"\r");
        let answer = format!("Answer {turn}.");
        bench.wait_for(&answer, |screen| screen.has(&answer) && !screen.has("Esc stop"));
        waits.push(server.came(turn).duration_since(entered));
        if turn % (turns / 4).max(1) == 0 {
            println!("  after {turn:>5} turns    {:>7.1} MB", megabytes(&bench));
        }
    }
    std::thread::sleep(Duration::from_secs(3));
    println!("  idle after it        {:>7.1} MB", megabytes(&bench));
    bench.leave();
    let early = waits.get(..50).unwrap_or_default().to_vec();
    let late = waits.split_off(waits.len() - 50);
    println!("  Enter to request     {}", times(early));
    println!("  the same at the end  {}", times(late));
    println!("  assembled            {}", times(assembled(&home)));
    let bench = home.bench(&["--continue"]);
    let answer = format!("Answer {turns}.");
    bench.wait_for(&answer, |screen| screen.has(&answer));
    std::thread::sleep(Duration::from_secs(3));
    println!("  opened again         {:>7.1} MB", megabytes(&bench));
    bench.leave();
}

/// Returns the assembly times of the newest hundred requests from the log file.
fn assembled(home: &Home) -> Vec<Duration> {
    let logs = std::fs::read_dir(home.benchdog_home().join("logs")).expect("the log files");
    let mut log = String::new();
    for file in logs.flatten() {
        log.push_str(&std::fs::read_to_string(file.path()).unwrap_or_default());
    }
    let told = log.split("assembled_us=").skip(1);
    let times: Vec<Duration> = told
        .filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok())
        .map(Duration::from_micros)
        .collect();
    times
        .get(times.len().saturating_sub(100)..)
        .unwrap_or_default()
        .to_vec()
}

fn times(mut all: Vec<Duration>) -> String {
    all.sort();
    let at = |percent: usize| {
        let place = (all.len() * percent / 100).min(all.len().saturating_sub(1));
        all.get(place).map_or(0.0, |time| time.as_secs_f64() * 1_000.0)
    };
    format!("p50 {:.2} ms, p99 {:.2} ms", at(50), at(99))
}

fn megabytes(bench: &Pty) -> f64 {
    let rollup = std::fs::read_to_string(format!("/proc/{}/smaps_rollup", bench.pid())).unwrap_or_default();
    let line = rollup.lines().find_map(|line| line.strip_prefix("Pss:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok());
    kilobytes.unwrap_or_default() / 1_024.0
}

fn text(bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0_u64;
    while text.len() < bytes {
        let _ = writeln!(text, "line {number}: {:x} of so many cents", number * 7_919);
        number += 1;
    }
    text
}

/// Model server that records the arrival time of each turn's first request. Stores no contents.
struct Server {
    base_url: String,
    came: Arc<Watched<Vec<Instant>>>,
}

impl Server {
    fn start(bytes: usize) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a loopback port");
        let address = listener.local_addr().expect("a bound address");
        let came = Arc::new(Watched::new(Vec::new()));
        let shared = Arc::clone(&came);
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let came = Arc::clone(&shared);
                std::thread::spawn(move || serve(&connection, bytes, &came));
            }
        });
        Self {
            base_url: format!("http://{address}/v1"),
            came,
        }
    }

    fn came(&self, turn: usize) -> Instant {
        self.came.look()[turn - 1]
    }
}

fn serve(connection: &TcpStream, bytes: usize, came: &Watched<Vec<Instant>>) {
    let _ = connection.set_nodelay(true);
    let mut reader = BufReader::new(connection);
    while let Some((path, body, at)) = request(&mut reader) {
        let (kind, page) = if path.ends_with("/chat/completions") {
            ("text/event-stream", answer(&body, at, bytes, came))
        } else {
            ("application/json", r#"{"object": "list", "data": []}"#.to_owned())
        };
        let head = format!(
            "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\n\r\n",
            page.len()
        );
        let mut writer = connection;
        if writer.write_all((head + &page).as_bytes()).is_err() {
            return;
        }
    }
}

/// Reads a request. Returns its path, its body, and the arrival time of its first line.
fn request(reader: &mut BufReader<&TcpStream>) -> Option<(String, Vec<u8>, Instant)> {
    let mut first = String::new();
    if reader.read_line(&mut first).ok()? == 0 {
        return None;
    }
    let at = Instant::now();
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(told) = line.strip_prefix("content-length:") {
            length = told.trim().parse().ok()?;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some((first.split(' ').nth(1)?.to_owned(), body, at))
}

/// Returns the answer: a call that reads the file in turns with an even number, and text in other turns.
fn answer(body: &[u8], at: Instant, bytes: usize, came: &Watched<Vec<Instant>>) -> String {
    let body = String::from_utf8_lossy(body);
    let chunk = |delta: Value, finish: Value| {
        format!(
            "data: {}\n\n",
            json!({"choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})
        )
    };
    let said = |text: &str| chunk(json!({"content": text}), Value::Null) + &chunk(json!({}), json!("stop"));
    let called = body.rfind(r#""role":"tool""#) > body.rfind(r#""role":"user""#);
    let turns = came.look().len();
    let page = if !body.contains("\"tools\"") {
        said("Objective: many turns. Decided: to go on. Next: the next turn.")
    } else if called {
        said(&format!("Answer {turns}."))
    } else {
        came.change(|came| came.push(at));
        let turn = turns + 1;
        if turn.is_multiple_of(2) {
            let function = json!({"name": "read", "arguments": r#"{"path": "part.txt"}"#});
            let call = json!({"index": 0, "id": format!("call_{turn}"), "type": "function", "function": function});
            chunk(json!({"tool_calls": [call]}), Value::Null) + &chunk(json!({}), json!("tool_calls"))
        } else {
            let mut long = text(bytes);
            let _ = write!(long, "\nAnswer {turn}.");
            let pieces = long.as_bytes().chunks(64);
            let pieces = pieces.map(|piece| chunk(json!({"content": String::from_utf8_lossy(piece)}), Value::Null));
            pieces.collect::<String>() + &chunk(json!({}), json!("stop"))
        }
    };
    page + "data: [DONE]\n\n"
}
