//! Applies a patch in memory. Nothing is written.

use std::collections::{BTreeMap, BTreeSet};

use super::content::{given_end, patched};
use super::explain::Eased;
use super::{Action, Address, Bytes, FilePatch, Name, Patch, PatchError, PatchHunk, Sign};

pub trait Files {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    pub files: Vec<FileEdit>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEdit {
    pub path: String,
    pub from: Option<Source>,
    pub before: Option<Bytes>,
    pub after: Option<Bytes>,
    pub mode_after: Option<u32>,
    pub eased: Vec<Eased>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Renamed(String),
    Copied(String),
    /// The file was moved from this path, in a circular move or a chain of moves. Only permissions come from the old
    /// file, because the content is a separate change.
    Moved(String),
}

pub fn apply(patch: &Patch, files: &mut dyn Files) -> Result<Applied, PatchError> {
    let mut world = World {
        files,
        now: BTreeMap::new(),
        edits: Vec::new(),
        crossing: BTreeSet::new(),
        placed: BTreeSet::new(),
        left: BTreeSet::new(),
    };
    world.crossing = world.crossing(patch);
    for file in &patch.files {
        world.apply(file)?;
    }
    Ok(Applied { files: world.edits })
}

struct World<'a> {
    files: &'a mut dyn Files,
    now: BTreeMap<String, Option<Bytes>>,
    edits: Vec<FileEdit>,
    /// Names whose file one section of the patch moves away, and another section creates again, such as in a swap.
    crossing: BTreeSet<String>,
    placed: BTreeSet<String>,
    left: BTreeSet<String>,
}

impl World<'_> {
    fn read(&mut self, path: &str) -> Result<Option<Bytes>, PatchError> {
        match self.now.get(path) {
            Some(bytes) => Ok(bytes.clone()),
            None => self.files.read(path),
        }
    }

    fn crossing(&mut self, patch: &Patch) -> BTreeSet<String> {
        let mut left = BTreeSet::new();
        let mut made = BTreeSet::new();
        for file in &patch.files {
            match &file.action {
                Action::Rename { from, to } => {
                    let found = from.0.iter().find(|path| matches!(self.files.read(path), Ok(Some(_))));
                    left.extend(found.cloned());
                    made.insert(to.first().to_owned());
                }
                Action::Create { path } | Action::Copy { to: path, .. } => {
                    made.insert(path.first().to_owned());
                }
                Action::Update { .. } | Action::Either { .. } | Action::Delete { .. } => {}
            }
        }
        left.intersection(&made).cloned().collect()
    }

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

    /// Returns the name and content of a file to copy. The content is from before the patch, even if the patch
    /// changes the file.
    fn original(&mut self, name: &Name) -> Result<(String, Bytes), PatchError> {
        for path in &name.0 {
            if let (true, Ok(Some(bytes))) = (self.now.contains_key(path), self.files.read(path)) {
                return Ok((path.clone(), bytes));
            }
        }
        self.untouched(name)
    }

    /// Returns the name and content of a file to move. The content is from before the patch. Fails if the patch also
    /// changes that file.
    fn moved(&mut self, name: &Name) -> Result<(String, Bytes), PatchError> {
        let is_placed = |path: &&String| self.placed.contains(*path);
        let (path, bytes) = match name.0.iter().find(is_placed) {
            Some(path) => (path.clone(), self.files.read(path)?.unwrap_or_default()),
            None => self.untouched(name)?,
        };
        if !self.left.insert(path.clone()) {
            return Err(PatchError::new(
                "invalid_patch",
                format!("`{path}` is moved twice by one patch"),
            ));
        }
        Ok((path, bytes))
    }

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

    /// Returns the name for a new file, and its previous content if any. Fails if the name is taken, unless the patch
    /// moves the old file away.
    fn fresh(&mut self, name: &Name) -> Result<(String, Option<Bytes>), PatchError> {
        let path = name.first().to_owned();
        if self.crossing.contains(&path) && self.placed.insert(path.clone()) {
            let before = self.files.read(&path)?;
            return Ok((path, before));
        }
        match self.read(&path)? {
            None => Ok((path, None)),
            Some(_) => Err(PatchError::new(
                "exists",
                format!("`{path}` exists already; a patch that creates it would overwrite it"),
            )),
        }
    }

    fn apply(&mut self, file: &FilePatch) -> Result<(), PatchError> {
        match &file.action {
            Action::Create { path } => self.create(path, file),
            Action::Update { path } => self.update(path, file),
            Action::Either { from, to } => {
                let path = self.either(from, to)?;
                self.update(&path, file)
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
            Action::Rename { from, to } => self.rename(from, to, file),
            Action::Copy { from, to } => {
                let (from, source) = self.original(from)?;
                let (to, over) = self.fresh(to)?;
                let (after, eased) = patched(&from, &source, &file.hunks)?;
                let (from, before) = match over {
                    None => (Source::Copied(from), source),
                    Some(over) => (Source::Moved(from), over),
                };
                self.record(to, Some(from), Some(before), Some(after), file.mode_after, eased);
                Ok(())
            }
        }
    }

    fn update(&mut self, name: &Name, file: &FilePatch) -> Result<(), PatchError> {
        let found = self.existing(name);
        if found.as_ref().is_err_and(|error| error.code == "not_found") && only_creates(&file.hunks) {
            return self.create(name, file);
        }
        let (path, before) = found?;
        if !before.is_empty() && says_there_is_none(&file.hunks) {
            return Err(PatchError::new(
                "exists",
                format!(
                    "`{path}` exists already, and `@@ -0,0` says that there is no such file; to add lines at its top give its \
                     first line as context"
                ),
            ));
        }
        let (after, eased) = patched(&path, &before, &file.hunks)?;
        self.record(path, None, Some(before), Some(after), file.mode_after, eased);
        Ok(())
    }

    fn either(&mut self, from: &Name, to: &Name) -> Result<Name, PatchError> {
        let (old, new) = (self.existing(from), self.existing(to));
        match (old, new) {
            (Ok((old, _)), Ok((new, _))) if old != new => Err(PatchError::new(
                "invalid_patch",
                format!(
                    "the header names two files, `{old}` and `{new}`, and both exist; name the one that is meant on both lines"
                ),
            )),
            (Ok((old, _)), Err(_)) => Ok(Name(vec![old])),
            _ => Ok(to.clone()),
        }
    }

    fn rename(&mut self, from: &Name, to: &Name, file: &FilePatch) -> Result<(), PatchError> {
        let (from, source) = self.moved(from)?;
        let (to, over) = self.fresh(to)?;
        let (after, eased) = patched(&from, &source, &file.hunks)?;
        if !self.crossing.contains(&from) && !self.crossing.contains(&to) {
            self.now.insert(from.clone(), None);
            let from = Some(Source::Renamed(from));
            self.record(to, from, Some(source), Some(after), file.mode_after, eased);
            return Ok(());
        }
        if !self.placed.contains(&from) {
            self.record(from.clone(), None, Some(source), None, None, Vec::new());
        }
        self.record(to, Some(Source::Moved(from)), over, Some(after), file.mode_after, eased);
        Ok(())
    }

    fn create(&mut self, name: &Name, file: &FilePatch) -> Result<(), PatchError> {
        let (path, over) = self.fresh(name)?;
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
        self.record(path, None, over, Some(after.into()), file.mode_after, Vec::new());
        Ok(())
    }

    fn record(
        &mut self,
        path: String,
        from: Option<Source>,
        before: Option<Bytes>,
        after: Option<Bytes>,
        mode_after: Option<u32>,
        eased: Vec<Eased>,
    ) {
        self.now.insert(path.clone(), after.clone());
        if let Some(edit) = self.edits.iter_mut().find(|edit| edit.path == path) {
            edit.after = after;
            edit.from = from.or(edit.from.take());
            edit.mode_after = mode_after.or(edit.mode_after);
            edit.eased.extend(eased);
            // A file that is created and removed again is no change.
            self.edits.retain(|edit| edit.before.is_some() || edit.after.is_some());
            return;
        }
        self.edits.push(FileEdit {
            path,
            from,
            before,
            after,
            mode_after,
            eased,
        });
    }
}

fn only_creates(hunks: &[PatchHunk]) -> bool {
    hunks
        .iter()
        .flat_map(|hunk| &hunk.lines)
        .all(|line| line.sign == Sign::Add)
}

fn says_there_is_none(hunks: &[PatchHunk]) -> bool {
    match hunks {
        [only] => only.place == (Address::Line { start: 0, empty: true }),
        _ => false,
    }
}
