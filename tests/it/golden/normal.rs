//! Normalises only these values, which differ from run to run:
//!
//! - `time` of a line, and `seq` after a check that it counts from 1 without a gap
//! - adjacent `text_delta`, `reasoning_delta` and `tool_output` of one call (joined)
//! - session ids (`SESSION`), the test's folder (`HOME`), the server's port (`PORT`), points in time (`TIME`)
//! - call ids, numbered in order of appearance from `call-1`
//! - the scratch folder's note at the end of the first prompt (`tests/it/scratch.rs` checks it)
//! - durations of retries and commands (`N s`)
//! - the middle of a text over 2,000 characters (replaced by length and hash)

use std::collections::HashMap;
use std::path::Path;

use regex::{Captures, Regex};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// Length at which texts are shortened, and the length of each shown end.
const MOST: usize = 2_000;
const SHOWN: usize = 300;

pub struct Normal {
    home: String,
    fixed: Vec<(Regex, &'static str)>,
    call: Regex,
    calls: HashMap<String, usize>,
}

impl Normal {
    pub fn of(home: &Path) -> Self {
        let fixed = [
            (r"127\.0\.0\.1:\d+", "127.0.0.1:PORT"),
            (r"\b[0-9a-f]{12}7[0-9a-f]{19}\b", "SESSION"),
            (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME"),
            (r"trying again in \d+\.\d s", "trying again in N s"),
            (r"\b\d+\.\ds\b", "N s"),
            (
                r"\n\n\[benchdog\] Folder for temporary files, without approval: `[^`]*`[^\n]*",
                "",
            ),
        ];
        let pattern = |text: &str| Regex::new(text).expect("a fixed pattern");
        Self {
            home: home.to_string_lossy().into_owned(),
            fixed: fixed.map(|(text, mark)| (pattern(text), mark)).into(),
            call: pattern(r"\bcall_\d+\b"),
            calls: HashMap::new(),
        }
    }

    pub fn text(&mut self, text: &str) -> String {
        let mut text = text.replace(&self.home, "HOME");
        for (pattern, mark) in &self.fixed {
            text = pattern.replace_all(&text, *mark).into_owned();
        }
        let calls = &mut self.calls;
        let numbered = self.call.replace_all(&text, |found: &Captures<'_>| {
            let next = calls.len() + 1;
            format!("call-{}", calls.entry(found[0].to_owned()).or_insert(next))
        });
        shortened(&numbered)
    }

    /// Normalises every text in `value`, except keys.
    pub fn value(&mut self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.value(item)),
            Value::Object(fields) => fields.values_mut().for_each(|field| self.value(field)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    #[track_caller]
    pub fn stream(&mut self, lines: Vec<Value>) -> Vec<Value> {
        let mut kept: Vec<Value> = Vec::new();
        for (index, mut line) in lines.into_iter().enumerate() {
            assert_eq!(line["seq"], index + 1, "lines are numbered without a gap: {line}");
            let fields = line.as_object_mut().expect("a line is an object");
            assert!(fields.shift_remove("time").is_some(), "a line has its time: {fields:?}");
            fields.shift_remove("seq");
            match kept.last_mut().filter(|before| joins(before, &line)) {
                Some(before) => {
                    let piece = |line: &Value| line["text"].as_str().unwrap_or_default().to_owned();
                    // Output arrives in whole lines, without the last newline.
                    let between = if line["type"] == "tool_output" { "\n" } else { "" };
                    before["text"] = format!("{}{between}{}", piece(before), piece(&line)).into();
                }
                None => kept.push(line),
            }
        }
        // Normalise after joining, because a replaced text may span two pieces.
        kept.iter_mut().for_each(|line| self.value(line));
        kept
    }
}

fn joins(before: &Value, line: &Value) -> bool {
    let pieces = ["text_delta", "reasoning_delta", "tool_output"];
    let kind = line["type"].as_str().unwrap_or_default();
    pieces.contains(&kind) && before["type"] == kind && before["call"] == line["call"]
}

fn shortened(text: &str) -> String {
    let count = text.chars().count();
    if count <= MOST {
        return text.to_owned();
    }
    let hash: String = Sha256::digest(text)
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let begin: String = text.chars().take(SHOWN).collect();
    let end: String = text.chars().skip(count - SHOWN).collect();
    format!("{begin}… [{count} characters, {hash}] …{end}")
}
