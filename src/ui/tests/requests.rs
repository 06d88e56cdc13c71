//! Tests requests and questions: visible text, and text inputs.

use rig::Rig;

use super::*;
use benchdog_domain::permission::Scope;
use benchdog_domain::review::{Asked, Choice, Question, Review};
use benchdog_domain::waiting::{WaitingPrompt, WaitsFor};
use benchdog_protocol::{Live, OnDisk};

#[test]
fn the_scope_that_is_chosen_for_always_is_shown_whole() {
    let scope = |pattern: &str| Scope {
        key: "edit".to_owned(),
        pattern: pattern.to_owned(),
        options: None,
        and: Vec::new(),
    };
    let long = "src/components/checkout/payment/methods/voucher.rs";
    for (rows, holds_both) in [(24, false), (32, true)] {
        let mut rig = Rig::new(40, rows);
        rig.hold_edit_with(vec![scope(long), scope("src/components/checkout/payment/methods/*")]);
        rig.keys("alt-a");
        rig.wait(2_000);
        rig.keys("a");
        let shown = |rig: &mut Rig| rig.screen().replace(['│', '\n', ' ', '┃'], "");
        let exactly = format!("edit:{long}exactlythis");
        assert!(shown(&mut rig).contains(&format!("▸{exactly}")), "{}", rig.screen());
        rig.keys("down");
        let screen = shown(&mut rig);
        assert!(
            screen.contains("▸edit:src/components/checkout/payment/methods/*everythinginthisfolder"),
            "{}",
            rig.screen()
        );
        // In a small window, the change takes precedence over other text.
        assert_eq!(screen.contains(&exactly), holds_both, "{}", rig.screen());
    }
}

#[test]
fn the_first_frame_of_a_request_has_the_colours_of_its_code() {
    let mut rig = Rig::new(120, 40);
    rig.calls_edit();
    rig.buffer();
    rig.hold_edit();
    let (first, _) = rig.frame_over(Cell::EMPTY);
    assert_eq!(first, rig.buffer());
}

#[test]
fn the_title_of_a_childs_request_parts_its_name_from_what_it_asks_and_gives_the_name_what_room_there_is() {
    let title = |task: &str| {
        let mut rig = Rig::new(80, 24);
        rig.hold_edit_of_child(task);
        let screen = rig.screen();
        let row = screen.lines().find(|row| row.contains("general · fix a"));
        row.unwrap_or_else(|| panic!("{screen}")).to_owned()
    };
    let short = title("fix a typo");
    assert!(short.contains("general · fix a typo ─ edit "), "{short}");
    let long = title("fix a typo in the long name of a task that nobody can read to its end at all");
    assert!(long.contains("… ─ edit ") && long.contains("money.rs"), "{long}");
}

#[test]
fn a_reason_and_a_comment_have_room_to_be_written_in_a_narrow_window() {
    for (width, height) in [(40, 12), (40, 24), (24, 10)] {
        for step in ["r", "c"] {
            let mut rig = Rig::new(width, height);
            rig.hold_edit();
            rig.keys("alt-a");
            rig.wait(2_000);
            rig.keys(step);
            rig.type_text("because");
            assert!(
                rig.screen().contains("because"),
                "{width}×{height} {step}\n{}",
                rig.screen()
            );
            assert!(rig.caret().is_some());
        }
    }
}

#[test]
fn while_a_reason_or_a_comment_is_written_in_a_low_window_the_line_it_is_about_stays_in_view() {
    for step in ["r", "c"] {
        let mut rig = Rig::new(40, 12);
        rig.hold_edit();
        rig.keys("alt-a");
        rig.wait(2_000);
        // Ignore the scroll bar at the end of a line.
        let line = |row: &str| row.trim_end_matches(['│', '┃']).to_owned();
        let row = |screen: &str| screen.lines().find(|row| row.contains("▎")).map(line);
        let before = row(&rig.screen());
        rig.keys(step);
        rig.type_text("because");
        let screen = rig.screen();
        assert!(
            before.is_some() && row(&screen) == before,
            "{step}: {before:?}\n{screen}"
        );
        assert!(screen.contains("because"), "{screen}");
    }
}

fn diff_rows(screen: &str) -> usize {
    let is_line = |row: &str| row.contains(['▎', '↪']) || row.chars().skip(1).take(4).any(|c| c.is_ascii_digit());
    let rows = screen.lines().filter(|row| row.starts_with('│'));
    rows.filter(|row| is_line(row)).count()
}

#[test]
fn in_a_low_window_prompts_that_wait_leave_four_rows_of_the_diff_and_two_beside_a_reason() {
    for (width, height, least) in [(40, 12, 4), (60, 16, 6)] {
        let mut rig = Rig::new(width, height);
        rig.work();
        rig.hold_edit();
        let waits = |text: &str, waits_for| WaitingPrompt {
            text: text.to_owned(),
            waits_for,
        };
        rig.event(Live::Queued(vec![
            waits("now", WaitsFor::Request),
            waits("one", WaitsFor::TurnEnd),
            waits("two", WaitsFor::TurnEnd),
        ]));
        rig.type_text(
            "a draft that is longer than two rows of the window have room for, and that wants three of them at least",
        );
        assert!(diff_rows(&rig.screen()) >= least, "{}", rig.screen());
        rig.keys("alt-a");
        rig.wait(2_000);
        let screen = rig.screen();
        assert!(diff_rows(&screen) >= least, "{screen}");
        assert!(screen.contains("sent to the running task · 2 queued"), "{screen}");
        assert!(screen.contains("[x] hunk 1"), "{screen}");
        for step in ["r", "c", "a"] {
            rig.keys(step);
            rig.type_text(if step == "a" { "" } else { "because" });
            let screen = rig.screen();
            assert!(diff_rows(&screen) >= 2, "{step}\n{screen}");
            assert!(screen.contains("sent to the running task · 2 queued"), "{screen}");
            assert!(step != "a" || screen.contains("▸ edit: src/money.rs"), "{screen}");
            rig.keys("esc");
            rig.wait(2_000);
        }
    }
}

#[test]
fn disabled_keys_have_a_sign_before_them_at_every_size() {
    for (width, height) in [(40, 12), (80, 24), (160, 45)] {
        let mut rig = Rig::new(width, height);
        rig.hold_command();
        rig.keys("alt-a");
        assert!(rig.screen().contains("│…y allow"), "{}", rig.screen());
        rig.wait(600);
        assert!(rig.screen().contains("│ y allow"), "{}", rig.screen());
    }
}

#[test]
fn in_a_low_window_too_the_title_says_that_a_change_does_not_fit_any_more() {
    for (width, height) in [(40, 12), (80, 24)] {
        let mut rig = Rig::new(width, height);
        rig.hold_edit_standing(OnDisk::FitsNot);
        let screen = rig.screen();
        let title = screen.lines().find(|row| row.starts_with('┌'));
        assert!(title.is_some_and(|title| title.contains("out of date")), "{screen}");
    }
}

#[test]
fn whoever_leaves_a_request_for_another_pane_sees_where_they_are_and_the_way_back() {
    for (width, height) in [(40, 12), (60, 16), (80, 24), (160, 45)] {
        let mut rig = Rig::new(width, height);
        rig.work();
        rig.hold_edit();
        rig.keys("alt-a");
        rig.wait(2_000);
        rig.keys("tab");
        let screen = rig.screen();
        assert!(screen.contains("conversation"), "{screen}");
        let bottom = screen.lines().nth(usize::from(height) - 1).unwrap_or_default();
        assert!(!bottom.contains("REVIEW") && !bottom.contains("PROMPT"), "{screen}");
        assert!(rig.caret().is_none());
        rig.keys("esc");
        assert!(rig.caret().is_some(), "the prompt again");
    }
}

#[test]
fn a_dropped_line_says_without_colour_of_which_side_it_is() {
    let signs = |rig: &mut Rig| {
        let screen = rig.screen();
        let count = |sign: &str| screen.matches(sign).count();
        (count("-·"), count("+·"))
    };
    for (width, height) in [(160, 45), (80, 24)] {
        let mut rig = Rig::new(width, height);
        rig.hold_edit();
        rig.keys("alt-a");
        rig.wait(2_000);
        assert_eq!(signs(&mut rig), (0, 0));
        rig.keys("space");
        let (removed, added) = signs(&mut rig);
        assert!(removed > 0 && added > 0, "{}", rig.screen());
    }
}

#[test]
fn a_reason_shows_while_it_is_written() {
    for (width, height) in [(40, 12), (80, 24), (120, 40)] {
        let mut rig = Rig::new(width, height);
        rig.work();
        rig.hold_command();
        rig.keys("alt-a");
        rig.wait(600);
        rig.keys("r");
        let before = rig.caret();
        rig.type_text("not 購物");
        let screen = rig.screen();
        assert!(screen.contains("not 購物"), "{screen}");
        assert!(screen.contains("Esc back"), "where Esc leads: {screen}");
        let moved = before.zip(rig.caret()).map(|(from, to)| to.0 - from.0);
        assert_eq!(moved, Some(8), "{screen}");
    }
}

fn asked(width: u16, height: u16) -> Rig {
    let mut rig = Rig::new(width, height);
    let question = Asked::of(
        "Which database should the shop use for its carts?",
        &["PostgreSQL", "SQLite, which needs no server and no care", "Redis"],
    );
    let question = Review::Question(Question::one(question));
    rig.request("ask", "", question, None, Vec::new(), "");
    rig.keys("alt-a");
    rig.wait(600);
    rig
}

#[test]
fn the_option_under_the_cursor_is_always_on_screen() {
    let mut rig = asked(40, 12);
    for option in ["› 1 ( ) PostgreSQL", "› 2 ( ) SQLite", "› 3 ( ) Redis"] {
        let screen = rig.screen();
        assert!(screen.contains(option), "{screen}");
        rig.keys("down");
    }
    rig.keys("up");
    rig.wait(600);
    rig.keys("space");
    let screen = rig.screen();
    assert!(screen.contains("› 3 (x) Redis"), "what is chosen shows: {screen}");
}

#[test]
fn several_questions_and_all_their_answers() {
    at_all_sizes("questions", |rig| {
        ask_three(rig);
        rig.keys("down");
        rig.wait(600);
        rig.keys("enter");
    });
    at_all_sizes("answers", |rig| {
        ask_three(rig);
        rig.keys("enter tab");
        rig.type_text("購物車 only");
        rig.wait(600);
        rig.keys("enter tab tab");
    });
}

fn ask_three(rig: &mut Rig) {
    let database = Asked {
        header: "Database".to_owned(),
        options: vec![
            Choice {
                label: "SQLite".to_owned(),
                description: "One file beside the program; nothing to install, one writer at a time.".to_owned(),
            },
            Choice {
                label: "PostgreSQL".to_owned(),
                description: "A server of its own.".to_owned(),
            },
        ],
        ..Asked::of("Which database should the shop use for its carts?", &[])
    };
    let languages = Asked {
        header: "Languages".to_owned(),
        multiple: true,
        own_words: false,
        ..Asked::of("Which languages does it speak first?", &["English", "日本語", "한국어"])
    };
    let question = Question::Model {
        asked: vec![database, languages, Asked::of("What is it called?", &[])],
        note: Some("All of it can be changed later.".to_owned()),
    };
    rig.request("ask", "", Review::Question(question), None, Vec::new(), "");
    rig.keys("alt-a");
    rig.wait(600);
}

#[test]
fn an_answer_in_ones_own_words_shows_while_it_is_written() {
    for (width, height) in [(40, 12), (120, 40)] {
        let mut rig = asked(width, height);
        rig.keys("down down down");
        rig.type_text("none of these");
        let screen = rig.screen();
        assert!(screen.contains("›   (x) none of these"), "{screen}");
        let (x, y) = rig.caret().unwrap();
        let row: Vec<char> = screen.lines().nth(usize::from(y)).unwrap().chars().collect();
        let before: String = row.into_iter().take(usize::from(x)).collect();
        assert!(before.ends_with("none of these"), "{screen}");
    }
}

#[test]
fn what_a_call_of_a_server_is_given_steers_no_title_and_its_always_does_not_speak_of_the_workspace() {
    let mut rig = Rig::new(100, 24);
    let any = Scope {
        key: "dogs__walk".to_owned(),
        pattern: "*".to_owned(),
        options: None,
        and: Vec::new(),
    };
    let fields = Review::Fields(Vec::new());
    rig.request("dogs__walk", "who: Rex\u{1b}[31m", fields, None, vec![any], "ask");
    assert!(rig.screen().contains("who: Rex␛[31m"), "{}", rig.screen());
    rig.keys("alt-a");
    rig.wait(2_000);
    rig.keys("a");
    let screen = rig.screen();
    assert!(
        screen.contains("with any arguments") && !screen.contains("workspace"),
        "{screen}"
    );
}

#[test]
fn a_reason_that_is_longer_than_its_row_says_that_more_of_it_lies_above() {
    let mut rig = Rig::new(40, 12);
    rig.hold_edit();
    rig.keys("alt-a");
    rig.wait(2_000);
    rig.keys("r");
    rig.type_text("because");
    assert!(!rig.screen().contains('↑'), "{}", rig.screen());
    rig.type_text(&" the total is rounded twice, here and where it is shown".repeat(4));
    assert!(rig.screen().contains('↑'), "{}", rig.screen());
}

#[test]
fn a_comment_in_a_low_window_names_the_end_of_its_place() {
    let mut rig = Rig::new(40, 12);
    let path = "src/components/checkout/payment/methods/voucher.rs";
    let change = FileChange {
        path: path.to_owned(),
        operation: FileOperation::Update,
        before: Some(b"one\n".as_slice().into()),
        after: Some(b"two\n".as_slice().into()),
        mode_after: None,
        note: None,
    };
    let review = Review::Files(vec![change]);
    rig.request("edit", path, review, None, Vec::new(), "edit: ask");
    rig.keys("alt-a");
    rig.wait(2_000);
    rig.keys("c");
    assert!(rig.screen().contains("methods/voucher.rs:1"), "{}", rig.screen());
    assert!(!rig.screen().contains("Comment on"), "{}", rig.screen());
}
