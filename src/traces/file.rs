//! The log files: `benchdog.log`, and rotated files such as `benchdog.1.log`, which is the newest of them. All
//! processes append to the same files. If the file is full, a process rotates it under a lock on the folder.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

const FOLDER_MODE: u32 = 0o700;
const FILE_MODE: u32 = 0o600;

const CURRENT: &str = "benchdog.log";

pub(super) fn last_lines(folder: &Path, bytes: u64) -> io::Result<Option<String>> {
    let mut file = match File::open(folder.join(CURRENT)) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let begin = file.metadata()?.len().saturating_sub(bytes);
    file.seek(SeekFrom::Start(begin))?;
    let mut read = Vec::new();
    file.take(bytes).read_to_end(&mut read)?;
    let text = String::from_utf8_lossy(&read);
    let whole = match begin {
        0 => &*text,
        // The first line may be incomplete.
        _ => text.split_once('\n').map_or("", |(_, rest)| rest),
    };
    Ok(Some(whole.to_owned()))
}

pub(super) struct LogFile {
    folder: PathBuf,
    max_bytes: u64,
    files: u64,
    open: Option<File>,
    /// Whether a write failed, so that the file may end inside a line.
    torn: bool,
}

impl LogFile {
    /// Creates the writer. The first write opens the file.
    pub(super) fn new(folder: &Path, max_bytes: u64, files: u64) -> Self {
        Self {
            folder: folder.to_path_buf(),
            max_bytes,
            files,
            open: None,
            torn: false,
        }
    }

    /// Appends whole lines. After an error, the next call reopens the file.
    pub(super) fn write(&mut self, lines: &[u8]) -> io::Result<()> {
        let mut rest = lines;
        while !rest.is_empty() {
            let length = self.current()?.metadata()?.len();
            let fits = fitting(rest, self.max_bytes.saturating_sub(length));
            // A line that is longer than the size limit gets a separate file.
            let (now, later) = match (fits, length) {
                (0, 1..) => {
                    self.put_aside()?;
                    continue;
                }
                (0, 0) => rest.split_at(first_line(rest)),
                (fits, _) => rest.split_at(fits),
            };
            self.append(now)?;
            rest = later;
        }
        Ok(())
    }

    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let torn = std::mem::take(&mut self.torn);
        let Some(file) = &mut self.open else { return Ok(()) };
        let begun = if torn { file.write_all(b"\n") } else { Ok(()) };
        begun.and_then(|()| file.write_all(lines)).inspect_err(|_| {
            self.torn = true;
            self.open = None;
        })
    }

    /// Returns the current file. Reopens the file if another process has rotated it.
    fn current(&mut self) -> io::Result<&File> {
        let path = self.folder.join(CURRENT);
        let ours = match &self.open {
            Some(file) => is_at(file, &path)?,
            None => false,
        };
        if !ours {
            close_to_others(&self.folder)?;
            self.open = Some(open_private(&path)?);
        }
        self.open
            .as_ref()
            .ok_or_else(|| io::Error::other("the log is not open"))
    }

    /// Rotates the files: increases the number in each name, and deletes the oldest file.
    fn put_aside(&mut self) -> io::Result<()> {
        let Some(file) = self.open.take() else { return Ok(()) };
        let folder = File::open(&self.folder)?;
        match folder.try_lock() {
            Ok(()) => {}
            // Another process is rotating. Wait for it, then check again.
            Err(TryLockError::WouldBlock) => return folder.lock(),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        if is_at(&file, &self.folder.join(CURRENT))? {
            self.count_up()?;
        }
        Ok(())
    }

    fn count_up(&self) -> io::Result<()> {
        for number in self.numbers()? {
            if number.saturating_add(1) >= self.files {
                fs::remove_file(self.aside(number))?;
            } else {
                fs::rename(self.aside(number), self.aside(number + 1))?;
            }
        }
        let current = self.folder.join(CURRENT);
        if self.files > 1 {
            fs::rename(current, self.aside(1))
        } else {
            fs::remove_file(current)
        }
    }

    fn numbers(&self) -> io::Result<Vec<u64>> {
        let mut numbers: Vec<u64> = Vec::new();
        for item in fs::read_dir(&self.folder)? {
            let name = item?.file_name();
            let name = name.to_str().unwrap_or_default();
            let number = name
                .strip_prefix("benchdog.")
                .and_then(|rest| rest.strip_suffix(".log"));
            // Match only names that Benchdog creates, so not `benchdog.01.log`.
            let number = number.and_then(|number| number.parse::<u64>().ok());
            numbers.extend(number.filter(|number| *name == format!("benchdog.{number}.log")));
        }
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        Ok(numbers)
    }

    fn aside(&self, number: u64) -> PathBuf {
        self.folder.join(format!("benchdog.{number}.log"))
    }
}

fn fitting(lines: &[u8], room: u64) -> usize {
    let room = usize::try_from(room).unwrap_or(usize::MAX).min(lines.len());
    let inside = lines.get(..room).unwrap_or(lines);
    inside.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

fn first_line(lines: &[u8]) -> usize {
    lines
        .iter()
        .position(|byte| *byte == b'\n')
        .map_or(lines.len(), |at| at + 1)
}

fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    let ours = file.metadata()?;
    Ok(fs::symlink_metadata(path).is_ok_and(|named| (named.dev(), named.ino()) == (ours.dev(), ours.ino())))
}

/// Creates the folder with access for its owner only. Refuses a symbolic link, because other users may own its target.
fn close_to_others(folder: &Path) -> io::Result<()> {
    if fs::symlink_metadata(folder).is_ok_and(|found| found.is_symlink()) {
        return Err(io::Error::other(format!("`{}` is a link", folder.display())));
    }
    DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder)?;
    if fs::metadata(folder)?.permissions().mode() & 0o777 != FOLDER_MODE {
        fs::set_permissions(folder, Permissions::from_mode(FOLDER_MODE))?;
    }
    Ok(())
}

/// Opens a file with access for its owner only, for appending. Does not follow a symbolic link.
fn open_private(path: &Path) -> io::Result<File> {
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let file = OpenOptions::new()
        .append(true)
        .create(true)
        .mode(FILE_MODE)
        .custom_flags(flags.bits().cast_signed())
        .open(path)?;
    let found = file.metadata()?;
    if !found.is_file() {
        return Err(io::Error::other(format!("`{}` is no file", path.display())));
    }
    if found.permissions().mode() & 0o777 != FILE_MODE {
        file.set_permissions(Permissions::from_mode(FILE_MODE))?;
    }
    Ok(file)
}

#[cfg(test)]
mod tests;
