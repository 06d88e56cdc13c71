//! The prompt: its text, history, completion, folded pastes, queue, and saved draft.

pub(crate) mod block;
pub mod buffer;
pub(crate) mod completion;
mod dropped;
mod history;
mod lent;
pub(crate) mod vim;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::commands;
use benchdog_base::clock::Time;
use benchdog_base::id::BlobId;
use benchdog_base::text::clean;
use benchdog_domain::mention::begins;
use benchdog_domain::skill::{OfferKind, SkillOffer, SkillState};
use benchdog_domain::waiting::WaitingPrompt;
use benchdog_lang as lang;
use buffer::{Buffer, Move};
pub(crate) use completion::{Completion, CompletionKind, Lookup};
use vim::{Did, Vim};

pub const SIGN: u16 = 2;
/// Maximum number of lines of a paste that is shown in full. A longer paste is folded into a label.
pub const WRITTEN_OUT_LINES: usize = 40;
/// Maximum number of bytes of a paste that is shown in full.
pub const WRITTEN_OUT_BYTES: usize = 4 * 1024;
/// Time in ms without typing after which the draft is saved.
pub(crate) const SAVE_AFTER_MS: i64 = 200;
/// Maximum time in ms from the first unsaved change until the draft is saved. Saving on every key press would cost more
/// than handling the key. If Benchdog is killed, at most this much typing is lost.
const SAVE_WITHIN_MS: i64 = 1_000;
/// Maximum number of pastes in `Prompt::sent_pastes`.
const PASTES: usize = 8;
const TYPED: usize = 200;
/// Maximum time in ms between two presses of Ctrl+C to exit.
const TWICE_MS: u64 = 1_500;
/// Maximum time in ms between two presses of Esc to clear the prompt.
const ESC_TWICE_MS: u64 = 200;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Committing {
    #[default]
    No,
    Asked,
    Looking,
    /// New files that were shown to the user. The user must confirm that these files belong to the commit.
    Offered(Vec<String>),
    Staging(String),
    /// The commit message for the staged files with this id is in the prompt.
    Shown(BlobId),
    /// The commit message was sent. Benchdog compares the staged files with those that were shown.
    Checking(Message),
    Sent(Message),
    /// The prompt contained another text, so the message is kept until the next `/commit`.
    Failed(Message),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    pub text: String,
    pub files: Option<BlobId>,
}

#[derive(Default)]
pub struct Prompt {
    pub committing: Committing,
    pub buffer: Buffer,
    pub completion: Option<Completion>,
    pub queued: Vec<WaitingPrompt>,
    history: history::History,
    vim: Option<Vim>,
    closed: Option<usize>,
    save_at: Option<Time>,
    unsaved_since: Option<Time>,
    cleared: Option<Time>,
    /// The time of the last Esc that had no effect. `None` if another key followed.
    escaped: Option<Time>,
    /// Whether parts of the text were inserted or pasted, and not typed by the user.
    brought: bool,
    /// The newest `!command`s that the user typed. They still count as typed when Benchdog restores them.
    typed: VecDeque<String>,
    chips: usize,
    lent: Option<lent::Lent>,
    skills: Vec<(String, String)>,
    broken: Vec<(String, String)>,
    /// The pastes of recent prompts. If a prompt returns to the input, its pastes are folded again.
    sent_pastes: Vec<Pasted>,
}

pub(crate) type Pasted = (String, Arc<str>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cleared {
    Text,
    /// The prompt was already empty. The next press exits.
    OnceMore,
    Leave,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escaped {
    Text,
    ClearedText,
    Empty,
    /// Esc was pressed twice on an empty prompt.
    EmptyTwice,
}

impl Prompt {
    /// Returns an empty prompt with the same settings, for another seat.
    pub(crate) fn another(&self) -> Self {
        Self {
            vim: self.vim.is_some().then(Vim::default),
            ..Self::default()
        }
    }

    pub(crate) fn has_commit(&self) -> bool {
        use Committing::{Checking, Shown, Staging};
        matches!(self.committing, Shown(_) | Staging(_) | Checking(_))
    }

    /// Inserts a paste: a short paste as text, a long paste as a label, and image paths as mentions.
    pub(crate) fn paste(&mut self, text: &str) {
        let before = self.buffer.before_caret();
        let mention =
            dropped::mentions(text).filter(|_| !before.starts_with('!') && begins(before.chars().next_back()));
        let text = mention.as_deref().unwrap_or(text);
        let lines = text.lines().count();
        self.brought = true;
        self.buffer.seal();
        if lines > WRITTEN_OUT_LINES || text.len() > WRITTEN_OUT_BYTES {
            self.chips += 1;
            let size = if lines > 1 {
                lang::message::count_lines(lines)
            } else {
                lang::message::count_characters(text.chars().count())
            };
            self.buffer
                .insert_chip(format!("[{}]", lang::paste(self.chips, &size)), text);
        } else {
            self.buffer.insert(text);
        }
        self.buffer.seal();
    }

    /// Stores the available skills and commands. Returns the data to request for the current completion.
    pub(crate) fn learn_skills(&mut self, offers: &[SkillOffer]) -> Option<Lookup> {
        let is_command = |offer: &&SkillOffer| offer.kind == OfferKind::Command && commands::invokes(offer);
        let own: Vec<&str> = offers.iter().filter(is_command).map(|offer| &*offer.name).collect();
        // A custom command takes precedence over a skill with the same name.
        let counts = |offer: &&SkillOffer| offer.kind != OfferKind::Skill || !own.contains(&&*offer.name);
        let invocable = offers.iter().filter(|offer| commands::invokes(offer)).filter(counts);
        let shown = |offer: &SkillOffer| {
            let parts = [
                lang::skill_source(offer.source),
                &clean(&offer.hint),
                &clean(&offer.description),
            ];
            let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            (offer.name.clone(), parts.join("  "))
        };
        self.skills = invocable.map(shown).collect();
        let broken = offers.iter().filter_map(|offer| match &offer.state {
            SkillState::Broken { why } => {
                let said = lang::broken_skill(offer.kind, &offer.name, why);
                Some((offer.name.clone(), said))
            }
            SkillState::Offered | SkillState::Untold | SkillState::Loaded | SkillState::Shadowed { .. } => None,
        });
        self.broken = broken.filter(|(name, _)| !commands::is_command(name)).collect();
        // The text before the cursor may name a command that was just loaded. Complete the text again.
        let was_named = self.completion.take_if(|list| list.kind == CompletionKind::Slash);
        let completes = was_named.is_some() || (self.completion.is_none() && self.completes_value());
        completes.then(|| self.complete()).flatten()
    }

    pub(crate) fn has_skill(&self, name: &str) -> bool {
        self.skills.iter().any(|(known, _)| known == name)
    }

    pub(crate) fn broken_skill(&self, text: &str) -> Option<&str> {
        let name = text.strip_prefix('/')?.split(char::is_whitespace).next()?;
        let (_, said) = self.broken.iter().find(|(known, _)| known == name)?;
        Some(said)
    }

    pub(crate) fn put_back(&mut self, text: &str) {
        self.buffer.set("");
        self.brought = true;
        let mut rest = text;
        while let Some((at, label, paste)) = self.first_paste(rest) {
            self.buffer.insert(rest.get(..at).unwrap_or_default());
            self.buffer.insert_chip(label, &paste);
            rest = rest.get(at + paste.len()..).unwrap_or_default();
        }
        self.buffer.insert(rest);
        self.buffer.seal();
    }

    pub(crate) fn sent_pastes(&self) -> &[Pasted] {
        &self.sent_pastes
    }

    fn first_paste(&self, text: &str) -> Option<(usize, String, String)> {
        let found = self.sent_pastes.iter().filter_map(|(label, paste)| {
            let at = text.find(&**paste)?;
            Some((at, label.clone(), paste.to_string()))
        });
        found.min_by_key(|(at, ..)| *at)
    }

    pub(crate) fn take(&mut self) -> String {
        let text = self.buffer.expanded();
        // A sent prompt is trimmed. Trim the pastes as well, so that they are found in the sent text.
        let folded = self.buffer.folded().into_iter();
        let trimmed = folded.map(|(label, paste)| (label, Arc::from(paste.trim())));
        self.sent_pastes
            .extend(trimmed.filter(|(_, paste): &Pasted| !paste.is_empty()));
        let old = self.sent_pastes.len().saturating_sub(PASTES);
        self.sent_pastes.drain(..old);
        self.buffer = Buffer::default();
        self.writes();
        self.completion = None;
        self.history.leave();
        self.history.sent(&text);
        self.brought = false;
        self.chips = 0;
        text
    }

    /// Records a sent `!command`. Returns whether the user typed the whole command.
    pub(crate) fn sends_command(&mut self, text: &str) -> bool {
        if !self.brought && !self.typed.iter().any(|known| known == text) {
            self.typed.truncate(TYPED - 1);
            self.typed.push_front(text.to_owned());
        }
        !self.brought
    }

    pub(crate) fn bring(&mut self, text: &str) {
        self.buffer.set(text);
        self.brought = !self.typed.iter().any(|known| known == text);
    }

    /// Handles Enter after `\`: replaces the `\` by a line break. Returns `false` if no `\` precedes the cursor.
    pub(crate) fn continues(&mut self) -> bool {
        let caret = self.buffer.caret();
        let yes = self.buffer.before_caret().ends_with('\\');
        if yes {
            self.buffer.replace(caret - 1..caret, "\n");
        }
        yes
    }

    pub(crate) fn clear(&mut self, at: Time) -> Cleared {
        let before = self.cleared.replace(at);
        if self.clear_text() {
            return Cleared::Text;
        }
        if before.is_some_and(|before| at.since(before) <= TWICE_MS) {
            Cleared::Leave
        } else {
            Cleared::OnceMore
        }
    }

    /// Handles Esc if no other part of the screen uses the key. A quick second press clears the text.
    pub(crate) fn escape(&mut self, at: Time) -> Escaped {
        self.commands_from_here();
        let before = self.escaped.replace(at);
        match before {
            None if self.buffer.is_empty() => Escaped::Empty,
            Some(_) if self.buffer.is_empty() => {
                self.escaped = None;
                Escaped::EmptyTwice
            }
            Some(before) if at.since(before) <= ESC_TWICE_MS && self.clear_text() => Escaped::ClearedText,
            None | Some(_) => Escaped::Text,
        }
    }

    /// Forgets the last Esc, because another key was pressed. The next Esc then counts as a first press.
    pub(crate) fn forget_escape(&mut self) {
        self.escaped = None;
    }

    /// Moves the text to the history. Undo restores the text. Returns `false` if the prompt was empty.
    pub(crate) fn clear_text(&mut self) -> bool {
        if self.buffer.is_empty() {
            return false;
        }
        // The key for earlier prompts then restores this text first.
        self.history.clears(&self.buffer.expanded());
        self.buffer.set("");
        self.completion = None;
        self.closed = None;
        true
    }

    pub(crate) fn learn(&mut self, prompts: Vec<String>) {
        self.history.set(prompts);
        let owed = self.history.owed();
        if self.buffer.is_empty() {
            (0..owed).for_each(|_| self.up());
        }
    }

    pub(crate) fn remember(&mut self, text: &str) {
        self.history.add(text.to_owned());
    }

    /// Puts an unsent prompt back into the input, or into the history if the input is not empty.
    pub(crate) fn take_back(&mut self, text: &str) {
        if self.buffer.is_empty() {
            self.history.put_in_prompt(text);
            self.put_back(text);
        } else {
            self.history.comes_back(text);
        }
    }

    /// Puts several prompts back. `texts` is sorted from oldest to newest. If the input is empty, the oldest prompt
    /// becomes the input. The Up key then shows the other prompts from oldest to newest.
    pub(crate) fn take_all_back(&mut self, texts: &[String]) {
        let into_prompt = usize::from(self.buffer.is_empty());
        let (first, behind) = texts.split_at_checked(into_prompt).unwrap_or((texts, &[]));
        for text in first.iter().chain(behind.iter().rev()) {
            self.take_back(text);
        }
    }

    pub(crate) fn returned(&self) -> impl Iterator<Item = &str> {
        self.history.returned().iter().rev().map(String::as_str)
    }

    pub(crate) fn earlier(&self) -> Vec<String> {
        self.history.newest_first()
    }

    pub fn edit_as_vi(&mut self, wanted: bool) {
        if self.vim.is_some() != wanted {
            self.vim = wanted.then(Vim::default);
        }
    }

    pub fn commands(&self) -> bool {
        self.vim.as_ref().is_some_and(Vim::is_normal)
    }

    pub(crate) fn selects(&self) -> bool {
        self.vim.as_ref().is_some_and(|vim| vim.is_visual(&self.buffer))
    }

    pub(crate) fn writes(&mut self) {
        if let Some(vim) = &mut self.vim {
            vim.insert();
        }
    }

    /// Handles Esc in the insert or visual mode of vi. Returns `false` if Esc must have its usual effect.
    pub(crate) fn stops_writing(&mut self) -> bool {
        if self
            .vim
            .as_mut()
            .is_some_and(|vim| vim.stops_selecting(&mut self.buffer))
        {
            return true;
        }
        !self.buffer.is_empty() && self.commands_from_here()
    }

    /// Switches to the command mode of vi. Returns `false` if that mode is already active, or if vi mode is disabled.
    fn commands_from_here(&mut self) -> bool {
        let Some(vim) = self.vim.as_mut().filter(|vim| !vim.is_normal()) else {
            return false;
        };
        vim.escape(&mut self.buffer);
        self.completion = None;
        true
    }

    pub(crate) fn command(&mut self, letter: char) -> Did {
        let did = self.vim.as_mut().map(|vim| vim.key(letter, &mut self.buffer));
        did.unwrap_or(Did::Nothing)
    }

    pub(crate) fn up(&mut self) {
        if !self.buffer.up()
            && let Some(text) = self.history.older(&self.buffer)
        {
            self.bring(&text);
        }
        self.rest_on_letter();
    }

    pub(crate) fn down(&mut self) {
        if !self.buffer.down() {
            match self.history.newer() {
                Some(history::Newer::Prompt(text)) => self.bring(&text),
                // Restores the draft with its folded pastes and its undo history.
                Some(history::Newer::Draft(draft)) => {
                    self.brought = !draft.is_empty();
                    self.buffer = *draft;
                }
                None => {}
            }
        }
        self.rest_on_letter();
    }

    fn rest_on_letter(&mut self) {
        if self.commands() {
            vim::onto_letter(&mut self.buffer);
        }
    }

    /// Schedules saving the draft, so that not every key press causes a write.
    pub(crate) fn changed(&mut self, at: Time) {
        self.brought &= !self.buffer.is_empty();
        self.escaped = None;
        let since = *self.unsaved_since.get_or_insert(at);
        self.save_at = Some(Time((at.0 + SAVE_AFTER_MS).min(since.0 + SAVE_WITHIN_MS)));
    }

    pub(crate) fn save_at(&self) -> Option<Time> {
        self.save_at
    }

    pub(crate) fn due(&mut self, now: Time) -> Option<String> {
        self.save_at.filter(|at| *at <= now)?;
        self.save_at = None;
        self.unsaved_since = None;
        Some(self.draft())
    }

    pub(crate) fn delete_right(&mut self) {
        self.buffer.delete(Move::Right);
    }
}
