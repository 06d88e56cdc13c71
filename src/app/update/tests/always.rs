//! Tests "Always allow": the scope is shown first, and the key that grants it works after a delay.

use ratatui::layout::Rect;

use super::approval::decided;
use super::*;
use crate::dialogs::approval::{Always, Step};
use crate::view::request_keys::{Look, placed};
use benchdog_domain::command::Written;
use benchdog_domain::permission::{Kept, OnlyOnce};
use benchdog_domain::review::CommandPart;
use benchdog_keys::action::ConfirmAction;
use benchdog_lang::{Word, word};

#[test]
fn always_shows_its_scope_before_it_counts() {
    let mut bench = inside();
    bench.keys("a");
    assert!(
        matches!(&bench.state.screen.approvals.front().unwrap().step, Step::ConfirmAlways(always) if always.chosen == 0)
    );
    bench.keys("enter");
    assert!(bench.decisions().is_empty(), "too early");
    bench.wait(600);
    bench.keys("enter");
    assert_eq!(decided(&bench), [("one", &allowed("src/money.rs", Lasts::Session))]);
}

#[test]
fn always_takes_what_was_chosen_and_for_as_long_as_was_chosen() {
    let mut bench = inside();
    bench.keys("a up down down down up tab");
    bench.wait(600);
    bench.keys("y");
    assert_eq!(decided(&bench), [("one", &allowed("src/*", Lasts::Project))]);
}

#[test]
fn nothing_is_allowed_from_now_on_that_is_not_on_screen() {
    let mut bench = Bench::new(20, 5);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a down");
    bench.wait(600);
    bench.keys("y");
    bench.wait(600);
    assert!(confirms(&bench) && decided(&bench).is_empty());
    assert_eq!(
        bench.state.screen.toast.as_ref().unwrap().text,
        word(Word::AllowedUnseen)
    );
    bench.send(Msg::Resize { width: 40, height: 12 });
    bench.wait(600);
    bench.keys("y");
    assert_eq!(decided(&bench), [("one", &allowed("src/*", Lasts::Session))]);
}

/// Returns the rows of the list in an area, and whether the whole chosen scope is visible.
fn seen(bench: &Bench, width: u16, height: u16) -> (Vec<String>, bool) {
    let Some(Step::ConfirmAlways(always)) = bench.state.screen.approvals.front().map(|waiting| &waiting.step) else {
        panic!("no list")
    };
    let laid = always.laid(width, height);
    let heading = benchdog_base::text::wrap(&laid.heading, usize::from(width)).len();
    let room = usize::from(height).saturating_sub(heading);
    let rows = laid.rows.iter().skip(laid.first).take(room);
    let rows = rows.map(|row| format!("{}{}", row.rule, row.covered)).collect();
    (rows, laid.can_be_granted)
}

#[test]
fn what_is_chosen_is_in_view_wherever_it_fits_and_every_scope_says_what_it_covers() {
    let letters = |rows: &[String]| rows.concat().split_whitespace().collect::<String>();
    let mut bench = asked_for_always();
    for _ in 0..3 {
        let (all, _) = seen(&bench, 34, 40);
        assert_eq!(letters(&all), letters(&seen(&bench, 100, 40).0));
        let from = all.iter().position(|row| row.starts_with('▸')).unwrap();
        let others = all.iter().skip(from + 1).position(|row| row.starts_with("  edit:"));
        let chosen = &all[from..others.map_or(all.len(), |more| from + 1 + more)];
        for height in 1..12 {
            let (seen, can_be_granted) = seen(&bench, 34, height);
            assert_eq!(
                can_be_granted,
                chosen.iter().all(|row| seen.contains(row)),
                "{height}: {seen:?}"
            );
            assert!(can_be_granted || height < 4, "{height}: {seen:?}");
        }
        bench.keys("down");
    }
}

#[test]
fn in_a_narrow_window_no_word_is_torn_and_the_way_back_is_among_the_keys() {
    let mut bench = Bench::new(40, 12);
    bench.asks(edit("one"));
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a");
    let (rows, _) = seen(&bench, 20, 40);
    assert!(rows.iter().any(|row| row.trim() == "workspace"), "{rows:?}");
    // Both directions lead to another scope only from the middle of three scopes.
    for keys in [
        &["y", "Down", "Esc"][..],
        &["y", "Up", "Down", "Esc"],
        &["y", "Up", "Esc"],
    ] {
        let waiting = bench.state.screen.approvals.front().unwrap();
        let shown = placed(&bench.state, waiting, Rect::new(0, 0, 38, 1));
        let shown: Vec<&str> = shown.iter().map(|placed| placed.key.as_str()).collect();
        assert!(
            shown.starts_with(keys) && shown.get(keys.len()).is_none_or(|key| *key == "Tab"),
            "{shown:?}"
        );
        bench.keys("down");
    }
}

/// Returns a request for a line with two harmless commands. Its scope has a rule for each of them.
fn two_commands() -> ApprovalRequest {
    let part = |pattern: &str, option: &str| Scope {
        key: "bash".to_owned(),
        pattern: pattern.to_owned(),
        options: Some(vec![option.to_owned()]),
        and: Vec::new(),
    };
    let mut request = dangerous("one");
    if let Review::Command(command) = &mut request.review {
        let part = CommandPart {
            command: String::new(),
            written: String::new(),
            class: CommandClass::Plain,
            because: String::new(),
        };
        command.parts = vec![part.clone(), part];
    }
    request.verdict.class = Some(CommandClass::Plain);
    request.verdict.scopes = Scope::of_all(vec![part("git add *", "-A"), part("git commit *", "-m")])
        .into_iter()
        .collect();
    request
}

#[test]
fn a_scope_of_several_rules_says_each_of_them_and_what_they_cover_together() {
    let request = two_commands();
    let scope = request.verdict.scopes[0].clone();
    let mut bench = Bench::new(120, 40);
    bench.asks(request);
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a");
    let (rows, can_be_granted) = seen(&bench, 100, 10);
    assert!(can_be_granted);
    let [first, second, together] = &rows[..] else {
        panic!("{rows:?}")
    };
    assert!(
        first.starts_with("▸ bash: git add *") && first.ends_with("-A"),
        "{first}"
    );
    assert!(
        second.starts_with("  bash: git commit *") && second.ends_with("-m"),
        "{second}"
    );
    assert_eq!(together.trim(), word(Word::CoversLine));
    assert!(
        !seen(&bench, 100, 3).1,
        "a heading and two of three rows are not all of it"
    );
    bench.wait(600);
    bench.keys("y");
    let kept = Kept::All;
    let always = Decision::Always {
        scope,
        lasts: Lasts::Session,
        kept,
    };
    assert_eq!(decided(&bench), [("one", &always)]);
}

fn allowed(pattern: &str, lasts: Lasts) -> Decision {
    Decision::Always {
        scope: edits(pattern),
        lasts,
        kept: Kept::All,
    }
}

fn asked_for_always() -> Bench {
    let mut bench = inside();
    bench.keys("a");
    bench.wait(280);
    bench
}

fn confirms(bench: &Bench) -> bool {
    let step = bench.state.screen.approvals.front().map(|waiting| &waiting.step);
    bench.state.screen.approvals.has_focus() && matches!(step, Some(Step::ConfirmAlways(_)))
}

#[test]
fn a_refusal_soon_after_always_refuses() {
    let mut bench = asked_for_always();
    bench.keys("n");
    bench.wait(500);
    assert_eq!(decided(&bench), [("one", &Decision::Deny { reason: None })]);
    assert_eq!(bench.prompt(), "");
}

#[test]
fn the_list_of_permissions_says_which_options_an_answer_covers() {
    let mut bench = Bench::new(120, 40);
    bench.types("/permissions");
    bench.keys("enter");
    let rule = Rule {
        key: "bash".to_owned(),
        pattern: "cargo test *".to_owned(),
        options: Some(vec!["--lib".to_owned()]),
        action: Action::Allow,
        origin: String::new(),
    };
    let to_child = Rule {
        origin: "general".to_owned(),
        ..rule.clone()
    };
    bench.event(Answer::Permissions(vec![
        (Layer::Remembered, rule),
        (Layer::Session, to_child),
    ]));
    let Some(crate::dialogs::Dialog::Picker(picker)) = &bench.state.screen.dialog else {
        panic!("no list")
    };
    assert_eq!(picker.items[0].text, "bash  cargo test * [--lib]  allow");
    assert_eq!(picker.items[1].detail, "this session · general", "who got it is said");
}

#[test]
fn why_a_line_can_only_be_allowed_once_is_what_stands_in_it() {
    let mut bench = Bench::new(120, 40);
    let mut asked = dangerous("one");
    asked.verdict.class = Some(CommandClass::Plain);
    asked.verdict.because = Because::NoRule;
    asked.verdict.only_once = Some(OnlyOnce::Written(Written::Assigned));
    bench.asks(asked);
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a");
    let said = bench.state.screen.toast.as_ref().map(|toast| toast.text.as_str());
    assert!(
        said.is_some_and(|said| said.ends_with("it sets a variable")),
        "{said:?}"
    );
}

#[test]
fn a_scope_that_does_not_fit_is_read_to_its_end_and_granted_only_then() {
    let mut request = two_commands();
    let scope = request.verdict.scopes[0].clone();
    request.verdict.scopes.push(edits("src/*"));
    let mut bench = Bench::new(40, 10);
    bench.asks(request);
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a");
    let area = |bench: &Bench| {
        let waiting = bench.state.screen.approvals.front().unwrap();
        waiting.grant_area(bench.state.layout.approval_body.unwrap())
    };
    let key = |bench: &Bench, action: ConfirmAction| {
        let row = bench.state.layout.approval_keys.unwrap();
        let keys = placed(&bench.state, bench.state.screen.approvals.front().unwrap(), row);
        let key = keys
            .into_iter()
            .find(|key| key.action == benchdog_keys::Action::Confirm(action));
        key.map(|key| (key.text, key.look == Look::Plain))
    };
    let room = area(&bench);
    let (all, _) = seen(&bench, room.width, 40);
    let chosen = all.iter().take_while(|row| !row.contains("src/*")).count();
    let mut read: Vec<String> = Vec::new();
    for down in 0..chosen {
        bench.wait(600);
        let (rows, can_be_granted) = seen(&bench, room.width, room.height);
        read.extend(rows.into_iter().filter(|row| !read.contains(row)).collect::<Vec<_>>());
        let grants = key(&bench, ConfirmAction::Grant).unwrap().1;
        assert_eq!(grants, can_be_granted, "{down}: what is lit counts");
        let reads_on = key(&bench, ConfirmAction::More).map(|(text, _)| text) == Some(word(Word::KeyReadOn));
        assert_eq!(reads_on, !can_be_granted, "{down}");
        if can_be_granted {
            assert!(down > 0, "it does not fit");
            break;
        }
        bench.keys("y");
        let said = bench.state.screen.toast.as_ref().map(|toast| toast.text.as_str());
        assert_eq!(
            said,
            Some(benchdog_lang::message::toast_reads_on_briefly("Down").as_str())
        );
        bench.keys("down");
    }
    assert!(
        all.iter().take(chosen).all(|row| read.contains(row)),
        "{read:?} of {all:?}"
    );
    assert!(decided(&bench).is_empty());
    bench.keys("up");
    bench.wait(600);
    bench.keys("y");
    let (kept, lasts) = (Kept::All, Lasts::Session);
    assert_eq!(
        decided(&bench),
        [("one", &Decision::Always { scope, lasts, kept })],
        "read is read"
    );
}

#[test]
fn behind_the_end_of_a_scope_the_next_one_begins_and_is_read_anew() {
    let mut request = two_commands();
    request.verdict.scopes.push(request.verdict.scopes[0].clone());
    let mut bench = Bench::new(40, 10);
    bench.asks(request);
    bench.keys("alt-a");
    bench.wait(600);
    bench.keys("a");
    let chosen = |bench: &Bench| {
        let waiting = bench.state.screen.approvals.front().unwrap();
        let Step::ConfirmAlways(always) = &waiting.step else {
            panic!("no list")
        };
        let grant = waiting.grant(bench.state.layout.approval_body).unwrap();
        (always.chosen, grant.can_be_granted, grant.goes_on)
    };
    let mut downs = 0;
    while chosen(&bench).0 == 0 {
        bench.keys("down");
        downs += 1;
        assert!(downs < 20);
    }
    assert!(downs > 1);
    assert_eq!(chosen(&bench), (1, false, true));
    let row = bench.state.layout.approval_keys.unwrap();
    let keys = placed(&bench.state, bench.state.screen.approvals.front().unwrap(), row);
    assert!(keys.iter().any(|key| key.key == "Esc"), "the way back");
    for _ in 0..20 {
        bench.keys("down");
    }
    assert_eq!(chosen(&bench), (1, true, false));
    for _ in 0..20 {
        bench.keys("up");
    }
    assert_eq!(chosen(&bench), (0, false, true));
}

/// Returns a chosen scope of several rows, and a wider scope that is not visible yet.
fn two_scopes() -> Always {
    let mut request = two_commands();
    request.verdict.scopes.push(request.verdict.scopes[0].clone());
    let mut bench = Bench::new(120, 40);
    bench.asks(request);
    bench.state.screen.approvals.front().unwrap().always().unwrap()
}

fn height_for(always: &Always, width: u16, rows: u16) -> u16 {
    let heading = always.laid(width, 1).heading;
    let heading = benchdog_base::text::wrap(&heading, usize::from(width)).len();
    u16::try_from(heading).unwrap() + rows
}

fn rows_of_chosen(always: &Always, width: u16) -> usize {
    let rows = always.laid(width, u16::MAX).rows;
    rows.iter().filter(|row| row.chosen).count()
}

#[test]
fn keys_that_come_between_two_pictures_skip_no_row_and_stop_at_the_end_of_a_scope() {
    const WIDTH: u16 = 34;
    let mut always = two_scopes();
    let (height, rows) = (height_for(&always, WIDTH, 1), rows_of_chosen(&always, WIDTH));
    assert!(rows > 2, "{rows}");
    always.arrange(WIDTH, height);
    for picture in 2..=rows {
        for _ in 0..8 {
            always.more(WIDTH, height);
        }
        always.arrange(WIDTH, height);
        assert_eq!(always.chosen, 0, "{picture}");
        assert_eq!(always.laid(WIDTH, height).can_be_granted, picture == rows, "{picture}");
    }
    for _ in 0..8 {
        always.more(WIDTH, height);
    }
    always.arrange(WIDTH, height);
    let laid = always.laid(WIDTH, height);
    assert_eq!(
        (always.chosen, laid.can_be_granted),
        (1, false),
        "its end was on screen"
    );
}

#[test]
fn a_scope_that_was_half_read_is_read_anew_in_a_wider_window() {
    let mut always = two_scopes();
    let (narrow, wide) = (20, 60);
    let height = height_for(&always, narrow, 1);
    always.arrange(narrow, height);
    for _ in 2..rows_of_chosen(&always, narrow) {
        always.more(narrow, height);
        always.arrange(narrow, height);
    }
    assert!(!always.laid(narrow, height).can_be_granted);
    let height = height_for(&always, wide, 1);
    always.arrange(wide, height);
    let laid = always.laid(wide, height);
    assert!(!laid.can_be_granted && laid.goes_on, "the rest was never shown");
    for _ in 1..rows_of_chosen(&always, wide) {
        always.more(wide, height);
        always.arrange(wide, height);
    }
    assert!(always.laid(wide, height).can_be_granted);
}

#[test]
fn a_scope_that_was_read_is_granted_only_where_a_row_of_it_is_in_view() {
    const WIDTH: u16 = 34;
    let mut always = two_scopes();
    let rows = u16::try_from(rows_of_chosen(&always, WIDTH)).unwrap();
    always.arrange(WIDTH, height_for(&always, WIDTH, rows));
    for (room, can_be_granted) in [(1, true), (0, false), (1, true)] {
        let height = height_for(&always, WIDTH, room);
        always.arrange(WIDTH, height);
        assert_eq!(always.laid(WIDTH, height).can_be_granted, can_be_granted, "{room}");
    }
}
