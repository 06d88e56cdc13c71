use tokio::process::Command;

use super::*;

fn starter() -> OnTerminal {
    Arc::new(|words: Vec<OsString>| {
        Box::pin(async move {
            let (program, arguments) = words.split_first().unwrap();
            Command::new(program).args(arguments).kill_on_drop(true).status().await
        })
    })
}

async fn edit_until(script: &str, text: &str, end: oneshot::Receiver<()>) -> Result<Option<String>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("editor");
    std::fs::write(&path, script).unwrap();
    Editor::of(&format!("sh {}", path.display()), starter())
        .unwrap()
        .edit(("src/money.rs", Some(3)), text, end)
        .await
}

async fn edit(script: &str, text: &str) -> Result<Option<String>, String> {
    let (_never, end) = oneshot::channel();
    edit_until(script, text, end).await
}

#[tokio::test]
async fn what_the_editor_wrote_comes_back_whole() {
    let script = "case \"$1\" in */money.rs) printf ' and 漢字' >> \"$1\";; esac";
    assert_eq!(edit(script, "draft").await, Ok(Some("draft and 漢字".to_owned())));
}

#[tokio::test]
async fn what_an_editor_does_not_show_is_put_back_and_nothing_else() {
    let lost = "printf 'AA\\nb\\n' > \"$1\"";
    for (given, expected) in [
        ("\u{feff}a\r\nb\r\n", "\u{feff}AA\r\nb\r\n"),
        ("a\r\nb\n", "AA\nb\n"),
        ("a\nb\n", "AA\nb\n"),
        ("a", "AA\nb\n"),
    ] {
        assert_eq!(edit(lost, given).await, Ok(Some(expected.to_owned())));
    }
    assert_eq!(edit("printf 'a\\nb\\n' > \"$1\"", "a\r\nb\r\n").await, Ok(None));
}

#[tokio::test]
async fn what_an_editor_wrote_that_is_no_text_is_refused() {
    let why = edit("printf 'a\\000b' > \"$1\"", "draft").await.unwrap_err();
    assert!(why.contains("zero byte"), "{why}");
}

#[tokio::test]
async fn leaving_without_a_change_changes_nothing() {
    assert_eq!(edit("true", "draft").await, Ok(None));
}

#[tokio::test]
async fn an_editor_that_fails_or_is_missing_is_named() {
    assert!(edit("exit 3", "draft").await.unwrap_err().contains("`sh` ended with"));
    let (_never, end) = oneshot::channel();
    let missing = Editor::of("no-such-editor-here", starter())
        .unwrap()
        .edit(("a", None), "b", end)
        .await
        .unwrap_err();
    assert!(
        missing.contains("`no-such-editor-here` could not be started"),
        "{missing}"
    );
    assert!(Editor::of("  ", starter()).is_none());
}

#[tokio::test]
async fn what_an_editor_had_saved_counts_when_it_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let saved = folder.path().join("saved");
    let (tell, end) = oneshot::channel();
    let script = format!(
        "printf ' goes on' >> \"$1\"; touch {}; exec sleep 61.0601",
        saved.display()
    );
    let editing = tokio::spawn(async move { edit_until(&script, "draft", end).await });
    while !saved.exists() {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    tell.send(()).unwrap();
    assert_eq!(editing.await.unwrap(), Ok(Some("draft goes on".to_owned())));
}

#[test]
fn a_line_is_told_to_editors_that_take_it_and_to_no_other() {
    let words = |program: &str, line: Option<usize>| -> Vec<String> {
        let words = at_line(program, Path::new("/t/a.rs"), line).into_iter();
        words.map(|word| word.into_string().unwrap()).collect()
    };
    for program in ["vim", "/usr/bin/nvim", "nano", "emacs"] {
        assert_eq!(words(program, Some(56)), ["+56", "/t/a.rs"], "{program}");
    }
    assert_eq!(words("hx", Some(56)), ["/t/a.rs:56"]);
    assert_eq!(words("code", Some(56)), ["-g", "/t/a.rs:56"]);
    for (program, line) in [("sh", Some(56)), ("myvim", Some(56)), ("vim", None), ("code", None)] {
        assert_eq!(words(program, line), ["/t/a.rs"], "{program}");
    }
}
