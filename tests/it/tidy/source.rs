//! Reads the crate's sources, without comments and contents of literals.

use std::path::Path;

pub struct Source {
    /// Path relative to `src/`, with `/`: `app/panes/prompt.rs`.
    pub path: String,
    pub text: String,
    /// Text without comments and contents of strings.
    pub code: String,
    /// Whether the file is compiled only for tests: in a `tests` folder, or declared under `#[cfg(test)]`.
    test: bool,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            text: text.to_owned(),
            code: stripped(text),
            test: path.starts_with("testing/") || path.split('/').any(|part| part == "tests" || part == "tests.rs"),
        }
    }

    pub fn is_test(&self) -> bool {
        self.test
    }

    pub fn literals(&self) -> Vec<(usize, String)> {
        let mut line = 1;
        let mut found = Vec::new();
        for piece in pieces(&self.text) {
            let inside = match &piece {
                Piece::Code(character) => {
                    line += usize::from(*character == '\n');
                    continue;
                }
                Piece::Comment(inside) => inside,
                Piece::Literal(inside) => {
                    let text = inside.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
                    found.extend(text.map(|text| (line, text.to_owned())));
                    inside
                }
            };
            line += inside.matches('\n').count();
        }
        found
    }

    /// Returns the first part of the path without its extension: `app`, `orchestrator`, `run`.
    pub fn room(&self) -> &str {
        let first = self.path.split('/').next().unwrap_or_default();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// Returns the module path: `["app", "panes", "prompt"]`.
    pub fn module(&self) -> Vec<&str> {
        let path = self.path.strip_suffix(".rs").unwrap_or(&self.path);
        let path = path.strip_suffix("/lib").unwrap_or(path);
        path.split('/')
            .filter(|part| *part != "lib" && *part != "main")
            .collect()
    }
}

/// Returns all Rust files in a folder of the package, sorted by path. Omits build folders.
pub fn sources(folder: &str) -> Vec<Source> {
    let root = package().join(folder);
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)
            .expect("a folder of sources")
            .filter_map(Result::ok)
        {
            let path = entry.path();
            if path.ends_with("target") {
                continue;
            }
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let name = path
                    .strip_prefix(&root)
                    .expect("a file below its root")
                    .to_string_lossy()
                    .into_owned();
                found.push(Source::new(
                    &name,
                    &std::fs::read_to_string(&path).expect("a source file"),
                ));
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    let bare: Vec<String> = found.iter().flat_map(test_modules).collect();
    for source in &mut found {
        source.test |= bare.iter().any(|module| source.module().join("/") == *module);
    }
    found
}

fn test_modules(source: &Source) -> Vec<String> {
    let lines: Vec<&str> = source.code.lines().map(str::trim).collect();
    let declared = lines.windows(2).filter_map(|pair| match pair {
        ["#[cfg(test)]" | "#[cfg(any(test, feature = ))]", line] => {
            line.strip_suffix(';')?.rsplit_once("mod ").map(|(_, name)| name)
        }
        _ => None,
    });
    declared
        .map(|name| [&source.module()[..], &[name]].concat().join("/"))
        .collect()
}

pub fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Removes comments and contents of literals, but keeps lines.
fn stripped(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    for piece in pieces(text) {
        match piece {
            Piece::Code(character) => code.push(character),
            Piece::Comment(inside) | Piece::Literal(inside) => code.extend(inside.chars().filter(|c| *c == '\n')),
        }
    }
    code
}

enum Piece {
    Code(char),
    Comment(String),
    /// Includes the delimiters: `"text"`, `r"text"`, `'c'`.
    Literal(String),
}

fn pieces(text: &str) -> Vec<Piece> {
    let characters: Vec<char> = text.chars().collect();
    let at = |index: usize| characters.get(index).copied().unwrap_or('\0');
    let mut pieces = Vec::with_capacity(text.len());
    let mut index = 0;
    while index < characters.len() {
        let comment = match (at(index), at(index + 1)) {
            ('/', '/') => (index..).find(|i| matches!(at(*i), '\n' | '\0')),
            ('/', '*') => Some(end_of_block(&characters, index)),
            _ => None,
        };
        let end = comment.unwrap_or_else(|| match (at(index), at(index + 1)) {
            ('"', _) => end_of_string(&characters, index),
            ('r', '"' | '#') if !at(index.wrapping_sub(1)).is_alphanumeric() => end_of_raw(&characters, index),
            ('\'', '\\') => (index + 3..).find(|i| matches!(at(*i), '\'' | '\0')).unwrap_or(index) + 1,
            ('\'', _) if at(index + 2) == '\'' => index + 3,
            _ => index,
        });
        if end == index {
            pieces.push(Piece::Code(at(index)));
            index += 1;
            continue;
        }
        let inside = characters.iter().skip(index).take(end - index).collect();
        pieces.push(match comment {
            Some(_) => Piece::Comment(inside),
            None => Piece::Literal(inside),
        });
        index = end;
    }
    pieces
}

fn end_of_block(characters: &[char], start: usize) -> usize {
    let mut depth = 0_u32;
    let mut index = start;
    while index < characters.len() {
        match (characters.get(index), characters.get(index + 1)) {
            (Some('/'), Some('*')) => {
                depth += 1;
                index += 2;
            }
            (Some('*'), Some('/')) => {
                depth -= 1;
                index += 2;
                if depth == 0 {
                    break;
                }
            }
            _ => index += 1,
        }
    }
    index
}

fn end_of_string(characters: &[char], start: usize) -> usize {
    let mut index = start + 1;
    while let Some(character) = characters.get(index) {
        match character {
            '\\' => index += 2,
            '"' => return index + 1,
            _ => index += 1,
        }
    }
    index
}

/// Finds the end of `r"…"`, `r#"…"#` and so on. Returns `start` for a raw identifier like `r#type`.
fn end_of_raw(characters: &[char], start: usize) -> usize {
    let hashes = characters.iter().skip(start + 1).take_while(|c| **c == '#').count();
    if characters.get(start + 1 + hashes) != Some(&'"') {
        return start;
    }
    let mut index = start + 2 + hashes;
    while index < characters.len() {
        let closing = characters.iter().skip(index + 1).take_while(|c| **c == '#').count();
        if characters.get(index) == Some(&'"') && closing >= hashes {
            return index + 1 + hashes;
        }
        index += 1;
    }
    index
}

#[test]
fn comments_and_literals_are_taken_out_and_code_stays() {
    let text = "use a; // crate::x\n/* crate::y */ let s = \"crate::z \\\" \"; let c = '\"'; fn f<'a>() {}\nlet r = r#\"crate::w\"#; end";
    assert_eq!(
        stripped(text),
        "use a; \n let s = ; let c = ; fn f<'a>() {}\nlet r = ; end"
    );
}

#[test]
fn literals_are_found_with_their_lines_and_none_in_comments() {
    let text = "let a = \"one\"; // \"no\"\nlet b = ('\"', r\"raw\", \"two\nlines\");\nlet c = \"three\";\n";
    let found = Source::new("x.rs", text).literals();
    let expected = [(1, "one"), (2, "two\nlines"), (4, "three")];
    assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
}

#[test]
fn a_module_for_tests_only_is_known_by_its_declaration() {
    let source = Source::new(
        "tools/lib.rs",
        "#[cfg(test)]\nmod bench;\nmod read;\n#[cfg(test)]\npub(super) mod rig;\n",
    );
    assert_eq!(test_modules(&source), ["tools/bench", "tools/rig"]);
}
