//! Imports the chats of aider from `.aider.chat.history.md`. One file contains all chats of a folder, and each chat
//! becomes a session.
//!
//! `#### ` begins a line of the user, and `> ` a line of the program. All other lines are the answer.

use std::path::Path;

use super::SessionsError;
use super::builder::Builder;
use super::lines::Lines;
use benchdog_base::clock::Time;
use benchdog_domain::session::SessionMeta;

pub(super) const BEGINS: &str = "# aider chat started at ";

const USER: &str = "#### ";
const PROGRAM: &str = ">";

/// Commands that send a prompt. Other commands only change the chat.
const PROMPTS: &[&str] = &["/ask ", "/code ", "/architect "];

pub(super) fn read(
    file: &Path,
    begin: impl Fn() -> Result<Builder, SessionsError>,
) -> Result<Vec<SessionMeta>, SessionsError> {
    let folder = std::path::absolute(file)
        .ok()
        .and_then(|file| Some(file.parent()?.display().to_string()));
    let mut chats: Vec<Chat> = Vec::new();
    let mut lines = Lines::open(file)?;
    while let Some(line) = lines.next_of_any_kind()? {
        let line = String::from_utf8_lossy(line);
        if let Some(time) = line.strip_prefix(BEGINS) {
            let mut builder = begin()?;
            builder.at(Time::of_rfc3339(time));
            builder.workspace(folder.as_deref().unwrap_or_default());
            if let Some(last) = chats.last_mut() {
                last.flush()?;
            }
            // Drop a chat without a prompt.
            chats.retain(|chat| chat.builder.has_prompt());
            chats.push(Chat::new(builder));
        } else if let Some(chat) = chats.last_mut() {
            chat.line(&line)?;
        }
    }
    if let Some(last) = chats.last_mut() {
        last.flush()?;
    }
    if chats.iter().any(|chat| chat.builder.has_prompt()) {
        chats.retain(|chat| chat.builder.has_prompt());
    }
    chats.into_iter().map(|chat| chat.builder.finish()).collect()
}

struct Chat {
    builder: Builder,
    prompt: String,
    answer: String,
    /// Whether the current line is in a code block, where a line may begin with any characters.
    in_code: bool,
}

impl Chat {
    fn new(builder: Builder) -> Self {
        Self {
            builder,
            prompt: String::new(),
            answer: String::new(),
            in_code: false,
        }
    }

    fn line(&mut self, line: &str) -> Result<(), SessionsError> {
        if !self.in_code && line.starts_with(PROGRAM) {
            return self.flush();
        }
        if let Some(text) = line.strip_prefix(USER).filter(|_| !self.in_code) {
            if !self.answer.is_empty() {
                self.flush()?;
            }
            push_line(&mut self.prompt, text);
            return Ok(());
        }
        if !self.prompt.is_empty() {
            self.flush()?;
        }
        if line.starts_with("```") {
            self.in_code = !self.in_code;
        }
        push_line(&mut self.answer, line);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), SessionsError> {
        let (prompt, answer) = (std::mem::take(&mut self.prompt), std::mem::take(&mut self.answer));
        let prompt = prompt.trim();
        let sent = PROMPTS.iter().find_map(|command| prompt.strip_prefix(command));
        match sent {
            Some(sent) => self.builder.prompt(sent.trim())?,
            None if prompt.is_empty() || prompt.starts_with('/') => {}
            None => self.builder.prompt(prompt)?,
        }
        self.builder.said(answer.trim());
        Ok(())
    }
}

/// Appends a line of the user, without aider's two spaces at its end. Markdown treats these as a line break.
fn push_line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}
