//! `sed`: its program can write files (`w`), run commands (`e`) and read files (`r`).

use super::arguments::Arguments;
use super::grammar::Kind;
use super::state::{Field, Input, is_open, show};
use super::walk::Walker;

/// What a program does besides printing.
#[derive(Debug, Default, PartialEq, Eq)]
struct Effects {
    writes: Vec<String>,
    reads: Vec<String>,
    runs: Vec<String>,
    /// `s///e` or a bare `e`: runs what it reads.
    runs_input: bool,
    unreadable: bool,
}

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
            self.unknown(fields, "part of its program is not known");
        }
        self.reads(fields, "prints changed text");
        if args.has("sandbox") {
            return;
        }
        let effects = effects(&program);
        for target in effects.writes {
            self.write_to(&Field::of(target), &Field::of(show(fields)), false);
        }
        for file in effects.reads {
            self.reading(&Field::of(file), Kind::Read);
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
            '/' => at = pattern(chars, at + 1, '/', out),
            '\\' => match chars.get(at + 1) {
                Some(delimiter) => at = pattern(chars, at + 2, *delimiter, out),
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
        'r' | 'R' => {
            let (line, next) = line(chars, at + 1);
            out.reads.push(line);
            next
        }
        'a' | 'i' | 'c' | '#' => {
            let rest = chars.get(at..).unwrap_or(&[]);
            let end = rest.iter().position(|c| *c == '\n');
            end.map_or(chars.len(), |end| at + end + 1)
        }
        // A label ends at the first blank, and a command stands behind it.
        ':' | 'b' | 't' | 'T' => {
            let rest = chars.get(at + 1..).unwrap_or(&[]);
            let blanks = rest.iter().take_while(|c| matches!(c, ' ' | '\t')).count();
            let label = rest.iter().skip(blanks);
            let length = label
                .take_while(|c| !c.is_whitespace() && !matches!(c, ';' | '}'))
                .count();
            at + 1 + blanks + length
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
    let middle = pattern(chars, at + 1, delimiter, out);
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

/// Behind the delimiter that ends a pattern. One that stands in `[…]` is not read alike by every sed.
fn pattern(chars: &[char], at: usize, delimiter: char, out: &mut Effects) -> usize {
    let end = delimited(chars, at, delimiter);
    let inner = chars.get(at..end.saturating_sub(1)).unwrap_or(&[]);
    let open = inner.iter().rposition(|c| *c == '[');
    let closed = open.is_none_or(|open| inner.iter().skip(open + 2).any(|c| *c == ']'));
    let escaped = open.is_some_and(|open| open > 0 && inner.get(open - 1) == Some(&'\\'));
    if !closed && !escaped {
        out.unreadable = true;
    }
    end
}

/// Behind the next unescaped delimiter.
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
        assert!(effects("s/[/]w x/_/").unreadable);
        assert_eq!(effects("r x.txt").reads, ["x.txt"]);
    }
}
