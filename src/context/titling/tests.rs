use super::*;

fn titled(text: &str) -> Option<String> {
    title(&Reply {
        text: text.to_owned(),
        ..Reply::default()
    })
}

#[test]
fn the_title_is_the_first_line_without_decoration() {
    for (text, wanted) in [
        ("Fix the date bug", "Fix the date bug"),
        ("\n  \"Fix the date bug.\"\n\nIt is about dates.", "Fix the date bug"),
        ("**Title: no**", "Title: no"),
        ("Title: Fix the date bug", "Fix the date bug"),
        ("「日付の不具合を直す。」", "日付の不具合を直す"),
        ("a\u{1b}[31mb", "ab"),
    ] {
        assert_eq!(titled(text).as_deref(), Some(wanted), "{text:?}");
    }
}

#[test]
fn an_empty_or_long_answer_is_no_title() {
    for text in ["", " \n ", "\"\"", &"word ".repeat(13)] {
        assert_eq!(titled(text), None, "{text:?}");
    }
}

#[test]
fn the_request_has_the_beginning_of_the_prompt_only() {
    let sent = messages(&"ü".repeat(5_000));
    let bytes: usize = sent
        .iter()
        .map(|message| match message {
            ChatMessage::System(text) => text.len(),
            ChatMessage::User(text) => text.len(),
            _ => 0,
        })
        .sum();
    assert!((2_000..2_600).contains(&bytes), "{bytes}");
}
