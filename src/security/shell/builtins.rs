//! What the shell does itself: changing folders and variables, running text again, writing words.

use super::arguments::Arguments;
use super::grammar::Kind;
use super::state::{Field, Input, NUMBER, Output, Value, is_open, nothing, output, values};
use super::texts::{self, Escapes};
use super::variables::Seen;
use super::walk::Walker;

/// Settings of the shell that change neither how a line is read nor what its words stand for.
const SETTINGS: &[&str] = &[
    "errexit",
    "nounset",
    "pipefail",
    "xtrace",
    "verbose",
    "noclobber",
    "errtrace",
    "functrace",
    "monitor",
    "notify",
    "noexec",
];

impl Walker<'_> {
    pub(super) fn builtin(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        let raw = matches!(
            name,
            "echo" | "test" | "[" | "set" | "let" | "shift" | "return" | "exit" | "eval" | "source" | "." | "trap"
        );
        let harmless = matches!(name, "type" | "help" | "dirs" | "caller" | "times" | "cd" | "chdir");
        if let Some(why) = &args.objection
            && !raw
            && !harmless
        {
            self.unknown(fields, why);
            self.ends(fields);
        }
        match name {
            "cd" | "pushd" | "popd" | "chdir" => self.cd(name, args, fields),
            "eval" => {
                let words = args
                    .operands
                    .iter()
                    .map(|field| field.text.as_str())
                    .collect::<Vec<_>>();
                self.reads(fields, "runs its arguments as a command line");
                return self.script(&words.join(" "), input);
            }
            "source" | "." => return self.source(args, fields, input),
            "trap" => self.trap(args, fields, input),
            "exec" => return self.exec(args, fields, input),
            "command" | "builtin" => return self.command_builtin(args, fields, input),
            "alias" => self.alias(fields),
            "read" | "mapfile" | "readarray" => self.reads_in(name, args, fields, input),
            "getopts" => {
                self.plain(fields, "reads options");
                if let Some(operand) = args.operands.get(1) {
                    self.named(&operand.text, &operand.text);
                    self.state.set(&operand.text, Value::unknown());
                }
            }
            "export" | "declare" | "typeset" | "local" | "readonly" | "unset" | "let" => {
                self.declaring(name, args, fields)
            }
            "set" | "shift" => self.positional(name, fields),
            "shopt" => {
                let known = |field: &Field| {
                    matches!(
                        field.text.as_str(),
                        "nullglob" | "failglob" | "globstar" | "inherit_errexit" | "nocasematch"
                    )
                };
                if args.has_any(&["s", "u"]) && !args.operands.iter().all(known) {
                    self.unknown(fields, "it changes how a line is read");
                } else {
                    self.reads(fields, "changes the shell's settings");
                }
            }
            "test" | "[" => {
                let mut before = "";
                for field in fields {
                    self.embedded(&field.text);
                    if matches!(before, "-v" | "-R") && field.text.contains('[') {
                        self.unknown(fields, "what stands in `[…]` behind a name is run");
                    }
                    before = &field.text;
                }
                self.reads(fields, "tests something");
                return nothing();
            }
            "printf" => {
                self.names_shown(fields);
                self.reads(fields, "prints words");
                return self.printf(args);
            }
            "bind" | "complete" | "compopt" | "history" | "fc" | "umask" | "ulimit" | "suspend" | "logout" => {
                self.unknown(fields, &format!("`{name}` changes how the shell works"));
                self.ends(fields);
            }
            "echo" => {
                self.names_shown(fields);
                self.reads(fields, "prints words");
                return self.printed(name, fields, input);
            }
            _ => self.reads(fields, &format!("`{name}` steers the line or prints")),
        }
        nothing()
    }

    fn cd(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        self.reads(fields, "changes the folder");
        let target = args.operands.first();
        if let Some(target) = target {
            self.reading(target, Kind::Names);
        }
        let before = self.state.folder.clone();
        let cdpath = self.state.get("CDPATH").is_some();
        self.state.folder = match target.and_then(Field::known) {
            Some(path)
                if name == "cd"
                    && path != "-"
                    && !path.starts_with('~')
                    && !cdpath
                    && !target.is_some_and(|field| field.glob) =>
            {
                self.state.place(path)
            }
            _ => None,
        };
        // It may fail, and then what follows runs where it was before.
        self.state.add_folder(before);
        self.reads_only &= self.state.folder.is_some();
    }

    fn source(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        let Some(path) = args.operands.first().map(|field| field.text.clone()) else {
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
                if args.operands.len() > 1 {
                    self.state.positional = values(args.operands.get(1..).unwrap_or(&[]));
                }
                // A `return` in it may leave it at any point.
                self.maybe(|walker| walker.script(&text, input))
            }
            None if self.state.fetched => {
                self.catastrophe(fields, "it runs what was fetched from another machine");
                None
            }
            None => {
                self.unknown(fields, "it runs commands from a file that was not read");
                None
            }
        }
    }

    /// A pattern that is printed lists the names it fits.
    fn names_shown(&mut self, fields: &[Field]) {
        for field in fields.iter().skip(1).filter(|field| field.glob) {
            self.reading(field, Kind::Names);
        }
    }

    fn trap(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) {
        self.plain(fields, "runs a command later");
        if args.has_any(&["l", "p", "P"]) {
            return;
        }
        if args.objection.is_some() {
            self.unknown(fields, "what it would run is not clear");
        }
        if let Some(action) = args.operands.first().filter(|action| action.text != "-") {
            let text = action.text.clone();
            self.apart(|walker| walker.script(&text, input));
        }
    }

    fn alias(&mut self, fields: &[Field]) {
        for field in fields.iter().skip(1) {
            if let Some((alias, value)) = field.text.split_once('=') {
                self.state
                    .aliases
                    .entry(alias.to_owned())
                    .or_default()
                    .push(value.to_owned());
            }
        }
        if self.state.aliases.is_empty() {
            self.reads(fields, "lists aliases");
        } else {
            self.unknown(fields, "it changes what a name means");
        }
    }

    fn reads_in(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field], input: &Input) {
        self.reads(fields, "reads into variables");
        for operand in &args.operands {
            self.named(&operand.text, &operand.text);
        }
        for array in args.values("a") {
            self.named(&array.text, &array.text);
        }
        let is_name = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let arrays: Vec<String> = args.values("a").into_iter().map(|field| field.text).collect();
        let names: Vec<String> = args
            .operands
            .iter()
            .map(|field| field.text.clone())
            .filter(|text| is_name(text))
            .collect();
        let text = self.input_text(input);
        if name == "mapfile" || name == "readarray" {
            let target = names.first().cloned().unwrap_or_else(|| "MAPFILE".to_owned());
            let strip = args.has("t");
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

    fn declaring(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        self.plain(fields, "changes variables");
        let exports = name == "export" || args.has("x");
        // Values that change as they are assigned, or cannot be.
        let odd = name == "readonly" || args.has_any(&["l", "u", "r"]);
        if name != "let" && fields.iter().skip(1).any(|field| field.text.starts_with('+')) {
            self.unknown(fields, "it takes a property of a variable away");
        }
        if exports && args.has("f") {
            self.unknown(fields, "it gives a function to other programs");
        }
        for field in args.operands.clone() {
            let text = field.text.as_str();
            if name == "let" {
                self.arithmetic(text);
                for variable in text
                    .split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
                    .filter(|part| part.starts_with(|c: char| c.is_ascii_alphabetic()))
                {
                    self.named(variable, text);
                    self.state.set(variable, Value::One(NUMBER.to_string()));
                }
                continue;
            }
            let variable = text.split('=').next().unwrap_or(text).trim_end_matches('+').to_owned();
            if variable.contains('[') || is_open(&variable) {
                self.named(&variable, text);
            }
            if name == "unset" {
                self.named(&variable, text);
                self.state.certain.remove(text);
                self.state.unset(text);
                continue;
            }
            let is_array = matches!(self.state.get(&variable), Some(Value::Many(_)));
            let seen = if exports { Seen::ByPrograms } else { Seen::ByShell };
            if !self.assignment_word(&field, !is_array, seen) && !variable.contains('[') {
                let value = self.state.get(&variable).map(Value::first).unwrap_or_default();
                self.variable(&variable, &value, text, seen);
            }
            if odd {
                self.state.set(&variable, Value::unknown());
                self.state.odd.insert(variable);
            }
        }
    }

    fn positional(&mut self, name: &str, fields: &[Field]) {
        self.reads(fields, "changes the shell's settings");
        if name == "shift" {
            let count = fields
                .get(1)
                .and_then(|field| field.text.parse().ok())
                .unwrap_or(1_usize);
            let count = count.min(self.state.positional.len());
            if !self.state.is_any_number() {
                self.state.positional.drain(..count);
            }
            return;
        }
        let mut at = 1;
        while let Some(field) = fields.get(at) {
            let text = field.text.as_str();
            at += 1;
            match text {
                "--" | "-" => break,
                "-o" | "+o" => {
                    let known = fields
                        .get(at)
                        .is_none_or(|option| SETTINGS.contains(&option.text.as_str()));
                    if !known {
                        self.unknown(fields, "it changes how a line is read");
                    }
                    at += 1;
                }
                _ if text.starts_with(['-', '+']) && text.len() > 1 => {
                    let letters = text.get(1..).unwrap_or("");
                    if let Some(bundled) = letters.strip_suffix('o') {
                        let known = fields
                            .get(at)
                            .is_some_and(|option| SETTINGS.contains(&option.text.as_str()));
                        if !known || !bundled.chars().all(|c| "euxvCETmbn".contains(c)) {
                            self.unknown(fields, "it changes how a line is read");
                        }
                        at += 1;
                    } else if !letters.chars().all(|c| "euxvCETmbn".contains(c)) {
                        self.unknown(fields, "it changes how a line is read");
                    }
                }
                _ => {
                    at -= 1;
                    break;
                }
            }
        }
        if at < fields.len() || fields.iter().any(|field| field.text == "--") {
            self.state.positional = values(fields.get(at..).unwrap_or(&[]));
        }
    }

    fn printf(&mut self, args: &Arguments<'_>) -> Output {
        let words: Vec<&str> = args.operands.iter().map(|field| field.text.as_str()).collect();
        let (format, rest) = words.split_first()?;
        let text = texts::printf(format, rest);
        let Some(target) = args.values("v").pop() else {
            return text.and_then(output);
        };
        self.reads_only = false;
        self.named(&target.text, &target.text);
        self.state
            .set(&target.text, text.map_or_else(Value::unknown, Value::One));
        nothing()
    }

    /// What the small text tools write, where all they read is known.
    pub(super) fn printed(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let flags = fields
            .iter()
            .skip(1)
            .any(|field| field.text.starts_with('-') && field.text.len() > 1);
        let exact = matches!(
            name,
            "echo" | "seq" | "date" | "xxd" | "base64" | "base32" | "tr" | "true" | "false" | ":"
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
            "seq" | "nproc" => output(format!("{NUMBER}\n")),
            "date" if arguments == ["+%s"] || arguments == ["+%s%N"] => output(format!("{NUMBER}\n")),
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
            "xxd"
                if matches!(
                    arguments.as_slice(),
                    ["-r", "-p"] | ["-p", "-r"] | ["-rp"] | ["-r", "-p", _]
                ) =>
            {
                let text = self.operand_or_input(&operands, input)?;
                texts::hex(&text).and_then(output)
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
                if is_open(&text) {
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
        text.filter(|text| !is_open(text))
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
