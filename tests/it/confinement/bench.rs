//! Runs a script in a project as several users, and compares the project and its surroundings before and after.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::home::{Home, config};
use crate::support::reply::{call, text};
use crate::support::server::Server;

pub struct Tried {
    pub who: &'static str,
    pub home: Home,
    server: Server,
    pub said: String,
    pub all_said: String,
    pub outcome: String,
    outside: [Looks; 2],
    inside: [Looks; 2],
}

pub type Looks = BTreeMap<String, String>;

pub fn level(level: &str) -> Value {
    json!({"level": level})
}

/// Returns a home for the test user, and one for an unprivileged user if possible. Neither is in the folder for
/// temporary files.
pub fn grounds(server: &Server, sandbox: &Value, mut arrange: impl FnMut(&Home)) -> Vec<(&'static str, Home)> {
    let mut new = || {
        let home = Home::bare_in(Path::new("/var/tmp"));
        let mut config = config(&server.base_url());
        config["sandbox"] = sandbox.clone();
        // `OUT` tells scripts the path of the folder outside.
        let passed = config["sandbox"]["pass_env"].as_array().cloned().unwrap_or_default();
        config["sandbox"]["pass_env"] = passed.into_iter().chain([json!("OUT")]).collect();
        config["validation"] = json!({"auto": false});
        home.configure(&config);
        arrange(&home);
        let out = home.outside().display().to_string();
        let agent = format!("{out}/service.sock");
        home.env("OUT", &out).env("SSH_AUTH_SOCK", &agent)
    };
    let nobody = new().of_nobody().map(|home| ("nobody", home));
    [("ourselves", new())].into_iter().chain(nobody).collect()
}

pub fn tried(sandbox: &Value, script: &str) -> Vec<Tried> {
    tried_with(sandbox, script, json!({"command": "make"}), |_| {})
}

/// Runs the script through the project's own build. In this way, an agent can run code that nobody has reviewed.
pub fn tried_with(sandbox: &Value, script: &str, arguments: Value, mut arrange: impl FnMut(&Home)) -> Vec<Tried> {
    // Each run needs its own server to separate the requests.
    let users = grounds(&Server::start(), sandbox, |home| {
        home.file("Makefile", "all:\n\t@bash ./probe\n");
        home.file("probe", &format!("{script}\n"));
        home.file("kept", "as it was\n");
        fs::create_dir_all(home.outside().join("other/deep")).expect("a folder outside");
        for file in ["other/file", "other/deep/file", "user/.profile"] {
            fs::write(home.outside().join(file), "as it was\n").expect("a file outside");
        }
        arrange(home);
    });
    users
        .into_iter()
        .map(|(who, home)| {
            let server = Server::start();
            let written = fs::read_to_string(home.benchdog_home().join("config.jsonc")).expect("a configuration");
            let mut configuration: Value = serde_json::from_str(&written).expect("JSON");
            configuration["provider"] = config(&server.base_url())["provider"].clone();
            fs::write(home.benchdog_home().join("config.jsonc"), configuration.to_string()).expect("a configuration");
            let before = (outside(&home), inside(&home));
            let mut tried = Tried {
                who,
                home,
                server,
                said: String::new(),
                all_said: String::new(),
                outcome: String::new(),
                outside: [before.0, Looks::new()],
                inside: [before.1, Looks::new()],
            };
            tried.call(arguments.clone());
            tried
        })
        .collect()
}

impl Tried {
    fn call(&mut self, arguments: Value) {
        self.server.script([call("bash", arguments), text("Done.")]);
        let run = self.home.run(&["run", "--approve", "all", "--output", "json", "go"]);
        let end: Value = serde_json::from_str(run.stdout.trim()).unwrap_or_else(|error| panic!("{error}\n{run}"));
        self.outcome = end["outcome"].as_str().unwrap_or_default().to_owned();
        let requests = self.server.requests();
        let last = requests.last().expect("a request");
        self.said = last.last("tool").to_owned();
        self.all_said = requests
            .iter()
            .map(|request| json!(request.messages()).to_string())
            .collect();
        self.outside[1] = outside(&self.home);
        self.inside[1] = inside(&self.home);
    }

    pub fn again(&mut self, command: &str) {
        self.call(json!({"command": command}));
    }

    #[track_caller]
    pub fn assert_ran(&self) {
        assert!(self.said.contains("[exit ") || self.said.contains("[signal "), "{self}");
    }

    pub fn changed_outside(&self) -> Vec<String> {
        difference(&self.outside)
    }

    pub fn changed_inside(&self) -> Vec<String> {
        difference(&self.inside)
    }

    #[track_caller]
    pub fn assert_outside_unchanged(&self) {
        assert_eq!(self.changed_outside(), Vec::<String>::new(), "{self}");
    }
}

impl fmt::Display for Tried {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "as {}: {}", self.who, self.said)
    }
}

pub fn difference([before, after]: &[Looks; 2]) -> Vec<String> {
    let paths = before
        .keys()
        .chain(after.keys().filter(|path| !before.contains_key(*path)));
    paths
        .filter(|path| before.get(*path) != after.get(*path))
        .cloned()
        .collect()
}

pub fn inside(home: &Home) -> Looks {
    looks(&home.project(), &[])
}

pub fn outside(home: &Home) -> Looks {
    looks(home.outside(), &[&home.project(), &home.benchdog_home()])
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(bytes);
    hasher.finish()
}

fn looks(root: &Path, but: &[&Path]) -> Looks {
    let mut found = Looks::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(path) = open.pop() {
        if but.contains(&path.as_path()) {
            continue;
        }
        let Ok(seen) = fs::symlink_metadata(&path) else {
            continue;
        };
        let content = if seen.is_file() {
            hash(&fs::read(&path).unwrap_or_default())
        } else {
            0
        };
        let lead = fs::read_link(&path).ok();
        let times = (seen.mtime(), seen.mtime_nsec());
        let shown = format!(
            "{} {:o} {} {} {times:?} {} {content:x} {lead:?}",
            seen.ino(),
            seen.mode(),
            seen.uid(),
            seen.gid(),
            seen.nlink()
        );
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        found.insert(name, shown);
        if seen.is_dir() {
            open.extend(
                fs::read_dir(&path)
                    .into_iter()
                    .flatten()
                    .flatten()
                    .map(|entry| entry.path()),
            );
        }
    }
    found
}
