//! Tests with llama.cpp's server.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::{PATIENCE, Real, ask, assert_reused, forced_read, go_on, long_prompt, usage};
use crate::support::pty::Pty;

const SERVER: &str = "BENCHDOG_REAL_LLAMACPP";

fn llama() -> Real {
    Real::named_by(SERVER)
}

/// Grammar of an answer that is only a call, in the form of a trained model.
const WRITTEN: &str = r#"root ::= "<tool_call>\n{\"name\": \"read\", \"arguments\": {\"path\": \"notes.txt\", \"offset\": 1" [0-9] [0-9]? ", \"limit\": " [1-9] "}}\n</tool_call>""#;

/// Changes the probability that the answer ends, because random weights never or always end it.
fn ends(llama: &Real, bias: i64) -> Value {
    let end = llama.post("/tokenize", &json!({"content": "<|im_end|>", "parse_special": true}));
    match end["tokens"].as_array().map_or(&[][..], Vec::as_slice) {
        [end] => json!([[end, bias]]),
        _ => json!([]),
    }
}

/// Forces a call, and the end of the answer after it.
fn forced(llama: &Real) -> Value {
    let mut extra = forced_read();
    extra["frequency_penalty"] = Value::Null;
    extra["logit_bias"] = ends(llama, 100);
    json!({"extra_body": extra, "output": 1_500})
}

fn window(llama: &Real) -> u64 {
    let told = llama.get("/props")["default_generation_settings"]["n_ctx"].as_u64();
    told.expect("a window in /props")
}

#[test]
#[ignore = "needs a server: BENCHDOG_REAL_LLAMACPP=http://127.0.0.1:8080/v1"]
fn text_streams_and_is_counted_and_the_window_is_the_servers() {
    let llama = llama();
    let settings = json!({"output": 40, "extra_body": {"tool_choice": "none", "logit_bias": ends(&llama, -100)}});
    let run = ask(&llama.home(settings), &["--max-steps", "1", "hello"]);
    assert!(run.events("text_delta").len() >= 5, "{run}");
    let context = run.events("context");
    let last = context.last().unwrap_or_else(|| panic!("no context was told\n{run}"));
    assert_eq!(last["limit"].as_u64(), Some(window(&llama)), "{run}");
    assert_eq!(last["estimated"], false, "{run}");
    let (prompt, _) = usage(&run);
    assert!(prompt > 100, "{run}");
}

#[test]
#[ignore = "needs a server: BENCHDOG_REAL_LLAMACPP=http://127.0.0.1:8080/v1"]
fn a_forced_call_is_run_and_its_result_goes_back() {
    let llama = llama();
    // Random weights may produce blanks until the answer is truncated.
    let mut runs = (0..10).map(|_| {
        ask(
            &llama.home(forced(&llama)),
            &["--max-steps", "2", "What is in the notes?"],
        )
    });
    let run = runs
        .find(|run| !run.events("tool_finished").is_empty())
        .expect("a call in one of ten runs");
    let first = &run.events("tool_finished")[0];
    assert_eq!(
        (&first["tool"], &first["status"]),
        (&json!("read"), &json!("ok")),
        "{run}"
    );
    assert!(
        first["output"]
            .as_str()
            .is_some_and(|output| output.contains(" of the notes")),
        "{run}"
    );
}

#[test]
#[ignore = "needs a server: BENCHDOG_REAL_LLAMACPP=http://127.0.0.1:8080/v1"]
fn a_prompt_larger_than_the_window_is_refused_with_the_servers_number() {
    let llama = llama();
    let real = window(&llama);
    let home = llama.home(json!({"context": 100 * real}));
    let words = usize::try_from(real).expect("a window");
    let run = home.run_with_input(&["run"], "a word and ".repeat(words));
    run.assert_code(5);
    assert!(run.stderr.contains(&format!("the window of {real} tokens")), "{run}");
    assert!(
        run.stderr.contains(&format!("({real} tokens)")),
        "in the server's own words: {run}"
    );
    assert!(run.stderr.contains("`context`"), "{run}");
}

/// Returns the first number in a row of `/status`.
fn status(bench: &Pty, row: &str) -> u64 {
    bench.ask("/status");
    bench.wait_for_text(row);
    let text = bench.look(|screen| screen.row(row)).unwrap_or_default();
    bench.keys("esc");
    bench.wait_for("the end of it", |screen| !screen.has(row));
    let digits = text.chars().skip_while(|letter| !letter.is_ascii_digit());
    let digits = digits.take_while(|letter| letter.is_ascii_digit() || *letter == ',');
    let digits: String = digits.filter(|letter| *letter != ',').collect();
    digits.parse().unwrap_or_else(|_| panic!("no number in {text:?}"))
}

#[test]
#[ignore = "needs a server: BENCHDOG_REAL_LLAMACPP=http://127.0.0.1:8080/v1"]
fn a_prompt_is_counted_before_it_is_sent_as_the_server_counts_it() {
    let llama = llama();
    let home = llama.home(json!({"output": 8, "extra_body": {"logit_bias": ends(&llama, -100)}}));
    let bench = home.bench(&[]);
    // When the server is known, the count covers the beginning of every request and the shortest prompt.
    std::thread::sleep(Duration::from_secs(5));
    let before = status(&bench, "in use");
    bench.ask("?");
    bench.wait_for("the turn to end", |screen| screen.has("Esc stop"));
    let began = Instant::now();
    while bench.look(|screen| screen.has("Esc stop")) {
        assert!(began.elapsed() < PATIENCE, "the turn never ended");
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(before, status(&bench, "last turn"));
    bench.leave();
}

#[test]
#[ignore = "needs a server: BENCHDOG_REAL_LLAMACPP=http://127.0.0.1:8080/v1"]
fn ten_steps_read_nothing_twice() {
    let llama = llama();
    let home = llama.home(json!({"tools": "text", "extra_body": {"grammar": WRITTEN}}));
    ask(&home, &["--max-steps", "1", &long_prompt()]);
    let (read, reused) = usage(&go_on(&home));
    assert_reused(read, reused);
}
