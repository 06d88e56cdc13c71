//! Endless output of a server, a command or a file: limits of memory and time.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::home::Home;
use crate::support::reply::{Reply, call, stream, text};
use crate::support::server::Server;
use crate::{Measured, Row, peak_of};

const MIB: usize = 1 << 20;

/// Bytes sent of an endless answer.
const SENT: usize = 64 * MIB;

const MOST_MB: u64 = 200;

pub fn rows() -> Vec<Row> {
    let mut rows = answers();
    rows.extend(outputs());
    rows
}

fn answers() -> Vec<Row> {
    const LIMIT: &str = "200 MB, 5 s, cut at its bound";
    let row = |test, run| Row {
        test,
        limit: LIMIT,
        run,
    };
    vec![
        row("endless answer: text", || endless(&delta("content"))),
        row("endless answer: thoughts", || endless(&delta("reasoning_content"))),
        row("endless answer: arguments of one call", || {
            endless(&event(&json!({"tool_calls": [of_call(0, &much(60_000))]})))
        }),
        row("endless answer: calls", || {
            let calls = (0..SENT / 200).map(|number| event(&json!({"tool_calls": [of_call(number, "{}")]})));
            cut(stream().raw(&calls.collect::<String>()))
        }),
        row("endless answer: a call written as text", || {
            let begin = event(&json!({"content": "<tool_call>{\"name\": \"write\", \"arguments\": {\"content\": \""}));
            cut(stream().raw(&begin).raw(&repeated(&delta("content"))))
        }),
        row("endless answer: one line", || {
            cut(stream().raw("data: ").raw(&much(SENT)))
        }),
        row("endless answer: one event of many lines", || {
            let line = repeated(&format!("data: \"{}\",\n", much(60_000)));
            cut(stream().raw("data: {\"a\": [\n").raw(&line))
        }),
        row("endless answer: no stream", || {
            cut(stream()
                .header("content-type", "application/json")
                .raw("{\"choices\": \"")
                .raw(&much(SENT)))
        }),
    ]
}

fn outputs() -> Vec<Row> {
    const LIMIT: &str = "200 MB, 5 s of CPU";
    let row = |test, run| Row {
        test,
        limit: LIMIT,
        run,
    };
    vec![
        row("2 GB of output: lines", || command("yes | head -c 2000000000")),
        row("2 GB of output: one line", || {
            command("head -c 2000000000 /dev/zero | tr '\\0' x")
        }),
        row("2 GB of output: noise", || command("head -c 2000000000 /dev/urandom")),
        row("a file of one line of 2 GB: grep", || {
            file_of_one_line(&call("grep", json!({"pattern": "needle"})))
        }),
        row("a file of one line of 2 GB: read", || {
            file_of_one_line(&call("read", json!({"path": "line.txt"})))
        }),
    ]
}

fn much(bytes: usize) -> String {
    "x".repeat(bytes)
}

fn event(delta: &Value) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": delta}]}))
}

fn delta(field: &str) -> String {
    event(&json!({field: "word ".repeat(12_000)}))
}

fn of_call(index: usize, arguments: &str) -> Value {
    json!({"index": index, "id": format!("c{index}"), "function": {"name": "read", "arguments": arguments}})
}

fn repeated(piece: &str) -> String {
    piece.repeat(SENT / piece.len())
}

fn endless(piece: &str) -> Measured {
    cut(stream().raw(&repeated(piece)))
}

/// Checks that Benchdog ends the answer at its size limit, and reports the limit.
fn cut(reply: Reply) -> Measured {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([reply]);
    let (cost, said) = run(&home);
    let why = said["error"]["code"].clone();
    Measured {
        figure: format!("{}, {why}", cost.figure()),
        holds: cost.most_mb <= MOST_MB && cost.wall <= Duration::from_secs(5) && why == "answer_oversized",
    }
}

fn command(line: &str) -> Measured {
    let server = Server::start();
    let home = Home::with(&server);
    worked(
        &home,
        &server,
        &call("bash", json!({"command": line, "timeout_ms": 120_000})),
    )
}

fn file_of_one_line(reply: &Reply) -> Measured {
    let server = Server::start();
    let home = Home::with(&server);
    one_line(&home.path("line.txt"));
    worked(&home, &server, reply)
}

fn one_line(path: &Path) {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    let piece = much(MIB);
    for _ in 0..2_000 {
        file.write_all(piece.as_bytes()).expect("room for 2 GB");
    }
    file.flush().expect("room for 2 GB");
}

/// Checks that the call runs, and that the run ends normally after it.
fn worked(home: &Home, server: &Server, reply: &Reply) -> Measured {
    server.script([reply.clone(), text("Done.")]);
    let (cost, said) = run(home);
    Measured {
        figure: cost.figure(),
        holds: cost.most_mb <= MOST_MB && cost.cpu <= Duration::from_secs(5) && said["text"] == "Done.",
    }
}

struct Cost {
    most_mb: u64,
    cpu: Duration,
    wall: Duration,
}

impl Cost {
    fn figure(&self) -> String {
        let Self { most_mb, cpu, wall } = self;
        format!(
            "{most_mb} MB, CPU {:.1} s, {:.1} s",
            cpu.as_secs_f64(),
            wall.as_secs_f64()
        )
    }
}

fn run(home: &Home) -> (Cost, Value) {
    let began = Instant::now();
    let running = home.start(&["run", "--approve", "all", "--output", "json", "go on"], None);
    let mut cost = Cost {
        most_mb: 0,
        cpu: Duration::ZERO,
        wall: Duration::ZERO,
    };
    while let Some(cpu) = cpu_of(running.pid()) {
        cost.cpu = cost.cpu.max(cpu);
        cost.most_mb = cost.most_mb.max(peak_of(running.pid()));
        std::thread::sleep(Duration::from_millis(2));
    }
    cost.wall = began.elapsed();
    let said = running.wait().json_lines().pop().unwrap_or_default();
    (cost, said)
}

/// Returns the CPU time of a process. `None` if the process has ended.
fn cpu_of(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    if fields.next()? == "Z" {
        return None;
    }
    let ticks = fields.skip(10).take(2).filter_map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(ticks.sum::<u64>() * 10))
}
