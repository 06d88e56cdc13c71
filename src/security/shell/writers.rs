//! File writes: redirections, and options and operands that name output files.

use std::path::Path;

use super::state::{Field, OtherName, UNKNOWN, is_open, show};
use super::texts::glob_matches;
use super::walk::Walker;
use crate::steering::is_obeyed;
use benchdog_base::text::last_part;
use benchdog_domain::command::{Placed, Put};
use benchdog_domain::permission::CommandClass;

const HARMLESS_DEVICES: &str = "/dev/null /dev/stdout /dev/stderr /dev/tty /dev/zero /dev/full";

/// Name prefixes of whole disks.
const DISKS: &str = "sd hd vd xvd nvme mmcblk disk rdisk md dm- mapper/ loop";

/// Folders whose files control other programs. Even a new file in them needs approval.
const SYSTEM_FOLDERS: &str = "/etc/ /usr/ /bin/ /sbin/ /lib/ /lib64/ /boot/ /root/ /var/spool/ /var/lib/ /opt/";

impl Walker<'_> {
    /// Records that `command` opens this file for writing. With `appends`, the old content remains.
    pub(super) fn write_to(&mut self, target: &Field, command: &Field, appends: bool) {
        self.put_at(target, command, appends, Put::Known);
    }

    /// Works like `write_to`, for targets that may also be links or copied folders.
    pub(super) fn put_at(&mut self, target: &Field, command: &Field, appends: bool, put: Put) {
        let shown = [command.clone()];
        let Some(path) = target.path() else {
            self.reads_only = false;
            let name = show(std::slice::from_ref(target));
            if target.text.starts_with("/dev/") {
                self.danger(&shown, &format!("writes to a device, `{name}`"));
            } else {
                self.unknown(&shown, &format!("writes to a file whose name is not known, `{name}`"));
            }
            return;
        };
        // Do not ignore `-`. Some programs use it for standard output, others as a file name.
        if path.is_empty()
            || HARMLESS_DEVICES.split(' ').any(|device| device == path)
            || matches!(&*path, "/dev/fd/1" | "/dev/fd/2")
        {
            return;
        }
        self.reads_only = false;
        let clean = clean(&path);
        if clean.starts_with("/dev/tcp/") || clean.starts_with("/dev/udp/") {
            self.external(&shown, "sends to a network address");
            return;
        }
        if is_disk(&clean) {
            self.catastrophe(&shown, &format!("writes over the disk `{path}`"));
            return;
        }
        if ["/dev/", "/proc/", "/sys/"]
            .iter()
            .any(|start| clean.starts_with(start))
            && !clean.starts_with("/dev/shm/")
        {
            self.danger(&shown, &format!("writes to `{path}`, a device or a part of the system"));
            return;
        }
        self.writes.push(path.clone());
        // The line may later read or run the same file under another name.
        if path.starts_with('/') {
            self.state.doubt_names(OtherName::WholePath);
        }
        self.written += usize::from(!is_report(&path));
        self.place(&path, put);
        if is_sensitive(&clean, put) {
            self.danger(&shown, &format!("writes to `{path}`, which other programs act on"));
            return;
        }
        self.write_in_folder(target, &path, &shown, appends, put);
    }

    /// Records every possible location of a written path, for the check of files that control other programs.
    fn place(&mut self, path: &str, put: Put) {
        let places = self.state.places(path).into_iter();
        self.placed.extend(places.map(|path| Placed { path, put }));
    }

    /// Whether this file exists at all its possible locations.
    pub(super) fn is_there(&self, field: &Field) -> bool {
        let places = field.known().map(|path| self.state.places(path)).unwrap_or_default();
        !places.is_empty() && places.iter().all(|place| self.world.exists(place))
    }

    fn write_in_folder(&mut self, target: &Field, path: &str, shown: &[Field], appends: bool, put: Put) {
        let places = self.state.places(path);
        if places.is_empty() {
            self.unknown(shown, &format!("writes `{path}` in a folder that is not known"));
            return;
        }
        if let Some(other) = self.state.other_name {
            self.unknown(shown, &not_followed(path, other));
        }
        if target.glob && places.iter().any(|place| self.glob_exists(place)) {
            self.danger(shown, &format!("overwrites a file that `{path}` fits"));
            return;
        }
        if path.starts_with('~') {
            self.unknown(shown, &format!("writes `{path}` outside the workspace"));
            return;
        }
        let made_here = |place: &String| self.state.written(place).is_some();
        // In `new/../file`, this line may create `new`, so the path without `new/..` is checked too.
        let exists = |place: &String| {
            [place.clone(), clean(place)]
                .iter()
                .any(|place| self.world.exists(place) && !self.world.is_folder(place))
        };
        if places.iter().any(|place| is_sensitive(&clean(place), put)) {
            self.danger(shown, &format!("writes to `{path}`, which other programs act on"));
        } else if places.iter().any(exists) {
            if appends && places.iter().any(|place| leads_out(place)) {
                self.unknown(shown, &format!("writes `{path}` outside the folder it runs in"));
            } else if appends {
                self.note_of(CommandClass::Plain, shown, &format!("appends to `{path}`"));
            } else {
                self.danger(shown, &format!("overwrites `{path}`, which exists"));
            }
        } else if !places.iter().any(made_here) && places.iter().any(|place| leads_out(place)) {
            self.unknown(shown, &format!("writes `{path}` outside the folder it runs in"));
        }
    }

    /// Records that a command creates files with unknown names in this folder.
    pub(super) fn write_below(&mut self, folder: &Field, fields: &[Field]) {
        let below = |place: &str| {
            let inside = format!("{}/x", clean(place));
            let root = clean(place).is_empty();
            is_sensitive(&inside, Put::Known) || !root && is_sensitive(&clean(place), Put::Unseen)
        };
        self.write_in(folder, fields, Put::Unseen, below);
    }

    /// Records that a command creates a folder with known content.
    pub(super) fn make_folder(&mut self, folder: &Field, fields: &[Field]) {
        self.write_in(folder, fields, Put::Known, |place| {
            is_reserved(&format!("{}/x", clean(place)))
        });
    }

    fn write_in(&mut self, folder: &Field, fields: &[Field], put: Put, sensitive: impl Fn(&str) -> bool) {
        self.reads_only = false;
        let Some(path) = folder.path() else {
            self.unknown(fields, "writes in a folder that is not known");
            return;
        };
        self.writes.push(path.clone());
        self.place(&path, put);
        let places = self.state.places(&path);
        if places.iter().map(String::as_str).chain([path.as_str()]).any(sensitive) {
            self.danger(
                fields,
                &format!("writes in `{path}`, whose files other programs act on"),
            );
        } else if places.is_empty() || path.starts_with('~') || places.iter().any(|place| leads_out(place)) {
            self.unknown(fields, &format!("writes in `{path}`, outside the folder it runs in"));
        } else if let Some(other) = self.state.other_name {
            self.unknown(fields, &not_followed(&path, other));
        }
    }

    /// Whether a name matches a pattern in the last part of the path.
    fn glob_exists(&self, place: &str) -> bool {
        let (folder, pattern) = place.rsplit_once('/').unwrap_or(("", place));
        if folder.contains(['*', '?', '[']) {
            return true;
        }
        self.names(folder).iter().any(|name| glob_matches(pattern, name))
    }

    pub(super) fn write_all(&mut self, targets: &[Field], fields: &[Field], appends: bool) {
        self.put_all(targets, fields, appends, Put::Known);
    }

    pub(super) fn put_all(&mut self, targets: &[Field], fields: &[Field], appends: bool, put: Put) {
        let command = Field::of(show(fields));
        for target in targets {
            self.put_at(target, &command, appends, put);
        }
    }

    /// Records a write into a folder, under the name of the source.
    pub(super) fn write_into(&mut self, folder: &Field, source: &Field, fields: &[Field]) {
        let text = if is_open(&source.text) {
            format!("{}/{UNKNOWN}", folder.text.trim_end_matches('/'))
        } else {
            let name = last_part(source.text.trim_end_matches('/'));
            format!("{}/{name}", folder.text.trim_end_matches('/'))
        };
        let target = Field {
            text,
            glob: source.glob || folder.glob,
            ..Field::default()
        };
        self.write_all(&[target], fields, false);
    }

    pub(super) fn is_folder(&self, path: &str) -> bool {
        path.ends_with('/') || self.state.places(path).iter().any(|place| self.world.is_folder(place))
    }
}

/// Removes `//`, `.` and `..` from a path, without access to the disk.
pub(crate) fn clean(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if path.starts_with('/') => {}
            other => parts.push(other),
        }
    }
    let start = if path.starts_with('/') { "/" } else { "" };
    format!("{start}{}", parts.join("/"))
}

/// Whether a path is an open file descriptor, such as `/dev/fd/3`.
pub(super) fn is_descriptor(path: &str) -> bool {
    let number = path.strip_prefix("/dev/fd/").unwrap_or("");
    !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
}

pub(super) fn is_disk(clean: &str) -> bool {
    clean
        .strip_prefix("/dev/")
        .is_some_and(|name| DISKS.split_whitespace().any(|disk| name.starts_with(disk)))
}

fn not_followed(path: &str, other: OtherName) -> String {
    match other {
        OtherName::WholePath => format!("where `{path}` leads is not known, as the line writes by a whole path"),
        OtherName::Copied => format!("where `{path}` leads is not known, as the line copies what may be a link"),
        OtherName::Linked => format!("where `{path}` leads is not known, as the line makes links"),
    }
}

/// Whether a location is outside the workspace and the temporary folders, so that writing there needs approval.
fn leads_out(place: &str) -> bool {
    let clean = clean(place);
    clean.starts_with("..")
        || (clean.starts_with('/') && !clean.starts_with("/tmp/") && !clean.starts_with("/dev/shm/"))
}

/// Whether a file is a report, which no build tool reads.
fn is_report(path: &str) -> bool {
    [".log", ".txt", ".out"].iter().any(|ending| path.ends_with(ending))
}

fn is_sensitive(path: &str, put: Put) -> bool {
    is_reserved(path) || is_obeyed(Path::new(path), put)
}

/// Whether even a new folder here needs approval: in system folders, home folders, the repository or Benchdog's
/// folders.
fn is_reserved(path: &str) -> bool {
    const OURS: &[&str] = &[
        ".benchdog",
        ".ssh",
        ".husky",
        ".pypirc",
        ".netrc",
        ".direnv",
        "authorized_keys",
    ];
    let own = |part: &str| part.eq_ignore_ascii_case(".git") || OURS.contains(&part);
    SYSTEM_FOLDERS.split_whitespace().any(|folder| path.starts_with(folder))
        || path.split('/').any(own)
        || (path.starts_with("~/.") || path.starts_with("/home/") && path.contains("/."))
}
