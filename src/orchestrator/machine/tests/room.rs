//! Tests compaction during a turn. A request waits for the compaction and is sent again. If the compaction fails, the
//! session continues.

use super::bench::{Bench, call, calls_model, rules};
use crate::effect::{Effect, Room};
use crate::input::Happened;
use crate::machine::{AtPause, Rules};
use benchdog_base::id::EntryId;
use benchdog_domain::compaction::{Compaction, NoSummary, Replaced};
use benchdog_domain::confinement::{Level, Network};
use benchdog_domain::entry::{Body, TurnOutcome};
use benchdog_domain::failure::{Cut, Failure, Overweight};
use benchdog_domain::message::{Delta, ToolCall};
use benchdog_domain::notice::Notice;
use benchdog_domain::permission::Action;
use benchdog_domain::summary::Summary;
use benchdog_domain::tool::{CallStatus, EffectClass, Outcome};
use benchdog_protocol::{Live, TurnState};

fn summarised() -> Compaction {
    Compaction {
        before: 100,
        after: 40,
        replaced: Some(Replaced {
            upto: EntryId(1),
            summary: Some("So far.".to_owned()),
            ..Replaced::default()
        }),
        ..Compaction::default()
    }
}

fn made(request: u64, compaction: Compaction) -> Happened {
    Happened::RoomMade {
        request,
        compaction: Box::new(compaction),
    }
}

fn room(effects: &[Effect]) -> Option<Room> {
    effects.iter().find_map(|effect| match effect {
        Effect::CallModel { room, .. } => Some(*room),
        _ => None,
    })
}

fn compactions(bench: &Bench) -> Vec<&Compaction> {
    let compactions = bench.log.iter().filter_map(|entry| match &entry.body {
        Body::Compaction(compaction) => Some(compaction),
        _ => None,
    });
    compactions.collect()
}

fn overflow() -> Failure {
    Failure::ContextOverflow {
        limit: Some(4_096),
        text: "too long".to_owned(),
        server: None,
        lessened: false,
    }
}

fn overflow_after_room() -> Failure {
    Failure::ContextOverflow {
        limit: Some(4_096),
        text: "too long".to_owned(),
        server: None,
        lessened: true,
    }
}

#[test]
fn a_request_is_sent_again_once_room_was_made_and_the_log_says_how() {
    let mut bench = Bench::new();
    assert_eq!(room(&bench.prompt("go")), Some(Room::default()));
    let first = bench.request;
    bench.feed(Happened::Summarising { request: first });
    assert!(bench.live.contains(&Live::State(TurnState::Compacting)));
    let effects = bench.feed(made(first, summarised()));
    assert_eq!(room(&effects).map(|room| room.steps), Some(1));
    assert!(bench.request > first, "what is still said of the old request is late");
    assert_eq!(compactions(&bench).len(), 1);
    assert!(bench.feed(made(first, summarised())).is_empty());
    bench.reply("Done.", Vec::new());
    assert_eq!(bench.outcome(), Some(TurnOutcome::Done));
}

#[test]
fn a_loop_that_fills_the_window_is_a_loop_all_the_same() {
    for outcome in [Outcome::ok(Summary::Empty, "text"), Outcome::error("exit", "text")] {
        let mut bench = Bench::with(Rules {
            at_pause: AtPause::End,
            ..rules()
        });
        bench.prompt("go");
        let mut rounds = 0;
        while bench.outcome().is_none() && rounds < 20 {
            rounds += 1;
            bench.feed(made(bench.request, summarised()));
            let name = format!("c{rounds}");
            let same = call("x", "read").arguments;
            bench.reply(
                "",
                vec![ToolCall {
                    arguments: same,
                    ..call(&name, "read")
                }],
            );
            bench.prepared(&name, EffectClass::Reads, Action::Allow);
            bench.finished(&name, outcome.clone());
        }
        assert_eq!(bench.outcome(), Some(TurnOutcome::Loop));
        let most = if outcome.status == CallStatus::Ok { 5 } else { 3 };
        assert!(rounds <= most, "{rounds}");
    }
}

#[test]
fn what_comes_of_no_summary_is_said_and_another_is_tried_only_where_it_must_be() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let request = bench.request;
    let effects = bench.feed(Happened::NotSummarised {
        request,
        why: NoSummary::Empty,
    });
    assert!(room(&effects).is_some_and(|room| room.summarised));
    assert!(bench.has_notice("not_summarised"));
    bench.reply("Done.", Vec::new());
    let next = room(&bench.prompt("and now?")).unwrap();
    assert!(next.unwilling && !next.summarised, "{next:?}");
    bench.feed(made(bench.request, summarised()));
    bench.reply("Done.", Vec::new());
    assert!(!room(&bench.prompt("and then?")).unwrap().unwilling);
}

#[test]
fn a_server_that_refuses_a_request_gets_it_once_more_with_less_in_it() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let failed = |bench: &mut Bench| bench.failed(overflow(), false);
    let effects = failed(&mut bench);
    assert!(room(&effects).is_some_and(|room| room.refused));
    let effects = bench.feed(made(bench.request, summarised()));
    assert!(room(&effects).is_some_and(|room| !room.refused), "room was made");
    let effects = failed(&mut bench);
    assert!(!calls_model(&effects));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
    assert!(bench.live.contains(&Live::Error(overflow_after_room())));
    bench.prompt("and now?");
    assert!(calls_model(&failed(&mut bench)), "the next request has its own try");
}

#[test]
fn what_was_refused_and_cannot_be_made_smaller_is_an_error_in_the_words_of_the_server() {
    let mut bench = Bench::new();
    bench.prompt("go");
    bench.failed(overflow(), false);
    bench.feed(Happened::OverWindow {
        request: bench.request,
        over: Overweight {
            used: 50,
            limit: 60,
            fixed: 0,
        },
    });
    assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
    assert!(bench.live.contains(&Live::Error(overflow())));
}

#[test]
fn what_was_shown_of_an_answer_stays_when_the_window_is_full_in_its_middle() {
    for delta in [Delta::Text, Delta::Reasoning] {
        let mut bench = Bench::new();
        bench.prompt("go");
        let request = bench.request;
        let text = "half of it".to_owned();
        bench.feed(Happened::Delta {
            request,
            delta: delta(text.clone()),
        });
        let failure = overflow();
        let effects = bench.feed(Happened::Failed {
            request,
            failure,
            spent: None,
            elsewhere: false,
        });
        assert!(
            !calls_model(&effects),
            "a second answer would stand behind the half of the first"
        );
        assert_eq!(bench.outcome(), Some(TurnOutcome::Error));
        let kept = bench.log.iter().any(|entry| {
            matches!(&entry.body, Body::Assistant { text: said, reasoning, error: Some(Cut::Failed(why)), .. }
                if (*said == text || *reasoning == text) && *why == overflow())
        });
        assert!(kept, "{:?}", bench.log);
    }
}

#[test]
fn a_stop_while_room_is_made_ends_the_turn() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let request = bench.request;
    bench.feed(Happened::Summarising { request });
    let effects = bench.feed(Happened::Interrupt);
    assert!(effects.contains(&Effect::StopModel));
    assert_eq!(bench.outcome(), Some(TurnOutcome::Interrupted));
    assert!(bench.feed(made(request, summarised())).is_empty());
    assert!(compactions(&bench).is_empty());
}

#[test]
fn a_request_that_fits_in_no_way_ends_the_turn_and_not_the_session() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let over = Overweight {
        used: 70,
        limit: 60,
        fixed: 0,
    };
    bench.feed(Happened::OverWindow {
        request: bench.request,
        over,
    });
    assert_eq!(bench.outcome(), Some(TurnOutcome::Limit));
    assert!(calls_model(&bench.prompt("and now?")));
}

#[test]
fn how_full_it_is_is_said_once_a_level_and_the_model_hears_it_with_the_next_result() {
    let mut bench = Bench::new();
    bench.prompt("go");
    let filled = |bench: &mut Bench, used| bench.feed(Happened::Filled { used, room: 100 });
    filled(&mut bench, 49);
    assert!(!bench.has_notice("context_filled"));
    filled(&mut bench, 52);
    filled(&mut bench, 60);
    let levels = |bench: &Bench| {
        let notices = bench.log.iter().filter_map(|entry| match &entry.body {
            Body::Notice(Notice::ContextFilled { percent, .. }) => Some(*percent),
            _ => None,
        });
        notices.collect::<Vec<_>>()
    };
    assert_eq!(levels(&bench), [52]);
    bench.reply("", vec![call("a", "read")]);
    bench.prepared("a", EffectClass::Reads, Action::Allow);
    bench.finished("a", Outcome::ok(Summary::NotRun, "text"));
    let notes = bench.log.iter().find_map(|entry| match &entry.body {
        Body::ToolResult { notes, .. } => Some(notes.clone()),
        _ => None,
    });
    assert!(
        matches!(notes.as_deref(), Some([note]) if note.text.contains("52 % full")),
        "{notes:?}"
    );
    filled(&mut bench, 85);
    bench.reply("Done.", Vec::new());
    assert_eq!(levels(&bench), [52, 85]);
    bench.prompt("and now?");
    let told = bench.log.iter().rev().find_map(|entry| match &entry.body {
        Body::User { notes, .. } => Some(notes.clone()),
        _ => None,
    });
    assert!(told.is_some_and(|notes| notes.iter().any(|note| note.text.contains("85 % full"))));
}

#[test]
fn what_the_model_was_told_of_its_surroundings_it_is_told_again() {
    let mut bench = Bench::with(Rules {
        held: (Level::Workspace, Network::None),
        ..rules()
    });
    bench.prompt("go");
    bench.feed(made(bench.request, summarised()));
    let notes = compactions(&bench)[0].replaced.clone().unwrap().notes;
    assert!(
        matches!(&notes[..], [note] if note.contains("confined by the kernel")),
        "{notes:?}"
    );
    let mut free = Bench::new();
    free.prompt("go");
    free.feed(made(free.request, summarised()));
    assert!(compactions(&free)[0].replaced.clone().unwrap().notes.is_empty());
}

#[test]
fn what_the_person_asks_of_the_window_waits_for_no_turn_and_changes_none() {
    let mut bench = Bench::new();
    let compaction = || Happened::Compacted {
        compaction: Box::new(summarised()),
    };
    bench.prompt("go");
    assert!(bench.feed(compaction()).is_empty(), "a turn is under way");
    bench.reply("Done.", Vec::new());
    bench.feed(compaction());
    let made = bench.log.last().unwrap().id;
    bench.feed(Happened::CompactionUndone { compaction: made });
    assert_eq!(
        bench.log.last().unwrap().body,
        Body::CompactionUndone { compaction: made }
    );
}
