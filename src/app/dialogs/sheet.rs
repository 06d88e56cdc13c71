//! A dialog with a table of names and values: status, cost, hooks, servers. Values are wrapped to the width.

mod cost;
mod health;
mod hooks;
mod privacy;
pub(crate) mod servers;
mod status;

use benchdog_base::clock::Zone;
use benchdog_base::text::{clean, reveal, width as columns, wrap};
use benchdog_domain::checkup::Check;
use benchdog_domain::hook::HookOffer;
use benchdog_domain::server::ServerStatus;
use benchdog_domain::status::Status;
use benchdog_transcript::Mark;

pub struct Sheet {
    pub kind: SheetKind,
    facts: Option<Vec<Fact>>,
    rows: Vec<SheetRow>,
    pub top: usize,
    copied: Option<String>,
    failed: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SheetKind {
    Status,
    Cost,
    Privacy,
    Health,
    Servers,
    Hooks,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fact {
    Heading(String),
    Stands(Mark, String),
    Wrong(String),
    Field(&'static str, String),
    Text(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SheetRow {
    Heading(String),
    Stands(Mark, String),
    Wrong(String),
    Field {
        name: &'static str,
        value: String,
        column: u16,
    },
    Text(String),
}

pub struct Seen {
    /// Estimated tokens per second of the newest answer.
    pub speed: Option<u64>,
    pub used: Option<String>,
    pub confined: Option<String>,
}

impl Sheet {
    pub fn new(kind: SheetKind) -> Self {
        Self {
            kind,
            facts: None,
            rows: Vec::new(),
            top: 0,
            copied: None,
            failed: None,
        }
    }

    pub(crate) fn fail(&mut self, why: &str) {
        self.failed = Some(clean(why).into_owned());
        self.top = 0;
    }

    pub(crate) fn text(&self) -> Option<String> {
        let line = |fact: &Fact| match fact {
            Fact::Heading(text) | Fact::Stands(_, text) | Fact::Wrong(text) | Fact::Text(text) => text.clone(),
            Fact::Field(name, value) => format!("{name}: {value}"),
        };
        let facts = self.facts.as_ref()?.iter();
        Some(facts.map(line).collect::<Vec<_>>().join("\n"))
    }

    pub fn fill(&mut self, status: &Status, seen: &Seen) {
        match self.kind {
            SheetKind::Status => self.facts = Some(status::facts(status, seen)),
            SheetKind::Cost => self.facts = Some(cost::facts(status)),
            SheetKind::Privacy => self.facts = Some(privacy::facts(status)),
            SheetKind::Health | SheetKind::Servers | SheetKind::Hooks => {}
        }
    }

    pub fn fill_servers(&mut self, servers: &[ServerStatus]) {
        if self.kind == SheetKind::Servers {
            self.facts = Some(servers::facts(servers));
        }
    }

    pub fn fill_hooks(&mut self, hooks: &[HookOffer], zone: &Zone) {
        if self.kind == SheetKind::Hooks {
            self.facts = Some(hooks::facts(hooks, zone));
        }
    }

    pub(crate) fn link_to_copy(&mut self, servers: &[ServerStatus]) -> Option<String> {
        let link = servers.iter().find_map(servers::link)?;
        (self.copied.as_deref() != Some(link)).then(|| self.copied.insert(link.to_owned()).clone())
    }

    pub fn fill_health(&mut self, checks: &[Check]) {
        if self.kind == SheetKind::Health {
            self.facts = Some(health::facts(checks));
        }
    }

    pub fn is_waiting(&self) -> bool {
        self.facts.is_none()
    }

    pub fn rows(&self) -> &[SheetRow] {
        &self.rows
    }

    pub(crate) fn height(&self, width: u16) -> u16 {
        u16::try_from(self.laid(width).len().max(1) + 2).unwrap_or(u16::MAX)
    }

    fn laid(&self, width: u16) -> Vec<SheetRow> {
        let failed = self.failed.iter().flat_map(|why| wrapped(why, width));
        let mut rows: Vec<SheetRow> = failed.map(SheetRow::Wrong).collect();
        lay(self.facts.as_deref().unwrap_or_default(), width, &mut rows);
        rows
    }

    pub fn arrange(&mut self, width: u16, height: u16) {
        self.rows = self.laid(width);
        self.top = self.top.min(self.rows.len().saturating_sub(usize::from(height)));
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        self.top = self
            .top
            .saturating_add_signed(by)
            .min(self.rows.len().saturating_sub(1));
    }
}

fn lay(facts: &[Fact], width: u16, rows: &mut Vec<SheetRow>) {
    let widest = facts.iter().map(|fact| match fact {
        Fact::Field(name, _) => columns(name),
        Fact::Heading(_) | Fact::Stands(..) | Fact::Wrong(_) | Fact::Text(_) => 0,
    });
    let column = u16::try_from(widest.max().unwrap_or(0)).unwrap_or(u16::MAX);
    let column = column.min(width / 3) + 2;
    for fact in facts {
        let begins = matches!(fact, Fact::Heading(_) | Fact::Stands(..));
        if begins && !rows.is_empty() {
            rows.push(SheetRow::Text(String::new()));
        }
        match fact {
            Fact::Heading(text) => rows.extend(wrapped(text, width).into_iter().map(SheetRow::Heading)),
            Fact::Stands(mark, text) => {
                let text = format!("{} {text}", mark.sign());
                rows.extend(
                    wrapped(&text, width)
                        .into_iter()
                        .map(|row| SheetRow::Stands(*mark, row)),
                );
            }
            Fact::Wrong(text) => rows.extend(wrapped(text, width).into_iter().map(SheetRow::Wrong)),
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
}

/// Wraps a text with visible control characters, because names of files and servers may contain them.
fn wrapped(text: &str, width: u16) -> Vec<String> {
    let text = reveal(text);
    let ranges = wrap(&text, usize::from(width.max(1)));
    let rows: Vec<String> = ranges
        .into_iter()
        .map(|range| text.get(range).unwrap_or_default().to_owned())
        .collect();
    if rows.is_empty() { vec![String::new()] } else { rows }
}
