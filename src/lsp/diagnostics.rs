//! The diagnostics that a server sent for each file, with the file's version and the time of arrival.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use benchdog_domain::finding::Severity;

use super::compare::Snapshot;

/// Maximum number of files with stored diagnostics that are not open in the server.
const MOST_FILES: usize = 2_000;
/// Maximum number of stored diagnostics of all files that are not open, added together.
const MOST_KEPT: usize = 20_000;

/// Time without further diagnostics after which the diagnostics of a change are complete. Servers that send no versions
/// may send diagnostics several times per change.
const QUIET: Duration = Duration::from_millis(300);

/// Minimum, default and maximum wait for a server that sends no versions. Such a server may send nothing if a file
/// still has no diagnostics. The wait is twice the server's longest time for other changes.
const LEAST_PATIENCE: Duration = Duration::from_millis(500);
const USUAL_PATIENCE: Duration = Duration::from_secs(1);
const MOST_PATIENCE: Duration = Duration::from_secs(2);

/// `line` is one-based. `message` has no line breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub line: u32,
    /// Zero-based column, in the server's unit.
    pub(crate) character: u32,
    pub severity: Severity,
    pub message: String,
    pub code: Option<String>,
}

#[derive(Default)]
pub(crate) struct Diagnostics {
    files: BTreeMap<PathBuf, FileDiagnostics>,
    /// The longest time between a change and its diagnostics. Only measured for diagnostics without a version.
    slowest: Option<Duration>,
    has_answered: bool,
    /// Baseline of an unopened file. Used when the first diagnostics of the file arrive.
    default_baseline: Baseline,
}

/// Diagnostics of a file that need no report, because they were reported or existed before the edits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Baseline {
    /// No edit has begun since the first diagnostics of this file. The next edit makes the current diagnostics the
    /// baseline.
    #[default]
    NoEdit,
    /// The diagnostics before the edit are unknown.
    Unknown,
    Until(Snapshot),
}

#[derive(Default)]
pub(crate) struct FileDiagnostics {
    /// The last sent version and its time. `None` if the file is not open in the server.
    sent: Option<(i32, Instant)>,
    /// Whether the last sent version changed an open file, instead of opening it.
    is_change: bool,
    pushed: Option<PushedDiagnostics>,
    pulled: Option<(i32, Items)>,
    pub(crate) baseline: Baseline,
}

pub(crate) type Items = Arc<[Diagnostic]>;

struct PushedDiagnostics {
    version: Option<i32>,
    at: Instant,
    items: Items,
    /// Whether these diagnostics repeat those of an older version. After a change, pyright first sends cached
    /// diagnostics, and shortly afterwards those of its new check.
    repeats: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Yes,
    /// The server sent diagnostics without a version, or repeated those of an older version. Further diagnostics may
    /// arrive until the given time.
    Settles(Instant),
    No,
}

impl Diagnostics {
    pub(crate) fn file(&self, path: &Path) -> Option<&FileDiagnostics> {
        self.files.get(path)
    }

    pub(crate) fn file_mut(&mut self, path: &Path) -> &mut FileDiagnostics {
        self.files.entry(path.to_path_buf()).or_default()
    }

    /// Sets missing baselines when an edit begins. `loads` means that the server may not have checked all files yet.
    pub(crate) fn begin_edit(&mut self, pulls: bool, loads: bool) {
        self.default_baseline = match self.has_answered && !loads {
            true => Baseline::Until(Snapshot::default()),
            false => Baseline::Unknown,
        };
        for file in self.files.values_mut() {
            if file.baseline == Baseline::NoEdit && (file.sent.is_none() || file.is_known(pulls)) {
                file.baseline = Baseline::Until(Snapshot::of(&file.items(), None));
            }
        }
    }

    pub(crate) fn record_sent(&mut self, path: &Path, version: i32) {
        let file = self.file_mut(path);
        file.is_change = file.sent.is_some();
        file.sent = Some((version, Instant::now()));
    }

    /// Returns the deadline of the wait for a server that may send nothing. `None` for any other server.
    pub(crate) fn patience(&self, path: &Path) -> Option<Instant> {
        let file = self.file(path)?;
        let (_, at) = file.sent?;
        let pushed = file.pushed.as_ref()?;
        let usual = self.slowest.map_or(USUAL_PATIENCE, |slowest| slowest * 2);
        let is_clean = pushed.version.is_none() && pushed.items.is_empty() && pushed.at < at;
        is_clean.then_some(at + usual.clamp(LEAST_PATIENCE, MOST_PATIENCE))
    }

    pub(crate) fn record_closed(&mut self, path: &Path) {
        if let Some(file) = self.files.get_mut(path) {
            (file.sent, file.pulled) = (None, None);
        }
    }

    pub(crate) fn remove(&mut self, path: &Path) {
        self.files.remove(path);
    }

    pub(crate) fn record_pushed(&mut self, path: &Path, version: Option<i64>, items: Vec<Diagnostic>) {
        self.has_answered = true;
        let is_open = self.file(path).is_some_and(|file| file.sent.is_some());
        if !is_open && !items.is_empty() && !self.has_space() {
            return;
        }
        if !is_open && items.is_empty() {
            if let Some(file) = self.files.get_mut(path) {
                file.pushed = None;
            }
            return;
        }
        let version = version.and_then(|version| i32::try_from(version).ok());
        let slowest = self.slowest;
        if !self.files.contains_key(path) {
            self.file_mut(path).baseline = self.default_baseline.clone();
        }
        let file = self.file_mut(path);
        let took = file.first_after_change(version);
        // Diagnostics of an older version do not apply to the current one.
        if let (Some(version), Some((sent, _))) = (version, file.sent)
            && version < sent
        {
            return;
        }
        let repeats = (file.pushed.as_ref())
            .is_some_and(|earlier| *earlier.items == *items && (earlier.repeats || earlier.version < version));
        file.pushed = Some(PushedDiagnostics {
            version,
            at: Instant::now(),
            items: items.into(),
            repeats,
        });
        self.slowest = slowest.max(took);
    }

    pub(crate) fn record_pulled(&mut self, path: &Path, version: i32, items: Vec<Diagnostic>) {
        self.has_answered = true;
        let file = self.file_mut(path);
        if file.sent.is_some_and(|(sent, _)| sent == version) {
            file.pulled = Some((version, items.into()));
        }
    }

    pub(crate) fn all_mut(&mut self) -> impl Iterator<Item = (&PathBuf, &mut FileDiagnostics)> {
        self.files.iter_mut()
    }

    fn has_space(&self) -> bool {
        let closed = || self.files.values().filter(|file| file.sent.is_none());
        closed().count() < MOST_FILES && closed().map(FileDiagnostics::count).sum::<usize>() < MOST_KEPT
    }
}

impl FileDiagnostics {
    pub(crate) fn answer(&self, pulls: bool) -> Answer {
        let Some((sent, at)) = self.sent else {
            return Answer::No;
        };
        if pulls {
            return match &self.pulled {
                Some((version, _)) if *version == sent => Answer::Yes,
                _ => Answer::No,
            };
        }
        match &self.pushed {
            Some(PushedDiagnostics {
                version: Some(version),
                at: then,
                repeats,
                ..
            }) if *version >= sent => match repeats {
                true => Answer::Settles(*then + QUIET),
                false => Answer::Yes,
            },
            Some(PushedDiagnostics {
                version: None,
                at: then,
                ..
            }) if *then >= at => Answer::Settles(*then + QUIET),
            _ => Answer::No,
        }
    }

    /// Returns the time since the change. `None` if the diagnostics have a version, or if other diagnostics arrived
    /// since the change.
    fn first_after_change(&self, version: Option<i32>) -> Option<Duration> {
        let (_, at) = self.sent?;
        let is_first = self.pushed.as_ref().is_none_or(|pushed| pushed.at < at);
        (version.is_none() && self.is_change && is_first).then(|| at.elapsed())
    }

    /// Returns the latest diagnostics, both requested and pushed.
    pub(crate) fn items(&self) -> Vec<Diagnostic> {
        let pulled = self.pulled.iter().flat_map(|(_, items)| items.iter());
        let mut all: Vec<Diagnostic> = pulled.cloned().collect();
        for item in self.pushed.iter().flat_map(|pushed| pushed.items.iter()) {
            if !all.contains(item) {
                all.push(item.clone());
            }
        }
        all
    }

    /// Returns the latest diagnostics. Once the server has answered a request for the current text, omits pushed
    /// diagnostics of older texts. rust-analyzer pushes the errors of `cargo check`, and keeps them until the next
    /// check has ended.
    pub(crate) fn current_items(&self, pulls: bool) -> Vec<Diagnostic> {
        let (sent, pushed) = (self.version(), self.pushed.as_ref().and_then(|pushed| pushed.version));
        match &self.pulled {
            Some((_, items)) if pulls && self.answer(pulls) == Answer::Yes && pushed.is_some() && pushed < sent => {
                items.to_vec()
            }
            _ => self.items(),
        }
    }

    /// Marks all diagnostics of the file as reported. `text` is the content of the file, if known. Returns the previous
    /// baseline.
    pub(crate) fn mark_reported(&mut self, text: Option<&str>) -> Baseline {
        let items = self.items();
        let is_same = |earlier: &Snapshot| text.is_none() && earlier.has_all(&items);
        if matches!(&self.baseline, Baseline::Until(earlier) if is_same(earlier)) {
            return self.baseline.clone();
        }
        std::mem::replace(&mut self.baseline, Baseline::Until(Snapshot::of(&items, text)))
    }

    pub(crate) fn is_known(&self, pulls: bool) -> bool {
        match self.sent {
            Some(_) => self.answer(pulls) != Answer::No,
            None => self.pushed.is_some(),
        }
    }

    pub(crate) fn version(&self) -> Option<i32> {
        self.sent.map(|(version, _)| version)
    }

    fn count(&self) -> usize {
        self.pushed.as_ref().map_or(0, |pushed| pushed.items.len())
    }
}

#[cfg(test)]
mod tests;
