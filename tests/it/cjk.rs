//! Tests of Chinese, Japanese, Korean and emoji: input, cursor movement, deletion, and display with straight borders.

use serde_json::json;

use crate::support::bench::{PROMPT, draft_of};
use crate::support::home::Home;
use crate::support::pty::Pty;
use crate::support::reply::{call, stream, text};
use crate::support::screen::Screen;
use crate::support::server::Server;

/// Returns the column of the terminal's cursor, counted from the start of the prompt text.
fn caret(screen: &Screen<'_>) -> i32 {
    let (_, mark) = screen.find(PROMPT).unwrap_or_default();
    i32::from(screen.cursor().1) - i32::from(mark) - 2
}

#[track_caller]
fn wait_for_caret(bench: &Pty, what: &str, column: i32) {
    bench.wait_for(
        &format!("the cursor in column {column} of the prompt, {what}"),
        |screen| caret(screen) == column && screen.cursor_is_shown(),
    );
}

#[test]
fn the_real_cursor_is_at_the_caret_while_wide_letters_are_typed_moved_through_and_deleted() {
    let server = Server::start();
    let home = Home::with(&server);
    server.script([text("好的。")]);
    let bench = home.bench(&[]);
    wait_for_caret(&bench, "empty", 0);
    bench.type_text("購物車");
    wait_for_caret(&bench, "after three wide letters", 6);
    bench.type_text("ab");
    wait_for_caret(&bench, "after two narrow ones", 8);
    bench.keys("left left left");
    wait_for_caret(&bench, "three letters left", 4);
    bench.keys("backspace");
    wait_for_caret(&bench, "with one wide letter gone", 2);
    bench.wait_for("the draft without it", |screen| draft_of(screen).contains("購車ab"));
    bench.keys("end");
    wait_for_caret(&bench, "at the end", 6);
    bench.keys("enter");
    bench.wait_for_text("好的。");
    assert_eq!(server.request(1).last("user"), "購車ab");
    bench.leave();
}

#[test]
fn one_backspace_takes_one_letter_as_a_person_sees_it() {
    let server = Server::start();
    let home = Home::with(&server);
    let bench = home.bench(&[]);
    // A combining accent, a flag, a family and a Hangul syllable each need one key press in each direction.
    for letter in ["e\u{301}", "🇰🇷", "👨\u{200d}👩\u{200d}👧", "한"] {
        bench.type_text("a");
        wait_for_caret(&bench, "after a", 1);
        bench.send(letter.as_bytes());
        bench.wait_for("the letter", |screen| caret(screen) > 1);
        bench.keys("backspace");
        wait_for_caret(&bench, &format!("after {letter} was deleted"), 1);
        bench.keys("backspace");
        wait_for_caret(&bench, "empty again", 0);
    }
    bench.leave();
}

fn borders(screen: &Screen<'_>) -> Vec<u16> {
    let height = u16::try_from(screen.rows().len()).unwrap_or(0);
    let is_border = |row: u16, column: u16| {
        screen.cell(row, column).is_some_and(|cell| {
            matches!(
                cell.contents(),
                "│" | "├" | "┤" | "┬" | "┴" | "┼" | "┌" | "┐" | "└" | "┘"
            )
        })
    };
    let count = |column: &u16| (0..height).filter(|row| is_border(*row, *column)).count();
    (0..400)
        .filter(|column| count(column) * 2 > usize::from(height))
        .collect()
}

#[test]
fn borders_stay_straight_beside_wide_letters_and_emoji() {
    let server = Server::start();
    let home = Home::with(&server);
    let lines = [
        "購物車有優惠券時總額不對。我會先重現它，然後看看 money.rs 裡的四捨五入是怎麼做的，再決定要改什麼。",
        "カートの合計が合いません。まず再現します。",
        "장바구니 합계가 맞지 않습니다. 먼저 재현합니다.",
        "Done ✅ with 🎉 and 👩‍💻 and 🇯🇵 and é.",
    ];
    let items = json!([{"text": "購物車的四捨五入要修正好", "status": "in_progress"}]);
    server.script([
        stream().calls("todowrite", json!({"items": items})).ends(),
        text("Listed."),
        call("bash", json!({"command": "ls"})),
        text(&lines.join("\n\n")),
    ]);
    let bench = home.bench(&[]);
    bench.ask("購物車");
    bench.wait_for_text("Listed.");
    let straight = bench.look(borders);
    assert!(
        straight.len() >= 2,
        "three columns of panes have two borders: {straight:?}"
    );
    bench.ask("總額");
    bench.wait_for("the whole answer", |screen| {
        screen.has("Done ✅") && screen.has("장바구니") && screen.has("カート")
    });
    bench.wait_for("borders where they were before", |screen| borders(screen) == straight);
    bench.look(|screen| {
        let (first, _) = screen.find("購物車有").expect("the first line");
        let (last, _) = screen.find("Done ✅").expect("the last line");
        for row in first..=last {
            for column in &straight {
                let cell = screen.cell(row, *column).expect("a cell");
                assert!(
                    "│├┤┬┴┼".contains(cell.contents()) && cell.has_contents(),
                    "row {row}: {:?}",
                    screen.rows()
                );
            }
        }
    });
    bench.leave();
}
