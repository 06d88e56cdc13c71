//! Parses a `SKILL.md`: YAML front matter and instructions. The folder name and the first paragraph replace missing
//! fields.

use serde::Deserialize;

use benchdog_base::front_matter::{self, FrontMatterError, Parts};

/// Maximum characters of a field, as in the published format of skills.
const LONGEST: usize = 1_024;
const LONGEST_NAME: usize = 64;

const SENTENCES: [&str; 2] = ["name", "description"];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parsed<'t> {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) invocable: bool,
    pub(super) body: &'t str,
}

#[derive(Debug, Default, Deserialize)]
struct Front {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default, rename = "user-invocable", alias = "user_invocable")]
    invocable: Option<bool>,
}

/// Parses a skill file. `called` is the name of its folder, or of the file without extension.
pub(super) fn parse<'t>(text: &'t str, called: &str) -> Result<Parsed<'t>, FrontMatterError> {
    let Parts { front, body } = front_matter::parts(text)?;
    let front = match front {
        Some((front, first)) => front_matter::read(front, &SENTENCES).map_err(|wrong| FrontMatterError {
            line: wrong.line + first - 1,
            ..wrong
        })?,
        None => Front::default(),
    };
    let name = front.name.as_deref().map(normal).filter(|name| !name.is_empty());
    let description = front.description.as_deref().map(in_one_line);
    let description = description
        .filter(|text| !text.is_empty())
        .or_else(|| first_paragraph(body));
    let (Some(name), Some(description)) = (
        name.or_else(|| Some(normal(called)).filter(|name| !name.is_empty())),
        description,
    ) else {
        let why = "neither its front matter nor its text says what it is for".to_owned();
        return Err(FrontMatterError { line: 1, why });
    };
    Ok(Parsed {
        name,
        description: description.chars().take(LONGEST).collect(),
        invocable: front.invocable.unwrap_or(true),
        body: body.trim(),
    })
}

/// Converts a name to lower-case letters, digits and single hyphens.
pub(super) fn normal(name: &str) -> String {
    let mut out = String::new();
    for c in name.trim().chars().take(LONGEST_NAME) {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_end_matches('-').to_owned()
}

fn first_paragraph(body: &str) -> Option<String> {
    let mut lines = body
        .lines()
        .map(str::trim)
        .skip_while(|line| line.is_empty() || line.starts_with('#') || line.starts_with("```"))
        .take_while(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next()?.to_owned();
    Some(in_one_line(&lines.fold(first, |all, line| format!("{all} {line}"))))
}

fn in_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
