//! Arguments of `benchdog sessions`.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand, ValueEnum};

use benchdog_domain::history::given_title;
use benchdog_lang::{Word, word};

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List sessions, newest first.
    List {
        #[arg(long, value_enum, default_value_t = SessionFormat::Text)]
        format: SessionFormat,
        /// List the sessions that can be restored instead.
        #[arg(long)]
        deleted: bool,
    },
    /// Print a whole session.
    Show {
        id: String,
        #[arg(long, value_enum, default_value_t = SessionFormat::Text)]
        format: SessionFormat,
    },
    /// Copy a session into a new one, up to an entry or the end.
    Fork {
        id: String,
        /// The last entry to copy. Without it, all entries.
        #[arg(long, value_name = "ENTRY")]
        upto: Option<u64>,
    },
    /// Give a session another title.
    Rename {
        id: String,
        #[arg(value_parser = title)]
        title: String,
    },
    /// Delete a session permanently.
    Delete { id: String },
    /// Restore a session that was deleted in the workbench less than a day ago.
    Restore { id: String },
    /// Find prompts, answers, calls, paths and commands in all sessions. Exits with 1 if nothing is found.
    Search {
        /// The words that an entry must contain. Quote a phrase: '"date bug"'.
        #[arg(required = true)]
        text: Vec<String>,
        /// Print one JSON object per hit.
        #[arg(long)]
        json: bool,
    },
    /// Write a session as a document or for import. Known secrets are replaced by placeholders.
    Export(ExportArgs),
    /// Import a session: JSON Lines of `export`, or a log of codex, claude-code, vibe, aider or `opencode export`.
    Import {
        /// The file to import, or a folder of vibe.
        file: PathBuf,
    },
    /// Remove sessions that were deleted more than a day ago, and checkpoints that no `/undo` needs.
    Gc {
        /// Print one JSON object.
        #[arg(long)]
        json: bool,
    },
    /// Check one session or all of them for damage.
    Check {
        id: Option<String>,
        /// Save the readable entries of a damaged session into a new session. The damaged file is kept.
        #[arg(long)]
        repair: bool,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SessionFormat {
    Text,
    Json,
    Jsonl,
    Markdown,
}

#[derive(Debug, Clone, Args)]
pub(crate) struct ExportArgs {
    pub(crate) id: String,
    /// The format. Without it, the extension of FILE decides, or else `jsonl`.
    #[arg(long, value_enum)]
    format: Option<ExportFormat>,
    /// The file to create. Benchdog never replaces an existing file. Without it, the export is printed to standard
    /// output.
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// List the secrets that would be replaced, and export nothing.
    #[arg(long)]
    pub(crate) preview: bool,
}

impl ExportArgs {
    pub(crate) fn format(&self) -> ExportFormat {
        let of_file = || self.output.as_deref().and_then(ExportFormat::of_file);
        self.format.or_else(of_file).unwrap_or(ExportFormat::Jsonl)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// JSON Lines with everything, for `benchdog sessions import`.
    Jsonl,
    #[value(name = "md", alias = "markdown")]
    Markdown,
    /// One page without scripts or references to the network.
    Html,
}

impl ExportFormat {
    fn of_file(file: &Path) -> Option<Self> {
        match file.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "jsonl" => Some(Self::Jsonl),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            _ => None,
        }
    }
}

/// A session, and its last entry to copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ForkOf {
    pub(crate) session: String,
    pub(crate) entry: Option<u64>,
}

fn title(text: &str) -> Result<String, String> {
    let title = given_title(text);
    if title.is_empty() {
        return Err(word(Word::TitleEmpty).to_owned());
    }
    Ok(title)
}

pub(super) fn fork(text: &str) -> Result<ForkOf, String> {
    let wanted = || word(Word::WantedFork).to_owned();
    let (session, entry) = match text.split_once('@') {
        Some((session, entry)) => (session, Some(entry.parse().map_err(|_| wanted())?)),
        None => (text, None),
    };
    if session.is_empty() {
        return Err(wanted());
    }
    let session = session.to_owned();
    Ok(ForkOf { session, entry })
}
