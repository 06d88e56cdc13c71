//! `/git ARGS`: arguments for git only. Shell syntax is refused. So are options that make git run another program or
//! work in another folder.

use benchdog_base::text::reveal;
use benchdog_lang as lang;

const BARE: [&str; 3] = ["status", "--short", "--branch"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitRefusal {
    Shell(String),
    /// An unclosed quote, or a trailing `\`.
    Unfinished(String),
    Option(String),
}

impl GitRefusal {
    pub fn said(&self) -> String {
        match self {
            Self::Shell(sign) => lang::message::toast_git_shell(sign),
            Self::Unfinished(sign) => lang::message::toast_git_unfinished(sign),
            Self::Option(option) => lang::message::toast_git_option(&reveal(option)),
        }
    }
}

/// Options allowed before the git subcommand. None of them takes a value.
const BEFORE: [&str; 14] = [
    "-v",
    "--version",
    "-h",
    "--help",
    "-P",
    "--no-pager",
    "--no-optional-locks",
    "--no-replace-objects",
    "--no-lazy-fetch",
    "--no-advice",
    "--literal-pathspecs",
    "--glob-pathspecs",
    "--noglob-pathspecs",
    "--icase-pathspecs",
];

/// Options refused anywhere in the line, because an option looks like a value or a path.
const ANYWHERE: [&str; 14] = [
    "--config",
    "--config-env",
    "--exec",
    "--exec-path",
    "--extcmd",
    "--ext-diff",
    "--git-dir",
    "--namespace",
    "--open-files-in-pager",
    "--receive-pack",
    "--super-prefix",
    "--template",
    "--upload-pack",
    "--work-tree",
];

/// Git subcommands with single-letter options that take a program or a setting.
const LETTERS: [&str; 4] = ["clone:cu", "difftool:x", "grep:O", "rebase:x"];

pub fn line(arguments: &str) -> Result<String, GitRefusal> {
    let mut words = words(arguments)?;
    if words.is_empty() {
        words.extend(BARE.map(str::to_owned));
    }
    if let Some(word) = refused(&words) {
        return Err(GitRefusal::Option(word.clone()));
    }
    let quoted = words.iter().map(|word| quoted(word));
    Ok(std::iter::once("git".to_owned())
        .chain(quoted)
        .collect::<Vec<_>>()
        .join(" "))
}

pub(crate) fn add(new: &[String]) -> String {
    let mut line = ["git", "add", "-u"].join(" ");
    if !new.is_empty() {
        let paths = new.iter().map(|path| quoted(&literal(path)));
        let words = ["&&", "git", "add", "--"].map(str::to_owned).into_iter().chain(paths);
        line = std::iter::once(line).chain(words).collect::<Vec<_>>().join(" ");
    }
    line
}

fn literal(path: &str) -> String {
    match path.starts_with(':') || path.contains(['*', '?', '[', '\\']) {
        true => format!(":(literal){path}"),
        false => path.to_owned(),
    }
}

pub(crate) fn commit(message: &str) -> String {
    ["git", "commit", "-m", &quoted(message)].join(" ")
}

fn refused(words: &[String]) -> Option<&String> {
    let verb = words.iter().position(|word| !word.starts_with('-'));
    let (before, after) = words.split_at(verb.unwrap_or(words.len()));
    let letters = after.first().map_or("", |verb| {
        let mut rows = LETTERS.iter().filter_map(|row| row.split_once(':'));
        rows.find(|(name, _)| name == verb).map_or("", |(_, letters)| letters)
    });
    before
        .iter()
        .find(|word| !BEFORE.contains(&word.as_str()))
        .or_else(|| after.iter().find(|word| is_refused(word, letters)))
}

fn is_refused(word: &str, letters: &str) -> bool {
    let name = word.split('=').next().unwrap_or(word);
    if name.starts_with("--") {
        // Git accepts prefixes of long options.
        return name != "--" && ANYWHERE.iter().any(|option| option.starts_with(name));
    }
    // Short options can be combined, and a value may follow without a space.
    word.strip_prefix('-')
        .is_some_and(|cluster| cluster.contains(|letter| letters.contains(letter)))
}

/// Splits a line into words at spaces. `'…'`, `"…"` and `\` quote.
fn words(line: &str) -> Result<Vec<String>, GitRefusal> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    let mut signs = line.chars().peekable();
    while let Some(sign) = signs.next() {
        let refused = || Err(GitRefusal::Shell(shown(sign)));
        match (quote, sign) {
            (_, '\n' | '\r' | '\0') => return refused(),
            (Some(open), sign) if sign == open => quote = None,
            (Some('\''), sign) => word.get_or_insert_default().push(sign),
            (_, '$' | '`') => return refused(),
            (Some(_), '\\') if !signs.peek().is_some_and(|next| "\"\\$`".contains(*next)) => {
                word.get_or_insert_default().push('\\');
            }
            (_, '\\') => match signs.next() {
                Some(next @ ('\n' | '\r' | '\0')) => return Err(GitRefusal::Shell(shown(next))),
                Some(next) => word.get_or_insert_default().push(next),
                None => return Err(GitRefusal::Unfinished("\\".to_owned())),
            },
            (Some(_), sign) => word.get_or_insert_default().push(sign),
            (None, '\'' | '"') => {
                word.get_or_insert_default();
                quote = Some(sign);
            }
            (None, ';' | '|' | '&' | '<' | '>' | '(' | ')') => return refused(),
            (None, sign) if sign.is_whitespace() => words.extend(word.take()),
            (None, sign) => word.get_or_insert_default().push(sign),
        }
    }
    if let Some(open) = quote {
        return Err(GitRefusal::Unfinished(open.to_string()));
    }
    words.extend(word);
    Ok(words)
}

fn shown(sign: char) -> String {
    match sign {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\0' => "\\0".to_owned(),
        sign => sign.to_string(),
    }
}

fn quoted(word: &str) -> String {
    let plain = |sign: char| sign.is_ascii_alphanumeric() || "-_./:=@,+%^".contains(sign);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::GitRefusal::{Option, Shell, Unfinished};
    use super::{ANYWHERE, add, commit, line};

    #[test]
    fn new_files_are_staged_by_their_names_and_nothing_beside_them() {
        assert_eq!(add(&[]), "git add -u");
        let new = ["a b.txt", "src/x.rs", "*.rs", "it's", "-f"].map(str::to_owned);
        assert_eq!(
            add(&new),
            "git add -u && git add -- 'a b.txt' src/x.rs ':(literal)*.rs' 'it'\\''s' -f"
        );
    }

    #[test]
    fn words_go_to_git_as_they_were_written() {
        for (written, run) in [
            ("", "git status --short --branch"),
            ("  ", "git status --short --branch"),
            ("log -n 3 --oneline", "git log -n 3 --oneline"),
            ("log -p -S'a b'  src", "git log -p '-Sa b' src"),
            ("diff HEAD~1 -- 'a; b' \"c $d\"", ""),
            (
                "diff HEAD~1 -- 'a; $b' \"c | d\" e\\ f",
                "git diff 'HEAD~1' -- 'a; $b' 'c | d' 'e f'",
            ),
            (r#"commit -m "it's \"so\" \n""#, r#"git commit -m 'it'\''s "so" \n'"#),
            ("commit -m '' -c HEAD", "git commit -m '' -c HEAD"),
            ("switch -c next", "git switch -c next"),
            ("push -u origin next", "git push -u origin next"),
            ("add *.rs ~/x", "git add '*.rs' '~/x'"),
            (
                "--no-pager branch --contains @{u}",
                "git --no-pager branch --contains '@{u}'",
            ),
            ("diff --name-only", "git diff --name-only"),
            ("stash --include-untracked", "git stash --include-untracked"),
            ("--version", "git --version"),
        ] {
            let given = line(written);
            if run.is_empty() {
                assert_eq!(given, Err(Shell("$".to_owned())), "{written}");
            } else {
                assert_eq!(given, Ok(run.to_owned()), "{written}");
            }
        }
    }

    #[test]
    fn what_has_git_take_programs_or_settings_is_refused_in_every_form() {
        for (written, option) in [
            ("-c core.pager=./x log", "-c"),
            ("-ccore.pager=./x log", "-ccore.pager=./x"),
            ("-C /elsewhere log", "-C"),
            ("-C/elsewhere log", "-C/elsewhere"),
            ("-p log", "-p"),
            ("--paginate log", "--paginate"),
            ("--pag log", "--pag"),
            ("--config-env=core.pager=X log", "--config-env=core.pager=X"),
            ("--exec-path=/x log", "--exec-path=/x"),
            ("--exec-path /x log", "--exec-path"),
            ("--git-dir=/x log", "--git-dir=/x"),
            ("--git-dir /x log", "--git-dir"),
            ("--work-tree=/x log", "--work-tree=/x"),
            ("--super-prefix=x/ log", "--super-prefix=x/"),
            ("--namespace=x log", "--namespace=x"),
            ("--bare log", "--bare"),
            ("--no-pager -c a=b log", "-c"),
            ("'-c' a=b log", "-c"),
            ("-\\c a=b log", "-c"),
            ("\"--exec\"-path=/x log", "--exec-path=/x"),
            ("fetch --upload-pack=./x", "--upload-pack=./x"),
            ("fetch --upl ./x", "--upl"),
            ("push --receive-pack ./x", "--receive-pack"),
            ("push --exec=./x", "--exec=./x"),
            ("push --e=./x", "--e=./x"),
            ("push -o -- --exec=./x", "--exec=./x"),
            ("rebase --exec 'rm x' main", "--exec"),
            ("rebase -ix 'rm x' main", "-ix"),
            ("clone -c a=b x", "-c"),
            ("clone -qcprotocol.ext.allow=always x", "-qcprotocol.ext.allow=always"),
            ("clone --conf a=b x", "--conf"),
            ("clone -u ./x y", "-u"),
            ("clone --template=./x y", "--template=./x"),
            ("grep -O./x y", "-O./x"),
            ("grep --open-files=./x y", "--open-files=./x"),
            ("difftool -x ./x", "-x"),
            ("difftool --extcmd=./x", "--extcmd=./x"),
            ("diff --ext-diff", "--ext-diff"),
        ] {
            assert_eq!(line(written), Err(Option(option.to_owned())), "{written}");
        }
        for option in ANYWHERE {
            assert_eq!(line(&format!("log {option}=x")), Err(Option(format!("{option}=x"))));
        }
    }

    #[test]
    fn a_message_is_one_word_whatever_stands_in_it() {
        assert_eq!(
            commit("fix: it's $(rm x)\n\n`y`"),
            "git commit -m 'fix: it'\\''s $(rm x)\n\n`y`'"
        );
        assert_eq!(commit("--amend"), "git commit -m --amend");
    }

    #[test]
    fn what_only_a_shell_understands_is_refused() {
        for (written, sign) in [
            ("log; rm x", ";"),
            ("log | sh", "|"),
            ("log && rm x", "&"),
            ("log $(rm x)", "$"),
            ("log \"$(rm x)\"", "$"),
            ("log `rm x`", "`"),
            ("log \"`rm x`\"", "`"),
            ("log > x", ">"),
            ("log < x", "<"),
            ("log (x)", "("),
            ("log\nrm x", "\\n"),
            ("log 'a\nb'", "\\n"),
            ("log \\\nrm", "\\n"),
            ("log $HOME", "$"),
        ] {
            assert_eq!(line(written), Err(Shell(sign.to_owned())), "{written}");
        }
        for (written, sign) in [("log 'a", "'"), ("log \"a'", "\""), ("log \\", "\\")] {
            assert_eq!(line(written), Err(Unfinished(sign.to_owned())), "{written}");
        }
    }
}
