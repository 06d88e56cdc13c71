//! Programs that wait for input from a terminal: editors, debuggers, pagers, language and database prompts. Such
//! programs are denied, because commands run without a terminal. The denial suggests an alternative.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::state::{Field, Input};
use super::walk::Walker;
use benchdog_domain::command::{Instead, Interactive};

/// Condition under which a program waits for a person to type.
enum Waits {
    /// Always, unless one of these words is an argument.
    Unless(&'static str),
    /// If the program has no operands and no input on standard input.
    Bare,
    /// Like `Bare`, but the program also waits if `-i` is an argument.
    Alone,
    /// If the program has no arguments, or if the first argument is one of these words.
    First(&'static str),
    /// Like `Bare`, but with at most one operand, which only names the target.
    AloneWith(&'static str),
}

struct Row {
    names: &'static str,
    waits: Waits,
    instead: Instead,
}

const fn row(names: &'static str, waits: Waits, instead: Instead) -> Row {
    Row { names, waits, instead }
}

const ROWS: &[Row] = &[
    row(
        "vi vim nvim view vimdiff nvimdiff ex elvis nano pico rnano joe jed mcedit micro helix hx kak ne",
        Waits::Unless("-es -Es -s -l --headless --listen"),
        Instead::Edit,
    ),
    row(
        "emacs emacsclient",
        Waits::Unless("-batch --batch --script --eval -e --daemon"),
        Instead::Edit,
    ),
    row(
        "gdb rust-gdb lldb rust-lldb cgdb",
        Waits::Unless("-batch --batch -batch-silent -b"),
        Instead::Debug,
    ),
    row("pdb pdb3 ipdb pudb ipdb3", Waits::Unless(""), Instead::Debug),
    row(
        "passwd",
        Waits::Unless("-S --status --stdin -l --lock -u --unlock -d --delete -e --expire"),
        Instead::Person,
    ),
    row("su", Waits::Unless("-c --command"), Instead::Person),
    row("login", Waits::Unless(""), Instead::Person),
    row("screen", Waits::Unless("-ls -list -d -dm -dmS -X -wipe"), Instead::Run),
    row(
        "tmux",
        Waits::First("new new-session attach attach-session a at"),
        Instead::Run,
    ),
    row("zellij byobu dtach abduco mosh", Waits::First("attach"), Instead::Run),
    row(
        "bash sh dash zsh ksh mksh ash fish csh tcsh",
        Waits::Alone,
        Instead::Script,
    ),
    row(
        "python python2 python3 ipython ipython3 bpython ptpython pypy pypy3 node nodejs lua luajit julia",
        Waits::Alone,
        Instead::Script,
    ),
    row(
        "perl ruby irb pry iex ghci R octave scala ocaml utop sbcl clisp guile racket erl tclsh jshell deno bc dc gp redis-cli",
        Waits::Bare,
        Instead::Script,
    ),
    row("php", Waits::First("-a"), Instead::Script),
    row(
        "sqlite3 psql mysql mariadb mongo mongosh clickhouse-client",
        Waits::AloneWith("-c --command -f --file -e --execute --eval -l --list -cmd --query -q"),
        Instead::Query,
    ),
    row("less more most pg", Waits::Unless(""), Instead::Print),
    row(
        "top atop iotop",
        Waits::Unless("-b -l --batch --batch-mode -P"),
        Instead::Snapshot,
    ),
    row(
        "htop btop btm glances nmon bpytop nvtop k9s ctop",
        Waits::Unless(""),
        Instead::Snapshot,
    ),
    row(
        "mc ranger nnn lf vifm tig lazygit gitui lazydocker dialog whiptail",
        Waits::Unless("-c"),
        Instead::Run,
    ),
];

static BY_NAME: LazyLock<HashMap<&str, &Row>> = LazyLock::new(|| {
    let named = |row: &'static Row| row.names.split_whitespace().map(move |name| (name, row));
    ROWS.iter().flat_map(named).collect()
});

/// Options with which every program prints something and exits.
const TELLS: &str = "--version --help -V -v -version -h";

/// Arguments with which a shell or a language still waits for input.
const QUIET: &str = "-- --norc --noprofile --login --posix --quiet --no-save --interactive";

impl Walker<'_> {
    pub(super) fn look_for_terminals(&mut self, name: &str, fields: &[Field], input: &Input) {
        if self.interactive.is_some() || self.trying {
            return;
        }
        let module = python_module(name, fields);
        let name = module.unwrap_or(name);
        let bare = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        if let Some(row) = BY_NAME.get(name).or_else(|| BY_NAME.get(bare))
            && waits(&row.waits, fields, input)
        {
            self.interactive = Some(Interactive {
                program: name.to_owned(),
                instead: row.instead,
            });
        }
    }
}

/// Returns the program of a Python module: `pdb` for `python3 -m pdb`.
fn python_module<'f>(name: &str, fields: &'f [Field]) -> Option<&'f str> {
    if !name.starts_with("python") {
        return None;
    }
    let mut words = fields.iter().skip(1).map(|field| field.text.as_str());
    words.find(|word| *word == "-m")?;
    words.next().filter(|module| matches!(*module, "pdb" | "ipdb" | "pudb"))
}

fn waits(waits: &Waits, fields: &[Field], input: &Input) -> bool {
    let words: Vec<&str> = fields.iter().skip(1).map(|field| field.text.as_str()).collect();
    if words.iter().any(|word| is_in(TELLS, word)) {
        return false;
    }
    let given = |known: &str| {
        words
            .iter()
            .any(|word| known.split(' ').any(|known| holds_option(word, known)))
    };
    let silent = matches!(input, Input::Closed);
    // `-i` starts a prompt, unless an option such as `-c` gives a command.
    let prompts = words
        .iter()
        .take_while(|word| word.starts_with(['-', '+']))
        .any(|word| *word == "-i");
    let flags = |words: &[&str]| {
        words.iter().all(|word| {
            is_in(QUIET, word)
                || word
                    .strip_prefix(['-', '+'])
                    .is_some_and(|letters| letters.len() < 2 && letters.chars().all(|c| "iquBsEIOSlx".contains(c)))
        })
    };
    match waits {
        Waits::Unless(known) => {
            let begins = |word: &&str| {
                known
                    .split(' ')
                    .any(|known| known.len() > 2 && word.starts_with(&format!("{known}=")))
            };
            !given(known) && !words.iter().any(begins)
        }
        Waits::First(known) => silent && words.first().is_none_or(|first| is_in(known, first)) && !given("-d"),
        Waits::Bare => silent && flags(&words),
        Waits::Alone => silent && (flags(&words) || prompts && !given("-c -e -m")),
        Waits::AloneWith(known) => {
            let operands = words.iter().filter(|word| !word.starts_with('-')).count();
            let begins = |word: &&str| known.split(' ').any(|known| word.starts_with(known));
            silent && operands < 2 && !words.iter().any(begins)
        }
    }
}

fn is_in(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether a word is this option, or a bundle that contains it, as `-bn1` contains `-b`.
fn holds_option(word: &str, option: &str) -> bool {
    let letter = option.strip_prefix('-').filter(|letter| letter.len() == 1);
    let letters = word.strip_prefix('-').filter(|letters| !letters.starts_with('-'));
    word == option
        || letter
            .zip(letters)
            .is_some_and(|(letter, letters)| letters.contains(letter))
}
