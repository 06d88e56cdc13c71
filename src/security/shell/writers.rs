//! Who would write where: redirections, and programs whose arguments name the files they write.

use super::arguments::Arguments;
use super::state::{Field, Output, UNKNOWN, nothing, show};
use super::texts::glob_matches;
use super::walk::Walker;

/// Device files that swallow or show what is written.
const HARMLESS_DEVICES: &[&str] = &[
    "/dev/null",
    "/dev/stdout",
    "/dev/stderr",
    "/dev/tty",
    "/dev/zero",
    "/dev/full",
];

/// Folders whose files decide what other programs do; creating one there is no small thing.
const SYSTEM_FOLDERS: &[&str] = &[
    "/etc/",
    "/usr/",
    "/bin/",
    "/sbin/",
    "/lib/",
    "/lib64/",
    "/boot/",
    "/root/",
    "/var/spool/",
    "/var/lib/",
    "/opt/",
];

impl Walker<'_> {
    /// Something opens this file for writing. `command` is shown; appending keeps what is there.
    pub(super) fn write_to(&mut self, target: &Field, command: &Field, appends: bool) {
        let shown = [command.clone()];
        let Some(path) = target.known().map(str::to_owned) else {
            let name = show(std::slice::from_ref(target));
            if target.text.starts_with("/dev/") {
                self.danger(&shown, &format!("writes to a device, `{name}`"));
            } else {
                self.unknown(&shown, &format!("writes to a file whose name is not known, `{name}`"));
            }
            return;
        };
        if path.is_empty() || path == "-" && !appends {
            return;
        }
        if HARMLESS_DEVICES.contains(&path.as_str()) || path.starts_with("/dev/fd/") {
            return;
        }
        let clean = clean(&path);
        if clean.starts_with("/dev/tcp/") || clean.starts_with("/dev/udp/") {
            self.unknown(&shown, "sends to a network address");
            return;
        }
        if ["/dev/", "/proc/", "/sys/"]
            .iter()
            .any(|start| clean.starts_with(start))
            && !clean.starts_with("/dev/shm/")
        {
            self.danger(&shown, &format!("writes to `{path}`, a device or a part of the system"));
            return;
        }
        self.writes.push(path.clone());
        if is_sensitive(&clean) {
            self.danger(&shown, &format!("writes to `{path}`, which other programs act on"));
            return;
        }
        let Some(place) = self.state.place(&path) else {
            self.unknown(&shown, &format!("writes `{path}` in a folder that is not known"));
            return;
        };
        if target.glob && self.glob_exists(&place) {
            self.danger(&shown, &format!("overwrites a file that `{path}` fits"));
            return;
        }
        if path.starts_with('~') {
            self.unknown(&shown, &format!("writes `{path}` outside the workspace"));
            return;
        }
        if self.world.exists(&place) && !self.world.is_folder(&place) {
            if appends {
                self.note(
                    crate::domain::permission::CommandClass::Plain,
                    &command.text,
                    &format!("appends to `{path}`"),
                );
            } else {
                self.danger(&shown, &format!("overwrites `{path}`, which exists"));
            }
        }
    }

    /// Whether a name fits a pattern, in the last part of the path.
    fn glob_exists(&self, place: &str) -> bool {
        let (folder, pattern) = place.rsplit_once('/').unwrap_or(("", place));
        if folder.contains(['*', '?', '[']) {
            return true;
        }
        self.world.names(folder).iter().any(|name| glob_matches(pattern, name))
    }

    fn write_all(&mut self, targets: &[Field], fields: &[Field], appends: bool) {
        let command = Field::of(show(fields));
        for target in targets {
            self.write_to(target, &command, appends);
        }
    }

    /// `cp`, `install`, `ln`: the last operand, or the folder of `-t`.
    pub(super) fn copy(&mut self, name: &str, fields: &[Field]) -> Output {
        let arguments = Arguments::of(
            fields,
            "t S m o g --target-directory --suffix --mode --owner --group --context",
        );
        self.plain(fields, &format!("`{name}` makes a file"));
        if name == "install" && arguments.has("d --directory") {
            return nothing();
        }
        if (name == "ln" || name == "link") && !arguments.has("f --force") {
            // Without force an existing name stops it.
            return nothing();
        }
        if name == "cp"
            && arguments.has("l --link s --symbolic-link n --no-clobber u --update")
            && !arguments.has("f --force u --update")
        {
            return nothing();
        }
        let (sources, target): (Vec<Field>, Field) = match arguments.values("t --target-directory").first() {
            Some(folder) => (
                arguments.operands.iter().map(|field| (*field).clone()).collect(),
                folder.clone(),
            ),
            None => match arguments.operands.split_last() {
                Some((last, [])) if name == "ln" => (Vec::new(), Field::of(base(&last.text))),
                Some((last, rest)) => (rest.iter().map(|field| (*field).clone()).collect(), (*last).clone()),
                None => return nothing(),
            },
        };
        let place = target.known().and_then(|path| self.state.place(path));
        let into_folder = place.is_some_and(|place| self.world.is_folder(&place)) || target.text.ends_with('/');
        if !into_folder || (arguments.has("T --no-target-directory") && !sources.is_empty()) {
            if sources.iter().any(|source| source.text == "/dev/null") && target.text.starts_with("/dev/fd/") {
                return nothing();
            }
            self.write_all(&[target], fields, false);
            return nothing();
        }
        for source in sources {
            let file = base(source.text.trim_end_matches('/'));
            let inner = format!("{}/{file}", target.text.trim_end_matches('/'));
            if !source.text.contains(UNKNOWN) {
                let glob = source.glob;
                let merges = arguments.has("r R a --recursive --archive");
                if merges
                    && self
                        .state
                        .place(&inner)
                        .is_some_and(|place| self.world.is_folder(&place))
                {
                    self.danger(fields, &format!("may overwrite files in `{inner}`, which exists"));
                }
                self.write_all(
                    &[Field {
                        text: inner,
                        glob,
                        ..Field::default()
                    }],
                    fields,
                    false,
                );
            }
        }
        nothing()
    }

    pub(super) fn rsync(&mut self, name: &str, fields: &[Field], input: &super::state::Input) -> Output {
        let arguments = Arguments::of(
            fields,
            "e B T f M o c i F l P S J --rsh --exclude --include --filter --rsync-path --exclude-from --files-from",
        );
        for script in arguments.values("e --rsh --rsync-path S") {
            if name == "rsync" || script.text.contains(' ') {
                self.apart(|walker| walker.script(&script.text, input));
            }
        }
        let removes = arguments.options.iter().any(|(option, _)| {
            option.starts_with("--del")
                || option == "--remove-source-files"
                || option == "--remove-sent-files"
                || option == "--inplace"
        });
        if removes && name == "rsync" && !arguments.has("n --dry-run") {
            self.danger(fields, "it removes or replaces files");
            return None;
        }
        self.plain(fields, &format!("`{name}` copies files"));
        if let Some((last, sources)) = arguments.operands.split_last()
            && !last.text.contains(':')
            && !sources.is_empty()
            && !arguments.has("n --dry-run")
        {
            let place = last.known().and_then(|path| self.state.place(path));
            let full = place.is_some_and(|place| !self.world.names(place.trim_end_matches('/')).is_empty());
            if name == "rsync" && full {
                self.danger(fields, "may overwrite files in a folder that exists");
            }
            self.write_all(&[(*last).clone()], fields, false);
        }
        None
    }

    pub(super) fn dd(&mut self, fields: &[Field]) -> Output {
        self.plain(fields, "`dd` copies bytes");
        for field in fields.iter().skip(1).cloned().collect::<Vec<_>>() {
            if let Some(target) = field.text.strip_prefix("of=") {
                self.write_all(
                    &[Field {
                        text: target.to_owned(),
                        ..field.clone()
                    }],
                    fields,
                    false,
                );
            }
        }
        None
    }

    /// `truncate`, `fallocate`: every operand that exists.
    pub(super) fn truncate(&mut self, name: &str, fields: &[Field]) -> Output {
        let arguments = Arguments::of(fields, "s r o l --size --reference --offset --length");
        self.plain(fields, &format!("`{name}` sets a file's size"));
        let targets: Vec<Field> = arguments.operands.iter().map(|field| (*field).clone()).collect();
        self.write_all(&targets, fields, false);
        None
    }

    pub(super) fn tee(&mut self, name: &str, fields: &[Field]) -> Output {
        let arguments = Arguments::of(fields, "");
        let appends = arguments.has("a --append");
        self.plain(fields, &format!("`{name}` writes what it reads"));
        let targets: Vec<Field> = arguments.operands.iter().map(|field| (*field).clone()).collect();
        self.write_all(&targets, fields, appends);
        None
    }

    /// Options that name an output file.
    pub(super) fn output_option(&mut self, name: &str, fields: &[Field], takes: &str, outputs: &str) -> Output {
        let arguments = Arguments::of(fields, takes);
        let targets = arguments.values(outputs);
        self.plain(fields, &format!("runs `{name}`"));
        self.write_all(&targets, fields, false);
        None
    }

    /// `sort`: `-o`, and a program it packs its temporary files with.
    pub(super) fn sort(&mut self, name: &str, fields: &[Field], input: &super::state::Input) -> Output {
        const TAKES: &str = "o k t S T n --output --key --field-separator --buffer-size --temporary-directory --compress-program --parallel --files0-from --head-count";
        let takes = if name == "sort" {
            TAKES.replace(" n ", " ")
        } else {
            TAKES.to_owned()
        };
        let arguments = Arguments::of(fields, &takes);
        for program in arguments.values("--compress-program") {
            self.apart(|walker| walker.script(&program.text, input));
            self.unknown(fields, "it runs a program for its temporary files");
        }
        self.output_option(name, fields, &takes, "o --output")
    }

    /// `uniq IN OUT`, `xxd IN OUT`: the second operand is written.
    pub(super) fn second_operand(&mut self, name: &str, fields: &[Field], input: &super::state::Input) -> Output {
        let takes = if name == "uniq" { "f s w" } else { "c g l o s n R" };
        let arguments = Arguments::of(fields, takes);
        self.plain(fields, &format!("runs `{name}`"));
        if let Some(target) = arguments.operands.get(1).map(|field| (*field).clone()) {
            self.write_all(&[target], fields, false);
        }
        if name == "xxd" && arguments.has("r") && arguments.has("p") {
            let operands: Vec<&str> = arguments.operands.iter().map(|field| field.text.as_str()).collect();
            let text = self.operand_or_input(&operands, input)?;
            return super::texts::hex(&text).and_then(super::state::output);
        }
        None
    }

    pub(super) fn download(&mut self, name: &str, fields: &[Field]) -> Output {
        let takes = match name {
            "curl" => {
                "o d H X A u b c e F m K T w x C D E r y Y z U Q t P --output --data --header --request --config --dump-header --cookie-jar --output-dir --trace --trace-ascii --stderr --user --url --upload-file --form"
            }
            "wget" => "O o a P U e T t Q i B --output-document --output-file --directory-prefix --post-data --header",
            _ => "o d --out --dir",
        };
        let outputs = match name {
            "curl" => "o --output D --dump-header c --cookie-jar --trace --trace-ascii --stderr",
            "wget" => "O o --output-document --output-file",
            _ => "o --out",
        };
        let arguments = Arguments::of(fields, takes);
        if name == "curl" && arguments.has("O J --remote-name") {
            let files: Vec<Field> = arguments
                .operands
                .iter()
                .map(|url| Field::of(base(&url.text)))
                .collect();
            self.write_all(&files, fields, false);
        }
        if arguments.has("K --config") || (name == "wget" && arguments.has("e --execute --use-askpass")) {
            self.unknown(fields, "it reads its options from elsewhere");
        }
        self.output_option(name, fields, takes, outputs)
    }

    /// `gzip` and its like put a new file in the place of the old one.
    pub(super) fn compress(&mut self, name: &str, fields: &[Field]) -> Output {
        let arguments = Arguments::of(fields, "S o T q M Q --suffix --threads");
        let keeps = arguments.has("c k t l --stdout --to-stdout --keep --test --list h V --help --version");
        let keeps_by_itself = matches!(name, "zstd" | "unzstd" | "lz4" | "brotli") && !arguments.has("--rm j --rm");
        if arguments.operands.is_empty() || keeps || keeps_by_itself {
            self.plain(fields, &format!("runs `{name}`"));
            self.write_all(&arguments.values("o"), fields, false);
        } else {
            self.danger(fields, &format!("`{name}` replaces the files it packs or unpacks"));
        }
        None
    }

    pub(super) fn zip(&mut self, fields: &[Field], input: &super::state::Input) -> Output {
        let arguments = Arguments::of(fields, "b i n P t x s O --unzip-command --out");
        for script in arguments.values("--unzip-command") {
            self.apart(|walker| walker.script(&script.text, input));
        }
        if let Some(at) = fields.iter().position(|field| field.text == "-TT")
            && let Some(script) = fields.get(at + 1)
        {
            let text = script.text.clone();
            self.apart(|walker| walker.script(&text, input));
        }
        if arguments.has("m --move d --delete") {
            self.danger(fields, "`zip` moves files into the archive or removes them from it");
        } else {
            self.plain(fields, "runs `zip`");
        }
        None
    }

    pub(super) fn archive(&mut self, name: &str, fields: &[Field]) -> Output {
        let verb = fields.get(1).map(|field| field.text.as_str()).unwrap_or("");
        let options = fields.iter().skip(1).map(|field| field.text.as_str());
        let removes = match name {
            "7z" | "7za" | "7zr" => verb == "d" || verb == "rn" || options.clone().any(|text| text == "-sdel"),
            "rar" => matches!(verb, "d" | "m" | "mf") || options.clone().any(|text| text == "-df"),
            "ar" => verb.trim_start_matches('-').starts_with(['d', 'm']),
            "unzip" => options
                .clone()
                .any(|text| text.starts_with('-') && !text.starts_with("--") && text.contains('o')),
            _ => options
                .clone()
                .any(|text| text == "-u" || text == "--unconditional" || text.starts_with("--to-command")),
        };
        if removes {
            self.danger(fields, &format!("`{name}` removes or replaces files"));
        } else {
            self.plain(fields, &format!("runs `{name}`"));
        }
        None
    }
}

pub(super) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Without `//`, `.` and `..`, by letters.
fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            other => parts.push(other),
        }
    }
    let start = if path.starts_with('/') { "/" } else { "" };
    format!("{start}{}", parts.join("/"))
}

/// Files that are run or obeyed by something else later.
fn is_sensitive(path: &str) -> bool {
    SYSTEM_FOLDERS.iter().any(|folder| path.starts_with(folder))
        || path
            .split('/')
            .any(|part| part.eq_ignore_ascii_case(".git") || part == ".benchdog" || part == ".ssh")
        || (path.starts_with("~/.") || path.starts_with("/home/") && path.contains("/."))
}
