//! A command line as it was understood when its call was prepared. Policy, dialog and log speak of this value; nobody
//! reads the line or looks at the disk a second time.

use super::permission::CommandClass;
use super::review::CommandPart;
use serde::{Deserialize, Serialize};

/// The line, what it would do, and what it would touch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine {
    pub(crate) command: String,
    /// The folder it runs in, as it is shown: `.` is the workspace.
    pub(crate) workdir: String,
    pub(crate) runs_in: RunsIn,
    pub(crate) analysis: Analysis,
    /// What keeps a rule from allowing it, as the disk stood then. Looked for in plain lines only: the others always ask.
    pub(crate) reaches: Vec<Reach>,
    /// Paths that a search through folders would reach and must not read. The sandbox hides them; without one no rule allows the line.
    pub(crate) below: Vec<Reach>,
    /// The person is asked to let it run outside the sandbox.
    pub(crate) unconfined: bool,
}

/// Programs that run by default without a sandbox, on literal paths inside the workspace.
const CORE: [&str; 9] = ["ls", "cat", "head", "tail", "wc", "grep", "find", "pwd", "echo"];

impl CommandLine {
    /// Whether it is one of the few literal commands that need no sandbox.
    pub(crate) fn is_core(&self) -> bool {
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

    /// The secret files that a search goes past, as far as they were found.
    pub(crate) fn hidden(&self) -> impl Iterator<Item = &str> {
        self.below.iter().filter_map(|reach| match reach {
            Reach::SecretBelow { path } => Some(path.as_str()),
            _ => None,
        })
    }
}

/// Rules of commands are written for the workspace's own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunsIn {
    Workspace,
    Elsewhere,
}

/// The class of a line, why, and each command in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Analysis {
    pub(crate) class: CommandClass,
    pub(crate) because: String,
    pub(crate) parts: Vec<CommandPart>,
    /// Files it would write, existing or not, as far as they are known.
    pub(crate) writes: Vec<String>,
    /// What it would remove, as far as its words say it.
    pub(crate) removes: Vec<Target>,
    /// Every name under which it would put something, from the folder it runs in.
    pub(crate) placed: Vec<Placed>,
    /// What its words say it looks at, relative to the folder it runs in. Complete only where `reads_only` holds.
    pub(crate) readings: Vec<Reading>,
    /// Every part is a known program that, given these words, only reads and prints.
    pub(crate) reads_only: bool,
    /// Some part may run code of the project: a build, a test, a task. By default only parts that describe the project or print are allowed.
    pub(crate) runs_project_code: bool,
    /// The commands of a plain list or pipeline, each judged alone: what rules may allow one by one.
    pub(crate) steps: Option<Vec<Step>>,
    /// Why there are none, where rules could allow the line otherwise.
    pub(crate) written: Option<Written>,
    /// The first word that names a file of another process below `/proc`, or may.
    pub(crate) process_file: Option<String>,
    /// The first program in it that would wait for somebody to type.
    pub(crate) interactive: Option<Interactive>,
    /// Set only when the line is exactly one command: no redirection, substitution, assignment, pattern.
    pub(crate) plain: Option<PlainCommand>,
}

/// Why it is not known letter by letter which commands a line runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Written {
    /// A redirection writes or reads a file.
    Redirected,
    /// A substitution, a variable or a pattern stands in it.
    Expanded,
    /// A variable is set.
    Assigned,
    /// A loop, a condition, a function, a group, a command in the background.
    Compound,
    /// There are more of them than are judged one by one.
    Long,
    /// What one of them does is decided by what it is given to read.
    Fed,
    /// Quoted blanks or signs: without the quotes the letters are another line.
    Quoted,
}

/// What parts words for `bash`: every other letter without a shape belongs to a word.
pub(crate) const BLANKS: [char; 3] = [' ', '\t', '\n'];

/// A path in a command, from the folder the line runs in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) path: String,
    /// `*`, `?` and `[` in it stand for other letters.
    pub(crate) glob: bool,
    /// Not all of it, but what a search at and below it finds.
    pub(crate) search: Option<Search>,
}

/// What a search for files chooses, as far as its words are simple.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Search {
    /// A pattern for the name.
    pub(crate) name: Option<String>,
    pub(crate) any_case: bool,
    /// Only files, only folders, only links.
    pub(crate) kind: Option<FoundKind>,
    /// Its words choose further: it finds no more than this says.
    pub(crate) chooses_further: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FoundKind {
    File,
    Folder,
    Link,
}

/// A program that waits for a terminal, which no command here has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Interactive {
    pub(crate) program: String,
    pub(crate) instead: Instead,
}

/// What does the work of an interactive program without a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Instead {
    /// The file tools, or `sed`.
    Edit,
    /// A debugger told all its commands at once.
    Debug,
    /// Nothing: it asks the person for a password.
    Person,
    /// The command itself, whose output is shown.
    Run,
    /// A script, or code as an option.
    Script,
    /// A statement as an option.
    Query,
    /// Programs that print.
    Print,
    /// One picture of what it would show again and again.
    Snapshot,
}

/// One command of a line whose every word is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) command: PlainCommand,
    pub(crate) class: CommandClass,
    pub(crate) reads_only: bool,
    /// What stands behind it may run in another folder.
    pub(crate) leaves: bool,
}

/// A name under which a line puts something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Placed {
    pub(crate) path: String,
    pub(crate) put: Put,
}

/// Whether it can be told what comes to lie under a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Put {
    /// A file, or a folder whose names are known.
    Known,
    /// A link, a copied folder, an unpacked archive: any name may stand below.
    Unseen,
}

/// A file or folder that a line looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    pub(crate) path: String,
    pub(crate) depth: Depth,
    /// It holds `*`, `?` or `[`, and stands for the names that fit.
    pub(crate) pattern: bool,
}

/// How much of what a reading names is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Names, sizes, times; no content.
    Names,
    /// The content of this file.
    Itself,
    /// The content of everything below, names with a dot in front left out.
    Visible,
    /// The content of everything below.
    All,
    /// The same, and the names are parted at blanks, so none may hold one.
    Words,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlainCommand {
    pub(crate) words: Vec<String>,
    /// Every word after the first that could name a file: no option, or the value of one.
    pub(crate) paths: Vec<String>,
}

impl PlainCommand {
    /// The words with a blank between them, where they read as these words again.
    pub(crate) fn exact(&self) -> Option<String> {
        let reads_alike = |word: &String| {
            let apart = |c: char| c.is_whitespace() || c.is_control() || ";&|<>()`$\"'\\#!".contains(c);
            !word.is_empty() && !word.contains(apart)
        };
        self.words.iter().all(reads_alike).then(|| self.words.join(" "))
    }
}

/// One thing a harmless-looking line would touch that no rule can allow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Reach {
    /// Memory, environment or open files of another process.
    Process { path: String },
    /// A path that is a secret by its name.
    Secret { path: String },
    /// A path behind which a secret lies.
    LeadsToSecret { path: String },
    /// A file to be written that other programs obey or run without asking.
    Obeyed { path: String },
    /// Somewhere in the line, not as one plain path.
    NamesSecret,
    /// A search of whole folders would read it.
    SecretBelow { path: String },
    /// A search may follow this link out of the workspace.
    LinkBelow { path: String },
    /// There was more below than could be looked at.
    Unseen,
    /// A path outside the workspace.
    Outside { path: String },
    /// A path that could not be followed, and why; mostly because it leads out of the workspace.
    Unfollowed { path: String, reason: String },
}

impl Reach {
    /// Whether only a person may let it pass, whatever stands in for one.
    pub(crate) fn needs_person(&self) -> bool {
        !matches!(self, Self::Outside { .. } | Self::Unfollowed { .. })
    }

    /// Whether it is met by going through folders, and not named.
    pub(crate) fn is_met(&self) -> bool {
        matches!(self, Self::SecretBelow { .. } | Self::LinkBelow { .. } | Self::Unseen)
    }

    /// Whether this comes before another as the reason to ask. Of one kind the first in the line counts.
    pub(crate) fn rank(&self) -> u8 {
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
