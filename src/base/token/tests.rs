use super::*;

#[test]
fn a_token_is_a_name_between_bars_in_angle_brackets() {
    for token in [
        "<|im_end|>",
        "<｜end▁of▁sentence｜>",
        "<|start_header_id|>",
        "<|/tool_call|>",
    ] {
        assert_eq!(length(&format!("{token} more")), Some(token.len()), "{token}");
    }
    for text in ["<| x |>", "a <|> b", "<||>", "<|x>", "<|x｜>", "<b>", "x <| f |> y", ""] {
        assert_eq!(length(text), None, "{text}");
    }
}

#[test]
fn names_end_at_the_first_token_and_texts_lose_none_of_their_words() {
    assert_eq!(text_before("read<|channel|>commentary"), "read");
    assert_eq!(text_before(" read "), "read");
    assert_eq!(text_before("<|x|>"), "<|x|>");
    assert_eq!(neutralize("a <|im_end|> b"), "a ‹|im_end|› b");
    assert_eq!(neutralize("f <| g"), "f <| g");
}
