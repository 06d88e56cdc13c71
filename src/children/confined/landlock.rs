//! Landlock: limits which files may be written, created, removed and renamed. Read-only mounts protect modes, owners
//! and times, which Landlock does not cover.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, Scope,
};

use super::plan::Files;
use benchdog_domain::confinement::Network;

/// Minimum Landlock version (Linux 6.2), the first that also controls truncation.
const LEAST: ABI = ABI::V3;

/// Newest Landlock version whose rights this code knows. Kernels without some of these rights are supported too.
const NEWEST: ABI = ABI::V7;

/// Devices that every program may use if `/dev` is not private.
const DEVICES: [&str; 8] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
    "/dev/ptmx",
    "/dev/pts",
];

/// Whether `/tmp` and `/dev` are private.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    Own,
    /// The mounts are missing, so both are shared with other programs.
    Everybodys,
}

/// Restricts this thread and its descendants.
pub(super) fn restrict(files: &Files, network: Network, view: View) -> io::Result<()> {
    rules(files, network, view).map_err(io::Error::other)
}

fn rules(files: &Files, network: Network, view: View) -> Result<(), RulesetError> {
    let ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(LEAST))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(NEWEST))?
        .scope(Scope::Signal)?;
    // Blocks abstract Unix sockets of other programs. A program in its own network namespace cannot see these sockets,
    // so the kernel need not support this restriction.
    let ruleset = match network {
        Network::Inherit => ruleset
            .set_compatibility(CompatLevel::HardRequirement)
            .scope(Scope::AbstractUnixSocket)?
            .set_compatibility(CompatLevel::BestEffort),
        Network::None => ruleset.scope(Scope::AbstractUnixSocket)?,
    };
    let mut ruleset = ruleset.create()?;
    let reading = AccessFs::from_read(NEWEST);
    ruleset = add(ruleset, Path::new("/"), reading)?;
    for path in writable(files, view) {
        ruleset = add(ruleset, &path, AccessFs::from_all(NEWEST))?;
    }
    ruleset.restrict_self()?;
    Ok(())
}

fn writable(files: &Files, view: View) -> Vec<PathBuf> {
    let mut paths = files.writable.clone();
    match view {
        View::Own => {
            paths.extend(["/tmp", "/dev"].map(PathBuf::from));
            paths.extend(files.own.iter().cloned());
            paths.extend(files.caches.iter().map(|cache| cache.folder.clone()));
        }
        View::Everybodys => {
            paths.extend(DEVICES.map(PathBuf::from));
            paths.push(files.stage.tmp.clone());
        }
    }
    paths
}

/// Adds a rule for a path. Ignores a missing path.
fn add(
    ruleset: landlock::RulesetCreated,
    path: &Path,
    access: landlock::BitFlags<AccessFs>,
) -> Result<landlock::RulesetCreated, RulesetError> {
    let Ok(opened) = PathFd::new(path) else {
        return Ok(ruleset);
    };
    let access = if path.is_dir() {
        access
    } else {
        access & AccessFs::from_file(NEWEST)
    };
    ruleset.add_rule(PathBeneath::new(opened, access))
}
