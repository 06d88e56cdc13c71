//! Copies text to the clipboard, and reports where the text went.

pub(crate) mod image;
pub use image::{KEPT, keep_image};
pub mod programs;

use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use self::image::Images;
use benchdog_app::msg::CopiedTo;
use benchdog_base::environment::Environment;

/// The maximum length of an `OSC 52` sequence in bytes. Many terminals silently drop longer sequences.
const LONGEST_OSC52: usize = 74_994;

const TOOL_TIME: Duration = Duration::from_secs(2);

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clipboard {
    tools: Vec<Tool>,
    osc52: bool,
    tmux: bool,
    /// Environment variables that clipboard programs do not inherit. Such a program may keep running after the copy.
    without: Arc<[String]>,
    pub(super) images: Images,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Tool {
    words: &'static [&'static str],
    place: CopiedTo,
}

const fn tool(words: &'static [&'static str]) -> Tool {
    Tool {
        words,
        place: CopiedTo::Clipboard,
    }
}

const TMUX: Tool = Tool {
    words: &["tmux", "load-buffer", "-w", "-"],
    place: CopiedTo::Tmux,
};

impl Clipboard {
    /// Finds the ways to copy in this environment. `kept` is the folder for images from the clipboard.
    pub fn of(environment: &Environment, kept: PathBuf, without: Arc<[String]>) -> Self {
        let tmux = environment.get("TMUX").is_some_and(|socket| !socket.is_empty());
        let mut tools = Vec::new();
        if programs::is_here(environment) {
            tools.extend(programs::that_take_text(environment).map(tool));
        }
        if tmux {
            tools.push(TMUX);
        }
        Self {
            tools,
            tmux,
            osc52: !matches!(environment.get("TERM"), None | Some("linux" | "dumb")),
            images: Images::of(environment, kept, Arc::clone(&without)),
            without,
        }
    }

    pub(super) async fn by_tool(&self, text: &str) -> Option<CopiedTo> {
        for tool in &self.tools {
            if let Some((program, arguments)) = tool.words.split_first()
                && self.feed(program, arguments, text).await
            {
                return Some(tool.place);
            }
        }
        None
    }

    /// Returns the `OSC 52` sequence for `text`. The terminal never confirms the copy, so no message claims success.
    pub(super) fn by_terminal(&self, text: &str) -> Result<(String, CopiedTo), String> {
        if !self.osc52 {
            return Err("this terminal has no clipboard, and no clipboard tool was found".to_owned());
        }
        let too_long = || format!("{} KB are more than a terminal takes", text.len() / 1024);
        // Base64 adds a third to the size. Reject a text that is too long before encoding it.
        if text.len() / 3 * 4 > LONGEST_OSC52 {
            return Err(too_long());
        }
        let mut sequence = String::new();
        let command = crossterm::clipboard::CopyToClipboard::to_clipboard_from(text);
        crossterm::Command::write_ansi(&command, &mut sequence).map_err(|error| error.to_string())?;
        if sequence.len() > LONGEST_OSC52 {
            return Err(too_long());
        }
        if self.tmux {
            sequence = through_tmux(&sequence);
        }
        Ok((sequence, CopiedTo::Terminal))
    }

    async fn feed(&self, program: &str, arguments: &[&str], text: &str) -> bool {
        let mut command = Command::new(program);
        for name in self.without.iter() {
            command.env_remove(name);
        }
        let child = command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let Ok(mut child) = child else { return false };
        let Some(mut input) = child.stdin.take() else {
            return false;
        };
        let work = async {
            input.write_all(text.as_bytes()).await.ok()?;
            drop(input);
            child.wait().await.ok()
        };
        let ended = tokio::time::timeout(TOOL_TIME, work).await;
        let exit = ended.as_ref().ok().copied().flatten().and_then(|status| status.code());
        tracing::debug!(program, exit, bytes = text.len(), "child ended");
        matches!(ended, Ok(Some(status)) if status.success())
    }
}

/// Wraps a sequence so that tmux with `allow-passthrough` forwards it. Otherwise tmux handles it itself.
fn through_tmux(sequence: &str) -> String {
    format!("{sequence}\x1bPtmux;{}\x1b\\", sequence.replace('\x1b', "\x1b\x1b"))
}

#[cfg(test)]
mod tests;
