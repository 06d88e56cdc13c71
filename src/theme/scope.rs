//! The table of semantic scopes: every kind of text and line on the screen.
//!
//! Names are dotted. If a theme does not define `diff.added.word`, `diff.added` is used, then `diff`.
//! An undefined scope keeps the style of the surrounding text.

macro_rules! scopes {
    ($(#[doc = $about:literal] $variant:ident = $name:literal,)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Scope {
            $(#[doc = $about] $variant,)*
        }

        impl Scope {
            /// Every scope. `scope as usize` is its index.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the description for theme authors. It is the doc comment of the variant.
            pub fn about(self) -> &'static str {
                match self {
                    $(Self::$variant => $about,)*
                }
                .trim_start()
            }
        }
    };
}

scopes! {
    // --- text ---
    /// Plain text, and the background of everything.
    Text = "text",
    /// Secondary text: hints, details, outputs.
    TextDim = "text.dim",
    /// Primary text: the tool of a call, the option under the cursor.
    TextBright = "text.bright",
    /// Signs that attract attention: the prompt's mark, the current hunk.
    TextAccent = "text.accent",
    /// Inline code, and the background of code blocks and of the completion list.
    TextCode = "text.code",
    /// A link.
    TextLink = "text.link",
    /// A heading.
    TextHeading = "text.heading",
    /// Bold text of an answer.
    TextStrong = "text.strong",
    /// Italic text of an answer.
    TextEmphasis = "text.emphasis",
    /// Quoted text of an answer.
    TextQuote = "text.quote",
    // --- frame ---
    /// The lines between panes.
    Border = "border",
    /// The lines of the focused pane.
    BorderFocused = "border.focused",
    /// The title of a pane.
    BorderTitle = "border.title",
    /// The title of the focused pane.
    BorderTitleFocused = "border.title.focused",
    /// The status line.
    Status = "status",
    /// The agent in the status line.
    StatusMode = "status.mode",
    /// The name of the focused pane in the status line.
    StatusFocus = "status.focus",
    /// The current activity in the status line.
    StatusStage = "status.stage",
    /// A key in the status line.
    StatusKey = "status.key",
    // --- the conversation ---
    /// The label of the model or a subagent.
    RoleAgent = "role.agent",
    /// The background of the user's prompts in the conversation.
    OwnWords = "own.words",
    /// The sign of success.
    StateOk = "state.ok",
    /// An error or a failed call.
    StateError = "state.error",
    /// A pending request.
    StateWaiting = "state.waiting",
    /// A warning, and a call with an unknown result.
    StateUnknown = "state.unknown",
    // --- the file tree ---
    /// The mark of a file that the session changed.
    MarkChanged = "mark.changed",
    /// The mark of a file that was read.
    MarkRead = "mark.read",
    /// The git status of a file.
    MarkGit = "mark.git",
    /// The arrow of a folder.
    MarkFolder = "mark.folder",
    // --- lists and dialogs ---
    /// The selected row or text, and a key that was just pressed.
    Selected = "selected",
    /// A search match, in a list or in text.
    SelectedMatch = "selected.match",
    /// The background and text of a dialog.
    Dialog = "dialog",
    /// The warning about a dangerous request.
    DialogDanger = "dialog.danger",
    /// An enabled key.
    DialogKey = "dialog.key",
    /// A temporarily disabled key.
    DialogKeyAsleep = "dialog.key.asleep",
    // --- diffs ---
    /// The background of an added line.
    DiffAdded = "diff.added",
    /// Added words of a line.
    DiffAddedWord = "diff.added.word",
    /// The `+` of an added line.
    DiffAddedSign = "diff.added.sign",
    /// The background of a removed line.
    DiffRemoved = "diff.removed",
    /// Removed words of a line.
    DiffRemovedWord = "diff.removed.word",
    /// The `-` of a removed line.
    DiffRemovedSign = "diff.removed.sign",
    /// A discarded line of a proposal, and strikethrough text of an answer.
    DiffDropped = "diff.dropped",
    /// Line numbers.
    DiffNumber = "diff.number",
    /// The placeholder of folded lines.
    DiffFold = "diff.fold",
    // --- the context gauge ---
    /// The used part of the context window.
    GaugeFull = "gauge.full",
    /// The free part of the context window.
    GaugeEmpty = "gauge.empty",
    // --- code ---
    /// Keywords.
    SyntaxKeyword = "syntax.keyword",
    /// Strings and characters.
    SyntaxString = "syntax.string",
    /// Numbers and constants.
    SyntaxNumber = "syntax.number",
    /// Types, modules and attributes.
    SyntaxType = "syntax.type",
    /// Functions and macros.
    SyntaxFunction = "syntax.function",
    /// Comments.
    SyntaxComment = "syntax.comment",
    /// Punctuation, operators, and everything else.
    SyntaxPunctuation = "syntax.punctuation",
}

impl Scope {
    /// Returns the names to look up for this scope: `diff.added.word`, then `diff.added`, then `diff`.
    pub(crate) fn lineage(self) -> impl Iterator<Item = &'static str> {
        std::iter::successors(Some(self.name()), |name| {
            name.rsplit_once('.').map(|(parent, _)| parent)
        })
    }
}
