//! The prompt: text, history, completion, chips, queue, draft.

pub(crate) mod block;
pub(crate) mod buffer;
pub(crate) mod completion;
mod dropped;
mod history;
mod lent;
pub(crate) mod vim;

use std::collections::VecDeque;
use std::sync::Arc;

use crate::app::commands;
use crate::base::clock::Time;
use crate::base::id::BlobId;
use crate::base::text::clean;
use crate::domain::mention::begins;
use crate::domain::skill::{OfferKind, SkillOffer, SkillState};
use crate::domain::waiting::WaitingPrompt;
use crate::lang;
use buffer::{Buffer, Move};
pub(crate) use completion::{Completion, CompletionKind, Lookup};
use vim::{Did, Vim};

/// Columns of the sign before the text.
pub(crate) const SIGN: u16 = 2;
/// A paste of more lines is folded …
pub(crate) const WRITTEN_OUT_LINES: usize = 40;
/// … and so is one of more bytes.
pub(crate) const WRITTEN_OUT_BYTES: usize = 4 * 1024;
/// The draft is saved when the person pauses this long …
const SAVE_AFTER_MS: i64 = 200;
/// … and this long after the first unsaved change at the latest: a write while typing costs more than the typing.
const SAVE_WITHIN_MS: i64 = 1_000;
/// Pastes that are kept for prompts that come back.
const PASTES: usize = 8;
/// How many typed commands are remembered as such.
const TYPED: usize = 200;
/// Two presses of Ctrl+C within this leave.
const TWICE_MS: u64 = 1_500;
/// Two presses of Esc within this clear the prompt.
const ESC_TWICE_MS: u64 = 200;

/// How far a commit is that the person asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) enum Committing {
    #[default]
    No,
    /// What is staged is read.
    Asked,
    /// What could be staged is looked up.
    Looking,
    /// It was named, with these new files.
    Offered(Vec<String>),
    /// It is being staged, by this line.
    Staging(String),
    /// These files were shown, for the message that stands in the prompt.
    Shown(BlobId),
    /// The message was sent; whether the files are still those is looked up.
    Checking(Message),
    /// It is committed with this message.
    Sent(Message),
    /// It was not, or the prompt was in use: the message is kept.
    Failed(Message),
}

/// The message of a commit, and the files that were shown with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    pub(crate) text: String,
    /// `None`: none were; the person wrote it by themselves.
    pub(crate) files: Option<BlobId>,
}

#[derive(Default)]
pub(crate) struct Prompt {
    /// How far a commit is that the person asked for.
    pub(crate) committing: Committing,
    pub(crate) buffer: Buffer,
    pub(crate) completion: Option<Completion>,
    /// Prompts that wait for the turn to end, oldest first.
    pub(crate) queued: Vec<WaitingPrompt>,
    history: history::History,
    /// Letters may be commands, as in vi.
    vim: Option<Vim>,
    /// The byte at which the token begins whose list the person closed.
    closed: Option<usize>,
    save_at: Option<Time>,
    /// Since when something is unsaved.
    unsaved_since: Option<Time>,
    cleared: Option<Time>,
    /// When Esc found nothing to close or stop, and nothing was written since.
    escaped: Option<Time>,
    /// Some of the text came from elsewhere than the person's fingers.
    brought: bool,
    /// The newest `!command`s that they typed here: one that comes back is theirs still.
    typed: VecDeque<String>,
    chips: usize,
    lent: Option<lent::Lent>,
    /// The skills and commands of one's own that `/name` invokes, with what they are for.
    skills: Vec<(String, String)>,
    /// Those that cannot be read, with what is said of it.
    broken: Vec<(String, String)>,
    /// Labels and texts of what was pasted into the newest prompts: one that is not taken comes back as it was written.
    sent_pastes: Vec<Pasted>,
}

/// A long paste of a prompt that was sent: what stands for it, and its text.
pub(crate) type Pasted = (String, Arc<str>);

/// What Ctrl+C came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cleared {
    Text,
    /// Nothing to clear: once more leaves.
    OnceMore,
    Leave,
}

impl Prompt {
    /// The prompt of another seat: nothing is written in it yet, and it is edited in the same way.
    pub(crate) fn another(&self) -> Self {
        Self {
            vim: self.vim.is_some().then(Vim::default),
            ..Self::default()
        }
    }

    /// Whether the message of a commit stands here for files that were shown, or what it is for is being staged or looked at.
    pub(crate) fn has_commit(&self) -> bool {
        use Committing::{Checking, Shown, Staging};
        matches!(self.committing, Shown(_) | Staging(_) | Checking(_))
    }

    /// A paste: small ones go in as they are, big ones as a chip, paths of images as mentions.
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
                lang::lines(lines)
            } else {
                lang::characters(text.chars().count())
            };
            self.buffer
                .insert_chip(format!("[{}]", lang::paste(self.chips, &size)), text);
        } else {
            self.buffer.insert(text);
        }
        self.buffer.seal();
    }

    /// The skills and commands of the session that is shown. Returns what is to be looked up for what is being typed.
    pub(crate) fn learn_skills(&mut self, offers: &[SkillOffer]) -> Option<Lookup> {
        let is_command = |offer: &&SkillOffer| offer.kind == OfferKind::Command && commands::invokes(offer);
        let own: Vec<&str> = offers.iter().filter(is_command).map(|offer| &*offer.name).collect();
        // A command goes before the skill of its name.
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
        // What is being typed may be one of them, or stand behind the name of one.
        let was_named = self.completion.take_if(|list| list.kind == CompletionKind::Slash);
        let completes = was_named.is_some() || (self.completion.is_none() && self.completes_value());
        completes.then(|| self.complete()).flatten()
    }

    pub(crate) fn has_skill(&self, name: &str) -> bool {
        self.skills.iter().any(|(known, _)| known == name)
    }

    /// What is said where the skill or command that a text invokes is none.
    pub(crate) fn broken_skill(&self, text: &str) -> Option<&str> {
        let name = text.strip_prefix('/')?.split(char::is_whitespace).next()?;
        let (_, said) = self.broken.iter().find(|(known, _)| known == name)?;
        Some(said)
    }

    /// A text that comes back: what was pasted into it is folded again.
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

    /// Those of the newest prompts.
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

    /// The whole text, and an empty prompt behind it.
    pub(crate) fn take(&mut self) -> String {
        let text = self.buffer.expanded();
        // What is sent has no blanks at its ends.
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

    /// A `!command` is sent. Answers with whether the person typed all of it; it is theirs still when it comes back.
    pub(crate) fn sends_command(&mut self, text: &str) -> bool {
        if !self.brought && !self.typed.iter().any(|known| known == text) {
            self.typed.truncate(TYPED - 1);
            self.typed.push_front(text.to_owned());
        }
        !self.brought
    }

    /// A text that was kept somewhere, in place of what is there.
    pub(crate) fn bring(&mut self, text: &str) {
        self.buffer.set(text);
        self.brought = !self.typed.iter().any(|known| known == text);
    }

    /// `\` before Enter is a line break.
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

    /// Esc with nothing to close or stop: where nothing is written letters are commands from here on, too. `true`: it was the second, and
    /// cleared the text.
    pub(crate) fn escape(&mut self, at: Time) -> bool {
        self.commands_from_here();
        let before = self.escaped.replace(at);
        before.is_some_and(|before| at.since(before) <= ESC_TWICE_MS) && self.clear_text()
    }

    /// The text is an earlier prompt from now on, and undo brings it back. `false`: there was none.
    pub(crate) fn clear_text(&mut self) -> bool {
        if self.buffer.is_empty() {
            return false;
        }
        // The newest of all: the step back that is named brings it, also where others came back before.
        self.history.clears(&self.buffer.expanded());
        self.buffer.set("");
        self.completion = None;
        self.closed = None;
        true
    }

    // --- history ---

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

    /// A prompt that was sent comes back: into the prompt where nothing is written, else to where a step back finds it.
    pub(crate) fn take_back(&mut self, text: &str) {
        if self.buffer.is_empty() {
            self.history.put_in_prompt(text);
            self.put_back(text);
        } else {
            self.history.comes_back(text);
        }
    }

    /// The same of several, the oldest first: it goes into an empty prompt, and of the others the older is found before the newer.
    pub(crate) fn take_all_back(&mut self, texts: &[String]) {
        let into_prompt = usize::from(self.buffer.is_empty());
        let (first, behind) = texts.split_at_checked(into_prompt).unwrap_or((texts, &[]));
        for text in first.iter().chain(behind.iter().rev()) {
            self.take_back(text);
        }
    }

    /// Those that came back and wait for the person, the newest first: the order in which they are found.
    pub(crate) fn returned(&self) -> impl Iterator<Item = &str> {
        self.history.returned().iter().rev().map(String::as_str)
    }

    /// Earlier prompts, the newest first, without repetitions.
    pub(crate) fn earlier(&self) -> Vec<String> {
        self.history.newest_first()
    }

    // --- as in vi ---

    pub(crate) fn edit_as_vi(&mut self, wanted: bool) {
        if self.vim.is_some() != wanted {
            self.vim = wanted.then(Vim::default);
        }
    }

    /// Letters are commands.
    pub(crate) fn commands(&self) -> bool {
        self.vim.as_ref().is_some_and(Vim::is_normal)
    }

    /// Letters are about what `v` or `V` selected.
    pub(crate) fn selects(&self) -> bool {
        self.vim.as_ref().is_some_and(|vim| vim.is_visual(&self.buffer))
    }

    /// Letters are text.
    pub(crate) fn writes(&mut self) {
        if let Some(vim) = &mut self.vim {
            vim.insert();
        }
    }

    /// Esc behind what is written: letters are commands from here on. `false`: they were already, or nothing is written, and Esc does what
    /// else it would. Where that was something, what is written next is text.
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

    /// `false`: letters were commands already, or are always text.
    fn commands_from_here(&mut self) -> bool {
        let Some(vim) = self.vim.as_mut().filter(|vim| !vim.is_normal()) else {
            return false;
        };
        vim.escape(&mut self.buffer);
        self.completion = None;
        true
    }

    /// A letter while letters are commands.
    pub(crate) fn command(&mut self, letter: char) -> Did {
        let did = self.vim.as_mut().map(|vim| vim.key(letter, &mut self.buffer));
        did.unwrap_or(Did::Nothing)
    }

    /// A row up, or the prompt before.
    pub(crate) fn up(&mut self) {
        if !self.buffer.up()
            && let Some(text) = self.history.older(&self.buffer)
        {
            self.bring(&text);
        }
        self.rest_on_letter();
    }

    /// A row down, or the prompt after.
    pub(crate) fn down(&mut self) {
        if !self.buffer.down() {
            match self.history.newer() {
                Some(history::Newer::Prompt(text)) => self.bring(&text),
                // The draft comes back as it was, with its chips and its undo.
                Some(history::Newer::Draft(draft)) => {
                    self.brought = !draft.is_empty();
                    self.buffer = *draft;
                }
                None => {}
            }
        }
        self.rest_on_letter();
    }

    /// While letters are commands, the caret of a row is on one of its letters.
    fn rest_on_letter(&mut self) {
        if self.commands() {
            vim::onto_letter(&mut self.buffer);
        }
    }

    // --- the draft ---

    /// The text changed: it is saved a little later, so that typing costs no write a key.
    pub(crate) fn changed(&mut self, at: Time) {
        self.brought &= !self.buffer.is_empty();
        self.escaped = None;
        let since = *self.unsaved_since.get_or_insert(at);
        self.save_at = Some(Time((at.0 + SAVE_AFTER_MS).min(since.0 + SAVE_WITHIN_MS)));
    }

    pub(crate) fn save_at(&self) -> Option<Time> {
        self.save_at
    }

    /// The draft, when it is time to save it.
    pub(crate) fn due(&mut self, now: Time) -> Option<String> {
        self.save_at.filter(|at| *at <= now)?;
        self.save_at = None;
        self.unsaved_since = None;
        Some(self.draft())
    }

    /// The caret is where a letter would be deleted to the right.
    pub(crate) fn delete_right(&mut self) {
        self.buffer.delete(Move::Right);
    }
}
