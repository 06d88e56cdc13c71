//! Words without values: what stands on every frame and in every line. Each is made once and then borrowed.

use std::sync::OnceLock;

use super::say;

/// The words with the names of their messages.
macro_rules! words {
    ($($name:ident = $id:literal,)+) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Word {
            $($name,)+
        }

        impl Word {
            #[cfg(test)]
            pub(super) const ALL: &[Self] = &[$(Self::$name),+];
        }

        const IDS: &[&str] = &[$($id),+];

        static MADE: [OnceLock<String>; IDS.len()] = [const { OnceLock::new() }; IDS.len()];
    };
}

words! {
    RootNeverTrusted = "trust-never-root",
    HomeNeverTrusted = "trust-never-home",
    PatternFindsNothing = "pattern-finds-nothing",
    PatternFindsTooMuch = "pattern-finds-too-much",
    // How a call ended, and what became of a file.
    SummaryEmpty = "summary-empty",
    SummaryNoMatch = "summary-no-match",
    SummaryUnchanged = "summary-unchanged",
    SummaryNothingKept = "summary-nothing-kept",
    SummaryNoAnswer = "summary-no-answer",
    SummaryDenied = "summary-denied",
    SummaryNotRun = "summary-not-run",
    SummaryInterrupted = "summary-interrupted",
    SummaryOutOfTime = "summary-out-of-time",
    SummaryNotSaved = "summary-not-saved",
    SummaryResultUnknown = "summary-result-unknown",
    FileCreated = "file-created",
    FileUpdated = "file-updated",
    FileDeleted = "file-deleted",
    FileRenamed = "file-renamed",
    FileCopied = "file-copied",
    // Panes: titles, and what one says while it has nothing to show.
    PaneFiles = "pane-files",
    PaneConversation = "pane-conversation",
    PaneTodo = "pane-todo",
    PaneContext = "pane-context",
    PaneChanges = "pane-changes",
    NoFiles = "empty-files",
    NoConversation = "empty-conversation",
    NoTasks = "empty-todo",
    NoTokens = "empty-context",
    NoChanges = "empty-changes",
    TooSmall = "screen-too-small",
    Find = "find-label",
    NotFound = "find-nothing",
    Looking = "list-looking",
    NoSuchFile = "completion-no-file",
    NoSuchCommand = "completion-no-command",
    Queued = "card-queued",

    // What the context window is filled with.
    LedgerSystem = "ledger-system",
    LedgerRules = "ledger-rules",
    LedgerSkills = "ledger-skills",
    LedgerTools = "ledger-tools",
    LedgerFiles = "ledger-files",
    LedgerMentions = "ledger-mentions",
    LedgerResults = "ledger-results",
    LedgerSummary = "ledger-summary",
    LedgerConversation = "ledger-conversation",

    // The bottom row: what happens now, and what its keys do.
    NoModel = "status-no-model",
    ConfinedWorkspace = "confined-workspace",
    ConfinedReadOnly = "confined-read-only",
    ConfinedNoNetwork = "confined-no-network",
    PartMounts = "part-mounts",
    PartProcesses = "part-processes",
    PartLandlock = "part-landlock",
    PartCalls = "part-calls",
    PartNetwork = "part-network",
    Stopping = "status-stopping",
    Reading = "status-reading",
    Compacting = "status-compacting",
    Summarising = "status-summarising",
    Writing = "status-writing",
    Waiting = "status-waiting",
    WaitingForYou = "status-waiting-for-you",
    Running = "status-running",
    Checking = "status-checking",
    KeyClose = "key-close",
    KeyPrompt = "key-prompt",
    KeyBack = "key-back",
    KeyFind = "key-find",
    KeyAnswer = "key-answer",
    KeyReview = "key-review",
    KeyNewest = "key-newest",
    KeyStop = "key-stop",
    KeyCommands = "key-commands",
    KeyKeys = "key-keys",

    // Dialogs with a list.
    KeysValidNow = "help-title",
    AllCommands = "palette-title",
    NoCommandOfThatName = "palette-nothing",
    Models = "picker-models",
    Sessions = "picker-sessions",
    Files = "picker-files",
    EarlierPrompts = "picker-prompts",
    Permissions = "picker-permissions",
    Skills = "picker-skills",
    SkillConfigured = "skill-configured",
    SkillOfProject = "skill-of-project",
    SkillOfPerson = "skill-of-person",
    SkillOffered = "skill-offered",
    SkillForModel = "skill-for-model",
    SkillLoaded = "skill-loaded",
    TakesBack = "picker-takes-back",
    RuleIsDefault = "toast-rule-default",
    NothingMatches = "picker-nothing",
    InYourOwnWords = "question-own",
    ReadingFile = "viewer-reading",
    CompactionTitle = "compaction-title",
    SummaryReady = "toast-summary-ready",
    NothingToPin = "toast-nothing-to-pin",
    CostsCache = "toast-costs-cache",

    // Where keys count, as the help groups them.
    ScopeGlobal = "scope-global",
    ScopeText = "scope-text",
    ScopeLine = "scope-line",
    ScopePane = "scope-pane",
    ScopeList = "scope-list",
    ScopeFold = "scope-fold",
    ScopeDiff = "scope-diff",
    ScopeQuestion = "scope-question",
    ScopePrompt = "scope-prompt",
    ScopeCompletion = "scope-completion",
    ScopeConversation = "scope-conversation",
    ScopeFiles = "scope-files",
    ScopeChanges = "scope-changes",
    ScopeChange = "scope-change",
    ScopeTodo = "scope-todo",
    ScopeContext = "scope-context",
    ScopeFind = "scope-find",
    ScopeApproval = "scope-approval",
    ScopeProposal = "scope-proposal",
    ScopeConfirm = "scope-confirm",
    ScopeReason = "scope-reason",
    ScopeOptions = "scope-options",
    ScopeAnswer = "scope-answer",
    ScopePicker = "scope-picker",
    ScopeDialog = "scope-dialog",
    ScopeCompaction = "scope-compaction",

    // A request that waits.
    WhyNot = "approval-why-not",
    AllowedInSession = "approval-always-session",
    AllowedInProject = "approval-always-project",
    CoversExactly = "covers-exactly",
    CoversFolder = "covers-folder",
    CoversAll = "covers-all",
    CoversNoOptions = "covers-no-options",
    ThisRuleAsks = "approval-this-rule",
    ModelAsks = "approval-question",
    LimitReached = "approval-limit",
    AnswerGoOn = "answer-go-on",
    AnswerEndTurn = "answer-end-turn",
    DangerousAsked = "approval-dangerous",
    UnknownAsked = "approval-unknown",
    ExternalAsked = "approval-external",
    CatastrophicAsked = "approval-catastrophic",
    LayerGuard = "layer-guard",
    LayerDefault = "layer-default",
    LayerUser = "layer-user",
    LayerProject = "layer-project",
    LayerFile = "layer-file",
    LayerEnvironment = "layer-environment",
    LayerFlag = "layer-flag",
    LayerRemembered = "layer-remembered",
    LayerSession = "layer-session",
    DenyWithThis = "approval-key-send",
    AllowFromNowOn = "approval-key-grant",
    AllowLess = "approval-key-less",
    AllowMore = "approval-key-more",
    AllowLasts = "approval-key-lasts",
    Choose = "approval-key-choose",
    BackToPrompt = "approval-key-leave",
    AllowKept = "approval-key-kept",
    AllowOnce = "approval-key-once",
    Allow = "approval-key-allow",
    Always = "approval-key-always",
    Deny = "approval-key-deny",
    DenyReason = "approval-key-reason",
    Reason = "approval-key-reason-short",
    KeepOrDrop = "approval-key-keep",
    Keep = "approval-key-keep-short",
    Edit = "approval-key-edit",
    Why = "approval-key-why",
    FieldWrites = "command-writes",
    FieldIn = "command-in",
    FieldReason = "command-reason",
    FieldRisk = "command-risk",
    RiskHigh = "command-risk-high",
    FieldStops = "command-stops",

    // A change as a diff.
    Create = "change-create",
    Update = "change-update",
    Delete = "change-delete",
    LinesStay = "change-lines-stay",
    EditedByYou = "change-edited",

    // Cards beside the prompt.
    NoServerFound = "start-nothing",
    NameAServer = "start-how",
    TryDemo = "start-demo",
    ServersFound = "start-found",
    NoModels = "start-no-models",
    ChooseModel = "start-choose",
    TrustHow = "trust-how",

    // What is said for a moment.
    OnlyCounts = "toast-only-counts",
    NothingToCopy = "toast-nothing-to-copy",
    OnlyOnce = "toast-only-once",
    NoText = "toast-no-text",
    DecidedAlready = "toast-decided",
    InRequest = "toast-in-request",
    NothingWaits = "toast-nothing-waits",
    TakenBack = "toast-taken-back",
    CopiedMessage = "copied-message",
    CopiedPath = "copied-path",
    CopiedDiff = "copied-diff",
    CopiedList = "copied-list",
    CopiedCounts = "copied-counts",

    // Before, beside and below the pieces of a transcript.
    LabelYou = "label-you",
    LabelAnswer = "label-answer",
    LabelPlan = "label-plan",
    LabelWriting = "label-writing",
    LabelThought = "label-thought",
    LabelThinking = "label-thinking",
    LabelCheck = "label-check",
    CompactionUndone = "shown-compaction-undone",
    OfALaterVersion = "shown-later",
    CallWaits = "shown-waiting",
    CallUnknown = "shown-unknown",
    Untitled = "shown-untitled",
    EndedDone = "ended-done",
    EndedError = "ended-error",
    EndedInterrupted = "ended-interrupted",
    EndedLimit = "ended-limit",
    EndedDenied = "ended-denied",
    EndedLoop = "ended-loop",
    EndedFailing = "ended-validation-failed",

    // Plain lines.
    ByPerson = "by-person",
    ByPolicy = "by-policy",
    ByTimeout = "by-timeout",
    Call = "plain-call",
    EngineGone = "plain-engine-gone",
    GoOn = "plain-go-on",
    NoSessions = "sessions-none",
    Entries = "sessions-entries",
    Deleted = "sessions-deleted",
    DemoBegins = "demo-begins",
    DemoPasses = "demo-passes",
    DemoFails = "demo-fails",

    // What helps where a command cannot begin.
    HintCheck = "trouble-check-hint",
    HintReplay = "trouble-replay-hint",
    HintRecord = "trouble-record-hint",
}

/// A word; only its first use allocates.
pub(crate) fn word(word: Word) -> &'static str {
    let place = word as usize;
    match (MADE.get(place), IDS.get(place)) {
        (Some(made), Some(id)) => made.get_or_init(|| say(id, &[])),
        _ => "",
    }
}
