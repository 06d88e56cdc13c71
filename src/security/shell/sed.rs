//! Analyses `sed`. A program can write files (`w`), run commands (`e`) and read files (`r`). A program that matches a
//! grammar without these commands only prints.

use std::sync::LazyLock;

use regex::Regex;

use super::arguments::Arguments;
use super::grammar::Kind;
use super::state::{Field, Input, is_open, show};
use super::tables::danger_words;
use super::walk::Walker;

const DELIMITERS: &str = "/|#,@:!%";

/// Matches programs that only print. Rejects delimiters inside `[…]`, because sed versions parse them differently.
static PRINTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let pattern = |end: char| format!(r"(?:[^{end}\\\n\[]|\\.|\[\^?\]?[^\]{end}\n]*\]){{0,200}}\{end}");
    let address = format!(r"(?:[0-9]+(?:~[0-9]+)?|\$|\+[0-9]+|/{}[IM]*)", pattern('/'));
    let changes: Vec<String> = DELIMITERS
        .chars()
        .map(|end| format!(r"s\{end}{}(?:[^{end}\\\n]|\\.)*\{end}[gpiIMm0-9]*", pattern(end)))
        .collect();
    let command = format!(
        r"(?:[dDpPgGhHnNxzFl=]|[qQ][0-9]*|[aic](?:\\.|[^\n\\])*|\#[^\n]*|:[ ]*[\w.-]+|[btT][ ]*[\w.-]*|y/(?:[^/\\\n]|\\.)*/(?:[^/\\\n]|\\.)*/|{})",
        changes.join("|")
    );
    Regex::new(&format!(
        r"^(?s:[\s;{{}}]*(?:{address}(?:\s*,\s*{address})?\s*)?[\s!{{]*{command}[ \t]*(?:[;\n}}]+|$))*[\s;{{}}]*$"
    ))
    .ok()
});

impl Walker<'_> {
    pub(super) fn sed(&mut self, args: &Arguments<'_>, fields: &[Field], input: &Input) {
        let mut programs: Vec<String> = args.values("e").into_iter().map(|field| field.text).collect();
        for file in args.values("f") {
            self.reading(&file, Kind::Read);
            match self.file_text(&file.text) {
                Some(text) => programs.push(text),
                None => self.unknown(fields, "its program is in a file that was not read"),
            }
        }
        let own = usize::from(!args.has_any(&["e", "f"]));
        programs.extend(args.operands.iter().take(own).map(|field| field.text.clone()));
        for file in args.operands.iter().skip(own) {
            self.reading(file, Kind::Read);
        }
        let program = programs.join("\n");
        if is_open(&program) {
            self.doubt_about(fields, "part of its program is not known");
        }
        self.reads(fields, "prints changed text");
        if args.has("sandbox") || only_prints(&program) {
            return;
        }
        self.doubt_about(fields, "its program may do more than print");
        // Text after any `w` may be a file to write, and text after any `e` a command to run.
        for (at, letter) in program.match_indices(['w', 'W', 'e']).take(64) {
            let rest = program
                .get(at + 1..)
                .and_then(|rest| rest.lines().next())
                .unwrap_or("")
                .trim();
            let target = Field::of(rest);
            if letter == "e" && danger_words(rest) {
                self.apart(|walker| walker.script(rest, input));
            } else if letter != "e" && (rest.starts_with(['/', '.']) || self.is_there(&target)) {
                self.write_to(&target, &Field::of(show(fields)), false);
            }
        }
    }
}

fn only_prints(program: &str) -> bool {
    PRINTS.as_ref().is_some_and(|prints| prints.is_match(program))
}

#[cfg(test)]
mod tests;
