//! A text in the person's own editor: a private file, the editor on the terminal, and what came back.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use tokio::process::Command;

/// The command from `$VISUAL` or `$EDITOR`, as words; the file is its last argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Editor(pub(crate) Vec<String>);

impl Editor {
    /// Words are split at spaces; quotes are not interpreted, because no shell is started.
    pub(crate) fn of(command: &str) -> Option<Self> {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self(words))
    }

    /// Runs the editor on `text`. `Ok(None)`: it was left without a change. The terminal must be the editor's.
    pub(super) async fn edit(&self, name: &str, text: &str) -> Result<Option<String>, String> {
        let folder = Folder::new().map_err(|error| format!("no file for the editor could be made: {error}"))?;
        let path = folder
            .write(name, text)
            .map_err(|error| format!("no file for the editor could be made: {error}"))?;
        let Some((program, arguments)) = self.0.split_first() else {
            return Err("no editor is set".to_owned());
        };
        let status = Command::new(program).args(arguments).arg(&path).status().await;
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => return Err(format!("`{program}` ended with {status}; the text stays as it was")),
            Err(error) => return Err(format!("`{program}` could not be started: {error}")),
        }
        let after = fs::read(&path).map_err(|error| format!("what `{program}` wrote could not be read: {error}"))?;
        let after = String::from_utf8(after).map_err(|_| format!("what `{program}` wrote is not UTF-8"))?;
        Ok((after != text).then_some(after))
    }
}

/// A folder only we can read, removed with everything in it.
struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("benchdog-{}", uuid::Uuid::now_v7().simple()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    /// Editors choose their mode by the name, so it is kept; of a path only the last part.
    fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let last = Path::new(name).file_name().unwrap_or_else(|| "text".as_ref());
        let path = self.0.join(last);
        let mut file = fs::OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        file.write_all(text.as_bytes())?;
        Ok(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is private and in the folder for temporary files.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::Editor;

    async fn edit(script: &str, text: &str) -> Result<Option<String>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("editor");
        std::fs::write(&path, script).unwrap();
        Editor::of(&format!("sh {}", path.display()))
            .unwrap()
            .edit("src/money.rs", text)
            .await
    }

    #[tokio::test]
    async fn what_the_editor_wrote_comes_back_whole() {
        let script = "case \"$1\" in */money.rs) printf ' and 漢字' >> \"$1\";; esac";
        assert_eq!(edit(script, "draft").await, Ok(Some("draft and 漢字".to_owned())));
    }

    #[tokio::test]
    async fn leaving_without_a_change_changes_nothing() {
        assert_eq!(edit("true", "draft").await, Ok(None));
    }

    #[tokio::test]
    async fn an_editor_that_fails_or_is_missing_is_named() {
        assert!(edit("exit 3", "draft").await.unwrap_err().contains("`sh` ended with"));
        let missing = Editor::of("no-such-editor-here")
            .unwrap()
            .edit("a", "b")
            .await
            .unwrap_err();
        assert!(
            missing.contains("`no-such-editor-here` could not be started"),
            "{missing}"
        );
        assert_eq!(Editor::of("  "), None);
    }
}
