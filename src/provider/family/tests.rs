use super::*;

#[test]
fn the_longest_fitting_row_gives_the_window() {
    for (name, tokens) in [
        ("Qwen/Qwen3-Coder-30B-A3B-Instruct", Some(262_144)),
        ("qwen3:8b", Some(40_960)),
        ("Qwen3-4B-Instruct-2507-GGUF", Some(262_144)),
        ("llama3:8b", Some(8_192)),
        ("llama3.1:8b", Some(131_072)),
        ("meta-llama/Llama-3.3-70B-Instruct", Some(131_072)),
        ("SmolLM2-135M-Instruct.Q4_1.gguf", Some(8_192)),
        ("phi4:14b", Some(16_384)),
        ("phi4-mini", Some(131_072)),
        ("house-coder", None),
    ] {
        assert_eq!(window(name), tokens, "{name}");
    }
}

#[test]
fn every_row_has_parts_a_window_and_a_source() {
    let rows = WINDOWS.lines().filter(|line| !line.starts_with('#'));
    let rows: Vec<Vec<&str>> = rows.map(|line| line.split('\t').collect()).collect();
    assert!(rows.len() > 50, "{}", rows.len());
    for row in &rows {
        let [parts, tokens, source] = row[..] else {
            panic!("{row:?}")
        };
        assert_eq!(parts, parts.to_lowercase());
        assert!(tokens.parse::<u64>().is_ok_and(|tokens| tokens >= 2_048), "{row:?}");
        assert_eq!(source.split('/').count(), 2, "{row:?}");
    }
    let mut names: Vec<&str> = rows.iter().map(|row| row[0]).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rows.len(), "no row twice");
}

#[test]
fn a_tiny_model_is_known_by_its_weights_or_its_name() {
    for (name, weights, tiny) in [
        ("any", Some(134_515_008), true),
        ("qwen3:0.6b", Some(7_600_000_000), false),
        ("SmolLM2-135M-Instruct", None, true),
        ("qwen2.5-coder-0.5b", None, true),
        ("llama3.2:1b", None, true),
        ("Qwen2.5-1.5B-Instruct", None, true),
        ("qwen3:1.7b", None, true),
        ("gemma-2-2b-it", None, false),
        ("llama3.2:3b", None, false),
        ("Qwen3-30B-A3B", None, false),
        ("Qwen2.5-7B-Instruct-1M", None, false),
        ("qwen2.5-14b-1m", None, false),
        ("house-coder", None, false),
        ("gpt-4.1", None, false),
    ] {
        assert_eq!(is_tiny(name, weights), tiny, "{name}");
    }
}
