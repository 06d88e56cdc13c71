//! Analyses `find`. The tests of `find` only read, but its actions have effects.

use super::grammar::Kind;
use super::state::{Field, INSIDE, Input, Output, UNKNOWN, is_open, output, show};
use super::texts::{self, Escapes};
use super::walk::Walker;
use benchdog_domain::command::{FoundKind, Search, Target};

/// Words of a `find` expression that take no value.
const ALONE: &str = "-a -and -o -or ! -not ( ) , -print -print0 -ls -prune -quit -depth -d -daystart -mount -xdev \
    -noleaf -ignore_readdir_race -noignore_readdir_race -nowarn -warn -empty -executable -readable -writable \
    -nouser -nogroup -true -false -follow -H -L -P -E -X -O0 -O1 -O2 -O3 --version";

/// Words that take one value.
const VALUED: &str = "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size \
    -mtime -atime -ctime -mmin -amin -cmin -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -lname \
    -ilname -fstype -used -context -printf -D";

/// Words that take a file as value. `find` reads only the metadata of the file.
const FILES: &str = "-newer -anewer -cnewer -samefile -neweraa -newermm -newercm -newerac -newermt";

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

impl Walker<'_> {
    pub(super) fn find(&mut self, fields: &[Field], input: &Input) -> Output {
        self.reads(fields, "looks for files");
        let words = fields.get(1..).unwrap_or(&[]);
        let begins =
            |field: &Field| field.text.starts_with('-') || matches!(field.text.as_str(), "(" | ")" | "!" | ",");
        let flags = words
            .iter()
            .take_while(|field| {
                matches!(field.text.as_str(), "-H" | "-L" | "-P" | "-E" | "-X") || field.text.starts_with("-O")
            })
            .count();
        let starts: Vec<Field> = words
            .iter()
            .skip(flags)
            .take_while(|field| !begins(field))
            .cloned()
            .collect();
        let expression = words.get(flags + starts.len()..).unwrap_or(&[]);
        let starts = if starts.is_empty() {
            vec![Field::of(".")]
        } else {
            starts
        };
        for start in &starts {
            if start.text.starts_with(UNKNOWN) || start.elastic {
                self.unknown(fields, "where it looks is not known");
            }
            self.reading(start, Kind::Names);
        }
        let found = found_names(&starts, expression);
        let follows = |field: &Field| matches!(field.text.as_str(), "-L" | "-follow");
        // With links, `find` reaches files elsewhere, so the affected files cannot be counted.
        let counted = if words.iter().any(follows) { &[] } else { &*starts };
        self.expression(expression, counted, &found, fields, input)
    }

    fn expression(
        &mut self,
        expression: &[Field],
        starts: &[Field],
        found: &[String],
        fields: &[Field],
        input: &Input,
    ) -> Output {
        let mut printed = output(found.join("\n") + "\n");
        let mut at = 0;
        while let Some(field) = expression.get(at) {
            let text = field.text.as_str();
            let value = expression.get(at + 1);
            at += 1;
            match text {
                _ if is_in(ALONE, text) => {}
                _ if is_in(VALUED, text) => {
                    if text == "-printf" {
                        let format = value.map(|field| field.text.clone()).unwrap_or_default();
                        // The format is printed once for each file, and the number of files is unknown.
                        printed = output(format!("{}{UNKNOWN}", texts::unescape(&format, Escapes::Printf)));
                    }
                    if value.is_none_or(|value| value.elastic) {
                        self.unknown(fields, "a word of its expression is not known");
                    }
                    at += 1;
                }
                _ if is_in(FILES, text) => {
                    if let Some(file) = value.filter(|_| text != "-newermt") {
                        self.reading(file, Kind::Names);
                    }
                    at += 1;
                }
                "-delete" => {
                    self.note_found(starts, expression);
                    self.danger(fields, "`find -delete` removes files");
                }
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let rest = expression.get(at..).unwrap_or(&[]);
                    let end = rest
                        .iter()
                        .position(|field| field.text == ";" || field.text == "+")
                        .unwrap_or(rest.len());
                    let command = rest.get(..end).unwrap_or(&[]);
                    if removes_each(command) {
                        self.note_found(starts, expression);
                    }
                    self.for_each(command, found, text, input);
                    printed = None;
                    at += end + 1;
                }
                "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                    if let Some(target) = value {
                        self.write_to(&target.clone(), &Field::of(show(fields)), false);
                    }
                    at += if text == "-fprintf" { 2 } else { 1 };
                }
                "-files0-from" => {
                    self.unknown(fields, "where it looks is not known");
                    at += 1;
                }
                _ => {
                    self.unknown(fields, "a word of its expression is not known");
                    self.ends(fields);
                    return None;
                }
            }
        }
        printed
    }

    fn note_found(&mut self, starts: &[Field], expression: &[Field]) {
        let search = search(expression);
        for start in starts {
            let Some(text) = start.known() else { continue };
            let places = self.state.places(text).into_iter();
            let (glob, search) = (start.glob, Some(search.clone()));
            self.removes.extend(places.map(|path| Target {
                path,
                glob,
                search: search.clone(),
            }));
        }
    }

    fn for_each(&mut self, command: &[Field], found: &[String], action: &str, input: &Input) {
        for name in found {
            let name = if action.ends_with("dir") {
                format!("./{INSIDE}")
            } else {
                name.clone()
            };
            let fill = |field: &Field| Field {
                text: field.text.replace("{}", &name),
                ..field.clone()
            };
            let inner: Vec<Field> = command.iter().map(fill).collect();
            self.apart(|walker| {
                if action.ends_with("dir") {
                    walker.state.folder = None;
                }
                walker.command(&inner, input)
            });
        }
    }

    pub(super) fn listed(&self, name: &str, args: &super::arguments::Arguments<'_>) -> Output {
        let names_only = match name {
            "ls" => !args.has_any(&[
                "l", "s", "i", "R", "g", "o", "n", "Z", "C", "m", "x", "Q", "b", "F", "p",
            ]),
            "git ls-files" => !args.has_any(&["s", "t", "v", "f", "u", "debug", "eol", "format"]),
            "git diff" => args.has("name-only"),
            "git grep" => args.has("l"),
            "rg" => args.has_any(&["files", "l", "files-without-match"]),
            "grep" => args.has_any(&["l", "L"]),
            "fd" | "fdfind" => !args.has("l"),
            _ => false,
        };
        if names_only {
            output(format!("{INSIDE}\n"))
        } else {
            None
        }
    }
}

fn removes_each(command: &[Field]) -> bool {
    let program = command.first().map_or("", |field| field.text.as_str());
    matches!(program.rsplit('/').next(), Some("rm" | "unlink")) && command.iter().any(|field| field.text == "{}")
}

/// Parses a search expression. Only a list of tests that must all match is understood.
fn search(expression: &[Field]) -> Search {
    let mut search = Search::default();
    let mut words = expression.iter();
    while let Some(word) = words.next() {
        match word.text.as_str() {
            "-delete" | "-print" | "-print0" | "-depth" | "-a" | "-and" => {}
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                words.by_ref().find(|field| field.text == ";" || field.text == "+");
            }
            test @ ("-name" | "-iname") if search.name.is_none() => match value(words.next()) {
                Some(name) => {
                    search.name = Some(name.to_owned());
                    search.any_case = test == "-iname";
                }
                None => search.chooses_further = true,
            },
            "-type" if search.kind.is_none() => match value(words.next()) {
                Some("f") => search.kind = Some(FoundKind::File),
                Some("d") => search.kind = Some(FoundKind::Folder),
                Some("l") => search.kind = Some(FoundKind::Link),
                _ => search.chooses_further = true,
            },
            // With these operators, a file may match without matching all tests.
            "-o" | "-or" | "!" | "-not" | "," | "(" | ")" => {
                return Search {
                    chooses_further: true,
                    ..Search::default()
                };
            }
            _ => search.chooses_further = true,
        }
    }
    search
}

/// Returns the value of a test, if the shell does not expand it.
fn value(field: Option<&Field>) -> Option<&str> {
    field.filter(|field| !field.glob)?.known()
}

/// Returns patterns for the paths below each start folder. A single `-name` test gives the ending of the patterns.
fn found_names(starts: &[Field], expression: &[Field]) -> Vec<String> {
    let named: Vec<&Field> = expression
        .windows(2)
        .filter(|pair| pair.first().is_some_and(|field| field.text == "-name"))
        .filter_map(|pair| pair.get(1))
        .collect();
    let chosen = expression
        .iter()
        .any(|field| matches!(field.text.as_str(), "-o" | "-or" | "!" | "-not" | ","));
    let end = match named.as_slice() {
        [only] if !chosen && only.known().is_some() => {
            only.text.rsplit(['*', '?', ']']).next().unwrap_or("").to_owned()
        }
        _ => String::new(),
    };
    let below = |start: &Field| {
        let open = is_open(&start.text) || start.glob;
        let text = if open { UNKNOWN.to_string() } else { start.text.clone() };
        format!("{}/{INSIDE}{end}", text.trim_end_matches('/'))
    };
    starts
        .iter()
        .take(4)
        .map(below)
        .chain((starts.len() > 4).then(|| UNKNOWN.to_string()))
        .collect()
}
