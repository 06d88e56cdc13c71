//! Snapshot tests of whole screens at three sizes, built from events and keys. One snapshot also shows the styles.
//!
//! `rig` builds the state for all tests. Times and sizes are fixed.

mod colours;
mod dialogs;
mod key_rows;
mod requests;
mod rig;

use ratatui::buffer::Cell;
use ratatui::style::{Color, Modifier, Style};
use rig::Rig;

use benchdog_domain::permission::Layer;
use benchdog_domain::review::{FileChange, FileOperation, Review};
use benchdog_domain::setting::Setting;
use benchdog_protocol::{Answer, Live, TurnState};

const SIZES: [(u16, u16); 3] = [(120, 40), (80, 24), (40, 12)];

fn at_all_sizes(name: &str, scene: impl Fn(&mut Rig)) {
    for (width, height) in SIZES {
        let mut rig = Rig::new(width, height);
        scene(&mut rig);
        let screen = rig.screen();
        insta::with_settings!({ filters => vec![(r"\b\d\d:\d\d\b", "14:02")], omit_expression => true, prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!(format!("{name}-{width}x{height}"), screen);
        });
    }
}

#[test]
fn the_first_frame_shows_what_each_pane_is_for() {
    at_all_sizes("empty", |rig| rig.works_in("/home/ana/shop"));
}

#[test]
fn before_anything_was_said_stands_which_program_this_is_and_the_end_of_its_folder() {
    let here = concat!("Benchdog ", env!("CARGO_PKG_VERSION"), " in ");
    let mut rig = Rig::new(80, 24);
    rig.works_in("/home/ana/shop");
    assert!(
        rig.screen().contains(&format!("{here}/home/ana/shop")),
        "{}",
        rig.screen()
    );
    let mut rig = Rig::new(40, 12);
    rig.works_in("/home/ana/customers/of/the/north/shop");
    let screen = rig.screen();
    let row = screen.lines().find(|row| row.contains(here)).unwrap();
    assert!(row.contains('…') && row.trim_end().ends_with("north/shop"), "{row}");
}

#[test]
fn a_turn_at_work() {
    at_all_sizes("working", Rig::work);
}

#[test]
fn an_edit_waits_and_the_prompt_stays_usable() {
    at_all_sizes("review", |rig| {
        rig.work();
        rig.hold_edit();
        rig.type_text("what about negative totals?");
    });
}

#[test]
fn the_keyboard_is_in_the_review_and_the_letters_count() {
    at_all_sizes("deciding", |rig| {
        rig.work();
        rig.hold_edit();
        rig.keys("alt-a");
        rig.wait(600);
    });
}

#[test]
fn what_happens_and_the_keys_are_parted_where_they_stand_close() {
    let mut rig = Rig::new(40, 12);
    rig.work();
    rig.hold_edit();
    rig.keys("alt-a");
    let screen = rig.screen();
    assert!(
        screen.contains(" REVIEW ") && screen.contains("waiting · Esc prompt"),
        "{screen}"
    );
    let mut rig = Rig::new(120, 40);
    rig.work();
    rig.hold_edit();
    let screen = rig.screen();
    assert!(screen.contains("waiting for you 0:05"), "{screen}");
}

#[test]
fn a_command_that_needs_care() {
    at_all_sizes("command", |rig| {
        rig.work();
        rig.hold_command();
    });
}

#[test]
fn the_find_line_says_how_many_lines_hold_the_words_as_they_are_typed() {
    let mut rig = Rig::new(80, 24);
    rig.say("one needle\n\nanother needle");
    rig.keys("ctrl-f");
    assert!(!rig.screen().contains("not found"));
    rig.type_text("needle");
    assert!(rig.screen().contains("2 lines"), "{}", rig.screen());
    rig.type_text("s");
    assert!(rig.screen().contains("not found"), "{}", rig.screen());
    rig.keys("enter");
    assert!(rig.screen().contains("not found"), "{}", rig.screen());
}

#[test]
fn an_action_without_a_key_leaves_no_hint_behind() {
    let mut rig = Rig::new(120, 40);
    rig.unbind(&[
        "approval.once",
        "approval.why",
        "approval.leave",
        "palette.open",
        "conversation.find_next",
        "dialog.close",
        "prompt.up",
        "text.undo",
    ]);
    assert!(rig.screen().contains("ask, or `/` for commands"), "{}", rig.screen());
    rig.keys("f1");
    assert!(!rig.screen().contains("closes"), "{}", rig.screen());
    rig.close_dialog();
    rig.type_text("some text");
    rig.keys("ctrl-c");
    assert!(rig.screen().contains("Cleared.") && !rig.screen().contains("restores it"));
    rig.work();
    rig.keys("ctrl-f r o u n d enter");
    assert!(
        rig.screen().contains("  N previous") && !rig.screen().contains(" next"),
        "{}",
        rig.screen()
    );
    rig.hold_edit();
    rig.keys("alt-a");
    let screen = rig.screen();
    let row = screen.lines().find(|row| row.contains("n deny")).unwrap();
    assert!(!row.contains("once") && !row.contains("why"), "{row}");
}

#[test]
fn two_strokes_show_their_second_half_where_the_keys_stand() {
    at_all_sizes("two-strokes", |rig| {
        rig.work();
        rig.keys("ctrl-x");
    });
}

#[test]
fn the_palette_finds_an_action_as_one_types() {
    at_all_sizes("palette", |rig| {
        rig.keys("ctrl-p");
        rig.type_text("pane");
    });
}

#[test]
fn an_error_says_what_why_and_what_helps() {
    at_all_sizes("error", Rig::fail);
}

#[test]
fn wide_characters_leave_every_border_straight() {
    let mut rig = Rig::new(120, 40);
    rig.work();
    rig.say(
        "購物車有優惠券時總額不對。日本語の文章です。한국어 문장입니다. 👩‍👩‍👧 ❤️ ｶﾞ é 🇯🇵 "
            .repeat(9)
            .as_str(),
    );
    rig.type_text("漢字 한글 👩‍👩‍👧 ｶﾞ é");
    let buffer = rig.buffer();
    let lines = rig.screen_of(&buffer);
    for x in [26_u16, 99] {
        for y in 1..38 {
            let symbol = buffer[(x, y)].symbol();
            assert!("│├┤┼".contains(symbol), "column {x}, row {y} is {symbol:?}\n{lines}");
        }
    }
    let (x, y) = rig.caret().unwrap();
    let before: String = (30..x).map(|x| buffer[(x, y)].symbol().to_owned()).collect();
    assert_eq!(
        benchdog_base::text::width("漢字 한글 👩‍👩‍👧 ｶﾞ é"),
        usize::from(x) - 30,
        "{before:?}"
    );
}

#[test]
fn the_caret_is_where_typing_goes() {
    let mut rig = Rig::new(120, 40);
    rig.type_text("ab");
    assert_eq!(rig.caret(), Some((32, 38)));
    rig.keys("ctrl-p");
    let (_, y) = rig.caret().unwrap();
    assert_ne!(y, 38, "in the palette's filter");
    rig.keys("esc alt-1");
    assert_eq!(rig.caret(), None, "a list has a cursor row and no caret");
}

#[test]
fn hostile_text_stays_in_its_place() {
    let mut rig = Rig::new(80, 24);
    rig.say("\x1b[2J\x1b]0;x\x07\u{202e}evil\u{200b}\r\x08\u{9b}31m");
    let buffer = rig.buffer();
    for cell in &buffer.content {
        let hostile = cell
            .symbol()
            .chars()
            .any(|c| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{200b}'));
        assert!(!hostile, "{:?}", cell.symbol());
    }
}

#[test]
fn changed_files_with_long_names_are_told_apart_in_the_narrow_pane() {
    let mut rig = Rig::new(160, 45);
    let change = |number: u32| FileChange {
        path: format!("gen/pkg_{number}/module_{number}_with_a_rather_long_file_name.py"),
        operation: FileOperation::Create,
        before: None,
        after: Some(b"1\n".as_slice().into()),
        mode_after: None,
        note: None,
    };
    let files = (0..2).map(change).collect();
    rig.request(
        "patch",
        "two files",
        Review::Files(files),
        None,
        Vec::new(),
        "edit: ask",
    );
    rig.keys("alt-4");
    let screen = rig.screen();
    let named = |number: u32| format!("…pkg_{number}/module_{number}");
    let row = |number: u32| {
        screen
            .lines()
            .any(|row| row.contains('◆') && row.contains(&named(number)))
    };
    assert!(row(0) && row(1), "{screen}");
}

#[test]
fn a_new_file_is_not_shown_beside_an_empty_half() {
    let mut rig = Rig::new(120, 40);
    let change = FileChange {
        path: "src/new.rs".to_owned(),
        operation: FileOperation::Create,
        before: None,
        after: Some(b"fn main() {}\n".as_slice().into()),
        mode_after: None,
        note: None,
    };
    rig.request(
        "write",
        "src/new.rs",
        Review::Files(vec![change]),
        None,
        Vec::new(),
        "edit: ask",
    );
    let screen = rig.screen();
    let row = screen.lines().find(|row| row.contains("fn main")).unwrap();
    let column = row.chars().position(|c| c == '+').unwrap();
    assert!(column < 45, "{screen}");
}

#[test]
fn nothing_says_stopping_once_it_has_stopped() {
    let mut rig = Rig::new(80, 24);
    rig.work();
    rig.keys("esc");
    assert!(rig.screen().contains("stopping"));
    rig.event(Live::State(TurnState::Interrupted));
    assert!(!rig.screen().contains("stopping"));
}

#[test]
fn every_size_from_nothing_to_a_wall_is_drawn_without_a_panic() {
    for width in [0, 1, 5, 19, 20, 39, 40, 79, 100, 119, 120, 400] {
        for height in [0, 1, 2, 5, 9, 10, 24, 120] {
            let mut rig = Rig::new(width, height);
            rig.work();
            rig.hold_edit();
            rig.keys("alt-a");
            rig.wait(600);
            rig.buffer();
            rig.keys("esc ctrl-p");
            rig.buffer();
        }
    }
}

#[test]
fn nothing_of_what_a_buffer_held_before_is_left() {
    let mut loud = Cell::new("漢");
    loud.set_style(
        Style::new()
            .fg(Color::Red)
            .bg(Color::Blue)
            .add_modifier(Modifier::all()),
    );
    for (width, height) in [(120, 40), (40, 12), (19, 4)] {
        let mut rig = Rig::new(width, height);
        rig.work();
        rig.hold_edit();
        assert_eq!(
            rig.frame_over(loud.clone()),
            rig.frame_over(Cell::EMPTY),
            "{width}x{height}"
        );
    }
}

#[test]
fn without_colour_the_diff_still_says_what_is_added_and_removed() {
    let mut rig = Rig::new(120, 40);
    rig.work();
    rig.hold_edit();
    let colourless = rig.plain().screen();
    assert_eq!(rig.screen(), colourless, "no meaning hangs on a colour alone");
    assert!(colourless.contains("+ ") && colourless.contains("- "), "{colourless}");
}

/// Returns the titles that have the style of the focused pane.
fn titles_in_reverse(rig: &mut Rig) -> Vec<String> {
    let buffer = rig.buffer();
    let reversed = |cell: &Cell| cell.modifier.contains(Modifier::REVERSED);
    let mut found = Vec::new();
    for y in 0..buffer.area.height - 1 {
        let row: Vec<&Cell> = (0..buffer.area.width).map(|x| &buffer[(x, y)]).collect();
        if row.iter().any(|cell| cell.symbol() == "─") {
            let text = row
                .chunk_by(|one, other| reversed(one) == reversed(other))
                .filter(|run| reversed(run[0]));
            found.extend(text.map(|run| {
                run.iter()
                    .map(|cell| cell.symbol())
                    .collect::<String>()
                    .trim()
                    .to_owned()
            }));
        }
    }
    found
}

#[test]
fn without_colour_one_title_says_where_the_keyboard_is() {
    let mut rig = Rig::new(120, 40);
    rig.work();
    rig.hold_edit();
    rig.plain();
    rig.keys("alt-1");
    assert_eq!(titles_in_reverse(&mut rig), ["files"]);
    rig.keys("alt-a");
    assert_eq!(titles_in_reverse(&mut rig), ["edit", "[x] hunk 1"]);
    rig.keys("esc ctrl-p");
    assert_eq!(titles_in_reverse(&mut rig), ["all commands"]);
}

#[test]
fn the_styles_of_a_review_spelled_out() {
    let mut rig = Rig::new(100, 24);
    rig.work();
    rig.hold_edit();
    let styles = rig.styles();
    insta::with_settings!({ filters => vec![(r"\b\d\d:\d\d\b", "14:02")], omit_expression => true, prepend_module_to_snapshot => false }, {
        insta::assert_snapshot!("review-styles", styles);
    });
}

#[test]
fn the_line_of_a_setting_has_its_name_before_it_and_is_whole_in_any_window() {
    for (width, height) in SIZES {
        let mut rig = Rig::new(width, height);
        rig.type_text("/config");
        rig.keys("enter");
        rig.event(Answer::Settings(Ok(vec![Setting {
            path: vec!["compaction".to_owned(), "threshold".to_owned()],
            value: "0.8".to_owned(),
            written: "0.8".to_owned(),
            layer: Layer::Default,
            place: String::new(),
            key: "",
            about: "Room is made from this share of the window on.",
            wants: "a number from 0.5 to 0.95".to_owned(),
            choices: Vec::new(),
            is_list: false,
            at_start: false,
        }])));
        rig.keys("enter");
        let screen = rig.screen();
        let said: String = screen.replace(['│', '┃', '\n'], " ");
        let words: Vec<&str> = said.split_whitespace().collect();
        for whole in [
            "compaction.threshold = 0.8",
            "Expected: a number from 0.5 to 0.95.",
            "Enter saves the value permanently, an empty line removes it, Esc goes back",
        ] {
            assert!(words.join(" ").contains(whole) || width == 40, "{whole}: {screen}");
        }
        assert!(
            !screen.contains("1 of 1") && screen.contains("compaction.threshold ="),
            "{screen}"
        );
        assert!(width > 40 || screen.contains("Esc goes"), "{screen}");
    }
}
