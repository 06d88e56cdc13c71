//! `awk`: its program is cut into words; one that only computes and prints is harmless, and where one writes it says so.

use super::arguments::Arguments;
use super::grammar::Kind;
use super::state::{Field, Input, is_open, show};
use super::walk::Walker;

/// What a program does besides printing.
#[derive(Debug, Default, PartialEq, Eq)]
struct Effects {
    writes: Vec<String>,
    /// Texts in it, which may be commands.
    texts: Vec<String>,
    /// Why it is not harmless.
    doubt: Option<&'static str>,
}

/// What the last word was, which decides whether `/` divides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Operand,
    /// `++` and `--` stand before or behind what they change.
    Step,
    Other,
}

/// Words after which a pattern may stand.
const BEFORE_PATTERN: &[&str] = &["print", "printf", "return", "else", "do", "in", "case", "BEGIN", "END"];

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
        let effects = effects(&program);
        for target in effects.writes {
            self.write_to(&Field::of(target), &Field::of(show(fields)), false);
        }
        if let Some(why) = effects.doubt {
            self.doubt_about(fields, why);
            let given = args
                .values("v")
                .into_iter()
                .filter_map(|field| Some(field.text.split_once('=')?.1.to_owned()));
            for text in effects.texts.into_iter().chain(given).take(8) {
                self.apart(|walker| walker.tried(&text));
            }
        }
    }

    /// A text that a program may run.
    fn tried(&mut self, text: &str) {
        if super::tables::danger_words(text) {
            self.script(text, &Input::Unknown);
        }
    }
}

fn effects(program: &str) -> Effects {
    let mut reader = Reader {
        chars: program.chars().collect(),
        at: 0,
        last: Last::Other,
        depth: 0,
        before: ' ',
        printing: None,
        out: Effects::default(),
    };
    while reader.at < reader.chars.len() && reader.out.doubt.is_none() {
        reader.word();
    }
    if reader.out.doubt.is_some() {
        reader.out.texts.extend(texts(&reader.chars));
    }
    reader.out
}

/// Everything between double quotes.
fn texts(chars: &[char]) -> Vec<String> {
    let all: String = chars.iter().collect();
    all.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    last: Last,
    depth: usize,
    /// The last sign that means something: behind some of them a line goes on.
    before: char,
    /// At which depth of brackets a `print` began.
    printing: Option<usize>,
    out: Effects,
}

impl Reader {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn doubt(&mut self, why: &'static str) {
        self.out.doubt.get_or_insert(why);
    }

    fn word(&mut self) {
        let Some(c) = self.peek(0) else { return };
        if !matches!(c, ' ' | '\t' | '\r' | '\n' | '\\' | '#') {
            self.before = c;
        }
        match c {
            '\\' if self.peek(1) == Some('\n') => self.at += 2,
            ' ' | '\t' | '\r' => self.at += 1,
            '\n' | ';' | '}' | '{' => {
                let goes_on = c == '\n' && matches!(self.before, ',' | '&' | '|' | '?' | ':');
                if !goes_on && (self.printing.is_some_and(|depth| depth >= self.depth) || c != '\n') {
                    self.printing = None;
                }
                self.at += 1;
                self.last = Last::Other;
            }
            '#' => {
                while self.peek(0).is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
            }
            '"' => {
                self.text();
            }
            '/' => self.slash(),
            c if c.is_ascii_alphabetic() || c == '_' => self.name(),
            c if c.is_ascii_digit() || c == '.' => {
                while self.peek(0).is_some_and(|c| c.is_ascii_alphanumeric() || c == '.') {
                    self.at += 1;
                }
                self.last = Last::Operand;
            }
            _ => self.sign(c),
        }
    }

    fn text(&mut self) -> Option<String> {
        let mut text = String::new();
        self.at += 1;
        loop {
            match self.peek(0) {
                None | Some('\n') => {
                    self.doubt("its program is not understood");
                    return None;
                }
                Some('"') => break,
                Some('\\') => {
                    text.push('\\');
                    text.extend(self.peek(1));
                    self.at += 2;
                }
                Some(c) => {
                    text.push(c);
                    self.at += 1;
                }
            }
        }
        self.at += 1;
        self.last = Last::Operand;
        Some(text)
    }

    /// A pattern, or a division.
    fn slash(&mut self) {
        match self.last {
            Last::Operand => {
                self.at += 1;
                self.last = Last::Other;
                return;
            }
            Last::Step => {
                self.doubt("its program is not understood");
                return;
            }
            Last::Other => {}
        }
        self.at += 1;
        let mut bracket = false;
        loop {
            match self.peek(0) {
                None | Some('\n') => return self.doubt("its program is not understood"),
                Some('\\') => self.at += 1,
                Some('[') => bracket = true,
                Some(']') => bracket = false,
                // Not every awk reads this alike.
                Some('/') if bracket => return self.doubt("its program is not understood"),
                Some('/') => break,
                Some(_) => {}
            }
            self.at += 1;
        }
        self.at += 1;
        self.last = Last::Operand;
    }

    fn name(&mut self) {
        let start = self.at;
        while self
            .peek(0)
            .is_some_and(|c| c.is_ascii_alphanumeric() || c == '_' || c == ':')
        {
            self.at += 1;
        }
        let name: String = self.chars.get(start..self.at).unwrap_or(&[]).iter().collect();
        match name.as_str() {
            "system" => self.doubt("its program runs commands"),
            "getline" | "ARGV" | "ARGC" => self.doubt("its program reads from elsewhere"),
            "print" | "printf" => self.printing = Some(self.depth),
            _ if name.contains(':') => self.doubt("its program is not understood"),
            _ => {}
        }
        self.last = if BEFORE_PATTERN.contains(&name.as_str()) {
            Last::Other
        } else {
            Last::Operand
        };
    }

    fn sign(&mut self, c: char) {
        let twice = self.peek(1) == Some(c);
        self.last = Last::Other;
        match c {
            '|' if twice => self.at += 1,
            '|' => self.doubt("its program runs commands"),
            '&' if twice => self.at += 1,
            '&' | '@' | '`' => self.doubt("its program is not understood"),
            '+' | '-' if twice => {
                self.at += 1;
                self.last = Last::Step;
            }
            '(' | '[' => self.depth += 1,
            ')' | ']' => {
                self.depth = self.depth.saturating_sub(1);
                self.last = Last::Operand;
            }
            '>' if self.printing == Some(self.depth) => return self.redirect(),
            '$' | '+' | '-' | '*' | '%' | '^' | '!' | '<' | '>' | '=' | '~' | '?' | ':' | ',' => {}
            _ => self.doubt("its program is not understood"),
        }
        self.at += 1;
    }

    /// `print … > "name"`, with nothing behind the name.
    fn redirect(&mut self) {
        while self.peek(0).is_some_and(|c| matches!(c, '>' | ' ')) {
            self.at += 1;
        }
        let target = if self.peek(0) == Some('"') { self.text() } else { None };
        while self.peek(0) == Some(' ') {
            self.at += 1;
        }
        let ends = self.peek(0).is_none_or(|c| matches!(c, ';' | '}' | '\n'));
        match target {
            Some(name) if ends && !name.contains('\\') => self.out.writes.push(name),
            _ => self.doubt("its program writes to files"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_runs_writes_or_reads_elsewhere_is_an_effect() {
        for program in [
            "$1 > 1 { n++ } END { print n+0 }",
            "{ print $1 / 2, \"a|b\" }",
            "/a|b/ { print; next }",
            "/start/,/end/",
            "$3 > 1000 {print $1}",
            "{ print (1 > 0) }",
            "BEGIN { FS = \":\" } # a | b\n{ sum += $2 } END { printf \"%d\\n\", sum }",
            "NR % 2 == 0 && !seen[$0]++",
        ] {
            assert_eq!(effects(program), Effects::default(), "{program}");
        }
        for program in [
            "BEGIN { system(\"x\") }",
            "{ \"x\" | getline }",
            "{ print | \"x\" }",
            "{ print > $1 }",
            "{ i++ / 2 | \"x\" / 3 }",
            "BEGIN { f = \"system\"; @f(\"x\") }",
            "{ print > (\"a\" \"b\") }",
            "/[/]/ | \"x\"",
            "{ print a ? b > c : d }",
            "{ print 1, # x\n 2 > $1 }",
        ] {
            assert!(effects(program).doubt.is_some(), "{program}");
        }
        assert_eq!(effects("{ print > \"out.txt\" }").writes, ["out.txt"]);
    }
}
