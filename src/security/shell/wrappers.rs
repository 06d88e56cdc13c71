//! Commands that run other commands. The inner command is judged as if it were alone.

use super::arguments::Arguments;
use super::grammar::{Base, Row};
use super::state::{Field, Input, Output, UNKNOWN, is_open, nothing, show};
use super::variables::Seen;
use super::walk::Walker;

/// Maximum number of analysed input words of `xargs`.
const MOST_WORDS: usize = 64;
/// Maximum number of commands that `xargs` builds from these words.
const MOST_ROUNDS: usize = 16;

impl Walker<'_> {
    pub(super) fn wrapper(
        &mut self,
        row: &'static Row,
        name: &str,
        args: &Arguments<'_>,
        fields: &[Field],
        input: &Input,
    ) -> Output {
        let own = row.operands.chars().take_while(|letter| *letter != 'C').count();
        let remote = matches!(name, "ssh" | "autossh" | "mosh" | "dbclient" | "sshpass");
        let own = own + usize::from(remote);
        let inner: Vec<Field> = args.operands.get(own..).unwrap_or(&[]).to_vec();
        let because = if inner.is_empty() {
            format!("`{name}` {}", row.does)
        } else {
            format!("`{name}` runs `{}`", show(&inner))
        };
        match row.base {
            Base::Plain | Base::Reads => self.reads(fields, &because),
            Base::Project | Base::Tells => self.project(fields, &because),
            Base::External => self.external(fields, &because),
            Base::Unknown | Base::Danger => self.unknown(fields, &because),
        }
        if inner.is_empty() {
            return None;
        }
        if remote {
            let script = inner
                .iter()
                .map(|field| field.text.as_str())
                .collect::<Vec<_>>()
                .join(" ");
            self.apart(|walker| walker.script(&script, input));
            return None;
        }
        self.command(&inner, input)
    }

    pub(super) fn env(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        if let Some(text) = args.values("S").first() {
            let rest: Vec<&str> = args.operands.iter().map(|field| field.text.as_str()).collect();
            let whole = format!("env {} {}", text.text, rest.join(" "));
            self.reads(fields, "`env` splits a text into a command");
            return self.script(&whole, input);
        }
        let exported = self.state.exported.clone();
        let mut at = 0;
        while let Some(field) = args.operands.get(at) {
            if is_open(field.text.split('=').next().unwrap_or("")) {
                self.unknown(fields, "which variable it sets is not known");
            }
            if !field.text.contains('=') {
                break;
            }
            if !self.assignment_word(field, false, Seen::ByPrograms) {
                self.unknown(fields, "it sets a variable of an unusual name");
            }
            at += 1;
        }
        if args.has("C") {
            self.unknown(fields, "it works in another folder");
        }
        let inner = args.operands.get(at..).unwrap_or(&[]).to_vec();
        let written = if inner.is_empty() {
            self.reads(fields, "shows variables");
            None
        } else {
            self.reads(fields, &format!("`env` runs `{}`", show(&inner)));
            self.command(&inner, input)
        };
        self.state.exported = exported;
        written
    }

    /// Judges `xargs`, which appends its input to the arguments of a command or, with `-I`, inserts it anywhere.
    pub(super) fn xargs(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        let text = match args.values("a").first() {
            Some(file) => {
                // The file's content may differ when the line runs again.
                self.fed_by_file = true;
                self.file_text(&file.text)
            }
            None => self.input_text(input),
        };
        let inner = if args.operands.is_empty() {
            vec![Field::of("echo")]
        } else {
            args.operands.clone()
        };
        self.reads(fields, &format!("`xargs` runs `{}`", show(&inner)));
        let lines = |field: &Field| matches!(field.text.as_str(), "\\n" | "\n" | "\\0");
        if !args.values("d").iter().all(lines) {
            self.unknown(fields, "where it parts the words it reads is not followed");
        }
        let exact = args.has("0") || args.has("d");
        let words = xargs_words(text.as_deref(), exact);
        let replace = args
            .values("I")
            .into_iter()
            .chain(args.values("i"))
            .chain(args.values("replace"))
            .next_back();
        let replace = replace
            .map(|field| field.text)
            .or_else(|| args.has_any(&["i", "replace"]).then(|| "{}".to_owned()));
        if let Some(replace) = replace.filter(|replace| !replace.is_empty()) {
            let value = text.unwrap_or_else(|| UNKNOWN.to_string());
            let values: Vec<&str> = value.trim_end_matches('\n').lines().take(MOST_ROUNDS).collect();
            if value.lines().count() > MOST_ROUNDS {
                self.unknown(fields, "it runs more commands than are looked at");
            }
            for value in if values.is_empty() { vec![""] } else { values } {
                let fill = |field: &Field| Field {
                    text: field.text.replace(&replace, value),
                    ..field.clone()
                };
                let changed: Vec<Field> = inner.iter().map(fill).collect();
                self.apart(|walker| walker.command(&changed, &Input::Closed));
            }
            return None;
        }
        if words.len() >= MOST_WORDS {
            self.unknown(fields, "it reads more words than are looked at");
        }
        for word in words.iter().take(MOST_ROUNDS).filter(|_| words.len() > 1) {
            let one: Vec<Field> = inner.iter().cloned().chain([word.clone()]).collect();
            self.apart(|walker| walker.command(&one, &Input::Closed));
        }
        let whole: Vec<Field> = inner.into_iter().chain(words).collect();
        self.apart(|walker| walker.command(&whole, &Input::Closed));
        None
    }

    pub(super) fn exec(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        if args.operands.is_empty() {
            self.plain(fields, "changes where the shell reads and writes");
            return nothing();
        }
        let inner = args.operands.clone();
        self.reads(fields, &format!("runs `{}`", show(&inner)));
        self.command(&inner, input)
    }

    /// Judges `command` and `builtin`, which with `-v` only describe a name.
    pub(super) fn command_builtin(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        if args.has_any(&["v", "V"]) || args.operands.is_empty() {
            self.reads(fields, "tells what a name stands for");
            return None;
        }
        self.command(&args.operands, input)
    }

    /// Judges `at`, `crontab` and other programs that only read with certain arguments.
    pub(super) fn planned(&mut self, name: &str, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        let words: Vec<&str> = fields.iter().skip(1).map(|field| field.text.as_str()).collect();
        let shows = match name {
            "crontab" => args.has("l") && args.objection.is_none(),
            "at" | "batch" => matches!(words.as_slice(), ["-l" | "-V"]),
            "sysctl" => {
                !words.is_empty()
                    && words.iter().all(|word| {
                        matches!(*word, "-a" | "-n" | "-e") || !word.contains('=') && !word.starts_with('-')
                    })
            }
            // These words only show something, as in `ip addr show`. Any other word may change something.
            _ => {
                words.iter().all(|word| {
                    matches!(*word, "show" | "list" | "ls" | "l" | "s" | "get" | "up" | "dev" | "to")
                        || word.starts_with(|c: char| c.is_ascii_digit())
                }) && !words.contains(&"set")
            }
        };
        if shows {
            self.reads(fields, "shows what is there");
            return None;
        }
        if matches!(name, "at" | "batch")
            && let Some(text) = self.input_text(input)
        {
            self.apart(|walker| walker.script(&text, &Input::Closed));
        }
        self.danger(fields, &format!("`{name}` changes the system or what it does later"));
        None
    }
}

fn xargs_words(text: Option<&str>, exact: bool) -> Vec<Field> {
    let Some(text) = text else {
        return vec![Field::unknown()];
    };
    let word = |word: &str| {
        // Unknown text may contain blanks, and so be several words.
        let loose = is_open(word) && !exact;
        Field {
            text: word.trim_matches(['\'', '"']).to_owned(),
            elastic: loose,
            ..Field::default()
        }
    };
    let words: Vec<Field> = if exact {
        text.split(['\n', ' ', ',', ':', ';'])
            .filter(|part| !part.is_empty())
            .take(MOST_WORDS)
            .map(word)
            .collect()
    } else {
        text.split_whitespace().take(MOST_WORDS).map(word).collect()
    };
    let quoted = text.contains(['\'', '"', '\\']);
    if quoted {
        words.into_iter().chain([Field::unknown()]).collect()
    } else {
        words
    }
}
