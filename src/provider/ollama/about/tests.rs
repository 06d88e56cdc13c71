use serde_json::json;

use super::{parse_loaded, parse_show, window};

#[test]
fn the_model_tells_what_it_was_made_for_and_can_do() {
    let known = parse_show(&json!({
        "parameters": "num_ctx                        16384\nstop                           \"<|im_end|>\"",
        "model_info": {"general.architecture": "qwen3", "qwen3.context_length": 40_960},
        "capabilities": ["completion", "tools", "thinking"],
    }));
    assert_eq!((known.window, known.trained), (Some(16_384), Some(40_960)));
    assert_eq!(
        (known.tools, known.vision, known.thinking),
        (Some(true), Some(false), Some(true))
    );
    // Servers before 2025 report no capabilities.
    assert_eq!(parse_show(&json!({"model_info": {}})).tools, None);
}

#[test]
fn a_running_model_is_found_under_its_short_name() {
    let running = json!({"models": [{"name": "qwen3:latest", "context_length": 8192}, {"name": "old:1b"}]});
    assert_eq!(parse_loaded(&running, "qwen3"), Some(Some(8192)));
    assert_eq!(parse_loaded(&running, "old:1b"), Some(None));
    assert_eq!(parse_loaded(&running, "old"), None);
}

#[test]
fn the_window_asked_for_keeps_a_loaded_model_unless_it_was_loaded_too_small() {
    assert_eq!(window(None, None, Some(131_072)), 32_768);
    assert_eq!(window(None, None, Some(8_192)), 8_192);
    assert_eq!(window(Some(16_384), Some(65_536), Some(131_072)), 16_384);
    assert_eq!(window(None, Some(65_536), Some(131_072)), 65_536);
    assert_eq!(window(None, Some(4_096), Some(131_072)), 32_768);
}
