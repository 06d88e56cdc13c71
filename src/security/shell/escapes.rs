//! Programs with a way out to the shell: editors and pagers with `!`, databases with `.shell`, makefiles with recipes.

use super::arguments::{Arguments, lists};
use super::state::{Field, Input, Output, show};
use super::table::danger_words;
use super::walk::Walker;

impl Walker<'_> {
    /// `tmux new CMD`, `tmux send-keys TEXT`, `screen -X stuff TEXT`: any word may be a command line.
    pub(super) fn terminal(&mut self, fields: &[Field], input: &Input) -> Output {
        let words: Vec<&Field> = fields
            .iter()
            .skip(1)
            .filter(|field| !field.text.starts_with('-'))
            .collect();
        for start in 0..words.len().min(8) {
            let whole = words
                .get(start..)
                .unwrap_or(&[])
                .iter()
                .map(|field| field.text.as_str())
                .collect::<Vec<_>>()
                .join(" ");
            if danger_words(&whole) {
                let whole = whole.replace(" Enter", "").replace(" C-m", "");
                self.apart(|walker| walker.script(&whole, input));
            }
        }
        self.unsure(fields, "what it runs goes on by itself and is not seen")
    }

    /// `poetry run CMD`, `uv run CMD`, `bundle exec CMD`, `direnv exec DIR CMD`, `nix-shell --run SCRIPT`.
    pub(super) fn runner(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(
            fields,
            "c --run --command --python --with --extra --directory --project p n --name --prefix --package",
        );
        let scripts = arguments.values("--run --command c");
        if !scripts.is_empty() {
            return self.scripts(scripts, fields, input);
        }
        let verb = fields
            .iter()
            .position(|field| matches!(field.text.as_str(), "run" | "exec" | "x" | "shell" | "develop"));
        let Some(verb) = verb else {
            self.plain(fields, &format!("runs `{name}`"));
            return None;
        };
        let mut at = verb + 1;
        while let Some(field) = fields.get(at).filter(|field| field.text.starts_with('-')) {
            let takes = lists(
                "--python --with --extra --directory --project -p -n --name --prefix --package -e -C",
                &field.text,
            );
            at += if takes { 2 } else { 1 };
        }
        if name == "direnv" {
            at += 1;
        }
        let inner = fields.get(at..).unwrap_or(&[]).to_vec();
        self.inside(fields, &inner, input)
    }

    /// `ed` and `vi`: commands on the line and, without a terminal, from the input.
    pub(super) fn editor(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let mut lines: Vec<String> = Vec::new();
        for (at, field) in fields.iter().enumerate().skip(1) {
            if let Some(command) = field.text.strip_prefix('+') {
                lines.push(command.to_owned());
            }
            if matches!(field.text.as_str(), "-c" | "--cmd" | "-S") {
                lines.extend(fields.get(at + 1).map(|field| field.text.clone()));
            }
        }
        let known = self.input_text(input);
        lines.extend(known.iter().flat_map(|text| text.lines()).map(str::to_owned));
        for line in &lines {
            if let Some((_, script)) = line.split_once('!') {
                let script = script.to_owned();
                self.apart(|walker| walker.script(&script, &Input::Unknown));
            }
            let word: String = line
                .trim_start_matches([':', '%', ',', '$', '.', ' '])
                .chars()
                .take_while(char::is_ascii_alphabetic)
                .collect();
            if matches!(
                word.as_str(),
                "w" | "wq" | "x" | "W" | "write" | "wall" | "wa" | "wqa" | "xa" | "up" | "update" | "saveas"
            ) {
                self.danger(fields, "it overwrites the file it edits");
            }
            if line.contains("delete(")
                || line.contains("system(")
                || line.contains("rename(")
                || line.contains("writefile(")
            {
                self.danger(fields, "its commands remove or run something");
            }
        }
        if danger_words(&lines.join("\n")) {
            self.doubt_about(fields, &format!("`{name}` runs commands"));
        }
        self.unsure(fields, &format!("`{name}` can change files and run commands"))
    }

    /// Programs that run a command after `!` or `shell`, or by an option.
    pub(super) fn pager(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let mut quiet = !matches!(name, "gdb" | "lldb" | "nano" | "pico" | "joe" | "mcedit");
        for (at, field) in fields.iter().enumerate().skip(1) {
            let text = field.text.clone();
            let mut scripts = Vec::new();
            if let Some((_, script)) = text.split_once('!') {
                scripts.push(script.to_owned());
            }
            if let Some(script) = text.strip_prefix("shell ").or(text.strip_prefix("platform shell ")) {
                scripts.push(script.to_owned());
            }
            if text.starts_with("python") || text.starts_with("script ") {
                self.code(&text, fields);
            }
            if name == "man" && matches!(text.as_str(), "-P" | "-H") {
                scripts.extend(fields.get(at + 1).map(|field| field.text.clone()));
            }
            if let Some(script) = text
                .strip_prefix("--pager=")
                .or(text.strip_prefix("--html="))
                .or(text.strip_prefix("-P").filter(|_| name == "man"))
            {
                scripts.push(script.to_owned());
            }
            if matches!(name, "gdb") && text == "--args" {
                let inner = fields.get(at + 1..).unwrap_or(&[]).to_vec();
                self.command(&inner, input);
            }
            if name == "less" && (text.starts_with("-o") || text.starts_with("-O") || text.starts_with("--log-file=")) {
                let glued = text
                    .trim_start_matches("--log-file=")
                    .trim_start_matches("-o")
                    .trim_start_matches("-O");
                let target = if glued.is_empty() {
                    fields.get(at + 1).cloned()
                } else {
                    Some(Field::of(glued))
                };
                if let Some(target) = target {
                    self.write_to(&target, &Field::of(show(fields)), false);
                }
            }
            for script in scripts.into_iter().filter(|script| !script.is_empty()) {
                quiet = false;
                self.apart(|walker| walker.script(&script, &Input::Unknown));
            }
        }
        if let Some(text) = self.input_text(input).filter(|_| matches!(name, "gdb" | "lldb")) {
            self.code(&text, fields);
        }
        if quiet {
            self.plain(fields, &format!("`{name}` shows text"));
            return None;
        }
        self.unsure(fields, &format!("`{name}` can run commands"))
    }

    pub(super) fn database(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let known = self.input_text(input);
        let mut all: Vec<String> = fields.iter().skip(1).map(|field| field.text.clone()).collect();
        all.extend(known);
        for text in &all {
            for line in text.lines().map(str::trim) {
                let starts = [
                    ".shell ",
                    ".system ",
                    "\\! ",
                    "\\!",
                    "system ",
                    ".excel",
                    ".once |",
                    ".output |",
                    "\\o |",
                    "\\g |",
                    "\\copy",
                ];
                if let Some(start) = starts.iter().find(|start| line.contains(**start)) {
                    let script = line
                        .split_once(start)
                        .map(|(_, rest)| rest.to_owned())
                        .unwrap_or_default();
                    self.apart(|walker| walker.script(&script, &Input::Unknown));
                    self.unknown(fields, "it runs a command");
                } else {
                    let outputs = [".output ", ".once ", ".backup ", ".save ", ".log ", "\\o ", "\\w "];
                    let target = outputs.iter().find_map(|start| line.strip_prefix(start));
                    if let Some(target) = target.and_then(|rest| rest.split_whitespace().last()) {
                        self.write_to(
                            &Field::of(target.trim_matches(['\'', '"'])),
                            &Field::of(show(fields)),
                            false,
                        );
                    }
                }
                let upper = line.to_uppercase();
                if [
                    "DROP ",
                    "DELETE FROM",
                    "TRUNCATE ",
                    "WRITEFILE(",
                    "INTO OUTFILE",
                    "COPY ",
                ]
                .iter()
                .any(|word| upper.contains(word))
                {
                    self.unknown(fields, "it changes or removes data");
                }
            }
        }
        self.plain(fields, &format!("runs `{name}`"));
        None
    }

    /// `make`: recipes that are seen are walked; those of a Makefile on disk are named only.
    pub(super) fn make(&mut self, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(fields, "f C I j l o W --file --makefile --directory --eval --jobs");
        if arguments.has("n --just-print --dry-run --recon v --version") {
            self.plain(fields, "shows what `make` would do");
            return None;
        }
        let mut texts: Vec<String> = arguments.values("--eval").into_iter().map(|field| field.text).collect();
        for file in arguments.values("f --file --makefile") {
            let text = if file.text == "-" || file.text == "/dev/stdin" {
                self.input_text(input)
            } else {
                self.file_text(&file.text)
            };
            match text {
                Some(text) => texts.push(text),
                None => self.unknown(fields, "its Makefile was not read"),
            }
        }
        for text in texts {
            self.recipes(&text, fields);
        }
        for field in &arguments.operands {
            if let Some(("SHELL" | ".SHELLFLAGS" | "MAKEFLAGS", _)) = field.text.split_once('=') {
                self.unknown(fields, "it changes how recipes are run");
            }
        }
        self.plain(fields, "runs the recipes of a Makefile");
        None
    }

    pub(super) fn recipes(&mut self, makefile: &str, fields: &[Field]) {
        if danger_words(makefile) {
            self.danger(fields, "its recipes name a dangerous command");
        }
        let recipe = |line: &str| {
            let inline = line.split_once(';').map(|(_, command)| command.to_owned());
            line.strip_prefix('\t')
                .map(|text| text.trim_start_matches(['@', '-', '+']).to_owned())
                .or(inline)
        };
        for script in makefile.lines().filter_map(recipe) {
            let script = script.replace("$$", "$");
            self.apart(|walker| walker.script(&script, &Input::Unknown));
        }
    }

    pub(super) fn build(&mut self, name: &str, fields: &[Field]) -> Output {
        if name == "cmake"
            && let Some(at) = fields.iter().position(|field| field.text == "-E")
        {
            let verb = fields.get(at + 1).map(|field| field.text.clone()).unwrap_or_default();
            if matches!(
                verb.as_str(),
                "rm" | "remove"
                    | "remove_directory"
                    | "rename"
                    | "copy"
                    | "copy_directory"
                    | "touch"
                    | "copy_if_different"
            ) {
                self.danger(fields, "it removes, moves or copies files");
                return None;
            }
            if matches!(verb.as_str(), "env" | "time" | "chdir") {
                let skip = if verb == "chdir" { at + 3 } else { at + 2 };
                let inner: Vec<Field> = fields
                    .iter()
                    .skip(skip)
                    .skip_while(|field| field.text.contains('=') || field.text.starts_with('-'))
                    .cloned()
                    .collect();
                return self.inside(fields, &inner, &Input::Unknown);
            }
        }
        self.plain(fields, &format!("runs `{name}`"));
        None
    }

    /// Network tools that can give what arrives to a command.
    pub(super) fn network(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(fields, "e c p s w x X i q --exec --sh-exec --lua-exec");
        for script in arguments.values("e c --exec --sh-exec") {
            self.apart(|walker| walker.script(&script.text, input));
            self.unknown(fields, "it lets others run a command");
        }
        for field in fields.iter().skip(1) {
            let upper = field.text.to_uppercase();
            if let Some(start) = ["EXEC:", "SYSTEM:", "SHELL:"]
                .iter()
                .find(|start| upper.starts_with(**start))
            {
                let script = field
                    .text
                    .get(start.len()..)
                    .unwrap_or("")
                    .split(',')
                    .next()
                    .unwrap_or("")
                    .trim_matches(['\'', '"'])
                    .to_owned();
                self.apart(|walker| walker.script(&script, input));
                self.unknown(fields, "it lets others run a command");
            }
        }
        self.plain(fields, &format!("`{name}` talks to the network"));
        None
    }
}
