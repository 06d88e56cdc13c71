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

#[test]
fn a_co_author_is_a_trailer_once_and_never_the_whole_message() {
    let with = |message: &str, author: Option<&str>| with_co_author(message.to_owned(), author);
    let author = Some("Benchdog <bot@example.org>");
    let whole = "fix: a thing\n\nCo-authored-by: Benchdog <bot@example.org>";
    assert_eq!(with("fix: a thing", author), whole);
    assert_eq!(with(whole, author), whole);
    assert_eq!(
        with("fix: a thing", Some("A <a@b>\nReviewed-by: C <c@d>")),
        "fix: a thing\n\nCo-authored-by: A <a@b>"
    );
    for (message, author) in [("", author), ("fix: a thing", None), ("fix: a thing", Some(" "))] {
        assert_eq!(with(message, author), message);
    }
}
