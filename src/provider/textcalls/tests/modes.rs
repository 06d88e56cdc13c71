//! Tests of text calls in answers with native calls, in reasoning, and in truncated answers.

use super::{Mode, Recogniser, tools};
use crate::textcalls::{CallError, ParsedCalls};

const CALL: &str = "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}</tool_call>";

fn beside_native(text: &str) -> ParsedCalls {
    let mut recogniser = Recogniser::new(tools(), Mode::Open);
    let mut shown = String::new();
    recogniser.push("So.\n", &mut shown);
    recogniser.note_native_call();
    recogniser.push(text, &mut shown);
    recogniser.finish(true, &mut shown)
}

#[test]
fn beside_calls_of_the_server_a_call_in_marks_at_the_start_of_a_line_is_a_leak() {
    let found = beside_native(CALL);
    assert_eq!((found.calls.len(), found.leaks), (1, 1));
    for text in [
        &format!("then {CALL}"),
        &format!("```\n{CALL}\n```"),
        "<bash><command>ls</command></bash>",
        "```tool_call\n{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}\n```",
        "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"l",
    ] {
        let found = beside_native(text);
        assert_eq!(
            (found.calls.len(), found.leaks, found.malformed.len()),
            (0, 0, 0),
            "{text}"
        );
    }
}

#[test]
fn a_thought_makes_only_complete_calls_in_marks() {
    assert_eq!(
        Recogniser::find_in_thought(&format!("I should\n{CALL}"), tools())
            .calls
            .len(),
        1
    );
    for text in [
        "{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}",
        "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"ls\"}}",
        &format!("I could write {CALL} but that would be wrong."),
        &format!("{CALL}\nNo."),
    ] {
        assert_eq!(Recogniser::find_in_thought(text, tools()).calls.len(), 0, "{text}");
    }
}

#[test]
fn a_cut_answer_makes_no_call() {
    for text in [CALL.to_owned(), format!("{CALL}\n{CALL}"), format!("{CALL} and")] {
        let mut recogniser = Recogniser::new(tools(), Mode::Open);
        let mut shown = String::new();
        recogniser.push(&text, &mut shown);
        let found = recogniser.finish(false, &mut shown);
        assert!(found.calls.is_empty());
        assert_eq!(
            found.malformed.first().map(|malformed| &malformed.why),
            Some(&CallError::Cut(Some("bash".to_owned()))),
            "{text}"
        );
    }
}

#[test]
fn a_call_that_is_cut_names_its_tool_as_soon_as_it_was_read() {
    for (text, tool) in [
        (
            "<tool_call>{\"name\": \"bash\", \"arguments\": {\"command\": \"l",
            Some("bash"),
        ),
        ("<tool_call>{\"arguments\": {\"name\": 1}, \"name\": \"ba", None),
        ("<function=bash>\n<parameter=command>\nls", Some("bash")),
        ("<invoke name=\"bash\">\n<para", Some("bash")),
        ("[TOOL_CALLS]bash[ARGS]{\"comm", Some("bash")),
        ("<tool_call>{\"name\": \"bash", None),
        ("<tool_call>{\"name\": \"launch\", \"arguments\": {", None),
    ] {
        let mut recogniser = Recogniser::new(tools(), Mode::Open);
        let mut shown = String::new();
        recogniser.push(text, &mut shown);
        let found = recogniser.finish(false, &mut shown);
        let whys: Vec<_> = found.malformed.into_iter().map(|malformed| malformed.why).collect();
        assert_eq!(whys, [CallError::Cut(tool.map(str::to_owned))], "{text}");
    }
}

#[test]
fn text_is_shown_as_soon_as_it_cannot_begin_a_call() {
    let mut recogniser = Recogniser::new(tools(), Mode::Open);
    for (piece, expected) in [
        ("a <", "a"),
        (" b", " < b"),
        (" <tool", ""),
        ("box>", " <toolbox>"),
        (" <tool_call>", ""),
        (" is", ""),
        (" a", " <tool_call> is a"),
        ("\n```js", "\n```js"),
        ("\n<tool_call>{}</tool_call>", "\n<tool_call>{}</tool_call>"),
    ] {
        let mut shown = String::new();
        recogniser.push(piece, &mut shown);
        assert_eq!(shown, expected, "{piece:?}");
    }
}

#[test]
fn json_that_is_no_call_is_shown_at_its_first_key() {
    for text in ["{\"title\": \"", "[{\"title\": \"", "[1"] {
        let mut recogniser = Recogniser::new(tools(), Mode::Open);
        let mut shown = String::new();
        for piece in text.split_inclusive(|_: char| true) {
            recogniser.push(piece, &mut shown);
        }
        assert_eq!(shown, text);
    }
}
