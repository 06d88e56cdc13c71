//! Tests requests for the user's own commands. They get the focus, because the user's Enter has caused them.

use super::*;
use crate::view::cards::cards;
use benchdog_domain::call::{Origin, SHELL};
use benchdog_domain::notice::Notice;

use benchdog_domain::summary::Summary;
use benchdog_domain::tool::CallStatus;
use benchdog_domain::undo::{NotUndone, UndoNotice};

fn own(call: &str) -> ApprovalRequest {
    let mut request = dangerous(call);
    request.origin = Origin::Typed;
    request
}

#[test]
fn what_is_asked_about_the_command_of_a_commit_did_not_have_the_keyboard() {
    let mut bench = Bench::new(120, 40);
    bench.types("/commit mend the sum\n");
    let commits = |command: &&&Command| matches!(command, Command::Shell { command, .. } if command.contains("commit"));
    assert_eq!(bench.commands().iter().filter(commits).count(), 1);
    bench.wait(40);
    bench.asks(own("one"));
    assert!(bench.state.screen.approvals.has_focus());
}

fn between(bench: &Bench) -> Vec<String> {
    let area = bench.state.layout.cards.unwrap_or_default();
    let rows = cards(&bench.state, area.width).into_iter().map(|(row, _)| row);
    rows.take(usize::from(area.height)).collect()
}

#[test]
fn in_a_low_window_one_row_beside_a_review_says_how_ones_own_command_runs() {
    for (width, height, shown) in [(40, 12, true), (60, 14, true), (120, 40, false)] {
        let mut bench = Bench::new(width, height);
        bench.asks(edit("one"));
        bench.types("!echo own-out; ls\n");
        assert!(between(&bench).is_empty(), "{:?}", between(&bench));
        let call = CallId("own".to_owned());
        bench.event(Live::ToolStarted {
            call: call.clone(),
            tool: SHELL.to_owned(),
            title: "echo own-out; ls".to_owned(),
        });
        let says = |bench: &Bench| matches!(between(bench).as_slice(), [row] if row.contains("echo own-out"));
        assert_eq!(says(&bench), shown, "{width}x{height}: {:?}", between(&bench));
        let running = between(&bench);
        bench.entry(Body::Shell {
            call: Some(call),
            command: "echo own-out; ls".to_owned(),
            output: "own-out\nCargo.toml\n".to_owned(),
            summary: Summary::Lines { lines: 2 },
            status: CallStatus::Ok,
            findings: Vec::new(),
        });
        assert_eq!(says(&bench), shown, "{width}x{height}: {:?}", between(&bench));
        assert_eq!(between(&bench) != running, shown, "that it ended is seen");
        assert!(bench.state.layout.approval_body.unwrap().height >= 4);
        bench.types("and then\n");
        assert!(!says(&bench), "what is sent next is news");
    }
}

#[test]
fn in_a_low_window_that_ones_own_command_was_stopped_is_said_in_that_row_whatever_it_printed() {
    let mut bench = Bench::new(60, 14);
    bench.asks(edit("one"));
    bench.types("!make all\n");
    let call = CallId("own".to_owned());
    bench.event(Live::ToolStarted {
        call: call.clone(),
        tool: SHELL.to_owned(),
        title: "make all".to_owned(),
    });
    bench.entry(Body::Shell {
        call: Some(call),
        command: "make all".to_owned(),
        output: "first\nsecond\n".repeat(1_000),
        summary: Summary::Interrupted,
        status: CallStatus::Cancelled,
        findings: Vec::new(),
    });
    let words = benchdog_lang::summary(&Summary::Interrupted);
    let rows = between(&bench);
    let [row] = rows.as_slice() else { panic!("{rows:?}") };
    assert!(row.contains("make all") && row.contains(&*words), "{row}");
}

#[test]
fn in_a_low_window_what_an_undo_leaves_is_said_beside_what_it_proposes() {
    let mut bench = Bench::new(40, 12);
    bench.types("/undo\n");
    let files = vec![("certs.py".to_owned(), NotUndone::Changed)];
    bench.event(Live::Notice(Notice::Undo(UndoNotice::Without { files })));
    let mut request = edit("one");
    request.origin = Origin::Undo;
    bench.asks(request);
    let told = between(&bench).join(" ");
    assert!(told.contains("certs.py") && between(&bench).len() <= 2, "{told}");
    assert!(bench.state.layout.approval_body.unwrap().height >= 4);
}

#[test]
fn while_an_undo_waits_for_an_answer_another_is_not_sent_and_the_key_to_the_first_is_named() {
    let sent = |bench: &Bench| {
        let commands = bench.commands().into_iter();
        commands
            .filter(|command| matches!(command, Command::Undo { .. }))
            .count()
    };
    let asked = |origin: Origin| {
        let mut bench = Bench::new(120, 40);
        let mut request = edit("one");
        request.origin = origin;
        bench.asks(request);
        bench.types("/undo\n");
        bench
    };
    let bench = asked(Origin::Undo);
    assert_eq!(sent(&bench), 0);
    assert_eq!(bench.prompt(), "");
    let toast = &bench.state.screen.toast.as_ref().unwrap().text;
    assert_eq!(*toast, benchdog_lang::undo_waits("Alt+A"));
    assert_eq!(sent(&asked(Origin::Model)), 1, "of a turn the engine says it");
}

#[test]
fn the_review_of_a_merge_has_the_focus_also_where_it_opens_in_another_session() {
    let mut bench = Bench::new(120, 40);
    bench.types("/merge\n");
    bench.event(Answer::Beside(benchdog_base::id::SeatId(9)));
    assert_eq!(bench.state.screen.seat, benchdog_base::id::SeatId(9));
    let mut request = edit("one");
    request.origin = Origin::Merge;
    bench.asks(request);
    assert!(bench.state.screen.approvals.has_focus());
}
