//! `sed`: its program can write files (`w`), run commands (`e`), and `-i` changes files in place.

use super::arguments::Arguments;
use super::state::{Field, Input, Output, UNKNOWN, show};
use super::walk::Walker;

/// What a program does besides printing.
#[derive(Debug, Default, PartialEq, Eq)]
struct Effects {
    writes: Vec<String>,
    runs: Vec<String>,
    /// `s///e` or a bare `e`: runs what it reads.
    runs_input: bool,
    unreadable: bool,
}

impl Walker<'_> {
    pub(super) fn sed(&mut self, fields: &[Field], input: &Input) -> Output {
        let arguments = Arguments::of(fields, "e f l --expression --file --line-length");
        let in_place = fields
            .iter()
            .skip(1)
            .take_while(|field| field.text != "--")
            .any(|field| {
                field.text.starts_with("--in-place") || {
                    let bundle = field.text.strip_prefix('-').filter(|bundle| !bundle.starts_with('-'));
                    bundle.is_some_and(|bundle| {
                        bundle
                            .chars()
                            .take_while(|c| !matches!(c, 'e' | 'f' | 'l'))
                            .any(|c| c == 'i')
                    })
                }
            });
        if in_place {
            self.danger(fields, "it changes files in place");
        }
        let mut programs: Vec<String> = arguments
            .values("e --expression")
            .into_iter()
            .map(|field| field.text)
            .collect();
        for file in arguments.values("f --file") {
            match self.file_text(&file.text) {
                Some(text) => programs.push(text),
                None => self.unknown(fields, "its program is in a file that was not read"),
            }
        }
        if programs.is_empty()
            && !arguments.has("f --file")
            && let Some(first) = arguments.operands.first()
        {
            programs.push(first.text.clone());
        }
        let program = programs.join("\n");
        if program.contains(UNKNOWN) {
            self.unknown(fields, "part of its program is not known");
        }
        if arguments.has("--sandbox") {
            self.plain(fields, "its program may only print");
            return None;
        }
        let effects = effects(&program);
        for target in effects.writes {
            self.write_to(&Field::of(target), &Field::of(show(fields)), false);
        }
        for script in effects.runs {
            self.apart(|walker| walker.script(&script, input));
            self.unknown(fields, "its program runs a command");
        }
        if effects.runs_input {
            self.doubt_about(fields, "its program runs what it reads");
        }
        if effects.unreadable {
            self.unknown(fields, "its program is not understood");
        }
        self.plain(fields, "prints changed text");
        None
    }
}

/// Reads a sed program far enough to find `w`, `W`, `e` and the flags of `s`.
fn effects(program: &str) -> Effects {
    let mut out = Effects::default();
    let chars: Vec<char> = program.chars().collect();
    let mut at = 0;
    while at < chars.len() {
        at = command(&chars, at, &mut out);
    }
    out
}

/// One command with its addresses; where the next begins.
fn command(chars: &[char], mut at: usize, out: &mut Effects) -> usize {
    while let Some(c) = chars.get(at) {
        match c {
            ' ' | '\t' | '\n' | ';' | '{' | '}' | ',' | '!' | '$' | '~' | '+' | '0'..='9' => at += 1,
            '/' => at = delimited(chars, at + 1, '/'),
            '\\' => match chars.get(at + 1) {
                Some(delimiter) => at = delimited(chars, at + 2, *delimiter),
                None => return chars.len(),
            },
            'I' | 'M' if chars.get(at.wrapping_sub(1)) == Some(&'/') => at += 1,
            _ => break,
        }
    }
    let Some(c) = chars.get(at) else { return chars.len() };
    match c {
        's' => substitute(chars, at + 1, out),
        'y' => match chars.get(at + 1) {
            Some(delimiter) => {
                let middle = delimited(chars, at + 2, *delimiter);
                delimited(chars, middle, *delimiter)
            }
            None => chars.len(),
        },
        'w' | 'W' => {
            let (line, next) = line(chars, at + 1);
            out.writes.push(line);
            next
        }
        'e' => {
            let (line, next) = line(chars, at + 1);
            if line.is_empty() {
                out.runs_input = true;
            } else {
                out.runs.push(line);
            }
            next
        }
        'a' | 'i' | 'c' | 'r' | 'R' | ':' | 'b' | 't' | 'T' | '#' => {
            let stops_at_semicolon = matches!(c, ':' | 'b' | 't' | 'T');
            let rest = chars.get(at..).unwrap_or(&[]);
            let end = rest
                .iter()
                .position(|c| *c == '\n' || (stops_at_semicolon && (*c == ';' || *c == '}')));
            end.map_or(chars.len(), |end| at + end + 1)
        }
        'd' | 'D' | 'g' | 'G' | 'h' | 'H' | 'l' | 'n' | 'N' | 'p' | 'P' | 'q' | 'Q' | 'x' | 'z' | '=' | 'F' | 'v' => {
            at + 1
        }
        _ => {
            out.unreadable = true;
            chars.len()
        }
    }
}

fn substitute(chars: &[char], at: usize, out: &mut Effects) -> usize {
    let Some(delimiter) = chars.get(at).copied() else {
        return chars.len();
    };
    let middle = delimited(chars, at + 1, delimiter);
    let mut at = delimited(chars, middle, delimiter);
    while let Some(c) = chars.get(at) {
        match c {
            'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => at += 1,
            'e' => {
                out.runs_input = true;
                at += 1;
            }
            'w' => {
                let (line, next) = line(chars, at + 1);
                out.writes.push(line);
                return next;
            }
            _ => break,
        }
    }
    at
}

/// Behind the next unescaped delimiter, which inside `[…]` is an ordinary sign.
fn delimited(chars: &[char], mut at: usize, delimiter: char) -> usize {
    while let Some(c) = chars.get(at) {
        if *c == '\\' {
            at += 2;
        } else if *c == delimiter {
            return at + 1;
        } else {
            at += 1;
        }
    }
    chars.len()
}

fn line(chars: &[char], at: usize) -> (String, usize) {
    let rest = chars.get(at..).unwrap_or(&[]);
    let end = rest.iter().position(|c| *c == '\n').unwrap_or(rest.len());
    let text: String = rest.iter().take(end).collect();
    (text.trim().to_owned(), at + end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_writes_or_runs_is_an_effect() {
        for program in [
            "s/rm/RM/g",
            "1,5p",
            "/w file/d",
            "s,w x,e y,",
            "y/we/ew/",
            "$!N;P;D",
            "a w notes.txt",
            "/a/,/b/p",
        ] {
            assert_eq!(effects(program), Effects::default(), "{program}");
        }
        assert_eq!(effects("w notes.txt").writes, ["notes.txt"]);
        assert_eq!(effects("s/a/b/gw out.txt").writes, ["out.txt"]);
        assert_eq!(effects("1e rm notes.txt").runs, ["rm notes.txt"]);
        assert_eq!(effects("s/^/rm /;p\n/x/e date").runs, ["date"]);
        assert!(effects("s/.*/rm x/e").runs_input);
    }
}
