//! `git`: which of its commands change the work tree or history, and which options make it run something else.

use super::arguments::{Arguments, lists};
use super::state::{Field, Input, Output, show};
use super::walk::Walker;

/// Options of `git` itself with a value of their own.
const GLOBAL: &str = "C c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source";

/// Settings whose value git runs.
const RUN_SETTINGS: &[&str] = &[
    "pager",
    "editor",
    "external",
    "sshcommand",
    "fsmonitor",
    "askpass",
    "helper",
    "textconv",
    "driver",
    "command",
    "cmd",
    "clean",
    "smudge",
    "process",
    "program",
    "alias",
    "hookspath",
    "proxycommand",
    "gitproxy",
    "uploadpack",
    "receivepack",
];

impl Walker<'_> {
    pub(super) fn git(&mut self, fields: &[Field], input: &Input) -> Output {
        let mut at = 1;
        while let Some(field) = fields.get(at) {
            let text = field.text.as_str();
            if !text.starts_with('-') {
                break;
            }
            let setting = match text {
                "-c" | "--config-env" => fields.get(at + 1).map(|field| field.text.clone()),
                _ => text
                    .strip_prefix("-c")
                    .filter(|_| !text.starts_with("--"))
                    .map(str::to_owned),
            };
            if let Some(setting) = setting {
                self.setting(&setting, fields, input);
            }
            if text.starts_with("--exec-path=") {
                self.unknown(fields, "git would take its commands from another folder");
            }
            let takes = lists(GLOBAL, text) || lists(GLOBAL, text.trim_start_matches('-'));
            at += if takes && !text.contains('=') { 2 } else { 1 };
        }
        let rest = fields.get(at..).unwrap_or(&[]);
        let Some(verb) = rest.first().map(|field| field.text.clone()) else {
            self.plain(fields, "runs `git`");
            return None;
        };
        self.runs_other(&verb, rest, fields, input);
        match destroys(&verb, rest) {
            Some(why) => self.danger(fields, why),
            None => self.plain(fields, &format!("runs `git {verb}`")),
        }
        self.checkout_of_files(&verb, rest, fields);
        self.git_outputs(&verb, rest, fields);
        None
    }

    /// `-c key=value`, `git config key value`.
    fn setting(&mut self, setting: &str, fields: &[Field], input: &Input) {
        let (key, value) = setting.split_once('=').unwrap_or((setting, ""));
        let key = key.to_ascii_lowercase();
        let runs = RUN_SETTINGS
            .iter()
            .any(|part| key.rsplit('.').next() == Some(part) || key.starts_with(&format!("{part}.")));
        if !runs || value.is_empty() {
            return;
        }
        if key.starts_with("alias.") && !value.starts_with('!') {
            let words: Vec<Field> = std::iter::once("git")
                .chain(value.split_whitespace())
                .map(Field::of)
                .collect();
            self.apart(|walker| walker.command(&words, input));
            return;
        }
        if matches!(value, "false" | "true" | "never" | "cat" | "less" | "") {
            return;
        }
        let script = value.trim_start_matches('!').to_owned();
        self.apart(|walker| walker.script(&script, input));
        self.unknown(fields, &format!("git would run what `{key}` says"));
    }

    /// Options and commands that start another program.
    fn runs_other(&mut self, verb: &str, rest: &[Field], fields: &[Field], input: &Input) {
        let arguments = Arguments::of(
            rest,
            "x --exec --upload-pack --receive-pack --extcmd --tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter --setup --open-files-in-pager",
        );
        let mut scripts: Vec<Field> = arguments.values("--exec --upload-pack --receive-pack --extcmd --tree-filter --index-filter --msg-filter --env-filter --commit-filter --parent-filter --tag-name-filter --setup --open-files-in-pager");
        if matches!(verb, "rebase" | "difftool") {
            scripts.extend(arguments.values("x"));
        }
        if verb == "grep" {
            let pager = rest.iter().filter_map(|field| field.text.strip_prefix("-O"));
            scripts.extend(pager.filter(|value| !value.is_empty()).map(Field::of));
        }
        if matches!(verb, "clone" | "fetch" | "pull" | "ls-remote") {
            let short = rest
                .iter()
                .position(|field| field.text == "-u")
                .filter(|_| verb == "clone");
            scripts.extend(short.and_then(|at| rest.get(at + 1)).cloned());
            let remote = rest
                .iter()
                .filter_map(|field| field.text.strip_prefix("ext::"))
                .map(|text| Field::of(text.replace('%', "")));
            scripts.extend(remote);
        }
        let operands: Vec<Field> = arguments.operands.iter().map(|field| (*field).clone()).collect();
        match (verb, operands.split_first()) {
            ("bisect", Some((first, command))) if first.text == "run" => {
                self.apart(|walker| walker.command(command, input));
            }
            ("submodule", Some((first, command))) if first.text == "foreach" => {
                scripts.push(Field::of(show(command)));
            }
            ("config", Some((set, [key, value]))) if set.text == "set" => {
                self.setting(&format!("{}={}", key.text, value.text), fields, input);
            }
            ("config", Some((key, [value, ..]))) => {
                self.setting(&format!("{}={}", key.text, value.text), fields, input)
            }
            _ => {}
        }
        for script in scripts {
            self.apart(|walker| walker.script(&script.text, input));
            self.unknown(fields, "git would run another program");
        }
    }

    /// `git checkout NAME` of a file throws its changes away.
    fn checkout_of_files(&mut self, verb: &str, rest: &[Field], fields: &[Field]) {
        if verb != "checkout" {
            return;
        }
        let files = rest
            .iter()
            .skip(1)
            .filter_map(|field| field.known())
            .filter(|text| !text.starts_with('-'));
        let exists = files
            .filter_map(|text| self.state.place(text))
            .any(|place| self.world.exists(&place));
        if exists {
            self.danger(fields, "it throws changes in the work tree away");
        }
    }

    fn git_outputs(&mut self, verb: &str, rest: &[Field], fields: &[Field]) {
        let takes = match verb {
            "archive" => "o --output",
            "log" | "diff" | "show" | "format-patch" | "shortlog" | "diff-tree" => "--output",
            _ => return,
        };
        let arguments = Arguments::of(rest, takes);
        for target in arguments.values(takes) {
            self.write_to(&target, &Field::of(show(fields)), false);
        }
        if verb == "diff" && rest.iter().any(|field| field.text == "--ext-diff") {
            self.unknown(fields, "git would run the configured diff program");
        }
    }
}

/// Why a git command belongs to the dangerous class.
fn destroys(verb: &str, rest: &[Field]) -> Option<&'static str> {
    let has = |names: &[&str]| rest.iter().skip(1).any(|field| names.contains(&field.text.as_str()));
    let letter = |c: char| {
        rest.iter()
            .skip(1)
            .any(|field| field.text.starts_with('-') && !field.text.starts_with("--") && field.text.contains(c))
    };
    let second = rest.get(1).map(|field| field.text.as_str()).unwrap_or("");
    match verb {
        "rm" if !has(&["--cached", "-n", "--dry-run"]) => Some("`git rm` removes files"),
        "mv" if !has(&["-n", "--dry-run"]) => Some("`git mv` moves files"),
        "clean" if !(letter('n') || has(&["--dry-run"])) => Some("`git clean` removes files"),
        "reset" if has(&["--hard", "--merge", "--keep"]) => Some("it throws changes in the work tree away"),
        "checkout" if has(&["--", ".", "-f", "--force"]) => Some("it throws changes in the work tree away"),
        "switch" if has(&["-f", "--force", "--discard-changes"]) => Some("it throws changes in the work tree away"),
        "restore" if !has(&["--staged", "-S"]) || has(&["--worktree", "-W"]) => {
            Some("it throws changes in the work tree away")
        }
        "stash" if matches!(second, "drop" | "clear") => Some("it throws stashed changes away"),
        "worktree" if second == "remove" => Some("it removes a work tree"),
        "submodule" if second == "deinit" => Some("it removes a submodule's files"),
        "branch" if has(&["-D", "-d", "--delete"]) => Some("it removes a branch"),
        "tag" if has(&["-d", "--delete"]) => Some("it removes a tag"),
        "push"
            if has(&[
                "--force",
                "-f",
                "--force-with-lease",
                "--delete",
                "-d",
                "--mirror",
                "--prune",
            ]) || rest.iter().skip(2).any(|field| field.text.starts_with(['+', ':'])) =>
        {
            Some("it rewrites or removes what others have")
        }
        "filter-branch" | "filter-repo" => Some("it rewrites history"),
        "update-ref" if has(&["-d", "--delete"]) => Some("it removes a reference"),
        "reflog" if matches!(second, "expire" | "delete") => Some("it removes history"),
        "remote" if matches!(second, "remove" | "rm") => Some("it removes a remote"),
        "prune" => Some("it removes objects"),
        "read-tree" | "checkout-index" if has(&["-u", "-f", "--force"]) || letter('f') => {
            Some("it overwrites files of the work tree")
        }
        _ => None,
    }
}
