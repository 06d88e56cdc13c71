//! Computes the final content of each file from the plan and the decision.

use std::sync::{Arc, OnceLock};

use super::{FilesPlan, PlannedFile, told};
use benchdog_diff::{Encoding, Hunk, counts, hunk_text, hunks, keep_bytes};
use benchdog_domain::permission::{Kept, PartKept};
use benchdog_domain::review::FileOperation;
use benchdog_domain::tool::Outcome;

pub(super) struct Settled<'a> {
    pub(super) planned: &'a PlannedFile,
    /// The final content. `None` deletes the file.
    pub(super) after: Option<Arc<[u8]>>,
    pub(super) operation: FileOperation,
    pub(super) part: Part,
    pub(super) notes: Vec<String>,
    /// The bytes on disk, if an editor saved other bytes than the accepted ones.
    pub(super) saved: Option<Arc<[u8]>>,
    counted: OnceLock<(u32, u32)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// Some hunks were discarded, and `refused` quotes them for the model.
    Some {
        kept: usize,
        refused: Vec<String>,
    },
    /// Everything was discarded, including a rename.
    Nothing {
        refused: Vec<String>,
    },
    /// The user edited the text. `kept` has the numbers of accepted hunks and of all hunks, if some were discarded.
    Edited {
        kept: Option<(usize, usize)>,
    },
}

impl Settled<'_> {
    pub(super) fn acts(&self) -> bool {
        !matches!(self.part, Part::Nothing { .. }) && !self.is_nothing()
    }

    /// Returns the numbers of added and removed lines. In a copy or rename, only changed lines count.
    pub(super) fn lines(&self) -> (u32, u32) {
        let side = |bytes: &Option<Arc<[u8]>>| bytes.clone().unwrap_or_default();
        *self
            .counted
            .get_or_init(|| counts(&side(&self.planned.before), &side(&self.after)))
    }

    pub(super) fn is_nothing(&self) -> bool {
        self.operation == FileOperation::Update
            && self.planned.before == self.after
            && self.planned.mode_after.is_none()
            && self.planned.unsaved.is_none()
    }
}

/// Maximum lines quoted from a discarded hunk.
const QUOTED: usize = 40;

/// Applies the decision to the plan. Fails if the accepted parts do not match the plan.
pub(super) fn settle<'a>(plan: &'a FilesPlan, kept: &Kept) -> Result<Vec<Settled<'a>>, Box<Outcome>> {
    let count = plan.changes.len();
    match kept {
        Kept::All => Ok(plan.changes.iter().map(whole).collect()),
        Kept::Parts { files } if files.len() == count => plan
            .changes
            .iter()
            .zip(files)
            .map(|(file, part)| match part {
                None => Ok(whole(file)),
                Some(PartKept::Hunks(kept)) => by_hunks(file, kept),
                Some(PartKept::Text(text)) => edited(file, text),
            })
            .collect(),
        Kept::Parts { .. } => Err(mismatch("names another number of files")),
    }
}

fn mismatch(what: &str) -> Box<Outcome> {
    Box::new(Outcome::error(
        "bad_decision",
        format!("The decision {what} than the proposal has. Nothing was written."),
    ))
}

fn whole(file: &PlannedFile) -> Settled<'_> {
    Settled {
        planned: file,
        after: file.after.clone(),
        operation: file.operation.clone(),
        part: Part::Whole,
        notes: file.note.iter().map(told).collect(),
        saved: None,
        counted: OnceLock::new(),
    }
}

fn by_hunks<'a>(file: &'a PlannedFile, kept: &[bool]) -> Result<Settled<'a>, Box<Outcome>> {
    let before = file.before.as_deref().unwrap_or_default();
    let after = file.after.as_deref().unwrap_or_default();
    let hunks = hunks(before, after);
    // Binary files and files without hunks are accepted or discarded as a whole.
    let refused_whole = matches!(kept, [false]);
    let fits = kept.len() == hunks.len() || (hunks.is_empty() && kept.len() == 1);
    if !fits && !refused_whole {
        return Err(mismatch("names another number of hunks"));
    }
    let mut settled = whole(file);
    if kept.iter().all(|kept| *kept) {
        return Ok(settled);
    }
    let refused = quote(before, after, &hunks, kept);
    let stay = kept.iter().filter(|kept| **kept).count();
    if stay == 0 {
        settled.part = Part::Nothing { refused };
        return Ok(settled);
    }
    settled.part = Part::Some { kept: stay, refused };
    settled.after = Some(keep_bytes(before, after, kept).into());
    Ok(settled)
}

fn quote(before: &[u8], after: &[u8], hunks: &[Hunk], kept: &[bool]) -> Vec<String> {
    let dropped = hunks.iter().zip(kept).filter(|(_, kept)| !**kept);
    dropped
        .map(|(hunk, _)| hunk_text(before, after, hunk, QUOTED))
        .collect()
}

fn edited<'a>(file: &'a PlannedFile, text: &str) -> Result<Settled<'a>, Box<Outcome>> {
    let proposed = file.after.as_deref().or(file.before.as_deref()).unwrap_or_default();
    if Encoding::of(proposed) == Encoding::Other {
        return Err(Box::new(Outcome::error(
            "encoding",
            format!(
                "`{}` is not UTF-8, so it cannot be edited as text: bytes the editor cannot show would be lost. \
                 Nothing was written; keep or drop hunks instead.",
                file.path.shown()
            ),
        )));
    }
    if let Err(lacking) = file.on_disk(&text.as_bytes().into()) {
        return Err(Box::new(Outcome::error(
            "encoding",
            format!(
                "The encoding of `{}` has no `{lacking}` (U+{:04X}). Nothing was written.",
                file.path.shown(),
                u32::from(lacking)
            ),
        )));
    }
    let mut settled = whole(file);
    if file.after.as_deref() == Some(text.as_bytes()) {
        return Ok(settled);
    }
    settled.part = Part::Edited {
        kept: hunks_in(file, text),
    };
    settled.after = Some(text.as_bytes().into());
    if settled.operation == FileOperation::Delete {
        settled.operation = FileOperation::Update;
    }
    Ok(settled)
}

/// Returns how many proposed hunks the edited text still changes, and the number of all hunks. Returns `None` if the
/// text changes all hunks or none.
fn hunks_in(file: &PlannedFile, text: &str) -> Option<(usize, usize)> {
    let before = file.before.as_deref().unwrap_or_default();
    let proposed = hunks(before, file.after.as_deref().unwrap_or_default());
    let written = hunks(before, text.as_bytes());
    let meets = |hunk: &&Hunk| written.iter().any(|other| other.touches(&hunk.before));
    let kept = proposed.iter().filter(meets).count();
    (0 < kept && kept < proposed.len()).then_some((kept, proposed.len()))
}
