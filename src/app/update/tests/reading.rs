//! Tests movement in the conversation, and copying.

use super::transcript::{answer, result, user};
use super::*;
use crate::dialogs::Dialog;
use crate::msg::EditTicket;
use benchdog_domain::finding::{Finding, Severity};
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;

#[test]
fn a_long_prompt_shows_its_beginning_and_its_end_until_it_is_opened() {
    let mut bench = Bench::new(80, 60);
    let pasted: String = (1..=40).map(|n| format!("pasted {n}\n")).collect();
    bench.entry(user(&format!("{pasted}what is this?")));
    bench.entry(user(&format!("{} the end", "wide ".repeat(1_000))));
    let has = |bench: &Bench, text: &str| bench.screen().iter().any(|row| row.contains(text));
    for shown in ["pasted 5", "33 lines", "what is this?", "1002 words", "the end"] {
        assert!(has(&bench, shown), "{shown}: {:?}", bench.screen());
    }
    assert!(!has(&bench, "pasted 20"));
    bench.keys("alt-2 [ [ o");
    assert!(has(&bench, "pasted 20"));
    assert_eq!(
        bench.state.screen.conversation.copy().unwrap(),
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
            Op::Copy { text, what } => Some((&**text, what.as_str())),
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

/// Returns the file and line in the viewer, or else the file that was requested.
fn opened(bench: &Bench) -> Option<(String, Option<usize>)> {
    let Some(Dialog::Viewer(viewer)) = &bench.state.screen.dialog else {
        return None;
    };
    let asked = bench.commands().into_iter().rev().find_map(|command| match command {
        Command::OpenFile { path } => Some(path.clone()),
        _ => None,
    });
    assert_eq!(asked.as_ref(), Some(&viewer.path));
    Some((viewer.path.clone(), viewer.wanted))
}

#[test]
fn places_that_an_answer_names_are_opened_at_their_lines_one_after_the_other() {
    let mut bench = Bench::new(80, 40);
    bench.entry(answer(
        "It rounds (`src/total.rs:12`) and prints (`./main.rs:3`); `cargo test` runs.",
    ));
    bench.keys("alt-2 p");
    assert_eq!(opened(&bench), Some(("src/total.rs".to_owned(), Some(11))));
    let text: String = (1..=400).map(|n| format!("line {n}\n")).collect();
    bench.event(Answer::File {
        path: "src/total.rs".to_owned(),
        text: Ok(benchdog_domain::view::Viewed::Text(text.into())),
    });
    let top = |bench: &Bench| match &bench.state.screen.dialog {
        Some(Dialog::Viewer(viewer)) => viewer.top,
        _ => usize::MAX,
    };
    assert_eq!(top(&bench), 8, "three lines above are in view");
    bench.keys("esc p");
    assert_eq!(opened(&bench), Some(("main.rs".to_owned(), Some(2))));
    bench.keys("esc p");
    assert_eq!(opened(&bench), Some(("src/total.rs".to_owned(), Some(11))));
}

fn finding(path: &str, line: u64, severity: Severity, title: &str) -> Finding {
    Finding {
        path: path.to_owned(),
        line,
        severity,
        title: title.to_owned(),
        detail: "Why it is.".to_owned(),
    }
}

fn reviewed(findings: Vec<Finding>) -> Body {
    Body::Shell {
        call: Some(CallId("call_1".to_owned())),
        command: "review".to_owned(),
        output: "Two things.".to_owned(),
        summary: Summary::Findings {
            findings: findings.len() as u64,
        },
        status: CallStatus::Ok,
        findings,
    }
}

#[test]
fn what_a_review_found_are_rows_each_of_which_opens_its_place() {
    let mut bench = Bench::new(60, 30);
    let deep = "a/very/deep/folder/that/goes/on/and/on/and/on/until/it/ends/here.rs";
    bench.entry(reviewed(vec![
        finding("src/total.rs", 12, Severity::Error, "divides by zero"),
        finding(deep, 3, Severity::Note, "\x1b[31mlong"),
    ]));
    let screen = bench.screen();
    let at = |part: &str| screen.iter().position(|row| row.contains(part));
    let first = at("error    src/total.rs:12  divides by zero").unwrap_or_else(|| panic!("{screen:#?}"));
    assert_eq!(at("         Why it is."), Some(first + 1));
    let second = at("note     …").expect("the end of a long path");
    assert_eq!(second, first + 2, "no air between them: {screen:?}");
    assert!(screen[second].contains("here.rs:3") && !screen.concat().contains('\x1b'));
    bench.keys("alt-2 p");
    assert_eq!(
        opened(&bench),
        Some(("src/total.rs".to_owned(), Some(11))),
        "the gravest"
    );
    bench.keys("esc p");
    assert_eq!(opened(&bench), Some((deep.to_owned(), Some(2))));
    bench.keys("esc up up enter");
    assert_eq!(opened(&bench), Some(("src/total.rs".to_owned(), Some(11))));
    bench.keys("esc down p");
    assert_eq!(opened(&bench), Some((deep.to_owned(), Some(2))));
    bench.keys("esc");
    let copied = bench.state.screen.conversation.copy().unwrap();
    assert!(copied.starts_with(deep) && copied.ends_with("Why it is."), "{copied}");
}

#[test]
fn a_review_that_found_nothing_says_so() {
    let mut bench = Bench::new(60, 20);
    bench.entry(reviewed(Vec::new()));
    let screen = bench.screen().concat();
    assert!(screen.contains("The review found no problems."), "{screen}");
}

#[test]
fn many_findings_are_read_from_the_gravest_on() {
    let mut bench = Bench::new(60, 20);
    let one = |n: u64| finding("src/total.rs", n, Severity::Error, "wrong");
    bench.entry(reviewed((1..=30).map(one).collect()));
    let screen = bench.screen().concat();
    assert!(
        screen.contains("src/total.rs:1 ") && !screen.contains("src/total.rs:30"),
        "{screen}"
    );
}
