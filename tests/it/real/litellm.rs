//! Tests with LiteLLM in front of another server.

use serde_json::json;

use super::{ENDPOINT, Real, ask, usage};

#[test]
#[ignore = "needs a server: BENCHDOG_REAL_LITELLM=http://127.0.0.1:4000/v1, its key in BENCHDOG_REAL_KEY"]
fn its_model_is_listed_and_answers() {
    let litellm = Real::named_by("BENCHDOG_REAL_LITELLM");
    let home = litellm.home(json!({"output": 40, "context": 8_192}));
    let listed = home.run(&["models"]);
    listed.assert_code(0);
    assert!(
        listed.stdout.contains(&format!("{ENDPOINT}/{}", litellm.model)),
        "{listed}"
    );
    let run = ask(&home, &["--max-steps", "1", "hello"]);
    assert!(!run.events("text_delta").is_empty(), "{run}");
    let (prompt, _) = usage(&run);
    assert!(prompt > 100, "{run}");
}
