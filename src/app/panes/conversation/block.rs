//! The blocks of the conversation: one per log entry, call, or streamed text.

use std::borrow::Cow;
use std::sync::Arc;

use super::decided::Decided;
use crate::line::Line;
use crate::markdown::{CodeBlock, Document};
use benchdog_base::clock::Time;
use benchdog_base::id::EntryId;
use benchdog_base::text::{clean, find_folded};
use benchdog_domain::entry::{Body, Entry};
use benchdog_domain::finding::listed;
use benchdog_domain::tool::{OutputChunk, OutputShown, TitleKind, ToolFacts};
use benchdog_domain::undo::is_for_model;
use benchdog_lang::{self as lang, Label};
use benchdog_transcript::{self as transcript, Shown, summary_of};

/// Maximum bytes that are kept of a running call's output. The result of the call will contain the whole output.
const TAIL: usize = 8 * 1024;

/// Number of lines above which a prompt is folded. A long line counts as one line for every `LINE` bytes.
const LONG: usize = 20;
pub(super) const LONG_BEGIN: usize = 5;
pub(super) const LONG_END: usize = 3;
const LINE: usize = 200;

pub(super) struct Block {
    pub(super) source: Source,
    pub(super) open: bool,
    /// Whether the block is the newest compaction, which can be undone.
    pub(super) undoable: bool,
    pub(super) decided: Option<Decided>,
    pub(super) laid: Option<Laid>,
    /// Whether the stored height is exact. The height stays exact when the rows are evicted.
    pub(super) measured: bool,
}

pub(super) struct Laid {
    pub(super) rows: Vec<Line>,
    pub(super) codes: Vec<CodeBlock>,
}

/// The origin of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorOf {
    /// A turn of this session failed.
    Turn,
    /// Another request of the user was refused, such as opening another session.
    Screen,
}

pub(super) enum Source {
    Entry(Arc<Entry>),
    Thought(Arc<Entry>),
    Finding {
        entry: Arc<Entry>,
        at: usize,
    },
    Tool(Box<ToolBlock>),
    Live {
        text: String,
        document: Document,
    },
    /// Reasoning that is being streamed, or that is complete but not yet in the log.
    LiveThought {
        text: String,
        over: bool,
    },
    Error {
        text: String,
        hint: String,
        of: ErrorOf,
    },
    Earlier {
        turns: usize,
    },
    Remark(String),
    Gone,
}

pub(super) struct ToolBlock {
    pub(super) tool: String,
    pub(super) title: String,
    pub(super) title_kind: TitleKind,
    pub(super) shown: OutputShown,
    pub(super) state: ToolState,
    pub(super) is_looked_at: bool,
    pub(super) started: Option<Time>,
    pub(super) tail: String,
    pub(super) unfinished: String,
    pub(super) behind: Option<super::behind::Behind>,
    pub(super) child: Option<Box<super::child::Child>>,
    pub(super) files: ChangedFiles,
}

#[derive(Default)]
pub(super) struct ChangedFiles {
    files: usize,
    added: u64,
    removed: u64,
}

impl ChangedFiles {
    pub(super) fn count(&mut self, added: u32, removed: u32) {
        self.files += 1;
        self.added += u64::from(added);
        self.removed += u64::from(removed);
    }

    pub(super) fn text(&self) -> Option<String> {
        let files = (self.files > 0).then(|| lang::files_changed(self.files))?;
        Some(match (self.added, self.removed) {
            (0, 0) => files,
            (added, removed) => format!("{files} +{added} -{removed}"),
        })
    }
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
            files: ChangedFiles::default(),
        };
        block.name(tool, title, facts);
        block
    }

    pub(super) fn name(&mut self, tool: &str, title: &str, facts: Option<&ToolFacts>) {
        self.tool = clean(tool).into_owned();
        self.title = clean(title).into_owned();
        self.title_kind = facts.map_or(TitleKind::Words, |facts| facts.title);
        self.shown = facts.map_or(OutputShown::WhenOpened, |facts| facts.output);
    }
}

pub(super) enum ToolState {
    Waiting,
    Running,
    Finished(Arc<Entry>),
    /// The session was resumed and the log has no result for the call.
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

    pub(super) fn is_own_command(&self) -> bool {
        matches!(&self.source, Source::Entry(entry) if matches!(entry.body, Body::Shell { .. }))
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(&self.source, Source::Tool(tool) if matches!(tool.state, ToolState::Running))
    }

    pub(super) fn is_gone(&self) -> bool {
        matches!(self.source, Source::Gone)
    }

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

    pub(super) fn codes(&self) -> &[CodeBlock] {
        match (&self.source, &self.laid) {
            (Source::Live { document, .. }, _) => document.codes(),
            (_, Some(laid)) => &laid.codes,
            (_, None) => &[],
        }
    }

    pub(super) fn text(&self) -> String {
        self.texts().join("\n")
    }

    pub(super) fn label(&self) -> Option<Label> {
        match transcript::shown(&self.entry()?.body)? {
            Shown::Said { label, .. } | Shown::Answered { label, .. } => Some(label),
            _ => None,
        }
    }

    pub(super) fn holds(&self, query: &str) -> bool {
        self.texts().iter().any(|text| find_folded(text, query).is_some())
    }

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
            Source::Error { text, hint, .. } => text.len() + hint.len(),
            Source::Earlier { .. } | Source::Gone => 0,
        }
    }

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

    /// Returns the text in parts that end at line breaks, borrowed if possible because a session has much text.
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
            Source::Error { text, hint, .. } => vec![text.into(), hint.into()],
            Source::Earlier { .. } | Source::Gone => Vec::new(),
        }
    }

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

pub(super) fn is_long(text: &str) -> bool {
    text.len() > LONG * LINE || text.lines().nth(LONG).is_some()
}

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
