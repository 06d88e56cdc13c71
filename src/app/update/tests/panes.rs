//! Tests panes, dialogs and cards.

use super::*;
use crate::layout::Pane;
use crate::panes::files::FileMark;
use crate::picture::Old;
use benchdog_base::id::BlobId;
use benchdog_domain::comparison::Counted;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{FolderItem, TrustScope};

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
        .screen
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
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
}

#[test]
fn a_file_that_waits_is_marked_even_in_a_closed_folder() {
    let mut bench = Bench::new(140, 40);
    bench.event(Answer::Folder {
        path: ".".to_owned(),
        items: vec![item("src", true)],
    });
    bench.asks(edit("one"));
    assert_eq!(bench.state.screen.files.rows[0].mark, Some(FileMark::Pending));
    assert_eq!(bench.state.screen.changes.rows[0].path, "src/money.rs");
    assert_eq!(
        (
            bench.state.screen.changes.rows[0].added,
            bench.state.screen.changes.rows[0].removed
        ),
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
    let after = changes[0].after.as_deref().map(benchdog_base::id::BlobId::of);
    bench.asks(request);
    bench.decided(CallId("one".to_owned()), benchdog_domain::permission::DecidedBy::User);
    bench.entry(Body::Change {
        call: CallId("one".to_owned()),
        path: "src/money.rs".to_owned(),
        before: None,
        after,
        added: 3,
        removed: 2,
        moved: Vec::new(),
        undoes: Vec::new(),
        in_part: false,
        mode_before: None,
        job: None,
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
        let view = &bench.state.screen.changes.open.as_ref().unwrap().view;
        assert_eq!((view.width, view.height), (room.width, room.height));
    }
    bench.keys("esc");
    assert!(bench.state.screen.changes.open.is_none());
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
fn escape_closes_first_and_stops_then() {
    let mut bench = Bench::new(120, 40);
    bench.event(Live::State(benchdog_protocol::TurnState::Generating));
    bench.keys("ctrl-p esc");
    assert!(!bench.commands().contains(&&Command::Interrupt));
    bench.keys("esc");
    assert!(bench.commands().contains(&&Command::Interrupt));
}

#[test]
fn nothing_wakes_while_nothing_runs() {
    let mut bench = Bench::new(120, 40);
    bench.wait(10);
    bench.state.take_old();
    bench.ops.clear();
    bench.wait(60_000);
    assert!(bench.ops.is_empty());
    assert_eq!(bench.state.take_old(), Old::Nothing);
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
            .any(|row| row.contains("sleep 9") && row.ends_with("0:03")),
        "{:?}",
        bench.screen()
    );
    assert!(crate::view::status::status(&bench.state).middle.contains("0:03"));
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
        unbound: Vec::new(),
        repository: None,
    });
    bench.types("y n /trust");
    assert_eq!(bench.prompt(), "y n /trust");
    assert!(bench.state.screen.trust.is_some());
    bench.keys("ctrl-u");
    bench.types("/trust\n");
    assert!(bench.commands().contains(&&Command::Trust {
        trusted: true,
        scope: TrustScope::Folder
    }));
    // The card stays until the trust is in effect, because errors in the files may have to be fixed first.
    assert!(bench.state.screen.trust.is_some());
    bench.event(Live::Notice(benchdog_domain::notice::Notice::Trusted {
        from: benchdog_domain::notice::CountsFrom::Now,
    }));
    assert!(bench.state.screen.trust.is_none());
}

#[test]
fn esc_closes_the_find_row_and_returns_the_focus() {
    let mut bench = Bench::new(80, 24);
    bench.entry(Body::User {
        text: "find the total".to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    bench.keys("ctrl-f");
    bench.types("total\n");
    assert!(bench.state.screen.conversation.find.is_some());
    bench.keys("esc");
    assert!(bench.state.screen.conversation.find.is_none());
    assert_eq!(bench.state.screen.focus, Pane::Prompt, "where it was opened");
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
    assert_eq!(bench.state.screen.conversation.selected, Some(0));
    bench.keys("j");
    assert_eq!(bench.state.screen.conversation.selected, Some(1));
    assert!(
        bench.screen().iter().any(|row| row.contains("prompt 2")),
        "{:?}",
        bench.screen()
    );
    bench.keys("G k");
    assert_eq!(bench.state.screen.conversation.selected, Some(18));
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

fn listed(bench: &mut Bench, path: &str, items: Vec<FolderItem>) {
    let path = path.to_owned();
    bench.event(Answer::Folder { path, items });
}

#[test]
fn e_gives_the_file_itself_to_the_editor_and_a_folder_is_only_opened() {
    let mut bench = Bench::new(140, 40);
    bench.state.screen.session.workspace = "/work/shop".to_owned();
    listed(&mut bench, ".", vec![item("src", true), item("Cargo.toml", false)]);
    let edited = |bench: &Bench| {
        let paths = bench.ops.iter().filter_map(|op| match op {
            Op::EditFile { path } => Some(path.clone()),
            _ => None,
        });
        paths.collect::<Vec<_>>()
    };
    bench.keys("alt-1 e");
    assert_eq!(edited(&bench), [] as [String; 0]);
    bench.keys("down e");
    assert_eq!(edited(&bench), ["/work/shop/Cargo.toml"]);
    let why = "`vi` could not be started".to_owned();
    bench.send(Msg::Done(crate::msg::OpResult::FileLeft(Err(why))));
    assert!(bench.state.screen.toast.as_ref().is_some_and(|toast| toast.error));
}

#[test]
fn the_file_at_hand_is_shown_in_the_tree_as_soon_as_its_folders_are_listed() {
    let mut bench = Bench::new(140, 40);
    listed(&mut bench, ".", vec![item("src", true), item("Cargo.toml", false)]);
    bench.keys("ctrl-x f");
    assert!(bench.state.screen.toast.take().is_some(), "there is none");
    bench.asks(edit("one"));
    bench.keys("ctrl-x f");
    let wanted = Command::ListFolder { path: "src".to_owned() };
    assert!(bench.commands().contains(&&wanted));
    listed(
        &mut bench,
        "src",
        vec![item("src/cart.rs", false), item("src/money.rs", false)],
    );
    assert_eq!(names(&bench), ["src/", "  cart.rs", "  money.rs", "Cargo.toml"]);
    let current = bench.state.screen.files.current().map(|row| row.path.clone());
    assert_eq!(
        (current.as_deref(), bench.state.screen.focus),
        (Some("src/money.rs"), Pane::Files)
    );
    bench.keys("k");
    listed(
        &mut bench,
        "src",
        vec![item("src/cart.rs", false), item("src/money.rs", false)],
    );
    assert_eq!(bench.state.screen.files.cursor.at, 1, "where one goes then counts");
}

#[test]
fn of_a_file_that_was_changed_twice_the_list_says_what_differs_and_not_the_sum() {
    let mut bench = Bench::new(140, 40);
    let held = |text: &str| Some(BlobId::of(text.as_bytes()));
    for (before, after, lines) in [(held("a"), held("b"), 3), (held("b"), held("c"), 2)] {
        bench.entry(Body::Change {
            call: CallId("one".to_owned()),
            path: "src/money.rs".to_owned(),
            before,
            after,
            added: lines,
            removed: lines,
            moved: Vec::new(),
            undoes: Vec::new(),
            in_part: false,
            mode_before: None,
            job: None,
        });
    }
    let files = vec![("src/money.rs".to_owned(), held("a"))];
    let number = 1;
    assert!(bench.commands().contains(&&Command::Count { number, files }));
    bench.event(Answer::Counted {
        number,
        files: vec![Counted {
            path: "src/money.rs".to_owned(),
            before: held("a"),
            added: 1,
            removed: 1,
            is_there: true,
            lies_at: None,
        }],
    });
    let row = &bench.state.screen.changes.rows[0];
    assert_eq!((row.added, row.removed), (1, 1));
}

#[test]
fn what_is_read_is_copied_and_of_an_image_its_kind_and_size_are_shown() {
    use benchdog_domain::image::ImageKind;
    use benchdog_domain::view::{NoText, Viewed};
    let shown = |viewed: Viewed| {
        let mut bench = Bench::new(140, 40);
        listed(&mut bench, ".", vec![item("a", false)]);
        bench.keys("alt-1 o");
        let (path, text) = ("a".to_owned(), Ok(viewed));
        bench.event(Answer::File { path, text });
        bench.keys("y");
        let copied = bench.ops.iter().find_map(|op| match op {
            Op::Copy { text, .. } => Some(text.to_string()),
            _ => None,
        });
        copied.unwrap_or_default()
    };
    assert_eq!(shown(Viewed::Text("one\ntwo\n".into())), "one\ntwo\n");
    let image = |sides| {
        Viewed::NoText(NoText::Image {
            kind: ImageKind::Png,
            sides,
            bytes: 1_234,
        })
    };
    assert_eq!(shown(image(Some((320, 200)))), "PNG image, 320 × 200, 1,234 bytes");
    assert_eq!(shown(image(None)), "unreadable PNG image, 1,234 bytes");
    assert_eq!(shown(Viewed::NoText(NoText::Bytes { bytes: 12 })), "not text: 12 bytes");
}
