//! Tests results of an external editor or the clipboard that arrive while another seat is visible.

use super::*;
use crate::msg::{EditTicket, OpResult};
use benchdog_base::id::SeatId;

const OTHER: SeatId = SeatId(7);

fn elsewhere() -> (Bench, SeatId) {
    let mut bench = Bench::new(100, 30);
    bench.types("draft");
    let seat = bench.state.screen.seat;
    bench.event(Answer::Beside(OTHER));
    assert_eq!((bench.state.screen.seat, bench.prompt().as_str()), (OTHER, ""));
    bench.types("another");
    (bench, seat)
}

fn left(bench: &mut Bench, seat: SeatId, ticket: EditTicket) {
    let text = Ok(Some("written outside\n".to_owned()));
    bench.send(Msg::Done(OpResult::Edited { seat, ticket, text }));
}

fn sent_to(bench: &Bench, wanted: SeatId, is_it: impl Fn(&Command) -> bool) -> bool {
    let sent = |op: &Op| matches!(op, Op::SendTo(seat, command) if *seat == wanted && is_it(command));
    bench.ops.iter().any(sent)
}

#[test]
fn what_an_editor_wrote_for_the_prompt_of_one_seat_overwrote_that_of_another() {
    let (mut bench, seat) = elsewhere();
    left(&mut bench, seat, EditTicket::Prompt);
    assert_eq!(bench.prompt(), "another");
    let is_draft = |command: &Command| matches!(command, Command::SaveDraft { text } if text == "written outside");
    assert!(sent_to(&bench, seat, is_draft), "it is kept at once");
    bench.event(Answer::Beside(seat));
    assert_eq!(bench.prompt(), "written outside");
}

#[test]
fn an_image_goes_to_the_prompt_that_it_was_asked_for() {
    let (mut bench, seat) = elsewhere();
    let taken = Ok("/data/shot.png".into());
    bench.send(Msg::Done(OpResult::Image { seat, taken }));
    assert_eq!(bench.prompt(), "another");
    bench.event(Answer::Beside(seat));
    assert!(bench.prompt().contains("/data/shot.png"), "{}", bench.prompt());
}

#[test]
fn a_plan_that_was_edited_is_that_of_its_own_seat() {
    let (mut bench, seat) = elsewhere();
    left(&mut bench, seat, EditTicket::Plan);
    let is_plan = |command: &Command| matches!(command, Command::EditPlan { text } if text == "written outside");
    assert!(sent_to(&bench, seat, is_plan));
    assert!(!bench.commands().into_iter().any(is_plan));
}

#[test]
fn a_text_whose_place_is_gone_is_an_earlier_prompt() {
    for (ticket, is_open) in [(EditTicket::Summary, true), (EditTicket::Prompt, false)] {
        let (mut bench, seat) = elsewhere();
        let seat = if is_open { seat } else { SeatId(99) };
        left(&mut bench, seat, ticket);
        assert_eq!(bench.prompt(), "another");
        let is_kept =
            |command: &Command| matches!(command, Command::RememberPrompt { text } if text == "written outside");
        let here = bench.commands().into_iter().any(is_kept);
        assert!(here != is_open && sent_to(&bench, seat, is_kept) == is_open);
        if !is_open {
            let said = bench.state.screen.toast.as_ref().map(|toast| toast.text.clone());
            assert_eq!(said, Some(benchdog_lang::is_earlier_prompt("Ctrl+R")));
        }
    }
}

#[test]
fn what_an_editor_wrote_for_a_seat_that_got_another_number_is_in_its_prompt() {
    for is_shown in [true, false] {
        let mut bench = Bench::new(100, 30);
        bench.types("draft");
        let seat = bench.state.screen.seat;
        for next in [SeatId(8), SeatId(9)] {
            bench.event(Answer::Replaced(next));
        }
        if !is_shown {
            bench.event(Answer::Beside(OTHER));
        }
        left(&mut bench, seat, EditTicket::Prompt);
        if !is_shown {
            assert_eq!(bench.prompt(), "");
            bench.event(Answer::Beside(SeatId(9)));
        }
        assert_eq!(bench.prompt(), "written outside");
    }
}

#[test]
fn a_plan_of_a_session_that_another_has_replaced_is_an_earlier_prompt() {
    let mut bench = Bench::new(100, 30);
    let seat = bench.state.screen.seat;
    bench.event(Answer::Replaced(OTHER));
    left(&mut bench, seat, EditTicket::Plan);
    let is_kept = |command: &Command| matches!(command, Command::RememberPrompt { text } if text == "written outside");
    let is_plan = |command: &Command| matches!(command, Command::EditPlan { .. });
    assert!(bench.commands().into_iter().any(is_kept));
    assert!(!bench.commands().into_iter().any(is_plan));
}
