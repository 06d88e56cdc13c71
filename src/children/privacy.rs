//! Keeps what a child could learn of us from it: our environment and our memory, where the keys of endpoints are.
//!
//! Two locks. Marked as not dumpable, our process can be read and traced only with a right that ordinary users do not have. A child of root
//! would have that right: it gives it up before it becomes the program it was started for, for itself and for all that comes of it.
//!
//! This hides what is ours. It does not hide what another program of the same user carries in its own environment, and it does not hold against
//! what makes root all-powerful in other ways: a service, a job, a container or `core_pattern` that runs a program for root beside us, or `sudo`
//! where it asks for no password. Such lines are for the policy to judge.

use std::io;
use std::sync::OnceLock;

use rustix::process::DumpableBehavior;
use rustix::thread::{CapabilitySet, CapabilitySets};

/// The rights that let a process read another's memory, also one that is not dumpable.
///
/// Root's other rights stay: a child of root changes owners and modes, installs packages, binds ports, ends processes, and traces what it
/// started itself. What it loses with `SYS_ADMIN` is mounting and the like.
const READING: [CapabilitySet; 5] = [
    // ptrace(2), `/proc/<pid>/mem`, `/proc/<pid>/environ`.
    CapabilitySet::SYS_PTRACE,
    // On newer kernels enough to read `/proc/<pid>/environ`, and what perf(1) and BPF programs read memory with.
    CapabilitySet::PERFMON,
    // Stands for `PERFMON` wherever that is asked for.
    CapabilitySet::SYS_ADMIN,
    // `/proc/kcore` and `/dev/mem`: the memory of everybody.
    CapabilitySet::SYS_RAWIO,
    // Code in the kernel.
    CapabilitySet::SYS_MODULE,
];

static HIDDEN: OnceLock<bool> = OnceLock::new();

/// Locks what other processes could read of this one. Once, before the first child is started.
pub fn hide_environment() {
    let locked = rustix::process::set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok();
    let _ = HIDDEN.set(locked && children_cannot_read());
}

/// Whether neither our environment nor our memory can be read by the children we start. Known once `hide_environment` was called.
pub fn hides_environment() -> bool {
    HIDDEN.get().copied().unwrap_or(false)
}

/// A child of root has what the bounding set allows, whatever it had before; another keeps what it has, and that can always be given up.
fn children_cannot_read() -> bool {
    let root = rustix::process::getuid().is_root() || rustix::process::geteuid().is_root();
    !root || may_lower_bound() || READING.iter().all(|right| !is_within_bound(*right))
}

fn may_lower_bound() -> bool {
    rustix::thread::capabilities(None).is_ok_and(|own| own.effective.contains(CapabilitySet::SETPCAP))
}

/// An old kernel does not know every right. Nobody can have one that the kernel does not know.
fn is_within_bound(right: CapabilitySet) -> bool {
    rustix::thread::capability_is_in_bounding_set(right).unwrap_or(false)
}

/// Gives up the rights to read others, for this thread and every program it becomes.
pub(super) fn give_up_reading() -> io::Result<()> {
    let bound = lower_bound();
    let all = READING
        .iter()
        .fold(CapabilitySet::empty(), |all, right| all.union(*right));
    let own = rustix::thread::capabilities(None)?;
    // The ambient set follows from these.
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
