//! Sandboxing of a session's commands: the sandbox plan of each command, and the sandbox parts that this system does
//! not support. `security::sandbox` defines the requested level, and `children::confined` the content of a plan.

mod afterwards;
mod held;
mod view;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

pub(crate) use self::afterwards::Found;
use self::afterwards::Watch;
use self::held::held;
use benchdog_base::environment::{Environment, Folders};
use benchdog_children::confined::{CacheLayers, Extent, Files, Plan, Scratch, probe};
use benchdog_children::prepare_standby;
use benchdog_domain::confinement::{AskedBy, Confinement, Level, Missing, Network, Part, View};
use benchdog_security::hidden::{self, Below, Seen};
use benchdog_security::sandbox::{Granted, Wanted};
use benchdog_security::workspace::Workspace;

/// Tool caches below the home folder. Commands can read them. A private overlay layer receives a command's writes, and
/// no other command reads that layer.
const CACHES: [&str; 12] = [
    ".cache",
    ".cargo/registry",
    ".cargo/git",
    ".npm",
    "go/pkg",
    ".gradle/caches",
    ".m2/repository",
    ".local/share/pnpm",
    ".bun/install/cache",
    ".yarn",
    ".nuget/packages",
    ".composer/cache",
];

/// Variables that name the parent folder of a cache, each with the cache's path below that folder.
const MOVED_CACHES: [(&str, &str); 6] = [
    ("XDG_CACHE_HOME", ""),
    ("CARGO_HOME", "registry"),
    ("CARGO_HOME", "git"),
    ("GOCACHE", ""),
    ("GOMODCACHE", ""),
    ("npm_config_cache", ""),
];

/// Sandbox state that is shared by all sessions of this process.
#[derive(Debug)]
pub struct Sandbox {
    launcher: PathBuf,
    /// The data folder. Its scratch folder has the overlay layers, which cannot be inside the caches.
    data: PathBuf,
    /// Benchdog's own files, which commands must not read.
    own: Vec<PathBuf>,
    home: Option<PathBuf>,
    environment: Environment,
    /// Determined before the first command.
    places: OnceLock<Places>,
    without: BTreeSet<Part>,
    ground: OnceLock<Result<Scratch, String>>,
    seen: Mutex<Seen>,
    tried: Mutex<Vec<(Wanted, Vec<Missing>)>>,
}

#[derive(Debug)]
struct Places {
    caches: Vec<PathBuf>,
    /// Paths that always stay visible: programs and name resolution.
    visible: Vec<PathBuf>,
    project: view::Project,
}

#[derive(Debug, Clone)]
pub struct Confines {
    pub wanted: Wanted,
    /// Files and folders that the user configured as writable.
    pub writable: Arc<[String]>,
    /// Variables that are passed to commands although they look like secrets.
    pub passed: Arc<[String]>,
    pub sandbox: Arc<Sandbox>,
    pub also: Arc<Also>,
}

/// Additional paths for one configured program, at every sandbox level.
#[derive(Debug, Default)]
pub struct Also {
    /// Folders in which the program is installed.
    pub visible: Vec<PathBuf>,
    /// Files and folders that the program may write, as configured.
    pub writable: Vec<String>,
}

/// The sandbox plan of a command, with the resources that must exist while the command runs.
pub struct Confined {
    pub plan: Plan,
    pub tmp: TmpShown,
    view: View,
    hidden: Vec<PathBuf>,
    _lent: CacheLayers,
    watch: Mutex<Option<Watch>>,
    found: Arc<OnceLock<Found>>,
}

struct Planned {
    plan: Plan,
    lent: CacheLayers,
    watch: Option<Watch>,
}

impl Confined {
    /// Returns the check to run after all processes of the command have ended. Only the first call returns the check.
    pub(crate) fn afterwards(&self) -> Option<Box<dyn FnOnce() + Send>> {
        let mut watch = self.watch.lock().unwrap_or_else(PoisonError::into_inner);
        let (watch, found) = (watch.take()?, Arc::clone(&self.found));
        Some(Box::new(move || {
            let _ = found.set(watch.end());
        }))
    }

    pub(crate) fn hidden(&self) -> &[PathBuf] {
        &self.hidden
    }

    pub(crate) fn view(&self) -> View {
        self.view
    }

    pub(crate) fn found(&self) -> Found {
        self.found.get().cloned().unwrap_or_default()
    }
}

/// Location of the temporary folder, as a confined command sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TmpShown {
    /// At `/tmp`.
    InPlace,
    /// Only at its path outside the sandbox.
    At(PathBuf),
}

impl Sandbox {
    pub fn new(launcher: PathBuf, folders: &Folders, environment: &Environment) -> Self {
        let home = environment
            .get("HOME")
            .map(PathBuf::from)
            .filter(|home| home.is_absolute());
        Self {
            launcher,
            data: folders.data.clone(),
            own: folders.own(),
            home,
            environment: environment.clone(),
            places: OnceLock::new(),
            without: without(environment),
            ground: OnceLock::new(),
            seen: Mutex::default(),
            tried: Mutex::default(),
        }
    }

    fn places(&self) -> &Places {
        let home = self.home.as_deref();
        self.places.get_or_init(|| {
            let caches = caches(home, &self.environment);
            Places {
                project: view::Project::new(home, &self.environment, &caches),
                visible: visible(home, &self.environment),
                caches,
            }
        })
    }

    /// Returns the path of the socket that an environment variable names, or `None` without a socket there.
    fn socket_in(&self, variable: &str) -> Option<PathBuf> {
        let value = self.environment.get(variable)?;
        let value = value.strip_prefix("unix:path=").unwrap_or(value);
        let path = value.strip_prefix("unix://").unwrap_or(value).split(',').next()?;
        let leads = fs::metadata(path).is_ok_and(|found| found.file_type().is_socket());
        Some(PathBuf::from(path)).filter(|path| leads && path.is_absolute())
    }

    fn ground(&self) -> Result<&Scratch, String> {
        let made = self
            .ground
            .get_or_init(|| Scratch::new(&self.data).map_err(|error| error.to_string()));
        made.as_ref().map_err(Clone::clone)
    }

    fn secrets_elsewhere(&self) -> Vec<PathBuf> {
        let mut found = hidden::in_homes(self.home.as_deref());
        found.extend(self.own.iter().filter(|path| path.exists()).cloned());
        found
    }

    fn below(&self, root: &Path, elsewhere: &[PathBuf]) -> Result<Below, String> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let below = seen.below(root, elsewhere);
        below.map_err(|_| format!("{}: too many folders to find every secret", root.display()))
    }
}

impl Confines {
    /// Returns the settings for a check. `Network::None` disconnects the check even if the session has network access.
    pub fn of_check(mut self, network: Network) -> Self {
        if network == Network::None {
            self.wanted.network = network;
            self.wanted.asked_by = AskedBy::Person;
        }
        self
    }

    pub fn reading_only(self) -> Self {
        Self {
            wanted: self.wanted.reading_only(),
            ..self
        }
    }

    pub fn unasked(self, granted: Granted) -> Self {
        Self {
            wanted: self.wanted.unasked(granted),
            ..self
        }
    }

    /// Returns the settings for a program that runs as long as the session. The program can read the workspace, but
    /// write only the paths that are configured for it.
    pub fn of_service(self, also: Also) -> Self {
        Self {
            also: Arc::new(also),
            ..self.unasked(Granted::default())
        }
    }

    /// Returns the sandbox parts that this system supports. The first call runs a probe and may block for some
    /// milliseconds.
    pub fn standing(&self, workspace: &Workspace) -> Confinement {
        let (level, network) = (self.wanted.level, self.wanted.network);
        let missing = self.known().unwrap_or_else(|| {
            let all = Self {
                wanted: self.tried_as(),
                ..self.clone()
            };
            let missing = all.tried(workspace);
            let mut tried = self.sandbox.tried.lock().unwrap_or_else(PoisonError::into_inner);
            tried.push((all.wanted, missing));
            drop(tried);
            self.known().unwrap_or_default()
        });
        Confinement {
            level,
            network,
            missing,
        }
    }

    /// Returns the unsupported sandbox parts, or `None` before the probe.
    pub fn known(&self) -> Option<Vec<Missing>> {
        if !self.wanted.holds_in() {
            return Some(Vec::new());
        }
        let tried = self.sandbox.tried.lock().unwrap_or_else(PoisonError::into_inner);
        let this = tried.iter().find(|(wanted, _)| *wanted == self.tried_as());
        let counts = |missing: &&Missing| missing.part != Part::Network || self.wanted.network == Network::None;
        this.map(|(_, missing)| missing.iter().filter(counts).cloned().collect())
    }

    /// Returns the sandbox settings for the probe. All sandboxes with `View::Project` share one probe.
    fn tried_as(&self) -> Wanted {
        match self.wanted.view {
            View::Whole => self.wanted,
            View::Project => Wanted {
                level: Level::Workspace,
                network: Network::None,
                view: View::Project,
                asked_by: AskedBy::Default,
            },
        }
    }

    fn tried(&self, workspace: &Workspace) -> Vec<Missing> {
        // Starts the standby processes for the command that follows the probe.
        prepare_standby(&self.sandbox.launcher, self.sandbox.without.contains(&Part::Processes));
        // The probe creates no placeholders in the workspace.
        match self.plan(workspace, Part::ALL.into_iter().collect()) {
            Ok(planned) => probe(&self.sandbox.launcher, planned.plan, workspace.root()),
            Err(why) => vec![Missing {
                part: Part::Mounts,
                why,
            }],
        }
    }

    /// Returns the sandbox for one command, or `None` if no sandbox is requested. The error tells why the sandbox is
    /// unavailable.
    ///
    /// Parts that the probe found missing are no error, because the user has already approved running without them.
    pub fn confined(&self, workspace: &Workspace) -> Result<Option<Confined>, String> {
        if !self.wanted.holds_in() {
            return Ok(None);
        }
        // With `View::Project`, no user approved missing parts, so all parts are required.
        let missing = match self.wanted.view {
            View::Whole => self.standing(workspace).missing,
            View::Project => Vec::new(),
        };
        let accepted: BTreeSet<Part> = missing.iter().map(|missing| missing.part).collect();
        let tmp = |plan: &Plan| match &plan.extent {
            Extent::Files(files) if accepted.contains(&Part::Mounts) => TmpShown::At(files.stage.tmp.clone()),
            Extent::Files(_) | Extent::NetworkOnly => TmpShown::InPlace,
        };
        let Planned { plan, lent, watch } = self.plan(workspace, accepted.clone())?;
        let hidden = match &plan.extent {
            Extent::Files(files) if !accepted.contains(&Part::Mounts) => hidden_in(workspace, files),
            Extent::Files(_) | Extent::NetworkOnly => Vec::new(),
        };
        Ok(Some(Confined {
            tmp: tmp(&plan),
            view: self.wanted.view,
            hidden,
            plan,
            _lent: lent,
            watch: Mutex::new(watch),
            found: Arc::default(),
        }))
    }

    fn plan(&self, workspace: &Workspace, accepted: BTreeSet<Part>) -> Result<Planned, String> {
        let ground = self.sandbox.ground()?;
        let places = self.sandbox.places();
        let caches = match (self.wanted.level, self.wanted.view) {
            (Level::Workspace, View::Whole) => places.caches.as_slice(),
            (Level::Workspace, View::Project) => places.project.caches.as_slice(),
            (Level::Off | Level::ReadOnly, _) => &[],
        };
        let lent = ground.lend(caches).map_err(|error| error.to_string())?;
        let (extent, watch) = match self.wanted.level {
            Level::Off => (Extent::NetworkOnly, None),
            Level::Workspace | Level::ReadOnly => {
                let mounted = !accepted.contains(&Part::Mounts);
                let (files, watch) = self.files(workspace, ground, &lent, mounted)?;
                (Extent::Files(Box::new(files)), watch)
            }
        };
        let plan = Plan {
            extent,
            network: self.wanted.network,
            accepted,
            without: self.sandbox.without.clone(),
            input: None,
        };
        Ok(Planned { plan, lent, watch })
    }

    fn files(
        &self,
        workspace: &Workspace,
        ground: &Scratch,
        lent: &CacheLayers,
        mounted: bool,
    ) -> Result<(Files, Option<Watch>), String> {
        let further: Vec<PathBuf> = self
            .writable
            .iter()
            .filter_map(|path| self.placed(path, workspace))
            .collect();
        let mut hidden = self.sandbox.secrets_elsewhere();
        let elsewhere = hidden.clone();
        let mut roots = Vec::new();
        for root in workspace.writable_roots() {
            let mut below = self.sandbox.below(root, &elsewhere)?;
            hidden.append(&mut below.secrets);
            roots.push((root.to_path_buf(), below));
        }
        let own = self.also.writable.iter();
        let own: Vec<PathBuf> = own.filter_map(|path| self.placed(path, workspace)).collect();
        hidden.retain(|path| !further.iter().chain(&own).any(|tree| path.starts_with(tree)));
        let mut visible = self.sandbox.places().visible.clone();
        visible.extend(self.passed.iter().filter_map(|name| self.sandbox.socket_in(name)));
        let mut files = Files {
            hidden,
            caches: lent.caches.clone(),
            stage: ground.stage(),
            ..Files::default()
        };
        if self.wanted.view == View::Project {
            let trees: Vec<&Path> = roots.iter().map(|(root, _)| root.as_path()).collect();
            let project = &self.sandbox.places().project;
            files.covered = project.covered(&trees);
            files.own = project.own(&files.covered);
            visible = project.visible(&trees);
            visible.extend(self.passed.iter().filter_map(|name| self.sandbox.socket_in(name)));
            files.hidden.extend(project.hidden.iter().cloned());
        }
        visible.extend(self.also.visible.iter().cloned());
        let trees = roots.iter().map(|(root, _)| root.clone());
        if self.wanted.level != Level::Workspace {
            files.visible = visible.into_iter().chain(trees).chain(further).collect();
            files.writable = own;
            return Ok((files, None));
        }
        files.visible = visible;
        files.writable = trees.collect();
        let (mut laid, mut firm) = (Vec::new(), Vec::new());
        for (root, below) in &roots {
            // Without mounts, no path can be protected, so placeholders are useless.
            let mut held = held(root, &below.repositories, Some(ground).filter(|_| mounted));
            laid.append(&mut held.laid);
            firm.append(&mut held.firm);
            files.held.append(&mut held.names);
            // A git folder becomes a separate mount, which cannot be renamed. So no command can replace it together
            // with its settings and hooks.
            files.writable.append(&mut held.git_folders);
        }
        files.writable.extend(further.into_iter().chain(own));
        if !mounted {
            firm.clear();
        }
        let watch = Watch::new(Arc::clone(&self.sandbox), firm, laid, &roots);
        Ok((files, Some(watch)))
    }

    /// Returns a configured path as absolute and canonical. Returns `None` for a missing path, which cannot be mounted
    /// as writable.
    fn placed(&self, path: &str, workspace: &Workspace) -> Option<PathBuf> {
        let home = self.sandbox.home.as_deref();
        let path = match (path.strip_prefix('~'), home) {
            (Some(""), Some(home)) => home.to_path_buf(),
            (Some(rest), Some(home)) if rest.starts_with('/') => home.join(rest.trim_start_matches('/')),
            _ => workspace.root().join(path),
        };
        fs::canonicalize(path).ok()
    }
}

fn hidden_in(workspace: &Workspace, files: &Files) -> Vec<PathBuf> {
    let is_inside = |path: &&PathBuf| workspace.writable_roots().any(|root| path.starts_with(root));
    files.hidden.iter().filter(is_inside).cloned().collect()
}

fn caches(home: Option<&Path>, environment: &Environment) -> Vec<PathBuf> {
    let moved = MOVED_CACHES
        .iter()
        .filter_map(|(name, below)| Some(Path::new(environment.get(name)?).join(below)));
    let usual = CACHES.iter().filter_map(|cache| Some(home?.join(cache)));
    let all: BTreeSet<PathBuf> = usual
        .chain(moved)
        .filter_map(|path| fs::canonicalize(path).ok())
        .filter(|path| path.is_dir())
        .collect();
    // Omit caches inside another cache, because the overlay of the outer cache includes them.
    let inner = |path: &PathBuf| all.iter().any(|other| other != path && path.starts_with(other));
    all.iter().filter(|path| !inner(path)).cloned().collect()
}

fn visible(home: Option<&Path>, environment: &Environment) -> Vec<PathBuf> {
    let programs = environment
        .get("PATH")
        .unwrap_or_default()
        .split(':')
        .map(PathBuf::from);
    let names = fs::canonicalize("/etc/resolv.conf").ok();
    let all = home.map(Path::to_path_buf).into_iter().chain(programs).chain(names);
    all.filter(|path| path.is_absolute() && path.exists()).collect()
}

/// Returns the sandbox parts that a test disables. Only debug builds support this.
fn without(environment: &Environment) -> BTreeSet<Part> {
    if !cfg!(debug_assertions) {
        return BTreeSet::new();
    }
    let named = environment.get("BENCHDOG_TEST_WITHOUT").unwrap_or_default();
    let parts = Part::ALL.into_iter();
    parts
        .filter(|part| named.split(',').any(|name| name == part.code()))
        .collect()
}

#[cfg(test)]
mod tests;
