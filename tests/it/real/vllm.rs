//! Tests with vLLM.

use serde_json::json;

use super::{Real, ask, assert_reused, forced_read, go_on, long_prompt, usage};

/// Returns the sum of a `/metrics` counter over its labels.
fn counter(vllm: &Real, name: &str) -> u64 {
    let page = vllm.page("/metrics");
    let lines = page.lines().filter(|line| line.starts_with(name));
    let counts = lines.filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
    let sum = counts.sum::<f64>() as u64;
    sum
}

#[test]
#[ignore = "needs a server: BENCHDOG_REAL_VLLM=http://127.0.0.1:8000/v1"]
fn ten_steps_read_nothing_twice() {
    let vllm = Real::named_by("BENCHDOG_REAL_VLLM");
    let home = vllm.home(json!({"extra_body": forced_read()}));
    let counts = || ["queries", "hits"].map(|of| counter(&vllm, &format!("vllm:prefix_cache_{of}_total")));
    // The server has processed and cached the prompt.
    ask(&home, &["--max-steps", "1", &long_prompt()]);
    let before = counts();
    let run = go_on(&home);
    let after = counts();
    assert_reused(after[0] - before[0], after[1] - before[1]);
    let (read, reused) = usage(&run);
    assert_reused(read, reused);
}
