//! Task folders in the format of Harbor: `task.toml`, `instruction.md`, `environment/`, `tests/test.sh` and
//! `solution/`. This module only reads the folders. It runs and copies nothing.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;

use globset::GlobMatcher;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::trouble::TaskError;

/// The maximum size of `task.toml` and `instruction.md` in bytes.
const LONGEST_FILE: u64 = 1 << 20;
/// Maximum length in bytes of a task's name, which is part of file names.
const LONGEST_NAME: usize = 100;
/// The longest time limit of an agent or a check.
const LONGEST_TIME: Duration = Duration::from_secs(24 * 60 * 60);
/// The default time limit in seconds, as in Harbor.
const USUAL_TIME: f64 = 600.0;

/// Files of `environment/` that define a container.
const CONTAINER_FILES: [&str; 4] = [
    "Dockerfile",
    "docker-compose.yaml",
    "docker-compose.yml",
    "compose.yaml",
];

#[derive(Debug, Clone)]
pub struct Task {
    /// The name of the task folder.
    pub name: String,
    pub folder: PathBuf,
    pub instruction: String,
    pub agent_limit: Duration,
    pub check_limit: Duration,
    pub variables: Vec<(String, String)>,
    /// Required programs. If one is missing, the task is skipped.
    pub requires: Vec<String>,
    pub environment: EnvironmentKind,
    /// Whether a file of the task contains an injected instruction.
    pub has_injection: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnvironmentKind {
    Folder,
    /// Not supported: such tasks are skipped.
    Container,
}

/// Returns the tasks of a folder, sorted by name. The folder is a task itself or contains tasks. For a malformed task,
/// the list contains an error.
pub fn find(folder: &Path, wanted: Option<&GlobMatcher>) -> std::io::Result<Vec<Result<Task, TaskError>>> {
    let folder = fs::canonicalize(folder)?;
    let is_wanted = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default();
        wanted.is_none_or(|wanted| wanted.is_match(name))
    };
    if is_task(&folder) {
        let found = [folder];
        return Ok(found.iter().filter(is_wanted).map(|path| Task::read(path)).collect());
    }
    let mut found: Vec<PathBuf> = fs::read_dir(&folder)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.is_dir() && is_task(path))
        .collect();
    found.sort();
    Ok(found.iter().filter(is_wanted).map(|path| Task::read(path)).collect())
}

fn is_task(folder: &Path) -> bool {
    ["task.toml", "instruction.md"]
        .iter()
        .any(|file| fs::symlink_metadata(folder.join(file)).is_ok())
}

impl Task {
    fn read(folder: &Path) -> Result<Self, TaskError> {
        let wrong = |flaw| TaskError::new(folder, flaw);
        let name = folder
            .file_name()
            .and_then(|name| name.to_str())
            .filter(|name| is_name(name));
        let name = name.ok_or_else(|| wrong(Flaw::Name))?;
        is_folder(folder).map_err(wrong)?;
        let text = read(&folder.join("task.toml")).map_err(wrong)?;
        let config = Config::parse(&text).map_err(wrong)?;
        if config.value("steps", None).is_some() {
            return Err(wrong(Flaw::Steps));
        }
        let instruction = read(&folder.join("instruction.md")).map_err(wrong)?;
        if instruction.trim().is_empty() {
            return Err(wrong(Flaw::Empty("instruction.md")));
        }
        let tests = folder.join("tests");
        if fs::symlink_metadata(&tests).is_ok() {
            is_folder(&tests).map_err(wrong)?;
        }
        is_file(&folder.join("tests/test.sh")).map_err(wrong)?;
        let environment = folder.join("environment");
        if !fs::symlink_metadata(&environment).is_ok_and(|found| found.is_dir()) {
            return Err(wrong(Flaw::NoEnvironment));
        }
        let is_container = config.value("environment", Some("docker_image")).is_some()
            || CONTAINER_FILES.iter().any(|file| environment.join(file).exists());
        Ok(Self {
            name: name.to_owned(),
            folder: folder.to_path_buf(),
            instruction,
            agent_limit: config.limit("agent").map_err(wrong)?,
            check_limit: config.limit("verifier").map_err(wrong)?,
            variables: config.variables().map_err(wrong)?,
            requires: config.requires().map_err(wrong)?,
            environment: match is_container {
                true => EnvironmentKind::Container,
                false => EnvironmentKind::Folder,
            },
            has_injection: is_file(&folder.join("tests").join(INJECTED)).is_ok(),
        })
    }
}

/// The script of a task with an injected instruction. It exits with 0 if the instruction was followed.
pub(crate) const INJECTED: &str = "injected.sh";

/// A reason why a folder is not a task that can be run.
#[derive(Debug, thiserror::Error)]
pub enum Flaw {
    #[error("rename the folder: a name has letters, digits, `.`, `_` and `-`, and at most {LONGEST_NAME} of them")]
    Name,
    #[error("`{0}` is missing")]
    Missing(String),
    #[error("`{0}` is not a plain file")]
    NotPlain(String),
    #[error("`{0}` is not a plain folder")]
    NotFolder(String),
    #[error("`{0}` has more than {LONGEST_FILE} bytes")]
    Long(String),
    #[error("`{0}` is not UTF-8 text")]
    NotText(String),
    #[error("`{file}` cannot be read: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error("`task.toml`, line {line}: {why}")]
    Toml { line: usize, why: String },
    #[error("`{0}` is not {1}")]
    Value(&'static str, &'static str),
    #[error("`{0}` is empty")]
    Empty(&'static str),
    #[error("`environment/` is missing")]
    NoEnvironment,
    #[error("tasks with `steps` are not supported")]
    Steps,
    #[error("`verifier.env` refers to a variable of this machine, which a check does not get")]
    Variable,
    #[error("`{0}.timeout_sec` is not a number of seconds from 1 to 86400")]
    Limit(&'static str),
}

fn is_name(name: &str) -> bool {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "._-".contains(letter);
    name.len() <= LONGEST_NAME && !name.starts_with(['.', '-']) && name.chars().all(is_part)
}

/// The content of `task.toml`. Unknown keys are no error, because Harbor has more keys than Benchdog uses.
struct Config<'t>(Spanned<DeTable<'t>>);

impl<'t> Config<'t> {
    fn parse(text: &'t str) -> Result<Self, Flaw> {
        DeTable::parse(text).map(Self).map_err(|error| {
            let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            Flaw::Toml {
                line,
                why: error.message().to_owned(),
            }
        })
    }

    /// Returns the value of `name`. With `key`, returns the value of this key in the section `name`.
    fn value(&self, name: &str, key: Option<&str>) -> Option<&DeValue<'t>> {
        let value = self.0.get_ref().get(name)?.get_ref();
        match (key, value) {
            (None, value) => Some(value),
            (Some(key), DeValue::Table(section)) => Some(section.get(key)?.get_ref()),
            (Some(_), _) => None,
        }
    }

    fn limit(&self, section: &'static str) -> Result<Duration, Flaw> {
        let seconds = match self.value(section, Some("timeout_sec")) {
            None => Some(USUAL_TIME),
            Some(DeValue::Integer(number)) => number.as_str().parse().ok(),
            Some(DeValue::Float(number)) => number.as_str().parse().ok(),
            Some(_) => None,
        };
        let limit = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        let is_sound = |limit: &Duration| (Duration::from_secs(1)..=LONGEST_TIME).contains(limit);
        limit.filter(is_sound).ok_or(Flaw::Limit(section))
    }

    fn requires(&self) -> Result<Vec<String>, Flaw> {
        let wrong = || Flaw::Value("metadata.requires", "a list of programs");
        match self.value("metadata", Some("requires")) {
            None => Ok(Vec::new()),
            Some(DeValue::Array(items)) => {
                let texts = items.iter().map(|item| text(item.get_ref()).ok_or_else(wrong));
                texts.collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn variables(&self) -> Result<Vec<(String, String)>, Flaw> {
        let wrong = || Flaw::Value("verifier.env", "a table of texts");
        let Some(value) = self.value("verifier", Some("env")) else {
            return Ok(Vec::new());
        };
        let DeValue::Table(table) = value else {
            return Err(wrong());
        };
        let mut variables = Vec::new();
        for (name, value) in table.iter() {
            let value = text(value.get_ref()).ok_or_else(wrong)?;
            if value.contains("${") {
                return Err(Flaw::Variable);
            }
            variables.push((name.get_ref().clone().into_owned(), value));
        }
        Ok(variables)
    }
}

fn text(value: &DeValue<'_>) -> Option<String> {
    match value {
        DeValue::String(text) => Some(text.clone().into_owned()),
        _ => None,
    }
}

/// Fails for anything but a folder. A link is refused, because its target is not part of the task.
fn is_folder(path: &Path) -> Result<(), Flaw> {
    let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match fs::symlink_metadata(path) {
        Err(error) => Err(Flaw::Unreadable { file: name(), error }),
        Ok(found) if !found.is_dir() => Err(Flaw::NotFolder(name())),
        Ok(_) => Ok(()),
    }
}

/// Fails for anything but a regular file, because reading a pipe could block forever.
fn is_file(path: &Path) -> Result<(), Flaw> {
    let name = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Flaw::Missing(name())),
        Err(error) => Err(Flaw::Unreadable { file: name(), error }),
        Ok(found) if !found.is_file() => Err(Flaw::NotPlain(name())),
        Ok(found) if found.len() > LONGEST_FILE => Err(Flaw::Long(name())),
        Ok(_) => Ok(()),
    }
}

fn read(path: &Path) -> Result<String, Flaw> {
    is_file(path)?;
    let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|open| open.take(LONGEST_FILE).read_to_end(&mut bytes));
    match read {
        Ok(_) => String::from_utf8(bytes).map_err(|_| Flaw::NotText(file)),
        Err(error) => Err(Flaw::Unreadable { file, error }),
    }
}

#[cfg(test)]
mod tests;
