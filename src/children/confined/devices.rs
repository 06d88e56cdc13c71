//! A minimal `/dev` for programs: no disks, no memory, no terminal of the person.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::Path;

use rustix::mount::{MountFlags, mount, mount_bind};

use super::mounts::{by_number, place};
use super::plan::with_path;

const NODES: [&str; 6] = ["null", "zero", "full", "random", "urandom", "tty"];

const LINKS: [(&str, &str); 5] = [
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("pts/ptmx", "/dev/ptmx"),
];

/// Writable paths besides the configured trees: `/tmp`, shared memory, pseudoterminals and devices.
pub(super) const WRITABLE: [&str; 9] = [
    "/tmp",
    "/dev/shm",
    "/dev/pts",
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
    "/dev/tty",
];

pub(super) fn own_devices() -> io::Result<()> {
    let dev = Path::new("/dev");
    let nodes = NODES.map(|name| (dev.join(name), place(&dev.join(name))));
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    mount("tmpfs", dev, "tmpfs", flags, Some(c"mode=0755,size=65536")).map_err(|error| with_path(dev, error))?;
    for (path, node) in &nodes {
        let Ok(node) = node else { continue };
        fs::write(path, "")?;
        mount_bind(by_number(node), path).map_err(|error| with_path(path, error))?;
    }
    for (to, name) in LINKS {
        symlink(to, name)?;
    }
    fs::create_dir("/dev/shm")?;
    mount(
        "tmpfs",
        "/dev/shm",
        "tmpfs",
        flags | MountFlags::NODEV,
        Some(c"mode=1777"),
    )?;
    fs::create_dir("/dev/pts")?;
    // Without this mount the program has no terminals, which is no security risk.
    let _ = mount(
        "devpts",
        "/dev/pts",
        "devpts",
        flags,
        Some(c"newinstance,ptmxmode=0666,mode=0620"),
    );
    Ok(())
}
