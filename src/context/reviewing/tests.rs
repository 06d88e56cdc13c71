use super::*;
use benchdog_domain::review::FileChange;

fn file(path: &str, before: Option<&str>, after: Option<&str>) -> Compared {
    let side = |text: Option<&str>| text.map(|text| text.as_bytes().into());
    Compared {
        change: FileChange {
            path: path.to_owned(),
            operation: if before.is_none() {
                FileOperation::Create
            } else {
                FileOperation::Update
            },
            before: side(before),
            after: side(after),
            mode_after: None,
            note: None,
        },
        unread: None,
    }
}

fn told(files: Vec<Compared>, room: usize) -> Reviewing {
    prompt(
        "",
        &Comparison {
            files,
            ..Comparison::default()
        },
        room,
        |path| path.ends_with(".env"),
    )
}

#[test]
fn changes_are_told_file_by_file_and_secrets_are_not() {
    let it = told(
        vec![
            file("a.rs", Some("one\n"), Some("eins\n")),
            file(".env", None, Some("KEY=x\n")),
            file("bin", None, Some("\0x")),
        ],
        10_000,
    );
    assert!(
        it.prompt.contains("--- a/a.rs\n+++ b/a.rs\n@@ -1 +1 @@\n-one\n+eins\n"),
        "{}",
        it.prompt
    );
    assert!(it.prompt.contains("+++ b/bin\nnot text: 2 bytes"), "{}", it.prompt);
    assert!(!it.prompt.contains("KEY=x"), "{}", it.prompt);
    assert_eq!((it.cut, it.secret), (0, vec![".env".to_owned()]));
}

#[test]
fn what_does_not_fit_is_cut_by_whole_lines_and_said() {
    let long: String = (0..500).map(|n| format!("line {n}\n")).collect();
    let files = (0..6).map(|n| file(&format!("f{n}.rs"), None, Some(&long)));
    let it = told(files.collect(), 6_000);
    assert_eq!(it.cut, 6);
    assert!(it.prompt.len() < 7_500, "{}", it.prompt.len());
    assert!(
        it.prompt.contains("more lines of this diff are not shown"),
        "{}",
        it.prompt
    );
    assert!(it.prompt.contains("not shown for want of room"), "{}", it.prompt);
    assert!(it.prompt.contains("+++ b/f5.rs"), "{}", it.prompt);
    assert!(!it.prompt.contains("line 499"), "{}", it.prompt);
}

#[test]
fn the_room_is_a_quarter_of_the_window_within_bounds() {
    assert_eq!([room(0), room(32_768), room(1_000_000)], [4_096, 24_576, MOST]);
}
