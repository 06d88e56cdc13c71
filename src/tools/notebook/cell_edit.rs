//! A change of one cell of a notebook. The user reviews the cell as text, and only the bytes of that cell change in the
//! file.

use std::ops::Range;
use std::sync::Arc;

use serde_json::Value;

use super::style::{Part, Style};
use super::{Cell, Kind, Notebook};
use crate::size::visible;
use benchdog_base::id::BlobId;
use benchdog_base::text::range_in;

/// Nesting depths of a cell and of its fields in the JSON text of a notebook.
const CELL: usize = 2;
const MEMBER: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Replace,
    /// Inserts a new cell before the cell `at`.
    Insert,
    Delete,
}

#[derive(Debug)]
pub(crate) struct CellEdit {
    /// Content of the whole file before the change.
    pub(crate) whole: Arc<[u8]>,
    pub(crate) action: Action,
    /// Zero-based number of the cell. For `Insert`, the number of the new cell.
    pub(crate) at: usize,
    kind: Kind,
    /// The id of the cell, if the notebook's format version has ids.
    id: Option<String>,
    /// Text of the cell, as the user reviews it.
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) clears_outputs: bool,
}

impl CellEdit {
    pub(crate) fn of(notebook: &Notebook<'_>, action: Action, at: usize, kind: Option<Kind>, source: &str) -> Self {
        let cell = notebook.cells.get(at).filter(|_| action != Action::Insert);
        let kind = kind.or(cell.map(|cell| cell.kind)).unwrap_or(Kind::Code);
        let id = match cell {
            Some(cell) => cell.id.as_deref().map(str::to_owned),
            None => notebook.has_ids().then(|| new_id(notebook, at, source)),
        };
        let before = cell.map_or_else(String::new, |cell| text(cell, at));
        let after = match action {
            Action::Delete => String::new(),
            Action::Replace | Action::Insert => shown(&header(kind, at, id.as_deref(), 0), source),
        };
        let had_outputs = cell.is_some_and(|cell| !cell.outputs.is_empty() || cell.raw.execution_count.is_some());
        Self {
            whole: notebook.whole.as_bytes().into(),
            clears_outputs: had_outputs && action == Action::Replace,
            action,
            at,
            kind,
            id,
            before,
            after,
        }
    }

    /// Returns the bytes of the file with the text `cell`, which is the proposed text or the user's edit of it.
    pub(crate) fn file(&self, cell: &str) -> Arc<[u8]> {
        if cell == self.before {
            return Arc::clone(&self.whole);
        }
        let whole = String::from_utf8_lossy(&self.whole);
        // The parser cannot fail, because this text was already parsed once.
        let Ok(notebook) = Notebook::of(&whole) else {
            return Arc::clone(&self.whole);
        };
        let (kind, source) = self.parsed(cell);
        let edits = match (self.action, notebook.cells.get(self.at)) {
            (Action::Delete, _) if cell.is_empty() => vec![(delete(&notebook, self.at), String::new())],
            (Action::Delete | Action::Replace, Some(old)) => replace(&notebook, old, kind, source),
            (Action::Delete | Action::Replace, None) => Vec::new(),
            (Action::Insert, _) => vec![insert(&notebook, self, kind, source)],
        };
        splice(&whole, edits).into_bytes().into()
    }

    fn parsed<'c>(&self, cell: &'c str) -> (Kind, &'c str) {
        let header = cell.split_once('\n').filter(|(line, _)| line.starts_with(MARK));
        let (kind, rest) = match header {
            None => (self.kind, cell),
            Some((line, rest)) => {
                let word = line.strip_prefix(MARK).and_then(|rest| rest.split_once(']'));
                (word.and_then(|(word, _)| Kind::named(word)).unwrap_or(self.kind), rest)
            }
        };
        (kind, rest.strip_suffix('\n').unwrap_or(rest))
    }
}

/// Beginning of the first line of a cell's text, as in tools that store notebooks as scripts.
const MARK: &str = "# %% [";

fn header(kind: Kind, at: usize, id: Option<&str>, outputs: usize) -> String {
    let id = id.map(|id| format!(", id {}", visible(id))).unwrap_or_default();
    let outputs = match outputs {
        0 => String::new(),
        1 => ", 1 output".to_owned(),
        many => format!(", {many} outputs"),
    };
    format!("{MARK}{}] cell {at}{id}{outputs}", kind.name())
}

fn text(cell: &Cell<'_>, at: usize) -> String {
    let header = header(cell.kind, at, cell.id.as_deref(), cell.outputs.len());
    shown(&header, &cell.source)
}

fn shown(header: &str, source: &str) -> String {
    format!("{header}\n{source}\n")
}

/// Returns an id in Jupyter's format for a new cell. The id depends only on the file and the change, so that preparing
/// the same change again gives the same id.
fn new_id(notebook: &Notebook<'_>, at: usize, source: &str) -> String {
    let is_free = |id: &String| notebook.cells.iter().all(|cell| cell.id.as_deref() != Some(id));
    let seed = BlobId::of(notebook.whole.as_bytes());
    let ids = (0..).map(|try_| BlobId::of(format!("{} {at} {try_} {source}", seed.0).as_bytes()));
    let mut ids = ids.map(|hash| hash.0.chars().filter(char::is_ascii_hexdigit).take(8).collect());
    ids.find(is_free).unwrap_or_default()
}

fn replace(notebook: &Notebook<'_>, old: &Cell<'_>, kind: Kind, source: &str) -> Vec<(Range<usize>, String)> {
    let style = notebook.style();
    let at = |part: &str| range_in(notebook.whole, part);
    if kind != old.kind {
        let json = cell_json(&style, kind, old.id.as_deref(), old.raw.metadata.map(|it| it.get()), {
            source_value(source, old.raw.source.get().starts_with('['))
        });
        return at(old.json).map(|range| (range, json)).into_iter().collect();
    }
    let value = source_value(source, old.raw.source.get().starts_with('['));
    let mut edits = Vec::new();
    if source != old.source {
        edits.extend(at(old.raw.source.get()).map(|range| (range, style.value(&value, MEMBER))));
    }
    if kind == Kind::Code {
        let outputs = old.raw.outputs.filter(|_| !old.outputs.is_empty());
        edits.extend(outputs.and_then(|outputs| Some((at(outputs.get())?, "[]".to_owned()))));
        let count = old.raw.execution_count;
        edits.extend(count.and_then(|count| Some((at(count.get())?, "null".to_owned()))));
    }
    edits
}

fn insert(notebook: &Notebook<'_>, edit: &CellEdit, kind: Kind, source: &str) -> (Range<usize>, String) {
    let style = notebook.style();
    let as_list = notebook
        .cells
        .first()
        .is_none_or(|cell| cell.raw.source.get().starts_with('['));
    let json = cell_json(&style, kind, edit.id.as_deref(), None, source_value(source, as_list));
    let list = range_in(notebook.whole, notebook.list).unwrap_or_default();
    let (Some(first), Some(places)) = (notebook.cells.first(), places(notebook)) else {
        return (list, style.listed('[', ']', [json].into_iter(), CELL - 1));
    };
    // White space between `[` and the first cell, also used between the new cell and its neighbour.
    let start = range_in(notebook.whole, first.json).map_or(0, |range| range.start);
    let space = notebook.whole.get(list.start + 1..start).unwrap_or_default();
    match edit.at.checked_sub(1).and_then(|before| places.get(before)) {
        None => (start..start, format!("{json},{space}")),
        Some(before) => (before.end..before.end, format!(",{space}{json}")),
    }
}

fn delete(notebook: &Notebook<'_>, at: usize) -> Range<usize> {
    let places = places(notebook).unwrap_or_default();
    let list = range_in(notebook.whole, notebook.list).unwrap_or_default();
    match (
        at.checked_sub(1).and_then(|before| places.get(before)),
        places.get(at),
        places.get(at + 1),
    ) {
        (Some(before), Some(cell), _) => before.end..cell.end,
        (None, Some(cell), Some(next)) => cell.start..next.start,
        _ => list.start + 1..list.end.saturating_sub(1),
    }
}

fn places(notebook: &Notebook<'_>) -> Option<Vec<Range<usize>>> {
    let cells = notebook.cells.iter();
    cells.map(|cell| range_in(notebook.whole, cell.json)).collect()
}

fn source_value(source: &str, as_list: bool) -> Value {
    if as_list {
        source.split_inclusive('\n').collect()
    } else {
        source.into()
    }
}

/// Sorts the keys of a new cell, as Jupyter does.
fn cell_json(style: &Style, kind: Kind, id: Option<&str>, metadata: Option<&str>, source: Value) -> String {
    let is_code = kind == Kind::Code;
    let mut parts = vec![("cell_type", Part::Value(kind.name().into()))];
    if is_code {
        parts.push(("execution_count", Part::Value(Value::Null)));
    }
    parts.extend(id.map(|id| ("id", Part::Value(id.into()))));
    parts.push(("metadata", Part::Json(metadata.unwrap_or("{}"))));
    if is_code {
        parts.push(("outputs", Part::Json("[]")));
    }
    parts.push(("source", Part::Value(source)));
    style.object(&parts, CELL)
}

fn splice(whole: &str, mut edits: Vec<(Range<usize>, String)>) -> String {
    edits.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(whole.len());
    let mut from = 0;
    for (range, new) in edits {
        out.push_str(whole.get(from..range.start).unwrap_or_default());
        out.push_str(&new);
        from = range.end;
    }
    out.push_str(whole.get(from..).unwrap_or_default());
    out
}
