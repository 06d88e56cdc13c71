//! Option grammar of all programs. A row describes each option and operand of a program. An undescribed word is an
//! objection, never a guess.
//!
//! Options are written as words: `a,all` is a flag, `o,output=W` takes a separate value, and `color?T` takes only an
//! attached value, as in `--color=never`. Suffixes give the effect: `!` destroys, `~` is unknown, `^` acts on other
//! systems. `#` is a number option such as `-20`.

use std::sync::OnceLock;

/// Syntax of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// GNU `getopt_long`: options may be anywhere, and long names may be abbreviated.
    Gnu,
    /// Like `Gnu`, but options end at the first operand.
    Posix,
    /// Long names after one dash, as in `openssl` and `java`.
    Single,
    /// Like `Single`, with values attached to single letters as in compilers: `-O2`, `-Iinclude`.
    Glued,
    /// Like `Gnu`, and each long name also has a `--no-` form.
    Negates,
}

/// Effect of a program, apart from its options and operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// Only reads and prints.
    Reads,
    /// Changes no existing files.
    Plain,
    /// Runs the project's own code.
    Project,
    /// Describes the project, and may run its code to do so. Needs no approval in the read-only sandbox.
    Tells,
    /// Acts on other machines, services or processes.
    External,
    Unknown,
    Danger,
}

/// Meaning of an operand or of an option's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Read,
    /// A file that lists the paths of files to read.
    List,
    /// A file or folder of which the program only shows names, sizes and times.
    Names,
    /// A folder that is read recursively.
    Tree,
    Write,
    Append,
    /// A folder in which the program creates files under unknown names.
    Folder,
    /// A new file or an empty new folder.
    Made,
    /// This word and the rest are a command.
    Command,
    /// This word and the rest are arguments of another program, as in `python -m pytest -q`.
    Rest,
    /// A command line for a shell.
    Script,
    /// A program or code that runs and is not analysed.
    Doubt,
    Remote,
}

/// Effect of an option, whatever its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    None,
    Danger,
    Doubt,
    External,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    Value(Kind),
    /// Takes only an attached value: `--color=always`, `-B4`.
    Glued(Kind),
    /// Takes the next two words as values.
    Two(Kind, Kind),
}

#[derive(Debug)]
pub(super) struct Opt {
    pub(super) names: Vec<&'static str>,
    pub(super) takes: Takes,
    pub(super) mark: Mark,
}

/// A program's grammar. Its options are parsed on first use.
#[derive(Debug)]
pub(super) struct Row {
    spec: Spec,
    parsed: OnceLock<Vec<Opt>>,
}

impl std::ops::Deref for Row {
    type Target = Spec;

    fn deref(&self) -> &Spec {
        &self.spec
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Spec {
    /// Program names, separated by blanks, or a subcommand such as `git log`.
    pub(super) names: &'static str,
    pub(super) base: Base,
    pub(super) style: Style,
    pub(super) options: &'static [&'static str],
    /// One letter for each operand. The last letter applies to all further operands. Empty for no operands.
    pub(super) operands: &'static str,
    /// Description for a person.
    pub(super) does: &'static str,
    pub(super) code: Code,
    /// Whether the row lists all long options with effects beyond reading, so that abbreviations are unambiguous.
    pub(super) complete: bool,
}

/// Programs that need more than a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    None,
    /// The first operand selects another row.
    Verbs,
    /// Like `Verbs`, but the verb may follow options.
    Services,
    Awk,
    Builtin,
    Compress,
    Copy,
    Curl,
    Dd,
    Env,
    Find,
    Formatter,
    Git,
    GitBranch,
    GitCheckout,
    GitConfig,
    GitReads,
    GitRemote,
    Grep,
    Jq,
    Interpreter,
    Kill,
    Make,
    Planned,
    /// The output is known if the input is known.
    Print,
    Python,
    Remove,
    Rsync,
    Sed,
    Shell,
    Sqlite,
    Tar,
    Tee,
    Wrapper,
    Xargs,
}

impl Spec {
    pub(super) const fn new(names: &'static str, base: Base, does: &'static str) -> Self {
        Self {
            names,
            base,
            style: Style::Gnu,
            options: &[],
            operands: "",
            does,
            code: Code::None,
            complete: false,
        }
    }

    pub(super) const fn takes(self, options: &'static [&'static str], operands: &'static str) -> Self {
        Self {
            options,
            operands,
            ..self
        }
    }

    pub(super) const fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }

    pub(super) const fn code(self, code: Code) -> Self {
        Self { code, ..self }
    }

    pub(super) const fn complete(self) -> Self {
        Self { complete: true, ..self }
    }
}

impl Row {
    pub(super) fn of(spec: Spec) -> Self {
        Self {
            spec,
            parsed: OnceLock::new(),
        }
    }

    pub(super) fn opts(&self) -> &[Opt] {
        self.parsed.get_or_init(|| {
            self.options
                .iter()
                .flat_map(|text| text.split_whitespace())
                .map(option)
                .collect()
        })
    }

    /// Whether an unlisted option is assumed only to read. The sandbox prevents other effects.
    pub(super) fn is_lenient(&self) -> bool {
        let code = matches!(
            self.code,
            Code::None | Code::Print | Code::Grep | Code::Jq | Code::GitReads
        );
        self.complete && self.base == Base::Reads && code
    }

    /// Whether an unknown word is harmless at any position.
    pub(super) fn is_harmless(&self) -> bool {
        let harmless = |kind: Kind| matches!(kind, Kind::Text | Kind::Read | Kind::List | Kind::Names | Kind::Tree);
        let base = matches!(
            self.base,
            Base::Reads | Base::Plain | Base::Project | Base::Tells | Base::External
        );
        base && self.complete
            && matches!(self.code, Code::None | Code::Print | Code::Grep | Code::Jq)
            && self.operands.chars().all(|letter| harmless(kind(letter)))
            && self.opts().iter().all(|opt| {
                let value = match opt.takes {
                    Takes::Nothing => true,
                    Takes::Value(kind) | Takes::Glued(kind) => harmless(kind),
                    Takes::Two(one, other) => harmless(one) && harmless(other),
                };
                value && opt.mark == Mark::None
            })
    }
}

fn option(text: &'static str) -> Opt {
    let (text, mark) = match text.as_bytes().last() {
        Some(b'!') => (text.trim_end_matches('!'), Mark::Danger),
        Some(b'~') => (text.trim_end_matches('~'), Mark::Doubt),
        Some(b'^') => (text.trim_end_matches('^'), Mark::External),
        _ => (text, Mark::None),
    };
    let letter = |rest: &str| rest.chars().next().map_or(Kind::Doubt, kind);
    let (names, takes) = match (text.split_once('='), text.split_once('?')) {
        (Some((names, rest)), _) if rest.len() == 2 => (
            names,
            Takes::Two(letter(rest), rest.chars().nth(1).map_or(Kind::Doubt, kind)),
        ),
        (Some((names, rest)), _) if !names.is_empty() => (names, Takes::Value(letter(rest))),
        (_, Some((names, rest))) if !names.is_empty() => (names, Takes::Glued(letter(rest))),
        _ => (text, Takes::Nothing),
    };
    Opt {
        names: names.split(',').collect(),
        takes,
        mark,
    }
}

pub(super) fn kind(letter: char) -> Kind {
    match letter {
        'T' => Kind::Text,
        'R' => Kind::Read,
        'M' => Kind::Names,
        'F' => Kind::List,
        'D' => Kind::Tree,
        'W' => Kind::Write,
        'A' => Kind::Append,
        'O' => Kind::Folder,
        'E' => Kind::Made,
        'C' => Kind::Command,
        'Z' => Kind::Rest,
        'S' => Kind::Script,
        'N' => Kind::Remote,
        _ => Kind::Doubt,
    }
}

impl Opt {
    pub(super) fn name(&self) -> String {
        let name = self
            .names
            .iter()
            .max_by_key(|name| name.len())
            .copied()
            .unwrap_or_default();
        if name.len() > 1 {
            format!("--{name}")
        } else {
            format!("-{name}")
        }
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.names.contains(&name)
    }
}
