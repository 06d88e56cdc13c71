//! The scopes of key bindings: places that can have the focus, and groups that several places share.

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    // --- shared by several places ---
    Global,
    /// A text with a cursor: the prompt, a reason, a comment, a free text answer.
    Text,
    /// A line without a cursor: a filter or find line.
    Line,
    Pane,
    List,
    Fold,
    Diff,
    Question,

    // --- places ---
    Prompt,
    Completion,
    Conversation,
    Files,
    Changes,
    /// An open diff in place of the conversation.
    Change,
    Todo,
    Context,
    Find,
    Approval,
    Proposal,
    Confirm,
    Reason,
    Comment,
    Editor,
    Options,
    Answer,
    Picker,
    Dialog,
    Compaction,
    Jobs,
    Servers,
}

impl Scope {
    pub const ALL: [Self; 30] = [
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

    /// Returns the scopes that are searched after this scope, nearest first.
    pub fn parents(self) -> &'static [Self] {
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

    pub fn chain(self) -> impl Iterator<Item = Self> {
        std::iter::once(self).chain(self.parents().iter().copied())
    }

    /// Whether bindings of `other` hide bindings of this scope, in the prompt or in all places where this scope is
    /// valid. A key bound in both scopes then has no effect in this scope. Ignores temporary places such as lists.
    pub(super) fn is_always_under(self, other: Self) -> bool {
        match self {
            Self::Global => matches!(other, Self::Text | Self::Prompt),
            Self::Text => other == Self::Prompt,
            // Every pane except the prompt is a list of rows.
            Self::Pane => other == Self::List,
            _ => false,
        }
    }

    /// Whether characters can be typed in at least one of the places where the scope is valid.
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

    pub(crate) fn decides(self) -> bool {
        [Self::Proposal, Self::Confirm, Self::Options]
            .into_iter()
            .any(|place| place.chain().any(|scope| scope == self))
    }
}
