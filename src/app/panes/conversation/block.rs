//! What the conversation is made of: one block an entry, a call, or a text that is still arriving.

use std::borrow::Cow;
use std::sync::Arc;

use super::decided::Decided;
use crate::app::line::Line;
use crate::app::markdown::{CodeBlock, Document};
use crate::base::clock::Time;
use crate::base::id::EntryId;
use crate::base::text::{clean, find_folded};
use crate::domain::entry::{Body, Entry};
use crate::domain::finding::listed;
use crate::domain::tool::{OutputChunk, OutputShown, TitleKind, ToolFacts};
use crate::domain::undo::is_for_model;
use crate::lang::Label;
use crate::transcript::{self, Shown, summary_of};

/// Live output of a running call is kept up to here; the whole comes with its result.
const TAIL: usize = 8 * 1024;

/// A prompt with more lines, or as long as so many, shows so many rows of its beginning and of its end.
const LONG: usize = 20;
pub(super) const LONG_BEGIN: usize = 5;
pub(super) const LONG_END: usize = 3;
/// Bytes of a long line that count as one.
const LINE: usize = 200;

pub(super) struct Block {
    pub(super) source: Source,
    /// Output is shown whole.
    pub(super) open: bool,
    /// It is the newest compaction, which can be taken back.
    pub(super) undoable: bool,
    /// What was decided about the call it shows.
    pub(super) decided: Option<Decided>,
    pub(super) laid: Option<Laid>,
    /// The height that is noted for it is that of its rows, not a guess. Outlives the rows.
    pub(super) measured: bool,
}

/// A block's rows for the present width. May be dropped at any time.
pub(super) struct Laid {
    pub(super) rows: Vec<Line>,
    pub(super) codes: Vec<CodeBlock>,
}

pub(super) enum Source {
    /// Anything that is one entry of the log: what the person or the model said, a check, a notice.
    Entry(Arc<Entry>),
    /// The reasoning of an assistant entry.
    Thought(Arc<Entry>),
    /// One of what an entry found.
    Finding {
        entry: Arc<Entry>,
        at: usize,
    },
    Tool(Box<ToolBlock>),
    /// The answer that is arriving.
    Live {
        text: String,
        document: Document,
    },
    /// The reasoning that is arriving, or that no entry has confirmed yet.
    LiveThought {
        text: String,
        /// No more comes.
        over: bool,
    },
    Error {
        text: String,
        hint: String,
    },
    /// Turns above a compaction, as one row.
    Earlier {
        turns: usize,
    },
    /// What is said of the session and is no entry of the log.
    Remark(String),
    /// Something that was taken back.
    Gone,
}

pub(super) struct ToolBlock {
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) title_kind: TitleKind,
    pub(super) shown: OutputShown,
    pub(super) state: ToolState,
    /// It is on screen, and others wait with it.
    pub(super) is_looked_at: bool,
    pub(super) started: Option<Time>,
    pub(super) tail: String,
    /// The line behind it that has not ended, as it stands.
    pub(super) unfinished: String,
    /// What it has started in the background.
    pub(super) behind: Option<super::behind::Behind>,
    /// What is known of the child that does it.
    pub(super) child: Option<Box<super::child::Child>>,
}

impl ToolBlock {
    pub(super) fn new(tool: &str, title: &str, facts: Option<&ToolFacts>) -> Self {
        let mut block = Self {
            tool: String::new(),
            title: String::new(),
            title_kind: TitleKind::Words,
            shown: OutputShown::WhenOpened,
            state: ToolState::Running,
            is_looked_at: false,
            started: None,
            tail: String::new(),
            unfinished: String::new(),
            behind: None,
            child: None,
        };
        block.name(tool, title, facts);
        block
    }

    /// What is called, and what about.
    pub(super) fn name(&mut self, tool: &str, title: &str, facts: Option<&ToolFacts>) {
        self.tool = clean(tool).into_owned();
        self.title = clean(title).into_owned();
        self.title_kind = facts.map_or(TitleKind::Words, |facts| facts.title);
        self.shown = facts.map_or(OutputShown::WhenOpened, |facts| facts.output);
    }
}

pub(super) enum ToolState {
    /// Waiting for the person.
    Waiting,
    Running,
    Finished(Arc<Entry>),
    /// The session was opened again and no result was written.
    Unknown,
}

impl Block {
    pub(super) fn new(source: Source) -> Self {
        Self {
            source,
            open: false,
            undoable: false,
            decided: None,
            laid: None,
            measured: false,
        }
    }

    /// Its content is another now: nothing known of its rows holds any longer.
    pub(super) fn changed(&mut self) {
        self.laid = None;
        self.measured = false;
    }

    pub(super) fn is_tool(&self) -> bool {
        match &self.source {
            Source::Tool(_) => true,
            Source::Entry(entry) => matches!(entry.body, Body::Validation { .. }),
            _ => false,
        }
    }

    pub(super) fn is_of(&self, id: EntryId) -> bool {
        match &self.source {
            Source::Entry(entry) | Source::Finding { entry, .. } => entry.id == id,
            Source::Tool(tool) => matches!(&tool.state, ToolState::Finished(entry) if entry.id == id),
            _ => false,
        }
    }

    /// The entry of the log it shows; `None` while there is none.
    pub(super) fn entry(&self) -> Option<&Arc<Entry>> {
        match &self.source {
            Source::Entry(entry) | Source::Thought(entry) | Source::Finding { entry, .. } => Some(entry),
            Source::Tool(tool) => match &tool.state {
                ToolState::Finished(entry) => Some(entry),
                ToolState::Waiting | ToolState::Running | ToolState::Unknown => None,
            },
            _ => None,
        }
    }

    /// A command that the person typed to read what it prints.
    pub(super) fn is_own_command(&self) -> bool {
        matches!(&self.source, Source::Entry(entry) if matches!(entry.body, Body::Shell { .. }))
    }

    /// A call that may print more.
    pub(super) fn is_running(&self) -> bool {
        matches!(&self.source, Source::Tool(tool) if matches!(tool.state, ToolState::Running))
    }

    pub(super) fn is_gone(&self) -> bool {
        matches!(self.source, Source::Gone)
    }

    /// Whether `o` has something to open or fold.
    pub(super) fn folds(&self) -> bool {
        match &self.source {
            Source::Tool(tool) => !tool.output().is_empty(),
            Source::Thought(_) | Source::LiveThought { .. } | Source::Earlier { .. } => true,
            Source::Entry(entry) => match &entry.body {
                Body::Shell { command, status, .. } if is_for_model(command, *status) => false,
                Body::Shell { output, .. } | Body::Validation { output, .. } => !output.is_empty(),
                Body::Compaction(compaction) => !summary_of(compaction).is_empty(),
                Body::User { text, .. } => is_long(text),
                _ => false,
            },
            Source::Finding { .. } | Source::Live { .. } | Source::Error { .. } | Source::Remark(_) | Source::Gone => {
                false
            }
        }
    }

    /// The fenced blocks of code in it, once it is laid out.
    pub(super) fn codes(&self) -> &[CodeBlock] {
        match (&self.source, &self.laid) {
            (Source::Live { document, .. }, _) => document.codes(),
            (_, Some(laid)) => &laid.codes,
            (_, None) => &[],
        }
    }

    /// The logical text, for copying: what was said, never how it was laid out.
    pub(super) fn text(&self) -> String {
        self.texts().join("\n")
    }

    /// Whose words these are, where a label stands above them.
    pub(super) fn label(&self) -> Option<Label> {
        match transcript::shown(&self.entry()?.body)? {
            Shown::Said { label, .. } | Shown::Answered { label, .. } => Some(label),
            _ => None,
        }
    }

    /// Whether the query, which is one line, stands in the logical text.
    pub(super) fn holds(&self, query: &str) -> bool {
        self.texts().iter().any(|text| find_folded(text, query).is_some())
    }

    /// How many bytes a search of it looks through, as they were written: nothing is cleaned to know it.
    pub(super) fn size(&self) -> usize {
        match &self.source {
            Source::Entry(entry) => size_of(&entry.body),
            Source::Thought(entry) => match &entry.body {
                Body::Assistant { reasoning, .. } => reasoning.len(),
                _ => 0,
            },
            Source::Finding { .. } => self.finding().map_or(0, |finding| {
                finding.path.len() + finding.title.len() + finding.detail.len()
            }),
            Source::Tool(tool) => tool.tool.len() + tool.title.len() + tool.output().len(),
            Source::Live { text, .. } | Source::LiveThought { text, .. } | Source::Remark(text) => text.len(),
            Source::Error { text, hint } => text.len() + hint.len(),
            Source::Earlier { .. } | Source::Gone => 0,
        }
    }

    /// How many lines hold it.
    pub(super) fn hits(&self, query: &str) -> usize {
        let in_text = |text: &Cow<'_, str>| {
            let (mut rest, mut lines) = (text.as_ref(), 0);
            while let Some(at) = find_folded(rest, query) {
                lines += 1;
                let line = rest.get(at..).unwrap_or_default();
                rest = line.split_once('\n').map_or("", |(_, after)| after);
            }
            lines
        };
        self.texts().iter().map(in_text).sum()
    }

    /// The logical text in pieces that end where a line does, so that a search of a long session copies nothing long.
    fn texts(&self) -> Vec<Cow<'_, str>> {
        match &self.source {
            Source::Entry(entry) => body_texts(&entry.body),
            Source::Thought(entry) => match &entry.body {
                Body::Assistant { reasoning, .. } => vec![reasoning.into()],
                _ => Vec::new(),
            },
            Source::Finding { .. } => {
                let one = self.finding().map(std::slice::from_ref).map(listed);
                vec![clean(one.unwrap_or_default().trim_end()).into_owned().into()]
            }
            Source::Tool(tool) => vec![format!("{} {}", tool.tool, tool.title).into(), tool.output().into()],
            Source::Live { text, .. } | Source::LiveThought { text, .. } | Source::Remark(text) => vec![text.into()],
            Source::Error { text, hint } => vec![text.into(), hint.into()],
            Source::Earlier { .. } | Source::Gone => Vec::new(),
        }
    }

    /// Rows it will take, guessed without laying it out.
    pub(super) fn estimate(&self, width: usize) -> usize {
        let per_row = (width * 2 / 3).max(1);
        match &self.source {
            Source::Entry(entry) => match &entry.body {
                Body::User { text, .. } if is_long(text) && !self.open => 3 + LONG_BEGIN + LONG_END,
                Body::User { text, .. } | Body::Assistant { text, .. } => 1 + text.len() / per_row + 1,
                _ => 1,
            },
            Source::Thought(_) | Source::Tool(_) | Source::Earlier { .. } => 1,
            Source::Live { text, .. } => 2 + text.len() / per_row,
            Source::LiveThought { over: true, .. } => 1,
            Source::LiveThought { over: false, .. } => 3,
            Source::Error { .. } | Source::Finding { .. } => 2,
            Source::Remark(text) => 1 + text.len() / per_row,
            Source::Gone => 0,
        }
    }
}

impl ToolBlock {
    pub(super) fn output(&self) -> &str {
        match &self.state {
            ToolState::Finished(entry) => match &entry.body {
                Body::ToolResult { output, .. } => output,
                _ => "",
            },
            ToolState::Waiting | ToolState::Running | ToolState::Unknown => &self.tail,
        }
    }

    pub(super) fn wrote(&mut self, chunk: &OutputChunk) {
        chunk.unfinished.clone_into(&mut self.unfinished);
        self.tail.push_str(&chunk.text);
        if self.tail.len() > 2 * TAIL {
            let mut cut = self.tail.len() - TAIL;
            while !self.tail.is_char_boundary(cut) {
                cut += 1;
            }
            self.tail.drain(..cut);
        }
    }
}

/// Whether a prompt is folded until somebody opens it.
pub(super) fn is_long(text: &str) -> bool {
    text.len() > LONG * LINE || text.lines().nth(LONG).is_some()
}

/// Bytes of what can be long in `body_texts`; the rest is a line or two.
fn size_of(body: &Body) -> usize {
    match body {
        Body::User { text, .. } | Body::Assistant { text, .. } => text.len(),
        Body::ToolResult { title: of, output, .. }
        | Body::Validation {
            command: of, output, ..
        }
        | Body::Shell {
            command: of, output, ..
        } => of.len() + output.len(),
        Body::Compaction(compaction) => summary_of(compaction).len(),
        _ => 0,
    }
}

fn body_texts(body: &Body) -> Vec<Cow<'_, str>> {
    match transcript::shown(body) {
        Some(Shown::Said { text, .. } | Shown::Answered { text, .. }) => vec![text],
        Some(Shown::Ran {
            title, summary, output, ..
        }) => vec![title, summary, output],
        Some(Shown::Remark(text)) => vec![text.into()],
        Some(Shown::Compacted { text, summary }) => vec![text.into(), summary],
        Some(
            Shown::Ended { .. }
            | Shown::Approval { .. }
            | Shown::Change { .. }
            | Shown::Todo(_)
            | Shown::Plan(_)
            | Shown::Findings(_),
        )
        | None => Vec::new(),
    }
}
