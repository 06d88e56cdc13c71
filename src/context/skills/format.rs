//! One `SKILL.md`: front matter in YAML between lines of `---`, then instructions. Read leniently: what is missing is made up from the
//! folder's name and the first paragraph.

use serde::Deserialize;

/// The longest description that is told, in characters; the published format allows as much.
const LONGEST: usize = 1_024;
const LONGEST_NAME: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parsed<'t> {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) invocable: bool,
    pub(super) body: &'t str,
}

/// What is wrong with it, and where: a line from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) line: u64,
    pub(super) why: String,
}

/// What of the front matter is acted on. Everything else may be there.
#[derive(Debug, Default, Deserialize)]
struct Front {
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    description: Option<String>,
    #[serde(default, rename = "user-invocable", alias = "user_invocable")]
    invocable: Option<bool>,
}

/// `called`: the name of its folder, or of its file without the ending.
pub(super) fn parse<'t>(text: &'t str, called: &str) -> Result<Parsed<'t>, Wrong> {
    let whole = text.trim_start_matches('\u{feff}');
    let text = whole.trim_start_matches(['\n', '\r']);
    let skipped = whole.len() - text.len();
    let skipped = whole.get(..skipped).unwrap_or_default().matches('\n').count() as u64;
    let below = |wrong: Wrong| Wrong {
        line: wrong.line + skipped,
        ..wrong
    };
    let (front, body) = match split(text).map_err(below)? {
        Some((front, body)) => (read(front).map_err(below)?, body),
        None => (Front::default(), text),
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
        return Err(Wrong { line: 1, why });
    };
    Ok(Parsed {
        name,
        description: description.chars().take(LONGEST).collect(),
        invocable: front.invocable.unwrap_or(true),
        body: body.trim(),
    })
}

/// A name as it is used everywhere: lower case, digits, single hyphens.
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

/// The front matter and what follows it; `None` where there is none.
fn split(text: &str) -> Result<Option<(&str, &str)>, Wrong> {
    let is_mark = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().unwrap_or_default();
    if !is_mark(first) {
        return Ok(None);
    }
    let mut end = first.len();
    for line in lines {
        if is_mark(line) {
            let front = text.get(first.len()..end).unwrap_or_default();
            return Ok(Some((front, text.get(end + line.len()..).unwrap_or_default())));
        }
        end += line.len();
    }
    let why = "the front matter has no closing `---`".to_owned();
    Err(Wrong { line: 1, why })
}

fn read(front: &str) -> Result<Front, Wrong> {
    match serde_saphyr::from_str::<Option<Front>>(front) {
        Ok(read) => Ok(read.unwrap_or_default()),
        // People write sentences with a colon and no quotes.
        Err(error) => serde_saphyr::from_str(&quoted(front)).map_err(|_| {
            // The first line of the file is the mark.
            let line = error.location().map_or(1, |location| location.line()) + 1;
            Wrong {
                line,
                why: one_line(&error.to_string()),
            }
        }),
    }
}

/// The same with the texts of `name` and `description` in quotes, with the indented lines that go on with them.
fn quoted(front: &str) -> String {
    let mut out = String::new();
    let mut lines = front.lines().peekable();
    while let Some(line) = lines.next() {
        let Some((key, text)) = plain(line) else {
            out.push_str(line);
            out.push('\n');
            continue;
        };
        let mut text = text.to_owned();
        // A name is one line.
        while key == "description"
            && let Some(more) = lines.next_if(|line| line.starts_with([' ', '\t']))
        {
            text.push(' ');
            text.push_str(more.trim());
        }
        // JSON's texts are YAML's.
        let text = serde_json::Value::from(text);
        out.push_str(&format!("{key}: {text}\n"));
    }
    out
}

/// A key whose text stands on its line without quotes, and that text without a comment.
fn plain(line: &str) -> Option<(&str, &str)> {
    let (key, text) = line.split_once(':')?;
    let text = text.split_once(" #").map_or(text, |(text, _)| text).trim();
    let is_plain = !text.is_empty() && !text.starts_with(['"', '\'', '|', '>', '[', '{']);
    (matches!(key, "name" | "description") && is_plain).then_some((key, text))
}

fn one_line(text: &str) -> String {
    let first = text
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty())
        .unwrap_or("it is no YAML");
    let first = first.trim_start_matches("error: ");
    // Its line counts within the front matter; ours is said beside it.
    let said = match first.split_once(": ") {
        Some((place, said)) if place.starts_with("line ") => said,
        _ => first,
    };
    said.trim_end_matches('.').to_owned()
}

/// The first lines of plain text, without headings.
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
