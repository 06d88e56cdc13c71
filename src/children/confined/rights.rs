//! The capabilities of root that a confined program retains.

use std::io;

use rustix::thread::{CapabilitySet, CapabilitySets};

/// Capabilities that root keeps inside the sandbox: owning files, changing owners and modes, switching users. Landlock
/// and the read-only mounts still limit the writable paths.
const KEPT: CapabilitySet = CapabilitySet::CHOWN
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::FSETID)
    .union(CapabilitySet::KILL)
    .union(CapabilitySet::SETGID)
    .union(CapabilitySet::SETUID);

/// Capabilities that `init` needs for setup. An overlay uses the rights of the process that mounted it, and only root
/// can open the overlay's work folders.
const SETUP: CapabilitySet = CapabilitySet::SYS_ADMIN
    .union(CapabilitySet::NET_ADMIN)
    .union(CapabilitySet::SETPCAP)
    .union(CapabilitySet::DAC_OVERRIDE)
    .union(CapabilitySet::FOWNER)
    .union(CapabilitySet::CHOWN);

/// Retains the rights in `SETUP`. In a new user namespace, the process has all rights, but `exec` would clear them.
pub(super) fn keep_for_setup() -> io::Result<()> {
    let own = rustix::thread::capabilities(None)?;
    let inheritable = own.inheritable.union(SETUP);
    rustix::thread::set_capabilities(None, CapabilitySets { inheritable, ..own })?;
    for right in SETUP.iter() {
        rustix::thread::configure_capability_in_ambient_set(right, true)?;
    }
    Ok(())
}

/// Gives up all rights except `KEPT`, permanently.
pub(super) fn give_up() -> io::Result<()> {
    rustix::thread::clear_ambient_capability_set()?;
    let own = rustix::thread::capabilities(None)?;
    let root = rustix::process::geteuid().is_root();
    let kept = if root { KEPT } else { CapabilitySet::empty() };
    if own.effective.contains(CapabilitySet::SETPCAP) {
        // Skip rights that this kernel does not know, because no process can have them.
        let within = |right: &CapabilitySet| rustix::thread::capability_is_in_bounding_set(*right).unwrap_or(false);
        for right in CapabilitySet::all().difference(kept).iter().filter(within) {
            rustix::thread::remove_capability_from_bounding_set(right)?;
        }
    }
    let rest = CapabilitySets {
        effective: own.effective.intersection(kept),
        permitted: own.permitted.intersection(kept),
        inheritable: CapabilitySet::empty(),
    };
    rustix::thread::set_capabilities(None, rest)?;
    rustix::thread::set_no_new_privs(true)?;
    Ok(())
}
