//! `/git ARGS`: refuses shell syntax, and options that make git run another program or work in another folder.

use benchdog_base::text::reveal;
use benchdog_lang as lang;

const BARE: [&str; 3] = ["status", "--short", "--branch"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GitRefusal {
    Shell(String),
    /// The line is incomplete: a quote is not closed, or the last character is `\`.
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

/// Options that are allowed before the git subcommand. None of them takes a value.
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

/// Options that are refused anywhere in the line, because `/git` cannot tell an option from a value or a path.
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

/// Git subcommands, each with its refused single-letter options. These options take a program or a setting.
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
        // Git accepts prefixes of long options, so match these as well.
        return name != "--" && ANYWHERE.iter().any(|option| option.starts_with(name));
    }
    // Short options may be combined. A value may follow a short option without a space.
    word.strip_prefix('-')
        .is_some_and(|cluster| cluster.contains(|letter| letters.contains(letter)))
}

/// Splits a line into words. `'…'`, `"…"` and `\` quote as in a shell.
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
mod tests;
