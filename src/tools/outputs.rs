//! Stores long outputs in cache files named `outputs/SESSION/bash-ID.txt`. Deletes the oldest files when their total
//! size or number exceeds a limit, or when the disk is nearly full.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use super::Refusal;
use benchdog_base::clock::Time;
use benchdog_base::disk;
use benchdog_base::id::{SessionId, fresh};
use benchdog_base::text::grouped;
use benchdog_security::redact::Redactor;
use benchdog_security::workspace::WorkPath;

pub const MOST_OF_ONE: u64 = 64 << 20;
/// Maximum bytes of a background job's stored output. Small, because several jobs may run at once.
pub const MOST_OF_JOB: u64 = 8 << 20;
pub const MOST_OF_SESSION: Most = Most {
    bytes: 256 << 20,
    files: 1_000,
};
pub const MOST_OF_ALL: Most = Most {
    bytes: 1 << 30,
    files: 4_000,
};
/// The default of `cache.days`.
pub const DAYS: u64 = 30;

const BETWEEN_LOOKS: u64 = 1 << 20;

/// Prefixes of file names: `bash-` for command output, `task-` for other long results, such as answers of subagents.
const COMMAND: &str = "bash-";
const ANSWER: &str = "task-";
const ENDS: &str = ".txt";

#[derive(Debug, Clone, Copy)]
pub struct Most {
    pub bytes: u64,
    pub files: u64,
}

#[derive(Debug, Clone)]
pub struct Outputs {
    all: PathBuf,
    own: PathBuf,
    days: u64,
}

pub fn folder(cache: &Path) -> PathBuf {
    cache.join("outputs")
}

/// Deletes the outputs of all sessions. Returns whether any existed.
pub fn forget_all(cache: &Path) -> bool {
    let all: Vec<Stored> = folders_in(&folder(cache))
        .iter()
        .flat_map(|own| outputs_in(own))
        .collect();
    all.iter().for_each(Stored::remove);
    !all.is_empty()
}

pub(super) fn gone(path: &WorkPath) -> Refusal {
    Refusal::new(
        "not_found",
        format!(
            "`{}` held the whole output of a command and was removed: the oldest outputs are removed when space runs out. \
             Run the command again if you need it.",
            path.shown()
        ),
    )
}

/// Truncates a text to `most` characters. Stores a longer text, without secrets, in a file, and appends its path.
pub(super) fn kept_whole(text: String, most: usize, outputs: &Outputs, redactor: &Redactor) -> (String, bool) {
    if text.char_indices().nth(most).is_none() {
        return (text, false);
    }
    // Redact before truncating, because an incomplete secret at the cut would not be recognised.
    let text = redactor.text(&text);
    let Some((end, _)) = text.char_indices().nth(most) else {
        return (text.into_owned(), false);
    };
    let (shown, rest) = text.split_at(end);
    let place = match keep(&text, outputs) {
        Ok(path) => format!("the whole is in {path}; read it with `read`"),
        Err(error) => format!("the whole could not be kept: {error}"),
    };
    let more = grouped(rest.chars().count() as u64);
    (format!("{shown}\n[… {more} more characters; {place} …]"), true)
}

fn keep(text: &str, outputs: &Outputs) -> io::Result<String> {
    let mut output = outputs.begin_answer()?;
    if let Err(error) = output.write(text) {
        output.remove();
        return Err(error);
    }
    Ok(output.end()?.0.display().to_string())
}

impl Outputs {
    pub fn of(cache: &Path, session: &SessionId) -> Self {
        let all = folder(cache);
        Self {
            own: all.join(&session.0),
            all,
            days: DAYS,
        }
    }

    pub fn kept_for(self, days: u64) -> Self {
        Self { days, ..self }
    }

    pub(super) fn begin(&self) -> io::Result<Output> {
        self.begin_as(COMMAND, MOST_OF_ONE)
    }

    pub(super) fn begin_up_to(&self, most: u64) -> io::Result<Output> {
        self.begin_as(COMMAND, most)
    }

    pub(super) fn begin_answer(&self) -> io::Result<Output> {
        self.begin_as(ANSWER, MOST_OF_ONE)
    }

    fn begin_as(&self, begins: &str, most: u64) -> io::Result<Output> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.own)?;
        self.make_room();
        has_room(&self.own, BETWEEN_LOOKS)?;
        // Create the folder again, because another process may have deleted it while space was freed.
        DirBuilder::new().recursive(true).mode(0o700).create(&self.own)?;
        // The id begins with the time, so the names sort by age.
        let path = self.own.join(format!("{begins}{}{ENDS}", fresh()));
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)?;
        Ok(Output {
            path,
            file: BufWriter::new(file),
            most,
            written: 0,
            room_until: BETWEEN_LOOKS,
        })
    }

    /// Whether the path has the form of a stored output.
    pub(super) fn is_one(&self, path: &Path) -> bool {
        let of_all = fs::canonicalize(&self.all).unwrap_or_else(|_| self.all.clone());
        let two = path
            .strip_prefix(of_all)
            .ok()
            .filter(|rest| rest.components().count() == 2);
        two.and_then(Path::file_name)
            .is_some_and(|name| is_ours(&name.to_string_lossy()))
    }

    pub fn forget(&self) {
        outputs_in(&self.own).iter().for_each(Stored::remove);
    }

    /// Deletes expired files, then the oldest files until there is room for another one.
    fn make_room(&self) {
        let mut all: Vec<Stored> = folders_in(&self.all).iter().flat_map(|own| outputs_in(own)).collect();
        all.sort_by(|one, other| other.order().cmp(&one.order()));
        let oldest = Time::now()
            .0
            .saturating_sub(i64::try_from(self.days.saturating_mul(86_400_000)).unwrap_or(i64::MAX));
        let (mut own, mut sum) = (Sum::of_one_more(), Sum::of_one_more());
        all.retain(|stored| {
            let is_own = stored.path.starts_with(&self.own);
            let stays = stored.changed >= oldest
                && sum.count(stored.bytes, MOST_OF_ALL)
                && (!is_own || own.count(stored.bytes, MOST_OF_SESSION));
            if !stays {
                stored.remove();
            }
            stays
        });
        while !disk::has_room(&self.all, BETWEEN_LOOKS)
            && let Some(oldest) = all.pop()
        {
            oldest.remove();
        }
    }
}

fn has_room(path: &Path, bytes: u64) -> io::Result<()> {
    let full = || io::Error::new(io::ErrorKind::StorageFull, "the disk is nearly full");
    disk::has_room(path, bytes).then_some(()).ok_or_else(full)
}

struct Sum {
    bytes: u64,
    files: u64,
}

impl Sum {
    fn of_one_more() -> Self {
        Self {
            bytes: MOST_OF_ONE,
            files: 1,
        }
    }

    fn count(&mut self, bytes: u64, most: Most) -> bool {
        self.bytes = self.bytes.saturating_add(bytes);
        self.files += 1;
        self.bytes <= most.bytes && self.files <= most.files
    }
}

struct Stored {
    path: PathBuf,
    name: String,
    bytes: u64,
    changed: i64,
}

impl Stored {
    fn order(&self) -> (i64, &str) {
        (self.changed, &self.name)
    }

    fn remove(&self) {
        // Ignore an error, because another process may have deleted the file.
        let _ = fs::remove_file(&self.path);
        // Removes the folder only if it is empty.
        let _ = self.path.parent().map(fs::remove_dir);
    }
}

fn folders_in(all: &Path) -> Vec<PathBuf> {
    let items = fs::read_dir(all).into_iter().flatten().flatten();
    let folders = items.filter(|item| item.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|item| item.path()).collect()
}

fn outputs_in(own: &Path) -> Vec<Stored> {
    let is_folder = fs::symlink_metadata(own).is_ok_and(|found| found.is_dir());
    let items = is_folder.then(|| fs::read_dir(own)).into_iter().flatten();
    let stored = items.flatten().flatten().filter_map(|item| {
        let name = item.file_name().into_string().ok()?;
        let found = item.metadata().ok()?;
        (is_ours(&name) && found.is_file()).then(|| Stored {
            path: item.path(),
            name,
            bytes: found.len(),
            changed: found
                .mtime()
                .saturating_mul(1_000)
                .saturating_add(found.mtime_nsec() / 1_000_000),
        })
    });
    stored.collect()
}

fn is_ours(name: &str) -> bool {
    (name.starts_with(COMMAND) || name.starts_with(ANSWER)) && name.ends_with(ENDS)
}

pub(super) struct Output {
    path: PathBuf,
    file: BufWriter<File>,
    most: u64,
    written: u64,
    /// Value of `written` at which to check the free disk space again.
    room_until: u64,
}

impl Output {
    /// Appends text unless the file is full. After an error, the caller must call `remove`.
    pub(super) fn write(&mut self, text: &str) -> io::Result<()> {
        if self.is_full() {
            return Ok(());
        }
        let more = text.len() as u64;
        self.written += more;
        if self.written > self.room_until {
            has_room(&self.path, more + BETWEEN_LOOKS)?;
            self.room_until = self.written + BETWEEN_LOOKS;
        }
        self.file.write_all(text.as_bytes())
    }

    pub(super) fn is_full(&self) -> bool {
        self.written >= self.most
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn written(&self) -> u64 {
        self.written
    }

    /// Reads at most `most` bytes from an offset, even from a deleted file.
    pub(super) fn read(&mut self, from: u64, most: usize) -> io::Result<Vec<u8>> {
        self.file.flush()?;
        let there = usize::try_from(self.written.saturating_sub(from)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; most.min(there)];
        self.file.get_ref().read_exact_at(&mut bytes, from)?;
        Ok(bytes)
    }

    pub(super) fn close(&mut self, end: &str) -> io::Result<()> {
        self.file.write_all(end.as_bytes())?;
        self.file.flush()
    }

    /// Finishes the file, and returns its path and size. Deletes the file after an error.
    pub(super) fn end(mut self) -> io::Result<(PathBuf, u64)> {
        let ended = self.file.flush().and_then(|()| self.is_there());
        match ended {
            Ok(()) => Ok((self.path, self.written)),
            Err(error) => {
                self.remove();
                Err(error)
            }
        }
    }

    /// Checks that the file still exists. Another process may have deleted the file to make room for newer files.
    fn is_there(&self) -> io::Result<()> {
        let (named, ours) = (fs::symlink_metadata(&self.path)?, self.file.get_ref().metadata()?);
        if (named.dev(), named.ino()) == (ours.dev(), ours.ino()) {
            return Ok(());
        }
        Err(io::ErrorKind::NotFound.into())
    }

    pub(super) fn remove(self) {
        // Discard buffered data, because dropping the writer would try to write it.
        drop(self.file.into_parts());
        let _ = fs::remove_file(self.path);
    }
}

#[cfg(test)]
mod tests;
