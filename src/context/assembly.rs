//! The log as messages. Only ever appends: what was sent once is the beginning of everything sent later.

mod images;
mod wording;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::mentions;
use super::neutral::unmarked;
use super::system::mark;
use super::tokens::estimate;
use crate::base::id::{EntryId, TurnId};
use crate::domain::budget::LedgerKind;
use crate::domain::entry::{Body, Entry};
use crate::domain::failure::Cut;
use crate::domain::history::{History, Part};
use crate::domain::image::{self, Image, Room};
use crate::domain::mention::{Mention, MentionKind};
use crate::domain::message::{Calls, ChatMessage, Messages, Text, Thoughts};
use crate::domain::note::Note;
use crate::domain::undo::as_typed;
use images::images_of;
pub(crate) use images::{images, left_out, room, without_hidden};
use wording::ours;

/// The messages of a session so far, and how much of what is carried they say.
pub(crate) struct Assembly {
    messages: Messages,
    /// The point of `Carried` they were begun at.
    point: EntryId,
    /// Parts of it they say.
    said: usize,
    /// The turn of the newest message, to tell a remark in mid-turn from a new prompt.
    turn: TurnId,
    along: Vec<Along>,
    /// Of the results that the newest messages are.
    shown: Shown,
    /// For further images.
    room: Room,
    /// What the person ran beside a request that was made again: its results were sent as they are.
    behind: BTreeSet<EntryId>,
    /// Beginning of Benchdog's notes to the model.
    mark: Arc<str>,
}

/// The images of results that are not all there yet.
#[derive(Default)]
struct Shown {
    images: Vec<Image>,
    /// Images for which there was no room.
    left_out: usize,
    /// Where the messages end without them.
    results: usize,
}

impl Shown {
    fn has_any(&self) -> bool {
        !self.images.is_empty() || self.left_out > 0
    }

    fn message(&self) -> ChatMessage {
        let left_out = (self.left_out > 0).then(|| wording::left_out(self.left_out));
        let text = match self.images.len() {
            0 => String::new(),
            count => wording::shown(count),
        };
        let notes: Vec<Note> = left_out.into_iter().map(Note::from).collect();
        let text: Text = wording::with_notes(&text, &notes).into();
        if self.images.is_empty() {
            return ChatMessage::User(text);
        }
        let images = self.images.clone();
        ChatMessage::Pictured { text, images }
    }
}

/// What went along with a prompt: a share of its message that is counted by itself.
#[derive(Debug, Clone, Copy)]
pub(super) struct Along {
    /// The place of the message.
    pub(super) place: usize,
    pub(super) kind: LedgerKind,
    /// By the estimate.
    pub(super) tokens: u64,
}

impl Assembly {
    pub(crate) fn new(system: String) -> Self {
        Self {
            messages: vec![ChatMessage::System(system)].into(),
            point: EntryId(0),
            said: 0,
            turn: TurnId(0),
            along: Vec::new(),
            shown: Shown::default(),
            room: Room::default(),
            behind: BTreeSet::new(),
            mark: wording::MARK.into(),
        }
    }

    /// Sets the tag of the notes.
    pub(crate) fn tagged(self, tag: Option<&str>) -> Self {
        Self {
            mark: mark(tag).into(),
            ..self
        }
    }

    /// Beginning of Benchdog's notes to the model.
    pub(crate) fn mark(&self) -> Arc<str> {
        Arc::clone(&self.mark)
    }

    /// Takes in what is carried up to `upto`. Where that is another list than before, the messages begin anew.
    pub(crate) fn extend(&mut self, history: &History, upto: EntryId) -> &Messages {
        let carried = history.carried();
        if carried.point() != self.point {
            *self = Self {
                point: carried.point(),
                behind: carried.behind().clone(),
                mark: self.mark(),
                ..Self::new(self.system())
            };
        }
        let news = carried.parts().get(self.said..).unwrap_or_default().iter();
        for part in news.take_while(|part| part.entry().id <= upto) {
            self.add(part);
            self.said += 1;
        }
        &self.messages
    }

    /// What every request begins with.
    pub(crate) fn begun(&self) -> Messages {
        Self::new(self.system()).messages
    }

    /// The messages of a request that carries these parts.
    pub(crate) fn of(&self, parts: &[Part]) -> Messages {
        let mut other = Self::new(self.system());
        other.behind.clone_from(&self.behind);
        other.mark = self.mark();
        parts.iter().for_each(|part| other.add(part));
        other.messages
    }

    /// Oldest first; begun anew with the messages.
    pub(super) fn along(&self) -> &[Along] {
        &self.along
    }

    /// The messages of one part, without the system prompt.
    pub(crate) fn alone(part: &Part) -> Messages {
        let mut other = Self {
            messages: Messages::default(),
            ..Self::new(String::new())
        };
        other.add(part);
        other.messages
    }

    /// Where the messages were begun last.
    pub(crate) fn point(&self) -> EntryId {
        self.point
    }

    /// Whether a message stands in the place of earlier turns.
    pub(crate) fn is_beginning(text: &str) -> bool {
        let told = text.strip_prefix("[benchdog").and_then(|text| text.split_once("] "));
        told.is_some_and(|(_, told)| told.starts_with(wording::BEGINS))
    }

    fn system(&self) -> String {
        match self.messages.first() {
            Some(ChatMessage::System(text)) => text.clone(),
            _ => String::new(),
        }
    }

    /// The last of the messages so far may grow with a part, or be made anew.
    fn add(&mut self, part: &Part) {
        let from = self.messages.len().saturating_sub(3);
        self.add_untagged(part);
        if &*self.mark != wording::MARK {
            self.messages.change_from(from, |message| tagged(message, &self.mark));
        }
    }

    fn add_untagged(&mut self, part: &Part) {
        let entry = part.entry();
        match &entry.body {
            Body::User { .. } => {
                let (images, left_out) = self.fitting(part);
                let text = match left_out {
                    0 => text_of(part),
                    count => wording::with_notes(&text_of(part), &[wording::left_out(count).into()]).into(),
                };
                self.add_user(entry.turn, text, images);
                let place = self.messages.len() - 1;
                let along = named_in(part).into_iter().map(|(mention, tokens)| Along {
                    place,
                    kind: kind_of(mention),
                    tokens,
                });
                self.along.extend(along);
            }
            Body::Assistant { error: Some(cut), .. } if cut.told().is_some() => self.add_cut(part, cut.told()),
            Body::Assistant { text, calls, error, .. } => {
                if !text.is_empty() || !calls.is_empty() {
                    self.messages.push(ChatMessage::Assistant {
                        text: text_of(part),
                        calls: Calls::Of(Arc::clone(entry)),
                        thoughts: thoughts_of(part),
                    });
                }
                if *error == Some(Cut::Unproven) {
                    self.push_user(ChatMessage::User(wording::unproven().into()));
                }
            }
            Body::ToolResult { call, tool, .. } => {
                let result = ChatMessage::Tool {
                    call: call.clone(),
                    name: tool.clone(),
                    text: text_of(part),
                };
                let fitting = self.fitting(part);
                self.add_result(result, fitting);
                self.turn = entry.turn;
                return;
            }
            Body::Validation { feedback: true, .. } => self.push_user(ChatMessage::User(text_of(part))),
            Body::Shell { command, .. } => self.add_shell(entry, command, text_of(part)),
            Body::TurnEnded { .. } => self.close_open_end(),
            Body::Compaction(_) => {
                if let Part::Replaced(beginning) = part {
                    self.messages
                        .push(ChatMessage::User(wording::beginning(beginning).into()));
                }
            }
            Body::CallStarted { .. }
            | Body::CallEnded { .. }
            | Body::Approval { .. }
            | Body::Change { .. }
            | Body::Todo { .. }
            | Body::Validation { .. }
            | Body::Model { .. }
            | Body::Agent { .. }
            | Body::Plan(_)
            | Body::Child(_)
            | Body::Findings { .. }
            | Body::Sampling(_)
            | Body::Retried
            | Body::CompactionUndone { .. }
            | Body::Pinned { .. }
            | Body::Terms { .. }
            | Body::Notice(_)
            | Body::Unknown(_) => {}
        }
        self.turn = entry.turn;
        self.shown = Shown::default();
    }

    /// Results hold text only: the images of all that answer one reply stand behind the last of them, in a message of their own.
    fn add_result(&mut self, result: ChatMessage, (images, left_out): (Vec<Image>, usize)) {
        let mut shown = std::mem::take(&mut self.shown);
        if shown.has_any() {
            self.messages.truncate(shown.results);
        }
        self.messages.push(result);
        shown.results = self.messages.len();
        shown.images.extend(images);
        shown.left_out += left_out;
        if shown.has_any() {
            self.messages.push(said("[continued]".to_owned()));
            self.messages.push(shown.message());
        }
        self.shown = shown;
    }

    /// The images of a part that there is room for, and how many there are beside them.
    fn fitting(&mut self, part: &Part) -> (Vec<Image>, usize) {
        let all = images_of(part);
        let whole = all.len();
        let images: Vec<Image> = all.into_iter().filter(|image| self.room.put(image.bytes)).collect();
        let left_out = whole - images.len();
        (images, left_out)
    }

    /// An answer that was stopped inside a call: what was said before it, and how the model can do better.
    fn add_cut(&mut self, part: &Part, told: Option<(&str, Option<u64>)>) {
        let Some((tool, tokens)) = told else { return };
        let text = text_of(part);
        self.messages
            .push(said(format!("{}\n\n[cut]", &*text).trim_start().to_owned()));
        self.push_user(ChatMessage::User(wording::cut_inside(tool, tokens).into()));
    }

    /// What stands in the place of earlier turns is a user message, too, and strict templates want one after the other.
    fn push_user(&mut self, message: ChatMessage) {
        if matches!(
            self.messages.last(),
            Some(ChatMessage::User(_) | ChatMessage::Pictured { .. })
        ) {
            self.messages.push(said("[continued]".to_owned()));
        }
        self.messages.push(message);
    }

    fn add_user(&mut self, turn: TurnId, text: Text, images: Vec<Image>) {
        match self.messages.last() {
            // Results hold text only: an image needs a message of its own.
            Some(last) if !images.is_empty() => {
                if turn == self.turn && matches!(last, ChatMessage::Tool { .. }) {
                    self.messages.push(said("[continued]".to_owned()));
                }
                self.push_user(ChatMessage::Pictured { text, images });
            }
            // Said while the tools ran: strict templates allow no user message after a tool result.
            Some(ChatMessage::Tool {
                call,
                name,
                text: result,
            }) if turn == self.turn => {
                let meanwhile = ours(&format!("The user says meanwhile:\n{}", &*text));
                let grown = ChatMessage::Tool {
                    call: call.clone(),
                    name: name.clone(),
                    text: format!("{}\n\n{meanwhile}", &**result).into(),
                };
                self.messages.replace_last(grown);
            }
            Some(_) | None => self.push_user(ChatMessage::User(text)),
        }
    }

    /// A command of the person's is a message and its answer. In the middle of a turn there is something yet to be answered: there it stands
    /// with the last result, or is a message of the user alone.
    fn add_shell(&mut self, entry: &Entry, command: &str, output: Text) {
        let meanwhile = || {
            format!(
                "{}\n\n{}",
                ours(&format!("The user ran meanwhile: !{}", unmarked(command))),
                &*output
            )
        };
        match self.messages.last() {
            last if self.behind.contains(&entry.id) => {
                if matches!(last, Some(ChatMessage::Tool { .. })) {
                    self.messages.push(said("[continued]".to_owned()));
                }
                self.push_user(ChatMessage::User(meanwhile().into()));
            }
            Some(ChatMessage::Tool {
                call,
                name,
                text: result,
            }) if entry.turn == self.turn => {
                let grown = ChatMessage::Tool {
                    call: call.clone(),
                    name: name.clone(),
                    text: format!("{}\n\n{}", &**result, meanwhile()).into(),
                };
                self.messages.replace_last(grown);
            }
            Some(ChatMessage::User(_) | ChatMessage::Pictured { .. }) if entry.turn == self.turn => {
                self.push_user(ChatMessage::User(meanwhile().into()));
            }
            Some(_) | None => {
                self.close_open_end();
                self.push_user(ChatMessage::User(unmarked(&as_typed(command)).into_owned().into()));
                let output = output.replace(wording::MARK, &self.mark);
                self.messages.push(said(output));
            }
        }
    }

    /// A turn that ended without an answer gets one, so that roles alternate.
    fn close_open_end(&mut self) {
        let open = matches!(
            self.messages.last(),
            Some(ChatMessage::User(_) | ChatMessage::Pictured { .. } | ChatMessage::Tool { .. })
        );
        if open {
            self.messages.push(said("[interrupted]".to_owned()));
        }
    }
}

/// The message with the session's mark in the place of the bare one, which only words of ours hold; `None`: it has none.
fn tagged(message: &ChatMessage, mark: &str) -> Option<ChatMessage> {
    let text = |text: &Text| {
        text.contains(wording::MARK)
            .then(|| Text::from(text.replace(wording::MARK, mark)))
    };
    Some(match message {
        ChatMessage::User(said) => ChatMessage::User(text(said)?),
        ChatMessage::Pictured { text: said, images } => ChatMessage::Pictured {
            text: text(said)?,
            images: images.clone(),
        },
        ChatMessage::Tool { call, name, text: said } => ChatMessage::Tool {
            call: call.clone(),
            name: name.clone(),
            text: text(said)?,
        },
        ChatMessage::System(_) | ChatMessage::Assistant { .. } => return None,
    })
}

/// A message of the user as it is sent: what they wrote, what they named, and notes of ours.
pub(crate) fn user(text: &str, mentions: &[Mention], notes: &[Note]) -> String {
    let mut whole = text.to_owned();
    for mention in mentions {
        whole.push_str("\n\n");
        whole.push_str(&mentions::written(mention));
    }
    wording::with_notes(&whole, notes)
}

/// What a prompt names, each with its tokens as this part tells it.
pub(super) fn named_in(part: &Part) -> Vec<(&Mention, u64)> {
    let Body::User { mentions, .. } = &part.entry().body else {
        return Vec::new();
    };
    let keep = match part {
        Part::Whole(_) | Part::Cut(..) => None,
        Part::Lean(_, keep) => Some(*keep),
        Part::Words(_) | Part::Dropped(_) | Part::Replaced(_) => return Vec::new(),
    };
    let told = mentions.iter().map(|mention| match keep {
        None => (mention, mentions::written(mention)),
        Some(keep) => (mention, mentions::written(&wording::leaner(mention, keep))),
    });
    let image = |mention: &Mention| mention.image.as_ref().map_or(0, |_| image::TOKENS);
    told.map(|(mention, text)| (mention, estimate(&text) + image(mention)))
        .collect()
}

/// The row of the ledger it counts in.
pub(super) fn kind_of(mention: &Mention) -> LedgerKind {
    match mention.kind {
        MentionKind::File | MentionKind::Folder | MentionKind::Resource => LedgerKind::Mentions,
        MentionKind::Image => LedgerKind::Images,
        MentionKind::Skill => LedgerKind::Skills,
    }
}

/// What of it stands in the message that is there in the place of earlier turns.
pub(super) fn quoted(part: &Part) -> String {
    wording::quoted(part)
}

/// A message of the assistant that stands in no entry of the log.
fn said(text: String) -> ChatMessage {
    ChatMessage::Assistant {
        text: text.into(),
        calls: Vec::new().into(),
        thoughts: Thoughts::default(),
    }
}

/// Thoughts go back with the very words they belong to.
fn thoughts_of(part: &Part) -> Thoughts {
    match part {
        Part::Whole(entry) => Thoughts::of(entry),
        Part::Cut(..) | Part::Lean(..) | Part::Words(_) | Part::Dropped(_) | Part::Replaced(_) => Thoughts::default(),
    }
}

/// What the model reads of a part, shared with its entry where that is all of it and nothing else.
pub(super) fn text_of(part: &Part) -> Text {
    let entry = part.entry();
    let is_bare = |mentions: &[Mention], notes: &[Note]| {
        mentions.is_empty() && notes.is_empty() && !wording::imitates(&entry.body)
    };
    match (part, &entry.body) {
        (Part::Whole(_), Body::User { mentions, notes, .. }) if is_bare(mentions, notes) => Text::Of(Arc::clone(entry)),
        (Part::Whole(_), Body::ToolResult { notes, .. }) if is_bare(&[], notes) => Text::Of(Arc::clone(entry)),
        (Part::Whole(_), Body::Assistant { .. }) => Text::Of(Arc::clone(entry)),
        (Part::Whole(_), _) => wording::whole(&entry.body).into(),
        (Part::Lean(_, keep), _) => wording::lean(&entry.body, *keep).into(),
        (Part::Cut(_, keep), _) => wording::cut(&entry.body, *keep).into(),
        (Part::Words(_), _) => wording::words(&entry.body).into(),
        (Part::Dropped(_), _) => wording::dropped(&entry.body).into(),
        (Part::Replaced(beginning), _) => wording::beginning(beginning).into(),
    }
}

#[cfg(test)]
mod tests;
