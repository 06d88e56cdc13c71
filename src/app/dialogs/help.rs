//! The help dialog: the current key bindings and the commands. The most used bindings come first, then those of each
//! scope. A filter searches descriptions and keys.

use crate::commands::{SlashRow, TABLE as COMMANDS};
use benchdog_base::text::{width as columns, wrap};
use benchdog_keys::action::{GlobalAction, PromptAction, rows as table};
use benchdog_keys::keymap::Chord;
use benchdog_keys::{Action, Keymap, Scope};
use benchdog_lang::{self as lang, Word, word};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Help {
    pub sections: Vec<HelpSection>,
    pub filter: String,
    rows: Vec<HelpRow>,
    width: u16,
    pub top: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpSection {
    pub title: String,
    pub rows: Vec<HelpEntry>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpEntry {
    pub keys: String,
    pub title: String,
    /// The English title, which the filter searches as well.
    english: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HelpRow {
    Heading(String),
    /// A key binding or command. `column` is the column where descriptions start.
    Entry {
        keys: String,
        title: String,
        column: u16,
    },
}

const MOST_USED: usize = 15;
/// Actions that fill the rest of the first section, after the actions that are relevant now.
const ESSENTIAL: [Action; MOST_USED] = [
    Action::Prompt(PromptAction::Send),
    Action::Prompt(PromptAction::Newline),
    Action::Global(GlobalAction::Approvals),
    Action::Global(GlobalAction::OnceNow),
    Action::Global(GlobalAction::DenyNow),
    Action::Global(GlobalAction::Close),
    Action::Prompt(PromptAction::Steer),
    Action::Prompt(PromptAction::Up),
    Action::Global(GlobalAction::NextAgent),
    Action::Global(GlobalAction::Palette),
    Action::Global(GlobalAction::Find),
    Action::Global(GlobalAction::Sessions),
    Action::Global(GlobalAction::EditPrompt),
    Action::Global(GlobalAction::Clear),
    Action::Global(GlobalAction::Help),
];

impl Help {
    /// Builds the help. `now` contains the relevant actions, most important first. If empty, `scope` comes first.
    pub fn new(keymap: &Keymap, scope: Scope, now: &[Action]) -> Self {
        let used = most_used(keymap, scope, now);
        let mut sections: Vec<HelpSection> = matters(keymap, &used).into_iter().collect();
        let mut taken: Vec<Chord> = Vec::new();
        for scope in scope.chain() {
            let mut rows = Vec::new();
            for row in table().filter(|row| row.scope == scope) {
                // A key that is also bound in a more specific scope does not trigger this action, so omit it.
                let keys = keymap.keys_of(row.action).iter().copied();
                let keys: Vec<Chord> = keys.filter(|key| !taken.contains(key)).collect();
                if !used.contains(&row.action) {
                    rows.extend(entry(row.action, &keys));
                }
                taken.extend(keys);
            }
            if !rows.is_empty() {
                let title = title(scope).to_owned();
                sections.push(HelpSection { title, rows });
            }
        }
        sections.push(commands());
        Self {
            sections,
            filter: String::new(),
            rows: Vec::new(),
            width: 0,
            top: 0,
        }
    }

    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut String)) {
        change(&mut self.filter);
        (self.top, self.width) = (0, 0);
    }

    pub fn rows(&self) -> &[HelpRow] {
        &self.rows
    }

    pub(crate) fn height(&self, width: u16) -> u16 {
        let rows = if self.width == width {
            self.rows.len()
        } else {
            laid(&self.sections, "", width).len()
        };
        u16::try_from(rows.max(1) + 3).unwrap_or(u16::MAX)
    }

    pub fn arrange(&mut self, width: u16, height: u16) {
        if self.width != width {
            self.width = width;
            self.rows = laid(&self.sections, &self.filter, width);
        }
        self.top = self.top.min(self.rows.len().saturating_sub(usize::from(height)));
    }

    pub(crate) fn scroll(&mut self, by: isize) {
        self.top = self
            .top
            .saturating_add_signed(by)
            .min(self.rows.len().saturating_sub(1));
    }
}

fn most_used(keymap: &Keymap, scope: Scope, now: &[Action]) -> Vec<Action> {
    if now.is_empty() {
        return Vec::new();
    }
    let means = |action: &Action| {
        let mut keys = keymap.keys_of(*action).iter();
        keys.any(|key| keymap.means(scope, key, *action))
    };
    let (mut used, others): (Vec<Action>, Vec<Action>) = now.iter().partition(|action| ESSENTIAL.contains(action));
    let essential = ESSENTIAL
        .into_iter()
        .filter(|action| means(action) && !now.contains(action));
    used.extend(essential);
    used.extend(others);
    used.truncate(MOST_USED);
    used
}

fn commands() -> HelpSection {
    let row = |row: &'static SlashRow| HelpEntry {
        keys: format!("/{}", row.name),
        title: row.title().to_owned(),
        english: row.title,
    };
    HelpSection {
        title: word(Word::HelpCommands).to_owned(),
        rows: COMMANDS.iter().map(row).collect(),
    }
}

fn matters(keymap: &Keymap, now: &[Action]) -> Option<HelpSection> {
    let rows: Vec<HelpEntry> = now
        .iter()
        .filter_map(|action| entry(*action, keymap.keys_of(*action)))
        .collect();
    let title = word(Word::HelpNow).to_owned();
    (!rows.is_empty()).then_some(HelpSection { title, rows })
}

fn entry(action: Action, keys: &[Chord]) -> Option<HelpEntry> {
    let row = action.row();
    let shown: Vec<String> = keys.iter().map(Chord::shown).collect();
    (!shown.is_empty()).then(|| HelpEntry {
        keys: shown.join("  "),
        title: lang::title(row.id, row.title).to_owned(),
        english: row.title,
    })
}

fn laid(sections: &[HelpSection], filter: &str, width: u16) -> Vec<HelpRow> {
    let wanted = filter.to_lowercase();
    let passes = |entry: &&HelpEntry| {
        let text = format!("{} {} {}", entry.keys, entry.title, entry.english).to_lowercase();
        wanted.split_whitespace().all(|word| text.contains(word))
    };
    let all = sections.iter().flat_map(|section| &section.rows);
    let widest = all.map(|entry| columns(&entry.keys)).max().unwrap_or(0);
    let keys_width = u16::try_from(widest).unwrap_or(u16::MAX).min(width * 2 / 5).max(1);
    let column = keys_width + 2;
    let mut rows = Vec::new();
    for section in sections {
        let mut entries = section.rows.iter().filter(passes).peekable();
        if entries.peek().is_some() {
            rows.push(HelpRow::Heading(section.title.clone()));
        }
        for entry in entries {
            let keys = pieces(&entry.keys, keys_width);
            let titles = pieces(&entry.title, width.saturating_sub(column));
            for place in 0..keys.len().max(titles.len()) {
                let piece = |pieces: &[String]| pieces.get(place).cloned().unwrap_or_default();
                rows.push(HelpRow::Entry {
                    keys: piece(&keys),
                    title: piece(&titles),
                    column,
                });
            }
        }
    }
    rows
}

fn pieces(text: &str, width: u16) -> Vec<String> {
    let ranges = wrap(text, usize::from(width.max(1)));
    let piece = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default().trim_end().to_owned();
    ranges.into_iter().map(piece).collect()
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
        Scope::Jobs => Word::ScopeJobs,
        Scope::Servers => Word::ScopeServers,
    })
}

#[cfg(test)]
mod tests;
