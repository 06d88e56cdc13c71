//! Tests clicks on rows and key hints: the first click selects, the second acts, and none grants a permission.

use super::approval::decided;
use super::background::job;
use super::context::preview;
use super::*;
use crate::dialogs::Dialog;
use crate::layout::{filter_and_list, inside};
use crate::msg::MouseKind;
use crate::view::dialog_keys::KeyRow;
use crate::view::status::bar::bar;
use benchdog_base::text::width;
use benchdog_domain::job::JobId;

fn click(bench: &mut Bench, x: u16, y: u16) {
    for kind in [MouseKind::Press, MouseKind::Release] {
        let at = bench.now;
        bench.send(Msg::Mouse { kind, x, y, at });
    }
}

fn click_key(bench: &mut Bench, word: &str) {
    let area = bench.state.layout.status.unwrap();
    let keys = bar(&bench.state, area).keys;
    let spot = keys.iter().find(|spot| spot.text == word);
    let x = spot.map(|spot| spot.x + spot.width - 1);
    click(bench, x.unwrap_or_else(|| panic!("no {word}")), area.y);
}

fn click_in_dialog(bench: &mut Bench, word: &str) {
    let row = inside(bench.state.layout.dialog.unwrap());
    let text = KeyRow::of(&bench.state).unwrap().text;
    let at = text.find(word).unwrap_or_else(|| panic!("no {word} in {text}"));
    let column = u16::try_from(width(text.get(..at).unwrap())).unwrap();
    click(bench, row.x + column, row.bottom() - 1);
}

#[test]
fn a_key_in_the_last_row_of_a_dialog_is_that_key() {
    let mut bench = Bench::new(80, 24);
    bench.event(Live::Jobs(vec![job(1, "a")]));
    bench.types("/jobs\n");
    bench.event(Answer::JobOutput {
        job: JobId(1),
        text: "written".to_owned(),
    });
    click_in_dialog(&mut bench, "copy");
    let copies = |op: &Op| matches!(op, Op::Copy { text, .. } if **text == *"written");
    assert!(bench.ops.iter().any(copies), "{:?}", bench.ops);
    let end = Command::EndJob { job: JobId(1) };
    click_in_dialog(&mut bench, "end");
    assert!(!bench.commands().contains(&&end), "one more is asked for");
    click_in_dialog(&mut bench, "again to end");
    assert!(bench.commands().contains(&&end));
    bench.keys("esc");

    for (word, does) in [
        ("accept", "AcceptCompaction"),
        ("edit", "OpenEditor"),
        ("discard", "DropCompaction"),
    ] {
        let mut bench = Bench::new(80, 24);
        bench.event(Answer::CompactionReady(preview()));
        let row = inside(bench.state.layout.dialog.unwrap());
        click(&mut bench, row.x, row.bottom() - 2);
        click(&mut bench, row.right() - 1, row.bottom() - 1);
        assert!(
            matches!(bench.state.screen.dialog, Some(Dialog::Compaction(_))),
            "no key is there"
        );
        click_in_dialog(&mut bench, word);
        let done = format!("{:?}", bench.ops);
        assert!(done.contains(does), "{word}: {done}");
    }
}

#[test]
fn a_key_of_the_bottom_row_is_that_key() {
    let mut bench = Bench::new(80, 24);
    click_key(&mut bench, "commands");
    assert!(matches!(bench.state.screen.dialog, Some(Dialog::Palette(_))));
    click_key(&mut bench, "close");
    assert!(bench.state.screen.dialog.is_none());
    bench.event(Live::State(TurnState::Generating));
    click_key(&mut bench, "stop");
    assert!(
        bench
            .commands()
            .iter()
            .any(|command| matches!(command, Command::Interrupt))
    );
}

#[test]
fn in_a_list_one_click_chooses_and_one_more_on_the_same_row_takes() {
    let mut bench = Bench::new(100, 30);
    bench.types("first\n");
    bench.types("second\n");
    bench.types("third\n");
    bench.keys("ctrl-r");
    let (_, list) = filter_and_list(bench.state.layout.dialog.unwrap());
    click(&mut bench, list.x + 2, list.y + 1);
    assert!(bench.state.screen.dialog.is_some(), "it is chosen, not taken");
    click(&mut bench, list.x + 2, list.y + 2);
    assert!(
        bench.state.screen.dialog.is_some(),
        "another row is a first click again"
    );
    bench.keys("left");
    click(&mut bench, list.x + 2, list.y + 2);
    assert!(bench.state.screen.dialog.is_some(), "a key came between");
    click(&mut bench, list.x + 2, list.y + 2);
    assert!(bench.state.screen.dialog.is_none());
    assert_eq!(bench.prompt(), "first");
}

#[test]
fn a_row_of_the_list_over_the_prompt_is_taken_and_nothing_is_sent() {
    let mut bench = Bench::new(80, 24);
    bench.types("/he");
    let list = bench.state.layout.completion.unwrap();
    let named = bench.state.screen.prompt.completion.as_ref().unwrap().items[0]
        .text
        .clone();
    click(&mut bench, list.x + 4, list.y);
    click(&mut bench, list.x + 4, list.y);
    assert!(bench.prompt().starts_with(&named) || bench.prompt().starts_with(&format!("/{named}")));
    assert!(bench.state.screen.dialog.is_none());
}

#[test]
fn an_answer_is_chosen_by_clicks_and_sent_by_a_key_alone() {
    let mut bench = Bench::new(120, 40);
    bench.asks(question("ask"));
    let body = bench.state.layout.approval_body.unwrap();
    // The rows are the question, a blank row, red, and blue.
    click(&mut bench, body.x + 4, body.y + 3);
    assert!(bench.state.screen.approvals.has_focus());
    bench.wait(1_000);
    click(&mut bench, body.x + 4, body.y + 3);
    bench.wait(1_000);
    let keys = bench.state.layout.approval_keys.unwrap();
    click(&mut bench, keys.x + 1, keys.y);
    bench.wait(1_000);
    assert!(decided(&bench).is_empty(), "no click answers");
    assert!(bench.state.screen.toast.is_some(), "and it is said");
    bench.keys("enter");
    assert_eq!(decided(&bench), [("ask", &Decision::answered(vec!["blue".to_owned()]))]);
}

#[test]
fn no_click_on_any_key_of_a_request_decides_it_wherever_it_lands_and_however_often() {
    for kitty in [false, true] {
        let mut bench = Bench::new(120, 40);
        bench.send(Msg::Terminal(TerminalFacts {
            kitty,
            can_detach: false,
        }));
        bench.asks(edit("c1"));
        bench.wait(2_000);
        let keys = bench.state.layout.approval_keys.unwrap();
        for x in keys.x..keys.right() {
            for _ in 0..2 {
                click(&mut bench, x, keys.y);
                bench.wait(1_500);
                let keys = bench.state.layout.approval_keys.unwrap_or(keys);
                click(&mut bench, x, keys.y);
                bench.wait(1_500);
            }
        }
        assert!(decided(&bench).is_empty());
    }
}
