//! One-line programs in other languages that are proven harmless: each is cut into words, and every word must be one of a
//! few that only read, compute and print. Whatever else stands there, the program is not followed.

/// What a piece of code is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    Name(String),
    Text(String),
    Number,
    Sign(char),
}

const PYTHON: &[&str] = &[
    "print",
    "len",
    "sorted",
    "sum",
    "min",
    "max",
    "int",
    "float",
    "str",
    "list",
    "dict",
    "set",
    "tuple",
    "range",
    "enumerate",
    "zip",
    "abs",
    "round",
    "repr",
    "bool",
    "any",
    "all",
    "json",
    "load",
    "loads",
    "dumps",
    "read",
    "splitlines",
    "split",
    "strip",
    "join",
    "keys",
    "values",
    "items",
    "get",
    "upper",
    "lower",
    "indent",
    "sys",
    "version",
    "version_info",
    "stdin",
    "platform",
    "math",
    "sqrt",
    "pi",
    "if",
    "else",
    "for",
    "in",
    "not",
    "and",
    "or",
    "is",
    "None",
    "True",
    "False",
    "import",
    "executable",
    "path",
    "maxsize",
    "count",
    "startswith",
    "endswith",
    "format",
    "hex",
    "bin",
    "ord",
    "time",
    "datetime",
    "now",
    "end",
    "sep",
    "key",
    "reverse",
    "sort_keys",
];

const SCRIPT: &[&str] = &[
    "console",
    "log",
    "JSON",
    "stringify",
    "parse",
    "Math",
    "max",
    "min",
    "round",
    "floor",
    "length",
    "version",
    "process",
    "versions",
    "node",
    "platform",
    "arch",
    "Object",
    "keys",
    "values",
    "entries",
    "name",
    "dependencies",
    "devDependencies",
    "scripts",
    "map",
    "filter",
    "join",
    "split",
    "sort",
    "true",
    "false",
    "null",
    "undefined",
    "typeof",
    "const",
    "let",
    "Date",
    "new",
    "toISOString",
    "toString",
    "Number",
    "parseInt",
    "parseFloat",
    "String",
    "Array",
    "isArray",
    "slice",
    "includes",
    "main",
    "engines",
];

const PERL: &[&str] = &[
    "print", "if", "unless", "next", "last", "and", "or", "not", "length", "lc", "uc", "split", "join", "chomp", "eq",
    "ne", "lt", "gt", "my",
];

/// Words of a program; `None` where a sign has a meaning that is not known here.
fn words(code: &str, texts: &[char], signs: &str) -> Option<Vec<Word>> {
    let mut out = Vec::new();
    let mut chars = code.chars().peekable();
    while let Some(c) = chars.next() {
        if c.is_whitespace() {
            if c == '\n' {
                out.push(Word::Sign(';'));
            }
        } else if texts.contains(&c) {
            let mut text = String::new();
            loop {
                match chars.next()? {
                    '\\' => text.push(chars.next()?),
                    end if end == c => break,
                    other => text.push(other),
                }
            }
            out.push(Word::Text(text));
        } else if c.is_ascii_alphabetic() || c == '_' {
            let mut name = String::from(c);
            while let Some(next) = chars.next_if(|next| next.is_ascii_alphanumeric() || *next == '_') {
                name.push(next);
            }
            out.push(Word::Name(name));
        } else if c.is_ascii_digit() {
            while chars
                .next_if(|next| next.is_ascii_alphanumeric() || *next == '.')
                .is_some()
            {}
            out.push(Word::Number);
        } else if signs.contains(c) {
            out.push(Word::Sign(c));
        } else {
            return None;
        }
    }
    Some(out)
}

/// Names of one letter, which can only be the code's own, count as known.
fn all_known(words: &[Word], known: &[&str]) -> bool {
    words.iter().all(|word| match word {
        Word::Name(name) => known.contains(&name.as_str()) || name.len() == 1,
        Word::Text(_) | Word::Number | Word::Sign(_) => true,
    })
}

/// `print(json.load(open("x.json"))["version"])`: `open` takes one text and nothing else.
pub(super) fn read_by_python(code: &str) -> Option<Vec<String>> {
    let mut words = words(code, &['"', '\''], "()[]{}.,:;+-*/%<>=! ")?;
    let mut files = Vec::new();
    // Before a quote these letters change what the text means.
    let prefixed = words.windows(2).any(|pair| matches!(pair, [Word::Name(name), Word::Text(_)] if name.len() <= 2 && !matches!(name.as_str(), "in" | "or" | "is" | "if")));
    if prefixed {
        return None;
    }
    while let Some(at) = words.iter().position(|word| *word == Word::Name("open".into())) {
        match words.get(at + 1..at + 4) {
            Some([Word::Sign('('), Word::Text(file), Word::Sign(')')]) => files.push(file.clone()),
            _ => return None,
        }
        words.drain(at..at + 4);
    }
    let imported = |name: &str| matches!(name, "json" | "sys" | "math" | "platform" | "time" | "datetime");
    let imports = words.windows(2).all(|pair| match pair {
        [Word::Name(import), next] if import == "import" => matches!(next, Word::Name(name) if imported(name)),
        _ => true,
    });
    let ends_well = !matches!(words.last(), Some(Word::Name(name)) if name == "import");
    (imports && ends_well && all_known(&words, PYTHON)).then_some(files)
}

/// `console.log(…)`, `require("./package.json").version`: `require` takes one `.json` file and nothing else.
pub(super) fn read_by_script(code: &str) -> Option<Vec<String>> {
    let mut words = words(code, &['"', '\''], "()[].,:;+-*/%<>=!?&| ")?;
    let mut files = Vec::new();
    while let Some(at) = words.iter().position(|word| *word == Word::Name("require".into())) {
        match words.get(at + 1..at + 4) {
            Some([Word::Sign('('), Word::Text(file), Word::Sign(')')]) if file.ends_with(".json") => {
                files.push(file.clone())
            }
            _ => return None,
        }
        words.drain(at..at + 4);
    }
    // A member named by a computed text could be any.
    let computed = words
        .windows(2)
        .any(|pair| matches!(pair, [Word::Name(_) | Word::Sign(')' | ']'), Word::Sign('[')]));
    (!computed && all_known(&words, SCRIPT)).then_some(files)
}

/// `print if /fn /`: a pattern without code in it, and the simplest words.
pub(super) fn is_harmless_perl(code: &str) -> bool {
    if is_substitution(code) {
        return true;
    }
    if code.contains("(?{") || code.contains("(??{") || code.contains(['$', '@', '`', '<', '>', '|', '{', '&', '\n']) {
        return false;
    }
    words(code, &['"', '\'', '/'], ";,()!~=.").is_some_and(|words| {
        words.iter().all(|word| match word {
            Word::Name(name) => PERL.contains(&name.as_str()),
            Word::Text(_) | Word::Number | Word::Sign(_) => true,
        })
    })
}

/// `s/a/b/g`: without code on either side.
fn is_substitution(code: &str) -> bool {
    let code = code.trim().trim_end_matches(';');
    let plain = |text: &str| {
        text.chars()
            .all(|c| c.is_ascii_alphanumeric() || " _-.,:+*^".contains(c))
    };
    let Some(("s" | "tr" | "y", rest)) = code.split_once('/') else {
        return false;
    };
    let parts: Vec<&str> = rest.split('/').collect();
    matches!(parts.as_slice(), [from, to, flags] if plain(from) && plain(to) && flags.chars().all(|c| "gimsx".contains(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_reads_and_prints_is_harmless() {
        for code in [
            "print(1 > 0)",
            "import json; print(json.load(open(\"package.json\"))[\"version\"])",
            "print('rm')",
            "import sys; print(sys.version)",
        ] {
            assert!(read_by_python(code).is_some(), "{code}");
        }
        for code in [
            "import os; os.remove('x')",
            "open('x','w')",
            "open('x', mode)",
            "__import__('os')",
            "print(open)",
            "exec('x')",
            "import json as os",
            "f'{open(1)}'",
            "print(f\"{x}\")",
            "getattr(a, 'b')",
            "import",
            "from os import remove",
            "a.b.system('x')",
            "print(open('x').write('y'))",
        ] {
            assert!(read_by_python(code).is_none(), "{code}");
        }
        assert!(read_by_script("console.log(2 > 1 ? \"rm\" : \"mv\")").is_some());
        assert!(read_by_script("require(\"./package.json\").version").is_some());
        for code in [
            "require('fs').rmSync('x')",
            "require('./x')",
            "process.exit()",
            "console['log'](1)",
            "`x`",
            "eval('x')",
            "JSON.constructor('x')()",
        ] {
            assert!(read_by_script(code).is_none(), "{code}");
        }
        assert!(is_harmless_perl("print if /fn /") && is_harmless_perl("s/a/b/g"));
        for code in [
            "unlink 'x'",
            "print `x`",
            "system 'x'",
            "print if /(?{system 'x'})/",
            "open F",
            "s/x/y/e",
        ] {
            assert!(!is_harmless_perl(code), "{code}");
        }
    }
}
