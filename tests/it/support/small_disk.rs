//! A real file system of a few megabytes, mounted only for the binary at one folder of a home. Also limits of the file
//! size.

use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use super::home::{Home, binary};
use super::process::{Finished, Running};

/// A mounted disk. Dropping it unmounts it.
pub struct SmallDisk {
    holder: Child,
    folder: PathBuf,
}

const MOUNT: &str = "mkdir -p \"$0\" && mount -t tmpfs -o \"$1\" tmpfs \"$0\" && echo ready && exec cat";

impl SmallDisk {
    /// Mounts an empty disk at a folder of the home, such as `benchdog/data`, with options such as `size=4m`. If
    /// mounting is impossible, prints the reason and returns `None`.
    #[expect(
        clippy::print_stdout,
        reason = "a check that is left out says so in the report of its test"
    )]
    pub fn at(home: &mut Home, folder: &str, options: &str) -> Option<Self> {
        let (folder, project) = (home.outside().join(folder), home.project());
        let holder = Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", MOUNT])
            .arg(&folder)
            .arg(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut disk = Self {
            holder: holder.ok()?,
            folder,
        };
        let mut ready = [0; 6];
        let said = disk.holder.stdout.as_mut()?.read_exact(&mut ready);
        if said.is_err() {
            println!("not checked: no file system can be mounted here");
            return None;
        }
        let inside = [
            "nsenter",
            "--target",
            &disk.holder.id().to_string(),
            "--user",
            "--mount",
            "--preserve-credentials",
            "sh",
            "-c",
            "cd \"$0\" && exec \"$@\"",
            &project.to_string_lossy(),
        ];
        home.program.splice(0..0, inside.map(str::to_owned));
        Some(disk)
    }

    /// Maps a path on the disk to a path for the test process.
    pub fn path(&self, relative: &str) -> PathBuf {
        let place = self.folder.strip_prefix("/").expect("an absolute folder");
        let root = PathBuf::from(format!("/proc/{}/root", self.holder.id()));
        root.join(place).join(relative)
    }

    pub fn free(&self) -> u64 {
        let disk = rustix::fs::statvfs(self.path("")).expect("a disk");
        disk.f_bavail * disk.f_frsize
    }

    /// Fills the disk except for `leave` bytes.
    pub fn fill(&self, leave: u64) {
        let ballast = vec![b'x'; usize::try_from(self.free().saturating_sub(leave)).expect("a small disk")];
        // The program may use some space in the meantime.
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.path("ballast"))
            .expect("a file on it");
        if let Err(error) = file.write_all(&ballast) {
            assert_eq!(error.kind(), std::io::ErrorKind::StorageFull, "{error}");
        }
    }

    pub fn forbid_writing(&self) {
        let pid = self.holder.id().to_string();
        let remounted = Command::new("nsenter")
            .args(["--target", &pid, "--user", "--mount", "--preserve-credentials"])
            .args(["mount", "-o", "remount,ro"])
            .arg(&self.folder)
            .status();
        assert!(remounted.expect("nsenter").success(), "the disk is read-only");
    }

    pub fn relieve(&self) {
        std::fs::remove_file(self.path("ballast")).expect("the ballast");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // The holder ends when its input is closed, even if this test is killed.
        drop(self.holder.stdin.take());
        let _ = self.holder.wait();
    }
}

impl Home {
    /// Like `run`, with a maximum file size in blocks of 512 bytes.
    pub fn run_on_small_disk(&self, blocks: u32, arguments: &[&str]) -> Finished {
        self.run_limited(&format!("ulimit -f {blocks}; exec \"$@\""), arguments)
    }

    /// Like `run_on_small_disk`, with the output in a file of limited size.
    pub fn run_into_small_file(&self, blocks: u32, arguments: &[&str]) -> Finished {
        self.run_limited(&format!("ulimit -f {blocks}; exec \"$@\" > printed"), arguments)
    }

    fn run_limited(&self, script: &str, arguments: &[&str]) -> Finished {
        let mut command = Command::new("sh");
        command.args(["-c", script, "sh"]).arg(binary()).args(arguments);
        Running::spawn(self.at_home(command), None).wait()
    }
}
