use super::{cut, dropped, whole};
use benchdog_base::id::CallId;
use benchdog_domain::entry::Body;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;

fn result(output: &str, notes: &[&str]) -> Body {
    Body::ToolResult {
        call: CallId("a".to_owned()),
        tool: "read".to_owned(),
        title: "src/a.rs".to_owned(),
        status: CallStatus::Ok,
        summary: Summary::NotRun,
        output: output.to_owned(),
        truncated: false,
        notes: notes.iter().map(|note| (*note).to_owned().into()).collect(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    }
}

#[test]
fn a_cut_keeps_head_tail_and_notes_and_says_how_the_rest_is_had() {
    let lines: String = (0..200).map(|line| format!("{line}: 一行文字\n")).collect();
    let text = cut(&result(&lines, &["A note."]), 600);
    assert!(
        text.starts_with("0: 一行文字\n1: ") && text.contains("\n199: 一行文字\n"),
        "{text}"
    );
    assert!(text.contains("bytes were taken out here to make room. To read it again: `read` src/a.rs."));
    assert!(text.ends_with("[benchdog] A note."));
    assert!(text.len() < 900, "{}", text.len());
    let missing: usize = {
        let number = text.split("[benchdog] ").nth(1).unwrap().split(' ').next().unwrap();
        number.parse().unwrap()
    };
    assert!(
        missing > lines.len() - 620 && missing < lines.len(),
        "{missing} of {}",
        lines.len()
    );
}

#[test]
fn what_is_hardly_longer_than_its_cut_stays_whole() {
    let text = "word ".repeat(190);
    let body = result(&text, &[]);
    assert_eq!(cut(&body, 600), whole(&body));
    assert_ne!(cut(&body, 400), whole(&body));
}

#[test]
fn a_line_without_an_end_is_cut_between_characters() {
    for keep in 300..330 {
        let text = cut(&result(&"日本語".repeat(400), &[]), keep);
        assert!(text.contains("taken out here"), "{text}");
    }
}

#[test]
fn what_was_taken_out_says_whose_it_was() {
    let said = dropped(&Body::User {
        text: "secret".to_owned(),
        mentions: Vec::new(),
        notes: vec!["note".to_owned().into()],
    });
    assert_eq!(
        said,
        "[benchdog] The user took this message of theirs out of the conversation."
    );
    let ran = dropped(&result("secret", &[]));
    assert!(ran.contains("took this output out") && ran.ends_with("To read it again: `read` src/a.rs."));
}
