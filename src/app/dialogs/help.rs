//! The keys valid now, nearest scope first, from the action table.

use crate::keys::action::rows as table;
use crate::keys::keymap::Chord;
use crate::keys::{Keymap, Scope};
use crate::lang::{self, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Help {
    pub(crate) sections: Vec<HelpSection>,
    /// The first row shown; a section is one row for its title and one for each of its rows.
    pub(crate) top: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HelpSection {
    pub(crate) title: String,
    /// Keys as shown (`Alt+A  F2`), then what they do.
    pub(crate) rows: Vec<(String, String)>,
}

impl Help {
    pub(crate) fn new(keymap: &Keymap, scope: Scope) -> Self {
        let mut taken: Vec<Chord> = Vec::new();
        let mut sections = Vec::new();
        for scope in scope.chain() {
            let mut rows = Vec::new();
            for row in table().filter(|row| row.scope == scope) {
                // A key that a nearer scope uses means that, and not this.
                let keys: Vec<Chord> = keymap
                    .keys_of(row.action)
                    .iter()
                    .copied()
                    .filter(|key| !taken.contains(key))
                    .collect();
                if !keys.is_empty() {
                    let shown: Vec<String> = keys.iter().map(Chord::shown).collect();
                    rows.push((shown.join("  "), lang::title(row.id, row.title).to_owned()));
                    taken.extend(keys);
                }
            }
            if !rows.is_empty() {
                sections.push(HelpSection {
                    title: title(scope).to_owned(),
                    rows,
                });
            }
        }
        Self { sections, top: 0 }
    }

    pub(crate) fn row_count(&self) -> usize {
        self.sections.iter().map(|section| 1 + section.rows.len()).sum()
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        self.top = self
            .top
            .saturating_add_signed(by)
            .min(self.row_count().saturating_sub(1));
    }
}

fn title(scope: Scope) -> &'static str {
    word(match scope {
        Scope::Global => Word::ScopeGlobal,
        Scope::Text => Word::ScopeText,
        Scope::Line => Word::ScopeLine,
        Scope::Pane => Word::ScopePane,
        Scope::List => Word::ScopeList,
        Scope::Fold => Word::ScopeFold,
        Scope::Diff => Word::ScopeDiff,
        Scope::Question => Word::ScopeQuestion,
        Scope::Prompt => Word::ScopePrompt,
        Scope::Completion => Word::ScopeCompletion,
        Scope::Conversation => Word::ScopeConversation,
        Scope::Files => Word::ScopeFiles,
        Scope::Changes => Word::ScopeChanges,
        Scope::Change => Word::ScopeChange,
        Scope::Todo => Word::ScopeTodo,
        Scope::Context => Word::ScopeContext,
        Scope::Find => Word::ScopeFind,
        Scope::Approval => Word::ScopeApproval,
        Scope::Proposal => Word::ScopeProposal,
        Scope::Confirm => Word::ScopeConfirm,
        Scope::Reason => Word::ScopeReason,
        Scope::Comment => Word::ScopeComment,
        Scope::Editor => Word::ScopeEditor,
        Scope::Options => Word::ScopeOptions,
        Scope::Answer => Word::ScopeAnswer,
        Scope::Picker => Word::ScopePicker,
        Scope::Dialog => Word::ScopeDialog,
        Scope::Compaction => Word::ScopeCompaction,
    })
}
