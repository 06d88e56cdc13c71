//! Code of other languages on a command line. It is not parsed: words that remove, move or run things are looked for,
//! every text in it is tried as a command line, and what remains is unknown rather than harmless.

use std::sync::LazyLock;

use regex::Regex;

use super::arguments::Arguments;
use super::state::{Field, Input, Output, UNKNOWN};
use super::table::danger_words;
use super::texts::{self, Escapes};
use super::walk::Walker;
use crate::domain::permission::CommandClass;

fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a constant that the tests compile")
}

/// Calls that remove, move or change modes, in any of the languages.
static REMOVES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) \b(unlink|unlinkSync|rmtree|rmdir|rmdirSync|rmSync|removedirs|remove_file|remove_dir|remove_tree
        |renameSync|chmodSync|chownSync|truncateSync|ftruncate|copyFileSync|rm_rf|rm_r|rm_f|file_delete
        |delete-file|delete-directory|rename-file|set-file-modes|DeleteFile|Remove-Item|Move-Item|Clear-Content)\b
        | \bos\s*\.\s*(remove|rename|replace|renames|chmod|chown|lchown|truncate|removexattr)\b
        | \bshutil\s*\.\s*(move|rmtree|chown|copyfile)\b | \bfs\w*\s*\.\s*(rm|rename|chmod|chown|truncate|promises)\b
        | \b(File|Dir|Pathname|FileUtils|IO)\s*\.\s*(delete|unlink|rename|chmod|chown|truncate|rm\w*|mv|remove\w*)\b
        | \bfile\s+(delete|rename|attributes)\b | \bDeno\s*\.\s*(remove|rename|chmod|truncate)\w*
        | \b(rename|chmod|chown|truncate|unlink)\s*[\s(] | \.unlink\s*\( | \.rmdir\s*\( | \.touch\s*\(\s*mode
        | \bfrom\s+os\s+import\b.*\b(remove|rename|replace) | \brm\s*\(",
    )
});

/// Calls that run another program.
static RUNS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) \b(system|popen\w*|spawn\w*|exec\w*|subprocess|child_process|Popen|check_output|check_call|getoutput
        |posix_spawn|fork|passthru|shell_exec|proc_open|pcntl_exec|Open3|pty|shell-command\S*|call-process\S*
        |start-process|run_command|qx|os\.execute|Runtime|ProcessBuilder|Command|syscall|open3|capture3
        |Start-Process|Invoke-Expression|iex)\b | ` | %x | \bopen\s*\(?[^)]*['\x22]\s*\|  | \|\s*['\x22] | ['\x22]\|-?['\x22]
        | \bBun\.\$ | \$\s*`",
    )
});

/// Ways to build code or text that a search for words cannot see.
static DISGUISES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) \b(base64|b64decode|b16decode|fromhex|unhexlify|codecs|decodebytes|atob|unpack|pack|chr|fromCharCode
        |getattr|__import__|__builtins__|importlib|globals|marshal|zlib|rot13|reverse|reversed|Buffer\.from|eval
        |compile|string\.char|hex2bin|str_rot13|strrev|base64_decode)\b | \[::-1\] | \\x[0-9a-fA-F]{2} | \\[0-7]{3}",
    )
});

/// Opening for writing.
static WRITES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x) \bopen\s*\(?[^;\n]*?['\x22][rbt]*[wax]\+?[bt]?\+?['\x22] | \bopen\s*\(?[^;\n]*['\x22]\s*\+?>{1,2} | \bwrite(_text|_bytes|File\w*)\b
        | \bappendFile\w* | \bfile_put_contents\b | \bFile\s*\.\s*write\b | \bIO\s*\.\s*write\b | \bio\.open\b | \bio\.output\b
        | \bcreateWriteStream\b | \bfopen\b | \bcopy\w*\s*\( | \bopen\b.*\bw\b | \bspurt\b | \bSet-Content\b | \bOut-File\b | \bDeno\.write\w*",
    )
});

static LITERALS: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r#"(?s)"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|(?:qx|%x|qq?)\s*[\[({]([^\])}]*)[\])}]"#)
});

/// Two texts put together: `'r' + 'm'`.
static JOINTS: LazyLock<Regex> = LazyLock::new(|| pattern(r#"['"]\s*(?:[+.]|\.\.)?\s*['"]"#));

impl Walker<'_> {
    /// Judges a piece of code that would be run.
    pub(super) fn code(&mut self, code: &str, fields: &[Field]) {
        self.spend_text(code.len());
        let plain = texts::unescape(code, Escapes::AnsiC);
        let joined = JOINTS.replace_all(code, "").into_owned();
        for text in [code, &plain, &joined] {
            if REMOVES.is_match(text) {
                self.danger(fields, "its code removes, moves or changes files");
                return;
            }
        }
        let runs = [code, &plain, &joined].iter().any(|text| RUNS.is_match(text));
        let disguised = DISGUISES.is_match(code);
        if runs && (disguised || danger_words(&plain) || danger_words(&joined)) {
            self.danger(fields, "its code runs a program that is dangerous or disguised");
            return;
        }
        if disguised && danger_words(&joined) {
            self.danger(fields, "its code is disguised and names a dangerous command");
            return;
        }
        let literals = literals(code);
        if runs && self.literals_are_dangerous(&literals) {
            self.danger(fields, "its code runs a dangerous command");
            return;
        }
        if WRITES.is_match(code) {
            let existing = literals.iter().find(|name| self.overwrites(name)).cloned();
            if let Some(name) = existing {
                self.danger(fields, &format!("its code may overwrite `{name}`"));
                return;
            }
        }
        self.unknown(fields, "its code is not understood");
    }

    fn overwrites(&self, name: &str) -> bool {
        !name.is_empty()
            && name.len() < 512
            && !name.contains(UNKNOWN)
            && self
                .state
                .place(name)
                .is_some_and(|place| self.world.exists(&place) && !self.world.is_folder(&place))
    }

    /// Each text alone, and all in a row, tried as a command line.
    fn literals_are_dangerous(&mut self, literals: &[String]) -> bool {
        let mut inner = Walker::new(self.world, "");
        inner.state.depth = self.state.depth + 1;
        inner.state.folder.clone_from(&self.state.folder);
        if inner.state.depth > super::walk::MAX_CALLS {
            return true;
        }
        for text in literals.iter().take(32) {
            inner.script(text, &Input::Unknown);
        }
        inner.script(&literals.join(" "), &Input::Unknown);
        inner.class == CommandClass::Dangerous
    }

    /// An interpreter: code in options, on its input, or a script file.
    pub(super) fn interpreter(&mut self, name: &str, fields: &[Field], input: &Input) -> Output {
        let (codes, takes): (&str, &str) = match name {
            "python" | "python2" | "python3" | "pypy" | "pypy3" | "ipython" => ("c", "c m W X Q"),
            "perl" => ("e E", "e E I M m x F D"),
            "ruby" | "jruby" | "irb" => ("e", "e I r C E F K T"),
            "node" | "nodejs" | "bun" | "deno" | "gjs" | "qjs" => {
                ("e p --eval --print", "e p r --eval --print --require --import")
            }
            "php" => ("r R B E --run --process-code", "r R B E d c f z --run --process-code"),
            "lua" | "luajit" | "texlua" => ("e", "e l"),
            "expect" => ("c", "c"),
            "emacs" | "emacsclient" => ("e --eval --execute", "e l f --eval --execute --load --funcall"),
            "pwsh" | "powershell" => ("c --Command", "c"),
            "erl" => ("e", "e"),
            _ => ("e c x --eval --execute", "e c x --eval --execute"),
        };
        let arguments = Arguments::of(fields, takes);
        if name == "perl" || name == "ruby" {
            let edits = arguments.options.iter().any(|(option, _)| option == "i");
            if edits {
                self.danger(fields, "it changes files in place");
                return None;
            }
        }
        let mut code: Vec<String> = arguments.values(codes).into_iter().map(|field| field.text).collect();
        if matches!(name, "pwsh" | "powershell" | "erl")
            && let Some(at) = fields
                .iter()
                .position(|field| matches!(field.text.to_lowercase().as_str(), "-command" | "-c" | "-eval"))
        {
            code.extend(fields.iter().skip(at + 1).map(|field| field.text.clone()));
        }
        if matches!(name, "deno" | "bun") && arguments.operands.first().is_some_and(|field| field.text == "eval") {
            code.extend(arguments.operands.iter().skip(1).map(|field| field.text.clone()));
        }
        if !code.is_empty() {
            self.code(&code.join("\n"), fields);
            return None;
        }
        if arguments.has("m") {
            let module = arguments.values("m");
            if module.iter().any(|field| {
                matches!(
                    field.text.as_str(),
                    "timeit" | "pdb" | "cProfile" | "profile" | "trace" | "code"
                )
            }) {
                let rest: Vec<String> = arguments.operands.iter().map(|field| field.text.clone()).collect();
                self.code(&rest.join("\n"), fields);
                return None;
            }
            self.plain(fields, &format!("`{name}` runs a module"));
            return None;
        }
        if arguments.has("version help v V --version --help h --check c") && arguments.operands.is_empty() {
            self.plain(fields, &format!("runs `{name}`"));
            return None;
        }
        match arguments.operands.first().map(|field| field.text.clone()) {
            Some(file) if file != "-" && file != "/dev/stdin" => {
                if file.starts_with("/dev/fd/")
                    && let Some(text) = self.file_text(&file)
                {
                    self.code(&text, fields);
                } else {
                    self.plain(
                        fields,
                        &format!("`{name}` runs the script `{}`", file.replace(UNKNOWN, "…")),
                    );
                }
            }
            _ => match self.input_text(input) {
                Some(text) if name == "dc" => {
                    for line in text
                        .lines()
                        .filter_map(|line| line.split_once('!').map(|(_, command)| command.to_owned()))
                    {
                        self.apart(|walker| walker.script(&line, &Input::Unknown));
                    }
                    self.unknown(fields, "its code is not understood");
                }
                Some(text) => self.code(&text, fields),
                None => self.doubt_about(fields, "it runs code it reads, and that is not known"),
            },
        }
        None
    }

    /// `awk`: a program that can write files and run commands.
    pub(super) fn awk(&mut self, fields: &[Field]) -> Output {
        let arguments = Arguments::of(
            fields,
            "f F v i l E e --file --assign --field-separator --include --load --source --exec",
        );
        if arguments
            .values("i --include")
            .iter()
            .any(|field| field.text == "inplace")
        {
            self.danger(fields, "it changes files in place");
            return None;
        }
        let mut program: String = arguments
            .values("e --source")
            .iter()
            .map(|field| format!("{}\n", field.text))
            .collect();
        let files = arguments.values("f --file E --exec");
        for file in &files {
            match self.file_text(&file.text) {
                Some(text) => program.push_str(&text),
                None => self.unknown(fields, "its program is in a file that was not read"),
            }
        }
        if program.is_empty() && files.is_empty() {
            program = arguments
                .operands
                .first()
                .map(|field| field.text.clone())
                .unwrap_or_default();
        }
        // Texts given as variables may be run by the program.
        let variables: String = arguments
            .values("v --assign")
            .iter()
            .map(|field| format!(" {:?}", field.text))
            .collect();
        self.awk_program(&program, &variables, fields);
        None
    }

    fn awk_program(&mut self, program: &str, variables: &str, fields: &[Field]) {
        static CALLS: LazyLock<Regex> =
            LazyLock::new(|| pattern(r#"\bsystem\s*\(|\|\s*&?\s*getline|\|&?\s*["a-zA-Z_(]|@load|\\\||[^|]\|[^|]"#));
        static PRINTS: LazyLock<Regex> = LazyLock::new(|| pattern(r"\bprintf?\b([^;}\n]*)"));
        if program.contains(UNKNOWN) {
            self.unknown(fields, "part of its program is not known");
        }
        let unquoted = LITERALS.replace_all(program, "\"\"").into_owned();
        let without_patterns = pattern_free(&unquoted);
        let calls = CALLS.is_match(&without_patterns) || without_patterns.contains("system(");
        if calls {
            let mut literals = literals(program);
            literals.extend(
                variables
                    .split('"')
                    .map(|text| text.split_once('=').map_or(text, |(_, value)| value).to_owned()),
            );
            if danger_words(&texts::unescape(program, Escapes::AnsiC)) || self.literals_are_dangerous(&literals) {
                self.danger(fields, "its program runs a dangerous command");
            } else {
                self.unknown(fields, "its program runs commands");
            }
            return;
        }
        for print in PRINTS.captures_iter(&mask(program)) {
            let Some(rest) = print.get(1) else { continue };
            let Some(target) = redirected(rest.as_str()) else {
                continue;
            };
            let target = restore(&target, program);
            match target {
                Some(name) => self.write_to(&Field::of(name), fields.first().unwrap_or(&Field::default()), false),
                None => self.unknown(fields, "its program writes to files"),
            }
        }
        self.plain(fields, "its program only reads and prints");
    }
}

/// Texts replaced by `"n"`, their number, so that signs in them mean nothing.
fn mask(program: &str) -> String {
    let mut number = 0;
    let replaced = LITERALS.replace_all(program, |_: &regex::Captures<'_>| {
        number += 1;
        format!("\"{}\"", number - 1)
    });
    replaced.into_owned()
}

fn restore(target: &str, program: &str) -> Option<String> {
    let number: usize = target.strip_prefix('"')?.strip_suffix('"')?.parse().ok()?;
    literals(program).into_iter().nth(number)
}

/// What stands behind a `>` that is no comparison: one outside brackets.
fn redirected(rest: &str) -> Option<String> {
    let mut level = 0_i32;
    for (at, c) in rest.char_indices() {
        match c {
            '(' => level += 1,
            ')' => level -= 1,
            '>' if level <= 0 => {
                let target = rest.get(at + 1..)?.trim_start_matches('>').trim();
                return (!target.starts_with('=')).then(|| target.to_owned());
            }
            _ => {}
        }
    }
    None
}

/// `/a|b/` is a pattern, not a pipe.
fn pattern_free(program: &str) -> String {
    static PATTERNS: LazyLock<Regex> = LazyLock::new(|| pattern(r"/(?:[^/\\\n]|\\.)+/"));
    let text = PATTERNS.replace_all(program, "//").into_owned();
    text.replace("||", "")
}

fn literals(code: &str) -> Vec<String> {
    LITERALS
        .captures_iter(code)
        .filter_map(|found| (1..=4).find_map(|group| found.get(group)))
        .map(|text| texts::unescape(text.as_str(), Escapes::AnsiC))
        .collect()
}
