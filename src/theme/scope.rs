//! The table of semantic scopes: every kind of text and line the picture is made of.
//!
//! Names are dotted. A theme that does not define `diff.added.word` is asked for `diff.added`, then `diff`; a scope that
//! nothing defines changes nothing and shows as the text around it.

macro_rules! scopes {
    ($(#[doc = $about:literal] $variant:ident = $name:literal,)*) => {
        /// What a piece of the picture is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Scope {
            $(#[doc = $about] $variant,)*
        }

        impl Scope {
            /// Every scope, in the order of the table; `scope as usize` is its place.
            pub(crate) const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The dotted name that theme files use.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// What it is, for who writes a theme.
            pub(crate) fn about(self) -> &'static str {
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
    /// Plain text, and the ground everything is painted on.
    Text = "text",
    /// What comes second: hints, details, outputs.
    TextDim = "text.dim",
    /// What comes first: the tool of a call, the option under the cursor.
    TextBright = "text.bright",
    /// Signs that lead the eye: the prompt's mark, the hunk one is at.
    TextAccent = "text.accent",
    /// Code in a sentence, and the ground of lists beside the prompt.
    TextCode = "text.code",
    /// A link.
    TextLink = "text.link",
    /// A heading.
    TextHeading = "text.heading",
    /// Bold text of an answer.
    TextStrong = "text.strong",
    /// Slanted text of an answer.
    TextEmphasis = "text.emphasis",
    /// Quoted text of an answer.
    TextQuote = "text.quote",
    // --- frame ---
    /// The lines between panes.
    Border = "border",
    /// The lines of the pane that has the keyboard.
    BorderFocused = "border.focused",
    /// The title of a pane.
    BorderTitle = "border.title",
    /// The title of the pane that has the keyboard.
    BorderTitleFocused = "border.title.focused",
    /// The bottom row.
    Status = "status",
    /// The agent in the bottom row.
    StatusMode = "status.mode",
    /// The name of the focused place, in the bottom row.
    StatusFocus = "status.focus",
    /// What goes on, in the bottom row.
    StatusStage = "status.stage",
    /// A key in the bottom row.
    StatusKey = "status.key",
    // --- the conversation ---
    /// Who speaks, where it is not the person.
    RoleAgent = "role.agent",
    /// The band that what the person said stands on.
    OwnWords = "own.words",
    /// The sign of what went well.
    StateOk = "state.ok",
    /// What failed.
    StateError = "state.error",
    /// What waits for the person.
    StateWaiting = "state.waiting",
    /// A warning, and a call whose result nobody knows.
    StateUnknown = "state.unknown",
    // --- the file tree ---
    /// The mark of a file that the session changed.
    MarkChanged = "mark.changed",
    /// The mark of a file that was read.
    MarkRead = "mark.read",
    /// What git says of a file.
    MarkGit = "mark.git",
    /// The arrow of a folder.
    MarkFolder = "mark.folder",
    // --- lists and dialogs ---
    /// The row under the bar, and a letter that was just pressed.
    Selected = "selected",
    /// What a search matched, in a list or in text.
    SelectedMatch = "selected.match",
    /// The ground and text of a dialog.
    Dialog = "dialog",
    /// What is dangerous about a request.
    DialogDanger = "dialog.danger",
    /// A key that acts when pressed now.
    DialogKey = "dialog.key",
    /// A key that does not count yet.
    DialogKeyAsleep = "dialog.key.asleep",
    // --- diffs ---
    /// The ground of an added line.
    DiffAdded = "diff.added",
    /// Added words of a line.
    DiffAddedWord = "diff.added.word",
    /// The `+` of an added line.
    DiffAddedSign = "diff.added.sign",
    /// The ground of a removed line.
    DiffRemoved = "diff.removed",
    /// Removed words of a line.
    DiffRemovedWord = "diff.removed.word",
    /// The `-` of a removed line.
    DiffRemovedSign = "diff.removed.sign",
    /// A line that was dropped from a proposal, and struck text of an answer.
    DiffDropped = "diff.dropped",
    /// Line numbers.
    DiffNumber = "diff.number",
    /// The place of lines that are not shown.
    DiffFold = "diff.fold",
    // --- the context gauge ---
    /// The part of the window that is used.
    GaugeFull = "gauge.full",
    /// The part of the window that is free.
    GaugeEmpty = "gauge.empty",
    // --- code ---
    /// Keywords.
    SyntaxKeyword = "syntax.keyword",
    /// Texts and single characters.
    SyntaxString = "syntax.string",
    /// Numbers and constants.
    SyntaxNumber = "syntax.number",
    /// Types, modules and attributes.
    SyntaxType = "syntax.type",
    /// Functions and macros.
    SyntaxFunction = "syntax.function",
    /// Comments.
    SyntaxComment = "syntax.comment",
    /// Signs, operators, and all else.
    SyntaxPunctuation = "syntax.punctuation",
}

impl Scope {
    /// The scope's own name, then its ancestors': `diff.added.word`, `diff.added`, `diff`.
    pub(crate) fn lineage(self) -> impl Iterator<Item = &'static str> {
        std::iter::successors(Some(self.name()), |name| {
            name.rsplit_once('.').map(|(parent, _)| parent)
        })
    }
}
