//! Where a row of the table is valid: who has the keyboard, and what that place has in common with others.

/// A place of the keyboard, or a set of rows that several places share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scope {
    // --- shared by several places ---
    /// Everywhere, unless a nearer scope uses the key.
    Global,
    /// A text with a caret: the prompt, the reason of a refusal, a comment, an answer in one's own words.
    Text,
    /// A line without a caret: a filter, the find line.
    Line,
    /// Any pane but the prompt.
    Pane,
    /// Anything with rows to move in.
    List,
    /// Rows that open and fold.
    Fold,
    /// A diff on screen.
    Diff,
    /// A question of the model, wherever its cursor is.
    Question,

    // --- places ---
    Prompt,
    /// A completion list is open over the prompt.
    Completion,
    Conversation,
    Files,
    Changes,
    /// A change that is open as a diff, in the place of the conversation.
    Change,
    Todo,
    Context,
    /// The find line of the conversation or of a diff.
    Find,
    /// A request that waits has the keyboard.
    Approval,
    /// It would change files.
    Proposal,
    /// What "always" would cover is on screen.
    Confirm,
    /// The reason of a refusal is being written.
    Reason,
    /// A comment on a line is being written.
    Comment,
    /// A proposal is being edited in its place.
    Editor,
    /// The cursor is on an option of a question.
    Options,
    /// The cursor is on the answer in one's own words.
    Answer,
    /// A filtered list: commands, models, sessions, prompts, the tree while a line narrows it.
    Picker,
    /// A text to read: help, a file.
    Dialog,
    /// A summary that would take the place of earlier turns.
    Compaction,
    /// The list of the commands in the background.
    Jobs,
    /// How the servers of tools stand.
    Servers,
}

impl Scope {
    pub(crate) const ALL: [Self; 30] = [
        Self::Global,
        Self::Text,
        Self::Line,
        Self::Pane,
        Self::List,
        Self::Fold,
        Self::Diff,
        Self::Question,
        Self::Prompt,
        Self::Completion,
        Self::Conversation,
        Self::Files,
        Self::Changes,
        Self::Change,
        Self::Todo,
        Self::Context,
        Self::Find,
        Self::Approval,
        Self::Proposal,
        Self::Confirm,
        Self::Reason,
        Self::Comment,
        Self::Editor,
        Self::Options,
        Self::Answer,
        Self::Picker,
        Self::Dialog,
        Self::Compaction,
        Self::Jobs,
        Self::Servers,
    ];

    /// The scopes a key is looked up in after this one, nearest first.
    pub(crate) fn parents(self) -> &'static [Self] {
        match self {
            Self::Global => &[],
            Self::Text | Self::Line | Self::Pane | Self::List | Self::Fold | Self::Diff | Self::Question => {
                &[Self::Global]
            }
            Self::Prompt | Self::Reason | Self::Comment | Self::Editor => &[Self::Text, Self::Global],
            Self::Completion => &[Self::Prompt, Self::Text, Self::Global],
            Self::Conversation | Self::Files => &[Self::Fold, Self::List, Self::Pane, Self::Global],
            Self::Changes | Self::Todo | Self::Context => &[Self::List, Self::Pane, Self::Global],
            Self::Change => &[Self::Diff, Self::List, Self::Pane, Self::Global],
            Self::Find | Self::Picker => &[Self::Line, Self::Global],
            Self::Approval | Self::Dialog | Self::Compaction | Self::Jobs | Self::Servers => {
                &[Self::List, Self::Global]
            }
            Self::Proposal => &[Self::Approval, Self::Diff, Self::List, Self::Global],
            Self::Confirm => &[Self::Global],
            Self::Options => &[Self::Question, Self::Global],
            Self::Answer => &[Self::Question, Self::Text, Self::Global],
        }
    }

    /// This scope and its parents, nearest first.
    pub(crate) fn chain(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.parents().iter().copied())
    }

    /// Whether a row of another scope is nearer in every place of this one, or in the prompt, where a person mostly is: a key that
    /// both have would be promised for this one and do nothing. What is open only now and then, a list or an editor, hides nothing.
    pub(super) fn is_always_under(self, other: Self) -> bool {
        match self {
            Self::Global => matches!(other, Self::Text | Self::Prompt),
            Self::Text => other == Self::Prompt,
            // Every pane but the prompt has rows.
            Self::Pane => other == Self::List,
            _ => false,
        }
    }

    /// Whether a row of this scope is valid somewhere where a letter is text.
    pub(crate) fn takes_text(self) -> bool {
        let typing = [
            Self::Prompt,
            Self::Completion,
            Self::Reason,
            Self::Comment,
            Self::Editor,
            Self::Answer,
            Self::Find,
            Self::Picker,
        ];
        typing.into_iter().any(|place| place.chain().any(|scope| scope == self))
    }

    /// Whether a row of this scope is valid inside a request that waits.
    pub(crate) fn decides(self) -> bool {
        [Self::Proposal, Self::Confirm, Self::Options]
            .into_iter()
            .any(|place| place.chain().any(|scope| scope == self))
    }
}
