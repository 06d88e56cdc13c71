//! Tests with SmolLM2 135M on llama.cpp, a model that answers. Its chat template has no tools.

use serde_json::json;

use super::{PATIENCE, Real};

#[test]
#[ignore = "needs a server with SmolLM2: BENCHDOG_REAL_SMOLLM=http://127.0.0.1:8080/v1"]
fn a_question_is_answered() {
    let real = Real::named_by("BENCHDOG_REAL_SMOLLM");
    let home = real.home(json!({"output": 60, "temperature": 0}));
    let run = home.start(&["run", "--max-steps", "1", "What is the capital of France?"], None);
    let run = run.wait_within(PATIENCE);
    run.assert_code(0);
    assert!(run.stdout.contains("Paris"), "{run}");
    assert!(
        run.stderr.contains("tools"),
        "its tools travel as text, and that is said: {run}"
    );
}
