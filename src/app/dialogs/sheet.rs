//! Facts to read: names and what belongs to them, in rows that are wrapped to the width. Where a session stands, what it cost.

mod cost;
mod health;
pub(crate) mod servers;
mod status;

use crate::base::text::{reveal, width as columns, wrap};
use crate::domain::checkup::Check;
use crate::domain::server::ServerStatus;
use crate::domain::status::Status;

pub(crate) struct Sheet {
    pub(crate) kind: SheetKind,
    /// `None`: they are on their way.
    facts: Option<Vec<Fact>>,
    rows: Vec<SheetRow>,
    pub(crate) top: usize,
    /// The address that is to be opened and was copied.
    copied: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SheetKind {
    Status,
    Cost,
    Health,
    Servers,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    Heading(String),
    Field(&'static str, String),
    Text(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum SheetRow {
    Heading(String),
    /// `column` is where the values of all fields begin.
    Field {
        name: &'static str,
        value: String,
        column: u16,
    },
    Text(String),
}

/// What only the workbench knows of the session it shows.
pub(crate) struct Seen {
    /// Tokens a second of the newest answer, an estimate.
    pub(crate) speed: Option<u64>,
    /// What is used of the window, in words.
    pub(crate) used: Option<String>,
    /// What holds commands in, as it was found, in words.
    pub(crate) confined: Option<String>,
}

impl Sheet {
    pub(crate) fn new(kind: SheetKind) -> Self {
        Self {
            kind,
            facts: None,
            rows: Vec::new(),
            top: 0,
            copied: None,
        }
    }

    pub(crate) fn fill(&mut self, status: &Status, seen: &Seen) {
        match self.kind {
            SheetKind::Status => self.facts = Some(status::facts(status, seen)),
            SheetKind::Cost => self.facts = Some(cost::facts(status)),
            SheetKind::Health | SheetKind::Servers => {}
        }
    }

    pub(crate) fn fill_servers(&mut self, servers: &[ServerStatus]) {
        if self.kind == SheetKind::Servers {
            self.facts = Some(servers::facts(servers));
        }
    }

    /// An address that is new to whoever looks: it is to be copied, once.
    pub(crate) fn link_to_copy(&mut self, servers: &[ServerStatus]) -> Option<String> {
        let link = servers.iter().find_map(servers::link)?;
        (self.copied.as_deref() != Some(link)).then(|| self.copied.insert(link.to_owned()).clone())
    }

    pub(crate) fn fill_health(&mut self, checks: &[Check]) {
        if self.kind == SheetKind::Health {
            self.facts = Some(health::facts(checks));
        }
    }

    pub(crate) fn is_waiting(&self) -> bool {
        self.facts.is_none()
    }

    pub(crate) fn rows(&self) -> &[SheetRow] {
        &self.rows
    }

    /// Rows it would like to have at this inner width, border included.
    pub(crate) fn height(&self, width: u16) -> u16 {
        let rows = laid(self.facts.as_deref().unwrap_or_default(), width).len();
        u16::try_from(rows.max(1) + 2).unwrap_or(u16::MAX)
    }

    pub(crate) fn arrange(&mut self, width: u16, height: u16) {
        self.rows = laid(self.facts.as_deref().unwrap_or_default(), width);
        self.top = self.top.min(self.rows.len().saturating_sub(usize::from(height)));
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        self.top = self
            .top
            .saturating_add_signed(by)
            .min(self.rows.len().saturating_sub(1));
    }
}

/// Each section begins behind an empty row.
fn laid(facts: &[Fact], width: u16) -> Vec<SheetRow> {
    let widest = facts.iter().map(|fact| match fact {
        Fact::Field(name, _) => columns(name),
        Fact::Heading(_) | Fact::Text(_) => 0,
    });
    let column = u16::try_from(widest.max().unwrap_or(0)).unwrap_or(u16::MAX);
    let column = column.min(width / 3) + 2;
    let mut rows = Vec::new();
    for fact in facts {
        match fact {
            Fact::Heading(text) => {
                if !rows.is_empty() {
                    rows.push(SheetRow::Text(String::new()));
                }
                rows.extend(wrapped(text, width).into_iter().map(SheetRow::Heading));
            }
            Fact::Field(name, value) => {
                let mut name = *name;
                rows.extend(
                    wrapped(value, width.saturating_sub(column))
                        .into_iter()
                        .map(|value| SheetRow::Field {
                            name: std::mem::take(&mut name),
                            value,
                            column,
                        }),
                );
            }
            Fact::Text(text) => rows.extend(wrapped(text, width).into_iter().map(SheetRow::Text)),
        }
    }
    rows
}

/// Names of files and servers are not ours: nothing of them steers the terminal.
fn wrapped(text: &str, width: u16) -> Vec<String> {
    let text = reveal(text);
    let ranges = wrap(&text, usize::from(width.max(1)));
    let rows: Vec<String> = ranges
        .into_iter()
        .map(|range| text.get(range).unwrap_or_default().to_owned())
        .collect();
    if rows.is_empty() { vec![String::new()] } else { rows }
}
