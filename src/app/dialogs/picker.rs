//! A filtered list to take one thing from: models, sessions, earlier prompts, permissions, themes.

use crate::app::cursor::Cursor;
use crate::app::fuzzy;
use crate::base::id::{SeatId, SessionId};
use crate::base::text::{truncate, wrap};
use crate::domain::adjustment::Switched;
use crate::domain::agent::{AgentName, Thinking};
use crate::domain::permission::{Layer, Rule};
use crate::domain::setting::Setting;
use crate::domain::worktree::Worktree;
use crate::lang;

/// Rows of what is said below a list.
const MOST_SAID: usize = 4;

pub(crate) struct Picker {
    pub(crate) kind: PickerKind,
    pub(crate) filter: String,
    /// All items; `shown` says which pass the filter, best first.
    pub(crate) items: Vec<PickerItem>,
    pub(crate) shown: Vec<usize>,
    pub(crate) cursor: Cursor,
    /// The filter was changed since `shown` was found. Many letters that come at once are looked for once.
    stale: bool,
    /// The answer of the engine is still on its way.
    pub(crate) loading: bool,
    /// What to say where nothing is shown, or beside the list: `http://… did not answer`.
    pub(crate) note: String,
    /// The setting that is written here, or whose values are listed.
    pub(crate) setting: Option<Box<Setting>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PickerKind {
    Models,
    Agents,
    /// The seats of this window and the sessions on disk.
    Sessions,
    /// Whether a seat in which a turn runs is closed.
    Closing,
    /// Whether the person leaves although it stops something.
    Leaving,
    Worktrees,
    /// Whether a worktree is removed.
    Removing,
    Prompts,
    /// The rules that decide about calls. What was answered with "always" is taken back here.
    Permissions,
    Skills,
    Thinking,
    Themes,
    /// The prompts that are sent again and again.
    Loops,
    /// Those of servers, each on or off.
    ServerTools,
    /// What can be configured, one value a row.
    Settings,
    /// The filter is the line on which one setting is written.
    Setting,
    /// What one setting may be.
    Values,
}

pub(crate) struct PickerItem {
    pub(crate) text: String,
    /// On the right, dim.
    pub(crate) detail: String,
    pub(crate) current: bool,
    pub(crate) value: PickerValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PickerValue {
    Model(String),
    Agent(AgentName),
    /// A server that the search at the first start found.
    Server {
        base_url: String,
        model: String,
    },
    /// Another server, whose address is entered in the form.
    OtherServer,
    Session(SessionId),
    /// One that this window has open.
    Seat(SeatId),
    /// Whether a seat in which a turn runs is closed.
    SeatStays,
    SeatStops(SeatId),
    /// Whether the person leaves although it stops something.
    Stays,
    Leaves,
    Worktree(Worktree),
    /// Whether a worktree is removed, with what is only there.
    WorktreeStays,
    WorktreeGoes(Worktree),
    Prompt(String),
    Skill(String),
    /// `None`: as the server does by itself.
    Thinking(Option<Thinking>),
    Theme(String),
    Loop(u32),
    ServerTool {
        name: String,
        is: Switched,
    },
    Setting(Box<Setting>),
    /// What a setting may be, as it is written; empty: what it is where nothing says so.
    Written(String),
    /// What is wrong with the file of a theme.
    BrokenTheme(String),
    Rule {
        layer: Layer,
        rule: Rule,
    },
}

/// From so many columns on a row has room for what one chooses by and its detail.
pub(crate) const BOTH_FROM: u16 = 60;

impl Picker {
    pub(crate) fn new(kind: PickerKind) -> Self {
        Self {
            kind,
            filter: String::new(),
            items: Vec::new(),
            shown: Vec::new(),
            cursor: Cursor::default(),
            stale: false,
            loading: true,
            note: String::new(),
            setting: None,
        }
    }

    pub(crate) fn fill(&mut self, items: Vec<PickerItem>, note: String) {
        self.items = items;
        self.note = note;
        self.loading = false;
        self.refresh();
        if self.filter.is_empty()
            && let Some(current) = self
                .shown
                .iter()
                .position(|index| self.items.get(*index).is_some_and(|item| item.current))
        {
            self.cursor.at = current;
        }
    }

    /// The same list as it is now: the bar stays on what it was on.
    pub(crate) fn refill(&mut self, items: Vec<PickerItem>) {
        let (cursor, count) = (self.cursor, self.items.len());
        self.items = items;
        self.loading = false;
        self.refresh();
        if self.items.len() == count {
            self.cursor = cursor;
        }
    }

    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut String)) {
        change(&mut self.filter);
        self.stale = true;
    }

    /// Finds what the filter lets through, where that is not known.
    fn settle(&mut self) {
        if self.stale {
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        self.stale = false;
        self.shown = match self.kind {
            PickerKind::Setting => (0..self.items.len()).collect(),
            PickerKind::Models
            | PickerKind::Agents
            | PickerKind::Sessions
            | PickerKind::Closing
            | PickerKind::Leaving
            | PickerKind::Worktrees
            | PickerKind::Removing
            | PickerKind::Prompts
            | PickerKind::Permissions
            | PickerKind::Skills
            | PickerKind::Thinking
            | PickerKind::Themes
            | PickerKind::Loops
            | PickerKind::ServerTools
            | PickerKind::Settings
            | PickerKind::Values => fuzzy::filter(self.items.iter().map(|item| item.text.as_str()), &self.filter)
                .into_iter()
                .map(|(index, _)| index)
                .collect(),
        };
        self.cursor = Cursor::default();
    }

    pub(crate) fn step(&mut self, by: isize) {
        self.settle();
        self.cursor.step(by, self.shown.len());
    }

    pub(crate) fn arrange(&mut self, width: u16, height: u16) {
        self.settle();
        let said = self.said_rows(width, height);
        let rows = u16::try_from(said.len()).unwrap_or(height);
        self.cursor.arrange(self.shown.len(), height.saturating_sub(rows));
    }

    /// Puts the bar on the first row that is shown with such a value.
    pub(crate) fn go_to(&mut self, wanted: impl Fn(&PickerValue) -> bool) {
        let mut shown = self.shown.iter();
        let at = shown.position(|index| self.items.get(*index).is_some_and(|item| wanted(&item.value)));
        self.cursor.at = at.unwrap_or_default();
    }

    fn under_bar(&self) -> Option<&PickerItem> {
        self.shown.get(self.cursor.at).and_then(|index| self.items.get(*index))
    }

    /// Whether what the row under the bar is stands whole below the list.
    fn tells_below(&self, width: u16) -> bool {
        let is_cut = |item: &PickerItem| wrap(&item.detail, usize::from((width / 2).max(1))).len() > 1;
        // Why one is not read is a sentence, and half of a row is no place for it.
        let is_cut = || self.kind == PickerKind::Skills && self.under_bar().is_some_and(is_cut);
        self.kind == PickerKind::ServerTools || self.is_bare(width) || is_cut()
    }

    /// Whether rows of so many columns show only what one chooses by.
    pub(crate) fn is_bare(&self, width: u16) -> bool {
        matches!(self.kind, PickerKind::Themes | PickerKind::ServerTools) && width < BOTH_FROM
    }

    /// What is said below the list: its note, or what the row under the bar is about.
    pub(crate) fn said(&self) -> &str {
        let under = self.under_bar();
        let of_row = match under.map(|item| &item.value) {
            Some(PickerValue::Setting(setting)) => Some(setting),
            _ => None,
        };
        // Enter says what is wrong with it, and keeps nothing.
        let is_broken = under.is_some_and(|item| matches!(item.value, PickerValue::BrokenTheme(_)));
        match self.setting.as_ref().or(of_row) {
            Some(setting) if self.note.is_empty() => lang::about_setting(setting.key, setting.about),
            _ if self.kind == PickerKind::Themes && is_broken => "",
            _ => &self.note,
        }
    }

    /// The same as rows at the bottom of a list of this size. It is read whole where that leaves rows to the list.
    pub(crate) fn said_rows(&self, width: u16, height: u16) -> Vec<String> {
        let told = self.under_bar().filter(|_| self.tells_below(width));
        let said = [told.map_or("", |item| &item.detail), self.said()];
        let said = said.map(str::trim).into_iter().filter(|said| !said.is_empty());
        let said = &said.collect::<Vec<_>>().join(" · ");
        let width = usize::from(width.max(1));
        let least = if self.kind == PickerKind::Setting { 2 } else { 4 };
        if said.is_empty() || height < least {
            return Vec::new();
        }
        let most = match self.kind {
            PickerKind::Settings
            | PickerKind::Setting
            | PickerKind::Values
            | PickerKind::Themes
            | PickerKind::Skills => height / 2,
            _ => height / 4,
        };
        let most = usize::from(most).clamp(1, MOST_SAID);
        let rows = wrap(said, width);
        let left_out = rows.len() > most;
        let last = rows.get(most - 1).map_or(0, |row| row.start);
        let mut rows: Vec<String> = rows
            .into_iter()
            .take(most)
            .map(|row| said.get(row).unwrap_or_default().to_owned())
            .collect();
        // What has no room is not left out without a sign.
        if left_out && let Some(row) = rows.last_mut() {
            *row = truncate(said.get(last..).unwrap_or_default(), width).into_owned();
        }
        rows
    }

    pub(crate) fn chosen(&mut self) -> Option<&PickerValue> {
        self.settle();
        let index = self.shown.get(self.cursor.at)?;
        self.items.get(*index).map(|item| &item.value)
    }
}
