//! Going through what was said, and taking it along.

use super::transcript::{answer, result, user};
use super::*;
use crate::app::msg::EditTicket;
use crate::domain::tool::CallStatus;

#[test]
fn a_long_prompt_shows_its_beginning_and_its_end_until_it_is_opened() {
    let mut bench = Bench::new(80, 60);
    let pasted: String = (1..=40).map(|n| format!("pasted {n}\n")).collect();
    bench.entry(user(&format!("{pasted}what is this?")));
    bench.entry(user(&format!("{} the end", "wide ".repeat(1_000))));
    let has = |bench: &Bench, text: &str| bench.screen().iter().any(|row| row.contains(text));
    for shown in ["pasted 5", "41 lines", "what is this?", "1002 words", "the end"] {
        assert!(has(&bench, shown), "{shown}: {:?}", bench.screen());
    }
    assert!(!has(&bench, "pasted 20"));
    bench.keys("alt-2 [ [ o");
    assert!(has(&bench, "pasted 20"));
    assert_eq!(
        bench.state.conversation.copy().unwrap(),
        format!("{pasted}what is this?")
    );
}

#[test]
fn one_goes_from_prompt_to_prompt() {
    let mut bench = Bench::new(80, 14);
    for n in 1..=9 {
        bench.entry(user(&format!("prompt {n}")));
        bench.entry(answer(&"words\n\n".repeat(20)));
    }
    let first = |bench: &Bench| bench.screen().into_iter().find(|row| row.contains("prompt"));
    bench.keys("alt-2 [");
    assert_eq!(first(&bench).as_deref(), Some("prompt 9"));
    bench.keys("[ [");
    assert_eq!(first(&bench).as_deref(), Some("prompt 7"));
    bench.keys("]");
    assert_eq!(first(&bench).as_deref(), Some("prompt 8"));
    bench.keys(&"[ ".repeat(20));
    assert_eq!(first(&bench).as_deref(), Some("prompt 1"));
}

#[test]
fn code_is_copied_block_by_block_as_it_was_written() {
    let mut bench = Bench::new(80, 40);
    bench.entry(answer(
        "One:\n```rust\nfn a() {}\n\n\tb();\n```\nTwo:\n```\nplain\n```\n",
    ));
    bench.keys("alt-2 c c c");
    let copied: Vec<(&str, &str)> = bench
        .ops
        .iter()
        .filter_map(|op| match op {
            Op::Copy { text, what } => Some((text.as_str(), what.as_str())),
            _ => None,
        })
        .collect();
    let first = ("fn a() {}\n\n\tb();\n", "code 1 of 2");
    assert_eq!(copied, [first, ("plain\n", "code 2 of 2"), first]);
}

#[test]
fn the_conversation_is_read_in_an_editor_as_plain_text() {
    let mut bench = Bench::new(80, 40);
    bench.entry(user("why?"));
    bench.entry(result(
        "1",
        "bash",
        "make",
        CallStatus::Ok,
        "exit 0",
        "\x1b[31mred\x1b[0m\n",
    ));
    bench.entry(answer("It **is** so."));
    bench.types("/transcript");
    bench.keys("enter");
    let opened = bench.ops.iter().find_map(|op| match op {
        Op::OpenEditor {
            ticket: EditTicket::Transcript,
            text,
            ..
        } => Some(text.clone()),
        _ => None,
    });
    let text = opened.expect("the editor was asked for");
    assert!(
        text.starts_with("## you\nwhy?\n\nbash make\n") && text.contains("It **is** so."),
        "{text}"
    );
    assert!(!text.contains('\x1b') && text.contains("red"), "{text}");
}
