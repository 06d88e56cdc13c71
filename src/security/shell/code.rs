//! Analyses the scripts of shells. For interpreters of other languages, only a few simple command lines are recognised.

use super::arguments::Arguments;
use super::grammar::Kind;
use super::state::{Field, Input, Output, nothing, show, values};
use super::tables::danger_words;
use super::variables::Seen;
use super::walk::Walker;

/// Python modules that only read, or that correspond to a known program.
const MODULES: &[(&str, &str)] = &[
    ("pytest", "pytest"),
    ("unittest", "python-unittest"),
    ("json.tool", "python-json-tool"),
    ("pip", "pip"),
    ("mypy", "mypy"),
    ("flake8", "flake8"),
    ("pylint", "pylint"),
    ("black", "black"),
    ("ruff", "ruff"),
    ("isort", "isort"),
    ("tox", "tox"),
    ("nox", "nox"),
];

impl Walker<'_> {
    pub(super) fn shell(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let mut at = 1;
        let (mut script, mut reads_input) = (false, false);
        while let Some(field) = fields.get(at) {
            let text = field.text.as_str();
            if text == "--" || text == "-" {
                at += 1;
                break;
            }
            if !text.starts_with(['-', '+']) {
                break;
            }
            let letters = text.get(1..).unwrap_or("");
            match text {
                "--rcfile" | "--init-file" => {
                    let path = fields.get(at + 1).map(|field| field.text.clone()).unwrap_or_default();
                    self.variable("BASH_ENV", &path, &show(fields), Seen::ByPrograms);
                    at += 1;
                }
                "--norc" | "--noprofile" | "--posix" | "--verbose" => {}
                "--version" | "--help" => {
                    self.reads(fields, &format!("tells about `{name}`"));
                    return None;
                }
                _ if letters.chars().all(|c| "ceunxvfhBpsbmkatCEPTD".contains(c)) => {
                    script |= letters.contains('c');
                    reads_input |= letters.contains('s');
                }
                _ if letters.trim_start_matches(|c: char| "ceunxvf".contains(c)) == "o" => {
                    script |= letters.contains('c');
                    at += 1;
                }
                _ => {
                    script |= letters.contains('c') && !text.starts_with("--");
                    self.unknown(fields, "an option of this shell is not known");
                }
            }
            at += 1;
        }
        let rest = fields.get(at..).unwrap_or(&[]);
        if script {
            let Some(text) = rest.first() else { return nothing() };
            self.reads(fields, &format!("`{name}` runs a command line"));
            let zero = rest.get(1).map_or(name, |field| field.text.as_str()).to_owned();
            let arguments = values(rest.get(2..).unwrap_or(&[]));
            let text = text.text.clone();
            return self.with_arguments(&zero, arguments, |walker| walker.script(&text, input));
        }
        match rest.first() {
            Some(file) if !reads_input && file.text != "/dev/stdin" => {
                self.shell_file(fields, rest, &file.text.clone())
            }
            _ => self.shell_input(name, fields, rest, input),
        }
    }

    fn shell_file(&mut self, fields: &[Field], rest: &[Field], path: &str) -> Output {
        match self.file_text(path) {
            Some(text) => self.script_file(path, &text, rest),
            None if self.state.fetched && (self.is_made_here(path) || path.starts_with("/dev/fd/")) => {
                self.catastrophe(fields, "it runs what was fetched from another machine");
                None
            }
            None => {
                self.unknown(fields, "it runs a script that was not read");
                None
            }
        }
    }

    fn shell_input(&mut self, name: &str, fields: &[Field], rest: &[Field], input: &Input) -> Output {
        match self.input_text(input) {
            Some(text) => {
                self.plain(fields, &format!("`{name}` runs what it reads"));
                let arguments = values(rest);
                self.with_arguments(name, arguments, |walker| walker.script(&text, &Input::Unknown))
            }
            None => {
                self.runs_input(fields, input);
                None
            }
        }
    }

    fn runs_input(&mut self, fields: &[Field], input: &Input) {
        if self.state.fetched && !matches!(input, Input::Closed) {
            self.catastrophe(fields, "it runs what was fetched from another machine");
        } else {
            self.danger(fields, "it runs what it reads, and that is not known");
        }
    }

    fn code(&mut self, code: &str, fields: &[Field]) {
        self.spend_text(code.len());
        if danger_words(code) {
            self.danger(fields, "its code names a command that destroys");
        } else {
            self.unknown(fields, "its code is not followed");
        }
    }

    pub(super) fn python(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        let shows = args.operands.is_empty() && args.given.len() == 1 && args.has_any(&["V", "version", "h", "help"]);
        if shows {
            self.reads(fields, "tells about Python");
        } else if let Some(code) = args.values("c").first() {
            // Python searches the project first for imported modules.
            if let Some(files) = super::snippet::read_by_python(&code.text) {
                self.tells("python", fields, "its code only reads and prints");
                for file in files {
                    self.reading(&Field::of(file), Kind::Read);
                }
            } else {
                self.code(&code.text, fields);
            }
        } else if let Some(module) = args.values("m").first() {
            return self.module(&module.text, args, fields, input);
        } else {
            self.code_file(args.operands.first(), fields, input);
        }
        None
    }

    fn module(&mut self, module: &str, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        if args.given.iter().any(|given| {
            given.opt.name() != "-m" && !matches!(given.opt.name().as_str(), "-B" | "-u" | "-W" | "-I" | "-s" | "-E")
        }) {
            self.unknown(fields, "an option of Python is not followed");
        }
        if let [_, only] = args.command.as_slice()
            && matches!(only.text.as_str(), "--help" | "--version")
        {
            self.reads(fields, &format!("tells about `{module}`"));
            return None;
        }
        if module == "site" && args.command.len() < 2 {
            self.tells("python", fields, "tells about Python");
            return None;
        }
        let known = MODULES
            .iter()
            .find(|(name, _)| *name == module)
            .map(|(_, program)| *program);
        let Some((row, name)) = known.and_then(super::tables::program) else {
            self.unknown(fields, "what this module does is not known");
            self.ends(fields);
            return None;
        };
        let words: Vec<Field> = std::iter::once(Field::of(name))
            .chain(args.command.iter().skip(1).cloned())
            .collect();
        // A project module with the same name would run instead.
        self.tells("python", &words, "a module is looked for in the project first");
        self.by_row(row, name, &words, input)
    }

    fn code_file(&mut self, file: Option<&Field>, fields: &[Field], input: &Input) {
        match file {
            Some(file) if !matches!(file.text.as_str(), "-" | "/dev/stdin") => {
                let fetched = self.state.fetched && self.is_made_here(&file.text);
                match self
                    .state
                    .place(&file.text)
                    .and_then(|place| self.state.written(&place).cloned().flatten())
                {
                    _ if fetched => self.catastrophe(fields, "it runs what was fetched from another machine"),
                    Some(text) => self.code(&text, fields),
                    None if self.is_of_project(file) && !ends_something(fields) => {
                        self.project(fields, "runs a program of the project");
                    }
                    None => {
                        self.unknown(fields, "it runs a program that is not read");
                        self.ends(fields);
                    }
                }
            }
            _ => match self.input_text(input) {
                Some(text) => self.code(&text, fields),
                None => self.runs_input(fields, input),
            },
        }
    }

    /// Whether a file is in the workspace and unchanged by this line.
    fn is_of_project(&self, file: &Field) -> bool {
        let plain = !file.glob
            && !file.elastic
            && !file.doubtful
            && self.state.other_name.is_none()
            && self.state.or_in.is_empty();
        let place = file.known().filter(|_| plain).and_then(|path| self.state.place(path));
        place.is_some_and(|place| {
            let clean = super::writers::clean(&place);
            let inside = !clean.starts_with(['/', '~']) && !clean.starts_with("..");
            inside && self.world.exists(&place) && !self.world.is_folder(&place)
        })
    }

    /// Judges an interpreter. Its code is not analysed.
    pub(super) fn interpreter(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let words: Vec<&str> = fields.iter().skip(1).map(|field| field.text.as_str()).collect();
        let shows = match words.as_slice() {
            [only] => matches!(*only, "--version" | "-version" | "-v" | "-V" | "--help" | "-h"),
            ["-e" | "-p" | "-pe", code] if name.starts_with("node") => {
                if let Some(files) = super::snippet::read_by_script(code) {
                    self.reads(fields, "its code only computes and prints");
                    for file in files {
                        self.reading(&Field::of(file), Kind::Read);
                    }
                    return None;
                }
                false
            }
            _ => false,
        };
        if shows {
            self.reads(fields, &format!("tells about `{name}`"));
            return None;
        }
        let verb = words.first().copied().unwrap_or_default();
        if matches!(name, "bun" | "deno")
            && let Some(row) = Self::verb_row(name, verb)
        {
            let whole = format!("{name} {verb}");
            let words: Vec<Field> = std::iter::once(Field::of(&whole))
                .chain(fields.iter().skip(2).cloned())
                .collect();
            return self.by_row(row, &whole, &words, input);
        }
        if words.first().is_some_and(|word| word.starts_with('-')) {
            self.code(&words.join("\n"), fields);
            self.ends(fields);
            if words.iter().all(|word| word.starts_with('-')) {
                self.code_file(None, fields, input);
            }
        } else {
            self.code_file(fields.get(1), fields, input);
        }
        None
    }
}

fn ends_something(fields: &[Field]) -> bool {
    fields.iter().skip(2).any(|field| {
        let word = field.text.trim_start_matches('-').to_ascii_lowercase();
        let more = matches!(
            word.as_str(),
            "flush" | "wipe" | "erase" | "clear" | "truncate" | "unlink"
        );
        more || super::services::ends_something(&word) || danger_words(&word)
    })
}
