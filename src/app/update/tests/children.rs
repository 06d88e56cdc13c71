//! Tests the rows of calls with subagents, and their keys.

use super::*;
use crate::layout::Pane;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_domain::agent::AgentName;
use benchdog_domain::child::{ChildEnd, ChildState};
use benchdog_protocol::{AskingChild, ChildLive};

fn live(call: &str, state: ChildState) -> Live {
    Live::Child(Arc::new(ChildLive {
        call: CallId(call.to_owned()),
        seat: SeatId(2),
        session: (state != ChildState::Queued).then(|| SessionId("ab".repeat(16))),
        agent: AgentName("explore".to_owned()),
        task: "find callers".to_owned(),
        state,
        step: 3,
        doing: "grep total(".to_owned(),
        tokens: 8_100,
        since: Time(1_000_000),
    }))
}

fn working(width: u16, height: u16) -> Bench {
    let mut bench = Bench::new(width, height);
    bench.event(Live::State(TurnState::Planning));
    bench.event(Live::State(TurnState::ToolRunning));
    bench.event(Live::ToolStarted {
        call: CallId("t".to_owned()),
        tool: "task".to_owned(),
        title: "explore · find callers".to_owned(),
    });
    bench
}

fn row(bench: &Bench) -> String {
    let rows = bench.state.screen.conversation.rows().iter();
    let mut found = rows
        .map(|row| row.line.text())
        .filter(|row| row.contains("find callers"));
    found.next().unwrap()
}

#[test]
fn a_row_says_in_one_line_what_the_child_does() {
    let mut bench = working(80, 24);
    bench.event(live("t", ChildState::Queued));
    assert!(row(&bench).contains("waiting for other agents"), "{}", row(&bench));
    bench.event(live("t", ChildState::Works));
    bench.wait(41_000);
    let text = row(&bench);
    for part in ["explore · find callers", "grep total(", "step 3", "9k", "0:41"] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    bench.event(live("t", ChildState::Waits));
    assert!(row(&bench).contains("waiting for you"), "{}", row(&bench));
    // The result waits for the results of earlier calls.
    bench.event(live("t", ChildState::Ended(ChildEnd::StepsOver)));
    assert!(
        row(&bench).starts_with('✗') && row(&bench).contains("request limit reached"),
        "{}",
        row(&bench)
    );
    bench.event(live("t", ChildState::Ended(ChildEnd::Done)));
    assert!(
        row(&bench).starts_with('✓') && row(&bench).contains("3 steps"),
        "{}",
        row(&bench)
    );
}

#[test]
fn esc_on_the_row_of_a_child_stops_that_one_and_elsewhere_the_turn() {
    let mut bench = working(120, 30);
    bench.event(live("t", ChildState::Works));
    bench.keys("alt-2 up esc");
    let call = CallId("t".to_owned());
    assert!(bench.ops.contains(&Op::Send(Command::StopChild { call })));
    assert!(!bench.ops.contains(&Op::Send(Command::Interrupt)));
    bench.keys("alt-3 esc");
    assert!(bench.ops.contains(&Op::Send(Command::Interrupt)));
}

#[test]
fn enter_on_the_row_asks_for_what_the_child_said() {
    let mut bench = working(120, 30);
    bench.event(live("t", ChildState::Works));
    bench.keys("alt-2 up enter");
    let session = SessionId("ab".repeat(16));
    assert!(bench.ops.contains(&Op::Send(Command::ShowChild {
        session: session.clone()
    })));
    bench.event(Answer::Child {
        session,
        log: Ok(vec![said_to_child(1, "Where is it called?")]),
    });
    assert!(rows(&bench).contains("Where is it called?"), "{}", rows(&bench));
    assert!(!rows(&bench).contains("find callers"), "{}", rows(&bench));
    bench.keys("esc");
    assert!(row(&bench).contains("find callers"));
    assert!(bench.ops.contains(&Op::Send(Command::LeaveChild)));
    assert_eq!(bench.state.screen.focus, Pane::Conversation);
    assert!(
        bench.state.screen.conversation.chosen_child().is_some(),
        "the cursor is where it was"
    );
}

fn said_to_child(id: u64, text: &str) -> Arc<Entry> {
    Arc::new(Entry {
        id: EntryId(id),
        turn: TurnId(1),
        time: Time(0),
        body: Body::User {
            text: text.to_owned(),
            mentions: Vec::new(),
            notes: Vec::new(),
        },
    })
}

fn rows(bench: &Bench) -> String {
    let rows = bench.state.screen.conversation.rows().iter();
    rows.map(|row| row.line.text() + "\n").collect()
}

fn child_tells(bench: &mut Bench, event: impl Into<Event>) {
    let at = Time(1_002_000);
    bench.send(Msg::Agent {
        seat: SeatId(2),
        event: event.into(),
        at,
    });
}

#[test]
fn what_a_child_that_works_tells_is_followed_and_what_its_parent_tells_is_there_afterwards() {
    let mut bench = working(120, 30);
    bench.event(live("t", ChildState::Works));
    child_tells(&mut bench, Live::Text("nobody looks".to_owned()));
    bench.keys("alt-2 up enter");
    child_tells(&mut bench, Live::Text("I look at".to_owned()));
    child_tells(&mut bench, Live::Text(" the callers".to_owned()));
    assert!(rows(&bench).contains("I look at the callers"), "{}", rows(&bench));
    assert!(!rows(&bench).contains("nobody looks"));
    let asked = Body::User {
        text: "Find all callers.".to_owned(),
        mentions: Vec::new(),
        notes: Vec::new(),
    };
    let entry = |body| {
        Arc::new(Entry {
            id: EntryId(90),
            turn: TurnId(1),
            time: Time(1_002_000),
            body,
        })
    };
    child_tells(&mut bench, Event::Fact(entry(asked)));
    let told = rows(&bench);
    assert!(told.contains("task") && !told.contains("you"), "{told}");
    bench.event(live("t", ChildState::Ended(ChildEnd::Done)));
    bench.event(Live::Text("Parent's own".to_owned()));
    assert!(!rows(&bench).contains("Parent's own"), "{}", rows(&bench));
    child_tells(
        &mut bench,
        Live::ToolStarted {
            call: CallId("x".to_owned()),
            tool: "read".to_owned(),
            title: "money.rs".to_owned(),
        },
    );
    assert!(rows(&bench).contains("▸ read"), "{}", rows(&bench));
    bench.keys("esc");
    assert!(rows(&bench).contains("Parent's own"), "{}", rows(&bench));
    assert!(row(&bench).starts_with('✓'), "{}", row(&bench));
    assert!(!rows(&bench).contains("I look at"));
}

#[test]
fn the_conversation_of_a_child_goes_where_the_keyboard_leaves_it_or_another_session_comes() {
    for keys in ["alt-3", "x", "alt-1"] {
        let mut bench = working(120, 30);
        bench.event(live("t", ChildState::Works));
        bench.keys("alt-2 up enter");
        assert!(bench.state.screen.watched.is_some());
        bench.keys(keys);
        assert!(bench.state.screen.watched.is_none(), "{keys}");
        assert!(row(&bench).contains("find callers"), "{keys}");
    }
}

#[test]
fn a_request_of_a_child_makes_no_row_and_goes_away_with_it() {
    let mut bench = working(120, 30);
    let mut request = edit("t/2/w");
    request.child = Some(AskingChild {
        seat: SeatId(2),
        call: CallId("w".to_owned()),
        agent: AgentName("general".to_owned()),
        task: "make it".to_owned(),
    });
    let call = request.call.clone();
    bench.event(Live::ApprovalRequested(Arc::new(request)));
    assert!(bench.state.screen.approvals.waits(&call));
    let rows = bench.state.screen.conversation.rows().iter();
    assert_eq!(rows.filter(|row| row.line.text().contains("money.rs")).count(), 0);
    assert!(
        bench
            .ops
            .iter()
            .any(|op| matches!(op, Op::Ring(text) if text.contains("general · make it")))
    );
    bench.event(Live::ApprovalGone { call: call.clone() });
    assert!(!bench.state.screen.approvals.waits(&call));
}

#[test]
fn where_a_child_waits_the_bottom_row_and_its_mark_say_so_and_enter_leads_to_its_request() {
    let mut bench = working(120, 30);
    bench.event(live("t", ChildState::Waits));
    let asking = |call: &str, seat| ApprovalRequest {
        edition: 0,
        on_disk: benchdog_protocol::OnDisk::AsShown,
        child: Some(AskingChild {
            seat: SeatId(seat),
            call: CallId(call.to_owned()),
            agent: AgentName("explore".to_owned()),
            task: "find callers".to_owned(),
        }),
        ..edit(call)
    };
    bench.event(Live::ApprovalRequested(Arc::new(asking("of another", 5))));
    bench.event(Live::ApprovalRequested(Arc::new(asking("of this", 2))));
    assert!(row(&bench).starts_with('◆'), "{}", row(&bench));
    let status = crate::view::status::status(&bench.state);
    assert!(
        status.waits && status.middle.contains("waiting for you"),
        "{}",
        status.middle
    );
    bench.keys("alt-2 up enter");
    assert!(bench.state.screen.dialog.is_none() && bench.state.screen.approvals.has_focus());
    let front = bench
        .state
        .screen
        .approvals
        .front()
        .map(|waiting| waiting.request.call.clone());
    assert_eq!(front, Some(CallId("of this".to_owned())));
}

#[test]
fn the_row_of_a_child_that_failed_says_why_and_esc_there_leads_back() {
    let mut bench = working(120, 30);
    let Live::Child(told) = live("t", ChildState::Ended(ChildEnd::Failed)) else {
        panic!("it is a row")
    };
    let failed = ChildLive {
        doing: "unauthorized: the key is not valid".to_owned(),
        ..(*told).clone()
    };
    bench.event(Live::Child(Arc::new(failed)));
    assert!(row(&bench).contains("failed · unauthorized"), "{}", row(&bench));
    bench.keys("alt-2 up esc");
    assert!(
        !bench
            .ops
            .iter()
            .any(|op| matches!(op, Op::Send(Command::StopChild { .. })))
    );
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
}

#[test]
fn in_a_low_window_with_a_request_the_conversation_has_rows_and_what_is_not_seen_is_not_stopped() {
    let mut bench = working(40, 12);
    bench.event(live("t", ChildState::Works));
    bench.asks(edit("one"));
    bench.keys("alt-2 up");
    let (pane, request) = (
        bench.state.layout.conversation.unwrap(),
        bench.state.layout.approval.unwrap(),
    );
    assert!(
        pane.height >= 2 && pane.bottom() <= request.y,
        "{:?}",
        bench.state.layout
    );
    assert!(
        bench.screen().iter().any(|row| row.contains("task")),
        "{:?}",
        bench.screen()
    );
    bench.keys("alt-a");
    assert!(
        bench.state.layout.approval.unwrap().y < request.y,
        "all the room is the request's again"
    );

    let mut bench = working(40, 6);
    bench.event(live("t", ChildState::Works));
    bench.asks(edit("one"));
    bench.keys("alt-2 up esc");
    let stops = |op: &Op| matches!(op, Op::Send(Command::StopChild { .. }));
    assert!(!bench.ops.iter().any(stops), "it is not on the screen");
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
}
