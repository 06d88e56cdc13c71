//! Tests several seats in one window: separate state, pending requests of other seats, and the key that shows these.

use super::*;
use crate::dialogs::Dialog;
use crate::dialogs::picker::{PickerKind, PickerValue};
use crate::layout::Pane;
use crate::picture::Old;
use crate::view::status::status;
use benchdog_base::id::{SeatId, SessionId};
use benchdog_domain::agent::AgentName;
use benchdog_domain::budget::{Ledger, Usage};
use benchdog_domain::entry::TurnOutcome;
use benchdog_domain::failure::Failure;
use benchdog_domain::history::LetGo;
use benchdog_domain::session::{ForkedFrom, SessionMeta};
use benchdog_domain::todo::TodoList;
use benchdog_domain::voice::{VoiceReport, VoiceState};
use benchdog_protocol::{Archive, IfBusy, Opened};

const FIRST: SeatId = SeatId(1);
const SECOND: SeatId = SeatId(2);
const THIRD: SeatId = SeatId(3);

pub(super) fn listed(sessions: Vec<SessionMeta>) -> Answer {
    let in_use = Vec::new();
    Answer::Sessions { sessions, in_use }
}

pub(super) fn meta(id: &str) -> SessionMeta {
    SessionMeta {
        id: SessionId(id.to_owned()),
        title: format!("task {id}"),
        workspace: "/work/shop".to_owned(),
        created: Time(0),
        updated: Time(0),
        model: None,
        agent: AgentName::default(),
        entries: 1,
        window: None,
        parent: None,
        tag: None,
        forked_from: None,
    }
}

impl Bench {
    pub(super) fn told(&mut self, seat: SeatId, event: impl Into<Event>) {
        let (event, at) = (event.into(), self.now);
        self.send(Msg::Agent { seat, event, at });
    }

    fn opened(&mut self, seat: SeatId, id: &str) {
        self.opened_with(seat, id, Vec::new());
    }

    pub(super) fn opened_with(&mut self, seat: SeatId, id: &str, entries: Vec<Arc<Entry>>) {
        self.opened_as(seat, meta(id), entries);
    }

    fn opened_as(&mut self, seat: SeatId, meta: SessionMeta, entries: Vec<Arc<Entry>>) {
        self.told(
            seat,
            Answer::Opened(Arc::new(Opened {
                meta,
                model: None,
                worktree: None,
                gone: LetGo::default(),
                entries,
                todo: TodoList::default(),
                plan: None,
                tools: Arc::clone(&TOOLS),
                skills: Vec::new(),
            })),
        );
    }

    pub(super) fn sent_to(&self, wanted: SeatId) -> Vec<&Command> {
        let sent = self.ops.iter().filter_map(|op| match op {
            Op::SendTo(seat, command) if *seat == wanted => Some(command),
            _ => None,
        });
        sent.collect()
    }

    fn answers(&mut self, seat: SeatId, text: &str) {
        self.fact(seat, 1, super::transcript::answer(text));
    }

    fn ends(&mut self, seat: SeatId) {
        let body = Body::TurnEnded {
            outcome: TurnOutcome::Done,
            steps: 1,
            usage: Usage::default(),
        };
        self.fact(seat, 2, body);
    }

    fn fact(&mut self, seat: SeatId, id: u64, body: Body) {
        let entry = Entry {
            id: EntryId(id),
            turn: TurnId(1),
            time: self.now,
            body,
        };
        self.told(seat, Event::Fact(Arc::new(entry)));
    }

    fn items(&self) -> Vec<String> {
        match &self.state.screen.dialog {
            Some(Dialog::Picker(picker)) if picker.kind == PickerKind::Sessions => {
                let shown = picker.shown.iter().filter_map(|index| picker.items.get(*index));
                shown.map(|item| item.text.clone()).collect()
            }
            _ => panic!("the switchboard is not open"),
        }
    }
}

fn two() -> Bench {
    let mut bench = Bench::new(120, 40);
    bench.opened(FIRST, "one");
    bench.told(FIRST, Answer::Beside(SECOND));
    bench.opened(SECOND, "two");
    assert_eq!(bench.state.screen.seat, SECOND);
    bench.ops.clear();
    bench
}

#[test]
fn a_copy_says_that_it_is_one_when_it_opens_beside_its_original_or_in_its_place() {
    let copy = |of: &str| SessionMeta {
        title: "(2) task one".to_owned(),
        forked_from: Some(Box::new(ForkedFrom {
            session: SessionId(of.to_owned()),
            entry: None,
        })),
        ..meta("copy")
    };
    let said = |seat: SeatId, of: &str| {
        let mut bench = Bench::new(120, 40);
        bench.opened(FIRST, "one");
        if seat == SECOND {
            bench.told(FIRST, Answer::Beside(SECOND));
        }
        bench.opened_as(seat, copy(of), Vec::new());
        let screen = bench.screen().join("\n");
        screen.contains("You are in a copy, “(2) task one”.")
    };
    assert!(said(SECOND, "one"), "a fork");
    assert!(said(FIRST, "one"), "a rewind");
    assert!(!said(FIRST, "closed long ago"));
}

#[test]
fn each_seat_keeps_its_draft_and_gives_the_focus_to_the_prompt() {
    let mut bench = two();
    bench.types("half a thought");
    bench.keys("ctrl-x o");
    assert_eq!((bench.state.screen.seat, bench.prompt().as_str()), (FIRST, ""));
    assert_eq!(bench.state.screen.session.title, "task one");
    bench.types("another");
    bench.keys("alt-4");
    bench.keys("ctrl-x o");
    assert_eq!(
        (bench.state.screen.seat, bench.prompt().as_str()),
        (SECOND, "half a thought")
    );
    assert_eq!(bench.state.screen.focus, Pane::Prompt);
    bench.keys("ctrl-x o");
    assert_eq!(
        (bench.state.screen.focus, bench.prompt().as_str()),
        (Pane::Prompt, "another")
    );
}

#[test]
fn a_draft_is_saved_to_its_own_seat_before_another_is_shown() {
    let mut bench = two();
    bench.types("half a thought");
    bench.keys("ctrl-x o");
    let draft = Command::SaveDraft {
        text: "half a thought".to_owned(),
    };
    assert!(bench.sent_to(SECOND).contains(&&draft), "{:?}", bench.ops);
}

#[test]
fn keys_typed_while_a_seat_in_the_background_asks_decide_nothing_and_go_to_the_prompt() {
    let mut bench = two();
    bench.kitty();
    bench.told(FIRST, Live::ApprovalRequested(Arc::new(edit("one"))));
    assert!(bench.ops.iter().any(|op| matches!(op, Op::Ring(_))), "it rings");
    bench.wait(5_000);
    for key in ["y", "a", "n", "alt-y", "alt-n"] {
        bench.keys(key);
        bench.wait(1_000);
    }
    bench.keys("alt-a");
    bench.wait(1_000);
    bench.keys("y");
    bench.wait(1_000);
    let decided = |op: &Op| {
        matches!(
            op,
            Op::Send(Command::Decide { .. }) | Op::SendTo(_, Command::Decide { .. })
        )
    };
    assert!(!bench.ops.iter().any(decided), "{:?}", bench.ops);
    assert_eq!(bench.prompt(), "yany");
    assert_eq!(bench.state.screen.seat, SECOND, "nothing moved");
}

#[test]
fn who_comes_to_a_request_has_to_go_in_and_wait_as_ever() {
    let mut bench = two();
    bench.kitty();
    bench.told(FIRST, Live::ApprovalRequested(Arc::new(edit("one"))));
    bench.wait(5_000);
    bench.keys("ctrl-x o alt-y");
    assert_eq!(
        bench.decisions().len(),
        0,
        "it has not been on screen for half a second"
    );
    bench.keys("y s");
    assert_eq!(bench.prompt(), "ys", "the keyboard is in the prompt");
    bench.keys("backspace backspace alt-a");
    bench.wait(600);
    bench.keys("y");
    bench.wait(550);
    assert_eq!(bench.decisions().len(), 1);
    assert_eq!(bench.state.screen.seat, FIRST);
}

#[test]
fn the_keyboard_is_not_found_inside_a_request_that_was_left_by_going_elsewhere() {
    let mut bench = two();
    bench.told(SECOND, Live::ApprovalRequested(Arc::new(edit("two"))));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("ctrl-x o ctrl-x o");
    bench.wait(600);
    bench.keys("y");
    bench.wait(600);
    assert_eq!((bench.decisions().len(), bench.prompt().as_str()), (0, "y"));
}

#[test]
fn the_status_line_says_who_waits_and_the_screen_is_not_drawn_for_the_rest() {
    let mut bench = two();
    bench.told(FIRST, Live::State(TurnState::Generating));
    assert_eq!(said(&bench), "Ctrl+O 1 working");
    bench.state.take_old();
    bench.told(FIRST, Live::Text("word ".to_owned()));
    assert_eq!(bench.state.take_old(), Old::Nothing, "nothing on screen changed");
    bench.answers(FIRST, "word by word");
    assert_eq!(bench.state.take_old(), Old::Nothing, "nothing on screen changed");
    bench.told(FIRST, Live::ApprovalRequested(Arc::new(edit("one"))));
    assert_eq!(bench.state.take_old(), Old::All);
    assert_eq!(said(&bench), "Ctrl+O 1 waiting");
    bench.ends(FIRST);
    assert_eq!(said(&bench), "Ctrl+O 1 done");
    bench.keys("ctrl-x o");
    assert_eq!(said(&bench), "");
    let text = bench.screen().join("\n");
    assert!(
        text.contains("word by word"),
        "what streamed in the background is there: {text}"
    );
}

fn said(bench: &Bench) -> String {
    let others = status(&bench.state).others;
    others.map_or_else(String::new, |(key, text)| format!("{key} {text}"))
}

#[test]
fn the_switchboard_has_those_that_wait_first_and_the_bar_is_on_them() {
    let mut bench = two();
    bench.told(SECOND, Answer::Beside(THIRD));
    bench.opened(THIRD, "three");
    bench.told(FIRST, Live::State(TurnState::Generating));
    bench.told(SECOND, Live::ApprovalRequested(Arc::new(edit("two"))));
    bench.keys("ctrl-o");
    let sessions = ["three", "four"].map(meta).to_vec();
    bench.told(THIRD, listed(sessions));
    assert_eq!(
        bench.items(),
        [
            "waiting   task two · src/money.rs",
            "working   task one",
            "idle      task three",
            "          task four"
        ]
    );
    bench.keys("enter");
    assert_eq!(bench.state.screen.seat, SECOND);
}

#[test]
fn the_switchboard_marks_the_sessions_that_another_workbench_has_open() {
    let mut bench = Bench::new(80, 24);
    bench.keys("ctrl-o");
    let sessions = ["four", "five"].map(meta).to_vec();
    let in_use = vec![SessionId("five".to_owned())];
    bench.event(Answer::Sessions { sessions, in_use });
    let items = bench.items();
    assert!(items.contains(&"          task four".to_owned()), "{items:?}");
    assert!(items.contains(&"in use    task five".to_owned()), "{items:?}");
}

#[test]
fn the_open_switchboard_follows_and_the_bar_stays_on_its_row() {
    let mut bench = two();
    bench.keys("ctrl-o");
    bench.told(SECOND, listed(vec![meta("four")]));
    bench.keys("down down");
    bench.told(FIRST, Live::ApprovalRequested(Arc::new(edit("one"))));
    assert_eq!(
        bench.items().first().map(String::as_str),
        Some("waiting   task one · src/money.rs")
    );
    bench.keys("enter");
    let session = Some(SessionId("four".to_owned()));
    assert_eq!(
        bench.commands().last(),
        Some(&&Command::OpenBeside { session }),
        "this one has begun"
    );
}

#[test]
fn a_session_on_disk_takes_the_place_of_one_that_has_not_begun() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-o");
    bench.told(FIRST, listed(vec![meta("four")]));
    bench.keys("down enter");
    let session = SessionId("four".to_owned());
    assert_eq!(bench.commands().last(), Some(&&Command::Resume { session }));
}

#[test]
fn a_seat_that_is_taken_by_another_session_is_still_the_one_in_the_background() {
    let mut bench = two();
    bench.told(FIRST, Answer::Replaced(SeatId(9)));
    bench.opened(SeatId(9), "nine");
    assert_eq!(bench.state.screen.seat, SECOND);
    bench.keys("ctrl-x o");
    assert_eq!(
        (bench.state.screen.seat, bench.state.screen.session.title.as_str()),
        (SeatId(9), "task nine")
    );
}

#[test]
fn what_a_seat_in_the_background_asks_for_is_sent_to_that_seat() {
    let mut bench = two();
    bench.keys("ctrl-x o");
    bench.keys("alt-6 enter");
    bench.keys("ctrl-x o");
    bench.ops.clear();
    let ledger = Ledger::default();
    bench.told(FIRST, Live::Context(ledger));
    assert_eq!(bench.commands(), [] as [&Command; 0]);
}

#[test]
fn closing_asks_where_a_turn_runs_and_the_first_answer_leaves_it() {
    let mut bench = two();
    bench.told(SECOND, Live::State(TurnState::Generating));
    bench.keys("ctrl-x w");
    bench.keys("enter");
    assert_eq!(bench.sent_to(SECOND), [] as [&Command; 0]);
    bench.keys("ctrl-x w");
    bench.keys("down enter");
    let close = Command::CloseSeat { if_busy: IfBusy::Stop };
    assert_eq!(bench.sent_to(SECOND).last(), Some(&&close));
    bench.told(SECOND, Answer::Closed);
    assert_eq!(bench.state.screen.seat, FIRST);
    assert!(bench.state.parked.is_empty());
}

#[test]
fn what_was_written_in_a_seat_that_is_closed_is_an_earlier_prompt() {
    let mut bench = two();
    bench.types("half a thought");
    bench.keys("ctrl-x w");
    bench.told(SECOND, Answer::Closed);
    let text = "half a thought".to_owned();
    assert!(bench.sent_to(SECOND).contains(&&Command::RememberPrompt { text }));
    bench.keys("up");
    assert_eq!(
        (bench.state.screen.seat, bench.prompt().as_str()),
        (FIRST, "half a thought")
    );
}

#[test]
fn the_only_seat_stays() {
    let mut bench = Bench::new(120, 40);
    bench.keys("ctrl-x w");
    assert_eq!(bench.ops.iter().filter(|op| matches!(op, Op::SendTo(..))).count(), 0);
    let said = |bench: &Bench| bench.state.screen.toast.as_ref().map(|toast| toast.text.clone());
    assert_eq!(
        said(&bench).as_deref(),
        Some("The only session cannot be closed. /quit quits.")
    );
    bench.keys("ctrl-x o");
    assert!(
        bench
            .state
            .screen
            .toast
            .as_ref()
            .is_some_and(|toast| toast.text.contains("Ctrl+X n"))
    );
}

#[test]
fn the_seat_under_the_bar_is_closed_from_the_switchboard() {
    let mut bench = two();
    bench.told(FIRST, Live::State(TurnState::Generating));
    bench.keys("ctrl-o");
    bench.keys("ctrl-x w");
    let Some(Dialog::Picker(picker)) = &mut bench.state.screen.dialog else {
        panic!("nothing asks")
    };
    assert_eq!(picker.kind, PickerKind::Closing);
    picker.step(1);
    assert_eq!(picker.chosen(), Some(&PickerValue::SeatStops(FIRST)));
}

#[test]
fn what_waited_where_another_session_was_opened_is_next() {
    let mut bench = two();
    bench.told(SECOND, Live::ApprovalRequested(Arc::new(edit("one"))));
    bench.told(SECOND, Answer::Beside(THIRD));
    bench.opened(THIRD, "three");
    bench.keys("ctrl-x o");
    assert_eq!(bench.state.screen.seat, SECOND);
    bench.keys("ctrl-x o");
    assert_eq!(bench.state.screen.seat, THIRD);
    bench.keys("ctrl-x o");
    assert_eq!(bench.state.screen.seat, FIRST);
}

#[test]
fn going_round_reaches_every_seat_and_one_that_asks_anew_comes_first() {
    let mut bench = two();
    bench.told(SECOND, Answer::Beside(THIRD));
    bench.opened(THIRD, "three");
    bench.told(FIRST, Live::State(TurnState::Generating));
    bench.told(SECOND, Live::ApprovalRequested(Arc::new(edit("one"))));
    let mut went = Vec::new();
    for _ in 0..4 {
        bench.keys("ctrl-x o");
        went.push(bench.state.screen.seat);
    }
    assert_eq!(went, [SECOND, THIRD, FIRST, SECOND]);
}

#[test]
fn closing_names_the_session_and_commands_in_the_background_are_not_ended_unasked() {
    let mut bench = two();
    bench.told(SECOND, Live::Jobs(vec![super::background::job(1, "line")]));
    bench.keys("ctrl-x w");
    let Some(Dialog::Picker(picker)) = &bench.state.screen.dialog else {
        panic!("nothing asks")
    };
    assert_eq!(picker.note, "task two: A job is running in the background.");
    assert!(
        !bench
            .ops
            .iter()
            .any(|op| matches!(op, Op::SendTo(_, Command::CloseSeat { .. })))
    );
}

#[test]
fn a_session_on_disk_under_the_bar_is_not_closed_and_neither_is_the_one_that_is_shown() {
    let mut bench = two();
    bench.keys("ctrl-o");
    bench.told(SECOND, listed(vec![meta("disk")]));
    let Some(Dialog::Picker(picker)) = &mut bench.state.screen.dialog else {
        panic!("the switchboard is not open")
    };
    picker.go_to(|value| matches!(value, PickerValue::Session(_)));
    bench.keys("ctrl-x w");
    assert_eq!(
        bench
            .sent_to(SECOND)
            .iter()
            .filter(|sent| matches!(sent, Command::CloseSeat { .. }))
            .count(),
        0
    );
    let session = SessionId("disk".to_owned());
    let remove = Command::Archive(Archive::Remove { session });
    assert_eq!(bench.commands().last(), Some(&&remove));
}

#[test]
fn help_and_the_question_before_closing_give_back_what_they_were_asked_from() {
    let mut bench = two();
    bench.told(FIRST, Live::State(TurnState::Generating));
    bench.keys("ctrl-o ctrl-x w esc");
    assert_eq!(bench.items().len(), 2);
    bench.keys("f1 esc");
    assert_eq!(bench.items().len(), 2);
    bench.keys("f1 f1");
    assert_eq!(bench.items().len(), 2);
    bench.keys("esc f1 esc");
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn the_list_stays_open_while_sessions_are_closed_from_it_and_says_which() {
    let kind = |bench: &Bench| match &bench.state.screen.dialog {
        Some(Dialog::Picker(picker)) => Some((picker.kind, picker.items.len())),
        _ => None,
    };
    let said = |bench: &Bench| bench.state.screen.toast.as_ref().map(|toast| toast.text.clone());
    let mut bench = two();
    bench.told(SECOND, Answer::Beside(THIRD));
    bench.opened(THIRD, "three");
    bench.keys("ctrl-o");
    // Selects a stored seat.
    let Some(Dialog::Picker(picker)) = &mut bench.state.screen.dialog else {
        panic!("nothing is listed")
    };
    picker.go_to(|value| *value == PickerValue::Seat(FIRST));
    let title = bench.state.parked[&FIRST].session.title.clone();
    bench.keys("ctrl-x w");
    assert_eq!(kind(&bench), Some((PickerKind::Sessions, 3)));
    bench.told(FIRST, Answer::Closed);
    assert_eq!(kind(&bench), Some((PickerKind::Sessions, 2)));
    assert_eq!(said(&bench), Some(format!("Closed: {title}")));
    // Selects the visible seat, in which work is running.
    let Some(Dialog::Picker(picker)) = &mut bench.state.screen.dialog else {
        panic!("nothing is listed")
    };
    picker.go_to(|value| *value == PickerValue::Seat(THIRD));
    bench.told(THIRD, Live::State(TurnState::Generating));
    bench.keys("ctrl-x w down enter");
    assert_eq!(kind(&bench), Some((PickerKind::Sessions, 2)));
    bench.told(THIRD, Answer::Closed);
    assert_eq!(
        (bench.state.screen.seat, kind(&bench)),
        (SECOND, Some((PickerKind::Sessions, 1)))
    );
    assert_eq!(said(&bench).as_deref(), Some("Closed: task three"));
    bench.keys("ctrl-x w");
    assert_eq!(kind(&bench), Some((PickerKind::Sessions, 1)), "the last one stays");
}

#[test]
fn a_session_that_opens_in_place_of_a_recording_one_does_not_record() {
    let mut bench = Bench::new(120, 40);
    bench.event(Answer::Voice(VoiceReport::State(VoiceState::Recording)));
    let shown = bench.state.screen.seat;
    bench.opened(shown, "next");
    assert_eq!(bench.state.screen.voice, VoiceState::Off);
}

#[test]
fn a_refused_order_is_not_the_last_text_of_the_session_on_the_screen() {
    let mut bench = Bench::new(80, 24);
    let error = |code: &str| {
        Live::Error(Failure::Told {
            code: code.to_owned(),
            text: format!("about {code}"),
            server: None,
        })
    };
    let last = |bench: &Bench| crate::seats::rows(&bench.state)[0].last.clone();
    bench.event(Live::State(TurnState::Generating));
    bench.event(error("unreachable"));
    let failed = last(&bench);
    assert!(!failed.is_empty(), "the turn failed");
    bench.event(Live::State(TurnState::Error));
    bench.event(error("session_held"));
    assert_eq!(last(&bench), failed);
}
