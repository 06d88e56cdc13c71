//! The inner process of the property test, which is the first process of its namespaces. Its root has only the system's
//! programs (read-only) and the folder, under a fresh overlay for each line.
//!
//! The machine is not reachable: the old root is unmounted, and there are no devices and no network.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_bind, mount_bind_recursive, mount_change,
    mount_remount, unmount,
};
use rustix::process::{Pid, Signal, WaitOptions, kill_process, pivot_root, wait};

use super::changes;
use super::world::clean;

/// Folders of the machine to mount, if they exist.
const SYSTEM: [&str; 8] = ["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc"];
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];

/// Runs the lines in `lines` (a JSON list) in `folder`, and writes one answer per line to `answers`.
pub fn serve(folder: &Path, lines: &Path, answers: &Path, root: &Path) -> std::io::Result<()> {
    let lines: Vec<String> = serde_json::from_slice(&std::fs::read(lines)?)?;
    let mut answers = File::create(answers)?;
    enter(folder, root)?;
    for (number, line) in lines.iter().enumerate() {
        let found = one(folder, number, line)?;
        writeln!(answers, "{}", serde_json::to_string(&found)?)?;
    }
    Ok(())
}

fn enter(folder: &Path, root: &Path) -> std::io::Result<()> {
    let quiet = MountFlags::NOSUID | MountFlags::NODEV;
    mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
    mount("tmpfs", root, "tmpfs", quiet, c"size=600m")?;
    for name in SYSTEM {
        let (from, to) = (Path::new("/").join(name), root.join(name));
        if let Ok(target) = std::fs::read_link(&from) {
            std::os::unix::fs::symlink(target, to)?;
        } else if from.is_dir() {
            std::fs::create_dir(&to)?;
            mount_bind_recursive(&from, &to)?;
            mount_remount(&to, MountFlags::BIND | MountFlags::RDONLY | quiet, c"")?;
        }
    }
    for name in ["proc", "dev", "tmp", "layers", "lower", "gone"] {
        std::fs::create_dir(root.join(name))?;
    }
    mount("proc", root.join("proc"), "proc", quiet | MountFlags::NOEXEC, None)?;
    for name in DEVICES {
        let to = root.join("dev").join(name);
        File::create(&to)?;
        mount_bind(Path::new("/dev").join(name), &to)?;
    }
    for (name, target) in [("fd", ""), ("stdin", "/0"), ("stdout", "/1"), ("stderr", "/2")] {
        std::os::unix::fs::symlink(format!("/proc/self/fd{target}"), root.join("dev").join(name))?;
    }
    mount_bind(folder, root.join("lower"))?;
    mount_remount(root.join("lower"), MountFlags::BIND | MountFlags::RDONLY | quiet, c"")?;
    std::fs::create_dir_all(inner(root, folder))?;
    pivot_root(root, root.join("gone"))?;
    unmount("/gone", UnmountFlags::DETACH)?;
    rustix::process::chdir("/")?;
    Ok(())
}

fn inner(root: &Path, path: &Path) -> PathBuf {
    root.join(path.strip_prefix("/").unwrap_or(path))
}

fn one(folder: &Path, number: usize, line: &str) -> std::io::Result<Vec<changes::Change>> {
    let layer = PathBuf::from(format!("/layers/{number}"));
    let (upper, scratch) = (layer.join("upper"), layer.join("scratch"));
    std::fs::create_dir_all(&upper)?;
    std::fs::create_dir_all(&scratch)?;
    let data = format!(
        "lowerdir=/lower,upperdir={},workdir={},userxattr\0",
        upper.display(),
        scratch.display()
    );
    let data = std::ffi::CStr::from_bytes_with_nul(data.as_bytes()).map_err(std::io::Error::other)?;
    mount(
        "overlay",
        folder,
        "overlay",
        MountFlags::NOSUID | MountFlags::NODEV,
        data,
    )?;
    let limits = [
        "--nproc=200",
        "--as=3000000000",
        "--fsize=20000000",
        "--cpu=2",
        "--core=0",
    ];
    let mut command = Command::new("prlimit");
    clean(&mut command, &folder.join("user"))
        .args(limits)
        .args(["timeout", "-s", "KILL", "1", "bash", "-c", line])
        .current_dir(folder.join("project"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()?;
    end_all();
    unmount(folder, UnmountFlags::DETACH)?;
    let found = changes::between(Path::new("/lower"), &upper)?;
    std::fs::remove_dir_all(&layer)?;
    Ok(found)
}

/// Kills all remaining processes. They all belong to the line.
fn end_all() {
    loop {
        let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let others: Vec<Pid> = processes
            .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?))
            .filter(|pid| *pid != Pid::INIT)
            .collect();
        if others.is_empty() {
            return;
        }
        for pid in others {
            let _ = kill_process(pid, Signal::KILL);
        }
        while let Ok(Some(_)) = wait(WaitOptions::NOHANG) {}
    }
}
