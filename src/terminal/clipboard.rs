//! Puts text where the person can paste it from, and says truthfully where that is.

use std::fmt::Write as _;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt;
use tokio::process::Command;

use crate::base::environment::Environment;

/// Many terminals drop longer `OSC 52` sequences without a word.
const LONGEST_OSC52: usize = 74_994;

/// A clipboard tool that takes longer than this counts as failed.
const TOOL_TIME: Duration = Duration::from_secs(2);

/// The ways there are on this machine, best first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Clipboard {
    /// Programs that put their standard input on the system's clipboard.
    tools: Vec<&'static [&'static str]>,
    /// Over ssh the terminal is elsewhere, and only `OSC 52` reaches its clipboard.
    remote: bool,
    /// The terminal knows control strings at all.
    osc52: bool,
    /// Variables the tools do not get: a tool may stay running to serve the clipboard, and others could read them from
    /// it.
    without: Arc<[String]>,
}

impl Clipboard {
    pub(crate) fn of(environment: &Environment, without: Arc<[String]>) -> Self {
        let mut tools: Vec<&'static [&'static str]> = Vec::new();
        if environment.get("WAYLAND_DISPLAY").is_some() {
            tools.push(&["wl-copy"]);
        }
        if environment.get("DISPLAY").is_some() {
            tools.push(&["xclip", "-selection", "clipboard"]);
            tools.push(&["xsel", "-ib"]);
        }
        if cfg!(target_os = "macos") {
            tools.push(&["pbcopy"]);
        }
        Self {
            tools,
            remote: environment.get("SSH_CONNECTION").is_some() || environment.get("SSH_TTY").is_some(),
            osc52: !matches!(environment.get("TERM"), None | Some("linux" | "dumb")),
            without,
        }
    }

    /// Tries the tools. `Ok` is where the text went; `Err` says that none took it.
    pub(super) async fn by_tool(&self, text: String) -> Result<String, String> {
        if self.remote {
            return Err("the clipboard is at the other end of the connection".to_owned());
        }
        for tool in &self.tools {
            if let Some((program, arguments)) = tool.split_first()
                && self.feed(program, arguments, &text).await
            {
                return Ok("the clipboard".to_owned());
            }
        }
        Err("no clipboard tool took it".to_owned())
    }

    /// The sequence that hands `text` to the terminal. It never answers, so the words do not claim that it took it.
    pub(super) fn by_terminal(&self, text: &str) -> Result<(String, String), String> {
        if !self.osc52 {
            return Err("this terminal has no clipboard, and no clipboard tool was found".to_owned());
        }
        let mut sequence = String::new();
        let command = crossterm::clipboard::CopyToClipboard::to_clipboard_from(text);
        crossterm::Command::write_ansi(&command, &mut sequence).map_err(|error| error.to_string())?;
        if sequence.len() > LONGEST_OSC52 {
            let mut reason = String::new();
            let _ = write!(reason, "{} KB are more than a terminal takes", text.len() / 1024);
            return Err(reason);
        }
        Ok((
            sequence,
            "the terminal, which does not say whether it took it".to_owned(),
        ))
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::Clipboard;
    use crate::base::environment::Environment;

    fn of(pairs: &[(&str, &str)]) -> Clipboard {
        let pairs = pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned()));
        Clipboard::of(&Environment::of(pairs), Arc::default())
    }

    #[test]
    fn the_terminal_gets_the_logical_text_and_nothing_is_claimed() {
        let (bytes, to) = of(&[("TERM", "xterm")]).by_terminal("let a = 1;\n漢字").unwrap();
        assert_eq!(bytes, "\x1b]52;c;bGV0IGEgPSAxOwrmvKLlrZc=\x1b\\");
        assert!(to.contains("does not say"), "{to}");
    }

    #[test]
    fn a_terminal_without_a_clipboard_is_said_to_have_none() {
        assert!(of(&[("TERM", "linux")]).by_terminal("x").is_err());
        assert!(of(&[("TERM", "xterm")]).by_terminal(&"x".repeat(80_000)).is_err());
    }

    #[tokio::test]
    async fn over_ssh_no_tool_of_the_far_machine_is_used() {
        let clipboard = of(&[("DISPLAY", ":0"), ("SSH_CONNECTION", "1 2 3 4"), ("TERM", "xterm")]);
        assert!(clipboard.by_tool("x".to_owned()).await.is_err());
    }

    #[tokio::test]
    async fn a_tool_does_not_get_the_variables_it_must_not_have() {
        let copies = |without: &[&str]| Clipboard {
            tools: vec![&["sh", "-c", "cat >/dev/null; test -z \"$HOME\""]],
            without: without.iter().map(|name| (*name).to_owned()).collect(),
            ..Clipboard::default()
        };
        assert!(copies(&["HOME"]).by_tool("x".to_owned()).await.is_ok());
        assert!(copies(&[]).by_tool("x".to_owned()).await.is_err(), "the check can fail");
    }
}
