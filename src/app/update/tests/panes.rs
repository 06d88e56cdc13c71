//! Panes, dialogs and cards.

use super::*;
use crate::app::dialogs::Dialog;
use crate::app::layout::Pane;
use crate::app::panes::files::FileMark;
use crate::domain::summary::Summary;
use crate::domain::todo::{TodoItem, TodoList, TodoStatus};
use crate::domain::tool::CallStatus;
use crate::keys;
use crate::keys::action::PromptAction;
use crate::protocol::{FolderItem, FoundServer};

fn item(path: &str, folder: bool) -> FolderItem {
    FolderItem {
        path: path.to_owned(),
        folder,
        ignored: false,
        git: None,
    }
}

fn names(bench: &Bench) -> Vec<String> {
    bench
        .state
        .files
        .rows
        .iter()
        .map(|row| format!("{}{}", "  ".repeat(row.depth), row.name))
        .collect()
}

#[test]
fn the_tree_is_listed_folder_by_folder() {
    let mut bench = Bench::new(140, 40);
    bench.event(Answer::Folder {
        path: ".".to_owned(),
        items: vec![item("src", true), item("Cargo.toml", false)],
    });
    bench.keys("alt-1 right");
    assert!(
        bench
            .commands()
            .contains(&&Command::ListFolder { path: "src".to_owned() })
    );
    bench.event(Answer::Folder {
        path: "src".to_owned(),
        items: vec![item("src/money.rs", false)],
    });
    assert_eq!(names(&bench), ["src/", "  money.rs", "Cargo.toml"]);
    bench.keys("down enter");
    assert_eq!(bench.prompt(), "@src/money.rs ");
    assert_eq!(bench.state.focus, Pane::Prompt);
}

#[test]
fn a_file_that_waits_is_marked_even_in_a_closed_folder() {
    let mut bench = Bench::new(140, 40);
    bench.event(Answer::Folder {
        path: ".".to_owned(),
        items: vec![item("src", true)],
    });
    bench.asks(edit("one"));
    assert_eq!(bench.state.files.rows[0].mark, Some(FileMark::Pending));
    assert_eq!(bench.state.changes.rows[0].path, "src/money.rs");
    assert_eq!(
        (bench.state.changes.rows[0].added, bench.state.changes.rows[0].removed),
        (3, 2)
    );
}

#[test]
fn an_accepted_change_can_be_looked_at_again() {
    let mut bench = Bench::new(140, 40);
    let request = edit("one");
    let Review::Files(changes) = request.review.clone() else {
        panic!()
    };
    let after = changes[0].after.as_deref().map(crate::base::id::BlobId::of);
    bench.asks(request);
    bench.decided(CallId("one".to_owned()), crate::domain::permission::DecidedBy::User);
    bench.entry(Body::Change {
        call: CallId("one".to_owned()),
        path: "src/money.rs".to_owned(),
        before: None,
        after,
        added: 3,
        removed: 2,
        moved: Vec::new(),
    });
    bench.keys("alt-4 enter");
    let files = vec![("src/money.rs".to_owned(), None)];
    assert!(bench.commands().contains(&&Command::Compare { files }));
    bench.event(Answer::Compared(changes));
    for (width, height) in [(140, 40), (80, 24), (30, 8)] {
        bench.send(Msg::Resize { width, height });
        let room = bench
            .state
            .layout
            .conversation
            .expect("the diff lies over the conversation");
        let view = &bench.state.changes.open.as_ref().unwrap().view;
        assert_eq!((view.width, view.height), (room.width, room.height));
    }
    bench.keys("esc");
    assert!(bench.state.changes.open.is_none());
}

#[test]
fn folded_panes_come_back_with_one_key() {
    let mut bench = Bench::new(80, 24);
    assert!(bench.state.layout.files.is_none());
    bench.keys("ctrl-n");
    assert!(bench.state.layout.files.is_some());
    bench.keys("ctrl-n");
    assert!(bench.state.layout.files.is_none() && bench.state.layout.conversation.is_some());
}

#[test]
fn the_todo_list_is_changed_through_the_engine() {
    let mut bench = Bench::new(140, 40);
    let item = |id, text: &str| TodoItem {
        id,
        text: text.to_owned(),
        status: TodoStatus::Pending,
    };
    let list = TodoList(vec![item(7, "fix"), item(3, "test"), item(9, "tell")]);
    bench.entry(Body::Todo { items: list.clone() });
    // The engine does what is asked.
    let mut list = list;
    let mut seen = 0;
    let mut told = |bench: &mut Bench| {
        let edits = bench.commands().into_iter().filter_map(|command| match command {
            Command::EditTodo { edit } => Some(edit.clone()),
            _ => None,
        });
        let edits: Vec<_> = edits.skip(seen).collect();
        seen += edits.len();
        for edit in &edits {
            list = list.edited(edit).unwrap();
        }
        bench.entry(Body::Todo { items: list.clone() });
        list.lines()
    };
    bench.keys("alt-5 space");
    assert_eq!(told(&mut bench), "7 [~] fix\n3 [ ] test\n9 [ ] tell\n");
    bench.keys("J");
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix\n9 [ ] tell\n");
    bench.keys("J");
    assert_eq!(
        told(&mut bench),
        "3 [ ] test\n9 [ ] tell\n7 [~] fix\n",
        "the cursor goes along"
    );
    bench.keys("J K");
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix\n9 [ ] tell\n");
    bench.keys("down x");
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix\n");
    bench.keys("alt-3");
    bench.types("half a thought");
    bench.keys("alt-5 e");
    assert_eq!(bench.prompt(), "/todo change 7 fix");
    bench.types(" it");
    bench.keys("enter");
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix it\n");
    assert_eq!(
        (bench.prompt(), bench.state.focus),
        ("half a thought".to_owned(), Pane::Todo),
        "what was being written is there again, and the keyboard in the list"
    );
    bench.keys("a");
    bench.types("no");
    bench.keys("esc");
    assert_eq!(
        (bench.prompt(), bench.state.focus),
        ("half a thought".to_owned(), Pane::Todo)
    );
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix it\n", "Esc gives it up");
    bench.keys("a");
    bench.types("last");
    bench.keys("enter");
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix it\n8 [ ] last\n");
    bench.keys("alt-3 ctrl-c up up up");
    assert_eq!(bench.prompt(), "/todo add no", "nor is what was given up lost");
    bench.keys("ctrl-c");
    for wrong in ["/todo change x y", "/todo change 3", "/todo add", "/todo nonsense"] {
        bench.types(wrong);
        bench.keys("enter");
        assert!(bench.state.toast.as_ref().is_some_and(|toast| toast.error), "{wrong}");
        bench.keys("ctrl-c");
    }
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix it\n8 [ ] last\n");
}

#[test]
fn typing_in_a_list_that_knows_no_such_letter_is_typing() {
    let mut bench = Bench::new(140, 40);
    bench.keys("alt-5 w z");
    assert_eq!(bench.prompt(), "wz");
    assert_eq!(bench.state.focus, Pane::Prompt);
}

#[test]
fn the_palette_begins_with_what_one_looks_for_and_ends_with_what_a_hand_knows() {
    let mut bench = Bench::new(80, 24);
    bench.keys("ctrl-p");
    let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
        panic!("no palette")
    };
    let at_hand: Vec<bool> = palette.rows.iter().map(|row| row.action.is_at_hand()).collect();
    assert!(
        !at_hand[0] && at_hand.is_sorted() && at_hand.contains(&true),
        "{at_hand:?}"
    );
}

#[test]
fn no_word_finds_an_editing_key_in_the_palette() {
    let mut bench = Bench::new(80, 24);
    for filter in ["", "wor", "paste", "select", "delete", "undo", "fold"] {
        bench.keys("ctrl-p");
        bench.types(filter);
        let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
            panic!("no palette")
        };
        let edits = |action: &keys::Action| {
            matches!(
                action,
                keys::Action::Text(_) | keys::Action::Prompt(PromptAction::Unfold)
            )
        };
        let found = palette.rows.iter().find(|row| edits(&row.action));
        assert!(found.is_none(), "{filter}: {}", found.unwrap().title);
        bench.keys("esc");
    }
}

#[test]
fn the_palette_finds_an_action_by_its_words() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-p");
    bench.types("go to todo");
    let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
        panic!()
    };
    assert_eq!(palette.rows[0].title, "Go to todo list");
    assert!(palette.rows.iter().all(|row| row.action.is_named()));
    bench.keys("enter");
    assert_eq!(bench.state.focus, Pane::Todo);
    assert!(bench.state.dialog.is_none());
}

#[test]
fn help_lists_only_keys_that_work_now() {
    let mut bench = Bench::new(120, 40);
    bench.keys("f1");
    let Some(Dialog::Help(help)) = &bench.state.dialog else {
        panic!()
    };
    let all: Vec<&str> = help
        .sections
        .iter()
        .flat_map(|section| &section.rows)
        .map(|entry| entry.title.as_str())
        .collect();
    assert!(all.contains(&"All commands"));
    assert!(!all.contains(&"Keep or drop hunk"));
}

#[test]
fn escape_closes_first_and_stops_then() {
    let mut bench = Bench::new(120, 40);
    bench.event(Live::State(crate::protocol::TurnState::Generating));
    bench.keys("ctrl-p esc");
    assert!(!bench.commands().contains(&&Command::Interrupt));
    bench.keys("esc");
    assert!(bench.commands().contains(&&Command::Interrupt));
}

#[test]
fn nothing_wakes_while_nothing_runs() {
    let mut bench = Bench::new(120, 40);
    bench.wait(10);
    bench.state.take_dirty();
    bench.ops.clear();
    bench.wait(60_000);
    assert!(bench.ops.is_empty());
    assert!(!bench.state.take_dirty());
}

#[test]
fn a_running_turn_shows_its_seconds() {
    let mut bench = Bench::new(120, 40);
    bench.event(Live::State(TurnState::Planning));
    bench.event(Live::ToolStarted {
        call: CallId("1".to_owned()),
        tool: "bash".to_owned(),
        title: "sleep 9".to_owned(),
    });
    assert!(bench.ops.iter().any(|op| matches!(op, Op::WakeAt(_))));
    bench.wait(3_000);
    assert!(
        bench
            .screen()
            .iter()
            .any(|row| row.contains("sleep 9") && row.ends_with("3 s")),
        "{:?}",
        bench.screen()
    );
    assert!(crate::app::status::status(&bench.state).middle.contains("0:03"));
    bench.entry(Body::ToolResult {
        call: CallId("1".to_owned()),
        tool: "bash".to_owned(),
        title: "sleep 9".to_owned(),
        status: CallStatus::Ok,
        summary: Summary::Words("exit 0".to_owned()),
        output: String::new(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 3_000,
        places: Vec::new(),
        images: Vec::new(),
    });
    assert!(bench.screen().iter().any(|row| row.starts_with("✓ bash")));
}

#[test]
fn the_trust_card_blocks_no_typing_and_is_answered_by_a_command() {
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::TrustAsked {
        files: vec!["AGENTS.md".to_owned()],
    });
    bench.types("y n /trust");
    assert_eq!(bench.prompt(), "y n /trust");
    assert!(bench.state.trust.is_some());
    bench.keys("ctrl-u");
    bench.types("/trust\n");
    assert!(bench.commands().contains(&&Command::Trust { trusted: true }));
    // Until it counts: what is wrong in it can be mended first.
    assert!(bench.state.trust.is_some());
    bench.event(Live::Notice(crate::domain::notice::Notice::Trusted {
        from: crate::domain::notice::CountsFrom::Now,
    }));
    assert!(bench.state.trust.is_none());
}

#[test]
fn a_long_item_takes_a_second_row_where_there_is_room() {
    let mut bench = Bench::new(120, 40);
    let item = |id, text: &str| crate::domain::todo::TodoItem {
        id,
        text: text.to_owned(),
        status: crate::domain::todo::TodoStatus::Pending,
    };
    let items = |count| {
        crate::domain::todo::TodoList(
            (1..=count)
                .map(|id| item(id, "mend how the total is rounded"))
                .collect(),
        )
    };
    bench.entry(Body::Todo { items: items(3) });
    assert!(bench.state.todo.whole);
    bench.entry(Body::Todo { items: items(30) });
    assert!(!bench.state.todo.whole);
}

#[test]
fn a_server_found_at_the_first_start_is_taken_from_the_list_of_models() {
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::FirstStart {
        found: vec![FoundServer {
            base_url: "http://127.0.0.1:8080/v1".to_owned(),
            models: ["small", "large"].map(found_model).to_vec(),
        }],
    });
    bench.types("/models\n");
    bench.event(Answer::Models {
        offers: Vec::new(),
        current: None,
        failed: Vec::new(),
    });
    bench.keys("down enter");
    assert!(bench.commands().contains(&&Command::UseServer {
        base_url: "http://127.0.0.1:8080/v1".to_owned(),
        model: "large".to_owned(),
    }));
}

#[test]
fn three_hundred_skills_leave_room_for_the_file_that_matters_and_for_the_two_commands() {
    let mut bench = Bench::new(80, 24);
    let skill = |number: usize| {
        [
            format!(".agents/skills/skill-{number:03}/SKILL.md"),
            format!(".agents/skills/skill-{number:03}/run.sh"),
        ]
    };
    let mut files: Vec<String> = (0..306).flat_map(skill).collect();
    files.push("AGENTS.md".to_owned());
    bench.event(Answer::TrustAsked { files });
    let rows = crate::app::cards::cards(&bench.state, 78);
    let said = rows.iter().map(|(row, _)| row.as_str()).collect::<Vec<_>>().join("\n");
    assert!(said.contains("AGENTS.md, 306 skills"), "{said}");
    assert!(
        said.contains("/trust uses them") && said.contains("/distrust"),
        "{said}"
    );
    let room = bench.state.layout.cards.map_or(0, |rect| usize::from(rect.height));
    assert!(rows.len() <= room, "all of it is seen: {} of {room}", rows.len());
    bench.types("/trust files\n");
    let Some(Dialog::Viewer(viewer)) = &bench.state.dialog else {
        panic!("no list")
    };
    assert!(matches!(&viewer.text, Some(Ok(text)) if text.contains("skill-305/run.sh") && text.contains("AGENTS.md")));
    assert!(
        !bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::Trust { .. }))
    );
}

#[test]
fn the_bar_of_the_todo_list_stays_with_its_item_whatever_is_done_to_it() {
    let mut bench = Bench::new(80, 24);
    let item = |id, status| TodoItem {
        id,
        text: format!("item {id}"),
        status,
    };
    let (doing, open) = (TodoStatus::InProgress, TodoStatus::Pending);
    let told = |bench: &mut Bench, items: &[(u32, TodoStatus)]| {
        let items = items.iter().map(|(id, status)| item(*id, *status)).collect();
        bench.entry(Body::Todo { items: TodoList(items) });
    };
    let under = |bench: &Bench| bench.state.todo.current().map(|item| item.id);
    told(&mut bench, &[(1, doing), (2, open), (3, open)]);
    assert_eq!(under(&bench), Some(1));
    bench.keys("ctrl-t G space");
    told(&mut bench, &[(1, doing), (2, open), (3, doing)]);
    assert_eq!(under(&bench), Some(3));
    bench.keys("up x");
    told(&mut bench, &[(1, doing), (3, doing)]);
    assert_eq!(under(&bench), Some(3), "on the next one");
    bench.keys("esc");
    told(&mut bench, &[(1, open), (3, open), (4, doing)]);
    assert_eq!(under(&bench), Some(4), "elsewhere it follows the work");
}

#[test]
fn esc_closes_the_find_row_and_then_leaves_the_conversation() {
    let mut bench = Bench::new(80, 24);
    bench.entry(Body::User {
        text: "find the total".to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    bench.keys("ctrl-f");
    bench.types("total\n");
    assert!(bench.state.conversation.find.is_some());
    bench.keys("esc");
    assert!(bench.state.conversation.find.is_none());
    assert_eq!(bench.state.focus, Pane::Conversation);
    bench.keys("esc");
    assert_eq!(bench.state.focus, Pane::Prompt);
}

#[test]
fn going_to_the_top_or_the_end_takes_the_bar_along() {
    let mut bench = Bench::new(80, 24);
    for turn in 1..=20 {
        bench.entry_of(
            turn,
            Body::User {
                text: format!("prompt {turn}\nand more of it"),
                mentions: Vec::new(),
                notes: Vec::new(),
            },
        );
    }
    bench.keys("alt-2 up g");
    assert_eq!(bench.state.conversation.selected, Some(0));
    bench.keys("j");
    assert_eq!(bench.state.conversation.selected, Some(1));
    assert!(
        bench.screen().iter().any(|row| row.contains("prompt 2")),
        "{:?}",
        bench.screen()
    );
    bench.keys("G k");
    assert_eq!(bench.state.conversation.selected, Some(18));
}

#[test]
fn another_prompt_that_is_sent_while_an_item_is_written_leaves_what_was_being_written() {
    let mut bench = Bench::new(80, 24);
    let item = TodoItem {
        id: 1,
        text: "fix".to_owned(),
        status: TodoStatus::Pending,
    };
    bench.entry(Body::Todo {
        items: TodoList(vec![item]),
    });
    bench.types("half a thought");
    bench.keys("alt-5 e");
    assert_eq!(bench.state.shown.over, Some(Pane::Todo), "the list stays in view");
    bench.keys("ctrl-u");
    bench.types("look first");
    bench.keys("esc");
    assert_eq!(
        bench.prompt(),
        "look first",
        "Esc is not the way back from another prompt"
    );
    bench.keys("enter");
    let sent = bench.commands().into_iter().rev().find_map(|command| match command {
        Command::Prompt { text, .. } => Some(text.clone()),
        _ => None,
    });
    assert_eq!(sent.as_deref(), Some("look first"));
    assert_eq!(bench.prompt(), "half a thought");
}

#[test]
fn a_column_that_was_put_away_comes_back_where_there_is_room_and_over_the_conversation_where_there_is_none() {
    for (width, both) in [(160, true), (80, false)] {
        let mut bench = Bench::new(width, 45);
        if both {
            bench.keys("ctrl-t");
        }
        bench.keys("alt-5");
        let layout = &bench.state.layout;
        assert!(
            layout.todo.is_some() && layout.conversation.is_some() == both,
            "{width}: {layout:?}"
        );
    }
}

#[test]
fn the_palette_begins_with_what_waits_and_goes_on_with_what_was_chosen_lately() {
    let first = |bench: &Bench| -> Vec<&'static str> {
        let Some(Dialog::Palette(palette)) = &bench.state.dialog else {
            panic!("no palette")
        };
        palette.rows.iter().take(2).map(|row| row.title).collect()
    };
    let mut bench = Bench::new(120, 40);
    for wanted in ["choose a theme", "where this session"] {
        bench.keys("ctrl-p");
        bench.types(wanted);
        bench.keys("enter esc");
    }
    bench.keys("ctrl-p");
    assert_eq!(first(&bench), ["Where this session stands", "Choose a theme"]);
    bench.keys("esc");
    bench.asks(edit("one"));
    bench.keys("ctrl-p");
    assert_eq!(
        first(&bench),
        ["Go to the waiting approval", "Where this session stands"]
    );
}
