use super::*;

fn names(count: usize) -> Vec<String> {
    (0..count).map(|number| format!("file-{number}.rs")).collect()
}

fn comment(request: Request, text: &str) -> (String, AiComment) {
    let comment = AiComment {
        line: 7,
        text: text.to_owned(),
        request,
    };
    ("src/a.rs".to_owned(), comment)
}

#[test]
fn the_note_names_a_limited_number_of_files_and_tells_how_many_there_are() {
    assert_eq!(note(&[]), None);
    let one = note(&names(1)).expect("a note");
    assert!(one.contains("1 file was changed: `file-0.rs`."), "{one}");
    let many = note(&names(1_000)).expect("a note");
    assert!(
        many.contains("1000 files were changed, among them `file-0.rs`"),
        "{many}"
    );
    assert!(many.contains("`file-19.rs`") && !many.contains("file-20.rs"), "{many}");
}

#[test]
fn a_question_alone_asks_for_no_change() {
    let question = comment(Request::Answer, "// why AI?");
    let asked = prompt(std::slice::from_ref(&question), &[]);
    assert!(asked.contains("Change no files") && asked.contains("- src/a.rs:7: // why AI?"));
    let both = prompt(
        &[question, comment(Request::Change, "// do AI!")],
        &[comment(Request::Nothing, "// see AI")],
    );
    assert!(both.starts_with("Do what these comments"), "{both}");
    assert!(both.contains("Other comments") && both.ends_with("// see AI"), "{both}");
}

#[test]
fn control_characters_and_markers_of_messages_have_no_effect() {
    let text = prompt(&[comment(Request::Change, "// \u{1b}[2J\tAI!")], &[]);
    assert!(!text.contains('\u{1b}'), "{text}");
}
