//! Sends the text of the prompt: a prompt, a `!command`, or a slash command.

use std::ops::Range;

use super::draft;
use crate::commands::{self, Sent, Slash, SlashRow, git, parse, todo_edit};
use crate::dialogs::Dialog;
use crate::dialogs::approval::Waiting;
use crate::dialogs::compaction::CompactionPreview;
use crate::dialogs::picker::PickerKind;
use crate::dialogs::sheet::SheetKind;
use crate::dialogs::viewer::Viewer;
use crate::layout::Pane;
use crate::msg::EditTicket;
use crate::op::Op;
use crate::panes::prompt::{CompletionKind, block};
use crate::state::State;
use crate::update::dialogs::pick;
use crate::update::{
    archive, commit, global, jobs, leave, lists, loops, panes, request, session, settings, setup, themes, undo, wizard,
    worktrees,
};
use benchdog_base::text::range_in;
use benchdog_domain::agent::{ACCEPT_EDITS, AgentName, BUILD, PLAN};
use benchdog_domain::api_key::ApiKey;
use benchdog_domain::permission::Decision;
use benchdog_domain::plan::WITH_APPROVALS;
use benchdog_domain::review::{Question, Review};
use benchdog_domain::todo::TodoEdit;
use benchdog_keys::action::GlobalAction;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Command, Delivery, Everyday, TrustScope};

pub(super) fn enter(state: &mut State, ops: &mut Vec<Op>) {
    if state.screen.prompt.continues() {
        draft::changed(state, ops);
        return;
    }
    if state.screen.prompt.writes_block() {
        state.screen.prompt.buffer.insert("\n");
        draft::changed(state, ops);
        return state.offer(word(Word::LinearWriting), false);
    }
    let slash = state
        .screen
        .prompt
        .completion
        .as_ref()
        .is_some_and(|list| list.kind == CompletionKind::Slash);
    if slash {
        let sure = state.screen.prompt.completion_is_sure();
        // A fuzzy match may not be what the user meant, so only insert the command. The next Enter runs it.
        if state.screen.prompt.completion_accept() && !sure {
            draft::changed(state, ops);
            return;
        }
    }
    send(state, Delivery::Queue, ops);
}

pub(in crate::update) fn send(state: &mut State, delivery: Delivery, ops: &mut Vec<Op>) {
    let whole = state.screen.prompt.buffer.expanded();
    let text = whole.trim();
    if text.is_empty() {
        return setup::open(state);
    }
    // In a multi-line block, `/` and `!` have no special meaning.
    let block = block::inside(text);
    if block.is_some_and(|inside| inside.trim().is_empty()) {
        return;
    }
    if block.is_none()
        && let Some(said) = state.screen.prompt.broken_skill(text).map(str::to_owned)
    {
        return state.screen.conversation.refuse(&said, "");
    }
    let sent = match block {
        Some(inside) => Sent::Prompt(inside.trim()),
        None => parse(text, |name| state.screen.prompt.has_skill(name)),
    };
    match sent {
        Sent::UnknownSlash(name) => {
            let said = lang::no_command(name, state.screen.prompt.meant(name));
            state.say(said, true);
            return;
        }
        Sent::TooMuch(row) => {
            state.say(lang::too_much(row.name, row.only_word()), true);
            return;
        }
        Sent::Shell("") => return,
        Sent::Shell(command) => {
            let typed = state.screen.prompt.sends_command(text);
            shell(state, command.to_owned(), typed, ops);
        }
        Sent::Prompt(text) => {
            let pasted = within(&state.screen.prompt.buffer.pasted(), &whole, text);
            prompt(state, text, pasted, delivery, ops);
        }
        Sent::Slash(Slash::Git, arguments) => match git::line(arguments) {
            Ok(command) => {
                let typed = state.screen.prompt.sends_command(text);
                shell(state, command, typed, ops);
            }
            Err(why) => return state.say(why.said(), true),
        },
        Sent::Slash(command, arguments) => {
            let pasted = within(&state.screen.prompt.buffer.pasted(), &whole, arguments);
            let written = state.screen.prompt.buffer.clone();
            let of_list = state.screen.prompt.is_lent();
            take(state);
            state.screen.prompt.remember(text);
            // Save the empty draft first. If the command opens a session, the old draft would otherwise be restored.
            ops.push(Op::Send(Command::SaveDraft { text: String::new() }));
            let refused = slash_command(state, command, arguments, pasted, ops).err();
            save(state, text, ops);
            if let Some(why) = refused {
                // Put the command back into the prompt, so that the user can correct it.
                state.screen.prompt.buffer = written;
                draft::changed(state, ops);
                state.screen.prompt.completion_close();
                state.say(why, true);
            } else if of_list {
                draft::give_back(state, ops);
            } else {
                draft::comes_back(state, ops);
            }
            return;
        }
    }
    take(state);
    state.screen.prompt.remember(text);
    uncover(state);
    save(state, text, ops);
    draft::comes_back(state, ops);
}

/// Runs a command that was chosen from a list, without arguments. The text of the prompt stays.
pub(in crate::update) fn choose(state: &mut State, row: &SlashRow, ops: &mut Vec<Op>) {
    let taken = match row.command {
        _ if row.needs_words() => {
            draft::begin(state, row, ops);
            Ok(())
        }
        // The prompt already contains a commit message. A new message would be for other files.
        Slash::Commit if state.screen.prompt.has_commit() => {
            draft::take_keyboard(state);
            Ok(())
        }
        command => slash_command(state, command, "", Vec::new(), ops),
    };
    if let Err(why) = taken {
        state.say(why, true);
    }
}

/// Takes the text out of the prompt. The pastes are stored, so that the conversation folds them in the same way.
fn take(state: &mut State) {
    state.screen.prompt.take();
    state.screen.conversation.pasted(state.screen.prompt.sent_pastes());
}

fn uncover(state: &mut State) {
    state.screen.over = None;
    state.screen.changes.open = None;
    state.screen.conversation.sent();
}

fn within(ranges: &[Range<usize>], whole: &str, text: &str) -> Vec<Range<usize>> {
    let Some(Range { start: from, end }) = range_in(whole, text) else {
        return Vec::new();
    };
    let end = end - from;
    let place = |at: usize| at.saturating_sub(from).min(end);
    ranges
        .iter()
        .map(|range| place(range.start)..place(range.end))
        .collect()
}

fn prompt(state: &mut State, text: &str, pasted: Vec<Range<usize>>, delivery: Delivery, ops: &mut Vec<Op>) {
    // Only a running turn can be steered.
    let delivery = if state.screen.turn.busy() {
        delivery
    } else {
        Delivery::Queue
    };
    ops.push(Op::Send(Command::Prompt {
        text: text.to_owned(),
        pasted,
        delivery,
    }));
}

/// Sends a `!command`. The resulting approval request may get the focus, because this Enter has caused it.
fn shell(state: &mut State, command: String, typed: bool, ops: &mut Vec<Op>) {
    state.screen.approvals.command_sent();
    ops.push(Op::Send(Command::Shell { command, typed }));
}

fn save(state: &mut State, text: &str, ops: &mut Vec<Op>) {
    ops.push(Op::Send(Command::RememberPrompt { text: text.to_owned() }));
    let now = state.now;
    state.screen.prompt.changed(now);
}

fn compact(state: &mut State, arguments: &str, ops: &mut Vec<Op>) {
    match (arguments, state.screen.context.ready.take()) {
        ("", Some(preview)) => state.screen.dialog = Some(Dialog::Compaction(CompactionPreview::new(preview))),
        ("undo", _) => ops.push(Op::Send(Command::UndoCompaction)),
        (instructions, _) => ops.push(Op::Send(Command::Compact {
            instructions: instructions.to_owned(),
        })),
    }
}

fn list_of_trust(state: &mut State) {
    let Some(card) = &state.screen.trust else {
        return state.say(word(Word::NothingAsked), false);
    };
    let mut viewer = Viewer::new(word(Word::RulesOfFolder).to_owned());
    viewer.fill(Ok(card.list().into()));
    state.screen.dialog = Some(Dialog::Viewer(viewer));
}

fn todo(state: &mut State, arguments: &str, ops: &mut Vec<Op>) -> Taken {
    let edit = todo_edit(arguments).ok_or_else(|| word(Word::TodoWanted).to_owned())?;
    if let TodoEdit::Add { text } = &edit {
        state.screen.todo.adds(text);
    }
    ops.push(Op::Send(Command::EditTodo { edit }));
    Ok(())
}

fn plan(state: &mut State, arguments: &str, ops: &mut Vec<Op>) -> Taken {
    let (what, rest) = arguments.split_once(char::is_whitespace).unwrap_or((arguments, ""));
    let rest = rest.trim().to_owned();
    let asked = match what {
        "open" => Some(Everyday::OpenPlan { named: rest }),
        "export" if state.screen.session.plan.is_some() => Some(Everyday::ExportPlan { path: rest }),
        "export" => None,
        "on" | "off" if rest.is_empty() => {
            ops.push(agent(if what == "on" { PLAN } else { BUILD }));
            return Ok(());
        }
        "" | "change" if rest.is_empty() => None,
        // `other` can only be the keyword that lists plans.
        other if rest.is_empty() && commands::is_word(Slash::Plan, other) => Some(Everyday::ListPlans),
        _ => return Err(word(Word::PlanWanted).to_owned()),
    };
    if let Some(asked) = asked {
        ops.push(Op::Send(Command::Everyday(asked)));
        return Ok(());
    }
    let Some(text) = state.screen.session.plan.clone() else {
        let is_planning = state.screen.session.agent.0 == PLAN;
        match what {
            "" if is_planning => state.say(word(Word::NoPlanYet), false),
            "" => ops.push(agent(PLAN)),
            _ => state.say(word(Word::NoPlan), false),
        }
        return Ok(());
    };
    if what == "change" {
        ops.push(Op::OpenEditor {
            seat: state.screen.seat,
            ticket: EditTicket::Plan,
            name: "plan.md".to_owned(),
            text,
            line: None,
        });
        return Ok(());
    }
    let mut viewer = Viewer::new(word(Word::PlanTitle).to_owned());
    viewer.fill(Ok(text.into()));
    state.screen.dialog = Some(Dialog::Viewer(viewer));
    Ok(())
}

/// Accepts the plan. If a question about the plan is pending, answers the question.
fn execute(state: &mut State, ops: &mut Vec<Op>) {
    let waits = |waiting: &&Waiting| matches!(waiting.request.review, Review::Question(Question::Plan { .. }));
    if let Some(waiting) = state.screen.approvals.waiting.iter().find(waits) {
        return ops.push(Op::Send(Command::Decide {
            call: waiting.request.call.clone(),
            edition: waiting.request.edition,
            decision: Decision::answered(vec![WITH_APPROVALS.to_owned()]),
        }));
    }
    if state.screen.session.plan.is_none() {
        return state.say(word(Word::NoPlan), false);
    }
    ops.push(Op::Send(Command::AcceptPlan));
    prompt(
        state,
        lang::word(lang::Word::PlanCarryOut),
        Vec::new(),
        Delivery::Queue,
        ops,
    );
    uncover(state);
}

fn agent(name: &str) -> Op {
    let name = AgentName(name.to_owned());
    Op::Send(Command::SetAgent { name })
}

type Taken = Result<(), String>;

#[expect(clippy::too_many_lines, reason = "a flat table, an arm each")]
fn slash_command(
    state: &mut State,
    command: Slash,
    arguments: &str,
    pasted: Vec<Range<usize>>,
    ops: &mut Vec<Op>,
) -> Taken {
    match command {
        Slash::Help => global::act(state, GlobalAction::Help, ops),
        Slash::Models if arguments.is_empty() => global::act(state, GlobalAction::Models, ops),
        Slash::Models => {
            let offers = state
                .screen
                .first_start
                .as_ref()
                .map(|card| card.offers())
                .unwrap_or_default();
            let found = offers.into_iter().find(|(_, model)| model == arguments);
            ops.push(Op::Send(match found {
                Some((base_url, model)) => Command::UseServer {
                    base_url,
                    model,
                    key: ApiKey::default(),
                },
                None => Command::SetModel {
                    id: arguments.to_owned(),
                },
            }));
        }
        Slash::Agents if arguments.is_empty() => global::act(state, GlobalAction::Agents, ops),
        Slash::Agents => ops.push(agent(arguments)),
        Slash::Yes => ops.push(agent(ACCEPT_EDITS)),
        Slash::No => ops.push(agent(BUILD)),
        Slash::Plan => plan(state, arguments, ops)?,
        Slash::Execute => execute(state, ops),
        Slash::Init => ops.push(Op::Send(Command::Everyday(Everyday::LookAtProject))),
        Slash::Status => session::sheet(state, SheetKind::Status, ops),
        Slash::Doctor => session::sheet(state, SheetKind::Health, ops),
        Slash::Jobs => jobs::slash(state, arguments, ops)?,
        Slash::Loop => loops::slash(state, arguments)?,
        Slash::Voice => global::act(state, GlobalAction::Voice, ops),
        Slash::Watch => ops.push(Op::Send(commands::watch(arguments))),
        Slash::Debug => global::act(state, GlobalAction::Log, ops),
        Slash::Cost => session::sheet(state, SheetKind::Cost, ops),
        Slash::Privacy => session::sheet(state, SheetKind::Privacy, ops),
        Slash::AutoTest => {
            let to = commands::switched(arguments).ok_or_else(|| word(Word::AutoTestWanted).to_owned())?;
            ops.push(Op::Send(commands::switch_check(to)));
        }
        Slash::Temperature => session::temperature(state, arguments, ops)?,
        Slash::Thinking => session::thinking(state, arguments, ops)?,
        Slash::Config => settings::list(state, ops),
        Slash::Theme => themes::name(state, arguments, ops),
        Slash::Context | Slash::Tokens => panes::to_pane(state, Pane::Context),
        Slash::Compact => compact(state, arguments, ops),
        Slash::Diff if arguments == "session" => panes::compare(state, None, ops),
        Slash::Diff => panes::diff(state, arguments, ops),
        Slash::Commit => commit::asked(state, arguments, ops)?,
        Slash::Review => {
            let range = arguments.to_owned();
            ops.push(Op::Send(Command::Everyday(Everyday::Review { range })));
            uncover(state);
        }
        // This `/git` was chosen from a list. The code above handles typed lines.
        Slash::Git => {
            let line = git::line(arguments).map_err(|why| why.said())?;
            shell(state, line, true, ops);
            uncover(state);
        }
        Slash::Todo if arguments.is_empty() => panes::to_pane(state, Pane::Todo),
        Slash::Todo => todo(state, arguments, ops)?,
        Slash::New if arguments == "beside" => global::act(state, GlobalAction::NewBeside, ops),
        Slash::Worktree if commands::is_word(command, arguments) => global::act(state, GlobalAction::Worktrees, ops),
        Slash::Worktree => worktrees::open(arguments, ops),
        Slash::Merge => worktrees::merge(state, arguments, ops),
        Slash::Close => global::act(state, GlobalAction::CloseSeat, ops),
        Slash::New => ops.push(Op::Send(Command::NewSession)),
        Slash::Fork => ops.push(Op::Send(Command::Fork)),
        Slash::Resume => global::act(state, GlobalAction::Sessions, ops),
        Slash::Search | Slash::Rename | Slash::Export | Slash::Log | Slash::Save => {
            archive::slash(state, command, arguments, ops)?;
        }
        Slash::Approvals => request::enter(state),
        Slash::Permissions => global::act(state, GlobalAction::Permissions, ops),
        Slash::Skills => pick(state, PickerKind::Skills, Command::ListSkills, ops),
        Slash::Hooks => session::sheet(state, SheetKind::Hooks, ops),
        Slash::Mcp => session::servers(state, arguments, ops)?,
        Slash::Retry => global::act(state, GlobalAction::Retry, ops),
        Slash::Undo => undo::undo(state, commands::undo_path(arguments), ops),
        Slash::Redo => global::act(state, GlobalAction::Redo, ops),
        Slash::Rewind => global::act(state, GlobalAction::Rewind, ops),
        Slash::Copy => lists::copy_text(state, state.screen.conversation.last_answer(), Word::CopiedAnswer, ops),
        Slash::Transcript => global::act(state, GlobalAction::Transcript, ops),
        Slash::Steer if arguments.is_empty() => {}
        Slash::Steer => {
            prompt(state, arguments, pasted, Delivery::Steer, ops);
            uncover(state);
        }
        Slash::Setup if arguments == "server" => setup::form(state, ops),
        Slash::Setup => wizard::begin(state, ops),
        Slash::Pull => global::act(state, GlobalAction::PullModel, ops),
        Slash::Serve => global::act(state, GlobalAction::StartService, ops),
        Slash::Trust if arguments == "files" => list_of_trust(state),
        Slash::Trust if arguments == "repository" => global::trust(state, true, TrustScope::Repository, ops),
        Slash::Trust => global::act(state, GlobalAction::Trust, ops),
        Slash::Reload => ops.push(Op::Send(Command::Reload)),
        Slash::Distrust => global::act(state, GlobalAction::Distrust, ops),
        Slash::Quit => leave::leave(state, ops),
    }
    Ok(())
}
