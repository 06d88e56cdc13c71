//! A filterable list to choose from: models, sessions, earlier prompts, permissions, themes.

use crate::cursor::Cursor;
use crate::fuzzy;
use benchdog_base::id::{EntryId, SeatId, SessionId};
use benchdog_base::text::{clean, truncate, wrap};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::agent::{AgentName, Thinking};
use benchdog_domain::folder::HeadMoved;
use benchdog_domain::permission::{Layer, Rule};
use benchdog_domain::rewind::Rewind;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::setting::Setting;
use benchdog_domain::worktree::Worktree;
use benchdog_lang::{self as lang, Word, word};

const MOST_SAID: usize = 4;

pub struct Picker {
    pub kind: PickerKind,
    pub filter: String,
    /// All items. `shown` contains the indices of those that match the filter, best first.
    pub items: Vec<PickerItem>,
    pub shown: Vec<usize>,
    pub cursor: Cursor,
    /// Whether the filter has changed since `shown` was computed. Several key presses then need only one search.
    stale: bool,
    pub loading: bool,
    /// The query of the last search in stored sessions.
    pub(crate) searched: Option<String>,
    /// The text below the list, or in place of an empty list, such as `http://… did not answer`.
    pub note: String,
    pub setting: Option<Box<Setting>>,
    /// Details of search hits. The details of the selected row are shown below the list.
    pub(crate) previews: Vec<(PickerValue, String)>,
    /// The stored sessions among the items, each with its depth in the tree of forks.
    pub(crate) stored: Vec<(usize, SessionMeta)>,
    /// Sessions that another workbench has open.
    pub(crate) in_use: Vec<SessionId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickerKind {
    Models,
    Agents,
    Sessions,
    Found,
    /// The filter line is an input for the new title of a session.
    Rename,
    Closing,
    Leaving,
    Worktrees,
    Removing,
    Prompts,
    RewindPoints,
    Rewind,
    Permissions,
    Skills,
    Thinking,
    Themes,
    Languages,
    Loops,
    ServerTools,
    Settings,
    /// The filter line is an input for the value of one setting.
    Setting,
    Values,
}

pub struct PickerItem {
    pub text: String,
    pub detail: String,
    pub current: bool,
    pub value: PickerValue,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PickerValue {
    Model(String),
    Agent(AgentName),
    Server {
        base_url: String,
        model: String,
    },
    OtherServer,
    Session(SessionId),
    Removed(SessionId),
    Hit(SessionId, EntryId),
    Seat(SeatId),
    SeatStays,
    SeatStops(SeatId),
    Stays,
    Leaves,
    Worktree(Worktree),
    WorktreeStays,
    WorktreeGoes(Worktree),
    Prompt(String),
    RewindPoint {
        prompt: EntryId,
        files_change: bool,
        /// The change of git `HEAD` since this prompt, if any.
        head: Option<Box<HeadMoved>>,
    },
    Rewind {
        prompt: EntryId,
        what: &'static [Rewind],
    },
    Skill(String),
    /// `None` for the server's default.
    Thinking(Option<Thinking>),
    Theme(String),
    /// The name of a language, as in `ui.language`.
    Language(&'static str),
    Loop(u32),
    ServerTool {
        name: String,
        is: Switched,
    },
    Setting(Box<Setting>),
    /// A value in the notation of the configuration file. Empty text resets the setting to its default.
    Written(String),
    BrokenTheme(String),
    Rule {
        layer: Layer,
        rule: Rule,
    },
}

impl PickerValue {
    pub(crate) fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Session(session) | Self::Removed(session) => Some(session),
            _ => None,
        }
    }
}

pub(crate) fn stored<'m>(all: &'m [(usize, SessionMeta)], session: &SessionId) -> Option<&'m (usize, SessionMeta)> {
    all.iter().find(|(_, meta)| meta.id == *session)
}

pub const BOTH_FROM: u16 = 60;

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
            searched: None,
            note: String::new(),
            setting: None,
            previews: Vec::new(),
            stored: Vec::new(),
            in_use: Vec::new(),
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

    fn settle(&mut self) {
        if self.stale {
            self.refresh();
        }
    }

    fn refresh(&mut self) {
        self.stale = false;
        self.shown = match self.kind {
            PickerKind::Setting | PickerKind::Rename | PickerKind::Found => (0..self.items.len()).collect(),
            PickerKind::Models
            | PickerKind::Agents
            | PickerKind::Sessions
            | PickerKind::Closing
            | PickerKind::Leaving
            | PickerKind::Worktrees
            | PickerKind::Removing
            | PickerKind::Prompts
            | PickerKind::RewindPoints
            | PickerKind::Rewind
            | PickerKind::Permissions
            | PickerKind::Skills
            | PickerKind::Thinking
            | PickerKind::Themes
            | PickerKind::Languages
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

    pub fn arrange(&mut self, width: u16, height: u16) {
        self.settle();
        let said = self.said_rows(width, height);
        let rows = u16::try_from(said.len()).unwrap_or(height);
        self.cursor.arrange(self.shown.len(), height.saturating_sub(rows));
    }

    pub(crate) fn go_to(&mut self, wanted: impl Fn(&PickerValue) -> bool) {
        let mut shown = self.shown.iter();
        let at = shown.position(|index| self.items.get(*index).is_some_and(|item| wanted(&item.value)));
        self.cursor.at = at.unwrap_or_default();
    }

    fn under_bar(&self) -> Option<&PickerItem> {
        self.shown.get(self.cursor.at).and_then(|index| self.items.get(*index))
    }

    fn tells_below(&self, width: u16) -> bool {
        let is_cut = |item: &PickerItem| wrap(&item.detail, usize::from((width / 2).max(1))).len() > 1;
        // The error of an invalid skill is a sentence that does not fit into half of the row.
        let is_cut = || self.kind == PickerKind::Skills && self.under_bar().is_some_and(is_cut);
        self.kind == PickerKind::ServerTools || self.is_bare(width) || is_cut()
    }

    pub fn is_bare(&self, width: u16) -> bool {
        matches!(self.kind, PickerKind::Themes | PickerKind::ServerTools) && width < BOTH_FROM
    }

    /// Returns the text below the list: the note, or the description of the selected row.
    pub fn said(&self) -> &str {
        let under = self.under_bar();
        let of_row = match under.map(|item| &item.value) {
            Some(PickerValue::Setting(setting)) => Some(setting),
            _ => None,
        };
        // The error of a broken theme is shown on Enter instead.
        let is_broken = under.is_some_and(|item| matches!(item.value, PickerValue::BrokenTheme(_)));
        let is_removed = under.is_some_and(|item| matches!(item.value, PickerValue::Removed(_)));
        match self.setting.as_ref().or(of_row) {
            Some(setting) if self.note.is_empty() => lang::about_setting(setting.key, setting.about),
            _ if self.kind == PickerKind::Themes && is_broken => "",
            // A deleted session cannot be opened. The preview shows the key that restores the session.
            _ if is_removed => "",
            _ => &self.note,
        }
    }

    /// Returns the details of the selected item that do not fit into the row of the item.
    fn preview(&self) -> Option<String> {
        let value = &self.under_bar()?.value;
        if let PickerValue::Removed(id) = value {
            return Some(lang::message::session_removed(id.short()));
        }
        if let Some((_, meta)) = value.session().and_then(|id| stored(&self.stored, id)) {
            let model = meta.model.as_ref().map(|model| format!(" · {model}"));
            let (entries, model) = (word(Word::Entries), model.unwrap_or_default());
            let SessionMeta { title, workspace, .. } = meta;
            let text = format!("{title} · {workspace} · {} {entries}{model}", meta.entries);
            return Some(clean(&text).into_owned());
        }
        let mut previews = self.previews.iter();
        Some(previews.find(|(of, _)| of == value)?.1.clone())
    }

    pub fn said_rows(&self, width: u16, height: u16) -> Vec<String> {
        let told = self.under_bar().filter(|_| self.tells_below(width));
        let preview = self.preview().unwrap_or_default();
        let said = [told.map_or("", |item| &item.detail), &preview, self.said()];
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
            | PickerKind::Sessions
            | PickerKind::Found
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
