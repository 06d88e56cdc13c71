//! Tests log entries: new ones, and those of a resumed session.

use super::transcript::{answer, stream, user};
use super::*;
use benchdog_domain::history::LetGo;
use benchdog_domain::notice::Notice;
use benchdog_domain::summary::Summary;
#[test]
fn an_answer_whose_last_pieces_and_entry_come_together_is_shown_whole() {
    let text = "購物車有優惠券時總額不對。\n\nカートの合計が合いません。\n\n장바구니 합계가 맞지 않습니다.\n\nDone ✅";
    let mut bench = Bench::new(120, 40);
    bench.entry(user("總額"));
    stream(&mut bench, "購物車");
    bench.screen();
    // No frame is rendered between these two messages.
    let rest = text.strip_prefix("購物車").unwrap();
    let at = bench.now;
    let delta = Live::Text(rest.to_owned());
    let seat = bench.state.screen.seat;
    update(
        &mut bench.state,
        Msg::Agent {
            seat,
            event: delta.into(),
            at,
        },
    );
    bench.entry(answer(text));
    let rows = bench.screen();
    for part in ["カート", "장바구니", "Done ✅"] {
        assert!(rows.iter().any(|row| row.contains(part)), "{part}: {rows:#?}");
    }
}

#[test]
fn the_check_is_one_row_live_and_opened_again() {
    let call = || CallId("check-1".to_owned());
    let bodies = || {
        vec![
            user("go"),
            Body::CallStarted {
                call: call(),
                tool: "validation".to_owned(),
                title: "sh check.sh".to_owned(),
                files: Vec::new(),
            },
            Body::Validation {
                call: call(),
                command: "sh check.sh".to_owned(),
                passed: true,
                summary: Summary::Words("passed".to_owned()),
                output: String::new(),
                round: 1,
                feedback: false,
                unfinished: None,
            },
        ]
    };
    let mut bench = Bench::new(80, 24);
    for body in bodies() {
        bench.entry(body);
    }
    let live = bench.screen();
    assert_eq!(
        live.iter().filter(|row| row.contains("check.sh")).count(),
        1,
        "{live:#?}"
    );
    let entries = bodies().into_iter().zip(1..).map(|(body, id)| {
        Arc::new(Entry {
            id: EntryId(id),
            turn: TurnId(1),
            time: Time(1_000_000),
            body,
        })
    });
    let entries: Vec<_> = entries.collect();
    bench.state.screen.conversation.open(&entries, LetGo::default());
    arrange(&mut bench.state);
    let opened = bench.screen();
    let check = |rows: &[String]| {
        rows.iter()
            .filter(|row| row.contains("check.sh"))
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(check(&opened), check(&live));
    assert!(!opened.iter().any(|row| row.contains("unknown")), "{opened:#?}");
}

#[test]
fn a_notice_of_the_log_is_said_once() {
    let mut bench = Bench::new(80, 24);
    bench.entry(Body::Notice(Notice::TodoOpen {
        items: vec!["rounding".to_owned()],
    }));
    assert!(bench.state.screen.toast.is_none());
    assert_eq!(
        bench
            .screen()
            .iter()
            .filter(|row| row.contains("list: rounding."))
            .count(),
        1
    );
}
