//! Costs of the search for tool calls in a model's text. Run `cargo bench --features doors --bench calls`.
//!
//! Ordinary Markdown arrives in 20,000 pieces, like tokens. Hostile text is one megabyte of repeated call beginnings
//! that never become calls. Each text is read several times. The shortest time is reported, because other programs may
//! slow down the machine.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it measured")]

use std::time::{Duration, Instant};

use benchdog::fuzzing::{read_calls, read_stream};

const PIECES: usize = 20_000;
const HOSTILE: usize = 1 << 20;
const ROUNDS: usize = 15;

const MARKDOWN: &str = "## What was found\n\nThe parser reads `a[0] < b` as a *tag*; see [the list](https://example.org/a_b).\n\n\
    1. First, `cargo test` is run.\n2. Then **all** of it again, with 3 > 2 in mind.\n\n```rust\nfn main() {\n    let all: Vec<u8> = \
    (0..9).collect();\n    println!(\"{all:?}\");\n}\n```\n\n> Somebody said so.\n\nNothing else was changed, and no file was written. ";

/// The repeated part of each hostile text.
const HALVES: [&str; 9] = [
    "<tool_call",
    "<tool_call>{\"name\": ",
    "<tool_call>bash<arg_key>a</arg_key><arg_value>",
    "<function=bash><parameter=a>",
    "<function=bash><parameter=a></parameter>",
    "[TOOL_CALLS]bash{",
    "{\"name\": {",
    "```tool_call\n{",
    "<",
];

fn main() {
    let text = MARKDOWN.repeat(PIECES * 4 / MARKDOWN.len() + 1);
    let pieces = in_pieces(&text, text.len() / PIECES);
    let stream: Vec<String> = pieces.iter().map(|piece| event(piece)).collect();
    let stream: Vec<&[u8]> = stream.iter().map(String::as_bytes).collect();
    let alone = shortest(|| read_calls(&pieces));
    let (with, without) = (
        shortest(|| read_stream(&stream, true)),
        shortest(|| read_stream(&stream, false)),
    );
    println!("Markdown, {} bytes in {} pieces", text.len(), pieces.len());
    println!(
        "  calls alone      {:>8.2} ms   {:>6.1} ns a byte",
        milliseconds(alone),
        each(alone, text.len())
    );
    println!("  stream without   {:>8.2} ms", milliseconds(without));
    println!(
        "  stream with      {:>8.2} ms   {:>6.1} % more",
        milliseconds(with),
        (each(with, 1) / each(without, 1) - 1.0) * 100.0
    );
    println!("Hostile, {HOSTILE} bytes, whole and in pieces of five bytes");
    for half in HALVES {
        let text = half.repeat(HOSTILE / half.len());
        let pieces = in_pieces(&text, 5);
        let (whole, parts) = (shortest(|| read_calls(&[&text])), shortest(|| read_calls(&pieces)));
        let half = format!("{half:?}");
        println!(
            "  {half:<52} {:>6.1} {:>6.1} ns a byte",
            each(whole, text.len()),
            each(parts, text.len())
        );
    }
}

fn in_pieces(text: &str, bytes: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut left = text;
    while !left.is_empty() {
        let (piece, rest) = left.split_at(left.ceil_char_boundary(bytes.min(left.len())));
        pieces.push(piece);
        left = rest;
    }
    pieces
}

fn event(piece: &str) -> String {
    let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]});
    format!("data: {delta}\n\n")
}

fn shortest(read: impl Fn() -> usize) -> Duration {
    let once = || {
        let began = Instant::now();
        std::hint::black_box(read());
        began.elapsed()
    };
    (0..ROUNDS).map(|_| once()).min().unwrap_or_default()
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

#[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
fn each(time: Duration, bytes: usize) -> f64 {
    time.as_secs_f64() * 1e9 / bytes as f64
}
