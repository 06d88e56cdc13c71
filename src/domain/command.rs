//! A command line as analysed when its call was prepared. Policy, dialog and log use this value.
//! Nothing parses the line or checks the disk again.

use super::permission::CommandClass;
use super::review::CommandPart;
use serde::{Deserialize, Serialize};

/// A command line with its analysis and the files it would touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    pub command: String,
    pub workdir: String,
    pub runs_in: RunsIn,
    pub analysis: Analysis,
    /// Findings on disk that no rule may allow. Only for plain lines, because others always need approval.
    pub reaches: Vec<Reach>,
    /// Secret paths that a recursive search would read. The sandbox hides them. Without one, no rule allows the line.
    pub below: Vec<Reach>,
    pub unconfined: bool,
}

const CORE: [&str; 9] = ["ls", "cat", "head", "tail", "wc", "grep", "find", "pwd", "echo"];

impl CommandLine {
    pub fn is_core(&self) -> bool {
        let is_core = |plain: &PlainCommand| {
            let mut words = plain.words.iter();
            let named = words.next().is_some_and(|program| CORE.contains(&program.as_str()));
            named
                && words.all(|word| {
                    !word.starts_with("--")
                        && !word.starts_with(['/', '~'])
                        && !word.contains(['@', ':'])
                        && !word.contains("..")
                })
        };
        self.runs_in == RunsIn::Workspace
            && self.analysis.reads_only
            && self.reaches.is_empty()
            && self.below.is_empty()
            && self.analysis.plain.as_ref().is_some_and(is_core)
    }

    pub fn hidden(&self) -> impl Iterator<Item = &str> {
        self.below.iter().filter_map(|reach| match reach {
            Reach::SecretBelow { path } => Some(path.as_str()),
            _ => None,
        })
    }
}

/// The folder of a command. Rules apply to the workspace's own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsIn {
    Workspace,
    Elsewhere,
}

/// The class of a line, the reason, and its commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    pub class: CommandClass,
    pub because: String,
    pub parts: Vec<CommandPart>,
    pub writes: Vec<String>,
    pub removes: Vec<Target>,
    pub placed: Vec<Placed>,
    /// The paths it reads, relative to its folder. Complete only if `reads_only` is set.
    pub readings: Vec<Reading>,
    /// Whether every part is a known program that, with these words, only reads and prints.
    pub reads_only: bool,
    /// Whether a part may run code of the project: a build, a test, a task. By default, only parts that
    /// describe the project or print are allowed.
    pub runs_project_code: bool,
    pub steps: Option<Vec<Step>>,
    /// The reason why `steps` is empty although rules could allow the line.
    pub written: Option<Written>,
    /// The first word that may name a file of another process below `/proc`.
    pub process_file: Option<String>,
    pub interactive: Option<Interactive>,
    /// Set only for exactly one command, without redirection, substitution, assignment or pattern.
    pub plain: Option<PlainCommand>,
}

/// The reason why the exact commands of a line are unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    Redirected,
    Expanded,
    Assigned,
    Compound,
    /// More commands than are judged one by one.
    Long,
    Fed,
    /// Quoted blanks or signs, which mean something else without the quotes.
    Quoted,
}

/// The characters that separate words in `bash`. Other invisible characters belong to words.
pub const BLANKS: [char; 3] = [' ', '\t', '\n'];

/// A path in a command, relative to the folder of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub path: String,
    pub glob: bool,
    pub search: Option<Search>,
}

/// The criteria of a file search, if they are simple.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Search {
    pub name: Option<String>,
    pub any_case: bool,
    pub kind: Option<FoundKind>,
    pub chooses_further: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FoundKind {
    File,
    Folder,
    Link,
}

/// A program that needs a terminal. Commands have none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interactive {
    pub program: String,
    pub instead: Instead,
}

/// An alternative to an interactive program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Instead {
    Edit,
    Debug,
    Person,
    Run,
    Script,
    Query,
    Print,
    Snapshot,
}

/// A command of a line whose words are all known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub command: PlainCommand,
    pub class: CommandClass,
    pub reads_only: bool,
    /// Later commands may run in another folder.
    pub leaves: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub path: String,
    pub put: Put,
}

/// Whether the content under a new name is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    Known,
    /// A link, a copied folder, or an unpacked archive. It may contain any name.
    Unseen,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub path: String,
    pub depth: Depth,
    pub pattern: bool,
}

/// The extent of a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Names, sizes and times, but no content.
    Names,
    Itself,
    /// The content of everything below, except names with a leading dot.
    Visible,
    All,
    /// As `All`, and the names are split at blanks, so none may contain one.
    Words,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainCommand {
    pub words: Vec<String>,
    /// Every word after the first that may name a file: no option, or the value of one.
    pub paths: Vec<String>,
}

impl PlainCommand {
    /// Joins the words with blanks. `None` if the result would parse differently.
    pub fn exact(&self) -> Option<String> {
        let reads_alike = |word: &String| {
            let apart = |c: char| c.is_whitespace() || c.is_control() || ";&|<>()`$\"'\\#!".contains(c);
            !word.is_empty() && !word.contains(apart)
        };
        self.words.iter().all(reads_alike).then(|| self.words.join(" "))
    }
}

/// A finding in a plain line that no rule may allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    Process {
        path: String,
    },
    /// A path whose name marks it as a secret.
    Secret {
        path: String,
    },
    LeadsToSecret {
        path: String,
    },
    /// A file that other programs obey or run without approval.
    Obeyed {
        path: String,
    },
    /// The line names a secret, but not as a plain path.
    NamesSecret,
    SecretBelow {
        path: String,
    },
    LinkBelow {
        path: String,
    },
    /// The folder is too large to check.
    Unseen,
    Outside {
        path: String,
    },
    Unfollowed {
        path: String,
        reason: String,
    },
}

impl Reach {
    /// Whether only a person may approve it, not an automatic approval.
    pub fn needs_person(&self) -> bool {
        !matches!(self, Self::Outside { .. } | Self::Unfollowed { .. })
    }

    pub fn is_met(&self) -> bool {
        matches!(self, Self::SecretBelow { .. } | Self::LinkBelow { .. } | Self::Unseen)
    }

    /// Returns the priority as the displayed reason. Of equal ones, the first in the line is used.
    pub fn rank(&self) -> u8 {
        match self {
            Self::Process { .. } => 0,
            Self::Secret { .. }
            | Self::Obeyed { .. }
            | Self::LeadsToSecret { .. }
            | Self::NamesSecret
            | Self::SecretBelow { .. }
            | Self::LinkBelow { .. }
            | Self::Unseen => 1,
            Self::Outside { .. } | Self::Unfollowed { .. } => 2,
        }
    }
}
