//! The places that can have the focus. Each is filled with data, so that every row of the key table has an effect.

use super::*;
use benchdog_app::dialogs::approval::RequestView;
use benchdog_app::screen::SessionScreen;
use benchdog_base::id::{EntryId, SeatId};
use benchdog_domain::agent::ModelRef;
use benchdog_domain::budget::{CarriedAs, ContextItem, Ledger, LedgerItem, LedgerKind};
use benchdog_domain::job::{Job, JobId};
use benchdog_domain::summary::Summary;
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_domain::tool::CallStatus;
use benchdog_keys::action::{
    CompletionAction, ConversationAction, DiffAction, FilesAction, FoldAction, GlobalAction, ListAction, PickerAction,
    PromptAction, QuestionAction, TextAction, TodoAction,
};
use benchdog_keys::{Action as Key, Scope as Place};
use benchdog_protocol::{FolderItem, Preview};

pub(super) const PLACES: [Place; 22] = [
    Place::Prompt,
    Place::Completion,
    Place::Conversation,
    Place::Files,
    Place::Changes,
    Place::Change,
    Place::Todo,
    Place::Context,
    Place::Find,
    Place::Approval,
    Place::Proposal,
    Place::Confirm,
    Place::Reason,
    Place::Comment,
    Place::Editor,
    Place::Options,
    Place::Answer,
    Place::Picker,
    Place::Dialog,
    Place::Compaction,
    Place::Jobs,
    Place::Servers,
];

/// The size of a window that shows all panes, but not all of their rows.
const SIZE: (u16, u16) = (160, 16);

/// Whether the action leads to this place, so that it has no effect here.
pub(super) fn already_there(place: Place, action: Key) -> bool {
    let Key::Global(action) = action else { return false };
    match place {
        Place::Prompt | Place::Completion => action == GlobalAction::PanePrompt,
        Place::Conversation => action == GlobalAction::PaneConversation,
        Place::Files => action == GlobalAction::PaneFiles,
        Place::Changes | Place::Change => action == GlobalAction::PaneChanges,
        Place::Todo => action == GlobalAction::PaneTodo,
        Place::Context => action == GlobalAction::PaneContext,
        Place::Approval
        | Place::Proposal
        | Place::Confirm
        | Place::Reason
        | Place::Comment
        | Place::Editor
        | Place::Options
        | Place::Answer => action == GlobalAction::Approvals,
        _ => false,
    }
}

pub(super) fn bench_in(place: Place) -> Bench {
    // The window has no size yet, so that nothing is laid out while data is added.
    let mut bench = Bench::new(0, 0);
    bench.is_in_view = false;
    fill(&mut bench);
    bench.is_in_view = true;
    let (width, height) = SIZE;
    bench.send(Msg::Resize { width, height });
    match place {
        Place::Prompt => bench.types("one two three"),
        Place::Completion => {
            bench.types("/to");
            bench.keys("left");
        }
        Place::Conversation => bench.keys("alt-2"),
        Place::Files => bench.keys("alt-1"),
        Place::Changes => bench.keys("alt-4"),
        Place::Change => {
            // Put the cursor below the pending rows.
            bench.keys("alt-4 O");
            let Review::Files(changes) = proposal("").review else {
                panic!()
            };
            bench.event(Answer::Compared(changes));
        }
        Place::Todo => bench.keys("alt-5"),
        Place::Context => {
            // Put the cursor on the first item of the opened kind.
            bench.keys("alt-6 enter");
            bench.event(Answer::Context(things()));
            bench.keys("down down");
        }
        Place::Find => {
            bench.keys("ctrl-f");
            bench.types("a word");
        }
        Place::Approval => asked(&mut bench, command("asked"), ""),
        Place::Proposal => asked(&mut bench, proposal("asked"), ""),
        Place::Confirm => asked(&mut bench, proposal("asked"), "a down"),
        Place::Reason => asked(&mut bench, proposal("asked"), "r"),
        Place::Comment => asked(&mut bench, proposal("asked"), "c"),
        Place::Editor => asked(&mut bench, proposal("asked"), "e"),
        Place::Options => asked(&mut bench, questions("asked"), ""),
        Place::Answer => asked(&mut bench, questions("asked"), "down down"),
        Place::Picker => {
            bench.keys("ctrl-p");
            bench.types("o");
        }
        Place::Dialog => {
            bench.state.screen.session.plan = Some((0..60).map(|line| format!("line {line}\n")).collect());
            bench.types("/plan");
            bench.keys("esc enter");
        }
        Place::Compaction => bench.event(Answer::CompactionReady(Preview {
            before: 9_000,
            after: 3_000,
            summary: (0..60).map(|line| format!("line {line}\n")).collect(),
            unfit: None,
        })),
        Place::Jobs => {
            bench.event(Live::Jobs((1..=3).map(job).collect()));
            bench.types("/jobs");
            bench.keys("enter");
            bench.event(Answer::JobOutput {
                job: JobId(3),
                text: (0..60).map(|line| format!("line {line}\n")).collect(),
            });
        }
        Place::Servers => {
            bench.types("/mcp");
            bench.keys("esc enter");
            let servers = (0..30).map(|_| benchdog_app::bench::with_tools(3, ""));
            bench.event(Answer::Servers(servers.collect()));
        }
        _ => panic!("{place:?} is shared by several places"),
    }
    if matches!(place, Place::Reason | Place::Comment | Place::Editor | Place::Answer) {
        bench.types("one two three");
    }
    if matches!(
        place,
        Place::Prompt | Place::Reason | Place::Comment | Place::Editor | Place::Answer
    ) {
        bench.keys("ctrl-left");
    }
    bench
}

fn asked(bench: &mut Bench, request: ApprovalRequest, keys: &str) {
    bench.asks(request);
    bench.keys("alt-a");
    bench.wait(600);
    if !keys.is_empty() {
        bench.keys(keys);
    }
}

/// Adds more data to every pane than fits into the window.
fn fill(bench: &mut Bench) {
    let file = |n: usize| FolderItem {
        path: if n == 0 {
            "src".to_owned()
        } else {
            format!("file{n}.rs")
        },
        folder: n == 0,
        ignored: false,
        git: None,
    };
    bench.event(Answer::Folder {
        path: ".".to_owned(),
        items: (0..20).map(file).collect(),
    });
    // Earlier prompts, one for each text that the tests type.
    let earlier = ["/test", "one two one", "an earlier prompt"];
    bench.event(Answer::History(earlier.map(str::to_owned).to_vec()));
    for n in 0..20 {
        bench.entry(Body::User {
            text: format!("{n}: a word and another word"),
            mentions: Vec::new(),
            notes: Vec::new(),
        });
    }
    bench.entry(Body::ToolResult {
        call: CallId("list".to_owned()),
        tool: "bash".to_owned(),
        title: "ls".to_owned(),
        status: CallStatus::Ok,
        summary: Summary::Words("exit 0".to_owned()),
        output: "one\ntwo\nthree\nfour\nfive\n".to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 1,
        places: Vec::new(),
        images: Vec::new(),
    });
    fill_side(bench);
}

fn job(number: u32) -> Job {
    Job {
        id: JobId(number),
        call: CallId(format!("job {number}")),
        title: format!("serve {number}"),
        began: Time(0),
        ended: None,
        last: "a line".to_owned(),
    }
}

fn things() -> Vec<ContextItem> {
    let thing = |n: u64| ContextItem {
        kind: LedgerKind::System,
        label: format!("{n}: a word"),
        tokens: 10,
        entry: Some(EntryId(n)),
        carried: CarriedAs::Whole,
        pinned: false,
    };
    (1..=40).map(thing).collect()
}

fn fill_side(bench: &mut Bench) {
    let item = |id| TodoItem {
        id,
        text: format!("item {id}"),
        status: TodoStatus::Pending,
    };
    bench.entry(Body::Todo {
        items: TodoList((1..=40).map(item).collect()),
    });
    let kinds = [
        LedgerKind::System,
        LedgerKind::Rules,
        LedgerKind::Tools,
        LedgerKind::Files,
        LedgerKind::Conversation,
    ];
    bench.event(Live::Context(Ledger {
        cached: None,
        used: 5_000,
        limit: 10_000,
        estimated: false,
        limit_is_guess: false,
        reserve: 0,
        items: kinds.map(|kind| LedgerItem { kind, tokens: 1_000 }).to_vec(),
    }));
    for n in 0..8 {
        bench.entry(Body::Change {
            call: CallId(format!("other {n}")),
            path: format!("other{n}.rs"),
            before: None,
            after: None,
            added: 1,
            removed: 1,
            moved: Vec::new(),
            undoes: Vec::new(),
            in_part: false,
            mode_before: None,
            job: None,
        });
    }
    change(bench);
}

fn change(bench: &mut Bench) {
    let request = proposal("made");
    let Review::Files(changes) = request.review.clone() else {
        panic!()
    };
    bench.asks(request);
    bench.decided(CallId("made".to_owned()), DecidedBy::User);
    bench.entry(Body::Change {
        call: CallId("made".to_owned()),
        path: changes[0].path.clone(),
        before: None,
        after: changes[0].after.as_deref().map(benchdog_base::id::BlobId::of),
        added: 2,
        removed: 2,
        moved: Vec::new(),
        undoes: Vec::new(),
        in_part: false,
        mode_before: None,
        job: None,
    });
    bench.entry(Body::Model {
        model: ModelRef::none(),
        with: None,
        until_then: None,
    });
}

/// Returns a diff higher than the window. Only its change is wider, because wide lines slow down every key.
fn proposal(call: &str) -> ApprovalRequest {
    let line = |n: usize| match n {
        4 | 20 => format!("{n} {}\n", "wide ".repeat(40)),
        _ => format!("{n} narrow\n"),
    };
    let before: String = (1..=24).map(line).collect();
    let after = before.replace("4 wide", "4 changed").replace("20 wide", "20 changed");
    let file = |path: &str| FileChange {
        path: path.to_owned(),
        operation: FileOperation::Update,
        before: Some(before.as_bytes().into()),
        after: Some(after.as_bytes().into()),
        mode_after: None,
        note: None,
    };
    request(call, Review::Files(vec![file("src/money.rs"), file("src/cart.rs")]))
}

fn command(call: &str) -> ApprovalRequest {
    let lines: Vec<String> = (0..40).map(|n| format!("echo {n}")).collect();
    request(
        call,
        Review::Command(CommandReview {
            command: lines.join("\n"),
            class: CommandClass::Plain,
            parts: Vec::new(),
            writes: Vec::new(),
            removes: Vec::new(),
            workdir: ".".to_owned(),
            reason: None,
            risky: false,
            runs: benchdog_domain::review::Runs::UntilDone { limit_ms: 1_000 },
        }),
    )
}

/// Gives the action an effect without leaving the place. Returns `false` if the state is unchanged.
pub(super) fn prepare(bench: &mut Bench, place: Place, action: Key) -> bool {
    match action {
        Key::Global(action) => return prepare_global(bench, action),
        Key::Text(TextAction::Redo) => {
            bench.types("x");
            bench.keys("ctrl-_");
        }
        Key::Text(_) => return false,
        Key::Prompt(PromptAction::Down) => bench.keys("up"),
        Key::Prompt(PromptAction::Unfold) if place == Place::Prompt => bench.send(Msg::Paste {
            text: "line\n".repeat(50),
            at: bench.now,
        }),
        Key::Prompt(PromptAction::ScrollDown) => bench.keys("pageup pageup"),
        Key::Prompt(_) => return false,
        Key::List(action) => bench.keys(match (place, action) {
            // The last job is selected, and its output is scrolled to the end.
            (Place::Jobs, ListAction::Up | ListAction::PageUp | ListAction::Top) => "end",
            (Place::Jobs, ListAction::Down) => "up up",
            (Place::Jobs, ListAction::PageDown | ListAction::End) => "home",
            // The conversation is scrolled to the end.
            (Place::Conversation, ListAction::PageDown | ListAction::End) => "pageup pageup",
            (Place::Conversation, ListAction::Down) => "up up",
            (_, ListAction::Up | ListAction::PageUp | ListAction::Top) => "pagedown",
            (_, ListAction::Down | ListAction::PageDown | ListAction::End) => "home",
        }),
        Key::Fold(FoldAction::Fold) => bench.keys("right"),
        Key::Fold(FoldAction::Unfold) => bench.keys("left"),
        Key::Conversation(ConversationAction::PromptNext) => bench.keys("[ [ [ ["),
        Key::Conversation(_) if place == Place::Conversation => bench.keys("/ word enter"),
        Key::Files(FilesAction::Mention | FilesAction::Preview | FilesAction::Edit) => bench.keys("down"),
        Key::Todo(TodoAction::MoveUp) => bench.keys("down"),
        Key::Diff(DiffAction::Left) => bench.keys("w right"),
        Key::Diff(DiffAction::Right) => bench.keys("w"),
        Key::Diff(DiffAction::HunkPrevious) => bench.keys("]"),
        Key::Diff(DiffAction::FilePrevious) => bench.keys("}"),
        Key::Completion(CompletionAction::Previous) => bench.keys("down"),
        Key::Question(QuestionAction::PageDown) => ask_at_length(bench),
        Key::Question(QuestionAction::PageUp) => {
            ask_at_length(bench);
            bench.keys("pagedown");
        }
        Key::Question(QuestionAction::Up) if place == Place::Options => bench.keys("down"),
        Key::Picker(PickerAction::Up | PickerAction::PageUp) => bench.keys("pagedown"),
        Key::Diff(_)
        | Key::Files(_)
        | Key::Conversation(_)
        | Key::Completion(_)
        | Key::Question(_)
        | Key::Picker(_)
        | Key::Line(_)
        | Key::Pane(_)
        | Key::Changes(_)
        | Key::Change(_)
        | Key::Todo(_)
        | Key::Context(_)
        | Key::Compaction(_)
        | Key::Jobs(_)
        | Key::Servers(_)
        | Key::Find(_)
        | Key::Approval(_)
        | Key::Proposal(_)
        | Key::Confirm(_)
        | Key::Reason(_)
        | Key::Comment(_)
        | Key::Editor(_)
        | Key::Options(_)
        | Key::Dialog(_) => return false,
    }
    true
}

fn ask_at_length(bench: &mut Bench) {
    let Some(RequestView::Question(view)) = bench
        .state
        .screen
        .approvals
        .front_mut()
        .map(|waiting| &mut waiting.view)
    else {
        return;
    };
    if let Some(page) = view.page_mut() {
        page.text = (0..100).map(|line| format!("line {line}\n")).collect();
    }
    bench.wait(10);
}

fn prepare_global(bench: &mut Bench, action: GlobalAction) -> bool {
    match action {
        GlobalAction::Close => bench.event(Live::State(TurnState::Generating)),
        GlobalAction::Follow => {
            bench.state.screen.conversation.page(-3);
            bench.wait(10);
        }
        GlobalAction::Approvals | GlobalAction::OnceNow | GlobalAction::DenyNow => {
            bench.asks(proposal("waits"));
        }
        GlobalAction::NextSeat | GlobalAction::CloseSeat => {
            let other = SeatId(2);
            let parked = Box::new(SessionScreen::new(other, bench.now));
            bench.state.parked.insert(other, parked);
        }
        GlobalAction::Trust | GlobalAction::Distrust => bench.event(Answer::TrustAsked {
            files: vec!["AGENTS.md".to_owned()],
            unbound: Vec::new(),
            repository: None,
        }),
        GlobalAction::Clear
        | GlobalAction::Palette
        | GlobalAction::Help
        | GlobalAction::EditPrompt
        | GlobalAction::SearchPrompts
        | GlobalAction::NextPane
        | GlobalAction::PaneFiles
        | GlobalAction::PaneConversation
        | GlobalAction::PanePrompt
        | GlobalAction::PaneChanges
        | GlobalAction::PaneTodo
        | GlobalAction::PaneContext
        | GlobalAction::ToggleFiles
        | GlobalAction::ToggleSide
        | GlobalAction::RenameSession
        | GlobalAction::Voice
        | GlobalAction::Reveal
        | GlobalAction::Sessions
        | GlobalAction::NewSession
        | GlobalAction::NewBeside
        | GlobalAction::NewWorktree
        | GlobalAction::Worktrees
        | GlobalAction::Redo
        | GlobalAction::Rewind
        | GlobalAction::Models
        | GlobalAction::Agents
        | GlobalAction::NextAgent
        | GlobalAction::Retry
        | GlobalAction::Undo
        | GlobalAction::StartService
        | GlobalAction::PullModel
        | GlobalAction::Permissions
        | GlobalAction::Thinking
        | GlobalAction::Themes
        | GlobalAction::Temperature
        | GlobalAction::Status
        | GlobalAction::Cost
        | GlobalAction::Doctor
        | GlobalAction::Log
        | GlobalAction::Jobs
        | GlobalAction::Find
        | GlobalAction::Transcript
        | GlobalAction::ToggleMouse
        | GlobalAction::Detach
        | GlobalAction::Suspend
        | GlobalAction::Quit => return false,
    }
    true
}
