use super::version;

#[test]
fn a_version_is_read_out_of_every_form_of_a_name() {
    for (name, wanted) in [
        ("claude-opus-4-6", Some((4, 6))),
        ("claude-sonnet-4-5-20250929", Some((4, 5))),
        ("claude-sonnet-4-20250514", Some((4, 0))),
        ("claude-3-7-sonnet-20250219", Some((3, 7))),
        ("anthropic/claude-3.5-haiku", Some((3, 5))),
        ("anthropic.claude-opus-4-7-v1:0", Some((4, 7))),
        ("claude-sonnet-5", Some((5, 0))),
        ("claude-mythos-preview", Some((0, 0))),
        ("qwen3-claude-4-distill", None),
        ("org/qwen3", None),
        ("claude", None),
    ] {
        assert_eq!(version(name), wanted, "{name}");
    }
}
