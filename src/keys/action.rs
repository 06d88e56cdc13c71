//! The table of all actions. Help, hints, palette, keymap and the tables in the docs are derived from it.
//!
//! Dispatchers match all actions of a group, so an unhandled action does not compile. An action with an Alt, F or Shift
//! key has an alternative binding, because some terminals do not send such keys.

mod nature;

use super::scope::Scope;

#[derive(Debug, Clone, Copy)]
pub struct ActionRow {
    pub action: Action,
    pub id: &'static str,
    pub title: &'static str,
    pub scope: Scope,
    /// The default keys. A two-key binding has a space between its keys: `ctrl-x 1`.
    pub keys: &'static [&'static str],
    /// An alternative for terminals that do not send `keys`.
    pub second: &'static str,
}

macro_rules! actions {
    ($( $scope:ident $group:ident {
        $( $action:ident $id:literal $title:literal [$($key:literal),*] $(or $second:literal)? ;)*
    } )*) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Action { $( $scope($group) ),* }

        $(
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub enum $group { $($action),* }

            impl $group {
                const ROWS: &'static [ActionRow] = &[
                    $( ActionRow {
                        action: Action::$scope($group::$action),
                        id: $id,
                        title: $title,
                        scope: Scope::$scope,
                        keys: &[$($key),*],
                        second: concat!($($second)?),
                    }, )*
                ];
            }
        )*

        const GROUPS: &[&[ActionRow]] = &[ $( $group::ROWS ),* ];

        impl Action {
            pub fn row(self) -> &'static ActionRow {
                // Variants and rows come from one macro, in the same order.
                match self {
                    $( Self::$scope(action) => &$group::ROWS[action as usize], )*
                }
            }
        }
    };
}

actions! {
    Global GlobalAction {
        Close "close" "Close what is open, else stop the turn" ["esc"];
        Clear "prompt.clear" "Stop turn or clear prompt (twice: quit)" ["ctrl-c"];
        Palette "palette.open" "All commands" ["ctrl-p"];
        Help "help.open" "Keyboard shortcuts" ["f1"] or "/help";
        EditPrompt "prompt.editor" "Edit the prompt in $EDITOR" ["ctrl-g"];
        SearchPrompts "prompt.search" "Search earlier prompts" ["ctrl-r"];
        NextPane "pane.next" "Next pane" ["tab"];
        NextAgent "agent.next" "Switch to the next agent" ["shift-tab"] or "/agent, or the palette";
        PaneFiles "pane.files" "Go to files" ["alt-1", "ctrl-x 1"] or "Ctrl+X 1";
        PaneConversation "pane.conversation" "Go to conversation" ["alt-2", "ctrl-x 2"] or "Ctrl+X 2";
        PanePrompt "pane.prompt" "Go to prompt" ["alt-3", "ctrl-x 3"] or "Ctrl+X 3";
        PaneChanges "pane.changes" "Go to changes" ["alt-4", "ctrl-x 4"] or "Ctrl+X 4";
        PaneTodo "pane.todo" "Go to todo list" ["alt-5", "ctrl-x 5"] or "Ctrl+X 5";
        PaneContext "pane.context" "Go to context" ["alt-6", "ctrl-x 6"] or "Ctrl+X 6";
        ToggleFiles "files.toggle" "Show or hide files" ["ctrl-n"];
        ToggleSide "side.toggle" "Show or hide todo and context" ["ctrl-t"];
        Sessions "session.list" "Sessions open here and on disk" ["ctrl-o"];
        NewSession "session.new" "New session" [];
        NewBeside "session.beside" "New session beside this one" ["ctrl-x n"] or "/new beside, or the palette";
        NextSeat "session.next" "Next open session, waiting ones first" ["ctrl-x o"] or "Ctrl+O, or the palette";
        NewWorktree "worktree.new" "New session in a new git worktree" [];
        Worktrees "worktree.list" "Worktrees of this repository" [];
        CloseSeat "session.close" "Close this session" ["ctrl-x w"] or "/close, or the palette";
        RenameSession "session.rename" "Rename this session" ["ctrl-x r"] or "/rename, or the palette";
        Reveal "files.reveal" "Show current file in the tree" ["ctrl-x f"];
        Agents "agent.list" "Choose an agent" [];
        Models "model.list" "Choose a model" [];
        Thinking "model.thinking" "How much the model thinks" [];
        Temperature "model.temperature" "Set the temperature" [];
        Themes "theme.list" "Choose a theme" [];
        Status "session.status" "Status of this session" [];
        Cost "session.cost" "What this session cost" [];
        Retry "turn.retry" "Retry the last prompt" [];
        Undo "changes.undo_last" "Undo the last change" [] or "/undo, or the palette";
        Redo "changes.redo_last" "Redo the last undone change" [] or "/redo, or the palette";
        Rewind "session.rewind" "Go back to an earlier prompt" [] or "Esc Esc, or /rewind";
        Doctor "doctor.open" "Check server, storage and terminal" [];
        Log "log.open" "Last lines of the log, live" ["ctrl-\\"];
        Jobs "jobs.open" "Background jobs" [];
        Voice "voice.record" "Record speech, or end the recording" ["ctrl-x v"] or "/voice, or the palette";
        Find "transcript.find" "Find in conversation" ["ctrl-f"];
        Transcript "transcript.editor" "Read the conversation in $EDITOR" [] or "/transcript, or the palette";
        Follow "conversation.follow" "Go to the end of the conversation" [];
        Approvals "approval.review" "Go to the pending request" ["alt-a", "f2"] or "/approvals";
        OnceNow "approval.once_now" "Allow the pending request once" ["alt-y"] or "Alt+A or /approvals, then y";
        DenyNow "approval.deny_now" "Deny the pending request" ["alt-n"] or "Alt+A or /approvals, then n";
        Permissions "permission.list" "Active permissions" [];
        StartService "server.start" "Start the offered model server" [];
        PullModel "model.pull" "Download the missing model to its server" ["ctrl-x p"] or "/pull, or the palette";
        Trust "folder.trust" "Use this folder's rules" [];
        Distrust "folder.distrust" "Ignore this folder's rules" [];
        ToggleMouse "mouse.toggle" "Turn the mouse on or off (off: the terminal selects)" [];
        Detach "detach" "Detach from this terminal, work continues" ["ctrl-x d"] or "the palette";
        Suspend "suspend" "Suspend to the shell" ["ctrl-z"];
        Quit "quit" "Quit" [];
    }

    Text TextAction {
        Left "text.left" "Left" ["left", "ctrl-b"];
        Right "text.right" "Right" ["right"];
        WordLeft "text.word_left" "One word left" ["ctrl-left", "alt-left", "alt-b"] or "Ctrl+Left";
        WordRight "text.word_right" "One word right" ["ctrl-right", "alt-right", "alt-f"] or "Ctrl+Right";
        LineStart "text.line_start" "Start of line" ["home", "ctrl-a"];
        LineEnd "text.line_end" "End of line" ["end", "ctrl-e"];
        Start "text.start" "Start of text" ["ctrl-home"];
        End "text.end" "End of text" ["ctrl-end"];
        DeleteLeft "text.delete_left" "Delete left" ["backspace", "ctrl-h", "shift-backspace"] or "Backspace";
        DeleteRight "text.delete_right" "Delete right" ["delete", "ctrl-d"];
        DeleteWordLeft "text.delete_word_left" "Delete word left" ["ctrl-w", "alt-backspace", "ctrl-backspace"] or "Ctrl+W";
        DeleteLineLeft "text.delete_line_left" "Delete to start of line" ["ctrl-u"];
        DeleteLineRight "text.delete_line_right" "Delete to end of line" ["ctrl-k"];
        SelectLeft "text.select_left" "Select to the left" ["shift-left"] or "Ctrl+Space, then Left";
        SelectRight "text.select_right" "Select to the right" ["shift-right"] or "Ctrl+Space, then Right";
        SelectUp "text.select_up" "Select a row up" ["shift-up"] or "Ctrl+Space, then Up";
        SelectDown "text.select_down" "Select a row down" ["shift-down"] or "Ctrl+Space, then Down";
        SelectWordLeft "text.select_word_left" "Select a word to the left" ["ctrl-shift-left", "alt-shift-left"] or "Ctrl+Space, then Ctrl+Left";
        SelectWordRight "text.select_word_right" "Select a word to the right" ["ctrl-shift-right", "alt-shift-right"] or "Ctrl+Space, then Ctrl+Right";
        SelectLineStart "text.select_line_start" "Select to the start of the line" ["shift-home"] or "Ctrl+Space, then Ctrl+A";
        SelectLineEnd "text.select_line_end" "Select to the end of the line" ["shift-end"] or "Ctrl+Space, then Ctrl+E";
        SelectStart "text.select_start" "Select to the start of the text" ["ctrl-shift-home"] or "Ctrl+Space, then Ctrl+Home";
        SelectEnd "text.select_end" "Select to the end of the text" ["ctrl-shift-end"] or "Ctrl+Space, then Ctrl+End";
        SelectAll "text.select_all" "Select all" ["ctrl-x a"];
        Mark "text.mark" "Start or end selecting with cursor keys" ["ctrl-space"];
        Copy "text.copy" "Copy the selection" ["alt-c", "ctrl-insert"] or "Ctrl+Insert";
        Cut "text.cut" "Cut the selection" ["alt-x", "shift-delete", "ctrl-x x"] or "Ctrl+X x";
        Paste "text.paste" "Paste the last copied or cut text" ["ctrl-v"];
        Undo "text.undo" "Undo" ["ctrl-_", "ctrl-7", "ctrl-/"];
        Redo "text.redo" "Redo" ["alt-_", "ctrl-y"] or "Ctrl+Y";
    }

    Prompt PromptAction {
        Send "prompt.send" "Send (queued while a turn runs)" ["enter"];
        Steer "prompt.steer" "Send into the running turn" ["alt-s"] or "/steer TEXT, or the palette";
        Newline "prompt.newline" "New line" ["shift-enter", "alt-enter", "ctrl-j"] or "Ctrl+J, or \\ then Enter";
        Unqueue "prompt.unqueue" "Edit the newest queued prompt" [];
        Unfold "prompt.unfold_paste" "Expand pasted text" ["alt-e", "ctrl-x e"] or "Ctrl+X e";
        PasteImage "prompt.paste_image" "Paste image" ["alt-v"] or "the palette";
        Up "prompt.up" "Up, or previous prompt" ["up"];
        Down "prompt.down" "Down, or next prompt" ["down"];
        DeleteOrQuit "prompt.delete_or_leave" "Delete right (empty prompt: quit)" ["ctrl-d"];
        ScrollUp "conversation.scroll_up" "Scroll the conversation up" ["pageup"];
        ScrollDown "conversation.scroll_down" "Scroll the conversation down" ["pagedown"];
    }

    Completion CompletionAction {
        Accept "completion.accept" "Accept completion" ["tab"];
        Next "completion.next" "Next completion" ["down", "ctrl-n"];
        Previous "completion.previous" "Previous completion" ["up"];
        Close "completion.close" "Close the list" ["esc"];
    }

    Line LineAction {
        DeleteLeft "line.delete_left" "Delete left" ["backspace", "ctrl-h", "shift-backspace"] or "Backspace";
        DeleteWordLeft "line.delete_word_left" "Delete word left" ["ctrl-w", "alt-backspace", "ctrl-backspace"] or "Ctrl+W";
        Clear "line.clear" "Clear the line" ["ctrl-u"];
    }

    Pane PaneAction {
        Copy "pane.copy" "Copy as text" ["y"];
        Leave "pane.leave" "Back to prompt" ["esc", "i"];
    }

    List ListAction {
        Up "list.up" "Up" ["up", "k"];
        Down "list.down" "Down" ["down", "j"];
        PageUp "list.page_up" "Page up" ["pageup", "ctrl-b"];
        PageDown "list.page_down" "Page down" ["pagedown", "ctrl-d"];
        Top "list.top" "Go to top" ["g", "home"];
        End "list.end" "Go to end" ["G", "end"];
    }

    Fold FoldAction {
        Fold "list.fold" "Fold" ["left", "h"];
        Unfold "list.unfold" "Unfold" ["right", "l"];
    }

    Conversation ConversationAction {
        Toggle "conversation.toggle" "Show or hide output" ["o", "enter"];
        Find "conversation.find" "Find" ["/"];
        FindNext "conversation.find_next" "Next match" ["n"];
        FindPrevious "conversation.find_previous" "Previous match" ["N"];
        PromptPrevious "conversation.prompt_previous" "Previous prompt" ["["];
        PromptNext "conversation.prompt_next" "Next prompt" ["]"];
        CopyCode "conversation.copy_code" "Copy the code (again: the next)" ["c"];
        OpenSpot "conversation.open_spot" "Open the named location (again: the next)" ["p"];
    }

    Files FilesAction {
        Mention "files.mention" "Mention in prompt" ["enter", "@"];
        Preview "files.preview" "View file" ["o"];
        Edit "files.edit" "Edit file in $EDITOR" ["e"];
        Find "files.find" "Filter the tree as you type" ["/"];
    }

    Changes ChangesAction {
        Open "changes.open" "Open diff" ["enter", "o"];
        OpenAll "changes.open_all" "Open diff of all files" ["O"];
        Undo "changes.undo" "Undo the last change of the file" ["u"];
    }

    Change ChangeAction {
        Close "change.close" "Close diff" ["esc"];
    }

    Todo TodoAction {
        Step "todo.step" "Change status" ["space"];
        Add "todo.add" "Add an item" ["a"];
        Edit "todo.edit" "Edit the item" ["e", "enter"];
        MoveUp "todo.move_up" "Move up" ["K"];
        MoveDown "todo.move_down" "Move down" ["J"];
        Remove "todo.remove" "Remove" ["x"];
    }

    Context ContextAction {
        Open "context.open" "Open an item, or fold a row" ["enter", "o"];
        Pin "context.pin" "Pin (always send in full), or unpin" ["p"];
        Drop "context.drop" "Remove from requests, or restore" ["d"];
    }

    Diff DiffAction {
        Left "diff.left" "Scroll left" ["left", "h"];
        Right "diff.right" "Scroll right" ["right", "l"];
        Layout "diff.layout" "Side by side or unified" ["u"];
        Wrap "diff.wrap" "Wrap long lines or not" ["w"];
        HunkNext "diff.hunk_next" "Next hunk" ["]"];
        HunkPrevious "diff.hunk_previous" "Previous hunk" ["["];
        FileNext "diff.file_next" "Next file" ["}"];
        FilePrevious "diff.file_previous" "Previous file" ["{"];
        Fold "diff.fold" "Unfold these lines, or fold them" ["o"];
        Find "diff.find" "Find in the diff" ["/"];
        CopyNew "diff.copy_new" "Copy the new text of the hunk" ["C"];
        CopyOld "diff.copy_old" "Copy the old text of the hunk" ["alt-c"] or "the palette";
    }

    Find FindAction {
        Go "find.go" "Go to the next match (conversation: the newest)" ["enter"];
        Next "find.next" "Next match" ["down"];
        Previous "find.previous" "Previous match" ["up"];
        Close "find.close" "Close" ["esc"];
    }

    Approval ApprovalAction {
        Once "approval.once" "Allow once" ["y"];
        Confined "approval.confined" "Allow the command once, in the sandbox" ["s"];
        Always "approval.always" "Allow always (shows the scope first)" ["a"];
        Deny "approval.deny" "Deny" ["n"];
        DenyReason "approval.deny_reason" "Deny with a reason" ["r"];
        Why "approval.why" "Why am I asked?" ["?"];
        Next "approval.next" "Show the next pending request" [">"];
        Previous "approval.previous" "Show the previous pending request" ["<"];
        Leave "approval.leave" "Back to prompt, leave undecided" ["esc"];
    }

    Proposal ProposalAction {
        KeepOrDrop "approval.keep" "Select or deselect hunk" ["space"];
        KeepOrDropLine "approval.keep_line" "Select or deselect line" ["x"];
        KeepOrDropFile "approval.keep_file" "Select or deselect file" ["f"];
        Edit "approval.edit" "Edit the proposal here" ["e"];
        EditOutside "approval.edit_outside" "Edit the proposal in $EDITOR" ["E"];
        Comment "approval.comment" "Comment on line" ["c"];
    }

    Confirm ConfirmAction {
        Less "confirm.less" "Allow less" ["up"];
        More "confirm.more" "Allow more" ["down"];
        Lasts "confirm.lasts" "Allow for this session or this workspace" ["tab"];
        Grant "confirm.grant" "Allow this from now on" ["y", "enter"];
        Back "confirm.back" "Back" ["esc"];
    }

    Reason ReasonAction {
        Send "reason.send" "Deny with this reason" ["enter"];
        Newline "reason.newline" "New line" ["ctrl-j", "shift-enter", "alt-enter"] or "Ctrl+J";
        Back "reason.back" "Back; the text is kept for the next time" ["esc"];
    }

    Comment CommentAction {
        Keep "comment.keep" "Save this comment" ["enter"];
        Newline "comment.newline" "New line" ["ctrl-j", "shift-enter", "alt-enter"] or "Ctrl+J";
        Back "comment.back" "Back; the text is kept for the next time" ["esc"];
    }

    Editor EditorAction {
        Keep "editor.keep" "Propose this text" ["ctrl-s"];
        Newline "editor.newline" "New line" ["enter", "ctrl-j"];
        Indent "editor.indent" "Indent" ["tab"];
        Up "editor.up" "Up" ["up"];
        Down "editor.down" "Down" ["down"];
        PageUp "editor.page_up" "Page up" ["pageup"];
        PageDown "editor.page_down" "Page down" ["pagedown"];
        Find "editor.find" "Find in the text" ["ctrl-f"];
        Outside "editor.outside" "Continue in $EDITOR" ["ctrl-g"];
        Back "editor.back" "Discard and go back (changed text: twice)" ["esc"];
    }

    Question QuestionAction {
        Up "question.up" "Up" ["up"];
        Down "question.down" "Down" ["down"];
        PageUp "question.page_up" "Scroll up in a long question" ["pageup"];
        PageDown "question.page_down" "Scroll down in a long question" ["pagedown"];
        Send "question.send" "Send answer, or go to the next question" ["enter"];
        Next "question.next" "Next question" ["tab"];
        Previous "question.previous" "Previous question" ["shift-tab", "ctrl-up"] or "Ctrl+Up";
        Leave "question.leave" "Back to prompt, leave unanswered" ["esc"];
    }

    Options OptionsAction {
        Toggle "question.toggle" "Choose answer" ["space"];
        Pick "question.pick" "Choose the answer with this number" ["1", "2", "3", "4", "5", "6", "7", "8", "9"];
    }

    Picker PickerAction {
        Up "picker.up" "Up" ["up", "ctrl-p"];
        Down "picker.down" "Down" ["down", "ctrl-n"];
        PageUp "picker.page_up" "Page up" ["pageup"];
        PageDown "picker.page_down" "Page down" ["pagedown"];
        Take "picker.take" "Choose" ["enter", "tab"];
        Close "picker.close" "Close" ["esc"];
    }

    Dialog DialogAction {
        NextSpot "dialog.next_spot" "Go to the next named location" ["p"];
        Copy "dialog.copy" "Copy the text" ["y"];
        Close "dialog.close" "Close" ["esc", "enter", "q"];
    }

    Compaction CompactionAction {
        Take "compaction.take" "Replace earlier turns with the summary" ["y"];
        Edit "compaction.edit" "Edit the summary" ["e"];
        Discard "compaction.discard" "Discard" ["esc", "n"];
    }

    Jobs JobsAction {
        End "jobs.end" "End this command (twice)" ["x", "delete"];
        Copy "jobs.copy" "Copy its output" ["y"];
        Close "jobs.close" "Close" ["esc", "enter", "q"];
    }

    Servers ServersAction {
        Tools "servers.tools" "Show the tools, switch them on or off" ["t"];
        Close "servers.close" "Close" ["esc", "enter", "q"];
    }
}

pub fn rows() -> impl Iterator<Item = &'static ActionRow> {
    GROUPS.iter().copied().flatten()
}

impl Action {
    pub fn by_id(id: &str) -> Option<Self> {
        rows().find(|row| row.id == id).map(|row| row.action)
    }
}

#[cfg(test)]
mod tests;
