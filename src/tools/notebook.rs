//! A Jupyter notebook (nbformat 4): its cells, and the byte ranges of the cells in the file.

mod cell_edit;
mod style;

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

pub(super) use cell_edit::{Action, CellEdit};
use style::Style;

/// First nbformat version in which cells have ids.
const WITH_IDS: (u64, u64) = (4, 5);

pub(super) struct Notebook<'n> {
    whole: &'n str,
    /// The list of cells as JSON text.
    list: &'n str,
    pub(super) cells: Vec<Cell<'n>>,
    pub(super) format: (u64, u64),
    pub(super) language: Option<String>,
}

pub(super) struct Cell<'n> {
    json: &'n str,
    pub(super) kind: Kind,
    pub(super) id: Option<Cow<'n, str>>,
    pub(super) source: String,
    pub(super) count: Option<u64>,
    pub(super) outputs: Vec<&'n RawValue>,
    raw: RawCell<'n>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Kind {
    Code,
    Markdown,
    Raw,
}

#[derive(Deserialize)]
struct RawNotebook<'n> {
    #[serde(borrow)]
    cells: Option<&'n RawValue>,
    #[serde(default)]
    metadata: Metadata,
    nbformat: u64,
    #[serde(default)]
    nbformat_minor: u64,
}

#[derive(Default, Deserialize)]
struct Metadata {
    #[serde(default)]
    kernelspec: Option<Named>,
    #[serde(default)]
    language_info: Option<Named>,
}

#[derive(Deserialize)]
struct Named {
    #[serde(default)]
    language: Option<String>,
    #[serde(default)]
    name: Option<String>,
}

#[derive(Clone, Deserialize)]
struct RawCell<'n> {
    cell_type: Kind,
    #[serde(borrow, default)]
    id: Option<Cow<'n, str>>,
    #[serde(borrow)]
    source: &'n RawValue,
    #[serde(borrow, default)]
    metadata: Option<&'n RawValue>,
    /// Images that are embedded in a Markdown or raw cell.
    #[serde(borrow, default)]
    attachments: Option<&'n RawValue>,
    #[serde(borrow, default)]
    outputs: Option<&'n RawValue>,
    /// Execution count of a code cell. `None` also for `null` in the file.
    #[serde(borrow, default)]
    execution_count: Option<&'n RawValue>,
}

/// Text in a notebook, stored as one string or as a list of lines that include their line ends.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Text {
    Whole(String),
    Lines(Vec<String>),
}

impl Text {
    pub(super) fn joined(self) -> String {
        match self {
            Self::Whole(text) => text,
            Self::Lines(lines) => lines.concat(),
        }
    }
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Code, Self::Markdown, Self::Raw];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Markdown => "markdown",
            Self::Raw => "raw",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

impl<'n> Notebook<'n> {
    pub(super) fn of(text: &'n str) -> Result<Self, String> {
        let whole = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw: RawNotebook<'n> = serde_json::from_str(whole).map_err(|error| error.to_string())?;
        let (RawNotebook { nbformat: 4, .. }, Some(list)) = (&raw, raw.cells) else {
            return Err(format!("its format is nbformat {}, not 4", raw.nbformat));
        };
        let list = list.get();
        let cells: Vec<&'n RawValue> = serde_json::from_str(list).map_err(|error| error.to_string())?;
        let cells = cells.into_iter().enumerate();
        let cells = cells.map(|(at, json)| Cell::of(json.get()).map_err(|error| format!("cell {at}: {error}")));
        let of = |named: Option<Named>| named.and_then(|named| named.language.or(named.name));
        Ok(Self {
            whole: text,
            list,
            cells: cells.collect::<Result<_, _>>()?,
            format: (raw.nbformat, raw.nbformat_minor),
            language: of(raw.metadata.language_info).or_else(|| of(raw.metadata.kernelspec)),
        })
    }

    /// Finds a cell by its id, or else by a zero-based number such as `3` or `cell-3`.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        let by_id = self.cells.iter().position(|cell| cell.id.as_deref() == Some(name));
        by_id.or_else(|| {
            let number: usize = name.strip_prefix("cell-").unwrap_or(name).parse().ok()?;
            (number < self.cells.len()).then_some(number)
        })
    }

    fn has_ids(&self) -> bool {
        self.format >= WITH_IDS
    }

    fn style(&self) -> Style {
        Style::of(self.whole)
    }
}

impl<'n> Cell<'n> {
    pub(super) fn has_attachments(&self) -> bool {
        self.raw.attachments.is_some()
    }

    fn of(json: &'n str) -> serde_json::Result<Self> {
        let raw: RawCell<'n> = serde_json::from_str(json)?;
        let source: Text = serde_json::from_str(raw.source.get())?;
        let outputs = raw.outputs.map(|outputs| serde_json::from_str(outputs.get()));
        let count = raw.execution_count;
        Ok(Self {
            json,
            kind: raw.cell_type,
            id: raw.id.clone(),
            source: source.joined(),
            count: count.and_then(|count| count.get().parse().ok()),
            outputs: outputs.transpose()?.unwrap_or_default(),
            raw,
        })
    }
}

#[cfg(test)]
mod tests;
