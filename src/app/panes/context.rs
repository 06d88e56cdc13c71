//! The context pane: usage of the context window, the items in the window, and the pinned items.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::cursor::Cursor;
use benchdog_base::clock::Time;
use benchdog_base::id::EntryId;
use benchdog_domain::budget::{CarriedAs, ContextItem, Ledger, LedgerItem, LedgerKind};
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::Preview;

#[derive(Default)]
pub struct ContextPane {
    pub ledger: Option<Ledger>,
    /// The items of each kind in the context. A kind's items are loaded when the user opens the kind.
    items: BTreeMap<LedgerKind, Vec<ContextItem>>,
    open: BTreeSet<LedgerKind>,
    pub cursor: Cursor,
    pub folded: bool,
    /// Whether a summary for a preview was requested and has not arrived.
    pub awaited: bool,
    pub since: Time,
    /// A summary that arrived while the user was typing elsewhere, so that it is not shown yet.
    pub ready: Option<Preview>,
}

/// Number of rows at the top for the gauge and its numbers. These rows cannot be selected.
const ABOVE: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContextRow<'p> {
    Gauge,
    Numbers,
    Kind(&'p LedgerItem),
    Item(&'p ContextItem),
}

impl ContextPane {
    /// Returns the used share such as `41 %`, or `~41 %` for an estimate. `None` before the first count.
    pub(crate) fn percent(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        let about = lang::about(ledger);
        Some(format!("{about}{} %", ledger.percent()))
    }

    /// Returns the usage such as `12,345 of 57,344 tokens, 21 %`.
    pub(crate) fn used(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        Some(lang::used_of(ledger))
    }

    pub fn rows(&self) -> impl Iterator<Item = ContextRow<'_>> {
        let above = [ContextRow::Gauge, ContextRow::Numbers];
        above.into_iter().chain(self.kinds().flat_map(|kind| {
            let items = self.items_of(kind.kind).iter().map(ContextRow::Item);
            std::iter::once(ContextRow::Kind(kind)).chain(items)
        }))
    }

    pub(crate) fn row_count(&self) -> usize {
        let kinds = self.kinds().map(|kind| 1 + self.items_of(kind.kind).len());
        ABOVE + kinds.sum::<usize>()
    }

    fn kinds(&self) -> impl Iterator<Item = &LedgerItem> {
        let items = self
            .ledger
            .iter()
            .filter(|_| !self.folded)
            .flat_map(|ledger| &ledger.items);
        items.filter(|item| item.tokens > 0)
    }

    fn items_of(&self, kind: LedgerKind) -> &[ContextItem] {
        let items = self.items.get(&kind).filter(|_| self.open.contains(&kind));
        items.map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn step(&mut self, by: isize) {
        let rows = self.row_count();
        self.cursor.step(by, rows);
    }

    pub fn arrange(&mut self, height: u16) {
        let rows = self.row_count();
        self.cursor.at = self.cursor.at.max(ABOVE.min(rows.saturating_sub(1)));
        self.cursor.arrange(rows, height);
        if self.cursor.at < usize::from(height) {
            self.rest();
        }
    }

    pub(crate) fn rest(&mut self) {
        if self.cursor.at == ABOVE {
            self.cursor.top = 0;
        }
    }

    pub(crate) fn list(&mut self, items: Vec<ContextItem>) {
        self.items.clear();
        for item in items {
            self.items.entry(item.kind).or_default().push(item);
        }
    }

    /// Whether any kind is open. The items of open kinds must be requested again after a change.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Opens or closes the kind under the cursor. Returns `false` if the cursor is on another row.
    pub(crate) fn toggle(&mut self) -> bool {
        let Some(ContextRow::Kind(kind)) = self.rows().nth(self.cursor.at) else {
            return false;
        };
        let kind = kind.kind;
        if !self.open.remove(&kind) {
            self.open.insert(kind);
        }
        true
    }

    pub fn is_opened(&self, kind: LedgerKind) -> bool {
        self.open.contains(&kind)
    }

    pub(crate) fn current_kind(&self) -> Option<LedgerKind> {
        match self.rows().nth(self.cursor.at) {
            Some(ContextRow::Kind(kind)) => Some(kind.kind),
            _ => None,
        }
    }

    pub(crate) fn current(&self) -> Option<&ContextItem> {
        match self.rows().nth(self.cursor.at) {
            Some(ContextRow::Item(item)) => Some(item),
            _ => None,
        }
    }

    /// Returns the log entry of the item under the cursor, if the item can be pinned or dropped.
    pub(crate) fn entry(&self) -> Option<(EntryId, &ContextItem)> {
        let item = self.current()?;
        Some((item.entry?, item))
    }

    pub(crate) fn close(&mut self) {
        self.items.clear();
        self.open.clear();
    }

    pub(crate) fn text(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        let about = lang::about(ledger);
        let mut lines = vec![format!("{about}{}", lang::tokens(ledger.used, ledger.limit))];
        lines.extend(self.rows().filter_map(|row| match row {
            ContextRow::Gauge | ContextRow::Numbers => None,
            ContextRow::Kind(kind) => Some(format!("{} {}", name(kind.kind), kind.tokens)),
            ContextRow::Item(item) => Some(format!("  {} {} {}", sign(item), label(item), item.tokens)),
        }));
        Some(lines.join("\n"))
    }
}

pub fn sign(item: &ContextItem) -> &'static str {
    match item.carried {
        _ if item.pinned => "▪",
        CarriedAs::Whole => " ",
        CarriedAs::Part => "…",
        CarriedAs::Line => "⊘",
    }
}

/// Returns the name of an item. An item without a label, such as Benchdog's own system prompt, is named after its kind.
/// The name of any other system prompt consists of kind and label.
pub fn label(item: &ContextItem) -> Cow<'_, str> {
    match (item.kind, item.label.as_str()) {
        (kind, "") => name(kind).into(),
        (LedgerKind::System, called) => format!("{}: {called}", name(item.kind)).into(),
        (_, label) => label.into(),
    }
}

pub fn name(kind: LedgerKind) -> &'static str {
    word(match kind {
        LedgerKind::System => Word::LedgerSystem,
        LedgerKind::Rules => Word::LedgerRules,
        LedgerKind::Skills => Word::LedgerSkills,
        LedgerKind::Tools => Word::LedgerTools,
        LedgerKind::Files => Word::LedgerFiles,
        LedgerKind::Mentions => Word::LedgerMentions,
        LedgerKind::Images => Word::LedgerImages,
        LedgerKind::Results => Word::LedgerResults,
        LedgerKind::Summary => Word::LedgerSummary,
        LedgerKind::Conversation => Word::LedgerConversation,
    })
}
