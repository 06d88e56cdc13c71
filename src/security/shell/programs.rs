//! Programs that are dangerous or not by their arguments: where a row of the table says `Special`.

use super::arguments::Arguments;
use super::state::{Field, Input, Output, UNKNOWN, output, show};
use super::texts::{self, Escapes};
use super::walk::Walker;

impl Walker<'_> {
    pub(super) fn special(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        match name {
            "exec" => self.exec(fields, input),
            "command" | "builtin" => self.command_builtin(fields, input),
            "su" | "runuser" | "sg" | "newgrp" => self.su(fields, input),
            "env" | "genv" => self.env(fields, input),
            "xargs" | "gxargs" => self.xargs(fields, input),
            "parallel" => self.parallel(fields, input),
            "docker" | "podman" | "nerdctl" | "lxc" | "kubectl" | "oc" | "docker-compose" | "podman-compose" => {
                self.container(name, fields, input)
            }
            "cp" | "gcp" | "install" | "ln" | "link" => self.copy(name, fields),
            "rsync" | "scp" => self.rsync(name, fields, input),
            "dd" | "gdd" | "dcfldd" => self.dd(fields),
            "truncate" | "fallocate" => self.truncate(name, fields),
            "tee" | "sponge" => self.tee(name, fields),
            "sort" | "shuf" => self.sort(name, fields, input),
            "uniq" | "xxd" => self.second_operand(name, fields, input),
            "tree" => self.output_option(name, fields, "o P I L T H --filelimit --charset", "o"),
            "openssl" | "gpg" | "gpg2" | "age" | "iconv" => self.crypt(name, fields, input),
            "curl" | "wget" | "aria2c" => self.download(name, fields),
            "gzip" | "bzip2" | "xz" | "lzma" | "lzip" | "lzop" | "zstd" | "compress" | "pigz" | "pbzip2" | "gunzip"
            | "bunzip2" | "unxz" | "unzstd" | "uncompress" | "lz4" | "brotli" => self.compress(name, fields),
            "zip" => self.zip(fields, input),
            "7z" | "7za" | "7zr" | "rar" | "ar" | "cpio" | "unzip" => self.archive(name, fields),
            "tar" | "gtar" | "bsdtar" => self.tar(fields, input),
            "find" | "gfind" | "bfs" => self.find(fields, input),
            "fd" | "fdfind" => self.fd(fields, input),
            "rg" | "ag" | "ack" => self.search(name, fields, input),
            "git" | "hub" => self.git(fields, input),
            "awk" | "gawk" | "mawk" | "nawk" | "original-awk" => self.awk(fields),
            "sed" | "gsed" | "ssed" => self.sed(fields, input),
            _ => self.special_more(name, fields, input),
        }
    }

    fn special_more(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        match name {
            "script" => self.script_log(fields, input),
            "logsave" => self.logsave(fields, input),
            "hyperfine" => {
                let arguments = Arguments::of(
                    fields,
                    "w m M r s p c i L P n u N S --prepare --cleanup --setup --shell --runs --warmup --export-json",
                );
                let scripts = arguments.values("p c s --prepare --cleanup --setup");
                let all = scripts
                    .into_iter()
                    .chain(arguments.operands.iter().map(|field| (*field).clone()));
                self.scripts(all.collect(), fields, input)
            }
            "at" | "batch" => self.later(fields, input),
            "crontab" => self.crontab(fields, input),
            "run-parts" => self.unsure(fields, "it runs every script of a folder"),
            "perf" => {
                let inner = fields
                    .iter()
                    .skip(2)
                    .skip_while(|field| field.text.starts_with('-'))
                    .cloned()
                    .collect::<Vec<_>>();
                self.inside(fields, &inner, input)
            }
            "systemctl" | "loginctl" => self.systemctl(fields),
            "tmux" | "screen" | "byobu" => self.terminal(fields, input),
            "bundle" | "poetry" | "pipenv" | "uv" | "rye" | "hatch" | "pdm" | "conda" | "mamba" | "micromamba"
            | "direnv" | "nix" | "nix-shell" | "asdf" | "mise" => self.runner(name, fields, input),
            "ed" | "ex" | "red" | "vi" | "vim" | "nvim" | "view" | "rvim" | "gvim" => self.editor(name, fields, input),
            "gdb" | "lldb" | "less" | "more" | "man" | "most" | "nano" | "pico" | "joe" | "mcedit" => {
                self.pager(name, fields, input)
            }
            "sqlite3" | "sqlite" | "psql" | "mysql" | "mariadb" | "duckdb" => self.database(name, fields, input),
            "make" | "gmake" | "bmake" => self.make(fields, input),
            "cmake" | "ninja" => self.build(name, fields),
            "kill" => self.kill(fields),
            "socat" | "nc" | "ncat" | "netcat" => self.network(name, fields, input),
            "hg" | "svn" | "bzr" | "fossil" => self.version_control(name, fields),
            "patch" => self.output_option(
                name,
                fields,
                "p o i d r F B D V Y z --output --input --directory",
                "o --output",
            ),
            "yq" | "sd" | "perltidy" => self.in_place(name, fields),
            "gio" | "gvfs-rm" | "rclone" => {
                let verb = fields.get(1).map(|field| field.text.clone()).unwrap_or_default();
                if matches!(
                    verb.as_str(),
                    "remove"
                        | "trash"
                        | "move"
                        | "rename"
                        | "delete"
                        | "deletefile"
                        | "purge"
                        | "sync"
                        | "moveto"
                        | "cleanup"
                        | "rmdir"
                        | "rmdirs"
                ) || name == "gvfs-rm"
                {
                    self.danger(fields, &format!("`{name}` removes or moves files"));
                } else {
                    self.plain(fields, &format!("runs `{name}`"));
                }
                None
            }
            _ => {
                self.plain(fields, &format!("runs `{name}`"));
                None
            }
        }
    }

    pub(super) fn scripts(&mut self, scripts: Vec<Field>, fields: &[Field], input: &Input) -> Output {
        self.plain(fields, "runs command lines");
        for script in scripts {
            self.apart(|walker| walker.script(&script.text, input));
        }
        None
    }

    pub(super) fn unsure(&mut self, fields: &[Field], because: &str) -> Output {
        self.unknown(fields, because);
        None
    }

    pub(super) fn inside(&mut self, fields: &[Field], inner: &[Field], input: &Input) -> Output {
        self.plain(fields, &format!("runs `{}`", show(inner)));
        self.command(inner, input)
    }

    fn find(&mut self, fields: &[Field], input: &Input) -> Output {
        let mut at = 1;
        let mut printed = None;
        self.plain(fields, "looks for files");
        while let Some(field) = fields.get(at) {
            match field.text.as_str() {
                "-delete" => self.danger(fields, "`find -delete` removes files"),
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let rest = fields.get(at + 1..).unwrap_or(&[]);
                    let end = rest
                        .iter()
                        .position(|field| field.text == ";" || field.text == "+")
                        .unwrap_or(rest.len());
                    let inner: Vec<Field> = rest
                        .iter()
                        .take(end)
                        .map(|field| Field {
                            text: field.text.replace("{}", &UNKNOWN.to_string()),
                            ..field.clone()
                        })
                        .collect();
                    self.apart(|walker| walker.command(&inner, input));
                    at += end;
                }
                "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                    if let Some(target) = fields.get(at + 1).cloned() {
                        self.write_to(&target, &Field::of(show(fields)), false);
                    }
                    at += 1;
                }
                "-printf" => {
                    let format = fields.get(at + 1).map(|field| field.text.clone()).unwrap_or_default();
                    let text = texts::unescape(&format, Escapes::Printf);
                    // Once a file, and how many there are is not known.
                    printed = output(format!("{text}{UNKNOWN}"));
                    at += 1;
                }
                _ => {}
            }
            at += 1;
        }
        printed
    }

    fn fd(&mut self, fields: &[Field], input: &Input) -> Output {
        let at = fields
            .iter()
            .position(|field| matches!(field.text.as_str(), "-x" | "-X" | "--exec" | "--exec-batch"));
        let long = fields.iter().filter_map(|field| {
            field
                .text
                .strip_prefix("--exec=")
                .or(field.text.strip_prefix("--exec-batch="))
        });
        let glued: Vec<Field> = long.map(Field::of).collect();
        self.plain(fields, "looks for files");
        if let Some(inner) = at.and_then(|at| fields.get(at + 1..)) {
            self.apart(|walker| walker.command(inner, input));
        }
        for inner in glued {
            self.apart(|walker| walker.command(&[inner], input));
        }
        None
    }

    /// `rg --pre`, pagers of searchers.
    fn search(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(
            fields,
            "e f g t T A B C m j M --pre --pre-glob --pager --hostname-bin --glob --type",
        );
        self.plain(fields, &format!("`{name}` searches"));
        for program in arguments.values("--pre --pager --hostname-bin") {
            if program.text.is_empty() {
                continue;
            }
            let script = self.file_text(&program.text);
            match script {
                Some(text) => self.script_file(&program.text.clone(), &text, &[program]),
                None => self.apart(|walker| walker.script(&program.text, input)),
            };
            self.unknown(fields, "it runs a program for each file");
        }
        None
    }

    fn tar(&mut self, fields: &[Field], input: &Input) -> Output {
        const TAKES: &str = "f C T X I F b g H K L N V --file --directory --files-from --exclude --exclude-from --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command --transform --format --owner --group --mode --mtime";
        let arguments = Arguments::of(fields, TAKES);
        self.plain(fields, "packs or unpacks an archive");
        for action in arguments.values("--checkpoint-action") {
            if let Some(script) = action.text.strip_prefix("exec=") {
                self.apart(|walker| walker.script(script, input));
                self.unknown(fields, "`tar` would run a command");
            }
        }
        for script in arguments.values(
            "--to-command --use-compress-program I --info-script --new-volume-script F --rsh-command --rmt-command",
        ) {
            self.apart(|walker| walker.script(&script.text, input));
            if !matches!(script.text.as_str(), "zstd" | "pigz" | "xz" | "gzip" | "lz4" | "bzip2") {
                self.unknown(fields, "`tar` would run a command");
            }
        }
        if arguments.has("--remove-files --unlink-first --recursive-unlink U --delete --overwrite") {
            self.danger(fields, "`tar` removes or replaces files");
        }
        // `tar cf`: the letters may stand without a dash, the values then follow in their order.
        let bundle = fields
            .get(1)
            .map(|field| field.text.trim_start_matches('-').to_owned())
            .unwrap_or_default();
        let short = !fields.get(1).is_some_and(|field| field.text.starts_with("--"));
        let creates = (short && bundle.contains('c')) || arguments.has("c --create");
        let mut archives = arguments.values("f --file");
        if short && archives.is_empty() && bundle.contains('f') {
            archives.extend(fields.get(2).cloned());
        }
        if creates {
            for archive in archives {
                self.write_to(&archive, &Field::of(show(fields)), false);
            }
        }
        None
    }

    /// `script -c CMD LOG`.
    fn script_log(&mut self, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(
            fields,
            "c E I O B T m o --command --log-in --log-out --log-io --log-timing",
        );
        let scripts = arguments.values("c --command");
        let mut logs = arguments.values("I O B T --log-in --log-out --log-io --log-timing");
        logs.extend(arguments.operands.first().map(|field| (*field).clone()));
        let appends = arguments.has("a --append");
        for log in logs {
            self.write_to(&log, &Field::of(show(fields)), appends);
        }
        if scripts.is_empty() {
            return self.unsure(fields, "it opens a shell");
        }
        self.scripts(scripts, fields, input)
    }

    fn logsave(&mut self, fields: &[Field], input: &Input) -> Output {
        let operands = fields
            .iter()
            .skip(1)
            .skip_while(|field| field.text.starts_with('-'))
            .cloned()
            .collect::<Vec<_>>();
        if let Some((log, inner)) = operands.split_first() {
            self.write_to(
                log,
                &Field::of(show(fields)),
                fields.iter().any(|field| field.text == "-a"),
            );
            return self.inside(fields, inner, input);
        }
        None
    }

    /// `at`, `batch`: a script to be run later.
    fn later(&mut self, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(fields, "f q t");
        if arguments.has("r d") {
            self.danger(fields, "it removes planned work");
            return None;
        }
        if arguments.has("l c V") {
            self.plain(fields, "shows planned work");
            return None;
        }
        let text = match arguments.values("f").first() {
            Some(file) => self.file_text(&file.text),
            None => self.input_text(input),
        };
        match text {
            Some(text) => self.scripts(vec![Field::of(text)], fields, &Input::Closed),
            None => {
                self.doubt_about(fields, "it plans commands that are not known");
                None
            }
        }
    }

    fn crontab(&mut self, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(fields, "u");
        if arguments.has("l V") {
            self.plain(fields, "shows planned work");
            return None;
        }
        if arguments.has("r") {
            self.danger(fields, "it removes all planned work");
            return None;
        }
        let file = arguments.operands.first().map(|field| field.text.clone());
        let text = match file.as_deref() {
            Some("-") | None => self.input_text(input),
            Some(path) => self.file_text(path),
        };
        self.danger(fields, "it replaces all planned work");
        for line in text
            .iter()
            .flat_map(|text| text.lines())
            .filter(|line| !line.trim_start().starts_with('#'))
        {
            let fields_before = if line.starts_with('@') { 1 } else { 5 };
            let command: Vec<&str> = line.split_whitespace().skip(fields_before).collect();
            let script = command.join(" ");
            self.apart(|walker| walker.script(&script, &Input::Closed));
        }
        None
    }

    fn systemctl(&mut self, fields: &[Field]) -> Output {
        let verb = fields
            .iter()
            .skip(1)
            .find(|field| !field.text.starts_with('-'))
            .map(|field| field.text.clone());
        let verb = verb.unwrap_or_default();
        let power = matches!(
            verb.as_str(),
            "poweroff"
                | "reboot"
                | "halt"
                | "kexec"
                | "suspend"
                | "hibernate"
                | "hybrid-sleep"
                | "rescue"
                | "emergency"
                | "isolate"
                | "soft-reboot"
                | "exit"
                | "suspend-then-hibernate"
                | "switch-root"
                | "default"
        );
        if power {
            self.danger(fields, "stops or restarts the machine");
        } else if matches!(
            verb.as_str(),
            "stop" | "disable" | "mask" | "kill" | "terminate-user" | "kill-user" | "revert" | "clean"
        ) {
            self.danger(fields, "stops services");
        } else {
            self.plain(fields, "runs `systemctl`");
        }
        None
    }

    fn kill(&mut self, fields: &[Field]) -> Output {
        let all = fields
            .iter()
            .skip(1)
            .enumerate()
            .any(|(at, field)| field.text == "1" || (field.text == "-1" && at > 0));
        if all {
            self.danger(fields, "it ends every process, or the first of all");
        } else {
            self.plain(fields, "ends a process");
        }
        None
    }

    fn version_control(&mut self, name: &str, fields: &[Field]) -> Output {
        let verb = fields
            .iter()
            .skip(1)
            .find(|field| !field.text.starts_with('-'))
            .map(|field| field.text.clone());
        match verb.unwrap_or_default().as_str() {
            "rm" | "remove" | "delete" | "del" | "mv" | "move" | "rename" | "revert" | "purge" | "clean"
            | "cleanup" | "strip" => {
                self.danger(fields, &format!("`{name}` removes, moves or restores files"));
            }
            _ => self.plain(fields, &format!("runs `{name}`")),
        }
        if fields
            .iter()
            .any(|field| field.text.contains("alias.") || field.text.contains("hooks."))
        {
            self.doubt_about(fields, "its settings name commands to run");
        }
        None
    }

    fn in_place(&mut self, name: &str, fields: &[Field]) -> Output {
        let operands = fields
            .iter()
            .skip(1)
            .filter(|field| !field.text.starts_with('-'))
            .count();
        let edits = match name {
            "yq" => fields
                .iter()
                .any(|field| field.text == "-i" || field.text == "--inplace" || field.text == "--in-place"),
            "sd" => operands > 2,
            _ => fields.iter().any(|field| field.text == "-b"),
        };
        if edits {
            self.danger(fields, "it changes files in place");
        } else {
            self.plain(fields, &format!("runs `{name}`"));
        }
        None
    }

    fn crypt(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let decodes = name == "openssl"
            && fields.iter().any(|field| field.text == "-d")
            && fields
                .iter()
                .any(|field| matches!(field.text.as_str(), "base64" | "-base64" | "-a"));
        let single = fields
            .iter()
            .position(|field| matches!(field.text.as_str(), "-out" | "-o" | "--output"));
        self.plain(fields, &format!("runs `{name}`"));
        if let Some(target) = single.and_then(|at| fields.get(at + 1)).cloned() {
            self.write_to(&target, &Field::of(show(fields)), false);
        }
        for glued in fields.iter().filter_map(|field| field.text.strip_prefix("--output=")) {
            self.write_to(&Field::of(glued), &Field::of(show(fields)), false);
        }
        if decodes && !fields.iter().any(|field| field.text == "-in") {
            return self
                .input_text(input)
                .and_then(|text| texts::base64(&text))
                .and_then(output);
        }
        None
    }
}
