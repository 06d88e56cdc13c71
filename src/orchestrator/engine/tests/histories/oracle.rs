//! Computes the expected results of undo, redo and rewind. The files consist of a few independent regions.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::Arc;

use benchdog_base::id::{BlobId, CallId, EntryId, TurnId};
use benchdog_domain::entry::{Body, Entry};

/// The regions of a file. Each begins with a line that contains a number. Every write uses a new number.
pub(super) type Regions = [u64; 4];

/// Number of lines of a region. It is more than twice the context of a hunk, so that changes of two regions are never
/// in the same hunk.
const LINES: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OnDisk {
    pub regions: Regions,
    pub mode: u32,
}

pub(super) type Files = BTreeMap<String, OnDisk>;

pub(super) fn head(region: usize, number: u64) -> String {
    format!("region {region} has {number}")
}

pub(super) fn text(regions: Regions) -> String {
    let mut text = String::new();
    for (at, number) in regions.into_iter().enumerate() {
        writeln!(text, "{}", head(at, number)).unwrap();
        for line in 1..LINES {
            writeln!(text, "  line {line} of region {at}").unwrap();
        }
    }
    text
}

pub(super) fn parse(bytes: &[u8]) -> Option<Regions> {
    let lines: Vec<&str> = std::str::from_utf8(bytes).ok()?.lines().collect();
    let mut regions = Regions::default();
    for (at, region) in regions.iter_mut().enumerate() {
        *region = lines.get(at * LINES)?.rsplit(' ').next()?.parse().ok()?;
    }
    (text(regions).as_bytes() == bytes).then_some(regions)
}

/// All file contents that were ever on disk, by blob id.
#[derive(Debug, Default)]
pub(super) struct Contents(HashMap<BlobId, Regions>);

impl Contents {
    pub(super) fn note(&mut self, files: &Files) {
        for file in files.values() {
            let id = BlobId::of(text(file.regions).as_bytes());
            self.0.insert(id, file.regions);
        }
    }

    fn of(&self, id: Option<&BlobId>) -> Option<Regions> {
        let known = |id: &BlobId| {
            *self
                .0
                .get(id)
                .unwrap_or_else(|| panic!("a content that never was: {id:?}"))
        };
        id.map(known)
    }
}

#[derive(Debug, Clone)]
pub(super) struct Logged {
    pub id: EntryId,
    pub call: (TurnId, CallId),
    pub path: String,
    pub before: Option<Regions>,
    pub after: Option<Regions>,
    pub mode_before: Option<u32>,
    pub undoes: Vec<EntryId>,
    pub is_of_job: bool,
}

pub(super) fn logged(log: &[Arc<Entry>], contents: &Contents) -> Vec<Logged> {
    let logged = log.iter().filter_map(|entry| match &entry.body {
        Body::Change {
            call,
            path,
            before,
            after,
            undoes,
            mode_before,
            job,
            ..
        } => Some(Logged {
            id: entry.id,
            call: (entry.turn, call.clone()),
            path: path.clone(),
            before: contents.of(before.as_ref()),
            after: contents.of(after.as_ref()),
            mode_before: *mode_before,
            undoes: undoes.clone(),
            is_of_job: job.is_some(),
        }),
        _ => None,
    });
    logged.collect()
}

/// The changes of one call, without those that were undone.
pub(super) type Step = Vec<Logged>;

/// Returns the steps that still apply, newest first. If `redo` is set, these are the steps to redo, and otherwise the
/// steps to undo.
pub(super) fn steps(log: &[Logged], redo: bool) -> Vec<Step> {
    let mut reverted: BTreeSet<(EntryId, &str)> = BTreeSet::new();
    let mut undos = BTreeSet::new();
    for change in log {
        if !change.undoes.is_empty() && change.undoes.iter().all(|undone| !undos.contains(undone)) {
            undos.insert(change.id);
        }
    }
    for change in log.iter().rev() {
        if !reverted.contains(&(change.id, &*change.path)) {
            reverted.extend(change.undoes.iter().map(|undone| (*undone, &*change.path)));
        }
    }
    let is_wanted = |change: &&Logged| match redo {
        true => undos.contains(&change.id),
        false => change.undoes.is_empty(),
    };
    let mut steps: BTreeMap<(TurnId, CallId), Step> = BTreeMap::new();
    for change in log.iter().filter(is_wanted) {
        if !reverted.contains(&(change.id, &*change.path)) {
            steps.entry(change.call.clone()).or_default().push(change.clone());
        }
    }
    let mut steps: Vec<Step> = steps.into_values().collect();
    steps.sort_by_key(|step| std::cmp::Reverse(step.iter().map(|change| change.id).max()));
    steps
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reverted {
    To(Option<OnDisk>),
    IsBack,
    Conflict { is_mode: bool, is_overlap: bool },
}

const NO_MERGE: Reverted = Reverted::Conflict {
    is_mode: false,
    is_overlap: false,
};

/// Reverses a change in the current content, region by region. `None` if the change is already reversed. Returns an
/// error if all regions conflict.
fn merged(was: Regions, became: Regions, now: Regions) -> Result<Option<(Regions, bool)>, ()> {
    let (mut after, mut conflicts) = (now, false);
    for at in 0..now.len() {
        if was[at] == became[at] || now[at] == was[at] {
            continue;
        }
        match now[at] == became[at] {
            true => after[at] = was[at],
            false => conflicts = true,
        }
    }
    match (after != now, conflicts) {
        (true, conflicts) => Ok(Some((after, conflicts))),
        (false, false) => Ok(None),
        (false, true) => Err(()),
    }
}

fn reverted(change: &Logged, now: Option<OnDisk>) -> Reverted {
    if change.before == change.after {
        return match now {
            Some(now) if Some(now.mode) == change.mode_before => Reverted::IsBack,
            Some(_) => Reverted::Conflict {
                is_mode: true,
                is_overlap: false,
            },
            None => NO_MERGE,
        };
    }
    let content = now.map(|now| now.regions);
    let after = match (change.before, change.after, content) {
        (was, _, content) if content == was => return Reverted::IsBack,
        (was, became, content) if content == became => was,
        (Some(was), Some(became), Some(now)) => match merged(was, became, now) {
            Ok(Some((after, _))) => Some(after),
            Ok(None) => return Reverted::IsBack,
            Err(()) => {
                return Reverted::Conflict {
                    is_mode: false,
                    is_overlap: true,
                };
            }
        },
        _ => return NO_MERGE,
    };
    let mode = change.mode_before.or(now.map(|now| now.mode)).unwrap_or(0o600);
    Reverted::To(after.map(|regions| OnDisk { regions, mode }))
}

/// The files that an undo writes, and the files that it reports as not undone.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Expected {
    pub files: BTreeMap<String, Option<OnDisk>>,
    pub stay: BTreeSet<String>,
    /// The change whose conflicts are proposed, because nothing else can be undone.
    pub conflict: Option<Conflict>,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Conflict {
    pub entries: BTreeSet<EntryId>,
    pub paths: BTreeSet<String>,
}

/// Handles a step that a background job made. Its files are only reported, and not undone.
fn stays_of_job(step: &[&Logged], disk: &Files, expected: &mut Expected) -> bool {
    let of_job = step.iter().filter(|change| change.is_of_job);
    let stays = of_job.filter(|change| {
        let back = reverted(change, disk.get(&change.path).copied());
        matches!(back, Reverted::To(_))
    });
    expected.stay.extend(stays.map(|change| change.path.clone()));
    step.iter().any(|change| change.is_of_job)
}

/// `proposed` contains the changes whose conflicts were proposed before.
pub(super) fn first(steps: &[Step], disk: &Files, path: Option<&str>, proposed: &BTreeSet<EntryId>) -> Expected {
    let (mut expected, mut blocked) = (Expected::default(), BTreeSet::new());
    for step in steps {
        let step: Vec<&Logged> = step
            .iter()
            .filter(|change| path.is_none_or(|path| path == change.path))
            .collect();
        let names: BTreeSet<String> = step.iter().map(|change| change.path.clone()).collect();
        if !names.is_disjoint(&blocked) {
            blocked.extend(names);
            continue;
        }
        if path.is_none() && stays_of_job(&step, disk, &mut expected) {
            continue;
        }
        let mut is_in_the_way = false;
        let mut conflict = Conflict {
            entries: step.iter().map(|change| change.id).collect(),
            ..Conflict::default()
        };
        for change in step {
            match reverted(change, disk.get(&change.path).copied()) {
                Reverted::IsBack => {}
                Reverted::To(after) => drop(expected.files.insert(change.path.clone(), after)),
                Reverted::Conflict { is_mode, is_overlap } => {
                    is_in_the_way |= !is_mode;
                    expected.stay.insert(change.path.clone());
                    conflict.paths.extend(is_overlap.then(|| change.path.clone()));
                }
            }
        }
        if !expected.files.is_empty() {
            expected.conflict = None;
            return expected;
        }
        let is_conflict = !conflict.paths.is_empty();
        let was_proposed = |conflict: &Conflict| conflict.entries.is_subset(proposed);
        if is_in_the_way && !(is_conflict && was_proposed(&conflict)) {
            blocked.extend(names);
        }
        let newer = expected.conflict.as_ref();
        if is_conflict && newer.is_none_or(|newer| was_proposed(newer) && !was_proposed(&conflict)) {
            expected.conflict = Some(conflict);
        }
    }
    expected
}

pub(super) fn all(steps: &[Step], disk: &Files) -> Expected {
    let (mut expected, mut files) = (Expected::default(), Vec::<Logged>::new());
    for step in steps {
        stays_of_job(&step.iter().collect::<Vec<_>>(), disk, &mut expected);
    }
    for older in steps.iter().flatten().filter(|change| !change.is_of_job) {
        let Some(newer) = files.iter_mut().find(|newer| newer.path == older.path) else {
            files.push(older.clone());
            continue;
        };
        let was = match (older.before, older.after, newer.before) {
            (was, became, now) if now == became => Ok((was, true)),
            (Some(was), Some(became), Some(now)) => match merged(was, became, now) {
                Ok(Some((before, conflicts))) => Ok((Some(before), !conflicts)),
                Ok(None) => Ok((Some(now), true)),
                Err(()) => Err(()),
            },
            _ => Err(()),
        };
        match was {
            Ok((was, is_whole)) => {
                newer.before = was;
                newer.mode_before = older.mode_before.or(newer.mode_before);
                if !is_whole {
                    expected.stay.insert(older.path.clone());
                }
            }
            Err(()) => drop(expected.stay.insert(older.path.clone())),
        }
    }
    files.retain(|file| file.before != file.after || file.mode_before.is_some());
    let mut overlap = None::<Conflict>;
    for file in files {
        match reverted(&file, disk.get(&file.path).copied()) {
            Reverted::IsBack => {}
            Reverted::To(after) => drop(expected.files.insert(file.path, after)),
            Reverted::Conflict { is_overlap, .. } => {
                let is_new = expected.stay.insert(file.path.clone());
                if is_overlap {
                    let paths = &mut overlap.get_or_insert_default().paths;
                    paths.extend(is_new.then_some(file.path));
                }
            }
        }
    }
    expected.conflict = overlap.filter(|_| expected.files.is_empty());
    expected
}
