//! THE table: everything a key can do. Help, hints, palette, the keymap and the book's tables derive from its rows.
//!
//! A row with an Alt, F or Shift chord has a second way, because some terminals send none of them; a test holds it.

/// Where a row is valid. A scope inherits the rows of its parents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Scope {
    /// Everywhere, unless a nearer scope uses the key.
    Global,
    /// The prompt has the keyboard.
    Prompt,
    /// A completion list is open over the prompt.
    Completion,
    /// Anything with rows to move in.
    List,
    Conversation,
    Files,
    Changes,
    Todo,
    Context,
    /// A diff on screen: in the changes pane or in the approval dialog.
    Diff,
    /// The approval dialog has the keyboard.
    Approval,
    /// The question dialog has the keyboard.
    Question,
    /// A filtered list: palette, models, sessions, files, prompts. Letters go to the filter.
    Picker,
    /// Help, confirm, error.
    Dialog,
}

impl Scope {
    /// The scopes a key is looked up in after this one, nearest first.
    pub(crate) fn parents(self) -> &'static [Self] {
        match self {
            Self::Global => &[],
            Self::Prompt | Self::Picker | Self::List | Self::Dialog => &[Self::Global],
            Self::Completion => &[Self::Prompt, Self::Global],
            Self::Conversation | Self::Files | Self::Changes | Self::Todo | Self::Context | Self::Diff => {
                &[Self::List, Self::Global]
            }
            Self::Approval => &[Self::Diff, Self::List, Self::Global],
            Self::Question => &[Self::List, Self::Global],
        }
    }
}

/// One row: what it is called, what it does in words, where it is valid, which keys it has by default.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    pub(crate) action: Action,
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) scope: Scope,
    /// Space between two strokes: `ctrl-w 1`.
    pub(crate) keys: &'static [&'static str],
    /// Another way to the same thing than these keys, in words, where a terminal may not send them.
    pub(crate) second: &'static str,
}

macro_rules! actions {
    ($( $action:ident $scope:ident $id:literal $title:literal [$($key:literal),*] $(or $second:literal)? ;)*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub(crate) enum Action { $($action),* }

        pub(crate) const TABLE: &[Row] = &[
            $( Row {
                action: Action::$action,
                id: $id,
                title: $title,
                scope: Scope::$scope,
                keys: &[$($key),*],
                second: concat!($($second)?),
            }, )*
        ];
    };
}

actions! {
    // --- sending ---
    Send Prompt "prompt.send" "Send, or queue while a turn runs" ["enter"];
    Steer Prompt "prompt.steer" "Send into the running turn's next request" ["alt-s"] or "/steer TEXT, or the palette";
    Newline Prompt "prompt.newline" "New line" ["shift-enter", "alt-enter", "ctrl-j"] or "Ctrl+J, or \\ then Enter";
    Unqueue Prompt "prompt.unqueue" "Take the newest queued prompt back" [];

    // --- editing the prompt ---
    Left Prompt "prompt.left" "Left" ["left", "ctrl-b"];
    Right Prompt "prompt.right" "Right" ["right"];
    Up Prompt "prompt.up" "Up, or the previous prompt" ["up"];
    Down Prompt "prompt.down" "Down, or the next prompt" ["down"];
    WordLeft Prompt "prompt.word_left" "One word left" ["ctrl-left", "alt-left", "alt-b"] or "Ctrl+Left";
    WordRight Prompt "prompt.word_right" "One word right" ["ctrl-right", "alt-right", "alt-f"] or "Ctrl+Right";
    LineStart Prompt "prompt.line_start" "Start of the line" ["home", "ctrl-a"];
    LineEnd Prompt "prompt.line_end" "End of the line" ["end", "ctrl-e"];
    TextStart Prompt "prompt.text_start" "Start of the text" ["ctrl-home"];
    TextEnd Prompt "prompt.text_end" "End of the text" ["ctrl-end"];
    DeleteLeft Prompt "prompt.delete_left" "Delete left" ["backspace", "ctrl-h", "shift-backspace"] or "Backspace";
    DeleteRight Prompt "prompt.delete_right" "Delete right" ["delete"];
    DeleteWordLeft Prompt "prompt.delete_word_left" "Delete a word left" ["alt-backspace", "ctrl-backspace", "ctrl-w ctrl-w"] or "Ctrl+W twice";
    DeleteLineLeft Prompt "prompt.delete_line_left" "Delete to the start of the line" ["ctrl-u"];
    DeleteLineRight Prompt "prompt.delete_line_right" "Delete to the end of the line" ["ctrl-k"];
    Undo Prompt "prompt.undo" "Undo" ["ctrl-_", "ctrl-7", "ctrl-/"];
    Redo Prompt "prompt.redo" "Redo" ["alt-_", "ctrl-y"] or "Ctrl+Y";
    ClearOrLeave Global "prompt.clear" "Stop the turn; else clear the draft; twice: leave" ["ctrl-c"];
    DeleteOrLeave Prompt "prompt.delete_or_leave" "Leave on an empty draft, else delete right" ["ctrl-d"];
    EditPrompt Global "prompt.editor" "Open in $EDITOR" ["ctrl-g"];
    SearchPrompts Global "prompt.search" "Search earlier prompts" ["ctrl-r"];

    // --- completion ---
    CompletionAccept Completion "completion.accept" "Accept the completion" ["tab"];
    CompletionNext Completion "completion.next" "Next completion" ["down", "ctrl-n"];
    CompletionPrevious Completion "completion.previous" "Previous completion" ["up"];
    CompletionClose Completion "completion.close" "Close the list" ["esc"];

    // --- everywhere ---
    CloseOrInterrupt Global "close" "Close what is open, else interrupt the turn" ["esc"];
    Palette Global "palette.open" "Every action" ["ctrl-p"];
    Help Global "help.open" "Keys valid now" ["f1"] or "/help";
    NextPane Global "pane.next" "Next pane" ["tab"];
    Mode Global "mode.next" "Next agent mode" ["shift-tab", "ctrl-w m"] or "Ctrl+W m";
    PaneFiles Global "pane.files" "To the files" ["alt-1", "ctrl-w 1"] or "Ctrl+W 1";
    PaneConversation Global "pane.conversation" "To the conversation" ["alt-2", "ctrl-w 2"] or "Ctrl+W 2";
    PanePrompt Global "pane.prompt" "To the prompt" ["alt-3", "ctrl-w 3"] or "Ctrl+W 3";
    PaneChanges Global "pane.changes" "To the changes" ["alt-4", "ctrl-w 4"] or "Ctrl+W 4";
    PaneTodo Global "pane.todo" "To the todo list" ["alt-5", "ctrl-w 5"] or "Ctrl+W 5";
    PaneContext Global "pane.context" "To the context" ["alt-6", "ctrl-w 6"] or "Ctrl+W 6";
    ToggleFiles Global "files.toggle" "Show or hide the files" ["ctrl-n"];
    ToggleSide Global "side.toggle" "Show or hide todo and context" ["ctrl-t"];
    Sessions Global "session.list" "Sessions" ["ctrl-o"];
    NewSession Global "session.new" "New session" [];
    Models Global "model.list" "Models" [];
    Find Global "transcript.find" "Find in the transcript" ["ctrl-f"];
    Trust Global "folder.trust" "Use the rules this folder brings" [];
    Distrust Global "folder.distrust" "Ignore the rules this folder brings" [];
    Suspend Global "suspend" "Suspend to the shell" ["ctrl-z"];
    Quit Global "quit" "Leave" [];
    MouseToggle Global "mouse.toggle" "Mouse on or off (off: the terminal selects)" [];

    // --- a request that waits ---
    Review Global "approval.review" "Review what waits" ["alt-a", "f2"] or "/review";
    OnceNow Global "approval.once_now" "Accept what waits, once" ["alt-y"] or "Alt+A or /review, then y";
    DenyNow Global "approval.deny_now" "Refuse what waits" ["alt-n"] or "Alt+A or /review, then n";

    // --- lists and text ---
    RowUp List "list.up" "Up" ["up", "k"];
    RowDown List "list.down" "Down" ["down", "j"];
    RowLeft List "list.left" "Left, or fold" ["left", "h"];
    RowRight List "list.right" "Right, or unfold" ["right", "l"];
    PageUp List "list.page_up" "Page up" ["pageup", "ctrl-b"];
    PageDown List "list.page_down" "Page down" ["pagedown", "ctrl-d"];
    ListTop List "list.top" "To the top" ["g", "home"];
    ListEnd List "list.end" "To the end" ["G", "end"];
    FindHere List "list.find" "Find" ["/"];
    FindNext List "list.find_next" "Next hit" ["n"];
    FindPrevious List "list.find_previous" "Previous hit" ["N"];
    CopyThis List "list.copy" "Copy this as text" ["y"];
    OpenThis List "list.open" "Open" ["enter", "o"];
    ToPrompt List "list.prompt" "Back to the prompt" ["esc", "i"];
    ScrollUp Prompt "conversation.scroll_up" "Scroll the conversation up" ["pageup"];
    ScrollDown Prompt "conversation.scroll_down" "Scroll the conversation down" ["pagedown"];
    Follow Global "conversation.follow" "Follow the end of the conversation" [];

    // --- one pane ---
    Mention Files "files.mention" "Insert as mention" ["enter", "@"];
    Preview Files "files.preview" "Look at the file" ["o"];
    TodoStep Todo "todo.step" "Next state of this item" ["space"];

    // --- a diff ---
    SideOrUnified Diff "diff.layout" "Side by side, or unified" ["u"];
    Wrap Diff "diff.wrap" "Wrap long lines, or not" ["w"];
    HunkNext Diff "diff.hunk_next" "Next hunk" ["]"];
    HunkPrevious Diff "diff.hunk_previous" "Previous hunk" ["["];

    // --- inside the approval dialog ---
    Once Approval "approval.once" "Accept what is kept, once" ["y"];
    Always Approval "approval.always" "Accept always: shows the exact scope first" ["a"];
    Deny Approval "approval.deny" "Refuse" ["n"];
    DenyReason Approval "approval.deny_reason" "Refuse with a reason" ["r"];
    KeepOrDrop Approval "approval.keep" "Keep or drop this hunk" ["space"];
    EditProposal Approval "approval.edit" "Edit the proposal" ["e"];
    Why Approval "approval.why" "Why am I asked" ["?"];
    LeaveApproval Approval "approval.leave" "Back to the prompt, still undecided" ["esc"];

    // --- inside the question dialog ---
    AnswerToggle Question "question.toggle" "Choose this answer" ["space"];
    AnswerSend Question "question.send" "Answer" ["enter"];
    LeaveQuestion Question "question.leave" "Back to the prompt, still unanswered" ["esc"];

    // --- filtered lists and small dialogs ---
    PickUp Picker "picker.up" "Up" ["up", "ctrl-p"];
    PickDown Picker "picker.down" "Down" ["down", "ctrl-n"];
    PickPageUp Picker "picker.page_up" "Page up" ["pageup"];
    PickPageDown Picker "picker.page_down" "Page down" ["pagedown"];
    Pick Picker "picker.take" "Take" ["enter", "tab"];
    PickClose Picker "picker.close" "Close" ["esc"];
    DialogClose Dialog "dialog.close" "Close" ["esc", "enter", "q"];
    DialogUp Dialog "dialog.up" "Up" ["up", "k"];
    DialogDown Dialog "dialog.down" "Down" ["down", "j"];
}

impl Action {
    pub(crate) fn row(self) -> &'static Row {
        // The enum and the table come from one macro in one order.
        &TABLE[self as usize]
    }

    pub(crate) fn by_id(id: &str) -> Option<Self> {
        TABLE.iter().find(|row| row.id == id).map(|row| row.action)
    }
}

#[cfg(test)]
mod tests;
