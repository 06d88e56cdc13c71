//! Parses a file in a folder `commands/`: front matter with known fields, and the command's text.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{OwnCommand, Written, expand};
use crate::skills::{is_flat, text_of};
use benchdog_base::document::{Data, Node, Property};
use benchdog_base::front_matter::{self, FrontMatterError, Parts};
use benchdog_base::spelling::nearest;
use benchdog_domain::skill::{BrokenSkill, OfferKind, SkillSource};

const FIELDS: [&str; 4] = ["description", "argument-hint", "agent", "model"];

const SENTENCES: [&str; 2] = ["description", "argument-hint"];

const LONGEST_NAME: usize = 64;

const MOST_LINES: usize = 10;

/// Maximum characters of a field in lists.
const LONGEST: usize = 200;

#[derive(Debug)]
pub struct Found {
    path: PathBuf,
    source: SkillSource,
    lies_deeper: bool,
    held: Option<Result<String, &'static str>>,
}

impl Found {
    pub(crate) fn of_person(path: PathBuf, source: SkillSource) -> Self {
        Self {
            lies_deeper: path.is_dir(),
            path,
            source,
            held: None,
        }
    }

    pub fn in_folder(folder: &Path, source: SkillSource) -> Vec<Self> {
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Vec::new();
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.sort();
        let of_person = paths.into_iter().filter(|path| is_flat(path) || path.is_dir());
        of_person.map(|path| Self::of_person(path, source)).collect()
    }

    /// Parses the command files in a project's folder. `names` contains all files of the folder, and `bytes` returns
    /// the content of a file.
    pub fn held<'b>(
        root: &Path,
        folder: &str,
        names: &[String],
        bytes: impl Fn(&str) -> Option<&'b [u8]>,
    ) -> Vec<Self> {
        let prefix = format!("{folder}/");
        let inside = names
            .iter()
            .filter_map(|name| Some((name, name.strip_prefix(&prefix)?)));
        let found = inside
            .filter(|(name, _)| is_flat(Path::new(name)))
            .map(|(name, rest)| Self {
                path: root.join(name),
                lies_deeper: rest.contains('/'),
                source: SkillSource::Project,
                held: Some(
                    bytes(name)
                        .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
                        .ok_or("it is too long"),
                ),
            });
        found.collect()
    }

    pub(super) fn read(self, is_taken: impl Fn(&str) -> bool) -> Result<OwnCommand, BrokenSkill> {
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let broken = |FrontMatterError { line, why }: FrontMatterError| BrokenSkill {
            kind: OfferKind::Command,
            name: name.clone(),
            source: self.source,
            file: self.path.display().to_string(),
            line,
            why,
        };
        let text = match &self.held {
            _ if self.lies_deeper => Err("commands lie in their folder itself, each in a file".to_owned()),
            Some(Ok(text)) => Ok(text.clone()),
            Some(Err(why)) => Err((*why).to_owned()),
            None => text_of(&self.path).map_err(|error| error.to_string()),
        };
        let text = text.map_err(|why| broken(FrontMatterError { line: 1, why }))?;
        named(&name, is_taken).map_err(|why| broken(FrontMatterError { line: 1, why }))?;
        let written = written(&text).map_err(broken)?;
        Ok(OwnCommand {
            name,
            path: self.path,
            source: self.source,
            written,
        })
    }
}

fn named(name: &str, is_taken: impl Fn(&str) -> bool) -> Result<(), String> {
    if is_taken(name) {
        return Err(format!("`/{name}` is a built-in command; rename the file"));
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let begins = name.starts_with(|c: char| c.is_ascii_lowercase());
    if begins && name.chars().all(plain) && name.len() <= LONGEST_NAME {
        return Ok(());
    }
    Err(format!(
        "the file name of a command may have lower-case letters, digits and hyphens, at most {LONGEST_NAME}"
    ))
}

fn written(text: &str) -> Result<Written, FrontMatterError> {
    let Parts { front, body } = front_matter::parts(text)?;
    let mut written = Written::default();
    if let Some((front, first)) = front {
        let front = with_quoted_hint(front);
        match front_matter::tree("", &front, first, &SENTENCES)?.data {
            Data::Object(fields) => fields.iter().try_for_each(|field| written.take(field))?,
            Data::Scalar(Value::Null) => {}
            Data::Scalar(_) | Data::List(_) => {
                let why = "the front matter holds keys with values".to_owned();
                return Err(FrontMatterError { line: first, why });
            }
        }
    }
    let body = body.trim();
    let line_of_body = text.find(body).and_then(|start| text.get(..start));
    let line = line_of_body.unwrap_or_default().matches('\n').count() as u64 + 1;
    if body.is_empty() {
        let why = "there is no text to send".to_owned();
        return Err(FrontMatterError { line, why });
    }
    if expand::lines(body) > MOST_LINES {
        let why = format!("it runs more than {MOST_LINES} command lines");
        return Err(FrontMatterError { line, why });
    }
    if written.description.is_empty() {
        let first = body.lines().next().unwrap_or_default();
        written.description = short(first.trim_start_matches(['#', ' ']));
    }
    written.template = body.into();
    Ok(written)
}

impl Written {
    fn take(&mut self, field: &Property) -> Result<(), FrontMatterError> {
        let line = field.place.line as u64;
        let wrong = |why: String| FrontMatterError { line, why };
        let text = || sentence(&field.value, &field.name).map_err(wrong);
        match field.name.as_str() {
            "description" => self.description = short(&text()?),
            "argument-hint" | "argument_hint" => self.hint = short(&text()?),
            "agent" => self.agent = Some(text()?),
            "model" => self.model = Some(text()?),
            other => {
                let near = nearest(other, FIELDS);
                let meant = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                let fields = FIELDS.join(", ");
                return Err(wrong(format!(
                    "there is no field `{other}`{meant} (there are {fields})"
                )));
            }
        }
        Ok(())
    }
}

fn sentence(value: &Node, field: &str) -> Result<String, String> {
    match &value.data {
        Data::Scalar(Value::String(text)) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
        _ => Err(format!("`{field}` is a text, not {}", value.kind())),
    }
}

/// Adds quotes to a hint such as `argument-hint: [file] [lines]`, which is invalid YAML without quotes.
fn with_quoted_hint(front: &str) -> String {
    let quoted = |line: &str| {
        let (key, hint) = line.split_once(':')?;
        let hint = hint.trim();
        let is_hint = matches!(key, "argument-hint" | "argument_hint") && hint.starts_with(['[', '<']);
        is_hint.then(|| format!("{key}: {}", Value::from(hint)))
    };
    let lines = front
        .lines()
        .map(|line| quoted(line).unwrap_or_else(|| line.to_owned()) + "\n");
    lines.collect()
}

fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").chars().take(LONGEST).collect()
}
