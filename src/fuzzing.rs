//! Entry points for `fuzz/` and `benches/`. Each takes bytes from a model, a server, a file or a terminal, and asserts
//! properties that hold for any bytes. Compiled only for fuzzing and benchmarks.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use benchdog_base::environment::Environment;
use benchdog_base::text::last_part;
use benchdog_config::{Flags, ProjectFile, Sources, load};
use benchdog_diff::patch::{self, PatchError};
use benchdog_domain::permission::CommandClass;
use benchdog_provider::decoder::{Decoded, Decoder};
use benchdog_provider::openai;
use benchdog_provider::textcalls::{Mode, ParsedCalls, Recogniser};
use benchdog_security::redact::Redactor;
use benchdog_security::shell::{World, analyse};
use benchdog_terminal::burst::{Burst, written};
use benchdog_terminal::parse::{Input, Parser};
use benchdog_tools::Registry;

struct Nothing;

impl World for Nothing {
    fn exists(&self, _path: &str) -> bool {
        false
    }

    fn is_folder(&self, _path: &str) -> bool {
        false
    }

    fn read_small(&self, _path: &str) -> Option<String> {
        None
    }

    fn names(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Checks the analysis of a command line. A line that removes files must be detected before or after any other line.
pub fn command_line(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let analysis = analyse(text, &Nothing);
    assert!(
        !analysis.reads_only || analysis.class == CommandClass::Plain,
        "{text:?}"
    );
    if analysis.class != CommandClass::Plain {
        return;
    }
    let removal = ["rm", "-r", "kept"].join(" ");
    let before = analyse(&format!("{removal}\n{text}"), &Nothing);
    assert!(before.class > CommandClass::Plain, "rm before {text:?}");
    // A backslash at the end would join the two lines.
    if !text.ends_with('\\') {
        let after = analyse(&format!("{text}\n{removal}"), &Nothing);
        assert!(after.class > CommandClass::Plain, "rm after {text:?}");
    }
}

struct Shelf(BTreeMap<String, Arc<[u8]>>);

impl patch::Files for Shelf {
    fn read(&mut self, path: &str) -> Result<Option<Arc<[u8]>>, PatchError> {
        Ok(self.0.get(path).cloned())
    }
}

/// Checks a patch. The bytes are a file and a patch, separated by a zero byte. The patch may change only files that it
/// mentions.
pub fn patch(bytes: &[u8]) {
    let at = bytes.iter().position(|byte| *byte == 0).unwrap_or(0);
    let (file, text) = bytes.split_at(at);
    let text = String::from_utf8_lossy(text.strip_prefix(&[0]).unwrap_or(text));
    let mut shelf = Shelf(BTreeMap::from([("a.txt".to_owned(), file.into())]));
    match patch::apply_text(&text, &mut shelf) {
        Ok(applied) => {
            for edit in applied.files {
                // The parser merges doubled slashes. A quoted name contains escapes, so the patch is not searched for
                // it.
                let name = last_part(&edit.path);
                assert!(!edit.path.is_empty());
                assert!(
                    text.contains(name) || text.contains('"'),
                    "{} is not in the patch",
                    edit.path
                );
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

fn decoded(status: u16, parts: &[&[u8]]) -> Decoded {
    let mut decoder = Decoder::new(openai::FORMAT, status);
    for part in parts {
        decoder.push(part);
    }
    decoder.finish()
}

/// Checks the decoder of a server's answer. The result is independent of how the bytes are split, and an incomplete
/// answer has no calls.
pub fn stream(bytes: &[u8]) {
    let [status, split, body @ ..] = bytes else { return };
    let status = if status % 4 == 0 { 500 } else { 200 };
    let whole = decoded(status, &[body]);
    assert!(whole.complete || whole.calls.is_empty());
    let parts: Vec<&[u8]> = body.chunks(usize::from(split % 17) + 1).collect();
    assert_eq!(whole, decoded(status, &parts));
}

fn written_calls(parts: &[&str]) -> (ParsedCalls, String) {
    let mut recogniser = Recogniser::new(Registry::builtin().declarations(), Mode::Open);
    let mut shown = String::new();
    for part in parts {
        recogniser.push(part, &mut shown);
    }
    let found = recogniser.finish(true, &mut shown);
    (found, shown)
}

/// Checks the calls in a model's text. The calls and the visible text are independent of how the text is split.
pub fn calls(bytes: &[u8]) {
    let [split, text @ ..] = bytes else { return };
    let text = String::from_utf8_lossy(text);
    let mut parts = Vec::new();
    let mut left = &*text;
    while !left.is_empty() {
        let cut = left.ceil_char_boundary((usize::from(split % 23) + 1).min(left.len()));
        let (part, more) = left.split_at(cut);
        parts.push(part);
        left = more;
    }
    let whole = written_calls(&[&text]);
    assert!(whole.0.calls.len() <= 64 && whole.1.len() <= text.len(), "{text:?}");
    assert_eq!(whole, written_calls(&parts), "{text:?}");
}

/// Recognises calls in a text that arrives in pieces. Returns the length of the visible text in bytes.
pub fn read_calls(pieces: &[&str]) -> usize {
    written_calls(pieces).1.len()
}

/// Decodes a stream that arrives in pieces. `reads_calls` also recognises calls in its text. Returns the length of the
/// text in bytes.
pub fn read_stream(pieces: &[&[u8]], reads_calls: bool) -> usize {
    let mut decoder = Decoder::new(openai::FORMAT, 200);
    if reads_calls {
        let tools = Registry::builtin().declarations();
        decoder = decoder.reading_calls(Recogniser::new(Arc::clone(&tools), Mode::Open), Some(tools));
    }
    for piece in pieces {
        decoder.push(piece);
    }
    decoder.finish().text.len()
}

/// Checks the parser of a folder's configuration. It returns settings, or problems with their positions.
pub fn config(bytes: &[u8]) {
    let tools = Registry::builtin().rules();
    let environment = Environment::default();
    let loaded = load(&Sources {
        user: PathBuf::from("/nonexistent/config.jsonc"),
        project: Some(ProjectFile {
            servers: None,
            path: PathBuf::from("project.jsonc"),
            bytes: Some(bytes.to_vec()),
            texts: [("agents/own.md".to_owned(), bytes.to_vec())].into(),
        }),
        file: None,
        stored_keys: PathBuf::from("/nonexistent/credentials.json"),
        environment: &environment,
        flags: Flags::default(),
        tools: &tools,
    });
    if let Err(error) = loaded {
        assert!(!error.problems.is_empty());
        for problem in error.problems {
            let said = problem.to_string();
            assert!(said.starts_with("project.jsonc") && !problem.text.is_empty(), "{said}");
        }
    }
}

fn typed(parts: &[&[u8]]) -> Vec<Input> {
    let (mut parser, mut out) = (Parser::default(), Vec::new());
    for part in parts {
        parser.feed(part, &mut out);
    }
    for _ in 0..3 {
        parser.settle(&mut out);
    }
    assert!(parser.patience().is_none(), "something holds the keyboard");
    // Join the parts of a paste, because they may arrive separately.
    let mut joined: Vec<Input> = Vec::new();
    for input in out {
        match (joined.last_mut(), input) {
            (Some(Input::Paste(text)), Input::Paste(more)) => text.push_str(&more),
            (_, input) => joined.push(input),
        }
    }
    joined
}

/// Returns the text of terminal inputs. `Burst` first groups the inputs that arrive together.
fn gathered(parts: &[&[u8]]) -> String {
    let (mut parser, mut burst) = (Parser::default(), Burst::default());
    let (mut read, mut out) = (Vec::new(), Vec::new());
    for part in parts {
        parser.feed(part, &mut read);
        burst.take(&mut read, &mut out);
    }
    burst.settle(&mut out);
    assert!(!burst.is_held());
    let mut text = String::new();
    for input in &out {
        match input {
            Input::Paste(paste) => text.push_str(&paste.replace('\n', "\r")),
            input => text.extend(written(input).map(|c| if c == '\n' { '\r' } else { c })),
        }
    }
    text
}

/// Checks terminal input. The result is independent of how the bytes are split, and paste detection loses no key.
pub fn input(bytes: &[u8]) {
    let [split, typing @ ..] = bytes else { return };
    let parts: Vec<&[u8]> = typing.chunks(usize::from(split % 7) + 1).collect();
    assert_eq!(typed(&[typing]), typed(&parts));
    assert_eq!(gathered(&[typing]), gathered(&parts));
}

/// Checks the redaction of an output with a key in it. The result is independent of how the text is split, and does not
/// contain the key.
pub fn output(bytes: &[u8]) {
    const KEY: &str = "0123456789-a-configured-key";
    let [at, split, rest @ ..] = bytes else { return };
    let rest = String::from_utf8_lossy(rest);
    let at = rest.floor_char_boundary(usize::from(*at).min(rest.len()));
    let (before, behind) = rest.split_at(at);
    let text = format!("{before}{KEY}{behind}");
    let redactor = Redactor::new([KEY.to_owned()]);
    let whole = redactor.text(&text).into_owned();
    assert!(!whole.contains(KEY), "{text:?}");
    let mut stream = redactor.stream();
    let mut parts = String::new();
    let mut left = text.as_str();
    while !left.is_empty() {
        let cut = left.ceil_char_boundary((usize::from(split % 31) + 1).min(left.len()));
        let (part, more) = left.split_at(cut);
        parts.push_str(&stream.push(part));
        left = more;
    }
    parts.push_str(&stream.finish());
    assert_eq!(whole, parts, "{text:?}");
}
