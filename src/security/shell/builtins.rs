//! Shell builtins: change folders and variables, evaluate text, print words.

use super::arguments::Arguments;
use super::grammar::Kind;
use super::state::{Field, Input, NUMBER, Output, Value, is_open, nothing, output, values};
use super::texts::{self, Escapes};
use super::variables::Seen;
use super::walk::Walker;

/// Shell settings that change neither parsing nor expansion.
const SETTINGS: &str = "errexit nounset pipefail xtrace verbose noclobber errtrace functrace monitor notify noexec";

fn is_setting(option: &str) -> bool {
    SETTINGS.split_whitespace().any(|known| known == option)
}

impl Walker<'_> {
    pub(super) fn builtin(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        let raw = matches!(
            name,
            "echo" | "test" | "[" | "set" | "let" | "shift" | "return" | "exit" | "eval" | "source" | "." | "trap"
        );
        let harmless = matches!(name, "type" | "help" | "caller" | "times" | "cd" | "chdir");
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
            "read" | "mapfile" | "readarray" => self.reads_in(args, fields),
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
        // If the `cd` fails, the next commands run in the previous folder.
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
                // A `return` may end the script at any point.
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

    /// Judges `alias`, which with a value changes the meaning of a name for later commands.
    fn alias(&mut self, fields: &[Field]) {
        if fields
            .iter()
            .skip(1)
            .any(|field| field.text.contains('=') || is_open(&field.text))
        {
            self.doubt_about(fields, "it changes what a name means");
        } else {
            self.reads(fields, "lists aliases");
        }
    }

    fn reads_in(&mut self, args: &Arguments<'_>, fields: &[Field]) {
        self.reads(fields, "reads into variables");
        for operand in &args.operands {
            self.named(&operand.text, &operand.text);
        }
        for array in args.values("a") {
            self.named(&array.text, &array.text);
        }
        let arrays = args.values("a").into_iter().map(|field| field.text);
        let names = args.operands.iter().map(|field| field.text.clone());
        for variable in arrays.chain(names).chain(["REPLY".to_owned(), "MAPFILE".to_owned()]) {
            self.state.set(&variable, Value::unknown());
        }
    }

    fn declaring(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        self.plain(fields, "changes variables");
        let exports = name == "export" || args.has("x");
        // These variables are read-only, or change their value on assignment.
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
        while let Some(letters) = fields.get(at).and_then(|field| field.text.strip_prefix(['-', '+'])) {
            if letters.is_empty() || letters == "-" {
                break;
            }
            let named = letters.ends_with('o');
            let option = fields.get(at + 1).filter(|_| named);
            if !letters.chars().all(|c| "euxvCETmbno".contains(c)) || option.is_some_and(|name| !is_setting(&name.text))
            {
                self.unknown(fields, "it changes how a line is read");
            }
            at += 1 + usize::from(named);
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

    /// Returns the output of simple text tools if their whole input is known.
    pub(super) fn printed(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let arguments: Vec<&str> = fields.iter().skip(1).map(|field| field.text.as_str()).collect();
        if fields.iter().any(|field| field.glob) {
            return None;
        }
        match name {
            "echo" => echo(&arguments),
            "seq" | "nproc" => output(format!("{NUMBER}\n")),
            "date" if arguments == ["+%s"] || arguments == ["+%s%N"] => output(format!("{NUMBER}\n")),
            "true" | "false" | ":" => nothing(),
            "cat" if arguments.is_empty() => self.input_text(input).and_then(output),
            "cat" if arguments.iter().all(|text| !text.starts_with('-')) => {
                let all: Option<String> = arguments.iter().map(|path| self.file_text(path)).collect();
                all.and_then(output)
            }
            _ => None,
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
