//! Computes the effects of a program from its options and operands, by its grammar row.

use super::arguments::{Arguments, Given};
use super::files::is_special_mode;
use super::grammar::{Base, Code, Kind, Mark, Row};
use super::state::{Field, INSIDE, Input, Output, is_open, show};
use super::walk::Walker;
use benchdog_domain::command::{Depth, Reading};

impl Walker<'_> {
    pub(super) fn by_row(&mut self, row: &'static Row, name: &str, fields: &[Field], input: &Input) -> Output {
        if row.base == Base::Danger && row.options.is_empty() && row.code == Code::None {
            self.danger(fields, &format!("`{name}` {}", row.does));
            return None;
        }
        if shows_help(row, name, fields) {
            self.tells(name, fields, &format!("tells about `{name}`"));
            return None;
        }
        let args = Arguments::read(row, fields.get(1..).unwrap_or(&[]));
        if let Some(why) = &args.objection
            && !reads_its_own(row.code)
        {
            self.unknown(fields, why);
            self.ends(fields);
        }
        self.options(&args, fields);
        self.by_code(row, name, &args, fields, input)
    }

    fn by_code(
        &mut self,
        row: &'static Row,
        name: &str,
        args: &Arguments<'_>,
        fields: &[Field],
        input: &Input,
    ) -> Output {
        if matches!(name, "mkdir" | "mkfifo" | "mknod")
            && args.values("m").iter().any(|mode| is_special_mode(&mode.text))
        {
            self.danger(fields, "its mode does more than let read, write and execute");
        }
        match row.code {
            Code::Verbs => return self.verbs(row, name, args, fields, input),
            Code::Wrapper => return self.wrapper(row, name, args, fields, input),
            Code::Env => return self.env(args, fields, input),
            Code::Xargs => return self.xargs(args, fields, input),
            Code::Builtin => return self.builtin(name, args, fields, input),
            Code::Shell => return self.shell(name, fields, input),
            Code::Python => return self.python(args, fields, input),
            Code::Interpreter => return self.interpreter(name, fields, input),
            Code::Planned => return self.planned(name, args, fields, input),
            Code::Find => return self.find(fields, input),
            Code::Git => return self.git(args, fields, input),
            Code::Awk => self.awk(args, fields),
            Code::Sed => self.sed(args, fields, input),
            Code::Copy => self.copy(name, args, fields),
            Code::Tee => self.tee(args, fields),
            Code::Dd => self.dd(args, fields),
            Code::Tar => self.tar(args, fields),
            Code::Compress => self.compress(name, args, fields),
            Code::Rsync => self.rsync(name, args, fields),
            Code::Curl => self.curl(name, args, fields),
            Code::Remove => self.remove(row, name, fields),
            Code::Kill => self.kill(name, fields),
            Code::Make => self.make(row, name, args, fields),
            Code::Formatter => self.formatter(name, args, fields),
            Code::Services => self.services(name, args, fields),
            Code::Sqlite => self.sqlite(args, fields, input),
            Code::GitReads | Code::GitBranch | Code::GitCheckout | Code::GitConfig | Code::GitRemote => {
                self.git_verb(row, name, args, fields);
            }
            Code::Jq => {
                // A jq program with one of these words may read files or the environment.
                let reads = [
                    "import",
                    "include",
                    "load",
                    "input_filename",
                    "env",
                    "eval",
                    "system",
                    "getpath/",
                ];
                let imports = |field: &Field| reads.iter().any(|word| field.text.contains(word));
                if fields.iter().any(imports) {
                    self.unknown(fields, "its program reads files that are not followed");
                }
                self.searched(name, args);
                self.base(row, name, fields);
            }
            Code::Grep => {
                self.searched(name, args);
                self.base(row, name, fields);
            }
            Code::None | Code::Print => {
                // The files that a checksum file lists are unknown.
                self.reads_only &= !(row.names.starts_with("md5sum") && args.has("c"));
                if name == "ps" && args.operands.iter().any(|operand| operand.text.contains('e')) {
                    self.unknown(fields, "it shows the variables of other processes");
                }
                if name == "man" && args.operands.iter().any(|operand| operand.text.contains('/')) {
                    self.unknown(fields, "a page of the project may name other files");
                }
                let is_program = |first: &Field| super::tables::program(&first.text).is_some();
                if name == "bun run" && args.operands.first().is_some_and(is_program) {
                    // Without a project script of this name, `bun run` starts the program.
                    self.apart(|walker| walker.command(&args.operands, &Input::Closed));
                }
                if row.names.starts_with("date") && args.operands.iter().any(|operand| !operand.text.starts_with('+')) {
                    self.danger(fields, "it sets the clock");
                }
                self.operands(args, fields, 0);
                self.base(row, name, fields);
            }
        }
        match row.code {
            Code::Print => self.printed(name, fields, input),
            _ if matches!(name, "wc" | "grep") && counts(name, args) => {
                super::state::output(format!("{}\n", super::state::NUMBER))
            }
            _ => self.listed(name, args),
        }
    }

    pub(super) fn base(&mut self, row: &Row, name: &str, fields: &[Field]) {
        let because = format!("`{name}` {}", row.does);
        match row.base {
            Base::Reads => self.reads(fields, &because),
            Base::Plain => self.plain(fields, &because),
            Base::Project => self.project(fields, &because),
            Base::Tells => self.tells(name, fields, &because),
            Base::External => self.external(fields, &because),
            Base::Danger => self.danger(fields, &because),
            Base::Unknown => {
                self.unknown(fields, &because);
                self.ends(fields);
            }
        }
    }

    pub(super) fn options(&mut self, args: &Arguments<'_>, fields: &[Field]) {
        let dry = args.has_any(&["dry-run", "just-print"]);
        for Given { opt, value, negated } in &args.given {
            if *negated {
                continue;
            }
            match opt.mark {
                Mark::Danger if dry => self.unknown(fields, &format!("`{}` is said not to do anything", opt.name())),
                Mark::Danger => self.danger(fields, &format!("`{}` changes or removes what is there", opt.name())),
                Mark::Doubt => self.unknown(fields, &format!("what `{}` leads to is not followed", opt.name())),
                Mark::External => self.external(fields, &format!("`{}` acts on a service", opt.name())),
                Mark::None => {}
            }
            if let Some((kind, value)) = value {
                self.effect(*kind, value, fields, args);
            }
        }
    }

    pub(super) fn operands(&mut self, args: &Arguments<'_>, fields: &[Field], from: usize) {
        let written = |at| matches!(args.kind_of(at), Some(Kind::Write | Kind::Append));
        let several = args
            .operands
            .iter()
            .any(|operand| operand.glob || is_open(&operand.text));
        if several && !written(from) && (from..=args.operands.len()).any(written) {
            self.unknown(
                fields,
                "a pattern may stand for several files, and one of them would be written",
            );
        }
        for (at, operand) in args.operands.iter().enumerate().skip(from) {
            match args.kind_of(at) {
                Some(kind) => self.effect(kind, operand, fields, args),
                None => self.unknown(fields, "it has more words than are known"),
            }
        }
    }

    pub(super) fn effect(&mut self, kind: Kind, field: &Field, fields: &[Field], args: &Arguments<'_>) {
        match kind {
            Kind::Text | Kind::Remote | Kind::Rest => {}
            Kind::List => self.unknown(fields, "it reads files that a list names"),
            Kind::Tree => {
                // Two folders are compared recursively.
                self.reading(field, Kind::Tree);
            }
            // Compilers and similar tools read further arguments from such a file.
            Kind::Read if field.text.starts_with('@') => {
                self.unknown(fields, "what stands behind `@` may be a file that holds further words");
            }
            Kind::Read | Kind::Names => self.reading(field, kind),
            Kind::Write => self.write_to(field, &Field::of(show(fields)), args.has("append")),
            Kind::Append => self.write_to(field, &Field::of(show(fields)), true),
            Kind::Folder => self.write_below(field, fields),
            Kind::Made => self.make_folder(field, fields),
            Kind::Script => {
                let script = field.text.clone();
                self.apart(|walker| walker.script(&script, &Input::Unknown));
                self.reads_only = false;
            }
            Kind::Command => {
                let command = with_names(&args.command, fields);
                self.apart(|walker| walker.command(&command, &Input::Unknown));
                self.reads_only = false;
            }
            Kind::Doubt => self.unknown(fields, "it runs or reads what is not followed"),
        }
    }

    pub(super) fn reading(&mut self, field: &Field, kind: Kind) {
        let home = field.path().filter(|path| path.starts_with('~'));
        let text = home.as_deref().unwrap_or(&field.text);
        if matches!(text, "-" | "/dev/stdin" | "/dev/null" | "/dev/zero" | "") || super::writers::is_descriptor(text) {
            return;
        }
        let depth = match kind {
            Kind::Tree => Depth::All,
            Kind::Names => Depth::Names,
            _ => Depth::Itself,
        };
        let (path, depth) = match text.split_once(INSIDE) {
            _ if !is_open(text) => (text, depth),
            Some((start, end)) if !is_open(start) && !is_open(end) => {
                let folder = start.rsplit_once('/').map_or(".", |(folder, _)| folder);
                (
                    if folder.is_empty() { "/" } else { folder },
                    if kind == Kind::Names { depth } else { Depth::All },
                )
            }
            _ => {
                self.reads_only = false;
                return;
            }
        };
        let places = if path.starts_with('~') {
            vec![path.to_owned()]
        } else {
            self.state.places(path)
        };
        // A found name that contains a blank splits into several words if it is unquoted.
        let split = field.elastic && text.contains(INSIDE);
        let depth = if split { Depth::Words } else { depth };
        self.reads_only &= !places.is_empty() && (!field.elastic || split);
        for path in places {
            let reading = Reading {
                path,
                depth,
                pattern: field.glob,
            };
            if !self.readings.contains(&reading) {
                self.readings.push(reading);
            }
        }
    }

    /// Judges `grep PATTERN FILE…`. The first operand is the pattern, unless an option gives the pattern.
    fn searched(&mut self, name: &str, args: &Arguments<'_>) {
        let given = args.has_any(&["e", "regexp", "f", "from-file", "expression", "files", "type-list"]);
        let from = usize::from(!given);
        let visible = matches!(name, "rg" | "ag" | "ack" | "ugrep");
        let passes_over =
            visible && !args.has_any(&["hidden", ".", "u", "unrestricted", "a", "g", "iglob"]) && !self.shows_hidden();
        let recursive = args.has_any(&["r", "R", "recursive", "dereference-recursive", "directories"]);
        let deep = name == "rgrep" || name.ends_with("grep") && recursive;
        let places: Vec<Field> = args.operands.iter().skip(from).cloned().collect();
        let here = Field::of(".");
        let places = if places.is_empty() && (visible || deep) {
            vec![here]
        } else {
            places
        };
        for place in &places {
            let before = self.readings.len();
            self.reading(place, if visible || deep { Kind::Tree } else { Kind::Read });
            if passes_over {
                self.readings
                    .iter_mut()
                    .skip(before)
                    .for_each(|reading| reading.depth = Depth::Visible);
            }
        }
    }

    /// Whether an ignore file re-includes paths with `!`. Search programs may then read hidden files.
    fn shows_hidden(&self) -> bool {
        let folders = self.state.places("");
        let files = folders
            .iter()
            .flat_map(|folder| [".gitignore", ".ignore", ".rgignore"].map(|name| format!("{folder}{name}")));
        let texts = files.filter_map(|file| self.world.read_small(&file));
        texts
            .into_iter()
            .any(|text| text.lines().any(|line| line.starts_with('!')))
    }

    /// Judges a program whose first operand selects another row, such as `cargo build` or `docker compose ps`.
    fn verbs(
        &mut self,
        row: &'static Row,
        name: &str,
        args: &Arguments<'_>,
        fields: &[Field],
        input: &Input,
    ) -> Output {
        let toolchain = usize::from(
            args.operands
                .first()
                .is_some_and(|first| first.text.starts_with('+') && name == "cargo"),
        );
        let words = args.operands.get(toolchain..).unwrap_or(&[]);
        let Some(verb) = words.first() else {
            if row.base == Base::Danger || args.objection.is_some() || name == "git stash" {
                self.base(row, name, fields);
            } else if name == "yarn" {
                self.external(fields, "asks a registry");
            } else if matches!(name, "cargo" | "rustup") {
                // Even listing commands start the toolchain that the folder selects.
                self.tells(name, fields, &format!("`{name}` {}", row.does));
            } else if name.starts_with("git") || name == "go" {
                self.reads(fields, &format!("`{name}` {}", row.does));
            } else {
                // The program prints its usage. It may write to its cache folder, as `npm` does.
                self.plain(fields, &format!("`{name}` {}", row.does));
            }
            return None;
        };
        let known = verb.known().filter(|verb| !verb.contains(char::is_whitespace));
        match known.and_then(|verb| Self::verb_row(name, verb)) {
            Some(inner) => {
                let whole = format!("{name} {}", verb.text);
                let words: Vec<Field> = std::iter::once(Field::of(&whole))
                    .chain(words.iter().skip(1).cloned())
                    .collect();
                self.by_row(inner, &whole, &words, input)
            }
            None => {
                if row.base == Base::Danger {
                    self.danger(fields, &format!("`{name}` {}", row.does));
                } else if row.base == Base::Unknown && asks(name, words) {
                    self.tells(name, fields, &format!("`{name} {}` only tells something", verb.text));
                } else {
                    self.unknown(fields, &format!("this command of `{name}` is not known"));
                    self.ends(fields);
                }
                None
            }
        }
    }
}

/// Read-only verbs of package managers and build tools. They may run project code, in the read-only sandbox.
const ASKS: &str = "list ls ll la show info help version versions why explain env root prefix bin tree freeze inspect debug query \
    fund policy depends rdepends search which check current graph";

/// Options that only change the output.
const TELLING: &str = "json long all depth global outdated format local user verbose quiet parseable production dev tree help \
    installed upgradable";

fn asks(name: &str, words: &[Field]) -> bool {
    let is_telling = |word: &str| {
        let (option, value) = word.split_once('=').unwrap_or((word, ""));
        let known = option
            .strip_prefix("--")
            .is_none_or(|long| TELLING.split_whitespace().any(|known| known == long));
        known && value.chars().all(|c| c.is_ascii_alphanumeric())
    };
    let (options, verbs): (Vec<&str>, Vec<&str>) = words
        .iter()
        .filter_map(Field::known)
        .partition(|word| word.starts_with('-'));
    let settings = ["npm", "pnpm", "yarn", "pip"]
        .iter()
        .any(|manager| name.starts_with(manager));
    let asks = match verbs.as_slice() {
        ["config" | "pkg" | "cache", verb, ..] => settings && matches!(*verb, "get" | "list" | "ls" | "dir"),
        ["version" | "env", _, ..] | [] => false,
        [verb, ..] => ASKS.split_whitespace().any(|known| known == *verb),
    };
    asks && options.iter().all(|word| is_telling(word)) && words.iter().all(|word| word.known().is_some())
}

fn shows_help(row: &Row, name: &str, fields: &[Field]) -> bool {
    let known = matches!(
        row.base,
        Base::Reads | Base::Plain | Base::Project | Base::Tells | Base::External
    ) || matches!(row.code, Code::Verbs | Code::Git | Code::Services);
    let takes_help = !matches!(
        row.code,
        Code::Wrapper | Code::Builtin | Code::Xargs | Code::Env | Code::Find | Code::Planned
    );
    let only = matches!(fields, [_, only] if matches!(only.text.as_str(), "--help" | "--version") && !only.doubtful);
    only && known && takes_help && row.base != Base::Danger && !name.contains('/')
}

/// Returns the command of `fd -x` with each placeholder replaced by the found name, or with the name appended.
fn with_names(command: &[Field], fields: &[Field]) -> Vec<Field> {
    const PLACES: [&str; 5] = ["{}", "{/}", "{//}", "{.}", "{/.}"];
    let program = fields.first().map_or("", |field| field.text.as_str());
    if !matches!(program.rsplit('/').next(), Some("fd" | "fdfind")) {
        return command.to_vec();
    }
    let found = format!("./{INSIDE}");
    let fill = |field: &Field| Field {
        text: PLACES
            .iter()
            .fold(field.text.clone(), |text, place| text.replace(place, &found)),
        ..field.clone()
    };
    let has_place = command
        .iter()
        .any(|field| PLACES.iter().any(|place| field.text.contains(place)));
    let behind = (!has_place).then(|| Field::of(&found));
    command.iter().map(fill).chain(behind).collect()
}

fn counts(name: &str, args: &Arguments<'_>) -> bool {
    match name {
        "wc" => args.operands.is_empty() && args.given.len() == 1 && args.has_any(&["l", "w", "c", "m"]),
        _ => args.has("c") && args.operands.len() == 2 && !args.has_any(&["r", "R", "H"]),
    }
}

/// Whether the program needs its own parser, because no row can describe its grammar.
fn reads_its_own(code: Code) -> bool {
    matches!(
        code,
        Code::Find | Code::Shell | Code::Interpreter | Code::Builtin | Code::Kill | Code::Tar | Code::GitConfig
    )
}
