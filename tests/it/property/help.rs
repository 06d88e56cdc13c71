//! Options of the real programs on this machine, parsed from their help.

use std::collections::HashMap;
use std::process::{Command, Stdio};

use regex::Regex;

pub enum Value {
    None,
    /// Optional value after `=`, with its name in the help.
    Maybe(String),
    Needed(String),
}

pub struct Choice {
    pub name: String,
    pub value: Value,
}

#[derive(Default)]
pub struct Help {
    known: HashMap<String, Vec<Choice>>,
}

impl Help {
    /// Returns the options of `program`, which is a name, or `git` and a subcommand. The help run reads no home folder
    /// and writes nothing.
    pub fn options(&mut self, program: &str) -> &[Choice] {
        if !self.known.contains_key(program) {
            let choices = read(&text(program));
            self.known.insert(program.to_owned(), choices);
        }
        self.known.get(program).map_or(&[], Vec::as_slice)
    }
}

fn text(program: &str) -> String {
    let mut command = Command::new("timeout");
    command.args(["5"]).args(program.split(' '));
    command.arg(if program.starts_with("git") { "-h" } else { "--help" });
    command
        .env_clear()
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LANG", "C.UTF-8");
    let output = command.current_dir("/").stdin(Stdio::null()).output();
    let output = output.map_or_else(|_| Vec::new(), |output| [output.stdout, output.stderr].concat());
    String::from_utf8_lossy(&output).into_owned()
}

fn read(text: &str) -> Vec<Choice> {
    let pattern = r#"(?m)(?:^|[\s,\[|])(--?(?:\[no-\])?[A-Za-z0-9][A-Za-z0-9-]*)(\[=[^\]]*\]|=<[^>]*>|=[A-Z][A-Z_-]*| <[^>]+>| [A-Z][A-Z_-]+\b)?"#;
    let pattern = Regex::new(pattern).expect("a pattern that is right");
    let mut choices: Vec<Choice> = Vec::new();
    for found in pattern.captures_iter(text) {
        let name = found.get(1).map_or("", |name| name.as_str());
        let value = match found.get(2).map(|value| value.as_str()) {
            None => Value::None,
            Some(value) if value.starts_with('[') => Value::Maybe(value.to_uppercase()),
            Some(value) => Value::Needed(value.to_uppercase()),
        };
        let name = name.replace("[no-]", "");
        // A short option takes the value of its long form.
        if let (Some(before), false) = (choices.last_mut(), matches!(value, Value::None)) {
            let short = before.name.len() == 2 && matches!(before.value, Value::None) && name.starts_with("--");
            if let (true, Value::Needed(kind)) = (short, &value) {
                before.value = Value::Needed(kind.clone());
            }
        }
        if choices.iter().all(|choice| choice.name != name) {
            choices.push(Choice { name, value });
        }
    }
    choices
}
