//! Analyses `awk`. A program that only computes and prints is harmless. String literals and regexes are removed first.
//! The rest must not write, run a command or read another file.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::arguments::Arguments;
use super::grammar::Kind;
use super::state::{Field, Input, is_open, show};
use super::walk::Walker;

/// Matches a string literal, a comment, or a regex. A regex matches only where `/` cannot be a division.
static QUOTED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let text = r#""(?:[^"\\\n]|\\.)*""#;
    // A regex with `]` as the first character in brackets is not matched, because that `]` does not end the brackets.
    let class = r"\[:[a-z]+:\]";
    let bracket = format!(r"\[\^?(?:{class}|[^\]\[\^/\n])(?:{class}|[^\]\[/\n])*\]");
    let pattern = format!(r"/(?:[^/\\\n\[]|\\.|{bracket})*/");
    Regex::new(&format!(
        r"{text}|#[^\n]*|(?P<before>(?:^|[(,{{}}!~;&|\n])[ \t]*){pattern}"
    ))
    .ok()
});

/// Matches operators and words with effects beyond computing and printing. After `print`, `>` writes a file. Also
/// matches a slash that starts a regex, because `QUOTED` missed this regex.
static EFFECTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"["@`\\]|(?:^|[^|])\|(?:[^|]|$)|(?:^|[^&])&(?:[^&]|$)|\b(?:system|getline|ARGV|ARGC)\b|::|printf?\b[^;{}]*>|(?:^|[^\w)\]\s])\s*/|\b(?:printf?|return|in)\s*/"#,
    )
    .ok()
});

impl Walker<'_> {
    pub(super) fn awk(&mut self, args: &Arguments<'_>, fields: &[Field]) {
        let mut program: String = args
            .values("e")
            .iter()
            .map(|field| format!("{}\n", field.text))
            .collect();
        for file in args.values("f") {
            self.reading(&file, Kind::Read);
            match self.file_text(&file.text) {
                Some(text) => program.push_str(&text),
                None => self.unknown(fields, "its program is in a file that was not read"),
            }
        }
        let own = usize::from(!args.has_any(&["e", "f"]));
        program.extend(args.operands.iter().take(own).map(|field| field.text.clone()));
        for file in args.operands.iter().skip(own) {
            let name = file.text.split_once('=').map(|(name, _)| name);
            if !name.is_some_and(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')) {
                self.reading(file, Kind::Read);
            }
        }
        if is_open(&program) {
            self.unknown(fields, "part of its program is not known");
        }
        self.reads(fields, "its program reads and prints");
        if !only_prints(&program) {
            self.doubt_about(fields, "its program may do more than print");
            self.awk_effects(&program, fields);
        }
    }

    /// Checks each string literal of a program. The literal may be a file to write, or a command to run.
    fn awk_effects(&mut self, program: &str, fields: &[Field]) {
        let mut before = "";
        for (at, piece) in program.split('"').enumerate().take(32) {
            if at % 2 == 0 {
                before = piece;
            } else if before.trim_end().ends_with('>') {
                self.write_to(&Field::of(piece), &Field::of(show(fields)), false);
            } else {
                self.apart(|walker| walker.tried(piece));
            }
        }
    }

    /// Analyses a string literal that the program may run as a command.
    fn tried(&mut self, text: &str) {
        if super::tables::danger_words(text) {
            self.script(text, &Input::Unknown);
        }
    }
}

fn only_prints(program: &str) -> bool {
    let (Some(quoted), Some(effects)) = (&*QUOTED, &*EFFECTS) else {
        return false;
    };
    let joined = program.replace("\\\n", " ");
    let bare = quoted.replace_all(&joined, |found: &Captures<'_>| {
        found.name("before").map_or(" ", |before| before.as_str()).to_owned() + " 0 "
    });
    !effects.is_match(&bare)
}

#[cfg(test)]
mod tests;
