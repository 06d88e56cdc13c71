//! A session as Markdown, for reading and for export. Bytes that would steer a terminal are shown, not sent.

use std::io::{self, Write};

use crate::domain::entry::{Body, Entry};
use crate::domain::history::History;
use crate::domain::message::Arguments;
use crate::domain::session::SessionMeta;
use crate::lang;

pub(super) fn write_markdown(meta: &SessionMeta, history: &History, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {}\n", plain(super::title(meta)))?;
    writeln!(out, "- session: `{}`", meta.id)?;
    writeln!(out, "- folder: `{}`", plain(&meta.workspace))?;
    if let Some(model) = &meta.model {
        writeln!(out, "- model: `{}`", plain(&model.to_string()))?;
    }
    writeln!(out, "- created: {}\n", meta.created.rfc3339())?;
    for entry in history.entries() {
        write_entry(entry, out)?;
    }
    Ok(())
}

fn write_entry(entry: &Entry, out: &mut dyn Write) -> io::Result<()> {
    match &entry.body {
        Body::User { text, .. } => writeln!(out, "## User\n\n{}\n", plain(text)),
        Body::Assistant { text, calls, error, .. } => {
            writeln!(out, "## Assistant\n\n{}\n", plain(text))?;
            for call in calls {
                let arguments = match &call.arguments {
                    Arguments::Object(object) => serde_json::to_string(object)?,
                    Arguments::Raw(raw) => raw.clone(),
                };
                writeln!(out, "- call `{}` {}", plain(&call.name), plain(&arguments))?;
            }
            match error {
                Some(error) => writeln!(out, "\n> {}\n", plain(&lang::cut(error))),
                None => writeln!(out),
            }
        }
        Body::ToolResult {
            tool,
            title,
            summary,
            output,
            ..
        } => {
            writeln!(out, "### {} {}: {}\n", plain(tool), plain(title), plain(summary))?;
            fenced(output, out)
        }
        Body::Approval {
            tool,
            decision,
            because,
            ..
        } => {
            let decided = serde_json::to_value(decision.name()).unwrap_or_default();
            let decided = decided.as_str().unwrap_or_default().to_owned();
            writeln!(out, "- approval of {}: {decided} ({})\n", plain(tool), plain(because))
        }
        Body::Change {
            path, added, removed, ..
        } => writeln!(out, "- changed `{}` +{added} -{removed}\n", plain(path)),
        Body::Todo { items } => writeln!(out, "### Todo\n\n{}", plain(&items.lines())),
        Body::Validation {
            command,
            summary,
            output,
            ..
        } => {
            writeln!(out, "### Validation `{}`: {}\n", plain(command), plain(summary))?;
            fenced(output, out)
        }
        Body::Shell {
            command,
            output,
            summary,
            ..
        } => {
            writeln!(out, "## Shell `{}`: {}\n", plain(command), plain(summary))?;
            fenced(output, out)
        }
        Body::Model { model } => writeln!(out, "- model: `{}`\n", plain(&model.to_string())),
        Body::Agent { agent } => writeln!(out, "- agent: `{}`\n", plain(&agent.0)),
        Body::Notice(notice) => writeln!(out, "> {}\n", plain(&lang::notice(notice).joined())),
        Body::Unknown(_) => writeln!(out, "> An entry of a later version is here.\n"),
        // The result says how the call went; the end of a turn is seen by what follows.
        Body::CallStarted { .. } | Body::TurnEnded { .. } => Ok(()),
    }
}

/// In a fence longer than any inside the text.
fn fenced(text: &str, out: &mut dyn Write) -> io::Result<()> {
    let longest = text.split(|letter| letter != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    writeln!(out, "{fence}\n{}\n{fence}\n", plain(text).trim_end_matches('\n'))
}

/// Control and direction characters replaced by a visible mark; line ends and tabs stay.
pub(super) fn plain(text: &str) -> String {
    let steers = |letter: char| {
        (letter.is_control() && letter != '\n' && letter != '\t')
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200e}' | '\u{200f}')
    };
    text.replace("\r\n", "\n")
        .chars()
        .map(|letter| if steers(letter) { '\u{fffd}' } else { letter })
        .collect()
}
