//! Option grammar shared by all programs. A row describes each option and operand; anything else is an objection, never a guess.
//!
//! Options are written as words: `a,all` is a flag, `o,output=W` takes a separate value, `color?T` only a glued one. Suffixes:
//! `!` destroys, `~` is unknown, `^` acts elsewhere. `#` stands for `-20`.

use std::sync::OnceLock;

/// Syntax of options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// GNU `getopt_long`: options anywhere, long names may be shortened.
    Gnu,
    /// Like `Gnu`, but options end at the first operand.
    Posix,
    /// Long names behind one dash, as `openssl` and `java` have them.
    Single,
    /// Like `Single`, with values glued to single letters as in compilers: `-O2`, `-Iinclude`.
    Glued,
    /// GNU, and each long name has its `--no-`.
    Negates,
}

/// Effect of a program, apart from its options and operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Base {
    /// Only reads and prints.
    Reads,
    /// Changes nothing that was there.
    Plain,
    /// Runs the project's own code.
    Project,
    /// Tells about the project, for which it may run code of it: in the read-only sandbox nobody need be asked.
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
    /// A file whose content is read.
    Read,
    /// A file that lists files to be read.
    List,
    /// A file or folder of which only names, sizes and times are told.
    Names,
    /// A folder read with all below it.
    Tree,
    Write,
    Append,
    /// A folder in which files are made, under names that are not said.
    Folder,
    /// A folder or file that is made, and nothing else in it.
    Made,
    /// The rest is a command.
    Command,
    /// The rest belongs to another program, `python -m pytest -q`.
    Rest,
    /// A command line for a shell.
    Script,
    /// A program or code that is run and not followed.
    Doubt,
    /// Another machine.
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
    /// Only glued: `--color=always`, `-B4`.
    Glued(Kind),
    /// Two words behind it.
    Two(Kind, Kind),
}

#[derive(Debug)]
pub(super) struct Opt {
    pub(super) names: Vec<&'static str>,
    pub(super) takes: Takes,
    pub(super) mark: Mark,
}

/// A program's grammar with its options told apart, which is done when it is first asked for.
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

/// A program's grammar, as data.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spec {
    /// All its names, separated by blanks; `git log` for a command of a program.
    pub(super) names: &'static str,
    pub(super) base: Base,
    pub(super) style: Style,
    pub(super) options: &'static [&'static str],
    /// One letter an operand, the last one for all that follow; empty: it has none.
    pub(super) operands: &'static str,
    /// Description for a person.
    pub(super) does: &'static str,
    /// Handler for arguments that contain code.
    pub(super) code: Code,
    /// Every long option that does more than read is listed, so a short form of one is certain.
    pub(super) complete: bool,
}

/// Programs that need more than a grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    None,
    /// The first operand names a row of its own.
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
    /// Output is known if the input is.
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

    /// Whether an option that is not listed does no more than read: in the sandbox there is nothing else it could do.
    pub(super) fn is_lenient(&self) -> bool {
        let code = matches!(
            self.code,
            Code::None | Code::Print | Code::Grep | Code::Jq | Code::GitReads
        );
        self.complete && self.base == Base::Reads && code
    }

    /// Whether nothing that could stand in a word that is not known would do harm.
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
    /// Returns the option as written in a command line.
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
