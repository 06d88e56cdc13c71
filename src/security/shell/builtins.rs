//! What the shell does itself: changing folders and variables, running text again, writing words.

use super::state::{Field, Input, Output, UNKNOWN, Value, nothing, output, show};
use super::texts::{self, Escapes};
use super::walk::Walker;

impl Walker<'_> {
    pub(super) fn builtin(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        match name {
            "cd" | "pushd" | "popd" | "chdir" => self.cd(name, fields),
            "eval" => {
                let text = fields
                    .iter()
                    .skip(1)
                    .map(|field| field.text.as_str())
                    .collect::<Vec<_>>()
                    .join(" ");
                self.plain(fields, "runs its arguments as a command line");
                return self.script(&text, input);
            }
            "source" | "." => return self.source(fields, input),
            "trap" => {
                if let Some(action) = fields.iter().skip(1).find(|field| !field.text.starts_with("--")) {
                    self.plain(fields, "runs a command later");
                    let text = action.text.clone();
                    if text != "-" && !text.starts_with("-l") && !text.starts_with("-p") {
                        self.apart(|walker| walker.script(&text, input));
                    }
                }
            }
            "alias" | "unalias" | "hash" | "enable" | "complete" | "compgen" | "bind" => self.naming(name, fields),
            "read" | "mapfile" | "readarray" | "getopts" => self.reading(name, fields, input),
            "export" | "declare" | "typeset" | "local" | "readonly" | "unset" | "let" => self.declaring(name, fields),
            "set" | "shift" => self.positional(name, fields),
            "test" | "[" => {
                for field in fields {
                    self.embedded(&field.text);
                }
                self.plain(fields, "tests something");
                return nothing();
            }
            _ => {
                if name == "printf" {
                    self.printf_variable(fields);
                }
                self.plain(fields, &format!("`{name}` only reads or prints"));
                return self.printed(name, fields, input);
            }
        }
        nothing()
    }

    fn cd(&mut self, name: &str, fields: &[Field]) {
        self.plain(fields, "changes the folder");
        let target = fields
            .iter()
            .skip(1)
            .find(|field| !field.text.starts_with('-') || field.text == "-");
        self.state.folder = match target.and_then(Field::known) {
            Some(path) if name == "cd" && path != "-" && !path.starts_with('~') => self.state.place(path),
            _ => None,
        };
    }

    fn source(&mut self, fields: &[Field], input: &Input) -> Output {
        let Some(path) = fields.get(1).map(|field| field.text.clone()) else {
            return nothing();
        };
        let text = if path == "/dev/stdin" {
            self.input_text(input)
        } else {
            self.file_text(&path)
        };
        match text {
            Some(text) => {
                self.plain(fields, &format!("runs the commands in `{path}`"));
                if fields.len() > 2 {
                    self.state.positional = fields.iter().skip(2).map(|field| field.text.clone()).collect();
                }
                // A `return` in it may leave it at any point.
                self.maybe(|walker| walker.script(&text, input))
            }
            None => {
                self.unknown(fields, "it runs commands from a file that was not read");
                None
            }
        }
    }

    /// Builtins that give a name a new meaning.
    fn naming(&mut self, name: &str, fields: &[Field]) {
        self.plain(fields, "changes what a name means");
        match name {
            "alias" => {
                for field in fields.iter().skip(1) {
                    if let Some((alias, value)) = field.text.split_once('=') {
                        self.state
                            .aliases
                            .entry(alias.to_owned())
                            .or_default()
                            .push(value.to_owned());
                    }
                }
            }
            "unalias" => {}
            "hash" => {
                let position = fields.iter().position(|field| field.text == "-p");
                if let Some(at) = position
                    && let (Some(path), Some(alias)) = (fields.get(at + 1), fields.get(at + 2))
                {
                    self.state
                        .aliases
                        .entry(alias.text.clone())
                        .or_default()
                        .push(path.text.clone());
                }
            }
            "enable" if fields.iter().any(|field| field.text == "-f") => {
                self.unknown(fields, "it loads code into the shell");
            }
            "complete" | "compgen" | "bind" => {
                let position = fields
                    .iter()
                    .position(|field| matches!(field.text.as_str(), "-C" | "-F" | "-x" | "-W"));
                if let Some(script) = position.and_then(|at| fields.get(at + 1)) {
                    let script = script.text.clone();
                    self.apart(|walker| walker.script(&script, &Input::Unknown));
                    self.embedded(&script);
                }
            }
            _ => {}
        }
    }

    fn reading(&mut self, name: &str, fields: &[Field], input: &Input) {
        self.plain(fields, "reads into variables");
        for field in fields.iter().skip(1) {
            self.embedded(&field.text);
        }
        if let Some(at) = fields.iter().position(|field| field.text == "-C")
            && let Some(callback) = fields.get(at + 1)
        {
            let text = callback.text.clone();
            self.apart(|walker| walker.script(&text, &Input::Unknown));
        }
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let takes = if name == "read" {
            "d i n N p t u"
        } else {
            "d n O s u C c"
        };
        let arguments = super::arguments::Arguments::of(fields, takes);
        let arrays: Vec<String> = arguments.values("a").into_iter().map(|field| field.text).collect();
        let names: Vec<String> = arguments
            .operands
            .iter()
            .map(|field| field.text.clone())
            .filter(|text| is_name(text))
            .collect();
        let text = self.input_text(input);
        if name == "mapfile" || name == "readarray" {
            let target = names.first().cloned().unwrap_or_else(|| "MAPFILE".to_owned());
            let strip = arguments.has("t");
            let value = match text {
                Some(text) => Value::Many(
                    text.split_inclusive('\n')
                        .map(|line| if strip { line.trim_end_matches('\n') } else { line }.to_owned())
                        .collect(),
                ),
                None => Value::unknown(),
            };
            self.state.set(&target, value);
            return;
        }
        // Another `read`, or another round of the loop, gets another line.
        let text = text.filter(|text| text.lines().count() <= 1);
        let line = text.as_deref().map(|text| text.lines().next().unwrap_or("").to_owned());
        for array in arrays {
            let value = match &line {
                Some(line) => Value::Many(line.split_whitespace().map(str::to_owned).collect()),
                None => Value::unknown(),
            };
            self.state.set(&array, value);
        }
        let names = if names.is_empty() {
            vec!["REPLY".to_owned()]
        } else {
            names
        };
        let separators = self.state.get("IFS").map_or_else(|| " \t\n".to_owned(), Value::first);
        let last = names.len() - 1;
        let mut rest = line.as_deref().map(str::trim);
        for (index, name) in names.iter().enumerate() {
            let value = match rest {
                None => Value::unknown(),
                Some(text) if index == last => Value::One(text.to_owned()),
                Some(text) => {
                    let (word, after) = text.split_once(|c| separators.contains(c)).unwrap_or((text, ""));
                    rest = Some(after);
                    Value::One(word.to_owned())
                }
            };
            self.state.set(name, value);
        }
    }

    fn declaring(&mut self, name: &str, fields: &[Field]) {
        self.plain(fields, "changes variables");
        // References, and values that change as they are assigned or cannot be.
        let odd = name == "readonly"
            || (name != "unset"
                && fields.iter().any(|field| {
                    field.text.starts_with(['-', '+']) && field.text.contains(['n', 'l', 'u', 'c', 'i', 'r'])
                }));
        for field in fields.iter().skip(1).cloned().collect::<Vec<_>>() {
            if name == "let" {
                self.arithmetic(&field.text);
                continue;
            }
            self.embedded_index(&field.text);
            if name == "unset" {
                self.state.unset(&field.text);
            } else {
                let known = field.text.split_once('=').and_then(|(name, _)| self.state.get(name));
                let is_array = matches!(known, Some(Value::Many(_)));
                self.assignment_word(&field, !is_array);
                let target = field.text.split('=').next().unwrap_or("").to_owned();
                if odd && !target.starts_with('-') {
                    if name != "readonly" {
                        self.state.set(&target, Value::unknown());
                    }
                    self.state.odd.insert(target);
                }
            }
        }
    }

    /// Only what stands in `name[…]`; a value is not expanded again.
    fn embedded_index(&mut self, text: &str) {
        let name = text.split('=').next().unwrap_or(text);
        if name.contains('[') {
            self.embedded(name);
        }
    }

    fn positional(&mut self, name: &str, fields: &[Field]) {
        self.plain(fields, "changes the shell's settings");
        if name == "shift" {
            let count = fields
                .get(1)
                .and_then(|field| field.text.parse().ok())
                .unwrap_or(1_usize);
            let count = count.min(self.state.positional.len());
            self.state.positional.drain(..count);
            return;
        }
        let start = fields
            .iter()
            .position(|field| field.text == "--")
            .map(|at| at + 1)
            .or_else(|| {
                fields
                    .iter()
                    .skip(1)
                    .position(|field| !field.text.starts_with(['-', '+']))
                    .map(|at| at + 1)
            });
        if let Some(values) = start.and_then(|at| fields.get(at..)) {
            self.state.positional = values.iter().map(|field| field.text.clone()).collect();
        }
    }

    fn printf_variable(&mut self, fields: &[Field]) {
        let [_, flag, target, format, rest @ ..] = fields else {
            return;
        };
        if flag.text != "-v" {
            return;
        }
        self.embedded(&target.text);
        let arguments: Vec<&str> = rest.iter().map(|field| field.text.as_str()).collect();
        let value = texts::printf(&format.text, &arguments).map_or_else(Value::unknown, Value::One);
        self.state.set(&target.text.clone(), value);
    }

    /// What the small text tools write, where all they read is known.
    fn printed(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let flags = fields
            .iter()
            .skip(1)
            .any(|field| field.text.starts_with('-') && field.text.len() > 1);
        let exact = matches!(
            name,
            "echo" | "printf" | "base64" | "base32" | "tr" | "true" | "false" | ":"
        );
        if fields.iter().any(|field| field.glob) || (flags && !exact) {
            return None;
        }
        let arguments: Vec<&str> = fields.iter().skip(1).map(|field| field.text.as_str()).collect();
        let operands: Vec<&str> = arguments
            .iter()
            .copied()
            .filter(|text| !text.starts_with('-'))
            .collect();
        match name {
            "echo" => echo(&arguments),
            "printf" => match arguments.as_slice() {
                ["-v", ..] => nothing(),
                ["--", format, rest @ ..] | [format, rest @ ..] => texts::printf(format, rest).and_then(output),
                [] => nothing(),
            },
            "true" | "false" | ":" => nothing(),
            "yes" => operands
                .first()
                .map_or_else(|| output("y\n"), |word| output(format!("{word}\n"))),
            "basename" if operands.len() == 1 => operands
                .first()
                .and_then(|path| output(path.rsplit('/').next().unwrap_or(""))),
            "cat" if operands.is_empty() || operands == ["/dev/stdin"] => self.input_text(input).and_then(output),
            "cat" => {
                let all: Option<String> = operands.iter().map(|path| self.file_text(path)).collect();
                all.and_then(output)
            }
            "base64" | "base32"
                if arguments.iter().any(|flag| {
                    flag.starts_with("-d") || flag.starts_with("--d") || *flag == "-D" || *flag == "-di"
                }) =>
            {
                let text = self.operand_or_input(&operands, input)?;
                let decode = if name == "base64" { texts::base64 } else { texts::base32 };
                decode(&text).and_then(output)
            }
            "rev" => {
                let text = self.operand_or_input(&operands, input)?;
                output(
                    text.lines()
                        .map(|line| line.chars().rev().chain(['\n']).collect::<String>())
                        .collect::<String>(),
                )
            }
            "tac" => {
                let text = self.operand_or_input(&operands, input)?;
                output(text.lines().rev().map(|line| format!("{line}\n")).collect::<String>())
            }
            "tr" => {
                let text = self.input_text(input)?;
                if text.contains(UNKNOWN) {
                    return None;
                }
                match (arguments.as_slice(), operands.as_slice()) {
                    (["-d", set], _) => texts::translate(&text, set, None).and_then(output),
                    ([_, _], [from, to]) => texts::translate(&text, from, Some(to)).and_then(output),
                    _ => None,
                }
            }
            "head" | "tail" if arguments.is_empty() => self
                .input_text(input)
                .filter(|text| text.lines().count() <= 10)
                .and_then(output),
            _ => None,
        }
    }

    pub(super) fn operand_or_input(&self, operands: &[&str], input: &Input) -> Option<String> {
        let text = match operands.first() {
            Some(path) if *path != "-" => self.file_text(path),
            _ => self.input_text(input),
        };
        text.filter(|text| !text.contains(UNKNOWN))
    }

    /// A shell: `-c`, a script, or what it reads.
    pub(super) fn shell(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let mut at = 1;
        let mut script = false;
        while let Some(field) = fields.get(at) {
            let text = field.text.as_str();
            if text == "--" {
                at += 1;
                break;
            }
            if !text.starts_with(['-', '+']) || text == "-" {
                break;
            }
            if matches!(text, "--rcfile" | "--init-file") {
                let path = fields.get(at + 1).map(|field| field.text.clone()).unwrap_or_default();
                self.variable("BASH_ENV", &path, &show(fields));
                at += 1;
            } else if matches!(text, "-o" | "+o" | "-O" | "+O") {
                at += 1;
            } else if matches!(text, "--version" | "--help") {
                self.plain(fields, &format!("runs `{name}`"));
                return None;
            } else if !text.starts_with("--") && text.contains('c') || text == "--command" {
                script = true;
            }
            at += 1;
        }
        let rest = fields.get(at..).unwrap_or(&[]);
        if script {
            let Some(text) = rest.first() else { return nothing() };
            self.plain(fields, &format!("`{name}` runs a command line"));
            let zero = rest.get(1).map_or(name, |field| field.text.as_str()).to_owned();
            let arguments = rest.iter().skip(2).map(|field| field.text.clone()).collect();
            let text = text.text.clone();
            return self.with_arguments(&zero, arguments, |walker| walker.script(&text, input));
        }
        let reads_input = fields.iter().any(|field| field.text == "-s");
        match rest.first() {
            Some(file) if !reads_input && file.text != "-" && file.text != "/dev/stdin" => {
                match self.file_text(&file.text) {
                    Some(text) => self.script_file(&file.text.clone(), &text, rest),
                    None => {
                        self.unknown(fields, "it runs a script that was not read");
                        None
                    }
                }
            }
            _ => match self.input_text(input) {
                Some(text) => {
                    self.plain(fields, &format!("`{name}` runs what it reads"));
                    let arguments = rest.iter().map(|field| field.text.clone()).collect();
                    self.with_arguments(name, arguments, |walker| walker.script(&text, &Input::Unknown))
                }
                None => {
                    self.doubt_about(fields, "it runs what it reads, and that is not known");
                    None
                }
            },
        }
    }
}

fn echo(arguments: &[&str]) -> Output {
    let is_flag = |text: &&&str| {
        text.len() > 1
            && text
                .strip_prefix('-')
                .is_some_and(|flags| flags.chars().all(|c| "neE".contains(c)))
    };
    let flags = arguments.iter().take_while(is_flag).count();
    let (flags, words) = arguments.split_at_checked(flags)?;
    let text = words.join(" ");
    let escapes = flags.iter().any(|flag| flag.contains('e'));
    let text = if escapes {
        texts::unescape(&text, Escapes::Echo)
    } else {
        text
    };
    let end = if flags.iter().any(|flag| flag.contains('n')) {
        ""
    } else {
        "\n"
    };
    output(format!("{text}{end}"))
}
