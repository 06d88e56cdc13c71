//! The layout of lines. Layouts of long lines are cached.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::DiffFile;
use benchdog_base::text::{shown_line, wrap_set_in};
use benchdog_diff::{Line, word_changes};

/// Maximum displayed bytes of a line: enough for a one-line proposal, and fast enough to lay out between two keys.
const LINE: usize = 1024 * 1024;

/// Maximum displayed bytes of a line that is not wrapped. Horizontal scrolling ends at `FARTHEST` columns.
const ONE_ROW: usize = 64 * 1024;

/// Minimum length in bytes of a line whose layout is cached. Laying out a shorter line again is faster than a look-up.
const LONG: usize = 4 * 1024;

/// Maximum size of the cache in bytes. A full cache evicts entries that the last two frames did not use.
const MOST_KEPT: usize = 8 * 1024 * 1024;

pub(super) struct Laid {
    pub(super) text: String,
    pub(super) depth: usize,
    pub(super) rows: Vec<Range<usize>>,
    pub(super) is_cut: bool,
}

impl Laid {
    fn of(line: &str, columns: Option<usize>) -> Self {
        let most = if columns.is_some() { LINE } else { ONE_ROW };
        let text = shown_line(line.get(..line.floor_char_boundary(most)).unwrap_or_default()).into_owned();
        let (depth, rows) = match columns {
            Some(columns) => wrap_set_in(&text, columns),
            None => (0, std::iter::once(0..text.len()).collect()),
        };
        Self {
            text,
            depth,
            rows,
            is_cut: line.len() > most,
        }
    }

    fn bytes(&self) -> usize {
        self.text.len() + self.rows.len() * size_of::<Range<usize>>()
    }
}

/// The ranges of bytes that differ, in the left and the right line.
pub(super) type Changed = (Vec<Range<usize>>, Vec<Range<usize>>);

#[derive(Default)]
pub(super) struct Long {
    laid: BTreeMap<(Line, Option<usize>), Kept<Laid>>,
    changed: BTreeMap<(usize, usize, Option<usize>), Kept<Changed>>,
    bytes: usize,
    pictures: u64,
}

struct Kept<T> {
    made: Arc<T>,
    bytes: usize,
    asked: u64,
}

impl Long {
    fn keep<T>(&mut self, made: &Arc<T>, bytes: usize) -> Kept<T> {
        if self.bytes + bytes > MOST_KEPT {
            let pictures = self.pictures;
            let is_asked_for = |asked: u64| asked + 1 >= pictures;
            self.laid.retain(|_, kept| is_asked_for(kept.asked));
            self.changed.retain(|_, kept| is_asked_for(kept.asked));
            let laid = self.laid.values().map(|kept| kept.bytes).sum::<usize>();
            self.bytes = laid + self.changed.values().map(|kept| kept.bytes).sum::<usize>();
        }
        self.bytes += bytes;
        Kept {
            made: Arc::clone(made),
            bytes,
            asked: self.pictures,
        }
    }
}

fn kept<K: Ord, T>(all: &mut BTreeMap<K, Kept<T>>, key: &K, pictures: u64) -> Option<Arc<T>> {
    let kept = all.get_mut(key)?;
    kept.asked = pictures;
    Some(Arc::clone(&kept.made))
}

impl DiffFile {
    /// Returns the layout of a line, wrapped to `columns`. `None` disables wrapping.
    pub(super) fn laid(&self, line: Line, columns: Option<usize>) -> Arc<Laid> {
        let (side, at) = self.sides.side(line);
        let make = || Arc::new(Laid::of(&side.shown(at), columns));
        if !self.is_long(line) {
            return make();
        }
        let key = (line, columns);
        self.asked_before(|long| kept(&mut long.laid, &key, long.pictures))
            .unwrap_or_else(|| {
                let laid = make();
                let mut long = self.long.borrow_mut();
                let kept = long.keep(&laid, laid.bytes());
                long.laid.insert(key, kept);
                laid
            })
    }

    fn asked_before<T>(&self, find: impl FnOnce(&mut Long) -> Option<Arc<T>>) -> Option<Arc<T>> {
        find(&mut self.long.borrow_mut())
    }

    pub(super) fn painted(&self) {
        self.long.borrow_mut().pictures += 1;
    }

    pub(super) fn changed(&self, before: usize, after: usize, columns: Option<usize>) -> Arc<Changed> {
        let make = || {
            let old = self.laid(Line::Before(before), columns);
            let new = self.laid(Line::After(after), columns);
            Arc::new(word_changes(&old.text, &new.text))
        };
        if !self.is_long(Line::Before(before)) && !self.is_long(Line::After(after)) {
            return make();
        }
        let key = (before, after, columns);
        self.asked_before(|long| kept(&mut long.changed, &key, long.pictures))
            .unwrap_or_else(|| {
                let changed = make();
                let mut long = self.long.borrow_mut();
                let bytes = (changed.0.len() + changed.1.len()) * size_of::<Range<usize>>();
                let kept = long.keep(&changed, bytes);
                long.changed.insert(key, kept);
                changed
            })
    }

    fn is_long(&self, line: Line) -> bool {
        let (side, at) = self.sides.side(line);
        side.line(at).len() >= LONG
    }
}
