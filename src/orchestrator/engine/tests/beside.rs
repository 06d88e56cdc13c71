//! Tests seats that a front end opens, shows and closes.

use super::super::FolderId;
use super::*;
use benchdog_domain::entry::Entry;
use benchdog_domain::notice::Notice;
use benchdog_protocol::{Event, IfBusy, Live, Told, TurnState};

async fn show(rig: &mut Rig) {
    rig.heard.clear();
    let session = Some(rig.seats.get(FIRST).unwrap().session().clone());
    rig.order(FIRST, Command::OpenBeside { session }).await;
}

async fn open(rig: &mut Rig, from: SeatId) -> SeatId {
    rig.order(from, Command::OpenBeside { session: None }).await;
    let at = rig
        .heard
        .iter()
        .rposition(|told| told.seat == from && beside(told).is_some());
    beside(&rig.heard[at.unwrap()]).unwrap()
}

fn beside(told: &Told) -> Option<SeatId> {
    match answer(told) {
        Some(Answer::Beside(seat)) => Some(*seat),
        _ => None,
    }
}

fn notices(rig: &Rig) -> Vec<&Notice> {
    let notices = rig.heard.iter().filter_map(|told| match &told.event {
        Event::Live(Live::Notice(notice)) => Some(notice),
        _ => None,
    });
    notices.collect()
}

#[tokio::test]
async fn a_seat_is_opened_beside_one_that_works_and_a_session_has_one_seat_only() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.prompt(FIRST, "never answered").await;
    let second = open(&mut rig, FIRST).await;
    assert!(rig.seats.get(FIRST).unwrap().is_busy(), "the turn goes on");
    let session = Some(rig.seats.get(FIRST).unwrap().session().clone());
    rig.heard.clear();
    rig.order(second, Command::OpenBeside { session }).await;
    assert_eq!(rig.heard.iter().find_map(beside), Some(FIRST));
}

#[tokio::test]
async fn there_are_sixteen_seats_at_most() {
    let mut rig = Rig::new(Wishes::default()).await;
    for _ in 1..16 {
        open(&mut rig, FIRST).await;
    }
    rig.heard.clear();
    rig.order(FIRST, Command::OpenBeside { session: None }).await;
    assert_eq!(notices(&rig), [&Notice::SeatsFull { most: 16 }]);
}

#[tokio::test]
async fn a_busy_seat_is_closed_only_by_stopping_it_and_its_end_is_in_the_log() {
    let mut rig = Rig::new(Wishes::default()).await;
    let second = open(&mut rig, FIRST).await;
    rig.prompt(second, "never answered").await;
    let session = rig.seats.get(second).unwrap().session().clone();
    let if_busy = IfBusy::Stay;
    rig.order(second, Command::CloseSeat { if_busy }).await;
    assert!(notices(&rig).contains(&&Notice::Busy));
    assert!(rig.seats.get(second).is_some());
    let if_busy = IfBusy::Stop;
    rig.order(second, Command::CloseSeat { if_busy }).await;
    rig.until("the end of the seat", |told| {
        matches!(answer(told), Some(Answer::Closed))
    })
    .await;
    assert!(rig.seats.get(second).is_none());
    let holder = rig.engine.setup.holder.clone();
    let opened = rig.engine.setup.storage.open(&session, holder).await.unwrap();
    let benchdog_storage::Opening::Open { history, .. } = opened else {
        panic!("its lease was not given back")
    };
    let last = history.entries().last().unwrap();
    assert!(matches!(
        last.body,
        Body::TurnEnded {
            outcome: TurnOutcome::Interrupted,
            ..
        }
    ));
    rig.order(FIRST, Command::CloseSeat { if_busy }).await;
    assert!(notices(&rig).contains(&&Notice::OnlySeat));
}

#[tokio::test]
async fn who_comes_late_is_shown_what_goes_on() {
    let mut rig = Rig::new(Wishes::default()).await;
    let write = json!({"path": "new.txt", "content": "x"});
    rig.script("go", [calls("w", "write", &write)]);
    rig.prompt(FIRST, "go").await;
    rig.asked(FIRST).await;
    show(&mut rig).await;
    assert!(
        rig.heard
            .iter()
            .any(|told| matches!(answer(told), Some(Answer::Opened(_))))
    );
    let asked = rig.asked(FIRST).await;
    assert_eq!(asked.call.0, "w");
    let waits = |told: &Told| matches!(&told.event, Event::Live(Live::State(TurnState::AwaitingPermission)));
    assert!(rig.heard.iter().any(waits), "{:?}", rig.heard);
    rig.decide(FIRST, &asked, once()).await;
    rig.until("the result", |told| matches!(body(told), Some(Body::ToolResult { .. })))
        .await;
    show(&mut rig).await;
    let asks = |told: &Told| matches!(&told.event, Event::Live(Live::ApprovalRequested(_)));
    assert!(!rig.heard.iter().any(asks), "what is decided is not asked again");
}

#[tokio::test]
async fn each_seat_of_a_folder_keeps_a_draft_and_one_that_was_killed_is_an_earlier_prompt() {
    let mut rig = Rig::new(Wishes::default()).await;
    let second = open(&mut rig, FIRST).await;
    for (seat, text) in [(FIRST, "first"), (second, "second")] {
        let text = text.to_owned();
        rig.order(seat, Command::SaveDraft { text }).await;
    }
    let folder = rig.engine.at(FolderId::HOME).name();
    let storage = rig.engine.setup.storage.clone();
    assert_eq!(storage.draft(&folder).await.unwrap().text, "first");
    rig.engine.remember_drafts(&folder, &folder).await;
    assert_eq!(storage.history(9).await.unwrap(), ["second"]);
    assert_eq!(storage.draft(&folder).await.unwrap().text, "first");
    rig.engine.remember_drafts(&folder, &folder).await;
    assert_eq!(storage.history(9).await.unwrap(), ["second"], "once");
}

#[tokio::test]
async fn a_draft_belongs_to_its_session_once_something_was_sent_there() {
    let mut rig = Rig::new(Wishes::default()).await;
    let folder = rig.engine.at(FolderId::HOME).name();
    let storage = rig.engine.setup.storage.clone();
    let save = |text: &str| Command::SaveDraft { text: text.to_owned() };
    rig.order(FIRST, save("before anything")).await;
    assert_eq!(storage.draft(&folder).await.unwrap().text, "before anything");
    rig.script("go", [says("done")]);
    rig.prompt(FIRST, "go").await;
    rig.until("the end", |told| matches!(body(told), Some(Body::TurnEnded { .. })))
        .await;
    rig.order(FIRST, save("stray")).await;
    assert_eq!(storage.draft(&folder).await.unwrap().text, "", "no new session gets it");
    let own = storage.drafts_of(&format!("{folder}\0")).await.unwrap();
    assert_eq!(own.len(), 1);
    rig.engine.remember_drafts(&folder, &own[0].0).await;
    let history = storage.history(9).await.unwrap();
    assert!(!history.contains(&"stray".to_owned()), "it stands in its prompt");
}

#[tokio::test]
async fn a_fork_opens_a_copy_beside_a_session_at_rest_and_the_session_stays() {
    let mut rig = Rig::new(Wishes::default()).await;
    rig.script("first", [says("An answer.")]);
    rig.turn(FIRST, "first").await;
    let session = rig.seats.get(FIRST).unwrap().session().clone();
    rig.order(FIRST, Command::Fork).await;
    let copy = rig.heard.iter().rev().find_map(beside).expect("a seat beside it");
    assert_ne!(*rig.seats.get(copy).unwrap().session(), session);
    let log = rig.log(copy);
    let is_answer = |entry: &Arc<Entry>| matches!(&entry.body, Body::Assistant { text, .. } if text == "An answer.");
    assert!(log.iter().any(is_answer), "{log:?}");
    let copy = rig.seats.get(copy).unwrap().session().clone();
    let (meta, _) = rig.engine.setup.storage.read_session(&copy).await.unwrap();
    assert_eq!(meta.title, "(2) first");
    assert_eq!(*rig.seats.get(FIRST).unwrap().session(), session);

    rig.prompt(FIRST, "never answered").await;
    rig.heard.clear();
    rig.order(FIRST, Command::Fork).await;
    assert!(notices(&rig).contains(&&Notice::Busy));
    assert_eq!(rig.heard.iter().find_map(beside), None);
}
