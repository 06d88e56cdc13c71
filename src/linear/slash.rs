//! Slash commands in linear mode. A command that needs the full screen only prints a message.

use super::answers;
use super::desk::Desk;
use benchdog_app::commands::{self, McpOrder, Slash, TABLE, git};
use benchdog_app::dialogs::sheet::SheetKind;
use benchdog_base::text::{clean, reveal};
use benchdog_domain::agent::{ACCEPT_EDITS, AgentName, BUILD, PLAN};
use benchdog_headless::plain;
use benchdog_lang::{self as lang, Word, word};
use benchdog_protocol::{Archive, Command, Delivery, Everyday, TrustScope};

const OF_THE_SCREEN: [Slash; 18] = [
    Slash::Compact,
    Slash::Diff,
    Slash::Commit,
    Slash::Init,
    Slash::Fork,
    Slash::Resume,
    Slash::Close,
    Slash::Worktree,
    Slash::Merge,
    Slash::Approvals,
    Slash::Copy,
    Slash::Transcript,
    Slash::Theme,
    Slash::Config,
    Slash::Debug,
    Slash::Setup,
    Slash::Loop,
    Slash::Voice,
];

#[expect(clippy::too_many_lines, reason = "a flat table, an arm each")]
pub(super) fn perform(desk: &mut Desk, command: Slash, arguments: &str) {
    match command {
        Slash::Compact if arguments == "undo" => desk.send(Command::UndoCompaction),
        Slash::Compact
        | Slash::Diff
        | Slash::Commit
        | Slash::Init
        | Slash::Fork
        | Slash::Resume
        | Slash::Rewind
        | Slash::Close
        | Slash::Worktree
        | Slash::Merge
        | Slash::Approvals
        | Slash::Copy
        | Slash::Transcript
        | Slash::Theme
        | Slash::Config
        | Slash::Debug
        | Slash::Loop
        | Slash::Voice
        | Slash::Setup => needs_screen(desk, command),
        Slash::Help => desk.say_all(help()),
        Slash::Models if arguments.is_empty() => desk.send(Command::ListModels),
        Slash::Models => desk.send(Command::SetModel {
            id: arguments.to_owned(),
        }),
        Slash::Agents if arguments.is_empty() => desk.send(Command::ListAgents),
        Slash::Agents => agent(desk, arguments),
        Slash::Yes => agent(desk, ACCEPT_EDITS),
        Slash::No => agent(desk, BUILD),
        Slash::Execute => {
            desk.send(Command::AcceptPlan);
            desk.prompt(lang::word(lang::Word::PlanCarryOut), Delivery::Queue);
        }
        Slash::Plan => plan(desk, arguments),
        Slash::Status => status(desk, SheetKind::Status),
        Slash::Cost => status(desk, SheetKind::Cost),
        Slash::Privacy => status(desk, SheetKind::Privacy),
        Slash::AutoTest => match commands::switched(arguments) {
            Some(to) => desk.send(commands::switch_check(to)),
            None => desk.say(word(Word::AutoTestWanted)),
        },
        Slash::Watch => desk.send(commands::watch(arguments)),
        Slash::Doctor => desk.send(Command::Examine),
        Slash::Jobs if arguments.is_empty() => {
            let jobs = answers::jobs(&desk.known.jobs);
            desk.say_all(jobs);
        }
        Slash::Jobs => match commands::job_to_end(arguments) {
            Some(job) => desk.send(Command::EndJob { job }),
            None => desk.say(lang::word(lang::Word::JobWanted)),
        },
        Slash::Temperature => match commands::temperature(arguments) {
            Some(value) => desk.send(Command::SetTemperature { value }),
            None => desk.say(word(Word::TemperatureWanted)),
        },
        Slash::Thinking => match commands::thinking(arguments) {
            Some(level) => desk.send(Command::SetThinking { level }),
            None => desk.say(word(Word::ThinkingWanted)),
        },
        Slash::Context | Slash::Tokens => desk.send(Command::ListContext),
        Slash::Git => match git::line(arguments) {
            Ok(command) => works(desk, Command::Shell { command, typed: false }),
            Err(why) => desk.say(&why.said()),
        },
        Slash::Todo if !arguments.is_empty() => match commands::todo_edit(arguments) {
            Some(edit) => desk.send(Command::EditTodo { edit }),
            None => desk.say(word(Word::TodoWanted)),
        },
        Slash::Todo => {
            let items = plain::list(&desk.known.todo);
            desk.say_all(items);
        }
        Slash::New if arguments == "beside" => desk.say(&lang::message::linear_needs_screen("new")),
        Slash::New => desk.send(Command::NewSession),
        Slash::Permissions => desk.send(Command::ListPermissions),
        Slash::Skills => desk.send(Command::ListSkills),
        Slash::Hooks => desk.send(Command::ListHooks),
        Slash::Mcp => servers(desk, arguments),
        Slash::Retry => works(desk, Command::Retry),
        Slash::Undo => undo(desk, arguments),
        Slash::Redo => desk.send(Command::Redo),
        Slash::Review => review(desk, arguments),
        Slash::Steer => desk.prompt(arguments, Delivery::Steer),
        Slash::Pull => desk.send(Command::PullModel),
        Slash::Serve => desk.send(Command::StartService),
        Slash::Trust if arguments == "files" => {
            let files = answers::files(desk.known.untrusted.as_ref());
            desk.say_all(files);
        }
        Slash::Trust => desk.send(Command::Trust {
            trusted: true,
            scope: match arguments {
                "repository" => TrustScope::Repository,
                _ => TrustScope::Folder,
            },
        }),
        Slash::Reload => desk.send(Command::Reload),
        Slash::Distrust => desk.send(Command::Trust {
            trusted: false,
            scope: TrustScope::Folder,
        }),
        Slash::Search | Slash::Rename | Slash::Export | Slash::Log | Slash::Save => archive(desk, command, arguments),
        Slash::Quit => desk.leave(),
    }
}

fn archive(desk: &mut Desk, command: Slash, arguments: &str) {
    let wanted = match command {
        Slash::Search if arguments.is_empty() => return desk.say(word(Word::SearchWanted)),
        Slash::Search => Archive::Search {
            text: arguments.to_owned(),
        },
        Slash::Rename if arguments.is_empty() => return desk.say(word(Word::TitleWanted)),
        Slash::Rename => Archive::Rename {
            title: clean(arguments).into_owned(),
        },
        Slash::Export => {
            let (file, format) = commands::export_target(arguments);
            Archive::Export { file, format }
        }
        Slash::Log => Archive::Locate,
        _ => return desk.say(word(Word::AlwaysSaved)),
    };
    desk.send(Command::Archive(wanted));
}

fn works(desk: &mut Desk, command: Command) {
    desk.begins_work();
    desk.send(command);
}

fn review(desk: &mut Desk, range: &str) {
    let range = range.to_owned();
    works(desk, Command::Everyday(Everyday::Review { range }));
}

/// Sends an undo. The undo does not count as work, because an undo without effect only causes a message.
fn undo(desk: &mut Desk, path: &str) {
    let path = commands::undo_path(path);
    desk.send(Command::Undo { path });
}

fn needs_screen(desk: &mut Desk, command: Slash) {
    let row = TABLE.iter().find(|row| row.command == command);
    desk.say(&lang::message::linear_needs_screen(row.map_or("", |row| row.name)));
}

fn plan(desk: &mut Desk, arguments: &str) {
    match (arguments, &desk.known.plan) {
        ("on", _) | ("", None) => return agent(desk, PLAN),
        ("off", _) => return agent(desk, BUILD),
        _ => {}
    }
    if !arguments.is_empty() {
        return desk.say(&lang::message::linear_needs_screen("plan"));
    }
    let plan = desk.known.plan.as_deref().unwrap_or_default();
    let lines: Vec<String> = plan.lines().map(|line| reveal(line).into_owned()).collect();
    desk.say_all(lines);
}

fn servers(desk: &mut Desk, arguments: &str) {
    match commands::mcp_order(arguments) {
        _ if arguments.is_empty() => desk.send(Command::ListServers),
        Some(McpOrder::Tools(of)) => {
            desk.known.tools_of = Some(of);
            desk.send(Command::ListServers);
        }
        Some(McpOrder::Tool(tool, to)) => desk.send(Command::SwitchTool { tool, to }),
        Some(McpOrder::Server(server, order)) => desk.send(Command::OrderServer { server, order }),
        None => desk.say(word(Word::ServerOrderWanted)),
    }
}

fn agent(desk: &mut Desk, name: &str) {
    let name = AgentName(name.to_owned());
    desk.send(Command::SetAgent { name });
}

fn status(desk: &mut Desk, kind: SheetKind) {
    desk.known.sheet = Some(kind);
    desk.send(Command::ShowStatus);
}

fn help() -> Vec<String> {
    let mut lines: Vec<String> = word(Word::LinearHelp).lines().map(str::to_owned).collect();
    let works = TABLE.iter().filter(|row| !OF_THE_SCREEN.contains(&row.command));
    lines.extend(works.map(|row| {
        // These commands behave differently in linear mode, so they have their own descriptions.
        let own = match row.command {
            Slash::Help => Some(Word::LinearHelpRow),
            Slash::New => Some(Word::LinearNewRow),
            Slash::Plan => Some(Word::LinearPlanRow),
            _ => None,
        };
        if let Some(own) = own {
            return format!("/{}: {}", row.name, word(own));
        }
        let arguments = if row.arguments.is_empty() { "" } else { " " };
        format!("/{}{arguments}{}: {}", row.name, row.arguments, row.title())
    }));
    lines
}
