//! Tests the context pane, and the summary that replaces earlier turns.

use super::*;
use crate::dialogs::Dialog;
use crate::layout::Pane;
use crate::msg::{EditTicket, OpResult};
use crate::view::cards::cards;
use crate::view::status::status;
use benchdog_base::id::EntryId;
use benchdog_domain::agent::AgentName;
use benchdog_domain::budget::{CarriedAs, ContextItem, Ledger, LedgerItem, LedgerKind};
use benchdog_domain::compaction::{Compaction, NoSummary, Replaced, Unfit};
use benchdog_domain::history::LetGo;
use benchdog_domain::notice::Notice;
use benchdog_domain::session::SessionMeta;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_protocol::{Opened, Preview};

pub(super) fn preview() -> Preview {
    Preview {
        before: 9_600,
        after: 4_200,
        summary: "Objective: the ledger.".to_owned(),
        unfit: None,
    }
}

fn item(label: &str, entry: Option<u64>) -> ContextItem {
    ContextItem {
        kind: LedgerKind::Files,
        label: label.to_owned(),
        tokens: 1_200,
        entry: entry.map(EntryId),
        carried: CarriedAs::Whole,
        pinned: false,
    }
}

/// Returns a workbench with the context pane, one opened kind, and the cursor on its first item.
fn bench_with(items: Vec<ContextItem>) -> Bench {
    let mut bench = Bench::new(160, 45);
    bench.entry(Body::ToolResult {
        call: CallId("a".to_owned()),
        tool: "read".to_owned(),
        title: "src/a.rs".to_owned(),
        status: CallStatus::Ok,
        summary: Summary::NotRun,
        output: "fn main() {}".to_owned(),
        truncated: false,
        notes: Vec::new(),
        took_ms: 0,
        places: Vec::new(),
        images: Vec::new(),
    });
    bench.event(Live::Context(Ledger {
        cached: None,
        used: 5_000,
        limit: 10_000,
        limit_is_guess: false,
        reserve: 2_000,
        estimated: false,
        items: vec![LedgerItem {
            kind: LedgerKind::Files,
            tokens: 5_000,
        }],
    }));
    bench.types("/context\n");
    assert_eq!(bench.state.screen.focus, Pane::Context);
    bench.keys("enter");
    assert!(bench.commands().contains(&&Command::ListContext));
    bench.event(Answer::Context(items));
    bench.keys("down");
    bench
}

#[test]
fn a_thing_that_requests_carry_is_opened_pinned_and_left_out_by_one_key_each() {
    let mut bench = bench_with(vec![item("read src/a.rs", Some(1))]);
    bench.keys("p");
    let entry = EntryId(1);
    assert!(bench.commands().contains(&&Command::Pin { entry, pinned: true }));
    bench.event(Answer::Context(vec![ContextItem {
        pinned: true,
        ..item("read src/a.rs", Some(1))
    }]));
    bench.keys("p d");
    assert!(bench.commands().contains(&&Command::Pin { entry, pinned: false }));
    assert!(bench.commands().contains(&&Command::DropItem { entry }));
    bench.keys("enter");
    let Some(Dialog::Viewer(viewer)) = &bench.state.screen.dialog else {
        panic!("it is not shown")
    };
    assert!(
        matches!(&viewer.text, Some(Ok(text)) if text.contains("fn main() {}")),
        "{:?}",
        viewer.text
    );
}

#[test]
fn the_cursor_is_on_what_something_can_be_done_about_and_the_gauge_stays_in_view() {
    let mut bench = bench_with(vec![item("read src/a.rs", Some(1))]);
    bench.keys("g");
    let cursor = bench.state.screen.context.cursor;
    assert_eq!((cursor.at, cursor.top), (2, 0));
    assert!(bench.state.screen.context.current_kind().is_some());
    bench.keys("up up");
    assert!(bench.state.screen.context.current_kind().is_some());
    let pane = &mut bench.state.screen.context;
    pane.arrange(1);
    assert_eq!(
        pane.cursor.top, 2,
        "where one moves, the row under the cursor is in view"
    );
    pane.rest();
    assert_eq!(pane.cursor.top, 0, "and else the gauge, however low the pane is");
}

#[test]
fn what_every_request_has_is_neither_pinned_nor_left_out() {
    let mut bench = bench_with(vec![item("AGENTS.md", None)]);
    let before = bench.commands().len();
    bench.keys("p d");
    assert_eq!(bench.commands().len(), before);
}

#[test]
fn a_summary_opens_for_who_waits_for_it_and_is_taken_edited_or_discarded() {
    for (key, wanted) in [
        (
            "y",
            Command::AcceptCompaction {
                summary: "Objective: the ledger.".to_owned(),
            },
        ),
        ("n", Command::DropCompaction),
        ("esc", Command::DropCompaction),
    ] {
        let mut bench = Bench::new(80, 24);
        bench.types("/compact the numbers\n");
        let asked = Command::Compact {
            instructions: "the numbers".to_owned(),
        };
        assert!(bench.commands().contains(&&asked));
        bench.event(Answer::CompactionReady(preview()));
        bench.keys(key);
        assert!(bench.commands().contains(&&wanted), "{key}");
        assert!(bench.state.screen.dialog.is_none());
    }
}

#[test]
fn esc_stops_a_summary_that_is_still_being_made_and_no_other_time() {
    let mut bench = Bench::new(120, 40);
    let stops = |bench: &Bench| {
        bench
            .commands()
            .iter()
            .filter(|command| ***command == Command::DropCompaction)
            .count()
    };
    bench.keys("esc");
    assert_eq!(stops(&bench), 0);
    bench.types("/compact\n");
    bench.event(Live::Notice(Notice::Summarising));
    bench.wait(5_000);
    let bottom = status(&bench.state);
    assert_eq!(bottom.middle, "compacting 0:05");
    assert!(
        bottom
            .keys
            .iter()
            .any(|hint| (&*hint.key, hint.text) == ("Esc", "stop")),
        "{bottom:?}"
    );
    bench.keys("esc esc");
    assert_eq!(stops(&bench), 1);
    bench.event(Live::Notice(Notice::SummaryStopped));
    let bottom = status(&bench.state);
    assert!(bottom.middle.contains("Summary stopped"), "{bottom:?}");
    bench.keys("esc");
    assert_eq!(stops(&bench), 1);
}

#[test]
fn a_summary_that_waits_is_of_this_session_and_of_this_moment() {
    let turn_begins = |bench: &mut Bench| bench.event(Live::State(TurnState::Planning));
    let another = |bench: &mut Bench| {
        let opened = Opened {
            skills: Vec::new(),
            meta: SessionMeta {
                id: benchdog_base::id::SessionId("another".to_owned()),
                title: String::new(),
                workspace: "/w".to_owned(),
                created: Time(0),
                updated: Time(0),
                model: None,
                agent: AgentName::default(),
                entries: 0,
                window: None,
                parent: None,
                tag: None,
                forked_from: None,
            },
            worktree: None,
            gone: LetGo::default(),
            entries: Vec::new(),
            model: None,
            todo: Default::default(),
            plan: None,
            tools: Arc::default(),
        };
        bench.event(Answer::Opened(Arc::new(opened)));
    };
    for passes in [&turn_begins as &dyn Fn(&mut Bench), &another] {
        let mut bench = Bench::new(120, 40);
        bench.types("half of a prompt");
        bench.event(Answer::CompactionReady(preview()));
        assert!(bench.state.screen.context.ready.is_some() && bench.state.screen.dialog.is_none());
        passes(&mut bench);
        assert!(bench.state.screen.context.ready.is_none());
    }
}

/// Opens the summary in the external editor. Checks that it contains `before`, and replaces it by `after`.
fn edit_summary(bench: &mut Bench, before: &str, after: &str) {
    bench.ops.clear();
    bench.keys("e");
    let opens = |op: &Op| matches!(op, Op::OpenEditor { ticket: EditTicket::Summary, text, .. } if text == before);
    assert!(bench.ops.iter().any(opens), "{:?}", bench.ops);
    bench.send(Msg::Done(OpResult::Edited {
        seat: bench.state.screen.seat,
        ticket: EditTicket::Summary,
        text: Ok(Some(after.to_owned())),
    }));
}

#[test]
fn a_summary_that_was_edited_is_taken_as_it_was_written() {
    let mut bench = Bench::new(80, 24);
    bench.event(Answer::CompactionReady(preview()));
    edit_summary(&mut bench, "Objective: the ledger.", "Objective: cents.\n");
    bench.keys("y");
    let taken = Command::AcceptCompaction {
        summary: "Objective: cents.".to_owned(),
    };
    assert!(bench.commands().contains(&&taken));
}

#[test]
fn a_summary_that_was_edited_is_counted_anew_and_one_that_cannot_be_taken_says_why_and_stays() {
    let mut bench = Bench::new(80, 24);
    bench.event(Answer::CompactionReady(preview()));
    let words = "Objective: cents.".to_owned();
    edit_summary(&mut bench, "Objective: the ledger.", &words);
    let weighed = Command::WeighSummary { summary: words.clone() };
    assert!(bench.commands().contains(&&weighed));
    bench.event(Answer::SummaryWeighed(Preview {
        after: 4_100,
        summary: words.clone(),
        ..preview()
    }));
    let shown = |bench: &Bench| match &bench.state.screen.dialog {
        Some(Dialog::Compaction(shown)) => Some(shown.preview.clone()),
        _ => None,
    };
    assert_eq!(shown(&bench).map(|shown| shown.after), Some(4_100));
    let unfit = Preview {
        summary: words.clone(),
        unfit: Some(Unfit::TooLong {
            tokens: 5_200,
            most: 4_000,
        }),
        ..preview()
    };
    bench.event(Answer::SummaryWeighed(unfit.clone()));
    bench.keys("y");
    assert_eq!(shown(&bench), Some(unfit.clone()));
    let mut commands = bench.commands().into_iter();
    assert!(!commands.any(|command| matches!(command, Command::AcceptCompaction { .. })));
    // The editor contains the user's text again.
    edit_summary(&mut bench, &words, &words);
    // The summary was accepted before its size was known, so it is shown again.
    bench.keys("n");
    bench.event(Answer::SummaryWeighed(unfit.clone()));
    assert_eq!(shown(&bench), Some(unfit));
}

fn esc_is_said_to(bench: &Bench, what: &str) {
    let bottom = status(&bench.state);
    let says = bottom.keys.iter().any(|hint| (&*hint.key, hint.text) == ("Esc", what));
    assert!(says, "{bottom:?}");
}

#[test]
fn esc_skips_the_summary_that_a_request_waits_for_and_ctrl_c_stops_the_turn() {
    let mut bench = Bench::new(120, 40);
    bench.types("go on\n");
    bench.event(Live::State(TurnState::Planning));
    bench.event(Live::State(TurnState::Compacting));
    esc_is_said_to(&bench, "skip");
    bench.keys("esc");
    assert!(bench.commands().contains(&&Command::SkipSummary));
    assert!(!bench.commands().contains(&&Command::Interrupt) && !bench.state.screen.turn.stopping);
    bench.keys("ctrl-c");
    assert!(bench.commands().contains(&&Command::Interrupt));
    esc_is_said_to(&bench, "stop");
}

#[test]
fn a_refusal_is_said_where_it_can_be_seen_though_a_pane_covers_the_conversation() {
    let mut bench = Bench::new(80, 24);
    let refused = |bench: &mut Bench| {
        bench.event(Live::Notice(Notice::PinsFull {
            item: 12_400,
            taken: 2_900,
            most: 6_000,
        }));
        let above = cards(&bench.state, 78).into_iter().map(|(row, _)| row);
        above.collect::<Vec<_>>().join(" ")
    };
    assert!(
        !refused(&mut bench).contains("Not pinned"),
        "it is a row of the conversation"
    );
    bench.types("/context\n");
    let said = refused(&mut bench);
    assert!(
        said.contains("Not pinned: this text needs ~12400 tokens, but only ~3100"),
        "{said}"
    );
}

#[test]
fn that_something_was_left_out_is_said_when_it_was() {
    let mut bench = bench_with(vec![item("read src/a.rs", Some(1))]);
    bench.keys("d");
    assert!(bench.state.screen.toast.is_none());
    bench.event(Live::Notice(Notice::NothingSaved { tokens: 12, line: 20 }));
    assert!(!status(&bench.state).middle.contains("Removed. The next request"));
    bench.entry(Body::Compaction(Compaction {
        dropped: vec![EntryId(1)],
        ..Compaction::default()
    }));
    assert!(status(&bench.state).middle.contains("Removed. The next request"));
}

#[test]
fn who_writes_something_else_meanwhile_is_not_interrupted_by_the_summary() {
    let mut bench = Bench::new(80, 24);
    bench.types("/compact\n");
    bench.types("yes, and");
    bench.event(Answer::CompactionReady(preview()));
    assert!(bench.state.screen.dialog.is_none());
    bench.types(" more");
    assert_eq!(bench.prompt(), "yes, and more");
    bench.keys("ctrl-u");
    let before = bench.commands().len();
    bench.types("/compact\n");
    assert!(
        matches!(bench.state.screen.dialog, Some(Dialog::Compaction(_))),
        "now it is asked for"
    );
    let asked = bench
        .commands()
        .iter()
        .skip(before)
        .any(|command| matches!(command, Command::Compact { .. }));
    assert!(!asked, "and not made anew");
}

#[test]
fn a_compaction_is_one_row_that_opens_to_its_summary_and_the_earlier_turns_stay() {
    let mut bench = Bench::new(80, 24);
    bench.entry(Body::User {
        text: "an early question".to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    });
    bench.entry(Body::Compaction(Compaction {
        before: 9_600,
        after: 4_200,
        replaced: Some(Replaced {
            summary: Some("Objective: the ledger.".to_owned()),
            ..Replaced::default()
        }),
        ..Compaction::default()
    }));
    let shows = |bench: &Bench, text: &str| bench.screen().iter().any(|row| row.contains(text));
    assert!(shows(&bench, "an early question") && shows(&bench, "~9.6k → ~4.2k"));
    assert!(!shows(&bench, "Objective: the ledger."));
    bench.keys("alt-2 up o");
    assert!(shows(&bench, "Objective: the ledger."), "{:?}", bench.screen());
}

#[test]
fn typing_leaves_the_pane_over_the_conversation_and_what_is_sent_uncovers_it() {
    let mut bench = Bench::new(80, 24);
    bench.keys("alt-6");
    assert!(bench.state.layout.context.is_some() && bench.state.layout.conversation.is_none());
    bench.types("zebra");
    assert!(bench.state.layout.conversation.is_some(), "the answer is to be seen");
    assert_eq!(bench.prompt(), "zebra");
    bench.keys("alt-6 tab");
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
    bench.types(" again\n");
    assert!(bench.state.layout.conversation.is_some());
    assert!(
        bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::Prompt { .. }))
    );
}

#[test]
fn the_bottom_row_says_what_the_row_under_the_cursor_can_do() {
    let keys = |bench: &Bench| {
        let keys = status(&bench.state).keys.into_iter();
        keys.map(|hint| format!("{} {}", hint.key, hint.text))
            .collect::<Vec<_>>()
    };
    let mut bench = bench_with(vec![item("read src/a.rs", Some(1))]);
    assert_eq!(keys(&bench), ["Enter read", "p pin", "d remove", "Esc prompt"]);
    bench.event(Answer::Context(vec![ContextItem {
        pinned: true,
        ..item("read src/a.rs", Some(1))
    }]));
    assert!(keys(&bench).contains(&"p unpin".to_owned()));
    bench.keys("up");
    assert_eq!(keys(&bench)[0], "Enter fold");
    bench.keys("enter");
    assert_eq!(keys(&bench)[0], "Enter open");
}

#[test]
fn only_the_newest_compaction_says_that_it_can_be_taken_back_and_taking_back_says_what_it_did() {
    let mut bench = Bench::new(120, 30);
    let dropped = || {
        Body::Compaction(Compaction {
            before: 9_600,
            after: 4_200,
            dropped: vec![EntryId(1)],
            ..Compaction::default()
        })
    };
    let hints = |bench: &Bench| {
        bench
            .screen()
            .iter()
            .filter(|row| row.contains("/compact undo"))
            .count()
    };
    bench.entry(dropped());
    bench.entry(dropped());
    assert_eq!(hints(&bench), 1, "{:?}", bench.screen());
    let compaction = bench.log.last().unwrap().id;
    bench.entry(Body::CompactionUndone { compaction });
    assert_eq!(hints(&bench), 0, "{:?}", bench.screen());
    assert!(
        bench
            .screen()
            .iter()
            .any(|row| row.contains("reads the removed part again")),
        "{:?}",
        bench.screen()
    );
}

#[test]
fn a_remark_that_the_bottom_row_would_cut_is_a_row_of_the_conversation() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::Notice(Notice::NotSummarised(NoSummary::Called)));
    let whole = bench.screen().join(" ");
    assert!(
        whole.contains("called a tool instead of answering") && whole.contains("Could not summarise"),
        "{whole}"
    );
    assert_eq!(status(&bench.state).middle, "");
    bench.event(Live::Notice(Notice::NothingToCompact));
    assert!(status(&bench.state).middle.contains("nothing to summarise"));
}
