//! Converts the log to the messages of requests. Only appends messages, so each request extends the previous one.

mod images;
mod wording;

use std::collections::BTreeSet;
use std::sync::Arc;

use super::mentions;
use super::neutral::unmarked;
use super::system::mark;
use super::tokens::estimate;
use benchdog_base::id::{EntryId, TurnId};
use benchdog_domain::budget::LedgerKind;
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::failure::Cut;
use benchdog_domain::history::{History, Part};
use benchdog_domain::image::{self, Image, Room};
use benchdog_domain::mention::{Mention, MentionKind};
use benchdog_domain::message::{Calls, ChatMessage, Messages, Text, Thoughts};
use benchdog_domain::note::Note;
use benchdog_domain::undo::as_typed;
use images::images_of;
pub use images::{images, left_out, room, without_hidden};
use wording::ours;

pub struct Assembly {
    messages: Messages,
    /// Value of `Carried::point` when the messages were built. If the value has changed, they must be rebuilt.
    point: EntryId,
    said: usize,
    /// Turn of the newest message. A further user message in this turn changes the task, and is not a new prompt.
    turn: TurnId,
    along: Vec<Along>,
    shown: Shown,
    room: Room,
    /// Commands that the person ran after a request was repeated. They become user messages, because the tool results
    /// before them were already sent and must not change.
    behind: BTreeSet<EntryId>,
    mark: Arc<str>,
}

/// Images of the newest results. The message with these images changes when another result is added.
#[derive(Default)]
struct Shown {
    images: Vec<Image>,
    left_out: usize,
    /// Number of messages before the message that contains the images.
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

/// A mention or image, counted separately from its message.
#[derive(Debug, Clone, Copy)]
pub(super) struct Along {
    pub(super) place: usize,
    pub(super) kind: LedgerKind,
    pub(super) tokens: u64,
}

impl Assembly {
    pub fn new(system: String) -> Self {
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

    pub fn tagged(self, tag: Option<&str>) -> Self {
        Self {
            mark: mark(tag).into(),
            ..self
        }
    }

    pub fn mark(&self) -> Arc<str> {
        Arc::clone(&self.mark)
    }

    /// Adds the entries up to `upto`, and returns all messages. Rebuilds them if the list of carried parts has changed.
    pub fn extend(&mut self, history: &History, upto: EntryId) -> &Messages {
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

    /// Returns the messages that begin every request.
    pub fn begun(&self) -> Messages {
        Self::new(self.system()).messages
    }

    pub(crate) fn of(&self, parts: &[Part]) -> Messages {
        let mut other = Self::new(self.system());
        other.behind.clone_from(&self.behind);
        other.mark = self.mark();
        parts.iter().for_each(|part| other.add(part));
        other.messages
    }

    /// Returns the mentions and images, oldest first. A rebuild of the messages starts a new list.
    pub(super) fn along(&self) -> &[Along] {
        &self.along
    }

    pub(crate) fn alone(part: &Part) -> Messages {
        let mut other = Self {
            messages: Messages::default(),
            ..Self::new(String::new())
        };
        other.add(part);
        other.messages
    }

    pub fn point(&self) -> EntryId {
        self.point
    }

    /// Whether a text begins like the message with which a compaction replaces earlier turns.
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
            | Body::Spent(_)
            | Body::Notice(_)
            | Body::Unknown(_) => {}
        }
        self.turn = entry.turn;
        self.shown = Shown::default();
    }

    /// Adds a result. A result message can contain only text, so one separate message has the images of all results.
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

    fn fitting(&mut self, part: &Part) -> (Vec<Image>, usize) {
        let all = images_of(part);
        let whole = all.len();
        let images: Vec<Image> = all.into_iter().filter(|image| self.room.put(image.bytes)).collect();
        let left_out = whole - images.len();
        (images, left_out)
    }

    fn add_cut(&mut self, part: &Part, told: Option<(&str, Option<u64>)>) {
        let Some((tool, tokens)) = told else { return };
        let text = text_of(part);
        self.messages
            .push(said(format!("{}\n\n[cut]", &*text).trim_start().to_owned()));
        self.push_user(ChatMessage::User(wording::cut_inside(tool, tokens).into()));
    }

    /// Adds a user message. After another user message, first inserts an assistant message, because strict chat
    /// templates require alternating roles.
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
            // A result message can contain only text, so a prompt with an image needs a separate message.
            Some(last) if !images.is_empty() => {
                if turn == self.turn && matches!(last, ChatMessage::Tool { .. }) {
                    self.messages.push(said("[continued]".to_owned()));
                }
                self.push_user(ChatMessage::Pictured { text, images });
            }
            // Strict chat templates allow no user message after a tool result, so append the prompt to the result.
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

    /// Adds a command of the person. Between turns, adds the command as a user message and its output as an answer.
    /// During a turn, appends both to the last tool result, or adds a user message if there is no result.
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

    /// Adds an assistant message after a turn without an answer, so that roles alternate.
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

/// Replaces the general prefix of notes by the session's prefix. `None` if the message contains no note.
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

pub fn user(text: &str, mentions: &[Mention], notes: &[Note]) -> String {
    let mut whole = text.to_owned();
    for mention in mentions {
        whole.push_str("\n\n");
        whole.push_str(&mentions::written(mention));
    }
    wording::with_notes(&whole, notes)
}

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

pub(super) fn kind_of(mention: &Mention) -> LedgerKind {
    match mention.kind {
        MentionKind::File | MentionKind::Folder | MentionKind::Resource => LedgerKind::Mentions,
        MentionKind::Image => LedgerKind::Images,
        MentionKind::Skill => LedgerKind::Skills,
    }
}

pub(super) fn quoted(part: &Part) -> String {
    wording::quoted(part)
}

fn said(text: String) -> ChatMessage {
    ChatMessage::Assistant {
        text: text.into(),
        calls: Vec::new().into(),
        thoughts: Thoughts::default(),
    }
}

/// Returns the reasoning of an answer. Empty if the text of the answer is truncated or replaced.
fn thoughts_of(part: &Part) -> Thoughts {
    match part {
        Part::Whole(entry) => Thoughts::of(entry),
        Part::Cut(..) | Part::Lean(..) | Part::Words(_) | Part::Dropped(_) | Part::Replaced(_) => Thoughts::default(),
    }
}

/// Returns the text for the model. If the text of the entry is sent unchanged, the entry is shared instead of copied.
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
