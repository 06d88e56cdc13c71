//! Tests changes of the todo list, and its cursor.

use super::*;
use crate::layout::Pane;
use benchdog_domain::todo::{TodoEdit, TodoItem, TodoList, TodoStatus};

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
    // Applies the requested change, as the engine does.
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
        (bench.prompt(), bench.state.screen.focus),
        ("half a thought".to_owned(), Pane::Todo),
        "what was being written is there again, and the keyboard in the list"
    );
    bench.keys("a");
    bench.types("no");
    bench.keys("esc");
    assert_eq!(
        (bench.prompt(), bench.state.screen.focus),
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
        assert!(
            bench.state.screen.toast.as_ref().is_some_and(|toast| toast.error),
            "{wrong}"
        );
        bench.keys("ctrl-c");
    }
    assert_eq!(told(&mut bench), "3 [ ] test\n7 [~] fix it\n8 [ ] last\n");
}

#[test]
fn a_long_item_takes_a_second_row_where_there_is_room() {
    let mut bench = Bench::new(120, 40);
    let item = |id, text: &str| benchdog_domain::todo::TodoItem {
        id,
        text: text.to_owned(),
        status: benchdog_domain::todo::TodoStatus::Pending,
    };
    let items = |count| {
        benchdog_domain::todo::TodoList(
            (1..=count)
                .map(|id| item(id, "mend how the total is rounded"))
                .collect(),
        )
    };
    bench.entry(Body::Todo { items: items(3) });
    assert!(bench.state.screen.todo.whole);
    bench.entry(Body::Todo { items: items(30) });
    assert!(!bench.state.screen.todo.whole);
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
    let under = |bench: &Bench| bench.state.screen.todo.current().map(|item| item.id);
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
fn the_next_key_is_for_the_item_that_was_just_added() {
    let mut bench = Bench::new(40, 12);
    let item = |id| TodoItem {
        id,
        text: format!("item {id}"),
        status: TodoStatus::Pending,
    };
    let list = TodoList((1..=20).map(item).collect());
    bench.entry(Body::Todo { items: list.clone() });
    bench.keys("alt-5 a");
    bench.types("last");
    bench.keys("enter");
    let add = TodoEdit::Add {
        text: "last".to_owned(),
    };
    assert!(bench.commands().contains(&&Command::EditTodo { edit: add.clone() }));
    bench.entry(Body::Todo {
        items: list.edited(&add).unwrap(),
    });
    let cursor = bench.state.screen.todo.cursor;
    assert_eq!(cursor.at, 20);
    assert!(cursor.top > 0, "it is in view");
    bench.keys("x");
    let edit = TodoEdit::Remove { id: 21 };
    assert!(bench.commands().contains(&&Command::EditTodo { edit }));
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
    assert_eq!(bench.state.screen.over, Some(Pane::Todo), "the list stays in view");
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
