//! A command line, analysed once when its call is prepared. Policy, dialog and log use the result, and do not parse the
//! line or check the disk again.

use super::permission::CommandClass;
use super::review::CommandPart;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandLine {
    pub command: String,
    pub workdir: String,
    pub runs_in: RunsIn,
    pub analysis: Analysis,
    /// Effects on files that no rule may allow. Empty unless the line is plain, because other lines need approval
    /// anyway.
    pub reaches: Vec<Reach>,
    /// Secret paths that a recursive search would read. The sandbox hides these paths. Without a sandbox, no rule
    /// allows the line.
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

/// Whether a command runs in the workspace's own folder. Rules only apply to commands in that folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunsIn {
    Workspace,
    Elsewhere,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    pub class: CommandClass,
    pub because: String,
    pub parts: Vec<CommandPart>,
    pub writes: Vec<String>,
    pub removes: Vec<Target>,
    pub placed: Vec<Placed>,
    /// Paths that the line reads, relative to its folder. Complete only if `reads_only` is set.
    pub readings: Vec<Reading>,
    /// Whether all commands, with these arguments, are known to only read and print.
    pub reads_only: bool,
    /// Whether a command may run code of the project, such as a build, a test or a task. By default, such a command is
    /// allowed only if it describes the project or prints text.
    pub runs_project_code: bool,
    pub steps: Option<Vec<Step>>,
    /// Reason why `steps` is `None`. Set only if rules could otherwise allow the line.
    pub written: Option<Written>,
    /// First word that may be the path of another process's file below `/proc`.
    pub process_file: Option<String>,
    pub interactive: Option<Interactive>,
    /// The command, if the line has exactly one, without redirection, substitution, assignment or glob.
    pub plain: Option<PlainCommand>,
}

/// Reason why the exact commands of a line cannot be determined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Written {
    Redirected,
    Expanded,
    Assigned,
    Compound,
    /// Too many commands to check each one.
    Long,
    Fed,
    /// Quoted blanks or special characters, which would have another meaning without quotes.
    Quoted,
}

/// Characters that separate words in `bash`. Other invisible characters belong to words.
pub const BLANKS: [char; 3] = [' ', '\t', '\n'];

/// A path in a command, relative to the folder of the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub path: String,
    pub glob: bool,
    pub search: Option<Search>,
}

/// Tests with which a search such as `find` restricts the found files. `chooses_further`: there are other tests.
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

/// A program that cannot work because it needs a terminal, which commands do not have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interactive {
    pub program: String,
    pub instead: Instead,
}

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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    pub command: PlainCommand,
    pub class: CommandClass,
    pub reads_only: bool,
    /// Whether the command may change the folder in which later commands run.
    pub leaves: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed {
    pub path: String,
    pub put: Put,
}

/// Whether the content of a newly created path is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    Known,
    /// A link, a copied folder, or an extracted archive. The new path may contain files of any name.
    Unseen,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    pub path: String,
    pub depth: Depth,
    pub pattern: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Names, sizes and times, but no content.
    Names,
    Itself,
    /// The content of all files below, except hidden ones.
    Visible,
    All,
    /// Like `All`, but the program splits file names at blanks. A file name with a blank is therefore not allowed.
    Words,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainCommand {
    pub words: Vec<String>,
    /// Arguments that may be file paths: non-option arguments, and the values of options.
    pub paths: Vec<String>,
}

impl PlainCommand {
    /// Joins the words with blanks. `None` if the result would be parsed differently.
    pub fn exact(&self) -> Option<String> {
        let reads_alike = |word: &String| {
            let apart = |c: char| c.is_whitespace() || c.is_control() || ";&|<>()`$\"'\\#!".contains(c);
            !word.is_empty() && !word.contains(apart)
        };
        self.words.iter().all(reads_alike).then(|| self.words.join(" "))
    }
}

/// An effect of a plain line that no rule may allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    Process {
        path: String,
    },
    /// A path whose name indicates a secret.
    Secret {
        path: String,
    },
    LeadsToSecret {
        path: String,
    },
    /// A file that other programs run or follow without approval, such as a git hook.
    Obeyed {
        path: String,
    },
    /// The line contains the name of a secret file, but not as a separate path.
    NamesSecret,
    SecretBelow {
        path: String,
    },
    LinkBelow {
        path: String,
    },
    /// The folder is too large to search.
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
    /// Whether only a person may approve this effect. An automatic approval is not sufficient.
    pub fn needs_person(&self) -> bool {
        !matches!(self, Self::Outside { .. } | Self::Unfollowed { .. })
    }

    pub fn is_met(&self) -> bool {
        matches!(self, Self::SecretBelow { .. } | Self::LinkBelow { .. } | Self::Unseen)
    }

    /// Returns the rank of the effect. The effect with the lowest rank is shown as the reason. Among equal ranks, the
    /// first in the line is shown.
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
