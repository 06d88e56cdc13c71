//! Hides Benchdog's environment and memory, which contain API keys, from child processes.
//!
//! Benchdog is marked as not dumpable, so reading or tracing it needs a right that ordinary users lack. A child of root
//! has that right, so the child gives it up before it becomes the program. The child's descendants do not have it
//! either.
//!
//! This protects only Benchdog, not the environment of the user's other programs. Root can still start a program that
//! has all rights: as a service, job or container, through `core_pattern`, or with `sudo`. The policy judges such
//! command lines.

use std::io;
use std::sync::OnceLock;

use rustix::process::DumpableBehavior;
use rustix::thread::{CapabilitySet, CapabilitySets};

/// The rights to read another process's memory, even if it is not dumpable.
///
/// Root's other rights stay: a child of root can change owners and modes, install packages, bind ports, end processes,
/// and trace its own children. Without `SYS_ADMIN` it cannot mount.
const READING: [CapabilitySet; 5] = [
    // ptrace(2), `/proc/<pid>/mem`, `/proc/<pid>/environ`.
    CapabilitySet::SYS_PTRACE,
    // Sufficient to read `/proc/<pid>/environ` on newer kernels. Lets perf(1) and BPF programs read memory.
    CapabilitySet::PERFMON,
    // Includes `PERFMON`.
    CapabilitySet::SYS_ADMIN,
    // `/proc/kcore` and `/dev/mem`: the memory of the whole machine.
    CapabilitySet::SYS_RAWIO,
    // Loads code into the kernel.
    CapabilitySet::SYS_MODULE,
];

static HIDDEN: OnceLock<bool> = OnceLock::new();

/// Protects this process from reads by other processes. Call once, before the first child starts.
pub fn hide_environment() {
    let locked = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok();
    let _ = HIDDEN.set(locked && children_cannot_read());
}

/// Whether children can read neither Benchdog's environment nor its memory. Known after `hide_environment`.
pub fn hides_environment() -> bool {
    HIDDEN.get().copied().unwrap_or(false)
}

/// Whether children can lose the rights to read other processes. A child of root gets all rights in the bounding set,
/// so the set must be limited. Children of other users can always give up their rights.
fn children_cannot_read() -> bool {
    let root = rustix::process::getuid().is_root() || rustix::process::geteuid().is_root();
    !root || may_lower_bound() || READING.iter().all(|right| !is_within_bound(*right))
}

fn may_lower_bound() -> bool {
    rustix::thread::capabilities(None).is_ok_and(|own| own.effective.contains(CapabilitySet::SETPCAP))
}

/// Whether the bounding set contains a right. Returns `false` for a right that this kernel does not know, because no
/// process can have it.
fn is_within_bound(right: CapabilitySet) -> bool {
    rustix::thread::capability_is_in_bounding_set(right).unwrap_or(false)
}

/// Gives up the rights in `READING`, for this thread and the programs that it becomes.
pub(super) fn give_up_reading() -> io::Result<()> {
    let bound = lower_bound();
    let all = READING
        .iter()
        .fold(CapabilitySet::empty(), |all, right| all.union(*right));
    let own = rustix::thread::capabilities(None)?;
    // A right that is removed from these sets also leaves the ambient set.
    let rest = CapabilitySets {
        effective: own.effective.difference(all),
        permitted: own.permitted.difference(all),
        inheritable: own.inheritable.difference(all),
    };
    if rest != own {
        rustix::thread::set_capabilities(None, rest)?;
    }
    bound
}

fn lower_bound() -> io::Result<()> {
    for right in READING.into_iter().filter(|right| is_within_bound(*right)) {
        rustix::thread::remove_capability_from_bounding_set(right)?;
    }
    Ok(())
}
