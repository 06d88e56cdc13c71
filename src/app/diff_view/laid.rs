//! How the lines of a file are laid out. A long one is laid out once for all pictures of a width; what is kept can be dropped.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::DiffFile;
use crate::base::text::{shown_line, wrap_set_in};
use crate::diff::{Line, word_changes};

/// Bytes of one line that are laid out at most; a sign stands where it goes on. It is far more than anybody reads, since what is proposed
/// should be seen whole, and little enough to be laid out between two keys.
const LINE: usize = 1024 * 1024;

/// The same of a line that is not wrapped: its window begins at most `FARTHEST` columns from its start.
const ONE_ROW: usize = 64 * 1024;

/// Below so many bytes a line is laid out as quickly as it is looked for.
const LONG: usize = 4 * 1024;

/// Bytes of long lines that are kept. Where there are more, those go that neither this picture nor the one before asked for; what a picture
/// asks for is the window and the hunk at the cursor.
const MOST_KEPT: usize = 8 * 1024 * 1024;

/// A line as it is shown, and the part of it that each of its rows has.
pub(super) struct Laid {
    pub(super) text: String,
    /// The further rows stand as deep as the line.
    pub(super) depth: usize,
    /// One that is not wrapped has one.
    pub(super) rows: Vec<Range<usize>>,
    /// It has more, in no row.
    pub(super) is_cut: bool,
}

impl Laid {
    /// `columns`: `None` where lines are not wrapped.
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

/// The bytes that differ between two lines: of the left one, and of the right one.
pub(super) type Changed = (Vec<Range<usize>>, Vec<Range<usize>>);

/// What was found out about long lines.
#[derive(Default)]
pub(super) struct Long {
    laid: BTreeMap<(Line, Option<usize>), Kept<Laid>>,
    changed: BTreeMap<(usize, usize, Option<usize>), Kept<Changed>>,
    bytes: usize,
    /// How many pictures were painted.
    pictures: u64,
}

struct Kept<T> {
    made: Arc<T>,
    bytes: usize,
    /// How many pictures were painted when it was asked for last.
    asked: u64,
}

impl Long {
    /// Keeps one of so many bytes more.
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

/// The one that is kept, which was asked for now.
fn kept<K: Ord, T>(all: &mut BTreeMap<K, Kept<T>>, key: &K, pictures: u64) -> Option<Arc<T>> {
    let kept = all.get_mut(key)?;
    kept.asked = pictures;
    Some(Arc::clone(&kept.made))
}

impl DiffFile {
    /// A line in so many columns; `None`: it is not wrapped.
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

    /// A picture was painted: what the next one does not ask for may go.
    pub(super) fn painted(&self) {
        self.long.borrow_mut().pictures += 1;
    }

    /// What differs between a line that goes and the one that takes its place.
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
