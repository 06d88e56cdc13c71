//! One simple command: what its name stands for, and whom to ask about its arguments.

use super::state::{Field, Input, Output, UNKNOWN, Value, nothing, show};
use super::syntax::Simple;
use super::table::{Behaviour, behaviour, dangerous_names};
use super::texts::glob_matches;
use super::walk::{MAX_CALLS, Walker};

/// Variables whose value some program runs as a command line.
const COMMAND_VARIABLES: &[&str] = &[
    "GIT_EXTERNAL_DIFF",
    "GIT_SSH_COMMAND",
    "GIT_SSH",
    "GIT_PAGER",
    "GIT_EDITOR",
    "GIT_SEQUENCE_EDITOR",
    "GIT_ASKPASS",
    "GIT_PROXY_COMMAND",
    "SSH_ASKPASS",
    "SUDO_ASKPASS",
    "PAGER",
    "MANPAGER",
    "EDITOR",
    "VISUAL",
    "FCEDIT",
    "BROWSER",
    "LESSOPEN",
    "LESSCLOSE",
    "PROMPT_COMMAND",
    "RUSTC_WRAPPER",
    "RUSTC",
    "CC",
    "CXX",
    "MAKEFLAGS",
    "TAR_OPTIONS",
    "RSYNC_RSH",
    "SHELL",
    "FZF_DEFAULT_COMMAND",
    "SYSTEMD_EDITOR",
];

/// Variables that change what every later command is.
const LOADER_VARIABLES: &[&str] = &[
    "LD_PRELOAD",
    "LD_AUDIT",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "PATH",
    "PYTHONSTARTUP",
    "PYTHONPATH",
    "PERL5OPT",
    "PERL5LIB",
    "PERL5DB",
    "RUBYOPT",
    "NODE_OPTIONS",
    "JAVA_TOOL_OPTIONS",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_KEY_0",
    "GIT_CONFIG_VALUE_0",
    "GIT_DIR",
    "GIT_EXEC_PATH",
    "SHELLOPTS",
    "BASHOPTS",
];

/// How many bodies of one function, or texts of one alias, are followed.
const MAX_BODIES: usize = 8;

impl Walker<'_> {
    pub(super) fn simple(&mut self, simple: &Simple, text: &str, input: &Input) -> Output {
        if simple.words.is_empty() {
            for assignment in &simple.assignments {
                let value = self.assign(assignment);
                self.variable(&assignment.name, &value, text);
            }
            if simple.assignments.is_empty() || self.because.is_empty() {
                self.note(crate::domain::permission::CommandClass::Plain, text, "runs no program");
            }
            return nothing();
        }
        if simple.assignments.is_empty() {
            let fields = self.fields(&simple.words);
            return self.command(&fields, input);
        }
        // An assignment before a command holds for that command only, and its words are expanded without it.
        let fields = self.fields(&simple.words);
        self.state.open_branch();
        for assignment in &simple.assignments {
            let value = self.assign(assignment);
            self.variable(&assignment.name, &value, text);
        }
        let written = self.command(&fields, input);
        self.state.close_branch(super::state::Ending::Lost);
        written
    }

    /// What follows from giving a variable this value.
    pub(super) fn variable(&mut self, name: &str, value: &str, text: &str) {
        let shown = [Field::of(text)];
        match name {
            "BASH_ENV" | "ENV" => {
                let known = self.file_text(value);
                match known {
                    Some(script) => {
                        self.apart(|walker| walker.script(&script, &Input::Unknown));
                        self.unknown(&shown, &format!("`{name}` makes every shell run a file first"));
                    }
                    None => self.danger(
                        &shown,
                        &format!("`{name}` makes every shell run a file that is not seen"),
                    ),
                }
            }
            "PS1" | "PS2" | "PS4" | "PROMPT" => self.embedded(value),
            _ if COMMAND_VARIABLES.contains(&name) => {
                if value
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' ' | '/' | '.' | '+'))
                {
                    self.apart(|walker| walker.script(value, &Input::Unknown));
                } else if !value.is_empty() {
                    self.apart(|walker| walker.script(value, &Input::Unknown));
                    self.unknown(&shown, &format!("`{name}` names a command for other programs to run"));
                }
            }
            _ if LOADER_VARIABLES.contains(&name) => {
                self.unknown(&shown, &format!("`{name}` changes what later commands are"));
            }
            _ => {}
        }
    }

    /// A command and its arguments, already expanded. Wrappers come back here with what they would run.
    pub(super) fn command(&mut self, fields: &[Field], input: &Input) -> Output {
        if !self.step() {
            return None;
        }
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
        if name.contains(UNKNOWN) || name.is_empty() {
            return self.nameless(fields, input);
        }
        if !name
            .chars()
            .all(|c| c.is_alphanumeric() || "_-.+:@%,~[]*?!=".contains(c))
        {
            self.doubt_about(fields, "its name is none that a program has");
            return None;
        }
        if first.glob && name != "[" && name.contains(['*', '?', '[']) {
            let could_be = dangerous_names().any(|known| glob_matches(&name, known));
            if could_be {
                self.danger(fields, "its name is a pattern that a dangerous command fits");
            } else {
                self.doubt_about(fields, "its name is a pattern");
            }
            return None;
        }
        if !first.text.contains('/') {
            // An alias, a function or the program of this name may be what runs here, so all of them are judged.
            let mut known_too = true;
            if let Some(aliases) = self.state.aliases.remove(&name) {
                let rest = show(fields.get(1..).unwrap_or(&[]));
                for alias in aliases.iter().take(MAX_BODIES) {
                    self.script(&format!("{alias} {rest}"), input);
                }
                // The alias was removed while its text was walked, because it may be named like what it runs: `alias
                // ls='ls -l'`.
                self.state.aliases.insert(name.clone(), aliases);
            }
            if let Some(bodies) = self.state.functions.get(&name).cloned() {
                known_too = behaviour(&name).is_some();
                let mut written = None;
                for body in bodies.iter().take(MAX_BODIES) {
                    written = self.function(&name, body, fields, input);
                }
                if bodies.len() > MAX_BODIES {
                    self.doubt_about(fields, "this function is defined many times");
                }
                if bodies.len() == 1 && !known_too {
                    return written;
                }
            }
            if !known_too {
                return None;
            }
        }
        self.known(&name, fields, input)
    }

    /// The name itself is not known.
    fn nameless(&mut self, fields: &[Field], input: &Input) -> Output {
        self.doubt_about(fields, "which command this is, is not known");
        let only_unknown = fields
            .first()
            .is_some_and(|field| field.elastic && field.text.chars().all(|c| c == UNKNOWN));
        if only_unknown && let Some(rest) = fields.get(1..).filter(|rest| !rest.is_empty()) {
            // The word may expand to nothing; then the next one is the command.
            self.command(rest, input);
        }
        None
    }

    fn function(
        &mut self,
        name: &str,
        body: &std::rc::Rc<super::syntax::Node>,
        fields: &[Field],
        input: &Input,
    ) -> Output {
        self.state.called.insert(name.to_owned());
        if self.state.depth >= MAX_CALLS {
            self.doubt_about(fields, "functions within functions, too deep to follow");
            return None;
        }
        let arguments = fields.iter().skip(1).map(|field| field.text.clone()).collect();
        let before = std::mem::replace(&mut self.state.positional, arguments);
        self.state.depth += 1;
        // A `return` may leave it at any point.
        let written = self.maybe(|walker| walker.node(body, input));
        self.state.depth -= 1;
        self.state.positional = before;
        written
    }

    fn known(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let Some((row, behaviour)) = behaviour(name) else {
            return self.program(name, fields);
        };
        match behaviour {
            Behaviour::Danger(why) => {
                self.danger(fields, &format!("`{name}` {why}"));
                None
            }
            Behaviour::Wrapper(wrapper) => self.wrapper(wrapper, name, fields, input),
            Behaviour::Shell => self.shell(name, fields, input),
            Behaviour::Interpreter => self.interpreter(row, fields, input),
            Behaviour::Special => self.special(row, fields, input),
            Behaviour::Builtin => self.builtin(row, fields, input),
            Behaviour::Interactive => {
                self.unknown(fields, &format!("`{name}` takes commands that are not seen"));
                None
            }
        }
    }

    /// A program without a row: a script that can be read is read, anything else only has its name.
    fn program(&mut self, name: &str, fields: &[Field]) -> Output {
        let path = fields.first().map(|field| field.text.clone()).unwrap_or_default();
        if path.contains('/')
            && let Some(text) = self.file_text(&path)
        {
            let first_line = text.lines().next().unwrap_or("");
            let shell = !first_line.starts_with("#!")
                || ["sh", "bash", "dash", "zsh", "ksh"]
                    .iter()
                    .any(|shell| first_line.contains(&format!("/{shell}")))
                || first_line.contains("env sh")
                || first_line.contains("env bash");
            if shell {
                return self.script_file(&path, &text, fields);
            }
        }
        let place = self.state.place(&path);
        if path.contains('/') && !path.starts_with('~') && !place.is_some_and(|place| self.world.exists(&place)) {
            self.unknown(fields, "the program it runs is not there yet");
            return None;
        }
        self.plain(fields, &format!("runs `{name}`"));
        None
    }

    /// A script with its arguments, in a shell of its own.
    pub(super) fn script_file(&mut self, path: &str, text: &str, fields: &[Field]) -> Output {
        self.plain(fields, &format!("runs the script `{path}`"));
        let arguments = fields.iter().skip(1).map(|field| field.text.clone()).collect();
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

    /// The text of a file: one this line wrote, or a small one from the disk.
    pub(super) fn file_text(&self, path: &str) -> Option<String> {
        if path.is_empty() || path.contains(UNKNOWN) {
            return None;
        }
        let place = self.state.place(path)?;
        match self.state.files.get(&place) {
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

    /// Assignments given as words, to `export`, `env`, `sudo`. Whether the field was one.
    pub(super) fn assignment_word(&mut self, field: &Field, keep: bool) -> bool {
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
            self.variable(name, value, &field.text);
        }
        is_name
    }
}
