//! How full the model's window is, with what, and what of it stays.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::app::cursor::Cursor;
use crate::base::clock::Time;
use crate::base::id::EntryId;
use crate::domain::budget::{CarriedAs, ContextItem, Ledger, LedgerItem, LedgerKind};
use crate::lang::{self, Word, word};
use crate::protocol::Preview;

#[derive(Default)]
pub(crate) struct ContextPane {
    pub(crate) ledger: Option<Ledger>,
    /// All that requests carry; asked for when a kind is opened.
    items: BTreeMap<LedgerKind, Vec<ContextItem>>,
    open: BTreeSet<LedgerKind>,
    pub(crate) cursor: Cursor,
    /// Only the gauge and its numbers show.
    pub(crate) folded: bool,
    /// A summary to look at is being made.
    pub(crate) awaited: bool,
    /// Since when.
    pub(crate) since: Time,
    /// A summary that came while the person wrote something else.
    pub(crate) ready: Option<Preview>,
}

/// The rows of the gauge and its numbers, which nothing can be done about.
const ABOVE: usize = 2;

/// One row of the pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ContextRow<'p> {
    Gauge,
    Numbers,
    Kind(&'p LedgerItem),
    Item(&'p ContextItem),
}

impl ContextPane {
    /// `41 %`, `~41 %` where it is an estimate, nothing before the first count.
    pub(crate) fn percent(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        let about = lang::about(ledger);
        Some(format!("{about}{} %", ledger.percent()))
    }

    /// `12,345 of 57,344 tokens, 21 %`.
    pub(crate) fn used(&self) -> Option<String> {
        let ledger = self.ledger.as_ref()?;
        Some(lang::used_of(ledger))
    }

    /// From the top; only what is looked at is made.
    pub(crate) fn rows(&self) -> impl Iterator<Item = ContextRow<'_>> {
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

    /// The things of a kind, where it is open.
    fn items_of(&self, kind: LedgerKind) -> &[ContextItem] {
        let items = self.items.get(&kind).filter(|_| self.open.contains(&kind));
        items.map(Vec::as_slice).unwrap_or_default()
    }

    pub(crate) fn step(&mut self, by: isize) {
        let rows = self.row_count();
        self.cursor.step(by, rows);
    }

    /// The cursor stands on a kind or a thing, and the gauge above them is in view where there is room for it.
    pub(crate) fn arrange(&mut self, height: u16) {
        let rows = self.row_count();
        self.cursor.at = self.cursor.at.max(ABOVE.min(rows.saturating_sub(1)));
        self.cursor.arrange(rows, height);
        if self.cursor.at < usize::from(height) {
            self.rest();
        }
    }

    /// Nobody looks along it: where the cursor has not been moved, the gauge is in view however few the rows are.
    pub(crate) fn rest(&mut self) {
        if self.cursor.at == ABOVE {
            self.cursor.top = 0;
        }
    }

    /// Takes in what requests carry now.
    pub(crate) fn list(&mut self, items: Vec<ContextItem>) {
        self.items.clear();
        for item in items {
            self.items.entry(item.kind).or_default().push(item);
        }
    }

    /// Whether the list of things is on screen, and so has to be asked for again when it changes.
    pub(crate) fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Opens or folds the kind under the cursor; whether there is one.
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

    pub(crate) fn is_opened(&self, kind: LedgerKind) -> bool {
        self.open.contains(&kind)
    }

    /// The kind under the cursor, which Enter opens or folds.
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

    /// The entry under the cursor, where it is one that can be pinned or dropped.
    pub(crate) fn entry(&self) -> Option<(EntryId, &ContextItem)> {
        let item = self.current()?;
        Some((item.entry?, item))
    }

    pub(crate) fn close(&mut self) {
        self.items.clear();
        self.open.clear();
    }

    /// All of it in tokens, a line each.
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

/// One column that says how it is carried.
pub(crate) fn sign(item: &ContextItem) -> &'static str {
    match item.carried {
        _ if item.pinned => "▪",
        CarriedAs::Whole => " ",
        CarriedAs::Part => "…",
        CarriedAs::Line => "⊘",
    }
}

/// What a thing is called; our own system prompt has no words of its own, another's name stands behind what it is.
pub(crate) fn label(item: &ContextItem) -> Cow<'_, str> {
    match (item.kind, item.label.as_str()) {
        (kind, "") => name(kind).into(),
        (LedgerKind::System, called) => format!("{}: {called}", name(item.kind)).into(),
        (_, label) => label.into(),
    }
}

pub(crate) fn name(kind: LedgerKind) -> &'static str {
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
