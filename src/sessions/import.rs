//! `sessions import`: Benchdog's own JSON Lines, and the logs of other programs.
//!
//! Files are read line by line and written in pieces, so that memory use does not grow with the log. If a file has an
//! error, no session is created.

mod aider;
mod builder;
mod claude;
mod codex;
mod lines;
mod opencode;
mod own;
mod vibe;

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::SessionsError;
use benchdog_base::text::clean;
use benchdog_domain::session::SessionMeta;
use benchdog_lang::{Word, word};
use builder::Builder;
use lines::Lines;

#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    #[error("this is no session of Benchdog, codex, opencode, claude-code, vibe or aider")]
    Unknown,
    #[error("{0}")]
    Json(String),
    #[error("entry {id} comes after entry {last}")]
    Order { id: u64, last: u64 },
    #[error("the stored file `{0}` has other bytes than its name says")]
    Blob(String),
    #[error("the line is longer than {} MB", lines::MOST >> 20)]
    Long,
    #[error("it contains no prompt")]
    Empty,
}

impl From<serde_json::Error> for Flaw {
    fn from(error: serde_json::Error) -> Self {
        // Remove the position inside the line, because it does not help the person.
        let text = error.to_string();
        Self::Json(text.split(" at line ").next().unwrap_or_default().to_owned())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Benchdog,
    Codex,
    Opencode,
    Claude,
    Vibe,
    Aider,
}

/// Imports the sessions of a file, and returns them. `folder` is used if the log contains no folder.
pub fn import(data: &Path, file: &Path, folder: &Path) -> Result<Vec<SessionMeta>, SessionsError> {
    let file = log_of(file);
    let origin = origin_of(&file)?;
    let foreign = |name: &'static str| Builder::begin(data, name, &file, folder);
    match origin {
        Origin::Benchdog => Ok(vec![own::import(data, &file)?]),
        Origin::Codex => read(&file, foreign("codex")?, codex::read),
        Origin::Claude => read(&file, foreign("claude-code")?, claude::read),
        Origin::Vibe => read(&file, foreign("vibe")?, vibe::read),
        Origin::Opencode => opencode::read(&file, foreign("opencode")?),
        Origin::Aider => aider::read(&file, || foreign("aider")),
    }
}

pub fn told(meta: &SessionMeta) -> String {
    let title = super::title(meta);
    format!("{} {}  {}", word(Word::Imported), meta.id, clean(&title))
}

fn read(
    file: &Path,
    mut builder: Builder,
    each: fn(&mut Builder, &Value) -> Result<(), SessionsError>,
) -> Result<Vec<SessionMeta>, SessionsError> {
    if let Some(meta) = vibe::description(file) {
        vibe::describe(&mut builder, &meta);
    }
    let mut lines = Lines::open(file)?;
    while let Some(line) = lines.next()? {
        let value = serde_json::from_slice(line).map_err(Flaw::from);
        let value = value.map_err(|flaw| lines.flawed(flaw))?;
        each(&mut builder, &value)?;
    }
    Ok(vec![builder.finish()?])
}

/// Returns the path of the log. For vibe, `file` may be the folder of the log or the description next to it.
fn log_of(file: &Path) -> PathBuf {
    if file.is_dir() {
        file.join(vibe::MESSAGES)
    } else if file.file_name().is_some_and(|name| name == vibe::DESCRIPTION) {
        file.with_file_name(vibe::MESSAGES)
    } else {
        file.to_owned()
    }
}

/// Recognises a log by its first line.
fn origin_of(file: &Path) -> Result<Origin, SessionsError> {
    let mut lines = Lines::open(file)?;
    let unknown = || SessionsError::Flawed {
        file: file.to_owned(),
        line: None,
        flaw: Flaw::Unknown,
    };
    let Some(first) = lines.next()? else {
        return Err(unknown());
    };
    if first.starts_with(aider::BEGINS.as_bytes()) {
        return Ok(Origin::Aider);
    }
    let bare = first.trim_ascii();
    if bare == b"{" || bare.starts_with(b"{\"info\"") {
        return Ok(Origin::Opencode);
    }
    let Ok(Value::Object(value)) = serde_json::from_slice(bare) else {
        return Err(unknown());
    };
    let text = |key: &str| value.get(key).and_then(Value::as_str);
    match text("type") {
        _ if value.get("session").is_some_and(Value::is_object) => Ok(Origin::Benchdog),
        Some("session_meta") => Ok(Origin::Codex),
        // Codex logs of early 2025 begin with a description that has no type.
        None if text("id").is_some() && text("timestamp").is_some() => Ok(Origin::Codex),
        Some(_)
            if ["sessionId", "leafUuid", "messageId", "uuid"]
                .iter()
                .any(|key| text(key).is_some()) =>
        {
            Ok(Origin::Claude)
        }
        _ if text("role").is_some() => Ok(Origin::Vibe),
        _ => Err(unknown()),
    }
}

#[cfg(test)]
mod tests;
