//! The part of the file system that is visible to a command without approval: the workspace, and the folders with
//! programs and libraries. Everything else appears empty.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use benchdog_base::environment::Environment;
use benchdog_security::redact::holds_key;

/// Top-level folders with programs, libraries and their settings. All other top-level folders appear empty.
const OF_THE_SYSTEM: [&str; 22] = [
    "bin",
    "sbin",
    "usr",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "libexec",
    "etc",
    "opt",
    "nix",
    "gnu",
    "snap",
    "dev",
    "proc",
    "sys",
    "tmp",
    "run",
    "Library",
    "System",
    "Applications",
    "init",
];

/// Lists of installed packages. The rest of `/var` appears empty, because it also contains data of services.
const PACKAGES: [&str; 5] = [
    "/var/lib/dpkg",
    "/var/lib/rpm",
    "/var/lib/pacman",
    "/var/lib/apt/lists",
    "/var/cache/fontconfig",
];

/// Toolchains, libraries and caches of tools, below the home folder.
const OF_THE_HOME: [&str; 73] = [
    ".asdf",
    ".bun",
    ".bundle/cache",
    ".cabal",
    ".cache/Cypress",
    ".cache/bazel",
    ".cache/bazelisk",
    ".cache/ccache",
    ".cache/clangd",
    ".cache/composer",
    ".cache/deno",
    ".cache/go-build",
    ".cache/golangci-lint",
    ".cache/ms-playwright",
    ".cache/mypy",
    ".cache/nix",
    ".cache/node",
    ".cache/node-gyp",
    ".cache/pip",
    ".cache/pnpm",
    ".cache/pre-commit",
    ".cache/puppeteer",
    ".cache/pypoetry",
    ".cache/ruff",
    ".cache/sccache",
    ".cache/typescript",
    ".cache/uv",
    ".cache/yarn",
    ".cache/zig",
    ".cargo/bin",
    ".cargo/config.toml",
    ".cargo/git",
    ".cargo/registry",
    ".composer/vendor",
    ".config/git/attributes",
    ".config/git/config",
    ".config/git/ignore",
    ".conan2/p",
    ".coursier",
    ".deno/bin",
    ".dotnet",
    ".elan",
    ".fnm",
    ".gem/ruby",
    ".ghcup",
    ".gitconfig",
    ".gitignore",
    ".gitignore_global",
    ".gradle/caches",
    ".gradle/wrapper",
    ".ivy2/cache",
    ".jenv",
    ".juliaup",
    ".julia",
    ".local/bin",
    ".local/lib",
    ".local/pipx",
    ".local/share/fnm",
    ".local/share/mise/installs",
    ".local/share/pipx",
    ".local/share/pnpm",
    ".local/share/uv",
    ".m2/repository",
    ".m2/wrapper",
    ".nix-profile",
    ".npm/_cacache",
    ".nuget/packages",
    ".nvm",
    ".opam",
    ".pyenv",
    ".rbenv",
    ".rustup",
    ".sdkman",
];

/// Toolchain folders of the home folder whose names start without a dot.
const PLAIN_OF_THE_HOME: [&str; 4] = ["go", "sdk", "miniconda3", "anaconda3"];

/// Files inside visible folders in which system tools store passwords and tokens.
const TOKENS: [&str; 8] = [
    "/etc/NetworkManager/system-connections",
    "/etc/wireguard",
    "/etc/krb5.keytab",
    "/etc/sudoers",
    "/etc/sudoers.d",
    "/etc/docker",
    "/etc/kubernetes",
    "/etc/rancher",
];

/// Variables that contain the path of a toolchain.
const MOVED: [&str; 13] = [
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOROOT",
    "GOCACHE",
    "GOMODCACHE",
    "JAVA_HOME",
    "NVM_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "VOLTA_HOME",
    "DOTNET_ROOT",
    "CONDA_PREFIX",
];

/// Token files to hide in the folders that the variables in `MOVED` name. `CARGO_HOME`, for example, has a token.
const CREDENTIALS: [&str; 2] = ["credentials", "credentials.toml"];

/// Paths that are the same for every project, determined once.
#[derive(Debug)]
pub(super) struct Project {
    /// Folders that appear empty, except for `visible` paths below them.
    covered: Vec<PathBuf>,
    visible: Vec<PathBuf>,
    /// Files that appear empty although their folder is visible.
    pub(super) hidden: Vec<PathBuf>,
    pub(super) caches: Vec<PathBuf>,
    home: Option<PathBuf>,
}

impl Project {
    pub(super) fn new(home: Option<&Path>, environment: &Environment, caches: &[PathBuf]) -> Self {
        let (mut covered, mut hidden) = top();
        let home = home
            .and_then(|home| fs::canonicalize(home).ok())
            .filter(|home| home.parent().is_some());
        // Sort the paths, so that the home folder comes after a covered folder that contains the home folder.
        covered.extend(home.clone());
        covered.sort_unstable();
        covered.dedup();
        let below = |home: &PathBuf| {
            let names = OF_THE_HOME.iter().chain(&PLAIN_OF_THE_HOME);
            names.map(|name| home.join(name)).collect::<Vec<_>>()
        };
        let of_home = home.as_ref().map(below).unwrap_or_default();
        let moved: Vec<PathBuf> = MOVED
            .iter()
            .filter_map(|name| environment.get(name).map(PathBuf::from))
            .collect();
        let programs = environment
            .get("PATH")
            .unwrap_or_default()
            .split(':')
            .map(PathBuf::from);
        let is_folder_of_home = |path: &PathBuf| home.as_ref().is_none_or(|home| !home.starts_with(path));
        let is_sound = |path: &PathBuf| path.is_absolute() && path.parent().is_some() && is_folder_of_home(path);
        hidden.extend(
            moved
                .iter()
                .flat_map(|folder| CREDENTIALS.map(|name| folder.join(name))),
        );
        hidden.extend(TOKENS.map(PathBuf::from));
        let visible: Vec<PathBuf> = of_home
            .into_iter()
            .chain(moved)
            .chain(programs)
            .chain(PACKAGES.map(PathBuf::from))
            .chain(fs::canonicalize("/etc/resolv.conf"))
            .filter(|path| is_sound(path) && path.exists() && !tells_a_key(path))
            .collect();
        hidden.retain(|path| path.exists());
        let within = |path: &Path, all: &[PathBuf]| all.iter().any(|other| path.starts_with(other));
        let seen = visible.iter().filter(|path| path.is_dir() && within(path, caches));
        let inner = caches.iter().filter(|cache| within(cache, &visible));
        let of_both: BTreeSet<PathBuf> = seen.chain(inner).cloned().collect();
        let is_outer = |path: &&PathBuf| !of_both.iter().any(|other| *path != other && path.starts_with(other));
        Self {
            caches: of_both.iter().filter(is_outer).cloned().collect(),
            covered,
            visible,
            hidden,
            home,
        }
    }

    /// Returns the folders that must appear empty for these workspace roots. Folders inside a root stay visible.
    pub(super) fn covered(&self, roots: &[&Path]) -> Vec<PathBuf> {
        let is_outside = |path: &&PathBuf| !roots.iter().any(|root| path.starts_with(root));
        self.covered.iter().filter(is_outside).cloned().collect()
    }

    /// Returns the home folder if it appears empty. Files that programs write there are discarded after the command.
    pub(super) fn own(&self, covered: &[PathBuf]) -> Vec<PathBuf> {
        covered
            .iter()
            .filter(|path| Some(*path) == self.home.as_ref())
            .cloned()
            .collect()
    }

    /// Returns the visible paths outside the roots: programs, and the git folder of a root that is a worktree.
    pub(super) fn visible(&self, roots: &[&Path]) -> Vec<PathBuf> {
        let repositories = roots.iter().filter_map(|root| repository(root));
        self.visible.iter().cloned().chain(repositories).collect()
    }
}

/// Returns the top-level folders and the top-level files that must appear empty.
fn top() -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut covered, mut hidden) = (Vec::new(), Vec::new());
    for entry in fs::read_dir("/").into_iter().flatten().flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        let is_known = OF_THE_SYSTEM.iter().any(|name| entry.file_name() == *name);
        if kind.is_dir() && !is_known {
            covered.push(entry.path());
        } else if kind.is_file() {
            hidden.push(entry.path());
        }
    }
    covered.sort_unstable();
    (covered, hidden)
}

/// Whether a settings file contains a key, such as a password in the URL of a git remote.
fn tells_a_key(path: &Path) -> bool {
    let is_small = fs::metadata(path).is_ok_and(|found| found.is_file() && found.size() < 1 << 20);
    is_small && fs::read_to_string(path).is_ok_and(|text| holds_key(&text))
}

/// Returns the git folder of a worktree, if it is outside the worktree.
fn repository(root: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(root.join(".git")).ok()?;
    let own = fs::canonicalize(root.join(text.strip_prefix("gitdir:")?.trim())).ok()?;
    let common = fs::read_to_string(own.join("commondir")).ok();
    let folder = match common {
        Some(common) => fs::canonicalize(own.join(common.trim())).ok()?,
        None => own,
    };
    // A `.git` file can contain any path. Accept only a folder that git accepts as a repository.
    let parts = BTreeSet::from(["HEAD", "objects", "refs"]);
    parts.iter().all(|part| folder.join(part).exists()).then_some(folder)
}

#[cfg(test)]
mod tests;
