//! Summary shown next to a finished call: `112 lines`, `exit 101 1.9s`, `updated +3 -1`. `lang` translates it for a
//! person. Scripts and the model get the stable English form.

use std::fmt;

use serde::{Deserialize, Serialize, Serializer};

use super::job::JobId;
use super::review::FileOperation;
use benchdog_base::text::grouped;

pub const NO_OUTPUT: &str = "(no output)";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Summary {
    // --- searches ---
    Empty,
    NoMatch,
    Lines {
        lines: u64,
    },
    SomeLines {
        shown: u64,
        lines: u64,
    },
    Unseen {
        images: u64,
    },
    Entries {
        entries: u64,
    },
    SomePages {
        shown: u64,
        pages: u64,
    },
    Files {
        files: u64,
    },
    Matches {
        matches: u64,
    },
    MatchesIn {
        matches: u64,
        files: u64,
    },
    FirstMatches {
        matches: u64,
        files: u64,
    },

    // --- changes ---
    Changed {
        change: Change,
        added: u32,
        removed: u32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        kept: Option<Kept>,
    },
    ChangedFiles {
        files: u64,
        added: u32,
        removed: u32,
        /// Number of proposed changes, if the person rejected some.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of: Option<u64>,
    },
    Unchanged,
    NothingKept,
    Todo {
        done: u64,
        total: u64,
    },

    // --- answers of the person ---
    NoAnswer,
    Answer {
        text: String,
    },
    /// Several answers, as stored by earlier versions.
    Answers {
        answers: u64,
    },
    Findings {
        findings: u64,
    },
    PlanAccepted,
    PlanLeft,
    Proven {
        places: u64,
    },

    // --- subagents ---
    Steps {
        steps: u64,
    },

    // --- commands ---
    Background {
        job: JobId,
    },
    Runs {
        job: JobId,
    },
    Stopped {
        took_ms: u64,
    },
    Exit {
        code: i32,
        took_ms: u64,
    },
    Signal {
        signal: i32,
        took_ms: u64,
    },
    TimedOut {
        took_ms: u64,
    },
    EndUnknown {
        took_ms: u64,
    },

    // --- no result, or a partial one ---
    Denied,
    NotRun,
    Interrupted,
    OutOfTime,
    NotSaved,
    ResultUnknown,
    Failed {
        code: String,
    },

    /// Text that an earlier version stored in place of structured values.
    #[serde(untagged)]
    Words(String),
}

pub const INTERRUPTED: &str = "The user interrupted this call.";
pub const OUT_OF_TIME: &str = "The time of this run was over.";
pub const KILLED: &str = "Benchdog ended before this call was run.";
pub const NOT_SAVED: &str = "The session could not be written to disk, so this call was ended.";
pub const ENDINGS: [&str; 4] = [INTERRUPTED, OUT_OF_TIME, KILLED, NOT_SAVED];
pub const INTERRUPTED_AFTER: &str = "[interrupted after ";

pub const ENDED_MEANWHILE: &str = "Benchdog ended while this call ran. What it did is unknown: look before you go on.";

/// Whether a line only reports an interruption. The call's row already shows the interruption in the person's language.
pub(crate) fn is_interruption(line: &str) -> bool {
    line.starts_with(INTERRUPTED) || (line.starts_with(INTERRUPTED_AFTER) && line.ends_with(']'))
}

/// Removes the final status lines from a command's output. The summary next to the call shows the status.
pub fn without_last_line<'t>(output: &'t str, summary: &Summary) -> &'t str {
    let mut text = output;
    loop {
        let trimmed = text.trim_end();
        let (before, last) = trimmed.rsplit_once('\n').unwrap_or(("", trimmed));
        let is_told = summary.is_last_line(last) || is_interruption(last);
        // Also remove the line about an unknown end, because the summary reports it, unless that line is the only
        // output.
        let is_unseen = last == ENDED_MEANWHILE && !before.trim().is_empty();
        if last.is_empty() || !(is_told || is_unseen) {
            return text;
        }
        text = before;
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    pub hunks: u32,
    pub of: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    Created,
    Updated,
    Deleted,
    Renamed,
    Copied,
}

impl Change {
    pub fn of(operation: &FileOperation) -> Self {
        match operation {
            FileOperation::Create => Self::Created,
            FileOperation::Update => Self::Updated,
            FileOperation::Delete => Self::Deleted,
            FileOperation::Rename { .. } => Self::Renamed,
            FileOperation::Copy { .. } => Self::Copied,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Updated => "updated",
            Self::Deleted => "deleted",
            Self::Renamed => "renamed",
            Self::Copied => "copied",
        }
    }
}

impl Summary {
    /// Returns exit status and duration, such as `exit 101` and `1.9s`. `None` if the summary is not about a command.
    fn command_end(&self) -> Option<(String, String)> {
        let (end, took_ms) = match self {
            Self::Exit { code, took_ms } => (format!("exit {code}"), took_ms),
            Self::Signal { signal, took_ms } => (signal_name(*signal), took_ms),
            Self::TimedOut { took_ms } => ("timeout".to_owned(), took_ms),
            Self::Stopped { took_ms } => ("stopped".to_owned(), took_ms),
            Self::EndUnknown { took_ms } => ("unknown".to_owned(), took_ms),
            _ => return None,
        };
        Some((end, duration(*took_ms)))
    }

    /// Returns the final status line of a command's output, such as `[exit 101, 1.9s]`. For an interrupted command, the
    /// line is a sentence.
    pub fn last_line(&self) -> Option<String> {
        match self {
            Self::Exit { .. } | Self::Signal { .. } => {
                let (end, took) = self.command_end()?;
                Some(format!("[{end}, {took}]"))
            }
            _ => None,
        }
    }

    pub(crate) fn is_last_line(&self, line: &str) -> bool {
        match self {
            Self::Words(words) => line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
                .is_some_and(|line| line.replace(", ", " ") == *words),
            Self::Background { job } | Self::Runs { job } => line.starts_with(&format!("[{job} runs ")),
            _ => self.last_line().is_some_and(|last| last == line),
        }
    }

    pub fn says_duration(&self) -> bool {
        match self {
            Self::Words(words) => {
                let last = words.rsplit(' ').next().unwrap_or_default();
                last.ends_with('s') && last.starts_with(|c: char| c.is_ascii_digit())
            }
            _ => self.command_end().is_some(),
        }
    }

    pub fn notation<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => out.write_str("empty"),
            Self::NoMatch => out.write_str("no match"),
            Self::Lines { lines } => out.write_str(&count(*lines, "line", "lines")),
            Self::Unseen { images } => {
                write!(out, "{} not sent: no image support", count(*images, "image", "images"))
            }
            Self::SomeLines { shown, lines } => {
                write!(out, "{} of {}", grouped(*shown), count(*lines, "line", "lines"))
            }
            Self::SomePages { shown, pages } => {
                write!(out, "{} of {}", grouped(*shown), count(*pages, "page", "pages"))
            }
            Self::Entries { entries } => out.write_str(&count(*entries, "entry", "entries")),
            Self::Files { files } => out.write_str(&count(*files, "file", "files")),
            Self::Matches { matches } => out.write_str(&count(*matches, "match", "matches")),
            Self::MatchesIn { matches, files } => {
                let matches = count(*matches, "match", "matches");
                write!(out, "{matches} in {}", count(*files, "file", "files"))
            }
            Self::FirstMatches { matches, files } => {
                write!(
                    out,
                    "{}+ matches in {}",
                    grouped(*matches),
                    count(*files, "file", "files")
                )
            }
            Self::Changed {
                change,
                added,
                removed,
                kept,
            } => {
                if let Some(Kept { hunks, of }) = kept {
                    write!(out, "{hunks} of {of} hunks, ")?;
                }
                write!(out, "{} +{added} -{removed}", change.name())
            }
            Self::ChangedFiles {
                files,
                added,
                removed,
                of,
            } => {
                write!(out, "{files} ")?;
                if let Some(of) = of {
                    write!(out, "of {of} ")?;
                }
                write!(out, "files +{added} -{removed}")
            }
            Self::Unchanged => out.write_str("unchanged"),
            Self::NothingKept => out.write_str("nothing accepted"),
            Self::Todo { done, total } => write!(out, "{done} of {total} done"),
            Self::NoAnswer => out.write_str("no answer"),
            Self::Answer { text } | Self::Words(text) => out.write_str(text),
            Self::Answers { answers } => write!(out, "{answers} answers"),
            Self::Findings { findings } => out.write_str(&count(*findings, "finding", "findings")),
            Self::PlanAccepted => out.write_str("plan accepted"),
            Self::PlanLeft => out.write_str("plan left"),
            Self::Proven { places } => write!(out, "{places} places"),
            Self::Background { job } => write!(out, "in the background as {job}"),
            Self::Runs { job } => write!(out, "{job} runs"),
            Self::Steps { steps } => out.write_str(&count(*steps, "step", "steps")),
            Self::Exit { .. }
            | Self::Signal { .. }
            | Self::TimedOut { .. }
            | Self::Stopped { .. }
            | Self::EndUnknown { .. } => {
                let (end, took) = self.command_end().unwrap_or_default();
                write!(out, "{end} {took}")
            }
            Self::Denied => out.write_str("denied"),
            Self::NotRun => out.write_str("not run"),
            Self::Interrupted => out.write_str("interrupted"),
            Self::OutOfTime => out.write_str("out of time"),
            Self::NotSaved => out.write_str("not saved"),
            Self::ResultUnknown => out.write_str("result unknown"),
            Self::Failed { code } => out.write_str(&code.replace('_', " ")),
        }
    }
}

fn count(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

pub fn duration(ms: u64) -> String {
    let seconds = ms / 1_000;
    match seconds {
        0..10 => {
            let tenths = (ms + 50) / 100;
            format!("{}.{}s", tenths / 10, tenths % 10)
        }
        10..60 => format!("{seconds}s"),
        _ => format!("{}m {:02}s", seconds / 60, seconds % 60),
    }
}

pub fn signal_name(signal: i32) -> String {
    let name = match signal {
        1 => "HUP",
        2 => "INT",
        3 => "QUIT",
        4 => "ILL",
        6 => "ABRT",
        7 => "BUS",
        8 => "FPE",
        9 => "KILL",
        11 => "SEGV",
        13 => "PIPE",
        15 => "TERM",
        24 => "XCPU",
        25 => "XFSZ",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

#[cfg(test)]
mod tests;
