//! Tests `/mcp`: the state of MCP servers, and the results of the command.

use super::*;
use crate::bench::dead;
use crate::dialogs::Dialog;
use crate::dialogs::picker::PickerValue;
use crate::dialogs::sheet::{Sheet, SheetRow};
use benchdog_domain::adjustment::Switched;
use benchdog_domain::hook::{HookEvent, HookFailed, HookOffer, HookRun, HookSaid};
use benchdog_domain::notice::Notice;
use benchdog_domain::server::{ServerName, ServerNotice, ServerStatus, ServerTrouble, WhyUnauthorized};
use benchdog_domain::todo::{TodoItem, TodoList, TodoStatus};
use benchdog_transcript::Mark;

fn shown(bench: &Bench) -> &Sheet {
    match &bench.state.screen.dialog {
        Some(Dialog::Sheet(sheet)) => sheet,
        _ => panic!("no sheet"),
    }
}

#[test]
fn all_that_is_said_of_servers_is_in_view_in_a_narrow_window_and_one_that_failed_is_marked() {
    let mut bench = Bench::new(80, 24);
    bench.types("/mcp\n");
    bench.event(Answer::Servers(vec![dead("one"), dead("two"), dead("three")]));
    let rows = shown(&bench).rows();
    let inside = bench.state.layout.dialog.map(|rect| usize::from(rect.height) - 2);
    assert_eq!(Some(rows.len()), inside, "{rows:?}");
    assert!(matches!(&rows[0], SheetRow::Stands(Mark::Failed, text) if text.starts_with("✗ one")));
    assert!(matches!(&rows[1], SheetRow::Wrong(_)), "{rows:?}");
}

#[test]
fn a_server_at_which_nobody_is_signed_in_waits_for_the_person_and_has_not_failed() {
    let mut bench = Bench::new(80, 24);
    bench.types("/mcp\n");
    let server = ServerName("remote".to_owned());
    let unauthorized = |why| ServerTrouble::Unauthorized {
        server: server.clone(),
        why,
    };
    let status = |why| ServerStatus {
        trouble: Some(unauthorized(why)),
        ..dead("remote")
    };
    bench.event(Answer::Servers(vec![
        status(WhyUnauthorized::NoSignIn),
        status(WhyUnauthorized::TokenRefused),
    ]));
    let rows = shown(&bench).rows();
    assert_eq!(
        rows[0],
        SheetRow::Stands(Mark::Waiting, "◆ remote  not signed in".to_owned())
    );
    assert!(
        matches!(&rows[1], SheetRow::Text(text) if text.contains("benchdog mcp login remote")),
        "{rows:?}"
    );
    let refused = rows.iter().filter(|row| matches!(row, SheetRow::Wrong(_)));
    assert_eq!(refused.count(), 1, "{rows:?}");
}

#[test]
fn a_server_that_there_is_not_is_told_in_the_dialog_that_asked_for_it() {
    let mut bench = Bench::new(80, 24);
    bench.types("/mcp login nosuch\n");
    let server = ServerName("nosuch".to_owned());
    bench.event(Live::Notice(Notice::Server(ServerNotice::Unknown { server })));
    bench.event(Answer::Servers(vec![dead("one")]));
    let rows = shown(&bench).rows();
    assert!(
        matches!(&rows[0], SheetRow::Wrong(text) if text.contains("nosuch")),
        "{rows:?}"
    );
    assert!(bench.screen().is_empty(), "and not behind it");
}

#[test]
fn one_of_many_tools_is_found_by_typing_and_switched_while_the_bar_stays_on_it() {
    for (columns, rows) in [(40, 12), (80, 24), (160, 45)] {
        let mut bench = Bench::new(columns, rows);
        bench.types("/mcp\n");
        bench.event(Answer::Servers(vec![with_tools(500, "")]));
        bench.types("t");
        bench.event(Answer::Servers(vec![with_tools(500, "")]));
        bench.types("_49");
        bench.keys("down down");
        let chosen = |bench: &mut Bench| match &mut bench.state.screen.dialog {
            Some(Dialog::Picker(picker)) => picker.chosen().cloned(),
            _ => None,
        };
        let Some(PickerValue::ServerTool { name, is: Switched::On }) = chosen(&mut bench) else {
            panic!("{:?}", chosen(&mut bench))
        };
        assert!(name.contains("_49"), "{name}");
        bench.keys("enter");
        let sent = Command::SwitchTool {
            tool: name.clone(),
            to: Switched::Off,
        };
        let is_sent = |op: &Op| matches!(op, Op::Send(command) if *command == sent);
        assert!(bench.ops.iter().any(is_sent), "{:?}", bench.ops);
        bench.event(Answer::Servers(vec![with_tools(500, &name)]));
        let is = PickerValue::ServerTool {
            name,
            is: Switched::Off,
        };
        assert_eq!(chosen(&mut bench), Some(is));
    }
}

#[test]
fn a_tool_that_no_server_has_is_told_in_the_list() {
    let mut bench = Bench::new(80, 24);
    bench.types("/mcp off files__nope\n");
    let tool = "files__nope".to_owned();
    bench.event(Live::Notice(Notice::Server(ServerNotice::NoTool { tool })));
    bench.event(Answer::Servers(vec![with_tools(3, "")]));
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => assert!(picker.note.contains("files__nope"), "{}", picker.note),
        _ => panic!("no list"),
    }
}

#[test]
fn a_sheet_names_the_tools_of_a_server_and_those_that_are_off() {
    let mut bench = Bench::new(80, 24);
    bench.types("/mcp\n");
    let mut files = with_tools(14, "files__tool_1");
    files.missing = vec!["move".to_owned()];
    bench.event(Answer::Servers(vec![files]));
    let text = |row: &SheetRow| match row {
        SheetRow::Text(text) => text.clone(),
        _ => String::new(),
    };
    let rows: Vec<String> = shown(&bench).rows().iter().map(text).collect();
    let whole = rows.join(" ");
    for said in [
        "13 tools",
        "Tools: tool_0, tool_2,",
        "and 1 more.",
        "Off: tool_1.",
        "not offered: move.",
    ] {
        assert!(whole.contains(said), "{said}: {whole}");
    }
}

#[test]
fn each_server_that_cannot_be_had_stands_in_the_conversation_however_wide_the_window() {
    let mut bench = Bench::new(160, 45);
    for name in ["one", "two", "three"] {
        bench.event(Live::Notice(Notice::Server(ServerNotice::Dead {
            server: ServerName(name.to_owned()),
            trouble: ServerTrouble::Off,
        })));
    }
    let screen = bench.screen().join("\n");
    assert!(
        ["one", "two", "three"].iter().all(|name| screen.contains(name)),
        "{screen}"
    );
}

#[test]
fn hooks_are_facts_without_numbers_and_keep_off_the_side_column() {
    let mut bench = Bench::new(160, 45);
    bench.entry(Body::Todo {
        items: TodoList(vec![TodoItem {
            id: 1,
            text: "one".to_owned(),
            status: TodoStatus::Pending,
        }]),
    });
    bench.types("/hooks\n");
    bench.event(Answer::Hooks(vec![HookOffer {
        event: HookEvent::BeforeTool,
        name: "guard".to_owned(),
        tools: vec!["bash".to_owned()],
        command: vec!["./guard".to_owned()],
        origin: "config.jsonc:3".to_owned(),
        last: Some(HookRun {
            at: Time(0),
            took_ms: 7,
            said: vec![
                HookSaid::Told {
                    text: "looked".to_owned(),
                },
                HookSaid::Failed {
                    why: HookFailed::Stopped,
                    denies: false,
                },
            ],
        }),
    }]));
    let rows = shown(&bench).rows();
    assert_eq!(rows[0], SheetRow::Heading("guard  before_tool  bash".to_owned()));
    let fields = rows.iter().filter_map(|row| match row {
        SheetRow::Field { name, value, .. } => Some((*name, value.as_str())),
        SheetRow::Heading(_) | SheetRow::Stands(..) | SheetRow::Wrong(_) | SheetRow::Text(_) => None,
    });
    let fields: Vec<_> = fields.collect();
    assert_eq!(fields[..2], [("runs", "./guard"), ("from", "config.jsonc:3")]);
    assert!(fields[2].1.ends_with(", 7 ms"), "{fields:?}");
    assert!(
        matches!(&rows[4..], [SheetRow::Text(_), SheetRow::Wrong(_)]),
        "each thing it said has its row: {rows:?}"
    );
    let (dialog, todo) = (bench.state.layout.dialog.unwrap(), bench.state.layout.todo.unwrap());
    assert!(dialog.intersection(todo).is_empty(), "{dialog:?} {todo:?}");
}
