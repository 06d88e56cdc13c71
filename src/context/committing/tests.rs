use super::*;
use benchdog_base::id::BlobId;
use benchdog_domain::staged::Files;

fn of(text: &str) -> String {
    message(&Reply {
        text: text.to_owned(),
        ..Reply::default()
    })
}

#[test]
fn only_the_message_of_an_answer_counts() {
    assert_eq!(of("fix: a thing\n"), "fix: a thing");
    assert_eq!(of("\"fix: a thing\""), "fix: a thing");
    assert_eq!(
        of("Here it is:\n```text\nfix: a thing\n\nBecause.\n```\nDone."),
        "fix: a thing\n\nBecause."
    );
    assert_eq!(of("修正: 端数\nなぜなら"), "修正: 端数\n\nなぜなら");
    assert_eq!(of("  \n"), "");
    assert!(of(&"word ".repeat(10_000)).len() <= SUBJECT);
}

#[test]
fn the_request_has_the_habit_the_files_and_says_what_is_cut() {
    let staged = Staged {
        files: Files {
            digest: BlobId::of(b""),
            stat: " a.rs | 2 +-".to_owned(),
        },
        diff: String::new(),
        cut: true,
        secret: Vec::new(),
        subjects: vec!["docs: one".to_owned()],
    };
    let messages = messages(&staged, "-a\n+b\n");
    let Some(ChatMessage::User(text)) = messages.last() else {
        panic!()
    };
    for part in ["docs: one", "a.rs | 2", "+b", "the rest is not shown"] {
        assert!(text.contains(part), "{part}: {text:?}");
    }
}
