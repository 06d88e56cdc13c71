//! Converts Markdown files with front matter to agents. A prompt that names a file is replaced by its content.

use std::path::{Path, PathBuf};

use serde_json::Value;

use benchdog_base::document::{self, Data, Form, Node, Property};
use benchdog_base::front_matter::{self, FrontMatterError, Parts};
use benchdog_base::problem::{Location, Problem};

pub(super) const FORM: Form = Form {
    name: "agent",
    most_kb: 64,
};

const SENTENCES: [&str; 2] = ["name", "description"];

const PROMPTS: [&str; 2] = [".md", ".txt"];

pub(super) fn is_agent(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".md") && !name.starts_with('.') && !name.eq_ignore_ascii_case("readme.md")
}

pub(super) fn in_folder(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    let paths = entries.unwrap_or_default().into_iter().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = paths.filter(|path| is_agent(path)).collect();
    paths.sort();
    paths
}

pub(super) fn document(path: &Path, text: &str) -> Result<Node, Problem> {
    let file = path.display().to_string();
    let at = |line: u64| Location {
        file: file.clone(),
        line: usize::try_from(line).unwrap_or(usize::MAX),
        column: 1,
    };
    let wrong = |FrontMatterError { line, why }: FrontMatterError| Problem::new(at(line), why);
    let Parts { front, body } = front_matter::parts(text).map_err(wrong)?;
    let mut fields = match front {
        Some((front, first)) => match front_matter::tree(&file, front, first, &SENTENCES).map_err(wrong)?.data {
            Data::Object(properties) => properties,
            Data::Scalar(Value::Null) => Vec::new(),
            Data::Scalar(_) | Data::List(_) => {
                return Err(Problem::new(at(first), "the front matter holds keys with values"));
            }
        },
        None => Vec::new(),
    };
    let called = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let name = match fields.iter().position(|field| field.name == "name") {
        Some(given) => match fields.remove(given).value.to_value() {
            Value::String(name) => name,
            _ => called,
        },
        None => called,
    };
    fields.iter_mut().for_each(as_written_elsewhere);
    let body = body.trim();
    if !body.is_empty() {
        if let Some(prompt) = fields.iter().find(|field| field.name == "prompt") {
            let text = "the text below the front matter is the prompt; it cannot name another";
            return Err(Problem::new(prompt.place.clone(), text));
        }
        let before = text.find(body).and_then(|start| text.get(..start)).unwrap_or_default();
        let place = at(before.matches('\n').count() as u64 + 1);
        // The line break distinguishes the text from a file name.
        fields.push(property("prompt", place.clone(), scalar(place, format!("{body}\n"))));
    }
    let object = |properties| Node {
        place: at(1),
        data: Data::Object(properties),
    };
    let agent = property(&name, at(1), object(fields));
    Ok(object(vec![property("agent", at(1), object(vec![agent]))]))
}

/// Converts other programs' fields: `tools` as one line or as an object of switches, and the model `inherit`.
fn as_written_elsewhere(field: &mut Property) {
    let place = &field.value.place;
    let list = |names: Vec<String>| Data::List(names.into_iter().map(|name| scalar(place.clone(), name)).collect());
    let data = match (field.name.as_str(), &field.value.data) {
        ("tools", Data::Scalar(Value::String(names))) => {
            let names = names.split([',', ' ']).map(str::trim).filter(|name| !name.is_empty());
            list(names.map(str::to_owned).collect())
        }
        ("tools", Data::Object(switches)) => {
            let name = |switch: &Property| match switch.value.to_value() {
                Value::Bool(true) => Some(format!("+{}", switch.name)),
                Value::Bool(false) => Some(format!("-{}", switch.name)),
                _ => None,
            };
            match switches.iter().map(name).collect::<Option<Vec<_>>>() {
                Some(names) => list(names),
                None => return,
            }
        }
        ("model", Data::Scalar(Value::String(model))) if model == "inherit" => Data::Scalar(Value::Null),
        _ => return,
    };
    field.value.data = data;
}

fn property(name: &str, place: Location, value: Node) -> Property {
    Property {
        name: name.to_owned(),
        place,
        value,
    }
}

fn scalar(place: Location, text: String) -> Node {
    Node {
        place,
        data: Data::Scalar(Value::String(text)),
    }
}

pub(super) fn with_prompts(root: &mut Node, read: impl Fn(&str) -> Result<Option<Vec<u8>>, Problem>) -> Vec<Problem> {
    let mut problems = Vec::new();
    let Data::Object(properties) = &mut root.data else {
        return problems;
    };
    let agents = properties.iter_mut().filter(|property| property.name == "agent");
    for agent in agents.filter_map(|agents| object(&mut agents.value)).flatten() {
        let fields = object(&mut agent.value).into_iter().flatten();
        for prompt in fields.filter(|field| field.name == "prompt") {
            problems.extend(text_for_name(prompt, &read, |name| {
                format!("there is no file `{name}` with a prompt here")
            }));
        }
    }
    problems
}

/// Replaces a file name by the file's content. A value is a file name if it is one line with a known extension.
pub(super) fn text_for_name(
    field: &mut Property,
    read: impl Fn(&str) -> Result<Option<Vec<u8>>, Problem>,
    missing: impl Fn(&str) -> String,
) -> Option<Problem> {
    let Data::Scalar(Value::String(name)) = &field.value.data else {
        return None;
    };
    if name.contains('\n') || !PROMPTS.iter().any(|ending| name.ends_with(ending)) {
        return None;
    }
    let text = match read(name) {
        Ok(Some(bytes)) => document::text(name, bytes),
        Ok(None) => Err(Problem::new(field.value.place.clone(), missing(name))),
        Err(problem) => Err(problem),
    };
    match text {
        Ok(text) => field.value.data = Data::Scalar(Value::String(text)),
        Err(problem) => return Some(problem),
    }
    None
}

pub(super) fn object(node: &mut Node) -> Option<&mut Vec<Property>> {
    match &mut node.data {
        Data::Object(properties) => Some(properties),
        Data::Scalar(_) | Data::List(_) => None,
    }
}
