//! Tests of search, export and title of sessions.

use super::seats::{listed, meta};
use super::*;
use crate::dialogs::Dialog;
use crate::dialogs::picker::PickerKind;
use crate::layout::Pane;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_lang::{Word, word};
use benchdog_protocol::{Archive, Archived, FoundEntry, FoundSession};

const FIRST: SeatId = SeatId(1);

impl Bench {
    fn enters(&mut self, line: &str) {
        self.types(line);
        self.keys("esc enter");
    }

    fn finds(&mut self, entries: &[u64]) {
        self.finds_for("date bug", entries);
    }

    fn finds_for(&mut self, text: &str, entries: &[u64]) {
        let hit = |entry: &u64| FoundEntry {
            entry: EntryId(*entry),
            snippet: format!("the date bug in entry {entry}"),
            marks: Vec::new(),
        };
        let found = FoundSession {
            meta: meta("old"),
            has_all_words: text != "fixed the date bug",
            hits: entries.iter().map(hit).collect(),
        };
        let found = if entries.is_empty() { Vec::new() } else { vec![found] };
        self.told(
            FIRST,
            Answer::Archive(Archived::Found {
                text: text.to_owned(),
                found: Ok(found),
            }),
        );
    }
}

fn prompt(id: u64) -> Arc<Entry> {
    Arc::new(Entry {
        id: EntryId(id),
        turn: TurnId(1),
        time: Time(0),
        body: Body::User {
            text: format!("prompt {id}"),
            mentions: Vec::new(),
            notes: Vec::new(),
        },
    })
}

#[test]
fn a_hit_opens_its_session_with_the_cursor_on_the_entry() {
    let mut bench = Bench::new(80, 24);
    bench.enters("/search date bug");
    let text = "date bug".to_owned();
    assert!(bench.commands().contains(&&Command::Archive(Archive::Search { text })));
    bench.finds(&[2, 3]);
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Found => {
            assert_eq!(picker.items.len(), 2);
            assert_eq!(
                picker.said_rows(120, 12),
                ["task old · /work/shop · the date bug in entry 2"]
            );
        }
        _ => panic!("no list"),
    }
    bench.keys("down enter");
    let session = SessionId("old".to_owned());
    assert_eq!(bench.commands().last(), Some(&&Command::Resume { session }));
    bench.opened_with(FIRST, "old", (1..=4).map(prompt).collect());
    assert_eq!(bench.state.screen.conversation.selected, Some(2));
    // Once, `p` and `l` ran as commands of the conversation, and the prompt began with `ease`.
    bench.types("please continue");
    assert_eq!(bench.prompt(), "please continue");
    assert_eq!(bench.state.screen.conversation.selected, Some(2));
}

#[test]
fn a_session_that_is_opened_gives_the_focus_to_the_prompt() {
    let mut bench = Bench::new(80, 24);
    bench.keys("alt-2");
    assert_eq!(bench.state.screen.focus, Pane::Conversation);
    bench.opened_with(FIRST, "old", (1..=4).map(prompt).collect());
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
}

#[test]
fn the_list_follows_the_filter_line_with_one_search_at_a_time() {
    let mut bench = Bench::new(80, 24);
    let searches = |bench: &Bench| {
        let text = |command: &&Command| match command {
            Command::Archive(Archive::Search { text }) => Some(text.clone()),
            _ => None,
        };
        bench.commands().iter().filter_map(text).collect::<Vec<_>>()
    };
    bench.enters("/search");
    assert_eq!(searches(&bench), [""], "the index is opened before the first letter");
    bench.finds_for("", &[]);
    assert_eq!(rows(&bench), 0);
    bench.types("date bug");
    assert_eq!(searches(&bench), ["", "d"]);
    // The answer for an older query stays until the next one arrives.
    bench.finds_for("d", &[1, 2, 3]);
    assert_eq!(searches(&bench), ["", "d", "date bug"]);
    bench.finds_for("d", &[1]);
    assert_eq!(rows(&bench), 3);
    bench.finds(&[2]);
    assert_eq!(rows(&bench), 1);
    // The list does not filter hits by the typed text, because the search itself chooses them.
    bench.types("z");
    assert_eq!(rows(&bench), 1);
    bench.finds_for("date bugz", &[]);
    bench.keys("ctrl-u");
    bench.finds_for("", &[]);
    assert_eq!((searches(&bench).len(), rows(&bench)), (5, 0));
}

#[test]
fn a_search_without_an_entry_that_has_all_words_says_so() {
    let mut bench = Bench::new(80, 24);
    bench.enters("/search fixed the date bug");
    bench.finds_for("fixed the date bug", &[2]);
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => {
            assert_eq!(
                (picker.items.len(), picker.note.as_str()),
                (1, word(Word::FoundMostWords))
            );
        }
        _ => panic!("no list"),
    }
}

fn rows(bench: &Bench) -> usize {
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => picker.shown.len(),
        _ => panic!("the list is closed"),
    }
}

#[test]
fn a_hit_in_the_session_on_screen_needs_no_opening() {
    let mut bench = Bench::new(80, 24);
    bench.opened_with(FIRST, "old", (1..=4).map(prompt).collect());
    bench.enters("/search date bug");
    bench.finds(&[2]);
    let before = bench.commands().len();
    bench.keys("enter");
    assert_eq!(bench.commands().len(), before);
    assert_eq!(bench.state.screen.conversation.selected, Some(1));
}

#[test]
fn export_takes_a_file_a_format_or_both() {
    for (line, file, format) in [
        ("/export", "", ""),
        ("/export html", "", "html"),
        ("/export notes/a.md", "notes/a.md", ""),
        ("/export my notes jsonl", "my notes", "jsonl"),
    ] {
        let mut bench = Bench::new(80, 24);
        bench.enters(line);
        let (file, format) = (file.to_owned(), format.to_owned());
        let wanted = Command::Archive(Archive::Export { file, format });
        assert!(bench.commands().contains(&&wanted), "{line}: {:?}", bench.commands());
    }
}

#[test]
fn a_renamed_session_has_its_title_at_once() {
    let mut bench = Bench::new(80, 24);
    bench.enters("/rename the date bug");
    let title = "the date bug".to_owned();
    let wanted = Command::Archive(Archive::Rename { title: title.clone() });
    assert!(bench.commands().contains(&&wanted));
    bench.told(FIRST, Answer::Archive(Archived::Renamed { title }));
    assert_eq!(bench.state.screen.session.title, "the date bug");
}

#[test]
fn the_key_that_closes_deletes_a_stored_session_and_brings_it_back() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-o");
    bench.told(FIRST, listed(vec![meta("old")]));
    let session = SessionId("old".to_owned());
    bench.keys("down ctrl-x w");
    let remove = Command::Archive(Archive::Remove {
        session: session.clone(),
    });
    assert_eq!(bench.commands().last(), Some(&&remove));
    bench.told(FIRST, Answer::Archive(Archived::Removed(Ok(session.clone()))));
    let row = |bench: &Bench| match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => picker.items.last().unwrap().text.clone(),
        _ => panic!("the list is closed"),
    };
    assert_eq!(row(&bench), "deleted   task old");
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => {
            let said = picker.said_rows(120, 12).join(" ");
            assert!(said.starts_with("Deleted. Press Enter"), "{said}");
            assert!(said.contains("`benchdog sessions restore old`"), "{said}");
            assert!(!said.contains("Enter open"), "{said}");
        }
        _ => panic!("the list is closed"),
    }
    bench.keys("ctrl-x w");
    let restore = Command::Archive(Archive::Restore {
        session: session.clone(),
    });
    assert_eq!(bench.commands().last(), Some(&&restore));
    bench.told(FIRST, Answer::Archive(Archived::Restored(Ok(session))));
    assert_eq!(row(&bench), "          task old");
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => assert!(picker.said_rows(120, 12).join(" ").contains("Enter open")),
        _ => panic!("the list is closed"),
    }
}

fn list(bench: &Bench) -> Vec<String> {
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Sessions => {
            picker.items.iter().map(|item| item.text.trim().to_owned()).collect()
        }
        _ => panic!("the list is closed"),
    }
}

#[test]
fn a_stored_session_is_renamed_in_the_list_that_comes_back_with_the_new_title() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-o");
    bench.told(FIRST, listed(vec![meta("old"), meta("older")]));
    let session = SessionId("old".to_owned());
    bench.keys("down ctrl-x r");
    assert!(matches!(&bench.state.screen.dialog, Some(Dialog::Picker(picker)) if picker.filter == "task old"));
    bench.types("er one");
    bench.keys("enter");
    let title = "task older one".to_owned();
    let retitle = Command::Archive(Archive::Retitle {
        session: session.clone(),
        title: title.clone(),
    });
    assert_eq!(bench.commands().last(), Some(&&retitle));
    bench.told(FIRST, Answer::Archive(Archived::Retitled(Ok((session, title)))));
    assert_eq!(list(&bench)[1..], ["task older one", "task older"]);
    match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => {
            assert!(picker.said_rows(120, 12)[0].starts_with("task older one · /work/shop"));
        }
        _ => panic!("the list is closed"),
    }
}

#[test]
fn an_open_session_is_renamed_by_its_own_seat_and_esc_changes_nothing() {
    let mut bench = Bench::new(120, 40);
    bench.opened_with(FIRST, "old", vec![prompt(1)]);
    bench.keys("ctrl-o ctrl-x r esc");
    let before = bench.commands().len();
    assert_eq!(list(&bench).len(), 1);
    bench.keys("ctrl-x r ctrl-u enter");
    assert_eq!(bench.commands().len(), before, "an empty title is refused");
    bench.types("the date bug");
    bench.keys("enter");
    let title = "the date bug".to_owned();
    let rename = Command::Archive(Archive::Rename { title: title.clone() });
    assert_eq!(bench.sent_to(FIRST).last(), Some(&&rename));
    bench.told(FIRST, Answer::Archive(Archived::Renamed { title }));
    assert!(list(&bench)[0].contains("the date bug"), "{:?}", list(&bench));
    // Outside of the list, the key renames the session on screen.
    bench.keys("esc ctrl-x r");
    assert!(matches!(&bench.state.screen.dialog, Some(Dialog::Picker(picker)) if picker.filter == "the date bug"));
    bench.keys("esc");
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn a_deleted_session_is_not_renamed() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-o");
    bench.told(FIRST, listed(vec![meta("old")]));
    bench.keys("down ctrl-x w");
    let session = SessionId("old".to_owned());
    bench.told(FIRST, Answer::Archive(Archived::Removed(Ok(session))));
    let before = bench.commands().len();
    bench.keys("ctrl-x r");
    assert_eq!(list(&bench)[1], "deleted   task old");
    assert_eq!(bench.commands().len(), before);
}
