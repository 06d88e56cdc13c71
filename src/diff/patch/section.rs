//! The header of a file in a patch, and the resulting action. Contradictory headers are an error.

use super::names::{self, Side};
use super::{Action, FilePatch, Name, PatchError, PatchHunk};

#[derive(Default)]
pub(super) struct Section {
    pub(super) git: Option<(String, String)>,
    pub(super) before: Option<Side>,
    pub(super) after: Option<Side>,
    pub(super) from: Option<Name>,
    pub(super) to: Option<Name>,
    pub(super) renamed: bool,
    pub(super) copied: bool,
    pub(super) new: bool,
    pub(super) deleted: bool,
    pub(super) mode: Option<u32>,
    pub(super) mode_changed: bool,
    pub(super) special: bool,
    pub(super) hunks: Vec<PatchHunk>,
    pub(super) at: usize,
}

impl Section {
    pub(super) fn is_in_gits_header(&self) -> bool {
        self.git.is_some() && self.hunks.is_empty()
    }

    pub(super) fn note(&mut self, line: &str, at: usize) -> Result<(), PatchError> {
        let is_link_unchanged = line.starts_with("index ") && (line.ends_with(" 120000") || line.ends_with(" 160000"));
        if line.contains("mode 120000") || line.contains("mode 160000") || is_link_unchanged {
            self.special = true;
        } else if let Some(text) = line.strip_prefix("new file mode ") {
            self.new = true;
            // Git has only two file modes, so 644 means "not executable".
            self.mode = Some(mode(text, at)?).filter(|mode| mode & 0o111 != 0);
        } else if line.starts_with("deleted file mode ") {
            self.deleted = true;
        } else if let Some(text) = line.strip_prefix("new mode ") {
            self.mode = Some(mode(text, at)?);
            self.mode_changed = true;
        } else if let Some(path) = line.strip_prefix("rename from ") {
            self.from = Some(names::plain(path));
            self.renamed = true;
        } else if let Some(path) = line.strip_prefix("rename to ") {
            self.to = Some(names::plain(path));
            self.renamed = true;
        } else if let Some(path) = line.strip_prefix("copy from ") {
            self.from = Some(names::plain(path));
            self.copied = true;
        } else if let Some(path) = line.strip_prefix("copy to ") {
            self.to = Some(names::plain(path));
            self.copied = true;
        }
        Ok(())
    }

    fn contradiction(&self) -> Option<String> {
        let said = [
            ("new", self.new),
            ("deleted", self.deleted),
            ("renamed", self.renamed),
            ("copied", self.copied),
        ];
        let said: Vec<&str> = said.iter().filter(|(_, says)| *says).map(|(word, _)| *word).collect();
        if said.len() > 1 {
            return Some(format!("the header says that the file is {}", said.join(" and ")));
        }
        let differs = |side: &Option<Side>, name: &Option<Name>, prefix| {
            let (path, name) = (side.as_ref()?.path.as_ref()?, name.as_ref()?);
            let readings = names::name(path, None, prefix);
            (!readings.0.iter().any(|reading| reading == name.first()))
                .then(|| format!("the header names the file `{}` and `{path}`", name.first()))
        };
        differs(&self.before, &self.from, "a/").or_else(|| differs(&self.after, &self.to, "b/"))
    }

    pub(super) fn finish(self) -> Result<FilePatch, PatchError> {
        let at = self.at;
        if self.special {
            return Err(PatchError::new(
                "invalid_patch",
                format!("line {at} of the patch: links and submodules cannot be patched, only files"),
            ));
        }
        if let Some(contradiction) = self.contradiction() {
            return Err(PatchError::new(
                "invalid_patch",
                format!("line {at} of the patch: {contradiction}"),
            ));
        }
        let nothing = self.hunks.is_empty();
        let action = self.action()?;
        if action.names().any(|name| name.0.iter().any(String::is_empty)) {
            return Err(self.nameless());
        }
        let says_something = self.new || self.deleted || self.mode_changed || self.from.is_some();
        if nothing && !says_something {
            return Err(PatchError::new(
                "invalid_patch",
                format!("line {at} of the patch: a file header without any hunk"),
            ));
        }
        Ok(FilePatch {
            action,
            mode_after: self.mode,
            hunks: self.hunks,
        })
    }

    fn action(&self) -> Result<Action, PatchError> {
        if let (Some(from), Some(to)) = (self.from.clone(), self.to.clone()) {
            return Ok(if self.copied {
                Action::Copy { from, to }
            } else if from == to {
                Action::Update { path: to }
            } else {
                Action::Rename { from, to }
            });
        }
        let git = |first: bool| {
            self.git
                .as_ref()
                .map(|(a, b)| if first { a.clone() } else { b.clone() })
        };
        let path = |side: &Option<Side>, first: bool| match side {
            Some(side) => side.path.clone(),
            None => git(first),
        };
        // `/dev/null` has no prefix. The `diff --git` line shows whether prefixes are swapped or missing.
        let opposite = |side: &Option<Side>, first: bool| path(side, first).or_else(|| git(first));
        let (before, after) = (path(&self.before, true), path(&self.after, false));
        let gone = self.after.as_ref().is_some_and(|side| side.path.is_none());
        let fresh = self.before.as_ref().is_some_and(|side| side.path.is_none());
        let epoch = |side: &Option<Side>| side.as_ref().is_some_and(|side| side.epoch);
        match (before, after) {
            (_, Some(path)) if self.new || fresh || epoch(&self.before) => Ok(Action::Create {
                path: names::name(&path, opposite(&self.before, true).as_deref(), "b/"),
            }),
            (Some(path), _) if self.deleted || gone || epoch(&self.after) => Ok(Action::Delete {
                path: names::name(&path, opposite(&self.after, false).as_deref(), "a/"),
                whole: false,
            }),
            (Some(before), Some(after)) => {
                let from = names::name(&before, Some(&after), "a/");
                let to = names::name(&after, Some(&before), "b/");
                Ok(if from.0.iter().any(|name| to.0.contains(name)) {
                    Action::Update { path: to }
                } else if is_kept(&from, &to) || is_kept(&to, &from) {
                    Action::Update { path: older(from, to) }
                } else if self.git.is_none() {
                    // Without a git header, the two names are the old and the new name of one file.
                    Action::Either { from, to }
                } else {
                    Action::Rename { from, to }
                })
            }
            _ => Err(self.nameless()),
        }
    }

    fn nameless(&self) -> PatchError {
        PatchError::new(
            "invalid_patch",
            format!("line {} of the patch: the header names no file", self.at),
        )
    }
}

/// Merges two names such as `f.orig` and `f`. The patch applies to the first name that exists.
fn older(from: Name, to: Name) -> Name {
    let mut names = to.0;
    names.extend(from.0);
    Name(names)
}

fn is_kept(name: &Name, of: &Name) -> bool {
    let rest = name.first().strip_prefix(of.first());
    rest.is_some_and(|rest| [".orig", ".old", ".bak", ".new", "~"].contains(&rest))
}

fn mode(text: &str, at: usize) -> Result<u32, PatchError> {
    const KIND: u32 = 0o170_000;
    const FILE: u32 = 0o100_000;
    let mode = u32::from_str_radix(text.trim(), 8).ok();
    mode.filter(|mode| matches!(mode & KIND, 0 | FILE))
        .map(|mode| mode & 0o777)
        .ok_or_else(|| {
            PatchError::new(
                "invalid_patch",
                format!(
                    "line {at} of the patch: `{}` is no mode of a file, such as `100644`",
                    text.trim()
                ),
            )
        })
}
