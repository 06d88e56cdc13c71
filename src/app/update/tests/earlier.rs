//! Tests turns before a compaction: folded, evicted, and loaded again.

use super::transcript::answer;
use super::*;
use crate::dialogs::Dialog;
use crate::dialogs::viewer::Viewer;
use crate::msg::MouseKind;
use benchdog_base::id::EntryId;
use benchdog_domain::compaction::{Compaction, Replaced};
use benchdog_domain::history::LetGo;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;

fn shows(bench: &Bench, text: &str) -> bool {
    bench.screen().iter().any(|row| row.contains(text))
}

/// Adds turns with one prompt each, and a compaction of the first `replaced` turns. Returns its entry id.
fn turns_with_compaction(bench: &mut Bench, turns: u32, replaced: u32) -> EntryId {
    let mut upto = EntryId(0);
    for turn in 1..=turns {
        let prompt = bench.entry_of(turn, question(turn));
        if turn <= replaced {
            upto = prompt;
        }
    }
    bench.entry_of(turns, compaction(upto))
}

fn question(turn: u32) -> Body {
    Body::User {
        text: format!("question {turn}."),
        mentions: Vec::new(),
        notes: Vec::new(),
    }
}

fn compaction(upto: EntryId) -> Body {
    Body::Compaction(Compaction {
        replaced: Some(Replaced {
            upto,
            summary: Some("Objective: the ledger.".to_owned()),
            ..Replaced::default()
        }),
        ..Compaction::default()
    })
}

#[test]
fn turns_above_a_compaction_are_one_row_that_opens_and_folds_again() {
    let mut bench = Bench::new(80, 24);
    turns_with_compaction(&mut bench, 6, 4);
    assert!(
        shows(&bench, "┄ 4 earlier turns") && shows(&bench, "o open"),
        "{:?}",
        bench.screen()
    );
    assert!(
        !shows(&bench, "question 4.") && shows(&bench, "question 5."),
        "{:?}",
        bench.screen()
    );
    bench.keys("alt-2 up up up up o");
    assert!(
        shows(&bench, "question 1.") && shows(&bench, "question 4."),
        "{:?}",
        bench.screen()
    );
    bench.keys("o");
    assert!(
        !shows(&bench, "question 4.") && shows(&bench, "question 5."),
        "{:?}",
        bench.screen()
    );
}

#[test]
fn a_search_finds_what_is_folded_and_opens_it() {
    let mut bench = Bench::new(80, 24);
    turns_with_compaction(&mut bench, 40, 38);
    assert!(!shows(&bench, "question 3."));
    bench.keys("alt-2 /");
    bench.types("question 3.\n");
    assert!(shows(&bench, "question 3."), "{:?}", bench.screen());
}

#[test]
fn a_compaction_that_is_taken_back_folds_nothing_any_more() {
    let mut bench = Bench::new(80, 40);
    let compaction = turns_with_compaction(&mut bench, 4, 2);
    assert!(!shows(&bench, "question 1."));
    bench.entry_of(4, Body::CompactionUndone { compaction });
    assert!(
        shows(&bench, "question 1.") && !shows(&bench, "earlier turns, no longer"),
        "{:?}",
        bench.screen()
    );
}

#[test]
fn what_somebody_reads_is_not_folded_under_their_eyes() {
    let mut bench = Bench::new(80, 24);
    for turn in 1..=40 {
        bench.entry_of(
            turn,
            Body::Model {
                model: benchdog_domain::agent::ModelRef {
                    provider: "p".to_owned(),
                    id: format!("m{turn}."),
                },
                with: None,
                until_then: None,
            },
        );
    }
    bench.keys("alt-2 home");
    assert!(shows(&bench, "m3."), "{:?}", bench.screen());
    let upto = EntryId(38);
    bench.entry_of(
        40,
        Body::Compaction(Compaction {
            replaced: Some(Replaced {
                upto,
                ..Replaced::default()
            }),
            ..Compaction::default()
        }),
    );
    assert!(shows(&bench, "m3."), "{:?}", bench.screen());
}

/// Adds turns with two compactions. After the second, the first cannot be undone.
fn turns_with_two_compactions(bench: &mut Bench) -> Vec<Arc<Entry>> {
    turns_with_compaction(bench, 6, 4);
    let mut upto = EntryId(0);
    for turn in 7..=12 {
        let prompt = bench.entry_of(turn, question(turn));
        if turn <= 10 {
            upto = prompt;
        }
    }
    bench.entry_of(12, compaction(upto));
    bench.entry_of(13, question(13));
    bench.log.clone()
}

/// Returns a workbench with two compactions, viewed at the top, and the log of the first turns.
fn at_the_top_of_forty_turns() -> (Bench, Vec<Arc<Entry>>) {
    let mut bench = Bench::new(80, 24);
    let log = turns_with_two_compactions(&mut bench);
    for turn in 14..=40 {
        bench.entry_of(turn, question(turn));
    }
    bench.keys("alt-2 home");
    (bench, log)
}

fn asked(bench: &Bench) -> usize {
    let commands = bench.commands();
    commands
        .iter()
        .filter(|command| matches!(command, Command::LoadEarlier { .. }))
        .count()
}

#[test]
fn turns_above_two_compactions_are_let_go_of_and_read_again_when_the_row_is_opened() {
    let mut bench = Bench::new(80, 60);
    let log = turns_with_two_compactions(&mut bench);
    assert!(shows(&bench, "┄ 10 earlier turns"), "{:?}", bench.screen());
    assert!(bench.state.screen.conversation.text_of(EntryId(1)).is_none());
    assert!(bench.state.screen.conversation.text_of(EntryId(6)).is_some());
    bench.keys("alt-2 up up up up up o");
    assert_eq!(asked(&bench), 1);
    assert!(
        !shows(&bench, "question 4.") && shows(&bench, "question 6."),
        "{:?}",
        bench.screen()
    );
    bench.event(Answer::Earlier(log.clone()));
    assert!(
        shows(&bench, "question 1.") && shows(&bench, "question 4.") && shows(&bench, "question 6."),
        "{:?}",
        bench.screen()
    );
    // Two key presses cause two answers. The second one changes nothing.
    let before = bench.screen();
    bench.event(Answer::Earlier(log));
    assert_eq!(bench.screen(), before);
    bench.keys("o");
    assert!(
        !shows(&bench, "question 1.") && shows(&bench, "question 13."),
        "{:?}",
        bench.screen()
    );
    assert_eq!(asked(&bench), 1);
}

#[test]
fn a_call_that_runs_while_turns_are_let_go_of_shows_its_result_in_its_row() {
    let mut bench = Bench::new(80, 40);
    turns_with_compaction(&mut bench, 6, 4);
    let call = CallId("late".to_owned());
    bench.event(Live::ToolStarted {
        call: call.clone(),
        tool: "bash".to_owned(),
        title: "make later".to_owned(),
    });
    bench.entry_of(6, compaction(EntryId(6)));
    let result = bench.entry_of(
        6,
        Body::ToolResult {
            call,
            tool: "bash".to_owned(),
            title: "make later".to_owned(),
            status: CallStatus::Ok,
            summary: Summary::NotRun,
            output: "made it".to_owned(),
            truncated: false,
            notes: Vec::new(),
            took_ms: 0,
            places: Vec::new(),
            images: Vec::new(),
        },
    );
    assert!(bench.state.screen.conversation.text_of(result).is_some());
    bench.keys("alt-2 up up up up o");
    assert_eq!(asked(&bench), 1);
    let log = bench.log.clone();
    bench.event(Answer::Earlier(log));
    let rows = bench.screen().into_iter().filter(|row| row.contains("make later"));
    assert_eq!(rows.count(), 1, "{:?}", bench.screen());
    assert!(bench.state.screen.conversation.text_of(EntryId(1)).is_some());
}

#[test]
fn a_search_goes_on_in_what_was_let_go_of() {
    let mut bench = Bench::new(80, 24);
    let log = turns_with_two_compactions(&mut bench);
    bench.keys("alt-2 /");
    bench.types("question 3.\n");
    assert_eq!(asked(&bench), 1);
    assert!(!shows(&bench, "question 3."));
    bench.event(Answer::Earlier(log));
    assert!(shows(&bench, "question 3."), "{:?}", bench.screen());
    let find = bench.state.screen.conversation.find.as_ref().unwrap();
    assert_eq!((find.at, find.hits), (1, 1));
    assert_eq!(bench.state.screen.conversation.new_lines, Some(0), "nothing came below");
}

#[test]
fn who_stands_at_the_top_opens_the_row_of_earlier_turns_by_one_key() {
    let mut bench = Bench::new(80, 24);
    turns_with_compaction(&mut bench, 6, 4);
    for turn in 7..=30 {
        bench.entry_of(turn, question(turn));
    }
    bench.keys("alt-2 home");
    assert!(shows(&bench, "Summarised earlier turns"), "two rows can be opened");
    bench.keys("o");
    assert!(shows(&bench, "question 1."), "{:?}", bench.screen());
}

#[test]
fn who_reads_what_a_compaction_folds_goes_on_reading_and_finds_all_of_it_above() {
    let (mut bench, log) = at_the_top_of_forty_turns();
    bench.state.screen.conversation.scroll(12);
    arrange(&mut bench.state);
    let before = bench.screen();
    bench.entry_of(40, compaction(EntryId(38)));
    let same = bench
        .screen()
        .iter()
        .zip(&before)
        .filter(|(now, before)| now == before)
        .count();
    assert!(same + 2 >= before.len(), "{before:?}\n{:?}", bench.screen());
    assert_eq!(asked(&bench), 1);
    bench.event(Answer::Earlier(log));
    bench.keys("home");
    assert!(shows(&bench, "question 1."), "{:?}", bench.screen());
}

#[test]
fn the_row_of_earlier_turns_stays_one_row_for_who_stands_at_it() {
    let (mut bench, log) = at_the_top_of_forty_turns();
    bench.entry_of(40, compaction(EntryId(38)));
    assert!(
        shows(&bench, "no longer sent to the model in full  (o open)"),
        "{:?}",
        bench.screen()
    );
    assert_eq!(asked(&bench), 0);
    bench.keys("o");
    assert_eq!(asked(&bench), 1);
    bench.event(Answer::Earlier(log));
    assert!(shows(&bench, "question 1."), "{:?}", bench.screen());
}

#[test]
fn a_thing_that_cannot_be_read_again_ends_its_wait_and_says_so() {
    let mut bench = Bench::new(80, 40);
    turns_with_two_compactions(&mut bench);
    for (log, asks_again) in [(Vec::new(), true), (bench.log[1..4].to_vec(), false)] {
        let mut viewer = Viewer::new("Question 1".to_owned());
        viewer.entry = Some(EntryId(1));
        bench.state.screen.dialog = Some(Dialog::Viewer(viewer));
        bench.event(Answer::Earlier(log));
        let text = match &bench.state.screen.dialog {
            Some(Dialog::Viewer(viewer)) => viewer.text.clone(),
            _ => None,
        };
        assert!(matches!(text, Some(Err(_))), "{text:?}");
        // An entry that could not be loaded can be requested again.
        assert_eq!(bench.state.screen.conversation.want(EntryId(1)), asks_again);
    }
}

#[test]
fn a_hit_further_down_is_brought_into_view_past_long_answers() {
    let mut bench = Bench::new(80, 24);
    for turn in 1..=5 {
        bench.entry_of(turn, question(turn));
        bench.entry_of(turn, answer(&"A line of a long answer.\n\n".repeat(30)));
    }
    bench.keys("alt-2 home /");
    bench.types("question 4.\n");
    assert!(shows(&bench, "question 4."), "{:?}", bench.screen());
    bench.keys("home n");
    assert!(shows(&bench, "question 4."), "{:?}", bench.screen());
}

#[test]
fn a_session_that_is_opened_says_how_many_turns_are_not_in_memory() {
    let mut bench = Bench::new(80, 60);
    let mut full = Bench::new(80, 60);
    turns_with_two_compactions(&mut full);
    let gone = LetGo {
        upto: EntryId(4),
        turns: 4,
    };
    let entries: Vec<_> = full.log.iter().filter(|entry| entry.id > gone.upto).cloned().collect();
    bench.state.screen.conversation.open(&entries, gone);
    arrange(&mut bench.state);
    assert_eq!(bench.screen(), full.screen());
    let compaction = full
        .log
        .iter()
        .rev()
        .find(|entry| matches!(entry.body, Body::Compaction(_)));
    let compaction = compaction.unwrap().id;
    for bench in [&mut bench, &mut full] {
        bench.entry_of(13, Body::CompactionUndone { compaction });
        assert!(
            shows(bench, "┄ 4 earlier turns") && shows(bench, "question 6."),
            "{:?}",
            bench.screen()
        );
    }
}

#[test]
fn what_was_left_behind_without_a_compaction_has_a_row_that_opens_it() {
    let mut bench = Bench::new(80, 24);
    for turn in 1..=6 {
        bench.entry_of(turn, question(turn));
    }
    let (upto, log) = (EntryId(4), bench.log.clone());
    let entries: Vec<_> = log.iter().filter(|entry| entry.id > upto).cloned().collect();
    bench.state.screen.conversation.open(&entries, LetGo { upto, turns: 4 });
    arrange(&mut bench.state);
    assert!(!shows(&bench, "question 4.") && shows(&bench, "question 5."));
    bench.keys("alt-2 home o");
    assert_eq!(asked(&bench), 1);
    bench.event(Answer::Earlier(log));
    assert!(shows(&bench, "question 1."), "{:?}", bench.screen());
}

#[test]
fn what_is_marked_is_let_go_of_when_a_compaction_moves_the_text_under_the_mark() {
    let mut bench = Bench::new(80, 24);
    for turn in 1..=4 {
        bench.entry_of(turn, question(turn));
    }
    let row = bench.screen().iter().position(|row| row.contains("question 4."));
    let pane = bench.state.layout.conversation.expect("a conversation");
    let y = pane.y + u16::try_from(row.expect("the newest prompt")).unwrap();
    let at = bench.now;
    for (kind, x) in [(MouseKind::Press, pane.x + 4), (MouseKind::Drag, pane.x + 9)] {
        bench.send(Msg::Mouse { kind, x, y, at });
    }
    assert!(bench.state.screen.marking.is_some());
    bench.entry_of(4, answer("not a compaction"));
    assert!(bench.state.screen.marking.is_some());
    bench.entry_of(4, compaction(EntryId(2)));
    assert!(bench.state.screen.marking.is_none());
}
