//! Applying a patch to a set of files that is only imagined: nothing is written here.

use std::collections::BTreeMap;
use std::ops::Range;

use super::explain::{failure, note};
use super::locate::{Search, Spot};
use super::{Action, Bytes, FilePatch, Name, Patch, PatchError, PatchHunk, PatchLine, Sign};
use crate::diff::lines::{LineEnd, dominant_end, split, split_end};
use crate::diff::text::{BOM, Encoding};

/// The files as they are. A path that must not be used is an error.
pub(crate) trait Files {
    /// `None`: there is no such file.
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError>;
}

/// What a patch comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Applied {
    pub(crate) files: Vec<FileEdit>,
}

/// One file before and after. A file that only moved has equal bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileEdit {
    pub(crate) path: String,
    /// Where it came from; `kept` says whether that file stays.
    pub(crate) from: Option<Source>,
    pub(crate) before: Option<Bytes>,
    pub(crate) after: Option<Bytes>,
    pub(crate) mode: Option<u32>,
    /// Offsets and fuzz, in words.
    pub(crate) notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Renamed(String),
    Copied(String),
}

/// Applies every file of the patch, in order, or none.
pub(crate) fn apply(patch: &Patch, files: &mut dyn Files) -> Result<Applied, PatchError> {
    let mut world = World {
        files,
        now: BTreeMap::new(),
        edits: Vec::new(),
    };
    for file in &patch.files {
        world.apply(file)?;
    }
    Ok(Applied { files: world.edits })
}

/// The files with what earlier sections of the patch did to them.
struct World<'a> {
    files: &'a mut dyn Files,
    now: BTreeMap<String, Option<Bytes>>,
    edits: Vec<FileEdit>,
}

impl World<'_> {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError> {
        match self.now.get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.files.read(path),
        }
    }

    /// The first reading of a name under which a file exists.
    fn existing(&mut self, name: &Name) -> Result<(String, Bytes), PatchError> {
        let mut refused = None;
        for path in &name.0 {
            match self.read(path) {
                Ok(Some(bytes)) => return Ok((path.clone(), bytes)),
                Ok(None) => {}
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Err(refused.unwrap_or_else(|| {
            PatchError::new(
                "not_found",
                format!("`{}` does not exist, so it cannot be patched", name.first()),
            )
        }))
    }

    /// A file to be copied, as it was before the patch: the same patch may change it, too.
    fn original(&mut self, name: &Name) -> Result<(String, Bytes), PatchError> {
        for path in &name.0 {
            if let (true, Ok(Some(bytes))) = (self.now.contains_key(path), self.files.read(path)) {
                return Ok((path.clone(), bytes));
            }
        }
        self.untouched(name)
    }

    /// A file to be moved. One that the same patch changes, too, would be two changes in one.
    fn untouched(&mut self, name: &Name) -> Result<(String, Bytes), PatchError> {
        let (path, bytes) = self.existing(name)?;
        if self.now.contains_key(&path) {
            return Err(PatchError::new(
                "invalid_patch",
                format!("`{path}` is changed and then moved by one patch; put the change under the new name"),
            ));
        }
        Ok((path, bytes))
    }

    /// A name for a file that must not exist yet.
    fn fresh(&mut self, name: &Name) -> Result<String, PatchError> {
        let path = name.first().to_owned();
        if self
            .edits
            .iter()
            .any(|edit| edit.from == Some(Source::Renamed(path.clone())))
        {
            return Err(PatchError::new(
                "exists",
                format!("`{path}` is moved away and made anew by one patch; send two patches"),
            ));
        }
        match self.read(&path)? {
            None => Ok(path),
            Some(_) => Err(PatchError::new(
                "exists",
                format!("`{path}` exists already; a patch that creates it would overwrite it"),
            )),
        }
    }

    fn apply(&mut self, file: &FilePatch) -> Result<(), PatchError> {
        match &file.action {
            Action::Create { path } => self.create(path, file),
            Action::Update { path } => {
                let found = self.existing(path);
                if found.as_ref().is_err_and(|error| error.code == "not_found") && only_creates(&file.hunks) {
                    return self.create(path, file);
                }
                let (path, before) = found?;
                let (after, notes) = patched(&path, &before, &file.hunks)?;
                self.record(path, None, Some(before), Some(after), file.mode, notes);
                Ok(())
            }
            Action::Delete { path, whole } => {
                let (path, before) = self.existing(path)?;
                if !*whole {
                    let (rest, _) = patched(&path, &before, &file.hunks)?;
                    if !rest.is_empty() {
                        return Err(PatchError::new(
                            "hunk_failed",
                            format!("`{path}` is not deleted: it holds more than the patch removes"),
                        ));
                    }
                }
                self.record(path, None, Some(before), None, None, Vec::new());
                Ok(())
            }
            Action::Rename { from, to } => {
                let (from, before) = self.untouched(from)?;
                let to = self.fresh(to)?;
                let (after, notes) = patched(&from, &before, &file.hunks)?;
                self.now.insert(from.clone(), None);
                self.record(
                    to,
                    Some(Source::Renamed(from)),
                    Some(before),
                    Some(after),
                    file.mode,
                    notes,
                );
                Ok(())
            }
            Action::Copy { from, to } => {
                let (from, before) = self.original(from)?;
                let to = self.fresh(to)?;
                let (after, notes) = patched(&from, &before, &file.hunks)?;
                self.record(
                    to,
                    Some(Source::Copied(from)),
                    Some(before),
                    Some(after),
                    file.mode,
                    notes,
                );
                Ok(())
            }
        }
    }

    fn create(&mut self, name: &Name, file: &FilePatch) -> Result<(), PatchError> {
        let path = self.fresh(name)?;
        if !only_creates(&file.hunks) {
            return Err(PatchError::new(
                "hunk_failed",
                format!("`{path}` is created by the patch, so every line of its hunk begins with `+`"),
            ));
        }
        let mut after = Vec::new();
        for line in file.hunks.iter().flat_map(|hunk| &hunk.lines) {
            after.extend_from_slice(line.text.as_bytes());
            after.extend_from_slice(given_end(line).bytes());
        }
        self.record(path, None, None, Some(after.into()), file.mode, Vec::new());
        Ok(())
    }

    /// Files a patch touches twice become one change from the first state to the last.
    fn record(
        &mut self,
        path: String,
        from: Option<Source>,
        before: Option<Bytes>,
        after: Option<Bytes>,
        mode: Option<u32>,
        notes: Vec<String>,
    ) {
        self.now.insert(path.clone(), after.clone());
        if let Some(edit) = self.edits.iter_mut().find(|edit| edit.path == path) {
            edit.after = after;
            edit.mode = mode.or(edit.mode);
            edit.notes.extend(notes);
            // Made and removed again: nothing happened.
            self.edits.retain(|edit| edit.before.is_some() || edit.after.is_some());
            return;
        }
        self.edits.push(FileEdit {
            path,
            from,
            before,
            after,
            mode,
            notes,
        });
    }
}

fn only_creates(hunks: &[PatchHunk]) -> bool {
    hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .all(|line| line.sign == Sign::Add)
}

/// A replacement in a file: which lines go, and the bytes that come.
struct Replacement {
    lines: Range<usize>,
    bytes: Vec<u8>,
}

/// A file after all hunks, with what had to be forgiven.
fn patched(path: &str, before: &Bytes, hunks: &[PatchHunk]) -> Result<(Bytes, Vec<String>), PatchError> {
    if hunks.is_empty() {
        return Ok((before.clone(), Vec::new()));
    }
    if before.contains(&0) {
        return Err(PatchError::new(
            "binary",
            format!("`{path}` is binary; a text patch cannot change it"),
        ));
    }
    // A byte order mark is not shown by `read`, so only a diff program's patch has it.
    let shown = hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .any(|line| line.text.starts_with('\u{feff}'));
    let (bom, body) = match before.strip_prefix(BOM) {
        Some(body) if !shown => (BOM, body),
        _ => (&[][..], &**before),
    };
    writable(path, body, hunks)?;
    let file = split(body);
    let mut taken: Vec<Range<usize>> = Vec::new();
    let mut replacements = Vec::new();
    let mut notes = Vec::new();
    let (mut cursor, mut drift) = (0, 0);
    for (number, hunk) in hunks.iter().enumerate() {
        let search = Search {
            file: &file,
            taken: &taken,
            cursor,
            drift,
        };
        let spot = search
            .locate(hunk)
            .map_err(|miss| failure(path, &file, hunk, number + 1, &miss))?;
        notes.extend(note(number + 1, &spot, hunks.len()));
        drift = spot.offset.unwrap_or(drift);
        let new = replace(&file, body, hunk, &spot);
        cursor = new.last().map_or(spot.start, |last| last.lines.end).max(cursor);
        taken.extend(new.iter().map(|one| one.lines.clone()));
        replacements.extend(new);
    }
    replacements.sort_by_key(|one| (one.lines.start, one.lines.end));
    Ok(([bom, &assemble(body, &file, &replacements)].concat().into(), notes))
}

/// In a file of another encoding only ASCII can be added: we do not know how it writes anything else.
fn writable(path: &str, file: &[u8], hunks: &[PatchHunk]) -> Result<(), PatchError> {
    let mut added = hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .filter(|line| line.sign == Sign::Add);
    if Encoding::of(file) == Encoding::Other && added.any(|line| !line.text.is_ascii()) {
        return Err(PatchError::new(
            "encoding",
            format!("`{path}` is not UTF-8, so only ASCII text can be added to it"),
        ));
    }
    Ok(())
}

/// What a hunk replaces: only its changed lines, so that lines of context keep their bytes whatever the patch says.
fn replace(file: &[&[u8]], before: &[u8], hunk: &PatchHunk, spot: &Spot) -> Vec<Replacement> {
    let body = hunk
        .lines
        .get(spot.lead..hunk.lines.len() - spot.trail)
        .unwrap_or_default();
    let trust = trust(file, body, spot.start);
    let mut found: Vec<Replacement> = Vec::new();
    let mut at = spot.start;
    let mut open: Option<Replacement> = None;
    for line in body {
        if line.sign == Sign::Context {
            found.extend(open.take());
            at += 1;
            continue;
        }
        let one = open.get_or_insert_with(|| Replacement {
            lines: at..at,
            bytes: Vec::new(),
        });
        if line.sign == Sign::Remove {
            at += 1;
            one.lines.end = at;
            continue;
        }
        one.bytes.extend_from_slice(line.text.as_bytes());
        let given = line.no_end || trust == Trust::Right || (trust == Trust::Untested && line.cr);
        let end = if given {
            given_end(line)
        } else {
            neighbour_end(file, before, &one.lines, at)
        };
        one.bytes.extend_from_slice(end.bytes());
    }
    found.extend(open);
    found
}

/// Whether the line ends of a hunk's added lines can be believed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Trust {
    /// Its other lines end as the file's do.
    Right,
    Wrong,
    /// It has no other lines. Then a `\r` is believed, because it was not added by accident.
    Untested,
}

fn trust(file: &[&[u8]], body: &[PatchLine], start: usize) -> Trust {
    let old = body.iter().filter(|line| line.sign != Sign::Add);
    let mut trust = Trust::Untested;
    for (line, wanted) in file.get(start..).unwrap_or_default().iter().zip(old) {
        if split_end(line).1 != given_end(wanted) {
            return Trust::Wrong;
        }
        trust = Trust::Right;
    }
    trust
}

fn given_end(line: &PatchLine) -> LineEnd {
    match line {
        PatchLine { no_end: true, .. } => LineEnd::Missing,
        PatchLine { cr: true, .. } => LineEnd::CrLf,
        _ => LineEnd::Lf,
    }
}

/// How an added line ends where the patch cannot be believed: as the line it replaces, else as the line before it.
fn neighbour_end(file: &[&[u8]], before: &[u8], replaced: &Range<usize>, at: usize) -> LineEnd {
    let end = |index: usize| file.get(index).map(|line| split_end(line).1);
    if !replaced.is_empty() && replaced.end == at {
        return end(replaced.end - 1).unwrap_or(LineEnd::Lf);
    }
    let previous = at.checked_sub(1).and_then(end).filter(|end| *end != LineEnd::Missing);
    previous
        .or_else(|| end(at))
        .filter(|end| *end != LineEnd::Missing)
        .unwrap_or_else(|| dominant_end(before))
}

/// The file with its replacements. Wherever a line without an end would meet another line, it gets one.
fn assemble(before: &[u8], file: &[&[u8]], replacements: &[Replacement]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(before.len() + 256);
    let mut push = |bytes: &[u8]| {
        if bytes.is_empty() {
            return;
        }
        if !out.is_empty() && !out.ends_with(b"\n") {
            out.extend_from_slice(dominant_end(before).bytes());
        }
        out.extend_from_slice(bytes);
    };
    let mut at = 0;
    for one in replacements {
        for line in file.get(at..one.lines.start).unwrap_or_default() {
            push(line);
        }
        for line in split(&one.bytes) {
            push(line);
        }
        at = at.max(one.lines.end);
    }
    for line in file.get(at..).unwrap_or_default() {
        push(line);
    }
    out
}
