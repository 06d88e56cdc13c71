//! The prompt file named by `system_prompt`, in the folder `prompts` next to the configuration.

use std::path::Path;

use serde_json::Value;

use super::settings::SystemPrompt;
use benchdog_base::document::{self, Data, Node};
use benchdog_base::problem::Problem;
use benchdog_base::spelling::nearest;

pub(super) const KEY: &str = "system_prompt";

/// Valid file extensions. A name without an extension gets the first one.
const ENDINGS: [&str; 2] = [".md", ".txt"];

/// Maximum length of the prompt in characters. Every request contains the prompt.
const LONGEST: usize = 32_000;

pub(super) struct Shelf<'a> {
    pub(super) folder: &'a Path,
    pub(super) names: Vec<String>,
}

impl<'a> Shelf<'a> {
    pub(super) fn of(folder: &'a Path) -> Self {
        let entries = std::fs::read_dir(folder).map(|entries| entries.flatten().collect::<Vec<_>>());
        let names = entries.unwrap_or_default().into_iter();
        let names = names.map(|entry| entry.file_name().to_string_lossy().into_owned());
        Self {
            folder,
            names: names.collect(),
        }
    }

    fn offered(&self) -> Vec<&str> {
        let mut offered: Vec<&str> = (self.names.iter())
            .filter(|name| ENDINGS.iter().any(|ending| name.ends_with(ending)))
            .map(|name| name.strip_suffix(ENDINGS[0]).unwrap_or(name))
            .collect();
        offered.sort_unstable();
        offered
    }
}

pub(super) fn of(
    root: &Node,
    shelf: &Shelf<'_>,
    read: impl Fn(&str) -> Result<Option<Vec<u8>>, Problem>,
) -> Result<Option<SystemPrompt>, Problem> {
    let Some(property) = root.property(KEY) else {
        return Ok(None);
    };
    let Data::Scalar(Value::String(name)) = &property.value.data else {
        return Ok(None);
    };
    let wrong =
        |text: String, instead: Option<String>| Err(Problem::new(property.value.place.clone(), text).with(instead));
    if name.is_empty() || name.starts_with('.') || name.contains(['/', '\\', '\n']) {
        return wrong(
            format!(
                "`{KEY}` must be the name of a file in `{}`, without a path",
                shelf.folder.display()
            ),
            Some(format!(
                "write for example `\"{KEY}\": \"terse\"` for `prompts/terse.md`"
            )),
        );
    }
    let file = if ENDINGS.iter().any(|ending| name.ends_with(ending)) {
        name.clone()
    } else {
        format!("{name}{}", ENDINGS[0])
    };
    let Some(bytes) = read(&file)? else {
        let offered = shelf.offered();
        let there = format!("there is `{}`", offered.join("`, `"));
        let instead = match nearest(name, offered.iter().copied()) {
            Some(near) => format!("did you mean `{near}`? {there}"),
            None if offered.is_empty() => format!("write `{file}` there, or remove `{KEY}`"),
            None => there,
        };
        let text = format!(
            "`{KEY}` names `{name}`, and there is no `{file}` in `{}`",
            shelf.folder.display()
        );
        return wrong(text, Some(instead));
    };
    let path = shelf.folder.join(&file).display().to_string();
    let text = document::text(&path, bytes)?;
    let text = text.trim();
    let letters = text.chars().count();
    if text.is_empty() {
        return wrong(format!("`{path}` says nothing"), Some(format!("remove `{KEY}`")));
    }
    if letters > LONGEST {
        let text = format!("`{path}` has {letters} letters, and each request would begin with them");
        return wrong(text, Some(format!("write {LONGEST} at the most")));
    }
    if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
        let text = format!("`{path}` holds control characters");
        return wrong(text, Some("write plain text".to_owned()));
    }
    Ok(Some(SystemPrompt {
        name: file.strip_suffix(ENDINGS[0]).unwrap_or(&file).to_owned(),
        text: text.replace("\r\n", "\n"),
    }))
}
