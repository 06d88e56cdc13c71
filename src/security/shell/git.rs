//! Analyses `git`: settings on the command line that run a program, and commands that change the work tree or history.

use super::arguments::Arguments;
use super::git_repository::is_tame;
use super::grammar::{Base, Code, Kind, Row};
use super::state::{Field, Input, Output, is_open};
use super::tables;
use super::walk::Walker;

/// Last parts of the names of git settings whose value is a program to run, or another location.
const RUNS: &str = "pager editor external sshcommand fsmonitor askpass helper textconv driver command cmd clean \
    smudge process program hookspath proxycommand gitproxy uploadpack receivepack worktree difffilter \
    defaultkeycommand";

fn runs(key: &str) -> bool {
    let last = key.rsplit('.').next().unwrap_or("");
    RUNS.split_whitespace().any(|known| known == last)
}

impl Walker<'_> {
    pub(super) fn git(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) -> Output {
        for setting in args.values("c") {
            let (key, value) = setting.text.split_once('=').unwrap_or((&setting.text, "true"));
            if !is_tame(key, value)
                || ["remote.", "branch."]
                    .iter()
                    .any(|start| key.to_ascii_lowercase().starts_with(start))
                || is_open(&setting.text)
            {
                self.setting(key, value, fields);
                self.unknown(fields, "a setting may make git run something");
            }
        }
        let Some(verb) = args.operands.first() else {
            if args.given.iter().all(|given| given.value.is_none()) && args.objection.is_none() {
                self.reads(fields, "tells about git");
            }
            return None;
        };
        let known = verb
            .known()
            .filter(|verb| verb.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'));
        let Some(row) = known.and_then(|verb| Self::verb_row("git", verb)) else {
            self.unknown(fields, "this command of `git` is not known");
            self.ends(fields);
            return None;
        };
        let name = format!("git {}", verb.text);
        let words: Vec<Field> = std::iter::once(Field::of(&name))
            .chain(args.operands.iter().skip(1).cloned())
            .collect();
        match args.values("C").last() {
            Some(folder) if args.values("C").len() == 1 && folder.known().is_some() => self.apart(|walker| {
                walker.state.folder = folder.known().and_then(|path| walker.state.place(path));
                walker.by_row(row, &name, &words, input)
            }),
            Some(_) => {
                self.unknown(fields, "in which folder it works is not known");
                self.apart(|walker| {
                    walker.state.folder = None;
                    walker.by_row(row, &name, &words, input)
                })
            }
            None => self.by_row(row, &name, &words, input),
        }
    }

    fn setting(&mut self, key: &str, value: &str, fields: &[Field]) {
        let key = key.to_ascii_lowercase();
        let alias = key.starts_with("alias.");
        if let Some(script) = value.strip_prefix('!').filter(|_| alias) {
            self.apart(|walker| walker.script(script, &Input::Unknown));
        } else if alias {
            let words: Vec<Field> = std::iter::once("git")
                .chain(value.split_whitespace())
                .map(Field::of)
                .collect();
            self.apart(|walker| walker.command(&words, &Input::Unknown));
        } else if runs(&key) {
            if tables::danger_words(value) {
                self.apart(|walker| walker.script(value, &Input::Unknown));
            }
            self.unknown(fields, &format!("git would run what `{key}` says"));
        }
    }

    pub(super) fn git_verb(&mut self, row: &'static Row, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        if let Some(first) = args.operands.first()
            && let Some(inner) = Self::verb_row(name, &first.text)
        {
            let whole = format!("{name} {}", first.text);
            let words: Vec<Field> = std::iter::once(Field::of(&whole))
                .chain(fields.iter().skip(2).cloned())
                .collect();
            self.by_row(inner, &whole, &words, &Input::Closed);
            return;
        }
        match row.code {
            Code::GitBranch => self.git_branch(row, name, args, fields),
            Code::GitCheckout => self.git_checkout(row, name, args, fields),
            Code::GitConfig => self.git_config(fields),
            Code::GitRemote => self.git_remote(row, name, args, fields),
            _ => self.git_reads(row, name, args, fields),
        }
    }

    fn git_reads(&mut self, row: &Row, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        // `git check-ignore .env` does not read the file.
        let read = !name.starts_with("git check-");
        for operand in args.operands.iter().filter(|_| read) {
            // Any operand may be a path. Text after a colon is always a path, as in `HEAD:.env`.
            self.reading(operand, Kind::Read);
            if let Some((_, path)) = operand.text.split_once(':') {
                let path = Field {
                    text: path.to_owned(),
                    ..operand.clone()
                };
                self.reading(&path, Kind::Read);
            }
        }
        // In `-L 1,9:FILE`, the path follows the last colon.
        for range in args.values("L") {
            for (at, _) in range.text.match_indices(':') {
                let path = Field {
                    text: range.text.get(at + 1..).unwrap_or_default().to_owned(),
                    ..range.clone()
                };
                self.reading(&path, Kind::Read);
            }
        }
        if name == "git symbolic-ref" && (args.operands.len() > 1 || args.has("d")) {
            self.danger(fields, "it changes what a name stands for");
        }
        if name == "git grep" {
            self.reading(&Field::of("."), Kind::Tree);
        }
        // `%G` runs the program that verifies signatures.
        self.reads_only &= !fields.iter().any(|field| field.text.contains("%G"));
        self.base(row, name, fields);
    }

    fn git_branch(&mut self, row: &Row, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        let lists = args.operands.is_empty() && !args.has_any(&["t", "u", "unset-upstream", "m", "F", "a-"])
            || args.has_any(&["l", "list", "show-current"]);
        if lists {
            self.reads(fields, &format!("`{name}` lists what is there"));
        } else {
            self.base(row, name, fields);
        }
    }

    fn git_checkout(&mut self, row: &Row, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        const LOST: &str = "it throws changes in the work tree away";
        let exists = |walker: &Self, field: &Field| {
            field
                .known()
                .is_none_or(|path| walker.state.places(path).iter().any(|place| walker.world.exists(place)))
        };
        let operands = &args.operands;
        match name {
            "git rm" | "git mv" | "git clean" => {
                if args.has("dry-run") || name == "git rm" && args.has("cached") {
                    self.plain(fields, "changes no file of the work tree");
                } else {
                    self.base(row, name, fields);
                }
            }
            "git restore" if args.has("staged") && !args.has("worktree") => {
                self.plain(fields, "changes what the next commit holds")
            }
            "git restore" => self.danger(fields, LOST),
            "git reset" => match operands.first() {
                Some(first) if first.text != "HEAD" && (!exists(self, first) || is_open(&first.text)) => {
                    self.unknown(fields, "it moves the branch");
                }
                _ => self.base(row, name, fields),
            },
            _ => {
                let new = args.has_any(&["b", "c"]);
                let pathspec = |field: &Field| field.text.starts_with(':') || field.text.contains(['*', '?', '[']);
                let dashes = fields.iter().any(|field| field.text == "--");
                let files = operands.iter().any(|field| pathspec(field) || exists(self, field));
                let open = operands.iter().any(|field| is_open(&field.text));
                if new && operands.is_empty() && !args.has_any(&["orphan", "force", "m"]) {
                    self.base(row, name, fields);
                } else if dashes || !new && (operands.len() > 1 || files && name == "git checkout") {
                    self.danger(fields, LOST);
                } else if open || operands.is_empty() || args.has("orphan") {
                    self.unknown(fields, "it changes files of the work tree");
                } else {
                    self.project(
                        fields,
                        "goes to a branch, keeps what is not committed, and runs the project's hooks",
                    );
                }
            }
        }
    }

    fn git_config(&mut self, fields: &[Field]) {
        let flags = |text: &str| {
            matches!(
                text,
                "--global"
                    | "--local"
                    | "--system"
                    | "--worktree"
                    | "--null"
                    | "-z"
                    | "--name-only"
                    | "--show-origin"
                    | "--show-scope"
                    | "--includes"
                    | "--bool"
                    | "--int"
                    | "--path"
                    | "--default"
                    | "--all"
            )
        };
        let words: Vec<&str> = fields
            .iter()
            .skip(1)
            .map(|field| field.text.as_str())
            .filter(|text| !flags(text))
            .collect();
        match words.as_slice() {
            // Showing a tame setting is harmless. Other settings may contain passwords.
            ["--get" | "--get-all" | "get", key] | [key] if is_tame(key, "") && key.contains('.') && !is_open(key) => {
                self.reads(fields, "tells a setting");
            }
            ["--list" | "-l" | "list"] | ["--get" | "--get-all" | "--get-regexp" | "get" | "--get-urlmatch", ..] => {
                self.unknown(fields, "it tells settings, which may hold passwords");
            }
            [only] if !only.starts_with('-') && *only != "edit" => {
                self.unknown(fields, "it tells a setting, which may hold a password");
            }
            [key, value] | ["set" | "--add" | "--replace-all", key, value] if !key.starts_with('-') => {
                if is_tame(key, value) && !is_open(value) && !key.starts_with("remote.") {
                    self.plain(fields, "changes a setting");
                    return;
                }
                self.setting(key, value, fields);
                if runs(&key.to_ascii_lowercase()) {
                    self.danger(fields, &format!("from then on git runs or obeys what `{key}` says"));
                }
                self.unknown(fields, "a setting may make git run something");
            }
            _ => self.unknown(fields, "it changes settings"),
        }
    }

    /// Judges `push`, `fetch` and `clone`, whose address may run a program.
    fn git_remote(&mut self, row: &Row, name: &str, args: &Arguments<'_>, fields: &[Field]) {
        for operand in &args.operands {
            if let Some((_, rest)) = operand.text.split_once("::") {
                let script = rest.replace('%', "");
                self.apart(|walker| walker.script(&script, &Input::Unknown));
                self.unknown(fields, "its address names a program to run");
            }
        }
        let forced = args
            .operands
            .iter()
            .skip(1)
            .any(|operand| operand.text.starts_with(['+', ':']));
        if name == "git push" && forced {
            self.danger(fields, "it rewrites or removes what others have");
        }
        if row.base == Base::External {
            self.external(fields, &format!("`{name}` {}", row.does));
            self.runs_project_code |= name == "git pull";
            if let Some(folder) = args.operands.get(1).filter(|_| name == "git clone") {
                self.write_below(folder, fields);
            }
        } else {
            self.base(row, name, fields);
        }
    }
}
