//! Edits a text in the user's editor, through a private file.

use std::ffi::OsString;
use std::fs;
use std::future::Future;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::Arc;

use tokio::sync::oneshot;

use benchdog_base::id::fresh;
use benchdog_base::text::last_part;

/// Starts a program with arguments on the terminal and waits for its end. Dropping the future ends the program.
pub type OnTerminal =
    Arc<dyn Fn(Vec<OsString>) -> Pin<Box<dyn Future<Output = io::Result<ExitStatus>> + Send>> + Send + Sync>;

#[derive(Clone)]
pub struct Editor {
    words: Vec<String>,
    start: OnTerminal,
}

impl Editor {
    /// Splits the editor command at spaces, without quoting, because no shell is used. `None` if the command is empty.
    pub fn of(command: &str, start: OnTerminal) -> Option<Self> {
        let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        (!words.is_empty()).then_some(Self { words, start })
    }

    pub(super) async fn edit(
        &self,
        (name, line): (&str, Option<usize>),
        text: &str,
        end: oneshot::Receiver<()>,
    ) -> Result<Option<String>, String> {
        let folder = Folder::new().map_err(|error| format!("no file for the editor could be made: {error}"))?;
        let path = folder
            .write(name, text)
            .map_err(|error| format!("no file for the editor could be made: {error}"))?;
        let program = self.run((&path, line), end).await?;
        let after = fs::read(&path).map_err(|error| format!("what `{program}` wrote could not be read: {error}"))?;
        let after = String::from_utf8(after).map_err(|_| format!("what `{program}` wrote is not UTF-8"))?;
        if after.contains('\0') {
            return Err(format!("what `{program}` wrote is no text: it holds a zero byte"));
        }
        let after = with_what_is_not_shown(text, after);
        Ok((after != text).then_some(after))
    }
}

impl Editor {
    pub(super) async fn open(&self, path: &Path, end: oneshot::Receiver<()>) -> Result<(), String> {
        self.run((path, None), end).await.map(drop)
    }

    async fn run(&self, (path, line): (&Path, Option<usize>), end: oneshot::Receiver<()>) -> Result<&str, String> {
        let Some(program) = self.words.first() else {
            return Err("no editor is set".to_owned());
        };
        let mut words: Vec<OsString> = self.words.iter().map(OsString::from).collect();
        words.extend(at_line(program, path, line));
        let running = (self.start)(words);
        let status = tokio::select! {
            status = running => Some(status),
            _ = end => None,
        };
        match status {
            Some(Ok(status)) if !status.success() => {
                Err(format!("`{program}` ended with {status}; the text stays as it was"))
            }
            Some(Err(error)) => Err(format!("`{program}` could not be started: {error}")),
            Some(Ok(_)) | None => Ok(program),
        }
    }
}

/// Returns the arguments to open a file at a line. For an unknown editor, returns only the file.
fn at_line(program: &str, path: &Path, line: Option<usize>) -> Vec<OsString> {
    let name = last_part(program);
    let file = path.as_os_str().to_owned();
    let Some(line) = line else { return vec![file] };
    let with_line = || {
        let mut with_line = file.clone();
        with_line.push(format!(":{line}"));
        with_line
    };
    match name {
        "vi" | "vim" | "gvim" | "nvim" | "nano" | "emacs" | "emacsclient" => vec![format!("+{line}").into(), file],
        "hx" | "helix" => vec![with_line()],
        "code" | "codium" => vec!["-g".into(), with_line()],
        _ => vec![file],
    }
}

/// Restores the byte order mark and the `\r` of line ends in the edited text, because editors may lose them.
fn with_what_is_not_shown(given: &str, mut after: String) -> String {
    let ends = given.matches('\n').count();
    if ends > 0 && given.matches("\r\n").count() == ends && !after.contains('\r') {
        after = after.replace('\n', "\r\n");
    }
    if given.starts_with(BYTE_ORDER_MARK) && !after.starts_with(BYTE_ORDER_MARK) {
        after.insert(0, BYTE_ORDER_MARK);
    }
    after
}

const BYTE_ORDER_MARK: char = '\u{feff}';

struct Folder(PathBuf);

impl Folder {
    fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("benchdog-{}", fresh()));
        fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self(path))
    }

    /// Writes the text to a new file with the last part of `name`, by which editors choose the syntax mode.
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
        // If this fails, the remaining files do no harm: they are private and in the temporary folder.
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests;
