//! The process environment, read once at the start, and the folders derived from it.

use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Debug, Clone, Default)]
pub struct Environment(BTreeMap<String, String>);

impl Environment {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is the one place that reads the environment"
    )]
    pub fn of_process() -> Self {
        Self(
            std::env::vars_os()
                .filter_map(|(k, v)| Some((k.into_string().ok()?, v.into_string().ok()?)))
                .collect(),
        )
    }

    pub fn of(pairs: impl IntoIterator<Item = (String, String)>) -> Self {
        Self(pairs.into_iter().collect())
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether a variable is set, even if it is empty, as `NO_COLOR` requires.
    pub fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Expands `${NAME}` and `${NAME:-DEFAULT}`. The default also replaces an empty value. Adds the names of missing
    /// variables to `missing`.
    pub fn fill_in(&self, written: &str, missing: &mut Vec<String>) -> String {
        let mut out = String::new();
        let mut rest = written;
        while let Some((before, behind)) = rest.split_once("${") {
            out.push_str(before);
            let Some((name, after)) = behind.split_once('}') else {
                out.push_str("${");
                rest = behind;
                continue;
            };
            let (name, otherwise) = match name.split_once(":-") {
                Some((name, otherwise)) => (name, Some(otherwise)),
                None => (name, None),
            };
            match (self.get(name), otherwise) {
                (Some(value), _) | (None, Some(value)) => out.push_str(value),
                (None, None) => missing.push(name.to_owned()),
            }
            rest = after;
        }
        out.push_str(rest);
        out
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(k, v)| (k.as_str(), v.as_str()))
    }
}

/// Benchdog's own folders. `BENCHDOG_HOME` changes all of them, and `BENCHDOG_CACHE` only the cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    pub config_file: PathBuf,
    pub data: PathBuf,
    pub cache: PathBuf,
    pub logs: PathBuf,
    /// Folder for status files and sockets of running workbenches.
    pub live: PathBuf,
}

impl Folders {
    pub fn stored_keys(&self) -> PathBuf {
        self.data.join("credentials.json")
    }

    /// Returns the file with the tokens of MCP servers. A file of this name counts as secret.
    pub fn server_tokens(&self) -> PathBuf {
        self.data.join("mcp").join("credentials.json")
    }

    pub fn worktrees(&self) -> PathBuf {
        self.data.join("worktrees")
    }

    pub fn pasted(&self) -> PathBuf {
        self.data.join("pasted")
    }

    pub fn writing(&self) -> PathBuf {
        self.data.join("writing")
    }

    /// Returns the folder of recordings, which no command can read or change.
    pub fn voice(&self) -> PathBuf {
        self.data.join("voice")
    }

    /// Returns Benchdog's private paths, without the data folder itself, in which commands may change the demo project.
    pub fn own(&self) -> Vec<PathBuf> {
        vec![
            self.config_file.clone(),
            self.config_file.with_file_name("AGENTS.md"),
            self.stored_keys(),
            self.data.join("mcp"),
            self.data.join("index.redb"),
            self.data.join("sessions"),
            self.data.join("confined"),
            self.writing(),
            self.voice(),
            self.cache.clone(),
            self.logs.clone(),
            self.live.clone(),
        ]
    }

    /// `None` if there is neither `BENCHDOG_HOME` nor a home folder.
    pub fn resolve(environment: &Environment) -> Option<Self> {
        let mut folders = Self::without_cache(environment)?;
        if let Some(cache) = environment.get("BENCHDOG_CACHE") {
            folders.cache = absolute(cache);
        }
        Some(folders)
    }

    fn without_cache(environment: &Environment) -> Option<Self> {
        if let Some(home) = environment.get("BENCHDOG_HOME") {
            let home = absolute(home);
            return Some(Self {
                config_file: home.join("config.jsonc"),
                data: home.join("data"),
                cache: home.join("cache"),
                logs: home.join("logs"),
                live: home.join("live"),
            });
        }
        let base = directories::ProjectDirs::from("", "", "benchdog")?;
        Some(Self {
            config_file: base.config_dir().join("config.jsonc"),
            data: base.data_dir().to_path_buf(),
            cache: base.cache_dir().to_path_buf(),
            logs: base.data_dir().join("logs"),
            live: live(environment),
        })
    }
}

/// Returns the folder `live`. The folder is local to this machine, because several machines may share a home folder.
fn live(environment: &Environment) -> PathBuf {
    match environment
        .get("XDG_RUNTIME_DIR")
        .filter(|folder| folder.starts_with('/'))
    {
        Some(folder) => PathBuf::from(folder).join("benchdog"),
        None => PathBuf::from(format!("/tmp/benchdog-live-{}", rustix::process::getuid().as_raw())),
    }
}

fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}
