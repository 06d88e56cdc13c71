//! Reads custom tools. A tool is a description `NAME.json` and an executable `NAME`, which may have an extension
//! (`NAME.py`).

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{OwnTool, schema};
use benchdog_base::document::{self, Form, Node};
use benchdog_base::id::BlobId;
use benchdog_base::problem::{Location, Problem};
use benchdog_base::spelling::nearest;

const FORM: Form = Form {
    name: "tool",
    most_kb: 64,
};

const FIELDS: [&str; 3] = ["description", "parameters", "timeout_ms"];

const DEFAULT_MS: u64 = 60_000;
pub(super) const MOST_MS: u64 = 600_000;

/// Maximum characters of a description, limited because every request contains the descriptions.
const LONGEST: usize = 2_000;

/// Reads the tools of a folder. `is_taken` returns whether another tool has the name.
pub fn of_folder(folder: &Path, is_taken: impl Fn(&str) -> bool) -> (Vec<OwnTool>, Vec<Problem>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return (Vec::new(), Vec::new());
    };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let (mut tools, mut broken) = (Vec::new(), Vec::new());
    for path in paths.iter().filter(|path| is_description(path)) {
        let bytes = document::read(path, FORM).and_then(|bytes| bytes.ok_or_else(|| problem(path, "it is gone")));
        let read = bytes.and_then(|bytes| {
            let others = paths.iter().map(PathBuf::as_path);
            tool(path, bytes, others, &is_taken)
        });
        match read {
            Ok(tool) => tools.push(tool),
            Err(wrong) => broken.push(wrong),
        }
    }
    (tools, broken)
}

/// Reads the tools of a project. `names` lists all files of the project, and `bytes` returns their contents.
pub fn of_project<'b>(
    root: &Path,
    folder: &str,
    names: &[String],
    bytes: impl Fn(&str) -> Option<&'b [u8]>,
    is_taken: impl Fn(&str) -> bool,
) -> (Vec<OwnTool>, Vec<Problem>) {
    let inside: Vec<PathBuf> = names
        .iter()
        .filter(|name| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
        .map(|name| root.join(name))
        .collect();
    let (mut tools, mut broken) = (Vec::new(), Vec::new());
    for path in inside.iter().filter(|path| is_description(path)) {
        let name = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
        let text = bytes(&name(path)).map(<[u8]>::to_vec);
        let read = text.ok_or_else(|| problem(path, "it is too long")).and_then(|text| {
            let others = inside.iter().map(PathBuf::as_path);
            tool(path, text, others, &is_taken)
        });
        match read {
            Ok(tool) => {
                let hash = bytes(&name(&tool.program)).map(BlobId::of);
                tools.push(OwnTool {
                    pinned: Some(hash),
                    ..tool
                });
            }
            Err(wrong) => broken.push(wrong),
        }
    }
    (tools, broken)
}

/// Returns a problem for each executable without a description, which is therefore no tool.
pub fn undescribed(folder: &Path) -> Vec<Problem> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    let is_program = |path: &&PathBuf| {
        let about = std::fs::metadata(path);
        let is_hidden = path
            .file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with('.'));
        let is_json = path.extension().is_some_and(|ending| ending == "json");
        about.is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0) && !is_hidden && !is_json
    };
    let is_described = |path: &Path| paths.contains(&path.with_extension("json"));
    let lacking = paths.iter().filter(is_program).filter(|path| !is_described(path));
    let told = |path: &PathBuf| {
        let beside = path.with_extension("json");
        let beside = beside.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let text = format!("this program is not a tool, because `{beside}` is missing");
        problem(path, text).with(Some("create that file, or remove the execute permission".to_owned()))
    };
    lacking.map(told).collect()
}

fn is_description(path: &Path) -> bool {
    let is_hidden = path
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with('.'));
    path.extension().is_some_and(|ending| ending == "json") && !is_hidden
}

fn problem(path: &Path, text: impl Into<String>) -> Problem {
    Problem::new(Location::file(&path.display().to_string()), text)
}

fn tool<'p>(
    path: &Path,
    bytes: Vec<u8>,
    others: impl Iterator<Item = &'p Path>,
    is_taken: impl Fn(&str) -> bool,
) -> Result<OwnTool, Problem> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if is_taken(&name) {
        return Err(problem(path, format!("`{name}` is a built-in tool; rename the file")));
    }
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.is_empty() || name.len() > 48 || !name.chars().all(plain) || name.contains("__") {
        let text = "the file name of a tool may have lower-case letters, digits and single `_`, at most 48";
        return Err(problem(path, text));
    }
    let text = document::text(&path.display().to_string(), bytes)?;
    let root = document::parse(&path.display().to_string(), &text)
        .map_err(|problems| {
            problems
                .into_iter()
                .next()
                .unwrap_or_else(|| problem(path, "it is not JSON"))
        })?
        .ok_or_else(|| problem(path, "it is empty"))?;
    let described = described(&root)?;
    Ok(OwnTool {
        name,
        program: program(path, others)?,
        ..described
    })
}

fn described(root: &Node) -> Result<OwnTool, Problem> {
    let Value::Object(fields) = root.to_value() else {
        let text = format!("the description of a tool must be an object, not {}", root.kind());
        return Err(Problem::new(root.place.clone(), text));
    };
    let place = |field: &str| {
        root.property(field)
            .map_or(root.place.clone(), |property| property.place.clone())
    };
    let wrong = |field: &str, text: String| Problem::new(place(field), text);
    if let Some(field) = fields.keys().find(|field| !FIELDS.contains(&field.as_str())) {
        let near = nearest(field, FIELDS).map(|near| format!("did you mean `{near}`?"));
        let text = format!("a tool has no `{field}`; it has {}", FIELDS.join(", "));
        return Err(wrong(field, text).with(near));
    }
    let description = fields
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
        .trim();
    if description.is_empty() || description.chars().count() > LONGEST {
        let text = format!("`description` must be a text of up to {LONGEST} characters");
        return Err(wrong("description", text));
    }
    let parameters = fields.get("parameters").cloned();
    let parameters = parameters.unwrap_or_else(|| serde_json::json!({"type": "object", "properties": {}}));
    if let Some(text) = schema::misread(&parameters) {
        return Err(wrong("parameters", text));
    }
    let timeout_ms = match fields.get("timeout_ms") {
        None => DEFAULT_MS,
        Some(value) => value.as_u64().filter(|ms| (1..=MOST_MS).contains(ms)).ok_or_else(|| {
            wrong(
                "timeout_ms",
                format!("`timeout_ms` must be a whole number from 1 to {MOST_MS}"),
            )
        })?,
    };
    Ok(OwnTool {
        name: String::new(),
        description: description.to_owned(),
        parameters,
        timeout_ms,
        program: PathBuf::new(),
        pinned: None,
    })
}

fn program<'p>(path: &Path, others: impl Iterator<Item = &'p Path>) -> Result<PathBuf, Problem> {
    let same =
        |other: &&Path| other.file_stem() == path.file_stem() && other.parent() == path.parent() && *other != path;
    let runs = |other: &&Path| {
        std::fs::metadata(other).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    };
    let found: Vec<&Path> = others.filter(same).filter(runs).collect();
    match found.as_slice() {
        [one] => Ok(one.to_path_buf()),
        [] => {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            Err(problem(
                path,
                format!("there is no executable `{stem}` next to it (`chmod +x`?)"),
            ))
        }
        [_, ..] => Err(problem(path, "several executables next to it have its name")),
    }
}
