//! The table of semantic scopes: every kind of text and line the picture is made of.
//!
//! Names are dotted. A theme that does not define `diff.added.word` is asked for `diff.added`, then `diff`; a scope that
//! nothing defines changes nothing and shows as the text around it.

macro_rules! scopes {
    ($($(#[doc = $doc:literal])* $variant:ident = $name:literal,)*) => {
        /// What a piece of the picture is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub(crate) enum Scope {
            $($(#[doc = $doc])* $variant,)*
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
        }
    };
}

scopes! {
    // --- text ---
    /// The ground everything is painted on, and plain text.
    Text = "text",
    TextDim = "text.dim",
    TextBright = "text.bright",
    TextAccent = "text.accent",
    TextCode = "text.code",
    TextLink = "text.link",
    TextHeading = "text.heading",
    TextStrong = "text.strong",
    TextEmphasis = "text.emphasis",
    TextQuote = "text.quote",
    // --- frame ---
    Border = "border",
    /// The line and title of the pane that has the keyboard.
    BorderFocused = "border.focused",
    BorderTitle = "border.title",
    BorderTitleFocused = "border.title.focused",
    Status = "status",
    StatusMode = "status.mode",
    StatusStage = "status.stage",
    StatusKey = "status.key",
    // --- the conversation ---
    RoleYou = "role.you",
    RoleAgent = "role.agent",
    /// The band that what the person said stands on.
    OwnWords = "own.words",
    StateOk = "state.ok",
    StateError = "state.error",
    /// Something waits for the person.
    StateWaiting = "state.waiting",
    StateRunning = "state.running",
    /// A call whose result nobody knows.
    StateUnknown = "state.unknown",
    // --- the file tree ---
    MarkChanged = "mark.changed",
    MarkRead = "mark.read",
    MarkGit = "mark.git",
    MarkFolder = "mark.folder",
    // --- lists and dialogs ---
    Selected = "selected",
    /// What a search matched, in a list or in text.
    SelectedMatch = "selected.match",
    Dialog = "dialog",
    DialogDanger = "dialog.danger",
    /// A key that acts when pressed now.
    DialogKey = "dialog.key",
    /// A key that does not count yet.
    DialogKeyAsleep = "dialog.key.asleep",
    // --- diffs ---
    DiffAdded = "diff.added",
    DiffAddedWord = "diff.added.word",
    DiffAddedSign = "diff.added.sign",
    DiffRemoved = "diff.removed",
    DiffRemovedWord = "diff.removed.word",
    DiffRemovedSign = "diff.removed.sign",
    /// A hunk the person dropped.
    DiffDropped = "diff.dropped",
    DiffNumber = "diff.number",
    DiffFold = "diff.fold",
    // --- the context gauge ---
    GaugeFull = "gauge.full",
    GaugeEmpty = "gauge.empty",
    // --- code ---
    SyntaxKeyword = "syntax.keyword",
    SyntaxString = "syntax.string",
    SyntaxNumber = "syntax.number",
    SyntaxType = "syntax.type",
    SyntaxFunction = "syntax.function",
    SyntaxComment = "syntax.comment",
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
