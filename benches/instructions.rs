//! Scenarios for `benches/instructions.py`, which counts their instructions. Run `cargo bench --bench instructions --
//! NAME`.
//!
//! Each scenario runs once, and uses neither a clock nor the network, so its count is the same in each run.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;

use benchdog_diff::Sides;
use benchdog_provider::decoder::Decoder;
use benchdog_provider::openai;
use benchdog_provider::textcalls::{Mode, Recogniser};
use benchdog_tools::Registry;

/// Number of chunks of the stream. Each has four characters.
const CHUNKS: usize = 20_000;
/// Number of lines of the file. Every tenth line is changed.
const LINES: usize = 20_000;
const CONTEXT: usize = 3;

const MARKDOWN: &str = "## Result\n\nThe parser reads `a[0] < b` as a *tag*. See [the list](https://example.org/a_b).\n\n1. Run `cargo test`.\n\
    2. Then **all** tests again.\n\n```rust\nfn main() {\n    println!(\"{:?}\", (0..9).collect::<Vec<u8>>());\n}\n```\n\n";

fn main() {
    let name = std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    match name.as_deref() {
        Some("stream") => assert_eq!(read_stream(), CHUNKS * 4),
        Some("diff") => assert!(compare() > LINES / 10),
        other => panic!("there is no scenario {other:?}: use `stream` or `diff`"),
    }
}

/// Decodes a streamed answer and searches its text for calls. Returns the bytes of the text.
fn read_stream() -> usize {
    let text: String = MARKDOWN.chars().cycle().take(CHUNKS * 4).collect();
    let tools = Registry::builtin().declarations();
    let recogniser = Recogniser::new(Arc::clone(&tools), Mode::Open);
    let mut decoder = Decoder::new(openai::FORMAT, 200).reading_calls(recogniser, Some(tools));
    for at in (0..text.len()).step_by(4) {
        let piece = text.get(at..at + 4).expect("the text is ASCII");
        let delta = serde_json::json!({"choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": null}]});
        decoder.push(format!("data: {delta}\n\n").as_bytes());
    }
    black_box(decoder.finish()).text.len()
}

/// Compares two texts and arranges their rows in two columns. Returns the number of rows.
fn compare() -> usize {
    let (mut before, mut after) = (String::new(), String::new());
    for number in 0..LINES {
        let _ = writeln!(before, "    let value_{number} = compute({number});");
        let word = if number % 10 == 0 { "calculate" } else { "compute" };
        let _ = writeln!(after, "    let value_{number} = {word}({number});");
    }
    let bytes = |text: String| Some(Arc::from(text.into_bytes()));
    let sides = Sides::of(bytes(before), bytes(after));
    black_box(sides.side_by_side(CONTEXT)).len()
}
