//! Classifies the paths of a prepared call: inside or outside the workspace, secret or not. Also finds those effects of
//! a command line that no rule can allow. Opens only small scripts. `policy` judges the result.

mod below;
mod naming;

#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::secrets::is_secret_path;
use crate::shell::{World, analyse, clean, glob_matches, is_process_file};
use crate::steering::is_obeyed;
use crate::workspace::{WorkPath, Workspace};
use benchdog_domain::command::{Analysis, CommandLine, Depth, Placed, PlainCommand, Put, Reach, Reading, RunsIn};
use benchdog_domain::permission::{CommandClass, Place, Subject};

/// Time limit for the disk checks of a command line. With a warm disk cache, a large project needs a tenth of it.
const MOST_TIME: Duration = Duration::from_millis(300);

/// Maximum number of written paths that are checked one by one.
const MOST_PLACED: usize = 200;

/// Maximum number of names in a folder that are matched with a pattern.
const MOST_MATCHES: usize = 1_000;

/// System files and folders without personal content.
const OF_THE_SYSTEM: [&str; 22] = [
    "/etc/os-release",
    "/etc/lsb-release",
    "/etc/debian_version",
    "/etc/alpine-release",
    "/etc/redhat-release",
    "/etc/hosts",
    "/etc/hostname",
    "/etc/timezone",
    "/etc/shells",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/version",
    "/proc/uptime",
    "/proc/loadavg",
    "/proc/filesystems",
    "/usr/include",
    "/usr/lib",
    "/usr/share/doc",
    "/usr/share/man",
    "/usr/share/zoneinfo",
    "/usr/local/include",
    "/usr/local/lib",
];

/// Package folders. Sandboxed commands can read their sources and programs, but not their access tokens.
const OF_PACKAGES: [&str; 8] = [
    "~/.cargo/bin",
    "~/.cargo/git",
    "~/.cargo/registry",
    "~/.m2/repository",
    "~/.nvm/versions",
    "~/.pyenv/versions",
    "~/.rustup/toolchains",
    "~/go/pkg/mod",
];

/// Whether a path is in one of `OF_PACKAGES`. No link of the workspace can replace such a path.
fn is_of_packages(path: &str) -> bool {
    let is_one = |known: &&str| {
        path.strip_prefix(*known)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    OF_PACKAGES.iter().any(is_one) && !path.split('/').any(|part| part == "..")
}

fn tells_of_system(path: &Path) -> bool {
    let is_one = |path: &Path| OF_THE_SYSTEM.iter().any(|known| path.starts_with(known));
    let real = std::fs::canonicalize(path);
    let has_up = path.components().any(|part| part == std::path::Component::ParentDir);
    is_one(path) && !has_up && real.map_or(true, |real| is_one(&real))
}

pub fn path(path: &WorkPath) -> Subject {
    let shown = || path.shown().to_owned();
    let process = path.absolute().to_str().is_some_and(is_process_file);
    let place = if path.leads_out() {
        Place::Outside
    } else if path.is_disposable() {
        Place::Scratch
    } else {
        Place::Inside
    };
    Subject::Path {
        path: shown(),
        place,
        reach: (process || path.is_secret()).then(|| Reach::Secret { path: shown() }),
    }
}

pub fn changed(path: &WorkPath) -> Subject {
    let mut subject = self::path(path);
    if let Subject::Path { reach, .. } = &mut subject
        && reach.is_none()
        && (is_obeyed(Path::new(path.shown()), Put::Known) || is_obeyed(&path.absolute(), Put::Known))
    {
        *reach = Some(Reach::Obeyed {
            path: path.shown().to_owned(),
        });
    }
    subject
}

/// Analyses a command line as `bash -c` would run it in this folder.
pub fn command(workspace: &Workspace, workdir: &WorkPath, command: &str) -> Arc<CommandLine> {
    let look = Look {
        workspace,
        folder: workdir.absolute(),
        began: Cell::new(None),
    };
    let analysis = analyse(command, &workspace.world(&look.folder.to_string_lossy()));
    let runs_in = if workdir.shown() == "." {
        RunsIn::Workspace
    } else {
        RunsIn::Elsewhere
    };
    let (below, mut reaches): (Vec<_>, Vec<_>) = look
        .reaches(command, &analysis, runs_in)
        .into_iter()
        .partition(Reach::is_met);
    if runs_in == RunsIn::Elsewhere && workdir.is_secret() {
        reaches.push(Reach::NamesSecret);
    }
    Arc::new(CommandLine {
        command: command.to_owned(),
        workdir: workdir.shown().to_owned(),
        runs_in,
        analysis,
        reaches,
        below,
        unconfined: false,
    })
}

/// Place to which a path leads, as far as it matters for permissions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Led {
    ToSecret,
    /// Leads out of the workspace.
    Out,
    /// Any other place, which needs no approval.
    Nowhere,
}

struct Look<'w> {
    workspace: &'w Workspace,
    /// The folder of the command, absolute and with links resolved.
    folder: PathBuf,
    /// Time when the first folder search started.
    began: Cell<Option<Instant>>,
}

impl Look<'_> {
    /// Returns the effects that no rule can allow, such as access to a secret. Skips lines that no rule can allow
    /// anyway.
    fn reaches(&self, command: &str, analysis: &Analysis, runs_in: RunsIn) -> Vec<Reach> {
        if !matches!(analysis.class, CommandClass::Plain | CommandClass::External) {
            return Vec::new();
        }
        let named = analysis.process_file.clone().map(|path| Reach::Process { path });
        let mut found: Vec<Reach> = named.into_iter().collect();
        if analysis.reads_only {
            // Only the words in `readings` are files that the line reads.
            found.extend(analysis.readings.iter().flat_map(|reading| self.read(reading)));
            return found;
        }
        found.extend(self.obeyed(&analysis.placed));
        match &analysis.plain {
            Some(plain) => found.extend(self.plain_reaches(plain)),
            None => {
                let secret = analysis.writes.iter().find(|path| is_secret_path(Path::new(path)));
                found.extend(secret.map(|path| Reach::Secret { path: path.clone() }));
                let steps = analysis.steps.iter().flatten().filter(|step| !step.reads_only);
                found.extend(steps.flat_map(|step| self.plain_reaches(&step.command)));
                found.extend(analysis.readings.iter().flat_map(|reading| self.read(reading)));
            }
        }
        let not_as_usual = analysis.plain.is_none() || runs_in == RunsIn::Elsewhere;
        if not_as_usual && !found.iter().any(Reach::needs_person) {
            found.extend(self.named_in(command, analysis));
        }
        found
    }

    /// Returns the first written path that is, or leads to, a file that other programs obey.
    fn obeyed(&self, placed: &[Placed]) -> Option<Reach> {
        if placed.len() > MOST_PLACED {
            return Some(Reach::Obeyed { path: ".".to_owned() });
        }
        let steers = |placed: &&Placed| {
            let real = self.real(&placed.path);
            let seen = real.strip_prefix(self.workspace.root()).unwrap_or(&real);
            is_obeyed(seen, placed.put) || is_obeyed(Path::new(&clean(&placed.path)), placed.put)
        };
        let path = placed.iter().find(steers)?.path.clone();
        Some(Reach::Obeyed { path })
    }

    /// Resolves all links in a path, which need not exist.
    fn real(&self, path: &str) -> PathBuf {
        let mut above = self.folder.join(path);
        let mut below = Vec::new();
        loop {
            if let Ok(real) = std::fs::canonicalize(&above) {
                return below.iter().rev().fold(real, |real, name| real.join(name));
            }
            match (above.file_name().map(ToOwned::to_owned), above.pop()) {
                (Some(name), true) => below.push(name),
                (None, true) => {}
                (_, false) => return self.folder.join(clean(path)),
            }
        }
    }

    fn read(&self, reading: &Reading) -> Vec<Reach> {
        if is_of_packages(&reading.path) && !is_secret_path(Path::new(&reading.path)) {
            return Vec::new();
        }
        if reading.pattern {
            return self.read_pattern(reading);
        }
        let path = self.folder.join(&reading.path);
        if let Some(reach) = self.reach_of(&reading.path) {
            let is_outside = matches!(reach, Reach::Outside { .. } | Reach::Unfollowed { .. });
            return if is_outside && tells_of_system(&path) {
                Vec::new()
            } else {
                vec![reach]
            };
        }
        match reading.depth {
            Depth::Names | Depth::Itself => Vec::new(),
            Depth::Visible => self.below(&path, false),
            Depth::All => self.below(&path, true),
            Depth::Words => {
                let met = self.below(&path, true);
                let blank = self.blank_below(&path).filter(|_| met.is_empty());
                met.into_iter().chain(blank).collect()
            }
        }
    }

    /// Returns the objections to all names that match a glob in the last part of a path. If an earlier part has a glob,
    /// checks everything below the folder before the glob.
    fn read_pattern(&self, reading: &Reading) -> Vec<Reach> {
        let root = |above| {
            if reading.path.starts_with('/') && str::is_empty(above) {
                "/"
            } else {
                above
            }
        };
        let (above, pattern) = reading.path.rsplit_once('/').unwrap_or(("", &reading.path));
        if let Some(at) = above.find(['*', '?', '[']) {
            let start = above.get(..at).and_then(|start| start.rsplit_once('/'));
            let start = start.map_or(".", |(start, _)| root(start));
            return match self.reach_of(start) {
                Some(reach) => vec![reach],
                None => self.below(&self.folder.join(start), true),
            };
        }
        let above = root(above);
        if let Some(reach) = self.reach_of(if above.is_empty() { "." } else { above }) {
            return vec![reach];
        }
        let names = self.workspace.world(&self.folder.to_string_lossy()).names(above);
        if names.len() > MOST_MATCHES {
            return vec![Reach::Unseen];
        }
        let hidden = |name: &str| name.starts_with('.') && !pattern.starts_with('.');
        let fitting = names.iter().filter(|name| !hidden(name) && glob_matches(pattern, name));
        let exact = fitting.map(|name| Reading {
            path: if above.is_empty() {
                name.clone()
            } else {
                format!("{above}/{name}")
            },
            depth: reading.depth,
            pattern: false,
        });
        let met = |reach| match reach {
            // The pattern only happens to match the secret, and the sandbox hides the secret's content.
            Reach::Secret { path } | Reach::LeadsToSecret { path } => Reach::SecretBelow { path },
            other => other,
        };
        let mut found: Vec<Reach> = exact.flat_map(|exact| self.read(&exact)).map(met).collect();
        if found.iter().any(|reach| !reach.is_met()) {
            found.retain(|reach| !reach.is_met());
        }
        found
    }

    fn plain_reaches(&self, plain: &PlainCommand) -> Vec<Reach> {
        let mut found: Vec<Reach> = plain.paths.iter().filter_map(|path| self.reach_of(path)).collect();
        // The recursive search is the slowest check. Skip this search if the line already needs a person's approval.
        if !found.iter().any(Reach::needs_person) {
            let words: Vec<&str> = plain.words.iter().map(String::as_str).collect();
            found.extend(self.secret_below(&words));
        }
        found
    }

    fn reach_of(&self, path: &str) -> Option<Reach> {
        let shown = || path.to_owned();
        if is_secret_path(Path::new(path)) {
            return Some(Reach::Secret { path: shown() });
        }
        if path.starts_with('~') {
            return Some(Reach::Outside { path: shown() });
        }
        let resolved = match self.folder.join(path).to_str() {
            Some(absolute) => self.workspace.resolve(absolute),
            None => return None,
        };
        match resolved {
            Ok(found) if found.is_secret() => Some(Reach::LeadsToSecret { path: shown() }),
            Ok(_) => None,
            // The word may be a pattern or a sentence. Ignore the word only if it cannot be a path.
            Err(error) if matches!(error.code, "bad_path" | "too_long" | "not_a_folder") => None,
            Err(_) if self.leads_to_process(path) => Some(Reach::Process { path: shown() }),
            Err(error) => Some(Reach::Unfollowed {
                path: shown(),
                reason: error.reason,
            }),
        }
    }

    /// Whether a path outside `/proc` leads through links to a file of another process. Paths in `/proc` are checked as
    /// text, because `/proc/self` differs for Benchdog and the command.
    fn leads_to_process(&self, path: &str) -> bool {
        let spelled_out = path.starts_with("/proc/");
        let real = std::fs::canonicalize(self.folder.join(path));
        !spelled_out && real.is_ok_and(|real| real.to_str().is_some_and(is_process_file))
    }

    fn leads_to_secret(&self, path: &Path) -> bool {
        self.follow(path) == Led::ToSecret
    }

    fn follow(&self, path: &Path) -> Led {
        if is_secret_path(path) {
            return Led::ToSecret;
        }
        match path.to_str().map(|path| self.workspace.resolve(path)) {
            Some(Ok(found)) if found.is_secret() => Led::ToSecret,
            Some(Err(error)) if matches!(error.code, "outside_workspace" | "symlink_escape") => Led::Out,
            Some(Ok(_) | Err(_)) | None => Led::Nowhere,
        }
    }

    fn is_late(&self) -> bool {
        let began = self.began.get().unwrap_or_else(Instant::now);
        self.began.set(Some(began));
        began.elapsed() > MOST_TIME
    }
}
