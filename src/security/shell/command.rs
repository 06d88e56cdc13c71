//! A simple command: finds its function or program and judges its arguments.

use std::borrow::Cow;

use super::grammar::{Base, Row};
use super::state::{Ending, Field, Input, Output, Value, is_open, nothing, values};
use super::syntax::Simple;
use super::tables::{self, dangerous_names};
use super::texts::glob_matches;
use super::variables::Seen;
use super::walk::{MAX_CALLS, Walker};
use benchdog_domain::permission::CommandClass;

/// Maximum number of analysed bodies of one function.
const MAX_BODIES: usize = 8;

/// Maximum number of nested wrappers, such as `nice timeout 5 env …`.
const MAX_WITHIN: usize = 40;

/// Maximum number of word suffixes of an unknown command that are analysed as commands.
const MAX_TRIALS: usize = 12;

const SYSTEM: &[&str] = &[
    "/bin",
    "/usr/bin",
    "/usr/local/bin",
    "/sbin",
    "/usr/sbin",
    "/opt/homebrew/bin",
];

/// Wrapper scripts in a project that count as the build tool.
const OF_PROJECT: &[&str] = &["./gradlew", "./mvnw"];

const INSTALLED: &[&str] = &["node_modules/.bin", "vendor/bin", ".venv/bin", "venv/bin"];

impl Walker<'_> {
    pub(super) fn simple(&mut self, simple: &Simple, text: &str, input: &Input) -> Output {
        if simple.words.is_empty() {
            for assignment in &simple.assignments {
                let value = self.assign(assignment);
                self.variable(&assignment.name, &value, text, Seen::ByShell);
            }
            if simple.assignments.is_empty() || self.because.is_empty() {
                self.note(CommandClass::Plain, text, "runs no program");
            }
            return nothing();
        }
        let fields = self.fields(&simple.words);
        if simple.assignments.is_empty() {
            return self.command(&fields, input);
        }
        // An assignment before a command applies only to that command, and not to the expansion of its words.
        let shell = fields
            .first()
            .is_some_and(|first| matches!(first.text.as_str(), "read" | "mapfile" | "readarray"));
        let exported = self.state.exported.clone();
        self.state.open_branch();
        for assignment in &simple.assignments {
            let value = self.assign(assignment);
            let seen = if shell { Seen::ByShell } else { Seen::ByPrograms };
            self.variable(&assignment.name, &value, text, seen);
        }
        let written = self.command(&fields, input);
        self.state.close_branch(Ending::Lost);
        self.state.exported = exported;
        written
    }

    /// Judges a command. For a wrapper such as `nice`, this function is called again with the inner command.
    pub(super) fn command(&mut self, fields: &[Field], input: &Input) -> Output {
        if !self.step() {
            return None;
        }
        if self.state.within >= MAX_WITHIN {
            self.doubt_about(fields, "commands within commands, too deep to follow");
            return None;
        }
        self.state.within += 1;
        let written = self.command_here(fields, input);
        self.state.within -= 1;
        written
    }

    fn command_here(&mut self, fields: &[Field], input: &Input) -> Output {
        self.look_for_processes(fields);
        let Some(first) = fields.first() else { return nothing() };
        if first.text.is_empty() {
            self.unknown(fields, "the command's name is empty");
            return None;
        }
        if first.doubtful {
            self.doubt_about(fields, "which command this is depends on the environment");
        }
        let name = first.text.rsplit('/').next().unwrap_or("").to_owned();
        if is_open(&first.text) || name.is_empty() {
            return self.nameless(fields, input);
        }
        if !name
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.+:@%,~[]*?!=".contains(c))
        {
            self.doubt_about(fields, "its name is none that a program has");
            return None;
        }
        if first.glob && name != "[" && first.text.contains(['*', '?', '[']) {
            self.patterned(&name, fields);
            return None;
        }
        let fields = self.guarded(fields);
        if first.text.contains('/') || !self.state.functions.contains_key(&name) {
            return self.known(&name, &fields, input);
        }
        self.function(&name, &fields, input)
    }

    fn function(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let bodies = self.state.functions.get(name).cloned().unwrap_or_default();
        if self.state.depth >= MAX_CALLS || bodies.len() > MAX_BODIES {
            self.doubt_about(fields, "functions within functions, too deep to follow");
            return None;
        }
        self.state.depth += 1;
        for body in bodies {
            self.maybe(|walker| {
                walker.state.positional = values(fields.get(1..).unwrap_or(&[]));
                walker.node(&body, input)
            });
        }
        self.state.depth -= 1;
        tables::program(name).and_then(|_| self.known(name, fields, input))
    }

    /// Marks each pattern that may expand to an option as `elastic`.
    fn guarded<'f>(&self, fields: &'f [Field]) -> Cow<'f, [Field]> {
        let mut fields = Cow::Borrowed(fields);
        for at in 1..fields.len() {
            let loose = |field: &Field| field.glob && !field.elastic && self.may_be_option(&field.text);
            if fields.get(at).is_some_and(loose)
                && let Some(field) = fields.to_mut().get_mut(at)
            {
                field.elastic = true;
            }
        }
        fields
    }

    fn patterned(&mut self, name: &str, fields: &[Field]) {
        if dangerous_names().any(|known| glob_matches(name, known)) {
            self.danger(fields, "its name is a pattern that a dangerous command fits");
        } else {
            self.doubt_about(fields, "its name is a pattern");
        }
    }

    fn nameless(&mut self, fields: &[Field], input: &Input) -> Output {
        self.danger(fields, "which command this is, is not known");
        let only_unknown = fields
            .first()
            .is_some_and(|field| field.elastic && field.text.chars().all(|c| c.is_control()));
        if only_unknown && let Some(rest) = fields.get(1..).filter(|rest| !rest.is_empty()) {
            // The word may expand to nothing. Then the next word is the command.
            self.command(rest, input);
        } else {
            self.ends(fields);
        }
        None
    }

    fn known(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let path = fields.first().map(|field| field.text.as_str()).unwrap_or_default();
        if !path.contains('/') || is_of_system(path) {
            self.look_for_terminals(name, fields, input);
        }
        let Some((row, name)) = tables::program(name) else {
            return self.program(fields, input);
        };
        let installed = path
            .rsplit_once('/')
            .is_some_and(|(folder, _)| INSTALLED.contains(&folder.trim_start_matches("./")));
        let installed = installed && self.state.other_name.is_none() && self.state.folder.as_deref() == Some("");
        if installed {
            self.project(fields, "a tool of the project");
        }
        let elsewhere = path.contains('/') && !is_of_system(path) && !OF_PROJECT.contains(&path) && !installed;
        if elsewhere && row.base != Base::Danger {
            return self.program(fields, input);
        }
        if asks_about(fields) && !elsewhere {
            self.tells(name, fields, &format!("tells about `{name}`"));
            return None;
        }
        self.by_row(row, name, fields, input)
    }

    /// Judges a program that has no grammar row, or whose path is outside the system folders. A readable shell script
    /// is analysed. Any other program is unknown.
    fn program(&mut self, fields: &[Field], input: &Input) -> Output {
        let path = fields.first().map(|field| field.text.clone()).unwrap_or_default();
        let fetched = self.state.fetched && path.contains('/') && self.is_made_here(&path);
        if path.contains('/')
            && !is_of_system(&path)
            && let Some(text) = self.file_text(&path)
            && is_shell(&text)
        {
            return self.script_file(&path, &text, fields);
        }
        if fetched {
            self.catastrophe(fields, "it runs what was fetched from another machine");
        } else {
            self.unknown(fields, "this program is not known");
        }
        self.try_ends(fields, input);
        None
    }

    /// Whether this line has written the file with unknown content.
    pub(super) fn is_made_here(&self, path: &str) -> bool {
        self.state
            .places(path)
            .iter()
            .any(|place| self.state.written(place).is_some_and(Option::is_none))
    }

    /// Analyses every suffix of an unknown command's words as a command, because the program may run any of them.
    pub(super) fn ends(&mut self, fields: &[Field]) {
        self.try_ends(fields, &Input::Unknown);
    }

    fn try_ends(&mut self, fields: &[Field], input: &Input) {
        self.try_outputs(fields);
        if self.trying || self.state.depth >= MAX_CALLS {
            return;
        }
        let mut inner = Walker::new(self.world, "");
        inner.trying = true;
        inner.fuel = self.fuel.clone();
        inner.state.depth = self.state.depth + 1;
        inner.state.within = self.state.within;
        inner.state.fetched = self.state.fetched;
        inner.state.folder.clone_from(&self.state.folder);
        for at in 1..fields.len().min(MAX_TRIALS) {
            let Some(end) = fields.get(at..) else { break };
            self.step();
            if end
                .first()
                .is_some_and(|first| tables::danger_words(&first.text) || tables::program(&first.text).is_some())
            {
                inner.command(end, input);
            }
            let words = end.first().map(|first| first.text.as_str()).unwrap_or_default();
            let script = words
                .split_once('=')
                .filter(|_| words.starts_with('-'))
                .map_or(words, |(_, value)| value);
            if script.contains([' ', ';', '\n']) && tables::danger_words(script) {
                inner.script(script, &Input::Unknown);
            }
        }
        if inner.class >= CommandClass::Dangerous {
            self.note_of(inner.class, fields, &inner.because);
        }
    }

    /// Treats the value of `-o` and similar options as a file to overwrite, as most programs do.
    fn try_outputs(&mut self, fields: &[Field]) {
        let names = |pair: &[Field]| {
            let [option, next] = pair else { return None };
            let (name, value) = option.text.split_once('=').unwrap_or((&option.text, &next.text));
            let name = name.trim_start_matches('-');
            let writes =
                name == "o" || name.ends_with("out") || ["out", "log"].iter().any(|start| name.starts_with(start));
            (option.text.starts_with('-') && writes).then(|| Field::of(value))
        };
        let last = fields
            .iter()
            .rev()
            .take(1)
            .flat_map(|last| [last.clone(), Field::default()]);
        let found: Vec<Field> = fields
            .windows(2)
            .chain([last.collect::<Vec<_>>().as_slice()])
            .filter_map(names)
            .collect();
        for file in found {
            if self.is_there(&file) {
                self.danger(fields, &format!("may overwrite `{}`, which exists", file.text));
            }
        }
    }

    pub(super) fn script_file(&mut self, path: &str, text: &str, fields: &[Field]) -> Output {
        self.plain(fields, &format!("runs the script `{path}`"));
        let arguments = values(fields.get(1..).unwrap_or(&[]));
        self.with_arguments(path, arguments, |walker| walker.script(text, &Input::Unknown))
    }

    pub(super) fn with_arguments<T>(
        &mut self,
        zero: &str,
        arguments: Vec<String>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.apart(|walker| {
            let zero = walker.state.zero.replace(zero.to_owned());
            walker.state.positional = arguments;
            let result = run(walker);
            walker.state.zero = zero;
            result
        })
    }

    /// Returns the text of a small file on disk, or of a file that this line wrote.
    pub(super) fn file_text(&self, path: &str) -> Option<String> {
        if path.is_empty() || is_open(path) || self.state.other_name.is_some() || !self.state.or_in.is_empty() {
            return None;
        }
        let place = self.state.place(path)?;
        match self.state.written(&place) {
            Some(written) => written.as_deref().map(str::to_owned),
            None => self.world.read_small(&place),
        }
    }

    pub(super) fn input_text(&self, input: &Input) -> Option<String> {
        match input {
            Input::Text(text) => Some(text.to_string()),
            Input::File(path) => self.file_text(path),
            Input::Closed | Input::Unknown => None,
        }
    }

    /// Applies an assignment in an argument of `export`, `env` or `sudo`. Returns whether the field is an assignment.
    pub(super) fn assignment_word(&mut self, field: &Field, keep: bool, seen: Seen) -> bool {
        let Some((name, value)) = field.text.split_once('=') else {
            return false;
        };
        let name = name.trim_end_matches('+');
        let is_name = !name.is_empty()
            && !name.starts_with(|c: char| c.is_ascii_digit())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_name {
            if keep {
                self.state.set(name, Value::One(value.to_owned()));
            }
            self.variable(name, value, &field.text, seen);
        }
        is_name
    }

    pub(super) fn verb_row(name: &str, verb: &str) -> Option<&'static Row> {
        tables::row(&format!("{name} {verb}"))
    }
}

fn asks_about(fields: &[Field]) -> bool {
    let words: Vec<&str> = fields.iter().skip(1).map(|field| field.text.as_str()).collect();
    let asks = words.iter().any(|word| matches!(*word, "--version" | "--help"));
    asks && words
        .iter()
        .all(|word| matches!(*word, "--version" | "--help" | "--verbose" | "-v" | "-V"))
}

fn is_of_system(path: &str) -> bool {
    path.rsplit_once('/')
        .is_some_and(|(folder, _)| SYSTEM.contains(&super::writers::clean(folder).as_str()))
}

fn is_shell(text: &str) -> bool {
    let first_line = text.lines().next().unwrap_or("");
    match first_line.strip_prefix("#!") {
        None => !text.contains('\0'),
        Some(interpreter) => {
            let words = interpreter
                .split_whitespace()
                .map(|word| word.rsplit('/').next().unwrap_or(word));
            let mut names = words.filter(|word| *word != "env" && !word.starts_with('-'));
            names
                .next()
                .is_some_and(|name| matches!(name, "sh" | "bash" | "dash" | "zsh" | "ksh"))
        }
    }
}
